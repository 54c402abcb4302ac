"""Reads Claude Code transcripts (``~/.claude/projects/<folder>/<session>.jsonl``), versions 1.0 to 2.1.

One JSON object a line; ``type`` says what it is.  Understood are ``user``, ``assistant``, ``attachment``,
``system``, ``progress`` (what sub-agents did), ``queue-operation`` and ``result`` (``stream-json``); all
others are passed over.  File order is kept: time stamps go back in most real files.

A sub-agent's own file (``agent-<id>.jsonl``) can be read too: its session has the kind "subagent", and its
steps are those that the parent's reading tells as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from honed.sessions.claude_activity import Activity
from honed.sessions.claude_calls import Scope, Tape
from honed.sessions.claude_prompts import (
    TypingQueue,
    is_injected,
    kind_of_text,
    shell_input,
    shell_output,
    slash_command,
    words_of,
)
from honed.sessions.claude_results import image_count, words_of_refusal
from honed.sessions.fields import array, maybe, obj, string, texts
from honed.sessions.model import Boundary, Event, Request, SessionEnd, SessionKind, SessionStart
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context

OWN_TYPES = frozenset(
    {"file-history-snapshot", "queue-operation", "permission-mode", "last-prompt", "custom-title", "ai-title"}
)
"""Record types that no other client writes; a file may hold nothing else."""
LEAD_NAMES = frozenset({"team-lead", "lead", "leader"})
"""What the agent of a team is called that a person talks to."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def recognises(head: Sequence[Json]) -> bool:
    """Whether the first records are Claude Code's."""
    return any(_is_own(value) for value in head)


def _is_own(value: Json) -> bool:
    kind = value.get("type")
    if kind in ("user", "assistant"):
        message = obj(value.get("message"))
        return message.get("role") == kind and "content" in message
    if kind == "summary":
        return "leafUuid" in value
    if kind in ("progress", "attachment", "system"):
        marks = ("isSidechain", "parentUuid") if "sessionId" in value else ("session_id", "uuid", "subtype")
        return all(mark in value for mark in marks)
    return isinstance(kind, str) and kind in OWN_TYPES


# -- the session -------------------------------------------------------------------------------------


def opening(head: Sequence[Json], name: str = "") -> SessionStart:
    """What the session is, told by its first records and the file's name.

    A resumed or forked session begins with records of the session that it came from; the one whose id the
    file's name holds is meant, and the other is its parent.
    """
    stem = name.removesuffix(".jsonl")
    ids = _session_ids(head)
    spoken = [value for value in head if value.get("type") in ("user", "assistant")]
    agents = {string(value.get("agentId")) for value in spoken if value.get("isSidechain") is True}
    own = next((id_ for id_ in ids if id_ in stem), "") or _uuid_in(stem) or (ids[-1] if ids else stem)
    parent = next((id_ for id_ in ids if id_ != own), None)
    kind: SessionKind = "main"
    if spoken and all(value.get("isSidechain") is True for value in spoken):
        kind = "subagent"
        parent = ids[0] if ids else None
        agent = next(iter(sorted(agents - {""})), "")
        own = f"agent-{agent}" if agent else stem or own
    elif _is_team(head):
        kind = "team"
    return SessionStart(
        own,
        "claude_code",
        kind,
        _first(head, "version") or _first(head, "claude_code_version"),
        _first(head, "cwd"),
        _first(head, "gitBranch"),
        None,
        parent,
        _first(head, "timestamp"),
    )


def _session_ids(head: Sequence[Json]) -> list[str]:
    found: dict[str, None] = {}
    for value in head:
        id_ = maybe(value.get("sessionId")) or maybe(value.get("session_id"))
        if id_:
            found[id_] = None
    return list(found)


def _uuid_in(stem: str) -> str:
    found = _UUID.findall(stem)
    return found[-1] if found else ""


def _first(head: Sequence[Json], key: str) -> str | None:
    return next((value[key] for value in head if isinstance(value.get(key), str) and value[key]), None)


def _is_team(head: Sequence[Json]) -> bool:
    """Whether the session is a member of a team: other agents, and no person, tell it what to do."""
    names = {string(value.get("agentName")) for value in head if maybe(value.get("teamName"))}
    member = bool(names - LEAD_NAMES - {""})
    told = False
    for value in head:
        if value.get("type") != "user" or value.get("isMeta") is True:
            continue
        text = texts(obj(value.get("message")).get("content"))
        if text.lstrip().startswith("<teammate-message"):
            told = True
        elif text and not member and kind_of_text(text) in ("words", "command"):
            return False
    return told or member


