"""Copies of the database: made by SQLite's backup call, checked, on disk, named by time.

A copy is one file without a journal.  ``backups/`` holds those that honed makes by itself, before it
changes much and once a day, and ``replaced/`` databases that a backup took the place of; both are pruned
(see ``keeping``).  What the owner wrote elsewhere is the owner's.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from honed.errors import DamagedError, NotFoundError, RefusedError, UnavailableError
from honed.home import APPLICATION_ID
from honed.ledger.canonical import parse_instant
from honed.store import files
from honed.store.connection import connect, database_path, explained, file_faults
from honed.store.keeping import worth_keeping

REPLACED = files.REPLACED
LOCK_SECONDS = 60.0
DUE = timedelta(days=1)
"""How old the newest copy may be before the next one is due."""
_NAME = re.compile(r"honed-(\d{8}T\d{6})(?:-(\d+))?\.db")
_WORK = ".work-"
"""How the names of files and folders begin that are not done yet."""


@contextlib.contextmanager
def held(home: str) -> Iterator[None]:
    """Hold the lock on a home's copies, and clear away what a process that died left half done.

    Raises ``UnavailableError`` if another process holds it for ``LOCK_SECONDS``.
    """
    try:
        files.ensure_home(home)
        handle = os.open(os.path.join(home, files.BACKUPS_LOCK), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise UnavailableError(f"cannot make a backup in {home}: {files.reason_of(error)}") from error
    try:
        with files.locked(handle, LOCK_SECONDS) as free:
            if not free:
                raise UnavailableError(f"the backups of {home} are busy: another process works on them")
            _clear_work(home)
            yield
    finally:
        os.close(handle)


def _clear_work(home: str) -> None:
    folder = os.path.join(home, files.BACKUPS)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(_WORK):
                path = os.path.join(folder, name)
                if os.path.isdir(path):
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    os.unlink(path)


def work_place(home: str, name: str) -> str:
    """A path in ``backups`` for what is not done yet; whoever holds the lock may use it."""
    folder = os.path.join(home, files.BACKUPS)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, f"{_WORK}{name}")


def write_backup(home: str, at: str, path: str | None = None) -> str:
    """Copy the database of a home to ``path`` (default: into its ``backups``); returns the path.

    ``at`` is the time for the name.  Raises ``UnavailableError`` if the copy cannot be written or is
    not sound, ``RefusedError`` if ``path`` exists, ``NotFoundError`` if its folder does not.
    """
    if path is not None:
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder):
            raise NotFoundError(f"there is no folder {folder} for the backup; make it, or name another one")
        if not os.access(home, os.W_OK):
            # Nothing is written in the home, and where nobody can write no lock can be taken.
            return write_held(home, at, path)
    with held(home):
        return write_held(home, at, path)


def write_held(home: str, at: str, path: str | None = None) -> str:
    """``write_backup`` for who holds the lock."""
    target = path or _free_name(home, files.BACKUPS, at)
    if os.path.lexists(target):
        raise RefusedError(f"{target} exists; a backup never writes over a file")
    folder = os.path.dirname(os.path.abspath(target))
    temporary = os.path.join(folder, f"{_WORK}{os.getpid()}-{os.path.basename(target)}")
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


def _free_name(home: str, folder: str, at: str) -> str:
    stamp = re.sub(r"[-:]", "", at)[:15]
    # Behind the last of this second, never a number that pruning made free: that one would be the oldest.
    last = max((number for made, number in map(_age, _names(home, folder)) if made == stamp), default=0)
    while True:
        last += 1
        name = f"honed-{stamp}.db" if last == 1 else f"honed-{stamp}-{last}.db"
        if not os.path.lexists(os.path.join(home, folder, name)):
            return os.path.join(home, folder, name)


def _names(home: str, folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(os.path.join(home, folder)) if _NAME.fullmatch(name)]
    except OSError:
        return []


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


def backups(home: str, folder: str = files.BACKUPS) -> list[str]:
    """The copies in ``backups`` (or in ``replaced``), the newest first."""
    return [os.path.join(home, folder, name) for name in sorted(_names(home, folder), key=_age, reverse=True)]


def _age(name: str) -> tuple[str, int]:
    found = _NAME.fullmatch(name)
    return (found[1], int(found[2] or 1)) if found else ("", 0)


def made_at(path: str) -> datetime:
    """When a copy was made, as its name says."""
    stamp, _ = _age(os.path.basename(path))
    try:
        return datetime.strptime(stamp, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)


def is_due(home: str, at: str) -> bool:
    """Whether the newest copy is older than a day (or there is none, and something to copy)."""
    if not files.size_of(database_path(home)):
        return False
    newest = backups(home)[:1]
    return not newest or parse_instant(at) - made_at(newest[0]) >= DUE


def prune(home: str, at: str) -> list[str]:
    """Drop the copies, and the replaced databases, that are too many or too old; returns their paths."""
    dropped = []
    for folder in (files.BACKUPS, REPLACED):
        there = backups(home, folder)
        kept = set(worth_keeping([(made_at(path), path) for path in there], parse_instant(at)))
        for path in there:
            if path not in kept:
                drop(path)
                dropped.append(path)
    return dropped


def drop(path: str) -> None:
    """Delete a copy and its journal, if it has one."""
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(OSError):
            os.unlink(path + suffix)


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
    if not os.path.lexists(path):
        return ""
    os.makedirs(os.path.join(home, REPLACED), mode=0o700, exist_ok=True)
    target = _free_name(home, REPLACED, at)
    for suffix in ("-wal", "-shm", ""):
        if os.path.lexists(path + suffix):
            os.rename(path + suffix, target + suffix)
    return target


def restore(
    home: str, path: str, at: str, check: Callable[[sqlite3.Connection], None], ready: Callable[[str], None]
) -> str:
    """Put a copy in the database's place; returns where the replaced database is now.

    ``check`` may raise for a copy that this version cannot read; ``ready`` makes a copy of it, in a home of
    its own, what it is to be.  A sound database is copied to ``backups`` first and overwritten in one
    transaction, so processes that have it open see the new one; a damaged one is moved aside.  Raises
    ``NotFoundError``, ``RefusedError``, ``UnavailableError``.
    """
    if not os.path.isfile(path):
        raise NotFoundError(f"there is no backup at {path}")
    wrong = check_backup(path)
    if wrong:
        raise RefusedError(f"{path} cannot be put back: {wrong}. Nothing was changed.")
    with held(home), worked_on(home, path) as place:
        source = sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True)
        try:
            check(source)
        finally:
            source.close()
        ready(place)
        source = connect(place, readonly=True)
        try:
            return _put_back(home, source, at)
        finally:
            source.close()


@contextlib.contextmanager
def worked_on(home: str, path: str | None = None) -> Iterator[str]:
    """A home of its own, with a copy of the database ``path`` in it, to be worked on; gone afterwards.

    For who holds the lock.  Raises ``UnavailableError`` if there is no room for it.
    """
    place = work_place(home, f"{os.getpid()}-home")
    try:
        shutil.rmtree(place, ignore_errors=True)
        try:
            os.mkdir(place, 0o700)
            for suffix in ("", "-wal") if path else ():
                if os.path.exists(f"{path}{suffix}"):
                    shutil.copyfile(f"{path}{suffix}", database_path(place) + suffix)
                    os.chmod(database_path(place) + suffix, 0o600)
        except OSError as error:
            raise UnavailableError(f"cannot copy {path}: {files.reason_of(error)}") from error
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _put_back(home: str, source: sqlite3.Connection, at: str) -> str:
    try:
        replaced = write_held(home, at)
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
