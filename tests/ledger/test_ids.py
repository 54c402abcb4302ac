"""Ids are made of what happened."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.ledger import ids
from honed.skills.model import SLUG_LIMIT


def test_the_same_thing_has_the_same_id() -> None:
    assert ids.event_id("judged", "s1", "r1", "tk_1") == ids.event_id("judged", "s1", "r1", "tk_1")
    assert ids.skill_id("s1", "r1", "recipe") == ids.skill_id("s1", "r1", "recipe")


@given(st.lists(st.text(), min_size=4, max_size=4), st.lists(st.text(), min_size=4, max_size=4))
def test_different_things_have_different_ids_however_their_parts_run_together(
    one: list[str], other: list[str]
) -> None:
    assert (ids.event_id(*one) == ids.event_id(*other)) == (one == other)


def test_parts_that_run_together_are_told_apart() -> None:
    assert ids.event_id("a", "bc", "d", "e") != ids.event_id("ab", "c", "d", "e")


def test_a_skill_id_has_sixteen_base32_characters() -> None:
    assert re.fullmatch(r"sk_[a-z2-7]{16}", ids.skill_id("s", "r", "procedure"))
    assert re.fullmatch(r"pr_[a-z2-7]{16}", ids.random_id("pr_", bytes(10)))


def test_too_little_randomness_is_refused() -> None:
    with pytest.raises(ValueError, match="needs 15 random bytes"):
        ids.random_id("ev_", bytes(10))


@pytest.mark.parametrize(
    ("subject", "kind"),
    [("sk_x", "skill"), ("tk_x", "task"), ("pr_x", "project"), ("settings", "settings"), ("x", "unknown")],
)
def test_an_id_says_what_it_names(subject: str, kind: str) -> None:
    assert ids.subject_kind(subject) == kind


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Fix the cart's rounding", "fix-the-cart-s-rounding"),
        ("  ../../etc/passwd ", "etc-passwd"),
        ("снести кэш", "снести-кэш"),
        ("修复 购物车", "修复-购物车"),
        ("!!!", "skill"),
        ("snake_case", "snake-case"),
    ],
)
def test_a_title_becomes_a_slug(title: str, slug: str) -> None:
    assert ids.slugify(title) == slug


@given(st.text())
def test_a_slug_is_short_and_holds_nothing_that_a_path_or_a_shell_reads(title: str) -> None:
    slug = ids.slugify(title)
    assert 0 < len(slug) <= SLUG_LIMIT
    assert not re.search(r"[\s/\\.$`'\"<>|&;*?\x00-\x1f_]", slug)
    assert ids.slugify(slug) == slug
