"""What each kind of evidence can do, and which places of a skill a piece of it says were worked on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from honed.ledger.model import Evidence, Recorded
from honed.skills.model import Draft

PLACE_WORKED: Evidence = "place_worked"
"""Verified work on files of a skill: it says that the place is in use, and nothing of how the skill works."""
NEVER_PLACES = ("read", "test", "deleted")
"""Roles of a skill's files that are no places of it, unless it has no others."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What one kind of evidence can do.

    ``vote``     for (1), against (-1) or neither (0).
    ``applied``  only of a session that applied the skill, and not the one that taught it.
    ``proves``   counts towards ``proven``.
    ``use``      says that the skill was of use at its time; a commit only says so of an earlier one.
    """

    vote: int
    applied: bool = True
    proves: bool = False
    use: bool = True


WEIGHTS: Mapping[str, Weight] = {
    "test_passed": Weight(1, proves=True),
    "test_failed": Weight(-1),
    "diff_accepted": Weight(1, use=False),
    "diff_reverted": Weight(-1),
    "owner_confirmed": Weight(1, applied=False),
    "owner_rejected": Weight(-1, applied=False),
    "self_report": Weight(0, applied=False),
    PLACE_WORKED: Weight(0, applied=False, use=False),
}
"""design.md, "The words": evidence.  A kind that is not here weighs nothing."""

NO_VOTES: Mapping[str, str] = {
    "self_report": "an opinion weighs nothing",
    PLACE_WORKED: "verified work on its files keeps it in mind and proves nothing of it",
}
"""Why kinds that are neither for nor against a skill have no vote."""

PROOFS = 2
"""How many later sessions prove a skill; at least one of them by exit status."""


def places_of(draft: Draft) -> tuple[str, ...]:
    """The files whose work keeps a skill in mind: those that it is about, each once."""
    own = [file.path for file in draft.files if file.role not in NEVER_PLACES]
    return tuple(dict.fromkeys(own or [file.path for file in draft.files if file.role != "read"]))


def worked_at(draft: Draft, told: Iterable[Recorded]) -> tuple[str, ...]:
    """For each place of a skill when verified work touched it last, "" where none is told of.

    ``told`` are its pieces of evidence, in any order; the other kinds name no places.
    """
    last = dict.fromkeys(places_of(draft), "")
    for event in told:
        named = (event.body or {}).get("places")
        for path in named if isinstance(named, list) else ():
            if path in last:
                last[path] = max(last[path], event.entry.at)
    return tuple(last.values())
