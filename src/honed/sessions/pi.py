"""Pi: session files of format 1 to 3, JSON lines that form a tree by ``id`` and ``parentId``.

``session {id, version, cwd, parentSession}`` first; then ``message {role: user|assistant|toolResult|
bashExecution}``, ``compaction``, ``custom_message`` (put in by an extension: only honed's notes are
looked for) and others.  A ``toolCall`` in an assistant's content is answered by a ``toolResult
{toolCallId, isError, details}``.  A failing command is ``isError`` with ``Command exited with code N`` at
its end, so an unflagged one exited with 0.  ``bashExecution`` is what the human ran with ``!``.  All branches
of the tree are read, in file order: work on a branch that was left behind was done all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    hunks_of_diff,
    replaced,
    session_end,
    written,
)
from honed.sessions.fields import array, maybe, obj, string, texts, whole
from honed.sessions.model import Boundary, Event, FileChange, SessionStart
from honed.sessions.prompts import Said, notes, record_id, requests
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def _edit(arguments: Json) -> tuple[FileChange, ...]:
    path = string(arguments.get("path"))
    pairs = edits_of(arguments, "edits", "oldText", "newText")
    if "oldText" in arguments or "newText" in arguments:
        pairs.append((string(arguments.get("oldText")), string(arguments.get("newText"))))
    return (replaced(path, pairs),) if path and pairs else ()


def _write(arguments: Json) -> tuple[FileChange, ...]:
    path = string(arguments.get("path"))
    return (written(path, string(arguments.get("content")), new=False),) if path else ()


AGENT = Tool("agent")
WEB = Tool("web")
TOOLS = {
    "bash": Tool("shell", command="command"),
    "edit": Tool("edit", changes=_edit),
    "write": Tool("edit", changes=_write),
    "read": Tool("read", reads=("path",)),
    "grep": Tool("search", query=("pattern", "path", "glob")),
    "find": Tool("search", query=("pattern", "path")),
    "ls": Tool("search", query=("path",)),
    "spawn_pi": AGENT,
    "subagent": AGENT,
    "task": AGENT,
    "web_search": WEB,
    "fetch_content": WEB,
    "get_search_content": WEB,
    "ask_user_question": Tool("plan"),
    "todo": Tool("plan"),
    "mcp": Tool("mcp"),
}
OTHER = Tool("other")

CHILD_TASK = re.compile(r"\s*<!-- pi-[\w-]*task:")
"""How the only prompt of a child begins that an extension started (``spawn_pi``)."""

_SKILL = re.compile(r'\s*<skill name="([^"]+)"[^>]*>.*?</skill>\s*', re.DOTALL)
"""What Pi puts in place of ``/skill:name``; the user's words follow it."""

_EXIT = re.compile(r"Command exited with code (-?\d+)\s*\Z")
_STOPPED = re.compile(r"Command (?:aborted|timed out[^\n]*)\s*\Z")
_ABORTED = re.compile(r"abort", re.IGNORECASE)


def recognises(head: Sequence[Json]) -> bool:
    """Whether the first record is Pi's session header: ``{type: session, version, id, cwd}``."""
    if not head or head[0].get("type") != "session" or "data" in head[0]:
        return False
    header = head[0]
    return isinstance(header.get("id"), str) and isinstance(header.get("cwd"), str)


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session in the order of the file."""
    start = _start(context)
    yield start
    ordinals = count(context.first_ordinal)
    calls: dict[str, Call] = {}
    for record in records:
        value = record.value
        message = obj(value.get("message"))
        role = message.get("role") if value.get("type") == "message" else None
        if value.get("type") == "compaction":
            yield Boundary("compaction", next(ordinals), record.line)
        elif value.get("type") == "custom_message":
            yield from notes(texts(value.get("content")), record.line, ordinals)
        elif role == "user" and start.kind == "main":
            yield from requests(_said(record, message, start), ordinals)
        elif role == "assistant":
            _begin(calls, record, message, start, ordinals)
            yield from _turn(message, record.line, ordinals)
        elif role == "toolResult":
            call = calls.pop(string(message.get("toolCallId")), None)
            if call is not None:
                yield finish(call, _outcome(call, message), next(ordinals))
        elif role == "bashExecution":
            yield _typed(record, message, start, ordinals)
    for call in calls.values():
        yield finish(call, Outcome("running"), next(ordinals))
    yield session_end(context.tally)


def _start(context: Context) -> SessionStart:
    header = context.head[0] if context.head else {}
    first = next((m for r in context.head if (m := obj(r.get("message"))).get("role") == "user"), {})
    parent = maybe(header.get("parentSession"))
    version = header.get("version")
    return SessionStart(
        id=string(header.get("id")),
        client="pi",
        kind="subagent" if CHILD_TASK.match(texts(first.get("content"))) else "main",
        version=str(version) if whole(version) is not None else maybe(version),
        cwd=maybe(header.get("cwd")),
        parent=parent,
        at=maybe(header.get("timestamp")),
    )


def _said(record: Record, message: Json, start: SessionStart) -> Said:
    content = message.get("content")
    text, command = texts(content), None
    skill = _SKILL.match(text)
    if skill:
        text, command = text[skill.end() :], f"skill:{skill[1]}"
    return Said(
        _identity(record, start),
        text,
        record.line,
        record.offset,
        maybe(record.value.get("timestamp")),
        command,
        sum(obj(part).get("type") == "image" for part in array(content)),
    )


def _identity(record: Record, start: SessionStart) -> str:
    """The record's id with its time: by itself it has 32 bits.  A fork copies both."""
    at = string(record.value.get("timestamp"))
    own = record_id(record.value.get("id"), start.id, record.line)
    return f"{own}@{at}" if at else own


