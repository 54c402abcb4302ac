"""Who says a text of talk, and whether it asks."""

from __future__ import annotations

import pytest

from honed.skills.talk import talk_of


@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("Anna: The tests want a database first.", "anna"),
        ("Anna: The tests want a database first. Have you started one?", "anna ?"),
        ("Anna: Have you started one? [a photo of a rack]", "anna ?"),
        ("Anna: Why? " + "Because of this and that, and then some more. " * 3, "anna"),
        ("Dr. Émile Noël: Yes", "dr emile noel"),
        ("Анна: Готово?", "анна ?"),
        ("The tests want a database first. Have you started one?", ""),
        ("def main(): pass", ""),
        ("12:30 at the station?", ""),
        ("https://example.com/a?b", ""),
        ("Anna:", ""),
        ("", ""),
    ],
)
def test_talk_begins_with_a_name_and_a_colon(text: str, talk: str) -> None:
    assert talk_of(text) == talk


def test_a_long_text_takes_no_longer_than_it_is() -> None:
    assert talk_of("Anna: " + "( " * 50_000 + " " * 50_000) == "anna"
