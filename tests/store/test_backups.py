"""Copies: sound, on disk, few, and put back without losing what they replace."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from honed.errors import DamagedError, NotFoundError, RefusedError
from honed.ledger import events
from honed.ledger.canonical import from_epoch
from honed.ledger.model import NewEvent
from honed.store import files
from honed.store.backups import REPLACED, backups, check_backup, is_due, made_at
from honed.store.connection import JOURNAL_LIMIT, database_path
from honed.store.keeping import MOST, NEWEST
from honed.store.sqlite import SqliteStore, restore_backup
from tests.store.making import Clock, draft, evidence, hand, keep, learned, look

DAY = 86_400


def test_a_backup_is_one_sound_file_with_everything_in_it(store: SqliteStore, home: str) -> None:
    keep(store, learned())
    copy = store.backup()
    assert os.path.dirname(copy) == os.path.join(home, files.BACKUPS)
    assert check_backup(copy) == ""
    opened = sqlite3.connect(copy)
    try:
        assert opened.execute("SELECT slug FROM skills").fetchall() == [("round-the-cart",)]
        assert opened.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    finally:
        opened.close()
    assert os.listdir(os.path.dirname(copy)) == [os.path.basename(copy)]


def test_backups_of_one_second_do_not_write_over_each_other(store: SqliteStore, home: str) -> None:
    paths = [store.backup() for _ in range(3)]
    assert len(set(paths)) == 3
    assert backups(home) == paths[::-1]


def test_a_backup_that_was_just_made_is_never_the_one_that_is_dropped(store: SqliteStore, home: str) -> None:
    for _ in range(3 * NEWEST):
        made = store.backup()
        assert backups(home)[0] == made


def test_backups_are_kept_by_number_and_age(store: SqliteStore, home: str, clock: Clock) -> None:
    for _ in range(40):
        clock.at += DAY
        last = store.backup()
    ages = [round((clock.at - made_at(path).timestamp()) / DAY) for path in backups(home)]
    assert backups(home)[0] == last
    assert ages[:7] == [0, 1, 2, 3, 4, 5, 6]
    assert len(ages) <= MOST
    assert 28 <= ages[-1] < 40
    clock.at += 200 * DAY
    newest = store.backup()
    assert backups(home) == [newest]


def test_many_backups_of_one_hour_do_not_push_out_the_older_ones(
    store: SqliteStore, home: str, clock: Clock
) -> None:
    first = store.backup()
    clock.at += 20 * DAY
    second = store.backup()
    clock.at += 2 * DAY
    for _ in range(15):
        clock.at += 60
        store.backup()
    assert {first, second} <= set(backups(home))
    assert len(backups(home)) <= NEWEST + 2


def test_databases_that_a_backup_replaced_are_pruned_too(home: str, clock: Clock) -> None:
    with SqliteStore.open(home, clock=clock) as store:
        keep(store, learned())
        copy = store.backup(os.path.join(home, "..", "elsewhere.db"))
    for _ in range(MOST + 8):
        clock.at += 10 * DAY
        Path(database_path(home)).write_bytes(b"spoiled")
        restore_backup(home, copy, clock=clock)
    with SqliteStore.open(home, clock=clock) as store:
        store.backup()
        assert len(store.skills()) == 1
    assert 1 <= len(os.listdir(os.path.join(home, REPLACED))) <= MOST


def test_the_next_copy_is_due_a_day_after_the_last(store: SqliteStore, home: str, clock: Clock) -> None:
    assert is_due(home, store.now())
    store.backup()
    assert not is_due(home, store.now())
    clock.at += DAY
    assert is_due(home, from_epoch(clock.at))


def test_a_copy_is_made_once_a_day_and_only_if_something_came(
    store: SqliteStore, home: str, clock: Clock
) -> None:
    keep(store, learned())
    assert store.backup_if_due() is not None
    assert store.backup_if_due() is None
    clock.at += 2 * DAY
    assert store.backup_if_due() is None
    keep(store, learned(draft("later")))
    clock.at += 60
    assert store.backup_if_due() is not None
    assert len(backups(home)) == 2


def test_what_a_process_that_died_left_half_done_is_cleared_away(store: SqliteStore, home: str) -> None:
    store.backup()
    folder = Path(home, files.BACKUPS)
    (folder / ".work-1-home").mkdir()
    (folder / ".work-1-home" / "honed.db").write_bytes(b"half")
    (folder / ".work-1-honed-x.db").write_bytes(b"half")
    store.backup()
    assert [name for name in os.listdir(folder) if name.startswith(".work")] == []


def test_a_file_of_the_owner_s_in_the_folder_is_not_dropped(
    store: SqliteStore, home: str, clock: Clock
) -> None:
    store.backup()
    own = Path(home, files.BACKUPS, "before-the-holidays.db")
    own.write_bytes(b"mine")
    clock.at += 400 * DAY
    store.backup()
    assert own.read_bytes() == b"mine"


def test_a_backup_elsewhere_never_writes_over_a_file(store: SqliteStore, tmp_path: Path, home: str) -> None:
    target = tmp_path / "elsewhere" / "copy.db"
    with pytest.raises(NotFoundError, match="there is no folder"):
        store.backup(str(target))
    target.parent.mkdir()
    assert store.backup(str(target)) == str(target)
    with pytest.raises(RefusedError, match="exists"):
        store.backup(str(target))
    assert check_backup(str(target)) == ""
    assert backups(home) == []


def test_no_backup_is_made_of_a_damaged_database(home: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, *(learned(draft(f"n{number}", body="word " * 300)) for number in range(30)))
    path = Path(database_path(home))
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 8192] = b"\xa5" * 8192
    path.write_bytes(data)
    with pytest.raises(DamagedError), SqliteStore.open(home) as store:
        store.backup()
    assert backups(home) == []


def test_putting_a_backup_back_keeps_what_it_replaces(store: SqliteStore) -> None:
    keep(store, learned())
    copy = store.backup()
    keep(store, learned(draft("later")))
    replaced = store.restore_backup(copy)
    assert [skill.slug for skill in store.skills()] == ["round-the-cart"]
    assert store.verify(strict=True) == ()
    assert check_backup(replaced) == ""
    store.restore_backup(replaced)
    assert len(store.skills()) == 2
    assert store.verify(strict=True) == ()


def test_a_restored_ledger_goes_on_under_another_name(store: SqliteStore, home: str) -> None:
    keep(store, learned())
    copy = store.backup()
    keep(store, learned(draft("later")))
    store.restore_backup(copy)
    keep(store, learned(draft("after")))
    chains = look(home, "SELECT replica, max(seq) FROM events GROUP BY replica")
    assert [seq for _, seq in chains] == [1, 1]
    assert store.verify(strict=True) == ()


def test_what_others_have_open_sees_the_restored_memory(store: SqliteStore, home: str) -> None:
    keep(store, learned())
    copy = store.backup()
    keep(store, learned(draft("later")))
    with SqliteStore.open(home) as other:
        assert len(other.skills()) == 2
        restore_backup(home, copy)
        assert len(other.skills()) == 1
        keep(other, learned(draft("from the other")))
    assert len(store.skills()) == 2
    assert store.verify(strict=True) == ()


@pytest.mark.parametrize("how", ["spoiled", "gone", "empty", "text"])
def test_a_backup_takes_the_place_of_a_database_that_cannot_be_opened(home: str, how: str) -> None:
    with SqliteStore.open(home) as store:
        (result,) = keep(store, learned())
        keep(store, evidence(result.subject, "s1"))
        copy = store.backup()
    path = Path(database_path(home))
    content = {"spoiled": b"\xa5" * 100 + path.read_bytes()[100:], "empty": b"", "text": b"hello\n"}.get(how)
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    replaced = restore_backup(home, copy)
    assert (Path(replaced).read_bytes() if replaced else None) == content
    with SqliteStore.open(home) as store:
        assert store.skills()[0].confirmed == 1
        keep(store, learned(draft("after")))
        assert store.verify(strict=True) == ()


def test_what_is_no_sound_copy_is_refused_and_nothing_changes(store: SqliteStore, tmp_path: Path) -> None:
    keep(store, learned())
    (tmp_path / "text.db").write_text("hello", encoding="utf-8")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE theirs (a)")
    other.close()
    for name in ("text.db", "other.db"):
        with pytest.raises(RefusedError, match="Nothing was changed"):
            store.restore_backup(str(tmp_path / name))
    with pytest.raises(NotFoundError):
        store.restore_backup(str(tmp_path / "nowhere.db"))
    assert len(store.skills()) == 1
    assert store.verify(strict=True) == ()


def test_a_skill_forgotten_since_the_copy_stays_forgotten(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    copy = store.backup()
    keep(store, hand("forgotten", result.subject))
    store.restore_backup(copy)
    assert store.skills() == ()
    assert store.append([learned(session="s9")])[0].status == "refused"
    assert store.verify(strict=True) == ()


def big(number: int) -> NewEvent:
    """A setting of nearly a megabyte."""
    return events.configured(f"big {number}", "x" * 900_000, os.urandom(16))


def test_the_journal_is_cut_back_after_much_was_written_and_its_reader_went(home: str) -> None:
    with SqliteStore.open(home) as store:
        journal = f"{database_path(home)}-wal"
        with SqliteStore.open(home, readonly=True) as reader, reader.moment():
            assert reader.skills() == ()
            for number in range(12):
                keep(store, big(number))
            assert os.path.getsize(journal) > JOURNAL_LIMIT  # what a reader still sees is kept
        for number in range(3):
            keep(store, learned(draft(f"small {number}"), slug=f"small-{number}"))
        assert os.path.getsize(journal) <= JOURNAL_LIMIT
    assert files.size_of(journal) == 0
