"""Every text a skill had, what changed, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from honed.errors import NotFoundError, RefusedError
from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.fold import fold_skill
from honed.ledger.history import full_text, undo, version_again, versions
from honed.ledger.model import EventKind, NewEvent, Recorded
from honed.ledger.rows import SkillRow
from honed.skills.model import Anchor, FileRef, Pitfall
from tests.ledger.making import DRAFT, OTHER, SKILL, day, hand, learned, passed, recorded

SECOND = replace(DRAFT, title="Round the cart up", steps=("look", "round"))


def revised(draft: object, at: int, reason: str = "") -> NewEvent:
    return events.revised(SKILL, draft, hand(at + 500), reason=reason, at=day(at))  # type: ignore[arg-type]


def decided(kind: EventKind, at: int) -> NewEvent:
    return events.by_hand(kind, SKILL, hand(at + 900), at=day(at))


def skill(history: list[Recorded]) -> SkillRow:
    row = fold_skill(history)
    assert row is not None
    return row


def went_on(*told: NewEvent) -> list[Recorded]:
    """A history and what undoing its last change comes to."""
    history = recorded([learned(), *told])
    back = undo(history, hand(7777))
    return recorded([learned(), *told, replace(back, at=day(40))])


def test_every_version_has_its_full_text_and_what_changed() -> None:
    first, second = versions(recorded([learned(), revised(SECOND, 2, "clearer"), passed("s1", 3)]))
    assert (first.number, first.actor, first.draft, first.diff) == (1, "honed", DRAFT, "")
    assert (second.number, second.actor, second.reason, second.draft) == (2, "owner", "clearer", SECOND)
    assert second.diff.splitlines() == [
        "--- version 1",
        "+++ version 2",
        "@@ -1,4 +1,7 @@",
        " kind: procedure",
        "-title: Round the cart's total",
        "+title: Round the cart up",
        " trigger: the cart's total is off by a cent",
        "+steps:",
        "+- look",
        "+- round",
        " check: pytest -q",
    ]


def test_a_full_text_leaves_nothing_out() -> None:
    draft = replace(
        DRAFT,
        files=(FileRef("a.py", (Anchor("f", "x = 1"),), "test"),),
        pitfalls=(Pitfall("E1", "do that", "pytest"),),
        body="one\ntwo",
        tags=("t",),
        ttl_days=9,
        fail_to_pass=True,
    )
    assert full_text(draft) == (
        "kind: procedure\ntitle: Round the cart's total\ntrigger: the cart's total is off by a cent\n"
        "files:\n- path a.py; anchors symbol f; context x = 1; role test\ncheck: pytest -q\n"
        "pitfalls:\n- signature E1; resolution do that; command pytest\nbody: one\n  two\ntags:\n- t\n"
        "ttl_days: 9\nfail_to_pass: True\n"
    )


def test_an_erased_version_is_none() -> None:
    history = recorded([learned(), revised(SECOND, 2)])
    gone = [replace(history[0], body=None), history[1]]
    assert [(version.number, version.draft) for version in versions(gone)] == [(1, SECOND)]


def test_an_older_version_comes_back_as_a_new_one() -> None:
    history = recorded([learned(), revised(SECOND, 2)])
    event = version_again(history, 1, hand(1))
    assert event is not None
    after = recorded([learned(), revised(SECOND, 2), replace(event, at=day(3))])
    assert skill(after).skill.draft == DRAFT
    assert [version.reason for version in versions(after)] == ["", "", "version 1 again"]
    assert version_again(after, 3, hand(2)) is None
    assert version_again(after, 1, hand(2)) is None


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_version_that_never_was_is_not_found(number: int) -> None:
    with pytest.raises(NotFoundError, match="there are 2"):
        version_again(recorded([learned(), revised(SECOND, 2)]), number, hand(1))


def test_an_undone_text_is_the_one_before() -> None:
    after = skill(went_on(revised(SECOND, 2), revised(OTHER, 3)))
    assert (after.skill.draft, after.skill.version) == (SECOND, 4)


def test_undoing_twice_takes_the_undo_back() -> None:
    history = went_on(revised(SECOND, 2))
    assert skill(history).skill.draft == DRAFT
    assert undo(history, hand(1)).body["draft"] == events.revised(SKILL, SECOND, hand(1)).body["draft"]


@pytest.mark.parametrize(
    ("kind", "back"),
    [("pinned", "unpinned"), ("archived", "restored")],
)
def test_an_undone_decision_is_an_event_of_its_own(kind: EventKind, back: str) -> None:
    history = went_on(decided(kind, 2))
    assert history[-1].entry.kind == back
    assert (skill(history).skill.pinned, skill(history).skill.archived) == (False, False)


def test_undoing_a_withdrawal_gives_the_skill_back() -> None:
    history = went_on(decided("withdrawn", 2))
    assert skill(history).skill.state == "candidate"
    assert skill(recorded([learned(), decided("withdrawn", 2)])).skill.state == "withdrawn"


def test_an_undone_approval_is_gone_and_an_undone_edit_of_an_approved_text_gives_it_back() -> None:
    yes = events.approved(SKILL, content_hash(DRAFT), "procedure", hand(3), at=day(2))
    assert skill(went_on(yes)).skill.approved_hash == ""
    assert skill(went_on(yes, revised(SECOND, 3))).skill.approved_hash == content_hash(DRAFT)


def test_evidence_is_no_change() -> None:
    assert skill(went_on(decided("pinned", 2), passed("s1", 3))).skill.pinned is False


@pytest.mark.parametrize(
    "told",
    [
        [],
        [passed("s1", 1)],
        [decided("pinned", 1), decided("forgotten", 2)],
        [
            events.approved(SKILL, content_hash(DRAFT), "procedure", hand(3), at=day(2)),
            decided("unapproved", 3),
        ],
    ],
    ids=["learned only", "evidence only", "forgotten", "an approval would have to be given"],
)
def test_where_there_is_no_way_back_it_says_so(told: list[NewEvent]) -> None:
    with pytest.raises(RefusedError):
        undo(recorded([learned(), *told]), hand(1))
