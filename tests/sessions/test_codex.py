"""Codex rollouts: what is told of them, whichever version wrote them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from honed.sessions import codex
from honed.sessions.codex_calls import OPEN_LIMIT
from honed.sessions.model import Boundary, Event, NoteGiven, Request, SessionEnd, SessionStart, Step
from honed.sessions.reading import read, read_bytes
from honed.sessions.source import Resume, prefix_digest
from tests.sessions.build_codex import (
    APPLIED,
    FOLDER,
    OLD_TURN,
    OWN_TURN,
    PARENT,
    THREAD,
    UPDATE,
    Rollout,
    exited,
    patch,
    running,
)

# -- the session --------------------------------------------------------------------------------------


def test_the_start_tells_who_and_where_this_was() -> None:
    start = Rollout().events()[0]
    assert start == SessionStart(
        id=THREAD,
        client="codex",
        kind="main",
        version="0.140.0",
        cwd=FOLDER,
        branch="main",
        remote="git@example.com:dev/shop.git",
        parent=None,
        at="2026-03-01T09:00:00.000Z",
    )


def test_a_resumed_session_that_repeats_its_header_is_one_session() -> None:
    rollout = Rollout().user("add a cart")
    rollout.lines.append(dict(rollout.lines[0]))
    events = rollout.user("and a total").events()
    assert sum(isinstance(event, SessionStart) for event in events) == 1
    assert [r.text for r in rollout.requests()] == ["add a cart", "and a total"]


@pytest.mark.parametrize(
    ("source", "more", "kind", "parent"),
    [
        ("vscode", {}, "main", None),
        ("exec", {}, "main", None),
        ({"subagent": "review"}, {"parent_thread_id": PARENT}, "review", PARENT),
        ({"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}, {}, "subagent", PARENT),
        ({"subagent": {"other": "guardian"}}, {}, "machine", None),
        ({"subagent": "compact"}, {}, "machine", None),
        ({"subagent": {"other": "agent_job:7"}}, {}, "subagent", None),
        ({"internal": "memory_consolidation"}, {}, "machine", None),
        (None, {}, "main", None),
        (["odd"], {}, "main", None),
    ],
)
def test_the_source_tells_the_kind_of_session(source: Any, more: Any, kind: str, parent: str | None) -> None:
    start = Rollout(source=source, **more).events()[0]
    assert isinstance(start, SessionStart)
    assert (start.kind, start.parent) == (kind, parent)


def test_nothing_of_an_approval_assessor_is_told() -> None:
    rollout = Rollout(source={"subagent": {"other": "guardian"}})
    rollout.user("[transcript of another session]").call("shell", {"command": ["ls"]}).output("x")
    assert [type(event) for event in rollout.events()] == [SessionStart, SessionEnd]


def test_what_an_agent_told_its_child_or_a_reviewer_is_no_request() -> None:
    for source in ({"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}, {"subagent": "review"}):
        rollout = Rollout(source=source).user("run the tests").call("exec_command", {"cmd": "make test"})
        rollout.output(exited(0, "ok\n"))
        assert rollout.requests() == []
        step = rollout.step()
        assert (step.command, step.actor, step.agent_id) == ("make test", "subagent", THREAD)


def test_a_file_without_a_header_takes_its_id_from_its_name() -> None:
    rollout = Rollout().user("hello there")
    del rollout.lines[0]
    start = rollout.events()[0]
    assert isinstance(start, SessionStart)
    assert start.id == THREAD


def test_a_rollout_of_the_first_versions_has_no_envelope() -> None:
    lines = [
        {"id": THREAD, "timestamp": "2025-06-01T10:00:00Z", "instructions": None, "git": {"branch": "main"}},
        {"record_type": "state"},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "<environment_context>x"}],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix the cart"}]},
        {
            "type": "function_call",
            "name": "shell",
            "call_id": "c1",
            "arguments": json.dumps({"command": ["bash", "-lc", "pytest -q"]}),
        },
        {
            "type": "function_call_output",
            "call_id": "c1",
            "output": json.dumps({"output": "1 passed\n", "metadata": {"exit_code": 0}}),
        },
    ]
    events = list(read_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    assert [r.text for r in events if isinstance(r, Request)] == ["fix the cart"]
    assert [(s.command, s.exit_code) for s in events if isinstance(s, Step)] == [("pytest -q", 0)]


@pytest.mark.parametrize(
    "head",
    [
        [{"type": "session.start", "data": {"sessionId": "x"}}],
        [{"type": "user", "message": {"role": "user", "content": "hi"}, "sessionId": "x", "uuid": "y"}],
        [{"type": "session", "id": "x", "cwd": "/", "version": 3}],
        [{"id": "x", "timestamp": "t", "instructions": "do"}],
        [{"type": "event_msg", "payload": "text"}],
        [],
    ],
)
def test_other_clients_files_are_not_recognised(head: list[dict[str, Any]]) -> None:
    assert not codex.recognises(head)


# -- requests -----------------------------------------------------------------------------------------


def test_a_prompt_told_as_message_and_as_event_is_one_request() -> None:
    (request,) = Rollout().user("add a cart").requests()
    assert (request.text, request.line, request.ordinal) == ("add a cart", 2, 0)
    (request,) = Rollout().typed("add a cart", message_id="msg_7").requests()
    assert (request.text, request.id, request.line) == ("add a cart", "msg_7", 2)


def test_a_prompt_told_three_ways_is_one_request_and_the_same_words_again_are_another() -> None:
    rollout = Rollout().typed("go on").event(type="user_message", message="go on")
    assert len(rollout.requests()) == 1
    assert len(rollout.user("go on").user("go on").requests()) == 3


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/home/dev/shop</cwd>\n</environment_context>",
        "# AGENTS.md instructions for /home/dev/shop\n\n<INSTRUCTIONS>Be brief.</INSTRUCTIONS>",
        "<user_instructions>\nBe brief.\n</user_instructions>",
        "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
        "<codex_delegation>\n <source_thread_id>x</source_thread_id>\n <input>do it</input>",
        "Review the code changes against the base branch 'main'. The merge base commit is 1234.",
        "Review the current code changes (staged, unstaged, and untracked files) and provide findings.",
        "## Code review guidelines:\n# Review Guidelines\n\nYou are acting as a reviewer.",
        "<user_action>\n  <context>User initiated a review task.</context>\n</user_action>",
        '<honed-note ids="s1">use make</honed-note>',
        '<subagent_notification>\n{"agent_path":"x"}\n</subagent_notification>',
        "   \n",
    ],
)
def test_what_machines_put_into_the_users_mouth_is_no_request(text: str) -> None:
    assert Rollout().user(text).requests() == []
    assert Rollout().typed(text).requests() == []


def test_injected_messages_beside_a_prompt_are_not_part_of_it() -> None:
    rollout = Rollout().message("<environment_context>x</environment_context>").user("add a cart")
    passed = {"content_item_kinds": ["hooks.additional_context"], "content_item_metadata": []}
    rollout.message("use make test", "developer", internal_chat_message_metadata_passthrough=passed)
    rollout.item(
        type="message",
        role="user",
        content=[
            {"type": "input_text", "text": "# AGENTS.md instructions for /home/dev/shop"},
            {"type": "input_text", "text": "and a total"},
        ],
        id="msg_2",
        internal_chat_message_metadata_passthrough={"content_item_kinds": ["environments.x", "user.text"]},
    )
    assert [request.text for request in rollout.requests()] == ["add a cart", "and a total"]


@pytest.mark.parametrize(
    ("raw", "text", "command"),
    [
        (
            "\n# Files mentioned by the user:\n\n## a.png: /a.png\n## My request for Codex:\nMake it blue\n",
            "Make it blue",
            None,
        ),
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- x\n\n## My request for Codex:\nfix it",
            "fix it",
            None,
        ),
        ("[Image #1] Centre the logo", "Centre the logo", None),
        ("# /release — cut a release\n\nPurpose: tag and push.", "Purpose: tag and push.", "release"),
        (
            "\n## User Input\n\n```text\nA cart with totals\n```\n\nYou **MUST** consider it.\n\n"
            "The text the user typed after `/spec.new` is the description. See `/spec.plan`.",
            "A cart with totals",
            "spec.new",
        ),
        (
            "## User Input\n\n```text\n\n```\n\nYou **MUST** consider the user input (if not empty).\n\n"
            "## Outline\n\n1. Write the plan\n   to `plan.md`.\n\n2. Report.",
            "1. Write the plan to `plan.md`.",
            "prompt",
        ),
    ],
)
def test_only_what_was_typed_is_the_request(raw: str, text: str, command: str | None) -> None:
    (request,) = Rollout().user(raw).requests()
    assert (request.text, request.command) == (text, command)


def test_the_short_event_belongs_to_the_message_with_the_attachments() -> None:
    rollout = Rollout().item(
        type="message",
        role="user",
        id="msg_9",
        content=[
            {
                "type": "input_text",
                "text": "# Files mentioned by the user:\n## My request for Codex:\nMake it blue",
            },
            {"type": "input_image", "image_url": "data:"},
        ],
    )
    (request,) = rollout.event(type="user_message", message="Make it blue").requests()
    assert (request.id, request.text, request.images, request.line) == ("msg_9", "Make it blue", 1, 2)


def test_the_prompts_of_a_review_inside_a_session_are_not_requests() -> None:
    rollout = (
        Rollout().user("add a cart").event(type="entered_review_mode", target={"type": "uncommittedChanges"})
    )
    rollout.event(type="user_message", message="Look at every file").call("exec_command", {"cmd": "git diff"})
    rollout.output(exited(0, "")).event(type="exited_review_mode").user("fix what it found")
    assert [r.text for r in rollout.requests()] == ["add a cart", "fix what it found"]
    assert rollout.step().actor == "subagent"


def test_a_copied_request_keeps_its_id() -> None:
    passed = {"turn_id": OLD_TURN}
    ids = set()
    for thread in (THREAD, PARENT):
        rollout = Rollout(id=thread)
        rollout.second += 40 if thread == PARENT else 0
        rollout.message("add a cart", internal_chat_message_metadata_passthrough=passed)
        (request,) = rollout.event(type="user_message", message="add a cart").requests()
        ids.add(request.id)
    assert len(ids) == 1
    (request,) = Rollout().user("add a cart", client_id="6353246d").requests()
    assert request.id == "6353246d"


def test_a_short_prompt_is_not_taken_for_a_part_of_an_earlier_one() -> None:
    rollout = Rollout().message("do 1 and 2", id="msg_1").event(type="user_message", message="do 1 and 2")
    rollout.event(type="user_message", message="1").message("2", id="msg_2").event(
        type="user_message", message="2"
    )
    assert [(r.text, r.line) for r in rollout.requests()] == [("do 1 and 2", 2), ("1", 4), ("2", 5)]
    assert [r.id for r in rollout.requests()][::2] == ["msg_1", "msg_2"]


def test_requests_without_ids_at_different_times_differ() -> None:
    first, second = Rollout().user("1").user("1").requests()
    assert first.id != second.id


# -- notes and borders --------------------------------------------------------------------------------


def test_a_note_of_ours_is_told_with_its_skills_and_never_as_text() -> None:
    rollout = Rollout().message('<honed-note ids="s1 s2">Run make.</honed-note>', "developer")
    rollout.user("add a cart")
    notes = [event for event in rollout.events() if isinstance(event, NoteGiven)]
    assert [(note.skill_ids, note.line, note.ordinal) for note in notes] == [(("s1", "s2"), 2, 0)]


def test_a_prompt_with_a_note_in_it_gives_both() -> None:
    rollout = Rollout().user('add a cart\n<honed-note id="s1">Run make.</honed-note>')
    assert [request.text for request in rollout.requests()] == ["add a cart"]
    assert [e.skill_ids for e in rollout.events() if isinstance(e, NoteGiven)] == [("s1",)]


def test_compactions_aborts_and_ends_of_turns_are_borders() -> None:
    rollout = Rollout().user("add a cart").event(type="task_complete", turn_id="t", last_agent_message="done")
    rollout.add(
        "compacted", {"message": "", "replacement_history": [{"role": "user", "content": "add a cart"}]}
    )
    rollout.event(type="context_compacted").event(type="turn_aborted", reason="interrupted")
    borders = [event for event in rollout.events() if isinstance(event, Boundary)]
    assert [border.what for border in borders] == ["turn_end", "compaction", "interrupt"]
    assert len(rollout.requests()) == 1


# -- copies of a parent's history ---------------------------------------------------------------------


def fork(**meta: Any) -> Rollout:
    """A fork with its parent's header behind its own and one copied request and step."""
    rollout = Rollout(**meta)
    rollout.add("session_meta", {"id": PARENT, "cwd": "/elsewhere", "source": "cli"})
    rollout.lines[-1]["ordinal"] = 1
    return rollout


