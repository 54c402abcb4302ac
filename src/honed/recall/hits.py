"""A skill that was found, how its text is to be taken, and why it may be kept back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from honed.store.found import Facts


class Hit:
    """A skill that was found.  ``score`` is the probability that it fits, ``weak`` below the bar.

    ``lost`` says what of its check is gone from the project, ``outdated`` what of the places that it speaks
    of; empty as far as can be told.  ``elsewhere`` are its files that are none of the request's
    (``recall.another``).
    """

    __slots__ = (
        "_why", "elsewhere", "facts", "grade", "id", "kind", "lost", "outdated", "score", "slug", "state",
        "title", "weak",
    )  # fmt: skip

    def __init__(
        self, facts: Facts, score: float, weak: bool, why: Callable[[], tuple[str, ...]] = tuple
    ) -> None:
        self.facts = facts
        self.id = facts.id
        self.slug = facts.slug
        self.title = facts.title
        self.kind = facts.kind
        self.state = facts.state
        self.grade = grade_of(facts)
        self.lost = self.outdated = ""
        self.elsewhere: frozenset[str] = frozenset()
        self.score = score
        self.weak = weak
        self._why = why

    @property
    def why(self) -> tuple[str, ...]:
        """Why it was found, in lines: worked out for who asks."""
        return self._why()


def grade_of(facts: Facts) -> str:
    """``grade`` of what a recall reads: of its text, not of the columns beside it."""
    told = facts.told
    own = bool(told) and told.get("origin", "derived") == "derived" and not told.get("taint")
    return grade(bool(facts.approved), own)


def grade(approved: bool, own: bool) -> str:
    """``guidance`` for text the owner approved as it stands, ``reference`` for what honed learned from
    the owner's ``own`` sessions that had read nothing from outside, ``data`` for everything else."""
    if approved:
        return "guidance"
    return "reference" if own else "data"


def same_as(hit: Hit, told: Sequence[Hit]) -> str:
    """The slug of the one among ``told`` that a reader could not tell from ``hit``, or nothing.

    Several sessions may have worked on one thing under one name; one of them is enough in a note.  The title
    of a text that somebody wrote may be a date or a place: there the text must be the same, too.
    """
    said = _said(hit.facts)
    return next((one.slug for one in told if _said(one.facts) == said), "")


def _said(facts: Facts) -> tuple[str, object, object]:
    title = facts.title.casefold()
    if facts.origin == "derived":
        return title, None, None
    return title, facts.told.get("steps"), facts.told.get("body")


def withheld_reason(hit: Hit, deliver: str, now: str, given: Mapping[str, int] | None = None) -> str:
    """Why a skill that fits is not given unasked, or nothing."""
    facts = hit.facts
    if given and given.get(facts.id) == facts.version:
        return "given earlier in this session"
    if facts.muted:
        return "muted by an agent until the owner looks"
    if facts.state == "suspended":
        return "suspended: its own check failed last"
    if facts.archives_at and facts.archives_at <= now and not facts.pinned:
        return "faded: not verified for a long time"
    if deliver == "approved" and hit.grade != "guidance":
        return "not approved, and only approved skills are delivered"
    if deliver == "proven" and hit.grade != "guidance" and facts.state != "proven":
        return "not proven, and only proven or approved skills are delivered"
    return ""
