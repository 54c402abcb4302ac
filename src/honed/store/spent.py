"""What sessions of an experiment cost, and a session with its sub-agents as one.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Figures:
    """What a session of an experiment cost, from its transcript.  ``session`` as the spool names it,
    ``transcript`` as its client does; tokens ``None`` where the client writes no usage; ``asked`` are calls
    of honed's own recall, ``seconds`` those in which something happened.  ``parent`` is the session that a
    sub-agent works for, where that has a transcript of its own."""

    session: str
    project: str
    transcript: str
    input: int | None
    cached: int | None
    output: int | None
    calls: int
    asked: int
    seconds: int
    at: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """A session that an experiment drew a lot for, its figures (``None``: not read yet), its tasks."""

    session: str
    held: bool
    at: str
    figures: Figures | None
    tasks: int
    verified: int


def with_parts(figures: Figures, below: Mapping[str, Sequence[Figures]]) -> Figures:
    """A session's figures with those of its sub-agents (``below``, by the session they work for), and of
    theirs; they work at the same time, so the time is the
    longest one's."""
    parts, waiting = {figures.session: figures}, [figures.session]
    while waiting:
        fresh = [one for one in below.get(waiting.pop(), ()) if one.session not in parts]
        parts.update((one.session, one) for one in fresh)
        waiting += [one.session for one in fresh]
    found = list(parts.values())

    def total(name: str) -> int | None:
        known = [value for one in found if (value := getattr(one, name)) is not None]
        return sum(known) if known else None

    return replace(
        figures,
        input=total("input"),
        cached=total("cached"),
        output=total("output"),
        calls=sum(one.calls for one in found),
        asked=sum(one.asked for one in found),
        seconds=max(one.seconds for one in found),
    )
