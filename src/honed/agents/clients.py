"""One row per client: which files hold its configuration, and what honed puts into each.

What a file takes was measured on the real binaries (docs/clients.md).  A new client is a new row.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from honed.agents import shim
from honed.agents.json_text import Path
from honed.agents.rules_text import rules
from honed.agents.wire import HOOK_TOOL, WIRES

Level = Literal["full", "lean", "minimal", "none"]
LEVELS: tuple[Level, ...] = ("full", "lean", "minimal", "none")
"""How many hooks: all; all that are commands; recall at prompts and learning at ends; none (MCP only)."""
MINIMAL = ("prompt", "stop", "session-end")
Way = Literal["hooks", "flagged", "notify"]
"""How a version of a client tells what happens: by hooks, by hooks that a feature flag switches on, or by a
program that it starts after each turn."""

SERVER = "honed"
READ_TOOLS = ("memory_recall", "memory_search", "memory_get", "memory_list")
ALLOWED, ALLOWED_OF_PLUGIN = f"mcp__{SERVER}__", f"mcp__plugin_honed_{SERVER}__"
"""How the permission rules begin that honed writes for tools, and for tools of its plugin."""
_OF_HOME = re.compile(r"Bash\('?(?:[A-Za-z]:)?/[^()*\n]*/bin/honed'? ")
_DENIED = re.compile(rf"Bash\((?:honed|python3? -m honed) |{_OF_HOME.pattern}")
"""How those for commands begin."""

TIMEOUTS: Mapping[str, int] = {"session-end": 3}
"""Seconds, the clients' own unit; Codex allows no more at a session's end."""
TIMEOUT = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What goes into a client's files.

    ``home`` is the memory's folder; ``denied`` the commands that are the owner's alone, which the client is
    told to refuse an agent (accident protection, no more); ``plugin`` says that the client has honed as a
    plugin, which brings hooks and server itself; ``by_name`` that a file which a team shares may start honed
    by its name alone, as everybody has it on the ``PATH``; ``way`` how this version of the client tells what
    happens.
    """

    home: str
    level: Level = "full"
    denied: tuple[str, ...] = ()
    plugin: bool = False
    by_name: bool = False
    way: Way = "hooks"
    windows: bool = os.name == "nt"


@dataclass(frozen=True, slots=True)
class Addition:
    """One thing that honed puts into a JSON file: at ``path``, whose last part is an index for a list."""

    path: Path
    value: object


@dataclass(frozen=True, slots=True)
class File:
    """One file of a client: ``where`` in its folder (``user``) or in a project (``project``, or nowhere).

    ``beside`` says that the user's file lies beside the folder, not in it.  ``additions`` gives what belongs
    into it (JSON); ``table`` what (TOML; nothing for no table) and ``keys`` what besides, ``rules`` which
    lines (Codex's rules).
    """

    user: str
    project: str
    additions: Callable[[Wanted], Sequence[Addition]] | None = None
    table: Callable[[Wanted], Mapping[str, str | list[str]]] | None = None
    keys: Callable[[Wanted], Mapping[Path, bool | list[str]]] | None = None
    rules: Callable[[Wanted], Sequence[str]] | None = None
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
    plugins: str
    """Under which key of its first file the plugins stand that are switched on."""
    remove_plugin: str
    """The command that takes a plugin out again; its name comes behind it."""
    off: tuple[tuple[Path, ...], bool]
    """What in its first file switches all hooks off: where (any of these), and by which value."""
    trust: str = ""
    """What its owner must still do for hooks to run."""
    trusting: tuple[int, ...] = ()
    """From which version on that must be done."""
    hooked: tuple[int, ...] = ()
    """From which version on its hooks are switched on by themselves."""
    flagged: tuple[int, ...] = ()
    """From which version on it has hooks, be they switched off."""
    ruled: tuple[int, ...] = ()
    """From which version on it takes rules that say why; an older one that reads rules would not start."""
    asking: tuple[int, ...] = ()
    """From which version on its hooks can ask a server (``ASKED``); an older one would run none of a file in
    which such a hook stands."""


