"""`verify` finds what was changed behind honed's back, and `rebuild` repairs what can be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.model import Entry
from honed.skills.model import Draft
from honed.store import files
from honed.store.backups import backups
from honed.store.files import HEAD
from honed.store.heads import advance_head, read_heads, replace_heads
from honed.store.indexing import INDEX_COLUMNS
from honed.store.projections import TABLES
from honed.store.recorded import links
from honed.store.sqlite import SqliteStore
from tests.store.making import (
    CART,
    OTHER_PROJECT,
    PROJECT,
    draft,
    evidence,
    found_by_word,
    hand,
    keep,
    learned,
    look,
    occasion,
    raw,
)


@pytest.fixture
def full(store: SqliteStore) -> SqliteStore:
    """A store with something in every table."""
    keep(store, events.project_seen(PROJECT, "shop", [("path", "/w/shop")], os.urandom(16)))
    keep(store, events.project_seen(OTHER_PROJECT, "stock", [("path", "/w/stock")], os.urandom(16)))
    one, two, three = keep(store, learned(), learned(draft("b")), learned(draft("c"), project=OTHER_PROJECT))
    keep(
        store, evidence(one.subject, "s1", 2), evidence(one.subject, "s2", 3), evidence(two.subject, "s1", 4)
    )
    keep(
        store,
        events.judged(occasion("s0", "x"), "tk_a", PROJECT, "verified", "passed", seen_to=4, check="pytest"),
    )
    keep(store, events.judged(occasion("s1", "x"), "tk_b", PROJECT, "none", "no run", seen_to=2))
    keep(store, events.approved(one.subject, content_hash(CART), "procedure", os.urandom(16)))
    keep(store, events.configured("deliver", "approved", os.urandom(16)))
    keep(store, hand("forgotten", three.subject), hand("pinned", two.subject))
    assert store.verify(strict=True) == ()
    return store


def tamper(home: str, *statements: str) -> None:
    """Change the database behind honed's back."""
    connection = raw(home)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def codes(store: SqliteStore) -> set[str]:
    return {fault.code for fault in store.verify(strict=True)}


LEDGER = [
    ("DELETE FROM events WHERE seq = 4", "chain-gap"),
    ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)", "truncated"),
    ("DELETE FROM events", "truncated"),
    ("UPDATE events SET seq = seq + 100 WHERE seq = 5", "chain-gap"),
    ("UPDATE events SET hash = zeroblob(32) WHERE seq = 5", "header-changed"),
    ("UPDATE events SET hash = 'x' WHERE seq = 5", "damaged"),
    ("UPDATE events SET recorded_at = '1999-01-01' WHERE seq = 5", "clock-back"),
    ("UPDATE payloads SET body = replace(body, 'cent', 'euro')", "payload-changed"),
    ("UPDATE payloads SET salt = x'00112233445566778899aabbccddeeff'", "payload-changed"),
    (
        "UPDATE payloads SET body = 'no json' WHERE n = (SELECT n FROM events WHERE seq = 3)",
        "damaged",
    ),
    ("DELETE FROM payloads WHERE n = (SELECT n FROM events WHERE seq = 3)", "payload-missing"),
    ("INSERT INTO payloads VALUES (9999, x'00', '{}')", "payload-orphan"),
    ("DELETE FROM meta WHERE key = 'replica'", "meta"),
    ("UPDATE meta SET value = 'x' WHERE key = 'key_check'", "key-lost"),
]


@pytest.mark.parametrize(("statement", "code"), LEDGER)
def test_a_changed_ledger_is_found(statement: str, code: str, full: SqliteStore, home: str) -> None:
    tamper(home, statement)
    assert code in codes(full)


HEADER = "n id kind subject at actor replica seq recorded_at commitment hash".split()


@pytest.mark.parametrize("column", HEADER)
def test_every_column_of_the_ledger_is_watched(column: str, full: SqliteStore, home: str) -> None:
    value = f"{column} + 1000" if column in ("n", "replica", "seq") else f"{column} || 'x'"
    tamper(home, f"UPDATE events SET {column} = {value} WHERE seq = 7")
    assert codes(full)


