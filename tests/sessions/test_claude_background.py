"""Work behind the conversation: background shells, sub-agents and their files."""

from __future__ import annotations

from typing import Any

import pytest

from honed.sessions.model import Hunk, Step
from honed.sessions.reading import read_bytes
from tests.sessions.build_claude import (
    CART,
    SESSION,
    Transcript,
    agent_file,
    completed,
    foreground,
    launched,
    notification,
    progress,
    read,
)

DONE = 'Background command "gate" completed (exit code 0)'
FAILED = 'Background command "gate" failed with exit code 1'


# -- shells


def gate() -> Transcript:
    return (
        Transcript().user("check it").background("t1", "make check", "b1", "gate").edit("t2", CART, "a", "b")
    )


def the_gate(transcript: Transcript) -> Step:
    (step,) = [step for step in read(transcript).steps if step.id == "t1"]
    assert step.background
    assert step.started == 1
    return step


@pytest.mark.parametrize("way", ["user", "attachment", "queue"])
@pytest.mark.parametrize(
    ("status", "summary", "expected"),
    [
        ("completed", DONE, ("ok", 0)),
        ("failed", FAILED, ("failed", 1)),
        ("killed", 'Background command "gate" was killed', ("interrupted", None)),
        ("completed", 'Background command "gate" completed', ("ok", None)),
    ],
)
def test_a_notification_says_how_a_background_command_ended(
    way: str, status: str, summary: str, expected: tuple[str, int | None]
) -> None:
    transcript = gate()
    text = notification("b1", status, summary)
    if way == "user":
        transcript.user(text)
    elif way == "attachment":
        transcript.attachment("queued_command", prompt=text, commandMode="task-notification")
    else:
        transcript.queue("enqueue", text).queue("dequeue").user(text)
    step = the_gate(transcript.bash("t3", "git status"))
    assert (step.status, step.exit_code) == expected
    assert read(transcript).texts == ["check it"]


def test_a_background_command_is_one_step_that_finished_late() -> None:
    told = read(gate().user(notification("b1", "completed", DONE)))
    assert [step.id for step in told.steps] == ["t2", "t1"]
    edit, run = told.steps
    assert run.started < edit.started < edit.finished < run.finished


@pytest.mark.parametrize("way", ["read", "tail", "tail and more"])
def test_its_output_is_what_the_agent_read_of_its_file_afterwards(way: str) -> None:
    transcript = gate().user(notification("b1", "completed", DONE))
    if way == "read":
        file = {"filePath": "/tmp/tasks/b1.output", "content": "12 passed\n"}
        transcript.call("t3", "Read", {"file_path": "/tmp/tasks/b1.output"})
        transcript.result("t3", "     1\t12 passed", error=None, told={"type": "text", "file": file})
    elif way == "tail":
        transcript.bash("t3", "sleep 1; tail -5 /tmp/tasks/b1.output | head -3", "12 passed\n")
    else:
        transcript.bash("t3", "tail -n 5 '/tmp/tasks/b1.output'; git status", "12 passed\n")
    transcript.user("thanks")
    assert the_gate(transcript).output == "12 passed\n"
    assert the_gate(transcript).exit_code == 0


def test_a_filtered_look_at_its_file_is_not_its_output() -> None:
    transcript = gate().user(notification("b1", "completed", DONE))
    step = the_gate(transcript.bash("t3", "grep -c FAIL /tmp/tasks/b1.output", "0"))
    assert step.output.startswith("Command running in background")


def test_an_ended_command_waits_for_its_output_only_a_little() -> None:
    transcript = gate().user(notification("b1", "completed", DONE))
    for number in range(20):
        transcript.bash(f"s{number}", "ls")
    ids = [step.id for step in read(transcript).steps]
    assert ids.index("t1") < ids.index("s9")


def test_an_ended_command_is_told_before_the_next_request() -> None:
    told = read(gate().user(notification("b1", "completed", DONE)).user("next"))
    assert told.events.index(told.steps[1]) < told.events.index(told.requests[1])


def test_a_command_that_runs_on_into_the_next_request_is_told_when_it_ends() -> None:
    told = read(gate().user("next").user(notification("b1", "failed", FAILED)))
    assert told.steps[-1].id == "t1"
    assert told.steps[-1].status == "failed"


