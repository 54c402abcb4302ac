"""The YAML at the head of a Markdown file: written in one fixed style, read as anybody wrote it.

What is written depends on no library, so the same skill gives the same bytes everywhere.  What is read
keeps the text of every key as it stands in the file, so that keys nobody here knows survive untouched.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from honed.errors import UsageError

_PLAIN = re.compile(r"[^\W\d_](?:[\w ./()+='@,-]*[\w./()+='@-])?")
_RESERVED = frozenset("y n yes no on off true false null none".split())
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = re.compile(
    '[\\\\"\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]'
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,14})")
_DEPTH = 12
_PROSE = re.compile(
    r"^([A-Za-z][\w-]*):[ \t]+([^\s\-?:,\[\]{}#&*!|>'\"].*(?:\n(?:[ \t]*\r?\n)*[ ]+\S.*)*)", re.MULTILINE
)
"""A top-level key, its value unquoted on its line, and the lines below that are indented."""
_COLON = re.compile(r":(?:[ \t]|\r?$)", re.MULTILINE)
_NO_YAML = ("`", "@", "%")
"""With these no unquoted text of YAML begins, so nothing else can be meant."""


# Writing


def emit(values: Mapping[str, object]) -> str:
    """``key: value`` lines for texts, numbers, booleans, lists and mappings; ends with a newline."""
    return "".join(f"{line}\n" for key, value in values.items() for line in _lines(key, value, ""))


def scalar(value: object) -> str:
    """A value without parts, as YAML 1.1 and 1.2 both read it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = _SURROGATE.sub("\ufffd", str(value))
    if _PLAIN.fullmatch(text) and text.casefold() not in _RESERVED:
        return text
    return f'"{_ESCAPED.sub(lambda found: _escape(found[0]), text)}"'


def _escape(character: str) -> str:
    code = ord(character)
    return _ESCAPES.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def _lines(key: str, value: object, pad: str) -> Iterator[str]:
    name = f"{pad}{scalar(key)}:"
    if isinstance(value, Mapping) and value:
        yield name
        for inner, item in value.items():
            yield from _lines(inner, item, pad + "  ")
    elif isinstance(value, list | tuple) and value:
        yield name
        for item in value:
            yield from _item(item, pad)
    else:
        yield f"{name} {_flow(value)}"


def _item(item: object, pad: str) -> Iterator[str]:
    if isinstance(item, Mapping) and item:
        inner = [line for key, value in item.items() for line in _lines(key, value, pad + "  ")]
        yield f"{pad}- {inner[0].lstrip(' ')}"
        yield from inner[1:]
    else:
        yield f"{pad}- {_flow(item)}"


def _flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_quoted_flow, value)) + "]"
    return scalar(value)


def _quoted_flow(value: object) -> str:
    """Inside brackets a plain text may hold no comma."""
    told = _flow(value)
    return f'"{told}"' if isinstance(value, str) and "," in told and not told.startswith('"') else told


# Reading


@dataclass(frozen=True, slots=True)
class Entry:
    """One top-level key: its 1-based line in the file, its YAML node, and its text as it stands."""

    key: str
    line: int
    node: Any
    block: str


def parse(front: str, first_line: int = 2) -> list[Entry]:
    """The top-level keys of a front matter whose first line is ``first_line`` of the file.

    A value with an unquoted colon is the text that it is (``_in_quotes``).  Raises ``UsageError`` that says
    what is wrong and in which line.
    """
    for found in _UNREADABLE.finditer(front):
        line = first_line + front.count("\n", 0, found.start())
        raise UsageError(f"line {line}: the front matter holds the control character {found[0]!a}")
    try:
        root = _composed(front, first_line)
    except UsageError as error:
        mended = _PROSE.sub(_in_quotes, front)
        if mended == front:
            raise
        try:
            root, front = _composed(mended, first_line), mended
        except UsageError:
            raise error from None
    if root is None:
        return []
    if root.id != "mapping":
        raise UsageError(f"line {first_line}: the front matter must hold `key: value` lines")
    return _entries(root, front, first_line)


def _composed(front: str, first_line: int) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _refuse_aliases(yaml.scan(front, loader), first_line)
        return yaml.compose(front, loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + first_line}: " if mark is not None else ""
        what = getattr(error, "problem", None) or "it is nested too deeply or not YAML"
        raise UsageError(f"{where}the front matter is not YAML: {what}") from error


