"""Why tests failed, in the words of the output."""

from __future__ import annotations

import pytest

from honed.verdict.causes import MOST, causes_of


@pytest.mark.parametrize(
    ("text", "failed", "causes"),
    [
        ("    a_test.go:52: cannot sign: no key\n--- FAIL: TestA (0.00s)", 1, ("cannot sign: no key",)),
        ("E   ConnectionError: db refused it\n1 failed in 0.1s", 1, ("ConnectionError: db refused it",)),
        ("E   ConnectionError: refused\n1 failed in 0.1s", 1, ()),
        ("E   assert False\n1 failed in 0.1s", 1, ()),
        ("E   AssertionError: no such row was found\nE   IOError: the disk is full", 1, ()),
        (
            "E   AssertionError: no such row was found\nE   IOError: the disk is full",
            None,
            ("IOError: the disk is full",),
        ),
        ("    a_test.go:9: got 3 rows, want 4", 1, ()),
        ("  Error: connect ECONNREFUSED 127.0.0.1:54321", 1, ("Error: connect ECONNREFUSED 127.0.0.1:#",)),
        ("panic: no such table 0xc000\nFAIL\tx\t0.1s", 1, ("panic: no such table #",)),
        ("    a_test.go:52: no key\n--- FAIL: TestA\n--- FAIL: TestB", 2, ()),
        ("1 failed, 3 passed", 1, ()),
        ("", None, ()),
    ],
)
def test_the_messages_of_failing_tests_are_found(
    text: str, failed: int | None, causes: tuple[str, ...]
) -> None:
    assert causes_of(text, failed) == causes


def test_too_many_messages_are_no_common_cause() -> None:
    text = "\n".join(f"E   ValueError: no row of number {n}" for n in range(MOST + 1))
    assert causes_of(text, 1) == ()
