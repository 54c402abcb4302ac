"""GitHub Copilot CLI: ``events.jsonl`` of a session (seen from 1.0.20 to 1.0.102).

Every line is ``{type, data, id, parentId, timestamp}``, with ``agentId`` for what a sub-agent did
(older versions: ``data.parentToolCallId``).  ``user.message`` has what was typed in ``content``;
``transformedContent`` holds the injected context too and is never read.  ``source`` says who sent it:
absent, ``user`` or ``command`` is a person, anything else (``system``, ``skill-...``, ``agent-...``) is not.
``tool.execution_start`` and ``_complete`` are paired by ``toolCallId``; ``success`` is about the tool, the
command's own status stands in ``shellExecution.exitCode`` or in the last line of the text.  A command that
takes long goes on in a shell with an id and ends in a later ``read_bash``/``read_powershell`` of it: that
is one step here.
"""

from __future__ import annotations

import re
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
    ended,
    finish,
    first_of,
    placed,
    replaced,
    session_end,
    worded,
    written,
)
from honed.sessions.codex_patch import changes_of_patch
from honed.sessions.fields import array, maybe, obj, string, texts, whole
from honed.sessions.model import Boundary, Event, FileChange, SessionStart, Step, StepStatus
from honed.sessions.prompts import Said, notes, record_id, requests
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context

FAMILIES = (
    "abort",
    "assistant.",
    "external_tool.",
    "hook.",
    "permission.",
    "session.",
    "skill.",
    "subagent.",
    "system.",
    "tool.",
    "user.",
)
"""How event types begin."""

PERSON = frozenset({None, "", "user", "command"})
"""Values of ``source`` with which a person spoke."""


def _edit(arguments: Json) -> tuple[FileChange, ...]:
    path = string(arguments.get("path"))
    edit = (string(arguments.get("old_str")), string(arguments.get("new_str")))
    return (replaced(path, [edit]),) if path else ()


def _create(arguments: Json) -> tuple[FileChange, ...]:
    path = string(arguments.get("path"))
    return (written(path, string(arguments.get("file_text")), new=True),) if path else ()


def _editor(arguments: Json) -> tuple[FileChange, ...]:
    """The older tool that did all of it, told apart by its ``command``."""
    forms = {"create": _create, "str_replace": _edit, "insert": _edit}
    form = forms.get(string(arguments.get("command")))
    return form(arguments) if form else ()


def _patch(arguments: Json) -> tuple[FileChange, ...]:
    return changes_of_patch(first_of(arguments, "input", "patch", "command"))


SHELL = Tool("shell", command="command")
SEARCH = Tool("search", query=("pattern", "query", "path", "paths", "glob"))
AGENT = Tool("agent", query=("prompt", "message", "agent_id"), variant="agent_type")
PLAN = Tool("plan")
TOOLS = {
    "bash": SHELL,
    "powershell": SHELL,
    "edit": Tool("edit", changes=_edit),
    "create": Tool("edit", changes=_create),
    "str_replace_editor": Tool("edit", changes=_editor),
    "apply_patch": Tool("edit", changes=_patch),
    "view": Tool("read", reads=("path",)),
    "grep": SEARCH,
    "rg": SEARCH,
    "glob": SEARCH,
    "task": AGENT,
    "read_agent": AGENT,
    "write_agent": AGENT,
    "list_agents": AGENT,
    "web_fetch": Tool("web", query=("url",)),
    "web_search": Tool("web", query=("query",)),
    "skill": Tool("skill", query=("skill", "name")),
    "report_intent": PLAN,
    "update_todo": PLAN,
    "ask_user": PLAN,
    "exit_plan_mode": PLAN,
}
MCP = Tool("mcp")
OTHER = Tool("other")

POLLS = frozenset(f"{verb}_{shell}" for verb in ("read", "write", "stop") for shell in ("bash", "powershell"))
"""Tools that go on with a command in a shell that an earlier call left running."""

REFUSALS: dict[StepStatus, tuple[str, ...]] = {
    "rejected": ("denied by", "user denied", "user rejected", "rejected by", "not permitted"),
    "interrupted": ("aborted", "cancelled", "interrupted"),
    "never_ran": ("invalid arguments", "unknown tool", "schema validation"),
}
"""Phrases of ``error.message``; anything else is a tool that ran and failed."""

REFUSED_CODES = frozenset({"denied", "rejected"})