def test_the_clients_own_count_tells_where_a_childs_lines_begin() -> None:
    rollout = fork(source="cli", forked_from_id=PARENT, subagent_history_start_ordinal=6)
    rollout.typed("the parent's words").call("exec_command", {"cmd": "old"}, "c0").output(exited(0, ""), "c0")
    rollout.typed("my own words", "msg_2").call("exec_command", {"cmd": "new"}, "c1").output(
        exited(0, ""), "c1"
    )
    for ordinal, line in enumerate(rollout.lines):
        line["ordinal"] = ordinal
    start = rollout.events()[0]
    assert isinstance(start, SessionStart)
    assert (start.id, start.parent) == (THREAD, PARENT)
    assert [r.text for r in rollout.requests()] == ["my own words"]
    assert rollout.step().command == "new"


def test_an_older_turn_is_the_parents() -> None:
    rollout = fork(forked_from_id=PARENT).event(type="task_started", turn_id=OLD_TURN).user("parent's words")
    rollout.call("exec_command", {"cmd": "old"}, "c0").output(exited(0, ""), "c0").message("x", "developer")
    rollout.event(type="task_started", turn_id=OWN_TURN).user("my own words")
    assert [r.text for r in rollout.requests()] == ["my own words"]
    assert rollout.steps() == []