# -- reading -----------------------------------------------------------------------------------------


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of a Claude Code transcript; see ``reading.Reader``."""
    start = opening(context.head, context.name)
    yield start
    conversation = _Conversation(start, context)
    try:
        for record in records:
            conversation.hear(record)
            if conversation.tape.events:
                yield from conversation.tape.events
                conversation.tape.events.clear()
        conversation.activity.close()
        yield from conversation.tape.events
    finally:
        conversation.activity.release()
    tally = context.tally
    yield SessionEnd(tally.records, tally.skipped, tuple(tally.reasons))


class _Conversation:
    """The state of one reading: who spoke last, what waits in the queue, what the agent is doing."""

    def __init__(self, start: SessionStart, context: Context) -> None:
        self.start = start
        self.tape = Tape(context.first_ordinal, [])
        stem = context.name.removesuffix(".jsonl")
        folders = tuple(dict.fromkeys(name for name in (stem, start.id, start.parent or "") if name))
        self.activity = Activity(self.tape, folders, context.related)
        self.queue = TypingQueue()
        self.compacted = False
        self.over = False
        self.until_typed = context.resume is not None
        """Reading resumed where a text was typed ahead: what stands before its turn was told earlier."""
        self.handlers: dict[str, Callable[[Record], None]] = {
            "user": self.user,
            "assistant": self.assistant,
            "attachment": self.attachment,
            "system": self.system,
            "progress": self.progress,
            "result": self.result,
            "queue-operation": self.queued,
        }

    def hear(self, record: Record) -> None:
        """Take one record in; what it tells is on the tape."""
        value = record.value
        kind = value.get("type")
        handler = self.handlers.get(kind) if isinstance(kind, str) else None
        if handler is None:
            return
        if self.until_typed and not self.queue.waiting and not self.queue.taken:
            self.until_typed = kind == "queue-operation" and value.get("operation") == "enqueue"
        if self.activity.watches_agents:
            moment = value.get("timestamp")
            if isinstance(moment, str):
                self.activity.advance(moment)
        if kind != "progress" and self.activity.is_copy(value):
            return
        handler(record)

    # -- one function for each type of record

    def assistant(self, record: Record) -> None:
        self.typed_ahead(record)
        self.compacted = self.over = False
        if self.until_typed:
            self.activity.pass_over(record.value)
        else:
            self.activity.calls(record.value, _scope(record))

    def user(self, record: Record) -> None:
        value = record.value
        scope = _scope(record)
        if self.until_typed:
            answered = _answers(value)
        else:
            answered = self.activity.results(value, scope)
        if scope.actor == "subagent":
            return
        if answered:
            self.refusals(record)
        content = obj(value.get("message")).get("content")
        if isinstance(content, str) or not answered or _has_text(content):
            self.spoken(record, content)

    def refusals(self, record: Record) -> None:
        """What the user said instead of letting a call run is a request like any other."""
        for block in array(obj(record.value.get("message")).get("content")):
            words = words_of_refusal(obj(block))
            if words:
                self.request(record, words_of(words))

    def spoken(self, record: Record, content: object) -> None:
        """The text of a user record: a person's words, or one of the many other things."""
        value = record.value
        text = texts(content)
        kind = kind_of_text(text)
        self.queue.arrived(text)
        self.typed_ahead(record)
        if kind == "notice":
            self.activity.notices(text)
        elif kind == "interrupt":
            self.boundary("interrupt", record)
            self.request(record, words_of(content))
        elif kind == "shell":
            self.activity.typed_shell(self.id_of(record), shell_input(text), value, record.line)
        elif kind == "shell_output":
            self.activity.typed_output(shell_output(text))
        elif value.get("isCompactSummary") is True:
            self.boundary("compaction", record)
        elif is_injected(value) or not self.person_speaks(value):
            self.activity.notes_in((text,), record.line)
        elif kind == "command":
            asked = slash_command(text)
            if asked is not None:
                self.request(record, asked[1], command=asked[0], images=image_count(content))
        else:
            images = image_count(content)
            words = words_of(content)
            if not words:
                self.activity.notes_in((text,), record.line)
            self.request(record, words, images=images)

    def attachment(self, record: Record) -> None:
        value = record.value
        attached = obj(value.get("attachment"))
        if attached.get("type") != "queued_command":
            if not self.until_typed:
                self.activity.attachment(value, _scope(record))
            return
        if _scope(record).actor == "subagent":
            return
        prompt = attached.get("prompt")
        text = texts(prompt)
        self.queue.arrived(text)
        if kind_of_text(text) == "notice":
            self.activity.notices(text)
        elif attached.get("commandMode") in (None, "prompt") and not is_injected(attached):
            if not is_injected(value) and self.person_speaks(value):
                self.request(record, words_of(prompt), images=image_count(prompt))

    def system(self, record: Record) -> None:
        value = record.value
        subtype = value.get("subtype")
        if value.get("isSidechain") is True:
            return
        if subtype == "compact_boundary":
            self.boundary("compaction", record)
        elif subtype in ("turn_duration", "stop_hook_summary"):
            self.boundary("turn_end", record)
        else:
            self.activity.notes_in((value.get("content"),), record.line)

    def progress(self, record: Record) -> None:
        data = record.value.get("data")
        if isinstance(data, dict) and data.get("type") == "agent_progress" and not self.until_typed:
            inner = obj(data.get("message"))
            if not isinstance(inner.get("cwd"), str):
                inner = {**inner, "cwd": record.value.get("cwd")}
            agent = maybe(data.get("agentId"))
            self.activity.hear_agent(inner, Scope(record.line, "subagent", agent))

    def result(self, record: Record) -> None:
        """The end of a turn in ``stream-json``."""
        self.boundary("turn_end", record)

    def queued(self, record: Record) -> None:
        value = record.value
        content = string(value.get("content"))
        if kind_of_text(content) == "notice":
            self.activity.notices(content)
        self.queue.operate(record)

    # -- telling

    def typed_ahead(self, record: Record) -> None:
        """Tell the requests that the agent took from the queue and that are recorded nowhere else."""
        if not self.queue.taken:
            return
        for typed in self.queue.due(record.value.get("version")):
            self.request(typed.record, words_of(typed.text))

    def request(self, record: Record, words: str, *, command: str | None = None, images: int = 0) -> None:
        if not words and not images and command is None:
            return
        self.until_typed = False
        self.activity.settle()
        self.over = False
        at = maybe(record.value.get("timestamp"))
        ordinal = self.tape.tick()
        id_ = self.id_of(record)
        self.tape.events.append(Request(id_, words, ordinal, record.line, record.offset, at, command, images))

    def boundary(self, what: str, record: Record) -> None:
        """Tell a cut once, though the client records it twice."""
        if self.until_typed:
            return
        if what == "compaction":
            if not self.compacted:
                self.compacted = True
                self.tape.events.append(Boundary("compaction", self.tape.tick(), record.line))
        elif what == "interrupt":
            self.tape.events.append(Boundary("interrupt", self.tape.tick(), record.line))
        elif not self.over:
            self.over = True
            self.tape.events.append(Boundary("turn_end", self.tape.tick(), record.line))

    def person_speaks(self, value: Json) -> bool:
        """Whether a record of this session that is not marked as injected may be a person's."""
        if self.start.kind == "main":
            return True
        typed = value.get("promptSource") == "typed" or obj(value.get("origin")).get("kind") == "human"
        return self.start.kind == "team" and typed

    def id_of(self, record: Record) -> str:
        """A record's own id; a queued text has none, so its session and moment serve (copies keep both)."""
        value = record.value
        uuid = maybe(value.get("uuid"))
        if uuid:
            return uuid
        session = maybe(value.get("sessionId")) or self.start.id
        return f"{session}:{maybe(value.get('timestamp')) or record.line}"


def _scope(record: Record) -> Scope:
    value = record.value
    if value.get("isSidechain") is True or maybe(value.get("parent_tool_use_id")):
        agent = maybe(value.get("agentId")) or maybe(value.get("parent_tool_use_id"))
        return Scope(record.line, "subagent", agent)
    return Scope(record.line)


def _answers(value: Json) -> bool:
    blocks = array(obj(value.get("message")).get("content"))
    return any(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)


def _has_text(content: object) -> bool:
    return any(isinstance(block, dict) and block.get("type") == "text" for block in array(content))
