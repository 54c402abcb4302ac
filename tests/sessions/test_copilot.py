"""GitHub Copilot CLI event logs."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from honed.sessions.model import Boundary, Event, NoteGiven, Request, SessionStart, Step
from honed.sessions.reading import read, read_bytes
from honed.sessions.source import Resume, prefix_digest

Json = dict[str, Any]
ROOT = "/home/dev/shop"
START = {
    "sessionId": "s1",
    "copilotVersion": "1.0.74",
    "context": {
        "cwd": ROOT,
        "branch": "dev",
        "repository": "acme/shop",
        "repositoryHost": "git.example",
    },
}


def written(*events: tuple[str, Json] | tuple[str, Json, str]) -> bytes:
    lines = []
    for number, (kind, data, *agent) in enumerate([("session.start", START), *events]):
        record = {"type": kind, "data": data, "id": f"e{number}", "parentId": None, "timestamp": f"t{number}"}
        lines.append(json.dumps(record | ({"agentId": agent[0]} if agent else {})))
    return "\n".join(lines).encode()


def log(*events: tuple[str, Json] | tuple[str, Json, str]) -> list[Event]:
    return list(read_bytes(written(*events)))


def said(words: str, **more: Any) -> tuple[str, Json]:
    return "user.message", {"content": words, **more}


def began(name: str, arguments: Json, call: str = "c1", **more: Any) -> tuple[str, Json]:
    return "tool.execution_start", {"toolCallId": call, "toolName": name, "arguments": arguments, **more}


def ended(content: str, call: str = "c1", **more: Any) -> tuple[str, Json]:
    return "tool.execution_complete", {
        "toolCallId": call,
        "success": True,
        "result": {"content": content},
        **more,
    }


def failed(message: str, code: str = "failure", call: str = "c1") -> tuple[str, Json]:
    error = {"message": message, "code": code}
    return "tool.execution_complete", {"toolCallId": call, "success": False, "error": error}


def steps(events: list[Event]) -> list[Step]:
    return [event for event in events if isinstance(event, Step)]


def asked(events: list[Event]) -> list[Request]:
    return [event for event in events if isinstance(event, Request)]


def test_the_session_names_its_repository() -> None:
    assert log()[0] == SessionStart(
        "s1", "copilot", "main", "1.0.74", ROOT, "dev", "git.example/acme/shop", at="t0"
    )


def test_a_request_is_what_was_typed_and_not_what_was_sent() -> None:
    note = 'Fix it\n<system_reminder><honed-note ids="sk1">x</honed-note></system_reminder>'
    events = log(said("Fix it", transformedContent=note))
    assert [(r.id, r.text, r.line) for r in asked(events)] == [("e1", "Fix it", 2)]
    assert NoteGiven(("sk1",), 1, 2) in events


@pytest.mark.parametrize("source", ["system", "skill-pdf", "agent-s1", "autopilot", 7, ["user"]])
def test_a_message_that_no_person_sent_is_no_request(source: Any) -> None:
    assert asked(log(said("Do it", source=source))) == []


@pytest.mark.parametrize("source", [None, "", "user", "command"])
def test_a_message_that_a_person_sent_is_a_request(source: str | None) -> None:
    assert [r.text for r in asked(log(said("Do it", source=source)))] == ["Do it"]


def test_what_autopilot_says_to_itself_is_no_request() -> None:
    assert asked(log(said("Continue", isAutopilotContinuation=True))) == []


@pytest.mark.parametrize(
    ("content", "more", "status", "exit_code"),
    [
        ("2 passed\n<shellId: 3 completed with exit code 0>", {}, "ok", 0),
        ("1 failed\n<exited with exit code 1>", {}, "failed", 1),
        ("x\n<shellId: 3 completed with exit code -1>", {}, "failed", -1),
        ("x", {"shellExecution": {"exitCode": 2}}, "failed", 2),
        ("x", {}, "unknown", None),
    ],
)
def test_a_command_ends_as_the_client_says(
    content: str, more: Json, status: str, exit_code: int | None
) -> None:
    (step,) = steps(log(began("bash", {"command": "pytest"}), ended(content, **more)))
    assert (step.kind, step.command, step.cwd, step.status, step.exit_code) == (
        "shell",
        "pytest",
        ROOT,
        status,
        exit_code,
    )


def test_a_long_command_is_one_step_that_ends_with_the_look_that_sees_it_end() -> None:
    running = "collecting\n<command with shellId: 7 is still running after 30 seconds. Use read_powershell.>"
    events = log(
        began("powershell", {"command": "Invoke-Pester"}),
        ended(running),
        began("read_powershell", {"shellId": "7", "delay": 60}, "c2"),
        ended("collecting\nmore\n<command with shellId: 7 is still running after 60 seconds.>", "c2"),
        began("view", {"path": "a.ps1"}, "c3"),
        ended("text", "c3"),
        began("read_powershell", {"shellId": "7", "delay": 60}, "c4"),
        ended("12 passed\n<shellId: 7 completed with exit code 0>", "c4"),
    )
    assert [(s.id, s.kind, s.started, s.finished, s.status, s.background) for s in steps(events)] == [
        ("c3", "read", 1, 2, "ok", False),
        ("c1", "shell", 0, 3, "ok", True),
    ]
    assert steps(events)[1].output.startswith("collecting\nmore\n")
    assert "12 passed" in steps(events)[1].output


def test_a_command_in_the_background_that_is_stopped_was_interrupted() -> None:
    events = log(
        began("bash", {"command": "npm run dev", "mode": "async"}),
        ended("<command started in background with shellId: web>"),
        began("stop_bash", {"shellId": "web"}, "c2"),
        ended("<command with shellId: web stopped>", "c2"),
    )
    assert [(s.id, s.status) for s in steps(events)] == [("c1", "interrupted")]


def test_a_command_in_the_background_that_nobody_looked_at_is_running() -> None:
    events = log(
        began("bash", {"command": "npm run dev"}), ended("<command started in background with shellId: w>")
    )
    assert [(s.status, s.background) for s in steps(events)] == [("running", True)]


@pytest.mark.parametrize(
    ("message", "code", "status"),
    [
        ("No match found", "failure", "failed"),
        ("Permission denied", "denied", "rejected"),
        ("The user rejected this tool call.", "failure", "rejected"),
        ("Invalid arguments: path is required", "failure", "never_ran"),
    ],
)
def test_an_edit_that_failed_changed_nothing(message: str, code: str, status: str) -> None:
    arguments = {"path": "a.py", "old_str": "a", "new_str": "b"}
    (step,) = steps(log(began("edit", arguments), failed(message, code)))
    assert (step.status, step.changes, step.output) == (status, (), message)


def test_edits_and_new_files_are_changes() -> None:
    diff = "\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def tax():\n-    return 1\n+    return 2\n"
    result = {"content": "updated", "detailedContent": diff}
    events = log(
        began("edit", {"path": f"{ROOT}/a.py", "old_str": "    return 1", "new_str": "    return 2"}),
        ended("", result=result),
        began("create", {"path": f"{ROOT}/b.py", "file_text": "x = 1\n"}, "c2"),
        ended("Created file", "c2"),
        began("str_replace_editor", {"command": "view", "path": f"{ROOT}/c.py"}, "c3"),
        ended("text", "c3"),
    )
    edit, create, view = steps(events)
    assert [(h.old, h.new, h.heading) for h in edit.changes[0].hunks] == [
        ("    return 1", "    return 2", "def tax():")
    ]
    assert [(c.path, c.action, c.hunks[0].new) for c in create.changes] == [
        (f"{ROOT}/b.py", "create", "x = 1\n")
    ]
    assert view.changes == ()


def test_what_an_agent_did_is_told_as_its_own_and_its_call_hides_nothing() -> None:
    events = log(
        began("task", {"prompt": "Run the tests", "agent_type": "general", "name": "runner"}),
        ("subagent.started", {"toolCallId": "c1"}, "a-1"),
        ("user.message", {"content": "Run the tests", "source": "agent-s1"}, "a-1"),
        (
            "tool.execution_start",
            {"toolCallId": "c2", "toolName": "bash", "arguments": {"command": "pytest"}},
            "a-1",
        ),
        ended("<exited with exit code 0>", "c2"),
        ended("all passed", "c1"),
        began("read_agent", {"agent_id": "runner"}, "c3"),
        ended("all passed", "c3"),
    )
    assert asked(events) == []
    assert [(s.id, s.tool, s.actor, s.agent_id) for s in steps(events)] == [
        ("c2", "bash", "subagent", "c1"),
        ("c1", "task:general", "agent", "c1"),
        ("c3", "read_agent", "agent", "c1"),
    ]


def test_older_logs_name_the_agent_by_the_call_that_started_it() -> None:
    events = log(began("bash", {"command": "pytest"}, "c2", parentToolCallId="c1"), ended("x", "c2"))
    assert [(s.actor, s.agent_id) for s in steps(events)] == [("subagent", "c1")]


def test_a_command_that_the_user_typed_is_the_users() -> None:
    events = log(
        ("tool.user_requested", {"toolCallId": "c1", "toolName": "bash", "arguments": {"command": "pytest"}}),
        began("bash", {"command": "pytest"}),
        ended("<exited with exit code 0>"),
    )
    assert [s.actor for s in steps(events)] == ["human"]


def test_an_abort_stops_what_was_running() -> None:
    events = log(began("bash", {"command": "pytest"}), ("abort", {"reason": "user"}), ended("late"))
    assert [s.status for s in steps(events)] == ["interrupted"]
    assert Boundary("interrupt", 2, 3) in events


def test_a_tool_of_a_server_is_told_with_its_arguments() -> None:
    (step,) = steps(log(began("docs-find", {"q": "tax"}, mcpServerName="docs"), ended("x")))
    assert (step.kind, step.query) == ("mcp", '{"q": "tax"}')


def test_the_directory_follows_a_resumed_session() -> None:
    events = log(
        ("session.resume", {"context": {"cwd": "/home/dev/other"}}),
        began("bash", {"command": "ls"}),
        ended("<exited with exit code 0>"),
    )
    assert [s.cwd for s in steps(events)] == ["/home/dev/other"]


def test_a_compaction_is_a_boundary_and_its_summary_is_nothing() -> None:
    events = log(("session.compaction_complete", {"summaryContent": "we fixed it", "success": True}))
    assert [event for event in events if isinstance(event, Boundary)] == [Boundary("compaction", 0, 2)]


def test_reading_goes_on_at_a_request_as_if_it_had_never_stopped() -> None:
    data = written(
        said("One"),
        began("bash", {"command": "make"}),
        said("Two"),
        ended("<exited with exit code 0>"),
        began("bash", {"command": "pytest"}, "c2"),
        ended("<exited with exit code 0>", "c2"),
    )
    whole = list(read_bytes(data))
    at = asked(whole)[1]
    resume = Resume(at.offset, at.line, at.ordinal, prefix_digest(io.BytesIO(data), at.offset))
    again = list(read(io.BytesIO(data), resume=resume))
    assert again[:2] == [whole[0], at]
    assert [(s.id, s.command, s.status) for s in steps(again)] == [("c2", "pytest", "ok")]
