"""Which text is in use and which ones wait: the same for the same events, in whatever order they come."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.fold import SkillRow, fold_skill
from honed.ledger.history import undo, version_again, versions
from honed.ledger.in_use import BESIDE_APPROVED, BESIDE_PROVEN, PROPOSED
from honed.ledger.model import NewEvent
from honed.skills.model import Draft
from tests.ledger.making import DRAFT, SKILL, day, hand, learned, passed, recorded

OWN = replace(DRAFT, origin="owner")
TEXTS = [replace(OWN, title="Text 0"), replace(DRAFT, title="Text 1", origin="agent")]
CHECKED = replace(DRAFT, check="make check")


def fold(*new: NewEvent) -> SkillRow:
    row = fold_skill(recorded(new))
    assert row is not None
    return row


def text(draft: Draft, at: int, actor: str = "owner", number: int = 0) -> NewEvent:
    return events.revised(SKILL, draft, hand(1000 + 100 * at + number), at=day(at), actor=actor)


def approved(draft: Draft, at: int) -> NewEvent:
    return events.approved(SKILL, content_hash(draft), draft.kind, hand(2000 + at), at=day(at))


def rejected(draft: Draft, at: int) -> NewEvent:
    return events.rejected(SKILL, content_hash(draft), draft.kind, hand(3000 + at), at=day(at))


def renewed(draft: Draft, at: int, session: str = "s-later", task: str = "tk_later") -> NewEvent:
    return events.revised_by_session(
        events.Occasion("codex", session, f"r{at}", day(at)), SKILL, draft, "renewed", task
    )


def proves(version: NewEvent, session: str, at: int) -> NewEvent:
    occasion = events.Occasion("codex", session, f"{session}-{at}", day(at))
    return events.evidence(occasion, SKILL, "test_passed", applied=True, authority="exit", text=version.id)


def test_beside_an_approved_text_every_other_one_waits_whoever_it_is_of() -> None:
    for actor in ("owner", "import", "honed", "agent:codex"):
        row = fold(learned(), approved(DRAFT, 1), text(OWN_OTHER, 2, actor))
        assert (row.skill.draft, row.skill.version, row.skill.waiting) == (DRAFT, 1, 1)
        assert [(one.why, one.actor, one.number) for one in row.waiting] == [(BESIDE_APPROVED, actor, 2)]


OWN_OTHER = replace(OWN, title="Round the cart's total up")


def test_approving_a_text_that_waits_brings_it_into_use_and_others_go_on_waiting() -> None:
    row = fold(
        learned(),
        approved(DRAFT, 1),
        text(OWN_OTHER, 2),
        text(TEXTS[1], 3, "agent:codex"),
        approved(OWN_OTHER, 4),
    )
    assert (row.skill.draft, row.skill.approved_hash) == (OWN_OTHER, content_hash(OWN_OTHER))
    assert [one.draft for one in row.waiting] == [TEXTS[1]]


def test_what_came_late_from_a_session_before_the_approval_waits_beside_it() -> None:
    row = fold(learned(), renewed(CHECKED, 2), approved(DRAFT, 3))
    assert (row.skill.draft, [one.draft for one in row.waiting]) == (DRAFT, [CHECKED])


def test_a_text_that_was_scrubbed_stays_in_use_though_its_approval_is_gone() -> None:
    gone = replace(DRAFT, title="Ask Zaphod")
    row = fold(learned(), approved(gone, 1), text(OWN_OTHER, 2))
    assert (row.skill.draft, row.skill.approved_hash, row.skill.waiting) == (DRAFT, "", 1)


def test_a_rejected_text_waits_no_more_and_does_not_come_back_but_by_the_owner() -> None:
    before = (learned(OWN), text(TEXTS[1], 2, "agent:codex"), rejected(TEXTS[1], 3))
    assert fold(*before).waiting == ()
    assert fold(*before, text(TEXTS[1], 4, "agent:gemini")).waiting == ()
    assert fold(*before, text(TEXTS[1], 4)).skill.draft == TEXTS[1]


def test_an_agents_text_of_what_is_not_an_agents_is_a_proposal() -> None:
    for mine in (OWN, DRAFT, replace(DRAFT, origin="imported")):
        row = fold(learned(mine), text(TEXTS[1], 2, "agent:codex"))
        assert (row.skill.draft, [one.why for one in row.waiting]) == (mine, [PROPOSED])
    its_own = replace(DRAFT, origin="agent")
    assert fold(learned(its_own), text(TEXTS[1], 2, "agent:codex")).skill.draft == TEXTS[1]


def test_what_the_owner_made_theirs_stays_theirs_after_they_took_an_agents_text() -> None:
    row = fold(
        learned(OWN),
        text(TEXTS[1], 2, "agent:codex"),
        approved(TEXTS[1], 3),
        events.by_hand("unapproved", SKILL, hand(1), at=day(4)),
        text(OWN_OTHER, 5, "agent:codex"),
    )
    assert (row.skill.draft, [one.why for one in row.waiting]) == (TEXTS[1], [PROPOSED])


def test_of_one_author_the_last_text_waits() -> None:
    other = replace(TEXTS[1], title="Another")
    row = fold(learned(OWN), text(TEXTS[1], 2, "agent:codex"), text(other, 3, "agent:codex"))
    assert [one.draft for one in row.waiting] == [other]
    row = fold(learned(OWN), text(TEXTS[1], 2, "agent:codex"), text(other, 3, "agent:gemini"))
    assert [one.draft for one in row.waiting] == [TEXTS[1], other]


def test_what_a_later_session_taught_waits_beside_a_proven_text_until_it_proved_itself() -> None:
    proven = (learned(), passed("s1", 1), passed("s2", 2))
    new = renewed(CHECKED, 3)
    row = fold(*proven, new)
    assert (row.skill.draft, row.skill.state, [one.why for one in row.waiting]) == (
        DRAFT,
        "proven",
        [BESIDE_PROVEN],
    )
    once = fold(*proven, new, proves(new, "s4", 4))
    assert (once.skill.draft, once.skill.confirmed, once.skill.waiting) == (DRAFT, 2, 1)
    again = fold(*proven, new, proves(new, "s4", 4), proves(new, "s4", 5), proves(new, "s-later", 6))
    assert again.skill.draft == DRAFT
    twice = fold(*proven, new, proves(new, "s4", 4), proves(new, "s5", 5))
    assert (twice.skill.draft, twice.skill.state, twice.skill.waiting) == (CHECKED, "proven", 0)
    assert fold(learned(), passed("s1", 1), new).skill.draft == CHECKED


def test_a_text_that_only_waits_is_no_change_and_saves_nothing_that_lost_its_proof() -> None:
    gone = events.withdrawn(events.Occasion("codex", "s0", "r9", day(3)), SKILL, "", "its run failed")
    row = fold(learned(), gone, text(TEXTS[1], 4, "agent:codex"))
    assert (row.skill.state, row.skill.updated_at) == ("withdrawn", day(3))


def test_undoing_a_text_that_waits_drops_it_and_history_says_how_each_stands() -> None:
    told = [learned(), approved(DRAFT, 1), text(OWN_OTHER, 2)]
    back = undo(recorded(told), hand(77))
    assert back.kind == "rejected"
    row = fold(*told, replace(back, at=day(5)))
    assert (row.skill.draft, row.skill.approved_hash, row.waiting) == (DRAFT, content_hash(DRAFT), ())
    assert [one.standing for one in versions(recorded(told))] == ["in use", "waits"]
    assert [one.standing for one in versions(recorded([*told, replace(back, at=day(5))]))] == [
        "in use",
        "rejected",
    ]
    assert version_again(recorded(told), 1, hand(78)) is None


def test_undoing_the_approval_that_brought_a_text_into_use_takes_the_approval_back() -> None:
    told = [learned(), approved(DRAFT, 1), text(OWN_OTHER, 2), approved(OWN_OTHER, 3)]
    assert undo(recorded(told), hand(77)).kind == "unapproved"


def test_nobody_but_the_owner_approves_or_rejects_whatever_a_ledger_says() -> None:
    told = replace(approved(DRAFT, 1), actor="agent:codex")
    assert fold(learned(), told).skill.approved_hash == ""
    waits = (learned(OWN), text(TEXTS[1], 2, "agent:codex"))
    assert fold(*waits, replace(rejected(TEXTS[1], 3), actor="agent:codex")).skill.waiting == 1


ANY_TEXT = st.sampled_from([DRAFT, OWN, OWN_OTHER, CHECKED, *TEXTS])
ANY_EVENT = st.one_of(
    st.builds(
        text, ANY_TEXT, st.integers(1, 9), st.sampled_from(["owner", "import", "agent:codex", "agent:gemini"])
    ),
    st.builds(renewed, ANY_TEXT, st.integers(1, 9)),
    st.builds(approved, ANY_TEXT, st.integers(1, 9)),
    st.builds(rejected, ANY_TEXT, st.integers(1, 9)),
    st.builds(lambda at: events.by_hand("unapproved", SKILL, hand(4000 + at), at=day(at)), st.integers(1, 9)),
    st.builds(passed, st.sampled_from(["s1", "s2", "s3"]), st.integers(1, 9)),
    st.builds(
        lambda d, v, s, at: proves(renewed(d, v), s, at),
        ANY_TEXT,
        st.integers(1, 9),
        st.sampled_from(["s4", "s5", "s6"]),
        st.integers(1, 9),
    ),
)


@given(st.lists(ANY_EVENT, max_size=14), st.randoms(use_true_random=False))
def test_the_text_in_use_does_not_depend_on_the_order_in_which_events_come(
    new: list[NewEvent], random: object
) -> None:
    once = list({event.id: event for event in [learned(), *new]}.values())
    told = recorded(once)
    shuffled = [*told, *told[::2]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fold_skill(shuffled) == fold_skill(told)


@given(st.lists(ANY_EVENT, max_size=14))
def test_an_approved_text_stays_in_use_until_the_owner_says_otherwise(new: list[NewEvent]) -> None:
    once = list({event.id: event for event in new}.values())
    decided = [one for one in once if one.kind in ("approved", "unapproved")]
    others = [one for one in once if one not in decided]
    first = events.approved(SKILL, content_hash(DRAFT), DRAFT.kind, hand(9), at=day(0))
    row = fold(learned(), first, *others)
    assert (row.skill.draft.title, row.skill.approved_hash) == (DRAFT.title, content_hash(DRAFT))
    whole = fold(learned(), first, *once)
    assert not whole.skill.approved_hash or whole.skill.approved_hash == whole.skill.content_hash
    assert whole.used not in [one.event for one in whole.waiting]
