"""opencode exports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from honed.sessions.fields import array, maybe, obj
from honed.sessions.model import Event
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def recognises(head: Sequence[Json]) -> bool:
    """Whether the document is an opencode export: ``{info, messages[{info, parts}]}``."""
    if len(head) != 1 or not isinstance(head[0].get("messages"), list):
        return False
    info = obj(head[0].get("info"))
    if maybe(info.get("id")) is None or maybe(info.get("directory")) is None:
        return False
    messages = array(head[0]["messages"])
    return all(
        isinstance(obj(m).get("info"), dict) and isinstance(obj(m).get("parts"), list) for m in messages[:5]
    )


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session."""
    raise NotImplementedError
