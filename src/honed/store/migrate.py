"""Schema migrations: SQL files applied in order, in one transaction, recorded in the database.

An existing database is copied before its first change.  A database that a newer honed wrote, or
another program, is refused and left alone.  However many processes open a home at once, each
migration runs once: who gets the write lock looks again whether it is still needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping

from honed._version import __version__
from honed.errors import OutdatedError, UnavailableError
from honed.home import APPLICATION_ID
from honed.ledger import ids
from honed.ledger.fold import FOLD_VERSION
from honed.store import files
from honed.store.connection import blank, damaged, database_path, reading, retried, writing
from honed.store.counting import keep_counts
from honed.store.heads import replace_heads
from honed.store.indexing import INDEX_VERSION
from honed.store.refolding import refold
from honed.store.scripts import SCHEMA, migrations, run_script

KEY_BYTES = 32
FOLDS = {"fold_version": FOLD_VERSION, "index_version": INDEX_VERSION}
"""What the projections of this version of honed are made by; kept in ``meta``."""

Entropy = Callable[[int], bytes]


def version_of(connection: sqlite3.Connection) -> int:
    """The schema version of an open database, 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_readable(connection: sqlite3.Connection, home: str, folder: str = SCHEMA) -> None:
    """Raise ``UnavailableError`` for a database that this version of honed cannot read."""
    with reading(connection):
        version = version_of(connection)
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION_ID and (
            application or version or connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        ):
            raise UnavailableError(f"{database_path(home)} belongs to another program; it was left alone")
        if application == APPLICATION_ID and version <= 0:
            raise damaged(home, f"the number of its schema is {version}")
    _refuse_newer(version, home, folder)


def _refuse_newer(version: int, home: str, folder: str) -> None:
    latest = migrations(folder)[-1][0]
    if version > latest:
        raise UnavailableError(
            f"{database_path(home)} was written by a newer honed (schema {version}, this one reads up to "
            f"{latest}); upgrade honed. Nothing was changed."
        )


def _check_recorded(connection: sqlite3.Connection, home: str, version: int) -> None:
    """A schema that is not of the version that it says must not be changed by what is meant for that one."""
    if version:
        (ran,) = connection.execute("SELECT max(version) FROM migrations").fetchone()
        if ran != version:
            raise damaged(home, f"its schema says version {version}, and its migrations say {ran}")


def check_up_to_date(connection: sqlite3.Connection, home: str) -> None:
    """Raise ``OutdatedError`` for a schema of the past, which only who writes can change."""
    version = version_of(connection)
    if 0 < version < migrations()[-1][0]:
        raise OutdatedError.of(database_path(home), version)


def refuse(connection: sqlite3.Connection, home: str) -> None:
    """Raise the error of ours for a schema that this version of honed does not read; none for its own."""
    check_readable(connection, home)
    check_up_to_date(connection, home)
    if not version_of(connection):
        raise blank(home, connection)


def is_current(connection: sqlite3.Connection, folder: str = SCHEMA) -> bool:
    """Whether schema, fold version and journal mode are those of this version of honed."""
    with reading(connection):
        return (
            version_of(connection) == migrations(folder)[-1][0]
            and is_folded(connection)
            and connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        )


def is_folded(connection: sqlite3.Connection) -> bool:
    """Whether projections and index are those of this version of honed; its schema must be."""
    return all(meta(connection, key) == str(version) for key, version in FOLDS.items())


