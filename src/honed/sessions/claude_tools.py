"""What each tool of Claude Code is, and which of its inputs says what.

One row per tool; tools of MCP servers are called ``mcp__<server>__<tool>``.  A tool that is not listed is
"other".  Source: the tool names and inputs of Claude Code 1.0 to 2.1 as its transcripts record them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from honed.sessions.fields import string
from honed.sessions.model import StepKind
from honed.sessions.source import Json

MCP_PREFIX = "mcp__"
QUERY_LIMIT = 20_000
"""Characters of an input kept as ``Step.query``."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its kind, and the input fields that hold its command line, its file and its question."""

    kind: StepKind
    command: str = ""
    path: str = ""
    query: str = ""


_SHELL = Tool("shell", command="command")
_EDIT = Tool("edit", path="file_path")
_PLAN = Tool("plan")
_AGENT = Tool("agent", query="prompt")

TOOLS: dict[str, Tool] = {
    "Bash": _SHELL,
    "PowerShell": _SHELL,
    "Monitor": _SHELL,
    "Edit": _EDIT,
    "MultiEdit": _EDIT,
    "Write": _EDIT,
    "NotebookEdit": Tool("edit", path="notebook_path"),
    "Read": Tool("read", path="file_path"),
    "NotebookRead": Tool("read", path="notebook_path"),
    "Grep": Tool("search", query="pattern"),
    "Glob": Tool("search", query="pattern"),
    "LS": Tool("search", query="path"),
    "LSP": Tool("search", query="operation"),
    "Task": _AGENT,
    "Agent": _AGENT,
    "Workflow": Tool("agent", query="script"),
    "WebFetch": Tool("web", query="url"),
    "WebSearch": Tool("web", query="query"),
    "Skill": Tool("skill", query="skill"),
    "SlashCommand": Tool("skill", query="command"),
    "ListMcpResourcesTool": Tool("mcp", query="server"),
    "ReadMcpResourceTool": Tool("mcp", query="uri"),
    "TodoWrite": _PLAN,
    "TodoRead": _PLAN,
    "TaskCreate": _PLAN,
    "TaskUpdate": _PLAN,
    "TaskGet": _PLAN,
    "TaskList": _PLAN,
    "AskUserQuestion": _PLAN,
    "EnterPlanMode": _PLAN,
    "ExitPlanMode": _PLAN,
    "exit_plan_mode": _PLAN,
    "EnterWorktree": _PLAN,
    "ExitWorktree": _PLAN,
    "ScheduleWakeup": _PLAN,
    "CronCreate": _PLAN,
    "CronDelete": _PLAN,
    "CronList": _PLAN,
    "ReportFindings": _PLAN,
}

AWAITING_TOOLS = frozenset({"TaskOutput", "BashOutput", "AgentOutputTool"})
"""Tools that ask how a background task is doing; the answer belongs to the task they ask about."""
STOPPING_TOOLS = frozenset({"TaskStop", "KillShell", "KillBash"})
"""Tools that end a background task."""
MESSAGING_TOOLS = frozenset({"SendMessage"})
"""Tools that speak to another agent; one that had finished works on when it is spoken to."""

_MCP = Tool("mcp")
_OTHER = Tool("other")


def tool_named(name: str) -> Tool:
    """The row of the tool called ``name``."""
    row = TOOLS.get(name)
    if row is not None:
        return row
    return _MCP if name.startswith(MCP_PREFIX) else _OTHER


def query_of(tool: Tool, given: Json) -> str:
    """What a call asked, as text: the field that its row names, or the whole input of an MCP tool."""
    if tool.query:
        return string(given.get(tool.query))[:QUERY_LIMIT]
    if tool.kind == "mcp" and given:
        return json.dumps(given, ensure_ascii=False)[:QUERY_LIMIT]
    return ""
