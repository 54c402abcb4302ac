"""opencode exports: what the user asked, what was run, and what changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from honed.sessions.model import Boundary, Event, NoteGiven, Request, SessionStart, Step
from honed.sessions.reading import read_bytes

Json = dict[str, Any]
ROOT = "/home/dev/shop"


def export(*messages: Json, **info: Any) -> list[Event]:
    header = {"id": "ses_1", "directory": ROOT, "version": "1.18.0", "time": {"created": 1_790_000_000_000}}
    document = {"info": header | info, "messages": list(messages)}
    return list(read_bytes(json.dumps(document, indent=1).encode()))


def user(*parts: Json, message: str = "msg_u") -> Json:
    return {
        "info": {"role": "user", "id": message, "time": {"created": 1_790_000_001_000}},
        "parts": list(parts),
    }


def text(words: str, **more: Any) -> Json:
    return {"type": "text", "text": words, **more}


def assistant(*parts: Json, message: str = "msg_a", **info: Any) -> Json:
    return {"info": {"role": "assistant", "id": message, "path": {"cwd": ROOT}, **info}, "parts": list(parts)}


def tool(name: str, arguments: Json, output: str = "", call: str = "call_1", **state: Any) -> Json:
    return {
        "type": "tool",
        "tool": name,
        "callID": call,
        "state": {"status": "completed", "input": arguments, "output": output, **state},
    }


def bash(
    command: str, exit_code: int | None, output: str = "", call: str = "call_1", **arguments: Any
) -> Json:
    metadata = {"exit": exit_code, "truncated": False}
    return tool("bash", {"command": command, **arguments}, output, call, metadata=metadata)


def steps(events: list[Event]) -> list[Step]:
    return [event for event in events if isinstance(event, Step)]


def asked(events: list[Event]) -> list[Request]:
    return [event for event in events if isinstance(event, Request)]


def test_the_session_is_told_first() -> None:
    assert export()[0] == SessionStart(
        "ses_1", "opencode", "main", "1.18.0", ROOT, at="2026-09-21T14:13:20.000Z"
    )


def test_a_session_with_a_parent_is_a_subagent_and_nobody_asked_for_it() -> None:
    events = export(user(text("Review the diff.")), assistant(bash("git diff", 0)), parentID="ses_0")
    start = events[0]
    assert isinstance(start, SessionStart)
    assert (start.kind, start.parent) == ("subagent", "ses_0")
    assert asked(events) == []
    assert [(step.actor, step.agent_id) for step in steps(events)] == [("subagent", "ses_1")]


def test_a_request_leaves_out_what_was_put_beside_it() -> None:
    events = export(
        user(
            text("Fix the tax rounding in @src/tax.py"),
            {"type": "file", "mime": "text/plain", "filename": "src/tax.py"},
            {"type": "file", "mime": "image/png", "filename": "clipboard"},
            text("Called the Read tool with the following input", synthetic=True),
        )
    )
    (request,) = asked(events)
    assert request.text == "Fix the tax rounding in @src/tax.py"
    assert (request.id, request.line, request.offset, request.images) == ("msg_u", 1, 0, 1)


def test_a_message_of_synthetic_parts_only_is_no_request() -> None:
    assert asked(export(user(text("Summarize the task tool output above.", synthetic=True)))) == []


def test_the_quotation_marks_that_the_command_line_adds_are_taken_off() -> None:
    assert asked(export(user(text('"Fix the \\"total\\" column"'))))[0].text == 'Fix the "total" column'


def test_a_slash_command_that_runs_an_agent_is_a_request_by_its_name() -> None:
    part = {"type": "subtask", "command": "review", "prompt": "You are a code reviewer.", "agent": "build"}
    (request,) = asked(export(user(part)))
    assert (request.command, request.text) == ("review", "")


def test_a_note_in_a_synthetic_part_is_told_and_is_not_the_request() -> None:
    note = '<honed-note v="1" ids="sk1 sk2">Run make check.</honed-note>'
    events = export(user(text("Fix it"), text(note, synthetic=True)))
    assert [request.text for request in asked(events)] == ["Fix it"]
    assert NoteGiven(("sk1", "sk2"), 1, 1) in events


def test_a_masked_record_id_is_replaced_by_one_of_session_and_message() -> None:
    events = export(user(text("a"), message="REDACTED"), user(text("b"), message="REDACTED"))
    assert [request.id for request in asked(events)] == ["ses_1:1", "ses_1:2"]


@pytest.mark.parametrize(
    ("exit_code", "output", "status"),
    [
        (0, "2 passed", "ok"),
        (1, "1 failed", "failed"),
        (None, "(no output)", "unknown"),
        (None, "partial\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>", "interrupted"),
        (
            None,
            "<bash_metadata>\nbash tool terminated command after exceeding timeout 1000 ms",
            "interrupted",
        ),
    ],
)
def test_a_command_ends_as_its_exit_status_says(exit_code: int | None, output: str, status: str) -> None:
    (step,) = steps(export(assistant(bash("pytest -q", exit_code, output))))
    assert (step.kind, step.command, step.status, step.exit_code) == ("shell", "pytest -q", status, exit_code)


def test_a_command_runs_in_the_folder_it_names() -> None:
    (step,) = steps(export(assistant(bash("pytest", 0, workdir="/home/dev/shop/api"))))
    assert step.cwd == "/home/dev/shop/api"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("The user rejected permission to use this specific tool call.", "rejected"),
        ("The user has specified a rule which prevents you from using this tool call.", "rejected"),
        ("Tool execution aborted", "interrupted"),
        ("The bash tool was called with invalid arguments: command is required.", "never_ran"),
        ("Could not find oldString in the file.", "failed"),
    ],
)
def test_a_tool_that_gave_an_error_changed_nothing(error: str, status: str) -> None:
    arguments = {"filePath": f"{ROOT}/tax.py", "oldString": "a", "newString": "b"}
    (step,) = steps(export(assistant(tool("edit", arguments, status="error", error=error))))
    assert (step.status, step.changes, step.output) == (status, (), error)


def test_an_edit_keeps_its_own_text_and_takes_its_place_from_the_diff() -> None:
    diff = (
        "Index: tax.py\n===\n--- tax.py\n+++ tax.py\n@@ -1,2 +1,2 @@\n def tax(net):\n-return 1\n+return 2\n"
    )
    arguments = {"filePath": f"{ROOT}/tax.py", "oldString": "    return 1", "newString": "    return 2"}
    (step,) = steps(export(assistant(tool("edit", arguments, metadata={"diff": diff}))))
    (change,) = step.changes
    (hunk,) = change.hunks
    assert (change.path, change.action) == (f"{ROOT}/tax.py", "update")
    assert (hunk.old, hunk.new, hunk.heading) == ("    return 1", "    return 2", "def tax(net):")


@pytest.mark.parametrize(("existed", "action"), [(False, "create"), (True, "update")])
def test_a_written_file_is_new_if_it_did_not_exist(existed: bool, action: str) -> None:
    arguments = {"filePath": f"{ROOT}/a.py", "content": "x = 1\n"}
    (step,) = steps(export(assistant(tool("write", arguments, metadata={"exists": existed}))))
    assert [(c.action, c.hunks[0].new) for c in step.changes] == [(action, "x = 1\n")]


def test_a_patch_names_every_file_it_changed() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n@@ def a():\n-    return 1\n+    return 2\n"
        "*** Delete File: b.py\n*** Add File: c.py\n+x = 1\n*** End Patch"
    )
    (step,) = steps(export(assistant(tool("apply_patch", {"patchText": patch}))))
    assert [(c.path, c.action) for c in step.changes] == [
        ("a.py", "update"),
        ("b.py", "delete"),
        ("c.py", "create"),
    ]


def snapshot(*files: str) -> Json:
    return {"type": "patch", "hash": "d6153d4", "files": list(files)}


def test_a_file_that_changed_without_any_tool_was_changed_outside() -> None:
    read = tool("read", {"filePath": f"{ROOT}/a.py"}, "x = 1")
    found = steps(export(assistant(read, snapshot(f"{ROOT}/b.py"))))
    assert [(s.actor, s.kind, [c.path for c in s.changes]) for s in found] == [
        ("agent", "read", []),
        ("outside", "edit", [f"{ROOT}/b.py"]),
    ]


def test_a_file_that_changed_while_another_agent_worked_is_charged_to_its_call() -> None:
    agent = tool("task", {"prompt": "Write the docs", "subagent_type": "writer"}, "done")
    (step,) = steps(export(assistant(agent, snapshot(f"{ROOT}/b.md"))))
    assert (step.kind, step.tool, step.query) == ("agent", "task:writer", "Write the docs")
    assert [c.path for c in step.changes] == [f"{ROOT}/b.md"]


def test_what_a_command_changed_is_left_to_those_who_read_commands() -> None:
    found = steps(export(assistant(bash("git restore b.py", 0), snapshot(f"{ROOT}/b.py"))))
    assert [(s.tool, s.changes) for s in found] == [("bash", ())]


def test_a_file_is_known_again_in_another_case() -> None:
    arguments = {"filePath": f"{ROOT}/Tax.py", "content": "x"}
    found = steps(export(assistant(tool("write", arguments), snapshot(f"{ROOT}/tax.py"))))
    assert [s.tool for s in found] == ["write"]


def test_calls_of_one_message_start_together_and_finish_in_order() -> None:
    message = assistant(bash("make lint", 0, call="c1"), bash("make test", 0, call="c2"))
    assert [(s.id, s.started, s.finished, s.line) for s in steps(export(message))] == [
        ("c1", 0, 2, 1),
        ("c2", 1, 3, 1),
    ]


def test_a_command_typed_by_the_user_is_told_as_the_users() -> None:
    events = export(
        user(text("The following tool was executed by the user", synthetic=True), message="msg_sh"),
        assistant(bash("pytest -q", 0, "2 passed"), parentID="msg_sh"),
    )
    assert [(s.actor, s.command, s.output) for s in steps(events)] == [("human", "pytest -q", "2 passed")]


def test_a_call_without_a_result_is_running() -> None:
    part = {
        "type": "tool",
        "tool": "bash",
        "callID": "c",
        "state": {"status": "running", "input": {"command": "x"}},
    }
    assert [s.status for s in steps(export(assistant(part)))] == ["running"]


def test_aborts_compactions_and_ends_of_turns_are_boundaries() -> None:
    events = export(
        user({"type": "compaction", "auto": True}),
        assistant(error={"name": "MessageAbortedError", "data": {"message": "Aborted"}}),
        assistant(finish="stop"),
        assistant(finish="tool-calls"),
    )
    assert [(e.what, e.line) for e in events if isinstance(e, Boundary)] == [
        ("compaction", 1),
        ("interrupt", 2),
        ("turn_end", 3),
    ]


def test_an_export_with_a_backslash_that_a_redactor_left_is_read() -> None:
    document = {"info": {"id": "ses_1", "directory": ROOT}, "messages": [user(text("in MARKmain"))]}
    broken = json.dumps(document).replace("MARK", "\\R")
    assert [request.text for request in asked(list(read_bytes(broken.encode())))] == ["in \\Rmain"]


def test_an_export_on_one_line_is_the_same_session() -> None:
    document = {"info": {"id": "ses_1", "directory": ROOT}, "messages": [user(text("Fix it"))]}
    one, many = (list(read_bytes(json.dumps(document, indent=i).encode())) for i in (None, 1))
    assert one == many
