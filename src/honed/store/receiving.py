"""What was given and what came of it: tables that are no projections (schema 3).

Every row has a key that follows from what happened, so telling it twice changes nothing.  What is kept of
a skill goes with it when it is purged, and nothing is older than ``KEEP_DAYS``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from honed.ledger.canonical import format_instant, parse_instant
from honed.skills.recurring import Sighting
from honed.store import sightings
from honed.store.place import storable
from honed.store.spent import Figures, Tried, with_parts

FIRST_SCHEMA = 3
"""The schema that first had these tables."""
KEEP_DAYS = 180
"""Days that a receipt, and what belongs to it, is kept."""
_TABLES = ("receipts", "uses", "trials", "figures")
_RECEIPT = "key, skill, session, client, event, at, version, grade, score, tokens, held"
_FIGURES = "session project transcript input cached output calls asked seconds at parent".split()
_OF_SKILLS = ("receipts", "uses")


@dataclass(frozen=True, slots=True)
class Receipt:
    """One skill in one text that a session was given, or would have been (``held``).

    ``session`` as the spool names it (``hooks.spool.name_of``), ``at`` ISO-8601 UTC, ``tokens`` the skill's
    share of the text; ``skill`` is empty for a text of none.
    """

    key: str
    skill: str
    session: str
    client: str
    event: str
    at: str
    version: int = 0
    grade: str = ""
    score: float | None = None
    tokens: int = 0
    held: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """The arm of an experiment that a session was in when something was chosen for it."""

    session: str
    client: str
    held: bool
    at: str


@dataclass(frozen=True, slots=True)
class Folded:
    """What a session's spool file says up to ``size`` bytes."""

    name: str
    size: int
    receipts: tuple[Receipt, ...] = ()
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """What a task of a session did with a skill that it was given: ``applied``, and how the skill's own check
    went then (``verified``, ``failed`` or empty) in ``step``; ``lines`` are digests of what it wrote into the
    skill's files (``honed.commits``)."""

    session: str
    task: str
    skill: str
    applied: bool
    outcome: str
    step: str
    at: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counters:
    """In how many sessions of the last ``KEEP_DAYS`` a skill was ``selected`` (given or held back),
    ``given``, ``applied`` afterwards, and ``verified`` or ``failed`` by its own check then; ``tokens`` that
    it took, and when it was given last."""

    selected: int = 0
    given: int = 0
    applied: int = 0
    verified: int = 0
    failed: int = 0
    tokens: int = 0
    last: str = ""


NEVER = Counters()


@dataclass(frozen=True, slots=True)
class GivenInAll:
    """What all sessions of the last ``KEEP_DAYS`` were given: ``texts`` with their ``tokens`` to so many
    ``sessions``; ``skills`` are pairs of skill and session, the rest says what came of them."""

    sessions: int
    texts: int
    tokens: int
    skills: int
    applied: int
    verified: int
    failed: int


_COUNTERS = """
WITH told AS (
  SELECT skill, session, min(held) AS held, sum(CASE held WHEN 0 THEN tokens ELSE 0 END) AS tokens,
    max(CASE held WHEN 0 THEN at ELSE '' END) AS at FROM receipts WHERE skill <> '' {which} GROUP BY 1, 2
), used AS (
  SELECT skill, session, max(applied) AS applied,
    (SELECT outcome FROM uses u WHERE u.skill = uses.skill AND u.session = uses.session AND u.outcome <> ''
      ORDER BY u.at DESC, u.task DESC LIMIT 1) AS outcome
  FROM uses WHERE skill <> '' {which} GROUP BY 1, 2
), every AS (
  SELECT skill, session, held, tokens, at, 0 AS applied, '' AS outcome FROM told
  UNION ALL SELECT skill, session, 0, 0, '', applied, outcome FROM used
), one AS (
  SELECT skill, session, min(held) AS held, sum(tokens) AS tokens, max(at) AS at, max(applied) AS applied,
    max(outcome) AS outcome FROM every GROUP BY 1, 2
)
SELECT skill, count(*), sum(held = 0), sum(applied), sum(coalesce(outcome, '') = 'verified'),
  sum(coalesce(outcome, '') = 'failed'), sum(tokens), max(at) FROM one GROUP BY 1
"""


