"""One absorber per home, a queue that holds each transcript once, and nothing lost by whatever stops it."""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from honed.absorb import Absorbed
from honed.demo.stories import rounding
from honed.hooks import absorber, spool, sweeping
from honed.hooks.lock import release, take
from honed.hooks.starting import LOCK, QUEUE, WORKER, enqueue, is_running, start_absorber
from honed.hooks.status import tallies
from honed.memory import Memory
from honed.store.backups import backups
from honed.store.base import SkillFilter
from honed.store.files import BACKUPS
from honed.transcripts import Found
from tests.hooks.conftest import Shop, recent

REQUEST = "Make the receipt print the tax below the subtotal."


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker in this process: without its bounds, which would hold for the tests too."""
    monkeypatch.setattr(absorber, "_bound", lambda: None)


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
        assert absorber.main(str(shop.home)) == 0
    assert titles(shop).lower().count("receipt") == 1
    assert not os.listdir(shop.home / QUEUE)


@pytest.mark.usefixtures("here")
def test_who_only_asks_whether_one_is_at_work_keeps_none_from_it(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    asking = take(str(shop.home / LOCK))

    def answered(_seconds: float) -> None:
        assert asking is not None
        release(asking)

    monkeypatch.setattr("honed.hooks.lock.sleep", answered)
    assert absorber.main(str(shop.home)) == 0
    assert not os.listdir(shop.home / QUEUE)


@pytest.mark.usefixtures("here")
def test_what_cannot_be_taken_out_of_the_queue_is_said_and_keeps_nobody_busy(shop: Shop) -> None:
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    (shop.home / QUEUE / "a folder").mkdir()
    (shop.home / QUEUE / "a link to nothing").symlink_to("nowhere")
    assert absorber.main(str(shop.home)) == 0
    assert os.listdir(shop.home / QUEUE) == ["a folder"]
    assert "receipt" in titles(shop).lower()
    said = [str(line["w"]) for line in shop.lines("absorber") if line["r"] == "failed"]
    assert said
    assert all(words.startswith("a folder stays in the queue: ") for words in said)


def test_a_worker_that_finds_another_one_at_work_loads_nothing_and_leaves_the_queue_to_it(
    shop: Shop,
) -> None:
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    handle = take(str(shop.home / LOCK))
    assert handle is not None
    argv = [sys.executable, "-X", "importtime", "-I", "-S", "-c", WORKER, str(shop.home), *sys.path]
    done = subprocess.run(argv, capture_output=True, encoding="utf-8", check=True)
    release(handle)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "honed.hooks.worker" in loaded
    assert {"honed.absorb", "honed.hooks.absorber", "typing", "re", "sqlite3"}.isdisjoint(loaded)
    assert len(os.listdir(shop.home / QUEUE)) == 1


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="what a process is, is read in /proc")
def test_the_worker_has_a_session_of_its_own_no_streams_of_the_client_s_a_low_priority_and_a_bound(
    shop: Shop,
) -> None:
    shop.learn()
    path = shop.session("s", REQUEST, "shop/receipt.py")
    lock = sqlite3.connect(shop.home / "honed.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")  # until it is let go, the worker waits
    try:
        shop.fire("stop", transcript_path=str(path))
        pid = next(filter(None, iter(lambda: _worker_of(shop), None)))
        while not shop.lines("absorber"):
            time.sleep(0.02)
        assert os.getsid(pid) == pid
        assert os.getpriority(os.PRIO_PROCESS, pid) >= 10
        assert [os.readlink(f"/proc/{pid}/fd/{number}") for number in range(3)] == [os.devnull] * 3
        assert os.readlink(f"/proc/{pid}/cwd") == os.sep, "it keeps no folder busy"
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii")
        assert re.search(rf"Max address space +{absorber.MEMORY_LIMIT} ", limits)
    finally:
        lock.close()
    shop.wait()
    assert "receipt" in titles(shop).lower()


def _worker_of(shop: Shop) -> int:
    """The process that works off the queue of this home; 0 while there is none."""
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            words = Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
            if WORKER.encode() in words and str(shop.home).encode() in words:
                return int(entry)
    return 0


def test_a_worker_whose_time_is_over_says_so_and_leaves_its_queue_to_the_next_one(shop: Shop) -> None:
    path = str(shop.session("s", REQUEST, "shop/receipt.py"))
    enqueue(str(shop.home), path)
    line = (
        "import sys; sys.path[:] = sys.argv[2:]\n"
        "import signal; from honed.hooks import absorber; from honed.memory import Memory\n"
        "absorber.TIME_LIMIT = 1; Memory.absorb = lambda *_: signal.pause()\n"
        "sys.exit(absorber.main(sys.argv[1]))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", line, str(shop.home), *sys.path], check=False)
    assert done.returncode == 0
    assert [line["w"] for line in shop.lines("absorber")] == ["stopped after 1 seconds; the next one goes on"]
    assert len(os.listdir(shop.home / QUEUE)) == 1
    subprocess.run([sys.executable, "-I", "-S", "-c", WORKER, str(shop.home), *sys.path], check=True)
    assert "receipt" in titles(shop).lower()


@pytest.mark.usefixtures("here")
def test_a_transcript_on_which_honed_fails_stops_no_other_and_is_said(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = (shop.session(name, REQUEST, "shop/receipt.py") for name in ("good", "bad"))
    for path in (bad, good):
        enqueue(str(shop.home), str(path))
    absorb = Memory.absorb

    def failing(memory: Memory, found: Iterable[Found]) -> Iterator[tuple[Found, Absorbed]]:
        found = list(found)
        if any(item.path.name == "bad.jsonl" for item in found):
            raise ValueError("a mistake of honed's")
        return absorb(memory, found)

    monkeypatch.setattr(Memory, "absorb", failing)
    assert absorber.main(str(shop.home)) == 0
    assert not os.listdir(shop.home / QUEUE)
    assert "receipt" in titles(shop).lower()
    said = [str(line["w"]) for line in shop.lines("absorber") if line["r"] == "skipped"]
    assert len(said) == 1
    assert "bad.jsonl: honed failed on it: ValueError" in said[0]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "stamp", ["2026-11-30T09:63:33Z", "2026-02-30T09:03:33Z", "", "x", "0000-00-00T00:00:00Z"]
)
def test_a_time_that_is_none_keeps_nobody_from_learning(shop: Shop, stamp: str) -> None:
    path = shop.session("s", REQUEST, "shop/receipt.py")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    stamped = ({**line, "timestamp": stamp} if "timestamp" in line else line for line in lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in stamped), encoding="utf-8")
    other = shop.session("other", "Print the address on the invoice.", "shop/invoice.py")
    for one in (path, other):
        enqueue(str(shop.home), str(one))
    assert absorber.main(str(shop.home)) == 0
    assert not os.listdir(shop.home / QUEUE)
    assert "address" in titles(shop).lower()


@pytest.mark.usefixtures("here")
def test_a_transcript_that_grew_while_it_was_read_waits_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(shop.session("s", REQUEST, "shop/receipt.py"))
    enqueue(str(shop.home), path)
    named = absorber._named

    def read_and_named_again(file: Path) -> Path | None:
        found = named(file)
        os.utime(file, ns=(1, 1))
        return found

    monkeypatch.setattr(absorber, "_named", read_and_named_again)
    absorber._absorb(str(shop.home), absorber._waiting(str(shop.home)))
    assert len(os.listdir(shop.home / QUEUE)) == 1


@pytest.mark.usefixtures("here")
def test_a_memory_that_others_hold_is_waited_for_and_said_and_nothing_is_lost(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.learn()
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    lock = sqlite3.connect(shop.home / "honed.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("honed.hooks.absorber.sleep", lambda _seconds: lock.close())
    assert absorber.main(str(shop.home)) == 0
    assert "receipt" in titles(shop).lower()
    assert [line["r"] for line in shop.lines("absorber")] == ["failed", "noted"]
    assert "busy" in str(shop.lines("absorber")[0]["w"])


@pytest.mark.usefixtures("here")
def test_what_is_never_free_stays_in_the_queue(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.learn()
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    monkeypatch.setattr(absorber, "PATIENCE", -1)
    lock = sqlite3.connect(shop.home / "honed.db", isolation_level=None)
    try:
        lock.execute("BEGIN IMMEDIATE")
        assert absorber.main(str(shop.home)) == 5
    finally:
        lock.close()
    assert len(os.listdir(shop.home / QUEUE)) == 1
    assert absorber.main(str(shop.home)) == 0
    assert "receipt" in titles(shop).lower()


@pytest.mark.usefixtures("here")
def test_sessions_from_before_honed_was_installed_are_left_to_backfill(shop: Shop) -> None:
    old = shop.base / "live" / "old.jsonl"
    old.parent.mkdir(exist_ok=True)
    old.write_text(recent(rounding(str(shop.project)).text()), encoding="utf-8")
    os.utime(old, (1, 1))
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    absorber.main(str(shop.home))
    assert "Round cart" not in titles(shop)


@pytest.mark.usefixtures("here")
def test_spools_that_nobody_wrote_to_for_half_a_year_go(shop: Shop) -> None:
    old, new = shop.spool_file("old"), shop.spool_file("new")
    for file in (old, new):
        file.write_text("{}\n", encoding="utf-8")
    os.utime(old, (1, 1))
    sweeping.sweep(str(shop.home), time.time())
    assert not old.exists()
    assert new.exists()


def spooled(shop: Shop, session: str, lines: int, hours: float) -> Path:
    """A session's spool of so many lines of 1,000 bytes, last written to so many hours ago."""
    file = shop.spool_file(session)
    text = "".join(f'{{"t":{number},"w":"{"x" * 980}"}}'.ljust(999) + "\n" for number in range(lines))
    file.write_text(text, encoding="ascii")
    at = time.time() - hours * 3600
    os.utime(file, (at, at))
    return file


