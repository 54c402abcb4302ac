"""What became of a change that a session made with a skill: the commit that holds it, and whether that was
taken back.

Git is asked in the background alone (behind absorbing, by `honed decay`), never by a hook: with lists of
arguments, a time limit for each question and one for all of them, and nothing of a repository's own set-up
that starts a program.  What cannot be told now a later look tells; after ``LOOK_DAYS`` nobody looks any more.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from honed.applied import digest_of
from honed.ledger import events
from honed.ledger.canonical import format_instant, from_epoch, parse_instant
from honed.ledger.model import Evidence, NewEvent
from honed.ledger.rows import TaskRow
from honed.skills.model import Skill
from honed.store.base import Store
from honed.store.receiving import Use

LOOK_DAYS = 30
"""Days after a change in which its commit, and what became of that, is looked for."""
MOST_TASKS = 20
"""Tasks that one look asks git about, the newest first."""
SECONDS, SECONDS_IN_ALL = 5.0, 20.0
COMMITS = 20
"""Commits of the skill's files that are compared with a change, the first after it."""
HELD = 0.5
"""Share of a change's lines that its commit must hold: some are changed again before that."""
_OUTPUT_LIMIT = 1024 * 1024
_PLAIN = (
    *("--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false", "-c", "log.showSignature=false"),
)
_ENVIRON = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
    # What is missing in a partial clone is not fetched: that would start what the remote's set-up names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}
"""git(1), "Environment variables"."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit by its full name, and when it was made (ISO-8601 UTC)."""

    name: str
    at: str


@dataclass(frozen=True, slots=True)
class Repository:
    """The git work tree at ``root``, asked until ``deadline`` (as ``time.monotonic`` counts)."""

    root: str
    deadline: float

    def holding(self, files: Iterable[str], lines: Iterable[str], since: str) -> Commit | None:
        """The first commit of ``files`` after ``since`` that adds most of ``lines`` (digests)."""
        wanted, paths = frozenset(lines), list(files)
        if not (wanted and paths):
            return None
        told = self._ask("log", "--format=%H %ct", f"--since={since}", "--reverse", "--", *paths)
        for line in told.splitlines()[:COMMITS]:
            name, _, at = line.partition(" ")
            shown = self._ask(
                "show", "--format=", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
                "--ignore-submodules=all", name, "--", *paths,
            )  # fmt: skip
            added = {digest_of(text[1:]) for text in shown.splitlines() if text.startswith("+")}
            if len(wanted & added) >= HELD * len(wanted):
                return Commit(name, from_epoch(int(at)))
        return None

    def reverting(self, commit: str) -> Commit | None:
        """The commit that says that it takes ``commit`` back, as `git revert` writes it."""
        wanted = f"This reverts commit {commit}"
        told = self._ask(
            "log", "--format=%H %ct", "-n1", "--fixed-strings", f"--grep={wanted}", f"{commit}.."
        )
        name, _, at = told.strip().partition(" ")
        return Commit(name, from_epoch(int(at))) if at.isdecimal() else None

    def _ask(self, *words: str) -> str:
        """What git says; nothing where it fails or is too slow."""
        left = min(SECONDS, self.deadline - time.monotonic())
        if left <= 0:
            return ""
        environ = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | _ENVIRON
        try:
            done = subprocess.run(
                ["git", *_PLAIN, "-C", self.root, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=left,
                env=environ,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return "" if done.returncode else done.stdout[:_OUTPUT_LIMIT].decode("utf-8", "replace")


def look(store: Store, *, seconds: float = SECONDS_IN_ALL) -> int:
    """Record as evidence what became of the changes of the last days; returns how many pieces are new.

    Raises ``UnavailableError``.
    """
    oldest = format_instant(parse_instant(store.now()) - timedelta(days=LOOK_DAYS))
    deadline = time.monotonic() + seconds
    roots = _roots(store)
    new: list[NewEvent] = []
    for use in store.uses_with_lines(oldest, MOST_TASKS):
        task, skill = store.task(use.task), store.skill(use.skill)
        root = roots.get(task.project) if task is not None else None
        if task is not None and skill is not None and root and time.monotonic() < deadline:
            new += _told(store, Repository(root, deadline), use, task, skill)
    results = store.append(new) if new else ()
    return sum(result.status == "written" for result in results)


def _told(store: Store, repository: Repository, use: Use, task: TaskRow, skill: Skill) -> Iterator[NewEvent]:
    """What git says of one use that the ledger does not say yet."""
    rows = [row for row in store.evidence(skill.id) if row.task == task.id]
    if any(row.kind == "diff_reverted" for row in rows):
        return
    files = [file.path for file in skill.draft.files if file.role != "read"]
    commit = repository.holding(files, use.lines, use.at)
    if commit is None:
        return
    reverted = repository.reverting(commit.name)
    if not any(row.kind == "diff_accepted" for row in rows):
        yield _evidence(task, skill, "diff_accepted", commit)
    if reverted is not None:
        yield _evidence(task, skill, "diff_reverted", reverted)


def _evidence(task: TaskRow, skill: Skill, kind: Evidence, commit: Commit) -> NewEvent:
    occasion = events.Occasion(task.client, task.session, f"{task.id}:{commit.name}:{kind}", commit.at)
    note = f"commit {commit.name[:12]}"
    return events.evidence(occasion, skill.id, kind, task=task.id, applied=True, note=note)


def _roots(store: Store) -> dict[str, str]:
    """A work tree of each project that is there."""
    found: dict[str, str] = {}
    for project in store.projects():
        for alias in project.aliases:
            if alias.kind == "path" and alias.state != "split" and project.id not in found:
                if os.path.exists(os.path.join(alias.value, ".git")):
                    found[project.id] = alias.value
    return found
