"""Pi."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from honed.sessions.fields import maybe, whole
from honed.sessions.model import Event
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def recognises(head: Sequence[Json]) -> bool:
    """Whether the first record is Pi's session header: ``{type: session, version, id, cwd}``."""
    if not head or head[0].get("type") != "session":
        return False
    header = head[0]
    return bool(
        whole(header.get("version")) and maybe(header.get("id")) and isinstance(header.get("cwd"), str)
    )


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session."""
    raise NotImplementedError
