"""Pi session files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from honed.sessions.model import Boundary, Event, NoteGiven, Request, SessionStart, Step
from honed.sessions.reading import read_bytes

Json = dict[str, Any]
ROOT = "/home/dev/shop"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "t0", "cwd": ROOT}


def session(*records: Json, **header: Any) -> list[Event]:
    return list(read_bytes("\n".join(json.dumps(r) for r in ({**HEADER, **header}, *records)).encode()))


def message(role: str, record: str = "aa", **content: Any) -> Json:
    return {
        "type": "message",
        "id": record,
        "parentId": None,
        "timestamp": "t1",
        "message": {"role": role, **content},
    }


def said(words: Any, record: str = "aa") -> Json:
    return message(
        "user", record, content=[{"type": "text", "text": words}] if isinstance(words, str) else words
    )


def called(name: str, arguments: Json, call: str = "c1", **more: Any) -> Json:
    part = {"type": "toolCall", "id": call, "name": name, "arguments": arguments}
    return message("assistant", "bb", content=[part], stopReason="toolUse", **more)


def answered(words: str, call: str = "c1", *, error: bool = False, details: Any = None) -> Json:
    content = [{"type": "text", "text": words}]
    return message(
        "toolResult", "cc", toolCallId=call, toolName="x", content=content, isError=error, details=details
    )


def steps(events: list[Event]) -> list[Step]:
    return [event for event in events if isinstance(event, Step)]


def asked(events: list[Event]) -> list[Request]:
    return [event for event in events if isinstance(event, Request)]


def test_the_header_is_the_session() -> None:
    assert session(parentSession="s0")[0] == SessionStart("s1", "pi", "main", "3", ROOT, parent="s0", at="t0")


def test_a_request_is_known_by_its_short_id_and_its_time() -> None:
    (request,) = asked(session(said("Fix the tax")))
    assert (request.id, request.text, request.line) == ("aa@t1", "Fix the tax", 2)


def test_a_skill_that_the_user_called_is_a_command_and_its_text_is_not_the_request() -> None:
    expanded = '<skill name="search" location="/x/SKILL.md">\nHow to search.\n</skill>\n\nthe weather'
    (request,) = asked(session(said(expanded)))
    assert (request.command, request.text) == ("skill:search", "the weather")


def test_pictures_are_counted() -> None:
    (request,) = asked(session(said([{"type": "text", "text": "See"}, {"type": "image", "data": "AA"}])))
    assert request.images == 1


def test_a_child_that_an_extension_started_has_no_requests() -> None:
    events = session(
        said("<!-- pi-herdr-task:task-6 -->\nYou handle one task."), called("bash", {"command": "ls"})
    )
    start = events[0]
    assert isinstance(start, SessionStart)
    assert (start.kind, asked(events)) == ("subagent", [])
    assert [(s.actor, s.agent_id, s.status) for s in steps(events)] == [("subagent", "s1", "running")]


def test_what_an_extension_put_in_is_no_request_but_a_note_in_it_is_seen() -> None:
    record = {
        "type": "custom_message",
        "customType": "honed",
        "content": '<honed-note ids="sk1">x</honed-note>',
    }
    events = session(record)
    assert events[1:-1] == [NoteGiven(("sk1",), 0, 2)]


@pytest.mark.parametrize(
    ("output", "error", "status", "exit_code"),
    [
        ("2 passed", False, "ok", 0),
        ("1 failed\n\nCommand exited with code 1", True, "failed", 1),
        ("Command aborted", True, "interrupted", None),
        ("partial\n\nCommand timed out after 30 seconds", True, "interrupted", None),
        ("Blocked: command names a protected directory", True, "rejected", None),
    ],
)
def test_a_command_ends_as_its_text_says(
    output: str, error: bool, status: str, exit_code: int | None
) -> None:
    (step,) = steps(session(called("bash", {"command": "pytest"}), answered(output, error=error)))
    assert (step.kind, step.command, step.cwd, step.status, step.exit_code) == (
        "shell",
        "pytest",
        ROOT,
        status,
        exit_code,
    )


def test_an_output_that_was_saved_elsewhere_is_cut() -> None:
    details = {"fullOutputPath": "/tmp/pi-bash-1.log", "truncation": {"truncated": True}}
    (step,) = steps(session(called("bash", {"command": "x"}), answered("x", details=details)))
    assert step.truncated


def test_an_edit_is_told_by_its_patch() -> None:
    patch = "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n def tax():\n-    return 1\n+    return 2\n"
    arguments = {"path": "a.py", "edits": [{"oldText": "    return 1", "newText": "    return 2"}]}
    (step,) = steps(session(called("edit", arguments), answered("ok", details={"patch": patch})))
    assert [(c.path, c.action) for c in step.changes] == [("a.py", "update")]
    assert [(h.old, h.new, h.heading) for h in step.changes[0].hunks] == [
        ("    return 1", "    return 2", "def tax():")
    ]


def test_an_edit_without_a_patch_is_told_by_its_arguments() -> None:
    many = {"path": "a.py", "edits": [{"oldText": "1", "newText": "2"}, {"oldText": "3", "newText": "4"}]}
    one = {"path": "b.py", "oldText": "1", "newText": "2"}
    events = session(called("edit", many), answered("ok"), called("edit", one, "c2"), answered("ok", "c2"))
    assert [[(h.old, h.new) for h in s.changes[0].hunks] for s in steps(events)] == [
        [("1", "2"), ("3", "4")],
        [("1", "2")],
    ]


def test_a_failed_edit_changed_nothing() -> None:
    arguments = {"path": "a.py", "edits": [{"oldText": "1", "newText": "2"}]}
    (step,) = steps(session(called("edit", arguments), answered("Found 6 occurrences", error=True)))
    assert (step.status, step.changes) == ("failed", ())


def test_agents_started_inside_one_call_are_one_step_named_by_their_role() -> None:
    tasks = {"tasks": [{"prompt": "a", "role": "reviewer"}, {"prompt": "b", "role": "reviewer"}]}
    (step,) = steps(session(called("spawn_pi", tasks), answered("2 of 2 tasks complete")))
    assert (step.kind, step.tool) == ("agent", "spawn_pi:reviewer")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"exitCode": 0}, "ok"),
        ({"exitCode": 2}, "failed"),
        ({"cancelled": True}, "interrupted"),
        ({}, "unknown"),
    ],
)
def test_what_the_user_ran_is_a_step_of_the_users(fields: Json, status: str) -> None:
    record = message("bashExecution", command="pytest", output="x", truncated=True, **fields)
    (step,) = steps(session(record))
    assert (step.actor, step.command, step.status, step.truncated) == ("human", "pytest", status, True)


def test_stops_aborts_and_compactions_are_boundaries() -> None:
    events = session(
        message("assistant", content=[], stopReason="stop"),
        message("assistant", content=[], stopReason="aborted"),
        message("assistant", content=[], stopReason="error", errorMessage="This operation was aborted"),
        message("assistant", content=[], stopReason="error", errorMessage="overloaded"),
        {"type": "compaction", "summary": "we fixed it", "id": "dd"},
    )
    assert [e.what for e in events if isinstance(e, Boundary)] == [
        "turn_end",
        "interrupt",
        "interrupt",
        "compaction",
    ]


def test_calls_of_one_message_may_finish_in_another_order() -> None:
    parts = [{"type": "toolCall", "id": i, "name": "bash", "arguments": {"command": i}} for i in ("c1", "c2")]
    events = session(message("assistant", content=parts), answered("b", "c2"), answered("a", "c1"))
    assert [(s.id, s.started, s.finished) for s in steps(events)] == [("c2", 1, 2), ("c1", 0, 3)]
