"""A connection to the database, a bounded wait for its lock, and its errors in honed's words."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
import stat
import time
from collections.abc import Iterator
from urllib.parse import quote

from honed.counted import several
from honed.errors import DamagedError, NotFoundError, UnavailableError
from honed.home import DATABASE
from honed.store import files
from honed.store.heads import read_heads

JOURNAL_LIMIT = 8 * 1024 * 1024
"""Bytes the journal is cut back to after a checkpoint."""
WAIT_SECONDS = 5.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.012

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_WANTS_ROOM = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN}
"""What SQLite says where it can make or lengthen no file."""
_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_IOERR: "the disk could not be read or written (full, gone or over a limit)",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened (rights, or a folder in its place)",
    sqlite3.SQLITE_PERM: "access was denied",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}


class BadRowError(Exception):
    """A row holds what no honed can have written there."""


def stored_json(text: object) -> object:
    """The value of a JSON text that honed keeps; raises ``BadRowError`` if it is none."""
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError) as error:
        raise BadRowError(f"no JSON where there must be some: {str(text)[:60]!r}") from error


def database_path(home: str) -> str:
    """Where the database of a home lies."""
    return os.path.join(home, DATABASE)


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code of an error, 0 if it has none."""
    return int(getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


@contextlib.contextmanager
def explained(home: str) -> Iterator[None]:
    """Turn SQLite's errors into ``UnavailableError`` and ``DamagedError`` that say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        ours = explain(home, error)
        if ours is None:
            raise
        raise ours from error
    except (BadRowError, UnicodeDecodeError) as error:
        # SQLite's own messages quote what it found in a damaged schema, byte for byte.
        raise damaged(home, str(error)) from error


def explain(home: str, error: sqlite3.Error) -> UnavailableError | None:
    """The error of ours that says the same, ``None`` for one that only a bug of ours can cause."""
    path, code = database_path(home), code_of(error)
    if code in _BUSY:
        return UnavailableError(f"memory is busy: {_holders(path)} holds {path}; try again when it is done")
    if code in _DAMAGED or "decode" in str(error) or str(error).startswith("no such table: "):
        return damaged(home, str(error))
    if code == sqlite3.SQLITE_CANTOPEN and os.path.isdir(home) and not os.access(home, os.W_OK):
        # SQLite cannot make its journal there, and says no more than that.
        return UnavailableError(
            f"memory at {path} is read-only: {home} cannot be written by this user. It can be read. Nothing "
            "was changed."
        )
    if code in _WORDS:
        return UnavailableError(f"memory at {path} is not available: {_WORDS[code]}. Nothing was changed.")
    return None


def file_faults(connection: sqlite3.Connection, check: str) -> list[str]:
    """What SQLite's ``quick_check`` or ``integrity_check`` finds, at most twenty lines.

    Newer versions of SQLite check the full text with it; that is left out: it has its own check, and
    it can be made anew from what is sound.
    """
    found = [str(line) for (line,) in connection.execute(f"PRAGMA {check}(20)")]
    return [line for line in found if line != "ok" and "inverted index" not in line]


def is_passing(error: sqlite3.Error) -> bool:
    """Whether an error says something of the moment or the disk, and nothing of the file's content."""
    return code_of(error) in _BUSY or code_of(error) in _WORDS


def _holders(path: str) -> str:
    found = files.lock_holders(f"{path}-shm") or files.lock_holders(path)
    return " and ".join(found) if found else "another honed process (a backfill, an MCP server, a worker)"


def damaged(home: str, detail: str) -> DamagedError:
    """The error for a file that is no sound database; names the last backup."""
    from honed.store.backups import last_good_backup

    backup = last_good_backup(home)
    cure = (
        f"`honed restore-backup {backup}` puts the last good copy back"
        if backup
        else "there is no backup of it"
    )
    return DamagedError(f"{database_path(home)} is damaged ({detail}). It was left as it is; {cure}.")


def none_yet(home: str) -> NotFoundError:
    """The error for reading a home in which nothing was ever kept."""
    return NotFoundError(f"there is no memory at {home} yet; `honed backfill` makes one")


def connect(home: str, *, readonly: bool, wait: float = WAIT_SECONDS) -> sqlite3.Connection:
    """A connection with honed's settings; makes an empty file where there is none (not ``readonly``).

    ``wait`` is how many seconds a statement waits for a lock.
    """
    path = database_path(home)
    if readonly:
        _check_file(home, path)
    else:
        files.ensure_home(home)
        _make_file(home, path)
    with explained(home):
        if not readonly:
            return _connected(path, "rw", wait)
        try:
            if os.access(os.path.dirname(path), os.W_OK) or files.size_of(f"{path}-wal"):
                return _connected(path, "ro", wait)
        except sqlite3.OperationalError as error:
            if code_of(error) not in _WANTS_ROOM or files.size_of(f"{path}-wal"):
                raise
        # No shared-memory file can be made (another's folder, a full disk); without a journal none is missed.
        return _connected(path, "ro&immutable=1", wait)


def _connected(path: str, mode: str, wait: float) -> sqlite3.Connection:
    address = f"file:{quote(os.path.abspath(path))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, timeout=wait, isolation_level=None)
    try:
        _configure(connection, mode != "rw")
    except BaseException:
        connection.close()
        raise
    return connection


def _make_file(home: str, path: str) -> None:
    try:
        if not os.path.lexists(path) or (os.path.isfile(path) and not files.size_of(path)):
            _refuse_if_lost(home)
            files.create_private(path)
    except OSError as error:
        raise UnavailableError(f"cannot make {path}: {files.reason_of(error)}") from error
    _check_file(home, path)


def _events_of(home: str) -> int:
    """How many events the ledger had, by what is kept of it outside the database."""
    return sum(seq for seq, _ in (read_heads(home) or {}).values())


def blank(home: str, connection: sqlite3.Connection) -> DamagedError | NotFoundError:
    """The error for a database without a schema, through ``connection``, whose transaction ends.

    It is being made at this moment, and nothing was kept in it yet; where there was a ledger it is a loss.
    """
    events = _events_of(home)
    if connection.in_transaction:
        connection.execute("COMMIT")
    # Looked at again after the ledger: who makes it may have gone on in between.
    if events and not connection.execute("PRAGMA user_version").fetchone()[0]:
        return damaged(home, f"nothing is in it, and its ledger had {several(events, 'event')}")
    return none_yet(home)


def missing(home: str) -> DamagedError | NotFoundError:
    """The error for a database that is missing or empty.

    One that had a ledger, or has a journal, is a loss and not a beginning.
    """
    events = _events_of(home)
    if events:
        return damaged(home, f"it is missing or empty, and its ledger had {several(events, 'event')}")
    if files.size_of(f"{database_path(home)}-wal"):
        # SQLite would throw away a journal without a database, and what is only in it.
        return damaged(home, "it is missing or empty, and its journal is there")
    return none_yet(home)


def _refuse_if_lost(home: str) -> None:
    error = missing(home)
    if isinstance(error, DamagedError):
        raise error


def _check_file(home: str, path: str) -> None:
    """Look at the file, without opening it.

    Closing a file drops every POSIX lock that this process has on it, also those of another connection
    here; other processes then take the database apart under it.  Only SQLite may open it (it knows).
    """
    if os.path.isdir(path):
        raise UnavailableError(f"{path} is a folder; honed keeps its database there")
    try:
        status = os.stat(path)
    except FileNotFoundError as error:
        raise missing(home) from error
    except OSError as error:
        raise UnavailableError(f"cannot read {path}: {files.reason_of(error)}") from error
    # A pipe of that name would hang whoever opens it.
    if not stat.S_ISREG(status.st_mode):
        raise UnavailableError(f"{path} is no regular file; honed keeps its database there")
    if not os.access(path, os.R_OK):
        raise UnavailableError(f"cannot read {path}: permission denied")
    if not status.st_size:
        _refuse_if_lost(home)


def _configure(connection: sqlite3.Connection, readonly: bool) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(f"PRAGMA journal_size_limit = {JOURNAL_LIMIT}")
    if readonly:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA user_version")  # the first look, which makes what it needs beside the file
    else:
        connection.execute("PRAGMA synchronous = FULL")


@contextlib.contextmanager
def writing(connection: sqlite3.Connection, wait: float) -> Iterator[None]:
    """One write transaction: committed and on disk when the block ends, undone if it raises."""
    try:
        begin(connection, wait)
        yield
        connection.execute("COMMIT")
    except BaseException:
        # Also Ctrl-C inside BEGIN or COMMIT: an open transaction would swallow what comes after.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def begin(connection: sqlite3.Connection, wait: float) -> None:
    """Take the write lock, trying for ``wait`` seconds.

    SQLite's own wait sleeps up to 100 ms between two looks, which starves a writer among busy others;
    this one looks every few milliseconds, at moments of its own.
    """
    retried(connection, "BEGIN IMMEDIATE", wait)


def retried(connection: sqlite3.Connection, statement: str, wait: float) -> None:
    """Run a statement that takes a lock, trying for ``wait`` seconds."""
    deadline = time.monotonic() + wait
    pause = _FIRST_PAUSE
    timeout = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute(statement)
                return
            except sqlite3.OperationalError as error:
                if code_of(error) not in _BUSY or time.monotonic() >= deadline:
                    raise
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(pause * 1.5, _LONGEST_PAUSE)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {timeout}")


@contextlib.contextmanager
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """Several reads of one moment; inside a transaction it is that one."""
    nested = connection.in_transaction
    if not nested:
        connection.execute("BEGIN")
    try:
        yield
    finally:
        if not nested and connection.in_transaction:
            connection.execute("ROLLBACK")


def close(connection: sqlite3.Connection, *, tidily: bool = False) -> None:
    """Write the journal back as far as others let us, and let go; ``tidily`` merges the full texts before."""
    # SQLite's own messages quote a damaged schema byte for byte.
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        connection.execute("PRAGMA busy_timeout = 0")
        if tidily:
            from honed.store.tidying import tidy  # it takes its transactions from here

            tidy(connection)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
