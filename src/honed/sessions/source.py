"""From bytes to records: bounded lines, counted and skipped where they are no JSON objects.

Nothing here knows a client.  A line longer than ``LINE_LIMIT`` is skipped without being held in
memory; the same for a document longer than ``DOCUMENT_LIMIT`` in the single-document formats.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, TypeAlias

LINE_LIMIT = 16 * 1024 * 1024
"""Bytes; design.md, Limits."""
DOCUMENT_LIMIT = 64 * 1024 * 1024
"""Bytes of a single-document transcript."""

_BOM = b"\xef\xbb\xbf"
_ODD_ESCAPE = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")
_UNSTORABLE = re.compile("[\ud800-\udfff\x00]")
_BACKSLASH = re.compile(rb'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object: its 1-based line, the byte offset of that line, and the value."""

    line: int
    offset: int
    value: Json


@dataclass(slots=True)
class Tally:
    """What a reader could and could not read; filled while it reads."""

    records: int = 0
    skipped: int = 0
    reasons: list[str] = field(default_factory=list)

    def skip(self, line: int, reason: str) -> None:
        """Count a line that is passed over; the first ten reasons are kept."""
        self.skipped += 1
        if len(self.reasons) < 10:
            self.reasons.append(f"line {line}: {reason}")


@dataclass(frozen=True, slots=True)
class Resume:
    """Where an earlier read stopped: at the first request of the task that was still open.

    ``offset``, ``line`` and ``ordinal`` are that ``Request``'s own.  ``prefix`` is ``prefix_digest`` of
    the bytes before ``offset``; when the file no longer begins with them it is read from the start.
    What the session is (``SessionStart``) is not kept here: it is read again from the file's head.

    Nothing before the request is told again.  So whoever chooses it goes back to a request before the
    ``started`` of every background step that the last read gave as "running": its end is still to come.
    """

    offset: int
    line: int
    ordinal: int
    prefix: str


Opener: TypeAlias = Callable[[str], "BinaryIO | None"]
"""Opens a file beside the transcript by its relative name (``<session>/subagents/x.jsonl``), or
says ``None`` when there is none."""


def raw_lines(
    stream: BinaryIO, tally: Tally, *, offset: int = 0, line: int = 1
) -> Iterator[tuple[int, int, bytes]]:
    """Yield ``(line number, byte offset, bytes)`` of each line that is short enough.

    ``stream`` stands at ``offset``.  Blank lines are passed over in silence.
    """
    while True:
        raw = stream.readline(LINE_LIMIT + 1)
        if not raw:
            return
        start, size = offset, len(raw)
        if size > LINE_LIMIT and not raw.endswith(b"\n"):
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(1024 * 1024)
                size += len(raw)
            tally.skip(line, f"longer than {LINE_LIMIT} bytes")
        elif raw.strip():
            yield line, start, raw
        offset = start + size
        line += 1


def parse(raw: bytes) -> Json | None:
    """The JSON object in ``raw`` (UTF-8, with or without byte-order mark), ``None`` when it is anything else.

    Lone surrogates and NUL, which JSON may escape but no database stores, become U+FFFD.
    """
    try:
        value = json.loads((raw[3:] if raw.startswith(_BOM) else raw).decode("utf-8"))
        if _ODD_ESCAPE.search(raw):
            value = _storable(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def mended(raw: bytes) -> bytes:
    """``raw`` with every backslash that begins no JSON escape doubled.

    Redactors that work on a file as text leave such; in a single document one of them would cost all of it.
    """
    return _BACKSLASH.sub(lambda found: found[0] if found[1] else rb"\\", raw)


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    return [_storable(item) for item in value] if isinstance(value, list) else value


def json_lines(stream: BinaryIO, tally: Tally, *, offset: int = 0, line: int = 1) -> Iterator[Record]:
    """Yield every line that is a JSON object; count the others in ``tally``."""
    for number, start, raw in raw_lines(stream, tally, offset=offset, line=line):
        value = parse(raw)
        if value is None:
            tally.skip(number, "no JSON object")
            continue
        tally.records += 1
        yield Record(number, start, value)


def prefix_digest(stream: BinaryIO, length: int) -> str:
    """Digest of the next ``length`` bytes of ``stream`` (shorter if the stream is)."""
    digest = hashlib.blake2b(digest_size=16)
    left = length
    while left > 0:
        chunk = stream.read(min(left, 1024 * 1024))
        if not chunk:
            break
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest()
