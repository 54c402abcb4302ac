"""``decay``: what faded is said, kept, and brought back; looking changes nothing."""

from __future__ import annotations

import time
from pathlib import Path

from honed.ledger.strength import strength
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from tests.doors.conftest import Honed

DAY = 86400.0


def keep(home: Path, shop: Path, number: int, days_ago: float, pinned: int = 0) -> None:
    """So many skills, written so long ago; the first ``pinned`` of them are pinned."""
    with Memory.open(str(home), clock=lambda: time.time() - days_ago * DAY) as memory:
        for at in range(number):
            draft = draft_from_manual("lesson", f"Lesson number {at} of the till", body=f"Till {at} first.")
            memory.write(f"till-{at}", draft, cwd=str(shop), force=True)
            if at < pinned:
                memory.pin(f"till-{at}", str(shop), pinned=True)


def test_what_nobody_uses_fades_then_goes_into_the_archive_and_nothing_is_deleted(
    honed: Honed, home: Path, shop: Path
) -> None:
    keep(home, shop, 30, days_ago=0, pinned=5)
    counts = []
    for days in (0, 60, 200, 400):
        told = honed("decay", "--days", str(days), "--json").json
        counts.append((told["faded"], told["archived"]))
        assert not any(skill["slug"] in {f"till-{at}" for at in range(5)} for skill in told["skills"])
    assert counts == [(0, 0), (25, 0), (0, 25), (0, 25)]
    assert honed("stats", "--json").json["skills"]["candidate"] == 30


def test_strength_falls_with_time_and_pinned_ones_stay(home: Path, shop: Path) -> None:
    keep(home, shop, 2, days_ago=0, pinned=1)
    with Memory.open(str(home)) as memory:
        pinned, other = (memory.find(f"till-{at}", str(shop)) for at in (0, 1))
        later = [f"{2030 + years}-01-01T00:00:00Z" for years in range(3)]
        assert len({strength(pinned, at) for at in later}) == 1
        assert strength(other, later[0]) > strength(other, later[1]) > strength(other, later[2])


def test_one_command_brings_back_what_is_in_the_archive(honed: Honed, home: Path, shop: Path) -> None:
    keep(home, shop, 1, days_ago=200)
    assert honed("recall", "the till lesson number 0", "--json").json["note"] is None
    assert honed("decay", "--json").json["archived"] == 1
    done = honed("restore", "till-0", "--json").json
    assert (done["changed"], done["state"]) == (True, "candidate")
    assert honed("decay", "--json").json["archived"] == 0
    assert "Till 0 first" in honed("recall", "the till lesson number 0", "--json").json["note"]
    assert honed("restore", "till-0", "--json").json["changed"] is False


def test_a_time_to_live_that_is_over_is_no_archive(honed: Honed, home: Path, shop: Path) -> None:
    with Memory.open(str(home), clock=lambda: time.time() - 20 * DAY) as memory:
        draft = draft_from_manual("lesson", "Until the till is mended", body="Count twice.", ttl_days=10)
        memory.write("till", draft, cwd=str(shop))
    told = honed("restore", "till")
    assert told.code == 3
    assert "honed pin till" in told.err
    honed("pin", "till")
    assert honed("decay", "--json").json["archived"] == 0


def test_looking_ahead_and_a_dry_run_write_nothing(honed: Honed, home: Path, shop: Path) -> None:
    keep(home, shop, 3, days_ago=100)
    before = (home / "honed.db").read_bytes()
    ahead = honed("decay", "--days", "90", "--json").json
    dry = honed("decay", "--dry-run", "--json").json
    assert (ahead["archived"], dry["archived"], dry["faded"]) == (3, 0, 3)
    assert (ahead["dry_run"], dry["dry_run"], ahead["done"], dry["done"]) == (True, True, [], [])
    assert (home / "honed.db").read_bytes() == before


def test_running_it_twice_changes_nothing_of_what_is_known(honed: Honed, home: Path, shop: Path) -> None:
    keep(home, shop, 3, days_ago=100)
    first = honed("decay", "--json").json
    second = honed("decay", "--json").json
    assert (first["skills"], second["done"]) == (second["skills"], [])
    assert any("copied the memory" in line for line in first["done"])


def test_wrong_days_and_a_memory_that_is_not_there_are_said(honed: Honed) -> None:
    assert honed("decay", "--days", "-1").code == 2
    assert honed("decay", "--days", "x").code == 2
    assert honed("decay").code == 4


def test_maintenance_brings_nothing_back_that_was_forgotten(honed: Honed, home: Path, shop: Path) -> None:
    keep(home, shop, 2, days_ago=50)
    honed("forget", "till-0")
    told = honed("decay", "--json").json
    assert [skill["slug"] for skill in told["skills"]] == ["till-1"]
    assert "till-0" not in honed("search", "lesson number 0 of the till", "--json").out
    assert honed("restore", "till-0").code == 4