def test_without_turns_the_lines_written_at_once_are_the_parents() -> None:
    rollout = fork().user("parent's words").call("shell", {"command": ["ls"]}, "c0").output("x", "c0")
    for line in rollout.lines:
        line["timestamp"] = "2026-03-01T09:00:00.120Z"
    rollout.second = 30
    rollout.user("my own words")
    assert [r.text for r in rollout.requests()] == ["my own words"]
    assert rollout.steps() == []


# -- shell, in all generations ------------------------------------------------------------------------

JSON_OUTPUT = json.dumps({"output": "2 failed\n", "metadata": {"exit_code": 1, "duration_seconds": 0.4}})


@pytest.mark.parametrize(
    ("name", "arguments", "output", "command"),
    [
        ("shell", {"command": ["bash", "-lc", "make test"], "workdir": FOLDER}, JSON_OUTPUT, "make test"),
        ("shell", {"command": ["pytest", "-k", "a b"]}, JSON_OUTPUT, "pytest -k 'a b'"),
        (
            "shell_command",
            {"command": "make test"},
            "Exit code: 1\nWall time: 2.3 seconds\nOutput:\n2 failed\n",
            "make test",
        ),
        ("exec_command", {"cmd": "make test"}, exited(1, "2 failed\n"), "make test"),
        (
            "exec_command",
            {"cmd": "make test"},
            "Command: /bin/zsh -lc 'make\ntest'\n" + exited(1, "2 failed\n"),
            "make test",
        ),
        (
            "shell_command",
            {"command": "make test"},
            "Exit code: 1\nWall time: 2 seconds\nTotal output lines: 900\nOutput:\n2 failed\n",
            "make test",
        ),
    ],
)
def test_every_generation_of_shell_gives_command_output_and_exit_code(
    name: str, arguments: Any, output: str, command: str
) -> None:
    step = Rollout().call(name, arguments).output(output).step()
    assert (step.kind, step.command, step.output) == ("shell", command, "2 failed\n")
    assert (step.exit_code, step.status, step.cwd) == (1, "failed", FOLDER)
    assert step.truncated == ("Total output lines" in output)


