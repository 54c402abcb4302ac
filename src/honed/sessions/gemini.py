"""Gemini CLI: its chat recordings, in the old form and the new (seen from 0.23 to 0.61).

Old: one JSON document ``{sessionId, projectHash, startTime, messages[...]}``.  New: JSON lines, a header
without messages, then messages, ``{"$set": {...}}`` and ``{"$rewindTo": id}``.  A message is ``{id,
timestamp, type: user|gemini|info|warning|error, content, displayContent, toolCalls[{id, name, args,
result[{functionResponse{response{output|error}}}], status, resultDisplay}]}``; in the new form the same id
is written again whenever the message grew, so a call is told once, with the first of its versions that
has a result.  ``$set.messages`` replaces what the *model* remembers (at the start, after compression): the
work it leaves out was done all the same, so it is read only in files that hold nothing else.

The recording names no directory: it is found in the context Gemini gives the model, or by
``projectHash`` (SHA-256 of the project's path) among the folders above the files that were touched.
A command's text has ``Exit Code: N`` only when N is not 0 (older versions: always).
"""

from __future__ import annotations

import hashlib
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
    finish,
    hunks_of_diff,
    replaced,
    session_end,
    worded,
    written,
)
from honed.sessions.fields import array, maybe, obj, string, texts
from honed.sessions.model import Boundary, Event, FileChange, SessionStart, StepStatus
from honed.sessions.prompts import Said, record_id, requests
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def _replace(arguments: Json) -> tuple[FileChange, ...]:
    path, old = string(arguments.get("file_path")), string(arguments.get("old_string"))
    if not path:
        return ()
    if not old:
        return (written(path, string(arguments.get("new_string")), new=True),)
    return (replaced(path, [(old, string(arguments.get("new_string")))]),)


def _write(arguments: Json) -> tuple[FileChange, ...]:
    path = string(arguments.get("file_path"))
    return (written(path, string(arguments.get("content")), new=False),) if path else ()


READ = Tool("read", reads=("file_path", "absolute_path", "path", "paths", "include"))
SEARCH = Tool("search", query=("pattern", "query", "dir_path", "path", "include_pattern", "include"))
AGENT = Tool("agent", variant="agent_name")
READER = Tool("search", query=("objective", "question"))
"""Agents that only read: what they do is a search."""
PLAN = Tool("plan")
TOOLS = {
    "run_shell_command": Tool("shell", command="command", cwd="dir_path", background="is_background"),
    "replace": Tool("edit", changes=_replace),
    "write_file": Tool("edit", changes=_write),
    "read_file": READ,
    "read_many_files": READ,
    "grep_search": SEARCH,
    "search_file_content": SEARCH,
    "glob": SEARCH,
    "list_directory": SEARCH,
    "google_web_search": Tool("web", query=("query",)),
    "web_fetch": Tool("web", query=("prompt", "url")),
    "activate_skill": Tool("skill", query=("name", "skill_name")),
    "codebase_investigator": READER,
    "generalist": AGENT,
    "cli_help": READER,
    "invoke_agent": AGENT,
    "delegate_to_agent": AGENT,
    "write_todos": PLAN,
    "update_topic": PLAN,
    "ask_user": PLAN,
    "enter_plan_mode": PLAN,
    "exit_plan_mode": PLAN,
}
MCP = Tool("mcp")
OTHER = Tool("other")

MACHINE = (
    "<session_context>",
    "<state_snapshot>",
    "This is the Gemini CLI. We are setting up",
    "System: Please continue",
)
"""How user messages begin that Gemini itself wrote: context, summaries, "go on"."""

USER_SHELL = re.compile(
    r"I ran the following shell command:\s*```\w*\n(.*?)\n```"
    r"\s*This produced the following result:\s*```\n(.*?)\n?```",
    re.DOTALL,
)
"""How Gemini tells the model what the human ran with ``!``."""

EXPANDED = "--- Content from referenced files ---"
"""What Gemini puts before the text of files that the prompt names with ``@``."""

CANCELLED: dict[StepStatus, tuple[str, ...]] = {"rejected": ("denied", "rejected", "not allowed")}
ERRORS: dict[StepStatus, tuple[str, ...]] = {
    "never_ran": (
        "not found. did you mean",
        "not found in registry",
        "params must have",
        "invalid param",
    ),
    "rejected": ("denied by policy", "denied execution", "blocked by hook", "requires user confirmation"),
    "interrupted": ("operation cancelled", "user cancelled"),
}
"""Phrases of the error text; anything else is a tool that ran and failed."""

STOPPED = ("automatically cancelled because it exceeded", "cancelled by user before it could complete")
"""How a command's text says that it was stopped."""

_EXIT = re.compile(r"^Exit Code: (-?\d+)\s*$", re.MULTILINE)
_TRUNCATED = re.compile(r"\AOutput too large\.|\A\.\.\. \[\d+ characters omitted\]", re.MULTILINE)
_WORKSPACE = re.compile(
    r"Workspace Directories:\*\*\s*\n\s*- (.+)"
    r"|working in the (?:following )?director(?:y|ies):\s*(?:\n\s*- )?(.+)"
)
_DONE = frozenset({"success", "error", "cancelled"})