_EXIT = re.compile(
    r"<(?:exited|(?:command with )?shellId: [^<>]*?(?: completed| exited)?) with exit code (-?\d+)>"
)
_GOES_ON = re.compile(
    r"<command (?:with shellId: (\S+) is still running|started in [^<>]*shellId: ([^\s<>]+))"
)
_STOPPED = re.compile(r"<command (?:with shellId: \S+ )?(?:was )?(?:stopped|killed|terminated)")
_TRUNCATED = re.compile(r"\A(?:Output too large to read at once|Output is too large)|<output truncated")


def recognises(head: Sequence[Json]) -> bool:
    """Whether the first records are event envelopes ``{type, data, id, parentId, timestamp}``."""
    return bool(head) and all(
        isinstance(record.get("data"), dict)
        and "parentId" in record
        and isinstance(record.get("id"), str)
        and string(record.get("type")).startswith(FAMILIES)
        for record in head[:5]
    )


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session in the order of the file."""
    start = _start(context)
    yield start
    log = _Log(start, count(context.first_ordinal))
    for record in records:
        yield from log.event(record)
    yield from log.rest()
    yield session_end(context.tally)


def _start(context: Context) -> SessionStart:
    opening: Json = next((r for r in context.head if r.get("type") == "session.start"), {})
    data = obj(opening.get("data"))
    place = obj(data.get("context"))
    repository, host = maybe(place.get("repository")), maybe(place.get("repositoryHost"))
    return SessionStart(
        id=maybe(data.get("sessionId")) or context.name.removesuffix(".jsonl") or "copilot",
        client="copilot",
        version=maybe(data.get("copilotVersion")),
        cwd=maybe(place.get("cwd")),
        branch=maybe(place.get("branch")),
        remote=f"{host or 'github.com'}/{repository}" if repository else None,
        at=maybe(opening.get("timestamp")) or maybe(data.get("startTime")),
    )


class _Log:
    """What is open while the events go by: calls without a result and shells that run on."""

    __slots__ = ("agents", "cwd", "human", "looks", "open", "ordinals", "shells", "start")

    def __init__(self, start: SessionStart, ordinals: Iterator[int]) -> None:
        self.start = start
        self.ordinals = ordinals
        self.cwd = start.cwd
        self.agents: dict[str, str] = {}
        """Agents by the names and ids they go by -> the call that started them, which is their id here:
        all that an agent does stands in this file, so a call of it hides nothing."""
        self.human: set[str] = set()
        self.looks: dict[str, tuple[str, str]] = {}
        self.open: dict[str, Call] = {}
        self.shells: dict[str, tuple[Call, str]] = {}

    def event(self, record: Record) -> Iterator[Event]:
        """The events that one line gives."""
        kind, data = string(record.value.get("type")), obj(record.value.get("data"))
        match kind:
            case "user.message":
                yield from self._user(record, data)
            case "tool.user_requested":
                self.human.add(string(data.get("toolCallId")))
            case "tool.execution_start":
                self._begin(record, data)
            case "subagent.started":
                started = string(record.value.get("agentId"))
                self.agents[started] = string(data.get("toolCallId")) or started
            case "tool.execution_complete":
                yield from self._complete(data)
            case "abort":
                yield from self._abort(record.line)
            case "session.compaction_complete":
                yield Boundary("compaction", next(self.ordinals), record.line)
            case "session.task_complete" | "session.shutdown":
                yield Boundary("turn_end", next(self.ordinals), record.line)
            case "session.resume" | "session.context_changed":
                place = obj(data.get("context")) or data
                self.cwd = maybe(place.get("cwd")) or self.cwd

    def _user(self, record: Record, data: Json) -> Iterator[Event]:
        source = data.get("source")
        person = isinstance(source, str | None) and source in PERSON
        heard = string(data.get("transformedContent")) or string(data.get("content"))
        if not person or record.value.get("agentId") or data.get("isAutopilotContinuation") is True:
            yield from notes(heard, record.line, self.ordinals)
            return
        said = Said(
            record_id(record.value.get("id"), self.start.id, record.line),
            string(data.get("content")),
            record.line,
            record.offset,
            maybe(record.value.get("timestamp")),
            images=sum(_is_image(obj(item)) for item in array(data.get("attachments"))),
            heard=heard,
        )
        yield from requests(said, self.ordinals)

    def _begin(self, record: Record, data: Json) -> None:
        call_id = record_id(data.get("toolCallId"), self.start.id, record.line)
        name = string(data.get("toolName"))
        given = data.get("arguments")
        arguments = obj(given) if not isinstance(given, str) else {"input": given}
        shell = string(arguments.get("shellId"))
        if name in POLLS and shell in self.shells:
            self.looks[call_id] = (name, shell)
            return
        if call_id in self.open:
            return
        agent = maybe(record.value.get("agentId"))
        child = maybe(data.get("parentToolCallId")) or (self.agents.get(agent, agent) if agent else None)
        place = Place(
            next(self.ordinals),
            record.line,
            "human" if call_id in self.human else "subagent" if child else "agent",
            self.cwd,
            child,
            maybe(record.value.get("timestamp")),
        )
        tool = TOOLS.get(name, MCP if maybe(data.get("mcpServerName")) else OTHER)
        call = begin(call_id, name, tool, arguments, place)
        if call.kind == "agent" and child is None:
            called = self.agents.setdefault(first_of(arguments, "agent_id", "name") or call_id, call_id)
            call = replace(call, place=replace(place, agent_id=called))
        self.open[call_id] = call

    def _complete(self, data: Json) -> Iterator[Event]:
        call_id = string(data.get("toolCallId"))
        look = self.looks.pop(call_id, None)
        if look is not None:
            yield from self._go_on(*look, data)
            return
        call = self.open.pop(call_id, None)
        if call is None:
            return
        outcome = _outcome(call, data)
        goes_on = _GOES_ON.search(outcome.output[-600:]) if call.kind == "shell" else None
        if goes_on and outcome.exit_code is None:
            name = goes_on[1] or goes_on[2]
            self.shells[name] = (replace(call, background=True), outcome.output)
            return
        yield finish(call, outcome, next(self.ordinals))

    def _go_on(self, verb: str, shell: str, data: Json) -> Iterator[Step]:
        """A look at a running command: the command's step ends with the look that sees it end."""
        if shell not in self.shells:
            return
        call, before = self.shells[shell]
        outcome = _outcome(call, data)
        output = _joined(before, outcome.output)
        if outcome.exit_code is not None:
            del self.shells[shell]
            yield finish(call, replace(outcome, output=output), next(self.ordinals))
        elif verb.startswith("stop_") or _STOPPED.search(outcome.output):
            del self.shells[shell]
            yield finish(call, replace(outcome, status="interrupted", output=output), next(self.ordinals))
        else:
            self.shells[shell] = (call, output)

    def _abort(self, line: int) -> Iterator[Event]:
        for call in self.open.values():
            yield finish(call, Outcome("interrupted"), next(self.ordinals))
        self.open.clear()
        yield Boundary("interrupt", next(self.ordinals), line)

    def rest(self) -> Iterator[Event]:
        """The calls and shells that the file leaves without an end."""
        for call in self.open.values():
            yield finish(call, Outcome("running"), next(self.ordinals))
        for call, output in self.shells.values():
            yield finish(call, Outcome("running", output), next(self.ordinals))


