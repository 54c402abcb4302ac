"""What is looked for before a pattern is tried must stand in everything that the pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict.runners import DEFAULT
from honed.verdict.tamper import test_marks as marks
from honed.verdict.tamper.assertion_words import STARTS
from honed.verdict.tamper.assertions import _starts
from honed.verdict.tamper.silencing import SUPPORT_RULES
from tests.verdict.tamper_corpus import cases

TABLES = [
    pytest.param(pattern, marks.MARK_CUES[language], id=f"{name}-{language}")
    for name, table in (("skipped", marks.SKIPPED), ("only", marks.ONLY))
    for language, pattern in table.items()
]
LANGUAGES = ("python", "javascript", "go", "rust", "ruby", "elixir", "clojure")


@pytest.mark.parametrize(("pattern", "cues"), TABLES)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_every_mark_of_a_test_holds_a_cue(
    pattern: re.Pattern[str], cues: tuple[str, ...], data: st.DataObject
) -> None:
    found = data.draw(st.from_regex(pattern))
    assert any(cue in found.lower() for cue in cues)


@pytest.mark.parametrize("row", SUPPORT_RULES, ids=lambda row: row[1])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_all_that_set_up_does_to_tests_holds_a_cue(
    row: tuple[str, str, tuple[str, ...], re.Pattern[str]], data: st.DataObject
) -> None:
    found = data.draw(st.from_regex(row[3]))
    assert any(cue in found for cue in row[2])


def test_assertions_are_found_in_the_lines_of_cues_alone() -> None:
    texts = ["\n".join(line[1:] for line in case.told if line[:1] in "+- :") for case in cases()]
    texts += ["with pytest.warns\n\n (\n UserWarning): pass", "a.foo.should\n (1)", "expect\n(a)\n.to eq 1"]
    for text in texts:
        everywhere = [match.span() for match in STARTS.finditer(text)]
        for language in LANGUAGES:
            assert [match.span() for match in _starts(text, language)] == everywhere


def test_no_cue_of_a_summary_stands_in_every_line() -> None:
    grammars = DEFAULT.book.grammars.values()
    short = [(g.name, cue) for g in grammars for line in g.lines for cue in line.cues if not cue.strip()]
    assert short == [], "a cue of nothing but blanks stands in every line"
