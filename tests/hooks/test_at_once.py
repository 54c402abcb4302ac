"""Hooks that run at the same time, as clients start them for several calls of one turn: each note once."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from honed.hooks import entry, spool
from tests.hooks.conftest import Shop

AT_ONCE, ROUNDS = 6, 120


@contextlib.contextmanager
def hookers(shop: Shop) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that wait for the name of a session, and then fire."""
    started = [
        subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "hooker.py"), str(shop.home), str(shop.project)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
            encoding="utf-8",
        )
        for _ in range(AT_ONCE)
    ]
    try:
        yield started
    finally:
        for process in started:
            process.communicate(timeout=60)


def test_of_six_hooks_that_run_at_once_one_says_the_note(learned: Shop) -> None:
    said: dict[str, list[str]] = {}
    with hookers(learned) as started:
        for number in range(ROUNDS):
            session = f"round-{number}"
            for process in started:
                assert process.stdin is not None
                process.stdin.write(f"{session}\n")
                process.stdin.flush()
            answers = [process.stdout.readline().strip() for process in started if process.stdout]
            said[session] = sorted(answers)
    once = ["0"] * (AT_ONCE - 1) + ["1"]
    assert {session: answers for session, answers in said.items() if answers != once} == {}
    for session in said:
        gave = [line["r"] for line in learned.lines(session)]
        assert sorted(str(result) for result in gave) == ["gave"] + ["quiet"] * (AT_ONCE - 1)


def edit(shop: Shop) -> dict[str, object]:
    """The payload of a change of which the shop's memory knows the check."""
    file = {"file_path": str(shop.project / "shop" / "cart.py")}
    return {"session_id": "s1", "cwd": str(shop.project), "tool_name": "Edit", "tool_input": file}


def test_a_hook_that_dies_before_it_speaks_loses_a_note_and_none_is_said_twice(learned: Shop) -> None:
    def dies(_: str) -> bool:
        os._exit(9)

    child = os.fork()
    if not child:
        entry.answered("pre-tool", "claude_code", str(learned.home), lambda: edit(learned), dies)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    said: list[str] = []

    def say(text: str) -> bool:
        said.append(text)
        return True

    entry.answered("pre-tool", "claude_code", str(learned.home), lambda: edit(learned), say)
    assert said == []
    assert [line["r"] for line in learned.lines()] == ["gave", "quiet"]


def test_what_a_client_did_not_take_is_said_at_the_next_occasion(learned: Shop) -> None:
    said: list[str] = []

    def say(text: str) -> bool:
        said.append(text)
        return len(said) > 1

    for _ in range(3):
        entry.answered("pre-tool", "claude_code", str(learned.home), lambda: edit(learned), say)
    assert len(said) == 2
    assert [line["r"] for line in learned.lines()] == ["failed", "gave", "quiet"]


def claimed(shop: Shop, since: spool.Past, agent: str, version: int) -> bool:
    """Whether ``agent`` of the session is the first to say a skill's text."""
    line = {"e": "pre-tool", "r": "gave", "n": 9, "ids": {"sk_x": version}, **({"g": agent} if agent else {})}
    made = spool.claim(str(shop.home), "s1", since, agent, line)
    if not made.first:
        spool.take_back(made)
    return made.first


def test_what_another_agent_of_the_session_claimed_is_its_own(learned: Shop) -> None:
    start = spool.past(str(learned.home), "s1")
    assert claimed(learned, start, "", 1)
    assert claimed(learned, start, "helper", 1)
    assert not claimed(learned, start, "helper", 1)
    assert not claimed(learned, start, "", 1)
    assert claimed(learned, start, "", 2)
    assert spool.past(str(learned.home), "s1").given == {"sk_x": 2}
    assert spool.past(str(learned.home), "s1").spent == 27, "what was taken back counts nowhere"
    assert len(learned.lines()) == 3


def test_of_two_hooks_at_once_one_line_of_what_is_held_back_counts(learned: Shop) -> None:
    start = spool.past(str(learned.home), "s1")
    line = {"e": "prompt", "r": "held", "x": 1, "ids": {"sk_x": 1}}
    for _ in range(2):
        made = spool.claim(str(learned.home), "s1", start, "", line)
        if not made.first:
            spool.take_back(made)
    assert learned.lines() == [line]
    assert b'"r":"lost"' in learned.spool_file("s1").read_bytes()


def test_a_line_that_is_not_there_any_more_is_not_written_over(learned: Shop) -> None:
    start = spool.past(str(learned.home), "s1")
    made = spool.claim(str(learned.home), "s1", start, "", {"r": "gave", "ids": {"sk_x": 1}})
    file = learned.spool_file("s1")
    file.write_text("x" * 200, encoding="utf-8")
    spool.take_back(made)
    assert file.read_text(encoding="utf-8") == "x" * 200
