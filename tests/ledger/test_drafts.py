"""A draft survives being written down."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from honed.ledger.canonical import canonical
from honed.ledger.drafts import PROVENANCE, content_hash, draft_body, draft_of
from honed.skills.model import Anchor, Draft, FileRef, Pitfall
from tests.ledger.making import DRAFT

TEXT = st.text(max_size=12)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
ANCHORS = st.lists(st.builds(Anchor, TEXT, TEXT), max_size=2).map(tuple)
ROLES = st.sampled_from(["changed", "created", "deleted", "read", "test"])
DRAFTS = st.builds(
    Draft,
    kind=st.sampled_from(["procedure", "rule", "lesson", "recipe", "recap"]),
    title=TEXT,
    trigger=TEXT,
    steps=TEXTS,
    files=st.lists(st.builds(FileRef, TEXT, ANCHORS, ROLES), max_size=2).map(tuple),
    check=TEXT,
    pitfalls=st.lists(st.builds(Pitfall, TEXT, TEXT, TEXT), max_size=2).map(tuple),
    outcome=TEXT,
    body=TEXT,
    aliases=TEXTS,
    symbols=TEXTS,
    tags=TEXTS,
    scope=st.sampled_from(["project", "global"]),
    agent=TEXT,
    ttl_days=st.none() | st.integers(1, 4000),
    origin=st.sampled_from(["owner", "agent", "imported", "derived"]),
    fingerprint=TEXT,
    source_task=TEXT,
    fail_to_pass=st.booleans(),
    authority=st.sampled_from(["", "exit", "summary", "both"]),
)


@given(DRAFTS)
def test_a_draft_comes_back_as_it_was(draft: Draft) -> None:
    assert draft_of(json.loads(canonical(draft_body(draft)))) == draft


def test_fields_at_their_default_are_left_out_so_that_new_fields_change_no_hash() -> None:
    assert draft_body(Draft("lesson", "t", "w")) == {"kind": "lesson", "title": "t", "trigger": "w"}


@given(
    st.recursive(
        st.none() | st.integers() | TEXT, lambda v: st.lists(v) | st.dictionaries(TEXT, v), max_leaves=6
    )
)
def test_what_a_newer_version_wrote_never_stops_the_fold(value: object) -> None:
    assert isinstance(draft_of(value), Draft)
    assert isinstance(draft_of({"kind": value, "steps": value, "files": value, "later": value}), Draft)


def test_an_approval_is_bound_to_the_text_and_kind_and_not_to_where_it_came_from() -> None:
    assert content_hash(replace(DRAFT, kind="rule")) != content_hash(DRAFT)
    assert content_hash(replace(DRAFT, scope="global")) != content_hash(DRAFT)
    assert content_hash(replace(DRAFT, body="one more line")) != content_hash(DRAFT)
    moved = replace(
        DRAFT, origin="owner", fingerprint="f", source_task="tk_1", fail_to_pass=True, authority="exit"
    )
    assert content_hash(moved) == content_hash(DRAFT)
    assert set(PROVENANCE) <= set(Draft.__slots__)
