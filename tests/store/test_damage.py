"""Bad files, bad folders, bad rights: said plainly, with the right error, and never written over."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from honed.errors import DamagedError, HonedError, UnavailableError
from honed.store.backups import backups
from honed.store.connection import database_path
from honed.store.files import HEAD
from honed.store.sqlite import SqliteStore, restore_backup
from tests.store.making import draft, keep, learned, look, raw


@pytest.fixture
def rights_hold(tmp_path: Path) -> None:
    """Skips where rights stop nobody: root with all capabilities, some file systems."""
    probe = tmp_path / "probe"
    probe.write_text("x", encoding="utf-8")
    probe.chmod(0)
    if os.access(probe, os.R_OK):
        pytest.skip("this user may read and write everything")


@pytest.fixture
def filled(home: str) -> Path:
    """A home with 40 skills, all in the database file, and no journal."""
    with SqliteStore.open(home) as store:
        keep(store, *(learned(draft(f"skill {number}", body="word " * 200)) for number in range(40)))
    return Path(database_path(home))


def spoil(path: Path, offset: int, size: int, byte: bytes = b"\xa5") -> None:
    data = bytearray(path.read_bytes())
    data[offset : offset + size] = byte * size
    path.write_bytes(data)


def use(home: str) -> None:
    """Whatever a door may do."""
    with SqliteStore.open(home) as store:
        store.skills()
        store.append([learned(draft("one more"))])
        faults = store.verify(strict=True)
        if faults:
            raise DamagedError(str(faults[0]))


@pytest.mark.parametrize("byte", [b"\xa5", b"\0"])
def test_a_spoiled_header_names_the_last_good_backup_and_is_left_alone(
    filled: Path, home: str, byte: bytes
) -> None:
    with SqliteStore.open(home) as store:
        copy = store.backup()
    spoil(filled, 0, 100, byte)
    before = filled.read_bytes()
    for readonly in (False, True):
        with pytest.raises(DamagedError) as caught:
            SqliteStore.open(home, readonly=readonly)
        assert copy in str(caught.value)
    assert filled.read_bytes() == before


@pytest.mark.parametrize("where", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_spoiled_pages_are_never_taken_for_an_empty_memory(filled: Path, home: str, where: float) -> None:
    size = filled.stat().st_size
    spoil(filled, int(size * where) // 4096 * 4096, 5 * 4096)
    with pytest.raises(DamagedError):
        use(home)


def test_a_truncated_file_is_damaged(filled: Path, home: str) -> None:
    with filled.open("r+b") as file:
        file.truncate(filled.stat().st_size // 2)
    with pytest.raises(DamagedError):
        use(home)


@pytest.mark.parametrize("how", ["empty", "gone"])
def test_an_emptied_or_missing_database_is_a_loss_and_no_beginning(filled: Path, home: str, how: str) -> None:
    if how == "empty":
        filled.write_bytes(b"")
    else:
        filled.unlink()
    for readonly in (False, True):
        with pytest.raises(DamagedError, match="its ledger had 40 events"):
            SqliteStore.open(home, readonly=readonly)
    assert not filled.exists() or filled.stat().st_size == 0


def said_of(home: str, readonly: bool) -> str:
    """What opening and verifying say of a home."""
    try:
        with SqliteStore.open(home, readonly=readonly) as store:
            return " ".join(f"{fault.code} {fault.where}" for fault in store.verify())
    except DamagedError as error:
        return str(error)


@pytest.mark.parametrize(
    "table", ["meta", "migrations", "events", "payloads", "skills", "skill_index", "tasks"]
)
@pytest.mark.parametrize("readonly", [False, True])
def test_a_table_that_is_gone_is_damage_and_a_backup_brings_it_back(
    table: str, readonly: bool, filled: Path, home: str
) -> None:
    with SqliteStore.open(home) as store:
        backup = store.backup()
    connection = raw(home)
    connection.execute(f"DROP TABLE {table}")
    connection.close()
    said = said_of(home, readonly)
    found = f"schema {table}" in said or f"schema-missing {table}" in said  # the latter a rebuild makes anew
    assert found or (f"no such table: {table}" in said and backup in said)
    assert filled.exists()
    restore_backup(home, backup)
    with SqliteStore.open(home) as store:
        assert len(store.skills()) == 40
        assert store.verify(strict=True) == ()


def test_a_spoiled_backup_is_not_named(filled: Path, home: str) -> None:
    with SqliteStore.open(home) as store:
        good = store.backup()
        keep(store, learned(draft("later")))
        newer = store.backup()
    spoil(Path(newer), 8192, 8192)
    spoil(filled, 0, 100)
    with pytest.raises(DamagedError) as caught:
        SqliteStore.open(home)
    assert good in str(caught.value)
    assert newer not in str(caught.value)


def test_no_backup_is_said_too(filled: Path, home: str) -> None:
    spoil(filled, 0, 100)
    with pytest.raises(DamagedError, match="there is no backup"):
        SqliteStore.open(home)


@pytest.mark.parametrize(
    "content", [b"", b"not a database at all\n" * 500, b"\0" * 8192, "жж".encode() * 999]
)
def test_a_foreign_file_in_the_database_s_place_is_left_alone(home: str, content: bytes) -> None:
    os.makedirs(home)
    Path(database_path(home)).write_bytes(content)
    if content:
        with pytest.raises(DamagedError):
            SqliteStore.open(home)
        assert Path(database_path(home)).read_bytes() == content
    else:
        with SqliteStore.open(home) as store:
            assert store.stats().events == 0


def test_a_folder_in_the_database_s_place(home: str) -> None:
    os.makedirs(database_path(home))
    for readonly in (False, True):
        with pytest.raises(UnavailableError, match="is a folder"):
            SqliteStore.open(home, readonly=readonly)


def test_a_file_in_the_home_s_place(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file", encoding="utf-8")
    for home in (tmp_path / "home", tmp_path / "home" / "below"):
        with pytest.raises(UnavailableError):
            SqliteStore.open(str(home))
    assert (tmp_path / "home").read_text(encoding="utf-8") == "a file"


def test_a_pipe_in_the_database_s_place_does_not_hang(home: str) -> None:
    os.makedirs(home)
    os.mkfifo(database_path(home))
    for readonly in (False, True):
        with pytest.raises(UnavailableError, match="no regular file"):
            SqliteStore.open(home, readonly=readonly)


def test_a_link_that_leads_nowhere(home: str) -> None:
    os.makedirs(home)
    os.symlink("/nowhere/at/all.db", database_path(home))
    with pytest.raises(HonedError):
        SqliteStore.open(home)


@pytest.mark.usefixtures("rights_hold")
def test_a_file_that_may_not_be_read(filled: Path, home: str) -> None:
    filled.chmod(0)
    with pytest.raises(UnavailableError, match="permission denied"):
        SqliteStore.open(home)


@pytest.mark.usefixtures("rights_hold")
def test_a_read_only_home_can_be_read_and_says_why_it_cannot_be_written(filled: Path, home: str) -> None:
    filled.chmod(stat.S_IRUSR)
    os.chmod(home, 0o500)
    try:
        with SqliteStore.open(home, readonly=True) as store:
            assert len(store.skills()) == 40
        with pytest.raises(UnavailableError):
            use(home)
    finally:
        os.chmod(home, 0o700)


def test_a_head_that_cannot_be_written_costs_nothing_that_was_kept(filled: Path, home: str) -> None:
    head = os.path.join(home, HEAD)
    os.unlink(head)
    os.mkdir(head)
    with SqliteStore.open(home) as store:
        keep(store, learned(draft("kept")))
        assert len(store.skills()) == 41
        assert [fault.code for fault in store.verify()] == ["head-missing"]
    assert filled.exists()


def test_a_copy_of_a_home_is_a_home(filled: Path, home: str, tmp_path: Path) -> None:
    shutil.copytree(filled.parent, tmp_path / "copy")
    with SqliteStore.open(str(tmp_path / "copy")) as store:
        assert len(store.skills()) == 40
        assert store.verify(strict=True) == ()
    assert look(home, "SELECT count(*) FROM events") == [(40,)]
    assert backups(home) == []
