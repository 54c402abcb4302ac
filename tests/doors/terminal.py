"""A terminal for tests: a program in a pty, and somebody who types after each question."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.doors.telling import environment

WITHIN = 60.0
"""Seconds after which a program that says nothing more is taken for hanging."""
ASKED = ": "


@dataclass(frozen=True, slots=True)
class Told:
    """What stood on the terminal, and the exit code."""

    screen: str
    code: int


def at_terminal(
    *words: str, cwd: Path, typed: Sequence[str], before: str = "", env: Mapping[str, str] | None = None
) -> Told:
    """``honed WORDS`` on a terminal; each line of ``typed`` is typed when a question waits for it.

    ``before`` lies in the terminal's input before anything is asked.
    """
    ours, theirs = pty.openpty()
    os.write(ours, before.encode())
    argv = [sys.executable, "-m", "honed", *words]
    child = subprocess.Popen(
        argv, cwd=cwd, env=environment(env or {}), stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen, waiting = b"", list(typed)
    while chunk := _read(ours):
        seen += chunk
        if waiting and seen.decode("utf-8", "replace").endswith(ASKED):
            os.write(ours, waiting.pop(0).encode())
    os.close(ours)
    return Told(seen.decode("utf-8", "replace").replace("\r\n", "\n"), child.wait())


def _read(terminal: int) -> bytes:
    ready, _, _ = select.select([terminal], [], [], WITHIN)
    if not ready:
        raise AssertionError("the program says nothing and does not end")
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux: the other end is closed
        return b""
