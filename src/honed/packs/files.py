"""What a pack holds, as names and streams: nothing is ever written out, so no name can lead anywhere.

A source (``packs.sources``) tells its entries; ``sound`` says which of them are taken, and why not the
others. A name that a path, Windows or a shell would read otherwise than it looks is refused, and so is
everything that is no plain file.  Bombs are not an entry's fault but the pack's: they refuse it whole.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import IO, Literal

from honed.errors import RefusedError

MOST_ENTRIES = 20_000
"""Entries of a pack, whatever they are."""
TOTAL = 64 * 1024 * 1024
"""Bytes of all that is read of a pack, unpacked."""
FILE = 16 * 1024 * 1024
"""Bytes of one file that is read."""
RATIO = 200
"""How many times its packed size a file may unpack to, above ``SMALL``."""
SMALL = 1024 * 1024
NAME = 240
"""Characters of a path within a pack."""

Kind = Literal["file", "link", "other"]
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_UNTOLD = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its ``path`` as the source spells it, what it is, how large it says it is (unpacked), how
    large it is packed (0 where nothing is packed), and how it is opened."""

    path: str
    kind: Kind
    size: int
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    packed: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry, or a skill, that is not taken, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class Budget:
    """How many bytes of a pack have been read; ``spend`` refuses the pack that goes over ``TOTAL``."""

    spent: int = 0

    def spend(self, number: int, path: str) -> None:
        """Count ``number`` more bytes, of ``path``.  Raises ``RefusedError``."""
        self.spent += number
        if self.spent > TOTAL:
            raise RefusedError(f"{path}: the pack unpacks to more than {TOTAL} bytes; nothing was taken")


@dataclass(slots=True)
class Sound:
    """The entries that are taken by path, and those that are not."""

    files: dict[str, Entry] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)


def sound(entries: Iterable[Entry]) -> Sound:
    """Tell the entries that may be looked into from those that may not.

    Of names that differ by case or by how their letters are composed, the one whose last part is
    ``SKILL.md`` is taken, and none where several are: which of them a reader would get depends on the disk.
    Raises ``RefusedError`` for more than ``MOST_ENTRIES``.
    """
    found = Sound()
    twins: dict[str, list[Entry]] = {}
    for number, entry in enumerate(entries):
        if number == MOST_ENTRIES:
            raise RefusedError(f"{entry.path}: over {MOST_ENTRIES} entries; nothing was taken")
        why = _why_not(entry)
        if why:
            found.refused.append(Refused(entry.path, why))
        else:
            key = unicodedata.normalize("NFC", entry.path).casefold()
            twins.setdefault(unicodedata.normalize("NFC", key), []).append(entry)
    for group in twins.values():
        skills = [one for one in group if one.path.rpartition("/")[2] == "SKILL.md"]
        taken = group[0] if len(group) == 1 else skills[0] if len(skills) == 1 else None
        if taken is not None:
            found.files[taken.path] = taken
        names = " and ".join(sorted({one.path for one in group}))
        why = (
            f"one of {names}: they differ by upper and lower case only"
            if len({one.path for one in group}) > 1
            else "stands there twice"
        )
        found.refused += [Refused(one.path, why) for one in group if one is not taken]
    return found


def unsound(path: str) -> str:
    """Why a name is not looked into, or nothing."""
    parts = path.split("/")
    if not path or _UNTOLD.search(path) or any("\ud800" <= char <= "\udfff" for char in path):
        return "its name holds characters that do not show, or is no text"
    if len(path) > NAME:
        return f"its name has over {NAME} characters"
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return "an absolute path, which leads out of the pack"
    if ".." in parts:
        return "a path that leads out of the pack"
    if "\\" in path or ":" in path:
        return "its name holds a character that Windows reads otherwise"
    if any(part in ("", ".") or part != part.rstrip(". ") or _RESERVED.fullmatch(part) for part in parts):
        return "a part of its name is empty, ends in a dot or a space, or is reserved on Windows"
    if ".git" in (part.casefold() for part in parts):
        return "git's own files are no part of a pack"
    return ""


def _why_not(entry: Entry) -> str:
    """Why an entry is not looked into, or nothing."""
    why = unsound(entry.path)
    if why:
        return why
    if entry.kind == "link":
        return "a link; links are not followed"
    return "" if entry.kind == "file" else "no plain file"


def content(entry: Entry, budget: Budget, limit: int = FILE) -> bytes:
    """What is in a file.  Raises ``RefusedError`` (of the whole pack) for a bomb, and for one over ``limit``.

    What an archive says of sizes is not believed: no more than the limit is ever unpacked.
    """
    with entry.open() as stream:
        data = stream.read(limit + 1)
    budget.spend(len(data), entry.path)
    if entry.packed and len(data) > SMALL and len(data) > RATIO * entry.packed:
        raise RefusedError(
            f"{entry.path}: unpacks to over {RATIO} times its size, as zip bombs do; nothing was taken"
        )
    if len(data) < min(entry.size, limit):
        raise RefusedError(f"{entry.path}: ends before its end; the pack is damaged, nothing was taken")
    if len(data) > limit:
        raise RefusedError(f"{entry.path}: over {limit} bytes; nothing was taken")
    return data


def is_archive(data: bytes) -> bool:
    """Whether a file is an archive by its first bytes."""
    return data.startswith(_ARCHIVES)


def digest(parts: Mapping[str, str]) -> str:
    """One sha256 (hex) over files by path, each given by its own sha256."""
    whole = hashlib.sha256()
    for path in sorted(parts):
        whole.update(f"{path}\x00{parts[path]}\n".encode())
    return whole.hexdigest()
