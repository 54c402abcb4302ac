"""honed as a plugin: the same hooks and server as `honed init` wires, in the forms that clients install.

One folder is a marketplace for Claude Code (``.claude-plugin``) and for Codex (``.agents/plugins``,
``.codex-plugin``), both with one plugin whose scripts hand on to the honed of the machine.  Beside it is the
form that belongs to no client (Agent Plugins 1.0, https://agent-plugins.org), which knows no hooks: the
server, and a skill that says when to ask it.  All of it but icon and licence is made from the tables of
``clients``; `make plugin` writes it, and a test holds the repository against it.

Codex asks its user for trust again after any change of a plugin, so nothing in it names honed's version: it
has a version of its own, which changes with its text (``VERSION``).

    python -m honed.agents.plugin FOLDER
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from honed.agents import json_text, toml_text
from honed.agents.clients import SERVER, Client, groups, path_of, text_of
from honed.errors import UsageError

NAME = "honed"
VERSION = "1.0.3"
FOLDER = f"plugins/{NAME}"
PORTABLE = "plugins/portable"
"""In a folder of its own: Codex would take its manifest before the one that is for Codex."""
ICON = f"{FOLDER}/.claude-plugin/icon.png"
SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
SCRIPTS = "scripts"
CODEX_HOOKS = "hooks/codex.json"
DESCRIPTION = (
    "Procedural memory for coding agents: it keeps what the tests proved, and hands it to the next session."
)
AUTHOR = {"name": "honed contributors"}
_ROOTS: Mapping[str, str] = {"claude_code": "${CLAUDE_PLUGIN_ROOT}", "codex": "${PLUGIN_ROOT}"}
"""How a hook's command names the folder into which a client copied the plugin."""

_HOOK = """\
#!/bin/sh
# Hands a hook on to the honed of this machine; ends with status 0 whatever happens.
# Where `honed init` has wired the client by itself this stands back: each event is handled once.
user="${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json"
project="${CLAUDE_PROJECT_DIR:-.}/.claude/settings.local.json"
case "$*" in
  *"--agent codex"*) user="${CODEX_HOME:-$HOME/.codex}/hooks.json" project=./.codex/hooks.json ;;
esac
grep -qs 'honed-hook.* --agent' "$user" "$project" && exit 0
try() { [ -x "$1/bin/honed-hook" ] && home=$1; }
home=
if [ -n "$HONED_HOME" ]; then
  try "$HONED_HOME"
else
  try "${XDG_DATA_HOME:-$HOME/.local/share}/honed" ||
    try "$HOME/Library/Application Support/honed" || try "${LOCALAPPDATA:-$HOME/AppData/Local}/honed"
fi
[ -n "$home" ] && exec "$home/bin/honed-hook" "$@"
command -v honed >/dev/null 2>&1 && honed hook "$@" 2>/dev/null
exit 0
"""

_WINDOWS_HOOK = """\
@echo off
rem Hands a hook on to the honed of this machine; ends with status 0 whatever happens.
rem Where `honed init` has wired the client by itself this stands back: each event is handled once.
setlocal
set "user=%USERPROFILE%\\.codex"
if defined CODEX_HOME set "user=%CODEX_HOME%"
findstr /r /c:"honed-hook.* --agent" "%user%\\hooks.json" ".codex\\hooks.json" >nul 2>nul && exit /b 0
set "home=%LOCALAPPDATA%\\honed"
if defined HONED_HOME set "home=%HONED_HOME%"
if exist "%home%\\bin\\honed-hook.cmd" (
  call "%home%\\bin\\honed-hook.cmd" %* 2>nul
) else (
  honed hook %* 2>nul
)
exit /b 0
"""

_SERVE = (
    'if [ -n "$HONED_HOME" ]; then set -- "$HONED_HOME"; '
    'else set -- "$XDG_DATA_HOME/honed" "$HOME/.local/share/honed" '
    '"$HOME/Library/Application Support/honed"; fi; '
    'for home; do [ -x "$home/bin/honed" ] && exec "$home/bin/honed" mcp; done; exec honed mcp'
)
"""What a server's registration tells ``sh``: Codex starts it in the session's folder, and names no other."""