def test_a_local_shell_call_is_a_shell_step() -> None:
    action = {"type": "exec", "command": ["bash", "-lc", "make test"], "working_directory": "/srv"}
    rollout = Rollout().item(type="local_shell_call", call_id="c", status="completed", action=action)
    step = rollout.output(json.dumps({"output": "", "metadata": {"exit_code": 0}}), "c").step()
    assert (step.kind, step.command, step.cwd, step.status) == ("shell", "make test", "/srv", "ok")


def test_the_turns_folder_is_the_steps_and_a_relative_one_lies_in_it() -> None:
    rollout = Rollout().add("turn_context", {"cwd": "/srv/app"})
    rollout.call("exec_command", {"cmd": "ls"}, "a").output(exited(0, ""), "a")
    rollout.call("exec_command", {"cmd": "ls", "workdir": "web"}, "b").output(exited(0, ""), "b")
    assert [step.cwd for step in rollout.steps()] == ["/srv/app", "/srv/app/web"]


@pytest.mark.parametrize(
    ("output", "status", "code"),
    [
        ("failed in sandbox: sandbox error: command was killed by a signal", "interrupted", None),
        ("failed in sandbox: bash: Operation not permitted", "never_ran", None),
        ("failed in sandbox: ", "never_ran", None),
        ("sandbox error: sandbox denied exec error, exit code: 2, stdout: x, stderr: y", "failed", 2),
        ("exec command rejected by user", "rejected", None),
        (
            'exec_command failed for `make`: CreateProcess { message: "Rejected(\\"by user\\")" }',
            "rejected",
            None,
        ),
        ("exec_command failed for `make`: No such file or directory", "never_ran", None),
        ("Command blocked by PreToolUse hook: use the wrapper", "rejected", None),
        ("approval policy is never; reject command", "rejected", None),
        ("aborted by user after 10.2s", "interrupted", None),
        ("Wall time: 5.0 seconds\naborted by user", "interrupted", None),
        ("failed to parse function arguments: missing field `cmd`", "never_ran", None),
        ("unsupported call: shell", "never_ran", None),
        (
            "Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\n",
            "interrupted",
            124,
        ),
        ("Exit code: 124\nWall time: 10 seconds\nOutput:\n", "failed", 124),
        ({"content": "no such tool", "success": False}, "failed", None),
        (exited(0, "Exit code: 1\nOutput:\nrejected by user\n"), "ok", 0),
        ("something nobody knows", "unknown", None),
        (None, "unknown", None),
        (7, "unknown", None),
    ],
)
def test_how_a_command_ended(output: Any, status: str, code: int | None) -> None:
    step = Rollout().call("exec_command", {"cmd": "make"}).output(output).step()
    assert (step.status, step.exit_code) == (status, code)


