"""What the agent did in a Claude Code session: calls and results become steps.

Calls wait for their results by id; results that come later go through ``claude_background``; the records of
sub-agents (inline, in progress records or in files of their own) pass through the same functions with another
actor.  A call is told once, however many copies of its records there are.
"""

from __future__ import annotations

import re
from typing import Any

from honed.sessions.claude_agents import OPEN_LIMIT, AgentFile, open_agent_file
from honed.sessions.claude_background import (
    Background,
    BackgroundTask,
    Launch,
    answer_of,
    launch_of,
    notices_in,
    shown_file,
    stopped_task,
)
from honed.sessions.claude_calls import Call, Scope, Tape, step_of
from honed.sessions.claude_edits import changes_of
from honed.sessions.claude_results import Outcome, file_text, outcome_of
from honed.sessions.claude_tools import (
    AWAITING_TOOLS,
    MESSAGING_TOOLS,
    STOPPING_TOOLS,
    Tool,
    tool_named,
)
from honed.sessions.fields import array, maybe, obj, string, texts
from honed.sessions.model import FileChange, NoteGiven, StepStatus
from honed.sessions.source import Json, Opener
from honed.sessions.text import note_ids

PENDING_LIMIT = 256
"""Calls that may wait for a result at once; beyond it the oldest is told as running."""
_AGENT_ID = re.compile(r"a[0-9a-f]{6,}\Z")
RUNNING = Outcome("running", None, "", False)
_MENTIONED = ("file", "pdf_reference", "mcp_resource", "nested_memory")
"""Attachments that put before the model what the user named by ``@``, a file or a resource of a server, or
what the client added by itself: the CLAUDE.md and rules of a folder that was looked into."""