def _is_image(attachment: Json) -> bool:
    return string(attachment.get("mimeType")).startswith("image/") or attachment.get("type") == "image"


def _joined(before: str, after: str) -> str:
    """A look may repeat what earlier ones showed, or show only what is new."""
    shown = _GOES_ON.split(before)[0].rstrip()
    return after if after.startswith(shown) else f"{shown}\n{after}"


def _outcome(call: Call, data: Json) -> Outcome:
    result, error = obj(data.get("result")), obj(data.get("error"))
    output = texts(result.get("content")) or string(error.get("message"))
    truncated = bool(_TRUNCATED.search(output[:400]))
    if data.get("success") is False:
        code = string(error.get("code")).lower()
        status = worded(string(error.get("message")), REFUSALS, "failed")
        return Outcome("rejected" if code in REFUSED_CODES else status, output, truncated=truncated)
    if call.kind != "shell":
        changes = placed(call.changes, string(result.get("detailedContent")))
        return Outcome("ok", output, truncated=truncated, changes=changes)
    codes = _EXIT.findall(output[-600:])
    stated = whole(obj(data.get("shellExecution")).get("exitCode"))
    exit_code = stated if stated is not None else int(codes[-1]) if codes else None
    return Outcome(ended(exit_code), output, exit_code, truncated)