def test_a_long_spool_is_cut_to_the_end_that_is_read_once_it_is_quiet(shop: Shop) -> None:
    quiet, busy = spooled(shop, "quiet", 3000, 2), spooled(shop, "busy", 3000, 0)
    own, short = spooled(shop, sweeping.SESSION, 3000, 0), spooled(shop, "short", 900, 2)
    before, at = {file: spool.lines(str(file)) for file in (quiet, busy, own, short)}, quiet.stat().st_mtime
    sweeping.sweep(str(shop.home), time.time())
    assert {file: spool.lines(str(file)) for file in before} == before
    assert [line["t"] for line in before[quiet]][-1] == 2999
    for file in (quiet, own):
        assert file.stat().st_size <= spool.TAIL_LIMIT
    assert (busy.stat().st_size, short.stat().st_size) == (3_000_000, 900_000)
    assert quiet.stat().st_mtime == at
    assert len(list(quiet.parent.iterdir())) == 4


def test_a_file_of_the_spool_that_is_gone_meanwhile_hides_no_other(shop: Shop) -> None:
    shop.fire("prompt", prompt="x")
    (shop.home / spool.FOLDER / "gone.jsonl").symlink_to("nowhere")  # as one that another process took away
    assert [(tally.event, tally.runs) for tally in tallies(str(shop.home))] == [("prompt", 1)]
    old = spooled(shop, "old", 1, 24 * 365)
    assert sweeping.sweep(str(shop.home), time.time()) == 1
    assert not old.exists()


