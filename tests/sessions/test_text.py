"""What of a text the user wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.sessions.text import (
    INJECTED_SPANS,
    MACHINE_OPENINGS,
    element,
    is_machine_made,
    note_ids,
    user_text,
    without_injected,
)

NOTE = '<honed-note ids="sk_aa sk_bb" grade="reference">\nRun pytest -q first.\n</honed-note>'


def test_plain_words_stay_as_they_are() -> None:
    assert user_text("make checkout totals round half up") == "make checkout totals round half up"


@pytest.mark.parametrize("tag", INJECTED_SPANS)
def test_an_injected_span_is_cut_out_of_the_words_around_it(tag: str) -> None:
    text = f'before <{tag} kind="x">\nsomething\n</{tag}> after'
    assert user_text(text) == "before  after"
    assert user_text(f"<{tag}>alone</{tag}>") == ""


@pytest.mark.parametrize("opening", MACHINE_OPENINGS)
def test_a_text_that_begins_like_a_machine_is_a_machines(opening: str) -> None:
    assert is_machine_made(f"\n  {opening} and so on")
    assert user_text(f"{opening} and so on") == ""


def test_several_spans_are_all_cut_out() -> None:
    text = "<system-reminder>a</system-reminder>fix <b>it</b><system-reminder>b</system-reminder> now"
    assert user_text(text) == "fix <b>it</b> now"


def test_a_quoted_note_is_no_user_text() -> None:
    assert user_text(f"it told me this:\n{NOTE}\nis that right?") == "it told me this:\n\nis that right?"


def test_a_note_that_was_cut_off_ends_the_text() -> None:
    assert user_text('why does it say <honed-note ids="sk_a">Run the') == "why does it say"


def test_a_tag_that_is_only_mentioned_stays() -> None:
    assert user_text("what does <system-reminder> mean?") == "what does <system-reminder> mean?"


def test_the_ids_of_all_notes_are_found_once_each() -> None:
    text = f"{NOTE} <honed-note trust='data' id='sk_cc'>x</honed-note> {NOTE}"
    assert note_ids(text) == ("sk_aa", "sk_bb", "sk_cc")
    assert note_ids("no note here") == ()


def test_an_element_runs_to_its_end_or_to_the_end_of_the_text() -> None:
    assert element("<a>1</a><b> 2 </b>", "b") == "2"
    assert element("<a>open", "a") == "open"
    assert element("<a>", "b") is None


def test_many_unclosed_tags_cost_no_more_than_their_length() -> None:
    text = "<system-reminder>" * 50_000
    assert without_injected(text) == text


@given(st.text())
def test_what_is_left_holds_no_note_and_cutting_again_changes_nothing_that_was_cut(words: str) -> None:
    text = f"{words}{NOTE}"
    assert "sk_aa" not in user_text(text)
    assert len(without_injected(words)) <= len(words)