@pytest.mark.parametrize(
    ("name", "asked", "answer", "content"),
    [
        (
            "TaskOutput",
            {"task_id": "b1"},
            {"task": {"task_id": "b1", "status": "completed", "exitCode": 1, "output": "1 failed"}},
            "",
        ),
        (
            "BashOutput",
            {"bash_id": "b1"},
            {"shellId": "b1", "status": "completed", "exitCode": 1, "stdout": "1 failed", "stderr": ""},
            "",
        ),
        (
            "TaskOutput",
            {"task_id": "b1"},
            ...,
            "<task_id>b1</task_id>\n<status>completed</status>\n<exit_code>1</exit_code>\n"
            "<output>\n1 failed\n</output>",
        ),
        (
            "BashOutput",
            {"bash_id": "b1"},
            ...,
            "<status>completed</status>\n\n<exit_code>1</exit_code>\n\n<stdout>\n1 failed\n</stdout>",
        ),
    ],
)
def test_asking_for_a_background_command_ends_it_with_code_and_output(
    name: str, asked: dict[str, Any], answer: Any, content: str
) -> None:
    transcript = gate().call("t3", name, asked).result("t3", content, error=None, told=answer)
    step = the_gate(transcript)
    assert (step.status, step.exit_code, step.output) == ("failed", 1, "1 failed")


def test_what_a_command_printed_is_put_together_where_it_is_told_in_pieces() -> None:
    transcript = gate()
    for number, (status, text) in enumerate(
        [("running", "one\n"), ("running", "two\n"), ("completed", "3 passed")]
    ):
        answer = {"shellId": "b1", "status": status, "exitCode": 0, "stdout": text, "stderr": ""}
        transcript.call(f"o{number}", "BashOutput", {"bash_id": "b1"}).result(f"o{number}", "", told=answer)
    assert the_gate(transcript).output == "one\ntwo\n3 passed"


def test_a_command_that_is_still_running_when_asked_for_stays_open() -> None:
    task = {"task_id": "b1", "status": "running", "exitCode": None, "output": "half"}
    transcript = gate().call("t3", "TaskOutput", {"task_id": "b1"})
    step = the_gate(transcript.result("t3", "", told={"retrieval_status": "timeout", "task": task}))
    assert (step.status, step.exit_code, step.output) == ("unknown", None, "half")


def test_a_command_that_is_never_heard_of_again_is_running() -> None:
    assert (the_gate(gate()).status, the_gate(gate()).exit_code) == ("running", None)


def test_a_command_that_is_stopped_is_interrupted() -> None:
    transcript = gate().call("t3", "KillShell", {"shell_id": "b1"}).result("t3", "killed", error=None)
    assert the_gate(transcript).status == "interrupted"


def test_a_command_that_took_too_long_and_was_moved_to_the_background_counts_as_one() -> None:
    text = (
        "Command did not complete within its 120s timeout and was moved to the background (ID: b1). Output is"
    )
    transcript = Transcript().user("x").call("t1", "Bash", {"command": "make check"}).result("t1", text)
    step = the_gate(transcript.user(notification("b1", "completed", DONE)))
    assert (step.status, step.exit_code) == ("ok", 0)


@pytest.mark.parametrize(
    ("call", "summary"),
    [("t1", "failed with exit code 1"), ("REDACTED", FAILED)],
    ids=["call", "description"],
)
def test_a_masked_id_is_made_up_for_by_the_call_or_the_description(call: str, summary: str) -> None:
    assert the_gate(gate().user(notification("REDACTED", "failed", summary, call))).exit_code == 1


def test_a_look_at_its_file_while_it_runs_does_not_end_it() -> None:
    transcript = gate().bash("t3", "tail /tmp/tasks/b1.output", "collecting")
    transcript.user(notification("b1", "failed", FAILED)).bash("t4", "cat /tmp/tasks/b1.output", "1 failed")
    step = the_gate(transcript)
    assert (step.status, step.exit_code, step.output) == ("failed", 1, "1 failed")


def test_a_notification_of_an_unknown_task_says_nothing() -> None:
    told = read(Transcript().user("x").user(notification("zz", "completed", DONE)))
    assert told.steps == []


# -- sub-agents


def test_an_agents_file_is_woven_in_before_the_call_that_started_it() -> None:
    told = read(foreground(Transcript().user("go"), "a1"), a1=agent_file("a1").data())
    assert [(s.id, s.actor, s.agent_id, s.kind) for s in told.steps] == [
        ("a1-e", "subagent", "a1", "edit"),
        ("a1-b", "subagent", "a1", "shell"),
        ("t1", "agent", "a1", "agent"),
    ]
    call = told.steps[2]
    assert (call.query, call.output) == ("do the part", "done")
    assert call.started < told.steps[0].started < told.steps[1].finished < call.finished
    assert {step.line for step in told.steps} == {2}
    assert told.texts == ["go"]


def test_a_missing_file_leaves_the_call_alone() -> None:
    assert read(foreground(Transcript(), "a1")).step.kind == "agent"


def test_a_half_written_file_gives_what_it_holds() -> None:
    data = agent_file("a1").data()
    told = read(foreground(Transcript(), "a1"), a1=data[:-200])
    assert [(step.id, step.status) for step in told.steps] == [
        ("a1-e", "ok"),
        ("t1", "ok"),
        ("a1-b", "running"),
    ]


