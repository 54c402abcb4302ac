"""What was given leaves a receipt, once, and what came of it is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from honed import receipts
from honed.cli.run import run
from honed.hooks import spool
from honed.memory import Memory
from honed.store.receiving import KEEP_DAYS, NEVER, Counters
from honed.store.sqlite import SqliteStore
from tests.hooks.conftest import Shop
from tests.hooks.test_applied import CART, CHECK, GREEN, RED, absorb, cart

SIMILAR = "The cart total is off by a fraction of a cent again. Fix the rounding."


def folded(shop: Shop) -> SqliteStore:
    """The store, with all that the spool says in it; the caller closes it."""
    store = SqliteStore.open(str(shop.home))
    receipts.fold(str(shop.home), store)
    return store


def counters(shop: Shop, skill: str) -> Counters:
    """Those of one skill."""
    with Memory.open(str(shop.home)) as memory:
        memory.fold_receipts()
        return memory.counters().get(skill, NEVER)


def test_a_note_leaves_a_receipt_of_each_skill_in_it(learned: Shop) -> None:
    assert learned.told("prompt", prompt=SIMILAR)
    line = next(one for one in learned.lines() if one["r"] == "gave")
    with folded(learned) as store:
        rows = store.receipts(session="s1")
    given = {row.skill for row in rows if row.skill}
    assert given == {one.partition("#")[0] for one in line["ids"] if one.startswith("sk_")}  # type: ignore[attr-defined]
    best = next(row for row in rows if row.skill == cart(learned))
    assert (best.client, best.event, best.version, best.grade) == ("claude_code", "prompt", 1, "reference")
    assert best.score is not None
    assert 0.5 <= best.score <= 1
    assert sum(row.tokens for row in rows) == line["n"]


def test_folding_twice_and_a_spool_that_was_cut_count_once(learned: Shop) -> None:
    learned.told("prompt", prompt=SIMILAR)
    with folded(learned) as store:
        before = store.receipts()
    path = learned.spool_file("s1")
    path.write_bytes(b'{"r":"quiet","e":"stop"}\n' * 5 + path.read_bytes())
    with folded(learned) as store:
        assert store.receipts() == before
    with path.open("ab") as file:
        file.write(b"{broken\nnull\n[]\n\xff\xfe\n" + b'{"r":"gave","ids":7,"n":"x","t":-1}\n')
    with folded(learned) as store:
        assert store.receipts() == before  # a line of 1970 is older than what is kept


def test_a_line_that_is_still_being_written_waits(learned: Shop) -> None:
    learned.told("prompt", prompt=SIMILAR)
    path = learned.spool_file("s1")
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with folded(learned) as store:
        first = len(store.receipts())
    path.write_bytes(whole)
    with folded(learned) as store:
        assert len(store.receipts()) > first == 0


def test_what_came_of_it_is_counted_by_sessions(learned: Shop) -> None:
    skill = cart(learned)
    absorb(learned, "a", CART, (CHECK, GREEN), skill=skill)
    absorb(learned, "b", CART, (CHECK, RED), skill=skill)
    absorb(learned, "c", (CHECK, GREEN), skill=skill)
    found = counters(learned, skill)
    assert (found.selected, found.given, found.applied, found.verified, found.failed) == (3, 3, 2, 1, 1)


def test_a_session_that_is_read_again_is_counted_once(learned: Shop) -> None:
    skill = cart(learned)
    learned.told("prompt", prompt=SIMILAR)
    for _ in range(3):
        absorb(learned, "s1", CART, (CHECK, GREEN), skill=skill)
    found = counters(learned, skill)
    assert (found.given, found.applied, found.verified, found.failed) == (1, 1, 1, 0)


def test_a_session_whose_check_passed_at_last_counts_as_verified_only(learned: Shop) -> None:
    skill = cart(learned)
    absorb(learned, "a", CART, (CHECK, RED), skill=skill)
    absorb(learned, "a", CART, (CHECK, RED), CART, (CHECK, GREEN), skill=skill)
    found = counters(learned, skill)
    assert (found.applied, found.verified, found.failed) == (1, 1, 0)


def test_the_commands_that_look_take_in_what_hooks_said(
    learned: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    learned.told("prompt", prompt=SIMILAR)
    skill, home = cart(learned), str(learned.home)
    assert run(["show", skill, "--home", home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counters"]["given"] == 1
    assert run(["show", skill, "--home", home]) == 0
    assert "Given to 1 session" in capsys.readouterr().out
    assert run(["list", "--all", "--home", home, "--json"]) == 0
    rows = {row["id"]: row["counters"]["given"] for row in json.loads(capsys.readouterr().out)}
    assert rows[skill] == 1
    assert run(["stats", "--home", home, "--json"]) == 0
    given = json.loads(capsys.readouterr().out)["given"]
    assert (given["sessions"], given["texts"]) == (1, 1)
    assert given["tokens"] > 0


def test_a_purged_skill_leaves_no_receipt_and_its_spool_brings_none_back(learned: Shop) -> None:
    learned.told("prompt", prompt=SIMILAR)
    skill = cart(learned)
    absorb(learned, "a", CART, (CHECK, GREEN), skill=skill)
    with folded(learned) as store:
        copy = store.backup()
        store.erase(skill)
        assert store.receipts(skill=skill) == ()
        assert skill not in store.counters()
    learned.spool_file("s1").write_bytes(b"{}\n" + learned.spool_file("s1").read_bytes())
    with folded(learned) as store:
        assert store.receipts(skill=skill) == ()
        store.restore_backup(copy)
        assert store.receipts(skill=skill) == ()
        assert skill not in store.counters()


def test_scrubbing_takes_a_session_by_its_name(learned: Shop) -> None:
    import re

    learned.told("prompt", prompt=SIMILAR, session_id="of-acme-corp")
    with folded(learned) as store:
        copy = store.backup()
        assert store.receipts(session="of-acme-corp")
        store.scrub(re.compile("acme"))
        assert store.receipts(session="of-acme-corp") == ()
    assert not learned.spool_file("of-acme-corp").exists()
    for path in (learned.home, Path(copy).parent):
        assert not [one for one in path.rglob("*") if one.is_file() and b"acme" in one.read_bytes()]


def test_receipts_are_in_a_backup(learned: Shop) -> None:
    learned.told("prompt", prompt=SIMILAR)
    with folded(learned) as store:
        before, copy = store.receipts(), store.backup()
    learned.told("prompt", prompt=SIMILAR, session_id="s2")
    with folded(learned) as store:
        assert len(store.receipts()) > len(before)
        store.restore_backup(copy)
        assert store.receipts() == before
    with folded(learned) as store:
        assert {row.session for row in store.receipts()} == {"s1", "s2"}  # the spool still says so


def test_receipts_are_kept_for_half_a_year(learned: Shop) -> None:
    learned.told("prompt", prompt=SIMILAR)
    with folded(learned) as store:
        at = store.receipts()[0].at
    with SqliteStore.open(str(learned.home)) as store:
        now = store._clock()
    later = now + (KEEP_DAYS + 1) * 86400
    spool.append(str(learned.home), "s9", {"t": int(later), "e": "prompt", "r": "gave", "n": 3, "ids": {}})
    with SqliteStore.open(str(learned.home), clock=lambda: later) as store:
        receipts.fold(str(learned.home), store)
        assert [row.session for row in store.receipts()] == ["s9"]
        assert store.receipts()[0].at > at


def test_a_memory_that_is_busy_is_looked_at_as_it_stands(learned: Shop) -> None:
    import sqlite3

    learned.told("prompt", prompt=SIMILAR)
    other = sqlite3.connect(learned.home / "honed.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        Memory.catch_up(str(learned.home))
        with Memory.open(str(learned.home), readonly=True) as memory:
            assert memory.given().texts == 0
    finally:
        other.close()
    Memory.catch_up(str(learned.home))
    with Memory.open(str(learned.home), readonly=True) as memory:
        assert memory.given().texts == 1
