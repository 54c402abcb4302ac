"""What `honed uninstall --purge` deletes: the memory in its home, after it was said and confirmed.

A home may be any folder that somebody named, and may hold what is not honed's.  So nothing is deleted but
files of the names that honed gives; the folders go when they are empty.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from honed.agents import folders, shim
from honed.cli.command import Output
from honed.config import BY_KEY, FILE
from honed.counted import several
from honed.errors import HonedError, RefusedError, UnavailableError, UsageError
from honed.home import DATABASE
from honed.hooks import spool, starting
from honed.patterns import FOLDER as CACHE
from honed.review import asking
from honed.store import files

_COPY = re.compile(r"(?:honed-\d{8}T\d{6}(?:-\d+)?\.db|\.work-.+)(?:-wal|-shm|-journal)?")
_FOLDERS = {
    files.BACKUPS: _COPY,
    files.REPLACED: _COPY,
    CACHE: re.compile(r"patterns-.+"),
    spool.FOLDER: re.compile(r"[\w-]+\.jsonl(?:\.\d+\.new)?", re.ASCII),
    starting.QUEUE: re.compile(r"[0-9a-f]{12,}"),
    asking.FOLDER: re.compile(r"(?!)"),  # where a model's program stands; honed puts nothing in it
}
"""The folders of a home, and how the names in them look that honed gives."""
_NAMES = (
    *(DATABASE + suffix for suffix in ("", "-wal", "-shm", "-journal")),
    *(name for name in files.BESIDE if name not in _FOLDERS),
    starting.LOCK,
    starting.EMBEDDER_LOCK,
    folders.FILE,
)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a home keeps: ``paths`` of honed's, in order of deletion, and ``others``, which are not.

    ``skills`` is ``None`` where the memory cannot be read; ``backups`` counts replaced databases too.
    """

    home: str
    paths: tuple[str, ...]
    others: tuple[str, ...]
    skills: int | None
    bytes: int
    backups: int

    def told(self) -> str:
        """The same in words."""
        known = "a memory that cannot be read" if self.skills is None else several(self.skills, "skill")
        size = f"{several(self.bytes, 'byte')} in {several(len(self.paths), 'file')}"
        return f"{self.home}: {known}, {several(self.backups, 'backup')}, {size}"

    def json(self) -> dict[str, object]:
        """The same for scripts."""
        return {
            "home": self.home,
            "skills": self.skills,
            "backups": self.backups,
            "files": len(self.paths),
            "bytes": self.bytes,
            "left": list(self.others),
        }


def look(home: str) -> Kept:
    """What ``home`` keeps; changes nothing."""
    own, others, backups = list[str](), list[str](), 0
    for path, is_own in _found(home):
        (own if is_own else others).append(path)
        folder, name = os.path.split(path)
        is_copy = os.path.basename(folder) in (files.BACKUPS, files.REPLACED) and name.endswith(".db")
        backups += is_own and is_copy
    size = sum(files.size_of(path) for path in own)
    return Kept(home, tuple(own), tuple(others), _skills(home), size, backups)


def _found(home: str) -> Iterator[tuple[str, bool]]:
    """Every file of a home, and whether it is honed's.

    Not told is what lies deeper in a folder of others, and the launcher, which goes with every uninstalling.
    """
    for name in _names(home):
        path = os.path.join(home, name)
        if name == shim.FOLDER and os.path.isdir(path):
            yield from ((os.path.join(path, one), False) for one in _names(path) if one not in shim.FILES)
            continue
        pattern = _FOLDERS.get(name)
        if pattern is None or not os.path.isdir(path):
            yield path, name in _NAMES or (name == FILE and _is_settings(home))
            continue
        for inner in _names(path):
            yield os.path.join(path, inner), pattern.fullmatch(inner) is not None


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_settings(home: str) -> bool:
    """Whether a ``config.json`` is honed's: its memory is beside it, or it holds honed's settings alone."""
    if any(os.path.lexists(os.path.join(home, name)) for name in (DATABASE, files.HEAD)):
        return True
    try:
        with open(os.path.join(home, FILE), encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.keys() <= BY_KEY.keys()


def _skills(home: str) -> int | None:
    from honed.memory import Memory

    if not os.path.lexists(os.path.join(home, DATABASE)):
        return 0
    try:
        with Memory.open(home, readonly=True) as memory:
            return len(memory.every_skill())
    except HonedError:
        return None


def confirm(output: Output, kept: Kept) -> None:
    """Ask whoever sits there.  Raises ``UsageError`` where nobody does, ``RefusedError`` for all but yes."""
    if output.as_json or sys.stdin is None or not (sys.stdin.isatty() and output.watched):
        raise UsageError(
            f"--purge would delete {kept.told()}. Nothing was changed; run it again with --yes, or with "
            "--dry-run to see what would change"
        )
    output.note(f"This deletes {kept.told()}.")
    output.note("This cannot be undone. Type yes to go on:")
    if sys.stdin.readline().strip() != "yes":
        raise RefusedError("nothing was changed")


def purge(home: str) -> Kept:
    """Delete what honed made in a home, and each folder that is empty then; returns what it was.

    Raises ``UnavailableError`` where something cannot be deleted.
    """
    kept = look(home)
    for path in kept.paths:
        try:
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
        except OSError as error:
            raise UnavailableError(
                f"{path} cannot be deleted: {files.reason_of(error)}; see to it and run it again"
            ) from error
    tidy(home, *_FOLDERS)
    return kept


def forget_cache(home: str) -> None:
    """Take away what hooks keep for the next one: without them it is of use to nobody."""
    folder = os.path.join(home, CACHE)
    for name in _names(folder):
        if _FOLDERS[CACHE].fullmatch(name):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, name))
    tidy(home, CACHE)


def tidy(home: str, *folders: str) -> None:
    """Remove these folders of a home, and the home, where they are empty."""
    for folder in (*(os.path.join(home, name) for name in folders), home):
        with contextlib.suppress(OSError):
            if os.path.islink(folder) and not _names(folder):
                os.unlink(folder)
            else:
                os.rmdir(folder)
