"""A Claude Code transcript may hold any JSON, stop anywhere and be resumed at any request."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from honed.sessions.model import SessionEnd, SessionStart
from tests.sessions.build_claude import (
    CART,
    Transcript,
    agent_file,
    launched,
    notification,
    progress,
    read,
    read_from,
)

DONE = 'Background command "gate" completed (exit code 0)'

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def full() -> Transcript:
    """A transcript that holds a record of every sort."""
    transcript = Transcript(version="2.1.42").user("one", uuid="u-1").bash("t1", "ls", "x")
    transcript.queue("enqueue", "two").queue("remove").bash("t2", "ls", "Exit code 1\nx", error=True)
    patch = [{"oldStart": 2, "lines": [" a", "-b", "+c"]}]
    transcript.edit("t3", CART, "b", "c", structuredPatch=patch, originalFile="x\na\nb")
    transcript.call("t4", "Write", {"file_path": CART, "content": "x"})
    transcript.result("t4", "ok", told={"type": "create", "filePath": CART, "content": "x"})
    transcript.background("t5", "make", "b1").user(notification("b1", "completed", DONE))
    transcript.call("t6", "TaskOutput", {"task_id": "b1"})
    transcript.result(
        "t6", "", told={"task": {"task_id": "b1", "status": "completed", "exitCode": 0, "output": "x"}}
    )
    launched(transcript, "a1", "t7").user(notification("a1", "completed", "x", result="y"))
    progress(transcript, agent_file("a2"), "a2")
    transcript.attachment("edited_text_file", filename=CART, snippet="x")
    transcript.attachment("queued_command", prompt=[{"type": "text", "text": "three"}], commandMode="prompt")
    transcript.attachment("hook_success", content=['<honed-note ids="sk_a">x</honed-note>'], stdout="")
    transcript.record("system", subtype="compact_boundary").user("x", isCompactSummary=True)
    transcript.user("<bash-input>ls</bash-input>").user("<bash-stdout>x</bash-stdout>")
    transcript.user("<command-name>/x</command-name><command-args>y</command-args>")
    transcript.call("t8", "SendMessage", {"to": "a1"}).result("t8", "x").call("t9", "NotebookEdit", {})
    return transcript.user([{"type": "text", "text": "four"}, {"type": "image"}])


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside ``value``."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in items for found in places(item, (*path, key)))][0 if path else 1 :]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """``value`` with ``new`` at ``path``."""
    if not path:
        return new
    if isinstance(value, dict):
        return {key: replaced(item, path[1:], new) if key == path[0] else item for key, item in value.items()}
    return [replaced(item, path[1:], new) if at == path[0] else item for at, item in enumerate(value)]


def check(data: bytes, a1: bytes = b"") -> None:
    told = read(data, a1=a1)
    assert isinstance(told.events[0], SessionStart)
    assert isinstance(told.events[-1], SessionEnd)
    ids = [step.id for step in told.steps]
    assert len(ids) == len(set(ids))
    finished = [step.finished for step in told.steps]
    assert finished == sorted(finished)
    assert all(step.started <= step.finished for step in told.steps)
    assert all(isinstance(step.output, str) and isinstance(step.query, str) for step in told.steps)


def test_the_full_transcript_tells_what_it_holds() -> None:
    told = read(full(), a1=agent_file("a1").data())
    assert told.texts == ["one", "two", "three", "y", "four"]
    assert {step.actor for step in told.steps} == {"agent", "subagent", "human", "outside"}
    assert told.notes == [("sk_a",)]
    check(full().data(), a1=agent_file("a1").data())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_value_in_any_field_is_borne(data: st.DataObject) -> None:
    transcript = full()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(transcript.lines) - 1))
        value = json.loads(transcript.lines[at])
        path = data.draw(st.sampled_from(places(value)))
        transcript.lines[at] = json.dumps(replaced(value, path, data.draw(JSON))).encode() + b"\n"
    agent = agent_file("a1")
    value = json.loads(agent.lines[2])
    path = data.draw(st.sampled_from(places(value)))
    agent.lines[2] = json.dumps(replaced(value, path, data.draw(JSON))).encode() + b"\n"
    check(transcript.data(), a1=agent.data())


@settings(max_examples=100, deadline=None)
@given(
    strays=st.lists(
        st.dictionaries(
            st.sampled_from(["type", "message", "uuid", "attachment", "data", "operation", "content", "x"]),
            JSON
            | st.sampled_from(["user", "assistant", "attachment", "system", "progress", "queue-operation"]),
        ),
        max_size=12,
    ),
    seed=st.integers(0, 40),
)
def test_stray_objects_cost_no_valid_step(strays: list[dict[str, Any]], seed: int) -> None:
    transcript = (
        Transcript().user("one").bash("t1", "ls").edit("t2", CART, "a", "b").bash("t3", "pytest", "ok")
    )
    for number, stray in enumerate(strays):
        line = json.dumps({**stray, "uuid": f"stray-{number}"}).encode() + b"\n"
        transcript.lines.insert(1 + (seed + number * 7) % len(transcript.lines), line)
    told = read(transcript)
    assert [step.id for step in told.steps if step.id in ("t1", "t2", "t3")] == ["t1", "t2", "t3"]
    assert "one" in told.texts


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(0, 6000))
def test_a_transcript_may_stop_anywhere(cut: int) -> None:
    data = full().data()
    first = data.index(b"\n") + 1
    check(data[: first + cut], a1=agent_file("a1").data())


@pytest.mark.parametrize("place", [0, 2, 3, 4])
def test_reading_the_full_transcript_may_resume_at_a_request(place: int) -> None:
    data = full().data()
    whole = read(data)
    request = whole.requests[place]
    resumed = read_from(data, request)
    assert resumed.start == whole.start
    assert resumed.events[1] == request
    assert resumed.requests == whole.requests[place:]