def _in_quotes(found: re.Match[str]) -> str:
    """A value that is one text for whoever wrote it and every client of agents, and no YAML, in quotes.

    ``description: Use when: a test fails`` is common; so is the colon on one of a description's further
    lines.  The lines stay as many as they were, for the next error names one.
    """
    key, value = found.groups()
    first, *more = value.split("\n")
    looked = value if key == "description" else first
    if not _COLON.search(looked) and not first.startswith(_NO_YAML):
        return found[0]
    told = " ".join(part for line in (first, *more) if (part := line.strip(" \t\r")))
    return f"{key}: {scalar(told)}" + "\n" * len(more)


def _refuse_aliases(tokens: Iterator[Any], first_line: int) -> None:
    """An alias means something elsewhere in the file: its text could not be kept by itself."""
    for token in tokens:
        if type(token).__name__ in ("AliasToken", "AnchorToken"):
            line = token.start_mark.line + first_line
            raise UsageError(f"line {line}: YAML anchors and aliases are not read; write the value out")


def _entries(root: Any, front: str, first_line: int) -> list[Entry]:
    lines = front.splitlines(keepends=True) if "\x85" not in front else re.findall(r"[^\n]*\n|[^\n]+", front)
    starts = [key.start_mark.line for key, _ in root.value]
    whole = not root.flow_style and len(set(starts)) == len(starts)
    entries: dict[str, Entry] = {}
    carried = "".join(lines[: starts[0]]) if starts else ""
    for number, (key, node) in enumerate(root.value):
        line = starts[number]
        if not isinstance(key.value, str):
            raise UsageError(f"line {line + first_line}: a key must be one text")
        if key.value in entries:
            raise UsageError(f"line {line + first_line}: {key.value!r} stands there twice")
        if whole:
            end = starts[number + 1] if number + 1 < len(starts) else len(lines)
            own, after = _comments_apart(lines[line:end], last=number + 1 == len(starts))
            block, carried = carried + own, after
        else:
            block = emit({key.value: plain(node)})
        entries[key.value] = Entry(key.value, line + first_line, node, block.rstrip("\r\n"))
    return list(entries.values())


def _comments_apart(lines: Sequence[str], *, last: bool) -> tuple[str, str]:
    """A key's own lines, and the comment lines before the next key, which belong to that one."""
    cut = len(lines)
    while not last and cut > 1 and (lines[cut - 1].startswith("#") or not lines[cut - 1].strip()):
        cut -= 1
    while cut < len(lines) and not lines[cut].startswith("#"):
        cut += 1
    return "".join(lines[:cut]), "".join(lines[cut:])


def plain(node: Any, depth: int = 0) -> object:
    """A node as JSON-able values: texts, whole numbers, booleans, ``None``, lists, mappings.

    Everything else (times, fractions, binaries) stays the text it is.  Raises ``UsageError`` for what is
    nested too deeply.
    """
    if depth > _DEPTH:
        raise UsageError(f"line {node.start_mark.line + 2}: the front matter is nested too deeply")
    if isinstance(node.value, str):
        kind = node.tag.rpartition(":")[2]
        if kind == "null":
            return None
        if kind == "bool" and node.value.lower() in ("true", "false"):
            return node.value.lower() == "true"
        if kind == "int" and _INTEGER.fullmatch(node.value):
            return int(node.value)
        return str(node.value)
    if node.id == "mapping":
        return {
            str(key.value) if isinstance(key.value, str) else repr(plain(key, depth + 1)): plain(
                item, depth + 1
            )
            for key, item in node.value
        }
    return [plain(item, depth + 1) for item in node.value]


def text(node: Any) -> str | None:
    """A scalar's text as it was written (``yes`` stays "yes"); ``None`` for what has parts."""
    if not isinstance(node.value, str):
        return None
    return "" if node.tag.endswith(":null") else str(node.value)


def texts(node: Any) -> list[str] | None:
    """A list of texts, or one text as a list; ``None`` where something in it has parts."""
    if isinstance(node.value, str):
        single = text(node)
        return [single] if single else []
    if node.id == "mapping":
        return None
    found = [text(item) for item in node.value]
    return None if None in found else [item for item in found if item]
