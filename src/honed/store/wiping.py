"""Bytes of erased texts in the files of a home that are no database: found, and overwritten where they lie.

Spool and logs are appended to by hooks at any moment, so a line in them is overwritten in place, by as many
other letters: nobody's line is lost, no offset moves, and a line of JSON stays one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence

from honed.store import files

FILLER = b"x"
CHUNK = 1024 * 1024
_OURS = ("spool" + os.sep, "logs" + os.sep)
"""Folders of files that honed writes line by line."""


def needles_of(texts: Iterable[str]) -> list[bytes]:
    """The ways in which texts may lie in a file: as UTF-8, and inside a line of JSON."""
    found: dict[bytes, None] = {}
    for text in texts:
        for form in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
            found[form.encode("utf-8", "surrogatepass")] = None
    return [needle for needle in found if needle]


def places_in(path: str, needles: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """``(offset, length)`` of every needle in a file; a file that cannot be read raises ``OSError``."""
    overlap = max((len(needle) for needle in needles), default=1) - 1
    with open(path, "rb") as file:
        start, kept = 0, b""
        while chunk := file.read(CHUNK):
            window = kept + chunk
            for needle in needles:
                at = window.find(needle)
                while at >= 0:
                    # What ends in the part seen before was told of then.
                    if at + len(needle) > len(kept):
                        yield start - len(kept) + at, len(needle)
                    at = window.find(needle, at + 1)
            start += len(chunk)
            kept = window[len(window) - overlap :] if overlap else b""


def files_below(home: str, unseen: list[str] | None = None) -> Iterator[str]:
    """Every regular file of a home, in order; folders that cannot be looked into are added to ``unseen``."""

    def note(error: OSError) -> None:
        if unseen is not None:
            unseen.append(str(error.filename))

    for folder, folders, names in os.walk(home, onerror=note):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield path


def is_written_by_line(home: str, path: str) -> bool:
    """Whether a file is spool or log."""
    inner = os.path.relpath(path, home)
    return inner.startswith(_OURS) or ".log" in os.path.basename(path)


def overwrite(path: str, needles: Sequence[bytes]) -> int:
    """Overwrite every needle in a file where it lies; returns how many there were."""
    found = list(places_in(path, needles))
    if found:
        handle = os.open(path, os.O_RDWR)
        try:
            for offset, length in found:
                os.lseek(handle, offset, os.SEEK_SET)
                os.write(handle, FILLER * length)
            os.fsync(handle)
        finally:
            os.close(handle)
    return len(found)


def wipe(home: str, needles: Sequence[bytes]) -> tuple[list[str], list[tuple[str, str]]]:
    """Overwrite needles in spool and logs; returns those files, and those that could not be, and why."""
    wiped: list[str] = []
    left: list[tuple[str, str]] = []
    unseen: list[str] = []
    for path in files_below(home, unseen) if needles else ():
        if not is_written_by_line(home, path):
            continue
        try:
            if overwrite(path, needles):
                wiped.append(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            left.append((path, f"it cannot be written: {files.reason_of(error)}"))
    return wiped, [*left, *((folder, "it cannot be looked into") for folder in unseen)]


def holding(home: str, needles: Sequence[bytes]) -> list[str]:
    """The files of a home, databases too, that hold a needle; looked at by a process of its own.

    Here the database is open: closing a file that somebody read drops the locks that SQLite has on it in
    this process, and other processes would take the journal away under it.
    """
    if not needles:
        return []
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    done = subprocess.run(
        [sys.executable, "-I", "-c", _LOOK, folder, home],
        input=b"\n".join(needle.hex().encode("ascii") for needle in needles),
        stdout=subprocess.PIPE,
        check=True,
    )
    return [os.fsdecode(path) for path in done.stdout.split(b"\0") if path]


_LOOK = """
import sys; sys.path.insert(0, sys.argv[1])
from honed.store.wiping import look; look(sys.argv[2])
"""


def look(home: str) -> None:
    """What the process of ``holding`` does: needles in on standard input, paths out on standard output."""
    needles = [bytes.fromhex(line) for line in sys.stdin.read().split()]
    for path in files_below(home):
        try:
            if any(places_in(path, needles)):
                sys.stdout.buffer.write(os.fsencode(path) + b"\0")
        except OSError:
            continue
