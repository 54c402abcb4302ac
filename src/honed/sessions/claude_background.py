"""Work that goes on behind the conversation: shells and agents whose result comes later.

A call is answered at once with an id ("Command running in background with ID: x", ``backgroundTaskId``,
``isAsync`` with an ``agentId``).  How it ended is told later, by whichever comes first: a
``<task-notification>`` (in a user record, an attachment or a queue operation), a ``TaskOutput`` or
``BashOutput`` call, or a tool that stops it.  A notification gives the exit code but no output; that stands
in a file which the agent then reads, so an ended shell waits a while for it.  Each task becomes one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from honed.sessions.fields import maybe, obj, string, texts, whole
from honed.sessions.model import StepStatus
from honed.sessions.source import Json
from honed.sessions.text import element

TASK_LIMIT = 256
"""Background tasks remembered at once; beyond it the oldest is told as it stands."""
PATIENCE = 5
"""Calls for which an ended shell waits for its output to be read."""
OUTPUT_LIMIT = 200_000
"""Characters of a background task's output that are kept, from its end."""

STATUSES: dict[str, StepStatus] = {
    "completed": "ok",
    "success": "ok",
    "failed": "failed",
    "error": "failed",
    "killed": "interrupted",
    "stopped": "interrupted",
    "cancelled": "interrupted",
    "canceled": "interrupted",
}
"""How the client calls the end of a task.  Anything else means that it goes on."""

_LAUNCHED = re.compile(
    r"(?:running in background with ID: |moved to the background \(ID: |Monitor started \(task )([\w-]+)"
)
_OUTPUT_FILE = re.compile(r"written to: ([^\n]*?\.output)\b")
_SUMMARY = re.compile(r'Background command "(.*)" (?:completed|failed|was|killed|stopped)', re.DOTALL)
_EXIT_CODE = re.compile(r"exit code (-?\d{1,10})\b")
_SHOWS = re.compile(
    r"(?:sleep\s+[\d.]+[smh]?\s*(?:;|&&)\s*)?(?:tail|cat|head)\b([^|;&\n]*)(?:\|\s*(?:tail|head)\b[^|;&\n]*)?(?:[;&\n]|\Z)"
)


@dataclass(frozen=True, slots=True)
class Launch:
    """A call that was answered with the id of a background task."""

    task: str
    output_file: str | None = None
    agent: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """What is told about a background task; ``status`` is ``None`` while it goes on."""

    task: str
    status: StepStatus | None
    exit_code: int | None = None
    output: str | None = None
    call: str = ""
    description: str = ""
    adds: bool = False
    """The output is what came since the last time, not all of it."""


@dataclass(slots=True)
class BackgroundTask:
    """One task; ``call`` is the reader's own record of the call that started it."""

    id: str
    call: Any
    call_id: str
    description: str
    agent: bool
    output_file: str | None
    output: str = ""
    status: StepStatus | None = None
    exit_code: int | None = None
    heard: bool = False
    """Whether any of its output was seen; until then ``output`` is what the launching call answered."""
    patience: int = PATIENCE

    def see(self, output: str, *, adds: bool = False) -> None:
        """Take over what it printed: all of it, or what was ``add``ed since the last time."""
        before = self.output if adds and self.heard else ""
        self.output = (before + output)[-OUTPUT_LIMIT:]
        self.heard = True

    def learn(self, notice: Notice) -> None:
        """Take over what ``notice`` tells."""
        if notice.output is not None:
            self.see(notice.output, adds=notice.adds)
        if notice.status is not None:
            self.status = notice.status
            self.exit_code = notice.exit_code


