"""Is the store what it says it is?  Reads everything, changes nothing.

The chain (``ledger.verify``), the heads outside the database, every projection against a new fold,
the index against the skills, and the file against SQLite's own checks.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator

from honed.errors import UsageError
from honed.ledger import ids
from honed.ledger.chain import Payload
from honed.ledger.drafts import draft_of
from honed.ledger.model import Entry, Fault
from honed.ledger.verify import check_chain, check_heads
from honed.store import files
from honed.store.connection import (
    BadRowError,
    database_path,
    file_faults,
    is_passing,
    reading,
    retried,
    stored_json,
)
from honed.store.migrate import key_check, meta, read_key
from honed.store.projections import (
    ENTRY_COLUMNS,
    INDEX_COLUMNS,
    TABLES,
    UNINDEXED,
    Row,
    Table,
    all_subjects,
    index_rows,
    rows_of,
    stored_rows,
)
from honed.store.scripts import expected_schema, schema_of


def audit(connection: sqlite3.Connection, home: str, *, strict: bool, wait: float) -> Iterator[Fault]:
    """Every fault of a store.  ``strict`` reads every page and makes every index row again."""
    try:
        yield from _check_file(connection, home, strict)
        # Before the snapshot: a head that a writer moves on meanwhile must not look like a cut.
        heads = files.read_heads(home)
        with reading(connection):
            yield from _check_schema(connection)
            yield from _check_ledger(connection)
            yield from _check_heads(connection, heads)
            yield from _check_meta(connection, home, heads)
            yield from _check_projections(connection)
            yield from _check_index(connection, strict)
        yield from _check_full_text(connection, wait)
    except sqlite3.DatabaseError as error:
        if is_passing(error):
            raise
        yield Fault("damaged", database_path(home), f"the file cannot be read to its end: {error}")
    except (BadRowError, UsageError, ValueError, TypeError) as error:
        yield Fault("damaged", database_path(home), f"a row holds what no event could put there: {error}")


def _check_file(connection: sqlite3.Connection, home: str, strict: bool) -> Iterator[Fault]:
    check = "integrity_check" if strict else "quick_check"
    for found in file_faults(connection, check):
        yield Fault("damaged", database_path(home), found)


def _check_schema(connection: sqlite3.Connection) -> Iterator[Fault]:
    there, expected = schema_of(connection), expected_schema()
    for name in sorted(there.keys() | expected.keys()):
        if there.get(name) != expected.get(name):
            change = (
                "is missing" if name not in there else "was added" if name not in expected else "was changed"
            )
            yield Fault("schema", name, f"{change}; `honed rebuild` makes what is missing")


def _check_ledger(connection: sqlite3.Connection) -> Iterator[Fault]:
    erased = _erased(connection)
    columns = ", ".join(f"e.{name.strip()}" for name in ENTRY_COLUMNS.split(","))
    found = connection.execute(
        f"SELECT {columns}, p.salt, p.body FROM events e LEFT JOIN payloads p ON p.event_id = e.id"
        " ORDER BY e.replica, e.seq"
    )
    yield from check_chain(
        (
            (Entry(*header), _payload(header[0], salt, body) if body is not None else None)
            for *header, salt, body in found
        ),
        erased,
    )
    for (event_id,) in connection.execute(
        "SELECT event_id FROM payloads WHERE event_id NOT IN (SELECT id FROM events) ORDER BY event_id"
    ):
        yield Fault("payload-orphan", f"text of {event_id}", "belongs to no event")


def _payload(event_id: str, salt: object, body: object) -> Payload:
    # A salt of another type commits to nothing: `check_chain` then says that the text was changed.
    return Payload(event_id, salt if isinstance(salt, bytes) else b"", str(body))


def _erased(connection: sqlite3.Connection) -> set[str]:
    """The ids that ``erased`` events name."""
    named: set[str] = set()
    for (body,) in connection.execute(
        "SELECT p.body FROM events e JOIN payloads p ON p.event_id = e.id WHERE e.kind = 'erased'"
    ):
        value = stored_json(body)
        named.update(map(str, value.get("ids", [])) if isinstance(value, dict) else ())
    return named


def _check_heads(connection: sqlite3.Connection, heads: files.Heads | None) -> Iterator[Fault]:
    if heads is None:
        if connection.execute("SELECT 1 FROM events LIMIT 1").fetchone():
            yield Fault(
                "head-missing", files.HEAD, "the file with the ledger's last event is gone or unreadable"
            )
        return
    hashes = {}
    for replica, (seq, _) in heads.items():
        row = connection.execute(
            "SELECT hash FROM events WHERE replica = ? AND seq = ?", (replica, seq)
        ).fetchone()
        if row:
            hashes[replica, seq] = str(row[0])
    yield from check_heads(heads, hashes)
    for (replica,) in connection.execute("SELECT DISTINCT replica FROM events ORDER BY replica"):
        if replica not in heads:
            yield Fault("head-missing", f"chain of {replica}", f"{files.HEAD} does not know this chain")


def _check_meta(connection: sqlite3.Connection, home: str, heads: files.Heads | None) -> Iterator[Fault]:
    if heads is not None and meta(connection, "replica") not in heads:
        yield Fault("meta", "meta", "the name of this replica is gone or another one")
    if key_check(read_key(home)) != meta(connection, "key_check"):
        detail = "the key of the tombstones is gone or another one: forgotten texts may be learned again"
        yield Fault("key-lost", files.KEY, detail)


def _check_projections(connection: sqlite3.Connection) -> Iterator[Fault]:
    """Each subject's rows must be what its events come to, and there must be no others."""
    expected: Counter[str] = Counter()
    for subject, events in all_subjects(connection):
        rows = rows_of(subject, events)
        for table in TABLES[ids.subject_kind(subject)]:
            expected[table.name] += len(rows[table.name])
            there = stored_rows(connection, table, subject)
            if sorted(there, key=repr) != sorted(rows[table.name], key=repr):
                yield Fault(
                    "projection", f"{table.name}, {subject}", _difference(table, there, rows[table.name])
                )
    for table in (table for tables in TABLES.values() for table in tables):
        (count,) = connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()
        if count > expected[table.name]:
            detail = f"{count} rows, and the ledger accounts for {expected[table.name]}"
            yield Fault("projection", table.name, detail)


