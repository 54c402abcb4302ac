"""Whether a session that was given a skill applied it, and what the skill's own check then said.

docs/design.md, "Evidence": session evidence counts, either way, only if the session changed one of the
skill's files, or ran one of its steps that is no check, before the check.  Pure.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from honed.sessions.model import FileChange
from honed.skills.model import Skill
from honed.skills.places import relative, shortened
from honed.verdict.checks import covers, same_shape
from honed.verdict.model import Authority, Change, RunResult, Task

_CODE = re.compile(r"`([^`\n]{3,400})`")
_SEPARATORS = re.compile(r"&&|\|\||[;|\n]")
_SAYING = re.compile(r"\w.*\w")
MOST_LINES = 32
"""Lines of a change that are kept as digests."""
LEAST_LENGTH = 6
"""Characters of a line that tells one change from another."""


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
    """What ``task`` proves of ``skill``, by the last run of its check, of another test of the same
    files where the check names single tests, or of a wider one; ``None`` for nothing.

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
    return bool(check) and (covers(wide, own) or same_shape(wide, own))


def written_lines(task: Task, skill: Skill, root: str | None) -> Iterator[str]:
    """The lines that ``task`` wrote into the skill's files, as far as its tools show them."""
    for _, file in _changes_of(task, skill, root):
        for hunk in file.hunks:
            before = set(hunk.old.splitlines())
            yield from (line for line in hunk.new.splitlines() if line not in before)


def _applied_at(task: Task, skill: Skill, root: str | None) -> int | None:
    """The ordinal at which the skill was first applied, ``None`` if it never was."""
    found = [change.at for change, _ in _changes_of(task, skill, root)]
    commands = {_plain(command) for step in skill.draft.steps for command in _CODE.findall(step)}
    commands -= {_plain(skill.draft.check), ""}
    if commands:
        found += [
            step.started
            for step in task.steps
            if step.command and commands & {_plain(part) for part in _SEPARATORS.split(step.command)}
        ]
    return min(found, default=None)


def _changes_of(task: Task, skill: Skill, root: str | None) -> Iterator[tuple[Change, FileChange]]:
    """The changes of the skill's files."""
    files = {file.path for file in skill.draft.files if file.role != "read"}
    folders = {step.id: step.cwd for step in task.steps}
    for change in task.changes:
        if change.weight == "code":
            cwd = folders.get(change.step_id) or task.session.cwd
            for file in change.files:
                if relative(file.path, cwd=cwd, root=root) in files:
                    yield change, file


def _plain(command: str) -> str:
    return " ".join(command.split())


def digest_of(line: str) -> str:
    """A line as it is known again without being kept; empty for one that any file may hold (a bracket)."""
    plain = " ".join(line.split())
    if len(plain) < LEAST_LENGTH or not _SAYING.search(plain):
        return ""
    return hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=6).hexdigest()


def digests(lines: Iterable[str]) -> tuple[str, ...]:
    """The digests of at most ``MOST_LINES`` lines, each once."""
    known = dict.fromkeys(found for line in lines if (found := digest_of(line)))
    return tuple(known)[:MOST_LINES]
