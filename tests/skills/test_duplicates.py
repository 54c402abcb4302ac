"""Two texts that say the same are found, two that do not are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.duplicates import NEAR, alike, similar
from honed.skills.manual import draft_from_manual
from honed.skills.model import Draft, FileRef


def rule(text: str, **more: object) -> Draft:
    """A rule of the owner's."""
    return draft_from_manual("rule", text, **more)  # type: ignore[arg-type]


SAME = [
    (
        "Undo works from the menu; 37 restore points are kept.",
        "Undo works from the menu; 8 restore points are kept.",
    ),
    ("Round the cart total", "round  the CART total"),
    (
        "Look for text with the search tool, not with shell grep.",
        "To look for texts prefer the search tool over grep in a shell.",
    ),
    ("合計を切り上げる", "合計を切り上げる。"),
]
DIFFERENT = [
    ("Run the tests with npm", "Run the tests with pnpm"),
    ("Round the cart total", "Validate the cart items"),
    ("Never push to main", "Use two spaces in YAML"),
    ("合計を切り上げる", "在庫を確認する"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_in_other_words_is_near(first: str, second: str) -> None:
    assert similar(rule(first), rule(second)) >= NEAR


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_something_else_is_not(first: str, second: str) -> None:
    assert similar(rule(first), rule(second)) < NEAR


def test_other_files_make_it_other_work() -> None:
    one = Draft("procedure", "Fix rounding", "fix rounding", files=(FileRef("a.py"),))
    two = Draft("procedure", "Fix rounding", "fix rounding", files=(FileRef("b.py"),))
    assert similar(one, one) == 1.0
    assert similar(one, two) < NEAR


def test_kinds_and_agents_are_kept_apart() -> None:
    assert similar(rule("Round the total"), draft_from_manual("lesson", "Round the total")) == 0.0
    assert similar(rule("Round the total"), rule("Round the total", agent="reviewer")) == 0.0


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_likeness_is_symmetric_and_between_0_and_1(first: str, second: str) -> None:
    one, two = Draft("rule", first, ""), Draft("rule", second, "")
    assert similar(one, two) == similar(two, one)
    assert 0.0 <= similar(one, two) <= 1.0
    assert similar(one, one) == 1.0


WORDS = st.lists(st.sampled_from("round total cart cent push branch test decimal menu".split()), max_size=7)


@given(st.lists(st.tuples(WORDS, st.sampled_from([(), ("a.py",), ("a.py", "b.py")])), max_size=8))
def test_pairs_are_those_that_comparing_each_with_each_finds(
    rows: list[tuple[list[str], tuple[str, ...]]],
) -> None:
    drafts = [
        Draft("lesson", " ".join(words), "", files=tuple(FileRef(path) for path in files))
        for words, files in rows
    ]
    each = {
        (first, second)
        for second in range(len(drafts))
        for first in range(second)
        if similar(drafts[first], drafts[second]) >= NEAR
    }
    assert {(first, second) for first, second, _ in alike(drafts)} == each
