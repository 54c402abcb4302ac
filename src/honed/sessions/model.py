"""What happened in one conversation, as every reader tells it.

A reader turns a client's transcript into a stream of events in the order in which they
*finished*; nothing of a whole session need be in memory at once.  ``started`` and ``finished``
are ordinals inside the session (counted by the reader, never timestamps: clocks in transcripts
go backwards).  A background command is one step that started early and finished late.

Sources for what the clients record are named in the readers.  All values are frozen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

StepKind = Literal["shell", "edit", "read", "search", "agent", "mcp", "web", "skill", "plan", "other"]
"""What sort of tool was called.

``shell``   a command line, by the agent or typed by the human.
``edit``    a tool that changes files by itself (edit, write, patch, notebook), or a change seen
            from outside (``actor`` "outside").
``read``    reads named files.   ``search`` greps, globs, lists.
``agent``   starts, messages or awaits another agent.
``mcp``     a tool of an MCP server.   ``web`` fetches or searches the web.
``skill``   loads an agent skill.   ``plan`` to-do lists, questions to the user, mode switches.
``other``   unknown tools; neutral unless ``changes`` is not empty.
"""

StepStatus = Literal["ok", "failed", "rejected", "interrupted", "never_ran", "running", "unknown"]
"""How the call ended.

``ok``          came back without an error flag.
``failed``      ran and the client flagged it (non-zero exit, edit that did not apply).
``rejected``    the user, a rule or a hook refused it: it never ran.
``never_ran``   cancelled sibling, input the tool refused, sandbox refusal before the start.
``interrupted`` stopped while running (abort, time-out by the client, killed).
``running``     no result in the transcript (the file ends, or a background command whose result
                never came).
``unknown``     there is a result but nothing says how it ended.
"""

Actor = Literal["agent", "subagent", "human", "outside"]
ChangeAction = Literal["create", "update", "delete", "rename"]
SessionKind = Literal["main", "subagent", "team", "review", "machine"]


CONTEXT_LINES = 5
"""Unchanged lines behind a change that are kept."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One replaced stretch of a file: the old lines, the new lines, without context where known.

    ``heading`` is what the tool says of its place (the text behind ``@@``), or the nearest
    unchanged line above it; empty when unknown.  ``below`` are up to ``CONTEXT_LINES`` unchanged lines
    right behind it, as far as the client shows them: they are no part of the change, so hunks are
    compared without them.
    """

    old: str
    new: str
    heading: str = ""
    below: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file changed by one step.

    ``path`` is as the tool gave it (absolute, or relative to the step's ``cwd``).  ``hunks`` is
    empty when the content is not known (a shell command, a binary); for a created file it holds
    one hunk with an empty ``old``.
    """

    path: str
    action: ChangeAction
    hunks: tuple[Hunk, ...] = ()
    old_path: str | None = None


@dataclass(frozen=True, slots=True)
class SessionStart:
    """The first event of every stream.

    ``id`` is the client's session id; ``parent`` the session a sub-agent or fork came from.
    ``kind`` "machine" marks sessions in which no person asked for anything (approval
    assessors): readers yield this event and nothing else for them.
    """

    id: str
    client: str
    kind: SessionKind = "main"
    version: str | None = None
    cwd: str | None = None
    branch: str | None = None
    remote: str | None = None
    parent: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for.  Injected, machine-made and honed's own text never gets here.

    ``id`` is the record's own id (uuid); where the client gives none, one derived from session and
    line.  The same request copied into a resumed or forked file keeps its id.  ``command`` is the
    slash command when the request was one (its arguments are the text).  ``offset`` is the byte
    offset of the line in the raw file (0 for single documents): reading may resume there.
    """

    id: str
    text: str
    ordinal: int
    line: int
    offset: int = 0
    at: str | None = None
    command: str | None = None
    images: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call with its result.

    ``id`` is the client's call id (unique in the session); ``line`` the 1-based line of the call in
    the raw file (message index for single-document formats).  ``command`` is set for shell steps
    only; ``exit_code`` only where the transcript states or implies it: Claude Code's unflagged
    results imply 0.  ``output`` is what the agent saw, possibly clipped by the client
    (``truncated``); it may hold terminal escapes.  ``agent_id`` names the sub-agent that acted.
    ``reads`` are the paths the call read.  ``query`` is the input of a search, agent, MCP or web
    call as text.
    """

    id: str
    kind: StepKind
    tool: str
    status: StepStatus
    started: int
    finished: int
    line: int
    actor: Actor = "agent"
    command: str | None = None
    cwd: str | None = None
    output: str = ""
    exit_code: int | None = None
    truncated: bool = False
    background: bool = False
    changes: tuple[FileChange, ...] = ()
    reads: tuple[str, ...] = ()
    query: str = ""
    agent_id: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class NoteGiven:
    """A note of honed's that a client put before the model: which skills were in it."""

    skill_ids: tuple[str, ...]
    ordinal: int
    line: int


@dataclass(frozen=True, slots=True)
class Boundary:
    """A place where the conversation was cut: a compaction, an interrupt, the end of a turn."""

    what: Literal["compaction", "interrupt", "turn_end"]
    ordinal: int
    line: int


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """The last event: how much was read and how much could not be.

    ``skipped_lines`` counts lines that are no JSON, no object, or over the size limit.
    ``records`` counts the lines that were understood.
    """

    records: int
    skipped_lines: int
    skipped_reasons: tuple[str, ...] = ()


Event: TypeAlias = SessionStart | Request | Step | NoteGiven | Boundary | SessionEnd
