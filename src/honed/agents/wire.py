"""What a client's hook carries, and what it accepts: one table row per client, one interpreter.

Field names and shapes were measured on the real binaries (docs/clients.md).  Nothing a payload holds is
trusted: a field of another type is an absent one.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

EVENTS = (
    "session-start",
    "prompt",
    "pre-tool",
    "post-tool",
    "tool-failed",
    "subagent-start",
    "subagent-stop",
    "pre-compact",
    "stop",
    "session-end",
    "notify",
)
"""The events of ``honed hook`` (docs/contract.md)."""

LONGEST_CONTEXT = 8000
"""Characters given at once; Claude Code cuts at 10,000 characters, Codex at 2,500 tokens."""

HOOK_TOOL = "hook"
"""What hooks ask for at the MCP server (``clients.ASKED``): it stands in no list, so no model is shown it."""

SHELL, EDIT, AGENT, SKILL = "shell", "edit", "agent", "skill"

_TOOLS = {
    **dict.fromkeys(("Bash", "exec_command", "shell_command", "shell", "local_shell"), SHELL),
    **dict.fromkeys(("Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"), EDIT),
    **dict.fromkeys(("Agent", "Task", "spawn_agent", "collaborationspawn_agent"), AGENT),
    "multi_agent_v1spawn_agent": AGENT,
    "Skill": SKILL,
}


class Wire:
    """One client: its names for our events, and how text reaches its model.

    ``context`` are the events whose answer may carry text.  ``task_input`` is the field of an agent
    tool's input that a hook may extend (``updatedInput``); empty where a sub-agent is told at its start.
    ``failing_output`` says that a failed shell call is told by ``post-tool``, without a status;
    ``own_subagents`` that a sub-agent's transcript is a session of its own, not a part of its parent's.
    ``skill_sign`` begins a word of a request that calls a skill by its name.  ``notifies`` says that a
    version without hooks can call a program after each turn (``notify``).
    """

    __slots__ = (
        "agent",
        "context",
        "failing_output",
        "names",
        "notifies",
        "own_subagents",
        "skill_sign",
        "task_input",
    )

    def __init__(
        self,
        agent: str,
        names: Mapping[str, str],
        context: tuple[str, ...],
        *,
        task_input: str = "",
        failing_output: bool = False,
        own_subagents: bool = False,
        skill_sign: str = "",
        notifies: bool = False,
    ) -> None:
        self.agent = agent
        self.names = names
        self.context = context
        self.task_input = task_input
        self.failing_output = failing_output
        self.own_subagents = own_subagents
        self.skill_sign = skill_sign
        self.notifies = notifies


_CODEX_NAMES = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "pre-tool": "PreToolUse",
    "post-tool": "PostToolUse",
    "subagent-start": "SubagentStart",
    "subagent-stop": "SubagentStop",
    "pre-compact": "PreCompact",
    "stop": "Stop",
    "session-end": "SessionEnd",
}
_TOLD = ("session-start", "prompt", "pre-tool", "post-tool", "subagent-start")

WIRES: Mapping[str, Wire] = {
    "claude_code": Wire(
        "claude_code",
        {**_CODEX_NAMES, "tool-failed": "PostToolUseFailure"},
        (*_TOLD, "tool-failed"),
        task_input="prompt",
        skill_sign="/",
    ),
    "codex": Wire(
        "codex",
        _CODEX_NAMES,
        _TOLD,
        failing_output=True,
        own_subagents=True,
        skill_sign="$",
        notifies=True,
    ),
}


class Fired:
    """One hook call: the event, and what its payload says.  Absent texts are empty.

    ``subagent`` is the id of the sub-agent in which it happened; ``task`` the prompt that an agent tool
    is about to hand on; ``source`` why a session began; ``output`` what a tool printed or why it failed;
    ``skill`` the client's own skill that is called by its name.
    """

    __slots__ = (
        "command",
        "cwd",
        "event",
        "output",
        "paths",
        "prompt",
        "session",
        "skill",
        "source",
        "subagent",
        "task",
        "tool",
        "tool_input",
        "transcripts",
        "wire",
    )

    def __init__(self, wire: Wire, event: str, payload: Mapping[str, object]) -> None:
        self.wire = wire
        self.event = event
        self.session = _text(payload, "session_id")
        self.cwd = _text(payload, "cwd")
        self.prompt = _text(payload, "prompt")
        self.source = _text(payload, "source")
        self.subagent = _text(payload, "agent_id")
        fields = ("transcript_path", "agent_transcript_path")[: 1 + wire.own_subagents]
        self.transcripts = tuple(path for name in fields if (path := _text(payload, name)))
        given = payload.get("tool_input")
        self.tool_input: Mapping[str, object] = given if isinstance(given, dict) else {}
        self.tool = _TOOLS.get(_text(payload, "tool_name"), "")
        self.command = _text(self.tool_input, "command") if self.tool == SHELL else ""
        self.task = ""
        if self.tool == AGENT:
            self.task = _text(self.tool_input, "prompt") or _text(self.tool_input, "message")
        self.paths = _paths(self.tool_input) if self.tool == EDIT else ()
        self.skill = _text(self.tool_input, "skill") if self.tool == SKILL else _called(self)
        self.output = _text(payload, "error") or _output(payload.get("tool_response"))


def _called(fired: Fired) -> str:
    """The skill that a request calls: Claude Code takes it at the beginning only, Codex anywhere."""
    sign, words = fired.wire.skill_sign, fired.prompt[:4000].split()
    for word in words[:1] if sign == "/" else words:
        if word.startswith(sign) and word[1:2].isalpha() and "/" not in word[1:]:
            return word[1:].rstrip(".,;:!?")
    return ""


def _text(values: Mapping[str, object], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""


def _paths(tool_input: Mapping[str, object]) -> tuple[str, ...]:
    """The files that an edit tool is about to change; those of a patch stand in its headers."""
    named = _text(tool_input, "file_path") or _text(tool_input, "notebook_path")
    if named:
        return (named,)
    heads = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
    lines = [line for line in _text(tool_input, "command").split("\n") if line.startswith(heads)]
    return tuple(line.partition(": ")[2].strip() for line in lines[:8])


def _output(response: object) -> str:
    if isinstance(response, str):
        return response
    if isinstance(response, dict):
        return "\n".join(text for name in ("stdout", "stderr") if (text := _text(response, name)))
    return ""


def answer(fired: Fired, text: str) -> dict[str, object]:
    """The JSON object that puts ``text`` before the model, in the shape of exactly this event.

    Before an agent tool it is the tool's input with the text added, where the client takes that.
    """
    name = fired.wire.names[fired.event]
    said: dict[str, object] = {"hookEventName": name}
    if fired.event == "pre-tool" and fired.task and fired.wire.task_input:
        field = fired.wire.task_input
        said["updatedInput"] = {**fired.tool_input, field: f"{fired.task}\n\n{text}"}
    else:
        said["additionalContext"] = text
    return {"hookSpecificOutput": said}
