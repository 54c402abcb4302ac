"""Making everything that is a fold anew, while others read and write.

Each subject's rows are compared with a new fold and only what differs is written, some hundred subjects to a
transaction: nobody waits long for the lock, and a run that is interrupted has done no harm.  It is what an
append does to one subject, done to all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from honed.ledger.events import SETTINGS
from honed.skills.terms import IndexEntry
from honed.store.connection import reading, writing
from honed.store.counting import counts_fault, make_counts_anew
from honed.store.full_text import SHADOWS, full_text_fault, totals_fault
from honed.store.indexing import (
    bring_index_up_to_date,
    clear,
    index_fault,
    index_state,
    indexed,
    stored_sums,
)
from honed.store.projections import TABLES, Projected, differences, project_rows, projected
from honed.store.recorded import subjects_after
from honed.store.scripts import expected_schema, schema_of
from honed.store.vectors import drop_faulty_vectors, vector_faults

LOOK = 200
"""Subjects folded in one moment of reading."""
MEND = 1000
"""Subjects written in one transaction."""


def refold(connection: sqlite3.Connection, wait: float, *, anew: bool) -> int:
    """Bring every projection and the index in line with the ledger; returns the number of events.

    ``anew`` makes every index row from its text again: for the index of another version, or one that is
    not trusted.  ``wait`` is how many seconds to wait for the lock, each time.  Missing tables and triggers
    are made.  The ledger's own tables are left as they are.
    """
    with writing(connection, wait):
        remade = _make_whole(connection)
        if remade or anew:
            make_counts_anew(connection)  # they are chosen again afterwards, and not kept up row by row
    with reading(connection):
        broken = [table for table in SHADOWS if remade or full_text_fault(connection, table)]
        if "skill_exact" not in broken and totals_fault(connection):
            broken.append("skill_exact")
    if broken:
        with writing(connection, wait):
            _make_full_texts(connection, broken)
    with reading(connection):
        sums = stored_sums(connection)
    wrong: list[tuple[str, Projected]] = []
    last = ""
    while True:
        with reading(connection):
            batch = subjects_after(connection, last, LOOK)
            folded = [(subject, projected(subject, events)) for subject, events in batch]
            wrong += [one for one in folded if _is_wrong(connection, sums, *one, anew=anew)]
        if len(wrong) >= MEND or (wrong and not batch):
            _mend(connection, wait, wrong)
            wrong = []
        if not batch:
            break
        last = batch[-1][0]
    with reading(connection):
        strays = [delete for look, delete in _STRAYS if connection.execute(look).fetchone()]
        indexed_rows = {n for (n,) in connection.execute("SELECT n FROM skill_index")}
        unfit = any(vector_faults(connection))
        astray = stored_sums(connection).keys() - indexed_rows
    if astray:
        with writing(connection, wait):
            _clear_strays(connection, astray)
    if unfit:
        with writing(connection, wait):
            drop_faulty_vectors(connection)
    if strays:
        with writing(connection, wait):
            for delete in strays:
                connection.execute(delete)
    with reading(connection):
        miscounted = counts_fault(connection)
    if miscounted:
        with writing(connection, wait):
            make_counts_anew(connection)
    return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


def _is_wrong(
    connection: sqlite3.Connection,
    sums: Mapping[int, tuple[int, str]],
    subject: str,
    what: Projected,
    *,
    anew: bool,
) -> bool:
    if any(differences(connection, subject, what)):
        return True
    if what.skill is None:
        return False
    state = index_state(connection, subject)
    return state is None or bool(index_fault(connection, state, sums, what.skill.skill.draft, strict=anew))


def _mend(connection: sqlite3.Connection, wait: float, wrong: Sequence[tuple[str, Projected]]) -> None:
    prepared: dict[str, IndexEntry] = {}
    for _, what in wrong:
        if what.skill is not None and what.skill.text:
            prepared[what.skill.skill.content_hash] = indexed(what.skill.skill.draft)
    with writing(connection, wait):
        before = [index_state(connection, subject) for subject, _ in wrong]
        # Folded again: events may have come since.
        skills = {subject: project_rows(connection, subject).skill for subject, _ in wrong}
        after = [index_state(connection, subject) for subject in skills]
        numbers = {state.n for state in (*before, *after) if state is not None}
        if numbers:
            clear(connection, numbers)
        for subject, skill in skills.items():
            if skill is not None:
                bring_index_up_to_date(connection, subject, None, skill.skill.draft, prepared)


def _stray(table: str, where: str) -> tuple[str, str]:
    """Statements that look for such rows, and that delete them."""
    return f"SELECT 1 FROM {table} WHERE {where} LIMIT 1", f"DELETE FROM {table} WHERE {where}"


_STRAYS = (
    *(
        _stray(table.name, f"NOT EXISTS (SELECT 1 FROM events e WHERE e.subject = {subject})")
        for tables in TABLES.values()
        for table in tables
        for subject in [f"{table.name}.{table.subject}" if table.subject else f"'{SETTINGS}'"]
    ),
    _stray("skill_index", "n NOT IN (SELECT n FROM skills)"),
)
"""Rows of subjects that no event is about, and of the index of no skill."""


# The schema


def _make_whole(connection: sqlite3.Connection) -> bool:
    """Make what is missing; says whether the full text or what fills it was."""
    there = schema_of(connection)
    for name, definition in there.items():
        if definition.startswith("CREATE TRIGGER") and definition != expected_schema().get(name):
            connection.execute(f'DROP TRIGGER "{name}"')
    there = schema_of(connection)
    missing = {name: sql for name, sql in expected_schema().items() if name not in there}
    for definition in missing.values():
        connection.execute(definition)
    return any(sql.split()[1] in ("VIRTUAL", "TRIGGER", "VIEW") for sql in missing.values())


def _make_full_texts(connection: sqlite3.Connection, broken: Iterable[str]) -> None:
    """Make full texts anew: ``skill_fts`` from ``skill_words``; ``skill_exact`` is filled afterwards."""
    expected = expected_schema()
    triggers = [name for name, sql in expected.items() if sql.startswith("CREATE TRIGGER")]
    for name in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for table, words in (("skill_fts", "skill_vocab"), ("skill_exact", "skill_entities")):
        if table in broken:
            _make_openable(connection, table)
            for name in (words, table):
                connection.execute(f"DROP TABLE {name}")
            for name in (table, words):
                connection.execute(expected[name])
    for name in triggers:
        connection.execute(expected[name])
    if "skill_fts" in broken:
        connection.execute("INSERT INTO skill_fts (skill_fts) VALUES ('rebuild')")


def _make_openable(connection: sqlite3.Connection, table: str) -> None:
    """Give a full text an empty structure and its format's number: without them SQLite cannot open it, not
    even to drop it (https://www.sqlite.org/fts5.html, section 6)."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if f"{table}_data" in tables:
        connection.execute(f"INSERT OR REPLACE INTO {table}_data VALUES (1, x'')")
        connection.execute(f"INSERT OR REPLACE INTO {table}_data VALUES (10, zeroblob(7))")
    if f"{table}_config" in tables:
        connection.execute(f"INSERT OR REPLACE INTO {table}_config VALUES ('version', 4)")


def _clear_strays(connection: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Take out what is still of no indexed skill."""
    still = [
        n for n in rows if not connection.execute("SELECT 1 FROM skill_index WHERE n = ?", (n,)).fetchone()
    ]
    if still:
        clear(connection, still)
