"""What a shell step proves."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict.interpret import interpret, is_test_command
from tests.verdict.corpus import ROWS, RUNS, STRUCTURE, Row

Filter = Callable[[list[str]], list[str]]
OUTCOMES = {"pass", "fail", "weak", "nothing", "unknown", "not_a_test"}


def described(row: Row) -> str:
    return f"{row.command[:60]!r} -> {row.outcome}"


@pytest.mark.parametrize("row", ROWS, ids=described)
def test_a_step_proves_what_a_careful_reader_says(row: Row) -> None:
    result = interpret(row.command, row.exit, row.output)
    assert result.outcome == row.outcome, result.reason
    if row.passed is not None:
        assert result.counts.passed == row.passed
    if row.failed is not None:
        assert result.counts.failed == row.failed


@pytest.mark.parametrize("row", RUNS, ids=described)
def test_a_real_run_is_read_as_it_ended(row: Row) -> None:
    result = interpret(row.command, row.exit, row.output)
    assert (result.outcome, result.counts.passed, result.counts.failed) == (
        row.outcome,
        row.passed,
        row.failed,
    )


def kept(pattern: str, *, inverted: bool = False) -> Filter:
    wanted = re.compile(pattern)
    return lambda lines: [line for line in lines if bool(wanted.search(line)) != inverted]


def counted(pattern: str) -> Filter:
    wanted = re.compile(pattern)
    return lambda lines: [str(sum(1 for line in lines if wanted.search(line)))]


def first(number: int) -> Filter:
    return lambda lines: lines[:number]


def last(number: int) -> Filter:
    return lambda lines: lines[-number:]


FILTERS: tuple[tuple[str, Filter], ...] = (
    *((f"head -{number}", first(number)) for number in (1, 2, 3, 5, 10, 20, 40)),
    *((f"tail -{number}", last(number)) for number in (1, 2, 3, 5, 10, 20, 40)),
    *(
        (f"grep -E '{pattern}'", kept(pattern))
        for pattern in ("passed|failed", "(pass|fail)", "Tests:|Suites", "^(ok|FAIL)", "test result")
    ),
    *((f"grep {word}", kept(word)) for word in ("passed", "ok", "PASS", "passing", "FAIL", "Ran")),
    *((f"grep -v {word}", kept(word, inverted=True)) for word in ("FAIL", "^ok", "fail", "not")),
    *((f"grep -c {word}", counted(word)) for word in ("FAIL", "ok", "passed", "FAILED", "fail")),
    ("wc -l", lambda lines: [str(len(lines))]),
)


def plain(row: Row) -> bool:
    return not re.search(r"[|;&]", row.command)


def piped() -> Iterator[tuple[Row, str, str]]:
    for row in filter(plain, RUNS):
        lines = row.output.rstrip("\n").split("\n")
        for name, function in FILTERS:
            yield row, name, "\n".join(function(lines))


def test_no_filter_makes_a_failing_run_pass() -> None:
    believed = [
        (row.command, name, result.reason)
        for row, name, output in piped()
        if row.outcome == "fail"
        for result in [interpret(f"{row.command} 2>&1 | {name}", 0, output)]
        if result.outcome in ("pass", "weak")
    ]
    assert believed == []


def test_no_window_on_a_passing_run_makes_it_fail() -> None:
    believed = [
        (row.command, name, result.reason)
        for row, name, output in piped()
        if row.outcome == "pass" and name.startswith("tail") and "flaky" not in row.command
        for result in [interpret(f"{row.command} 2>&1 | {name}", 0, output)]
        if result.outcome == "fail"
    ]
    assert believed == []


@pytest.mark.parametrize("wrap", ["{} || true", "{}; echo done", "{} | cat", "({}) ; true"])
def test_a_status_of_somebody_else_does_not_change_what_a_failing_run_says(wrap: str) -> None:
    for row in filter(plain, RUNS):
        if row.outcome == "fail" and (row.failed or row.passed):
            result = interpret(wrap.format(row.command), 0, row.output)
            assert result.outcome == "fail", (row.command, result.reason)


def test_a_pass_by_its_own_summary_alone_says_so() -> None:
    result = interpret("pytest -q | tail -3", 0, "2 passed in 0.1s")
    assert (result.outcome, result.authority) == ("weak", "summary")


def test_what_is_only_not_seen_to_fail_has_no_authority() -> None:
    result = interpret("go test ./... | grep -v '^ok'", 0, "")
    assert (result.outcome, result.authority) == ("weak", None)


def test_a_pass_by_status_and_summary_says_both() -> None:
    assert interpret("pytest -q", 0, "2 passed in 0.1s").authority == "both"
    assert interpret("pytest -qq", 0, "..    [100%]").authority == "exit"


def test_a_step_that_was_refused_never_ran() -> None:
    result = interpret("pytest -q", 1, "Permission to use Bash has been denied.", ran=False)
    assert (result.outcome, result.reason) == ("unknown", "it never ran: the step was refused or cancelled")
    assert interpret("ls", 1, "denied", ran=False).outcome == "not_a_test"


def test_a_summary_in_a_file_that_is_only_read_is_flagged_but_no_run() -> None:
    result = interpret("tail -5 /tmp/tasks/b1.output", 0, "=== 1 failed, 2 passed in 0.1s ===")
    assert result.outcome == "not_a_test"
    assert result.reason == "summary read from a file"
    assert (result.counts.passed, result.counts.failed) == (2, 1)


def test_a_cut_output_of_a_commit_hook_is_unknown() -> None:
    output = "Output too large. Full output saved to: /x/y.txt\n\n$ bun test src/\nbun test v1.3.5\n"
    assert interpret("git commit -m x", 0, output, truncated=True).outcome == "unknown"


def test_failing_tests_are_named_once_and_at_most_twenty() -> None:
    output = (
        "".join(f"FAILED tests/test_a.py::test_{n} - assert 0\n" for n in range(30)) * 2 + "30 failed in 1.0s"
    )
    result = interpret("pytest -q", 1, output)
    assert len(result.failing) == 20
    assert result.failing[0] == "tests/test_a.py::test_0"


@pytest.mark.parametrize(
    ("command", "output", "names"),
    [
        (
            "go test ./...",
            "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\nFAIL",
            ("TestA", "TestA/b"),
        ),
        ("cargo test", "test a::b ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored", ("a::b",)),
        ("npx jest", "  ● sums › adds\n\nTests:       1 failed, 1 total", ("sums › adds",)),
        ("bun test", "(fail) cart > adds [0.20ms]\n 0 pass\n 1 fail", ("cart > adds",)),
        (
            "python -m unittest",
            "FAIL: test_a (m.T.test_a)\nRan 1 test in 0.0s\n\nFAILED (failures=1)",
            ("test_a (m.T.test_a)",),
        ),
        ("mix test", "  1) test adds (CartTest)\n1 test, 1 failure", ("test adds (CartTest)",)),
        ("flutter test", "00:01 +0 -1: adds [E]\n00:01 +0 -1: Some tests failed.", ("adds",)),
        ("rspec", "1 example, 1 failure\nrspec ./spec/a_spec.rb:3 # adds", ("./spec/a_spec.rb:3 # adds",)),
    ],
)
def test_each_runner_names_its_failing_tests(command: str, output: str, names: tuple[str, ...]) -> None:
    assert interpret(command, 1, output).failing == names


def test_the_order_points_at_the_last_test_command_of_the_line() -> None:
    assert interpret("cd a && pytest -q && ls", 0, "2 passed in 0.1s").order == 1
    assert interpret("./gate.sh", 0, "=== 2 passed in 0.1s ===").order is None


def test_the_runner_that_spoke_is_named_behind_a_task() -> None:
    assert interpret("npm test", 0, " Test Files  1 passed (1)\n      Tests  3 passed (3)").runner == "vitest"
    assert interpret("npm test", 0, "").runner == "npm"


def test_the_same_step_always_proves_the_same() -> None:
    for row in random.Random(1).sample(RUNS + ROWS, 60):
        assert interpret(row.command, row.exit, row.output) == interpret(row.command, row.exit, row.output)


def test_a_command_that_only_lists_is_no_test_command() -> None:
    assert not is_test_command("pytest --collect-only -q && cargo test --no-run")
    assert is_test_command("pytest --collect-only -q && pytest -q")


PIECES = [row.command for row in STRUCTURE] + [
    ";",
    "&&",
    "|",
    "'",
    '"',
    "$(",
    ")",
    "tail -3",
    "\n",
    "<<EOF",
    "{",
    "}",
]
OUTPUT_PIECES = [line for row in ROWS[:120] + RUNS[:80] for line in row.output.split("\n")[:6]]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=6).map(" ".join),
    st.none() | st.integers(-2, 300),
    st.lists(st.sampled_from(OUTPUT_PIECES) | st.text(max_size=60), max_size=12).map("\n".join),
    st.booleans(),
)
def test_nothing_a_shell_may_hold_breaks_it(command: str, code: int | None, output: str, ran: bool) -> None:
    result = interpret(command, code, output, ran=ran)
    assert result.outcome in OUTCOMES
    assert len(result.failing) <= 20
    if result.outcome in ("pass", "weak"):
        assert not result.counts.failed
        assert ran


@pytest.mark.parametrize(
    "output",
    [
        "1" * 300_000,
        "(" * 100_000 + "passed",
        "passed " * 60_000,
        "\x1b[" * 100_000,
        "FAILED " * 40_000 + ".py::" * 1000,
        "a > b FAILED\n" * 20_000,
        "\r" * 200_000 + "2 passed in 0.1s",
        "ok  \tm/a\t0.1s\n" * 20_000,
        "│ " * 50_000 + "Passing: 1",
        ("[a] " * 400 + "x passed\n") * 300,
    ],
    ids=range(10),
)
def test_a_huge_output_is_read_without_a_runaway_pattern(output: str) -> None:
    assert interpret("npm test", 0, output).outcome in OUTCOMES
    assert interpret("./gate.sh", 0, output).outcome in OUTCOMES
