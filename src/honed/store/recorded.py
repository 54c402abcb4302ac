"""The ledger's own tables: events written, and read again as entries with their bodies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby

from honed.ledger.chain import Payload
from honed.ledger.model import Entry, Recorded
from honed.store.connection import BadRowError, stored_json

_ENTRY = "e.id, e.kind, e.subject, e.at, e.actor, r.id, e.seq, e.recorded_at, e.commitment, e.hash"
_ENTRIES = "events e LEFT JOIN replicas r ON r.n = e.replica"
_WITH_PAYLOADS = f"{_ENTRIES} LEFT JOIN payloads p ON p.n = e.n"


def entry_of(row: tuple[object, ...]) -> Entry:
    """The entry that a row of the ledger holds; raises ``BadRowError`` for one that no honed wrote."""
    *header, commitment, digest = row
    if not isinstance(commitment, bytes) or not isinstance(digest, bytes) or header[5] is None:
        raise BadRowError(f"event {header[6]} of {header[5]} has no hash, no commitment or no replica")
    return Entry(*[*header, commitment.hex(), digest.hex()])  # type: ignore[arg-type]


def recorded_of(row: tuple[object, ...]) -> Recorded:
    """The event that an entry's columns, the body and the row number hold."""
    *header, body, n = row
    value = stored_json(body) if body is not None else None
    return Recorded(entry_of(tuple(header)), value if isinstance(value, dict) else None, int(str(n)))


def events_of(connection: sqlite3.Connection, subject: str) -> list[Recorded]:
    """All events of a subject, in the order in which they came here."""
    found = connection.execute(
        f"SELECT {_ENTRY}, p.body, e.n FROM {_WITH_PAYLOADS} WHERE e.subject = ? ORDER BY e.n", (subject,)
    )
    return [recorded_of(row) for row in found]


def recorded_after(connection: sqlite3.Connection, last: int, limit: int) -> list[Recorded]:
    """The next ``limit`` events after row number ``last``, in the order in which they came here."""
    found = connection.execute(
        f"SELECT {_ENTRY}, p.body, e.n FROM {_WITH_PAYLOADS} WHERE e.n > ? ORDER BY e.n LIMIT ?",
        (last, limit),
    )
    return [recorded_of(row) for row in found]


def subjects_after(connection: sqlite3.Connection, last: str, limit: int) -> list[tuple[str, list[Recorded]]]:
    """The next ``limit`` subjects by id, each with its events; ``last`` is where the ones before ended."""
    names = connection.execute(
        "SELECT DISTINCT subject FROM events WHERE subject > ? ORDER BY subject LIMIT ?", (last, limit)
    ).fetchall()
    if not names:
        return []
    found = connection.execute(
        f"SELECT {_ENTRY}, p.body, e.n FROM {_WITH_PAYLOADS}"
        " WHERE e.subject > ? AND e.subject <= ? ORDER BY e.subject, e.n",
        (last, names[-1][0]),
    )
    grouped = groupby(map(recorded_of, found), key=lambda event: event.entry.subject)
    return [(subject, list(events)) for subject, events in grouped]


def links(connection: sqlite3.Connection) -> Iterator[tuple[Entry, Payload | None]]:
    """Every entry with the payload that lies beside it, by replica and place in its chain."""
    found = connection.execute(
        f"SELECT {_ENTRY}, p.salt, p.body FROM {_WITH_PAYLOADS} ORDER BY e.replica, e.seq"
    )
    for *header, salt, body in found:
        entry = entry_of(tuple(header))
        yield entry, _payload(entry.id, salt, body) if body is not None else None


def _payload(event_id: str, salt: object, body: object) -> Payload:
    # A salt of another type commits to nothing: `check_chain` then says that the text was changed.
    return Payload(event_id, salt if isinstance(salt, bytes) else b"", str(body))


def erased_ids(connection: sqlite3.Connection) -> set[str]:
    """The ids that ``erased`` events name."""
    named: set[str] = set()
    for (body,) in connection.execute(
        "SELECT p.body FROM events e JOIN payloads p ON p.n = e.n WHERE e.kind = 'erased'"
    ):
        value = stored_json(body)
        ids = value.get("ids") if isinstance(value, dict) else None
        named.update(map(str, ids) if isinstance(ids, list) else ())
    return named


def last_entry(connection: sqlite3.Connection, replica: str) -> Entry | None:
    """The last entry of a replica's chain."""
    row = connection.execute(
        f"SELECT {_ENTRY} FROM replicas r JOIN events e ON e.replica = r.n"
        " WHERE r.id = ? ORDER BY e.seq DESC LIMIT 1",
        (replica,),
    ).fetchone()
    return entry_of(row) if row else None


def hash_at(connection: sqlite3.Connection, replica: str, seq: int) -> str | None:
    """The hash of the entry at a place in a replica's chain, ``None`` if there is none."""
    row = connection.execute(
        "SELECT e.hash FROM replicas r JOIN events e ON e.replica = r.n WHERE r.id = ? AND e.seq = ?",
        (replica, seq),
    ).fetchone()
    return bytes(row[0]).hex() if row else None


def tips(connection: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """Of each replica that has events: the ``seq`` and hash of its last entry."""
    found = connection.execute(
        "SELECT r.id, e.seq, e.hash FROM replicas r JOIN events e ON e.replica = r.n"
        " WHERE e.seq = (SELECT max(seq) FROM events WHERE replica = r.n)"
    )
    return {str(replica): (int(seq), bytes(digest).hex()) for replica, seq, digest in found}


def last_number(connection: sqlite3.Connection) -> int:
    """The row number of the event that came last, 0 if there is none."""
    return int(connection.execute("SELECT coalesce(max(n), 0) FROM events").fetchone()[0])


def number_of(connection: sqlite3.Connection, replica: str) -> int:
    """The row number of a replica, made if it is new here."""
    connection.execute("INSERT INTO replicas (id) VALUES (?) ON CONFLICT DO NOTHING", (replica,))
    return int(connection.execute("SELECT n FROM replicas WHERE id = ?", (replica,)).fetchone()[0])


def insert(connection: sqlite3.Connection, entry: Entry, payload: Payload | None, replica: int) -> None:
    """Write an entry and its payload (``None``: it was erased elsewhere) in the caller's transaction.

    ``replica`` is the row number of the entry's replica.
    """
    n = connection.execute(
        "INSERT INTO events (id, kind, subject, at, actor, replica, seq, recorded_at, commitment, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.id,
            entry.kind,
            entry.subject,
            entry.at,
            entry.actor,
            replica,
            entry.seq,
            entry.recorded_at,
            bytes.fromhex(entry.commitment),
            bytes.fromhex(entry.hash),
        ),
    ).lastrowid
    if payload is not None:
        connection.execute(
            "INSERT INTO payloads (n, salt, body) VALUES (?, ?, ?)", (n, payload.salt, payload.body)
        )
