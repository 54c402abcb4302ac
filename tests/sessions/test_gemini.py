"""Gemini CLI recordings, as one document and as lines that are written again."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any

import pytest

from honed.sessions.model import Boundary, Event, NoteGiven, Request, SessionStart, Step
from honed.sessions.reading import read, read_bytes
from honed.sessions.source import Resume, prefix_digest

Json = dict[str, Any]
ROOT = "/home/dev/shop"
HEADER = {"sessionId": "s1", "projectHash": "0" * 64, "startTime": "2026-10-01T08:00:00Z"}


def lines(*records: Json) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def recording(*records: Json, **header: Any) -> list[Event]:
    return list(read_bytes(lines(HEADER | {"kind": "main"} | header, *records)))


def document(*messages: Json, **header: Any) -> list[Event]:
    return list(read_bytes(json.dumps(HEADER | header | {"messages": list(messages)}, indent=2).encode()))


def said(words: Any, message: str = "u1", **more: Any) -> Json:
    content = [{"text": words}] if isinstance(words, str) else words
    return {"id": message, "timestamp": "2026-10-01T08:00:01Z", "type": "user", "content": content, **more}


def model(*calls: Json, message: str = "g1") -> Json:
    return {"id": message, "timestamp": "t", "type": "gemini", "content": "", "toolCalls": list(calls)}


def call(name: str, args: Json, output: str | None = "", call_id: str = "c1", **more: Any) -> Json:
    entry: Json = {"id": call_id, "name": name, "args": args, "status": "success", **more}
    if output is not None:
        key = "output" if entry["status"] == "success" else "error"
        entry["result"] = [{"functionResponse": {"id": call_id, "name": name, "response": {key: output}}}]
    return entry


def shell(output: str | None, command: str = "pytest -q", **more: Any) -> Json:
    return call("run_shell_command", {"command": command}, output, **more)


def steps(events: list[Event]) -> list[Step]:
    return [event for event in events if isinstance(event, Step)]


def asked(events: list[Event]) -> list[Request]:
    return [event for event in events if isinstance(event, Request)]


def test_both_forms_tell_the_same() -> None:
    messages = (
        said("Fix the tax"),
        model(shell("Output: 2 passed\nProcess Group PGID: 7")),
        said("Thanks", "u2"),
    )
    one, many = document(*messages), recording(*messages)
    assert [type(event) for event in one] == [type(event) for event in many]
    assert [s.output for s in steps(one)] == [s.output for s in steps(many)]
    assert [(r.line, r.offset > 0) for r in asked(one)] == [(1, False), (3, False)]
    assert [(r.line, r.offset > 0) for r in asked(many)] == [(2, True), (4, True)]


def test_a_message_that_is_written_again_is_told_once_and_as_it_was_last() -> None:
    running = model(
        {"id": "c1", "name": "run_shell_command", "args": {"command": "make"}, "status": "executing"}
    )
    done = model(shell("Output: done", "make"))
    events = recording(said("Build it"), model(), running, done, done, {"$set": {"lastUpdated": "x"}})
    assert [(s.id, s.status, s.line, s.started, s.finished) for s in steps(events)] == [("c1", "ok", 4, 1, 2)]


def test_a_call_that_never_got_a_result_is_running() -> None:
    waiting = {
        "id": "c1",
        "name": "run_shell_command",
        "args": {"command": "make"},
        "status": "awaiting_approval",
    }
    assert [s.status for s in steps(recording(model(waiting)))] == ["running"]


def test_what_the_model_is_told_at_the_start_is_no_request_but_names_the_directory() -> None:
    context = f"<session_context>\n- **Workspace Directories:**\n  - {ROOT}\n- **Directory Structure:**"
    events = recording({"$set": {"messages": [said(context, "h0")]}}, said("Fix the tax"))
    assert events[0] == SessionStart("s1", "gemini", cwd=ROOT, at="2026-10-01T08:00:00Z")
    assert [request.text for request in asked(events)] == ["Fix the tax"]


def test_the_directory_is_found_by_its_hash_above_a_file_that_was_touched() -> None:
    digest = hashlib.sha256(ROOT.encode()).hexdigest()
    reading = model(call("read_file", {"file_path": f"{ROOT}/src/tax.py"}, "x"))
    start = document(said("Fix"), reading, projectHash=digest)[0]
    assert isinstance(start, SessionStart)
    assert start.cwd == ROOT


def test_the_directory_is_what_an_edit_resolved_its_path_against() -> None:
    shown = {"filePath": f"{ROOT}/src/tax.py", "fileDiff": "", "isNewFile": False}
    edit = call(
        "replace", {"file_path": "src/tax.py", "old_string": "a", "new_string": "b"}, resultDisplay=shown
    )
    start = document(said("Fix"), model(edit))[0]
    assert isinstance(start, SessionStart)
    assert start.cwd == ROOT


def test_text_of_hooks_and_of_named_files_is_not_the_request() -> None:
    note = '<hook_context><honed-note ids="sk1">Run make check.</honed-note></hook_context>'
    content = [
        {"text": "Explain @src/tax.py"},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "def tax(): ..."},
        {"text": note},
    ]
    events = recording(said(content))
    assert [request.text for request in asked(events)] == ["Explain @src/tax.py"]
    assert NoteGiven(("sk1",), 1, 2) in events


def test_a_note_is_seen_where_the_screen_shows_only_what_was_typed() -> None:
    note = '<hook_context><honed-note ids="sk1">x</honed-note></hook_context>'
    events = recording(said([{"text": "hello"}, {"text": note}], displayContent=[{"text": "hello"}]))
    assert [request.text for request in asked(events)] == ["hello"]
    assert [event.skill_ids for event in events if isinstance(event, NoteGiven)] == [("sk1",)]


def test_tool_results_and_summaries_in_the_users_name_are_no_requests() -> None:
    result = [{"functionResponse": {"id": "c1", "name": "glob", "response": {"output": "x"}}}]
    events = recording(
        said(result), said("<state_snapshot>...", "u2"), said("System: Please continue.", "u3")
    )
    assert asked(events) == []


def test_a_slash_command_is_told_by_its_name() -> None:
    (request,) = asked(recording(said("/deploy staging now")))
    assert (request.command, request.text) == ("deploy", "staging now")


def test_a_path_is_no_slash_command() -> None:
    (request,) = asked(recording(said("/home/dev/shop/a.py is wrong")))
    assert (request.command, request.text) == (None, "/home/dev/shop/a.py is wrong")


def test_what_the_user_ran_is_a_step_of_the_users() -> None:
    words = (
        "I ran the following shell command:\n```sh\npytest -q\n```\n\n"
        "This produced the following result:\n```\n2 passed\n```"
    )
    events = recording(said(words))
    assert asked(events) == []
    assert [(s.actor, s.command, s.output, s.status) for s in steps(events)] == [
        ("human", "pytest -q", "2 passed", "unknown")
    ]


@pytest.mark.parametrize(
    ("output", "status", "exit_code"),
    [
        ("Output: 2 passed\nProcess Group PGID: 7", "ok", 0),
        (
            "<untrusted_context>\nOutput: 1 failed\nExit Code: 1\nProcess Group PGID: 7\n</x>",
            "failed",
            1,
        ),
        ("Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 0\nSignal: 0", "ok", 0),
        ("Output: Exit Code: 3 was expected\nProcess Group PGID: 7", "ok", 0),
        ("Output: x\nSignal: SIGKILL\nProcess Group PGID: 7", "interrupted", None),
        (
            "Command was automatically cancelled because it exceeded the timeout of 5 minutes",
            "interrupted",
            None,
        ),
        ("Command moved to background (PID: 12).", "running", None),
    ],
)
def test_a_command_ends_as_its_text_says(output: str, status: str, exit_code: int | None) -> None:
    (step,) = steps(recording(model(shell(output))))
    assert (step.kind, step.command, step.status, step.exit_code) == ("shell", "pytest -q", status, exit_code)


def test_an_output_that_was_cut_says_so() -> None:
    output = (
        "Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /x\nOutput: 1"
    )
    assert steps(recording(model(shell(output))))[0].truncated


@pytest.mark.parametrize(
    ("state", "error", "status"),
    [
        ("cancelled", "[Operation Cancelled] Reason: User denied execution.", "rejected"),
        ("cancelled", "[Operation Cancelled] Reason: Operation cancelled", "interrupted"),
        ("error", 'Tool "replace" not found. Did you mean one of: "glob"?', "never_ran"),
        ("error", "Tool execution denied by policy.", "rejected"),
        ("error", "Could not find an exact match for 'old_string'", "failed"),
    ],
)
def test_an_edit_that_did_not_happen_changed_nothing(state: str, error: str, status: str) -> None:
    args = {"file_path": "a.py", "old_string": "a", "new_string": "b"}
    (step,) = steps(recording(model(call("replace", args, error, status=state))))
    assert (step.status, step.changes, step.output) == (status, (), error)


def test_an_edit_is_told_by_its_diff() -> None:
    header = "Index: a.py\n===\n--- a.py\tCurrent\n+++ a.py\tProposed\n"
    diff = f"{header}@@ -1,2 +1,2 @@\n def tax():\n-    return 1\n+    return 2\n"
    args = {"file_path": "a.py", "old_string": "    return 1", "new_string": "    return 2"}
    shown = {"filePath": f"{ROOT}/a.py", "fileDiff": diff, "isNewFile": False}
    (step,) = steps(recording(model(call("replace", args, "ok", resultDisplay=shown))))
    (change,) = step.changes
    assert (change.path, change.action) == (f"{ROOT}/a.py", "update")
    assert [(h.old, h.new, h.heading) for h in change.hunks] == [
        ("    return 1", "    return 2", "def tax():")
    ]


def test_a_new_file_is_created() -> None:
    shown = {"filePath": f"{ROOT}/b.py", "fileDiff": "", "isNewFile": True}
    args = {"file_path": "b.py", "content": "x = 1\n"}
    (step,) = steps(recording(model(call("write_file", args, "ok", resultDisplay=shown))))
    assert [(c.action, c.path, c.hunks[0].new) for c in step.changes] == [
        ("create", f"{ROOT}/b.py", "x = 1\n")
    ]


def test_a_command_runs_in_the_folder_it_names() -> None:
    args = {"command": "npm test", "dir_path": "client"}
    start = {"$set": {"directories": ["C:\\work\\shop"]}}
    (step,) = steps(recording(start, model(call("run_shell_command", args, "Output: ok"))))
    assert step.cwd == "C:\\work\\shop\\client"


def test_what_left_the_models_memory_was_done_all_the_same() -> None:
    summary = said("<state_snapshot>we fixed the tax</state_snapshot>", "n1")
    again = said("Fix the tax", "n2")
    events = recording(
        said("Fix the tax"),
        model(shell("Output: ok")),
        {"id": "i1", "type": "info", "content": "Chat history compressed from 9000 to 1200 tokens."},
        {"$set": {"messages": [summary, again]}},
        {"$rewindTo": "u1"},
    )
    assert [request.text for request in asked(events)] == ["Fix the tax"]
    assert len(steps(events)) == 1
    assert [event.what for event in events if isinstance(event, Boundary)] == ["compaction", "interrupt"]


def test_a_file_that_only_rewrites_the_models_memory_is_read_from_there() -> None:
    first, second = said("Fix the tax", "h0"), said("Now the totals", "h1")
    events = recording(
        {"$set": {"messages": [first]}}, {"$set": {"messages": [second | {"id": "h0"}, first, second]}}
    )
    assert [request.text for request in asked(events)] == ["Fix the tax", "Now the totals"]
    assert len({request.id for request in asked(events)}) == 2


def test_a_cancelled_request_is_an_interrupt() -> None:
    events = recording({"id": "i1", "type": "info", "content": "Request cancelled."})
    assert [event.what for event in events if isinstance(event, Boundary)] == ["interrupt"]


def test_the_recording_of_a_subagent_has_steps_and_no_requests() -> None:
    events = recording(said("Find the bug"), model(shell("Output: ok")), kind="subagent")
    start = events[0]
    assert isinstance(start, SessionStart)
    assert (start.kind, asked(events)) == ("subagent", [])
    assert [(s.actor, s.agent_id) for s in steps(events)] == [("subagent", "s1")]


def test_reading_goes_on_at_a_request_as_if_it_had_never_stopped() -> None:
    data = lines(
        HEADER,
        said("One"),
        model(shell("Output: a")),
        said("Two", "u2"),
        model(shell("Output: b", call_id="c2"), message="g2"),
    )
    whole = list(read_bytes(data))
    at = asked(whole)[1]
    resume = Resume(at.offset, at.line, at.ordinal, prefix_digest(io.BytesIO(data), at.offset))
    again = list(read(io.BytesIO(data), resume=resume))
    assert again[0] == whole[0]
    assert again[1:-1] == whole[whole.index(at) : -1]
