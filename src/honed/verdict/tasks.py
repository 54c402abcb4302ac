"""From a stream of events to judged tasks.

A task ends before a request when no change of it is waiting for a run (docs/decisions/0003).  What
the judge no longer needs of a step is clipped as it passes, so a long session fits in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from honed.sessions.model import Event, NoteGiven, Request, SessionEnd, SessionStart, Step
from honed.sessions.text import note_ids
from honed.verdict.changes import Write
from honed.verdict.judge import Proof, decide
from honed.verdict.model import Change, Sign, Task, Verdict
from honed.verdict.observe import Observer
from honed.verdict.runners import DEFAULT, Rules
from honed.verdict.signs import signs_of
from honed.verdict.tamper import find_tampering
from honed.verdict.tamper.snapshots import renews
from honed.verdict.tree import State

UNCHANGED = "nothing was changed, so there is nothing to prove"
CHANGES_LIMIT = 5000
"""Steps, runs and changes kept of one task; more only moves the verdict, not the skill."""
HANDFUL = 32
"""Events that are read before they are judged."""
HANDFUL_OUTPUT = 1 << 20
"""Characters of output in them, from which on no more are read first: each event holds its whole output."""


@dataclass(slots=True)
class _Open:
    """The task that is being read."""

    requests: list[Request]
    initial: State
    steps: list[Step] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    writes: dict[str, tuple[Write, ...]] = field(default_factory=dict)
    """What the shell steps wrote, by their ids."""

    @property
    def changed(self) -> bool:
        """Whether anything that weighs as code was changed."""
        return any(change.weight in ("code", "revert") for change in self.changes)

    @property
    def commented(self) -> int | None:
        """When an edit last changed nothing but comments or white space of code, ``None`` if none did."""
        return max(
            (c.at for c in self.changes if c.weight == "formatting" and c.via in ("tool", "outside")),
            default=None,
        )


def split(events: Iterable[Event], *, whole: bool = False, rules: Rules = DEFAULT) -> Iterator[Task]:
    """Yield the tasks of a session in order, each with its verdict.

    ``rules`` are the test runners that are known, a user's own rows among them.  With ``whole`` the session
    is one task, however many requests it had.  The last task is ``open``: the transcript may grow.  Nothing
    is yielded for a session in which nobody asked and nothing ran.
    """
    splitter = _Splitter(whole, rules)
    for event in _by_handfuls(events):
        yield from splitter.take(event)
    yield from splitter.finish()


def _by_handfuls(events: Iterable[Event]) -> Iterator[Event]:
    """The same events; the reader is asked for a few at a time.

    Reading and judging by turns, event for event, costs a fifth more than both one after the other: each
    drives the other out of the processor's caches.  Should reading fail, what was read is judged first.
    """
    handful: list[Event] = []
    held = 0
    try:
        for event in events:
            handful.append(event)
            held += len(event.output) if isinstance(event, Step) else 0
            if len(handful) == HANDFUL or held >= HANDFUL_OUTPUT:
                yield from handful
                handful.clear()
                held = 0
    except Exception:
        yield from handful
        raise
    yield from handful


class _Splitter:
    def __init__(self, whole: bool, rules: Rules) -> None:
        self._whole = whole
        self._rules = rules
        self._start: SessionStart | None = None
        self._observer = Observer(None, rules)
        self._open: _Open | None = None
        self._held: _Open | None = None
        self._held_end: State = frozenset()

    def take(self, event: Event) -> Iterator[Task]:
        if isinstance(event, SessionStart):
            if self._start is None:
                self._start = event
                self._observer = Observer(event.cwd, self._rules)
        elif isinstance(event, Request):
            yield from self._request(event)
        elif isinstance(event, Step):
            self._step(event)
        elif isinstance(event, NoteGiven):
            self._current().notes.extend(event.skill_ids)
        elif isinstance(event, SessionEnd):
            return

    def finish(self) -> Iterator[Task]:
        if self._open is None and self._held is None:
            return
        yield from self._close(last=True)

    def _current(self) -> _Open:
        if self._open is None:
            self._open = _Open([], self._observer.tree.state)
        return self._open

    def _request(self, request: Request) -> Iterator[Task]:
        task = self._open
        if task is not None and not self._whole and not self._waiting(task):
            yield from self._close(last=False)
            task = None
        if task is None:
            self._open = _Open([request], self._observer.tree.state)
        else:
            task.requests.append(request)

    def _waiting(self, task: _Open) -> bool:
        """Whether a change of this task has not been seen by a passing run."""
        if not task.requests and not task.steps:
            return False
        if not task.changed or self._observer.tree.state == task.initial:
            return False
        return _judge(task, self._observer.tree.state).kind != "verified"

    def _step(self, step: Step) -> None:
        task = self._current()
        seen = self._observer.observe(step)
        for proof in seen.revised:
            task.proofs = [proof if p.run.step_id == proof.run.step_id else p for p in task.proofs]
        task.changes.extend(seen.changes)
        if seen.proof is not None and not _of_an_earlier_task(seen.proof, task):
            task.proofs.append(seen.proof)
        task.signs.extend(signs_of(step, task.requests))
        task.steps.append(seen.step)
        if step.kind == "mcp" and "<honed-note" in step.output:
            task.notes.extend(note_ids(step.output))
        if step.kind == "shell":
            task.writes[step.id] = seen.writes
        for kept in (task.steps, task.proofs, task.changes, task.signs):
            del kept[:-CHANGES_LIMIT]
        if len(task.writes) > CHANGES_LIMIT:
            del task.writes[next(iter(task.writes))]

    def _close(self, *, last: bool) -> Iterator[Task]:
        """Hand over the open task; a task that only publishes belongs to the one before it."""
        task, end = self._open, self._observer.tree.state
        self._open = None
        if task is not None:
            if self._held is not None and _only_publishes(task) and self._held.changed:
                self._held = _joined(self._held, task)
                task, end = None, self._held_end
        if task is not None:
            if self._held is not None:
                yield self._task(self._held, self._held_end, is_open=False)
            self._held, self._held_end = task, end
        if last and self._held is not None:
            yield self._task(self._held, self._held_end, is_open=True)
            self._held = None

    def _task(self, task: _Open, end: State, *, is_open: bool) -> Task:
        start = self._start or SessionStart(id="", client="unknown")
        first = task.requests[0].id if task.requests else (task.steps[0].id if task.steps else start.id)
        return Task(
            id=task_id(start.client, first),
            session=start,
            requests=tuple(task.requests),
            steps=tuple(task.steps),
            runs=tuple(proof.run for proof in task.proofs),
            changes=tuple(task.changes),
            verdict=_intact(_with_agent(_judge(task, end), task), task, start.cwd),
            open=is_open,
            notes_given=tuple(dict.fromkeys(task.notes)),
            signs=tuple(task.signs),
        )


def _of_an_earlier_task(proof: Proof, task: _Open) -> bool:
    """Whether the run was started for a task that has ended since: it says nothing of this one."""
    return bool(task.requests) and proof.run.started < task.requests[0].ordinal


def task_id(client: str, record: str) -> str:
    """The id of the task that began with ``record``, the same in every copy of the session."""
    return (
        "tk_" + hashlib.blake2b(f"{client}\x1f{record}".encode(errors="replace"), digest_size=12).hexdigest()
    )


def _judge(task: _Open, final: State) -> Verdict:
    proofs = sorted(task.proofs, key=lambda proof: proof.run.started)
    verdict = decide(
        proofs, initial=task.initial, final=final, changed=task.changed, commented=task.commented
    )
    # A commit changes no file, and scratch files are none of the project's.
    touched = any(change.weight not in ("commit", "scratch") for change in task.changes)
    return verdict if touched or verdict.kind != "none" else replace(verdict, reason=UNCHANGED)


def _with_agent(verdict: Verdict, task: _Open) -> Verdict:
    """The verdict with the sub-agent named that ran what decided, if it was one."""
    agent = next((step.agent_id for step in task.steps if step.id == verdict.step_id), None)
    return replace(verdict, reason=f"{verdict.reason}; run by sub-agent {agent}") if agent else verdict


def _intact(verdict: Verdict, task: _Open, root: str | None) -> Verdict:
    """The verdict, or ``tampered`` where a pass was bought by tests that demand less (verdict/tamper)."""
    only_renewed = verdict.kind == "none" and _only_renewed(task)
    if verdict.kind != "verified" and not only_renewed:
        return verdict
    found = find_tampering(task.steps, task.requests, root=root, writes=task.writes)
    if not found:
        return verdict
    first = found[0]
    if only_renewed:
        verdict = replace(verdict, step_id=first.step_id, line=first.line)
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    where = f"{first.path}: " if first.path else ""
    reason = f"the tests passed, but they demand less now: {where}{first.detail}{more}"
    return replace(verdict, kind="tampered", reason=reason, tampering=found)


def _only_renewed(task: _Open) -> bool:
    """Whether tests pass in a task in which nothing but their recorded output was written anew."""
    return (
        not task.changed
        and any(proof.passed for proof in task.proofs)
        and any(step.kind == "shell" and renews(step.command or "") for step in task.steps)
    )


def _only_publishes(task: _Open) -> bool:
    """Whether a task only hands on what is there: commits, pushes, opens a pull request."""
    if any(change.weight not in ("commit", "scratch") for change in task.changes):
        return False
    committed = any(change.weight == "commit" for change in task.changes)
    return committed or any(sign.kind == "push" for sign in task.signs)


def _joined(first: _Open, second: _Open) -> _Open:
    return replace(
        first,
        requests=first.requests + second.requests,
        steps=first.steps + second.steps,
        proofs=first.proofs + second.proofs,
        changes=first.changes + second.changes,
        notes=first.notes + second.notes,
        signs=first.signs + second.signs,
        writes=first.writes | second.writes,
    )