def test_a_running_process_is_one_step_that_ends_with_the_poll_that_shows_it() -> None:
    rollout = Rollout().call("exec_command", {"cmd": "make test"}, "c1").output(running(7, "one\n"), "c1")
    rollout.call("exec_command", {"cmd": "ls"}, "c2").output(exited(0, "cart.py\n"), "c2")
    rollout.call("write_stdin", {"session_id": 7, "chars": ""}, "p1").output(running(7, "two\n"), "p1")
    rollout.call("write_stdin", {"session_id": 7, "chars": ""}, "p2").output(exited(0, "three\n"), "p2")
    other, step = rollout.steps()
    assert (step.id, step.line, step.command, step.background) == ("c1", 2, "make test", True)
    assert (step.exit_code, step.status, step.output) == (0, "ok", "one\ntwo\nthree\n")
    assert step.started < other.started < other.finished < step.finished
    assert not other.background


def test_a_process_that_is_never_seen_to_end_is_still_running() -> None:
    rollout = Rollout().call("exec_command", {"cmd": "npm run dev"}).output(running(7, "ready\n"))
    step = rollout.event(type="turn_aborted", reason="interrupted").step()
    assert (step.status, step.exit_code, step.output) == ("running", None, "ready\n")


def test_a_process_stopped_from_the_keyboard_was_interrupted() -> None:
    rollout = Rollout().call("exec_command", {"cmd": "npm run dev"}).output(running(7))
    rollout.call("write_stdin", {"session_id": 7, "chars": "\u0003"}, "p").output(exited(130, ""), "p")
    assert (rollout.step().status, rollout.step().exit_code) == ("interrupted", 130)


def test_a_poll_that_finds_no_process_ends_the_step_without_a_result() -> None:
    rollout = Rollout().call("exec_command", {"cmd": "make"}).output(running(7, "a\n"))
    rollout.call("write_stdin", {"session_id": 7}, "p").output(
        "write_stdin failed: Unknown process id 7", "p"
    )
    assert (rollout.step().status, rollout.step().output) == ("unknown", "a\n")


def test_a_call_without_an_answer_is_running_and_interrupted_when_the_turn_is_aborted() -> None:
    rollout = Rollout().call("exec_command", {"cmd": "make"})
    assert rollout.step().status == "running"
    assert rollout.event(type="turn_aborted", reason="interrupted").step().status == "interrupted"
    assert len(rollout.output("aborted by user after 3s").steps()) == 1


def ended(call_id: str, code: int, text: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "exec_command_end",
        "call_id": call_id,
        "command": ["/bin/zsh", "-lc", "sed -n 1,9p cart.py"],
        "cwd": FOLDER,
        "parsed_cmd": [{"type": "read", "cmd": "sed", "name": "cart.py", "path": "cart.py"}],
        "aggregated_output": text,
        "exit_code": code,
        "status": "completed" if code == 0 else "failed",
        **more,
    }


def test_the_clients_own_record_is_the_best_source_and_counts_once() -> None:
    rollout = Rollout().call("shell_command", {"command": "sed -n 1,9p cart.py"})
    rollout.event(**ended("call_1", 1, "line\n" * 50))
    clipped = "Warning: truncated output (original token count: 9)\nTotal output lines: 50\n\nline\n"
    step = rollout.output(exited(1, clipped)).event(**ended("call_1", 1, "line\n" * 50)).step()
    assert (step.exit_code, step.output, step.truncated) == (1, "line\n" * 50, False)
    assert step.reads == ("cart.py",)