def hooks(agent: str, wanted: Wanted) -> list[Addition]:
    """A group per event, in the shape that Claude Code and Codex share."""
    if wanted.plugin or wanted.way == "notify":
        return []
    found = groups(agent, wanted.level, lambda event: _line(agent, event, wanted))
    if wanted.level == "full":
        for event, matcher in ASKED.get(agent, {}).items():
            asks = {"type": "mcp_tool", "server": SERVER, "tool": HOOK_TOOL, "timeout": TIMEOUT}
            handler = {**asks, "input": {"event": event, **_TOLD}}
            found.append(
                Addition(("hooks", WIRES[agent].names[event], 0), {"matcher": matcher, "hooks": [handler]})
            )
    return found


def _line(agent: str, event: str, wanted: Wanted) -> Mapping[str, str]:
    line = shim.command(wanted.home, event, agent, windows=wanted.windows)
    # On Windows Codex reads the second; versions that do not know it, the first.
    return {"command": line, **({"commandWindows": line} if wanted.windows and agent == "codex" else {})}


def groups(agent: str, level: Level, line: Callable[[str], Mapping[str, str]]) -> list[Addition]:
    """The hook groups of ``level``; ``line`` gives what a handler starts for an event."""
    found = []
    matchers = MATCHERS[agent]
    for event, name in WIRES[agent].names.items():
        if level == "none" or (level == "minimal" and event not in MINIMAL) or matchers.get(event) == "-":
            continue
        handler = {"type": "command", **line(event), "timeout": TIMEOUTS.get(event, TIMEOUT)}
        matcher = {"matcher": matchers[event]} if event in matchers else {}
        found.append(Addition(("hooks", name, 0), {**matcher, "hooks": [handler]}))
    return found


MATCHERS: Mapping[str, Mapping[str, str]] = {
    "claude_code": {
        "pre-tool": "Edit|Write|MultiEdit|NotebookEdit|Agent|Task|Skill",
        "tool-failed": "Bash",
        "post-tool": "-",
    },
    "codex": {
        "pre-tool": "apply_patch|spawn_agent|collaborationspawn_agent|multi_agent_v1spawn_agent",
        "post-tool": "Bash",
    },
}
"""Which tools an event is wanted for; "-" for an event that is not wanted at all.

No tool stands in two rows: a tool call starts one hook at most (docs/decisions/0011)."""
ASKED: Mapping[str, Mapping[str, str]] = {"claude_code": {"pre-tool": "Bash"}}
"""Which tools an event is wanted for without a process: the client asks honed's server, which it has running.
"""
_TOLD = {
    "session_id": "${session_id}",
    "transcript_path": "${transcript_path}",
    "cwd": "${cwd}",
    "agent_id": "${agent_id}",
    "command": "${tool_input.command}",
}
"""What the server is told of the payload; the client fills it in."""


IN_FRONT = ("--home", "--json")
"""Options that may stand in front of a command of honed's: a rule would not see which follows, so an agent
is denied them there, and may put them behind it."""


def _claude_settings(wanted: Wanted) -> list[Addition]:
    allowed = [f"{ALLOWED_OF_PLUGIN if wanted.plugin else ALLOWED}{tool}" for tool in READ_TOOLS]
    started = [shlex.join(words) for words in shim.spellings(wanted.home, windows=wanted.windows)]
    # What is no plain word in a rule cannot be said in it.
    plain = [words for words in started if not set("()*\n") & set(words)]
    commands = (*wanted.denied, *IN_FRONT) if wanted.denied else ()
    denied = [f"Bash({words} {command}:*)" for command in commands for words in plain]
    return [
        *(Addition(("permissions", "allow", 0), rule) for rule in allowed),
        *(Addition(("permissions", "deny", 0), rule) for rule in denied),
        *hooks("claude_code", wanted),
    ]


def _claude_server(wanted: Wanted) -> list[Addition]:
    if wanted.plugin:
        return []
    by_name = shim.PROGRAM, ("mcp",)
    command, arguments = by_name if wanted.by_name else shim.program(wanted.home, windows=wanted.windows)
    value = {"type": "stdio", "command": command, "args": list(arguments)}
    return [Addition(("mcpServers", SERVER), value)]


