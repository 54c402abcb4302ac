"""A full text's own index: can every word be found that is there?

SQLite's check of a full text adds up what its segments hold.  It does not see that the way to a page is
missing, or that pages were exchanged: then a word is there and no search finds it.  This follows the ways
that a search takes.  Format 4 of FTS5, as its source (ext/fts5/fts5_index.c) describes it:

    *_data    id 10: the structure (segments by level); id segid << 37 | page: a leaf
    *_idx     for each leaf on which a term begins: a text between the last term before and that one
    a leaf    2 bytes: first rowid, 2 bytes: end of its content, content, then where its terms begin
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from honed.store.tidying import TIDY

FORMAT = 4
_AVERAGES, _STRUCTURE = 1, 10
_SEGMENT_BITS, _INDEX_BIT = 37, 1 << 36
_FLAGGED = b"\xff\x00\x00\x01"
"""Marks a structure of another kind of table (contentless with deletes)."""


@dataclass(frozen=True, slots=True)
class _Segment:
    number: int
    first: int
    last: int


def segments_fault(connection: sqlite3.Connection, table: str) -> str:
    """What is wrong with the way to the words of a full text, empty if nothing is."""
    settings = set(connection.execute(f"SELECT k, v FROM {table}_config").fetchall())
    if settings - TIDY != {("version", FORMAT)}:
        return f"its settings are not those of format {FORMAT}"
    try:
        segments = list(_segments(_block(connection, table, _STRUCTURE)))
        for segment in segments:
            _check(connection, table, segment)
    except _WrongError as error:
        return str(error)
    except IndexError:
        return "a page ends before it should"
    return _strays(connection, table, segments)


def totals(connection: sqlite3.Connection, table: str) -> list[int]:
    """What a full text counts: its rows, and the words of each column.

    FTS5 takes them for granted: one row too few, and the next deletion calls the file malformed.
    """
    row = connection.execute(f"SELECT block FROM {table}_data WHERE id = ?", (_AVERAGES,)).fetchone()
    raw, at = bytes(row[0] or b"") if row else b"", 0
    found: list[int] = []
    while at < len(raw):
        value, at = _number(raw, at)
        found.append(value)
    return found


def pieces(connection: sqlite3.Connection, table: str) -> int:
    """How many segments a full text is in: a search looks into each."""
    return sum(1 for _ in _segments(_block(connection, table, _STRUCTURE)))


class _WrongError(Exception):
    """A segment is not what a search needs."""


def _block(connection: sqlite3.Connection, table: str, key: int) -> bytes:
    row = connection.execute(f"SELECT block FROM {table}_data WHERE id = ?", (key,)).fetchone()
    if row is None or not isinstance(row[0], bytes):
        raise _WrongError(f"page {key} is missing")
    return row[0]


def _number(raw: bytes, at: int) -> tuple[int, int]:
    """A variable-length integer of SQLite's, and where the next thing begins."""
    value = 0
    for place in range(8):
        byte = raw[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | raw[at + 8], at + 9


def _segments(raw: bytes) -> Iterator[_Segment]:
    if raw[4:8] == _FLAGGED:
        raise _WrongError("its structure is that of another kind of table")
    levels, at = _number(raw, 4)
    _, at = _number(raw, at)
    _, at = _number(raw, at)
    for _ in range(levels):
        _, at = _number(raw, at)
        count, at = _number(raw, at)
        for _ in range(count):
            number, at = _number(raw, at)
            first, at = _number(raw, at)
            last, at = _number(raw, at)
            yield _Segment(number, first, last)


def _terms(raw: bytes) -> Iterator[bytes]:
    """The terms that begin on a leaf."""
    end = int.from_bytes(raw[2:4], "big")
    footer, begin, term = end, 0, b""
    while footer < len(raw):
        step, footer = _number(raw, footer)
        at = begin + step
        kept, at = (0, at) if not begin else _number(raw, at)
        size, at = _number(raw, at)
        term = term[:kept] + raw[at : at + size]
        begin += step
        yield term


def _check(connection: sqlite3.Connection, table: str, segment: _Segment) -> None:
    """Terms must ascend over the pages of a segment, and each page be found by what leads to it."""
    where = f"segment {segment.number}"
    ways = connection.execute(
        f"SELECT term, pgno >> 1 FROM {table}_idx WHERE segid = ? AND pgno >> 1 >= ? ORDER BY term",
        (segment.number, segment.first),
    ).fetchall()
    before, place = b"", 0
    for page in range(segment.first, segment.last + 1):
        first = True
        for term in _terms(_block(connection, table, (segment.number << _SEGMENT_BITS) + page)):
            if first:
                way, target = ways[place] if place < len(ways) else (None, 0)
                if target != page or not isinstance(way, bytes) or not _leads(way, before, term, segment):
                    raise _WrongError(f"nothing leads to page {page} of {where}")
                place, first = place + 1, False
            if term <= before:
                raise _WrongError(f"the words of {where} are not in order on page {page}")
            before = term
    if place != len(ways):
        raise _WrongError(f"something leads to a page that {where} has not")


def _leads(way: bytes, before: bytes, term: bytes, segment: _Segment) -> bool:
    if before:
        return before < way <= term
    # A segment whose beginning was merged away keeps the ways of the pages that are left.
    return way <= term if segment.first > 1 else not way


def _strays(connection: sqlite3.Connection, table: str, segments: list[_Segment]) -> str:
    """What belongs to no segment."""
    known = {segment.number: segment for segment in segments}
    for (key,) in connection.execute(
        f"SELECT id FROM {table}_data WHERE id NOT IN (?, ?)", (_AVERAGES, _STRUCTURE)
    ):
        segment = known.get(key >> _SEGMENT_BITS)
        page = key & (_INDEX_BIT - 1)
        leads = key & _INDEX_BIT
        if segment is None or (not leads and not segment.first <= page <= segment.last):
            return f"page {key} belongs to no segment"
    marks = ", ".join("?" * len(known))
    stray = connection.execute(
        f"SELECT segid FROM {table}_idx WHERE segid NOT IN ({marks}) LIMIT 1", tuple(known)
    ).fetchone()
    return f"something leads to segment {stray[0]}, which is not there" if stray else ""