def recognises(head: Sequence[Json]) -> bool:
    """Whether this is Gemini CLI's: a header (or document) with ``sessionId`` and ``projectHash``."""
    if not head:
        return False
    return bool(maybe(head[0].get("sessionId")) and maybe(head[0].get("projectHash")))


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the recording.  ``line`` is the number of the message in the old form."""
    start = _start(context.head)
    yield start
    chat = _Chat(start, count(context.first_ordinal))
    for record in records:
        value = record.value
        changed = obj(value.get("$set"))
        if isinstance(value.get("messages"), list):
            for number, message in enumerate(array(value["messages"]), 1):
                yield from chat.message(obj(message), number, 0)
        elif isinstance(changed.get("messages"), list):
            if not chat.has_messages:
                for message in array(changed["messages"]):
                    yield from chat.remembered(obj(message), record.line, record.offset)
        elif maybe(value.get("$rewindTo")):
            yield Boundary("interrupt", next(chat.ordinals), record.line)
        elif maybe(value.get("type")):
            chat.has_messages = True
            yield from chat.message(value, record.line, record.offset)
    yield from chat.rest()
    yield session_end(context.tally)


class _Chat:
    """What has been told and what is still open while the messages go by."""

    __slots__ = ("has_messages", "open", "ordinals", "said", "start", "told")

    def __init__(self, start: SessionStart, ordinals: Iterator[int]) -> None:
        self.start = start
        self.ordinals = ordinals
        self.has_messages = False
        self.said: set[str] = set()
        self.told: set[str] = set()
        self.open: dict[str, tuple[Call, Json]] = {}

    def remembered(self, message: Json, line: int, offset: int) -> Iterator[Event]:
        """A message of a file that only ever rewrites the model's memory: ids may be those of places in
        that list, so a request is known again by its text."""
        if message.get("type") == "user":
            text = _typed(message)[0]
            digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
            message = {**message, "id": f"{self.start.id}:{digest}"}
        yield from self.message(message, line, offset)

    def message(self, message: Json, line: int, offset: int) -> Iterator[Event]:
        """The events of one version of one message."""
        kind = message.get("type")
        if kind == "user":
            yield from self._user(message, line, offset)
        elif kind == "gemini":
            yield from self._model(message, line)
        elif kind == "info" and texts(message.get("content")).startswith("Request cancelled"):
            yield Boundary("interrupt", next(self.ordinals), line)
        elif kind == "info" and texts(message.get("content")).startswith("Chat history compressed"):
            yield Boundary("compaction", next(self.ordinals), line)

    def _user(self, message: Json, line: int, offset: int) -> Iterator[Event]:
        identity = record_id(message.get("id"), self.start.id, line)
        text, images = _typed(message)
        if identity in self.said or self.start.kind == "subagent":
            return
        at = maybe(message.get("timestamp"))
        ran = USER_SHELL.search(text)
        if ran:
            place = Place(next(self.ordinals), line, "human", self.start.cwd, at=at)
            call = begin(identity, "!", TOOLS["run_shell_command"], {"command": ran[1]}, place)
            yield finish(call, _shell(ran[2], None), next(self.ordinals))
        else:
            said = Said(identity, text, line, offset, at, images=images, heard=texts(message.get("content")))
            yield from requests(said, self.ordinals)
        self.said.add(identity)

    def _model(self, message: Json, line: int) -> Iterator[Event]:
        ready: dict[str, None] = {}
        for number, entry in enumerate(map(obj, array(message.get("toolCalls")))):
            call_id = record_id(entry.get("id"), string(message.get("id")) or self.start.id, number)
            if call_id in self.told:
                continue
            if call_id not in self.open:
                self.open[call_id] = (self._begin(call_id, entry, message, line), entry)
            self.open[call_id] = (self.open[call_id][0], entry)
            status = string(entry.get("status"))
            if status in _DONE and (entry.get("result") or status != "success"):
                ready[call_id] = None
        for call_id in ready:
            yield self._end(call_id)

    def _begin(self, call_id: str, entry: Json, message: Json, line: int) -> Call:
        name = string(entry.get("name"))
        sub = self.start.kind == "subagent"
        place = Place(
            next(self.ordinals),
            line,
            "subagent" if sub else "agent",
            self.start.cwd,
            self.start.id if sub else None,
            maybe(message.get("timestamp")),
        )
        tool = TOOLS.get(name, MCP if name.startswith("mcp_") or "__" in name else OTHER)
        return begin(call_id, name, tool, obj(entry.get("args")), place)

    def _end(self, call_id: str) -> Event:
        call, entry = self.open.pop(call_id)
        self.told.add(call_id)
        return finish(call, _outcome(call, entry), next(self.ordinals))

    def rest(self) -> Iterator[Event]:
        """The calls that the recording leaves without a result."""
        for call_id in tuple(self.open):
            yield self._end(call_id)


def _typed(message: Json) -> tuple[str, int]:
    """What stands in a user message beside tool results, and how many pictures."""
    shown = message.get("displayContent")
    content = shown if shown else message.get("content")
    said: list[str] = []
    images = 0
    for part in [content] if isinstance(content, str) else array(content):
        text = part if isinstance(part, str) else string(obj(part).get("text"))
        if not text.lstrip().startswith(MACHINE):
            said.append(text.split(EXPANDED)[0])
        if EXPANDED in text:
            break
        images += "inlineData" in obj(part)
    return "\n".join(text for text in said if text.strip()), images


def _outcome(call: Call, entry: Json) -> Outcome:
    status = string(entry.get("status"))
    output, error = _result(entry)
    if status not in _DONE:
        return Outcome("running", output)
    if status == "cancelled":
        return Outcome(worded(error or output, CANCELLED, "interrupted"), error or output)
    if status == "error" or error:
        return Outcome(worded(error, ERRORS, "failed"), error or output)
    if call.kind == "shell":
        return _shell(output, call)
    return Outcome("ok", output, truncated=bool(_TRUNCATED.search(output)), changes=_changes(call, entry))


def _result(entry: Json) -> tuple[str, str]:
    """What the model saw: output and error of the call's result."""
    outputs: list[str] = []
    errors: list[str] = []
    for part in array(entry.get("result")):
        response = obj(obj(obj(part).get("functionResponse")).get("response"))
        outputs.append(texts(response.get("output")) or texts(response.get("content")))
        errors.append(texts(response.get("error")))
    return "\n".join(t for t in outputs if t), "\n".join(t for t in errors if t)