def meta(connection: sqlite3.Connection, key: str) -> str:
    """A value of the ``meta`` table, empty if there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Set a value of the ``meta`` table, inside the caller's transaction."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def migrate(
    connection: sqlite3.Connection,
    home: str,
    *,
    now: Callable[[], str],
    entropy: Entropy,
    wait: float,
    folder: str = SCHEMA,
) -> None:
    """Bring a database up to date.  Raises ``UnavailableError``; then nothing was changed."""
    check_readable(connection, home, folder)
    if is_current(connection, folder):
        return
    with _turn(home, wait) as ours:
        if ours:
            retried(connection, "PRAGMA journal_mode = WAL", wait)
            copied = _apply_pending(connection, home, now, entropy, wait, folder)
            _refold_if_older(connection, home, now, wait, copied)
            with contextlib.suppress(sqlite3.OperationalError):  # whoever writes next counts too
                keep_counts(connection, wait)
        elif version_of(connection) != migrations(folder)[-1][0]:
            raise UnavailableError(
                f"memory is busy: another process is bringing {database_path(home)} up to date; try again "
                "when it is done"
            )
        # Else the other one still folds: what is found meanwhile is of the older fold, or of the newer.


def _apply_pending(
    connection: sqlite3.Connection,
    home: str,
    now: Callable[[], str],
    entropy: Entropy,
    wait: float,
    folder: str,
) -> bool:
    """Run the migrations that have not run; says whether the database was copied for them."""
    copied = False
    with writing(connection, wait):
        found = version_of(connection)
        _refuse_newer(found, home, folder)
        _check_recorded(connection, home, found)
        pending = [(version, path) for version, path in migrations(folder) if version > found]
        if found and pending:
            copied = _copy(home, now())
        for version, path in pending:
            _apply(connection, version, path, now())
        if not found:
            _begin_ledger(connection, home, entropy)
    return copied


def _apply(connection: sqlite3.Connection, version: int, path: str, at: str) -> None:
    run_script(connection, path)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (version, at, __version__))


def _begin_ledger(connection: sqlite3.Connection, home: str, entropy: Entropy) -> None:
    path = os.path.join(home, files.KEY)
    if not os.path.exists(path):
        files.write_whole(path, entropy(KEY_BYTES))
    replica = ids.random_id("rp_", entropy(15))
    # From the first moment, so that a missing head always means that somebody took it away.
    replace_heads(home, {replica: (0, "")})
    set_meta(connection, "replica", replica)
    set_meta(connection, "key_check", key_check(read_key(home)))
    mark_folded(connection)


def _refold_if_older(
    connection: sqlite3.Connection, home: str, now: Callable[[], str], wait: float, copied: bool
) -> None:
    known = _folds_of(connection, home)
    if known != FOLDS:
        if not copied:
            _copy(home, now())
        refold(connection, wait, anew=known["index_version"] != FOLDS["index_version"])
        with writing(connection, wait):
            mark_folded(connection)


def _folds_of(connection: sqlite3.Connection, home: str) -> Mapping[str, int]:
    with reading(connection):
        # What is no number is of no version: folding anew can only put it right.
        said = {key: meta(connection, key) for key in FOLDS}
    known = {key: int(value) if value.isdecimal() else 0 for key, value in said.items()}
    if any(known[key] > version for key, version in FOLDS.items()):
        raise UnavailableError(
            f"{database_path(home)} was written by a newer honed ({known}); upgrade honed. "
            "Nothing was changed."
        )
    return known


@contextlib.contextmanager
def _turn(home: str, wait: float) -> Iterator[bool]:
    """One process brings a home up to date, the others wait for it; says whether it is our turn."""
    path = os.path.join(home, files.FOLD_LOCK)
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise UnavailableError(f"cannot make {path}: {files.reason_of(error)}") from error
    try:
        with files.locked(handle, wait) as ours:
            yield ours
    finally:
        os.close(handle)


def mark_folded(connection: sqlite3.Connection) -> None:
    """Note, inside the caller's transaction, that the projections are those of this version."""
    for key, version in FOLDS.items():
        set_meta(connection, key, str(version))


def _copy(home: str, at: str) -> bool:
    from honed.store.backups import write_backup

    # Read through a second connection: where this one holds the write lock, nothing can come between.
    write_backup(home, at)
    return True


def read_key(home: str) -> bytes:
    """The key of the tombstones' fingerprints, empty if its file is gone or not whole."""
    try:
        with open(os.path.join(home, files.KEY), "rb") as file:
            key = file.read(KEY_BYTES + 1)
    except OSError:
        return b""
    return key if len(key) == KEY_BYTES else b""


def other_keys(home: str) -> tuple[bytes, ...]:
    """The keys of homes whose ledgers were merged: their tombstones are here too."""
    try:
        with open(os.path.join(home, files.OTHER_KEYS), "rb") as file:
            data = file.read()
    except OSError:
        return ()
    return tuple(data[at : at + KEY_BYTES] for at in range(0, len(data) - KEY_BYTES + 1, KEY_BYTES))


def adopt_keys(home: str, other: str) -> None:
    """Keep the keys of another home, so that what was forgotten there is known again here.

    Raises ``UnavailableError`` where they cannot be written.
    """
    known = {read_key(home), *other_keys(home)}
    new = [key for key in dict.fromkeys((read_key(other), *other_keys(other))) if key and key not in known]
    if not new:
        return
    path = os.path.join(home, files.OTHER_KEYS)
    try:
        handle = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        try:
            # One write, so that two merges at once leave whole keys.
            os.write(handle, b"".join(new))
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise UnavailableError(f"cannot write {path}: {files.reason_of(error)}") from error


def key_check(key: bytes) -> str:
    """What the database keeps of the key, to see that it is still the same."""
    return hashlib.blake2b(b"honed tombstone key", key=key, digest_size=8).hexdigest() if key else ""


def keyed(key: bytes, fingerprint: str) -> str:
    """A fingerprint under the home's key: says nothing of the text to whoever has not the key."""
    return hashlib.blake2b(fingerprint.encode("utf-8", "surrogatepass"), key=key, digest_size=16).hexdigest()
