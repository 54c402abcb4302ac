"""Two homes of one owner: their chains merge as sets, in any order, and nothing false comes in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from honed.errors import DamagedError, NotFoundError, RefusedError
from honed.ledger import events
from honed.store.base import SkillFilter
from honed.store.sqlite import SqliteStore
from tests.store.making import CART, PROJECT, draft, evidence, hand, keep, learned, look, raw

EVERY = SkillFilter(archived=None, states=("candidate", "proven", "suspended", "withdrawn"))


@pytest.fixture
def other(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.open(str(tmp_path / "other")) as opened:
        yield opened


def same(one: SqliteStore, two: SqliteStore) -> None:
    """Both hold the same skills, evidence and verdicts, and both verify."""
    assert {s.id: s for s in one.skills(EVERY)} == {s.id: s for s in two.skills(EVERY)}
    assert {t.id: t for t in one.tasks()} == {t.id: t for t in two.tasks()}
    assert one.verify(strict=True) == two.verify(strict=True) == ()


def test_what_each_learned_is_known_to_both(store: SqliteStore, other: SqliteStore) -> None:
    keep(store, learned(draft("ours")))
    keep(other, learned(draft("theirs"), session="s9"))
    assert sum(store.merge(other.home).events.values()) == 1
    assert sum(other.merge(store.home).events.values()) == 1
    same(store, other)
    assert len(store.skills()) == 2


def test_merging_again_takes_nothing(store: SqliteStore, other: SqliteStore) -> None:
    keep(other, learned())
    store.merge(other.home)
    before = store.stats().events
    assert store.merge(other.home).events == {}
    assert store.stats().events == before
    keep(other, evidence(other.skills()[0].id, "s1"))
    assert sum(store.merge(other.home).events.values()) == 1
    assert store.skills()[0].confirmed == 1


def test_what_both_saw_counts_once(store: SqliteStore, other: SqliteStore) -> None:
    for one in (store, other):
        (result,) = keep(one, learned())
        keep(one, evidence(result.subject, "s1"))
    store.merge(other.home)
    other.merge(store.home)
    same(store, other)
    (skill,) = store.skills()
    assert (skill.confirmed, skill.version) == (1, 1)
    assert store.stats().events == 4
    assert len(store.skill_events(skill.id)) == 2


def test_ten_rounds_in_both_directions_change_nothing_after_the_first(
    store: SqliteStore, other: SqliteStore
) -> None:
    (result,) = keep(store, learned())
    keep(other, learned(), learned(draft("theirs"), session="s9"), evidence(result.subject, "s1", 2))
    keep(store, evidence(result.subject, "s2", 3))
    counted = []
    for _ in range(10):
        store.merge(other.home)
        other.merge(store.home)
        same(store, other)
        skills = {skill.id: (skill, store.evidence(skill.id)) for skill in store.skills(EVERY)}
        counted.append((store.stats().events, other.stats().events, skills))
    assert all(one == counted[0] for one in counted)


def test_evidence_of_two_homes_proves_together(store: SqliteStore, other: SqliteStore) -> None:
    (result,) = keep(store, learned())
    keep(other, learned(), evidence(result.subject, "s1", 2))
    keep(store, evidence(result.subject, "s2", 3))
    store.merge(other.home)
    other.merge(store.home)
    same(store, other)
    assert store.skills()[0].state == "proven"


def test_what_one_forgot_is_forgotten_in_both(store: SqliteStore, other: SqliteStore) -> None:
    (result,) = keep(store, learned())
    other.merge(store.home)
    keep(other, hand("forgotten", result.subject))
    store.merge(other.home)
    assert store.skills() == ()
    assert store.append([learned()])[0].status == "existed"
    same(store, other)


def test_a_text_that_was_forgotten_there_is_not_learned_here(store: SqliteStore, other: SqliteStore) -> None:
    (result,) = keep(other, learned())
    keep(other, hand("forgotten", result.subject))
    store.merge(other.home)
    (again,) = store.append([learned(session="s9")])
    assert (again.status, again.collides_with) == ("refused", result.subject)
    third = os.path.join(os.path.dirname(store.home), "third")
    with SqliteStore.open(third) as later:
        later.merge(store.home)
        assert later.append([learned(session="s8")])[0].status == "refused"
        size = os.path.getsize(os.path.join(third, "tombstone.others"))
        later.merge(store.home)
        assert os.path.getsize(os.path.join(third, "tombstone.others")) == size
        assert later.verify(strict=True) == ()


def test_what_one_erased_leaves_the_other_too(store: SqliteStore, other: SqliteStore) -> None:
    (result,) = keep(store, learned())
    other.merge(store.home)
    other.erase(result.subject)
    store.merge(other.home)
    assert look(store.home, "SELECT count(*) FROM payloads WHERE body LIKE '%cent%'") == [(0,)]
    same(store, other)
    keep(other, learned(draft("more"), session="s7"))
    store.merge(other.home)
    same(store, other)


def test_a_home_merges_back_what_it_lost(store: SqliteStore, other: SqliteStore) -> None:
    keep(store, learned())
    copy = store.backup()
    keep(store, learned(draft("later"), slug="later"))
    other.merge(store.home)
    store.restore_backup(copy)
    assert len(store.skills()) == 1
    store.merge(other.home)
    assert {skill.slug for skill in store.skills()} == {"round-the-cart", "later"}
    assert store.verify(strict=True) == ()


def test_a_backup_can_be_merged(store: SqliteStore, other: SqliteStore, tmp_path: Path) -> None:
    keep(other, learned())
    store.merge(other.backup(str(tmp_path / "copy.db")))
    assert len(store.skills()) == 1


def test_a_chain_that_contradicts_what_is_known_of_it_is_refused(
    store: SqliteStore, other: SqliteStore
) -> None:
    keep(other, learned())
    store.merge(other.home)
    connection = raw(other.home)
    connection.execute("UPDATE events SET hash = zeroblob(32)")
    connection.close()
    with pytest.raises(RefusedError, match="not the one that is known here"):
        store.merge(other.home)
    assert store.verify(strict=True) == ()


def test_two_copies_of_a_home_that_both_went_on_are_not_taken_for_one(
    store: SqliteStore, home: str, tmp_path: Path
) -> None:
    """They have one name and two continuations: which of them is the ledger, only the owner can say."""
    keep(store, learned())
    copied = str(tmp_path / "copied")
    shutil.copytree(home, copied)
    with SqliteStore.open(copied) as copy:
        keep(store, learned(draft("ours"), slug="ours"))
        keep(copy, learned(draft("theirs"), slug="theirs"))
        for one, two in ((store, copy), (copy, store)):
            with pytest.raises(RefusedError, match="not the one that is known here"):
                one.merge(two.home)
            assert len(one.skills()) == 2
            assert one.verify(strict=True) == ()


def test_a_copy_of_a_home_that_alone_went_on_is_taken_in(
    store: SqliteStore, home: str, tmp_path: Path
) -> None:
    keep(store, learned())
    copied = str(tmp_path / "copied")
    shutil.copytree(home, copied)
    with SqliteStore.open(copied) as copy:
        keep(copy, learned(draft("theirs"), slug="theirs"))
    assert sum(store.merge(copied).events.values()) == 1
    assert len(store.skills()) == 2
    keep(store, learned(draft("after"), slug="after"))
    assert store.verify(strict=True) == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE payloads SET body = replace(body, 'cent', 'euro')",
        "UPDATE events SET subject = 'sk_aaaaaaaaaaaaaaaa'",
        "DELETE FROM events WHERE seq = 1",
        "DELETE FROM payloads",
    ],
)
def test_a_chain_that_does_not_verify_is_refused_whole(
    statement: str, store: SqliteStore, other: SqliteStore
) -> None:
    keep(other, learned(), learned(draft("second"), slug="second"))
    connection = raw(other.home)
    connection.execute(statement)
    connection.close()
    with pytest.raises(RefusedError, match="not sound"):
        store.merge(other.home)
    assert store.stats().events == 0
    assert store.verify(strict=True) == ()


def test_what_is_no_memory_is_not_merged(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        store.merge(str(tmp_path / "nowhere"))
    (tmp_path / "text.db").write_text("hello", encoding="utf-8")
    with pytest.raises(DamagedError, match="Nothing was changed"):
        store.merge(str(tmp_path / "text.db"))


def test_a_slug_that_both_chose_is_ambiguous_and_not_lost(store: SqliteStore, other: SqliteStore) -> None:
    keep(store, learned(draft("ours"), slug="same"))
    keep(other, learned(draft("theirs"), slug="same", session="s9"))
    store.merge(other.home)
    assert [skill.slug for skill in store.skills()] == ["same", "same"]
    keep(store, events.revised(store.skills()[0].id, CART, os.urandom(16)))
    assert store.verify(strict=True) == ()
    assert store.append([learned(draft("third"), slug="same", project=PROJECT)])[0].slug == "same-2"
