"""How long maintenance holds the write lock over a large memory.

Of each kind of step the CPU time of its write transactions (median, 99 of 100, longest), the longest from
asking for the lock to having committed (wall time, so a loaded machine and the disk are in it), and how long
a second process, which tries for the write lock all the time, was refused at most (the same).  Each step of
``honed.maintenance`` runs with work waiting: spool files of many sessions.  Full texts are tidied twice: as
after any write, and in the worst case, all pieces of all texts merged into one, whose rounds are the longest
where a word stands in every text.

    python -m bench.maintenance [--skills 100000]
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

from bench.filling import filled
from bench.machine import heading
from bench.recall_speed import skills
from honed.hooks import spool
from honed.maintenance import STEPS
from honed.store.connection import database_path
from honed.store.counting import PAUSE, counting
from honed.store.sqlite import SqliteStore
from honed.store.tidying import FULL_TEXTS, MOST_ROUNDS, ROUND_PAGES, rounds

SESSIONS, LINES = 200, 40
"""Spool files that wait, and lines of each."""
BOUND = 50
"""Milliseconds; what is to be kept."""
AT = datetime.now(UTC).strftime("%Y-%m-01T00:00:00Z")
"""As `bench.hooks` fills its memories, so that the same copy serves."""


def spooled(home: str, known: list[str]) -> None:
    """What hooks of many sessions said that they gave."""
    now = int(time.time())
    for session in range(SESSIONS):
        for line in range(LINES):
            ids = {known[(session * LINES + line) % len(known)]: 1}
            told = {
                "t": now - line,
                "e": "prompt",
                "a": "claude_code",
                "r": "gave",
                "n": 200,
                "ids": ids,
                "c": line,
            }
            spool.append(home, f"session-{session}", told)


def refused(path: str, said: Connection) -> None:
    """Try for the write lock until told to stop; says the longest refusal in milliseconds."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    longest = since = 0.0
    said.send("ready")
    while not said.poll():
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            if since:
                longest = max(longest, time.perf_counter() - since)
            since = 0.0
        except sqlite3.OperationalError:
            since = since or time.perf_counter()
        time.sleep(0.0005)
    said.send(longest * 1000)


class Timed(SqliteStore):
    """A store that knows the CPU times (ms) of its write transactions, and the longest wall time of one."""

    spent: list[float]
    wall: float

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with self.timed(), super()._writing():
            yield

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Note what the transaction inside took."""
        begin, wall = time.process_time(), time.perf_counter()
        yield
        self.spent.append((time.process_time() - begin) * 1000)
        self.wall = max(self.wall, (time.perf_counter() - wall) * 1000)


def tidied(store: Timed) -> None:
    """As ``store.tidying.tidy``, with what each round took."""
    for table in FULL_TEXTS:
        _timed(store, islice(rounds(store._connection, table), MOST_ROUNDS))
    _timed(store, counting(store._connection))


def merged(store: Timed) -> None:
    """Merge all pieces of both full texts into one each, in the rounds of tidying."""
    for table in FULL_TEXTS:
        _timed(store, rounds(store._connection, table, -ROUND_PAGES))


def _timed(store: Timed, steps: Iterator[None]) -> None:
    going = True
    while going:
        with store.timed():
            going = next(steps, "done") is None
        time.sleep(PAUSE)


def held(path: str, work: Callable[[], object]) -> tuple[float, float]:
    """The longest refusal (ms) while ``work`` runs, and the CPU seconds that it took."""
    mine, theirs = multiprocessing.Pipe()
    other = multiprocessing.Process(target=refused, args=(path, theirs))
    other.start()
    mine.recv()
    begin = time.process_time()
    work()
    took = time.process_time() - begin
    mine.send("stop")
    longest = float(mine.recv())
    other.join()
    return longest, took


def measure(home: str) -> float:
    """Run every step over a filled memory and print what each held; returns the longest transaction (ms)."""
    path, longest = database_path(home), 0.0
    with Timed.open(home) as store:
        assert isinstance(store, Timed)
        # What filling left in the log is no step's.
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        spooled(home, [one.id for one in store.faded("2200-01-01T00:00:00.000Z")[:1000]])
        work: dict[str, Callable[[], object]] = {
            step.__name__.strip("_"): partial(step, home, store) for step in STEPS
        }
        work["tidy full texts"] = partial(tidied, store)
        work["merge all texts"] = partial(merged, store)
        work["list what faded"] = partial(store.faded, "2027-01-01T00:00:00.000Z")
        print(
            "  step              transactions  median     p99     max ms of CPU  wall max  refused  CPU s all"
        )
        for name, one in work.items():
            store.spent, store.wall = [], 0.0
            waited, took = held(path, one)
            spent = sorted(store.spent) or [0.0]
            longest = max(longest, spent[-1])
            print(
                f"  {name:18}{len(store.spent):12}{median(spent):8.1f}{spent[len(spent) * 99 // 100]:8.1f}"
                f"{spent[-1]:8.1f}{store.wall:20.1f}{waited:9.1f}{took:14.2f}"
            )
    return longest


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--skills", type=int, default=100_000)
    parser.add_argument("--home", help="a memory that is filled already, which is written to")
    options = parser.parse_args()
    what = options.home or f"{options.skills:,} skills"
    print(heading(f"Maintenance over {what}: the longest that the write lock was held"))
    with tempfile.TemporaryDirectory(dir=os.environ.get("HONED_BENCH_FOLDER")) as made:
        home = options.home or str(Path(made, "home"))
        if not options.home:
            filled(home, f"speed-{options.skills}", lambda: skills(options.skills), AT)
        longest = measure(home)
    print(f"longest transaction {longest:.1f} ms of CPU; to be kept: {BOUND} ms")


if __name__ == "__main__":
    main()
