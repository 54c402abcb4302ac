"""What the store costs at a thousand, ten thousand and a hundred thousand skills.

    python -m bench.store_speed [--peers] [SIZE ...]

Learning one skill beside the floor: a row of the same text put into a plain table of another database,
synced as honed syncs, in turns, so that both meet the same machine.  Bounds: learning p50 <= 5 ms at any
size; verify and rebuild near-linear.  CPU time is of this process; wall time depends on who else is at work.
``--peers`` has skillmem keep the same texts (up to 10,000), by its own storage room and in its own Python.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from bench.machine import heading
from bench.peers.environments import SKILLMEM, default_cache, prepared
from bench.peers.worker import Worker
from bench.texts import learnings
from honed.ledger.canonical import canonical
from honed.ledger.model import NewEvent
from honed.store.connection import database_path
from honed.store.sqlite import SqliteStore

SIZES = (1_000, 10_000, 100_000)
SAMPLES = 200
BATCH = 500
PEER_LIMIT = 10_000
"""Skills that a peer is filled with at most: it takes the time of its own texts, not ours."""


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
            ("backup", store.backup),
        ):
            cpu, wall = (value / 1e3 for value in timed(act))
            print(f"    {name:<26} {cpu:7.2f} CPU s  {wall:7.2f} s  {cpu / size * 1e3:6.3f} CPU ms a skill")
        texts = store._connection.execute("SELECT sum(length(CAST(body AS BLOB))) FROM payloads").fetchone()[
            0
        ]
    opened = [timed(lambda: SqliteStore.open(home).close()) for _ in range(20)]
    print(f"    open and close, CPU ms     {spread([cpu for cpu, _ in opened])}")
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


def document(event: NewEvent) -> dict[str, object]:
    """The same text as a peer takes it."""
    draft = event.body["draft"]
    assert isinstance(draft, Mapping)
    lines = [str(line) for name in ("steps", "pitfalls", "outcome") for line in _lines(draft.get(name))]
    return {
        "key": event.body["slug"],
        "group": str(event.body["project"]),
        "title": draft["title"],
        "description": draft["trigger"],
        "text": "\n".join(lines),
    }


def _lines(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return (
        [line for item in value for line in _lines(item)]
        if isinstance(value, list | tuple)
        else [value or ""]
    )


def peer(size: int, folder: str) -> None:
    """Have skillmem keep the same texts, and print what that costs."""
    python = prepared(SKILLMEM, default_cache())
    with Worker(SKILLMEM.module, Path(folder), python) as worker:
        documents = [document(event) for event in learnings(size + SAMPLES)]
        before = _cpu_of(worker)
        for start in range(0, size, BATCH):
            worker.ask("keep", documents=documents[start : min(start + BATCH, size)])
        filled, before = _cpu_of(worker) - before, _cpu_of(worker)
        walls = [1e3 * worker.ask("keep", documents=[one]) for one in documents[size:]]
        mean = 1e3 * (_cpu_of(worker) - before) / SAMPLES
    files = [path for path in Path(folder, SKILLMEM.module).rglob("*") if path.is_file()]
    there = sum(path.stat().st_size for path in files if path.name != "stderr.txt")
    print(
        f"    {SKILLMEM.requirement}: filled in {filled:.0f} CPU s, keeping one {mean:.2f} ms of CPU (mean),"
    )
    print(f"    {spread(walls)} ms of wall time (p50 / p95), {there / len(documents):.0f} bytes a skill")


def _cpu_of(worker: Worker) -> float:
    """Seconds of CPU that a worker has taken (Linux, proc_pid_stat(5): utime and stime)."""
    stat = Path(f"/proc/{worker._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the table of each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    print(heading(f"Store, {SAMPLES} single learnings at each size"))
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="honed-speed-") as folder:
            measure(size, folder)
            if options.peers and size <= PEER_LIMIT:
                peer(size, folder)


if __name__ == "__main__":
    main()
