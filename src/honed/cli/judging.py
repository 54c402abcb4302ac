"""``honed judge``: what a transcript, or a run of tests, proves.  Stores nothing."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path

from honed.cli.command import Command, Output
from honed.errors import HonedError, NotFoundError, UnavailableError, UsageError
from honed.memory import Memory
from honed.sessions.reading import read
from honed.transcripts import beside
from honed.verdict.interpret import interpret
from honed.verdict.model import Run, RunResult, Task
from honed.verdict.runners import DEFAULT, Rules
from honed.verdict.tasks import split
from honed.verdict.timeline import timeline


def _judge_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="a transcript")
    parser.add_argument("--session", action="store_true", help="one verdict for the whole session")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="a timeline for people: requests, changes, runs, what counted and why",
    )
    parser.add_argument(
        "--runs",
        metavar="FILE",
        help='JSON lines {"command", "exit_code", "output"} ("-" for standard input) instead of a transcript',
    )


def _judge(options: Namespace, output: Output) -> int:
    if (options.path is None) == (options.runs is None):
        raise UsageError("judge takes either a transcript or --runs FILE")
    rules = _rules(options.home, output)
    if options.runs is not None:
        if options.explain:
            raise UsageError("--explain tells a transcript; --runs has no story")
        for value in _run_lines(options.runs, rules):
            output.line(value)
        return 0
    path = Path(options.path)
    if not path.is_file():
        raise _no_file(path)
    try:
        with path.open("rb") as stream:
            events = read(stream, name=path.name, related=beside(path))
            for task in split(events, whole=options.session, rules=rules):
                if options.explain and not output.as_json:
                    _explain(output, task)
                else:
                    output.line(task_json(task))
    except PermissionError as error:
        raise UnavailableError(f"{path} cannot be read: permission denied") from error
    return 0


def _rules(home: str | None, output: Output) -> Rules:
    """The runners that are known, the owner's own too where the memory can tell them."""
    try:
        return Memory.settings(home).rules()
    except HonedError as error:  # what a transcript proves is told all the same
        output.note(f"honed: without test runners of your own: {error}")
        return DEFAULT


def _explain(output: Output, task: Task) -> None:
    for line in timeline(task):
        output.text(line)
    output.text()


def _no_file(path: Path) -> HonedError:
    if path.is_dir():
        return UsageError(f"{path} is a folder; name one transcript (`honed backfill` reads folders)")
    return NotFoundError(f"{path}: no such file; name a transcript")


def _run_lines(name: str, rules: Rules) -> Iterator[dict[str, object]]:
    if name == "-":
        yield from _judged_lines(sys.stdin.buffer, "standard input", rules)
        return
    path = Path(name)
    if not path.is_file():
        raise _no_file(path)
    with path.open("rb") as stream:
        yield from _judged_lines(stream, name, rules)


def _judged_lines(lines: Iterable[bytes], name: str, rules: Rules) -> Iterator[dict[str, object]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _judged_line(line, f"{name}, line {number}", rules)


def _judged_line(line: bytes, where: str, rules: Rules) -> dict[str, object]:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON ({error})") from error
    if not isinstance(value, dict) or not isinstance(value.get("command"), str):
        raise UsageError(f'{where}: needs an object with "command" (text), "exit_code" and "output"')
    code, text = value.get("exit_code"), value.get("output", "")
    if not (code is None or (isinstance(code, int) and not isinstance(code, bool))):
        raise UsageError(f'{where}: "exit_code" must be a whole number or null')
    if not isinstance(text, str):
        raise UsageError(f'{where}: "output" must be text')
    return value | result_json(interpret(value["command"], code, text, rules=rules))


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
        "tampering": [{"kind": t.kind, "path": t.path, "detail": t.detail} for t in verdict.tampering],
        "signs": [
            {"kind": s.kind, "outcome": s.outcome, "line": s.line, "command": s.command} for s in task.signs
        ],
        "files": list(files),
        "open": task.open,
        "runs": [_run_json(run) for run in task.runs],
    }


COMMANDS = {
    "judge": Command(
        _judge,
        _judge_arguments,
        description=(
            "Say what a transcript proves, storing nothing. Prints JSON lines: one for each task (or run), "
            "with the verdict and the reason."
        ),
        example="honed judge ~/.claude/projects/-home-me-shop/5b0e1c1e.jsonl",
    ),
}