def test_a_record_that_comes_after_the_answer_ends_the_process() -> None:
    rollout = Rollout().call("exec_command", {"cmd": "sed -n 1,9p cart.py"}).output(running(7, "a\n"))
    rollout.event(**ended("call_1", 0, "a\nb\n", process_id="7"))
    rollout.call("write_stdin", {"session_id": 7}, "p").output(exited(0, "b\n"), "p")
    step = rollout.step()
    assert (step.exit_code, step.output, step.background) == (0, "a\nb\n", True)


def test_a_command_the_user_typed_is_the_humans() -> None:
    by_event = Rollout().event(**ended("c9", 0, "text\n", source="user_shell")).step()
    raw = (
        "<user_shell_command>\n<command>\nmake test\n</command>\n<result>\n"
        "Exit code: 2\nDuration: 0.4 seconds\nOutput:\n2 failed\n\n</result>\n</user_shell_command>"
    )
    by_message = Rollout().message(raw).step()
    assert (by_event.actor, by_event.command, by_event.exit_code) == ("human", "sed -n 1,9p cart.py", 0)
    assert (by_message.actor, by_message.command, by_message.exit_code) == ("human", "make test", 2)
    assert Rollout().message(raw).requests() == []


def test_the_newest_record_of_a_command_is_read_like_the_old_one() -> None:
    rollout = Rollout().call("exec_command", {"cmd": "pytest -q"})
    rollout.completed(
        type="CommandExecution",
        id="call_1",
        command=["/bin/bash", "-lc", "pytest -q"],
        cwd="file:///home/dev/shop",
        status="failed",
        aggregated_output="1 failed\n",
        exit_code=1,
    )
    step = rollout.output(exited(1, "1 failed\n")).step()
    assert (step.id, step.exit_code, step.output, step.status) == ("call_1", 1, "1 failed\n", "failed")


def test_a_recorded_command_whose_call_is_not_in_the_file_is_told_by_itself() -> None:
    step = Rollout().event(**ended("lost", 3, "x\n", cwd="file:///srv/my%20app")).step()
    assert (step.id, step.exit_code, step.cwd, step.actor) == ("lost", 3, "/srv/my app", "agent")


# -- patches ------------------------------------------------------------------------------------------

PATCH = patch(UPDATE)


@pytest.mark.parametrize("output", [f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{APPLIED}", None])
@pytest.mark.parametrize(
    "call",
    [
        lambda r: r.custom("apply_patch", PATCH),
        lambda r: r.call("apply_patch", {"input": PATCH}),
        lambda r: r.call("shell", {"command": ["apply_patch", PATCH]}),
        lambda r: r.call("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}EOF"]}),
        lambda r: r.call("exec_command", {"cmd": f"apply_patch <<'EOP'\n{PATCH}EOP\n"}),
    ],
)
def test_a_patch_is_an_edit_however_it_was_sent(call: Any, output: str | None) -> None:
    json_output = json.dumps({"output": APPLIED, "metadata": {"exit_code": 0}})
    step = call(Rollout()).output(output or json_output).step()
    assert (step.kind, step.tool, step.status, step.command) == ("edit", "apply_patch", "ok", None)
    (change,) = step.changes
    assert (change.path, change.action) == ("cart.py", "update")
    (hunk,) = change.hunks
    assert (hunk.old, hunk.new, hunk.heading) == (
        "    return amount - 1",
        "    return amount",
        "def total(items):",
    )


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (
            "apply_patch verification failed: Failed to find expected lines in /home/dev/shop/cart.py:\nx",
            "failed",
        ),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\nInvalid patch", "failed"),
        ("patch rejected by user", "rejected"),
        ("patch rejected: writing outside of the project; rejected by user approval settings", "rejected"),
    ],
)
def test_a_patch_that_did_not_apply_changed_nothing(output: str, status: str) -> None:
    step = Rollout().custom("apply_patch", PATCH).output(output).step()
    assert (step.kind, step.status, step.changes) == ("edit", status, ())


def test_a_patch_inside_a_longer_command_is_a_shell_step_with_changes() -> None:
    rollout = Rollout().call("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}EOF\npytest -q"})
    step = rollout.output(exited(1, APPLIED + "1 failed\n")).step()
    assert (step.kind, step.exit_code, [change.path for change in step.changes]) == ("shell", 1, ["cart.py"])


