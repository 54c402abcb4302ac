"""What a session cost, from the records that its client wrote."""

from __future__ import annotations

import json

import pytest

from honed.sessions.usage import Cost, Tokens, cost_of, together
from tests.sessions.build_codex import OLD_TURN, OWN_TURN, PARENT, Rollout


def lines(*values: object) -> list[bytes]:
    return [json.dumps(value).encode() + b"\n" for value in values]


def answer(
    at: str, message: str, calls: tuple[str, ...] = (), *, output: int = 5, tool: str = "Bash"
) -> dict[str, object]:
    """A record of an answer as Claude Code writes it."""
    usage = {
        "input_tokens": 3,
        "cache_creation_input_tokens": 7,
        "cache_read_input_tokens": 100,
        "output_tokens": output,
    }
    content = [{"type": "tool_use", "id": call, "name": tool, "input": {}} for call in calls]
    return {
        "type": "assistant",
        "timestamp": f"2026-05-04T{at}.000Z",
        "message": {"id": message, "usage": usage, "content": content},
    }


def test_an_answer_in_several_records_is_counted_once_with_all_of_its_output() -> None:
    told = lines(
        answer("09:00:00", "m1", ("c1",), output=1),
        answer("09:00:05", "m1", ("c2",), output=40),
        answer("09:00:10", "m2", ("c3",), tool="mcp__honed__memory_recall"),
    )
    assert cost_of(told, "claude_code") == Cost(Tokens(20, 200, 45), calls=3, asked=1, seconds=10)
    assert cost_of(told + told, "claude_code") == Cost(Tokens(20, 200, 45), calls=3, asked=1, seconds=20)


def test_an_absence_is_no_work_and_a_clock_that_goes_back_takes_nothing_away() -> None:
    told = lines(
        answer("09:00:00", "m1"), answer("09:02:00", "m2"), answer("12:00:00", "m3"), answer("11:59:00", "m4")
    )
    found = cost_of(told, "claude_code")
    assert found is not None
    assert found.seconds == 120


def test_codex_tells_totals_of_which_the_last_holds() -> None:
    def total(read: int, cached: int, output: int) -> dict[str, object]:
        usage = {"input_tokens": read, "cached_input_tokens": cached, "output_tokens": output}
        return {
            "timestamp": "2026-05-04T09:00:00Z",
            "type": "event_msg",
            "payload": {"type": "token_count", "info": {"total_token_usage": usage}},
        }

    def call(number: int) -> dict[str, object]:
        payload = {"type": "function_call", "name": "exec_command", "call_id": f"c{number}"}
        return {"timestamp": "2026-05-04T09:00:30Z", "type": "response_item", "payload": payload}

    told = lines(total(50, 10, 3), call(1), call(2), total(400, 300, 9), {"type": "event_msg", "payload": {}})
    assert cost_of(told, "codex") == Cost(Tokens(100, 300, 9), calls=2, asked=0, seconds=30)


def spent(rollout: Rollout, read: int, cached: int, output: int) -> Rollout:
    """Totals as Codex tells them after an answer."""
    usage = {"input_tokens": read, "cached_input_tokens": cached, "output_tokens": output}
    return rollout.event(type="token_count", info={"total_token_usage": usage})


def forked(**meta: object) -> Rollout:
    """A thread that begins with its parent's history, and its parent's totals."""
    thread = Rollout(forked_from_id=PARENT, parent_thread_id=PARENT, **meta)
    thread.add("session_meta", {"id": PARENT}).event(type="task_started", turn_id=OLD_TURN)
    return spent(thread.call("exec_command", {"cmd": "ls"}, "old"), 900, 500, 30)


def test_what_a_thread_copied_from_its_parent_it_did_not_spend() -> None:
    thread = forked().event(type="task_started", turn_id=OWN_TURN)
    spent(thread.call("exec_command", {"cmd": "pytest"}, "own"), 1000, 560, 37)
    assert cost_of(lines(*thread.lines), "codex") == Cost(Tokens(40, 60, 7), calls=1, asked=0, seconds=2)


def test_a_thread_that_counts_anew_spent_all_that_it_says() -> None:
    thread = spent(forked().event(type="task_started", turn_id=OWN_TURN), 100, 60, 7)
    found = cost_of(lines(*thread.lines), "codex")
    assert found is not None
    assert found.tokens == Tokens(40, 60, 7)


def test_a_thread_that_did_nothing_of_its_own_has_no_usage() -> None:
    assert cost_of(lines(*forked().lines), "codex") == Cost(None, 0, 0, 0)


@pytest.mark.parametrize(
    ("client", "value", "tokens"),
    [
        (
            "copilot",
            {
                "type": "session.shutdown",
                "data": {
                    "modelMetrics": {
                        "m": {"usage": {"inputTokens": 9, "cacheReadTokens": 4, "outputTokens": 2}}
                    }
                },
            },
            Tokens(5, 4, 2),
        ),
        (
            "pi",
            {"id": "a", "message": {"usage": {"input": 5, "cacheWrite": 1, "cacheRead": 4, "output": 2}}},
            Tokens(6, 4, 2),
        ),
        (
            "gemini",
            {"id": "a", "tokens": {"input": 9, "cached": 4, "output": 2, "thoughts": 3, "tool": 0}},
            Tokens(5, 4, 5),
        ),
    ],
)
def test_other_clients_in_their_own_words(client: str, value: object, tokens: Tokens) -> None:
    found = cost_of(lines(value), client)
    assert found is not None
    assert found.tokens == tokens


def test_no_usage_is_not_none_used() -> None:
    found = cost_of(lines({"type": "user", "timestamp": "2026-05-04T09:00:00Z"}), "claude_code")
    assert found == Cost(None, 0, 0, 0)
    assert cost_of(lines({"type": "user"}), "a-client-of-tomorrow") is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"usage": 1, "type": "assistant", "message": 7}\n',
        b'"usage" not json\n',
        b'{"type": "assistant", "message": {"usage": {"input_tokens": -4, "output_tokens": "x"}}}\n',
        b'{"timestamp": "2026-99-99T99:99:99Z"}\n',
        b"\xff\xfe\x00\n",
    ],
)
def test_what_is_malformed_counts_for_nothing(line: bytes) -> None:
    found = cost_of([line, *lines(answer("09:00:00", "m1"))], "claude_code")
    assert found is not None
    assert found.tokens == Tokens(10, 100, 5)


def test_a_session_and_its_sub_agents_are_added_up() -> None:
    parts = [Cost(Tokens(1, 2, 3), 4, 1, 60), Cost(None, 2, 0, 90), Cost(Tokens(1, 1, 1), 1, 0, 10)]
    assert together(parts) == Cost(Tokens(2, 3, 4), 7, 1, 90)
    assert together([]) is None
