"""What honed costs beside what cannot be avoided.

Backfill beside ``json.loads`` of every line of the same files (bound: 12 x), judging beside reading
(bound: 1 x), and ``honed --version`` beside ``python -I -c pass`` (bound: 2 x).  ``HONED_TRANSCRIPTS``
names a folder of transcripts; without it the bundled demo sessions, repeated, stand in.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from bench.machine import heading
from honed import transcripts
from honed.demo.stories import STORIES
from honed.memory import Memory
from honed.sessions.model import Event
from honed.sessions.reading import UnknownTranscriptError, read
from honed.verdict.model import Task
from honed.verdict.tasks import split


def parse_seconds(paths: Sequence[Path]) -> float:
    """CPU seconds to ``json.loads`` every line (or the document) of the files."""
    started = time.process_time()
    for path in paths:
        with path.open("rb") as stream:
            for line in stream:
                try:
                    json.loads(line)
                except (ValueError, RecursionError):
                    continue
    return time.process_time() - started


def backfill_seconds(paths: Sequence[Path]) -> tuple[float, int]:
    """CPU seconds of a backfill into an empty home, and the skills learned."""
    found = transcripts.in_order(paths)
    with tempfile.TemporaryDirectory() as home, Memory.open(home) as memory:
        started = time.process_time()
        learned = sum(one.learned for _, one in memory.absorb(found))
        return time.process_time() - started, learned


def reading_seconds(
    paths: Sequence[Path], consume: Callable[[Iterator[Event]], Iterable[Event | Task]]
) -> float:
    """CPU seconds to read the files through ``consume``: ``iter`` reads only, ``split`` judges as well."""
    started = time.process_time()
    for path in paths:
        try:
            with path.open("rb") as stream:
                events = read(stream, name=path.name, related=transcripts.beside(path))
                for _ in consume(events):
                    pass
        except UnknownTranscriptError:
            continue
    return time.process_time() - started


def judging(paths: Sequence[Path], rounds: int = 5) -> None:
    """Print the CPU time of judging beside that of reading, each file's the least of interleaved rounds.

    The least of each file, not of a whole round: other work on the machine spoils some file in every round.
    """
    reading = both = 0.0
    timed = [[_timed(path) for path in paths] for _ in range(rounds)]
    for times in zip(*timed, strict=True):
        reading += min(alone for alone, _ in times)
        both += min(judged for _, judged in times)
    judged = both - reading
    print(
        heading(f"Judging beside reading, {len(paths)} files, each the least of {rounds} interleaved rounds")
    )
    print(f"  reading {reading:.2f} CPU s, judging {judged:.2f} CPU s more = {judged / reading:.2f} x")


def _timed(path: Path) -> tuple[float, float]:
    """CPU seconds to read one file, and to read and judge it."""
    return reading_seconds([path], iter), reading_seconds([path], split)


def backfill() -> None:
    """Print the cost of a backfill, then of its judging beside its reading."""
    with tempfile.TemporaryDirectory() as made:
        folder = os.environ.get("HONED_TRANSCRIPTS")
        paths = [item.path for item in transcripts.in_order(transcripts.given_paths([folder or _made(made)]))]
        size = sum(path.stat().st_size for path in paths)
        floor = statistics.median(parse_seconds(paths) for _ in range(3))
        cost, learned = backfill_seconds(paths)
        judging(paths)
    print(
        heading(f"Backfill of {len(paths)} files, {size / 1e6:.1f} MB ({'given' if folder else 'bundled'})")
    )
    print(f"  json.loads per line {floor:.2f} CPU s; backfill {cost:.2f} CPU s = {cost / floor:.1f} x")
    print(f"  {learned} skills learned")
    print(f"  throughput {size / 1e6 / cost:.1f} MB per CPU second")


def _made(folder: str) -> str:
    for copy in range(40):
        for number, (_, story) in enumerate(STORIES):
            text = story(f"/home/dev/shop{copy}").text()
            Path(folder, f"{copy}-{number}.jsonl").write_text(text, encoding="utf-8")
    return folder


def start() -> None:
    """Print how long ``honed --version`` takes beside an empty interpreter."""
    program = shutil.which("honed", path=str(Path(sys.executable).parent)) or "honed"
    floor_command = [sys.executable, "-I", "-c", "pass"]
    pairs = [(_wall([program, "--version"]), _wall(floor_command)) for _ in range(31)]
    ours = statistics.median(a for a, _ in pairs)
    floor = statistics.median(b for _, b in pairs)
    ratio = statistics.median(a / b for a, b in pairs)
    print(heading("Start, median of 31 interleaved pairs"))
    print(f"  honed --version {ours * 1e3:.1f} ms; python -I -c pass {floor * 1e3:.1f} ms; ratio {ratio:.2f}")


def _wall(argv: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


if __name__ == "__main__":
    start()
    backfill()