class Receiving:
    """The part of a store that keeps receipts; ``SqliteStore`` is one."""

    home: str
    _connection: sqlite3.Connection

    def _reading(self) -> AbstractContextManager[None]:
        raise NotImplementedError

    def _writing(self) -> AbstractContextManager[None]:
        raise NotImplementedError

    def _now(self) -> str:
        raise NotImplementedError

    def spools(self) -> Mapping[str, int]:
        """How many bytes of each spool file are folded."""
        with self._reading():
            return dict(self._connection.execute("SELECT name, size FROM spools").fetchall())

    def receive(self, piece: Folded) -> None:
        """Keep what a piece of a spool file says; each thing once."""
        oldest = _oldest(self._now())
        with self._writing():
            self._connection.executemany(
                f"INSERT OR IGNORE INTO receipts ({_RECEIPT})"
                " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11"
                " WHERE NOT EXISTS (SELECT 1 FROM skills WHERE id = ?2 AND state = 'deleted')",
                [
                    (r.key, storable(r.skill), r.session, storable(r.client), storable(r.event), r.at,
                     min(r.version, 2**40), r.grade, r.score, min(r.tokens, 2**40), int(r.held))
                    for r in piece.receipts if r.at >= oldest
                ],
            )  # fmt: skip
            self._connection.executemany(
                "INSERT INTO trials (session, client, held, mixed, at) VALUES (?, ?, ?, 0, ?)"
                " ON CONFLICT (session) DO UPDATE SET mixed = mixed OR held <> excluded.held,"
                " at = min(at, excluded.at)",
                [(t.session, storable(t.client), int(t.held), t.at) for t in piece.trials if t.at >= oldest],
            )
            self._connection.execute(
                "INSERT INTO spools (name, size) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET size = excluded.size",
                (piece.name, piece.size),
            )
            for table in _TABLES:
                self._connection.execute(f"DELETE FROM {table} WHERE at < ?", (oldest,))

    def save_uses(self, uses: Iterable[Use]) -> None:
        """Keep what tasks did with the skills that they were given; a later reading of a task holds."""
        with self._writing():
            self._connection.executemany(
                "INSERT INTO uses (session, task, skill, applied, outcome, step, at, lines)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (session, task, skill) DO UPDATE SET applied = excluded.applied,"
                " outcome = excluded.outcome, step = excluded.step, at = excluded.at, lines = excluded.lines",
                [
                    (
                        u.session,
                        u.task,
                        u.skill,
                        int(u.applied),
                        u.outcome,
                        storable(u.step),
                        u.at,
                        " ".join(u.lines),
                    )
                    for u in uses
                ],
            )

    def uses_with_lines(self, since: str, limit: int) -> tuple[Use, ...]:
        """Uses since a time of which it is known what they wrote, the newest first."""
        with self._reading():
            rows = self._connection.execute(
                "SELECT session, task, skill, applied, outcome, step, at, lines FROM uses"
                " WHERE lines <> '' AND at >= ? ORDER BY at DESC, task, skill LIMIT ?",
                (since, limit),
            ).fetchall()
        return tuple(
            Use(session, task, skill, bool(applied), outcome, step, at, tuple(lines.split()))
            for session, task, skill, applied, outcome, step, at, lines in rows
        )

    def save_sightings(self, project: str, task: str, session: str, seen: Sequence[Sighting]) -> None:
        """Keep the errors that a task met and got rid of, in place of what it was said to have met before."""
        now = self._now()
        oldest = _oldest(now)
        with self._writing():
            sightings.keep(self._connection, project, task, session, now, seen)
            self._connection.execute("DELETE FROM sightings WHERE at < ?", (oldest,))

    def seen_before(
        self, project: str, signatures: Iterable[str], task: str
    ) -> Mapping[str, list[tuple[str, Sighting]]]:
        """Who met these errors in a project in other tasks, by signature: pairs of session and sighting."""
        with self._reading():
            return sightings.seen_before(self._connection, project, signatures, task)

    def counters(self, skills: Sequence[str] | None = None) -> Mapping[str, Counters]:
        """What became of these skills (of all, where none are named), by id; those never chosen are none."""
        which = "" if skills is None else f"AND skill IN ({', '.join('?' * len(skills))})"
        given = () if skills is None else (*skills, *skills)
        with self._reading():
            rows = self._connection.execute(_COUNTERS.format(which=which), given).fetchall()
        return {str(row[0]): Counters(*row[1:]) for row in rows}

    def is_tried(self, session: str, parent: str = "") -> bool:
        """Whether an experiment drew a lot for a session; for one with a ``parent``, whether for any."""
        asked = "SELECT 1 FROM trials WHERE session = ? OR ? <> '' LIMIT 1"
        with self._reading():
            return bool(self._connection.execute(asked, (session, parent)).fetchone())

    def save_figures(self, figures: Figures) -> None:
        """Keep what a session cost; a later reading holds."""
        values = [getattr(figures, name) for name in _FIGURES]
        with self._writing():
            self._connection.execute(
                f"INSERT OR REPLACE INTO figures ({', '.join(_FIGURES)})"
                f" VALUES ({', '.join('?' * len(values))})",
                [storable(value) if isinstance(value, str) else value for value in values],
            )

    def tried(self) -> tuple[Tried, ...]:
        """The sessions of experiments, in order of time; those that are in both arms are left out.

        The figures of a session hold those of its sub-agents, and of theirs.
        """
        columns = ", ".join(f"f.{name}" for name in _FIGURES)
        with self._reading():
            rows = self._connection.execute(
                "SELECT t.session, t.held, t.at,"
                " (SELECT count(*) FROM tasks k WHERE k.session = f.transcript),"
                " (SELECT count(*) FROM tasks k WHERE k.session = f.transcript AND k.verdict = 'verified'),"
                f" {columns} FROM trials t LEFT JOIN figures f ON f.session = t.session WHERE t.mixed = 0"
                " ORDER BY t.at, t.session"
            ).fetchall()
            parts = self._connection.execute(
                f"SELECT {columns} FROM figures f WHERE f.parent <> ''"
            ).fetchall()
        below: dict[str, list[Figures]] = {}
        for part in (Figures(*row) for row in parts):
            below.setdefault(part.parent, []).append(part)
        return tuple(
            Tried(
                row[0],
                bool(row[1]),
                row[2],
                None if row[5] is None else with_parts(Figures(*row[5:]), below),
                int(row[3]),
                int(row[4]),
            )
            for row in rows
        )

    def given(self) -> GivenInAll:
        """What all sessions were given and what came of it."""
        rows = self.counters().values()
        with self._reading():
            sessions, texts, tokens = self._connection.execute(
                "SELECT count(DISTINCT session), count(DISTINCT key), coalesce(sum(tokens), 0) FROM receipts"
                " WHERE held = 0"
            ).fetchone()
        sums = [
            sum(getattr(row, name) for row in rows) for name in ("given", "applied", "verified", "failed")
        ]
        return GivenInAll(sessions, texts, tokens, *sums)

    def receipts(self, skill: str | None = None, session: str | None = None) -> tuple[Receipt, ...]:
        """Receipts of a skill or of a session, in order of time."""
        wanted = [
            (name, value) for name, value in (("skill", skill), ("session", session)) if value is not None
        ]
        where = " AND ".join(f"{name} = ?" for name, _ in wanted) or "1"
        with self._reading():
            rows = self._connection.execute(
                f"SELECT {_RECEIPT} FROM receipts WHERE {where} ORDER BY at, key, skill",
                [value for _, value in wanted],
            ).fetchall()
        return tuple(_receipt(row) for row in rows)


