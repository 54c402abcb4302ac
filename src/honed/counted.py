"""A number with its word, as every door says it."""

from __future__ import annotations


def several(number: int, one: str) -> str:
    """A number with its word: "1 skill", "2 skills"."""
    return f"{number} {one}{'' if number == 1 else 's'}"
