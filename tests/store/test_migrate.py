"""Schema migrations: once, whole, with a copy before, and never backwards."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from honed.errors import DamagedError, NotFoundError, UnavailableError
from honed.ledger.fold import FOLD_VERSION
from honed.store.backups import backups
from honed.store.connection import connect, database_path
from honed.store.heads import read_heads
from honed.store.migrate import migrate
from honed.store.scripts import SCHEMA, migrations, statements
from honed.store.sqlite import SqliteStore
from tests.store.making import keep, learned, look, raw, start


def up(home: str, folder: str) -> None:
    """Migrate a home by the SQL files of a folder."""
    connection = connect(home, readonly=False)
    try:
        migrate(
            connection,
            home,
            now=lambda: "2026-05-01T00:00:00.000Z",
            entropy=os.urandom,
            wait=1.0,
            folder=folder,
        )
    finally:
        connection.close()


@pytest.fixture
def later(tmp_path: Path) -> str:
    """A folder with one migration more than there is."""
    folder = tmp_path / "schema"
    shutil.copytree(SCHEMA, folder)
    script = (
        "-- one more\nALTER TABLE tasks ADD COLUMN note TEXT NOT NULL DEFAULT '';\nCREATE TABLE extra (a);\n"
    )
    (folder / f"{migrations()[-1][0] + 1:04d}.sql").write_text(script, encoding="utf-8")
    return str(folder)


def test_migrations_are_numbered_without_gaps() -> None:
    assert [version for version, _ in migrations()] == list(range(1, len(migrations()) + 1))


def test_a_new_home_has_the_latest_schema_in_wal_mode(store: SqliteStore, home: str) -> None:
    assert look(home, "PRAGMA user_version") == [(migrations()[-1][0],)]
    assert look(home, "PRAGMA journal_mode") == [("wal",)]
    assert [row[0] for row in look(home, "SELECT version FROM migrations")] == [v for v, _ in migrations()]
    assert store.verify(strict=True) == ()


def test_a_migration_keeps_what_is_there_and_copies_it_before(home: str, later: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
    up(home, later)
    up(home, later)
    assert look(home, "SELECT note FROM tasks") == []
    assert look(home, "SELECT slug FROM skills") == [("round-the-cart",)]
    (copy,) = backups(home)
    old = sqlite3.connect(copy)
    try:
        assert old.execute("PRAGMA user_version").fetchone() == (migrations()[-1][0],)
        assert old.execute("SELECT slug FROM skills").fetchall() == [("round-the-cart",)]
    finally:
        old.close()


def test_a_migration_that_fails_leaves_the_old_schema(home: str, later: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
    path = migrations(later)[-1][1]
    Path(path).write_text("CREATE TABLE extra (a);\nALTER TABLE nowhere ADD COLUMN a;\n", encoding="utf-8")
    with pytest.raises(sqlite3.OperationalError):
        up(home, later)
    assert look(home, "SELECT name FROM sqlite_master WHERE name = 'extra'") == []
    with SqliteStore.open(home) as store:
        assert len(store.skills()) == 1
        assert store.verify(strict=True) == ()


def test_a_newer_schema_is_refused_and_left_alone(home: str, later: str) -> None:
    up(home, later)
    before = Path(database_path(home)).read_bytes()
    for readonly in (False, True):
        with pytest.raises(UnavailableError, match="newer honed"):
            SqliteStore.open(home, readonly=readonly)
    assert Path(database_path(home)).read_bytes() == before


@pytest.mark.parametrize("number", [-1, 0, 1])
@pytest.mark.parametrize("readonly", [False, True])
def test_a_schema_of_another_version_than_it_says_is_damaged_and_left_alone(
    number: int, readonly: bool, home: str
) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
        backup = store.backup()
    connection = raw(home)
    connection.execute(f"PRAGMA user_version = {number}")
    connection.close()
    before = Path(database_path(home)).read_bytes()
    with pytest.raises(DamagedError, match=re.escape(backup)):
        SqliteStore.open(home, readonly=readonly)
    assert Path(database_path(home)).read_bytes() == before


def test_another_program_s_database_is_refused_and_left_alone(home: str) -> None:
    os.makedirs(home)
    other = raw(home)
    other.execute("CREATE TABLE theirs (a)")
    other.close()
    before = Path(database_path(home)).read_bytes()
    with pytest.raises(UnavailableError, match="another program"):
        SqliteStore.open(home)
    assert Path(database_path(home)).read_bytes() == before


def test_another_fold_version_folds_anew_and_is_no_alarm(home: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
    connection = raw(home)
    connection.execute("UPDATE meta SET value = '0' WHERE key = 'fold_version'")
    connection.execute("UPDATE skills SET confirmed = 99, title = 'as an older fold saw it'")
    connection.close()
    with SqliteStore.open(home) as store:
        assert store.verify(strict=True) == ()
        assert store.skills()[0].confirmed == 0
    assert look(home, "SELECT value FROM meta WHERE key = 'fold_version'") == [(str(FOLD_VERSION),)]
    assert len(backups(home)) == 1


def another_fold(home: str) -> None:
    """A home as an older fold left it."""
    with SqliteStore.open(home) as store:
        keep(store, learned())
    connection = raw(home)
    connection.execute("UPDATE meta SET value = '0' WHERE key IN ('fold_version', 'index_version')")
    connection.execute("UPDATE skills SET confirmed = 99, title = 'as an older fold saw it'")
    connection.execute("UPDATE skill_index SET seal = zeroblob(8)")
    connection.close()


def test_who_reads_what_an_older_version_folded_folds_it_anew(home: str) -> None:
    another_fold(home)
    with SqliteStore.open(home, readonly=True) as store:
        assert store.verify(strict=True) == ()
        assert store.skills()[0].confirmed == 0
    assert len(backups(home)) == 1


def test_what_an_older_version_folded_is_read_where_nothing_can_be_written(home: str) -> None:
    another_fold(home)
    holder = start("hold", home)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with SqliteStore.open(home, readonly=True, wait=0.0) as store:
        assert store.skills()[0].confirmed == 99
        # One fault a version, and none a row: it is another version, and no damage.
        assert [(fault.code, fault.where) for fault in store.verify()] == [
            ("meta", "fold_version"),
            ("meta", "index_version"),
        ]
    holder.communicate(timeout=60)


def test_a_newer_fold_is_refused(home: str) -> None:
    with SqliteStore.open(home):
        pass
    connection = raw(home)
    connection.execute(f"UPDATE meta SET value = '{FOLD_VERSION + 1}' WHERE key = 'fold_version'")
    connection.close()
    with pytest.raises(UnavailableError, match="newer honed"):
        SqliteStore.open(home)


def test_reading_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no memory"):
        SqliteStore.open(str(tmp_path / "typo" / "home"), readonly=True)
    assert list(tmp_path.iterdir()) == []


def test_the_head_is_there_from_the_first_moment(store: SqliteStore, home: str) -> None:
    assert list((read_heads(home) or {}).values()) == [(0, "")]
    assert store.verify(strict=True) == ()


def test_a_script_is_cut_into_statements_and_triggers_stay_whole() -> None:
    trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  SELECT 1;\n  SELECT 2;\nEND;\n"
    assert list(statements(f"-- a;\nCREATE TABLE a (b);\n{trigger}-- end\n")) == [
        "-- a;\nCREATE TABLE a (b);\n",
        trigger,
    ]
    with pytest.raises(ValueError, match="ends inside"):
        list(statements("CREATE TABLE a (b"))
