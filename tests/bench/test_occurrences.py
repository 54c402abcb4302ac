"""When a skill first helps: at the next occurrence, and at the fourth where only what is proven is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.occurrences import FAMILIES, first_helped


@pytest.mark.parametrize(("deliver", "occurrence"), [("verified", 2), ("proven", 4)])
def test_a_skill_helps_at_the_next_occurrence_and_is_proven_by_two_later_ones(
    tmp_path: Path, deliver: str, occurrence: int
) -> None:
    assert FAMILIES[0][0] == "shop/cart.py"
    assert first_helped(tmp_path, 0, deliver) == occurrence


def test_words_that_differ_too_much_are_bridged_by_the_past_request(tmp_path: Path) -> None:
    assert FAMILIES[1][0] == "shop/codes.py"
    assert first_helped(tmp_path, 1, "verified") == 3