def _codex_server(wanted: Wanted) -> Mapping[str, str | list[str]]:
    if wanted.plugin:
        return {}
    command, arguments = shim.program(wanted.home, windows=wanted.windows)
    return {"command": command, "args": list(arguments)}


NOTIFY, FLAG = ("notify",), ("features", "codex_hooks")
"""Where Codex's configuration names the program that it starts after each turn, and where the flag stands."""


def _codex_keys(wanted: Wanted) -> Mapping[Path, bool | list[str]]:
    if wanted.plugin or wanted.level == "none" or wanted.way == "hooks":
        return {}
    if wanted.way == "flagged":
        return {FLAG: True}
    return {NOTIFY: shim.notifier(wanted.home, "codex", windows=wanted.windows)}


CLIENTS: tuple[Client, ...] = (
    Client(
        "claude_code",
        "Claude Code",
        "CLAUDE_CONFIG_DIR",
        "~/.claude",
        ("claude",),
        (
            # In a project the file that is one user's own: it names folders of this machine.
            File("settings.json", ".claude/settings.local.json", _claude_settings),
            File(".claude.json", ".mcp.json", _claude_server, beside=True),
        ),
        plugins="enabledPlugins",
        remove_plugin="claude plugin uninstall",
        off=((("disableAllHooks",),), True),
        asking=(2, 1, 118),
    ),
    Client(
        "codex",
        "Codex",
        "CODEX_HOME",
        "~/.codex",
        ("codex",),
        (
            File("config.toml", ".codex/config.toml", table=_codex_server, keys=_codex_keys),
            File(
                "hooks.json",
                ".codex/hooks.json",
                lambda wanted: hooks("codex", wanted),
            ),
            File(
                "rules/honed.rules",
                ".codex/rules/honed.rules",
                rules=lambda wanted: rules(
                    (*wanted.denied, *IN_FRONT) if wanted.denied else (),
                    shim.spellings(wanted.home, windows=wanted.windows),
                ),
            ),
        ),
        plugins="plugins",
        remove_plugin="codex plugin remove",
        off=((("features", "hooks"), FLAG), False),
        trust="Codex runs hooks only after you trust them: start codex, type /hooks, accept those of honed",
        trusting=(0, 129, 0),
        hooked=(0, 124, 0),
        flagged=(0, 114, 0),
        ruled=(0, 79, 0),
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


def text_of(path: str) -> str:
    """The text of a client's file, its line ends as they are.

    Raises ``OSError`` (also for what is no ordinary file: a pipe would be waited for) and ``UnicodeError``.
    """
    if not os.path.isfile(path):
        raise FileNotFoundError(2, "no such file", path)
    with open(path, encoding="utf-8", newline="") as stream:
        return stream.read()


def is_own(path: Path, value: object) -> bool:
    """Whether what stands at ``path`` of a client's file is honed's: known by what it starts or rules."""
    if isinstance(value, str):
        own = value.startswith((ALLOWED, ALLOWED_OF_PLUGIN)) or _DENIED.match(value) is not None
        return own and path[:1] == ("permissions",)
    if not isinstance(value, dict):
        return False
    if asks(path, value):
        return True
    command, arguments = value.get("command"), value.get("args")
    if not isinstance(command, str):
        return False
    if path[:1] == ("hooks",):
        return shim.is_own(command)
    return shim.is_own_program(command, list(map(str, arguments)) if isinstance(arguments, list) else [])


def asks(path: Path, value: object) -> bool:
    """Whether what stands at ``path`` is a hook that asks honed's server (``ASKED``)."""
    if path[:1] != ("hooks",) or not isinstance(value, dict):
        return False
    return (value.get("type"), value.get("server"), value.get("tool")) == ("mcp_tool", SERVER, HOOK_TOOL)


def names_home(rule: str) -> bool:
    """Whether a permission rule is about the program in a home of honed's, of whatever home."""
    return _OF_HOME.match(rule) is not None


def is_present(client: Client, environ: Mapping[str, str]) -> bool:
    """Whether the client is used here: its folder is there, or a program of it on ``PATH``."""
    import shutil

    return os.path.isdir(folder_of(client, environ)) or any(
        shutil.which(name, path=environ.get("PATH")) for name in client.programs
    )
