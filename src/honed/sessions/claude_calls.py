"""A tool call of Claude Code on its way to becoming a step."""

from __future__ import annotations

from dataclasses import dataclass

from honed.sessions.claude_results import Outcome
from honed.sessions.claude_tools import Tool, query_of
from honed.sessions.fields import maybe, string
from honed.sessions.model import Actor, Event, FileChange, Step
from honed.sessions.source import Json


@dataclass(slots=True)
class Tape:
    """The events that wait to be given out, and the ordinal that the next one takes."""

    ordinal: int
    events: list[Event]

    def tick(self) -> int:
        """The next ordinal."""
        self.ordinal += 1
        return self.ordinal - 1


@dataclass(frozen=True, slots=True)
class Scope:
    """Who acts in a record, and the line that it is told of."""

    line: int
    actor: Actor = "agent"
    agent_id: str | None = None


@dataclass(slots=True)
class Call:
    """A call that waits for its result."""

    id: str
    tool: str
    row: Tool
    given: Json
    started: int
    scope: Scope
    cwd: str | None
    at: str | None
    background: bool = False


def step_of(
    call: Call,
    outcome: Outcome,
    finished: int,
    *,
    changes: tuple[FileChange, ...] = (),
    agent_id: str | None = None,
) -> Step:
    """The step that ``call`` came to.  ``agent_id`` is the agent that it started, if it started one."""
    row, given = call.row, call.given
    path = maybe(given.get(row.path)) if row.kind == "read" else None
    return Step(
        id=call.id,
        kind=row.kind,
        tool=call.tool,
        status=outcome.status,
        started=call.started,
        finished=finished,
        line=call.scope.line,
        actor=call.scope.actor,
        command=string(given.get(row.command)) if row.command else None,
        cwd=call.cwd,
        output=outcome.output,
        exit_code=outcome.exit_code,
        truncated=outcome.truncated,
        background=call.background,
        changes=changes,
        reads=(path,) if path else (),
        query=query_of(row, given),
        agent_id=agent_id or call.scope.agent_id,
        at=call.at,
    )
