"""What sort of thing each of Codex's tools does, and the record of one call while it is open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from honed.sessions.calls import inside
from honed.sessions.codex_patch import changes_of_patch, patch_in_shell
from honed.sessions.codex_shell import Answer, argument_object, command_of, status_of
from honed.sessions.fields import array, maybe, obj, string
from honed.sessions.model import Actor, FileChange, Step, StepKind, StepStatus
from honed.sessions.source import Json

TOOL_KINDS: dict[str, StepKind] = {
    "shell": "shell", "container.exec": "shell", "shell_command": "shell", "exec_command": "shell",
    "local_shell": "shell", "local_shell_call": "shell", "unified_exec": "shell",
    "apply_patch": "edit",
    "view_image": "read", "read_file": "read",
    "list_dir": "search", "grep_files": "search",
    "web_search": "web", "web_fetch": "web", "web__run": "web", "web.run": "web",
    "spawn_agent": "agent", "spawn_agents_on_csv": "agent", "wait_agent": "agent", "send_input": "agent",
    "send_message": "agent", "close_agent": "agent", "resume_agent": "agent", "followup_task": "agent",
    "interrupt_agent": "agent", "list_agents": "agent", "assign_task": "agent",
    "update_plan": "plan", "request_user_input": "plan", "request_user_input_async": "plan",
    "create_goal": "plan", "update_goal": "plan", "get_goal": "plan",
    "read_mcp_resource": "mcp", "list_mcp_resources": "mcp", "list_mcp_resource_templates": "mcp",
}  # fmt: skip
"""Tools by name.  Names that are not here are told by their namespace, else ``other``."""

NAMESPACE_KINDS: tuple[tuple[str, StepKind], ...] = (
    ("mcp__", "mcp"),
    ("collaboration", "agent"),
    ("multi_agent", "agent"),
    ("web", "web"),
    ("codex_app", "other"),
)
"""How a namespace begins, or (in code mode, where both are joined) a tool's own name."""

_SEARCHED_FOR = (
    "query",
    "q",
    "search_query",
    "pattern",
    "message",
    "prompt",
    "input",
    "url",
    "path",
    "items",
)
"""Fields of a call's arguments that say best what it was about, in this order."""

QUERY_KEPT = 8_000
"""Characters kept of a call's input."""


def full_name(name: str, namespace: str) -> str:
    """The name under which hooks and permission rules know the tool: ``mcp__server__tool``."""
    if not namespace or namespace == "functions":
        return name
    joint = "" if name.startswith("_") or namespace.endswith("__") else "__"
    return f"{namespace}{joint}{name}"


def kind_of(name: str, namespace: str = "") -> StepKind:
    """What sort of tool this is."""
    for opening, kind in NAMESPACE_KINDS:
        if namespace.startswith(opening):
            return kind
    if name in TOOL_KINDS:
        return TOOL_KINDS[name]
    for opening, kind in NAMESPACE_KINDS:
        if name.startswith(opening):
            return kind
    return "mcp" if name.count("__") == 1 and not name.startswith("__") else "other"


