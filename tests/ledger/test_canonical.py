"""One text for one value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.errors import UsageError
from honed.ledger.canonical import canonical, canonical_bytes, from_epoch, instant

TEXTS = st.text(st.characters(codec=None))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_every_value_can_be_written_as_utf8_and_read_back(value: object) -> None:
    text = canonical(value)
    assert canonical(json.loads(text)) == text
    assert json.loads(canonical_bytes(value).decode("utf-8")) == json.loads(text)


@given(st.dictionaries(st.text(), st.integers(), max_size=6))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def test_a_lone_surrogate_stays_what_it_is() -> None:
    assert json.loads(canonical({"a": "x\ud800y"})) == {"a": "x\ud800y"}
    assert canonical("x\ud800y") == '"x\\ud800y"'


def test_text_is_kept_verbatim_without_unicode_normalisation() -> None:
    assert canonical("e\u0301") != canonical("\u00e9")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"bytes", object()])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(UsageError):
        canonical(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"),
        ("2026-01-02T03:04:05.678901Z", "2026-01-02T03:04:05.678Z"),
        ("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000Z"),
        ("2026-01-02 03:04", "2026-01-02T03:04:00.000Z"),
        ("2026-01-02", "2026-01-02T00:00:00.000Z"),
    ],
)
def test_times_get_one_form(text: str, expected: str) -> None:
    assert instant(text) == expected
    assert instant(expected) == expected


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00+14:00"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        instant(text)


@given(st.floats(-6e10, 2.5e11), st.floats(-6e10, 2.5e11))
def test_times_compare_as_texts_as_they_do_as_numbers(one: float, other: float) -> None:
    if one + 0.002 < other:
        assert from_epoch(one) < from_epoch(other)
