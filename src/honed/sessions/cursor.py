"""Cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from honed.sessions.fields import obj
from honed.sessions.model import Event
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def recognises(head: Sequence[Json]) -> bool:
    """Whether every record is bare ``{role, message{content}}``, as Cursor's agent writes."""
    return bool(head) and all(
        set(r) <= {"role", "message"}
        and r.get("role") in ("user", "assistant")
        and "content" in obj(r.get("message"))
        for r in head
    )


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session."""
    raise NotImplementedError