def _shell(output: str, call: Call | None) -> Outcome:
    codes = _EXIT.findall(output[-2000:])
    truncated = bool(_TRUNCATED.search(output))
    if any(phrase in output for phrase in STOPPED):
        return Outcome("interrupted", output, None, truncated)
    if "Command moved to background" in output or (call and call.background):
        return Outcome("running", output, None, truncated)
    if codes:
        code = int(codes[-1])
        return Outcome("ok" if code == 0 else "failed", output, code, truncated)
    signal = re.search(r"^Signal: (?!0\b|\(none\))(\S+)", output[-2000:], re.MULTILINE)
    if signal:
        return Outcome("interrupted", output, None, truncated)
    if call is None:  # what the human ran is told without any status
        return Outcome("unknown", output, None, truncated)
    return Outcome("ok", output, 0, truncated)


def _changes(call: Call, entry: Json) -> tuple[FileChange, ...] | None:
    """The edit as it was really made: by its diff, which also knows what was there before."""
    shown = obj(entry.get("resultDisplay"))
    if len(call.changes) != 1 or not string(shown.get("filePath")):
        return None
    change = replace(call.changes[0], path=string(shown["filePath"]))
    if shown.get("isNewFile") is True:
        return (replace(change, action="create"),)
    hunks = hunks_of_diff(string(shown.get("fileDiff")))
    return (replace(change, action="update", hunks=hunks or change.hunks),)


def _start(head: Sequence[Json]) -> SessionStart:
    header = head[0] if head else {}
    return SessionStart(
        id=string(header.get("sessionId")),
        client="gemini",
        kind="subagent" if header.get("kind") == "subagent" else "main",
        cwd=_directory(head),
        at=maybe(header.get("startTime")),
    )


def _messages(head: Sequence[Json]) -> Iterator[Json]:
    for record in head:
        nested = record.get("messages") or obj(record.get("$set")).get("messages")
        yield from map(obj, array(nested)) if isinstance(nested, list) else iter((record,))


def _directory(head: Sequence[Json]) -> str | None:
    for record in head:
        named = array(record.get("directories")) or array(obj(record.get("$set")).get("directories"))
        if named and isinstance(named[0], str) and named[0]:
            return named[0]
    wanted = string(head[0].get("projectHash")) if head else ""
    roots: list[str] = []
    for message in _messages(head):
        if message.get("type") == "user":
            stated = _WORKSPACE.search(texts(message.get("content"))[:20_000])
            if stated:
                return (stated[1] or stated[2]).strip() or None
        for entry in map(obj, array(message.get("toolCalls"))):
            path = string(obj(entry.get("resultDisplay")).get("filePath"))
            given = string(obj(entry.get("args")).get("file_path"))
            for above in _above(path) + _above(given):
                if hashlib.sha256(above.encode("utf-8", "replace")).hexdigest() == wanted:
                    return above
            if given and path != given and path.replace("\\", "/").endswith("/" + given):
                roots.append(path[: -len(given) - 1])
    return roots[0] if roots else None


def _above(path: str) -> tuple[str, ...]:
    """The folders above an absolute path, nearest first, at most 30."""
    if not path.startswith("/") and path[1:2] != ":":
        return ()
    cuts = [at for at, sign in enumerate(path) if sign in "/\\" and at > 0][-30:]
    return tuple(path[:at] for at in reversed(cuts))
