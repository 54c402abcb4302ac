"""Keeping the spool small."""

from __future__ import annotations

import contextlib
from pathlib import Path

from honed.hooks import spool

SESSION = "absorber"
"""The session under which the absorber writes."""
KEEP_DAYS = 180
"""Days that a session's spool is kept."""
SPOOL_LIMIT = 1024 * 1024
"""Bytes of one session's spool from which on it is cut to the end that is read (``spool.TAIL_LIMIT``)."""
SPOOLS_LIMIT = 64 * 1024 * 1024
"""Bytes of all of them; above it those that nobody wrote to for longest go."""
QUIET_SECONDS = 3600
"""A spool that nobody wrote to for so long is at rest: a line that came while it is cut would be lost."""


def by_age(folder: Path) -> list[tuple[float, Path]]:
    """The files of a folder with when they were last written to, the oldest first.

    Those that are taken away meanwhile are passed over; a folder that is not there has none.
    """
    there: list[tuple[float, Path]] = []
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            with contextlib.suppress(OSError):
                there.append((file.stat().st_mtime, file))
    return sorted(there)


def sweep(home: str, now: float) -> int:
    """What is old goes, what is long is cut, and of too much the oldest goes; returns how many files went.

    ``now`` is in seconds since 1970.
    """
    size = gone = 0
    for at, file in reversed(by_age(Path(home, spool.FOLDER))):
        with contextlib.suppress(OSError):
            size += file.stat().st_size
            if at < now - KEEP_DAYS * 86400 or (size > SPOOLS_LIMIT and at < now - QUIET_SECONDS):
                file.unlink()
                gone += 1
            elif file.stat().st_size > SPOOL_LIMIT and (at < now - QUIET_SECONDS or file.stem == SESSION):
                spool.cut(str(file))
    return gone
