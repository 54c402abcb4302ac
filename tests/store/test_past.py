"""Every schema version that ever was is opened, kept whole, and copied before it is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from honed.asking import recall, search
from honed.errors import OutdatedError, UnavailableError
from honed.store.backups import backups
from honed.store.base import SkillFilter
from honed.store.migrate import FOLDS
from honed.store.scripts import expected_schema, migrations, schema_of
from honed.store.sqlite import SqliteStore
from tests.store.making import CART, found_by_word, keep, learned, look, raw, start
from tests.store.past import INDEX, build, fixtures, furnish, rows_of, written

EVERY = SkillFilter(archived=None, states=("candidate", "proven", "suspended", "withdrawn"))


def test_every_version_has_a_fixture() -> None:
    assert list(fixtures()) == [version for version, _ in migrations()]


def test_the_fixture_of_the_present_version_is_what_it_writes(tmp_path: Path) -> None:
    """If this fails after a change of an unreleased schema: ``python -m tests.store.past``."""
    home = str(tmp_path / "home")
    furnish(home)
    present, kept = written(home), json.loads(fixtures()[migrations()[-1][0]].read_text(encoding="utf-8"))
    for value in (present, kept):
        tables = value["tables"]
        assert isinstance(tables, dict)
        for name in (*INDEX, "meta", "migrations"):
            del tables[name]
    assert json.loads(json.dumps(present)) == kept


@pytest.mark.parametrize("version", sorted(fixtures()))
def test_a_home_of_any_version_opens_with_all_that_was_in_it(version: int, home: str) -> None:
    assert build(home, fixtures()[version]) == version
    before = look(home, "SELECT id, kind, subject, seq FROM events ORDER BY n")
    folded = {
        str(key): int(str(value))
        for key, value in look(home, "SELECT key, value FROM meta WHERE key LIKE '%version'")
    }
    with SqliteStore.open(home) as store:
        assert store.verify(strict=True) == ()
        assert look(home, "SELECT id, kind, subject, seq FROM events ORDER BY n") == before
        skills = {skill.slug: skill for skill in store.skills(EVERY)}
        assert len(skills) == 17
        assert skills["round-the-cart"].draft == CART
        assert (skills["round-the-cart"].state, skills["round-the-cart"].approved_hash != "") == (
            "proven",
            True,
        )
        assert skills["part-0"].pinned
        assert skills["part-2"].archived
        assert skills["part-4"].state == "withdrawn"
        assert [v.draft.title for v in store.versions(skills["part-1"].id)] == [
            "Mend the part 1",
            "Mend the other words",
        ]
        assert store.settings() == {"deliver": "approved"}
        assert store.source("/t/a.jsonl") is not None
        assert [task.verdict for task in store.tasks()] == ["verified"]
        keep(store, learned(CART, session="s9", slug="again", project="pr_cccccccccccccccc"))
    assert "round-the-cart" in found_by_word(home, "cart")
    assert look(home, "PRAGMA user_version") == [(migrations()[-1][0],)]
    assert len(backups(home)) == (0 if version == migrations()[-1][0] and folded == FOLDS else 1)


@pytest.mark.parametrize("version", sorted(fixtures()))
def test_a_home_of_any_version_ends_as_a_new_one_with_the_same_rows(version: int, home: str) -> None:
    build(home, fixtures()[version])
    with SqliteStore.open(home):
        pass
    connection = raw(home)
    try:
        assert schema_of(connection) == dict(expected_schema())
    finally:
        connection.close()
    fresh = f"{home}-fresh"
    build(fresh, fixtures()[migrations()[-1][0]])
    with SqliteStore.open(fresh):
        pass
    ours, new = rows_of(home), rows_of(fresh)
    for name in ("migrations", *INDEX):
        del ours[name], new[name]
    assert ours == new


OLDER = [version for version in fixtures() if version < migrations()[-1][0]]


@pytest.mark.parametrize("version", OLDER)
def test_who_reads_an_older_home_first_brings_it_up_to_date(version: int, home: str) -> None:
    build(home, fixtures()[version])
    with SqliteStore.open(home, readonly=True) as store:
        assert store.verify(strict=True) == ()
        assert len(store.skills(EVERY)) == 17
        with pytest.raises(UnavailableError, match="for reading only"):
            store.rebuild()
    assert len(backups(home)) == 1


@pytest.mark.parametrize("version", OLDER)
def test_a_search_of_an_older_home_brings_it_up_to_date_and_a_hook_does_not(version: int, home: str) -> None:
    build(home, fixtures()[version])
    with pytest.raises(OutdatedError, match="older honed"):
        recall(home, "src/cart.py", cwd="/w/shop", upgrade=False)
    assert look(home, "PRAGMA user_version") == [(version,)]
    assert "round-the-cart" in [hit.facts.slug for hit in search(home, "src/cart.py", cwd="/w/shop").hits]
    assert look(home, "PRAGMA user_version") == [(migrations()[-1][0],)]


@pytest.mark.parametrize("version", OLDER)
def test_an_older_home_that_cannot_be_changed_now_says_so_and_stays(version: int, home: str) -> None:
    build(home, fixtures()[version])
    holder = start("hold", home)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(UnavailableError, match=r"older honed .*cannot be done now: memory is busy"):
        SqliteStore.open(home, readonly=True, wait=0.0)
    holder.communicate(timeout=60)
    assert look(home, "PRAGMA user_version") == [(version,)]
    assert backups(home) == []


def test_a_home_that_counted_its_words_by_triggers_ends_without_them(home: str) -> None:
    build(home, fixtures()[13])
    connection = raw(home)
    for name in ("words_enter", "words_leave", "words_leave_a_change", "words_enter_a_change"):
        connection.execute(f"CREATE TRIGGER {name} AFTER UPDATE ON skill_index BEGIN SELECT 1; END")
    connection.execute(
        "CREATE TRIGGER scope_changes AFTER UPDATE OF scope ON skill_index BEGIN SELECT 1; END"
    )
    connection.close()
    with SqliteStore.open(home) as store:
        assert store.verify(strict=True) == ()
    connection = raw(home)
    try:
        assert schema_of(connection) == dict(expected_schema())
    finally:
        connection.close()
