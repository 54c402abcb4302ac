"""Codex rollouts: ``~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread id>.jsonl``.

Every line is ``{timestamp, type, payload}`` (since 0.14x also ``ordinal`` and ``metadata``).  Measured on
rollouts of 0.46 to 0.171 and on recorded runs of 0.171; docs/decisions/0003 says why this is a stream.
What is read of each type stands in ``_Rollout``'s tables; unknown types are passed over.

Three things need care.  The same thing is told twice (a prompt as message and as event, a command as event
and as output): it is told once here.  A forked or spawned thread begins with a copy of its parent's
lines: they are the parent's and are not told.  An approval assessor ("guardian") quotes whole transcripts
of other sessions as its prompt: nothing of it is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from honed.sessions.codex_calls import Calls, Ordinals
from honed.sessions.codex_prompts import asked, digest, shell_typed
from honed.sessions.codex_start import is_bare, parents_copy, session_start
from honed.sessions.fields import array, maybe, obj, string, texts
from honed.sessions.model import Boundary, Event, NoteGiven, Request, SessionEnd, SessionStart
from honed.sessions.reading import Context
from honed.sessions.source import Json, Record
from honed.sessions.text import note_ids

ENVELOPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
BARE_ITEMS = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call"}
)
"""Items as the first rollouts wrote them: without an envelope, behind a line with the session's id."""


def recognises(head: Sequence[Json]) -> bool:
    """Whether these records are a rollout's: Codex's envelope, or the items of its first versions."""
    for value in head:
        if string(value.get("type")) in ENVELOPES and isinstance(value.get("payload"), dict):
            return True
    first = head[0] if head else {}
    return is_bare(first) and any(string(value.get("type")) in BARE_ITEMS for value in head[1:])


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of a rollout.  A guardian's are its start and its end; the rest is not even parsed."""
    start = session_start(context)
    yield start
    if start.kind != "machine":
        rollout = _Rollout(start, context)
        for record in records:
            events = rollout.take(record)
            if events:
                yield from events
        yield from rollout.close()
    tally = context.tally
    yield SessionEnd(tally.records, tally.skipped, tuple(tally.reasons))


@dataclass(frozen=True, slots=True)
class _Said:
    """A user message as a response item tells it, until the event that says a person wrote it."""

    raw: str
    heard: str
    """All of the message's text; ``raw`` is the part that came from the prompt."""
    id: str
    turn: str
    line: int
    offset: int
    at: str | None
    images: int
    typed: bool
    """Whether the client says that a person typed it."""


