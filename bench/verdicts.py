"""Agreement of the judge with labels written by careful reading.

``HONED_TRANSCRIPTS`` names a folder with ``labelled_*.jsonl`` (one session a line: file, verdict,
strict_verdict) and optionally ``tasks_*.jsonl`` (one task a line: file, first_line, last_line,
verdict), and the transcripts that they name.  Prints a table and every disagreement.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.machine import heading
from honed.sessions.reading import read
from honed.transcripts import beside
from honed.verdict.model import Task
from honed.verdict.tasks import split


def labels(folder: Path, pattern: str) -> Iterator[dict[str, Any]]:
    """The rows of every label file that matches ``pattern``."""
    for path in sorted(folder.glob(pattern)):
        with path.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def tasks_of(path: Path, *, whole: bool) -> list[Task]:
    """The judged tasks of one transcript."""
    with path.open("rb") as stream:
        return list(split(read(stream, name=path.name, related=beside(path)), whole=whole))


def sessions(folder: Path, *, verbose: bool) -> None:
    """Print agreement on whole sessions."""
    rows = list(labels(folder, "labelled_*.jsonl"))
    agreed, false_verified, table = 0, 0, Counter[tuple[str, str]]()
    disagreements = []
    started = time.perf_counter()
    for row in rows:
        tasks = tasks_of(folder / row["file"], whole=True)
        ours = tasks[-1].verdict.kind if tasks else "none"
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
    """Print agreement on single tasks: ours is the task that holds the label's last request."""
    rows = list(labels(folder, "tasks_*.jsonl"))
    agreed, false_verified = 0, 0
    cache: dict[str, list[Task]] = {}
    for row in rows:
        found = cache.setdefault(row["file"], []) or tasks_of(folder / row["file"], whole=False)
        cache[row["file"]] = found
        ours = [
            task for task in found if task.requests and task.requests[-1].line >= row["last_request_line"]
        ]
        verdict = ours[0].verdict.kind if ours else "missing"
        if verdict in (row["verdict"], row.get("strict_verdict", row["verdict"])):
            agreed += 1
            continue
        false_verified += verdict == "verified"
        print(
            f"  - {row['file']} request line {row['last_request_line']}:"
            f" label {row['verdict']}, judged {verdict}"
        )
        print(f"    {row.get('note', '')}")
        if ours:
            print(f"    {ours[0].verdict.reason} (line {ours[0].verdict.line})")
    print(heading(f"Tasks: {len(rows)} labelled"))
    print(
        f"  agreement {agreed}/{len(rows)} = {agreed / max(1, len(rows)):.3f},"
        f" false verified {false_verified}"
    )


def main() -> None:
    """Entry point of ``python -m bench.verdicts [--verbose]``."""
    folder = os.environ.get("HONED_TRANSCRIPTS")
    if not folder:
        sys.exit("Set HONED_TRANSCRIPTS to a folder with labelled_*.jsonl and the transcripts they name.")
    sessions(Path(folder), verbose="--verbose" in sys.argv)
    if any(Path(folder).glob("tasks_*.jsonl")):
        tasks(Path(folder))


if __name__ == "__main__":
    main()
