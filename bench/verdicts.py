"""Agreement of the judge with labels written by careful reading.

``HONED_TRANSCRIPTS`` names a folder with ``labelled_*.jsonl`` (one session a line: file, verdict,
strict_verdict) and the transcripts that they name.  Labels of single tasks are ``bench/labels``.
Prints a table and every disagreement, then what judging costs beside reading.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.cost import judging
from bench.machine import heading
from honed.sessions.model import Event, Request
from honed.sessions.reading import read
from honed.transcripts import beside
from honed.verdict.model import Task
from honed.verdict.tasks import split

LABELS = Path(__file__).parent / "labels"


def labels(folder: Path, pattern: str) -> Iterator[dict[str, Any]]:
    """The rows of every label file that matches ``pattern``."""
    for path in sorted(folder.glob(pattern)):
        with path.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def tasks_of(path: Path, *, whole: bool, until: int | None = None) -> list[Task]:
    """The judged tasks of one transcript, as they stood before the first request behind line ``until``."""
    with path.open("rb") as stream:
        events = read(stream, name=path.name, related=beside(path))
        return list(split(_until(events, until), whole=whole))


def _until(events: Iterator[Event], line: int | None) -> Iterator[Event]:
    for event in events:
        if line is not None and isinstance(event, Request) and event.line > line:
            return
        yield event


def sessions(folder: Path, *, verbose: bool) -> None:
    """Print agreement on whole sessions."""
    rows = list(labels(folder, "labelled_*.jsonl"))
    agreed, false_verified, table = 0, 0, Counter[tuple[str, str]]()
    disagreements = []
    started = time.perf_counter()
    for row in rows:
        tasks = tasks_of(folder / row["file"], whole=True)
        ours: str = tasks[-1].verdict.kind if tasks else "none"
        table[row["verdict"], ours] += 1
        if ours in (row["verdict"], row["strict_verdict"]):
            agreed += 1
            continue
        false_verified += ours == "verified"
        disagreements.append((row, tasks[-1].verdict if tasks else None))
    print(heading(f"Sessions: {len(rows)} labelled, {time.perf_counter() - started:.1f} s"))
    print(
        f"  agreement {agreed}/{len(rows)} = {agreed / max(1, len(rows)):.3f},"
        f" false verified {false_verified}"
    )
    for (label, ours), count in sorted(table.items()):
        print(f"  label {label:<9} judged {ours:<9} {count}")
    for row, verdict in disagreements:
        print(
            f"  - {row['file']}\n    label {row['verdict']} (line {row.get('deciding_line')}):"
            f" {row.get('note', '')}"
        )
        if verdict is not None:
            print(f"    judged {verdict.kind} (line {verdict.line}): {verdict.reason}")
            if verbose and verdict.command:
                print(f"    command: {verdict.command[:200]!r}")


def tasks(folder: Path) -> None:
    """Print agreement on single tasks, by the labels in ``bench/labels`` (no text in them: a transcript is
    named by its digest, a task by the lines of its requests)."""
    by_digest = {_digest(path): path for path in sorted(folder.rglob("*.jsonl"))}
    rows = [row for row in labels(LABELS, "tasks.jsonl") if row["transcript"] in by_digest]
    agreed, false_verified, table = 0, 0, Counter[tuple[str, str]]()
    for row in rows:
        path = by_digest[row["transcript"]]
        found = tasks_of(path, whole=False, until=row["last_request_line"])
        ours = found[-1] if found else None
        kind: str = ours.verdict.kind if ours else "missing"
        table[row["verdict"], kind] += 1
        if kind in (row["verdict"], row["strict_verdict"]):
            agreed += 1
            continue
        false_verified += kind == "verified"
        print(
            f"  - {path.relative_to(folder)} requests {row['first_request_line']}-{row['last_request_line']}:"
        )
        print(
            f"    label {row['verdict']}{', in doubt' * row['doubt']} (line {row['deciding_line']}),"
            f" judged {kind}"
        )
        if ours:
            lines = [request.line for request in ours.requests]
            print(f"    requests {lines}; {ours.verdict.reason} (line {ours.verdict.line})")
    print(heading(f"Tasks: {len(rows)} labelled"))
    share = agreed / max(1, len(rows))
    print(f"  agreement {agreed}/{len(rows)} = {share:.3f}, false verified {false_verified}")
    for (label, kind), count in sorted(table.items()):
        print(f"  label {label:<9} judged {kind:<9} {count}")


def cost(folder: Path) -> None:
    """Print the CPU time of judging beside that of reading, over every transcript below ``folder``."""
    judging(sorted(folder.rglob("*.json*")))


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def main() -> None:
    """Entry point of ``python -m bench.verdicts [--verbose]``."""
    folder = os.environ.get("HONED_TRANSCRIPTS")
    if not folder:
        sys.exit("Set HONED_TRANSCRIPTS to a folder with labelled_*.jsonl and the transcripts they name.")
    sessions(Path(folder), verbose="--verbose" in sys.argv)
    tasks(Path(folder))
    cost(Path(folder))


if __name__ == "__main__":
    main()