def test_a_patch_in_another_folder_keeps_that_folder() -> None:
    rollout = Rollout().call("shell_command", {"command": f"cd web && apply_patch <<'EOF'\n{PATCH}EOF"})
    step = rollout.output("Exit code: 0\nWall time: 0 seconds\nOutput:\n" + APPLIED).step()
    assert (step.kind, step.cwd, step.changes[0].path) == ("edit", FOLDER + "/web", "cart.py")


CHANGES = {"/home/dev/shop/cart.py": {"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"}}


def test_the_record_of_a_patch_counts_once_and_stands_alone_if_it_must() -> None:
    record = {
        "type": "patch_apply_end",
        "call_id": "call_1",
        "success": True,
        "changes": CHANGES,
        "stdout": APPLIED,
    }
    step = (
        Rollout()
        .custom("apply_patch", PATCH)
        .event(**record)
        .output("Exit code: 0\nOutput:\n" + APPLIED)
        .step()
    )
    assert [change.path for change in step.changes] == ["cart.py"]
    alone = Rollout().event(**record).step()
    assert (alone.kind, alone.changes[0].path, alone.changes[0].hunks[0].new) == (
        "edit",
        "/home/dev/shop/cart.py",
        "c",
    )
    declined = Rollout().completed(type="FileChange", id="x", changes=CHANGES, status="declined").step()
    assert (declined.status, declined.changes) == ("rejected", ())


# -- other tools --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "namespace", "arguments", "kind", "tool"),
    [
        ("recall", "mcp__notes", {"query": "cart"}, "mcp", "mcp__notes__recall"),
        ("_open_pr", "mcp__apps__forge", {"title": "x"}, "mcp", "mcp__apps__forge_open_pr"),
        ("notes__recall", "", {"query": "cart"}, "mcp", "notes__recall"),
        ("spawn_agent", "multi_agent_v1", {"message": "x"}, "agent", "multi_agent_v1__spawn_agent"),
        ("spawn_agent", "", {"message": "x", "agent_type": "explorer"}, "agent", "spawn_agent:explorer"),
        ("wait", "collaboration", {"ids": ["a"]}, "agent", "collaboration__wait"),
        ("send_input", "", {"id": "a", "message": "x"}, "agent", "send_input"),
        ("close_agent", "", {"id": "a"}, "agent", "close_agent"),
        ("update_plan", "", {"plan": []}, "plan", "update_plan"),
        ("request_user_input", "", {"questions": []}, "plan", "request_user_input"),
        ("view_image", "", {"path": "/tmp/a.png"}, "read", "view_image"),
        ("load_workspace", "codex_app", {}, "other", "codex_app__load_workspace"),
        ("brand_new_tool", "", {"x": 1}, "other", "brand_new_tool"),
    ],
)
def test_tools_are_sorted_by_what_they_do(
    name: str, namespace: str, arguments: Any, kind: str, tool: str
) -> None:
    more = {"namespace": namespace} if namespace else {}
    step = Rollout().call(name, arguments, **more).output("done").step()
    assert (step.kind, step.tool, step.status, step.exit_code) == (kind, tool, "ok", None)
    assert step.reads == (("/tmp/a.png",) if kind == "read" else ())


def test_an_agent_is_named_where_it_is_waited_for() -> None:
    rollout = Rollout().call("spawn_agent", {"task_name": "review_docs"}, "a", namespace="collaboration")
    rollout.output('{"task_name":"/root/review_docs"}', "a")
    rollout.call("wait_agent", {"timeout_ms": 9}, "b", namespace="collaboration").output(
        '{"timed_out":false}', "b"
    )
    assert [s.tool for s in rollout.steps()] == [
        "collaboration__spawn_agent:review_docs",
        "collaboration__wait_agent:review_docs",
    ]


def test_waiting_for_several_agents_names_them_all() -> None:
    rollout = Rollout()
    for call, name in (("a", "spec_review"), ("b", "docs_review")):
        rollout.call("spawn_agent", {"task_name": name}, call, namespace="collaboration")
        rollout.output(f'{{"task_name":"/root/{name}"}}', call)
    rollout.call("wait_agent", {"timeout_ms": 9}, "c", namespace="collaboration").output("{}", "c")
    assert rollout.steps()[-1].tool == "collaboration__wait_agent:docs_review+spec_review"


