"""Tokens are four bytes of UTF-8; clipping keeps to the budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.tokens import clip, estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("мама", 2), ("日本語", 3), ("🙂", 1), ("x" * 8000, 2000)],
)
def test_a_token_is_four_bytes_of_utf_8_rounded_up(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


def test_a_text_that_fits_is_not_touched() -> None:
    assert clip("  as it is  ", 4) == "  as it is  "


def test_a_clipped_text_ends_at_a_word_and_says_so() -> None:
    assert clip("run the generator before the tests are started", 6) == "run the generator…"


def test_an_unbroken_text_is_cut_where_the_budget_ends() -> None:
    assert clip("x" * 100, 5) == "x" * 17 + "…"


@given(st.text(), st.integers(-2, 60))
def test_a_clipped_text_never_exceeds_its_budget(text: str, tokens: int) -> None:
    assert estimate(clip(text, tokens)) <= max(tokens, 0)


@given(st.text(), st.text())
def test_estimates_grow_with_the_text(first: str, second: str) -> None:
    assert max(estimate(first), estimate(second)) <= estimate(first + second)
    assert estimate(first + second) <= estimate(first) + estimate(second)
