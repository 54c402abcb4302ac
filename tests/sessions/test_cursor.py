"""Cursor's agent transcripts, which hold no results."""

from __future__ import annotations

import json
from typing import Any

import pytest

from honed.sessions.model import Event, Request, SessionStart, Step
from honed.sessions.reading import read_bytes

NAME = "13e662e2-92d5-46e4-b101-d9a3aeb52bb2.jsonl"


def transcript(*messages: tuple[str, list[dict[str, Any]]], name: str = NAME) -> list[Event]:
    lines = [json.dumps({"role": role, "message": {"content": parts}}) for role, parts in messages]
    return list(read_bytes("\n".join(lines).encode(), name=name))


def typed(words: str) -> tuple[str, list[dict[str, Any]]]:
    return "user", [{"type": "text", "text": words}]


def used(name: str, arguments: Any) -> tuple[str, list[dict[str, Any]]]:
    return "assistant", [
        {"type": "text", "text": "I will."},
        {"type": "tool_use", "name": name, "input": arguments},
    ]


def step_of(name: str, arguments: Any) -> Step:
    (step,) = [event for event in transcript(used(name, arguments)) if isinstance(event, Step)]
    return step


def test_the_session_is_named_by_its_file() -> None:
    assert transcript(typed("hi"))[0] == SessionStart("13e662e2-92d5-46e4-b101-d9a3aeb52bb2", "cursor")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("<user_query>\nFix the tax\n</user_query>", "Fix the tax"),
        ("<external_links>a page</external_links>\n<user_query>Fix it</user_query>", "Fix it"),
        ("<attached_files><code_selection path='a.py'>x</code_selection></attached_files>\nFix it", "Fix it"),
        ("Fix the tax", "Fix the tax"),
    ],
)
def test_a_request_is_what_was_typed(words: str, text: str) -> None:
    (request,) = [event for event in transcript(typed(words)) if isinstance(event, Request)]
    assert (request.text, request.line, request.id) == (text, 1, f"{NAME.removesuffix('.jsonl')}:1")


def test_attached_pages_alone_are_no_request() -> None:
    events = transcript(typed("<external_links>a page</external_links>"))
    assert not [event for event in events if isinstance(event, Request)]


def test_a_command_proves_nothing_because_no_result_is_kept() -> None:
    step = step_of("Shell", {"command": "pytest", "working_directory": "/home/dev/shop"})
    assert (step.kind, step.command, step.cwd, step.status, step.exit_code) == (
        "shell",
        "pytest",
        "/home/dev/shop",
        "unknown",
        None,
    )


@pytest.mark.parametrize(
    ("name", "arguments", "action"),
    [
        ("StrReplace", {"path": "a.py", "old_string": "1", "new_string": "2"}, "update"),
        ("search_replace", {"file_path": "a.py", "old_string": "1", "new_string": "2"}, "update"),
        ("Write", {"path": "a.py", "contents": "x"}, "update"),
        ("edit_file", {"target_file": "a.py", "code_edit": "x"}, "update"),
        ("Delete", {"path": "a.py"}, "delete"),
        ("ApplyPatch", "*** Begin Patch\n*** Update File: a.py\n-1\n+2\n*** End Patch", "update"),
    ],
)
def test_an_edit_may_have_happened_and_counts_as_a_change(name: str, arguments: Any, action: str) -> None:
    step = step_of(name, arguments)
    assert (step.kind, step.status) == ("edit", "unknown")
    assert [(change.path, change.action) for change in step.changes] == [("a.py", action)]
