"""One row per client: which files hold its configuration, and what honed puts into each.

What a file takes was measured on the real binaries (docs/clients.md).  A new client is a new row.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from honed.agents import shim
from honed.agents.json_text import Path
from honed.agents.wire import WIRES

Level = Literal["full", "minimal", "none"]
LEVELS: tuple[Level, ...] = ("full", "minimal", "none")
"""How many hooks: all; recall at prompts and learning at ends; none (MCP only)."""
MINIMAL = ("prompt", "stop", "session-end")

SERVER = "honed"
READ_TOOLS = ("memory_recall", "memory_search", "memory_get", "memory_list")
OWNER_COMMANDS = (
    "trust", "untrust", "review", "owner", "forget", "scrub", "config set", "restore-backup", "uninstall"
)  # fmt: skip
"""Commands that an agent must not run: they widen trust or destroy.  Accident protection only."""

TIMEOUTS: Mapping[str, int] = {"session-end": 3}
"""Seconds, the clients' own unit; Codex allows no more at a session's end."""
TIMEOUT = 5


@dataclass(frozen=True, slots=True)
class Addition:
    """One thing that honed puts into a JSON file: at ``path``, whose last part is an index for a list."""

    path: Path
    value: object


@dataclass(frozen=True, slots=True)
class File:
    """One file of a client: ``where`` in its folder (``user``) or in a project (``project``, or nowhere).

    ``beside`` says that the user's file lies beside the folder, not in it.  ``additions`` gives what belongs
    into it (JSON); ``table`` what (TOML).
    """

    user: str
    project: str
    additions: Callable[[str, Level], Sequence[Addition]] | None = None
    table: Callable[[str], Mapping[str, str | list[str]]] | None = None
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Client:
    """One client: its folder (a variable that moves it, and its default), its programs, its files."""

    agent: str
    title: str
    variable: str
    default: str
    programs: tuple[str, ...]
    files: tuple[File, ...]
    trust: str = ""
    """What its owner must still do for hooks to run."""


def hooks(agent: str, home: str, level: Level, matchers: Mapping[str, str]) -> list[Addition]:
    """A group per event, in the shape that Claude Code and Codex share."""
    found = []
    for event, name in WIRES[agent].names.items():
        if level == "none" or (level == "minimal" and event not in MINIMAL) or matchers.get(event) == "-":
            continue
        handler = {
            "type": "command",
            "command": shim.command(home, event, agent),
            "timeout": TIMEOUTS.get(event, TIMEOUT),
        }
        matcher = {"matcher": matchers[event]} if event in matchers else {}
        found.append(Addition(("hooks", name, 0), {**matcher, "hooks": [handler]}))
    return found


_CLAUDE_MATCHERS = {
    "pre-tool": "Bash|Edit|Write|MultiEdit|NotebookEdit|Agent|Task",
    "tool-failed": "Bash",
    "post-tool": "-",
}
"""Which tools an event is wanted for; "-" for an event that is not wanted at all."""
_CODEX_MATCHERS = {
    "pre-tool": "Bash|apply_patch|spawn_agent|collaborationspawn_agent|multi_agent_v1spawn_agent",
    "post-tool": "Bash",
}


def _claude_settings(home: str, level: Level) -> list[Addition]:
    allowed = [f"mcp__{SERVER}__{tool}" for tool in READ_TOOLS]
    denied = [f"Bash(honed {words}:*)" for words in OWNER_COMMANDS]
    return [
        *(Addition(("permissions", "allow", 0), rule) for rule in allowed),
        *(Addition(("permissions", "deny", 0), rule) for rule in denied),
        *hooks("claude_code", home, level, _CLAUDE_MATCHERS),
    ]


def _claude_server(home: str, _level: Level) -> list[Addition]:
    value = {"type": "stdio", "command": shim.program(home), "args": ["mcp"]}
    return [Addition(("mcpServers", SERVER), value)]


def _codex_server(home: str) -> Mapping[str, str | list[str]]:
    return {"command": shim.program(home), "args": ["mcp"]}


CLIENTS: tuple[Client, ...] = (
    Client(
        "claude_code",
        "Claude Code",
        "CLAUDE_CONFIG_DIR",
        "~/.claude",
        ("claude",),
        (
            File("settings.json", ".claude/settings.json", _claude_settings),
            File(".claude.json", ".mcp.json", _claude_server, beside=True),
        ),
    ),
    Client(
        "codex",
        "Codex",
        "CODEX_HOME",
        "~/.codex",
        ("codex",),
        (
            File("config.toml", ".codex/config.toml", table=_codex_server),
            File(
                "hooks.json",
                ".codex/hooks.json",
                lambda home, level: hooks("codex", home, level, _CODEX_MATCHERS),
            ),
        ),
        trust="Codex runs hooks only after you trust them: start codex, type /hooks, accept those of honed",
    ),
)
BY_AGENT = {client.agent: client for client in CLIENTS}


def folder_of(client: Client, environ: Mapping[str, str]) -> str:
    """The client's own folder."""
    return os.path.abspath(os.path.expanduser(environ.get(client.variable) or client.default))


def path_of(client: Client, file: File, environ: Mapping[str, str], project: str = "") -> str:
    """Where a file of a client is: the user's, or that of ``project``.

    Claude Code keeps ``.claude.json`` beside its default folder, and inside one that was moved.
    """
    if project:
        return os.path.join(os.path.abspath(project), file.project)
    folder = folder_of(client, environ)
    if file.beside and not environ.get(client.variable):
        folder = os.path.dirname(folder)
    return os.path.join(folder, file.user)


def is_own(path: Path, value: object) -> bool:
    """Whether what stands at ``path`` of a client's file is honed's: known by what it starts."""
    if isinstance(value, str):
        return value.startswith((f"mcp__{SERVER}__", "Bash(honed ")) and path[:1] == ("permissions",)
    if not isinstance(value, dict):
        return False
    command = value.get("command")
    if not isinstance(command, str):
        return False
    if path[:1] == ("hooks",):
        return shim.is_own(command)
    args = value.get("args")
    words = [command, *(args if isinstance(args, list) else [])]
    name = os.path.basename(command.replace("\\", "/"))
    return words[-1:] == ["mcp"] and (name == "honed" or words[-3:-1] == ["-m", "honed"])


def is_present(client: Client, environ: Mapping[str, str]) -> bool:
    """Whether the client is used here: its folder is there, or a program of it on ``PATH``."""
    import shutil

    return os.path.isdir(folder_of(client, environ)) or any(
        shutil.which(name, path=environ.get("PATH")) for name in client.programs
    )
