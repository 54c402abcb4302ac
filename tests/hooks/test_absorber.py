"""One absorber per home, a queue that holds each transcript once, and nothing lost by whatever stops it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from honed.demo.stories import rounding
from honed.hooks import worker
from honed.hooks.lock import release, take
from honed.hooks.starting import LOCK, QUEUE, enqueue, is_running, start_absorber
from honed.memory import Memory
from honed.store.base import SkillFilter
from tests.hooks.conftest import Shop, recent

REQUEST = "Make the receipt print the tax below the subtotal."


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker in this process: without its bounds, which would hold for the tests too."""
    monkeypatch.setattr(worker, "_bound", lambda: None)


def titles(shop: Shop) -> str:
    with Memory.open(str(shop.home), readonly=True) as memory:
        return " ".join(skill.draft.title for skill in memory.skills(SkillFilter()))


def test_only_one_has_the_lock_and_the_dead_let_go(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first = take(path)
    assert first is not None
    assert take(path) is None
    release(first)
    again = take(path)
    assert again is not None
    release(again)


def test_a_transcript_waits_once_however_often_it_is_named(shop: Shop) -> None:
    path = str(shop.session("s", REQUEST, "shop/receipt.py"))
    for _ in range(3):
        enqueue(str(shop.home), path)
    assert len(os.listdir(shop.home / QUEUE)) == 1


def test_while_one_works_the_next_only_queues(shop: Shop) -> None:
    path = shop.session("s", REQUEST, "shop/receipt.py")
    handle = take(str(shop.home / LOCK))
    assert handle is not None
    assert is_running(str(shop.home))
    assert start_absorber(str(shop.home), [str(path)]) == "queued; the absorber is at work"
    release(handle)
    assert len(os.listdir(shop.home / QUEUE)) == 1


@pytest.mark.parametrize(
    "path", ["relative.jsonl", "/etc/passwd", "/x/../etc/x.jsonl", "/no/such.jsonl", "\0"]
)
def test_what_can_be_no_transcript_is_not_queued(shop: Shop, path: str) -> None:
    assert start_absorber(str(shop.home), [path]) == "no transcript that can be read was named"
    assert not (shop.home / QUEUE).exists()


@pytest.mark.usefixtures("here")
def test_the_queue_is_worked_off_and_twice_is_once(shop: Shop) -> None:
    path = str(shop.session("s", REQUEST, "shop/receipt.py"))
    for _ in range(2):
        enqueue(str(shop.home), path)
        assert worker.main(str(shop.home)) == 0
    assert titles(shop).lower().count("receipt") == 1
    assert not os.listdir(shop.home / QUEUE)


@pytest.mark.usefixtures("here")
def test_a_transcript_that_grew_while_it_was_read_waits_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(shop.session("s", REQUEST, "shop/receipt.py"))
    enqueue(str(shop.home), path)
    named = worker._named

    def read_and_named_again(file: Path) -> Path | None:
        found = named(file)
        os.utime(file, ns=(1, 1))
        return found

    monkeypatch.setattr(worker, "_named", read_and_named_again)
    worker._absorb(str(shop.home), worker._waiting(str(shop.home)))
    assert len(os.listdir(shop.home / QUEUE)) == 1


@pytest.mark.usefixtures("here")
def test_a_memory_that_others_hold_is_waited_for_and_said_and_nothing_is_lost(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.learn()
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    lock = sqlite3.connect(shop.home / "honed.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("honed.hooks.worker.sleep", lambda _seconds: lock.close())
    assert worker.main(str(shop.home)) == 0
    assert "receipt" in titles(shop).lower()
    assert [line["r"] for line in shop.lines("absorber")] == ["failed", "noted"]
    assert "busy" in str(shop.lines("absorber")[0]["w"])


@pytest.mark.usefixtures("here")
def test_what_is_never_free_stays_in_the_queue(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.learn()
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    monkeypatch.setattr(worker, "PATIENCE", -1)
    lock = sqlite3.connect(shop.home / "honed.db", isolation_level=None)
    try:
        lock.execute("BEGIN IMMEDIATE")
        assert worker.main(str(shop.home)) == 5
    finally:
        lock.close()
    assert len(os.listdir(shop.home / QUEUE)) == 1
    assert worker.main(str(shop.home)) == 0
    assert "receipt" in titles(shop).lower()


@pytest.mark.usefixtures("here")
def test_sessions_from_before_honed_was_installed_are_left_to_backfill(shop: Shop) -> None:
    old = shop.base / "live" / "old.jsonl"
    old.parent.mkdir(exist_ok=True)
    old.write_text(recent(rounding(str(shop.project)).text()), encoding="utf-8")
    os.utime(old, (1, 1))
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    worker.main(str(shop.home))
    assert "Round cart" not in titles(shop)


@pytest.mark.usefixtures("here")
def test_spools_that_nobody_wrote_to_for_half_a_year_go(shop: Shop) -> None:
    old, new = shop.spool_file("old"), shop.spool_file("new")
    for file in (old, new):
        file.write_text("{}\n", encoding="utf-8")
    os.utime(old, (1, 1))
    worker._sweep(str(shop.home))
    assert not old.exists()
    assert new.exists()
