"""``honed backfill``: learns from the transcripts that agents left on this disk."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from honed import transcripts
from honed.absorb import Absorbed
from honed.cli.command import STOPPED, Command, Output
from honed.errors import UsageError
from honed.memory import Memory
from honed.transcripts import Found

SHOWN = 20
"""So many skipped files are named one by one."""


def _backfill_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="transcripts or folders (default: the clients' own)"
    )
    parser.add_argument(
        "--agent",
        type=lambda name: name.replace("-", "_"),
        choices=transcripts.CLIENTS,
        help="only this client's folders",
    )
    parser.add_argument("--since", metavar="DATE", help="only transcripts changed since this date (ISO-8601)")


def _backfill(options: Namespace, output: Output) -> int:
    if options.agent and options.paths:
        raise UsageError("--agent chooses among the clients' own folders; leave it out when you name paths")
    since = transcripts.since_date(options.since) if options.since else ""
    paths = (
        transcripts.given_paths(options.paths)
        if options.paths
        else transcripts.default_paths(os.environ, options.agent)
    )
    found = transcripts.in_order(paths, since)
    total, started, stopped = Absorbed(), time.monotonic(), False
    if not found:
        # No home is made for nothing.
        output.json(_figures(total, 0.0, stopped))
        output.text("No transcripts found. Name a folder: honed backfill PATH")
        return 0
    with Memory.open(options.home) as memory:
        progress = _Progress(output, found, total)
        try:
            for item, one in memory.absorb(found, watch=progress.inside):
                total.add(one)
                progress.done(item)
        except KeyboardInterrupt:
            stopped = True
    output.progress_end()
    seconds = time.monotonic() - started
    output.json(_figures(total, seconds, stopped))
    _say(output, total, seconds)
    if stopped:
        output.note("honed: stopped; what was read is stored, and the next backfill goes on from there")
        return STOPPED
    return 1 if total.faults else 0


class _Progress:
    """The line that says how far a backfill is, at most ten times a second."""

    def __init__(self, output: Output, found: Sequence[Found], total: Absorbed) -> None:
        self._output = output
        self._found = found
        self._total = total
        self._number = 0
        self._read = 0
        self._all = sum(item.size for item in found) or 1
        self._began = time.monotonic()
        self._told = 0.0

    def done(self, item: Found) -> None:
        self._number += 1
        self._read += item.size
        self._tell(self._read)

    def inside(self, read: int) -> None:
        self._tell(self._read + read)

    def _tell(self, read: int) -> None:
        now = time.monotonic()
        if now - self._told < 0.1 or not self._output.watched:
            return
        self._told = now
        rate = read / 1e6 / max(now - self._began, 0.001)
        self._output.progress(
            f"{self._number}/{len(self._found)} transcripts, {100 * read // self._all} %, {rate:.0f} MB/s: "
            f"{self._total.verdicts['verified']} tasks verified, {self._total.learned} skills learned"
        )


def _figures(total: Absorbed, seconds: float, stopped: bool) -> dict[str, object]:
    return {
        "sessions": total.sessions,
        "tasks": total.tasks,
        "verdicts": dict(sorted(total.verdicts.items())),
        "clients": {
            client: dict(sorted(counts.items())) for client, counts in sorted(total.by_client.items())
        },
        "learned": total.learned,
        "confirmed": total.confirmed,
        "revised": total.revised,
        "withdrawn": total.withdrawn,
        "unchanged": total.unchanged,
        "excluded": total.excluded,
        "skipped": [{"path": path, "reason": reason} for path, reason in total.skipped],
        "skipped_lines": total.skipped_lines,
        "bytes": total.bytes,
        "seconds": round(seconds, 3),
        "stopped": stopped,
    }


def _say(output: Output, total: Absorbed, seconds: float) -> None:
    read = f"Read {total.sessions} sessions ({total.bytes / 1e6:.1f} MB) in {seconds:.1f} s"
    output.text(f"{read}; {total.unchanged} were read before and have not changed.")
    if total.excluded:
        output.text(f"Kept out {total.excluded} of folders that you exclude.")
    if total.tasks:
        verdicts = ", ".join(f"{count} {kind}" for kind, count in total.verdicts.most_common())
        output.text(f"Tasks: {total.tasks} ({verdicts}).")
    changes = [
        f"{count} {word}"
        for count, word in (
            (total.learned, "learned"),
            (total.confirmed, "confirmed by another session"),
            (total.revised, "improved"),
            (total.withdrawn, "withdrawn, for their proof was lost"),
        )
        if count
    ]
    output.text(f"Skills: {', '.join(changes)}." if changes else "Nothing new was learned.")
    for path, reason in total.skipped[:SHOWN]:
        output.text(f"Skipped {path}: {reason}")
    if len(total.skipped) > SHOWN:
        output.text(f"Skipped {len(total.skipped) - SHOWN} more; --json lists them all.")
    if total.skipped_lines:
        output.text(f"Passed over {total.skipped_lines} lines that could not be read.")


COMMANDS = {
    "backfill": Command(
        _backfill,
        _backfill_arguments,
        description=(
            "Read the transcripts that agents left on this disk, judge each task by its tests, and keep what "
            "was proven. Safe to stop and to run again: it goes on where it was, and learns nothing twice."
        ),
        example="honed backfill --since 2026-01-01   # or: honed backfill some/transcript.jsonl",
    ),
}
