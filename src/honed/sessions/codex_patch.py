"""From the text of an ``apply_patch`` call, or the client's record of it, to changed files.

The text is Codex's own patch form::

    *** Begin Patch
    *** Update File: src/a.py
    *** Move to: src/b.py
    @@ def total(items):
     unchanged
    -old
    +new
    *** End Patch

It comes as the input of a tool, as the body of a heredoc in a shell command, or as a string in a
code-mode script.  Newer clients also record what was really done: per path ``add`` or ``delete`` with the
content, or ``update`` with a unified diff.  Pure functions that raise on nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from honed.sessions.fields import maybe, obj, string
from honed.sessions.model import CONTEXT_LINES, ChangeAction, FileChange, Hunk
from honed.sessions.source import Json

_FILE_LINE = re.compile(r"\*\*\* (Add|Update|Delete) File: (.*)")
_MOVE_LINE = "*** Move to: "
_ACTIONS: dict[str, ChangeAction] = {"Add": "create", "Update": "update", "Delete": "delete"}
_EVENT_ACTIONS: dict[str, ChangeAction] = {"add": "create", "update": "update", "delete": "delete"}
_DIFF_PLACE = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?")

_HEREDOC = re.compile(
    r"(?<![^\s;&|])(?:apply_patch|applypatch)\s*<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n"
    r"(.*?)\n[\t ]*\2[ \t]*(?=\n|\Z)",
    re.DOTALL,
)
_QUOTED = re.compile(
    r"(?<![^\s;&|])(?:apply_patch|applypatch)\s+(['\"])(\s*\*\*\* Begin Patch.*?\*\*\* End Patch\s*)\1",
    re.DOTALL,
)
_ONLY_CD = re.compile(
    r"\s*(?:set -\w+\s*[;\n]\s*)?(?:cd\s+([^\s;&|]+|'[^']*'|\"[^\"]*\")\s*(?:&&|;|\n)\s*)?\Z"
)


class ShellPatch:
    """Patches that a shell command applies.

    ``text`` is all of them, ``alone`` says that the command does nothing else, ``folder`` is where it went
    first (``cd sub && apply_patch``).
    """

    __slots__ = ("alone", "folder", "text")

    def __init__(self, text: str, alone: bool, folder: str | None) -> None:
        self.text = text
        self.alone = alone
        self.folder = folder


def patch_in_shell(script: str) -> ShellPatch | None:
    """The patches in a command line, ``None`` if it applies none."""
    if "*** Begin Patch" not in script or not ("apply_patch" in script or "applypatch" in script):
        return None
    found = list(_HEREDOC.finditer(script)) or list(_QUOTED.finditer(script))
    bodies = [match[4] if match.re is _HEREDOC else match[2] for match in found]
    if not bodies:
        return None
    before, after = script[: found[0].start()], script[found[-1].end() :]
    lead = _ONLY_CD.match(before)
    beside = found[0][3].strip() if found[0].re is _HEREDOC else ""
    alone = lead is not None and len(found) == 1 and not after.strip() and not beside
    folder = lead[1].strip("'\"") if lead and lead[1] else None
    return ShellPatch("\n".join(bodies), alone, folder)


def changes_of_patch(text: str) -> tuple[FileChange, ...]:
    """The files that a patch text names, each with its hunks."""
    changes: list[FileChange] = []
    action: str | None = None
    path = ""
    body: list[str] = []
    for line in text.split("\n"):
        if not line.startswith("*** "):
            body.append(line)
        elif match := _FILE_LINE.match(line):
            _close(changes, action, path, body)
            action, path, body = match[1], match[2].strip(), []
        elif line.startswith("*** End Patch"):
            _close(changes, action, path, body)
            action = None
        else:
            body.append(line)
    _close(changes, action, path, body)
    return tuple(changes)


def _close(changes: list[FileChange], action: str | None, path: str, body: list[str]) -> None:
    if action is None or not path:
        return
    old_path: str | None = None
    if body and body[0].startswith(_MOVE_LINE):
        old_path, path = path, body[0][len(_MOVE_LINE) :].strip() or path
        body = body[1:]
    kind: ChangeAction = "rename" if old_path else _ACTIONS[action]
    if action == "Add":
        hunks = _created([line[1:] for line in body if line.startswith("+")])
    else:
        hunks = hunks_of(body)
    changes.append(FileChange(path, kind, hunks, old_path))


def _created(lines: list[str]) -> tuple[Hunk, ...]:
    return (Hunk("", "\n".join(lines)),) if lines else ()


def hunks_of(lines: Iterable[str]) -> tuple[Hunk, ...]:
    """The replaced stretches in the body of a patch or a unified diff, without the lines that stay."""
    hunks: list[Hunk] = []
    old: list[str] = []
    new: list[str] = []
    place = above = ""
    first = 0
    for line in lines:
        sign = line[:1]
        if sign == "-" or sign == "+":
            (old if sign == "-" else new).append(line[1:])
            continue
        if old or new:
            hunks.append(Hunk("\n".join(old), "\n".join(new), place or above))
            old, new = [], []
            place = ""
        if sign == "@":
            first = len(hunks)
        elif sign == " " and len(hunks) > first:
            hunks[-1] = followed(hunks[-1], line[1:])
        if sign == "@":
            place = _DIFF_PLACE.sub("", line) if line.startswith("@@ -") else line.lstrip("@")
            place, above = place.strip().removesuffix("@@").strip(), ""
        elif line.strip() and sign not in ("*", "\\"):
            above = line[1:].strip()
    if old or new:
        hunks.append(Hunk("\n".join(old), "\n".join(new), place or above))
    return tuple(hunks)


def followed(hunk: Hunk, line: str) -> Hunk:
    """The hunk with one more of the unchanged lines behind it, if it has not enough of them."""
    if hunk.below.count("\n") + bool(hunk.below) >= CONTEXT_LINES:
        return hunk
    return replace(hunk, below=f"{hunk.below}\n{line}" if hunk.below else line)


def changes_of_event(changes: Json) -> tuple[FileChange, ...]:
    """The files in ``patch_apply_end.changes`` or in a ``FileChange`` item."""
    found: list[FileChange] = []
    for path, value in changes.items():
        change = obj(value)
        kind = change.get("type")
        if not isinstance(kind, str):  # in the oldest form the key itself is the kind: {"add": {...}}
            kind = next((key for key in _EVENT_ACTIONS if key in change), "update")
            change = obj(change.get(kind))
        action = _EVENT_ACTIONS.get(kind, "update")
        moved = maybe(change.get("move_path"))
        content = string(change.get("content"))
        if action == "create":
            hunks = _created(content.removesuffix("\n").split("\n") if content else [])
        elif action == "delete":
            hunks = (Hunk(content.removesuffix("\n"), ""),) if content else ()
        else:
            diff = string(change.get("unified_diff"))
            hunks = hunks_of(diff[max(0, diff.find("@@ -")) :].split("\n"))
        if moved:
            found.append(FileChange(moved, "rename", hunks, path))
        else:
            found.append(FileChange(path, action, hunks))
    return tuple(found)
