"""What the store's tests are made of: a clock to set, events, and a look into the file."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

from honed.ledger import events, ids
from honed.ledger.model import NewEvent
from honed.skills.model import Draft
from honed.store.base import Appended
from honed.store.sqlite import SqliteStore

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROJECT = "pr_aaaaaaaaaaaaaaaa"
OTHER_PROJECT = "pr_bbbbbbbbbbbbbbbb"
START = 1_780_000_000.0
CART = Draft(
    "procedure",
    "Round the cart's total",
    "the cart's total is off by a cent",
    steps=("edit src/cart.py: round half up", "run the tests"),
    check="uv run pytest tests/test_cart.py",
    fingerprint="cart",
)


class Clock:
    """Seconds since 1970 that only a test moves."""

    def __init__(self, at: float = START) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


def draft(name: str, **changes: object) -> Draft:
    """A draft like ``CART`` with another title and fingerprint."""
    return replace(CART, title=f"Mend the {name}", fingerprint=name, **changes)  # type: ignore[arg-type]


def occasion(session: str = "s0", record: str = "r0", day: int = 1) -> events.Occasion:
    """Somewhere in a session."""
    return events.Occasion("claude_code", session, record, f"2026-03-{day:02d}T10:00:00Z")


def learned(
    what: Draft = CART, *, project: str = PROJECT, slug: str = "round-the-cart", session: str = "s0"
) -> NewEvent:
    """A skill learned from a session; its id follows from session and fingerprint."""
    skill = ids.skill_id(session, what.fingerprint, what.kind)
    return events.learned(occasion(session, what.fingerprint), skill, project, slug, what)


def evidence(skill: str, session: str, day: int = 2, request: str = "") -> NewEvent:
    """A session that applied the skill when asked for ``request``, and whose tests passed."""
    return events.evidence(
        occasion(session, f"e{day}", day),
        skill,
        "test_passed",
        applied=True,
        authority="exit",
        request=request,
    )


def hand(kind: str, skill: str) -> NewEvent:
    """An act of the owner."""
    return events.by_hand(kind, skill, os.urandom(16))  # type: ignore[arg-type]


def keep(store: SqliteStore, *new: NewEvent) -> list[Appended]:
    """Append and expect that all was written."""
    results = list(store.append(new))
    assert [result.status for result in results] == ["written"] * len(new), results
    return results


def raw(home: str) -> sqlite3.Connection:
    """A look into the database behind the store's back."""
    return sqlite3.connect(os.path.join(home, "honed.db"), isolation_level=None, timeout=30)


def look(home: str, statement: str, given: Sequence[object] = ()) -> list[tuple[object, ...]]:
    """The rows of a statement run behind the store's back."""
    connection = raw(home)
    try:
        return connection.execute(statement, given).fetchall()
    finally:
        connection.close()


def found_by_word(home: str, word: str) -> list[str]:
    """The slugs of the skills that the full text finds by a word."""
    scopes = look(home, "SELECT n FROM index_scopes")
    query = " OR ".join(f'"{n}_{word}"' for (n,) in scopes)
    rows = look(
        home,
        "SELECT s.slug FROM skill_fts f JOIN skills s ON s.n = f.rowid"
        " WHERE skill_fts MATCH ? ORDER BY s.slug",
        (query or '"nothing"',),
    )
    return [str(slug) for (slug,) in rows]


def start(*words: str) -> subprocess.Popen[str]:
    """A real process of ``tests/store/worker.py``."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((os.path.join(ROOT, "src"), ROOT))}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.worker", *words],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