def test_an_agents_id_cannot_lead_out_of_its_folder() -> None:
    asked: list[str] = []
    data = foreground(foreground(Transcript(), "../a1", "t1"), "a2", "t2").data()
    for name in (f"{SESSION}.jsonl", "..", ""):
        list(read_bytes(data, name=name, related=asked.append))
    assert set(asked) == {f"{SESSION}/subagents/agent-a2.jsonl"}


def test_an_agent_called_again_tells_each_turn_where_it_was_called() -> None:
    file = agent_file("a1")
    file.user("and once more").edit("again", CART, "b", "c")
    transcript = foreground(Transcript().user("go"), "a1").bash("m1", "pytest", "1 passed")
    transcript.clock = file.clock
    told = read(foreground(transcript, "a1", "t2"), a1=file.data())
    assert [step.id for step in told.steps] == ["a1-e", "a1-b", "t1", "m1", "again", "t2"]


def test_progress_records_and_the_file_tell_the_same_work_once() -> None:
    transcript = Transcript().user("go").call("t1", "Task", {"prompt": "do the part"})
    progress(transcript, agent_file("a1"), "a1")
    transcript.result("t1", "done", told=completed("a1"))
    alone, both = read(transcript), read(transcript, a1=agent_file("a1").data())
    assert [step.id for step in alone.steps] == ["a1-e", "a1-b", "t1"]
    assert both.steps == alone.steps
    assert {step.cwd for step in alone.steps} == {"/home/dev/shop"}
    assert alone.steps[0].changes[0].hunks == (Hunk("a", "b"),)


def test_inline_records_of_a_side_chain_are_the_agents() -> None:
    transcript = Transcript().user("go").call("t1", "Task", {"prompt": "do the part"})
    transcript.user("do the part", isSidechain=True)
    transcript.call("s1", "Read", {"file_path": CART}, isSidechain=True)
    transcript.result("s1", "text", isSidechain=True).result("t1", "done")
    told = read(transcript)
    assert [(step.id, step.actor) for step in told.steps] == [("s1", "subagent"), ("t1", "agent")]
    assert told.texts == ["go"]


def test_an_agent_in_the_background_is_woven_in_by_the_clock() -> None:
    transcript = launched(Transcript().user("go"), "a1")
    transcript.clock = 10
    transcript.bash("m1", "ls")
    transcript.clock = 30
    transcript.bash("m2", "ls").user(notification("a1", "completed", 'Agent "x" finished', result="all done"))
    told = read(transcript, a1=agent_file("a1", start=20).data())
    assert [step.id for step in told.steps] == ["m1", "a1-e", "a1-b", "m2", "t1"]
    call = told.steps[-1]
    assert (call.status, call.background, call.output, call.agent_id) == ("ok", True, "all done", "a1")
    assert call.started == 1


def test_an_agent_that_was_never_heard_of_again_is_running_and_its_work_is_told() -> None:
    told = read(launched(Transcript(), "a1"), a1=agent_file("a1", start=50).data())
    assert [(step.id, step.status) for step in told.steps] == [
        ("a1-e", "ok"),
        ("a1-b", "ok"),
        ("t1", "running"),
    ]


def test_an_agent_that_is_spoken_to_after_it_finished_works_on_until_it_says_so() -> None:
    agent = "a6fa60d1f75b44fdc"
    transcript = launched(Transcript(), agent).user(
        notification(agent, "completed", "finished", result="one")
    )
    transcript.call("t2", "SendMessage", {"to": agent, "message": "go on"}).result("t2", "sent", error=None)
    transcript.edit("t3", CART, "a", "b").user(notification(agent, "completed", "finished", result="two"))
    told = read(transcript)
    assert [(s.id, s.kind, s.background, s.output[:3]) for s in told.steps] == [
        ("t1", "agent", True, "one"),
        ("t3", "edit", False, "The"),
        ("t2", "agent", True, "two"),
    ]


def test_an_agent_that_starts_an_agent_brings_its_file_along() -> None:
    outer = foreground(Transcript(isSidechain=True, agentId="a1"), "a2")
    outer_data = outer.data().replace(b'"t1"', b'"t9"').replace(SESSION[:8].encode(), b"outer")
    told = read(foreground(Transcript(), "a1"), a1=outer_data, a2=agent_file("a2").data())
    assert [(step.id, step.agent_id) for step in told.steps] == [
        ("a2-e", "a2"),
        ("a2-b", "a2"),
        ("t9", "a2"),
        ("t1", "a1"),
    ]


def test_an_agents_own_file_is_a_session_of_its_own_kind() -> None:
    transcript = (
        Transcript(isSidechain=True, agentId="a1").user("do the part").bash("t1", "pytest", "1 passed")
    )
    told = read(transcript, name="agent-a1.jsonl")
    assert (told.start.kind, told.start.id, told.start.parent) == ("subagent", "agent-a1", SESSION)
    assert told.requests == []
    assert told.step.actor == "subagent"
