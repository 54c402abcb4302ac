"""Processes that are killed, power that goes, journals that end anywhere: what was acknowledged is there.

The short form of ``bench.crash``, which runs fifty rounds of each.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.crash import crowd, killed, power_cut, power_cut_is_possible
from honed.store.connection import database_path
from honed.store.sqlite import SqliteStore
from tests.store.making import draft, keep, learned

ROUNDS = 5
CUTS = 3


def test_writers_that_are_killed_lose_nothing_they_acknowledged(home: str) -> None:
    chance = random.Random(5)
    for number in range(ROUNDS):
        result = killed(home, chance, number * 10_000)
        assert (result.lost, result.faults, result.said) == (0, [], [])


def test_a_disk_that_loses_its_power_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    if not power_cut_is_possible():
        pytest.skip("this machine lets us mount no file system of our own")
    chance = random.Random(5)
    for number in range(CUTS):
        result = power_cut(str(tmp_path), chance, number * 10_000)
        assert (result.lost, result.faults, result.said) == (0, [], [])


def test_a_crowd_of_writers_and_a_reader_lose_nothing_and_never_see_a_lock(home: str) -> None:
    result = crowd(home, 8, 20)
    assert (result.acknowledged, result.lost, result.faults, result.said) == (160, 0, [], [])


# A journal that ends anywhere: what a power cut leaves of frames that were not synced yet.


def commits(journal: bytes) -> Iterator[int]:
    """Where each commit of a write-ahead log ends (https://sqlite.org/fileformat2.html#walformat)."""
    (page,) = struct.unpack(">I", journal[8:12])
    at = 32
    while at + 24 + page <= len(journal):
        (size,) = struct.unpack(">I", journal[at + 4 : at + 8])
        at += 24 + page
        if size:
            yield at


@pytest.fixture
def journalled(home: str) -> Iterator[list[str]]:
    """A home with everything still in its journal; the ids of its skills in the order of their learning."""
    with SqliteStore.open(home) as store:
        store._connection.execute("PRAGMA wal_autocheckpoint = 0")
        yield [keep(store, learned(draft(f"s{number}"), slug="s"))[0].subject for number in range(12)]


def cut_short(home: str, target: str, size: int) -> None:
    """A copy of a home whose journal ends after so many bytes."""
    os.makedirs(target)
    for name in ("honed.db", "tombstone.key", "ledger.head"):
        shutil.copy(os.path.join(home, name), target)
    journal = Path(f"{database_path(home)}-wal").read_bytes()
    Path(f"{database_path(target)}-wal").write_bytes(journal[:size])


def test_every_beginning_of_a_journal_is_a_sound_memory(
    journalled: list[str], home: str, tmp_path: Path
) -> None:
    ends = list(commits(Path(f"{database_path(home)}-wal").read_bytes()))
    learnings = ends[-len(journalled) :]
    for number, end in enumerate(learnings, 1):
        for tail in (0, 1, 24, 2000):
            target = str(tmp_path / f"{number}-{tail}")
            cut_short(home, target, end + tail)
            with SqliteStore.open(target) as store:
                assert {skill.id for skill in store.skills()} == set(journalled[:number])
                # The head outside knows of more: that is what it is for.
                codes = {fault.code for fault in store.verify(strict=True)}
                assert codes == (set() if number == len(journalled) else {"truncated"})


@pytest.mark.parametrize("byte", range(0, 4000, 331))
def test_a_journal_with_a_torn_frame_ends_before_it(
    byte: int, journalled: list[str], home: str, tmp_path: Path
) -> None:
    target = str(tmp_path / "torn")
    cut_short(home, target, 1 << 40)
    path = Path(f"{database_path(target)}-wal")
    journal = bytearray(path.read_bytes())
    ends = list(commits(bytes(journal)))
    journal[ends[-4] + byte] ^= 0xFF
    path.write_bytes(journal)
    with SqliteStore.open(target) as store:
        assert {skill.id for skill in store.skills()} == set(journalled[:-3])
        assert {fault.code for fault in store.verify(strict=True)} == {"truncated"}
