"""Is the store what it says it is?  Reads everything, changes nothing.

The chain (``ledger.verify``), the heads outside the database, every projection against a new fold,
the index against the skills, and the file against SQLite's own checks.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping

from honed.counted import several
from honed.errors import UsageError
from honed.ledger import ids
from honed.ledger.model import Fault
from honed.ledger.verify import check_chain, check_heads
from honed.store import files
from honed.store.connection import (
    BadRowError,
    database_path,
    file_faults,
    is_passing,
    reading,
)
from honed.store.counting import counts_fault
from honed.store.files import HEAD
from honed.store.full_text import SHADOWS, full_text_fault, totals_fault
from honed.store.heads import Heads, read_heads
from honed.store.indexing import index_fault, index_state, stored_sums
from honed.store.migrate import FOLDS, is_folded, key_check, meta, read_key, version_of
from honed.store.projections import TABLES, Row, Table, differences, projected
from honed.store.recorded import erased_ids, hash_at, links, subjects_after
from honed.store.scripts import expected_schema, schema_of
from honed.store.taking_out import UNFINISHED
from honed.store.vectors import vector_faults

_META = ("replica", "key_check", UNFINISHED)
"""The keys of ``meta`` beside the versions of the folds."""
_DERIVED = frozenset(table.name for tables in TABLES.values() for table in tables) | frozenset(
    ("skill_index", "index_scopes", "skill_entities", "word_counts")
)
"""Tables that hold nothing but what is made of the ledger."""
LOOK = 500
"""Subjects folded at a time."""


def audit(connection: sqlite3.Connection, home: str, *, strict: bool) -> Iterator[Fault]:
    """Every fault of a store.  ``strict`` reads every page and makes every index row again."""
    try:
        yield from _check_file(connection, home, strict)
        # Before the snapshot: a head that a writer moves on meanwhile must not look like a cut.
        heads = read_heads(home)
        with reading(connection):
            yield from _check_schema(connection)
            yield from _check_ledger(connection)
            yield from _check_heads(connection, heads)
            yield from _check_meta(connection, home, heads)
            if _missing(connection) or not is_folded(connection):
                return  # said already; rows of another version are no alarm, and compare with nothing
            broken = {table: wrong for table in SHADOWS if (wrong := full_text_fault(connection, table))}
            counts = "" if "skill_exact" in broken else totals_fault(connection)
            for table, wrong in [*broken.items(), *([("skill_exact", counts)] if counts else [])]:
                detail = f"does not hold what the index holds ({wrong}); `honed rebuild` repairs it"
                yield Fault("full-text", table, detail)
            sums = None if "skill_exact" in broken else stored_sums(connection)
            yield from _check_subjects(connection, sums, strict=strict)
            yield from _check_index(connection, sums or {})
            if "skill_fts" not in broken and (wrong := counts_fault(connection)):
                yield Fault("index", "word_counts", f"{wrong}; `honed rebuild` counts again")
            for n, wrong in vector_faults(connection, texts=strict):
                yield Fault("index", f"vector of row {n}", f"{wrong}; `honed index repair` makes it again")
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
    there, expected, missing = schema_of(connection), expected_schema(), _missing(connection)
    for name in sorted(there.keys() | expected.keys()):
        if name in missing:
            yield Fault("schema-missing", name, "is missing; `honed rebuild` makes it")
        elif there.get(name) != expected.get(name):
            change = (
                "is missing" if name not in there else "was added" if name not in expected else "was changed"
            )
            yield Fault("schema", name, f"{change}; `honed rebuild` makes what is missing")


def _missing(connection: sqlite3.Connection) -> frozenset[str]:
    """What is not there and can be made of the ledger: no table in which something else is kept."""
    expected = expected_schema()
    return frozenset(
        name
        for name in expected.keys() - schema_of(connection).keys()
        if name in _DERIVED or not expected[name].startswith("CREATE TABLE")
    )


def _check_ledger(connection: sqlite3.Connection) -> Iterator[Fault]:
    yield from check_chain(links(connection), erased_ids(connection))
    for (n,) in connection.execute("SELECT n FROM payloads WHERE n NOT IN (SELECT n FROM events) ORDER BY n"):
        yield Fault("payload-orphan", f"row {n} of payloads", "a text that belongs to no event")
    for event_id, count in connection.execute(
        "SELECT id, count(*) FROM events GROUP BY id, replica HAVING count(*) > 1 ORDER BY id"
    ):
        yield Fault("event-twice", f"event {event_id}", f"is {count} times in one chain")


def _check_heads(connection: sqlite3.Connection, heads: Heads | None) -> Iterator[Fault]:
    if heads is None:
        if connection.execute("SELECT 1 FROM events LIMIT 1").fetchone():
            yield Fault("head-missing", HEAD, "the file with the ledger's last event is gone or unreadable")
        return
    hashes = {}
    for replica, (seq, _) in heads.items():
        found = hash_at(connection, replica, seq)
        if found is not None:
            hashes[replica, seq] = found
    yield from check_heads(heads, hashes)
    for (replica,) in connection.execute(
        "SELECT id FROM replicas r WHERE EXISTS (SELECT 1 FROM events WHERE replica = r.n) ORDER BY id"
    ):
        if replica not in heads:
            yield Fault("head-missing", f"chain of {replica}", f"{HEAD} does not know this chain")


def _check_meta(connection: sqlite3.Connection, home: str, heads: Heads | None) -> Iterator[Fault]:
    if heads is not None and meta(connection, "replica") not in heads:
        yield Fault("meta", "meta", "the name of this replica is gone or another one")
    yield from _check_numbers(connection)
    if meta(connection, UNFINISHED):
        detail = "what was erased may still be in files here; the next command that writes goes on with it"
        yield Fault("erase-unfinished", database_path(home), detail)
    if key_check(read_key(home)) != meta(connection, "key_check"):
        detail = "the key of the tombstones is gone or another one: forgotten texts may be learned again"
        yield Fault("key-lost", files.KEY, detail)


def _check_numbers(connection: sqlite3.Connection) -> Iterator[Fault]:
    """The migrations that ran, what the projections were made by, and the replicas that have a number."""
    for (key,) in connection.execute("SELECT key FROM meta ORDER BY key"):
        if key not in (*FOLDS, *_META):
            yield Fault("meta", f"meta {key!r:.60}", "is no key of honed's")
    for key, version in FOLDS.items():
        if meta(connection, key) != str(version):
            said = meta(connection, key) or "nothing"
            yield Fault(
                "meta", key, f"says {said} and not {version}; the next command that writes folds anew"
            )
    ran = [version for (version,) in connection.execute("SELECT version FROM migrations ORDER BY version")]
    if ran != list(range(1, version_of(connection) + 1)):
        yield Fault("meta", "migrations", f"{ran} ran, and the schema is of version {version_of(connection)}")
    for (replica,) in connection.execute(
        "SELECT id FROM replicas r WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.replica = r.n) ORDER BY n"
    ):
        yield Fault("meta", f"replica {replica}", "has a number and no events")


def _check_subjects(
    connection: sqlite3.Connection, sums: Mapping[int, tuple[int, str]] | None, *, strict: bool
) -> Iterator[Fault]:
    """Each subject's rows must be what its events come to, and there must be no others; so in the index,
    unless its entities cannot be read (no ``sums``)."""
    expected: Counter[str] = Counter()
    last = ""
    while batch := subjects_after(connection, last, LOOK):
        for subject, events in batch:
            what = projected(subject, events)
            for table in TABLES[ids.subject_kind(subject)]:
                expected[table.name] += len(what.rows[table.name])
            for table, there, wanted in differences(connection, subject, what):
                yield Fault("projection", f"{table.name}, {subject}", _difference(table, there, wanted))
            state = index_state(connection, subject) if what.skill else None
            if state is not None and what.skill is not None and sums is not None:
                wrong = index_fault(connection, state, sums, what.skill.skill.draft, strict=strict)
                if wrong:
                    yield Fault("index", f"skill {what.skill.skill.slug}, {subject}", wrong)
        last = batch[-1][0]
    for table in (table for tables in TABLES.values() for table in tables):
        (count,) = connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()
        if count > expected[table.name]:
            detail = f"{several(count, 'row')}, and the ledger accounts for {expected[table.name]}"
            yield Fault("projection", table.name, detail)


def _difference(table: Table, there: list[Row], wanted: list[Row]) -> str:
    if len(there) != len(wanted):
        return f"{several(len(there), 'row')}, and the events come to {len(wanted)}"
    names = sorted(
        {
            name
            for left, right in zip(sorted(there, key=repr), sorted(wanted, key=repr), strict=True)
            for name, one, other in zip(table.columns, left, right, strict=True)
            if one != other or type(one) is not type(other)
        }
    )
    return f"not what the events come to: {', '.join(names)}"


def _check_index(connection: sqlite3.Connection, sums: Mapping[int, object]) -> Iterator[Fault]:
    """What the index holds of no skill."""
    indexed = {n for (n,) in connection.execute("SELECT n FROM skill_index")}
    for (n,) in connection.execute("SELECT n FROM skill_index WHERE n NOT IN (SELECT n FROM skills)"):
        yield Fault("index", f"row {n} of skill_index", "belongs to no skill")
    for n in sorted(sums.keys() - indexed):
        yield Fault("index", f"row {n} of skill_exact", "belongs to no skill")
