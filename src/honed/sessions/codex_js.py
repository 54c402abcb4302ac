"""Reading literals out of a JavaScript program without running it.

Code mode's programs are short and mostly literal: objects with a command, patches as strings, lists of
either.  ``mask`` blanks everything that only looks like code (strings, comments, regular expressions), so
that plain patterns find the program's structure; ``literal`` gives the value of an expression where it is
made of literals and known names.  What is not literal is ``UNKNOWN``, and inside a text its source stays as
``${...}``.  Nothing here raises on any text; work is linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_DEPTH = 24


class _Unknown:
    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
"""The value of an expression that is not made of literals."""

_OPAQUE = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)"
    r"|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?"
    r"|(?:(?<=[=(,:;!&|?{}\[\n>])|(?<=\breturn))[ \t]{0,40}"
    r"/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*"
    r"|`",
    re.DOTALL,
)
_IN_TEMPLATE = re.compile(r"\\.|`|\$\{", re.DOTALL)
_BRACKETS = re.compile(r"[()\[\]{}]")
_PART_STOP = re.compile(r"[,(\[{]")
_OPERAND_STOP = re.compile(r"[+,;(\[{)\]}]")
_CLOSING = {"(": ")", "[": "]", "{": "}"}

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'", re.DOTALL)
_NUMBER = re.compile(r"-?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?)")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": "",
}  # fmt: skip
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}


def mask(source: str) -> str:
    """``source`` with the inside of strings, templates, comments and regular expressions as spaces."""
    pieces: list[str] = []
    at = 0
    while match := _OPAQUE.search(source, at):
        start = match.start()
        end = template_end(source, start) if match[0] == "`" else match.end()
        pieces.append(source[at:start])
        if end - start >= 2 and match[0][0] in "\"'`":
            pieces.append(source[start] + " " * (end - start - 2) + source[end - 1])
        else:
            pieces.append(" " * (end - start))
        at = end
    pieces.append(source[at:])
    return "".join(pieces)


def template_end(source: str, at: int, depth: int = 0) -> int:
    """Where the template literal that begins at ``at`` ends (behind its back-tick)."""
    at += 1
    while match := _IN_TEMPLATE.search(source, at):
        at = match.end()
        if match[0] == "`":
            return at
        if match[0] == "${":
            at = substitution_end(source, at, depth)
    return len(source)


_IN_SUBSTITUTION = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[{}`]")


def substitution_end(source: str, at: int, depth: int = 0) -> int:
    """Where the ``${`` whose inside begins at ``at`` ends (behind its brace)."""
    open_braces = 1
    while match := _IN_SUBSTITUTION.search(source, at):
        at = match.end()
        if match[0] == "{":
            open_braces += 1
        elif match[0] == "}":
            open_braces -= 1
            if not open_braces:
                return at
        elif match[0] == "`":
            if depth >= _DEPTH:
                return len(source)
            at = template_end(source, match.start(), depth + 1)
    return len(source)


def closing(masked: str, at: int) -> int:
    """The index of the bracket that closes the one at ``at``; the end of the text if none does."""
    expected: list[str] = []
    for match in _BRACKETS.finditer(masked, at):
        bracket = match[0]
        if bracket in _CLOSING:
            expected.append(_CLOSING[bracket])
        elif expected and bracket == expected[-1]:
            expected.pop()
            if not expected:
                return match.start()
        else:
            break
    return len(masked)


class Literals:
    """Evaluates literal expressions of one program; ``masked`` is its mask."""

    __slots__ = ("masked", "source")

    def __init__(self, source: str, masked: str) -> None:
        self.source = source
        self.masked = masked

    def value(self, at: int, names: Mapping[str, Any], depth: int = 0) -> Any:
        """The value of the expression at ``at``, which ends at a comma, a semicolon, a bracket or a line."""
        value, end = self._sum(at, names, depth)
        return value if self._ends(end) else UNKNOWN

    def _ends(self, at: int) -> bool:
        match = _SPACE.match(self.source, at)
        rest = match.end() if match else at
        if rest >= len(self.source) or self.source[rest] in ",;)]}":
            return True
        return "\n" in self.source[at:rest] and self.source[rest] not in ".+?[(&|=<>*-"

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.source, at)
        return match.end() if match else at

    def _sum(self, at: int, names: Mapping[str, Any], depth: int) -> tuple[Any, int]:
        value, end = self._postfix(at, names, depth)
        while True:
            here = self._skip(end)
            if not self.source.startswith("+", here) or self.source.startswith(("++", "+="), here):
                return value, end
            start = self._skip(here + 1)
            other, end = self._postfix(start, names, depth)
            if other is UNKNOWN:
                end = self._operand_end(start)
                other = "${" + self.source[start:end].strip() + "}" if isinstance(value, str) else UNKNOWN
            if isinstance(value, str) or isinstance(other, str):
                value = _text(value) + _text(other)
            else:
                value = UNKNOWN

    def _operand_end(self, at: int) -> int:
        """Where an operand that is not literal ends: at a plus, a comma or a bracket of its own level."""
        while match := _OPERAND_STOP.search(self.masked, at):
            if match[0] not in _CLOSING:
                return match.start()
            at = closing(self.masked, match.start()) + 1
        return len(self.masked)

    def _postfix(self, at: int, names: Mapping[str, Any], depth: int) -> tuple[Any, int]:
        value, end = self._primary(self._skip(at), names, depth)
        while value is not UNKNOWN:
            here = self._skip(end)
            if self.source.startswith("[", here) and isinstance(value, list | dict):
                key = self.value(here + 1, names, depth + 1)
                value, end = _element(value, key), closing(self.masked, here) + 1
                continue
            if not self.source.startswith(".", here) or not (name := _NAME.match(self.source, here + 1)):
                return value, end
            after = name.end()
            if self.source.startswith("(", after):
                close = closing(self.masked, after)
                value = self._method(value, name[0], after + 1, close, names, depth)
                end = close + 1
            else:
                value = value.get(name[0], UNKNOWN) if isinstance(value, dict) else UNKNOWN
                end = after
        return value, end

    def _method(
        self, value: Any, name: str, at: int, close: int, names: Mapping[str, Any], depth: int
    ) -> Any:
        if name == "join" and isinstance(value, list):
            glue = self.value(at, names, depth + 1) if self._skip(at) < close else ","
            return glue.join(map(_text, value)) if isinstance(glue, str) else UNKNOWN
        if isinstance(value, str) and self._skip(at) >= close:
            return {"trim": value.strip(), "trimStart": value.lstrip(), "trimEnd": value.rstrip()}.get(
                name, value if name == "toString" else UNKNOWN
            )
        return UNKNOWN

    def _primary(self, at: int, names: Mapping[str, Any], depth: int) -> tuple[Any, int]:
        source = self.source
        if depth > _DEPTH or at >= len(source):
            return UNKNOWN, at
        char = source[at]
        if char in "\"'":
            match = _STRING.match(source, at)
            if not match:
                return UNKNOWN, at
            return unescaped(match[1] if match[1] is not None else match[2]), match.end()
        if char == "`":
            end = template_end(source, at)
            return self._template(at + 1, end - 1, names, depth, raw=False), end
        if char == "{":
            return self._object(at, names, depth)
        if char == "[":
            return self.array(at, names, depth)
        if char == "(":
            return self.value(at + 1, names, depth + 1), closing(self.masked, at) + 1
        if match := _NUMBER.match(source, at):
            return _number(match[0]), match.end()
        if match := _NAME.match(source, at):
            return self._named(match[0], match.end(), names, depth)
        return UNKNOWN, at

    def _named(self, name: str, end: int, names: Mapping[str, Any], depth: int) -> tuple[Any, int]:
        if name in _WORDS:
            return _WORDS[name], end
        if name == "String" and self.source.startswith(".raw`", end):
            start = end + len(".raw")
            stop = template_end(self.source, start)
            return self._template(start + 1, stop - 1, names, depth, raw=True), stop
        return names.get(name, UNKNOWN), end

    def _template(self, at: int, end: int, names: Mapping[str, Any], depth: int, *, raw: bool) -> str:
        pieces: list[str] = []
        plain = seen = at
        while match := _IN_TEMPLATE.search(self.source, seen, end):
            seen = match.end()
            if match[0] == "${":
                seen = max(min(substitution_end(self.source, seen), end), seen)
                value = self.value(match.end(), names, depth + 1)
                pieces.append(_piece(self.source[plain : match.start()], raw))
                pieces.append(self.source[match.start() : seen] if value is UNKNOWN else _text(value))
                plain = seen
        pieces.append(_piece(self.source[plain:end], raw))
        return "".join(pieces)

    def array(self, at: int, names: Mapping[str, Any], depth: int = 0) -> tuple[list[Any], int]:
        """The elements of the list that begins at ``at``, and where it ends."""
        close = closing(self.masked, at)
        found: list[Any] = []
        for start in self._parts(at + 1, close):
            if self.source.startswith("...", start):
                spread = self.value(start + 3, names, depth + 1)
                found.extend(spread if isinstance(spread, list) else [UNKNOWN])
            else:
                found.append(self.value(start, names, depth + 1))
        return found, close + 1

    def _object(self, at: int, names: Mapping[str, Any], depth: int) -> tuple[dict[str, Any], int]:
        close = closing(self.masked, at)
        found: dict[str, Any] = {}
        for start in self._parts(at + 1, close):
            if self.source.startswith("...", start):
                spread = self.value(start + 3, names, depth + 1)
                found.update(spread if isinstance(spread, dict) else {})
                continue
            if match := _STRING.match(self.source, start):
                key = unescaped(match[1] if match[1] is not None else match[2])
            elif match := _NAME.match(self.source, start):
                key = match[0]
            else:
                continue
            after = self._skip(match.end())
            if self.source.startswith(":", after):
                found[key] = self.value(after + 1, names, depth + 1)
            else:
                found[key] = names.get(key, UNKNOWN)
        return found, close + 1

    def _parts(self, at: int, close: int) -> list[int]:
        """Where the comma-separated parts between ``at`` and ``close`` begin."""
        starts: list[int] = []
        while True:
            at = self._skip(at)
            if at >= close:
                return starts
            starts.append(at)
            at = self.part_end(at, close) + 1

    def part_end(self, at: int, close: int) -> int:
        """The comma that ends the part at ``at``, or ``close``."""
        while match := _PART_STOP.search(self.masked, at, close):
            if match[0] == ",":
                return match.start()
            at = closing(self.masked, match.start()) + 1
        return close


def _element(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(key, UNKNOWN) if isinstance(key, str) else UNKNOWN
    fits = isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(value)
    return value[key] if fits else UNKNOWN


def _piece(text: str, raw: bool) -> str:
    return text if raw else unescaped(text)


def unescaped(text: str) -> str:
    """The text that a string literal's inside stands for."""
    if "\\" not in text:
        return text
    text = _ESCAPE.sub(_unescape, text)
    if _SURROGATE.search(text):  # JavaScript writes characters beyond the first plane as two escapes
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "ux" and len(code) > 1:
        point = int(code[1:].strip("{}"), 16)
        return chr(point) if point < 0x110000 else ""
    return _PLAIN_ESCAPES.get(code, code)


def _number(text: str) -> Any:
    text = text.replace("_", "")
    try:
        return int(text) if len(text) < 20 else float(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return UNKNOWN


def _text(value: Any) -> str:
    """How a value reads inside a text; what is not known shows as ``${...}``."""
    if isinstance(value, str):
        return value
    if value is UNKNOWN:
        return "${...}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
