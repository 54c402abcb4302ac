"""What the store costs at a thousand, ten thousand and a hundred thousand skills.

    python -m bench.store_speed [SIZE ...]

Learning one skill beside the floor: a row of the same text put into a plain table of another database,
synced as honed syncs, in turns, so that both meet the same machine.  Bounds: learning p50 <= 5 ms at any
size; verify and rebuild near-linear.  CPU time is of this process; wall time depends on who else is at work.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice

from bench.machine import heading
from bench.texts import learnings
from honed.ledger.canonical import canonical
from honed.ledger.model import NewEvent
from honed.store.connection import database_path
from honed.store.sqlite import SqliteStore

SIZES = (1_000, 10_000, 100_000)
SAMPLES = 200
BATCH = 500


def timed(act: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of CPU and wall time."""
    cpu, wall = time.process_time(), time.perf_counter()
    act()
    return (time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3


def floor(folder: str) -> Callable[[NewEvent], None]:
    """A table with one text a row, in WAL mode, synced at each commit."""
    connection = sqlite3.connect(os.path.join(folder, "floor.db"), isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE texts (n INTEGER PRIMARY KEY, body TEXT)")

    def put(event: NewEvent) -> None:
        connection.execute("INSERT INTO texts (body) VALUES (?)", (canonical(dict(event.body)),))

    return put


def spread(values: list[float]) -> str:
    """Median and 95th percentile."""
    ordered = sorted(values)
    return f"{statistics.median(ordered):6.2f} / {ordered[int(len(ordered) * 0.95)]:6.2f}"


def measure(size: int, folder: str) -> None:
    """Fill a home, and print what it costs."""
    new = learnings(size + SAMPLES)
    home = os.path.join(folder, f"home{size}")
    with SqliteStore.open(home) as store:
        started = time.process_time()
        while batch := list(islice(new, min(BATCH, size - store.stats().events))):
            store.append(batch)
        print(
            f"  {size:>7} skills, filled in {time.process_time() - started:.0f} CPU s (texts made meanwhile)"
        )
        learn(store, new, folder)
        for name, act in (
            ("verify", store.verify),
            ("verify --strict", lambda: store.verify(strict=True)),
            ("rebuild (with its backup)", store.rebuild),
        ):
            cpu, wall = (value / 1e3 for value in timed(act))
            print(f"    {name:<26} {cpu:7.2f} CPU s  {wall:7.2f} s  {cpu / size * 1e3:6.3f} CPU ms a skill")
        texts = store._connection.execute("SELECT sum(length(CAST(body AS BLOB))) FROM payloads").fetchone()[
            0
        ]
    there, skills = os.path.getsize(database_path(home)), size + SAMPLES
    print(f"    {there / skills:.0f} bytes a skill in the file, {there / texts:.1f} x its text as JSON")


def learn(store: SqliteStore, new: Iterator[NewEvent], folder: str) -> None:
    """Learn skills one by one beside the floor."""
    put = floor(folder)
    ours, theirs = [], []
    for event in new:
        ours.append(timed(lambda event=event: store.append([event])))  # type: ignore[misc]
        theirs.append(timed(lambda event=event: put(event)))  # type: ignore[misc]
    print("    p50 / p95 in ms              CPU              wall")
    for name, values in (("learn", ours), ("floor", theirs)):
        print(f"    {name:<22} {spread([v[0] for v in values])}  {spread([v[1] for v in values])}")


def main(sizes: tuple[int, ...] = SIZES) -> None:
    """Print the table of each size."""
    print(heading(f"Store, {SAMPLES} single learnings at each size"))
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="honed-speed-") as folder:
            measure(size, folder)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
