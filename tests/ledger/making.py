"""Events for the tests of the ledger: chained by the real code, with made-up times and ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import strategies as st

from honed.ledger import events
from honed.ledger.canonical import instant
from honed.ledger.chain import Payload, link
from honed.ledger.model import Entry, NewEvent, Recorded
from honed.skills.model import Draft, FileRef

SKILL = "sk_aaaaaaaaaaaaaaaa"
TASK = "tk_aaaaaaaaaaaaaaaa"
PROJECT = "pr_aaaaaaaaaaaaaaaa"
DRAFT = Draft("procedure", "Round the cart's total", "the cart's total is off by a cent", check="pytest -q")
PLACED = replace(DRAFT, files=(FileRef("shop/cart.py"), FileRef("shop/tax.py")))
OTHER = Draft(
    "procedure", "Round the cart's total up", "the cart's total is off by a cent", check="pytest -q"
)


def day(number: int) -> str:
    """Noon of a day of 2026, counted from 0."""
    month, rest = divmod(number, 28)
    return f"2026-{month + 1:02d}-{rest + 1:02d}T12:00:00.000Z"


def hand(number: int) -> bytes:
    """Sixteen bytes that differ by number."""
    return number.to_bytes(16, "little")


def chained(new: Iterable[NewEvent], replica: str = "rp_one") -> list[tuple[Entry, Payload]]:
    """The events as one replica's chain."""
    links: list[tuple[Entry, Payload]] = []
    for event in new:
        ready = NewEvent(event.id, event.kind, event.subject, event.body, instant(event.at), event.actor)
        previous = links[-1][0] if links else None
        links.append(link(previous, ready, replica=replica, recorded_at=day(300), salt=hand(len(links))))
    return links


def recorded(new: Iterable[NewEvent], replica: str = "rp_one") -> list[Recorded]:
    """The events as the fold gets them."""
    given = {event.id: event.body for event in new}
    return [Recorded(entry, given[entry.id]) for entry, _ in chained(new, replica)]


def learned(draft: Draft = DRAFT, at: int = 0, session: str = "s0") -> NewEvent:
    """The skill is learned on a day."""
    occasion = events.Occasion("claude_code", session, "r0", day(at))
    return events.learned(occasion, SKILL, PROJECT, "round-the-cart", draft)


def passed(
    session: str, at: int, *, applied: bool = True, authority: str = "exit", record: str = ""
) -> NewEvent:
    """A session in which the skill's check passed."""
    occasion = events.Occasion("claude_code", session, record or f"{session}-{at}", day(at))
    return events.evidence(occasion, SKILL, "test_passed", applied=applied, authority=authority)  # type: ignore[arg-type]


def failed(session: str, at: int, *, applied: bool = True) -> NewEvent:
    """A session in which the skill's check failed."""
    occasion = events.Occasion("claude_code", session, f"{session}-{at}-f", day(at))
    return events.evidence(occasion, SKILL, "test_failed", applied=applied, authority="exit")


ANY_EVIDENCE = st.builds(
    lambda what, session, at, applied, authority, number: events.evidence(
        events.Occasion("codex", session, f"r{number}", day(at)),
        SKILL,
        what,
        applied=applied,
        authority=authority,
    ),
    st.sampled_from(
        [
            "test_passed",
            "test_failed",
            "diff_accepted",
            "diff_reverted",
            "owner_confirmed",
            "owner_rejected",
            "self_report",
        ]
    ),
    st.sampled_from(["", "s0", "s1", "s2", "s3"]),
    st.integers(0, 12),
    st.booleans(),
    st.sampled_from(["exit", "summary", "both", None]),
    st.integers(0, 6),
)

ANY_WORK = st.builds(
    lambda at, number: events.place_worked(
        events.Occasion("codex", f"s{number}", f"w{number}", day(at)), SKILL, f"tk_{number}", ["shop/cart.py"]
    ),
    st.integers(0, 12),
    st.integers(0, 6),
)

ANY_DECISION = st.builds(
    lambda kind, at, number: events.by_hand(kind, SKILL, hand(number), at=day(at)),
    st.sampled_from(["pinned", "unpinned", "archived", "restored", "unapproved", "forgotten", "withdrawn"]),
    st.integers(0, 12),
    st.integers(0, 40),
)

ANY_REVISION = st.builds(
    lambda draft, at, number: events.revised(SKILL, draft, hand(number + 100), at=day(at)),
    st.sampled_from([DRAFT, OTHER]),
    st.integers(0, 12),
    st.integers(0, 5),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Recorded]:
    """What two replicas may hold of one skill: their chains, merged, with what both of them have."""
    pool = draw(st.lists(st.one_of(ANY_EVIDENCE, ANY_WORK, ANY_DECISION, ANY_REVISION), max_size=12))
    once = {event.id: event for event in [learned(draw(st.sampled_from([DRAFT, PLACED]))), *pool]}
    half = draw(st.lists(st.sampled_from(sorted(once)), max_size=4))
    theirs = recorded([once[key] for key in dict.fromkeys(half)], "rp_two")
    ours = recorded([event for key, event in once.items() if key not in half])
    return ours + theirs
