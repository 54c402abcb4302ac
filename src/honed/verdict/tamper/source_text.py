"""Source text of any language: comments, brackets and strings, as far as a stretch of it tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

STATEMENT_LIMIT = 3000
"""Characters of one statement that are looked at."""

_SLASHES = ("//", "/*", "*/")
COMMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("python", "ruby", "elixir", "shell", "r", "julia"), ("#",)),
    **dict.fromkeys(("lua", "haskell"), ("--",)),
    "clojure": (";",),
    **dict.fromkeys("javascript go rust java csharp swift dart cpp".split(), _SLASHES),
    "php": (*_SLASHES, "#"),
}
NO_COMMENT: dict[str, tuple[str, ...]] = {
    "php": ("#[",),
    "rust": ("#[",),
    "cpp": ("#",),
    "go": ("//go:build", "// +build"),
}
"""Lines that begin like a comment and are code."""
UNCOMMENT = re.compile(r"^\s*(?:#+|//+|/\*+|\*|--|%)\s?|\s*\*/\s*$")


def code_lines(lines: Iterable[str], language: str) -> Iterator[str]:
    """The lines without those that are nothing but a comment."""
    marks = COMMENTS.get(language, ("#", "//"))
    code = NO_COMMENT.get(language, ())
    in_block = False
    for line in lines:
        stripped = line.strip()
        if in_block:
            in_block = "*/" not in stripped
            continue
        if "/*" in marks and stripped.startswith("/*"):
            in_block = "*/" not in stripped
            continue
        if not stripped.startswith(marks) or (code and stripped.startswith(code)):
            yield line


def squeeze(text: str) -> str:
    """White space made one blank, none at the edges of brackets, no comma before a closing one."""
    text = " ".join(text.split())
    if " " in text:
        text = _EDGE_BLANKS.sub("", text)
    return _LAST_COMMA.sub("", text) if "," in text else text


_EDGE_BLANKS = re.compile(r"(?<=[(\[{]) | (?=[)\]}.])")
_LAST_COMMA = re.compile(r",(?=[)\]}])")


_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_TOKEN = r"\"\"\"|'''|\"(?:\\.|[^\"\\\n])*\"|(?<![\w])'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[()\[\]{}]"
_TOKENS = re.compile(_TOKEN)
_ENDS = re.compile(_TOKEN + r"|\n|;|\s#\s")


def closing(text: str, opening: int) -> int:
    """Where the bracket at ``opening`` is closed, or where the text (or the limit) ends."""
    depth = 0
    stop = min(len(text), opening + STATEMENT_LIMIT)
    for match in _TOKENS.finditer(text, opening, stop):
        token = match.group()
        if token in _BRACKETS:
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                return match.start()
    return stop


def split_top(text: str) -> list[str]:
    """``text`` split at the commas that stand in no bracket and no string; never empty."""
    parts, depth, start = [], 0, 0
    for match in _COMMAS.finditer(text):
        token = match.group()
        if token in _BRACKETS:
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif token == "," and depth == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    parts.append(text[start:])
    return [part for part in parts if part.strip()] or [""]


_COMMAS = re.compile(_TOKEN + "|,")


def end_of_statement(text: str, start: int) -> int:
    """The end of the line, or of the brackets that it leaves open."""
    depth = 0
    stop = min(len(text), start + STATEMENT_LIMIT)
    for match in _ENDS.finditer(text, start, stop):
        token = match.group()
        if token in _BRACKETS:
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth < 0:
                return match.start()
        elif depth <= 0 and (token in ("\n", ";") or token.strip() == "#"):
            if token == "\n" and text[match.start() - 1 : match.start()] == "\\":
                continue
            return match.start()
    return stop


def masked(text: str) -> str:
    """``text`` with what stands in brackets and strings blotted out, every character at its place."""
    out, depth, start = list(text), 0, 0
    for match in _TOKENS.finditer(text):
        token = match.group()
        if token in _BRACKETS:
            if depth == 0:
                start = match.end()
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                out[start : match.start()] = "\0" * (match.start() - start)
        elif depth == 0 and len(token) > 2:
            out[match.start() + 1 : match.end() - 1] = "\0" * (len(token) - 2)
    return "".join(out)
