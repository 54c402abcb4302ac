"""One table of a TOML text, or (``toml_keys``) one key, put in and taken out; every byte outside it stays.

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
    there = value_at(before, table)
    if values.items() <= there.items():
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    header = next((at for at, named in headers(text) if named == table), None)
    if header is None:
        new = at_end(text, [f"[{'.'.join(table)}]", *lines], newline)
    else:
        new = _changed(text, header, lines, values, newline)
    return checked(new, before, table, {**there, **values})


def at_end(text: str, lines: list[str], newline: str) -> str:
    """``text`` with a table's ``lines`` behind an empty line.

    A text whose last line is not ended is given back so: then neither is the table's.
    """
    block = newline.join(lines) + newline
    open_end = bool(text) and not text.endswith("\n")
    head = text + newline if open_end else text
    return head + (newline if head else "") + (block.removesuffix(newline) if open_end else block)


def checked(new: str, before: dict[str, object], table: tuple[str, ...], values: Mapping[str, object]) -> str:
    """``new``, if it says what ``before`` did with ``table`` holding ``values``.  Raises ``UsageError``."""
    try:
        same = tomllib.loads(new.removeprefix("\ufeff")) == _with(before, table, dict(values))
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        told = ".".join(table)
        raise UsageError(f"{told} is written in a form that cannot be added to (an inline table?)")
    return new


def _changed(text: str, header: int, lines: list[str], names: Container[str], newline: str) -> str:
    """``text`` with ``lines`` below the header at ``header``, in place of what says one of ``names``."""
    at, _ = past_line(text, header, 0)
    stop = next((begin for begin, _ in headers(text) if begin > header), len(text))
    kept, ended = [], text[:stop].endswith("\n")
    while at < stop:
        begin = at
        at, depth = past_line(text, at, 0)
        while depth and at < stop:
            at, depth = past_line(text, at, depth)
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
        text = without_lines(text, *span)
    return text


def without_lines(text: str, start: int, end: int) -> str:
    """``text`` without the lines of a table, and without the empty line that ``at_end`` made."""
    head = text[:start]
    if end == len(text) and not text.endswith("\n"):
        head = without_newline(without_newline(head))
    elif (shorter := without_newline(head)) == "" or shorter.endswith("\n"):
        head = shorter
    return head + text[end:]


def without_newline(text: str) -> str:
    """``text`` without the newline that ends it."""
    return text[:-1].removesuffix("\r") if text.endswith("\n") else text


def value_at(values: Mapping[str, object], table: tuple[str, ...]) -> Mapping[str, object]:
    """What ``values`` hold in ``table``; nothing where it is none."""
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
    found = list(headers(text))
    start = end = -1
    for number, (at, named) in enumerate(found):
        own = named[: len(table)] == table
        if own and (start < 0 or end == at):
            start = at if start < 0 else start
            stop = found[number + 1][0] if number + 1 < len(found) else len(text)
            end = stop
    if start < 0:
        return None
    # Comments and empty lines at its end belong to what follows.
    lines = text[start:end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return start, start + len("".join(lines))


def headers(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every table header: where its line begins, and its name."""
    at, depth = len(text) - len(text.removeprefix("\ufeff")), 0
    while at < len(text):
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        stripped = text[at:line_end].lstrip(" \t")
        if depth == 0 and stripped.startswith("["):
            yield at, name(stripped)
            at = line_end + 1
            continue
        at, depth = past_line(text, at, depth)


def name(header: str) -> tuple[str, ...]:
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


def past_line(text: str, at: int, depth: int) -> tuple[int, int]:
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
