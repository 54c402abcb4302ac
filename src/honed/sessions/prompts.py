"""From a user message to what a person asked for.

The rules for injected text are in ``text``; this adds slash commands, identity and the notes of
honed's own, the same for every client.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from honed.sessions.model import NoteGiven, Request
from honed.sessions.text import note_ids, user_text

_COMMAND = re.compile(r"/([A-Za-z][\w:.-]*)(?:[ \t]+(.*)|\s*)\Z", re.DOTALL)
_MASK = "REDACTED"
"""What checkpoint stores put in place of anything that looks like a secret, record ids among it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A user message as the client recorded it."""

    id: str
    text: str
    line: int
    offset: int = 0
    at: str | None = None
    command: str | None = None
    images: int = 0
    heard: str = ""
    """All that the model was given with it, where that is more than ``text``: for honed's notes."""


def record_id(value: object, session: str, line: int) -> str:
    """The client's id of a record, or one made of session and line where it has none or it is masked."""
    if isinstance(value, str) and value and _MASK not in value:
        return value
    return f"{session}:{line}"


def requests(said: Said, ordinals: Iterator[int]) -> Iterator[Request | NoteGiven]:
    """The request in a user message, if a person made one, and then the notes that came with it.

    The request comes first so that reading can resume at its line with its ordinal.
    """
    text, command = user_text(said.text), said.command
    if command is None and (spelled := _COMMAND.match(text)):
        command, text = spelled.group(1), (spelled.group(2) or "").strip()
    if text or command or (said.images and not said.text.strip()):
        yield Request(said.id, text, next(ordinals), said.line, said.offset, said.at, command, said.images)
    yield from notes(said.heard or said.text, said.line, ordinals)


def notes(heard: str, line: int, ordinals: Iterator[int]) -> Iterator[NoteGiven]:
    """What of honed's own stands in a text that a client put before the model."""
    ids = note_ids(heard)
    if ids:
        yield NoteGiven(ids, next(ordinals), line)