def _receipt(row: Sequence[Any]) -> Receipt:
    values = dict(zip(_RECEIPT.split(", "), row, strict=True))
    return Receipt(**{**values, "held": bool(values["held"])})


def _oldest(now: str) -> str:
    return format_instant(parse_instant(now) - timedelta(days=KEEP_DAYS))


def drop_gone(connection: sqlite3.Connection) -> None:
    """Let go, inside the caller's transaction, of what is kept of skills that are deleted."""
    for table in _OF_SKILLS:
        connection.execute(
            f"DELETE FROM {table} WHERE skill IN (SELECT id FROM skills WHERE state = 'deleted')"
        )


def drop_skill(connection: sqlite3.Connection, skill: str) -> None:
    """Let go, inside the caller's transaction, of what is kept of one skill."""
    for table in _OF_SKILLS:
        connection.execute(f"DELETE FROM {table} WHERE skill = ?", (skill,))


def sessions_kept(connection: sqlite3.Connection) -> frozenset[str]:
    """The sessions of which something is kept here."""
    found: set[str] = set()
    for table in _TABLES:
        found.update(str(name) for (name,) in connection.execute(f"SELECT DISTINCT session FROM {table}"))
    found.update(str(name) for (name,) in connection.execute("SELECT name FROM spools"))
    return frozenset(found)


def drop_sessions(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Let go of all that is kept of these sessions, inside the caller's transaction."""
    named = [(session,) for session in sessions]
    for table in _TABLES:
        connection.executemany(f"DELETE FROM {table} WHERE session = ?", named)
    connection.executemany("DELETE FROM spools WHERE name = ?", named)
