"""Which files a Claude Code edit tool changed, and how.

The tool's structured result is preferred (``toolUseResult`` with ``filePath`` and ``structuredPatch``: a
list of ``{oldStart, lines}`` whose lines begin with a blank, ``-`` or ``+``), because it says what really
happened after the user's own corrections; where it is missing (``stream-json``, other writers) the call's
input serves.
"""

from __future__ import annotations

import re
from typing import Any

from honed.sessions.codex_patch import followed
from honed.sessions.fields import array, obj, string, whole
from honed.sessions.model import CONTEXT_LINES, FileChange, Hunk
from honed.sessions.source import Json

HEADING_REACH = 200
"""How many lines above a change are searched for the symbol that it stands in."""

_SYMBOL = re.compile(
    r"[ \t]*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|async|abstract"
    r"|final|override|virtual|sealed|open|suspend|inline|unsafe|const|extern)\s+)*"
    r"(?:def|class|func|fn|function|interface|struct|enum|trait|impl|type|module|namespace|protocol|extension"
    r"|object|record|sub|defmodule|defp|test|it|describe)\b"
)


def changes_of(tool: str, given: Json, result: Any) -> tuple[FileChange, ...]:
    """The change that a call of an edit tool made; empty when it names no file or changed nothing.

    ``given`` is the call's input, ``result`` its ``toolUseResult`` of any shape.  To be asked for calls that
    succeeded only.
    """
    told = obj(result)
    path = (
        string(told.get("filePath"))
        or string(told.get("notebook_path"))
        or string(given.get("file_path"))
        or string(given.get("notebook_path"))
    )
    if not path:
        return ()
    if tool == "NotebookEdit":
        return (_notebook(path, given, told),)
    if tool == "Write" or ("content" in told and "oldString" not in told):
        return _written(path, given, told)
    hunks = _patch(told) or _replaced(given, told)
    return (FileChange(path, "update", hunks),)


def _written(path: str, given: Json, told: Json) -> tuple[FileChange, ...]:
    content = string(told.get("content")) or string(given.get("content"))
    if told.get("type") == "create":
        return (FileChange(path, "create", (Hunk("", content),)),)
    if told and told.get("originalFile") == content:
        return ()
    return (FileChange(path, "update", _patch(told) or (Hunk("", content),)),)


def _notebook(path: str, given: Json, told: Json) -> FileChange:
    source = string(told.get("new_source")) or string(given.get("new_source"))
    cell = string(told.get("cell_id")) or string(given.get("cell_id"))
    return FileChange(path, "update", (Hunk("", source, f"cell {cell}" if cell else ""),))


def _replaced(given: Json, told: Json) -> tuple[Hunk, ...]:
    """Hunks from the strings that were replaced, where no patch is recorded."""
    pairs = [obj(edit) for edit in array(told.get("edits")) or array(given.get("edits"))] or [given]
    if not string(given.get("new_string")) and not given.get("edits") and "newString" in told:
        pairs = [{"old_string": told.get("oldString"), "new_string": told.get("newString")}]
    hunks = (_narrowed(string(pair.get("old_string")), string(pair.get("new_string"))) for pair in pairs)
    return tuple(hunk for hunk in hunks if hunk.old or hunk.new)


def _narrowed(old: str, new: str) -> Hunk:
    """``old`` and ``new`` without the whole lines they share at both ends."""
    before, after = old.split("\n"), new.split("\n")
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    heading = next((line.strip() for line in reversed(before[:head]) if line.strip()), "")
    return Hunk(
        "\n".join(before[head : len(before) - tail]),
        "\n".join(after[head : len(after) - tail]),
        heading,
        "\n".join(before[len(before) - tail :][:CONTEXT_LINES]),
    )


def _patch(told: Json) -> tuple[Hunk, ...]:
    """The changed stretches of a ``structuredPatch``, each without its context."""
    hunks: list[Hunk] = []
    original: list[str] | None = None
    for part in array(told.get("structuredPatch")):
        lines = [line for line in array(obj(part).get("lines")) if isinstance(line, str)]
        start = whole(obj(part).get("oldStart")) or 0
        if original is None:
            original = string(told.get("originalFile")).split("\n")
        _stretches(lines, start, original, hunks)
    return tuple(hunks)


def _stretches(lines: list[str], start: int, original: list[str], hunks: list[Hunk]) -> None:
    """Append each run of removed and added ``lines`` to ``hunks``; ``start`` is their 1-based place in
    ``original``."""
    old: list[str] = []
    new: list[str] = []
    above: list[str] = []
    place = began = start
    begun = len(hunks)
    for number, line in enumerate([*lines, " "]):
        mark, text = line[:1], line[1:]
        if mark in "-+":
            if not old and not new:
                began = place
            (old if mark == "-" else new).append(text)
            place += mark == "-"
        elif mark != "\\":
            if old or new:
                hunks.append(
                    Hunk("\n".join(old), "\n".join(new), _heading(old or new, above, began, original))
                )
                above += old
                old, new = [], []
            if len(hunks) > begun and number < len(lines):
                hunks[-1] = followed(hunks[-1], text)
            above.append(text)
            place += 1


def _heading(changed: list[str], above: list[str], began: int, original: list[str]) -> str:
    """The symbol that encloses a change, else the nearest line above it that is not blank."""
    depth = min((_indent(line) for line in changed if line.strip()), default=0)
    if 0 < began <= len(original) + 1:
        above = original[max(0, began - 1 - HEADING_REACH) : began - 1]
    if depth:
        for line in reversed(above):
            if _SYMBOL.match(line) and _indent(line) < depth:
                return line.strip()
    return next((line.strip() for line in reversed(above) if line.strip()), "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
