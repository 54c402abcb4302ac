"""The kept counts of common words say what the full text holds, whatever happened to the skills."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from honed.ledger import events, ids
from honed.ledger.model import NewEvent
from honed.skills.model import Draft
from honed.store.counting import COMMON, UNCOUNTED, counting, counts_fault, keep_counts, make_counts_anew
from honed.store.reading import COUNTED, NEW_READ, open_readonly
from honed.store.sqlite import SqliteStore
from tests.store.making import OTHER_PROJECT, PROJECT, draft, hand, keep, learned, look, raw

WORDS = "cart gearbox lantern harbour ledger pytest 'c++' caf\u00e9 \u6587\u5b57\u7f16 \U0001f680".split()
FEW = 3
"""So few skills make a word common here."""
SKILLS = [f"sk_{letter * 16}" for letter in "abcdefgh"]
TEXTS = st.builds(
    lambda title, steps, check, scope: Draft(
        "procedure", " ".join(title), title[0], steps=(" ".join(steps),), check=check, scope=scope
    ),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    st.lists(st.sampled_from(WORDS), max_size=6),
    st.sampled_from(["", "pytest cart", "make test"]),
    st.sampled_from(["project", "project", "global"]),
)
HANDS = st.binary(min_size=16, max_size=16)
OCCASIONS = st.builds(
    events.Occasion,
    st.just("codex"),
    st.sampled_from(["s0", "s1"]),
    st.text("ab", max_size=3),
    st.just("2026-03-01T00:00:00Z"),
)
ACTS = st.one_of(
    st.builds(
        events.learned,
        OCCASIONS,
        st.sampled_from(SKILLS),
        st.sampled_from([PROJECT, OTHER_PROJECT]),
        st.sampled_from(["mend", "fix"]),
        TEXTS,
    ),
    st.builds(events.revised, st.sampled_from(SKILLS), TEXTS, HANDS, at=st.just("2026-03-02T00:00:00Z")),
    st.builds(
        events.by_hand,
        st.sampled_from(["archived", "restored", "forgotten"]),
        st.sampled_from(SKILLS),
        HANDS,
        at=st.just("2026-03-03T00:00:00Z"),
    ),
    st.builds(
        events.evidence,
        OCCASIONS,
        st.sampled_from(SKILLS),
        st.just("test_passed"),
        applied=st.just(True),
        authority=st.just("exit"),
        request=st.sampled_from(WORDS),
    ),
)


def walked(home: str) -> dict[tuple[int, str], dict[str, int]]:
    """What the full text itself says of every word, by scope."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    for term, column, count in look(home, "SELECT term, col, doc FROM skill_vocab"):
        scope, _, word = str(term).partition("_")
        found.setdefault((int(scope), word), {})[str(column)] = int(str(count))
    return found


def assert_a_recall_reads_what_is_there(home: str) -> None:
    there = walked(home)
    held = Counter(int(str(scope)) for (scope,) in look(home, "SELECT scope FROM skill_index"))
    with open_readonly(home) as reader:
        for scope in reader.every_scope():
            words = {word for of, word in there if of == scope and word} | {"nobody"}
            counted = reader.count([scope], sorted(words))
            for word in words:
                said = {field: getattr(counted[word], field) for field in COUNTED}
                assert {field: n for field, n in said.items() if n} == there.get((scope, word), {})
            assert reader.size([scope]) == held[scope]
        assert reader.size(reader.every_scope()) == held.total()


def in_wrong_rows(home: str) -> str:
    connection = raw(home)
    try:
        return counts_fault(connection)
    finally:
        connection.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.lists(ACTS, min_size=1, max_size=6), st.booleans()), min_size=2, max_size=8))
def test_counts_are_those_of_the_full_text_after_any_additions_edits_deletions_and_moves(
    batches: list[tuple[list[NewEvent], bool]],
) -> None:
    with tempfile.TemporaryDirectory() as home, SqliteStore.open(home) as store:
        for batch, counted in batches:
            store.append(batch)
            if counted:
                keep_counts(store._connection, common=FEW)
            assert in_wrong_rows(home) == ""
            assert_a_recall_reads_what_is_there(home)
        for skill in store.skills()[::2]:
            store.erase(skill.id)
        assert_a_recall_reads_what_is_there(home)
        assert store.verify(strict=True) == ()


def filled(store: SqliteStore, count: int, first: int = 0) -> None:
    keep(store, *(learned(draft(f"s{n}"), slug=f"s{n}") for n in range(first, first + count)))


@pytest.mark.parametrize("new", [0, 1, UNCOUNTED, NEW_READ, NEW_READ + 1])
def test_skills_that_are_not_counted_yet_are_read_or_else_everything_is_counted_afresh(
    new: int, home: str
) -> None:
    with SqliteStore.open(home) as store:
        filled(store, 12)
        keep_counts(store._connection, common=FEW)
        filled(store, new, first=12)
        assert look(home, "SELECT counted FROM index_scopes") == [(12,)]
        assert_a_recall_reads_what_is_there(home)
        keep_counts(store._connection, common=1000)
        ((counted,),) = look(home, "SELECT counted FROM index_scopes")
        assert 12 + new - int(str(counted)) < UNCOUNTED
        assert_a_recall_reads_what_is_there(home)


