"""Tool calls on their way from a client's words to a ``Step``.

Each reader has a table: the client's tool name -> ``Tool``, which says of what sort it is and which
of its arguments hold a command, a path, a query, an edit.  ``begin`` reads a call by that table,
``finish`` makes the ``Step`` once its outcome is known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from honed.sessions.codex_patch import hunks_of
from honed.sessions.fields import array, maybe, obj, string
from honed.sessions.model import Actor, FileChange, Hunk, SessionEnd, Step, StepKind, StepStatus
from honed.sessions.source import Json, Tally

Changes: TypeAlias = Callable[[Json], tuple[FileChange, ...]]

CHANGED = frozenset({"ok", "unknown"})
"""How a call must have ended for what it meant to change to count as changed.  ``unknown`` is among
them because of transcripts without results: a change that may have happened spoils a pass."""


def no_changes(_arguments: Json) -> tuple[FileChange, ...]:
    """What a tool that edits nothing by itself changes."""
    return ()


@dataclass(frozen=True, slots=True)
class Tool:
    """What a client's tool does and where its arguments say so.

    ``command``, ``cwd`` and ``background`` name one argument each; ``reads`` and ``query`` several.
    Without ``query`` the query of a search, agent, MCP or web call is all its arguments as JSON.
    ``variant`` names the argument that says which agent is called: it is told as ``tool:variant``.
    """

    kind: StepKind
    command: str = ""
    cwd: str = ""
    background: str = ""
    reads: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    variant: str = ""
    changes: Changes = no_changes


QUERIED = frozenset({"search", "agent", "mcp", "web", "skill"})
"""Kinds of which the input is kept as text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the transcript a call stands and who made it."""

    ordinal: int
    line: int
    actor: Actor = "agent"
    cwd: str | None = None
    agent_id: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that has started and not ended."""

    id: str
    tool: str
    kind: StepKind
    place: Place
    command: str | None = None
    cwd: str | None = None
    background: bool = False
    reads: tuple[str, ...] = ()
    query: str = ""
    changes: tuple[FileChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended, in the model's words; see ``Step``.  ``changes`` replaces what the arguments
    said, where the result knows better."""

    status: StepStatus
    output: str = ""
    exit_code: int | None = None
    truncated: bool = False
    changes: tuple[FileChange, ...] | None = None


def begin(call_id: str, name: str, tool: Tool, arguments: Json, place: Place) -> Call:
    """Read a call by its tool's table row."""
    variant = string(arguments.get(tool.variant))
    return Call(
        id=call_id,
        tool=f"{name}:{variant}" if variant else name,
        kind=tool.kind,
        place=place,
        command=string(arguments.get(tool.command)) if tool.kind == "shell" else None,
        cwd=inside(place.cwd, maybe(arguments.get(tool.cwd))),
        background=bool(tool.background) and arguments.get(tool.background) is True,
        reads=tuple(path for key in tool.reads for path in _paths(arguments.get(key))),
        query=_query(tool, arguments),
        changes=tool.changes(arguments),
    )


def finish(call: Call, outcome: Outcome, ordinal: int) -> Step:
    """The step a call becomes with its outcome; ``ordinal`` says when it finished."""
    changes = call.changes if outcome.changes is None else outcome.changes
    return Step(
        id=call.id,
        kind=call.kind,
        tool=call.tool,
        status=outcome.status,
        started=call.place.ordinal,
        finished=ordinal,
        line=call.place.line,
        actor=call.place.actor,
        command=call.command,
        cwd=call.cwd,
        output=outcome.output,
        exit_code=outcome.exit_code,
        truncated=outcome.truncated,
        background=call.background,
        changes=changes if outcome.status in CHANGED else (),
        reads=call.reads,
        query=call.query,
        agent_id=call.place.agent_id,
        at=call.place.at,
    )


def ended(exit_code: int | None) -> StepStatus:
    """The status of a command that came back with ``exit_code`` (``None``: nothing says)."""
    if exit_code is None:
        return "unknown"
    return "ok" if exit_code == 0 else "failed"


def worded(text: str, table: Mapping[StepStatus, tuple[str, ...]], otherwise: StepStatus) -> StepStatus:
    """The first status of ``table`` of which one phrase stands in ``text`` (in any case)."""
    lowered = text.lower()
    for status, phrases in table.items():
        if any(phrase in lowered for phrase in phrases):
            return status
    return otherwise


def session_end(tally: Tally) -> SessionEnd:
    """The last event, from what was counted while reading."""
    return SessionEnd(tally.records, tally.skipped, tuple(tally.reasons))


def inside(base: str | None, folder: str | None) -> str | None:
    """``folder`` as seen from ``base``: itself when absolute or nothing is known, else joined."""
    if not folder or folder == ".":
        return base
    absolute = folder.startswith(("/", "~", "\\")) or folder[1:2] == ":"
    if absolute or not base:
        return folder
    separator = "\\" if "\\" in base and "/" not in base else "/"
    return base.rstrip(separator) + separator + folder.removeprefix("./")


def written(path: str, content: str, *, new: bool) -> FileChange:
    """A file whose whole content was written; ``new`` says that it did not exist before."""
    return FileChange(path, "create" if new else "update", (Hunk("", content),))


def replaced(path: str, edits: list[tuple[str, str]]) -> FileChange:
    """A file in which stretches were replaced, given as (old text, new text)."""
    return FileChange(path, "update", tuple(Hunk(old, new) for old, new in edits))


def hunks_of_diff(diff: str) -> tuple[Hunk, ...]:
    """The replaced stretches of a unified diff of one file with its header; none if it is no diff."""
    lines = diff.splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith("@@")), len(lines))
    return hunks_of(line for line in lines[first:] if not line.startswith("\\"))


def placed(changes: tuple[FileChange, ...], diff: str) -> tuple[FileChange, ...]:
    """The one stretch of an edit with the heading that its diff gives it; anything else as it is."""
    found = hunks_of_diff(diff)
    if len(changes) != 1 or len(changes[0].hunks) != 1 or not found:
        return changes
    hunk = replace(changes[0].hunks[0], heading=found[0].heading)
    return (replace(changes[0], hunks=(hunk,)),)


def _paths(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    return [path for path in array(value) if isinstance(path, str) and path]


def _query(tool: Tool, arguments: Json) -> str:
    if tool.kind not in QUERIED or not arguments:
        return ""
    if not tool.query:
        return json.dumps(arguments, ensure_ascii=False, default=str)
    words = (arguments.get(key) for key in tool.query)
    return " ".join(w if isinstance(w, str) else json.dumps(w, ensure_ascii=False) for w in words if w)


def first_of(arguments: Json, *keys: str) -> str:
    """The first of these arguments that is a string with something in it, else ``""``."""
    return next((text for key in keys if (text := string(arguments.get(key)))), "")


def edits_of(arguments: Json, list_key: str, old: str, new: str) -> list[tuple[str, str]]:
    """The (old, new) pairs in a list of edits; entries that are none are passed over."""
    entries = (obj(entry) for entry in array(arguments.get(list_key)))
    return [(string(e.get(old)), string(e.get(new))) for e in entries if old in e or new in e]
