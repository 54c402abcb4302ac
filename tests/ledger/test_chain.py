"""Whatever is done to a chain, `verify` sees it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.ledger.chain import SALT_BYTES, Payload, commitment, link
from honed.ledger.model import Entry, Fault
from honed.ledger.verify import check_chain, check_heads
from tests.ledger.making import SKILL, chained, day, failed, hand, learned, passed

Link = tuple[Entry, Payload | None]

FIVE: list[Link] = [*chained([learned(), passed("s1", 1), passed("s2", 2), failed("s3", 3), passed("s4", 4)])]


def faults(links: list[Link], erased: frozenset[str] = frozenset()) -> list[str]:
    return [fault.code for fault in check_chain(links, erased)]


def test_an_untouched_chain_has_no_faults() -> None:
    assert faults(FIVE) == []


def test_two_replicas_have_two_chains() -> None:
    theirs: list[Link] = [*chained([passed("s9", 9)], "rp_two")]
    assert faults(FIVE + theirs) == []


@given(st.integers(0, 4), st.sampled_from([f.name for f in fields(Entry)]))
def test_any_changed_field_of_any_entry_is_found(place: int, name: str) -> None:
    entry, payload = FIVE[place]
    value = getattr(entry, name)
    other: Any = value + 1 if isinstance(value, int) else value + "x"
    changed = replace(entry, **{name: other})
    assert faults([*FIVE[:place], (changed, payload), *FIVE[place + 1 :]])


@given(st.integers(0, 4), st.text())
def test_any_changed_text_is_found(place: int, text: str) -> None:
    entry, payload = FIVE[place]
    assert payload is not None
    if text != payload.body:
        links = [*FIVE[:place], (entry, replace(payload, body=text)), *FIVE[place + 1 :]]
        assert faults(links) == ["payload-changed"]


def test_a_changed_salt_is_found() -> None:
    entry, payload = FIVE[1]
    assert payload is not None
    assert faults([FIVE[0], (entry, replace(payload, salt=bytes(SALT_BYTES + 1))), *FIVE[2:]]) == [
        "payload-changed"
    ]


@pytest.mark.parametrize("place", range(4))
def test_a_dropped_event_is_found(place: int) -> None:
    assert "chain-gap" in faults(FIVE[:place] + FIVE[place + 1 :])


def test_reordered_events_are_found() -> None:
    assert faults([FIVE[0], FIVE[2], FIVE[1], *FIVE[3:]])


def test_an_inserted_event_is_found() -> None:
    (extra, payload) = link(FIVE[1][0], passed("s8", 8), replica="rp_one", recorded_at=day(300), salt=hand(8))
    assert faults([*FIVE[:2], (extra, payload), *FIVE[2:]])


def test_a_clock_that_went_back_inside_the_chain_is_found() -> None:
    previous = FIVE[-1][0]
    late = link(previous, passed("s8", 8), replica="rp_one", recorded_at=day(299), salt=hand(8))
    assert faults([*FIVE, late]) == ["clock-back"]


def test_a_missing_text_needs_an_erasure() -> None:
    gone: list[Link] = [FIVE[0], (FIVE[1][0], None), *FIVE[2:]]
    assert faults(gone) == ["payload-missing"]
    assert faults(gone, frozenset({FIVE[1][0].id})) == []


def test_an_erased_text_that_is_still_there_is_found() -> None:
    assert faults(FIVE, frozenset({FIVE[1][0].id})) == ["erased-present"]


def heads(kept: tuple[int, str]) -> list[Fault]:
    hashes = {("rp_one", entry.seq): entry.hash for entry, _ in FIVE}
    return list(check_heads({"rp_one": kept}, hashes))


def test_a_truncated_chain_is_found_by_its_head() -> None:
    assert [fault.code for fault in heads((6, "x"))] == ["truncated"]


def test_a_chain_that_was_made_anew_is_found_by_its_head() -> None:
    other = chained([learned(), passed("s1", 1), passed("s2", 2), failed("s3", 3), passed("s5", 4)])
    assert faults([*other]) == []
    assert [fault.code for fault in heads((5, other[-1][0].hash))] == ["rechained"]


@pytest.mark.parametrize("seq", [0, 3, 4, 5])
def test_a_head_that_a_crash_left_behind_is_in_order(seq: int) -> None:
    assert heads((seq, FIVE[seq - 1][0].hash if seq else "")) == []


def test_the_commitment_says_nothing_without_the_salt() -> None:
    body = '{"draft":{"title":"guess me"}}'
    assert commitment(hand(1), body) != commitment(hand(2), body)
    entry, _ = FIVE[0]
    assert SKILL in entry.subject
    assert "guess" not in repr(entry)


def test_a_salt_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        link(None, learned(), replica="rp_one", recorded_at=day(0), salt=b"short")
