"""``honed backfill``: learns from the transcripts that agents left on this disk."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from honed import transcripts
from honed.absorb import Absorbed
from honed.cli.command import STOPPED, Command, Output, verdict_told
from honed.cli.progress import Progress
from honed.counted import several
from honed.errors import RefusedError, UnavailableError, UsageError
from honed.memory import Memory
from honed.owner import opened_by_agent


def _backfill_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="transcripts or folders (default: the clients' own, and nothing else where an agent starts it)",
    )
    parser.add_argument(
        "--agent",
        type=lambda name: name.replace("-", "_"),
        choices=transcripts.CLIENTS,
        help="only this client's folders",
    )
    parser.add_argument("--verbose", action="store_true", help="name every file that was skipped")
    parser.add_argument("--since", metavar="DATE", help="only transcripts changed since this date (ISO-8601)")


def _backfill(options: Namespace, output: Output) -> int:
    if options.agent and options.paths:
        raise UsageError("--agent chooses among the clients' own folders; leave it out when you name paths")
    since = transcripts.since_date(options.since) if options.since else ""
    client = opened_by_agent(os.environ)
    if not options.paths:
        paths = transcripts.default_paths(os.environ, options.agent)
    elif client:
        paths = _own_alone(options.paths, client)
    else:
        paths = transcripts.given_paths(options.paths)
    found = transcripts.in_order(paths, since)
    total, started, stopped = Absorbed(), time.monotonic(), False
    passed = transcripts.passed_over(options.paths)
    if not found:
        # No home is made for nothing.
        output.json(_figures(total, 0.0, stopped) | {"passed_over": passed})
        output.text("No transcripts found. Name a folder: honed backfill PATH")
        _say_passed_over(output, passed)
        return 0
    with Memory.open(options.home) as memory:
        progress = Progress(output, found, total)
        try:
            for item, one in memory.absorb(found, watch=progress.inside):
                total.add(one)
                progress.done(item)
            _back_up(memory, output)
        except KeyboardInterrupt:
            stopped = True
    output.progress_end()
    seconds = time.monotonic() - started
    output.json(_figures(total, seconds, stopped) | {"passed_over": passed})
    _say(output, total, seconds)
    _say_skipped(output, total.skipped, by_name=options.verbose)
    _say_passed_over(output, passed)
    if stopped:
        output.note("honed: stopped; what was read is stored, and the next backfill goes on from there")
        return STOPPED
    return 1 if total.faults else 0


def _own_alone(paths: Sequence[str], client: str) -> Iterator[Path]:
    """Of the transcripts that an agent of ``client`` names those in the clients' own folders: a repository
    may hold one that somebody made up, and what it teaches would be honed's own sentences.

    Raises ``RefusedError`` where a name stands for others alone.
    """
    own = {*map(os.path.realpath, transcripts.default_paths(os.environ))}
    for name in paths:
        named = list(transcripts.given_paths([name]))
        kept = [path for path in named if os.path.realpath(path) in own]
        if named and not kept:
            raise RefusedError(
                f"transcripts outside the clients' own folders are the owner's alone to name, and {client} "
                "started this; nothing was read. Leave PATH out, or run it in a terminal of your own"
            )
        yield from kept


def _back_up(memory: Memory, output: Output) -> None:
    """The copy of the day, if it is due: who has no hooks gets it here."""
    try:
        memory.backup_if_due()
    except UnavailableError as error:
        output.note(f"honed: no backup was made: {error}")


def _say_passed_over(output: Output, passed: int) -> None:
    if passed:
        files = several(passed, "Markdown file")
        output.text(f"Passed over {files}: not a transcript honed reads (no results of commands are in it).")


def _figures(total: Absorbed, seconds: float, stopped: bool) -> dict[str, object]:
    return {
        "sessions": total.sessions,
        "tasks": total.tasks,
        "kept": total.kept,
        "idle": total.idle,
        "known": total.known,
        "meanwhile": total.meanwhile,
        "private": total.private,
        "verdicts": dict(sorted(total.verdicts.items())),
        "clients": {
            client: dict(sorted(counts.items())) for client, counts in sorted(total.by_client.items())
        },
        "learned": total.learned,
        "confirmed": total.confirmed,
        "revised": total.revised,
        "withdrawn": total.withdrawn,
        "untaught": total.untaught,
        "unchanged": total.unchanged,
        "excluded": total.excluded,
        "skipped": [{"path": path, "reason": reason} for path, reason in total.skipped],
        "skipped_lines": total.skipped_lines,
        "bytes": total.bytes,
        "seconds": round(seconds, 3),
        "stopped": stopped,
    }


def _say(output: Output, total: Absorbed, seconds: float) -> None:
    read = f"Read {several(total.sessions, 'transcript')} ({total.bytes / 1e6:.1f} MB) in {seconds:.1f} s"
    output.text(f"{read}; {total.unchanged} were read before and have not changed.")
    if total.excluded:
        output.text(f"Kept out {total.excluded} of folders that you exclude.")
    if total.tasks:
        _say_tasks(output, total)
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
    if total.untaught:
        tasks = several(total.untaught, "verified task")
        output.text(f"{tasks} taught nothing that was not known or worth a skill.")
    if total.skipped_lines:
        output.text(f"Passed over {several(total.skipped_lines, 'line')} that could not be read.")


def _say_skipped(output: Output, skipped: Sequence[tuple[str, str]], *, by_name: bool) -> None:
    """What was not read, and why: each reason once, unless every file is to be named."""
    reasons = Counter(reason for _, reason in skipped)
    for path, reason in skipped:
        if by_name or reasons[reason] == 1:
            output.text(f"Skipped {path}: {reason}")
    grouped = [(reason, count) for reason, count in reasons.most_common() if count > 1 and not by_name]
    for reason, count in grouped:
        output.text(f"Skipped {count} files: {reason}")
    if grouped:
        output.text("--verbose names each of them.")


def _say_tasks(output: Output, total: Absorbed) -> None:
    """The tasks, so that they add up to what ``honed stats`` counts."""
    # Where nothing was changed or run there is nothing to judge: those are all of verdict "none".
    verdicts = Counter(total.verdicts)
    verdicts["none"] -= total.idle
    told = ", ".join(f"{count} {verdict_told(kind)}" for kind, count in verdicts.most_common() if count > 0)
    left = [
        f"{count} {word}"
        for count, word in (
            (total.idle, "in which nothing was changed or run"),
            (total.known - total.meanwhile, "known from before"),
            (total.meanwhile, "kept by another backfill at the same time"),
            (total.private, "in folders that you exclude"),
        )
        if count
    ]
    new = f" New in memory: {total.kept}; besides, {', '.join(left)}." if left else ""
    output.text(f"Tasks: {total.tasks}{f' ({told})' if told else ''}.{new}")


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
