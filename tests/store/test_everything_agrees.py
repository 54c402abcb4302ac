"""Whatever is appended in whatever order: what the store answers is what the ledger comes to."""

from __future__ import annotations

import tempfile

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from honed.ledger import events
from honed.ledger.fold import fold_skill
from honed.ledger.model import NewEvent
from honed.skills.model import Draft
from honed.store.sqlite import SqliteStore
from tests.store.making import OTHER_PROJECT, PROJECT, Clock

SKILLS = [f"sk_{letter * 16}" for letter in "abc"]
DRAFTS = [
    Draft("procedure", f"Mend the {name}", name, steps=("look",), fingerprint=print_, scope=scope)  # type: ignore[arg-type]
    for name, print_, scope in [
        ("cart", "f1", "project"),
        ("stock", "f2", "project"),
        ("cart", "f1", "global"),
        ("price", "", "project"),
    ]
]
HANDS = st.binary(min_size=16, max_size=16)
DAYS = st.integers(1, 9).map(lambda day: f"2026-03-0{day}T00:00:00Z")
OCCASIONS = st.builds(
    events.Occasion, st.just("codex"), st.sampled_from(["s0", "s1", "s2"]), st.text("ab", max_size=2), DAYS
)
EVENTS = st.one_of(
    st.builds(
        events.learned,
        OCCASIONS,
        st.sampled_from(SKILLS),
        st.sampled_from([PROJECT, OTHER_PROJECT]),
        st.sampled_from(["mend", "fix"]),
        st.sampled_from(DRAFTS),
    ),
    st.builds(events.revised, st.sampled_from(SKILLS), st.sampled_from(DRAFTS), HANDS, at=DAYS),
    st.builds(
        events.evidence,
        OCCASIONS,
        st.sampled_from(SKILLS),
        st.sampled_from(["test_passed", "test_failed", "self_report"]),
        applied=st.booleans(),
        authority=st.sampled_from(["exit", "summary"]),
    ),
    st.builds(
        events.by_hand,
        st.sampled_from(["pinned", "unpinned", "archived", "restored", "forgotten", "withdrawn"]),
        st.sampled_from(SKILLS),
        HANDS,
        at=DAYS,
    ),
    st.builds(
        events.judged,
        OCCASIONS,
        st.sampled_from(["tk_a", "tk_b"]),
        st.just(PROJECT),
        st.sampled_from(["verified", "failed"]),
        st.text(max_size=3),
        seen_to=st.integers(0, 5),
    ),
    st.builds(
        events.project_seen, st.just(PROJECT), st.text(max_size=3), st.just([("path", "/w")]), HANDS, DAYS
    ),
    st.builds(events.project_split, st.just(PROJECT), st.just("path"), st.just("/w"), HANDS, DAYS),
    st.builds(events.configured, st.sampled_from(["a", "b"]), st.none() | st.integers(), HANDS, DAYS),
)
BATCHES = st.lists(st.lists(EVENTS, min_size=1, max_size=5), min_size=1, max_size=8)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(BATCHES)
def test_the_store_answers_what_the_ledger_comes_to(batches: list[list[NewEvent]]) -> None:
    with tempfile.TemporaryDirectory() as home, SqliteStore.open(home, clock=Clock()) as store:
        told = 0
        for batch in batches:
            results = store.append(batch)
            kept = [event for event, result in zip(batch, results, strict=True) if result.status == "written"]
            told += len(kept)
            assert {result.status for result in store.append(kept)} <= {"existed"}
        assert store.stats().events == told
        assert store.verify(strict=True) == ()
        for skill_id in SKILLS:
            folded = fold_skill(store.skill_events(skill_id))
            assert store.skill(skill_id) == (folded.skill if folded else None)
        slugs = [(skill.project, skill.slug) for skill in store.skills()]
        assert len(slugs) == len(set(slugs))
        before = store.skills()
        store.rebuild()
        assert store.skills() == before
        assert store.verify(strict=True) == ()
