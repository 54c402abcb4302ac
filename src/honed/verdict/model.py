"""Did it work?  The values the judge speaks in.

``Run`` is what one shell step says about the tests, ``Verdict`` what a whole task comes to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from honed.sessions.model import FileChange, Request, SessionStart, Step

RunOutcome = Literal["pass", "fail", "weak", "nothing", "unknown", "not_a_test"]
"""What one shell step proves.

``pass``        tests ran and passed, and the exit status or the logic of the chain says so.
``fail``        tests ran and at least one failed (either voice is enough: contradictions are read
                pessimistically), or the runner crashed or timed out.
``weak``        only the runner's own summary says they passed; the status belongs to another command.
``nothing``     a test command that ran no test: collected only, all skipped, none found, help text.
``unknown``     a test command whose outcome cannot be told (no result, output hidden, cannot parse).
``not_a_test``  no test command and no runner's summary.
"""

Authority = Literal["exit", "summary", "both"]
VerdictKind = Literal["verified", "failed", "stale", "tampered", "none"]


@dataclass(frozen=True, slots=True)
class Counts:
    """A runner's own count; ``None`` where it does not say."""

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    errors: int | None = None


@dataclass(frozen=True, slots=True)
class RunResult:
    """What ``interpret`` finds in one (command, exit code, output).

    ``check`` is the normalised test command (launchers kept, pipes, redirects, counts and colours
    dropped): the form under which the same check is recognised again.  ``selection`` lists what
    narrows the run (paths, node ids, -k patterns) so that a wider run can be told from a narrower.
    """

    outcome: RunOutcome
    reason: str
    runner: str | None = None
    check: str | None = None
    counts: Counts = Counts()
    authority: Authority | None = None
    selection: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    """Names of failing tests or error signatures the summary shows, at most 20."""
    causes: tuple[str, ...] = ()
    """Messages of the failing tests, where each of them shows one (verdict/causes.py)."""
    order: int | None = None
    """Index in ``shell.commands`` of the last test command of the line; None where none was named."""


@dataclass(frozen=True, slots=True)
class Run:
    """One shell step that said something about tests, inside a task."""

    step_id: str
    line: int
    command: str
    cwd: str | None
    started: int
    finished: int
    result: RunResult


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed files: which step, which files, and how it is known.

    ``via`` "tool" an edit tool, "shell" a command that writes, "agent" a sub-agent that may have,
    "outside" somebody else.  ``weight`` "code" counts against a pass; "documentation",
    "formatting", "scratch" (outside the project), "revert" do not.  ``detail`` is said to users.
    """

    step_id: str
    line: int
    at: int
    files: tuple[FileChange, ...]
    via: Literal["tool", "shell", "agent", "outside"]
    weight: Literal["code", "documentation", "formatting", "scratch", "revert", "commit"]
    detail: str = ""


TamperingKind = Literal[
    "assertion_removed",
    "assertion_loosened",
    "expectation_rewritten",
    "test_deleted",
    "test_skipped",
    "test_disabled",
    "tests_narrowed",
    "threshold_lowered",
    "snapshot_rewritten",
    "result_mocked",
    "failure_ignored",
]


@dataclass(frozen=True, slots=True)
class Tampering:
    """One place in which the tests were made to demand less, and the user did not ask for it.

    ``detail`` says what in plain words; ``diff`` shows it (lines with ``-`` and ``+``, at most 12);
    ``step_id`` and ``line`` name the last call that touched the place.
    """

    kind: TamperingKind
    path: str
    detail: str
    diff: str = ""
    step_id: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a task comes to, with the step that decided and why, in plain words."""

    kind: VerdictKind
    reason: str
    step_id: str | None = None
    line: int | None = None
    command: str | None = None
    check: str | None = None
    authority: Authority | None = None
    fail_to_pass: bool = False
    """The deciding check (or a narrower one) failed before the change and passed after it."""
    tampering: tuple[Tampering, ...] = ()
    """Why a pass proves nothing; not empty only for ``tampered``."""


SignKind = Literal["types", "build", "lint", "deploy", "health", "push", "revert"]
"""Kinds of evidence beyond tests; see ``verdict.signs``."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that speaks for or (``revert``) against a task, and is no proof."""

    kind: SignKind
    outcome: Literal["pass", "fail", "unknown"]
    step_id: str
    line: int
    command: str


@dataclass(frozen=True, slots=True)
class Task:
    """One or more consecutive requests with all their steps.

    ``id`` is derived from the client and the first request's record id, so a resumed or forked
    copy is the same task.  ``steps`` are trimmed (outputs clipped) by the splitter: a task of a
    100 MB session still fits in memory.  ``open`` says that the transcript ended before the task
    did: a later read may supersede the verdict.
    """

    id: str
    session: SessionStart
    requests: tuple[Request, ...]
    steps: tuple[Step, ...]
    runs: tuple[Run, ...]
    changes: tuple[Change, ...]
    verdict: Verdict
    open: bool = False
    notes_given: tuple[str, ...] = ()
    signs: tuple[Sign, ...] = ()
    """Evidence beyond tests, shown and never proof."""
