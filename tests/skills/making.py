"""Tasks made by hand: a few words say what an agent did, in the values that the judge would give."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from honed.sessions.model import FileChange, Hunk, Request, SessionStart, Step
from honed.verdict.model import Change, Counts, Run, RunOutcome, RunResult, Task, Verdict

ROOT = "/home/dev/shop"


@dataclass
class Story:
    """Collects what happened, one ordinal an event."""

    session: SessionStart = field(
        default_factory=lambda: SessionStart(id="s1", client="claude_code", cwd=ROOT)
    )
    requests: list[Request] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    now: int = 0

    def ask(self, text: str, command: str | None = None) -> Story:
        """The user asks."""
        self.now += 1
        self.requests.append(Request(f"r{self.now}", text, self.now, self.now, command=command))
        return self

    def edit(self, path: str, old: str, new: str, heading: str = "", weight: str = "code") -> Story:
        """An edit tool changes a file (``old`` empty: creates it, unless there is a heading)."""
        action = "update" if old or heading else "create"
        return self._change(path, action, (Hunk(old, new, heading),), weight)

    def delete(self, path: str) -> Story:
        """A file goes."""
        return self._change(path, "delete", (), "code", via="shell")

    def _change(
        self, path: str, action: Any, hunks: tuple[Hunk, ...], weight: str, via: str = "tool"
    ) -> Story:
        self.now += 1
        files = (FileChange(path, action, hunks),)
        step = Step(f"c{self.now}", "edit", "Edit", "ok", self.now, self.now, self.now, changes=files)
        self.steps.append(step)
        change: Any = Change(step.id, step.line, self.now, files, via, weight)  # type: ignore[arg-type]
        self.changes.append(change)
        return self

    def shell(self, command: str, output: str = "", exit_code: int | None = 0, cwd: str = ROOT) -> Story:
        """A command that is no test."""
        self.now += 1
        status = "ok" if exit_code == 0 else "failed"
        step = Step(
            f"c{self.now}", "shell", "Bash", status, self.now, self.now, self.now,  # type: ignore[arg-type]
            command=command, cwd=cwd, output=output, exit_code=exit_code,
        )  # fmt: skip
        self.steps.append(step)
        return self

    def test(
        self,
        command: str,
        outcome: RunOutcome = "pass",
        output: str = "",
        *,
        passed: int | None = None,
        selection: tuple[str, ...] = (),
        failing: tuple[str, ...] = (),
        runner: str = "pytest",
        check: str = "",
        cwd: str = ROOT,
    ) -> Story:
        """A test run."""
        self.shell(command, output, 0 if outcome in ("pass", "weak") else 1, cwd)
        result = RunResult(
            outcome, f"{passed or 0} passed", runner, check or command, Counts(passed=passed), "both",
            selection, failing, order=0,
        )  # fmt: skip
        step = self.steps[-1]
        self.runs.append(Run(step.id, step.line, command, cwd, step.started, step.finished, result))
        return self

    def commit(self, message: str) -> Story:
        """The work is committed."""
        self.shell(f"git commit -m {message!r}")
        step = self.steps[-1]
        self.changes.append(Change(step.id, step.line, self.now, (), "shell", "commit", message))
        return self

    def revert(self, what: str, path: str = "") -> Story:
        """``git checkout -- path``, ``git stash``, ``git stash pop``."""
        self.now += 1
        files = (FileChange(path, "update"),) if path else ()
        self.changes.append(Change(f"c{self.now}", self.now, self.now, files, "shell", "revert", what))
        return self

    def task(self, kind: str = "verified", *, fail_to_pass: bool = False) -> Task:
        """The task, judged by its last run."""
        run = self.runs[-1] if self.runs else None
        verdict = Verdict(
            kind=kind,  # type: ignore[arg-type]
            reason="as told",
            step_id=run.step_id if run else None,
            command=run.command if run else None,
            check=run.result.check if run else None,
            authority="both",
            fail_to_pass=fail_to_pass,
        )
        return Task(
            id="tk_1",
            session=self.session,
            requests=tuple(self.requests),
            steps=tuple(self.steps),
            runs=tuple(self.runs),
            changes=tuple(self.changes),
            verdict=verdict,
        )


def elsewhere(story: Story, cwd: str) -> Story:
    """The same session in another folder."""
    story.session = replace(story.session, cwd=cwd)
    return story
