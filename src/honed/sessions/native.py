"""honed's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from honed.sessions.fields import maybe
from honed.sessions.model import Event
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def recognises(head: Sequence[Json]) -> bool:
    """Whether the first line is honed's own header: ``{honed: 1, session, client}``."""
    return bool(head) and head[0].get("honed") == 1 and maybe(head[0].get("session")) is not None


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session."""
    raise NotImplementedError