PROJECTED = [
    (table.name, column) for tables in TABLES.values() for table in tables for column in table.columns
]


@pytest.mark.parametrize(("table", "column"), PROJECTED)
def test_every_column_of_every_projection_is_watched(
    table: str, column: str, full: SqliteStore, home: str
) -> None:
    (first, *_) = look(
        home, f"SELECT {column}, rowid_or_key FROM (SELECT *, 1 AS rowid_or_key FROM {table}) LIMIT 1"
    )
    value = f"{column} + 1" if isinstance(first[0], int) else f"{column} || 'x'"
    (key, *_) = [key for tables in TABLES.values() for t in tables if t.name == table for key in t.key]
    tamper(home, f"UPDATE {table} SET {column} = {value} WHERE {key} = (SELECT min({key}) FROM {table})")
    assert "projection" in codes(full)


@pytest.mark.parametrize("table", sorted({table for table, _ in PROJECTED}))
def test_a_dropped_or_invented_row_of_any_projection_is_found(
    table: str, full: SqliteStore, home: str
) -> None:
    (key, *_) = [key for tables in TABLES.values() for t in tables if t.name == table for key in t.key]
    columns = [row[1] for row in look(home, f"PRAGMA table_info({table})") if row[1] != "n"]
    other = ", ".join(f"{name} || 'x'" if name == key else str(name) for name in columns)
    invent = f"INSERT INTO {table} ({', '.join(map(str, columns))}) SELECT {other} FROM {table} LIMIT 1"
    tamper(home, invent)
    assert "projection" in codes(full)
    tamper(home, f"DELETE FROM {table}")
    assert "projection" in codes(full)


WORDS = ", ".join((*INDEX_COLUMNS, "seal"))
INDEX = [
    "DELETE FROM skill_index",
    "INSERT INTO skill_exact (skill_exact, rowid, value) VALUES ('delete', 1, '1_pytest==command')",
    "UPDATE skill_index SET head = head || ' invented'",
    "UPDATE skill_index SET scope = (SELECT max(n) FROM index_scopes)",
    "UPDATE index_scopes SET project = project || 'x'",
    f"INSERT INTO skill_index (n, scope, {WORDS}) SELECT 9999, scope, {WORDS} FROM skill_index LIMIT 1",
    "INSERT INTO skill_exact (rowid, value) VALUES (1, '1_invented==path')",
    "INSERT INTO skill_exact (rowid, value) VALUES (777, '1_nobody==path')",
    f"INSERT INTO skill_index (n, scope, {WORDS}) SELECT s.n, i.scope, {WORDS}"
    " FROM (SELECT n, state FROM skills) s, skill_index i WHERE s.state = 'deleted' LIMIT 1",
    "UPDATE skill_index SET uses = 'invent'",
]


@pytest.mark.parametrize("statement", INDEX)
def test_an_index_that_is_not_what_the_skills_give_is_found(
    statement: str, full: SqliteStore, home: str
) -> None:
    tamper(home, statement)
    assert "index" in codes(full)


@pytest.mark.parametrize("table", ["skill_fts", "skill_exact"])
@pytest.mark.parametrize(
    "change", ["DELETE FROM {}_data WHERE id = 1", "UPDATE {}_data SET block = x'01' WHERE id = 1"]
)
def test_counts_of_a_full_text_that_would_spoil_a_later_write_are_found_and_mended(
    table: str, change: str, full: SqliteStore, home: str
) -> None:
    tamper(home, change.format(table))
    assert "full-text" in codes(full)
    full.rebuild()
    assert full.verify(strict=True) == ()
    for skill in full.skills():
        keep(full, hand("forgotten", skill.id))
    assert full.verify(strict=True) == ()


def test_a_skill_without_any_exact_thing_comes_and_goes(store: SqliteStore) -> None:
    bare = [Draft("lesson", "!", "", body="?", fingerprint=name) for name in ("one", "two")]
    for text in bare:
        (result,) = keep(store, learned(text, slug=text.fingerprint))
        assert look(store.home, "SELECT count(*) FROM skill_entities") == [(0,)]
    assert store.verify(strict=True) == ()
    keep(store, hand("archived", result.subject))
    store.rebuild(anew=True)
    assert store.verify(strict=True) == ()


