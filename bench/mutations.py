"""What `verify` finds: random changes behind honed's back, by kind.

    python -m bench.mutations [COUNT [SEED]]

A home with something in every table is copied, changed in one way, and verified.  *Found* is a fault or a
refusal to open; *idle* a change that left every row as it was (a byte of unused space, a row written as it
stood, or inside a full text something that no search, no deletion and no new text can tell); *apart* one of
what is no decision and no projection (how far transcripts were read, when a migration ran), which `verify`
does not watch by design.  *Missed* is anything else, and is printed.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter

from bench.machine import heading
from bench.mutants import KINDS, SHARES, opened, tables
from bench.texts import learnings, project_ids
from honed.errors import HonedError
from honed.ledger import events
from honed.store import files
from honed.store.base import SkillFilter, Source
from honed.store.sqlite import SqliteStore

INSIDE = ("skill_fts_", "skill_exact_", "a row of skill_fts_", "a row of skill_exact_")
"""How changes of the tables begin in which the full texts lie."""


def filled(home: str) -> None:
    """Make a home with something in every table."""
    with SqliteStore.open(home) as store:
        skills = [result.subject for result in store.append(list(learnings(24, projects=3)))]
        place = [("path", "/w/shop"), ("git", "/w/shop/.git")]
        more = [events.project_seen(one, one[-4:], place, os.urandom(16)) for one in project_ids(3)]
        more += [events.project_split(project_ids(1)[0], "path", "/w/other", os.urandom(16))]
        for number, skill in enumerate(skills):
            seen = events.Occasion("codex", f"later{number % 5}", f"r{number}", "2027-01-02T10:00:00Z")
            task, project = f"tk_t{number}", project_ids(1)[0]
            more.append(
                events.evidence(seen, skill, "test_passed", task=task, applied=True, authority="exit")
            )
            more.append(
                events.judged(seen, task, project, "verified", f"case {number}", seen_to=3, check="x")
            )
        more += [events.by_hand("pinned", skills[0], os.urandom(16))]
        more += [events.by_hand("archived", skills[1], os.urandom(16))]
        more += [events.configured("deliver", "proven", os.urandom(16))]
        more += [events.by_hand("forgotten", skill, os.urandom(16)) for skill in skills[3:5]]
        store.append(more)
        store.erase(skills[3])
        store.save_source(Source("/t/a.jsonl", "codex", "s", 1, 1, 0, 1, 0, "p", "1"))
    with tempfile.TemporaryDirectory() as other:
        with SqliteStore.open(other) as theirs:
            theirs.append(list(learnings(6, first=900, projects=3)))
        with SqliteStore.open(home) as store:
            store.merge(other)


def logical(home: str) -> object:
    """Every row of every table, and what lies beside; an error's words where that cannot be read."""
    try:
        with opened(home) as connection:
            rows: dict[str, object] = {
                table: sorted(map(repr, connection.execute(f"SELECT * FROM {table}").fetchall()))
                for table in tables(connection)
            }
            rows["schema"] = connection.execute("SELECT * FROM sqlite_master ORDER BY name").fetchall()
            rows["header"] = [
                connection.execute(f"PRAGMA {name}").fetchone()
                for name in ("user_version", "application_id", "encoding", "journal_mode", "page_size")
            ]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)
    for name in (files.HEAD, files.KEY):
        path = os.path.join(home, name)
        if files.size_of(path):
            with open(path, "rb") as kept:
                rows[name] = kept.read()
    return rows


def finds(home: str) -> str:
    """What `verify` (or opening) says of a home, empty if nothing."""
    try:
        with SqliteStore.open(home, readonly=True) as store:
            return " | ".join(f"{fault.code} {fault.where}" for fault in store.verify(strict=True))
    except HonedError as error:
        return type(error).__name__


def served(home: str) -> object:
    """What the full texts answer to every word that they have, and again after every skill was taken out and
    put in anew; an error's words where they cannot."""
    try:
        answers = _answers(home)
        with SqliteStore.open(home) as store:
            for what in ("archived", "restored"):
                for skill in store.skills(SkillFilter(archived=what == "restored")):
                    store.append([events.by_hand(what, skill.id, os.urandom(16))])
            again = store.verify(strict=True)
        return answers, _answers(home), again
    except (HonedError, sqlite3.Error) as error:
        return str(error)


def _answers(home: str) -> object:
    with opened(home) as connection:
        found: list[object] = []
        for table, words in (("skill_fts", "skill_vocab"), ("skill_exact", "skill_entities")):
            terms = [str(term) for (term,) in connection.execute(f"SELECT DISTINCT term FROM {words}")]
            for term in sorted(terms):
                quoted = '"' + term.replace('"', '""') + '"'
                rows = connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (quoted,))
                found.append((table, term, sorted(rows.fetchall())))
        return found


def run(count: int, seed: int) -> tuple[dict[str, Counter[str]], list[str]]:
    """Change and verify so often; returns outcomes by kind, and what was missed."""
    chance = random.Random(seed)
    outcomes: dict[str, Counter[str]] = {kind.name: Counter() for kind in KINDS}
    missed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="honed-mutations-") as folder:
        base, copy = os.path.join(folder, "base"), os.path.join(folder, "copy")
        filled(base)
        assert finds(base) == "", finds(base)
        before = logical(base)
        shutil.copytree(base, copy)
        serving = served(copy)
        while sum(map(Counter.total, outcomes.values())) < count:
            kind = chance.choices(KINDS, SHARES)[0]
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(base, copy)
            did = kind.change(copy, chance)
            if not did:
                continue
            outcome = "found" if finds(copy) else "apart" if did.startswith("apart") else "missed"
            inside = outcome == "missed" and did.startswith(INSIDE)
            if outcome != "found" and (logical(copy) == before or (inside and served(copy) == serving)):
                outcome = "idle"
            outcomes[kind.name][outcome] += 1
            if outcome == "missed":
                missed.append(f"{kind.name}: {did}")
    return outcomes, missed


def main(count: int = 1200, seed: int = 1) -> None:
    """Print the table, and what was missed."""
    outcomes, missed = run(count, seed)
    print(heading(f"{count} changes behind honed's back (seed {seed})"))
    print(f"  {'kind':<24} {'made':>5} {'found':>6} {'idle':>5} {'apart':>6} {'missed':>7}")
    for name, counted in outcomes.items():
        print(
            f"  {name:<24} {counted.total():>5} {counted['found']:>6} {counted['idle']:>5} "
            f"{counted['apart']:>6} {counted['missed']:>7}"
        )
    for line in missed:
        print(f"    missed: {line}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
