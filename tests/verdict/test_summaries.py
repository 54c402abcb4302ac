"""What runners say of themselves."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict.runners import DEFAULT
from honed.verdict.summaries import clean, failing_names, read
from honed.verdict.summaries_model import Grammar
from tests.verdict.corpus import ROWS, RUNS

BOOK = DEFAULT.book
GRAMMARS = tuple(BOOK.grammars.values())


def named(grammar: Grammar) -> str:
    return grammar.name


@pytest.mark.parametrize("grammar", GRAMMARS, ids=named)
def test_every_pattern_compiles_and_every_cue_may_stand_in_its_line(grammar: Grammar) -> None:
    for line in grammar.lines:
        pattern = re.compile(line.pattern)
        assert set(pattern.groupindex) <= {"p", "f", "s", "e", "t", "w"}
        assert all(line.cues)
    for names in grammar.names:
        assert "n" in re.compile(names).groupindex


@pytest.mark.parametrize("grammar", [g for g in GRAMMARS if g.failing], ids=named)
def test_the_first_failing_line_is_read_as_a_failure(grammar: Grammar) -> None:
    reading = read(clean(grammar.failing[0]), (grammar.name,), BOOK)
    assert reading.failures or reading.found.keys() & {"bad", "crash", "step_failed"}


@pytest.mark.parametrize("grammar", [g for g in GRAMMARS if g.alone], ids=named)
def test_each_failure_that_stands_alone_is_read_as_one(grammar: Grammar) -> None:
    for line in grammar.alone:
        assert read(clean(line), (grammar.name,), BOOK).failures


@pytest.mark.parametrize("grammar", [g for g in GRAMMARS if g.passing], ids=named)
def test_the_first_passing_line_tells_of_no_failure(grammar: Grammar) -> None:
    reading = read(clean(grammar.passing[0]), (grammar.name,), BOOK)
    assert reading.counts.passed or reading.found.keys() & {"good"}
    assert not reading.failures
    assert not reading.found.keys() & {"bad", "crash", "missing", "step_failed"}


@pytest.mark.parametrize("grammar", [g for g in GRAMMARS if g.distinct], ids=named)
def test_prose_about_tests_is_no_summary(grammar: Grammar) -> None:
    prose = (
        "All the tests passed on my machine, 3 of them failed before.\n"
        "Run `npm test` (12 tests) and see that nothing failed; see FAILED.md.\n"
        "The suite has 100 tests, 2 failures are known. ok then, PASS it on.\n"
        "- [x] 5 passed checks, ok  done\n"
    )
    assert read(prose, (grammar.name,), BOOK).counted == 0


def test_colours_and_progress_are_taken_out() -> None:
    assert clean("\x1b[1m\x1b[32m3 passed\x1b[0m") == "3 passed"
    assert clean("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\") == "link"
    assert clean("a\r\nb\rc") == "a\nb\nc"
    assert clean("[31m1 failed[0m") == "1 failed"
    assert clean("[1/2] step") == "[1/2] step"


def test_a_cursor_that_jumps_begins_a_new_line() -> None:
    assert clean("\x1b[1G adds\x1b[77G1/2\x1b[2G ok").split("\n") == ["", " adds", "1/2", " ok"]


def test_only_the_ends_of_a_huge_text_are_kept() -> None:
    text = clean("a" * 1_000_000 + "\n3 passed in 0.1s")
    assert len(text) < 250_000
    assert text.endswith("3 passed in 0.1s")


@pytest.mark.parametrize(
    "prefix",
    [
        "[test] ",
        "[INFO] ",
        "web:test: ",
        "packages/a test: ",
        "@scope/b:test:unit: ",
        "web-1  | ",
        "2025-01-01T00:00:00.0000000Z ",
        "12:",
        "#9 1.234 ",
        "    ",
    ],
)
def test_what_a_wrapper_puts_in_front_does_not_hide_a_summary(prefix: str) -> None:
    reading = read(f"{prefix}Tests:       1 failed, 2 passed, 3 total", ("jest",), BOOK)
    assert (reading.counts.passed, reading.counts.failed) == (2, 1)


def test_the_tests_are_counted_and_not_their_files() -> None:
    text = "Test Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total"
    counts = read(text, ("jest",), BOOK).counts
    assert (counts.passed, counts.errors) == (3, 1)


def test_summaries_of_several_binaries_are_added_up() -> None:
    line = "test result: ok. {} passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"
    counts = read("\n".join(line.format(n) for n in (3, 0, 4)), ("cargo",), BOOK).counts
    assert (counts.passed, counts.failed, counts.skipped) == (7, 0, 3)


def test_a_total_is_what_passed_and_what_did_not() -> None:
    text = "Ran 10 tests in 0.1s\n\nFAILED (failures=2, errors=1, skipped=3)"
    counts = read(text, ("unittest",), BOOK).counts
    assert (counts.passed, counts.failed, counts.errors, counts.skipped) == (4, 2, 1, 3)


def test_what_is_missing_of_a_total_has_failed() -> None:
    counts = read("Result: 15/24 passed", ("exunit result",), BOOK).counts
    assert (counts.passed, counts.failed) == (15, 9)


def test_tap_lines_give_way_to_the_summary_below_them() -> None:
    text = "ok 1 - a\nok 2 - b\nnot ok 3 - c # TODO later\n# pass 2\n# fail 0"
    assert read(text, ("node:test", "tap"), BOOK).counts.passed == 2
    tap = read(text, ("tap",), BOOK).counts
    assert (tap.passed, tap.skipped, tap.failed) == (2, 1, None)


def test_names_of_failing_tests_may_be_in_any_script() -> None:
    text = "FAILED tests/test_ü.py::test_größe[日本語 x] - assert 0\n1 failed in 0.1s"
    assert failing_names(text, ("pytest",), BOOK) == ("tests/test_ü.py::test_größe[日本語 x]",)


@pytest.mark.parametrize("flood", ["\n", " ", "\t", "a ", "1) ", "FAIL ", "  ✖ ", "--- FAIL: \n", "x › "])
def test_a_flood_of_one_thing_is_read_in_time(flood: str) -> None:
    text = clean(flood * (200_000 // len(flood)))
    read(text, (*DEFAULT.all_grammars, "steps", "missing"), BOOK)
    assert len(failing_names(text, DEFAULT.all_grammars, BOOK)) <= 20


LINES = [line for row in ROWS + RUNS[:150] for line in row.output.split("\n") if line.strip()]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(LINES) | st.text(max_size=80), max_size=15).map("\n".join))
def test_reading_never_breaks_and_never_counts_below_zero(text: str) -> None:
    cleaned = clean(text)
    reading = read(cleaned, DEFAULT.all_grammars, BOOK)
    for number in (
        reading.counts.passed,
        reading.counts.failed,
        reading.counts.skipped,
        reading.counts.errors,
    ):
        assert number is None or number >= 0
    assert reading.failures >= 0
    assert len(failing_names(cleaned, DEFAULT.all_grammars, BOOK)) <= 20


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789 passedfiltok.,|()[]:›─✖\n\t", max_size=400))
def test_text_made_of_the_words_of_summaries_never_breaks_it(text: str) -> None:
    reading = read(clean(text), (*DEFAULT.all_grammars, "steps", "missing"), BOOK)
    assert reading.counted >= 0
