"""What ``honed judge --explain`` says."""

from __future__ import annotations

from honed.verdict.timeline import timeline
from tests.verdict.telling import Told


def test_a_timeline_tells_requests_changes_and_runs_in_order_and_what_decided() -> None:
    told = Told().asked("Round totals half up").tests(passed=False).changes()
    told.edits("README.md", "a", "b")
    told.tests()
    lines = list(timeline(told.tasks()[0]))
    assert lines[0] == "VERIFIED: 12 passed"
    assert "known by exit status and summary" in lines[1]
    assert "strongest proof" in lines[2]
    words = [line.split()[1] for line in lines[3:]]
    assert words == ["asked", "ran", "changed", "changed", "ran"]
    assert "does not count" in lines[6]
    assert lines[-1].endswith("<- decided")


def test_a_timeline_says_why_nothing_counted() -> None:
    lines = list(timeline(Told().asked("x").changes().shell("pytest --version", "pytest 9").tasks()[0]))
    assert lines[0].startswith("NONE: ")


def test_long_texts_are_cut() -> None:
    lines = list(timeline(Told().asked("x" * 500).changes().tests().tasks()[0]))
    assert max(len(line) for line in lines) < 260