def test_of_too_much_spool_the_oldest_goes(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "SPOOLS_LIMIT", 250_000)
    files = [spooled(shop, f"s{hours}", 100, hours) for hours in range(5)]
    sweeping.sweep(str(shop.home), time.time())
    # The first two fit; none that somebody may be writing to goes.
    assert [file.exists() for file in files] == [True, True, False, False, False]


@pytest.mark.usefixtures("here")
def test_behind_the_work_of_a_day_a_backup_is_made_once(shop: Shop) -> None:
    for number in range(2):
        enqueue(str(shop.home), str(shop.session(f"s{number}", REQUEST, "shop/receipt.py")))
        absorber.main(str(shop.home))
        assert len(backups(str(shop.home))) == 1


@pytest.mark.usefixtures("here")
def test_a_backup_that_cannot_be_made_is_said_and_stops_nothing(shop: Shop) -> None:
    (shop.home / BACKUPS).write_text("in the way", encoding="utf-8")
    enqueue(str(shop.home), str(shop.session("s", REQUEST, "shop/receipt.py")))
    assert absorber.main(str(shop.home)) == 0
    said = [str(line["w"]) for line in spool.lines(str(shop.spool_file(sweeping.SESSION)))]
    assert any(words.startswith("no backup was made: ") for words in said)
    assert titles(shop)


def test_a_second_worker_compiles_no_pattern_of_the_source_and_none_of_a_transcript_is_kept(
    shop: Shop,
) -> None:
    """What the source's patterns come to is kept beside the memory, and what a user said is none of it."""
    word = "Zanzibarquittung"
    kept = []
    for number in range(2):
        path = shop.session(f"s{number}", f"{REQUEST} See docs/{word}{number}.md", f"shop/{word}.py")
        enqueue(str(shop.home), str(path))
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", WORKER, str(shop.home), *sys.path], check=True, timeout=60
        )
        (file,) = (shop.home / "cache").glob("absorber-*")
        kept.append(file.read_bytes())
        assert not list((shop.home / QUEUE).iterdir())
    patterns = [set(marshal.loads(data)) for data in kept]
    assert len(patterns[0]) > 300, "those of the modules, and those that were needed"
    assert {key for key in patterns[1] if key[0].isdigit()} == {
        key for key in patterns[0] if key[0].isdigit()
    }
    assert word.lower().encode() not in kept[1].lower()
    assert not list((shop.home / "cache").glob("patterns-*")), "a hook reads none of them"