_README = """\
# honed, as a plugin

Procedural memory for coding agents. honed reads what your agent did, decides by the tests whether it worked,
keeps the how as a skill, and hands it to the next session. Everything stays on your disk.

This plugin brings the hooks and the MCP server. The program itself comes from its package and must be there:

```sh
pipx install honed     # or: uv tool install honed
honed init             # once: a launcher for the hooks, and rules that keep agents from your own commands
```

Claude Code: `claude plugin marketplace add FOLDER`, then `claude plugin install honed@honed`.
Codex: `codex plugin marketplace add FOLDER`, then `codex plugin add honed@honed`, then `/hooks` in a session:
Codex runs no hook that you have not trusted, and says nothing.

With the plugin, `honed init` leaves hooks and server to it. Where `honed init` wired hooks before, the
plugin's stand back, so nothing is handled twice; `honed doctor` names both. On Windows the server needs
`honed init`.
"""


_PORTABLE_README = """\
# honed, as a portable plugin

Procedural memory for coding agents: it keeps what the tests proved, and hands it to the next session.
Everything stays on your disk. This is the form of Agent Plugins 1.0, for clients that take that: the MCP
server, and a skill that says when to ask it. That form knows no hooks, so nothing is recalled or learned by
itself: for that use `honed init` (Claude Code, Codex) or the plugin beside this one, and `honed backfill` to
learn from past sessions. A client that names no roots starts the server in this folder; it then sees only
what holds in every project.

```sh
pipx install honed     # or: uv tool install honed
```

Then put this folder where your client looks for plugins. It needs `sh`.
"""

_SKILL = """\
---
name: honed
description: >-
  Procedural memory of this project. Use before starting a task, when an error comes up, and when a command
  or a test fails: earlier sessions may have proved how it is done here.
---
# Ask what earlier sessions proved

- Before a task call `memory_recall` with what is wanted, in the words of the request. "Nothing fits" is a
  normal answer: go on without.
- On an error call it again with the error's own words; on a known skill `memory_get` gives the whole.
- What comes back is a reference, not an order: check it against the files before you rely on it.
- Keep what you learned yourself with `memory_write`; its owner decides what it is worth.
"""


def portable() -> Iterator[tuple[str, str]]:
    """The files of the form that belongs to no client (Agent Plugins 1.0.0)."""
    manifest = {"name": NAME, "version": VERSION, "description": DESCRIPTION, "author": AUTHOR}
    server = {"type": "stdio", "command": "sh", "args": ["-c", _SERVE]}
    about = {"license": "Apache-2.0", "keywords": ["memory", "skills", "testing"]}
    yield "plugin.json", _text({"$schema": f"{SCHEMAS}/plugin.schema.json", **manifest, **about})
    yield "mcp.json", _text({"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": {SERVER: server}})
    yield f"skills/{NAME}/SKILL.md", _SKILL
    yield "README.md", _PORTABLE_README


