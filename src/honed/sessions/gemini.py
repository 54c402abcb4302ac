"""Gemini CLI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from honed.sessions.fields import maybe
from honed.sessions.model import Event
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def recognises(head: Sequence[Json]) -> bool:
    """Whether this is Gemini CLI's: a header (or document) with ``sessionId`` and ``projectHash``."""
    if not head:
        return False
    return bool(maybe(head[0].get("sessionId")) and maybe(head[0].get("projectHash")))


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session."""
    raise NotImplementedError