def test_an_agent_of_which_nobody_knows_what_it_does_leaves_the_waiting_unnamed() -> None:
    rollout = Rollout().call("spawn_agent", {"task_name": "spec_review"}, "a", namespace="collaboration")
    rollout.output('{"task_name":"/root/spec_review"}', "a")
    rollout.call("spawn_agent", {"message": "x"}, "b", namespace="collaboration").output("started", "b")
    rollout.call("wait_agent", {"timeout_ms": 9}, "c", namespace="collaboration").output("{}", "c")
    assert rollout.steps()[-1].tool == "collaboration__wait_agent"


def test_a_failing_mcp_tool_is_told_by_its_record() -> None:
    rollout = Rollout().call("recall", {"query": "cart"}, namespace="mcp__notes")
    rollout.event(
        type="mcp_tool_call_end",
        call_id="call_1",
        invocation={"server": "notes", "tool": "recall", "arguments": {"query": "cart"}},
        result={"Ok": {"content": [{"type": "text", "text": "no such note"}], "isError": True}},
    )
    step = rollout.output("Wall time: 0.1 seconds\nOutput:\nno such note").step()
    assert (step.kind, step.status, step.output, step.query) == ("mcp", "failed", "no such note", "cart")


def test_a_web_search_told_as_event_and_item_is_one_step() -> None:
    action = {"type": "search", "query": "sqlite wal"}
    rollout = Rollout().event(type="web_search_end", call_id="ws_1", query="sqlite wal", action=action)
    rollout.item(type="web_search_call", status="completed", action=action)
    rollout.item(
        type="web_search_call", id="ws_2", status="completed", action={"type": "open_page", "url": "u"}
    )
    assert [(s.kind, s.query) for s in rollout.steps()] == [("web", "sqlite wal"), ("web", "u")]


# -- limits -------------------------------------------------------------------------------------------


def test_open_calls_are_bounded_and_the_oldest_is_told_as_running() -> None:
    rollout = Rollout()
    for number in range(OPEN_LIMIT + 3):
        rollout.call("exec_command", {"cmd": f"step {number}"}, f"c{number}")
    events = rollout.event(type="task_complete").events()
    border = next(i for i, event in enumerate(events) if isinstance(event, Boundary))
    early = [event for event in events[:border] if isinstance(event, Step)]
    assert [(step.command, step.status) for step in early] == [(f"step {n}", "running") for n in range(3)]
    assert len([event for event in events if isinstance(event, Step)]) == OPEN_LIMIT + 3


def test_every_ordinal_is_taken_once_and_in_order_of_finishing() -> None:
    rollout = (
        Rollout().user("go").call("exec_command", {"cmd": "a"}, "a").call("exec_command", {"cmd": "b"}, "b")
    )
    rollout.output(exited(0, ""), "b").output(exited(0, ""), "a").event(type="task_complete").user("again")
    taken: list[int] = []
    for event in rollout.events():
        if isinstance(event, Step):
            taken += [event.started, event.finished]
        elif isinstance(event, Request | Boundary):
            taken.append(event.ordinal)
    assert sorted(taken) == list(range(len(taken)))


def long_session() -> Rollout:
    rollout = Rollout()
    for turn in range(4):
        rollout.event(type="task_started", turn_id=f"t{turn}")
        text = f"do thing {turn}" + turn % 2 * '\n<honed-note ids="s1">Run make.</honed-note>'
        rollout.message(text, id=f"msg_{turn}").event(type="user_message", message=text)
        rollout.call("exec_command", {"cmd": f"make {turn}"}, f"c{turn}").output(
            running(turn, "a\n"), f"c{turn}"
        )
        rollout.call("write_stdin", {"session_id": turn}, f"p{turn}").output(
            exited(turn % 2, "b\n"), f"p{turn}"
        )
        rollout.custom("apply_patch", PATCH, f"e{turn}").output(
            "Exit code: 0\nOutput:\n" + APPLIED, f"e{turn}"
        )
        rollout.event(type="task_complete", turn_id=f"t{turn}")
    return rollout


def test_reading_that_resumes_at_a_request_says_the_same_from_there() -> None:
    data = long_session().data()
    whole = list(read_bytes(data))
    for request in (event for event in whole if isinstance(event, Request)):
        prefix = prefix_digest(io.BytesIO(data), request.offset)
        resume = Resume(request.offset, request.line, request.ordinal, prefix)
        again: list[Event] = list(read(io.BytesIO(data), resume=resume))
        assert again[0] == whole[0]
        assert again[1:-1] == whole[whole.index(request) : -1]
