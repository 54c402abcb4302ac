"""Which reader reads this?  Decided by content, never by the file's name.

``read`` is the one way into this room: bytes in, events out.  A reader is a module with
``recognises(head)`` and ``read(records, context)``; ``READERS`` lists them in the order in which
they are asked.
"""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Protocol, cast

from honed.errors import HonedError
from honed.sessions.model import Event
from honed.sessions.source import (
    DOCUMENT_LIMIT,
    Json,
    Opener,
    Record,
    Resume,
    Tally,
    json_lines,
    parse,
    prefix_digest,
)

HEAD_RECORDS = 60
"""How many records a reader may look at before it says whether the transcript is its own."""

LINE_READERS = ("claude_code", "codex", "copilot", "pi", "gemini", "cursor", "native")
DOCUMENT_READERS = ("opencode", "gemini")


class UnknownTranscriptError(HonedError):
    """No reader knows this format; the message says what the file looks like."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a reader is given beside its records."""

    tally: Tally
    related: Opener
    name: str = ""
    """The transcript's file name without folder, for ids only where the content has none."""
    resume: Resume | None = None


class Reader(Protocol):
    """One client's format.  Modules fulfil it."""

    def recognises(self, head: Sequence[Json]) -> bool:
        """Whether these first records are this client's."""

    def read(self, records: Iterator[Record], context: Context) -> Iterator[Event]:
        """The events of the transcript: SessionStart first, SessionEnd last."""


def _reader(name: str) -> Reader:
    return cast(Reader, importlib.import_module(f"honed.sessions.{name}"))


def nothing_related(_name: str) -> BinaryIO | None:
    """An ``Opener`` for transcripts that stand alone."""
    return None


def read(
    stream: BinaryIO, *, name: str = "", related: Opener = nothing_related, resume: Resume | None = None
) -> Iterator[Event]:
    """Yield the events of a transcript.

    ``stream`` is seekable and stands at its beginning.  With ``resume`` reading starts there if the
    bytes before it are still the same, else from the beginning (the caller sees it by the first
    event's being followed by requests it already knows).  Raises ``UnknownTranscriptError``.
    """
    tally = Tally()
    if resume is not None and prefix_digest(stream, resume.offset) != resume.prefix:
        resume = None
    stream.seek(0)
    head = [record.value for _, record in zip(range(HEAD_RECORDS), json_lines(stream, Tally()), strict=False)]
    for module in LINE_READERS:
        reader = _reader(module)
        if head and reader.recognises(head):
            yield from _read_lines(reader, stream, Context(tally, related, name, resume), head)
            return
    document = _document(stream)
    for module in DOCUMENT_READERS:
        reader = _reader(module)
        if document is not None and reader.recognises([document]):
            tally.records = 1
            yield from reader.read(iter([Record(1, 0, document)]), Context(tally, related, name, None))
            return
    raise UnknownTranscriptError(_describe(stream, head))


def _read_lines(reader: Reader, stream: BinaryIO, context: Context, head: list[Json]) -> Iterator[Event]:
    resume = context.resume
    stream.seek(resume.offset if resume else 0)
    if resume is None:
        yield from reader.read(json_lines(stream, context.tally), context)
        return
    # The head is read again so that the reader knows the session it resumes in.
    opening = (Record(0, 0, value) for value in head[:1])
    body = json_lines(stream, context.tally, offset=resume.offset, line=resume.line)
    yield from reader.read(chain(opening, body), context)


def _document(stream: BinaryIO) -> Json | None:
    stream.seek(0)
    raw = stream.read(DOCUMENT_LIMIT + 1)
    return None if len(raw) > DOCUMENT_LIMIT else parse(raw)


def _describe(stream: BinaryIO, head: list[Json]) -> str:
    stream.seek(0)
    first = stream.read(80)
    if not first.strip():
        return "the file is empty; nothing to read"
    if head:
        keys = ", ".join(sorted(head[0])[:8])
        return f"JSON, but of no client that honed reads (keys of the first record: {keys})"
    return f"not a transcript: begins with {json.dumps(first.decode('utf-8', 'replace'))}"


def read_bytes(data: bytes, *, name: str = "", related: Opener = nothing_related) -> Iterator[Event]:
    """``read`` over bytes in memory."""
    return read(io.BytesIO(data), name=name, related=related)
