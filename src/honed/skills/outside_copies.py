"""Where others' files went by a copy, and which archives of others were printed or unpacked.

A copy in the project's own folders is still their text.  Tables of programs; pure.  Sources: each program's
own manual page.  ``outside`` says what comes of it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from honed.skills.others import joined, named

_COPIERS = frozenset("cp mv ln install rsync ditto copy copy-item cpi xcopy robocopy".split())
_WHOLE = re.compile(r"-[A-Za-z]*[arR][A-Za-z]*|--recursive|--archive|/[sSeE]", re.ASCII)
_ALWAYS_WHOLE = frozenset("mv ln ditto robocopy".split())
"""Programs that take a folder with all that is in it without being told."""
_PACKED = re.compile(
    r"\.(?:tar|tgz|tbz2?|txz|zip|jar|war|whl|egg|gem|crate|nupkg|vsix|deb|rpm|rar|7z|gz|bz2|xz|zst|lz4?|Z)$"
)
_STEM = re.compile(r"(?:\.tar)?\.\w+$")
_PRINTERS = frozenset("zcat gzcat bzcat xzcat zstdcat lzcat zless zmore zgrep bzgrep xzgrep zipgrep".split())
"""Programs that print what is packed, whatever their options."""
_COMPRESSORS = "gunzip gzip gzcat bunzip2 bzip2 unxz xz unzstd zstd"
_TO_SCREEN: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys("tar bsdtar gtar".split(), re.compile(r"-?[A-Za-z]*O[A-Za-z]*|--to-stdout")),
    **dict.fromkeys("unzip 7z 7za".split(), re.compile(r"-[A-Za-z]*[pc][A-Za-z]*|-so")),
    **dict.fromkeys(_COMPRESSORS.split(), re.compile(r"-[A-Za-z]*c[A-Za-z]*|--stdout|--to-stdout")),
}
"""The options by which others print what is packed and write no file."""
_UNPACKS = re.compile(r"-?[A-Za-z]*x[A-Za-z]*|--extract|--get")
"""How tar is told to unpack, with its first word also without a dash."""
_INTO = ("-C", "-d", "--directory", "-t", "--target-directory")
_BRINGS: Mapping[tuple[str, str], str] = {
    ("npm", "pack"): "*.tgz",
    ("pip", "download"): "*",
    ("gem", "fetch"): "*.gem",
}
"""Programs that leave an archive of others' in the folder they run in, and how it is called."""


class Copies:
    """What of others' files lies elsewhere by now, by kind: files (patterns of the last part of a path), and
    folders with all that is in them."""

    __slots__ = ("_below", "_files")

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._below: dict[str, str] = {}

    def add(self, name: str, words: tuple[str, ...], here: str, root: str) -> None:
        """Take in what a command copies or unpacks, run in the folder ``here``."""
        plain = _plain(words)
        if name in _COPIERS:
            self._copied(name, words, here, root)
        elif pattern := _BRINGS.get((name, plain[0] if plain else ""), ""):
            if len(plain) > 1:
                self._files[joined(here, pattern)] = "download"
        elif name in _TO_SCREEN:
            self._unpacked(name, words, here, root)

    def of(self, path: str) -> str:
        """The kind of a file (by its path from where the paths of commands start) that is a copy, else
        nothing."""
        folder, _, last = path.rpartition("/")
        for copy, kind in self._files.items():
            where, _, called = copy.rpartition("/")
            if where == folder and (fnmatchcase(last, called) or fnmatchcase(called, last)):
                return kind
        return next((kind for below, kind in self._below.items() if _is_below(path, below)), "")

    def among(self, words: tuple[str, ...], here: str) -> tuple[str, str] | None:
        """The first of the files that a command names which is a copy."""
        if not self._files and not self._below:
            return None
        found = ((self.of(joined(here, word)), word) for word in _plain(words))
        return next((one for one in found if one[0]), None)

    def printed(self, name: str, words: tuple[str, ...], here: str, root: str) -> tuple[str, str] | None:
        """An archive that is not the project's, and that a command prints what is in of."""
        if name not in _PRINTERS and not _is_told(name, words):
            return None
        return next(self._archives(words, here, root), None)

    def _copied(self, name: str, words: tuple[str, ...], here: str, root: str) -> None:
        plain, into = _plain(words), _told_folder(words)
        sources = plain if into else plain[:-1]
        folder = bool(into) or len(sources) > 1 or not plain or plain[-1].endswith(("/", "."))
        target = joined(here, into or (plain[-1] if plain else ""))
        whole = name in _ALWAYS_WHOLE or any(_WHOLE.fullmatch(word) for word in words)
        for source in sources:
            found = named(source, here, root) or named(f"{source}/", here, root)
            kind = found[0] if found is not None else self.of(joined(here, source))
            if not kind:
                continue
            last = posixpath.basename(source.replace("\\", "/").rstrip("/"))
            for place in (joined(target, last), *(() if folder else (target,))):
                self._files[place] = kind
                if whole:
                    self._below[place] = kind

    def _unpacked(self, name: str, words: tuple[str, ...], here: str, root: str) -> None:
        if _is_told(name, words) or ("tar" in name and not any(map(_UNPACKS.fullmatch, words[:1]))):
            return
        for kind, archive in self._archives(words, here, root):
            into = _told_folder(words) or _STEM.sub("", posixpath.basename(archive.replace("\\", "/")))
            self._below[joined(here, into)] = kind

    def _archives(self, words: tuple[str, ...], here: str, root: str) -> Iterator[tuple[str, str]]:
        for word in _plain(words):
            if _PACKED.search(word):
                found = named(word, here, root)
                kind = found[0] if found is not None else self.of(joined(here, word))
                if kind or _is_elsewhere(word, here, root):
                    yield kind or "archive", word


def _plain(words: tuple[str, ...]) -> list[str]:
    """The words that are neither options nor the folder that one of them names."""
    return [
        word
        for at, word in enumerate(words)
        if word[:1] != "-" and (at == 0 or words[at - 1] not in _INTO) and word
    ]


def _told_folder(words: tuple[str, ...]) -> str:
    """The folder that an option says to write into, nothing for none."""
    for at, word in enumerate(words):
        if word in _INTO and at + 1 < len(words):
            return words[at + 1]
        if word.startswith(("--directory=", "--target-directory=")):
            return word.partition("=")[2]
    return ""


def _is_told(name: str, words: tuple[str, ...]) -> bool:
    pattern = _TO_SCREEN.get(name)
    return pattern is not None and any(
        pattern.fullmatch(word) for at, word in enumerate(words) if at == 0 or word[:1] == "-"
    )


def _is_elsewhere(word: str, here: str, root: str) -> bool:
    """Whether a file lies outside the project's folder ``root``."""
    if word[:1] in ("~", "$"):
        return True
    path = joined(here, word)
    if path.startswith("../"):
        return True
    return path.startswith("/") and not _is_below(path, root.rstrip("/") if root else here)


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(f"{folder}/"))
