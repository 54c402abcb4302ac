"""What is left after processes died, and after the power went.

    python -m bench.crash [ROUNDS]

*Killed*: a writer is killed with SIGKILL at a random moment while a second writer goes on and a third
process check-points, backs up, rebuilds and verifies.  *Power cut*: the same on an ext4 file system in a
file, which is shut down (``FS_IOC_SHUTDOWN`` without flushing its log, as xfstests do) and mounted again:
what was not synced is gone, as when the power goes.  It needs root and loop devices, and is left out, and
said, where there are none.  *Crowd*: eight processes of 200 writes each, with a reader in a loop.

After each round every acknowledged write must be there and the ledger must verify.  After a power cut there
are no processes; here they go on for a moment and are told lies by the kernel, so what they acknowledge
after the cut began is not counted.

What this does not show: a disk that lies about having synced, sectors torn in half, other file systems.
"""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.machine import heading
from honed.store.sqlite import SqliteStore

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHUTDOWN = 0x8004587D
"""``FS_IOC_SHUTDOWN``: ``_IOR('X', 125, __u32)`` of the kernel's ext4 and xfs."""
WITHOUT_FLUSHING = 2
IMAGE_BYTES = 192 * 1024 * 1024
MODES = ("ordered", "writeback")
"""Of ext4's ``data=``: in the second a file's new length may be on disk before its content."""
PATIENCE = 300


@dataclass(slots=True)
class Round:
    """What one round acknowledged, and what was wrong afterwards."""

    acknowledged: int = 0
    lost: int = 0
    faults: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


def start(*words: str) -> subprocess.Popen[str]:
    """A process of ``bench.crash_worker``."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((os.path.join(ROOT, "src"), ROOT))}
    return subprocess.Popen(
        [sys.executable, "-m", "bench.crash_worker", *words],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="ascii",
    )


def is_ready(process: subprocess.Popen[str]) -> str:
    """Wait for a process to be ready; returns what else it said."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    return "" if line == "ready" else line


def rest_of(process: subprocess.Popen[str]) -> list[str]:
    """All whole lines that a process said until it ended."""
    out, _ = process.communicate(timeout=PATIENCE)
    return [line for line in out.split("\n")[:-1] if line]


def check(home: str, lines: list[str], result: Round, until: float = float("inf")) -> None:
    """Hold the memory of a home against what was acknowledged and said before ``until`` (monotonic clock)."""
    said = [line.split() for line in lines if line.startswith("written ")]
    written = [(event, subject) for _, event, subject, at in said if float(at) < until]
    result.acknowledged += len(written)
    result.said += [line for line in lines if line.startswith("error")]
    complaints = [line for line in lines if line.startswith(("went back", "faults"))]
    result.said += [line for line in complaints if float(line.split()[-1]) < until]
    with SqliteStore.open(home, wait=30.0) as store:
        known = {str(row[0]) for row in store._connection.execute("SELECT id FROM events")}
        result.lost += sum(event not in known for event, _ in written)
        skills = {skill.id for skill in store.skills()}
        result.lost += sum(subject not in skills for _, subject in written)
        result.faults += [
            f"{fault.code} {fault.where}: {fault.detail}" for fault in store.verify(strict=True)
        ]


def killed(home: str, chance: random.Random, first: int) -> Round:
    """One round of killing."""
    result = Round()
    doomed = start("write", home, str(first), "100000")
    other = start("write", home, str(first + 5_000_000), "12")
    keeper = start("maintain", home)
    result.said += [word for word in map(is_ready, (doomed, other, keeper)) if word]
    time.sleep(chance.uniform(0.0, 1.5))
    doomed.kill()
    lines = rest_of(doomed)
    if chance.random() < 0.5:
        keeper.kill()
    lines += rest_of(other)
    keeper.kill()
    lines += rest_of(keeper)
    check(home, lines, result)
    return result


