"""Changing a JSON text where it must change and nowhere else.

Every byte outside what is added or taken out stays: order, unknown keys, indentation, line ends.  Adding
and taking out again gives the text back, except where a container was empty before: its inner white
space is gone (``wiring`` then puts the backup back).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from honed.errors import UsageError

Path: TypeAlias = tuple["str | int", ...]
"""Keys and indexes from the root to a value."""

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\]}]+')
_FIRST_INDENT = re.compile(r"[\[{][ \t]*\r?\n([ \t]+)")


@dataclass(slots=True)
class _Node:
    """A value and where it stands; ``begins`` is where a member's key does."""

    begins: int
    start: int
    end: int = 0
    children: list[tuple[str | int, _Node]] = field(default_factory=list)
    bracket: str = ""

    def child(self, key: str | int) -> _Node | None:
        return next((node for name, node in self.children if name == key), None)


def parse(text: str) -> object:
    """The value of a JSON text.

    Raises ``UsageError`` for what is none, and for an object that names a key twice: whoever reads such
    a file takes one of the two, and honed cannot know which.
    """
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON ({error})") from error


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(n for n in names if names.count(n) > 1)!r} stands there twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def get(value: object, path: Path) -> object:
    """What stands at ``path`` of a parsed value; ``None`` where nothing does."""
    for key in path:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


def add(text: str, path: Path, value: object) -> str:
    """``text`` with ``value`` at ``path``: a new member of an object, or at the end of a list (any index).

    Objects and lists on the way are made.  Raises ``UsageError`` where something else stands in the way.
    """
    root = _scan(text)
    node, done = root, 0
    while done < len(path) - 1 and (below := node.child(path[done])) is not None:
        node, done = below, done + 1
    for key in reversed(path[done + 1 :]):
        value = [value] if isinstance(key, int) else {key: value}
    wanted = "[" if isinstance(path[done], int) else "{"
    if isinstance(path[done], str) and node.child(path[done]) is not None:
        raise UsageError(f"{'.'.join(map(str, path[: done + 1]))} is something else already")
    if node.bracket != wanted:
        kind = "a list" if wanted == "[" else "an object"
        raise UsageError(
            f"{'.'.join(map(str, path[:done])) or 'the whole'} is not {kind} that can be added to"
        )
    return _inserted(text, node, path[done], value)


def remove(text: str, path: Path) -> str:
    """``text`` without what stands at ``path``; its container stays, be it empty."""
    parent = _scan(text)
    for key in path[:-1]:
        below = parent.child(key)
        if below is None:
            return text
        parent = below
    names = [name for name, _ in parent.children]
    if path[-1] not in names:
        return text
    at = names.index(path[-1])
    node = parent.children[at][1]
    if len(names) == 1:
        return text[: parent.start + 1] + text[parent.end - 1 :]
    if at:
        return text[: parent.children[at - 1][1].end] + text[node.end :]
    return text[: node.begins] + text[parent.children[1][1].begins :]


def dump(value: object) -> str:
    """A new file's text."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _inserted(text: str, node: _Node, key: str | int, value: object) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    found = _FIRST_INDENT.search(text)
    unit = found.group(1) if found else "  "
    name = "" if isinstance(key, int) else json.dumps(key, ensure_ascii=False) + ": "
    if node.children:
        last = node.children[-1][1]
        first = node.children[0][1]
        between = text[node.start + 1 : first.begins]
        if "\n" not in between:
            return text[: last.end] + ", " + name + json.dumps(value, ensure_ascii=False) + text[last.end :]
        indent = between.rpartition("\n")[2]
        return (
            text[: last.end]
            + ","
            + newline
            + indent
            + name
            + _block(value, indent, unit, newline)
            + text[last.end :]
        )
    outer = _indent_of_line(text, node.start)
    indent = outer + unit
    inner = newline + indent + name + _block(value, indent, unit, newline) + newline + outer
    return text[: node.start + 1] + inner + text[node.end - 1 :]


def _block(value: object, indent: str, unit: str, newline: str) -> str:
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return (newline + indent).join(lines)


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _scan(text: str) -> _Node:
    """Where every value of a valid JSON text stands.  Raises ``UsageError`` for one that is none."""
    parse(text)
    at = _past_space(text, 1 if text.startswith("\ufeff") else 0)
    return _value(text, at, at)


def _past_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, begins: int, at: int) -> _Node:
    node = _Node(begins, at, bracket=text[at] if text[at] in "[{" else "")
    if not node.bracket:
        match = _SCALAR.match(text, at)
        node.end = match.end() if match else at + 1
        return node
    closing = "]" if node.bracket == "[" else "}"
    at = _past_space(text, at + 1)
    while text[at] != closing:
        child_begins = at
        key: str | int = len(node.children)
        if node.bracket == "{":
            match = _SCALAR.match(text, at)
            end = match.end() if match else at
            key = str(json.loads(text[at:end]))
            at = _past_space(text, _past_space(text, end) + 1)
        child = _value(text, child_begins, at)
        node.children.append((key, child))
        at = _past_space(text, child.end)
        if text[at] == ",":
            at = _past_space(text, at + 1)
    node.end = at + 1
    return node
