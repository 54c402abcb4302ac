"""Which reader reads this?  Decided by content, never by the file's name.

``read`` is the one way into this room: bytes in, events out.  A reader is a module with
``recognises(head)`` and ``read(records, context)``; ``READERS`` lists them in the order in which
they are asked.
"""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import BinaryIO, Protocol, cast

from honed.errors import HonedError
from honed.sessions.foreign import name_foreign
from honed.sessions.model import Boundary, Event, FileChange, Hunk, Request, Step
from honed.sessions.private import without_private
from honed.sessions.source import (
    DOCUMENT_LIMIT,
    Json,
    Opener,
    Record,
    Resume,
    Tally,
    json_lines,
    mended,
    parse,
    prefix_digest,
)

HEAD_RECORDS = 60
"""How many records a reader may look at before it says whether the transcript is its own."""
HEAD_BYTES = 4 * 1024 * 1024
"""How far they may reach into the file, the last one aside: the head is held in memory."""

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
    head: Sequence[Json] = ()
    """The first records of the *file* (at most ``HEAD_RECORDS``), also when reading resumes further on.
    For a single document it holds that document."""

    @property
    def first_ordinal(self) -> int:
        """The ordinal of the first event that is counted: 0, or where the earlier read stopped."""
        return self.resume.ordinal if self.resume else 0


class Reader(Protocol):
    """One client's format.  Modules fulfil it.

    The contract, so that a resumed read says the same as a whole one:

    * ``SessionStart`` is a function of ``context.head`` and ``context.name`` alone, never of ``records``:
      the head is the file's beginning in both cases.
    * ``records`` begins at the file's first line, or at the first line of the open task's first request
      (``context.resume``).  Lines and offsets in it are always those of the file.  Nothing before it is
      given again, so a reader keeps no fact from earlier records that it could not do without; where it
      must (the current directory of a turn), it falls back on the head.
    * Ordinals begin with ``context.first_ordinal``: a Request takes the next one, a Step one when it
      starts and one when it finishes, other events one each.  The first request of a resumed read thus
      has the ordinal it had before.
    * A result whose call is not in ``records`` is passed over (or told, where it alone says what changed).
    * No JSON object may raise: any field may be missing or of any type.
    """

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
    if resume is not None and prefix_digest(stream, resume.offset) != resume.prefix:
        resume = None
    stream.seek(0)
    tally = Tally()
    records = json_lines(stream, tally)
    opening = _opening(records)
    head = [record.value for record in opening]
    for module in LINE_READERS:
        reader = _reader(module)
        if head and reader.recognises(head):
            if resume is None:
                records = chain(opening, records)
            else:
                stream.seek(resume.offset)
                tally = Tally()
                records = json_lines(stream, tally, offset=resume.offset, line=resume.line)
            yield from kept_private(
                asked_once(reader.read(records, Context(tally, related, name, resume, head)))
            )
            return
    document = _document(stream)
    for module in DOCUMENT_READERS:
        reader = _reader(module)
        if document is not None and reader.recognises([document]):
            tally = Tally(records=1)
            context = Context(tally, related, name, None, [document])
            yield from kept_private(asked_once(reader.read(iter([Record(1, 0, document)]), context)))
            return
    raise UnknownTranscriptError(_describe(stream, [document] if document else head))


def kept_private(events: Iterable[Event]) -> Iterator[Event]:
    """The events without the ``<private>`` spans of what was asked, run, printed and changed.

    What was not asked by a person keeps a tag that nothing closes.
    """
    for event in events:
        if isinstance(event, Request):
            text = without_private(event.text, begun=True)
            yield event if text == event.text else replace(event, text=text)
        elif isinstance(event, Step):
            yield _step_kept_private(event)
        else:
            yield event


def _step_kept_private(step: Step) -> Step:
    told = (step.command or "", step.output, step.query)
    kept = tuple(without_private(text, closed=True) for text in told)
    changes = tuple(map(_change_kept_private, step.changes))
    if kept == told and all(new is old for new, old in zip(changes, step.changes, strict=True)):
        return step
    command = kept[0] if step.command is not None else None
    return replace(step, command=command, output=kept[1], query=kept[2], changes=changes)


def _change_kept_private(change: FileChange) -> FileChange:
    told = [(hunk.old, hunk.new, hunk.heading, hunk.below) for hunk in change.hunks]
    kept = [tuple(without_private(text, closed=True) for text in texts) for texts in told]
    return change if kept == told else replace(change, hunks=tuple(Hunk(*texts) for texts in kept))


SAID_ONCE = 12
"""Characters of a request that nobody says twice in a row by chance."""


def asked_once(events: Iterable[Event]) -> Iterator[Event]:
    """The events without a request in the words of the last one, if nothing was done for that.

    A hook stopped the prompt and it was sent again, the same answer was given to three calls at once, a
    turn broke off before it began: the user asked once.  A short answer ("1", "yes") may well be given twice.
    """
    last: tuple[str, str | None] | None = None
    for event in events:
        if isinstance(event, Request):
            if len(event.text) >= SAID_ONCE and (event.text, event.command) == last:
                continue
            last = (event.text, event.command)
        elif _goes_on(event):
            last = None
        yield event


def _goes_on(event: Event) -> bool:
    """Whether something was done, or a turn came to its end."""
    if isinstance(event, Boundary):
        return event.what == "turn_end"
    return isinstance(event, Step) and event.status not in ("rejected", "never_ran")


def _opening(records: Iterator[Record]) -> list[Record]:
    opening: list[Record] = []
    for record in records:
        opening.append(record)
        if len(opening) == HEAD_RECORDS or record.offset > HEAD_BYTES:
            break
    return opening


def _document(stream: BinaryIO) -> Json | None:
    stream.seek(0)
    raw = stream.read(DOCUMENT_LIMIT + 1)
    if len(raw) > DOCUMENT_LIMIT:
        return None
    return parse(raw) or (parse(mended(raw)) if raw.lstrip().startswith(b"{") else None)


def _describe(stream: BinaryIO, head: list[Json]) -> str:
    stream.seek(0)
    first = stream.read(4096)
    if not first.strip():
        return "the file is empty; nothing to read"
    if name := name_foreign(head, first):
        return f"{name}; honed does not read it"
    if head:
        keys = ", ".join(sorted(head[0])[:8])
        return f"JSON, but of no client that honed reads (keys of the first record: {keys})"
    if b"\0" in first or len(first.decode("utf-8", "ignore").encode()) < len(first) - 3:
        # Three bytes: a character may be cut at the end of what was read.
        return "not a transcript: it is no text"
    return f"not a transcript: begins with {json.dumps(first[:80].decode('utf-8', 'replace'))}"


def read_bytes(data: bytes, *, name: str = "", related: Opener = nothing_related) -> Iterator[Event]:
    """``read`` over bytes in memory."""
    return read(io.BytesIO(data), name=name, related=related)
