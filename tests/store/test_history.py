"""Old texts, and the way back to them, in a real store."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from honed.errors import NotFoundError, RefusedError
from honed.ledger import events
from honed.store.sqlite import SqliteStore
from tests.store.making import CART, evidence, found_by_word, hand, keep, learned

BASKET = replace(CART, title="Price of the basket", trigger="")


def revise(store: SqliteStore, skill: str) -> None:
    keep(store, events.revised(skill, BASKET, os.urandom(16), reason="wider"))


def test_versions_tell_every_text_and_each_change(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    revise(store, result.subject)
    first, second = store.versions(result.subject)
    assert (first.draft, second.draft) == (CART, BASKET)
    assert "-title: Round the cart's total" in second.diff
    assert "+title: Price of the basket" in second.diff
    assert (second.reason, second.actor) == ("wider", "owner")


def test_an_older_version_is_the_text_again_and_found_by_its_words(store: SqliteStore, home: str) -> None:
    (result,) = keep(store, learned())
    revise(store, result.subject)
    restored = store.restore_version(result.subject, 1)
    assert restored is not None
    assert restored.status == "written"
    skill = store.skill(result.subject)
    assert skill is not None
    assert (skill.draft, skill.version) == (CART, 3)
    assert found_by_word(home, "cent") == ["round-the-cart"]
    assert found_by_word(home, "basket") == []
    assert store.restore_version(result.subject, 3) is None
    assert store.verify(strict=True) == ()
    with pytest.raises(NotFoundError):
        store.restore_version(result.subject, 9)


def test_the_last_change_can_be_taken_back_and_that_too(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    revise(store, result.subject)
    keep(store, hand("pinned", result.subject), evidence(result.subject, "s1", 5))
    store.undo(result.subject)
    skill = store.skill(result.subject)
    assert skill is not None
    assert (skill.pinned, skill.draft, skill.confirmed) == (False, BASKET, 1)
    store.undo(result.subject)
    skill = store.skill(result.subject)
    assert skill is not None
    assert skill.pinned
    assert store.verify(strict=True) == ()


def test_what_was_forgotten_cannot_be_undone(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    keep(store, hand("forgotten", result.subject))
    with pytest.raises(RefusedError, match="stays so"):
        store.undo(result.subject)
    with pytest.raises(RefusedError):
        store.undo("sk_zzzzzzzzzzzzzzzz")
