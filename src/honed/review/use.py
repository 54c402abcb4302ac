"""What a model took in a day, as commands and `honed doctor` tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from honed.store.calling import COUNTED, Call


@dataclass(frozen=True, slots=True)
class Used:
    """Of a day: ``calls`` made, ``tokens`` that they took, ``nested`` starts that were refused, what was
    ``skipped`` (refusals and failures), and the ``last`` call that was made."""

    calls: int
    tokens: int
    nested: tuple[Call, ...]
    skipped: tuple[Call, ...]
    last: Call | None


def used(calls: Sequence[Call]) -> Used:
    """Add up the calls of a day, the last one first."""
    made = [call for call in calls if call.state in COUNTED]
    return Used(
        len(made),
        sum(call.tokens for call in made),
        tuple(call for call in calls if call.state == "nested"),
        tuple(call for call in calls if call.state in ("failed", "refused", "nested")),
        made[0] if made else None,
    )
