"""How strong a skill is: what outside evidence says, and how the time since its last use takes from it."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.ledger import events
from honed.ledger.curve import (
    ARCHIVED,
    FADED,
    FRESH,
    PLACES,
    idle_until,
    julian,
    place_need,
    reliability,
    strength_between,
)
from honed.ledger.fold import fold_skill
from honed.ledger.model import NewEvent, Recorded
from honed.ledger.strength import fading, strength
from honed.skills.model import FileRef, Skill
from tests.ledger.making import (
    ANY_EVIDENCE,
    DRAFT,
    SKILL,
    day,
    failed,
    hand,
    histories,
    learned,
    passed,
    recorded,
)

CLOSE = 1e-6
LATER = (301, 330, 400, 700, 1500)


def when(number: int) -> str:
    """Noon so many days after the first of 2026, also years later."""
    years, rest = divmod(number, 336)
    return day(rest).replace("2026", str(2026 + years))


def skill(*new: NewEvent) -> Skill:
    """What the events come to; they were recorded on day 300."""
    row = fold_skill(recorded(new))
    assert row is not None
    return row.skill


def curve(which: Skill) -> list[float]:
    return [strength(which, when(number)) for number in LATER]


# What works


def test_of_few_trials_little_is_promised_and_of_more_alike_more() -> None:
    assert FRESH < reliability(0, 0) < reliability(1, 0) < reliability(2, 0) < reliability(20, 0) < 1
    assert reliability(2, 2) < reliability(20, 20) < 0.55


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_pass_makes_surer_and_a_failure_less_sure(passes: int, failures: int) -> None:
    assert (
        reliability(passes + 1, failures) > reliability(passes, failures) > reliability(passes, failures + 1)
    )


# The same evidence, the same strength


@settings(max_examples=60)
@given(histories(), st.randoms(use_true_random=False), st.integers(300, 2000))
def test_evidence_in_any_order_twice_or_late_gives_the_same_strength(
    history: list[Recorded], chance: random.Random, at: int
) -> None:
    shuffled = [*history, *history[:3]]
    chance.shuffle(shuffled)
    whole, other = fold_skill(history), fold_skill(shuffled)
    assert whole is not None
    assert other is not None
    assert strength(whole.skill, when(at)) == strength(other.skill, when(at))


@settings(max_examples=150)
@given(st.lists(ANY_EVIDENCE, max_size=10), st.sampled_from(["s1", "s2", "s3"]), st.integers(1, 300))
def test_one_more_pass_never_weakens_and_one_more_failure_never_strengthens(
    pieces: list[NewEvent], session: str, at: int
) -> None:
    before = curve(skill(learned(), *pieces))
    more = curve(skill(learned(), *pieces, passed(session, at, record="one more")))
    less = curve(skill(learned(), *pieces, replace(failed(session, at), id="ev_one_more")))
    assert all(after >= known - CLOSE for after, known in zip(more, before, strict=True))
    assert all(after <= known + CLOSE for after, known in zip(less, before, strict=True))


def test_a_session_that_speaks_again_takes_no_use_away() -> None:
    """Its vote moves to the later run; that the skill was of use earlier stays."""
    spaced = [passed("s1", 100), passed("s2", 200)]
    assert curve(skill(learned(), *spaced, passed("s1", 201))) >= curve(skill(learned(), *spaced))


@given(st.lists(ANY_EVIDENCE, max_size=8), st.integers(0, 4000), st.integers(0, 4000))
def test_time_alone_never_strengthens(pieces: list[NewEvent], one: int, other: int) -> None:
    known = skill(learned(), *pieces)
    early, late = sorted((one, other))
    assert strength(known, when(late)) <= strength(known, when(early))


def test_an_agent_s_own_praise_moves_no_strength() -> None:
    praise = events.evidence(
        events.Occasion("codex", "s1", "r1", day(100)), SKILL, "self_report", applied=True
    )
    assert curve(skill(learned(), praise)) == curve(skill(learned()))


# The places of a skill are in use


TWO = replace(
    DRAFT, files=(FileRef("shop/cart.py"), FileRef("shop/tax.py"), FileRef("shop/test_cart.py", role="test"))
)


def worked(at: int, *places: str, task: str = "tk_other") -> NewEvent:
    """Verified work on files on a day."""
    return events.place_worked(events.Occasion("codex", f"s{at}", f"w{at}", day(at)), SKILL, task, places)


def test_verified_work_on_a_skill_s_file_keeps_it_in_mind_and_proves_nothing() -> None:
    idle, alive = skill(learned(TWO)), skill(learned(TWO), worked(299, "shop/cart.py"))
    # Both were recorded on day 300, so the work has to be later than that to matter.
    later = skill(learned(TWO), worked(330, "shop/cart.py"))
    assert idle.archives_at <= alive.archives_at < later.archives_at
    assert strength(later, when(400)) > strength(idle, when(400))
    assert (later.state, later.confirmed, later.failed) == (idle.state, idle.confirmed, idle.failed)
    assert later.updated_at == idle.updated_at


def test_work_on_all_of_a_skill_s_files_keeps_it_longer_than_on_one() -> None:
    one, both = (
        skill(learned(TWO), worked(330, *paths))
        for paths in (("shop/cart.py",), ("shop/cart.py", "shop/tax.py"))
    )
    assert one.archives_at < both.archives_at


def test_work_on_its_tests_or_on_other_files_says_nothing() -> None:
    idle = skill(learned(TWO))
    assert curve(skill(learned(TWO), worked(330, "shop/test_cart.py", "shop/other.py"))) == curve(idle)


def test_work_whose_task_lost_its_proof_says_nothing_any_more() -> None:
    lost = events.withdrawn(
        events.Occasion("codex", "s330", "lost", day(331)), SKILL, "tk_other", "no longer"
    )
    assert curve(skill(learned(TWO), worked(330, "shop/cart.py"), lost)) == curve(skill(learned(TWO)))


@given(
    st.lists(ANY_EVIDENCE, max_size=6),
    st.lists(
        st.tuples(st.integers(0, 330), st.sets(st.sampled_from(["shop/cart.py", "shop/tax.py"]))), max_size=5
    ),
    st.integers(0, 335),
    st.booleans(),
)
def test_one_more_piece_of_work_never_weakens(
    pieces: list[NewEvent], works: list[tuple[int, set[str]]], at: int, second: bool
) -> None:
    known = [learned(TWO), *pieces, *(worked(number, *paths) for number, paths in dict(works).items())]
    more = replace(worked(at, "shop/tax.py" if second else "shop/cart.py"), id="ev_one_more_piece")
    before, after = skill(*known), skill(*known, more)
    assert all(new >= old - CLOSE for new, old in zip(curve(after), curve(before), strict=True))
    assert (after.state, after.confirmed, after.failed) == (before.state, before.confirmed, before.failed)


def test_many_live_places_never_make_a_skill_stronger_than_it_is_sure() -> None:
    many = replace(DRAFT, files=tuple(FileRef(f"shop/{number}.py") for number in range(12)))
    assert FRESH * PLACES == reliability(0, 0) == strength(skill(learned(many)), day(300))


# Fading


@given(st.integers(0, 30), st.integers(0, 30), st.floats(1, 3650), st.floats(0, 5000))
def test_the_two_times_that_are_kept_hold_the_whole_curve(
    passes: int, failures: int, stability: float, idle: float
) -> None:
    sure = reliability(passes, failures)
    fades, archives = (idle_until(level, sure, stability) for level in (FADED, ARCHIVED))
    assert strength_between(sure, fades, archives, idle) == pytest.approx(sure * place_need(idle, stability))


def test_what_nobody_used_again_fades_after_45_days_and_is_in_the_archive_after_180() -> None:
    fades, archives = fading("2026-01-01T00:00:00Z", [], None)
    assert (fades, archives) == ("2026-02-15T00:00:00.000Z", "2026-06-30T00:00:00.000Z")


def test_confirmations_that_are_spaced_last_longer() -> None:
    crowded = fading(day(0), [day(89), day(90)], None)
    spaced = fading(day(0), [day(30), day(90)], None)
    assert day(90) < crowded[0] < spaced[0] < spaced[1]


@given(st.lists(st.integers(0, 300), max_size=6), st.integers(0, 300))
def test_a_further_confirmation_never_brings_fading_nearer(days: list[int], more: int) -> None:
    few = fading(day(0), [day(n) for n in days], None)
    many = fading(day(0), [day(n) for n in [*days, more]], None)
    assert few[0] <= many[0]
    assert few[1] <= many[1]


def test_a_failure_brings_fading_nearer() -> None:
    fine, shaken = (fading(day(0), [day(10)], None, failures=number) for number in (0, 1))
    assert shaken[0] < fine[0]
    assert shaken[1] < fine[1]


@given(st.lists(st.integers(0, 29), max_size=4), st.integers(0, 5))
def test_a_time_to_live_ends_in_the_archive_however_often_it_was_of_use(
    days: list[int], failures: int
) -> None:
    fades, archives = fading(day(0), [day(n) for n in days], 30, failures=failures)
    assert fades <= archives <= "2026-01-31T12:00:00.000Z"


def test_pinned_skills_stay_as_strong_as_they_are_sure() -> None:
    pinned = events.by_hand("pinned", SKILL, hand(1), at=day(2))
    assert curve(skill(learned(), passed("s1", 1), pinned)) == [reliability(1, 0)] * len(LATER)


def test_a_strength_is_there_for_any_year_that_a_transcript_tells() -> None:
    far = events.Occasion("codex", "s1", "r1", "9999-12-30T00:00:00Z")
    use = events.evidence(far, SKILL, "test_passed", applied=True, authority="exit")
    assert strength(skill(learned(DRAFT), use), when(400)) == reliability(1, 0)


@given(st.datetimes())
def test_days_are_counted_as_sqlite_counts_them(moment: object) -> None:
    text = f"{moment:%Y-%m-%dT%H:%M:%S}.000Z".rjust(24, "0")
    ((theirs,),) = sqlite3.connect(":memory:").execute("SELECT julianday(?)", (text,))
    assert julian(text) == pytest.approx(theirs, abs=1e-5)
