"""Which requests become past uses of a skill, and which of many are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.uses import SAME, USE_LENGTH, USES_KEPT, kept_uses, use_of

WORK = "Round the totals of the cart half up"


@pytest.mark.parametrize("nod", ["ok", "yes, go on", "continue", "LGTM", "да", "", "[Image #1]"])
def test_a_nod_is_no_use_and_what_it_says_yes_to_is(nod: str) -> None:
    assert use_of([nod]) == ""
    assert WORK in use_of([nod], [WORK])


def test_a_machine_s_prompt_is_no_use() -> None:
    assert use_of(["You are a reviewer of pull requests. " + "Look at every file with care. " * 80]) == ""


@pytest.mark.parametrize(
    "request_", [WORK, "Итог корзины снова неверный на копейку", "购物车合计四舍五入有误"]
)
def test_a_request_is_a_use_in_its_own_language(request_: str) -> None:
    assert use_of([request_]) == request_


def test_a_long_request_is_cut_to_what_was_asked() -> None:
    assert len(use_of([f"{WORK}. " + "And mind the coupon of every single order line. " * 60])) <= USE_LENGTH


def test_the_newest_of_requests_that_say_the_same_speaks_for_them() -> None:
    assert kept_uses(["fix the cart total now", "fix the cart total", "the coupon is wrong"]) == (
        "fix the cart total now",
        "the coupon is wrong",
    )


def test_of_many_uses_the_newest_and_the_most_different_are_kept() -> None:
    alike = [f"the cart total is off by {word}" for word in "one two three four five six seven".split()]
    kept = kept_uses([*alike, "покупатель видит не ту сумму", "coupons expire at midnight"])
    assert kept[0] == alike[0]
    assert {"покупатель видит не ту сумму", "coupons expire at midnight"} <= set(kept)


@given(st.lists(st.text(max_size=500), max_size=14))
def test_uses_are_few_short_and_in_their_order(uses: list[str]) -> None:
    kept = kept_uses(uses)
    assert len(kept) <= USES_KEPT
    assert all(0 < len(text) <= USE_LENGTH for text in kept)
    places = [[text[:USE_LENGTH] for text in uses].index(text) for text in kept]
    assert places == sorted(places)
    assert SAME < 1
