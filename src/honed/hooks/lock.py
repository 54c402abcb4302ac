"""One holder at a time, by a locked file: whoever dies lets go.  On the hot path."""

from __future__ import annotations

import os
import sys
from time import sleep

_TRIES, _INSTANT = 5, 0.1
"""How often ``take_soon`` tries, and how many seconds it waits in between."""


def take(path: str) -> int | None:
    """Lock ``path`` without waiting; returns what ``release`` takes, ``None`` where another one has it.

    Raises ``OSError`` where no such file can be made.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        _lock(handle)
    except OSError:
        os.close(handle)
        return None
    return handle


def take_soon(path: str) -> int | None:
    """As ``take``; one who only asks whether there is a holder has it for an instant, and is waited for."""
    for _ in range(_TRIES):
        handle = take(path)
        if handle is not None:
            return handle
        sleep(_INSTANT)
    return None


def release(handle: int) -> None:
    """Let go."""
    os.close(handle)


if sys.platform == "win32":

    def _lock(handle: int) -> None:
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:

    def _lock(handle: int) -> None:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
