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


@pytest.mark.parametrize("number", range(len(FAMILIES)))
def test_no_family_waits_for_the_fourth_occurrence(tmp_path: Path, number: int) -> None:
    assert first_helped(tmp_path, number, "verified") <= 3
