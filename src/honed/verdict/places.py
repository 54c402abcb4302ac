"""Where a shell command stands: its directory, and the variables whose value the text itself gives."""

from __future__ import annotations

import re

ALTERNATIVES_LIMIT = 20
"""How many values a word may have (the words of a ``for``); beyond it the word is unknown."""

PATH_LIMIT = 4096
VARIABLES_LIMIT = 256
"""Longer paths and more variables are not followed."""

_EXPANSION = re.compile(r"\$(?:\{(\w+)(?::?-[^}]*)?\}|(?:env:)?(\w+)|\((pwd|mktemp\b[^()]*)\))")
_ABSOLUTE = re.compile(r"[/~]|[A-Za-z]:[\\/]|\\\\")
_KNOWN = {
    "HOME": ("~",),
    "TMPDIR": ("/tmp",),
    "TMP": ("/tmp",),
    "TEMP": ("/tmp",),
    "RUNNER_TEMP": ("/tmp",),
}
_SCRATCH = "/tmp/mktemp"


class Place:
    """A directory and the static variables.  ``cwd`` "" is the directory where the line began.

    ``lost`` says that a ``cd`` led nobody knows where: relative paths are unknown from there on.
    ``sure`` that what happens here is not in a branch.
    """

    __slots__ = ("cwd", "lost", "stack", "sure", "variables")

    def __init__(self, cwd: str | None) -> None:
        self.cwd = cwd or ""
        self.lost = False
        self.sure = True
        self.variables: dict[str, tuple[str, ...]] = {}
        self.stack: list[tuple[str, bool]] = []

    def copy(self, *, sure: bool | None = None) -> Place:
        """The same place for a process of its own."""
        place = Place(self.cwd)
        place.lost = self.lost
        place.sure = self.sure if sure is None else sure
        place.variables = dict(self.variables) if self.variables else {}
        return place

    def values(self, word: str, *, expands: bool) -> tuple[str, ...] | None:
        """What a word can be, ``None`` if that is not known."""
        if not expands:
            return (word,)
        done, start = [""], 0
        for match in _EXPANSION.finditer(word):
            values = self._value(match)
            if values is None or len(values) * len(done) > ALTERNATIVES_LIMIT:
                return None
            between = word[start : match.start()]
            if "$" in between or "`" in between:
                return None
            done = [before + between + value for before in done for value in values]
            start = match.end()
        rest = word[start:]
        return None if "$" in rest or "`" in rest else tuple(before + rest for before in done)

    def _value(self, match: re.Match[str]) -> tuple[str, ...] | None:
        braced, plain, command = match.groups()
        if command:
            return (_SCRATCH,) if command.startswith("mktemp") else self.here()
        name = braced or plain
        if name == "PWD":
            return self.here()
        return self.variables.get(name) or _KNOWN.get(name)

    def here(self) -> tuple[str, ...] | None:
        return None if self.lost else (self.cwd or ".",)

    def paths(self, word: str, *, expands: bool = False) -> tuple[str | None, ...]:
        """The paths that a word names, against this place; ``(None,)`` if that is not known."""
        values = self.values(word, expands=expands)
        if values is None:
            return (None,)
        return tuple(self.path(value) for value in values)

    def path(self, name: str) -> str | None:
        if _ABSOLUTE.match(name):
            return normal(name)
        if self.lost or not name:
            return None
        return normal(f"{self.cwd}/{name}" if self.cwd else name)

    def enter(self, word: str, *, expands: bool = False) -> None:
        """``cd word``."""
        values = self.values(word, expands=expands)
        target = self.path(values[0]) if values and len(values) == 1 and values[0] != "-" else None
        if target is not None and len(target) > PATH_LIMIT:
            target = None
        self.lost = target is None
        self.cwd = target or ""

    def assign(self, name: str, text: str, *, expands: bool) -> None:
        values = self.values(text, expands=expands) if len(text) < 1024 else None
        if values is None:
            self.variables.pop(name, None)
        elif len(self.variables) < VARIABLES_LIMIT:
            self.variables[name] = values


def normal(path: str) -> str:
    """A path without ``.``, ``..`` and doubled slashes, Windows' with ``/``; links are not known here."""
    if "\\" in path:
        path = path.replace("\\", "/")
    if "//" not in path and "/." not in path and path[:1] != "." and path[-1:] != "/":
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] not in ("..", "~"):
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts) or ("/" if path.startswith("/") else ".")