def _begin(
    calls: dict[str, Call], record: Record, message: Json, start: SessionStart, ordinals: Iterator[int]
) -> None:
    for number, part in enumerate(map(obj, array(message.get("content")))):
        if part.get("type") != "toolCall":
            continue
        sub = start.kind == "subagent"
        place = Place(
            next(ordinals),
            record.line,
            "subagent" if sub else "agent",
            start.cwd,
            start.id if sub else None,
            maybe(record.value.get("timestamp")),
        )
        call_id = string(part.get("id"))
        if not call_id or call_id in calls:
            call_id = f"{start.id}:{record.line}:{number}"
        name, arguments = string(part.get("name")), obj(part.get("arguments"))
        roles = {string(obj(task).get("role")) for task in array(arguments.get("tasks"))}
        called = f"{name}:{roles.pop()}" if len(roles) == 1 and "" not in roles else name
        calls[call_id] = begin(call_id, called, TOOLS.get(name, OTHER), arguments, place)


def _turn(message: Json, line: int, ordinals: Iterator[int]) -> Iterator[Event]:
    reason = message.get("stopReason")
    if reason == "aborted" or (reason == "error" and _ABORTED.search(string(message.get("errorMessage")))):
        yield Boundary("interrupt", next(ordinals), line)
    elif reason == "stop":
        yield Boundary("turn_end", next(ordinals), line)


def _outcome(call: Call, message: Json) -> Outcome:
    output, details = texts(message.get("content")), obj(message.get("details"))
    truncated = bool(maybe(details.get("fullOutputPath")))
    truncated = truncated or obj(details.get("truncation")).get("truncated") is True
    failed = message.get("isError") is True
    if call.kind == "shell":
        code = _EXIT.search(output) if failed else None
        if code:
            return Outcome("failed", output, int(code[1]), truncated)
        if failed:
            # Neither a code nor a stop: an extension or the user kept the command from running.
            stopped = _STOPPED.search(output)
            return Outcome("interrupted" if stopped else "rejected", output, None, truncated)
        exit_code = whole(details.get("exitCode"))
        return Outcome(ended(exit_code or 0), output, exit_code or 0, truncated)
    if failed:
        return Outcome("failed", output, truncated=truncated)
    patch = hunks_of_diff(string(details.get("patch")))
    changes = None
    if call.kind == "edit" and patch and len(call.changes) == 1:
        changes = (FileChange(call.changes[0].path, call.changes[0].action, patch),)
    return Outcome("ok", output, truncated=truncated, changes=changes)


def _typed(record: Record, message: Json, start: SessionStart, ordinals: Iterator[int]) -> Event:
    at = maybe(record.value.get("timestamp"))
    place = Place(next(ordinals), record.line, "human", start.cwd, at=at)
    call = begin(
        _identity(record, start), "!", TOOLS["bash"], {"command": string(message.get("command"))}, place
    )
    exit_code = whole(message.get("exitCode"))
    stopped = message.get("cancelled") is True
    outcome = Outcome(
        "interrupted" if stopped else ended(exit_code),
        string(message.get("output")),
        exit_code,
        message.get("truncated") is True,
    )
    return finish(call, outcome, next(ordinals))
