"""What the store answers."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from honed.errors import AmbiguousSlugError, NotFoundError
from honed.ledger import events
from honed.store import lookup
from honed.store.base import SkillFilter
from honed.store.sqlite import SqliteStore
from tests.store.making import CART, OTHER_PROJECT, PROJECT, draft, evidence, hand, keep, learned, occasion

CART_PY = "src/cart.py"


def named(store: SqliteStore, **names: str) -> None:
    for project, name in names.items():
        store.append([events.project_seen(project, name, [("path", f"/w/{name}")], os.urandom(16))])


def test_a_slug_means_the_skill_of_the_project_one_stands_in(store: SqliteStore) -> None:
    named(store, **{PROJECT: "shop", OTHER_PROJECT: "stock"})
    here, there = keep(store, learned(), learned(project=OTHER_PROJECT, session="s9"))
    assert store.find_slug("round-the-cart", PROJECT).id == here.subject
    assert store.find_slug("round-the-cart", OTHER_PROJECT).id == there.subject
    assert store.find_slug("stock/round-the-cart").id == there.subject
    assert store.find_slug(f"{OTHER_PROJECT}/round-the-cart", PROJECT).id == there.subject
    assert store.find_slug(here.subject, OTHER_PROJECT).id == here.subject


def test_an_ambiguous_slug_is_refused_with_the_choices(store: SqliteStore) -> None:
    named(store, **{PROJECT: "shop", OTHER_PROJECT: "stock"})
    keep(store, learned(), learned(project=OTHER_PROJECT, session="s9"))
    with pytest.raises(AmbiguousSlugError) as caught:
        store.find_slug("round-the-cart")
    assert caught.value.choices == ("shop/round-the-cart", "stock/round-the-cart")
    assert caught.value.exit_code == 2


def test_choices_that_share_a_project_name_are_given_by_id(store: SqliteStore) -> None:
    named(store, **{PROJECT: "shop", OTHER_PROJECT: "shop"})
    both = keep(store, learned(), learned(project=OTHER_PROJECT, session="s9"))
    with pytest.raises(AmbiguousSlugError) as caught:
        store.find_slug("shop/round-the-cart")
    assert set(caught.value.choices) == {result.subject for result in both}


def test_a_global_skill_is_found_from_everywhere_after_the_project_s_own(store: SqliteStore) -> None:
    everywhere = replace(CART, scope="global", title="Everywhere", fingerprint="everywhere")
    (result,) = keep(store, learned(everywhere, session="s9"))
    assert store.find_slug("round-the-cart", PROJECT).id == result.subject
    (own,) = keep(store, learned())
    assert store.find_slug("round-the-cart", PROJECT).id == own.subject
    assert store.find_slug("global/round-the-cart").id == result.subject


@pytest.mark.parametrize("slug", ["nothing", "", "/", "shop/nothing", "sk_zzzzzzzzzzzzzzzz", "x\ud800"])
def test_a_slug_that_nobody_has_is_not_found(slug: str, store: SqliteStore) -> None:
    keep(store, learned())
    with pytest.raises(NotFoundError, match="there is no skill"):
        store.find_slug(slug, PROJECT)


def test_a_forgotten_slug_says_that_it_was_forgotten(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    keep(store, hand("forgotten", result.subject))
    with pytest.raises(NotFoundError, match="was forgotten"):
        store.find_slug("round-the-cart")


def test_skills_can_be_listed_by_what_they_are(store: SqliteStore) -> None:
    rule = draft("rule", kind="rule")
    a, b, c, d = (
        result.subject
        for result in keep(
            store,
            learned(draft("a"), slug="a"),
            learned(rule, slug="b"),
            learned(draft("c"), slug="c", project=OTHER_PROJECT),
            learned(draft("d"), slug="d"),
        )
    )
    keep(
        store,
        evidence(a, "s1", 2),
        evidence(a, "s2", 3),
        hand("archived", b),
        hand("pinned", c),
        hand("forgotten", d),
    )

    def listed(**which: object) -> set[str]:
        return {skill.slug for skill in store.skills(SkillFilter(**which))}  # type: ignore[arg-type]

    assert listed() == {"a", "c"}
    assert listed(archived=None) == {"a", "b", "c"}
    assert listed(archived=True) == {"b"}
    assert listed(project=PROJECT) == {"a"}
    assert listed(kinds=("rule",), archived=None) == {"b"}
    assert listed(states=("proven",)) == {"a"}
    assert listed(pinned=True) == {"c"}
    assert listed(project="") == set()
    assert [s.slug for s in store.skills(SkillFilter(archived=None, limit=1, offset=0))] == ["b"]
    assert len(store.skills(SkillFilter(archived=None, offset=1))) == 2


def test_withdrawn_skills_are_listed_when_asked_for(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    keep(store, events.withdrawn(occasion("s0", "w", 5), result.subject, "tk_a", "it failed"))
    assert store.skills() == ()
    assert [s.id for s in store.skills(SkillFilter(states=("withdrawn",)))] == [result.subject]


def test_the_same_text_is_found_by_its_fingerprint_in_the_project_or_globally(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    found = store.by_fingerprint(PROJECT, "cart")
    assert found is not None
    assert found.id == result.subject
    assert store.by_fingerprint(OTHER_PROJECT, "cart") is None
    keep(store, hand("forgotten", result.subject))
    assert store.by_fingerprint(PROJECT, "cart") is None


def test_tasks_are_found_by_session_and_project_and_superseded(store: SqliteStore) -> None:
    first = events.judged(
        occasion("s0", "x1"), "tk_a", PROJECT, "verified", "passed", seen_to=3, authority="exit"
    )
    keep(
        store, first, events.judged(occasion("s1", "y1"), "tk_b", OTHER_PROJECT, "none", "no run", seen_to=1)
    )
    keep(store, events.judged(occasion("s0", "x2"), "tk_a", PROJECT, "stale", "changed after", seen_to=9))
    assert [(t.id, t.verdict) for t in store.tasks(session="s0")] == [("tk_a", "stale")]
    assert [t.id for t in store.tasks(project=OTHER_PROJECT)] == ["tk_b"]
    assert len(store.tasks()) == 2
    assert store.task("tk_c") is None


def test_settings_are_the_owner_s_last_word(store: SqliteStore) -> None:
    keep(store, events.configured("deliver", "approved", os.urandom(16)))
    keep(store, events.configured("excludes", ["/w/x"], os.urandom(16)))
    keep(store, events.configured("deliver", None, os.urandom(16)))
    assert store.settings() == {"excludes": ["/w/x"]}


def test_stats_count_what_there_is(store: SqliteStore) -> None:
    named(store, **{PROJECT: "shop"})
    (result,) = keep(store, learned())
    keep(
        store,
        evidence(result.subject, "s1"),
        events.judged(occasion(), "tk_a", PROJECT, "verified", "x", seen_to=1),
    )
    stats = store.stats()
    assert (stats.events, stats.projects, stats.sessions, stats.sources, stats.backups) == (4, 1, 1, 0, 0)
    assert (stats.skills, stats.kinds) == ({"candidate": 1}, {"procedure": 1})
    assert (stats.verdicts, stats.evidence) == ({"verified": 1}, {"test_passed": 1})
    assert stats.bytes > 0


def test_of_many_skills_that_name_a_file_those_that_proved_themselves_most_and_last_are_meant(
    store: SqliteStore,
) -> None:
    ids = [
        result.subject
        for result in keep(
            store, *(learned(draft(f"part {n}"), slug=f"p{n}", session=f"s{n}") for n in range(6))
        )
    ]
    keep(store, evidence(ids[4], "t1", day=2), evidence(ids[4], "t2", day=3))
    keep(store, evidence(ids[5], "t3", day=4), evidence(ids[2], "t4", day=5))
    assert [one.id for one in store.about_file(PROJECT, CART_PY, 3)] == sorted([ids[4], ids[2], ids[5]])
    assert [one.id for one in store.about_file(PROJECT, CART_PY, 2)] == sorted([ids[4], ids[2]])
    assert {one.id for one in store.about_file(PROJECT, CART_PY, 99)} == set(ids)
    assert store.about_file(PROJECT, "src/till.py", 99) == ()
    assert store.about_file(OTHER_PROJECT, CART_PY, 99) == ()


def test_of_the_skills_that_name_a_file_those_of_a_state_or_kind_can_be_asked_for(store: SqliteStore) -> None:
    drafts = {"lesson": draft("part 1", kind="lesson"), "failing": draft("part 2"), "proven": draft("part 3")}
    new = [learned(text, slug=name, session=name) for name, text in drafts.items()]
    lesson, failing, proven = (result.subject for result in keep(store, *new))
    failed = events.evidence(occasion("t1", "e9", 9), failing, "test_failed", applied=True, authority="exit")
    keep(store, evidence(proven, "t2", day=2), evidence(proven, "t3", day=3), failed)
    assert [one.id for one in store.about_file(PROJECT, CART_PY, 1, states=("suspended",))] == [failing]
    assert [one.id for one in store.about_file(PROJECT, CART_PY, 1, kinds=("lesson",))] == [lesson]
    assert store.about_file(PROJECT, CART_PY, 9, states=("suspended",), kinds=("lesson",)) == ()


def test_of_too_many_skills_that_name_a_file_the_last_ones_are_looked_at(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "MOST_NAMING", 2)
    new = [learned(draft(f"part {n}"), slug=f"p{n}", session=f"s{n}") for n in range(4)]
    ids = [result.subject for result in keep(store, *new)]
    keep(store, evidence(ids[0], "t1"), evidence(ids[2], "t2"))
    assert [one.id for one in store.about_file(PROJECT, CART_PY, 9)] == sorted(ids[2:])
