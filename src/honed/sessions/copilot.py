"""Copilot CLI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from honed.sessions.fields import maybe, string
from honed.sessions.model import Event
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


_EVENTS = (
    "session.",
    "user.",
    "assistant.",
    "tool.",
    "hook.",
    "system.",
    "subagent.",
    "skill.",
    "permission.",
    "abort",
)


def recognises(head: Sequence[Json]) -> bool:
    """Whether every record is an event envelope ``{type, data, id, parentId, timestamp}``."""
    return bool(head) and all(
        isinstance(r.get("data"), dict)
        and "parentId" in r
        and maybe(r.get("id"))
        and string(r.get("type")).startswith(_EVENTS)
        for r in head[:5]
    )


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session."""
    raise NotImplementedError
