"""Taking in the chains of another home's ledger.

Chains merge as sets: an entry of another replica is kept beside ours, in its own chain, with its own hashes.
Nothing of it is believed that does not verify: a chain that does not continue what is here of it, or whose
texts are not the ones that were sealed, is refused as a whole.  What either side erased stays erased.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from honed.errors import DamagedError, NotFoundError, RefusedError
from honed.ledger.chain import Payload
from honed.ledger.drafts import content_hash, draft_of
from honed.ledger.model import TEXTS, Entry, Fault
from honed.ledger.verify import check_chain
from honed.skills.terms import IndexEntry
from honed.store import backups, files
from honed.store.connection import WAIT_SECONDS, connect, database_path, stored_json
from honed.store.indexing import indexed
from honed.store.migrate import check_readable, migrate
from honed.store.projections import project_subject
from honed.store.recorded import erased_ids, hash_at, insert, links, number_of, tips


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge took in: events by replica, and the ids of the subjects they are about."""

    events: dict[str, int]
    subjects: tuple[str, ...]


@contextlib.contextmanager
def copy_of(
    home: str, path: str, *, clock: Callable[[], str], entropy: Callable[[int], bytes]
) -> Iterator[sqlite3.Connection]:
    """A copy of another home's database (or of a backup of it), made one of this version, to read from.

    ``path`` is a home or a database file.  Raises ``NotFoundError``, ``UnavailableError``, ``DamagedError``.
    """
    there = database_path(path) if os.path.isdir(path) else path
    if not os.path.isfile(there):
        raise NotFoundError(f"there is no memory at {path}")
    wrong = backups.check_backup(there)
    if wrong:
        raise DamagedError(f"{there} cannot be taken in: {wrong}. Nothing was changed.")
    with backups.held(home), backups.worked_on(home) as place:
        source = sqlite3.connect(f"file:{quote(os.path.abspath(there))}?mode=ro", uri=True)
        try:
            check_readable(source, os.path.dirname(there))
            files.create_private(database_path(place))
            copy = connect(place, readonly=False)
            try:
                source.backup(copy)
                migrate(copy, place, now=clock, entropy=entropy, wait=WAIT_SECONDS)
                yield copy
            finally:
                copy.close()
        finally:
            source.close()


def prepared_of(connection: sqlite3.Connection, other: sqlite3.Connection) -> dict[str, IndexEntry]:
    """Index entries of the texts that a merge would take in: stemming needs no write lock."""
    ours = tips(connection)
    drafts = [
        draft_of(_body(payload).get("draft"))
        for entry, payload in links(other)
        if entry.seq > ours.get(entry.replica, (0, ""))[0] and entry.kind in TEXTS
    ]
    return {content_hash(draft): indexed(draft) for draft in drafts}


def _body(payload: Payload | None) -> dict[str, object]:
    value = stored_json(payload.body) if payload else None
    return value if isinstance(value, dict) else {}


def merge(
    connection: sqlite3.Connection, other: sqlite3.Connection, prepared: Mapping[str, IndexEntry]
) -> Merged:
    """Take the chains of ``other`` in, inside the caller's write transaction.

    Raises ``RefusedError`` for a chain that is not sound or not the one that is here under its name.
    """
    ours = tips(connection)
    theirs = tips(other)
    erased = erased_ids(connection) | erased_ids(other)
    for replica, (seq, _) in sorted(theirs.items()):
        known = ours.get(replica, (0, ""))
        shorter = min(seq, known[0])
        if shorter and hash_at(connection, replica, shorter) != hash_at(other, replica, shorter):
            raise RefusedError(
                f"the chain of {replica} there is not the one that is known here (they differ at or before "
                f"event {shorter}); nothing was taken in. `honed verify` on both sides says which is sound."
            )
    fault = next(check_chain(_without(links(other), erased), erased), None)
    if fault is not None and fault.code != "clock-back":
        raise RefusedError(f"the other ledger is not sound ({_said(fault)}); nothing was taken in")
    return _take(connection, other, ours, erased, prepared)


def _without(
    found: Iterator[tuple[Entry, Payload | None]], erased: set[str]
) -> Iterator[tuple[Entry, Payload | None]]:
    """What was erased here may still have its text there; it is not taken in."""
    for entry, payload in found:
        yield entry, None if entry.id in erased else payload


def _said(fault: Fault) -> str:
    return f"{fault.where}: {fault.detail}"


def _take(
    connection: sqlite3.Connection,
    other: sqlite3.Connection,
    ours: dict[str, tuple[int, str]],
    erased: set[str],
    prepared: Mapping[str, IndexEntry],
) -> Merged:
    events: dict[str, int] = {}
    subjects: dict[str, None] = {}
    for entry, payload in _without(links(other), erased):
        if entry.seq <= ours.get(entry.replica, (0, ""))[0]:
            continue
        insert(connection, entry, payload, number_of(connection, entry.replica))
        events[entry.replica] = events.get(entry.replica, 0) + 1
        subjects[entry.subject] = None
    for event_id in sorted(erased):
        for (subject,) in connection.execute(
            "SELECT subject FROM events e JOIN payloads p ON p.n = e.n WHERE e.id = ?", (event_id,)
        ).fetchall():
            subjects[subject] = None
        connection.execute("DELETE FROM payloads WHERE n IN (SELECT n FROM events WHERE id = ?)", (event_id,))
    for subject in subjects:
        project_subject(connection, subject, prepared)
    return Merged(events, tuple(subjects))
