"""Backups put back one after another: what was taken out stays out, whichever of them knew of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from honed.store.connection import database_path
from honed.store.sqlite import SqliteStore, restore_backup
from tests.store.making import CART, draft, found_by_word, hand, keep, learned

SECRET = re.compile("cent")


def two_copies(store: SqliteStore, folder: Path) -> tuple[str, str, str]:
    """A copy without the cart, a later one with it, and the cart's id."""
    keep(store, learned(draft("first"), slug="first"))
    early = store.backup(str(folder / "early.db"))
    (result,) = keep(store, learned())
    return early, store.backup(str(folder / "late.db")), result.subject


@pytest.mark.parametrize("purged", [False, True])
def test_what_was_forgotten_stays_so_through_a_copy_that_never_knew_it(
    purged: bool, store: SqliteStore, tmp_path: Path
) -> None:
    early, late, skill = two_copies(store, tmp_path)
    if purged:
        store.erase(skill)
    else:
        keep(store, hand("forgotten", skill))
    store.restore_backup(early)
    assert [one.slug for one in store.skills()] == ["first"]
    assert store.append([learned(session="s9")])[0].status == "refused"
    assert store.verify(strict=True) == ()
    store.restore_backup(late)
    assert [one.slug for one in store.skills()] == ["first"]
    assert found_by_word(store.home, "cent") == ["first"]
    assert store.append([learned(session="s9")])[0].status == "refused"
    assert store.verify(strict=True) == ()


def test_what_was_scrubbed_stays_so_through_a_copy_that_never_knew_it(
    store: SqliteStore, home: str, tmp_path: Path
) -> None:
    early, late, skill = two_copies(store, tmp_path)
    store.scrub(SECRET)
    masked = store.skill(skill)
    store.restore_backup(early)
    # It was not there then, and a text told again for it makes it no skill.
    assert store.skill(skill) is None
    assert [one.slug for one in store.skills()] == ["first"]
    assert store.verify(strict=True) == ()
    store.restore_backup(late)
    found = store.skill(skill)
    assert found is not None
    assert masked is not None
    assert (found.slug, found.draft, found.version) == (masked.slug, masked.draft, masked.version)
    assert store.verify(strict=True) == ()
    assert store.append([learned(CART, session="s9")])[0].status == "refused"
    store.scrub(SECRET)
    assert b"off by a cent" not in Path(database_path(home)).read_bytes()


def test_where_the_database_is_damaged_the_newest_copy_says_what_was_forgotten(
    home: str, tmp_path: Path
) -> None:
    with SqliteStore.open(home) as store:
        early, late, skill = two_copies(store, tmp_path)
        keep(store, hand("forgotten", skill))
        store.backup()
    with open(database_path(home), "r+b") as file:
        file.write(bytes(4096))
    restore_backup(home, late)
    with SqliteStore.open(home) as store:
        assert [one.slug for one in store.skills()] == ["first"]
        assert store.append([learned(session="s9")])[0].status == "refused"
        assert store.verify(strict=True) == ()
    assert os.path.exists(early)
