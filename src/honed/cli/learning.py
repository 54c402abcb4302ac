"""Commands that read transcripts: ``backfill`` and ``judge``."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from honed import transcripts
from honed.absorb import Absorbed
from honed.cli.command import Command, Output
from honed.errors import NotFoundError, UsageError
from honed.memory import Memory
from honed.sessions.reading import read
from honed.transcripts import Found, beside
from honed.verdict.interpret import interpret
from honed.verdict.model import Run, RunResult, Task
from honed.verdict.tasks import split


def _backfill_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="transcripts or folders (default: the clients' own)"
    )
    parser.add_argument("--agent", choices=transcripts.CLIENTS, help="only this client's folders")
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
    with Memory.open(options.home) as memory:
        try:
            for number, (item, one) in enumerate(memory.absorb(found), 1):
                total.add(one)
                _report(output, item, total, number, len(found), time.monotonic() - started)
        except KeyboardInterrupt:
            stopped = True
    output.progress_end()
    seconds = time.monotonic() - started
    output.json(_figures(total, seconds, stopped))
    _say(output, total, seconds, len(found))
    if stopped:
        output.note("honed: stopped; what was read is stored, and the next backfill goes on from there")
        return 130
    return 0


def _report(output: Output, item: Found, total: Absorbed, number: int, count: int, seconds: float) -> None:
    rate = total.bytes / 1e6 / seconds if seconds > 0 else 0
    output.progress(
        f"{number}/{count} sessions, {rate:.0f} MB/s, {total.verdicts['verified']} tasks verified, "
        f"{total.learned} skills learned  ({item.path.name[:40]})"
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
        "skipped": [{"path": path, "reason": reason} for path, reason in total.skipped],
        "skipped_lines": total.skipped_lines,
        "bytes": total.bytes,
        "seconds": round(seconds, 3),
        "stopped": stopped,
    }


def _say(output: Output, total: Absorbed, seconds: float, found: int) -> None:
    if not found:
        output.text("No transcripts found. Name a folder: honed backfill PATH")
        return
    read_now = f"{total.sessions} sessions ({total.bytes / 1e6:.1f} MB) in {seconds:.1f} s"
    output.text(f"Read {read_now}; {total.unchanged} unchanged since the last time.")
    if total.sessions:
        verdicts = ", ".join(f"{count} {kind}" for kind, count in total.verdicts.most_common())
        output.text(f"Tasks: {total.tasks} ({verdicts or 'none'}).")
    changes = [
        f"{count} {word}"
        for count, word in (
            (total.learned, "learned"),
            (total.confirmed, "confirmed again"),
            (total.revised, "improved"),
            (total.withdrawn, "withdrawn"),
        )
        if count
    ]
    output.text(f"Skills: {', '.join(changes)}." if changes else "Learned nothing new.")
    for path, reason in total.skipped:
        output.text(f"Skipped {path}: {reason}")
    if total.skipped_lines:
        output.text(f"Passed over {total.skipped_lines} lines that could not be read.")


def _judge_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="a transcript")
    parser.add_argument("--session", action="store_true", help="one verdict for the whole session")
    parser.add_argument(
        "--runs",
        metavar="FILE",
        help='JSON lines {"command", "exit_code", "output"} ("-" for standard input) instead of a transcript',
    )


def _judge(options: Namespace, output: Output) -> int:
    if (options.path is None) == (options.runs is None):
        raise UsageError("judge takes either a transcript or --runs FILE")
    if options.runs is not None:
        for value in _run_lines(options.runs):
            output.line(value)
        return 0
    path = Path(options.path)
    if not path.is_file():
        raise NotFoundError(f"{path}: no such file; name a transcript")
    with path.open("rb") as stream:
        events = read(stream, name=path.name, related=beside(path))
        for task in split(events, whole=options.session):
            output.line(task_json(task))
    return 0


def _run_lines(name: str) -> Iterator[dict[str, object]]:
    lines = sys.stdin if name == "-" else Path(name).open(encoding="utf-8")  # noqa: SIM115 -- closed below
    try:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            yield _judged_line(line, f"{name}, line {number}")
    finally:
        if lines is not sys.stdin:
            lines.close()


def _judged_line(line: str, where: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{where}: not JSON ({error})") from error
    if not isinstance(value, dict) or not isinstance(value.get("command"), str):
        raise UsageError(f'{where}: needs an object with "command" (text), "exit_code" and "output"')
    code, text = value.get("exit_code"), value.get("output", "")
    if not (code is None or (isinstance(code, int) and not isinstance(code, bool))):
        raise UsageError(f'{where}: "exit_code" must be a whole number or null')
    if not isinstance(text, str):
        raise UsageError(f'{where}: "output" must be text')
    result = interpret(value["command"], code, text)
    return value | result_json(result)


def result_json(result: RunResult) -> dict[str, object]:
    """What a run said, as JSON."""
    return {
        "outcome": result.outcome,
        "reason": result.reason,
        "runner": result.runner,
        "check": result.check,
        "passed": result.counts.passed,
        "failed": result.counts.failed,
        "skipped": result.counts.skipped,
    }


def _run_json(run: Run) -> dict[str, object]:
    return {"command": run.command, "line": run.line} | result_json(run.result)


def task_json(task: Task) -> dict[str, object]:
    """A judged task as JSON (docs/contract.md, ``honed judge``)."""
    verdict = task.verdict
    files = dict.fromkeys(file.path for change in task.changes for file in change.files)
    return {
        "session": task.session.id,
        "task": task.id,
        "prompt": task.requests[0].text[:500] if task.requests else "",
        "requests": len(task.requests),
        "verdict": verdict.kind,
        "command": verdict.command,
        "check": verdict.check,
        "step": verdict.step_id,
        "line": verdict.line,
        "evidence": verdict.authority,
        "fail_to_pass": verdict.fail_to_pass,
        "reason": verdict.reason,
        "files": list(files),
        "open": task.open,
        "runs": [_run_json(run) for run in task.runs],
    }


COMMANDS = (
    Command(
        "backfill",
        "learn from past sessions",
        _backfill,
        _backfill_arguments,
        "Reads the transcripts that agents left on this disk, judges each task by its tests, and keeps\n"
        "what was proven. Safe to stop and to run again: it goes on where it was, and learns nothing twice.",
    ),
    Command(
        "judge",
        "say what a transcript proves, storing nothing",
        _judge,
        _judge_arguments,
        "Prints JSON lines: one for each task (or run), with the verdict and the reason.",
    ),
)
