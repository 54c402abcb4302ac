"""Tool calls from their first line to their last: who waits for what, and when is a step finished?

A call may be answered at once, go on as a process that ``write_stdin`` polls, or run inside a code-mode
program (a *cell*) that ``wait`` polls.  The client's own record of a command (``exec_command_end``,
``item_completed``) may come before the answer, after it, or alone; each call is told once.  What stays open
is bounded: the oldest open call is told as running when there are too many.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeVar

from honed.sessions.codex_cells import Cell
from honed.sessions.codex_patch import changes_of_event
from honed.sessions.codex_shell import (
    Answer,
    answer_of,
    argument_object,
    folder_of,
    is_clipped,
    script_of,
)
from honed.sessions.codex_tools import QUERY_KEPT, Call, full_name, kind_of
from honed.sessions.fields import array, maybe, obj, string, texts, whole
from honed.sessions.model import SessionStart, Step, StepStatus
from honed.sessions.source import Json

OPEN_LIMIT = 400
"""Open calls, processes and cells that are remembered, each."""
DONE_LIMIT = 4_000
"""Finished call ids that are remembered, so that a late record of them tells nothing twice."""

_DECLINED: dict[str, StepStatus] = {"declined": "rejected", "rejected": "rejected", "in_progress": "unknown"}
_Open = TypeVar("_Open")


class Ordinals:
    """The count of events of one session."""

    __slots__ = ("_next",)

    def __init__(self, first: int) -> None:
        self._next = first

    def take(self) -> int:
        """The next ordinal."""
        value = self._next
        self._next += 1
        return value


class Poll:
    """An open ``write_stdin`` or ``wait``: which process or cell it asks."""

    __slots__ = ("keys", "target")

    def __init__(self, target: str, keys: str) -> None:
        self.target = target
        self.keys = keys


class Calls:
    """The open calls of one session.  Every method returns the steps that it finished."""

    def __init__(self, ordinals: Ordinals, session: SessionStart) -> None:
        self.ordinals = ordinals
        self.cwd = session.cwd
        self.reviewing = False
        self._agent_id = session.id if session.kind != "main" else None
        self._open: dict[str, Call | Poll | Cell] = {}
        self._processes: dict[str, Call] = {}
        self._cells: dict[str, Cell] = {}
        self._done: dict[str, None] = {}
        self._agents: dict[str, str] = {}

    # -- calls -----------------------------------------------------------------------------------

    def begin(self, payload: Json, line: int, at: str | None) -> list[Step]:
        """A ``function_call``, ``custom_tool_call`` or ``local_shell_call``."""
        call_id = string(payload.get("call_id")) or string(payload.get("id"))
        if not call_id or call_id in self._open or call_id in self._done:
            return []
        name = string(payload.get("name")) or string(payload.get("type"))
        namespace = string(payload.get("namespace"))
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        arguments = argument_object(given)
        if name == "write_stdin":
            self._keep(
                self._open,
                call_id,
                Poll(_id_text(arguments.get("session_id")), string(arguments.get("chars"))),
            )
            return self._overflow()
        if name == "wait" and "cell_id" in arguments:
            self._keep(self._open, call_id, Poll("cell " + _id_text(arguments.get("cell_id")), ""))
            return self._overflow()
        if name == "exec" and payload.get("type") == "custom_tool_call":
            cell = Cell(call_id, line, at, string(given))
            for index, nested in enumerate(cell.script.calls, 1):
                own_id = call_id if cell.steps_expected == 1 else f"{call_id}:{index}"
                cell.calls.append(self._call(own_id, nested.tool, "", nested.argument, line, at))
            self._keep(self._open, call_id, cell)
            return self._overflow()
        self._keep(self._open, call_id, self._call(call_id, name, namespace, arguments or given, line, at))
        return self._overflow()

    def _call(self, call_id: str, name: str, namespace: str, given: Any, line: int, at: str | None) -> Call:
        started = self.ordinals.take() if name != "write_stdin" else -1
        call = Call(call_id, full_name(name, namespace), kind_of(name, namespace), line, at, started)
        call.actor = "subagent" if self.reviewing or self._agent_id else "agent"
        call.agent_id = self._agent_id
        call.set_input(given, self.cwd)
        if name == "write_stdin":
            call.session = _id_text(obj(given).get("session_id"))
            call.stopped = "\x03" in string(obj(given).get("chars"))
        elif call.kind == "agent":
            call.tool = self._named_agent(name, call.tool, obj(given))
        return call

    def end(self, call_id: str, output: Any) -> list[Step]:
        """A ``function_call_output`` or ``custom_tool_call_output``."""
        waiting = self._open.pop(call_id, None)
        if isinstance(waiting, Poll):
            return self._polled(waiting, output)
        if isinstance(waiting, Cell):
            return self._cell_answered(waiting, output)
        if waiting is None:
            return []
        answer = answer_of(output)
        if waiting.kind == "agent":
            self._learn_agent(waiting, answer.text)
        return self._answered(waiting, answer)

    def _answered(self, call: Call, answer: Answer) -> list[Step]:
        """``call`` was answered: it is finished, unless it goes on as a process."""
        call.parts.append(answer.text)
        call.truncated = call.truncated or answer.truncated
        going_on = answer.session is not None and (call.told is None or call.told.exit_code is None)
        if call.kind == "shell" and going_on and answer.session is not None:
            call.background, call.session = True, answer.session
            before = self._processes.pop(answer.session, None)
            self._keep(self._processes, answer.session, call)
            return ([self._finish(before, Answer(), "running")] if before else []) + self._overflow()
        return [self._finish(call, answer)]

    def _polled(self, poll: Poll, output: Any) -> list[Step]:
        if poll.target.startswith("cell "):
            cell = self._cells.pop(poll.target[5:], None)
            return self._cell_answered(cell, output) if cell is not None else []
        return self._process_answered(poll.target, answer_of(output), "\x03" in poll.keys)

    def _process_answered(self, session: str, answer: Answer, stopped: bool) -> list[Step]:
        call = self._processes.get(session)
        if call is None:
            return []
        call.stopped = call.stopped or stopped
        if answer.status in ("never_ran", "failed"):  # the poll itself failed: the process is gone
            del self._processes[session]
            return [self._finish(call, Answer("".join(call.parts)), "unknown")]
        call.parts.append(answer.text)
        call.truncated = call.truncated or answer.truncated
        if answer.exit_code is None and answer.status is None:
            return []
        del self._processes[session]
        return [self._finish(call, answer)]

    def _finish(self, call: Call, answer: Answer, default: StepStatus | None = None) -> Step:
        self._keep(self._done, call.id, None, DONE_LIMIT)
        if call.started < 0:
            call.started = self.ordinals.take()
        return call.step(self.ordinals.take(), answer, default)

    # -- code mode -------------------------------------------------------------------------------

    def _cell_answered(self, cell: Cell, output: Any) -> list[Step]:
        running = cell.take(output)
        if running is not None:
            self._keep(self._cells, running, cell)
            return self._overflow()
        finished: list[Step] = []
        for call, answer, default in cell.results():
            if call.session is not None and call.tool == "write_stdin":
                finished += self._process_answered(call.session, answer, call.stopped)
            elif default is None:
                finished += self._answered(call, answer)
            else:
                call.parts.append(answer.text)
                finished.append(self._finish(call, answer, default))
        self._keep(self._done, cell.id, None, DONE_LIMIT)
        return finished

    def _open_cells(self) -> list[Cell]:
        held = (*self._open.values(), *self._cells.values())
        return [cell for cell in held if isinstance(cell, Cell)]

    def _nested(self, event_id: str, kind: str, wanted: str, line: int, at: str | None) -> Call | None:
        """The call of an open cell that this record is of; a new one where the program did not show it."""
        cells = self._open_cells()
        for cell in cells:
            call = cell.untold(kind, wanted)
            if call is not None:
                self._keep(self._done, event_id, None, DONE_LIMIT)
                return call
        if not cells:
            return None
        self._keep(self._done, event_id, None, DONE_LIMIT)
        tool = {"shell": "exec_command", "edit": "apply_patch"}.get(kind, wanted)
        call = self._call(event_id, tool, "", {}, line, at)
        cells[-1].add(call)
        return call

    # -- the client's own record of what happened --------------------------------------------------

    def command_ended(self, event: Json, line: int, at: str | None) -> list[Step]:
        """``exec_command_end`` or a ``CommandExecution`` item: the best account of a command."""
        event_id = string(event.get("call_id")) or string(event.get("id"))
        text = string(event.get("aggregated_output")) or string(event.get("stdout"))
        status = string(event.get("status"))
        answer = Answer(text, whole(event.get("exit_code")), None, _DECLINED.get(status), is_clipped(text))
        call = self._open.get(event_id)
        if isinstance(call, Call):
            call.told_command(event, answer)
            return []
        if event_id in self._done or isinstance(call, Poll):
            return []
        running = self._running(event_id, _id_text(event.get("process_id")))
        if running is not None:
            running.told_command(event, answer)
            self._processes.pop(running.session or "", None)
            return [self._finish(running, Answer("".join(running.parts)))]
        command = script_of(event.get("command"))
        if event.get("source") != "user_shell":
            nested = self._nested(event_id, "shell", command, line, at)
            if nested is not None:
                if not nested.command:
                    nested.set_command(command, folder_of(event.get("cwd")))
                nested.told_command(event, answer)
                return []
        call = self._call(event_id, "exec_command", "", {}, line, at)
        call.set_command(command, folder_of(event.get("cwd")))
        call.told_command(event, answer)
        if event.get("source") == "user_shell":
            call.actor, call.agent_id, call.tool = "human", None, "user_shell"
        return [self._finish(call, Answer())]

    def _running(self, event_id: str, process_id: str) -> Call | None:
        for call in self._processes.values():
            if call.id == event_id:
                return call
        return self._processes.get(process_id)

    def patch_ended(self, event: Json, line: int, at: str | None) -> list[Step]:
        """``patch_apply_end`` or a ``FileChange`` item: which files were really changed."""
        event_id = string(event.get("call_id")) or string(event.get("id"))
        if event_id in self._done:
            return []
        changes = obj(event.get("changes"))
        status = string(event.get("status"))
        failed = event.get("success") is False or status == "failed"
        said = _DECLINED.get(status) or ("failed" if failed else "ok")
        text = string(event.get("stdout")) + string(event.get("stderr"))
        found = self._open.get(event_id)
        call = found if isinstance(found, Call) else None
        call = call or self._nested(event_id, "edit", " ".join(changes), line, at)
        alone = call is None
        if call is None:
            call = self._call(event_id, "apply_patch", "", "", line, at)
        call.changes = call.changes or changes_of_event(changes)
        if call.kind == "edit":
            call.told = Answer(text, None, None, said)
        return [self._finish(call, Answer(text))] if alone else []

    def mcp_ended(self, event: Json, line: int, at: str | None) -> list[Step]:
        """``mcp_tool_call_end`` or an ``McpToolCall`` item."""
        event_id = string(event.get("call_id")) or string(event.get("id"))
        if event_id in self._done:
            return []
        invocation = obj(event.get("invocation")) or event
        server, tool = string(invocation.get("server")), string(invocation.get("tool"))
        result = obj(event.get("result"))
        inner = obj(result.get("Ok")) or result
        error = event.get("error") or result.get("Err")
        failed = bool(error) or inner.get("isError") is True or event.get("status") == "failed"
        text = texts(inner.get("content")) or (
            error if isinstance(error, str) else string(obj(error).get("message"))
        )
        answer = Answer(text, None, None, "failed" if failed else "ok", is_clipped(text))
        found = self._open.get(event_id)
        if isinstance(found, Call):
            found.told = answer
            return []
        name = f"mcp__{server}__{tool}"
        call = self._nested(event_id, "mcp", name, line, at)
        if call is not None:
            call.told = answer
            return []
        call = self._call(event_id, name, "", obj(invocation.get("arguments")), line, at)
        return [self._finish(call, answer)]

    def searched(self, call_id: str, query: str, line: int, at: str | None) -> list[Step]:
        """A web search, which is told by one line; in code mode it is a record of the program's own call."""
        if not call_id or call_id in self._done or call_id in self._open:
            return []
        self._keep(self._done, call_id, None, DONE_LIMIT)
        for cell in self._open_cells():
            nested = cell.untold("web", "")
            if nested is not None:
                nested.told = Answer(status="ok")
                return []
        call = self._call(call_id, "web_search", "", {}, line, at)
        call.query = query[:QUERY_KEPT]
        return [self._finish(call, Answer())]

    def human_shell(self, call_id: str, command: str, output: str, line: int, at: str | None) -> list[Step]:
        """A command that the user ran in the prompt ("!")."""
        if call_id in self._done:
            return []
        call = self._call(call_id, "user_shell", "", {}, line, at)
        call.kind, call.actor, call.agent_id = "shell", "human", None
        call.set_command(command, None)
        return [self._finish(call, answer_of(output))]

    # -- agents ----------------------------------------------------------------------------------

    def _named_agent(self, name: str, tool: str, arguments: Json) -> str:
        """The tool with the role of the agent behind a colon, where it is known: ``spawn_agent:review``.

        A call that names no agent is about all of them: ``wait_agent:research+review``.
        """
        if name.startswith(("spawn", "collaborationspawn")) or name.endswith("spawn_agent"):
            role = maybe(arguments.get("agent_type")) or maybe(arguments.get("task_name"))
            return f"{tool}:{role}" if role else tool
        targets = [*(array(arguments.get("targets")) or array(arguments.get("ids")))]
        targets += [arguments.get(key) for key in ("target", "id", "agent_id") if arguments.get(key)]
        names = [_id_text(target) for target in targets] or list(self._agents)
        roles = {self._agents.get(target, "") for target in names}
        return f"{tool}:{'+'.join(sorted(roles))}" if roles and "" not in roles else tool

    def _learn_agent(self, call: Call, text: str) -> None:
        if "spawn" not in call.tool:
            return
        try:
            told = obj(json.loads(text)) if text.startswith("{") else {}
        except (ValueError, RecursionError):
            return
        role = call.tool.partition(":")[2]
        names = [name for key in ("agent_id", "task_name") if (name := maybe(told.get(key)))]
        for name in names or [call.id]:
            self._keep(self._agents, name, role)

    # -- what stays open -------------------------------------------------------------------------

    def interrupt(self) -> list[Step]:
        """The turn was aborted: what was waiting for an answer will get none.  Processes live on."""
        waiting, self._open = list(self._open.values()), {}
        cells, self._cells = list(self._cells.values()), {}
        return self._given_up((*waiting, *cells), "interrupted")

    def close(self) -> list[Step]:
        """The transcript ends: everything open is still running, as far as it tells."""
        everything = (*self._open.values(), *self._cells.values(), *self._processes.values())
        self._open, self._cells, self._processes = {}, {}, {}
        return self._given_up(everything, "running")

    def _given_up(self, left: Iterable[Call | Poll | Cell], status: StepStatus) -> list[Step]:
        calls: dict[int, Call] = {}
        for item in left:
            if isinstance(item, Call):
                calls[id(item)] = item
            elif isinstance(item, Cell):
                calls.update((id(call), call) for call in item.unfinished())
        ordered = sorted(calls.values(), key=lambda call: call.started)
        return [self._finish(call, Answer("".join(call.parts)), status) for call in ordered]

    def _overflow(self) -> list[Step]:
        if max(len(self._open), len(self._processes), len(self._cells)) <= OPEN_LIMIT:
            return []
        finished: list[Step] = []
        for held in (self._open, self._processes, self._cells):
            while len(held) > OPEN_LIMIT:
                oldest = held.pop(next(iter(held)))
                finished += self._given_up((oldest,), "running")
        return finished

    @staticmethod
    def _keep(held: dict[str, _Open], key: str, value: _Open, limit: int = 0) -> None:
        held[key] = value
        if limit and len(held) > limit:
            del held[next(iter(held))]


def _id_text(value: Any) -> str:
    """An id that clients write as a number or as a text."""
    if isinstance(value, bool) or value is None:
        return ""
    return str(value) if isinstance(value, int | str) else ""
