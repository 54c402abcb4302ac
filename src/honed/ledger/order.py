"""Events in the one order that every replica sees, and what their bodies hold, by type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from honed.ledger.events import REPLACES
from honed.ledger.model import Recorded

_Place: TypeAlias = tuple[str, str, int, str]


def _place(event: Recorded) -> _Place:
    entry = event.entry
    return entry.at, entry.replica, entry.seq, entry.id


def in_order(events: Iterable[Recorded]) -> list[Recorded]:
    """The events once each, in the order in which every replica sees them.

    What was told again without a text that was scrubbed stands where it stood the first time.  Where the
    first one is not known (a backup was put back that is older than it) it says nothing.
    """
    events = list(events)
    again = {e.entry.id: text_in(e.body, REPLACES) for e in events if e.body and REPLACES in e.body}
    places: dict[str, _Place] = {}
    if again:
        for event in events:
            places[event.entry.id] = min(_place(event), places.get(event.entry.id, _place(event)))

    def first_of(event: Recorded) -> str:
        first = event.entry.id
        for _ in again:
            first = again.get(first, first)
        return first

    if again:
        events = [event for event in events if first_of(event) in places]
        ordered = sorted(events, key=lambda event: (places[first_of(event)], _place(event)))
    else:
        ordered = sorted(events, key=_place)
    once: dict[str, Recorded] = {}
    for event in ordered:
        once.setdefault(event.entry.id, event)
    return list(once.values())


def text_in(body: Mapping[str, object] | None, key: str) -> str:
    """A text of a body, empty if it has none there."""
    value = (body or {}).get(key, "")
    return value if isinstance(value, str) else ""


def mapping_in(body: Mapping[str, object] | None, key: str) -> dict[str, object]:
    """A mapping of a body, empty if it has none there."""
    value = (body or {}).get(key)
    return dict(value) if isinstance(value, Mapping) else {}


def number_in(body: Mapping[str, object] | None, key: str) -> int:
    """A whole number of a body, 0 if it has none there."""
    value = (body or {}).get(key)
    return value if isinstance(value, int) else 0