SCHEMA = [
    "DROP TRIGGER skill_index_added",
    "DROP INDEX skills_slug",
    "DROP TABLE tasks",
    "DROP TABLE skill_entities",
    "DROP TABLE skill_vocab",
    "DROP VIEW skill_words",
    "DROP TABLE skill_fts",
    "DROP TABLE skill_index",
    "DROP TABLE word_counts",
]


@pytest.mark.parametrize("statement", SCHEMA)
def test_a_changed_schema_is_found_and_made_whole(statement: str, full: SqliteStore, home: str) -> None:
    tamper(home, statement)
    assert codes(full) == {"schema-missing"}
    full.rebuild()
    assert full.verify(strict=True) == ()
    assert "round-the-cart" in found_by_word(home, "cart")


def test_what_was_added_to_the_schema_is_found(full: SqliteStore, home: str) -> None:
    tamper(home, "CREATE TRIGGER theirs AFTER INSERT ON events BEGIN DELETE FROM settings; END")
    assert [(fault.code, fault.where) for fault in full.verify()] == [("schema", "theirs")]


def test_versions_that_are_no_numbers_only_fold_anew(full: SqliteStore, home: str) -> None:
    tamper(home, "UPDATE meta SET value = 'x' WHERE key IN ('fold_version', 'index_version')")
    with SqliteStore.open(home) as store:
        assert store.verify(strict=True) == ()
    assert full.verify() == ()


FULL_TEXT = [
    "DELETE FROM skill_exact_data WHERE id > 10",
    "DELETE FROM skill_exact_idx",
    "DELETE FROM skill_fts_idx",
    "DELETE FROM skill_fts_data WHERE id > 10",
    "DELETE FROM skill_fts_data",
    "DELETE FROM skill_fts_config",
    "DELETE FROM skill_exact_data",
    "DELETE FROM skill_exact_config",
    "UPDATE skill_fts_docsize SET sz = x'00'",
    "DELETE FROM skill_fts_docsize",
    "INSERT INTO skill_fts (rowid, head) VALUES (777, '1_ghost')",
]


@pytest.mark.parametrize("statement", FULL_TEXT)
def test_a_damaged_full_text_is_found_and_rebuilt(statement: str, full: SqliteStore, home: str) -> None:
    tamper(home, statement)
    assert {"full-text"} <= codes(full) <= {"full-text", "damaged"}
    full.rebuild()
    assert full.verify(strict=True) == ()
    assert "round-the-cart" in found_by_word(home, "cart")


@pytest.mark.parametrize(
    "statements",
    [
        ("UPDATE skills SET state = 'proven', confirmed = 9, approved = content_hash",),
        ("DELETE FROM skills",),
        (
            "DELETE FROM tombstones",
            "DELETE FROM project_aliases",
            "DELETE FROM tasks",
            "DELETE FROM settings",
        ),
        ("DELETE FROM skill_index", "DELETE FROM index_scopes"),
    ],
)
def test_rebuild_makes_the_projections_anew_from_the_ledger(
    statements: tuple[str, ...], full: SqliteStore, home: str
) -> None:
    before = [
        look(home, f"SELECT {', '.join(t.columns)} FROM {t.name} ORDER BY 1")
        for ts in TABLES.values()
        for t in ts
    ]
    tamper(home, *statements)
    assert full.verify()
    assert full.rebuild() == full.stats().events
    after = [
        look(home, f"SELECT {', '.join(t.columns)} FROM {t.name} ORDER BY 1")
        for ts in TABLES.values()
        for t in ts
    ]
    assert after == before
    assert full.verify(strict=True) == ()
    assert len(backups(home)) == 1


def test_rebuild_does_not_make_a_changed_ledger_true(full: SqliteStore, home: str) -> None:
    tamper(home, "UPDATE payloads SET body = replace(body, 'cent', 'euro')")
    full.rebuild()
    assert codes(full) == {"payload-changed"}