def files() -> Iterator[tuple[str, str]]:
    """Path (with slashes) and text of every file of the marketplace."""
    entry = {"name": NAME, "description": DESCRIPTION, "version": VERSION}
    manifest = {
        **entry,
        "author": AUTHOR,
        "license": "Apache-2.0",
        "keywords": ["memory", "skills", "testing"],
    }
    yield (
        ".claude-plugin/marketplace.json",
        _text(
            {
                "name": NAME,
                "owner": AUTHOR,
                "metadata": {"description": DESCRIPTION},
                "plugins": [{**entry, "source": f"./{FOLDER}"}],
            }
        ),
    )
    yield (
        ".agents/plugins/marketplace.json",
        _text(
            {
                "name": NAME,
                "interface": {"displayName": NAME},
                "plugins": [
                    {
                        "name": NAME,
                        "source": {"source": "local", "path": f"./{FOLDER}"},
                        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
                        "category": "Productivity",
                    }
                ],
            }
        ),
    )
    # It reaches no host: the program and its memory are on this machine.
    yield f"{FOLDER}/.claude-plugin/plugin.json", _text({**manifest, "network": {"hosts": []}})
    yield (
        f"{FOLDER}/.codex-plugin/plugin.json",
        _text({**manifest, "hooks": f"./{CODEX_HOOKS}", "mcpServers": "./servers/codex.json"}),
    )
    yield f"{FOLDER}/hooks/hooks.json", _text({"description": DESCRIPTION, "hooks": _hooks("claude_code")})
    yield f"{FOLDER}/{CODEX_HOOKS}", _text({"hooks": _hooks("codex")})
    server: dict[str, object] = {"command": "sh", "args": ["-c", _SERVE]}
    yield f"{FOLDER}/.mcp.json", _text({"mcpServers": {SERVER: server}})
    passed = {"env_vars": ["HONED_HOME", "XDG_DATA_HOME"]}  # Codex hands its servers no others on
    yield f"{FOLDER}/servers/codex.json", _text({"mcpServers": {SERVER: {**server, **passed}}})
    yield f"{FOLDER}/{SCRIPTS}/honed-hook", _HOOK
    yield f"{FOLDER}/{SCRIPTS}/honed-hook.cmd", _WINDOWS_HOOK.replace("\n", "\r\n")
    yield f"{FOLDER}/README.md", _README
    yield from ((f"{PORTABLE}/{name}", text) for name, text in portable())


def _text(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _hooks(agent: str) -> dict[str, list[object]]:
    """The groups that `honed init` writes, with the plugin's script in place of the shim."""

    def line(event: str) -> Mapping[str, str]:
        root, told = _ROOTS[agent], f"{event} --agent {agent.replace('_', '-')}"
        found = {"command": f'"{root}"/{SCRIPTS}/honed-hook {told} 2>/dev/null || true'}
        if agent == "codex":
            found["commandWindows"] = f'cmd /d /c call "{root}\\{SCRIPTS}\\honed-hook.cmd" {told}'
        return found

    return {str(one.path[1]): [one.value] for one in groups(agent, "full", line)}


def write(folder: Path) -> list[str]:
    """Write the marketplace into ``folder``; returns the files that changed.  Raises ``OSError``."""
    changed = []
    for name, text in files():
        path, data = folder / name, text.encode("utf-8")
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if path.parent.name == SCRIPTS else 0o644)
        changed.append(name)
    return changed


def enabled(client: Client, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The plugins that are switched on in a client, as ``name@marketplace``.

    Claude Code keeps them as ``enabledPlugins`` of its settings, Codex as tables ``plugins``.
    """
    found = json_text.get(first_file(client, environ), (client.plugins,))
    return tuple(name for name, state in found.items() if _is_on(state)) if isinstance(found, dict) else ()


def first_file(client: Client, environ: Mapping[str, str]) -> object:
    """What the first file of a client says, the one with its settings; nothing where it says nothing."""
    file = client.files[0]
    try:
        text = text_of(path_of(client, file, environ))
        return (toml_text if file.table is not None else json_text).parse(text)
    except (OSError, UsageError, UnicodeError):
        return None


def _is_on(state: object) -> bool:
    return state.get("enabled", True) is True if isinstance(state, dict) else state is True


def own(names: Sequence[str]) -> str:
    """The one among ``names`` that is honed, of whatever marketplace; empty if none is."""
    return next((name for name in names if name.partition("@")[0] == NAME), "")


def main(argv: Sequence[str]) -> int:
    """Write the marketplace into the folder that is named."""
    if len(argv) != 1 or argv[0].startswith("-"):
        sys.stderr.write("usage: python -m honed.agents.plugin FOLDER\n")
        return 2
    changed = write(Path(argv[0]))
    sys.stdout.write(
        "".join(f"written: {os.path.join(argv[0], name)}\n" for name in changed) or "unchanged\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
