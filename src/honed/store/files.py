"""The files of a home: names, rights, whole writes and locks.

    <home>/honed.db       the database (with -wal and -shm while it is open)
    <home>/ledger.head    the last entry of each chain, outside the database (see ``heads``)
    <home>/tombstone.key  the key of the tombstones' fingerprints
    <home>/tombstone.others   the keys of homes whose ledgers were merged, one after the other
    <home>/approvals.signed   the signed list of what is approved (see ``signing.manifest``)
    <home>/backups/       copies, named by time; ``backups.lock`` is held by who works on them
    <home>/replaced/      databases that a backup took the place of
    <home>/fold.lock      held by who brings everything up to date after an upgrade

The folder is the user's alone (0700), and so is each file (0600).
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time

from honed.errors import UnavailableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = "ledger.head"
KEY = "tombstone.key"
OTHER_KEYS = "tombstone.others"
APPROVALS = "approvals.signed"
BACKUPS = "backups"
REPLACED = "replaced"
BACKUPS_LOCK = "backups.lock"
FOLD_LOCK = "fold.lock"
BESIDE = (HEAD, KEY, OTHER_KEYS, APPROVALS, BACKUPS, REPLACED, BACKUPS_LOCK, FOLD_LOCK)
"""All that the store keeps beside the database."""

_POLL_SECONDS = 0.005


def ensure_home(home: str) -> None:
    """Make the home folder if it is missing; raises ``UnavailableError`` where that cannot be."""
    if os.path.isdir(home):
        return
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
    except OSError as error:
        raise UnavailableError(f"cannot make honed's home {home}: {reason_of(error)}") from error


def size_of(path: str) -> int:
    """Bytes of a file, 0 if there is none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def reason_of(error: OSError) -> str:
    """An operating system's error in words, without the path (the message says that itself)."""
    return os.strerror(error.errno).lower() if error.errno else str(error)


def create_private(path: str) -> bool:
    """Make an empty file that only the user may read; says whether it was this call that made it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def write_whole(path: str, data: bytes) -> None:
    """Replace a file's content: afterwards it is the old one or the new one, on disk, never half."""
    temporary = f"{path}.{os.getpid()}.new"
    try:
        handle = os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(os.path.dirname(path))


def sync_file(path: str) -> None:
    """Have the operating system write a file's content out."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: str) -> None:
    """Have a folder's entries written out, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def locked(handle: int, wait: float = 1.0) -> Iterator[bool]:
    """Hold an open file's lock among processes; yields ``False`` if it was not free for ``wait`` seconds.

    The kernel lets go of it when the process dies.
    """
    deadline = time.monotonic() + wait
    held = _try_lock(handle)
    while not held and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        held = _try_lock(handle)
    try:
        yield held
    finally:
        if held:
            _unlock(handle)


if sys.platform != "win32":
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # A file system without locks: the caller's own order has to do.
            return error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
        return True

    def _unlock(handle: int) -> None:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)

else:  # pragma: no cover
    import msvcrt

    _LOCK_BYTE = 1 << 30
    """Locks are mandatory here; one far behind the text keeps readers free."""

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, _LOCK_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, _LOCK_BYTE, os.SEEK_SET)
        with contextlib.suppress(OSError):
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)


def lock_holders(path: str) -> list[str]:
    """Who holds a lock on a file, as ``process 4711 (honed backfill)``; empty where nothing tells.

    Reads /proc/locks (Linux, proc_locks(5)); the names of other users' processes stay unknown.
    """
    try:
        status = os.stat(path)
        with open("/proc/locks", encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    pids = {
        parts[4]
        for parts in map(str.split, lines)
        if len(parts) > 5 and parts[3] == "WRITE" and parts[5] == place
    }
    return [_process(pid) for pid in sorted(pids) if pid.isdigit() and int(pid) not in (0, os.getpid())]


def _process(pid: str) -> str:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read(300).decode("utf-8", "replace").replace("\0", " ").strip()
    except OSError:
        words = ""
    return f"process {pid} ({words})" if words else f"process {pid}"