def chain_of(home: str) -> list[Entry]:
    connection = raw(home)
    try:
        return [entry for entry, _ in links(connection)]
    finally:
        connection.close()


def test_a_chain_made_anew_from_a_changed_text_is_found_by_the_head(full: SqliteStore, home: str) -> None:
    """Whoever can write the database can also compute hashes; the head outside tells."""
    other = str(Path(home).parent / "other")
    with SqliteStore.open(other) as forged:
        for entry in chain_of(home):
            forged.append(
                [events.by_hand("forgotten", "sk_aaaaaaaaaaaaaaaa", os.urandom(16), {"of": entry.seq})]
            )
    (replica,) = look(home, "SELECT value FROM meta WHERE key = 'replica'")[0]
    tamper(home, *(f"DELETE FROM {table}" for table in ("events", "payloads", "replicas")))
    connection = raw(home)
    connection.execute("ATTACH ? AS forged", (os.path.join(other, "honed.db"),))
    for table in ("replicas", "events", "payloads"):
        connection.execute(f"INSERT INTO main.{table} SELECT * FROM forged.{table}")
    connection.execute("UPDATE meta SET value = (SELECT id FROM main.replicas) WHERE key = 'replica'")
    connection.close()
    assert (replica,) not in look(home, "SELECT id FROM replicas")
    assert {"truncated", "head-missing"} <= codes(full)


def test_a_head_that_was_taken_away_is_found(full: SqliteStore, home: str) -> None:
    os.unlink(os.path.join(home, HEAD))
    assert codes(full) == {"head-missing"}
    keep(full, learned(draft("later")))
    assert codes(full) == {"head-missing"}
    full.restore_backup(full.backup())
    assert codes(full) == set()


@pytest.mark.parametrize("text", ["", "{}", "[]", "garbage", '{"rp_x": 1}', '{"rp_x": [1]}', "\0" * 100])
def test_a_head_that_says_nothing_is_found(text: str, full: SqliteStore, home: str) -> None:
    Path(home, HEAD).write_text(text, encoding="utf-8")
    assert "head-missing" in codes(full)
    keep(full, learned(draft("later")))
    assert "head-missing" in codes(full)


def test_a_cut_ledger_stays_an_alarm_while_work_goes_on(full: SqliteStore, home: str) -> None:
    tamper(home, "DELETE FROM payloads WHERE n = (SELECT max(n) FROM events)")
    tamper(home, "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")
    full.rebuild()
    assert codes(full) == {"truncated"}
    keep(full, *(learned(draft(f"later {number}")) for number in range(3)))
    assert codes(full) == {"rechained"}
    full.restore_backup(full.backup())
    assert codes(full) == set()


def test_a_head_that_a_crash_left_behind_is_moved_on(full: SqliteStore, home: str) -> None:
    (replica,) = read_heads(home) or {}
    entry = chain_of(home)[3]
    replace_heads(home, {replica: (entry.seq, entry.hash)})
    assert full.verify(strict=True) == ()
    keep(full, learned(draft("later")))
    assert (read_heads(home) or {})[replica][0] == full.stats().events


def test_the_head_never_goes_back(full: SqliteStore, home: str) -> None:
    (replica,) = read_heads(home) or {}
    before = read_heads(home)
    advance_head(home, replica, 2, "late")
    assert read_heads(home) == before
    assert full.verify() == ()


def test_a_lost_key_is_said_and_forgotten_skills_stay_forgotten(full: SqliteStore, home: str) -> None:
    os.unlink(os.path.join(home, files.KEY))
    assert codes(full) == {"key-lost"}
    (again,) = full.append([learned(draft("c"), project=OTHER_PROJECT, slug="again")])
    assert again.status == "existed"


def test_a_fault_says_what_and_where(full: SqliteStore, home: str) -> None:
    tamper(home, "UPDATE skills SET confirmed = 99 WHERE slug = 'round-the-cart' AND state <> 'deleted'")
    faults = full.verify()
    assert len(faults) == 1, faults
    (fault,) = faults
    assert fault.code == "projection"
    assert fault.where.startswith("skills, sk_")
    assert fault.detail == "not what the events come to: confirmed"