class Activity:
    """Turns tool calls and results into steps on a tape.

    ``folders`` are the names under which the session's sub-agents may have left their files.
    """

    def __init__(self, tape: Tape, folders: tuple[str, ...], related: Opener) -> None:
        self._tape = tape
        self._folders = folders
        self._related = related
        self._pending: dict[str, Call] = {}
        self._known: set[str] = set()
        self._records: set[str] = set()
        self._background = Background()
        self._files: list[AgentFile] = []
        self._agents: set[str] = set()
        self._typed: Call | None = None
        self._last_note: tuple[str, ...] = ()

    # -- records ---------------------------------------------------------------------------------

    def is_copy(self, value: Json) -> bool:
        """Whether a record with this uuid was seen before; remembers it."""
        uuid = value.get("uuid")
        if not isinstance(uuid, str):
            return False
        if uuid in self._records:
            return True
        self._records.add(uuid)
        return False

    def hear_agent(self, value: Json, scope: Scope) -> None:
        """Take in one record of a sub-agent."""
        if self.is_copy(value):
            return
        kind = value.get("type")
        if kind == "assistant":
            self.calls(value, scope)
        elif kind == "user":
            self.results(value, scope)
        elif kind == "attachment":
            self.attachment(value, scope)

    def calls(self, value: Json, scope: Scope) -> None:
        """Remember the calls in an assistant record."""
        for place, block in enumerate(array(obj(value.get("message")).get("content"))):
            if not isinstance(block, dict) or block.get("type") != "tool_use":
                continue
            id_ = maybe(block.get("id")) or f"{maybe(value.get('uuid')) or scope.line}:{place}"
            if id_ in self._known:
                continue
            self._known.add(id_)
            name = string(block.get("name"))
            self._pending[id_] = Call(
                id_,
                name,
                tool_named(name),
                obj(block.get("input")),
                self._tape.tick(),
                scope,
                maybe(value.get("cwd")),
                maybe(value.get("timestamp")),
            )
            if len(self._pending) > PENDING_LIMIT:
                self._tell(self._pending.pop(next(iter(self._pending))), RUNNING)

    def pass_over(self, value: Json) -> None:
        """Note the calls of an assistant record without telling them: they belong before the place where
        reading resumes."""
        for block in array(obj(value.get("message")).get("content")):
            id_ = maybe(obj(block).get("id"))
            if id_:
                self._known.add(id_)

    def results(self, value: Json, scope: Scope) -> bool:
        """Tell the calls that a user record answers; whether it answered any."""
        found = False
        for block in array(obj(value.get("message")).get("content")):
            if isinstance(block, dict) and block.get("type") == "tool_result":
                found = True
                self._result(block, value, scope)
        return found

    def attachment(self, value: Json, scope: Scope) -> None:
        """Take in a file that changed outside, what was named by ``@``, or what a hook of ours said."""
        attached = obj(value.get("attachment"))
        kind = attached.get("type")
        if kind == "edited_text_file":
            self._edited_outside(attached, value, scope)
        elif kind in _MENTIONED:
            self._mentioned(attached, value, scope)
        elif isinstance(kind, str) and kind.startswith("hook_"):
            self.notes_in((attached.get("content"), attached.get("stdout")), scope.line)

    def notes_in(self, texts_given: tuple[Any, ...], line: int) -> None:
        """Tell the notes of honed's that stand in injected texts (strings, or arrays of strings).

        A hook's output is recorded twice in a row, as it was printed and as it was used: told once.
        """
        ids: dict[str, None] = {}
        for text in texts_given:
            for part in array(text) if isinstance(text, list) else [text]:
                if isinstance(part, str) and "<honed-note" in part:
                    ids.update(dict.fromkeys(note_ids(part.replace('\\"', '"'))))
        if ids and tuple(ids) != self._last_note:
            self._last_note = tuple(ids)
            self._tape.events.append(NoteGiven(self._last_note, self._tape.tick(), line))

    # -- results ---------------------------------------------------------------------------------

    def _result(self, block: Json, value: Json, scope: Scope) -> None:
        id_ = string(block.get("tool_use_id"))
        call = self._pending.pop(id_, None)
        if call is None:
            self._orphan(id_, block, value, scope)
            return
        self._last_note = ()
        result = value.get("toolUseResult")
        outcome = outcome_of(call.row.kind, block, value)
        if outcome.status == "ok" and call.row.kind in ("shell", "agent"):
            launch = launch_of(result, outcome.output)
            if launch is not None:
                self._launch(call, launch, outcome.output)
                self._tell_tasks(self._background.tick())
                return
        if outcome.status == "ok" and self._resumes_agent(call, outcome, result):
            return
        self._told_of_background(call, block, value, outcome)
        changes: tuple[FileChange, ...] = ()
        if call.row.kind == "edit" and outcome.status == "ok":
            changes = changes_of(call.tool, call.given, result)
        agent_id = call.scope.agent_id
        if call.row.kind == "agent":
            agent_id = maybe(obj(result).get("agentId")) or agent_id
            self._splice(agent_id, call)
        self._tell(call, outcome, changes=changes, agent_id=agent_id)
        self._tell_tasks(self._background.tick())

    def _orphan(self, id_: str, block: Json, value: Json, scope: Scope) -> None:
        """A result without its call says enough only if it says what was changed."""
        result = obj(value.get("toolUseResult"))
        told = isinstance(result.get("structuredPatch"), list) and block.get("is_error") is not True
        if not told or not id_ or id_ in self._known:
            return
        self._known.add(id_)
        tool = "Write" if result.get("type") in ("create", "update") else "Edit"
        started = self._tape.tick()
        call = Call(id_, tool, tool_named(tool), {}, started, scope, maybe(value.get("cwd")), None)
        outcome = outcome_of("edit", block, value)
        self._tell(call, outcome, changes=changes_of(tool, {}, result))

    def _launch(self, call: Call, launch: Launch, text: str) -> None:
        call.background = True
        task = BackgroundTask(
            launch.task,
            call,
            call.id,
            string(call.given.get("description")),
            call.row.kind == "agent",
            launch.output_file,
            text,
        )
        self._tell_tasks(self._background.start(task))
        if launch.agent:
            self._open(launch.task, call)

    def _resumes_agent(self, call: Call, outcome: Outcome, result: Any) -> bool:
        """Whether a message sets an agent working again that had finished; remembers it as a task.

        Members of a team are called by names, and their messages have a ``routing``.
        """
        if call.tool not in MESSAGING_TOOLS or "routing" in obj(result):
            return False
        agent = string(call.given.get("to")) or string(call.given.get("recipient"))
        if not _AGENT_ID.match(agent) or agent in self._background.tasks:
            return False
        call.background = True
        call.row = Tool("agent", query="message")
        task = BackgroundTask(agent, call, call.id, "", True, None, outcome.output)
        self._tell_tasks(self._background.start(task))
        return True

    def _told_of_background(self, call: Call, block: Json, value: Json, outcome: Outcome) -> None:
        """Take in what a call says about a background task: asked for, stopped, or its output read."""
        if not self._background.tasks:
            return
        result = value.get("toolUseResult")
        ended: list[BackgroundTask] = []
        if call.tool in AWAITING_TOOLS:
            notice = answer_of(call.tool, call.given, result, block.get("content"))
            ended = self._background.hear(notice) if notice else []
        elif call.tool in STOPPING_TOOLS and outcome.status == "ok":
            ended = self._background.stop(stopped_task(call.given))
        elif call.row.kind == "read":
            text = file_text(result)
            ended = self._background.read_output(
                string(call.given.get("file_path")), outcome.output if text is None else text
            )
        elif call.row.kind == "shell":
            name = shown_file(string(call.given.get("command")))
            ended = self._background.read_output(name, outcome.output) if name else []
        self._tell_tasks(ended)

    # -- background, agents, people --------------------------------------------------------------

    def notices(self, text: str) -> None:
        """Take in a ``<task-notification>``."""
        for notice in notices_in(text):
            self._tell_tasks(self._background.hear(notice))

    def settle(self) -> None:
        """The user asks for something new: ended shells wait no longer for their output to be read."""
        self._last_note = ()
        self._tell_tasks(self._background.settle())

    def advance(self, moment: str) -> None:
        """Tell what background agents did up to ``moment``."""
        for file in list(self._files):
            for record in file.until(moment):
                self._hear_file(file, record.value)
            self._close_if_read(file)

    @property
    def watches_agents(self) -> bool:
        """Whether ``advance`` has anything to tell."""
        return bool(self._files)

    def _splice(self, agent_id: str | None, call: Call) -> None:
        """Tell what an agent did whose call is answered.  One that was called before is told by the clock."""
        file = self._open(agent_id, call) if agent_id else None
        if file is not None:
            for record in file.turn():
                self._hear_file(file, record.value)
            self._close_if_read(file)

    def _open(self, agent_id: str, call: Call) -> AgentFile | None:
        """The file of an agent that was not heard of before."""
        if agent_id in self._agents or len(self._files) >= OPEN_LIMIT:
            return None
        self._agents.add(agent_id)
        file = open_agent_file(agent_id, call.scope.line, self._folders, self._related)
        if file is not None:
            self._files.append(file)
        return file

    def _close_if_read(self, file: AgentFile) -> None:
        if file.exhausted and file in self._files:
            file.close()
            self._files.remove(file)

    def _hear_file(self, file: AgentFile, value: Json) -> None:
        self.hear_agent(value, Scope(file.line, "subagent", file.agent_id))

    def _edited_outside(self, attached: Json, value: Json, scope: Scope) -> None:
        path = maybe(attached.get("filename"))
        if path is None:
            return
        id_ = maybe(value.get("uuid")) or f"outside:{scope.line}"
        at = maybe(value.get("timestamp"))
        call = Call(id_, "outside", Tool("edit"), {}, self._tape.tick(), scope, maybe(value.get("cwd")), at)
        call.scope = Scope(scope.line, "outside", scope.agent_id)
        seen = Outcome("ok", None, texts(attached.get("snippet")), False)
        self._tell(call, seen, changes=(FileChange(path, "update"),))

    def _mentioned(self, attached: Json, value: Json, scope: Scope) -> None:
        path = maybe(attached.get("filename")) or maybe(attached.get("path"))
        server = maybe(attached.get("server"))
        if path is None and server is None:
            return
        id_ = maybe(value.get("uuid")) or f"mentioned:{scope.line}"
        at, cwd = maybe(value.get("timestamp")), maybe(value.get("cwd"))
        if server is None:
            tool, name, given = tool_named("Read"), "@", {"file_path": path}
        else:
            tool, name, given = Tool("mcp", query="uri"), f"mcp__{server}", {"uri": attached.get("uri")}
        call = Call(id_, name, tool, given, self._tape.tick(), scope, cwd, at)
        self._tell(call, Outcome("ok", None, "", False))

    def typed_shell(self, id_: str, command: str, value: Json, line: int) -> None:
        """A person ran ``command`` with ``!``; its output follows in a record of its own."""
        self._typed_end(RUNNING)
        cwd, at = maybe(value.get("cwd")), maybe(value.get("timestamp"))
        given = {"command": command}
        scope = Scope(line, "human")
        self._typed = Call(id_, "!", tool_named("Bash"), given, self._tape.tick(), scope, cwd, at)

    def typed_output(self, text: str) -> None:
        """What the person's command printed.  Nothing says how it ended."""
        self._typed_end(Outcome("unknown", None, text, False))

    def _typed_end(self, outcome: Outcome) -> None:
        if self._typed is not None:
            call, self._typed = self._typed, None
            self._tell(call, outcome)

    # -- telling ---------------------------------------------------------------------------------

    def close(self) -> None:
        """The transcript is at its end: tell what is still open."""
        try:
            for file in self._files:  # one that is opened meanwhile is reached as well
                for record in file.rest():
                    self._hear_file(file, record.value)
            self._typed_end(RUNNING)
            self._tell_tasks(self._background.rest())
            for call in self._pending.values():
                self._tell(call, RUNNING)
            self._pending.clear()
        finally:
            self.release()

    def release(self) -> None:
        """Let go of the agents' files."""
        for file in self._files:
            file.close()
        self._files.clear()

    def _tell_tasks(self, tasks: list[BackgroundTask]) -> None:
        for task in tasks:
            status: StepStatus = task.status or ("unknown" if task.heard else "running")
            agent_id = task.id if task.agent else task.call.scope.agent_id
            outcome = Outcome(status, task.exit_code, task.output, False)
            self._tell(task.call, outcome, agent_id=agent_id)

    def _tell(
        self,
        call: Call,
        outcome: Outcome,
        *,
        changes: tuple[FileChange, ...] = (),
        agent_id: str | None = None,
    ) -> None:
        finished = self._tape.tick()
        self._tape.events.append(step_of(call, outcome, finished, changes=changes, agent_id=agent_id))
