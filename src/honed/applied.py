"""Whether a session that was given a skill applied it, and what the skill's own check then said.

docs/design.md, "Evidence": session evidence counts, either way, only if the session changed one of the
skill's files, or ran one of its steps that is no check, before the check.  Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from honed.skills.model import Skill
from honed.skills.places import relative, shortened
from honed.verdict.checks import covers
from honed.verdict.model import Authority, RunResult, Task

_CODE = re.compile(r"`([^`\n]{3,400})`")
_SEPARATORS = re.compile(r"&&|\|\||[;|\n]")


@dataclass(frozen=True, slots=True)
class Proof:
    """What a session says of a skill that it applied: the run that decided, and how it is known."""

    kind: Literal["test_passed", "test_failed"]
    step: str
    authority: Authority | None


def is_applied(task: Task, skill: Skill, root: str | None) -> bool:
    """Whether ``task`` changed one of the skill's files or ran one of its steps that is no check."""
    return _applied_at(task, skill, root) is not None


def proof_of(task: Task, skill: Skill, root: str | None) -> Proof | None:
    """What ``task`` proves of ``skill``, by the last run of its check or a wider one; ``None`` for nothing.

    ``root`` is the project's folder.  A task in which tests were weakened proves nothing good.
    """
    check = skill.draft.check
    if not check or skill.draft.source_task == task.id:
        return None
    since = _applied_at(task, skill, root)
    if since is None:
        return None
    own = RunResult("pass", "", check=check)
    runs = [
        run
        for run in task.runs
        if run.started > since
        and run.result.outcome in ("pass", "fail")
        and _covers(run.result, own, task, root)
    ]
    if not runs:
        return None
    last = max(runs, key=lambda run: run.started)
    if last.result.outcome == "fail":
        return Proof("test_failed", last.step_id, last.result.authority)
    if task.verdict.kind == "tampered":
        return None
    return Proof("test_passed", last.step_id, last.result.authority)


def _covers(result: RunResult, own: RunResult, task: Task, root: str | None) -> bool:
    check = shortened(result.check or "", cwd=task.session.cwd, root=root)
    wide = RunResult(result.outcome, "", runner=result.runner, check=check, counts=result.counts)
    return bool(check) and covers(wide, own)


def _applied_at(task: Task, skill: Skill, root: str | None) -> int | None:
    """The ordinal at which the skill was first applied, ``None`` if it never was."""
    files = {file.path for file in skill.draft.files if file.role != "read"}
    folders = {step.id: step.cwd for step in task.steps}
    found = [
        change.at
        for change in task.changes
        if change.weight == "code"
        for file in change.files
        if relative(file.path, cwd=folders.get(change.step_id) or task.session.cwd, root=root) in files
    ]
    commands = {_plain(command) for step in skill.draft.steps for command in _CODE.findall(step)}
    commands -= {_plain(skill.draft.check), ""}
    if commands:
        found += [
            step.started
            for step in task.steps
            if step.command and commands & {_plain(part) for part in _SEPARATORS.split(step.command)}
        ]
    return min(found, default=None)


def _plain(command: str) -> str:
    return " ".join(command.split())
