"""What is left of an output behind a filter."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict import shell
from honed.verdict.filters import View, view

LINES = [
    "ok  \texample.com/a\t0.1s",
    "FAIL\texample.com/b\t0.2s",
    "--- FAIL: TestX (0.00s)",
    "?   \texample.com/c\t[no test files]",
    "3 passed in 0.1s",
    "1 failed, 2 passed in 0.1s",
    "Tests:       1 failed, 2 passed, 3 total",
    "  13 passing (3s)",
    "test result: FAILED. 2 passed; 1 failed",
    "",
]


def of(command: str) -> View:
    first = shell.commands(shell.parse(command))[0]
    return view(first.filters, first.redirects)


@pytest.mark.parametrize(
    "grep",
    [
        "grep ok",
        "grep -v '^ok'",
        "grep -i fail",
        "grep -E 'FAIL|ok'",
        "grep 'FAIL\\|ok'",
        "grep -e FAIL -e passed",
        "grep -F '[no test files]'",
        "grep '[0-9]\\+ passed'",
        "grep -E '[0-9]+ (passed|failed)'",
        "grep -E '^(ok|FAIL)[[:space:]]'",
        "grep -w ok",
        "grep -x '3 passed in 0.1s'",
        "grep -vE 'ok|no test files'",
        "grep -A3 failed",
        "grep -- '--- FAIL'",
        "grep -n FAIL",
        "grep 'a.b\\?c*'",
        "egrep 'FAIL|passing'",
        "fgrep Tests:",
        "grep -E '(passed|failed), '",
    ],
)
def test_a_grep_keeps_what_the_real_one_keeps(grep: str) -> None:
    words = [word for word in shlex.split(grep) if not re.fullmatch(r"-[AnBC]\d*", word)]
    if words[0] in ("egrep", "fgrep"):
        words[:1] = ["grep", "-E" if words[0] == "egrep" else "-F"]
    for line in LINES:
        real = subprocess.run(
            words, input=line + "\n", capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert of(f"x | {grep}").keeps(line) == (real.returncode == 0), line


def test_the_smallest_window_counts() -> None:
    seen = of("pytest | tail -50 | tail -n 5 | head -3")
    assert (seen.tail, seen.head) == (5, 3)


@pytest.mark.parametrize(
    ("stage", "head", "tail"),
    [
        ("tail", None, 10),
        ("tail -3", None, 3),
        ("tail -n3", None, 3),
        ("tail --lines=7", None, 7),
        ("tail -n +2", None, None),
        ("head", 10, None),
        ("head -n 4", 4, None),
        ("sed -n '1,80p'", 80, None),
        ("Select-Object -Last 20", None, 20),
        ("Select-Object -First 5", 5, None),
        ("tee log", None, None),
        ("cat", None, None),
    ],
)
def test_windows_are_read_in_lines(stage: str, head: int | None, tail: int | None) -> None:
    seen = of(f"x | {stage}")
    assert (seen.head, seen.tail) == (head, tail)
    assert not seen.opaque


def test_a_count_and_a_program_of_their_own_are_told_apart() -> None:
    assert of("x | grep -c FAIL").counted
    assert of("x | grep FAIL | wc -l").counted
    assert of("x | python3 sum.py").opaque
    assert of("x | awk '{print $1}'").opaque
    assert of("x | grep -q ok").hidden


def test_where_the_output_goes() -> None:
    assert of("x > log").file == "log"
    assert of("x &> log").file == "log"
    assert of("x 2> log").file is None
    assert of("x 2>&1").plain
    assert of("x | tee a > /dev/null").hidden


def test_a_pattern_that_may_run_away_is_not_tried() -> None:
    assert of("x | grep -E '(a+)+$'").opaque
    assert of("x | grep -E '" + "a" * 500 + "'").opaque
    assert of("x | grep -E '('").opaque
    assert of("x | grep '[[a]--b]'").opaque


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(["grep", "tail", "-3", "-v", "-E", "-c", "|", "head", "ok"]) | st.text(max_size=8),
        max_size=8,
    )
)
def test_no_filter_breaks_it(words: list[str]) -> None:
    for first in shell.commands(shell.parse("x | " + " ".join(words))):
        seen = view(first.filters, first.redirects)
        assert seen.keeps("ok") in (True, False)