class _Rollout:
    """One rollout while it is read."""

    def __init__(self, start: SessionStart, context: Context) -> None:
        self.start = start
        self.ordinals = Ordinals(context.first_ordinal)
        self.calls = Calls(self.ordinals, start)
        self.bare = bool(context.head) and is_bare(context.head[0])
        self.copy = None if context.resume else parents_copy(start, context.head)
        self._said: _Said | None = None
        self._asked: tuple[str, set[str]] = ("", set())
        self._searched = ""
        self._record = Record(0, 0, {})
        self._items: dict[str, Callable[[Json], Iterable[Event]]] = {
            "message": self._message,
            "function_call": self._call,
            "custom_tool_call": self._call,
            "local_shell_call": self._call,
            "tool_search_call": self._call,
            "function_call_output": self._output,
            "custom_tool_call_output": self._output,
            "tool_search_output": self._output,
            "web_search_call": self._web_search,
        }
        self._events: dict[str, Callable[[Json], Iterable[Event]]] = {
            "user_message": self._user_message,
            "exec_command_end": self._told(self.calls.command_ended),
            "patch_apply_end": self._told(self.calls.patch_ended),
            "mcp_tool_call_end": self._told(self.calls.mcp_ended),
            "web_search_end": self._web_search,
            "item_completed": self._item_completed,
            "turn_aborted": self._turn_aborted,
            "task_complete": self._turn_complete,
            "entered_review_mode": self._review(True),
            "exited_review_mode": self._review(False),
            "thread_settings_applied": self._settings,
        }
        self._completed: dict[str, Callable[[Json], Iterable[Event]]] = {
            "CommandExecution": self._told(self.calls.command_ended),
            "FileChange": self._told(self.calls.patch_ended),
            "McpToolCall": self._told(self.calls.mcp_ended),
            "UserMessage": self._user_item,
            "WebSearch": self._web_search,
            "EnteredReviewMode": self._review(True),
            "ExitedReviewMode": self._review(False),
        }

    # -- lines -----------------------------------------------------------------------------------

    def take(self, record: Record) -> Iterable[Event]:
        """The events that this line brings."""
        value = record.value
        kind, payload = value.get("type"), value.get("payload")
        if not isinstance(payload, dict):
            if not self.bare:
                return ()
            kind, payload = "response_item", value
        if self.copy is not None:
            if self.copy.holds(value, payload):
                return ()
            self.copy = None
        self._record = record
        part = payload.get("type")
        if kind == "response_item":
            handler = self._items.get(part) if isinstance(part, str) else None
        elif kind == "event_msg":
            handler = self._events.get(part) if isinstance(part, str) else None
        elif kind == "turn_context":
            self.calls.cwd = maybe(payload.get("cwd")) or self.calls.cwd
            return ()
        elif kind == "compacted":
            return (Boundary("compaction", self.ordinals.take(), record.line),)
        else:
            return ()
        return handler(payload) if handler is not None else ()

    def close(self) -> Iterable[Event]:
        """What is still open when the file ends."""
        return self.calls.close()

    # -- what people and machines say --------------------------------------------------------------

    def _message(self, payload: Json) -> Iterable[Event]:
        role = payload.get("role")
        if role != "user" and role != "developer":
            return ()
        heard = texts(payload.get("content"))
        if role == "developer":
            return self._notes(heard)
        said = self._said_in(payload, heard)
        if asked(said.raw) is None:
            typed = shell_typed(heard) if heard.startswith("<user_shell_command>") else None
            if typed is not None:
                call_id = said.id or digest(string(said.at), *typed)
                return self.calls.human_shell(call_id, *typed, said.line, said.at)
            return self._notes(heard)
        self._said = said
        return self._request(said.raw, "item", said, "") if said.typed or self.bare else ()

    def _said_in(self, payload: Json, heard: str) -> _Said:
        """The prompt in a message: where the client says of what kind each part is, the user's parts."""
        passed = obj(payload.get("internal_chat_message_metadata_passthrough"))
        kinds = [string(kind) for kind in array(passed.get("content_item_kinds"))]
        parts, raw = array(payload.get("content")), heard
        if kinds and len(kinds) == len(parts):
            parts = [part for part, kind in zip(parts, kinds, strict=True) if kind.startswith("user.")]
            raw = texts(parts)
        return _Said(
            raw=raw,
            heard=heard,
            id=string(payload.get("id")),
            turn=string(passed.get("turn_id")),
            line=self._record.line,
            offset=self._record.offset,
            at=self._at(),
            images=sum(obj(part).get("type") == "input_image" for part in parts),
            typed="user.text" in kinds,
        )

    def _notes(self, text: str) -> tuple[NoteGiven, ...]:
        skills = note_ids(text) if "<honed-note" in text else ()
        return (NoteGiven(skills, self.ordinals.take(), self._record.line),) if skills else ()

    def _user_message(self, payload: Json) -> Iterable[Event]:
        raw = string(payload.get("message"))
        images = len(array(payload.get("images"))) + len(array(payload.get("local_images")))
        return self._spoken(raw, "event", string(payload.get("client_id")), images)

    def _user_item(self, item: Json) -> Iterable[Event]:
        images = sum("image" in string(obj(part).get("type")).lower() for part in array(item.get("content")))
        return self._spoken(texts(item.get("content")), "completed", string(item.get("id")), images)

    def _spoken(self, raw: str, source: str, own_id: str, images: int) -> Iterable[Event]:
        """A prompt as an event tells it: together with the message before it if that holds the same words."""
        said = self._said
        words = raw.strip()
        if said is None or (words not in said.raw and said.raw.strip() not in words):
            record = self._record
            said = _Said(raw, raw, "", "", record.line, record.offset, self._at(), images, True)
        return self._request(raw, source, said, own_id)

    def _request(self, raw: str, source: str, said: _Said, own_id: str) -> Iterable[Event]:
        words = asked(raw)
        before, sources = self._asked
        key = words[0] if words else ""
        if before == key and source not in sources and sources:
            sources.add(source)
            return ()
        self._asked = (key, {source})
        if words is None or self.calls.reviewing or self.start.kind != "main":
            return self._notes(said.heard) if words is not None else ()
        self._said = None
        text, command = words
        request = Request(
            said.id or own_id or digest(said.turn or string(said.at), text, command or ""),
            text,
            self.ordinals.take(),
            said.line,
            said.offset,
            said.at,
            command,
            said.images,
        )
        # The note comes second: a reading may resume at the request, which then has the first ordinal.
        return (request, *self._notes(said.heard))

    def _at(self) -> str | None:
        return maybe(self._record.value.get("timestamp"))

    # -- what tools do -----------------------------------------------------------------------------

    def _call(self, payload: Json) -> Iterable[Event]:
        return self.calls.begin(payload, self._record.line, self._at())

    def _output(self, payload: Json) -> Iterable[Event]:
        return self.calls.end(string(payload.get("call_id")), payload.get("output"))

    def _told(
        self, take: Callable[[Json, int, str | None], Iterable[Event]]
    ) -> Callable[[Json], Iterable[Event]]:
        return lambda payload: take(payload, self._record.line, self._at())

    def _item_completed(self, payload: Json) -> Iterable[Event]:
        item = obj(payload.get("item"))
        handler = self._completed.get(string(item.get("type")))
        return handler(item) if handler is not None else ()

    def _web_search(self, payload: Json) -> Iterable[Event]:
        action = obj(payload.get("action"))
        query = string(payload.get("query")) or string(action.get("query")) or string(action.get("url"))
        told = json.dumps(action, sort_keys=True)
        if self._searched == told or not (query or payload.get("call_id")):
            self._searched = ""  # the client tells a search as an event and as an item
            return ()
        self._searched = told
        call_id = (
            string(payload.get("call_id")) or string(payload.get("id")) or digest(string(self._at()), told)
        )
        return self.calls.searched(call_id, query, self._record.line, self._at())

    # -- turns -------------------------------------------------------------------------------------

    def _turn_aborted(self, _payload: Json) -> Iterable[Event]:
        left = self.calls.interrupt()
        return (*left, Boundary("interrupt", self.ordinals.take(), self._record.line))

    def _turn_complete(self, _payload: Json) -> Iterable[Event]:
        return (Boundary("turn_end", self.ordinals.take(), self._record.line),)

    def _review(self, on: bool) -> Callable[[Json], Iterable[Event]]:
        def switch(_payload: Json) -> Iterable[Event]:
            self.calls.reviewing = on
            return ()

        return switch

    def _settings(self, payload: Json) -> Iterable[Event]:
        self.calls.cwd = maybe(obj(payload.get("thread_settings")).get("cwd")) or self.calls.cwd
        return ()
