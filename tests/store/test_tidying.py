"""The full texts stay in few pieces, however many single writes there were."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from honed.store.connection import database_path
from honed.store.segments import pieces
from honed.store.sqlite import SqliteStore
from honed.store.tidying import FULL_TEXTS, rounds
from tests.store.making import draft, keep, learned

MOST = 6


def pieces_of(home: str) -> dict[str, int]:
    connection = sqlite3.connect(database_path(home))
    try:
        return {table: pieces(connection, table) for table in FULL_TEXTS}
    finally:
        connection.close()


@pytest.mark.parametrize("together", [1, 5, 40])
def test_single_writes_leave_few_pieces_and_a_sound_index(home: str, together: int) -> None:
    for first in range(0, 120, together):
        with SqliteStore.open(home) as store:
            for number in range(first, first + together):
                keep(store, learned(draft(f"s{number}"), slug=f"s{number}"))
    assert all(0 < count <= MOST for count in pieces_of(home).values())
    with SqliteStore.open(home, readonly=True) as store:
        assert not store.verify(strict=True)


def test_without_tidying_there_are_more(home: str) -> None:
    with SqliteStore.open(home) as store:
        for number in range(120):
            keep(store, learned(draft(f"s{number}"), slug=f"s{number}"))
        assert all(count > MOST for count in pieces_of(home).values())


def test_a_store_closes_although_another_holds_the_lock(home: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
        other = sqlite3.connect(database_path(home), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    other.execute("ROLLBACK")
    other.close()
    with SqliteStore.open(home) as store:
        assert len(store.skills()) == 1
        assert not store.verify(strict=True)


def test_a_store_that_only_read_changes_no_byte_when_it_closes(home: str) -> None:
    with SqliteStore.open(home) as store:
        for number in range(30):
            keep(store, learned(draft(f"s{number}"), slug=f"s{number}"))
    before = Path(database_path(home)).read_bytes()
    with SqliteStore.open(home) as store:
        store.skills()
    assert Path(database_path(home)).read_bytes() == before


def test_everything_is_merged_into_one_piece_in_rounds_that_end_and_is_sound(home: str) -> None:
    with SqliteStore.open(home) as store:
        for number in range(120):
            keep(store, learned(draft(f"s{number}"), slug=f"s{number}"))
        for table in FULL_TEXTS:
            for _ in rounds(store._connection, table, -1):
                assert not store._connection.in_transaction
        assert set(pieces_of(home).values()) == {1}
        assert not store.verify(strict=True)
