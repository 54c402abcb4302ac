"""Past uses of a skill: the requests under which it was applied and then verified.

They are how the next request is likely to be put, in the user's own words and language, so recall knows a
skill by them (docs/recall.md).  Which are kept is decided here, by the fold: the newest, and of many those
that differ most.  Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from honed.skills.titles import informative, plan_title, trigger_of, without_pastes
from honed.skills.words import cut

USES_KEPT = 6
"""Past uses of a skill that recall knows; two or three are worth nearly all of it (docs/recall.md)."""
USE_LENGTH = 400
"""Characters of one."""
SAME = 0.7
"""Requests whose words are in common to this share are one; the newer speaks for both."""


def use_of(requests: Sequence[str], earlier: Sequence[str] = ()) -> str:
    """The request of a task as a past use, or empty where nobody asked for anything in so many words.

    In: the task's requests and those of the session before it, oldest first.  "Yes, go on" is no use, what it
    says yes to is.
    """
    said = [text for text in (*earlier, *requests) if _says_something(text)]
    return trigger_of(requests, earlier)[:USE_LENGTH].strip() if said else ""


def _says_something(text: str) -> bool:
    return informative(without_pastes(text)) or bool(plan_title(text))


def kept_uses(uses: Sequence[str]) -> tuple[str, ...]:
    """Of all past ``uses``, the newest first, those that are kept, in their order.

    The newest stays; then, as long as there is room, whichever is least like those that stay.
    """
    different: list[tuple[str, frozenset[str]]] = []
    for text in uses:
        words = _words(text)
        if words and all(_likeness(words, other) < SAME for _, other in different):
            different.append((text[:USE_LENGTH], words))
    if len(different) <= USES_KEPT:
        return tuple(text for text, _ in different)
    chosen = [0]
    while len(chosen) < USES_KEPT:
        left = [place for place in range(len(different)) if place not in chosen]
        chosen.append(
            min(left, key=lambda n: (max(_likeness(different[n][1], different[c][1]) for c in chosen), n))
        )
    return tuple(different[place][0] for place in sorted(chosen))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.whole for word in cut(text))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)
