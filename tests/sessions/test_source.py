"""From bytes to records, and which reader reads them."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.sessions import reading, source
from honed.sessions.reading import UnknownTranscriptError, read_bytes
from honed.sessions.source import Json, Tally, json_lines, parse, prefix_digest
from tests.sessions.build_claude import SESSION, Transcript, read, read_from


def lines_of(data: bytes, **place: int) -> tuple[list[tuple[int, int, Json]], Tally]:
    tally = Tally()
    stream = io.BytesIO(data)
    stream.seek(place.get("offset", 0))
    found = [(r.line, r.offset, r.value) for r in json_lines(stream, tally, **place)]
    return found, tally


def test_lines_carry_their_number_and_their_offset() -> None:
    found, tally = lines_of(b'{"a":1}\n\n{"b":2}\r\n{"c":3}')
    assert found == [(1, 0, {"a": 1}), (3, 9, {"b": 2}), (4, 18, {"c": 3})]
    assert (tally.records, tally.skipped) == (3, 0)


def test_reading_may_begin_in_the_middle() -> None:
    assert lines_of(b'{"a":1}\n{"b":2}\n', offset=8, line=2)[0] == [(2, 8, {"b": 2})]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"assistant","message":{"content":[{"type":"tex',
        b"null",
        b"[]",
        b'"text"',
        b"12",
        b"\x00\x01\x02\xff",
        b'{"a": "\xff\xfe"}',
        b'{"a": "\xed\xa0\x80"}',
        b'{"a": "raw nul \x00"}',
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
    ids=[
        "cut",
        "null",
        "array",
        "string",
        "number",
        "binary",
        "latin1",
        "surrogate",
        "nul",
        "deep",
        "digits",
    ],
)
def test_a_line_that_is_no_json_object_is_counted_and_the_lines_around_it_are_read(line: bytes) -> None:
    found, tally = lines_of(b'{"before":1}\n' + line + b'\n{"after":1}\n')
    assert [value for _, _, value in found] == [{"before": 1}, {"after": 1}]
    assert (tally.records, tally.skipped, len(tally.reasons)) == (2, 1, 1)


def test_a_byte_order_mark_is_no_part_of_the_first_record() -> None:
    assert lines_of(b'\xef\xbb\xbf{"a":1}\n')[0] == [(1, 0, {"a": 1})]


def test_what_no_database_stores_becomes_the_replacement_character() -> None:
    escaped = b'{"a\\ud800": ["x\\udc00y", {"b": "\\u0000"}], "c": "\\ud83d\\ude00", "d": 1}'
    assert parse(escaped) == {"a�": ["x�y", {"b": "�"}], "c": "\U0001f600", "d": 1}


def test_a_line_over_the_limit_is_skipped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LINE_LIMIT", 100)
    long = json.dumps({"a": "x" * 500}).encode()
    found, tally = lines_of(b'{"a":1}\n' + long + b'\n{"b":2}\n' + long)
    assert [(line, value) for line, _, value in found] == [(1, {"a": 1}), (3, {"b": 2})]
    assert found[1][1] == 8 + len(long) + 1
    assert tally.skipped == 2
    assert "longer than 100 bytes" in tally.reasons[0]


def test_only_the_first_reasons_are_kept() -> None:
    _, tally = lines_of(b"no\n" * 50)
    assert tally.skipped == 50
    assert len(tally.reasons) == 10


@given(st.lists(st.binary(max_size=40)))
def test_offsets_always_point_at_their_line(chunks: list[bytes]) -> None:
    data = b"\n".join([*chunks, b'{"end":true}'])
    found, tally = lines_of(data)
    assert found[-1][2] == {"end": True}
    for line, offset, value in found:
        assert parse(data[offset:].split(b"\n")[0]) == value
        assert data[:offset].count(b"\n") == line - 1
    assert tally.records == len(found)


@given(st.binary(max_size=200), st.integers(0, 250))
def test_a_prefix_digest_sees_any_change_before_its_end(data: bytes, length: int) -> None:
    digest = prefix_digest(io.BytesIO(data), length)
    assert digest == prefix_digest(io.BytesIO(data[:length] + b"more"), min(length, len(data)))
    if data[:length]:
        changed = bytes([data[0] ^ 1]) + data[1:]
        assert digest != prefix_digest(io.BytesIO(changed), length)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\n\n  \n", "empty"),
        (b"\x00\x01\x02\x03" * 50, "not a transcript"),
        (b"\x1f\x8b\x08compressed", "not a transcript"),
        ("just words\nand more\n".encode("utf-16"), "not a transcript"),
        (b'{"type":"user","message":{"role":"user","content":"cut of', "not a transcript"),
        (b'{"name":"package","version":"1.0"}\n', "keys of the first record: name, version"),
    ],
    ids=["empty", "blank", "binary", "gzip", "utf16", "truncated", "foreign"],
)
def test_a_file_that_is_no_transcript_is_refused_with_what_it_looks_like(data: bytes, said: str) -> None:
    with pytest.raises(UnknownTranscriptError, match=said):
        list(read_bytes(data))


def test_bad_lines_cost_only_themselves() -> None:
    transcript = Transcript()
    transcript.user("make checkout totals round half up")
    transcript.call("toolu_4", "Edit", {"file_path": "shop/cart.py", "old_string": "a", "new_string": "b"})
    transcript.raw(b'{"type":"assistant","message":{"role":"assistant","content":[{"type":"tex')
    transcript.raw(b"").raw(b"null").raw(b"[]").raw(b'{"type":"file-history-snapshot","x":1}')
    transcript.raw(b'{"type":"queued_command","payload":{"cut":')
    transcript.result("toolu_4", "ok").bash("toolu_5", "pytest -q", "9 passed in 0.31s")
    data = transcript.data() + b'{"type":"user","message":{"role":"user","content":"tail is cut he'
    told = read(data)
    assert told.texts == ["make checkout totals round half up"]
    assert [(step.kind, step.status) for step in told.steps] == [("edit", "ok"), ("shell", "ok")]
    assert told.steps[0].changes[0].path == "shop/cart.py"
    assert told.end.skipped_lines == 5
    assert told.end.records == 6
    assert told.end.skipped_reasons[0] == "line 3: no JSON object"


def test_the_same_bytes_give_the_same_events_with_other_line_ends_and_a_mark() -> None:
    data = Transcript().user("fix it").bash("t1", "pytest -q", "1 passed").data()
    plain = read(data)
    odd = read(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert odd.texts == plain.texts
    assert odd.steps == plain.steps


def two_tasks() -> bytes:
    transcript = Transcript()
    for number in range(3):
        transcript.user(f"task {number}")
        transcript.edit(f"e{number}", "a.py", "x", "y").bash(f"b{number}", "pytest", "1 passed")
    return transcript.data()


def test_reading_resumes_at_the_open_task_and_tells_the_rest_alike() -> None:
    data = two_tasks()
    whole = read(data)
    for request in whole.requests:
        resumed = read_from(data, request)
        place = whole.events.index(request)
        assert resumed.start == whole.start
        assert resumed.events[1:-1] == whole.events[place:-1]


def test_a_rewritten_prefix_is_read_again_from_the_start() -> None:
    data = two_tasks()
    last = read(data).requests[-1]
    resume = source.Resume(last.offset, last.line, last.ordinal, prefix_digest(io.BytesIO(data), last.offset))
    rewritten = data.replace(b"task 0", b"task X")
    events = reading.read(io.BytesIO(rewritten), name=f"{SESSION}.jsonl", resume=resume)
    assert list(events) == read(rewritten).events


def test_a_file_that_became_shorter_is_read_again_from_the_start() -> None:
    data = two_tasks()
    last = read(data).requests[-1]
    resume = source.Resume(last.offset, last.line, last.ordinal, prefix_digest(io.BytesIO(data), last.offset))
    shorter = data[: last.offset // 2]
    events = reading.read(io.BytesIO(shorter), name=f"{SESSION}.jsonl", resume=resume)
    assert list(events) == read(shorter).events
