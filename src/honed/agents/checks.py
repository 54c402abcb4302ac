"""Whether each client's wiring works: not installed, not trusted, never fired, failing, installed twice."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from honed.agents import json_text, toml_text
from honed.agents.clients import CLIENTS, Client, File, is_own, is_present, path_of
from honed.agents.shim import shim_path
from honed.agents.wire import WIRES
from honed.agents.wiring import entries
from honed.errors import UsageError
from honed.hooks.status import Tally, tallies

OTHERS = (
    "skillmem", "musclememory", "muscle-memory", "claude-mem", "mem0", "basic-memory", "memento", "engram",
    "supermemory", "openmemory", "letta", "agentmemory", "memorix",
)  # fmt: skip
"""Words in a hook's command that name another memory tool."""
CODEX_DEFAULT_TIMEOUT = 600


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; ``status`` and ``fix`` as in ``doctor.Check``."""

    name: str
    status: Literal["ok", "absent", "warning", "broken"]
    detail: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Installed:
    """Honed's hooks in one client: how many, in which files, and what other memory tools stand there."""

    commands: tuple[str, ...]
    files: tuple[str, ...]
    others: tuple[str, ...]
    broken: tuple[str, ...] = ()


def findings(home: str, environ: Mapping[str, str]) -> Iterator[Finding]:
    """What is to be said of every client, then of what runs behind the hooks."""
    told = tallies(home)
    for client in CLIENTS:
        found = installed(client, environ)
        yield from _of_client(client, found, home, environ, [t for t in told if t.agent == client.agent])
    for tally in told:
        if tally.event == "absorb" and tally.fails_now:
            yield Finding("learning behind the hooks", "warning", f"{tally.failed}: {tally.failed_words}")


def installed(client: Client, environ: Mapping[str, str], project: str = "") -> Installed:
    """What stands in a client's files."""
    commands: list[str] = []
    files: list[str] = []
    others: list[str] = []
    broken: list[str] = []
    for file in client.files:
        path = path_of(client, file, environ, project)
        try:
            own = list(_commands(file, path))
        except (OSError, UnicodeError):
            continue
        except UsageError as error:
            broken.append(f"{path}: {error}")
            continue
        for where, command, mine in own:
            if mine:
                files.append(path)
                commands += [command] if where[:1] == ("hooks",) else []
            else:
                others += [word for word in OTHERS if word in command.lower()]
    return Installed(
        tuple(commands), tuple(dict.fromkeys(files)), tuple(dict.fromkeys(others)), tuple(broken)
    )


def _commands(file: File, path: str) -> Iterator[tuple[json_text.Path, str, bool]]:
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    if file.table is not None:
        servers = json_text.get(toml_text.parse(text), ("mcp_servers",))
        found: list[tuple[json_text.Path, object]] = [
            (("mcp_servers", name), entry)
            for name, entry in (servers.items() if isinstance(servers, dict) else ())
        ]
    else:
        found = entries(json_text.parse(text)) if text.strip() else []
    for where, entry in found:
        command = entry.get("command") if isinstance(entry, dict) else None
        if isinstance(command, str):
            arguments = entry.get("args") if isinstance(entry, dict) else None
            words = [command, *map(str, arguments if isinstance(arguments, list) else ())]
            yield where, " ".join(words), is_own(where, entry)


def _of_client(
    client: Client, found: Installed, home: str, environ: Mapping[str, str], told: Sequence[Tally]
) -> Iterator[Finding]:
    name = f"{client.title} hooks"
    init = f"honed init {client.agent.replace('_', '-')}"
    for detail in found.broken:
        yield Finding(name, "broken", f"{detail}; the client cannot read it either", "mend the file")
    if found.others:
        yield Finding(
            f"{client.title} memory tools",
            "warning",
            f"another memory tool is installed too: {', '.join(found.others)}; both will speak to the agent",
            "keep one of them",
        )
    if not found.commands:
        if is_present(client, environ):
            yield Finding(name, "absent", "not installed", f"run `{init}`")
        return
    if len(found.commands) != len(set(found.commands)) or _homes(found.commands) > 1:
        yield Finding(
            name, "warning", "installed twice: each event is handled more than once", f"run `{init}`"
        )
    if not os.path.exists(shim_path(home)):
        yield Finding(name, "broken", f"they name {shim_path(home)}, which is gone", f"run `{init}`")
        return
    yield _of_runs(client, found, environ, told)


