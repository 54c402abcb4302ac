"""opencode: one JSON document, as ``opencode export`` writes it (seen from 1.2.16 to 1.18.33).

``{info{id, parentID, directory, version, time}, messages[{info{role, parentID, path{cwd}, error,
finish}, parts[...]}]}``.  Parts that matter: ``text`` (``synthetic`` ones are injected), ``file``,
``subtask`` (a slash command that runs an agent), ``compaction``, ``tool {tool, callID, state{status,
input, output, error, metadata}}``, ``patch {files[]}``: the files that changed on disk while the
message was worked on, whoever changed them.  A session with ``parentID`` is another agent's: what
it was asked was written by that agent, so it has no requests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from honed.sessions.calls import (
    Call,
    Outcome,
    Place,
    Tool,
    begin,
    edits_of,
    ended,
    finish,
    inside,
    placed,
    replaced,
    session_end,
    worded,
    written,
)
from honed.sessions.codex_patch import changes_of_patch
from honed.sessions.fields import array, clock, maybe, obj, string, whole
from honed.sessions.model import (
    Boundary,
    Event,
    FileChange,
    SessionStart,
    Step,
    StepStatus,
)
from honed.sessions.prompts import Said, record_id, requests
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context

USER_SHELL = "The following tool was executed by the user"
"""The synthetic text of the message that precedes a command which the human typed (``!``)."""

REFUSALS: dict[StepStatus, tuple[str, ...]] = {
    "rejected": ("rejected permission", "specified a rule which prevents", "user dismissed this question"),
    "interrupted": ("tool execution aborted", "tool execution was interrupted"),
    "never_ran": ("called with invalid arguments", "arguments provided to the tool are invalid"),
}
"""Phrases of ``state.error``; anything else is a tool that ran and failed."""

INTERRUPTS = (
    "user aborted the command",
    "terminated command after exceeding timeout",
    "command timed out after",
)
"""How the metadata block at the end of a command's output says that it was stopped."""


def _edit(arguments: Json) -> tuple[FileChange, ...]:
    path, old = string(arguments.get("filePath")), string(arguments.get("oldString"))
    if not path:
        return ()
    if not old:
        return (written(path, string(arguments.get("newString")), new=True),)
    return (replaced(path, [(old, string(arguments.get("newString")))]),)


def _edits(arguments: Json) -> tuple[FileChange, ...]:
    path = string(arguments.get("filePath"))
    pairs = edits_of(arguments, "edits", "oldString", "newString")
    return (replaced(path, pairs),) if path and pairs else ()


def _write(arguments: Json) -> tuple[FileChange, ...]:
    path = string(arguments.get("filePath"))
    return (written(path, string(arguments.get("content")), new=False),) if path else ()


def _patch(arguments: Json) -> tuple[FileChange, ...]:
    return changes_of_patch(string(arguments.get("patchText")))


TOOLS = {
    "bash": Tool("shell", command="command", cwd="workdir"),
    "edit": Tool("edit", changes=_edit),
    "multiedit": Tool("edit", changes=_edits),
    "write": Tool("edit", changes=_write),
    "apply_patch": Tool("edit", changes=_patch),
    "patch": Tool("edit", changes=_patch),
    "read": Tool("read", reads=("filePath",)),
    "grep": Tool("search", query=("pattern", "path", "include")),
    "glob": Tool("search", query=("pattern", "path")),
    "list": Tool("search", query=("path",)),
    "codesearch": Tool("web", query=("query",)),
    "websearch": Tool("web", query=("query",)),
    "webfetch": Tool("web", query=("url",)),
    "task": Tool("agent", query=("prompt",), variant="subagent_type"),
    "skill": Tool("skill", query=("name",)),
    "todowrite": Tool("plan"),
    "todoread": Tool("plan"),
    "question": Tool("plan"),
    "plan_enter": Tool("plan"),
    "plan_exit": Tool("plan"),
    "invalid": Tool("other"),
    "batch": Tool("other"),
    "lsp": Tool("other"),
}
MCP = Tool("mcp")
OTHER = Tool("other")

