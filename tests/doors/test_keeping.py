"""``doctor``, ``verify``, ``rebuild``, ``backup``, ``restore-backup``, ``config``: honest on every home."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from pathlib import Path

import pytest

from honed.store.files import HEAD
from honed.store.reading import SCHEMA_VERSION
from honed.store.scripts import migrations
from tests.doors.conftest import Honed
from tests.doors.telling import Answer, claude, fixes, write


def learned(honed: Honed, shop: Path, tmp_path: Path) -> str:
    honed("backfill", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    return str(honed("list", "--json").json[0]["slug"])


def status(answer: Answer) -> dict[str, str]:
    return {check["name"]: check["status"] for check in answer.json["checks"]}


def zero_first_page(home: Path) -> bytes:
    path = home / "honed.db"
    damaged = bytes(4096) + path.read_bytes()[4096:]
    path.write_bytes(damaged)
    return damaged


# doctor


def test_doctor_says_what_is_absent_where_nothing_is_yet(honed: Honed, home: Path) -> None:
    answer = honed("doctor", "--json")
    assert (answer.code, answer.json["ok"]) == (0, True)
    assert (status(answer)["home"], status(answer)["memory"]) == ("absent", "absent")
    assert not home.exists()


def test_doctor_finds_a_healthy_home_in_order(honed: Honed, shop: Path, tmp_path: Path) -> None:
    learned(honed, shop, tmp_path)
    answer = honed("doctor", "--json")
    assert (answer.code, answer.json["ok"]) == (0, True)
    assert {status(answer)[name] for name in ("program", "home", "memory", "ledger", "disk")} == {"ok"}
    assert "ok       memory: 1 skill, " in honed("doctor").out


def test_a_damaged_database_is_named_with_its_last_backup_and_left_as_it_is(
    honed: Honed, shop: Path, tmp_path: Path, home: Path
) -> None:
    slug = learned(honed, shop, tmp_path)
    backup = honed("backup", "--json").json["path"]
    damaged = zero_first_page(home)
    for words in (
        ("doctor",),
        ("recall", "x"),
        ("list",),
        ("show", slug),
        ("backfill", str(tmp_path / "a.jsonl")),
    ):
        answer = honed(*words, "--json")
        assert answer.code == 5, words
        assert "damaged" in answer.out
        assert backup in answer.out
        assert (home / "honed.db").read_bytes() == damaged
    assert status(honed("doctor", "--json"))["memory"] == "broken"
    restored = honed("restore-backup", backup, "--json")
    assert (restored.code, Path(restored.json["replaced"]).read_bytes()[:4096]) == (0, bytes(4096))
    assert honed("show", slug).code == 0
    assert honed("doctor").code == 0


def test_a_newer_home_is_refused(honed: Honed, shop: Path, tmp_path: Path, home: Path) -> None:
    learned(honed, shop, tmp_path)
    with contextlib.closing(sqlite3.connect(home / "honed.db")) as database:
        database.execute("INSERT INTO migrations VALUES (999, '2030-01-01T00:00:00.000Z', '9.9.9')")
        database.execute("PRAGMA user_version = 999")
        database.commit()
    for words in (("doctor",), ("recall", "x"), ("list",), ("backfill", str(tmp_path / "a.jsonl"))):
        answer = honed(*words, "--json")
        assert answer.code == 5, words
        assert "newer" in answer.out


def test_recall_knows_the_schema_that_the_store_makes() -> None:
    assert migrations()[-1][0] == SCHEMA_VERSION


def test_a_home_that_cannot_be_written_is_said_and_still_recalls(
    honed: Honed, shop: Path, tmp_path: Path, home: Path
) -> None:
    if os.geteuid() == 0:
        pytest.skip("this user may write everything")
    learned(honed, shop, tmp_path)
    home.chmod(0o500)
    try:
        answer = honed("doctor", "--json")
        assert (answer.code, status(answer)["home"]) == (5, "broken")
        assert honed("recall", "the total is off by one cent", "--json").json["note"]
        assert honed("list").code == 0
        assert honed("pin", "x").code == 5
    finally:
        home.chmod(0o700)


def test_a_home_that_is_a_file_is_said(honed: Honed, home: Path) -> None:
    home.write_text("x", encoding="utf-8")
    answer = honed("doctor", "--json")
    assert (answer.code, status(answer)["home"]) == (5, "broken")
    assert honed("write", "a", "--kind", "rule", "--title", "T", "--body", "x").code == 5


def test_a_home_that_others_may_read_is_a_warning(
    honed: Honed, shop: Path, tmp_path: Path, home: Path
) -> None:
    learned(honed, shop, tmp_path)
    assert home.stat().st_mode & 0o077 == 0
    home.chmod(0o755)
    answer = honed("doctor", "--json")
    assert (answer.code, status(answer)["home"]) == (0, "warning")


# verify, rebuild, backup


def test_verify_finds_what_somebody_changed_and_rebuild_mends_it(
    honed: Honed, shop: Path, tmp_path: Path, home: Path
) -> None:
    learned(honed, shop, tmp_path)
    assert honed("verify", "--json").json == {"events": 3, "ok": True, "broken": []}
    with contextlib.closing(sqlite3.connect(home / "honed.db")) as database:
        database.execute("UPDATE skills SET state = 'proven'")
        database.commit()
    answer = honed("verify", "--strict", "--json")
    assert (answer.code, answer.json["ok"]) == (1, False)
    assert answer.json["broken"][0].keys() == {"code", "where", "detail"}
    assert honed("doctor").code == 1
    assert honed("rebuild", "--json").json["events"] == 3
    assert honed("verify", "--strict").code == 0


def test_a_backup_never_writes_over_a_file(honed: Honed, shop: Path, tmp_path: Path) -> None:
    learned(honed, shop, tmp_path)
    (tmp_path / "mine").write_text("x", encoding="utf-8")
    assert honed("backup", str(tmp_path / "mine")).code == 3
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "x"
    assert honed("backup", str(tmp_path / "copy.db")).code == 0


def test_a_backup_makes_no_folder_that_somebody_misspelled(honed: Honed, shop: Path, tmp_path: Path) -> None:
    learned(honed, shop, tmp_path)
    answer = honed("backup", str(tmp_path / "nonexistent" / "copy.db"))
    assert (answer.code, f"there is no folder {tmp_path / 'nonexistent'}" in answer.err) == (4, True)
    assert not (tmp_path / "nonexistent").exists()


def test_what_is_no_backup_is_not_put_back(honed: Honed, shop: Path, tmp_path: Path) -> None:
    slug = learned(honed, shop, tmp_path)
    assert honed("restore-backup", str(tmp_path / "none")).code == 4
    assert honed("restore-backup", str(tmp_path / "a.jsonl")).code == 3
    assert honed("show", slug).code == 0


def test_what_was_forgotten_since_a_backup_stays_forgotten(honed: Honed, shop: Path, tmp_path: Path) -> None:
    slug = learned(honed, shop, tmp_path)
    backup = honed("backup", "--json").json["path"]
    honed("forget", slug)
    assert honed("restore-backup", backup).code == 0
    assert honed("list", "--json").json == []


# config


def test_a_setting_is_kept_and_shown(honed: Honed, home: Path) -> None:
    assert honed("config", "get", "note.tokens", "--json").json == {"note.tokens": 600}
    assert not home.exists()
    assert honed("config", "set", "note.tokens", "300", "--json").json == {"note.tokens": 300}
    assert honed("config", "list", "--json").json["note.tokens"] == 300
    assert json.loads((home / "config.json").read_text(encoding="utf-8")) == {"note.tokens": 300}
    honed("config", "set", "note.tokens", "600")
    assert json.loads((home / "config.json").read_text(encoding="utf-8")) == {}


def test_a_setting_that_widens_what_agents_get_is_an_event_of_the_owner(honed: Honed, home: Path) -> None:
    assert honed("config", "set", "deliver", "proven").code == 0
    assert not (home / "config.json").exists()
    with contextlib.closing(sqlite3.connect(home / "honed.db")) as database:
        rows = database.execute("SELECT kind, actor FROM events").fetchall()
    assert rows == [("configured", "owner")]
    assert honed("config", "get", "deliver", "--json").json == {"deliver": "proven"}
    honed("config", "set", "deliver", "verified")
    assert honed("config", "get", "deliver", "--json").json == {"deliver": "verified"}
    assert honed("verify").code == 0


def test_an_owners_setting_in_the_file_is_refused(honed: Honed, home: Path) -> None:
    home.mkdir()
    (home / "config.json").write_text('{"deliver": "verified"}', encoding="utf-8")
    answer = honed("config", "list")
    assert (answer.code, "honed config set deliver VALUE" in answer.err) == (5, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("get", "note.token"), "did you mean 'note.tokens'?"),
        (("get", "nosuch"), "`honed config list` shows them all"),
        (("set", "delivery", "proven"), "did you mean 'deliver'?"),
        (("get", "zzz"), "`honed config list` shows them all"),
        (("set", "deliver", "all"), "one of approved, proven, verified"),
        (("set", "recall.bar", "2"), "a number from 0 to 1"),
        (("set", "recall.bar", "nan"), "a number from 0 to 1"),
        (("set", "note.tokens", "1.5"), "a whole number from 100 to 2000"),
        (("get",), "honed config get KEY"),
        (("set", "deliver"), "honed config get KEY"),
        (("list", "deliver"), "honed config get KEY"),
    ],
)
def test_a_wrong_setting_says_what_is_right(
    honed: Honed, home: Path, words: tuple[str, ...], said: str
) -> None:
    answer = honed("config", *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err
    assert not home.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"note.token": 300}', "did you mean 'note.tokens'?"),
        (b'{"recall.bar": "high"}', "recall.bar takes a number"),
        (b"{", "line 1 column 2"),
        (b"{bad", "line 1 column 2"),
        (b"{'a': 1}", "line 1 column 2"),
        (b'{"note.tokens": 300,}', "line 1 column"),
        (b"[]", "must hold one JSON object"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_settings_file_is_named_by_every_command_that_needs_it(
    honed: Honed, home: Path, text: bytes, said: str
) -> None:
    honed("write", "a-rule", "--kind", "rule", "--title", "T", "--body", "x")
    (home / "config.json").write_bytes(text)
    learn = ("write", "other", "--kind", "rule", "--title", "Other", "--body", "y")
    for words in (("recall", "x"), ("search", "x"), learn, ("config", "list"), ("doctor",)):
        answer = honed(*words)
        assert answer.code == 5, words
        assert "Traceback" not in answer.err
        assert said in answer.out + answer.err
        assert "config.json" in answer.out + answer.err
    vault = str(home.parent / "v")
    for words in (
        ("list",),
        ("show", "a-rule"),
        ("stats",),
        ("verify",),
        ("export", vault),
        ("backup",),
        ("pin", "a-rule"),
    ):
        assert honed(*words).code == 0, words


def test_a_head_that_is_gone_is_mended_by_what_verify_and_doctor_say(
    honed: Honed, shop: Path, tmp_path: Path, home: Path
) -> None:
    learned(honed, shop, tmp_path)
    events = honed("verify", "--json").json["events"]
    (home / HEAD).unlink()
    honed("rebuild")
    way = "`honed backup` and `honed restore-backup` of that copy take the ledger as it stands"
    assert honed("verify").out.endswith(f"1 fault in {events} events: {way}.\n")
    assert way in honed("doctor").out
    assert "honed rebuild" not in honed("doctor").out
    honed("restore-backup", honed("backup", "--json").json["path"])
    assert honed("verify", "--json").json == {"events": events, "ok": True, "broken": []}


def test_excluded_folders_are_given_as_a_list(honed: Honed) -> None:
    honed("config", "set", "exclude", os.pathsep.join(("/home/me/secret", "*/vendor")))
    assert honed("config", "get", "exclude", "--json").json == {"exclude": ["/home/me/secret", "*/vendor"]}
    assert "/home/me/secret" in honed("config", "list").out
    honed("config", "set", "exclude", '["/home/me/a, b", "*.pem"]')
    assert honed("config", "get", "exclude", "--json").json == {"exclude": ["/home/me/a, b", "*.pem"]}


@pytest.mark.parametrize(
    "typed", ["/home/me/secret, *.pem", ".", "./secret", "/home/me/../you", '["/home/me"']
)
def test_what_would_keep_nothing_out_is_not_taken_as_a_pattern(typed: str, honed: Honed) -> None:
    honed("config", "set", "exclude", "*/vendor")
    answer = honed("config", "set", "exclude", typed)
    assert answer.code == 2
    assert "exclude takes" in answer.err
    assert honed("config", "get", "exclude", "--json").json == {"exclude": ["*/vendor"]}


@pytest.mark.parametrize("how", ["empty", "gone"])
def test_a_database_that_was_lost_is_no_memory_that_never_was(
    how: str, honed: Honed, shop: Path, tmp_path: Path, home: Path
) -> None:
    slug = learned(honed, shop, tmp_path)
    backup = honed("backup", "--json").json["path"]
    for name in ("honed.db-wal", "honed.db-shm"):
        (home / name).unlink(missing_ok=True)
    (home / "honed.db").unlink()
    if how == "empty":
        (home / "honed.db").touch()
    for words in (("recall", "x"), ("search", "x"), ("list",), ("show", slug), ("stats",), ("verify",)):
        answer = honed(*words, "--json")
        assert answer.code == 5, words
        assert "missing or empty" in answer.json["error"]
        assert backup in answer.json["error"]
