"""What holds for every reader: no JSON raises, ordinals are told without a gap, nothing is mistaken."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.sessions import copilot, cursor, gemini, native, opencode, pi
from honed.sessions.model import Request, SessionEnd, SessionStart, Step
from honed.sessions.reading import Context, Reader, nothing_related, read_bytes
from honed.sessions.source import Record, Tally

Json = dict[str, Any]
READERS: dict[str, Reader] = {
    "copilot": copilot,
    "cursor": cursor,
    "gemini": gemini,
    "native": native,
    "opencode": opencode,
    "pi": pi,
}
OPENINGS: dict[str, Json] = {
    "copilot": {"type": "session.start", "data": {"sessionId": "s"}, "id": "e", "parentId": None},
    "cursor": {"role": "user", "message": {"content": [{"type": "text", "text": "hi"}]}},
    "gemini": {"sessionId": "s", "projectHash": "0"},
    "native": {"honed": 1, "session": "s", "client": "cursor"},
    "opencode": {"info": {"id": "ses_1", "directory": "/x"}, "messages": []},
    "pi": {"type": "session", "version": 3, "id": "s", "cwd": "/x"},
}
WORDS = """
abort agentId args arguments arguments_ assistant.message bash bashExecution boundary callID changes
command compaction content context create cwd data details displayContent edit edits error exit
exitCode file_path files filePath functionResponse gemini id info input isError message messages
metadata mimeType name newString oldString output parentID parentToolCallId part parts patch
patchText path recipients replace request response result resultDisplay role role_ session.resume
shellExecution shellId skill_ids state status step started stopReason subagent.started success
synthetic task text timestamp tool tool.execution_complete tool.execution_start toolCall toolCallId
toolCalls toolName toolResult tool_use type user user.message version write $set $rewindTo note
reads hunks
""".split()
SAID = [
    *WORDS,
    "completed",
    "success",
    "c1",
    "<command with shellId: 7 is still running",
    "<x completed with exit code 1>",
    "@@ -1,2 +1,2 @@\n a\n-b\n+c",
    "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y",
    '<honed-note ids="a">',
    "/deploy now",
    "\ud800",
]
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-2, 10**20)
    | st.floats()
    | st.sampled_from(SAID)
    | st.text(max_size=4)
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=6,
)
objects = st.dictionaries(st.sampled_from(WORDS), values, max_size=6)


def check(reader: Reader, records: Sequence[Json]) -> None:
    told = [Record(number, number * 100, value) for number, value in enumerate(records, 1)]
    events = list(reader.read(iter(told), Context(Tally(), nothing_related, "x.jsonl", None, list(records))))
    assert isinstance(events[0], SessionStart)
    assert isinstance(events[-1], SessionEnd)
    counted: list[int] = []
    for event in events[1:-1]:
        assert not isinstance(event, SessionStart | SessionEnd)
        counted += (event.started, event.finished) if isinstance(event, Step) else (event.ordinal,)
    assert sorted(counted) == list(range(len(counted)))


@pytest.mark.parametrize("name", READERS)
@given(records=st.lists(objects, max_size=4))
@settings(max_examples=50, deadline=None)
def test_no_json_object_raises(name: str, records: list[Json]) -> None:
    assert READERS[name].recognises(records) in (True, False)
    check(READERS[name], records)


SHAPES: dict[str, st.SearchStrategy[Json]] = {
    "copilot": st.builds(
        lambda kind, data, agent: {"type": kind, "data": data, "id": "e", "parentId": None, "agentId": agent},
        st.sampled_from(
            [
                "user.message",
                "tool.execution_start",
                "tool.execution_complete",
                "abort",
                "subagent.started",
                "session.resume",
            ]
        ),
        st.fixed_dictionaries(
            {},
            optional={
                "toolCallId": st.sampled_from(["c1", "c2"]) | values,
                "toolName": st.sampled_from([*copilot.TOOLS, *copilot.POLLS]) | values,
                "arguments": objects | values,
                "result": objects | values,
                "error": objects | values,
                "success": values,
                "content": values,
                "source": values,
                "attachments": values,
                "context": values,
            },
        ),
        values,
    ),
    "cursor": st.builds(
        lambda role, content: {"role": role, "message": {"content": content}},
        st.sampled_from(["user", "assistant"]),
        st.lists(
            st.builds(
                lambda kind, name, given: {"type": kind, "name": name, "input": given, "text": name},
                st.sampled_from(["text", "tool_use"]),
                st.sampled_from(list(cursor.TOOLS)) | values,
                objects | values,
            ),
            max_size=2,
        )
        | values,
    ),
    "gemini": st.builds(
        lambda kind, content, calls, wrap: (
            {"$set": {"messages": [calls]}}
            if wrap
            else {"id": "g", "type": kind, "content": content, "toolCalls": calls}
        ),
        st.sampled_from(["user", "gemini", "info"]),
        values,
        st.lists(
            st.builds(
                lambda name, args, status, result, shown: {
                    "id": "c1",
                    "name": name,
                    "args": args,
                    "status": status,
                    "result": result,
                    "resultDisplay": shown,
                },
                st.sampled_from(list(gemini.TOOLS)) | values,
                objects | values,
                st.sampled_from(["success", "error", "cancelled", "executing"]) | values,
                values,
                objects | values,
            ),
            max_size=2,
        )
        | values,
        st.booleans(),
    ),
    "native": st.dictionaries(
        st.sampled_from(["step", "started", "request", "note", "boundary"]), objects | values
    ),
    "opencode": st.builds(
        lambda role, info, parts: {
            "info": {"id": "ses_1", "directory": "/x"},
            "messages": [{"info": {**info, "role": role}, "parts": parts}],
        },
        st.sampled_from(["user", "assistant"]),
        objects,
        st.lists(
            st.builds(
                lambda kind, tool, state, files: {
                    "type": kind,
                    "tool": tool,
                    "state": state,
                    "files": files,
                    "text": tool,
                },
                st.sampled_from(["text", "tool", "patch", "subtask", "file", "compaction"]),
                st.sampled_from(list(opencode.TOOLS)) | values,
                st.builds(
                    lambda status, given, metadata: {"status": status, "input": given, "metadata": metadata},
                    st.sampled_from(["completed", "error", "running"]),
                    objects | values,
                    objects | values,
                ),
                values,
            ),
            max_size=3,
        )
        | values,
    ),
    "pi": st.builds(
        lambda role, content, call, more: {
            "type": "message",
            "message": {**more, "role": role, "content": content, "toolCallId": call},
        },
        st.sampled_from(["user", "assistant", "toolResult", "bashExecution"]),
        st.lists(
            st.builds(
                lambda name, given: {"type": "toolCall", "id": "c1", "name": name, "arguments": given},
                st.sampled_from(list(pi.TOOLS)) | values,
                objects | values,
            ),
            max_size=2,
        )
        | values,
        st.sampled_from(["c1", "c2"]),
        objects,
    ),
}


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_no_record_of_the_clients_own_shape_raises(name: str, data: st.DataObject) -> None:
    body = data.draw(st.lists(SHAPES[name], max_size=4))
    check(READERS[name], body if name == "opencode" else [OPENINGS[name], *body])


@pytest.mark.parametrize("name", READERS)
def test_a_reader_knows_its_own_opening_and_no_others(name: str) -> None:
    assert [other for other, reader in READERS.items() if reader.recognises([OPENINGS[name]])] == [name]


@pytest.mark.parametrize(
    "head",
    [
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/x"}, "timestamp": "t"},
        {
            "type": "user",
            "uuid": "u",
            "sessionId": "s",
            "cwd": "/x",
            "message": {"role": "user", "content": "hi"},
        },
        {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/x", "tools": []},
        {"role": "user", "content": "hi"},
        {"messages": [{"role": "user", "content": "hi"}]},
        {"info": {"exit_status": "Submitted"}, "messages": [], "trajectory_format": "mini-1"},
    ],
)
def test_other_clients_openings_are_not_claimed(head: Json) -> None:
    assert [name for name, reader in READERS.items() if reader.recognises([head])] == []


def test_the_openings_are_json() -> None:
    assert json.loads(json.dumps(OPENINGS)) == OPENINGS


def test_a_record_whose_type_is_no_text_hides_no_transcript() -> None:
    odd = b'{"timestamp": "t", "type": [{"type": 3}], "payload": {"id": "x"}}\n'
    asked = b'{"timestamp": "t", "type": "event_msg", "payload": {"type": "user_message", "message": "Hi"}}\n'
    assert [event.text for event in read_bytes(odd + asked) if isinstance(event, Request)] == ["Hi"]
