"""Copies of the database: made by SQLite's backup call, checked, on disk, named by time.

A copy is one file without a journal.  ``backups/`` keeps the newest ``KEEP`` copies and drops what is
older than ``KEEP_DAYS``, never the newest one; what the owner wrote elsewhere is the owner's.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote

from honed.errors import DamagedError, NotFoundError, RefusedError, UnavailableError
from honed.ledger.canonical import format_instant, parse_instant
from honed.store import files
from honed.store.connection import APPLICATION_ID, connect, database_path, explained, file_faults

KEEP = 10
KEEP_DAYS = 90
REPLACED = "replaced"
"""Folder beside ``backups`` for databases that a backup took the place of."""
_NAME = re.compile(r"honed-(\d{8}T\d{6})(?:-\d+)?\.db")


def write_backup(home: str, at: str, path: str | None = None) -> str:
    """Copy the database of a home to ``path`` (default: into its ``backups``); returns the path.

    ``at`` is the time for the name.  Raises ``UnavailableError`` if the copy cannot be written or is
    not sound, ``RefusedError`` if ``path`` exists.
    """
    target = path or _free_name(home, at)
    if os.path.lexists(target):
        raise RefusedError(f"{target} exists; a backup never writes over a file")
    folder = os.path.dirname(os.path.abspath(target))
    temporary = os.path.join(folder, f".{os.path.basename(target)}.{os.getpid()}.new")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        files.create_private(temporary)
        _copy(home, temporary)
        files.sync_file(temporary)
        os.rename(temporary, target)
    except OSError as error:
        raise UnavailableError(f"cannot write a backup to {target}: {files.reason_of(error)}") from error
    finally:
        for left in (temporary, f"{temporary}-journal", f"{temporary}-wal", f"{temporary}-shm"):
            with contextlib.suppress(OSError):
                os.unlink(left)
    files.sync_folder(folder)
    if path is None:
        prune(home, at)
    return target


def _free_name(home: str, at: str) -> str:
    stem = "honed-" + re.sub(r"[-:]", "", at)[:15]
    folder = os.path.join(home, files.BACKUPS)
    name, number = f"{stem}.db", 1
    while os.path.lexists(os.path.join(folder, name)):
        number += 1
        name = f"{stem}-{number}.db"
    return os.path.join(folder, name)


def _copy(home: str, target: str) -> None:
    with explained(home):
        source = connect(home, readonly=True)
        try:
            copy = sqlite3.connect(target, isolation_level=None)
            try:
                source.backup(copy)
                # One file: a copy must not need a journal beside it.
                copy.execute("PRAGMA journal_mode = DELETE")
                found = file_faults(copy, "integrity_check")
            finally:
                copy.close()
        finally:
            source.close()
    if found:
        raise DamagedError(f"{database_path(home)} is damaged ({found[0]}); no backup was made of it")


def backups(home: str) -> list[str]:
    """The copies in ``backups``, the newest first."""
    folder = os.path.join(home, files.BACKUPS)
    try:
        names = [name for name in os.listdir(folder) if _NAME.fullmatch(name)]
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names, key=_age, reverse=True)]


def _age(name: str) -> tuple[str, int]:
    stem, _, number = name[: -len(".db")].partition("-")[2].partition("-")
    return stem, int(number or 1)


def prune(home: str, at: str) -> list[str]:
    """Drop the copies that are too many or too old; returns their paths."""
    oldest = format_instant(parse_instant(at) - timedelta(days=KEEP_DAYS))
    limit = re.sub(r"[-:]", "", oldest)[:15]
    dropped = []
    for place, path in enumerate(backups(home)):
        if place and (place >= KEEP or _age(os.path.basename(path))[0] < limit):
            with contextlib.suppress(OSError):
                os.unlink(path)
                dropped.append(path)
    return dropped


def last_good_backup(home: str) -> str | None:
    """The newest copy that is still a sound honed database."""
    return next((path for path in backups(home) if check_backup(path) == ""), None)


def check_backup(path: str) -> str:
    """What is wrong with a copy, empty if it is sound."""
    if not os.path.isfile(path):
        return "there is no such file"
    try:
        copy = sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True)
    except sqlite3.Error as error:
        return str(error)
    try:
        if copy.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            return "it is no database of honed's"
        found = file_faults(copy, "quick_check")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)
    finally:
        copy.close()
    return found[0] if found else ""


def set_aside(home: str, at: str) -> str:
    """Move the database, with its journal, out of the way; returns where it went, empty if there was none."""
    path = database_path(home)
    folder = os.path.join(home, REPLACED)
    target = os.path.join(folder, os.path.basename(_free_name(home, at)))
    while os.path.lexists(target):
        target = f"{target[: -len('.db')]}-again.db"
    if not os.path.lexists(path):
        return ""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for suffix in ("-wal", "-shm", ""):
        if os.path.lexists(path + suffix):
            os.rename(path + suffix, target + suffix)
    return target


def restore(home: str, path: str, at: str, check: Callable[[sqlite3.Connection], None]) -> str:
    """Put a copy in the database's place; returns where the replaced database is now.

    A sound database is copied to ``backups`` first and overwritten in one transaction, so processes
    that have it open see the copy; a damaged one is moved aside.  ``check`` may raise for a copy that
    this version cannot read.  Raises ``NotFoundError``, ``RefusedError``, ``UnavailableError``.
    """
    if not os.path.isfile(path):
        raise NotFoundError(f"there is no backup at {path}")
    wrong = check_backup(path)
    if wrong:
        raise RefusedError(f"{path} cannot be put back: {wrong}. Nothing was changed.")
    source = sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True)
    try:
        check(source)
        return _put_back(home, source, at)
    finally:
        source.close()


def _put_back(home: str, source: sqlite3.Connection, at: str) -> str:
    try:
        replaced = write_backup(home, at)
    except (DamagedError, NotFoundError):
        replaced = _set_aside_or_refuse(home, at)
        files.create_private(database_path(home))
    with explained(home):
        target = sqlite3.connect(database_path(home), timeout=5.0, isolation_level=None)
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode = WAL")
        finally:
            target.close()
    return replaced


def _set_aside_or_refuse(home: str, at: str) -> str:
    try:
        return set_aside(home, at)
    except OSError as error:
        raise UnavailableError(f"cannot move the damaged database aside: {files.reason_of(error)}") from error
