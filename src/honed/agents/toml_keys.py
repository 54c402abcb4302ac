"""One key of a TOML text, put in and taken out; every byte outside its line stays.

As in ``toml_text``, nothing is written anew from values, and each result is held against ``tomllib``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from honed.agents.toml_text import (
    at_end,
    checked,
    headers,
    name,
    parse,
    past_line,
    value_at,
    without_lines,
    without_newline,
)

Value = str | bool | list[str]


@dataclass(frozen=True, slots=True)
class _Statement:
    """One key with its value: where it begins and ends, below which header it stands, and its whole name."""

    start: int
    end: int
    table: tuple[str, ...]
    path: tuple[str, ...]


def put_key(text: str, path: tuple[str, ...], value: Value, mark: str = "") -> str:
    """``text`` with ``value`` at ``path``; in its place if it is there.

    Else a key of a table goes below its header, beside such keys of it as are written with dots, or under a
    header of its own at the end; one of no table goes before the first.  ``mark`` is a comment that tells it
    again.  Raises ``UsageError`` where the text is none, or the table is an inline one.
    """
    before = parse(text)
    *outer, key = path
    table = tuple(outer)
    there = value_at(before, table)
    if there.get(key) == value:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    tail = f"  # {mark}" if mark else ""
    line = f"{key} = {json.dumps(value)}{tail}"
    found = list(_statements(text))
    same = next((one for one in found if one.path == path), None)
    header = next((at for at, named in headers(text) if table and named == table), None)
    dotted = [one for one in found if table and not one.table and one.path[: len(table)] == table]
    if same is not None:
        whole = line if same.table == table else f"{'.'.join(table)}.{line}"
        ended = newline if text[: same.end].endswith("\n") else ""
        new = text[: same.start] + whole + ended + text[same.end :]
    elif header is not None:
        new = _inserted(text, past_line(text, header, 0)[0], line, newline)
    elif dotted:
        new = _inserted(text, dotted[-1].end, f"{'.'.join(table)}.{line}", newline)
    elif table:
        new = at_end(text, [f"[{'.'.join(table)}]{tail}", line], newline)
    else:
        new = _inserted(text, _end_of_root(text, found), line, newline)
    return checked(new, before, table, {**there, key: value})


def take_key(text: str, path: tuple[str, ...], mark: str = "") -> str:
    """``text`` without the key at ``path``, if it carries ``mark``; a header that carries it goes too if
    nothing is left below it, else loses it."""
    table = path[:-1]
    one = next((one for one in _statements(text) if one.path == path), None)
    if one is None or not text[one.start : one.end].rstrip().endswith(mark):
        return text
    head, tail = text[: one.start], text[one.end :]
    open_end = not tail and not text.endswith("\n")
    text = (without_newline(head) if open_end else head) + tail
    header = next((at for at, named in headers(text) if table and named == table), None)
    if not mark or header is None:
        return text
    end = past_line(text, header, 0)[0]
    written = text[header:end].rstrip("\r\n")
    if not written.endswith(f"  # {mark}"):
        return text
    if not any(one.table == table for one in _statements(text)):
        return without_lines(text, header, end)
    kept = written.removesuffix(f"  # {mark}")
    return text[:header] + kept + text[header + len(written) :]


def _inserted(text: str, at: int, line: str, newline: str) -> str:
    """``text`` with a line at ``at``; behind a last line that is not ended it is not ended either."""
    if at == len(text) and text and not text.endswith("\n"):
        return text + newline + line
    return text[:at] + line + newline + text[at:]


def _end_of_root(text: str, found: list[_Statement]) -> int:
    """Where a key of no table can stand: behind the last, else before the first header and its comment."""
    root = [one for one in found if not one.table]
    if root:
        return root[-1].end
    at = next((start for start, _ in headers(text)), len(text))
    while 0 < at < len(text):
        start = text.rfind("\n", 0, at - 1) + 1
        if not text[start:at].lstrip().startswith("#"):
            break
        at = start
    return max(at, len(text) - len(text.removeprefix("\ufeff")))


def _statements(text: str) -> Iterator[_Statement]:
    """Every key with its value, not those inside inline tables, nor those of arrays of tables."""
    bounds: list[tuple[int, tuple[str, ...]]] = [(0, ()), *headers(text)]
    for number, (begin, table) in enumerate(bounds):
        stop = bounds[number + 1][0] if number + 1 < len(bounds) else len(text)
        at = past_line(text, begin, 0)[0] if number else begin
        while at < stop:
            start = at
            at, depth = past_line(text, at, 0)
            while depth and at < stop:
                at, depth = past_line(text, at, depth)
            key = _key(text[start:at].removeprefix("\ufeff"))
            if key and table != ("",):
                yield _Statement(start + text.startswith("\ufeff", start), at, table, (*table, *key))


def _key(statement: str) -> tuple[str, ...]:
    """The key of a statement, its parts; empty for a comment or an empty line."""
    quote = ""
    for at, char in enumerate(statement):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "#":
            return ()
        elif char == "=":
            return tuple(part for part in name(f"[{statement[:at].strip()}]") if part)
    return ()
