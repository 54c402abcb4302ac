"""From a user message to what a person asked for."""

from __future__ import annotations

from itertools import count

import pytest

from honed.sessions.model import NoteGiven, Request
from honed.sessions.prompts import Said, record_id, requests


def told(text: str, **more: object) -> list[Request | NoteGiven]:
    return list(requests(Said("r1", text, 7, 300, **more), count(5)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "command", "rest"),
    [
        ("Fix the tax", None, "Fix the tax"),
        ("/commit", "commit", ""),
        ("/skill:search  the weather\nof today", "skill:search", "the weather\nof today"),
        ("/home/dev/a.py fails", None, "/home/dev/a.py fails"),
        ("/ is the root", None, "/ is the root"),
        ("see /commit", None, "see /commit"),
        ("<system-reminder>be brief</system-reminder>\nFix it", None, "Fix it"),
    ],
)
def test_a_request_is_the_words_of_a_person(text: str, command: str | None, rest: str) -> None:
    assert told(text) == [Request("r1", rest, 5, 7, 300, command=command)]


@pytest.mark.parametrize("text", ["", "  \n", "<system-reminder>be brief</system-reminder>"])
def test_where_nobody_said_anything_there_is_no_request(text: str) -> None:
    assert told(text) == []


def test_a_picture_alone_is_a_request() -> None:
    assert told("", images=2) == [Request("r1", "", 5, 7, 300, images=2)]


def test_the_request_comes_before_the_notes_that_came_with_it() -> None:
    first, second = told('Fix it <honed-note ids="a,b">x</honed-note>')
    assert (first, second) == (Request("r1", "Fix it", 5, 7, 300), NoteGiven(("a", "b"), 6, 7))


def test_a_note_is_seen_even_where_nobody_asked() -> None:
    assert told("", heard='<honed-note ids="a">x</honed-note>') == [NoteGiven(("a",), 5, 7)]


@pytest.mark.parametrize(
    ("value", "identity"),
    [("u-1", "u-1"), ("", "s:7"), (None, "s:7"), (9, "s:7"), ("REDACTED", "s:7"), ("toolu_REDACTED", "s:7")],
)
def test_an_id_that_tells_nothing_apart_is_replaced(value: object, identity: str) -> None:
    assert record_id(value, "s", 7) == identity