WRITERS = frozenset({"agent", "mcp", "other"})
"""Kinds of step that may have changed a file and cannot be asked which.  (A shell can: its command line
is read by the judge, who knows a formatter and a ``git restore`` from a change.)"""


def recognises(head: Sequence[Json]) -> bool:
    """Whether the document is an opencode export: ``{info, messages[{info, parts}]}``."""
    if not head or not isinstance(head[0].get("messages"), list):
        return False
    info = obj(head[0].get("info"))
    if maybe(info.get("id")) is None or maybe(info.get("directory")) is None:
        return False
    first = [obj(message) for message in array(head[0]["messages"])[:5]]
    return all(isinstance(m.get("info"), dict) and isinstance(m.get("parts"), list) for m in first)


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of an exported session; ``line`` is the 1-based number of the message."""
    document = context.head[0] if context.head else {}
    start = _start(obj(document.get("info")))
    yield start
    ordinals = count(context.first_ordinal)
    typed: set[str] = set()
    for record in records:
        for line, message in enumerate(map(obj, array(record.value.get("messages"))), 1):
            info, parts = obj(message.get("info")), [obj(part) for part in array(message.get("parts"))]
            if info.get("role") == "user":
                if any(string(part.get("text")).startswith(USER_SHELL) for part in parts):
                    typed.add(string(info.get("id")))
                yield from _user(info, parts, start, line, ordinals)
            else:
                human = string(info.get("parentID")) in typed
                yield from _assistant(info, parts, start, line, ordinals, human)
    yield session_end(context.tally)


def _start(info: Json) -> SessionStart:
    parent = maybe(info.get("parentID"))
    return SessionStart(
        id=string(info.get("id")),
        client="opencode",
        kind="subagent" if parent else "main",
        version=maybe(info.get("version")),
        cwd=maybe(info.get("directory")),
        parent=parent,
        at=clock(obj(info.get("time")).get("created")),
    )


def _user(
    info: Json, parts: list[Json], start: SessionStart, line: int, ordinals: Iterator[int]
) -> Iterator[Event]:
    if any(part.get("type") == "compaction" for part in parts):
        yield Boundary("compaction", next(ordinals), line)
    if start.kind == "subagent":
        return
    own = [part for part in parts if part.get("synthetic") is not True]
    at = clock(obj(info.get("time")).get("created"))
    message = record_id(info.get("id"), start.id, line)
    images = sum(string(part.get("mime")).startswith(("image/", "application/pdf")) for part in own)
    text = "\n".join(_unquoted(string(part.get("text"))) for part in own if part.get("type") == "text")
    heard = "\n".join(string(part.get("text")) for part in parts)
    yield from requests(Said(message, text, line, at=at, images=images, heard=heard), ordinals)
    for number, part in enumerate(own):
        # Its prompt is the command's own template; what the user typed behind the name is not kept.
        if part.get("type") == "subtask":
            command = maybe(part.get("command"))
            said = Said(f"{message}:{number}", "", line, at=at, command=command)
            yield from requests(said, ordinals)


def _unquoted(text: str) -> str:
    """``opencode run`` joins its words and puts quotation marks around a prompt of several."""
    stripped = text.strip()
    if len(stripped) > 2 and stripped[0] == stripped[-1] == '"':
        return stripped[1:-1].replace('\\"', '"')
    return text


def _assistant(
    info: Json, parts: list[Json], start: SessionStart, line: int, ordinals: Iterator[int], human: bool
) -> Iterator[Event]:
    cwd = maybe(obj(info.get("path")).get("cwd")) or start.cwd
    calls: list[tuple[Call, Json]] = []
    for number, part in enumerate(parts):
        if part.get("type") == "tool":
            state = obj(part.get("state"))
            place = Place(
                next(ordinals),
                line,
                "human" if human else "subagent" if start.kind == "subagent" else "agent",
                cwd,
                start.id if start.kind == "subagent" else None,
                clock(obj(state.get("time")).get("start")) or clock(obj(info.get("time")).get("created")),
            )
            name = string(part.get("tool"))
            call_id = record_id(part.get("callID"), start.id, line)
            if any(call_id == known.id for known, _ in calls):
                call_id = f"{call_id}:{number}"
            tool = TOOLS.get(name, MCP if "_" in name else OTHER)
            calls.append((begin(call_id, name, tool, obj(state.get("input")), place), state))
    steps = [finish(call, _outcome(call, state), next(ordinals)) for call, state in calls]
    unexplained = _unexplained(parts, steps, cwd)
    if unexplained:
        steps = _with_changes(steps, unexplained, line, ordinals, record_id(info.get("id"), start.id, line))
    yield from steps
    if string(obj(info.get("error")).get("name")) == "MessageAbortedError":
        yield Boundary("interrupt", next(ordinals), line)
    elif info.get("finish") == "stop":
        yield Boundary("turn_end", next(ordinals), line)


def _outcome(call: Call, state: Json) -> Outcome:
    metadata = obj(state.get("metadata"))
    if state.get("status") == "error":
        error = string(state.get("error"))
        return Outcome(worded(error, REFUSALS, "failed"), error)
    output = string(state.get("output"))
    if state.get("status") != "completed":
        return Outcome("running", output)
    truncated = metadata.get("truncated") is True
    if call.kind != "shell":
        return Outcome("ok", output, truncated=truncated, changes=_changes(call, metadata))
    exit_code = whole(metadata.get("exit"))
    stopped = exit_code is None and any(phrase in output[-300:].lower() for phrase in INTERRUPTS)
    return Outcome("interrupted" if stopped else ended(exit_code), output, exit_code, truncated)


def _changes(call: Call, metadata: Json) -> tuple[FileChange, ...] | None:
    """What the result knows better than the arguments, else ``None``."""
    if call.tool == "write" and metadata.get("exists") is False:
        return tuple(replace(change, action="create") for change in call.changes)
    if call.tool == "edit":
        # The diff is exact only up to indentation (opencode trims it): it is asked for the place alone.
        return placed(call.changes, string(metadata.get("diff")))
    return None


def _unexplained(parts: list[Json], steps: list[Step], cwd: str | None) -> list[str]:
    """The files that changed on disk during a message and that none of its steps names."""
    named = {_key(path, cwd) for s in steps for c in s.changes for path in (c.path, c.old_path) if path}
    files = (path for part in parts if part.get("type") == "patch" for path in array(part.get("files")))
    return [path for path in files if isinstance(path, str) and path and _key(path, cwd) not in named]


def _key(path: str, cwd: str | None) -> str:
    # Case is ignored: on the file systems of macOS and Windows the same file is listed in another case.
    return (inside(cwd, path) or path).casefold()


def _with_changes(
    steps: list[Step], files: list[str], line: int, ordinals: Iterator[int], message: str
) -> list[Step]:
    """Charge the files to the last opaque step that may have written them; where there is none and no
    command ran either, to somebody outside."""
    changes = tuple(FileChange(path, "update") for path in dict.fromkeys(files))
    for at in range(len(steps) - 1, -1, -1):
        if steps[at].kind in WRITERS and steps[at].status not in ("rejected", "never_ran"):
            steps[at] = replace(steps[at], changes=steps[at].changes + changes)
            return steps
    if any(step.kind == "shell" for step in steps):
        return steps
    started, finished = next(ordinals), next(ordinals)
    outside = Step(
        f"{message}:snapshot", "edit", "snapshot", "ok", started, finished, line, "outside", changes=changes
    )
    return [*steps, outside]
