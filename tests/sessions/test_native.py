"""honed's own transcript: what is written is read again."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from honed.sessions.model import (
    Actor,
    Boundary,
    ChangeAction,
    Event,
    FileChange,
    Hunk,
    NoteGiven,
    Request,
    SessionEnd,
    SessionKind,
    SessionStart,
    Step,
    StepKind,
    StepStatus,
)
from honed.sessions.native import OUTPUT_LIMIT, encode
from honed.sessions.reading import read, read_bytes
from honed.sessions.source import Resume, prefix_digest

START = SessionStart("s1", "cursor", cwd="/home/dev/shop")
STEP = Step("c1", "shell", "Shell", "ok", 0, 1, 2, command="pytest", exit_code=0, output="2 passed")

signs = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])  # what reading would mend
words = st.text(signs, max_size=12)
some = st.text(signs, min_size=1, max_size=8)
maybe_some = st.none() | some
statuses = st.sampled_from([word for word in get_args(StepStatus) if word != "running"])
changes = st.builds(
    FileChange,
    path=words,
    action=st.sampled_from(get_args(ChangeAction)),
    hunks=st.lists(st.builds(Hunk, words, words, words), max_size=2).map(tuple),
    old_path=maybe_some,
)
steps = st.builds(
    Step,
    id=some,
    kind=st.sampled_from(get_args(StepKind)),
    tool=words,
    status=statuses,
    started=st.just(0),
    finished=st.just(0),
    line=st.just(0),
    actor=st.sampled_from(get_args(Actor)),
    command=st.none() | words,
    cwd=maybe_some,
    output=words,
    exit_code=st.none() | st.integers(-3, 300),
    truncated=st.booleans(),
    background=st.booleans(),
    changes=st.lists(changes, max_size=2).map(tuple),
    reads=st.lists(words, max_size=2).map(tuple),
    query=words,
    agent_id=maybe_some,
    at=maybe_some,
)
starts = st.builds(
    SessionStart,
    id=some,
    client=some,
    kind=st.sampled_from(get_args(SessionKind)),
    version=maybe_some,
    cwd=maybe_some,
    branch=maybe_some,
    remote=maybe_some,
    parent=maybe_some,
    at=maybe_some,
)
others = st.one_of(
    st.builds(
        Request,
        id=some,
        text=words,
        ordinal=st.just(0),
        line=st.just(0),
        at=maybe_some,
        command=maybe_some,
        images=st.integers(0, 3),
    ),
    st.builds(NoteGiven, st.lists(some, min_size=1, max_size=2).map(tuple), st.just(0), st.just(0)),
    st.builds(Boundary, st.sampled_from(["compaction", "interrupt", "turn_end"]), st.just(0), st.just(0)),
)


class Writer:
    """Writes events and says what reading must give: counting is all that it adds."""

    def __init__(self, start: SessionStart) -> None:
        self.data = encode(start)
        self.expected: list[Event] = [start]
        self.lines, self.ordinal = 1, 0
        self.begun: dict[str, tuple[int, int]] = {}

    def begin(self, step: Step) -> None:
        self.data += encode(replace(step, status="running"))
        self.lines += 1
        self.begun[step.id] = (self._next(), self.lines)

    def end(self, step: Step) -> None:
        self.data += encode(step)
        self.lines += 1
        started, line = self.begun.pop(step.id) if step.id in self.begun else (self._next(), self.lines)
        self.expected.append(replace(step, started=started, finished=self._next(), line=line))

    def say(self, event: Request | NoteGiven | Boundary) -> None:
        offset = len(self.data)
        self.data += encode(event)
        self.lines += 1
        counted = replace(event, ordinal=self._next(), line=self.lines)
        self.expected.append(replace(counted, offset=offset) if isinstance(counted, Request) else counted)

    def _next(self) -> int:
        self.ordinal += 1
        return self.ordinal - 1


@given(starts, st.lists(st.tuples(steps, st.booleans(), st.lists(others, max_size=2)), max_size=4))
def test_whatever_is_written_is_read_again(
    start: SessionStart, told: list[tuple[Step, bool, list[Request | NoteGiven | Boundary]]]
) -> None:
    writer = Writer(start)
    late = []
    for number, (step, overlaps, between) in enumerate(told):
        own = replace(step, id=f"{step.id}{number}")
        if overlaps:
            writer.begin(own)
            late.append(own)
        else:
            writer.end(own)
        for event in between:
            writer.say(event)
    for step in late:
        writer.end(step)
    events = list(read_bytes(writer.data))
    assert events[:-1] == writer.expected
    assert events[-1] == SessionEnd(writer.lines, 0)


def test_a_step_that_never_ended_is_running() -> None:
    data = encode(START) + encode(replace(STEP, status="running", output=""))
    assert [e.status for e in read_bytes(data) if isinstance(e, Step)] == ["running"]


def test_a_line_is_one_line_and_plain_ascii_whatever_stands_in_it() -> None:
    line = encode(replace(STEP, output="a\nb\u2028c\x00\ud800é"))
    assert line.isascii()
    assert line.count(b"\n") == 1 == line.endswith(b"\n")


def test_a_huge_output_is_cut_in_the_middle_and_says_so() -> None:
    line = encode(replace(STEP, output="a" * OUTPUT_LIMIT + "b" * OUTPUT_LIMIT))
    (step,) = [e for e in read_bytes(encode(START) + line) if isinstance(e, Step)]
    assert step.truncated
    assert len(step.output) < OUTPUT_LIMIT + 20
    assert (step.output[0], step.output[-1]) == ("a", "b")


def test_the_end_of_a_session_is_said_by_no_line() -> None:
    assert encode(SessionEnd(3, 0)) == b""


def test_a_line_cut_off_by_a_crash_is_counted_and_passed_over() -> None:
    data = encode(START) + encode(STEP)[:20] + b"\n" + encode(STEP)
    events = list(read_bytes(data))
    assert [event.id for event in events if isinstance(event, Step)] == ["c1"]
    assert events[-1] == SessionEnd(2, 1, ("line 2: no JSON object",))


def test_words_that_are_not_ours_are_read_as_the_harmless_ones() -> None:
    data = (
        encode(START)
        + json.dumps({"step": {"id": 7, "kind": "dance", "status": "sad", "actor": None}}).encode()
    )
    (step,) = [event for event in read_bytes(data) if isinstance(event, Step)]
    assert (step.kind, step.status, step.actor, step.id) == ("other", "unknown", "agent", "2")


def test_reading_goes_on_at_a_request_as_if_it_had_never_stopped() -> None:
    data = encode(START)
    for number in range(3):
        data += encode(Request(f"r{number}", f"ask {number}", 0, 0)) + encode(replace(STEP, id=f"c{number}"))
    whole = list(read_bytes(data))
    at = [event for event in whole if isinstance(event, Request)][1]
    resume = Resume(at.offset, at.line, at.ordinal, prefix_digest(io.BytesIO(data), at.offset))
    again = list(read(io.BytesIO(data), resume=resume))
    assert again[0] == whole[0]
    assert again[1:-1] == whole[whole.index(at) : -1]


def test_the_page_about_the_format_shows_a_transcript_that_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "native-transcript.md").read_text(encoding="utf-8")
    example = page.split("```")[1].strip()
    start, request, note, edit, run, end, last = read_bytes(example.encode())
    assert start == SessionStart(
        "7f3c", "cursor", "main", "2.4", "/home/dev/shop", "tax", at="2026-10-01T08:00:00Z"
    )
    assert isinstance(request, Request)
    assert isinstance(edit, Step)
    assert isinstance(run, Step)
    assert (note, end) == (NoteGiven(("sk_41",), 1, 3), Boundary("turn_end", 6, 7))
    assert [(s.id, s.started, s.finished, s.line) for s in (edit, run)] == [("c2", 3, 4, 5), ("c1", 2, 5, 4)]
    assert last == SessionEnd(7, 0)
    lines = [json.loads(line) for line in example.splitlines()]
    written = [json.loads(encode(event)) for event in (start, request, note, edit, run, end)]
    assert written == [*lines[:3], *lines[4:]]