def _difference(table: Table, there: list[Row], wanted: list[Row]) -> str:
    if len(there) != len(wanted):
        return f"{len(there)} rows, and the events come to {len(wanted)}"
    names = sorted(
        {
            name
            for left, right in zip(sorted(there, key=repr), sorted(wanted, key=repr), strict=True)
            for name, one, other in zip(table.columns, left, right, strict=True)
            if one != other or type(one) is not type(other)
        }
    )
    return f"not what the events come to: {', '.join(names)}"


def _check_index(connection: sqlite3.Connection, strict: bool) -> Iterator[Fault]:
    marks = ", ".join(f"'{state}'" for state in UNINDEXED)
    wanted = f"NOT s.archived AND s.state NOT IN ({marks})"
    for slug, there in connection.execute(
        "SELECT s.slug, i.n IS NOT NULL FROM skills s LEFT JOIN skill_index i ON i.n = s.n"
        f" WHERE (i.n IS NOT NULL) <> ({wanted}) ORDER BY s.slug"
    ):
        detail = "is in the index and must not be" if there else "is not in the index"
        yield Fault("index", f"skill {slug}", detail)
    for table in ("skill_index", "skill_entities"):
        for (n,) in connection.execute(
            f"SELECT DISTINCT n FROM {table} WHERE n NOT IN (SELECT n FROM skills)"
        ):
            yield Fault("index", f"row {n} of {table}", "belongs to no skill")
    found = connection.execute(
        "SELECT s.slug, s.n, s.project, s.draft FROM skills s JOIN skill_index i ON i.n = s.n ORDER BY s.slug"
    )
    for slug, n, project, draft in found if strict else ():
        if not _index_is_right(connection, n, project, draft):
            yield Fault("index", f"skill {slug}", "its index row is not the one its text gives")


def _index_is_right(connection: sqlite3.Connection, n: int, project: str, draft: str) -> bool:
    words, entities = index_rows(draft_of(stored_json(draft)))
    row = connection.execute(
        f"SELECT c.project, {', '.join(INDEX_COLUMNS)}"
        " FROM skill_index i JOIN index_scopes c ON c.n = i.scope WHERE i.n = ?",
        (n,),
    ).fetchone()
    there = connection.execute(
        "SELECT c.project, value, kind FROM skill_entities e JOIN index_scopes c ON c.n = e.scope"
        " WHERE e.n = ?",
        (n,),
    ).fetchall()
    return row == (project, *words) and set(there) == {(project, *entity) for entity in entities}


def _check_full_text(connection: sqlite3.Connection, wait: float) -> Iterator[Fault]:
    """SQLite's own check of the full text against ``skill_index``; a command that needs the write lock."""
    if connection.execute("PRAGMA query_only").fetchone()[0]:
        return
    try:
        retried(connection, "INSERT INTO skill_fts (skill_fts, rank) VALUES ('integrity-check', 1)", wait)
    except sqlite3.DatabaseError as error:
        if is_passing(error):
            raise
        yield Fault(
            "full-text",
            "skill_fts",
            f"does not hold what the index holds ({error}); `honed rebuild` repairs it",
        )
