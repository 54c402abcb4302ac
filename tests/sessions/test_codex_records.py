"""Whatever stands in a rollout: no record raises, and what is told keeps its rules."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from honed.sessions.codex_shell import answer_of, folder_of, script_of
from honed.sessions.model import Request, SessionEnd, SessionStart, Step
from honed.sessions.reading import read_bytes
from tests.sessions.build_codex import UPDATE, Rollout, exited, patch, result, running

WORDS = """
session_meta response_item event_msg turn_context compacted world_state message function_call
function_call_output custom_tool_call custom_tool_call_output local_shell_call web_search_call
tool_search_call tool_search_output user_message exec_command_end patch_apply_end mcp_tool_call_end
web_search_end item_completed turn_aborted task_complete entered_review_mode exited_review_mode
thread_settings_applied CommandExecution FileChange McpToolCall UserMessage WebSearch user developer
exec_command write_stdin shell shell_command apply_patch exec wait spawn_agent wait_agent update_plan
view_image c1 c2 7 completed failed declined user_shell add update delete text input_text
""".split()
TEXTS = [
    *WORDS,
    exited(1, "x"),
    running(7, "y"),
    result(0, "z"),
    result(None, "z", 7),
    patch(UPDATE),
    '{"cmd": "make"}',
    '{"session_id": 7, "chars": "\\u0003"}',
    '{"cell_id": "3"}',
    '{"command": ["bash", "-lc", "ls"]}',
    "Script running with cell ID 3\nWall time 1 seconds\nOutput:\n",
    "Script failed\nOutput:\n",
    "text(await tools.exec_command({cmd: 'a'}))",
    "await tools.write_stdin({session_id: 7})",
    "aborted by user",
    '<honed-note ids="a">x',
    "<user_shell_command><command>ls</command><result>Exit code: 0</result></user_shell_command>",
    "\ud800",
    "",
]
FIELDS = """
type role content text name namespace arguments input call_id id output action query command cmd cwd
workdir session_id chars cell_id status exit_code aggregated_output process_id source changes stdout
success invocation result server tool Ok isError item message images client_id turn_id timestamp ordinal
payload metadata parsed_cmd path kind thread_settings internal_chat_message_metadata_passthrough
content_item_kinds unified_diff move_path targets subagent thread_spawn other forked_from_id
subagent_history_start_ordinal git repository_url
""".split()
LEAVES = st.none() | st.booleans() | st.integers(-3, 10**20) | st.floats() | st.sampled_from(TEXTS)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=5,
)
PAYLOAD = st.builds(
    lambda kind, rest: {**rest, "type": kind},
    st.sampled_from(WORDS),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=8),
)
SHAPED = st.fixed_dictionaries(
    {"type": st.sampled_from(WORDS[:5]), "payload": PAYLOAD},
    optional={"timestamp": JSON, "ordinal": JSON},
)
CALLS = st.fixed_dictionaries(
    {
        "type": st.just("response_item"),
        "payload": st.fixed_dictionaries(
            {
                "type": st.sampled_from(["function_call", "custom_tool_call", "function_call_output"]),
                "call_id": st.sampled_from(["c1", "c2", "c3"]),
                "name": st.sampled_from(["exec_command", "exec", "wait", "write_stdin", "apply_patch", "x"]),
                "arguments": st.sampled_from(TEXTS),
                "input": st.sampled_from(TEXTS),
                "output": st.sampled_from(TEXTS),
            }
        ),
    }
)
RECORD = SHAPED | CALLS | st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4)


def told(rollout: Rollout, records: list[Any]) -> list[Any]:
    lines = [*(json.dumps(line) for line in rollout.lines), *(json.dumps(record) for record in records)]
    return list(read_bytes("\n".join(lines).encode(), name="rollout.jsonl"))


@settings(max_examples=120, deadline=None)
@given(st.lists(RECORD, max_size=12))
def test_no_record_raises_and_what_is_told_keeps_its_rules(records: list[Any]) -> None:
    rollout = (
        Rollout()
        .user("add a cart")
        .call("exec_command", {"cmd": "make"}, "own")
        .output(exited(0, "ok\n"), "own")
    )
    events = told(rollout, records)
    assert isinstance(events[0], SessionStart)
    assert isinstance(events[-1], SessionEnd)
    assert isinstance(events[1], Request)
    ordinals: list[int] = []
    for event in events[1:-1]:
        if isinstance(event, Step):
            assert event.started < event.finished
            ordinals += [event.started, event.finished]
        else:
            ordinals.append(event.ordinal)
    assert len(set(ordinals)) == len(ordinals)
    ids = [event.id for event in events if isinstance(event, Step)]
    assert len(set(ids)) == len(ids)
    json.dumps([str(event) for event in events])


@settings(max_examples=40, deadline=None)
@given(st.lists(JSON, max_size=3))
def test_no_header_raises(metas: list[Any]) -> None:
    lines = [{"type": "session_meta", "payload": meta} for meta in metas]
    events = told(Rollout(), lines)
    assert isinstance(events[0], SessionStart)
    swapped = list(read_bytes("\n".join(json.dumps(line) for line in [*lines, *Rollout().lines]).encode()))
    assert isinstance(swapped[-1], SessionEnd)


@settings(max_examples=80, deadline=None)
@given(JSON | st.lists(st.sampled_from(TEXTS), max_size=3).map("\n".join))
def test_no_output_and_no_command_raises(value: Any) -> None:
    answer = answer_of(value)
    assert isinstance(answer.text, str)
    assert isinstance(script_of(value), str)
    assert folder_of(value) is None or isinstance(folder_of(value), str)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200), st.integers(-9, 300))
def test_output_that_looks_like_a_head_stays_output(text: str, code: int) -> None:
    answer = answer_of(exited(code, f"Process exited with code 9\nOutput:\n{text}"))
    assert answer.exit_code == code
    assert answer.text == f"Process exited with code 9\nOutput:\n{text}"
