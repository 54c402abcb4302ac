"""How long maintenance holds the write lock over a large memory.

Two figures: the CPU time of the longest write transaction, and how long a second process, which tries for the
write lock all the time, was refused at most (wall time, so a loaded machine and the disk are in it).  Each
step of ``honed.maintenance`` runs with work waiting: spool files of many sessions.

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
from multiprocessing.connection import Connection
from pathlib import Path

from bench.filling import filled
from bench.machine import heading
from bench.recall_speed import skills
from honed.hooks import spool
from honed.maintenance import STEPS
from honed.store.connection import database_path
from honed.store.sqlite import SqliteStore
from honed.store.tidying import tidy

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
    """A store that knows the CPU time (ms) of its longest write transaction."""

    longest = 0.0

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with super()._writing():
            begin = time.process_time()
            yield
            self.longest = max(self.longest, (time.process_time() - begin) * 1000)


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
        spooled(home, [one.id for one in store.faded("2200-01-01T00:00:00.000Z")[:1000]])
        work: dict[str, Callable[[], object]] = {
            step.__name__.strip("_"): partial(step, home, store) for step in STEPS
        }
        work["tidy full texts"] = partial(tidy, store._connection)
        work["list what faded"] = partial(store.faded, "2027-01-01T00:00:00.000Z")
        for name, one in work.items():
            store.longest = 0.0
            waited, took = held(path, one)
            longest = max(longest, store.longest)
            print(
                f"  {name:18}{store.longest:8.1f} ms CPU in one transaction  {waited:8.1f} ms refused"
                f"  {took:7.2f} s CPU in all"
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
