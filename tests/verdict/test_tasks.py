"""Where one task ends and the next begins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from honed.demo.scribe import ClaudeScribe
from honed.sessions.model import Event, Request, Step
from honed.sessions.reading import read_bytes
from honed.verdict.tasks import HANDFUL, HANDFUL_OUTPUT, split
from tests.verdict.telling import Told


def kinds(told: Told) -> list[tuple[int, str]]:
    """Number of requests and verdict of each task."""
    return [(len(task.requests), task.verdict.kind) for task in told.tasks()]


def test_a_verified_task_ends_at_the_next_request() -> None:
    told = Told().asked("one").changes().tests().asked("two").changes("shop/b.py").tests()
    assert kinds(told) == [(1, "verified"), (1, "verified")]


def test_a_change_that_no_run_has_verified_carries_over_into_the_next_request() -> None:
    told = Told().asked("one").changes().asked("and also").changes("shop/b.py").tests()
    assert kinds(told) == [(2, "verified")]


def test_a_failing_task_goes_on_until_it_passes() -> None:
    told = Told().asked("one").changes().tests(passed=False).asked("still red").changes().tests()
    assert kinds(told) == [(2, "verified")]


def test_a_question_is_a_task_of_its_own() -> None:
    told = Told().asked("where?").shell("grep -rn x .", "a").asked("fix it").changes().tests()
    assert kinds(told) == [(1, "none"), (1, "verified")]


def test_a_request_that_only_commits_belongs_to_the_task_before_it() -> None:
    told = Told().asked("fix it").changes().tests().asked("commit that").shell("git commit -am 'Fix it'")
    assert kinds(told) == [(2, "verified")]


def test_a_request_that_commits_and_changes_documents_is_its_own() -> None:
    told = Told().asked("fix it").changes().tests().asked("note it down")
    told.edits("CHANGELOG.md", "a", "b")
    told.shell("git commit -am 'Note it'")
    assert kinds(told) == [(1, "verified"), (1, "none")]


def test_only_the_last_task_is_open() -> None:
    told = Told().asked("one").changes().tests().asked("two").changes().tests()
    assert [task.open for task in told.tasks()] == [False, True]


def test_the_same_requests_in_a_resumed_session_are_the_same_tasks() -> None:
    told = Told().asked("one").changes().tests().asked("two").changes().tests()
    copied = told.text().replace('"sessionId": "1111', '"sessionId": "9999')
    first = [task.id for task in told.tasks()]
    assert first == [task.id for task in split(read_bytes(copied.encode()))]
    assert len(set(first)) == 2


def test_a_session_as_a_whole_is_one_task() -> None:
    told = Told().asked("one").changes().tests().asked("two").changes()
    tasks = list(split(read_bytes(told.text().encode()), whole=True))
    assert [(len(task.requests), task.verdict.kind) for task in tasks] == [(2, "stale")]


def test_a_session_in_which_nobody_did_anything_has_no_task() -> None:
    told = ClaudeScribe("s", "/home/dev/shop", "2026-05-04")
    told.says("Hello")
    assert list(split(read_bytes(told.text().encode()))) == []


def test_long_outputs_are_clipped_in_what_a_task_keeps() -> None:
    told = Told().asked().shell("cat big", "x" * 1_000_000).changes().tests()
    assert max(len(step.output) for step in told.tasks()[0].steps) < 10_000


def test_a_request_that_only_pushes_or_opens_a_pull_request_belongs_to_the_task_before_it() -> None:
    told = Told().asked("fix it").changes().tests().asked("open a pull request")
    told.shell(
        "cat > /tmp/body.md <<'E'\nwords\nE\ngit push origin x && gh pr create --body-file /tmp/body.md"
    )
    assert kinds(told) == [(2, "verified")]


def test_a_request_that_tests_and_changes_nothing_is_its_own() -> None:
    told = Told().asked("fix it").changes().tests().asked("does it still pass?").tests()
    assert kinds(told) == [(1, "verified"), (1, "none")]


def test_a_request_that_rebases_and_tests_and_pushes_is_judged_with_the_task_before_it() -> None:
    told = Told().asked("fix it").changes().tests().asked("put it on main")
    told.shell("git rebase origin/main").tests().shell("git push --force-with-lease")
    assert kinds(told) == [(2, "verified")]
    again = Told().asked("fix it").changes().tests().asked("put it on main")
    again.shell("git rebase origin/main").tests(passed=False).shell("git push --force-with-lease")
    assert kinds(again) == [(2, "failed")]


def test_what_was_read_is_judged_before_a_fault_of_reading_is_told() -> None:
    told = Told().asked("one").changes().tests().asked("two").changes("shop/b.py").tests().asked("three")
    told.changes().tests().asked("four")

    def breaking() -> Iterator[Event]:
        yield from read_bytes(told.text().encode())
        raise OSError("the disk is gone")

    tasks = split(breaking())
    assert [next(tasks).verdict.kind for _ in range(2)] == ["verified", "verified"]
    with pytest.raises(OSError, match="the disk is gone"):
        next(tasks)


def test_few_long_outputs_are_held_at_once() -> None:
    read = []

    def session() -> Iterator[Event]:
        for number in range(HANDFUL):
            read.append(number)
            if number % 2 == 0:
                yield Request(f"r{number}", f"where is {number}?", number, number)
            else:
                output = "x" * (HANDFUL_OUTPUT // 2)
                yield Step(f"s{number}", "shell", "Bash", "ok", number, number, number, output=output)

    first = next(split(session()))
    assert first.requests[0].text == "where is 0?"
    assert len(read) < HANDFUL // 2
