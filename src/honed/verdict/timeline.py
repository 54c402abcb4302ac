"""The timeline of a task, for a terminal: requests, changes and runs, with what counted and why."""

from __future__ import annotations

from collections.abc import Iterator

from honed.verdict.model import Change, Run, Task

WIDTH = 100
"""Columns of a line; longer texts are cut with an ellipsis."""

_CHANGE_WORDS = {
    "code": "changed",
    "documentation": "changed documentation (does not count)",
    "formatting": "formatted (does not count)",
    "scratch": "wrote scratch (does not count)",
    "revert": "took back",
    "commit": "committed",
}
_RUN_MARKS = {
    "pass": "PASS",
    "fail": "FAIL",
    "weak": "pass?",
    "nothing": "-",
    "unknown": "?",
    "not_a_test": "-",
}


def timeline(task: Task) -> Iterator[str]:
    """Yield the lines that explain the verdict of ``task``."""
    verdict = task.verdict
    yield f"{verdict.kind.upper()}: {verdict.reason}"
    if verdict.command is not None:
        proof = f", known by {_authority(verdict.authority)}" if verdict.authority else ""
        yield f"  decided by line {verdict.line}{proof}: {_cut(verdict.command)}"
    if verdict.fail_to_pass:
        yield "  the same check had failed before the change: the strongest proof"
    yield from _moments(task)


def _authority(authority: str) -> str:
    return {
        "exit": "its exit status",
        "summary": "its own summary only",
        "both": "exit status and summary",
    }[authority]


def _moments(task: Task) -> Iterator[str]:
    moments: list[tuple[int, int, str]] = []
    moments += [
        (r.ordinal, r.line, f"asked    {_cut(r.text or '/' + (r.command or ''))}") for r in task.requests
    ]
    moments += [(c.at, c.line, _change(c)) for c in task.changes]
    moments += [(r.started, r.line, _run(r, task.verdict.step_id)) for r in task.runs]
    for _, line, text in sorted(moments, key=lambda moment: moment[0]):
        yield f"  {line:>6}  {text}"


def _change(change: Change) -> str:
    paths = ", ".join(file.path for file in change.files[:4])
    more = f" and {len(change.files) - 4} more" if len(change.files) > 4 else ""
    told = paths + more if paths else change.detail.splitlines()[0] if change.detail else ""
    whose = {"agent": " by another agent", "outside": " from outside"}.get(change.via, "")
    return _cut(f"{_CHANGE_WORDS[change.weight]}{whose}  {told}")


def _run(run: Run, deciding: str | None) -> str:
    result = run.result
    mark = _RUN_MARKS[result.outcome]
    late = f" (until {run.finished})" if run.finished > run.started + 1 else ""
    decided = "  <- decided" if run.step_id == deciding else ""
    return (
        f"ran {mark:<5}{late} {_cut(result.check or run.command, WIDTH // 2)}: {_cut(result.reason)}{decided}"
    )


def _cut(text: str, width: int = WIDTH) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "\u2026"
