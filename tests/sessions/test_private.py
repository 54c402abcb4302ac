"""A private span is one however a client cuts what was said into pieces."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from honed.sessions.model import Request, Step
from honed.sessions.private import MASK, without_private
from honed.sessions.reading import read_bytes

PIECES = ["Please look <private>", "quixotic", "more</private> thanks a lot"]
MASKED = "Please look [redacted:private] thanks a lot"
AT = "2026-05-01T10:00:00Z"
NAME = "12345678-1234-1234-1234-123456789012.jsonl"

Parts = list[dict[str, object]]


def of_type(kind: str, pieces: list[str]) -> Parts:
    return [{"type": kind, "text": piece} for piece in pieces]


def claude(pieces: list[str]) -> list[object]:
    told = {"sessionId": "s", "cwd": "/w", "timestamp": AT, "version": "2.1.0"}
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": of_type("text", pieces)}
    spoken = {"role": "user", "content": of_type("text", pieces)}
    return [
        {**told, "type": "user", "uuid": "u1", "message": spoken},
        {**told, "type": "assistant", "uuid": "u2", "message": {"role": "assistant", "content": [call]}},
        {**told, "type": "user", "uuid": "u3", "message": {"role": "user", "content": [result]}},
    ]


def codex(pieces: list[str]) -> list[object]:
    meta = {"id": "s", "cwd": "/w", "timestamp": AT, "cli_version": "0.100.0"}
    call = {"type": "function_call", "name": "shell", "call_id": "c"}
    items: list[dict[str, object]] = [
        {"type": "message", "role": "user", "content": of_type("input_text", pieces)},
        {**call, "arguments": json.dumps({"command": ["bash", "-lc", "ls"]})},
        {"type": "function_call_output", "call_id": "c", "output": of_type("input_text", pieces)},
    ]
    said = {"type": "user_message", "message": "\n".join(pieces)}
    first, *others = [{"timestamp": AT, "type": "response_item", "payload": item} for item in items]
    told = {"timestamp": AT, "type": "event_msg", "payload": said}
    return [{"timestamp": AT, "type": "session_meta", "payload": meta}, first, told, *others]


def gemini(pieces: list[str]) -> object:
    results = [{"functionResponse": {"response": {"output": piece}}} for piece in pieces]
    call = {"id": "c", "name": "run_shell_command", "args": {"command": "ls"}, "status": "success"}
    told = [
        {"id": "1", "timestamp": AT, "type": "user", "content": [{"text": piece} for piece in pieces]},
        {
            "id": "2",
            "timestamp": AT,
            "type": "gemini",
            "content": "",
            "toolCalls": [{**call, "result": results}],
        },
    ]
    return {"sessionId": "s", "projectHash": "x", "startTime": AT, "lastUpdated": AT, "messages": told}


def cursor(pieces: list[str]) -> list[object]:
    return [{"role": "user", "message": {"content": of_type("text", pieces)}}]


def pi(pieces: list[str]) -> list[object]:
    content = of_type("text", pieces)
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "ls"}}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": content},
        {"role": "assistant", "content": [call]},
        {"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": content, "isError": False},
    ]
    told = [
        {"type": "message", "id": str(n), "parentId": str(n - 1), "timestamp": AT, "message": message}
        for n, message in enumerate(messages, 1)
    ]
    return [{"type": "session", "version": 3, "id": "s", "timestamp": AT, "cwd": "/w"}, *told]


def opencode(pieces: list[str]) -> object:
    parts = [
        {"id": f"p{n}", "messageID": "m", "sessionID": "ses_1", **part}
        for n, part in enumerate(of_type("text", pieces))
    ]
    info = {"id": "m", "role": "user", "sessionID": "ses_1", "time": {"created": 1}}
    session = {"id": "ses_1", "directory": "/w", "version": "1.0", "time": {"created": 1}}
    return {"info": session, "messages": [{"info": info, "parts": parts}]}


def told(transcript: object) -> list[str]:
    """What was asked and printed in a transcript: of lines, or of one document."""
    lines = transcript if isinstance(transcript, list) else [transcript]
    events = list(read_bytes(b"\n".join(json.dumps(line).encode() for line in lines), name=NAME))
    asked = [event.text for event in events if isinstance(event, Request)]
    return asked + [event.output for event in events if isinstance(event, Step)]


@pytest.mark.parametrize(
    ("client", "times"), [(claude, 2), (codex, 2), (gemini, 2), (cursor, 1), (pi, 2), (opencode, 1)]
)
def test_a_private_span_that_begins_in_one_part_and_ends_in_the_next_is_one(
    client: Callable[[list[str]], object], times: int
) -> None:
    assert told(client(PIECES)) == [MASKED] * times


def test_a_private_span_that_ends_in_the_next_message_is_one() -> None:
    first, second = claude(["Please look <private>"])[0], claude(["quixotic</private> thanks a lot"])[0]
    assert isinstance(second, dict)
    asked = told([first, second | {"uuid": "u9"}])
    assert asked == ["Please look [redacted:private]", "[redacted:private] thanks a lot"]


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<private why=1>", "</private >"),
        ("&lt;private &gt;", "&lt;/private&gt;"),
        ('&lt;private why="x"&gt;', "&lt;/private &gt;"),
        ("\\u003cprivate why\\u003e", "\\u003c/private\\u003e"),
    ],
)
@pytest.mark.parametrize("closed", [True, False])
def test_what_stands_in_a_tag_ends_at_its_first_bracket_however_that_is_spelled(
    begin: str, end: str, closed: bool
) -> None:
    text = f"a {begin}quixotic{end} b {begin}quixotic{end} c"
    assert without_private(text, closed=closed) == f"a {MASK} b {MASK} c"
