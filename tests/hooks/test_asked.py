"""A client's hook asks the running server: the answer of the hook itself, and nothing that a model sees."""

from __future__ import annotations

import json
from typing import Any

import pytest

from honed.mcp.server import Server
from honed.skills.tokens import estimate
from tests.hooks.conftest import Shop

CALL = {"event": "pre-tool", "agent_id": "", "transcript_path": "/nowhere.jsonl", "command": "pytest -q"}


class Asked:
    """A server of the shop's home, and what it answers."""

    def __init__(self, shop: Shop) -> None:
        self.sent: list[Any] = []
        self.cwd = str(shop.project)
        self.server = Server(str(shop.home), "/", lambda data: self.sent.append(json.loads(data)))

    def request(self, method: str, params: object) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.server.take(json.dumps(message).encode())
        found: dict[str, Any] = self.sent[-1]["result"]
        return found

    def hook(self, **given: object) -> str:
        """The text that the hook's call is answered with; it is never an error, nor anything besides."""
        given = {"session_id": "s1", "cwd": self.cwd, **CALL, **given}
        result = self.request("tools/call", {"name": "hook", "arguments": given})
        assert set(result) == {"content", "isError"}
        assert not result["isError"]
        (part,) = result["content"]
        return str(part["text"])


def test_a_command_that_went_wrong_before_is_told_before_it_runs_once(learned: Shop) -> None:
    asked = Asked(learned)
    said = json.loads(asked.hook())["hookSpecificOutput"]
    assert said["hookEventName"] == "PreToolUse"
    assert "Use `uv run pytest`" in said["additionalContext"]
    assert estimate(said["additionalContext"]) <= 150
    assert asked.hook() == "{}"
    assert asked.hook(session_id="s2", command="uv run pytest -q") == "{}"


def test_it_is_the_answer_of_the_command_and_leaves_the_same_line(learned: Shop) -> None:
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}}
    assert json.loads(Asked(learned).hook(session_id="s7")) == learned.fire(
        "pre-tool", session_id="s8", **call
    )
    lines = [json.loads(learned.spool_file(name).read_text("utf-8")) for name in ("s7", "s8")]
    for line in lines:
        del line["t"], line["m"]
    assert lines[0] == lines[1]


def test_what_was_told_before_a_command_is_not_told_after_it_failed(learned: Shop) -> None:
    assert Asked(learned).hook() != "{}"
    failed: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}}
    assert learned.fire("tool-failed", session_id="s1", **failed, error="Exit code 2\nhm") == {}


def test_no_model_is_shown_it(learned: Shop) -> None:
    tools = Asked(learned).request("tools/list", {})["tools"]
    assert len(tools) == 10
    assert "hook" not in [tool["name"] for tool in tools]


@pytest.mark.parametrize(
    "given",
    [
        {"event": "stop"},
        {"event": "prompt", "prompt": "Fix the rounding of the cart total."},
        {"event": None},
        {"event": ["pre-tool"]},
        {"command": None},
        {"command": 7},
        {"command": ""},
        {"cwd": "\0", "session_id": {}, "agent_id": 3},
        {"transcript_path": ["/etc/passwd"]},
    ],
)
def test_a_strange_call_is_answered_with_nothing(learned: Shop, given: dict[str, object]) -> None:
    known = "pytest -q" if given.get("transcript_path") else "ls"
    answer = Asked(learned).hook(**{"command": known, **given})
    assert answer == "{}" or "Use `uv run pytest`" in answer


def test_arguments_that_are_no_object_are_answered_with_nothing(learned: Shop) -> None:
    strange: tuple[object, ...] = (None, [], "pre-tool")
    for arguments in strange:
        result = Asked(learned).request("tools/call", {"name": "hook", "arguments": arguments})
        assert result["content"][0]["text"] == "{}"


def test_a_memory_that_was_never_made_is_answered_with_nothing(shop: Shop) -> None:
    assert Asked(shop).hook() == "{}"
    assert not (shop.home / "honed.db").exists()