def test_only_words_of_more_than_so_many_skills_are_kept(home: str) -> None:
    with SqliteStore.open(home) as store:
        filled(store, COMMON)
    assert look(home, "SELECT count(*) FROM word_counts") == [(0,)]
    with SqliteStore.open(home) as store:
        filled(store, 2, first=COMMON)
    kept = look(home, "SELECT word, head FROM word_counts")
    assert ("mend", COMMON + 2) in kept
    assert "s1" not in [word for word, _ in kept]
    assert_a_recall_reads_what_is_there(home)


def test_nothing_is_kept_of_a_word_that_nobody_has_any_more(home: str) -> None:
    with SqliteStore.open(home) as store:
        told = [learned(draft(f"zebra s{n}"), slug=f"s{n}") for n in range(8)]
        ids_ = [result.subject for result in keep(store, *told)]
        keep_counts(store._connection, common=FEW)
        assert look(home, "SELECT head FROM word_counts WHERE word = 'zebra'") == [(8,)]
        for skill in ids_[:7]:
            store.erase(skill)
        assert look(home, "SELECT head FROM word_counts WHERE word = 'zebra'") == [(1,)]
        keep(store, hand("forgotten", ids_[7]))
        assert look(home, "SELECT count(*) FROM word_counts WHERE word = 'zebra'") == [(0,)]
        assert_a_recall_reads_what_is_there(home)


def test_words_are_chosen_anew_when_a_scope_has_grown_or_shrunk(home: str) -> None:
    with SqliteStore.open(home) as store:
        filled(store, 8)
        keep_counts(store._connection, common=FEW)
        keep(store, *(learned(draft(f"zebra z{n}"), slug=f"z{n}") for n in range(FEW + 1)))
        keep_counts(store._connection, common=FEW)
        assert look(home, "SELECT head FROM word_counts WHERE word = 'zebra'") == [(FEW + 1,)]
        for skill in store.skills()[: FEW + 4]:
            keep(store, hand("archived", skill.id))
        keep_counts(store._connection, common=FEW)
        assert_a_recall_reads_what_is_there(home)
        assert look(home, "SELECT surveyed FROM index_scopes") == [(5,)]


def test_each_step_is_a_transaction_of_its_own_and_another_may_write_between_two(home: str) -> None:
    chance = random.Random(4)
    with SqliteStore.open(home) as store, SqliteStore.open(home) as other:
        filled(store, 30)
        for n, _ in enumerate(counting(store._connection, common=FEW)):
            assert not store._connection.in_transaction
            keep(other, learned(draft(f"cart b{n}"), slug=f"b{n}"))
            keep(other, hand("forgotten", chance.choice(other.skills()).id))
            assert in_wrong_rows(home) == ""
            # Both choose words at the same time.
            keep_counts(other._connection, common=FEW)
            assert_a_recall_reads_what_is_there(home)
        assert in_wrong_rows(home) == ""


CHANGES = [
    "UPDATE word_counts SET head = head + 1 WHERE word = 'mend'",
    "UPDATE word_counts SET uses = 'many' WHERE word = 'mend'",
    "INSERT INTO word_counts VALUES (1, 'zebra', 1, 0, 0, 0, 0)",
    "UPDATE index_scopes SET skills = skills + 1",
    "UPDATE index_scopes SET skills = 'x'",
    "UPDATE index_scopes SET counted = 5",
]


@pytest.mark.parametrize("change", CHANGES)
def test_counts_that_are_not_what_is_there_are_found_and_mended(change: str, home: str) -> None:
    with SqliteStore.open(home) as store:
        filled(store, 12)
        keep_counts(store._connection, common=FEW)
        assert store.verify() == ()
        connection = raw(home)
        connection.execute(change)
        connection.close()
        assert [fault.where for fault in store.verify()] == ["word_counts"]
        store.rebuild()
        assert store.verify(strict=True) == ()
        assert_a_recall_reads_what_is_there(home)


def test_a_trigger_that_is_missing_is_made_and_what_it_missed_counted(home: str) -> None:
    with SqliteStore.open(home) as store:
        filled(store, 12)
        keep_counts(store._connection, common=FEW)
        connection = raw(home)
        connection.execute("DROP TRIGGER scope_shrinks")
        connection.close()
        keep(store, hand("forgotten", ids.skill_id("s0", "s3", "procedure")))
        assert "schema-missing" in {fault.code for fault in store.verify()}
        store.rebuild()
        assert store.verify(strict=True) == ()
        assert_a_recall_reads_what_is_there(home)


def test_who_cannot_have_the_lock_leaves_the_counts_to_the_next(home: str) -> None:
    with SqliteStore.open(home) as store:
        filled(store, 12)
        other = raw(home)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError):
            keep_counts(store._connection, common=FEW)
        other.execute("ROLLBACK")
        other.close()
        assert_a_recall_reads_what_is_there(home)
        keep_counts(store._connection, common=FEW)
        assert look(home, "SELECT counted FROM index_scopes") == [(12,)]
        with store._connection:
            make_counts_anew(store._connection)
        assert look(home, "SELECT count(*) FROM word_counts") == [(0,)]
        assert in_wrong_rows(home) == ""