@dataclass(slots=True)
class Background:
    """The tasks that have not been told yet.

    Methods that can end tasks return them: each is told once, then forgotten.
    """

    tasks: dict[str, BackgroundTask] = field(default_factory=dict)
    ended: int = 0

    def start(self, task: BackgroundTask) -> list[BackgroundTask]:
        """Remember ``task``; returns the oldest when there are too many."""
        dropped = [self.tasks.pop(next(iter(self.tasks)))] if len(self.tasks) >= TASK_LIMIT else []
        self.tasks[task.id] = task
        return dropped

    def hear(self, notice: Notice) -> list[BackgroundTask]:
        """Take ``notice`` in; returns its task if nothing more is to be expected of it."""
        task = self._meant(notice)
        if task is None:
            return []
        task.learn(notice)
        if task.status is None:
            return []
        if task.agent or notice.output is not None or task.status == "interrupted":
            return self._tell([task])
        self.ended += 1
        return []

    def read_output(self, name: str, text: str) -> list[BackgroundTask]:
        """Take in that the output file ``name`` held ``text``; returns its task if that had ended."""
        for task in self.tasks.values():
            if name.endswith(f"{task.id}.output") or (task.output_file and name.endswith(task.output_file)):
                task.see(text)
                return self._tell([task]) if task.status is not None else []
        return []

    def stop(self, task: str) -> list[BackgroundTask]:
        """Take in that ``task`` was stopped; returns it."""
        return self.hear(Notice(task, "interrupted")) if task else []

    def tick(self) -> list[BackgroundTask]:
        """Count one call; returns the ended tasks that have waited long enough for their output."""
        if not self.ended:
            return []
        late: list[BackgroundTask] = []
        for task in self.tasks.values():
            if task.status is not None:
                task.patience -= 1
                if task.patience <= 0:
                    late.append(task)
        return self._tell(late)

    def settle(self) -> list[BackgroundTask]:
        """The ended tasks, whether or not their output was read: the user has asked for something new."""
        if not self.ended:
            return []
        return self._tell([task for task in self.tasks.values() if task.status is not None])

    def rest(self) -> list[BackgroundTask]:
        """All tasks: the transcript is at its end."""
        return self._tell(list(self.tasks.values()))

    def _tell(self, tasks: list[BackgroundTask]) -> list[BackgroundTask]:
        for task in tasks:
            del self.tasks[task.id]
        self.ended = sum(1 for task in self.tasks.values() if task.status is not None)
        return tasks

    def _meant(self, notice: Notice) -> BackgroundTask | None:
        """The task meant by ``notice``: by its id, the call's, or (ids may be masked) its description."""
        found = self.tasks.get(notice.task)
        if found is not None:
            return found
        by_call = [task for task in self.tasks.values() if notice.call and task.call_id == notice.call]
        if by_call:
            return by_call[0]
        alike = [t for t in self.tasks.values() if notice.description and t.description == notice.description]
        return alike[0] if len(alike) == 1 else None


def launch_of(result: Any, text: str) -> Launch | None:
    """The background task that a call's result announces, if it announces one."""
    told = obj(result)
    if told.get("isAsync") is True or told.get("status") == "async_launched":
        agent = maybe(told.get("agentId"))
        return Launch(agent, maybe(told.get("outputFile")), agent=True) if agent else None
    task = maybe(told.get("backgroundTaskId")) or maybe(told.get("taskId"))
    if task is None:
        found = _LAUNCHED.search(text[:400])
        if found is None:
            return None
        task = found.group(1)
    file = _OUTPUT_FILE.search(text[:2000])
    return Launch(task, file.group(1) if file and "REDACTED" not in file.group(1) else None)


def notices_in(text: str) -> Iterator[Notice]:
    """The notices in a text that begins with ``<task-notification>``."""
    for part in text.split("<task-notification>")[1:]:
        status = element(part, "status")
        if status is None:
            continue
        summary = (element(part, "summary") or "")[:2000]
        named = _SUMMARY.search(summary)
        coded = _EXIT_CODE.search(summary)
        yield _notice(
            element(part, "task-id") or "",
            status,
            int(coded.group(1)) if coded else None,
            element(part, "result"),
            call=element(part, "tool-use-id") or "",
            description=named.group(1) if named else "",
        )


def answer_of(tool: str, given: Json, result: Any, content: Any) -> Notice | None:
    """What ``TaskOutput`` or ``BashOutput`` answered about a task; ``None`` when that cannot be told."""
    told = obj(result)
    task = obj(told.get("task"))
    if task:
        output = string(task.get("result")) or string(task.get("output"))
        id_ = string(task.get("task_id"))
        return _notice(id_, string(task.get("status")), whole(task.get("exitCode")), output)
    asked = string(given.get("task_id")) or string(given.get("bash_id")) or string(given.get("agentId"))
    if tool == "BashOutput" and told:
        output = string(told.get("stdout")) + string(told.get("stderr"))
        id_ = string(told.get("shellId")) or asked
        return _notice(id_, string(told.get("status")), whole(told.get("exitCode")), output, adds=True)
    text = texts(content)
    status = element(text, "status")
    if status is None:
        return None
    code = element(text, "exit_code") or ""
    exit_code = int(code) if code.isdecimal() and len(code) < 11 else None
    output = element(text, "output") or element(text, "stdout") or ""
    return _notice(element(text, "task_id") or asked, status, exit_code, output, adds=tool == "BashOutput")


def _notice(
    task: str,
    status: str,
    exit_code: int | None,
    output: str | None,
    *,
    call: str = "",
    description: str = "",
    adds: bool = False,
) -> Notice:
    ended = STATUSES.get(status)
    if ended == "ok" and exit_code not in (None, 0):
        ended = "failed"
    return Notice(task, ended, exit_code if ended else None, output, call, description, adds)


def stopped_task(given: Json) -> str:
    """The id of the task that a call of a stopping tool names."""
    return string(given.get("task_id")) or string(given.get("shell_id")) or string(given.get("bash_id"))


def shown_file(command: str) -> str:
    """The ``.output`` file whose lines ``command`` shows first and unfiltered, or ""."""
    if ".output" not in command:
        return ""
    found = _SHOWS.match(command.strip())
    words = found.group(1).replace('"', " ").replace("'", " ").split() if found else []
    return next((word for word in reversed(words) if word.endswith(".output")), "")