@contextmanager
def disk(folder: str, mode: str) -> Iterator[str]:
    """An ext4 file system in a file, mounted; yields where."""
    image, place = os.path.join(folder, "disk.img"), os.path.join(folder, "disk")
    if not os.path.exists(image):
        os.makedirs(place, exist_ok=True)
        with open(image, "wb") as file:
            file.truncate(IMAGE_BYTES)
        _run("mkfs.ext4", "-q", "-F", image)
    _run("mount", "-o", f"loop,commit=600,data={mode}", image, place)
    try:
        yield place
    finally:
        _run("umount", place)


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE)


def power_cut_is_possible() -> bool:
    """Whether this machine lets us mount a file system of our own and shut it down."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mkfs.ext4"):
        return False
    folder = tempfile.mkdtemp(prefix="honed-disk-")
    try:
        with disk(folder, MODES[0]) as place:
            cut(place)
        return True
    except (OSError, subprocess.SubprocessError):
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def cut(place: str) -> None:
    """Take the power from a mounted file system: nothing is written to it any more."""
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.ioctl(handle, SHUTDOWN, struct.pack("I", WITHOUT_FLUSHING))
    finally:
        os.close(handle)


def power_cut(folder: str, chance: random.Random, first: int) -> Round:
    """One round on a disk that loses its power."""
    result = Round()
    with disk(folder, chance.choice(MODES)) as place:
        home = os.path.join(place, "home")
        writers = [start("write", home, str(first + n * 5_000_000), "100000") for n in range(2)]
        keeper = start("maintain", home)
        result.said += [word for word in map(is_ready, (*writers, keeper)) if word]
        time.sleep(chance.uniform(0.0, 1.5))
        until = time.monotonic()
        cut(place)
        lines = []
        for process in (*writers, keeper):
            process.kill()
            # The error that a process meets when the disk is gone is no finding.
            lines += [line for line in rest_of(process) if not line.startswith("error")]
    with disk(folder, MODES[0]) as place:
        check(os.path.join(place, "home"), lines, result, until)
    return result


def crowd(home: str, writers: int, writes: int) -> Round:
    """Many writers at once, and a reader in a loop."""
    result = Round()
    with SqliteStore.open(home):
        pass
    reader = start("watch", home)
    result.said += [word for word in [is_ready(reader)] if word]
    processes = [start("write", home, str(n * 1_000_000), str(writes // 2)) for n in range(writers)]
    lines = [line for process in processes for line in rest_of(process) if line != "ready"]
    reader.kill()
    lines += rest_of(reader)
    check(home, lines, result)
    return result


def _report(name: str, rounds: list[Round], seconds: float) -> None:
    said = [line for one in rounds for line in one.said]
    faults = [line for one in rounds for line in one.faults]
    print(
        f"  {name}: {len(rounds)} rounds, {sum(one.acknowledged for one in rounds)} writes acknowledged, "
        f"{sum(one.lost for one in rounds)} lost, {len(faults)} faults, {len(said)} complaints, "
        f"{seconds:.0f} s"
    )
    for line in [*faults, *said][:10]:
        print(f"    {line}")


def main(rounds: int = 50) -> None:
    """Print what became of the acknowledged writes."""
    chance = random.Random(rounds)
    print(heading(f"Crashes: {rounds} rounds each"))
    with tempfile.TemporaryDirectory(prefix="honed-crash-") as folder:
        started = time.monotonic()
        home = os.path.join(folder, "home")
        done = [killed(home, chance, number * 10_000) for number in range(rounds)]
        _report("killed, one home throughout", done, time.monotonic() - started)
        if power_cut_is_possible():
            started = time.monotonic()
            os.mkdir(os.path.join(folder, "cut"))
            done = [
                power_cut(os.path.join(folder, "cut"), chance, number * 10_000) for number in range(rounds)
            ]
            _report("power cut, one home throughout", done, time.monotonic() - started)
        else:
            print("  power cut: left out, this machine lets us mount no file system")
        started = time.monotonic()
        done = [crowd(os.path.join(folder, "crowd"), 8, 200)]
        _report("crowd of 8 x 200 with a reader", done, time.monotonic() - started)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
