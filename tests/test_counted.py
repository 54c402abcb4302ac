"""A number with its word."""

from __future__ import annotations

from honed.counted import several


def test_only_one_of_a_thing_is_said_in_the_singular() -> None:
    assert [several(n, "skill") for n in (0, 1, 2, -1)] == ["0 skills", "1 skill", "2 skills", "-1 skills"]
