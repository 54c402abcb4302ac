"""What events come to: state, approval, tombstones, verdicts, projects, settings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.fold import fold_project, fold_settings, fold_skill, fold_task
from honed.ledger.model import NewEvent, Recorded
from honed.ledger.rows import SkillRow
from honed.ledger.strength import fading
from honed.skills.model import Draft, Origin, Skill
from honed.verdict.model import VerdictKind
from tests.ledger.making import (
    ANY_EVIDENCE,
    DRAFT,
    OTHER,
    PROJECT,
    SKILL,
    TASK,
    day,
    failed,
    hand,
    histories,
    learned,
    passed,
    recorded,
)


def row(*new: NewEvent) -> SkillRow:
    found = fold_skill(recorded(new))
    assert found is not None
    return found


def skill(*new: NewEvent) -> Skill:
    return row(*new).skill


def by_hand(kind: str, at: int, number: int = 0) -> NewEvent:
    return events.by_hand(kind, SKILL, hand(at * 100 + number), at=day(at))  # type: ignore[arg-type]


# Order


@settings(max_examples=60)
@given(histories(), st.randoms(use_true_random=False))
def test_the_same_events_in_any_order_with_duplicates_give_the_same_row(
    history: list[Recorded], chance: random.Random
) -> None:
    shuffled = history + history[:3]
    chance.shuffle(shuffled)
    assert fold_skill(shuffled) == fold_skill(history)


def test_the_owner_s_last_word_holds_whatever_arrives_last() -> None:
    words = [learned(), by_hand("pinned", 1), by_hand("unpinned", 2)]
    assert not skill(*words).pinned
    assert not skill(words[0], words[2], words[1]).pinned


# Evidence and state


@pytest.mark.parametrize(
    ("evidence", "state"),
    [
        ([], "candidate"),
        ([passed("s1", 1)], "candidate"),
        ([passed("s1", 1), passed("s2", 2)], "proven"),
        ([passed("s1", 1), passed("s1", 2)], "candidate"),
        ([passed("s1", 1, authority="summary"), passed("s2", 2, authority="summary")], "candidate"),
        ([passed("s1", 1, authority="summary"), passed("s2", 2, authority="both")], "proven"),
        ([passed("s1", 1, applied=False), passed("s2", 2, applied=False)], "candidate"),
        ([passed("s0", 1), passed("s0", 2), passed("s1", 3)], "candidate"),
        ([passed("s1", 0), passed("s2", 0)], "candidate"),
        ([failed("s1", 1)], "suspended"),
        ([failed("s1", 1, applied=False)], "candidate"),
        ([failed("s1", 1), passed("s2", 2)], "candidate"),
        ([failed("s1", 1), passed("s2", 2), passed("s3", 3)], "proven"),
        ([passed("s1", 1), passed("s2", 2), failed("s3", 3)], "suspended"),
        ([passed("s1", 1), failed("s2", 2), passed("s3", 3)], "candidate"),
        ([failed("s1", 1), passed("s1", 2), passed("s2", 3)], "proven"),
        ([passed("s1", 1), passed("s2", 2), failed("s3", 3), passed("s3", 4)], "proven"),
    ],
)
def test_evidence_makes_the_state(evidence: Sequence[NewEvent], state: str) -> None:
    assert skill(learned(), *evidence).state == state


def test_a_session_has_one_vote_and_its_last_word_is_it() -> None:
    folded = row(learned(), failed("s1", 1), passed("s1", 2), passed("s1", 3))
    assert (folded.skill.confirmed, folded.skill.failed, folded.skill.exit_proofs) == (1, 0, 1)
    assert [piece.counts for piece in folded.evidence] == [0, 0, 1]
    assert folded.evidence[0].why == "its session spoke again later"


def test_an_agent_s_own_praise_weighs_nothing() -> None:
    praise = [
        events.evidence(
            events.Occasion("codex", f"s{n}", f"r{n}", day(n)), SKILL, "self_report", applied=True
        )
        for n in range(1, 6)
    ]
    folded = row(learned(), *praise)
    assert (folded.skill.state, folded.skill.confirmed) == ("candidate", 0)
    assert {piece.why for piece in folded.evidence} == {"an opinion weighs nothing"}
    assert replace(skill(learned(), *praise), sessions=()) == replace(skill(learned()), sessions=())


def test_evidence_that_weighs_nothing_says_why() -> None:
    folded = row(learned(), passed("s0", 1), passed("s1", 0), passed("s2", 2, applied=False), passed("", 3))
    assert [piece.why for piece in folded.evidence] == [
        "before it was learned",
        "the session that taught it",
        "the session did not apply it",
        "of no session",
    ]


def test_the_owner_s_word_counts_but_does_not_prove() -> None:
    yes = [
        events.by_hand("evidence", SKILL, hand(n), {"evidence": "owner_confirmed"}, at=day(n))
        for n in (1, 2, 3)
    ]
    no = events.by_hand("evidence", SKILL, hand(9), {"evidence": "owner_rejected"}, at=day(4))
    assert (skill(learned(), *yes).state, skill(learned(), *yes).confirmed) == ("candidate", 3)
    assert skill(learned(), *yes, no).state == "suspended"


def of_task(task: str, session: str, at: int) -> NewEvent:
    occasion = events.Occasion("claude_code", session, f"{task}-{session}", day(at))
    return events.evidence(occasion, SKILL, "test_passed", task=task, applied=True, authority="exit")


def test_a_task_that_a_forked_session_carries_along_counts_once() -> None:
    folded = row(learned(), of_task("tk_1", "s1", 1), of_task("tk_1", "s1-resumed", 2))
    assert (folded.skill.state, folded.skill.confirmed) == ("candidate", 1)
    assert folded.evidence[0].why == "the same task, told of again later"
    assert skill(learned(), of_task("tk_1", "s1", 1), of_task("tk_2", "s2", 2)).state == "proven"


def test_a_copy_of_the_session_that_taught_it_proves_nothing() -> None:
    taught = learned(replace(DRAFT, source_task="tk_0"))
    folded = row(taught, of_task("tk_0", "s0-resumed", 1))
    assert (folded.skill.confirmed, folded.evidence[0].why) == (0, "the session that taught it")


RANK = {"suspended": 0, "withdrawn": 1, "candidate": 2, "proven": 3}


@given(st.lists(ANY_EVIDENCE, max_size=10), st.sampled_from(["s1", "s2", "s3"]), st.integers(1, 12))
def test_one_more_pass_never_lowers_and_one_more_failure_never_raises(
    pieces: list[NewEvent], session: str, at: int
) -> None:
    before = skill(learned(), *pieces)
    more = passed(session, at, record="one more")
    less = replace(failed(session, at), id="ev_one_more")
    assert RANK[skill(learned(), *pieces, more).state] >= RANK[before.state]
    assert skill(learned(), *pieces, more).confirmed >= before.confirmed
    assert RANK[skill(learned(), *pieces, less).state] <= RANK[before.state]
    assert skill(learned(), *pieces, less).confirmed <= before.confirmed


def test_a_report_that_two_agents_made_of_the_same_run_counts_once() -> None:
    run = passed("s1", 1)
    theirs = recorded([run], "rp_two")
    folded = fold_skill(recorded([learned(), run]) + theirs + theirs)
    assert folded is not None
    assert (folded.skill.confirmed, len(folded.evidence)) == (1, 1)


# Withdrawal


def withdrawn(at: int) -> NewEvent:
    return events.withdrawn(
        events.Occasion("codex", "s0", f"w{at}", day(at)), SKILL, TASK, "the last run failed"
    )


def test_a_candidate_whose_own_task_lost_its_verdict_goes() -> None:
    assert skill(learned(), withdrawn(1)).state == "withdrawn"


def test_support_from_another_session_keeps_a_withdrawn_candidate() -> None:
    assert skill(learned(), withdrawn(1), passed("s1", 2)).state == "candidate"
    assert skill(learned(), passed("s1", 1), passed("s2", 2), withdrawn(3)).state == "proven"


def test_a_task_that_only_confirmed_a_skill_takes_back_its_own_evidence_and_no_more() -> None:
    taught = learned(replace(DRAFT, source_task="tk_own"))
    told = events.evidence(
        events.Occasion("codex", "s1", "r1", day(1)), SKILL, "test_passed", task="tk_other", applied=True
    )
    lost = events.withdrawn(events.Occasion("codex", "s1", "r2", day(2)), SKILL, "tk_other", "it went stale")
    again = events.evidence(
        events.Occasion("codex", "s1", "r3", day(3)), SKILL, "test_passed", task="tk_other", applied=True
    )
    assert skill(taught, told).confirmed == 1
    assert (skill(taught, told, lost).confirmed, skill(taught, told, lost).state) == (0, "candidate")
    assert skill(taught, told, lost, again).confirmed == 1


@pytest.mark.parametrize("origin", ["owner", "agent", "imported"])
def test_no_task_that_confirmed_it_withdraws_what_somebody_wrote(origin: Origin) -> None:
    written = learned(replace(DRAFT, origin=origin))
    told = events.evidence(
        events.Occasion("codex", "s1", "r1", day(1)), SKILL, "test_passed", task="tk_other", applied=True
    )
    lost = events.withdrawn(events.Occasion("codex", "s1", "r2", day(2)), SKILL, "tk_other", "it went stale")
    assert (skill(written, told).state, skill(written, told).confirmed) == ("candidate", 1)
    assert (skill(written, told, lost).state, skill(written, told, lost).confirmed) == ("candidate", 0)
    assert skill(written, lost).state == "candidate", "nor does one that never did"


def used(session: str, at: int, request: str, task: str = "", **more: bool) -> NewEvent:
    occasion = events.Occasion("codex", session, f"{session}-{at}", day(at))
    what = "test_failed" if more.get("fails") else "test_passed"
    applied = more.get("applied", True)
    return events.evidence(occasion, SKILL, what, task=task, applied=applied, request=request)  # type: ignore[arg-type]


def test_requests_of_evidence_that_counts_are_past_uses_the_newest_first() -> None:
    told = [used("s1", 1, "the coupon is taken off twice"), used("s2", 2, "итог корзины неверный")]
    assert skill(learned(), *told).uses == ("итог корзины неверный", "the coupon is taken off twice")
    idle = used("s3", 3, "something it was not applied to", applied=False)
    broken = used("s4", 4, "after which its check failed", fails=True)
    assert skill(learned(), *told, idle, broken).uses == skill(learned(), *told).uses


def test_evidence_that_is_taken_back_or_erased_takes_its_request_along() -> None:
    first, second = used("s1", 1, "the coupon twice"), used("s2", 2, "totals are wrong", task="tk_other")
    lost = events.withdrawn(events.Occasion("codex", "s2", "r2", day(3)), SKILL, "tk_other", "it went stale")
    assert skill(learned(), first, second, lost).uses == ("the coupon twice",)
    history = recorded([learned(), first, second])
    folded = fold_skill([*history[:2], replace(history[2], body=None)])
    assert folded is not None
    assert folded.skill.uses == ("the coupon twice",)


def test_a_withdrawn_skill_comes_back_with_a_new_text_or_the_owner_s_word() -> None:
    again = events.revised(SKILL, OTHER, hand(7), at=day(2))
    assert skill(learned(), withdrawn(1), again).state == "candidate"
    assert skill(learned(), withdrawn(1), by_hand("restored", 2)).state == "candidate"


# Approval, versions, flags


def approved(draft: Draft, at: int) -> NewEvent:
    return events.approved(SKILL, content_hash(draft), draft.kind, hand(at), at=day(at))


def test_an_approval_holds_for_the_text_that_was_shown() -> None:
    assert skill(learned(), approved(DRAFT, 1)).approved_hash == content_hash(DRAFT)


def test_an_approval_does_not_pass_to_another_text() -> None:
    edit = events.revised(SKILL, OTHER, hand(50), at=day(2))
    edited = skill(learned(), approved(DRAFT, 1), edit)
    assert (edited.draft, edited.approved_hash, edited.waiting) == (DRAFT, content_hash(DRAFT), 1)
    approved_too = skill(learned(), approved(DRAFT, 1), edit, approved(OTHER, 3))
    assert (approved_too.draft, approved_too.approved_hash) == (OTHER, content_hash(OTHER))
    taken_back = skill(learned(), approved(DRAFT, 1), by_hand("unapproved", 2), edit)
    assert (taken_back.draft, taken_back.approved_hash) == (OTHER, "")


def test_an_approval_of_another_kind_is_none() -> None:
    other = events.approved(SKILL, content_hash(DRAFT), "rule", hand(1), at=day(1))
    assert skill(learned(), other).approved_hash == ""


def test_an_approval_can_be_taken_back() -> None:
    assert skill(learned(), approved(DRAFT, 1), by_hand("unapproved", 2)).approved_hash == ""


def test_a_revision_keeps_id_and_slug_and_counts_up() -> None:
    before = skill(learned())
    after = skill(learned(), events.revised(SKILL, OTHER, hand(1), at=day(3)))
    assert (after.id, after.slug, after.version) == (before.id, before.slug, 2)
    assert (after.draft, after.learned_at, after.updated_at) == (OTHER, day(0), day(3))


def test_archive_and_restore_leave_the_state_alone() -> None:
    proof = [passed("s1", 1), passed("s2", 2)]
    gone = skill(learned(), *proof, by_hand("archived", 3))
    assert (gone.archived, gone.state) == (True, "proven")
    assert not skill(learned(), *proof, by_hand("archived", 3), by_hand("restored", 4)).archived


# Forgetting


@settings(max_examples=60)
@given(histories(), st.integers(0, 12))
def test_a_tombstone_wins_over_everything_whenever_it_arrives(history: list[Recorded], at: int) -> None:
    tombstone = recorded([by_hand("forgotten", at, 77)], "rp_three")
    folded = fold_skill(history + tombstone)
    assert folded is not None
    assert folded.skill.state == "deleted"
    assert (folded.skill.draft.title, folded.skill.draft.steps, folded.skill.content_hash) == ("", (), "")
    assert folded.evidence == ()


def test_a_tombstone_keeps_its_keyed_fingerprints() -> None:
    forgotten = events.by_hand("forgotten", SKILL, hand(1), {"fingerprints": ["k2", "k1"]}, at=day(5))
    assert row(learned(), forgotten).tombstones == (("k1", day(5)), ("k2", day(5)))


def test_a_tombstone_holds_when_the_text_was_erased() -> None:
    history = recorded([learned(), by_hand("forgotten", 2)])
    purged = [replace(event, body=None) if event.entry.kind == "learned" else event for event in history]
    folded = fold_skill(purged)
    assert folded is not None
    assert (folded.skill.id, folded.skill.state, folded.skill.slug) == (SKILL, "deleted", "")


def test_a_skill_without_any_text_left_is_none() -> None:
    assert fold_skill([replace(event, body=None) for event in recorded([learned()])]) is None
    assert fold_skill(recorded([passed("s1", 1)])) is None


def test_erased_evidence_weighs_nothing() -> None:
    history = recorded([learned(), passed("s1", 1), passed("s2", 2)])
    folded = fold_skill([history[0], replace(history[1], body=None), history[2]])
    assert folded is not None
    assert (folded.skill.state, folded.evidence[0].why) == ("candidate", "erased")


# Fading (how strong a skill is: test_strength.py)


def test_pinned_skills_and_the_owner_s_rules_never_fade() -> None:
    rule = replace(DRAFT, kind="rule", origin="owner")
    assert skill(learned(), by_hand("pinned", 1)).fades_at == ""
    assert (skill(learned(rule)).fades_at, skill(learned(rule)).archives_at) == ("", "")
    assert skill(learned(replace(rule, origin="agent"))).fades_at


def test_what_an_old_session_taught_fades_from_when_it_was_recorded_here() -> None:
    row = skill(learned(at=0))  # recorded on day 300
    assert row.fades_at == fading(day(0), [], None, known_since=day(300))[0]
    assert row.fades_at > day(300)


def test_a_time_to_live_ends_a_skill() -> None:
    assert skill(learned(replace(DRAFT, ttl_days=3)), passed("s1", 1)).archives_at == day(3)


# Tasks


def judged(verdict: VerdictKind, seen_to: int, at: int) -> NewEvent:
    occasion = events.Occasion("codex", "s0", f"step{seen_to}", day(at))
    return events.judged(occasion, TASK, PROJECT, verdict, "why", seen_to=seen_to)


def test_the_verdict_that_has_seen_more_supersedes() -> None:
    early, late = judged("verified", 10, 5), judged("failed", 20, 1)
    for order in ([early, late], [late, early]):
        task = fold_task(recorded(order))
        assert task is not None
        assert (task.verdict, task.seen_to) == ("failed", 20)


def test_of_two_that_saw_the_same_the_later_verdict_holds() -> None:
    task = fold_task(recorded([judged("verified", 10, 1), replace(judged("stale", 10, 2), id="ev_again")]))
    assert task is not None
    assert task.verdict == "stale"


def test_a_task_whose_text_was_erased_is_none() -> None:
    assert fold_task([replace(event, body=None) for event in recorded([judged("verified", 1, 1)])]) is None


# Projects and settings


def test_aliases_add_up_and_the_owner_s_word_about_one_stays() -> None:
    seen = events.project_seen(PROJECT, "cart", [("path", "/w/cart"), ("remote", "h/cart")], hand(1), day(1))
    split = events.project_split(PROJECT, "path", "/w/cart", hand(2), day(2))
    again = events.project_seen(PROJECT, "", [("path", "/w/cart"), ("git", "/w/cart/.git")], hand(3), day(3))
    project = fold_project(recorded([seen, split, again]))
    assert project is not None
    assert (project.name, project.seen) == ("cart", day(1))
    assert [(a.kind, a.value, a.state) for a in project.aliases] == [
        ("git", "/w/cart/.git", "seen"),
        ("path", "/w/cart", "split"),
        ("remote", "h/cart", "seen"),
    ]
    linked = events.project_linked(PROJECT, "path", "/w/cart", hand(4), day(4))
    project = fold_project(recorded([seen, split, again, linked]))
    assert project is not None
    assert {a.value: a.state for a in project.aliases}["/w/cart"] == "linked"


def test_a_setting_s_last_word_holds_and_none_puts_the_default_back() -> None:
    words = [
        events.configured("deliver", "approved", hand(1), day(1)),
        events.configured("deliver", "proven", hand(2), day(2)),
        events.configured("excludes", ["/w/secret"], hand(3), day(1)),
    ]
    assert [(s.key, s.value) for s in fold_settings(recorded(words))] == [
        ("deliver", "proven"),
        ("excludes", ["/w/secret"]),
    ]
    words.append(events.configured("excludes", None, hand(4), day(3)))
    assert [s.key for s in fold_settings(recorded(words))] == ["deliver"]