class Call:
    """One tool call that has no result yet.  Not frozen: what is known of it comes line by line.

    ``told`` holds what the client's own record of the call said (the best source); ``parts`` what came
    back in outputs and polls.
    """

    __slots__ = (
        "actor", "agent_id", "at", "background", "changes", "command", "cwd", "id", "kind", "line", "parts",
        "query", "reads", "session", "started", "stopped", "told", "tool", "truncated",
    )  # fmt: skip

    def __init__(
        self, call_id: str, tool: str, kind: StepKind, line: int, at: str | None, started: int
    ) -> None:
        self.id = call_id
        self.tool = tool
        self.kind: StepKind = kind
        self.line = line
        self.at = at
        self.started = started
        self.actor: Actor = "agent"
        self.agent_id: str | None = None
        self.command: str | None = None
        self.cwd: str | None = None
        self.query = ""
        self.reads: tuple[str, ...] = ()
        self.changes: tuple[FileChange, ...] = ()
        self.background = False
        self.stopped = False
        self.session: str | None = None
        self.parts: list[str] = []
        self.told: Answer | None = None
        self.truncated = False

    def set_input(self, arguments: Any, cwd: str | None) -> None:
        """Take the call's arguments: JSON text, an object, or (``apply_patch``) the patch itself."""
        self.cwd = cwd
        given = argument_object(arguments)
        if self.kind == "edit":
            patch = arguments if isinstance(arguments, str) and not given else ""
            patch = patch or string(given.get("input")) or string(given.get("patch"))
            self.changes = changes_of_patch(patch)
        elif self.kind == "shell":
            if isinstance(arguments, str) and not given:  # code mode may give the command line alone
                given = {"cmd": arguments}
            self.set_command(*command_of(given))
        else:
            self.query = query_of(given, arguments)[:QUERY_KEPT]
            if self.kind == "read":
                path = maybe(given.get("path")) or maybe(given.get("file_path"))
                self.reads = (path,) if path else ()

    def set_command(self, command: str, folder: str | None) -> None:
        """Take a command line.  One that only applies a patch is an edit, as if the tool had been called."""
        self.cwd = inside(self.cwd, folder)
        patch = patch_in_shell(command)
        if patch is not None:
            self.changes = changes_of_patch(patch.text)
            if patch.alone:
                self.kind, self.tool = "edit", "apply_patch"
                self.cwd = inside(self.cwd, patch.folder)
                return
        self.command = command

    def told_command(self, event: Json, answer: Answer) -> None:
        """Take the client's record of a finished command."""
        self.told = answer
        self.reads = self.reads or tuple(
            path
            for part in array(event.get("parsed_cmd"))
            if obj(part).get("type") == "read" and (path := maybe(obj(part).get("path")))
        )

    def step(self, finished: int, answer: Answer, default: StepStatus | None = None) -> Step:
        """The finished step; ``answer`` is what came back, ``default`` how it ended if nothing says so."""
        told = self.told or answer
        code = told.exit_code if told.exit_code is not None else answer.exit_code
        said = told.status or answer.status
        text = answer.text if len(self.parts) < 2 else "".join(self.parts)
        truncated = answer.truncated or self.truncated
        if told.text and (self.kind != "shell" or len(told.text) >= len(text) or truncated):
            text, truncated = told.text, told.truncated
        if default is None:
            default = "unknown" if self.kind == "shell" else "ok"
        if self.kind == "edit" and code is None and said is None and default == "ok" and text:
            default = "ok" if _applied(text) else "unknown"
        status = "interrupted" if self.stopped and code not in (0, None) else status_of(code, said, default)
        return Step(
            id=self.id,
            kind=self.kind,
            tool=self.tool,
            status=status,
            started=self.started,
            finished=finished,
            line=self.line,
            actor=self.actor,
            command=self.command if self.kind == "shell" else None,
            cwd=self.cwd,
            output=text,
            exit_code=code if self.kind in ("shell", "edit") else None,
            truncated=truncated,
            background=self.background,
            changes=self._applied_changes(status, text),
            reads=self.reads,
            query=self.query,
            agent_id=self.agent_id,
            at=self.at,
        )

    def _applied_changes(self, status: StepStatus, text: str) -> tuple[FileChange, ...]:
        """What was changed: nothing by a patch that was refused; in a longer command it may have been."""
        if not self.changes or status in ("rejected", "never_ran"):
            return ()
        if status == "failed":
            return self.changes if self.kind == "shell" and _applied(text) else ()
        return self.changes


def _applied(text: str) -> bool:
    return "Success. Updated the following files" in text or text.strip() in ("{}", "Done!", "")


def query_of(given: Mapping[str, Any], arguments: Any) -> str:
    """What a call asked for, as text: its one telling field, else all of its arguments."""
    for field in _SEARCHED_FOR:
        value = given.get(field)
        if isinstance(value, str) and value and len(given) <= 3:
            return value
    if given:
        try:
            return json.dumps(given, ensure_ascii=False, default=str)
        except (ValueError, RecursionError):
            return ""
    return arguments if isinstance(arguments, str) else ""
