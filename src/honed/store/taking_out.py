"""The bytes of what was erased: out of the database file, its journal, honed's own copies, spool and logs."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from honed.errors import HonedError
from honed.ledger.model import NewEvent
from honed.store import backups, files, sightings
from honed.store.compacting import compact, empty_journal
from honed.store.connection import connect, database_path, explained, file_faults, is_passing, writing
from honed.store.migrate import meta, set_meta, version_of
from honed.store.receiving import FIRST_SCHEMA, drop_sessions, sessions_kept
from honed.store.replaying import holds_any, taken_out
from honed.store.restoring import bring_in_line
from honed.store.wiping import holding, needles_of, wipe

UNFINISHED = "erasing"
"""Key of ``meta`` that says that bytes are still to be taken out."""
PATIENCE = 6
"""How many times as long as for an append to wait for the lock, and for readers."""


NEEDLE = 4
"""Characters from which on a text is looked for as it stands: shorter ones are in every file by chance."""


@dataclass(frozen=True, slots=True)
class TakenOut:
    """Own copies that were rewritten, those that were removed and why, and whether the journal is empty."""

    rewritten: tuple[str, ...]
    removed: tuple[tuple[str, str], ...]
    journal_empty: bool


def begin(connection: sqlite3.Connection) -> None:
    """Note, in the transaction that erases, that bytes are to be taken out."""
    set_meta(connection, UNFINISHED, "1")


def is_unfinished(connection: sqlite3.Connection) -> bool:
    """Whether a process died before it had taken all bytes out."""
    return bool(meta(connection, UNFINISHED))


def take_out(
    connection: sqlite3.Connection,
    home: str,
    *,
    clock: Callable[[], str],
    entropy: Callable[[int], bytes],
    wait: float,
) -> TakenOut:
    """Take all bytes of what the ledger says is erased out of the database and honed's own copies.

    Raises ``UnavailableError`` (no room, or the lock is not to be had); then the next open goes on.
    """
    wait *= PATIENCE
    with explained(home):
        compact(connection, wait)
        what = _Gone(
            taken_out(connection), _sources(connection), sessions_kept(connection), sightings.keys(connection)
        )
        rewritten, removed = _rewrite_copies(home, what, clock, entropy, wait)
        empty = empty_journal(connection, wait)
        if empty:
            with writing(connection, wait):
                connection.execute("DELETE FROM meta WHERE key = ?", (UNFINISHED,))
            empty_journal(connection, 0.0)
    return TakenOut(tuple(rewritten), tuple(removed), empty)


def wipe_lines(home: str, needles: Iterable[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Overwrite texts in spool and logs; returns the files, and those that could not be, and why."""
    return wipe(home, needles_of(text for text in needles if len(text) >= NEEDLE))


def still_in(home: str, needles: Iterable[str]) -> list[tuple[str, str]]:
    """Files of a home that still hold one of the texts, and what may be done."""
    found = []
    for path in holding(home, needles_of(text for text in needles if len(text) >= NEEDLE)):
        ours = path.startswith((database_path(home), os.path.join(home, files.BACKUPS)))
        found.append((path, _IN_OURS if ours else "it is not honed's to change"))
    return found


_IN_OURS = "an id, a digest or a reason of the owner's holds it; those cannot be masked"


def spools_named(home: str, search: Callable[[str], object]) -> list[str]:
    """The sessions that have a spool here and in whose id something is found."""
    with contextlib.suppress(OSError):
        names = (name.removesuffix(".jsonl") for name in os.listdir(os.path.join(home, "spool")))
        return sorted(name for name in names if search(name))
    return []


def drop_spools(home: str, sessions: Iterable[str]) -> None:
    """Delete the spool files of sessions whose very id is to be gone; one that cannot be is named by
    ``wipe_lines`` or ``still_in``."""
    for name in sessions:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(home, "spool", f"{name}.jsonl"))


@dataclass(frozen=True, slots=True)
class _Gone:
    """What must not be in a copy: what these events take out, and sources, sessions and errors seen other
    than these."""

    events: Sequence[NewEvent]
    sources: frozenset[str]
    sessions: frozenset[str]
    seen: frozenset[tuple[str, ...]]


def _sources(connection: sqlite3.Connection) -> frozenset[str]:
    return frozenset(str(path) for (path,) in connection.execute("SELECT path FROM sources"))


def _sessions(copy: sqlite3.Connection) -> frozenset[str]:
    """Those of a copy; one of an older schema has none."""
    return sessions_kept(copy) if version_of(copy) >= FIRST_SCHEMA else frozenset()


def _seen(copy: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    return sightings.keys(copy) if version_of(copy) >= sightings.FIRST_SCHEMA else frozenset()


def _rewrite_copies(
    home: str,
    gone: _Gone,
    clock: Callable[[], str],
    entropy: Callable[[int], bytes],
    wait: float,
) -> tuple[list[str], list[tuple[str, str]]]:
    rewritten: list[str] = []
    removed: list[tuple[str, str]] = []
    with backups.held(home):
        for path in (*backups.backups(home), *backups.backups(home, backups.REPLACED)):
            try:
                if _rewrite(home, path, gone, clock, entropy, wait):
                    rewritten.append(path)
            except (HonedError, sqlite3.Error, ValueError) as error:
                if _is_passing(error):
                    raise
                # What cannot be read cannot be shown to be free of the text.
                backups.drop(path)
                removed.append((path, str(error)))
    return rewritten, removed


def _is_passing(error: Exception) -> bool:
    """Whether it is the moment that is wrong (no room, a lock) and not the copy."""
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__
    return isinstance(cause, OSError) or (isinstance(cause, sqlite3.Error) and is_passing(cause))


def _rewrite(
    home: str,
    path: str,
    gone: _Gone,
    clock: Callable[[], str],
    entropy: Callable[[int], bytes],
    wait: float,
) -> bool:
    with backups.worked_on(home, path) as place:
        copy = connect(place, readonly=False, wait=wait)
        try:
            strange = sorted(_sources(copy) - gone.sources)
            others = sorted(_sessions(copy) - gone.sessions)
            unknown = sorted({key[0] for key in _seen(copy) - gone.seen})
            if not strange and not others and not unknown and not holds_any(copy, gone.events):
                return False
        finally:
            copy.close()
        bring_in_line(place, gone.events, clock=clock, entropy=entropy, wait=wait)
        copy = connect(place, readonly=False, wait=wait)
        try:
            if strange or others or unknown:
                copy.executemany("DELETE FROM sources WHERE path = ?", [(path,) for path in strange])
                drop_sessions(copy, others)
                sightings.drop_tasks(copy, unknown)
                compact(copy, wait)
            copy.execute("PRAGMA journal_mode = DELETE")
            found = file_faults(copy, "integrity_check")
        finally:
            copy.close()
        if found:
            raise ValueError(f"it was damaged ({found[0]})")
        files.sync_file(database_path(place))
        os.replace(database_path(place), path)
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    files.sync_folder(os.path.dirname(path))
    return True
