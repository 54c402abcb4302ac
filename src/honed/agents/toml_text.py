"""One table of a TOML text, put in and taken out; every byte outside it stays.

The text is never written anew from its values (that would lose comments and order): tables are found by
their headers, strings and lists over several lines minded, and each result is held against ``tomllib``.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Container, Iterator, Mapping

from honed.errors import UsageError


def parse(text: str) -> dict[str, object]:
    """The value of a TOML text.  Raises ``UsageError`` for what is none."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"not TOML ({error})") from error


def put(text: str, table: tuple[str, ...], values: Mapping[str, str | list[str]]) -> str:
    """``text`` with the table ``table`` holding ``values``: in its place if it is there, else at the end.

    What else stands in the table stays: its user, or the client itself, put it there.  Raises ``UsageError``
    where the text is none, or says the same otherwise (an inline table).
    """
    before = parse(text)
    there = _at(before, table)
    if values.items() <= there.items():
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    header = next((at for at, name in _headers(text) if name == table), None)
    if header is None:
        block = newline.join([f"[{'.'.join(table)}]", *lines]) + newline
        # A text whose last line is not ended is given back so: then neither is the table's.
        open_end = bool(text) and not text.endswith("\n")
        head = text + newline if open_end else text
        new = head + (newline if head else "") + (block.removesuffix(newline) if open_end else block)
    else:
        new = _changed(text, header, lines, values, newline)
    wanted = _with(before, table, {**there, **values})
    try:
        same = tomllib.loads(new.removeprefix("\ufeff")) == wanted
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        name = ".".join(table)
        raise UsageError(f"{name} is written in a form that cannot be added to (an inline table?)")
    return new


def _changed(text: str, header: int, lines: list[str], names: Container[str], newline: str) -> str:
    """``text`` with ``lines`` below the header at ``header``, in place of what says one of ``names``."""
    at, _ = _past_line(text, header, 0)
    stop = next((begin for begin, _ in _headers(text) if begin > header), len(text))
    kept, ended = [], text[:stop].endswith("\n")
    while at < stop:
        begin = at
        at, depth = _past_line(text, at, 0)
        while depth and at < stop:
            at, depth = _past_line(text, at, depth)
        kept.append("" if _key(text[begin:at]) in names else text[begin:at])
    head = text[:header] + text[header:].partition("\n")[0].rstrip("\r")
    block = newline.join([head, *lines]) + (newline if ended or any(kept) else "")
    return block + "".join(kept) + text[stop:]


def _key(statement: str) -> str:
    """The first key of a line, or of a few that belong together; empty for a comment or an empty line."""
    try:
        return next(iter(tomllib.loads(statement)), "")
    except tomllib.TOMLDecodeError:
        return ""


def take(text: str, table: tuple[str, ...]) -> str:
    """``text`` without a table and those below it, and without the empty line that ``put`` made."""
    while span := _span(text, table):
        start, end = span
        head = text[:start]
        if end == len(text) and not text.endswith("\n"):
            head = _without_newline(_without_newline(head))
        elif (shorter := _without_newline(head)) == "" or shorter.endswith("\n"):
            head = shorter
        text = head + text[end:]
    return text


def _without_newline(text: str) -> str:
    return text[:-1].removesuffix("\r") if text.endswith("\n") else text


def _at(values: Mapping[str, object], table: tuple[str, ...]) -> Mapping[str, object]:
    for name in table:
        below = values.get(name)
        values = below if isinstance(below, dict) else {}
    return values


def _with(values: dict[str, object], table: tuple[str, ...], inner: dict[str, object]) -> dict[str, object]:
    if not table:
        return inner
    below = values.get(table[0])
    return {**values, table[0]: _with(below if isinstance(below, dict) else {}, table[1:], inner)}


def _span(text: str, table: tuple[str, ...]) -> tuple[int, int] | None:
    """From the header of ``table`` to the end of its last line, with the tables below it if they follow."""
    headers = list(_headers(text))
    start = end = -1
    for number, (at, name) in enumerate(headers):
        own = name[: len(table)] == table
        if own and (start < 0 or end == at):
            start = at if start < 0 else start
            stop = headers[number + 1][0] if number + 1 < len(headers) else len(text)
            end = stop
    if start < 0:
        return None
    # Comments and empty lines at its end belong to what follows.
    lines = text[start:end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return start, start + len("".join(lines))


def _headers(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every table header: where its line begins, and its name."""
    at, depth = 0, 0
    while at < len(text):
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        stripped = text[at:line_end].lstrip(" \t")
        if depth == 0 and stripped.startswith("["):
            yield at, _name(stripped)
            at = line_end + 1
            continue
        at, depth = _past_line(text, at, depth)


def _name(header: str) -> tuple[str, ...]:
    """The keys of a header line; empty for an array of tables."""
    if header.startswith("[["):
        return ("",)
    try:
        value: object = tomllib.loads(header.rstrip())
    except tomllib.TOMLDecodeError:
        return ("",)
    keys = []
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        keys.append(key)
    return tuple(keys)


def _past_line(text: str, at: int, depth: int) -> tuple[int, int]:
    """Past the end of a line, or of the string over several lines in it; with the depth of brackets."""
    while at < len(text):
        char = text[at]
        if char == "\n":
            return at + 1, depth
        if char == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif char in "\"'":
            at = _past_string(text, at)
        else:
            depth += (char in "[{") - (char in "]}")
            at += 1
    return at, depth


def _past_string(text: str, at: int) -> int:
    quote = text[at]
    mark = quote * 3 if text.startswith(quote * 3, at) else quote
    at += len(mark)
    while at < len(text) and not text.startswith(mark, at):
        at += 2 if quote == '"' and text[at] == "\\" else 1
    at += len(mark)
    while len(mark) == 3 and text.startswith(quote, at):
        at += 1  # up to two quotes may stand before the closing three
    return at