def _homes(commands: Sequence[str]) -> int:
    return len({command.partition("honed-hook")[0] for command in commands})


def _of_runs(client: Client, found: Installed, environ: Mapping[str, str], told: Sequence[Tally]) -> Finding:
    name = f"{client.title} hooks"
    failing = [tally for tally in told if tally.fails_now]
    untrusted = untrusted_hooks(client, environ)
    if untrusted:
        what = f"{untrusted} of {len(found.commands)} are not trusted: {client.title} does not run those"
        return Finding(name, "warning", what, client.trust)
    if failing:
        worst = max(failing, key=lambda tally: tally.failed)
        detail = f"{worst.event} fails, last {worst.failed}: {worst.failed_words}"
        return Finding(name, "warning", detail, "`honed hooks status` shows each event")
    runs = sum(tally.runs for tally in told)
    if not runs:
        return Finding(
            name,
            "warning",
            f"{len(found.commands)} installed, but none has ever fired",
            f"start a session of {client.title}; one that ran before knows of them after a restart",
        )
    gave = sum(tally.counts["gave"] for tally in told)
    return Finding(
        name, "ok", f"{runs} runs, {gave} of them gave something, last {max(t.last for t in told)}"
    )


def untrusted_hooks(client: Client, environ: Mapping[str, str]) -> int:
    """How many of honed's hooks the client does not run because nobody trusted them.

    Codex keeps in ``config.toml`` a hash of each hook that was trusted; the hash is that of the hook's
    canonical JSON (measured on the binary, docs/clients.md).
    """
    if not client.trust:
        return 0
    config, hooks_file = (path_of(client, file, environ) for file in client.files)
    try:
        with open(hooks_file, encoding="utf-8") as stream:
            value = json_text.parse(stream.read())
    except (OSError, UsageError, UnicodeError):
        return 0
    trusted: Mapping[str, object] = {}
    with contextlib.suppress(OSError, UsageError, UnicodeError), open(config, encoding="utf-8") as stream:
        state = json_text.get(toml_text.parse(stream.read()), ("hooks", "state"))
        trusted = state if isinstance(state, dict) else {}
    names = WIRES[client.agent].names.values()
    count = 0
    for where, entry in entries(value):
        if not (is_own(where, entry) and where[:1] == ("hooks",) and isinstance(entry, dict)):
            continue
        _, event, group, _, number = where
        if event not in names:
            continue
        key = f"{hooks_file}:{_snake(str(event))}:{group}:{number}"
        known = trusted.get(key)
        matcher = json_text.get(value, ("hooks", event, group, "matcher"))
        wanted = hook_hash(str(event), entry, matcher if isinstance(matcher, str) else None)
        count += not (isinstance(known, dict) and known.get("trusted_hash") == wanted)
    return count


def hook_hash(event: str, handler: Mapping[str, object], matcher: str | None) -> str:
    """The hash under which Codex remembers that a hook was trusted."""
    default = 1 if event in ("SessionEnd", "Interrupt") else CODEX_DEFAULT_TIMEOUT
    known = {key: handler[key] for key in ("statusMessage", "additionalContextLimit") if key in handler}
    plain: dict[str, object] = {
        "async": bool(handler.get("async", False)),
        "command": handler.get("command"),
        "timeout": handler.get("timeout", default),
        "type": "command",
        **known,
    }
    whole: dict[str, object] = {"event_name": _snake(event), "hooks": [plain]}
    if matcher is not None and event not in ("Stop", "UserPromptSubmit"):
        whole["matcher"] = matcher
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def _snake(name: str) -> str:
    return "".join(
        f"_{char.lower()}" if char.isupper() and at else char.lower() for at, char in enumerate(name)
    )
