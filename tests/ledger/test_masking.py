"""What is masked is what was said; what happened stays."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from honed.ledger import events
from honed.ledger.fold import fold_skill, in_order
from honed.ledger.masking import MASK, STRUCTURE, masked, texts
from tests.ledger.making import DRAFT, OTHER, SKILL, day, hand, learned, passed, recorded

SECRET = re.compile("s3cret")


def test_a_body_without_a_match_is_left_alone() -> None:
    assert masked({"draft": {"title": "nothing"}, "slug": "nothing"}, SECRET) is None


def test_every_text_is_masked_and_no_id_is() -> None:
    body = {
        "session": "s3cret",
        "draft": {"title": "a s3cret", "steps": ["x s3cret y"], "pitfalls": [{"signature": "s3cret"}]},
        "slug": "a-s3cret",
        "extra": {"s3cret": {"deep": ["s3cret"]}},
        "seen_to": 3,
    }
    assert masked(body, SECRET) == {
        "session": "s3cret",
        "draft": {"title": f"a {MASK}", "steps": [f"x {MASK} y"], "pitfalls": [{"signature": MASK}]},
        "slug": "a-scrubbed",
        "extra": {MASK: {"deep": [MASK]}},
        "seen_to": 3,
    }


def test_a_slug_of_a_title_that_matches_is_made_anew() -> None:
    told = masked({"draft": {"title": "Use S3CRET"}, "slug": "use-s3cret"}, re.compile("S3CRET"))
    assert told is not None
    assert told["slug"] == "use-scrubbed"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('s3cret a"\\\n', max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["title", "session", "extra", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["title", "draft", "extra", "kind"]), JSON, max_size=4))
def test_nothing_that_matches_is_left_in_any_text(body: dict[str, object]) -> None:
    told = masked(body, SECRET)
    found = any(SECRET.search(text) for text in texts(body))
    assert (told is not None) == found
    if told is not None:
        assert not any(SECRET.search(text) for text in texts(told))
        assert json.dumps(_shape(told)) == json.dumps(_shape(body))


def _shape(value: object, key: str = "") -> object:
    """A body with its texts, and the names of unknown keys, taken out."""
    if isinstance(value, dict):
        inner = {name: _shape(item, "extra" if key == "extra" else name) for name, item in value.items()}
        return sorted(map(str, inner.values())) if key == "extra" else inner
    if isinstance(value, list):
        return [_shape(item, key) for item in value]
    return "" if isinstance(value, str) and key not in STRUCTURE else value


def test_what_is_told_again_stands_where_it_stood() -> None:
    history = recorded([learned(DRAFT), passed("s1", 0), events.revised(SKILL, OTHER, hand(1), at=day(0))])
    again = events.told_again(history[0], {**(history[0].body or {}), "note": "again"})
    told = recorded([again], "rp_two")
    ordered = in_order([*history, *told])
    assert [event.entry.id for event in ordered if event.entry.kind == "learned"] == [
        history[0].entry.id,
        again.id,
    ]
    assert ordered[-1].entry.kind == "revised"
    row = fold_skill(ordered)
    assert row is not None
    assert row.skill.draft == OTHER
    assert events.told_again(history[0], {}).id == again.id
