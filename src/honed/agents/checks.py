"""Whether each client's wiring works: not installed, not trusted, never fired, failing, installed twice."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from honed.agents import json_text, plugin, toml_own, toml_text
from honed.agents.clients import (
    CLIENTS,
    MINIMAL,
    SERVER,
    Client,
    File,
    Level,
    Wanted,
    is_own,
    is_present,
    path_of,
    text_of,
)
from honed.agents.entries import entries
from honed.agents.shim import shim_path
from honed.agents.trust import untrusted_hooks, untrusted_of_plugin
from honed.agents.versions import Here, here, version_of
from honed.agents.wire import HOOK_TOOL, WIRES
from honed.agents.wiring import wire
from honed.counted import several
from honed.errors import UsageError
from honed.hooks.status import Tally, tallies

OTHERS = (
    "skillmem", "musclememory", "muscle-memory", "claude-mem", "mem0", "basic-memory", "memento", "engram",
    "supermemory", "openmemory", "letta", "agentmemory", "memorix",
)  # fmt: skip
"""Words in a hook's command, a server's or a plugin's name that tell another memory tool."""

State = Literal[
    "not installed", "switched off", "not trusted", "never fired", "failing", "works", "broken", "twice",
    "out of date", "other tool",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: of which client, in which state; ``status`` and ``fix`` as in ``doctor.Check``.

    ``mends`` says that putting the client's entries in anew mends it.
    """

    agent: str
    name: str
    state: State
    status: Literal["ok", "absent", "warning", "broken"]
    detail: str
    fix: str = ""
    mends: bool = False


@dataclass(frozen=True, slots=True)
class Installed:
    """What stands in one client's files.

    ``hooks`` are honed's commands by the client's name of the event; ``asks`` says that a hook of honed's
    asks its server; ``servers`` what starts its server; ``plugin`` the plugin that is honed, where it is
    switched on; ``notifies`` says that the client starts honed after each turn, ``others_notify`` that it
    starts something else; ``others`` other memory tools; ``broken`` what could not be read.
    """

    hooks: tuple[tuple[str, str], ...] = ()
    asks: bool = False
    servers: tuple[tuple[str, ...], ...] = ()
    plugin: str = ""
    notifies: bool = False
    others_notify: bool = False
    others: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def wired(self) -> bool:
        """Whether `honed init` has been here."""
        return bool(self.hooks or self.servers or self.notifies)

    def level(self, client: Client) -> Level:
        """With which hooks it was wired."""
        events = {event for event, _ in self.hooks}
        minimal = {WIRES[client.agent].names[event] for event in MINIMAL}
        if not events:
            return "full" if self.notifies else "none"
        return "minimal" if events <= minimal else "full" if self.asks or not client.asking else "lean"


def fitting(
    client: Client, found: Installed, environ: Mapping[str, str], wanted: Level | None = None
) -> Level:
    """The level at which a client is wired: ``wanted``, or what is there.

    Where its version is known to be too old for hooks that ask a server, those are left out: it would run no
    hook of the file.
    """
    level = wanted or found.level(client)
    if level != "full" or not client.asking:
        return level
    version = version_of(client, environ)
    return "lean" if version and version < client.asking else "full"


def usual(client: Client, environ: Mapping[str, str], project: str = "") -> Level:
    """The level of `honed init` without ``--hooks``: all, where the client is known to have hooks that ask.

    In a project they stay out: its server waits for its user's consent, and until then each such hook would
    fail before his eyes.
    """
    if project or not client.asking:
        return "lean" if client.asking else "full"
    found = installed(client, environ)
    version = version_of(client, environ)
    known = version >= client.asking if version else found.asks
    return "full" if known else "lean"


def findings(home: str, environ: Mapping[str, str], denied: Sequence[str], project: str) -> Iterator[Finding]:
    """What is to be said of every client, then of what runs behind the hooks.

    ``denied`` as in ``clients.Wanted``; ``project`` is the folder whose own files count too.
    """
    told = tallies(home)
    for client in CLIENTS:
        mine = [tally for tally in told if tally.agent == client.agent]
        found, now = installed(client, environ), here(client, environ)
        yield from _of_files(client, found)
        if found.hooks or found.plugin or found.notifies:
            yield from _of_doubles(client, found, _in_project(client, environ, project))
            yield from _of_hooks(client, found, now, home, environ, mine, denied)
        elif now.way == "notify" and found.servers and found.others_notify:
            yield Finding(client.agent, f"{client.title} hooks", "not installed", "warning", *alone(now))
        elif is_present(client, environ):
            name, fix = f"{client.title} hooks", f"run `{_init(client)}`"
            what = "not installed: only the MCP server is" if found.servers else "not installed"
            yield Finding(client.agent, name, "not installed", "absent", what, fix)
    for tally in told:
        if tally.event == "absorb" and tally.fails_now:
            detail = f"{tally.failed}: {tally.failed_words}"
            fix = "`honed backfill` does the same where you can watch it"
            yield Finding("", "learning behind the hooks", "failing", "warning", detail, fix)


def installed(client: Client, environ: Mapping[str, str], project: str = "") -> Installed:
    """What stands in a client's files, the user's or those of ``project``."""
    hooks: list[tuple[str, str]] = []
    servers: list[tuple[str, ...]] = []
    others: list[str] = []
    broken: list[str] = []
    asking, notify = False, (False, False)
    for file in client.files:
        path = path_of(client, file, environ, project)
        try:
            started = list(_started(file, path))
            if file.keys is not None:
                notify = toml_own.notifier(text_of(path))
        except (OSError, UnicodeError):
            continue
        except UsageError as error:
            broken.append(f"{path}: {error}")
            continue
        for where, words, own in started:
            if not own:
                others += [word for word in OTHERS if word in " ".join((str(where[-1]), *words)).lower()]
            elif where[0] == "hooks" and words == (SERVER, HOOK_TOOL):
                asking = True
            elif where[0] == "hooks":
                hooks.append((str(where[1]), words[0]))
            elif where[0] != "projects":
                servers.append(words)
    plugins = () if project else plugin.enabled(client, environ)
    others += [word for word in OTHERS if any(word in name.lower() for name in plugins)]
    return Installed(
        tuple(hooks),
        asking,
        tuple(dict.fromkeys(servers)),
        plugin.own(plugins),
        notify[1],
        notify[0] and not notify[1],
        tuple(dict.fromkeys(others)),
        tuple(broken),
    )


def _in_project(client: Client, environ: Mapping[str, str], project: str) -> Installed:
    """What stands in the files of ``project``; nothing where they are the user's own (in the home folder)."""
    own = os.path.realpath(path_of(client, client.files[0], environ))
    if not project or os.path.realpath(path_of(client, client.files[0], environ, project)) == own:
        return Installed()
    return installed(client, environ, project)


def _started(file: File, path: str) -> Iterator[tuple[json_text.Path, tuple[str, ...], bool]]:
    """Everything that a file has started: where it stands, its words, and whether it is honed's."""
    if file.rules is not None:
        return
    text = text_of(path)
    if file.table is not None:
        servers = json_text.get(toml_text.parse(text), ("mcp_servers",))
        found = entries(toml_text.parse(text))  # hooks may stand here too
        found += [
            (("mcp_servers", name), entry)
            for name, entry in (servers.items() if isinstance(servers, dict) else ())
        ]
    else:
        found = entries(json_text.parse(text)) if text.strip() else []
    for where, entry in found:
        command, arguments = json_text.get(entry, ("command",)), json_text.get(entry, ("args",))
        if where[0] == "hooks" and json_text.get(entry, ("type",)) == "mcp_tool":
            words = (str(json_text.get(entry, (name,))) for name in ("server", "tool"))
            yield where, tuple(words), is_own(where, entry)
        elif isinstance(command, str):
            rest = map(str, arguments if isinstance(arguments, list) else ())
            yield where, (command, *rest), is_own(where, entry)


def _init(client: Client) -> str:
    return f"honed init {client.agent.replace('_', '-')}"


def _of_files(client: Client, found: Installed) -> Iterator[Finding]:
    for detail in found.broken:
        whole = f"{detail}; the client cannot read it either"
        yield Finding(client.agent, f"{client.title} files", "broken", "broken", whole, "mend the file")
    if found.others:
        detail = (
            f"another memory tool is installed too: {', '.join(found.others)}; both will speak to the agent"
        )
        name = f"{client.title} memory tools"
        yield Finding(client.agent, name, "other tool", "warning", detail, "keep one of them")


def _of_doubles(client: Client, found: Installed, project: Installed) -> Iterator[Finding]:
    """Whether honed is there more than once."""

    def twice(detail: str, fix: str, mends: bool = False) -> Finding:
        return Finding(client.agent, f"{client.title} hooks", "twice", "warning", detail, fix, mends)

    if found.plugin and found.wired:
        yield twice(
            f"installed twice: by `honed init`, and as the plugin {found.plugin}, whose hooks stand back",
            f"run `{_init(client)}`, which leaves them to it, or `{client.remove_plugin} {found.plugin}`",
            mends=True,
        )
    if len(found.hooks) != len(set(found.hooks)) or len(_homes(found)) > 1:
        yield twice(
            "installed twice: each event is handled more than once", f"run `{_init(client)}`", mends=True
        )
    # Claude Code runs the same command line once, however many of its files name it.
    same = client.agent == "claude_code" and set(project.hooks) <= set(found.hooks)
    if found.hooks and project.hooks and not same:
        detail = "installed twice: for you and for this project, so each event is handled twice here"
        yield twice(detail, f"run `honed uninstall {client.agent.replace('_', '-')} --project`")


def _homes(found: Installed) -> set[str]:
    return {command.partition("honed-hook")[0] for _, command in found.hooks}


def alone(now: Here) -> tuple[str, str]:
    """What it means that a version without hooks starts another program after each turn, and what to do."""
    detail = (
        f"{now.name} has no hooks, and its notify is another program: recall by MCP only, nothing is learned"
    )
    return detail, "learn by `honed backfill`, or take notify out of config.toml and run `honed init codex`"


def by_notify(now: Here) -> str:
    """How a version without hooks is served."""
    return f"{now.name} has no hooks: learning by notify, recall by MCP only"


def _in_front(found: Installed, now: Here) -> str:
    """How an older version is served, to stand in front of what its hooks did; empty for one like others."""
    if found.notifies and not found.hooks:
        return f"{by_notify(now)}; " if now.way == "notify" else ""
    return f"{now.name} has hooks by its flag codex_hooks; " if now.way == "flagged" else ""


def _misfit(found: Installed, now: Here, changes: Sequence[str]) -> str:
    """What it means that the entries are not as they should be."""
    rules = [path for path in changes if path.endswith("honed.rules")]
    if rules and not now.ruled:
        return f"{now.name} does not start with rules that say why, as those of {rules[0]}"
    if found.notifies and now.way != "notify":
        return f"{now.name} has hooks, but is wired for notify: recall by MCP only"
    if found.hooks and now.way == "notify":
        return f"{now.name} has no hooks, but is wired for them: nothing is learned"
    return f"{', '.join(changes)}: not as this version writes it"


def _of_hooks(
    client: Client,
    found: Installed,
    now: Here,
    home: str,
    environ: Mapping[str, str],
    told: Sequence[Tally],
    denied: Sequence[str],
) -> Iterator[Finding]:
    agent, name, init = client.agent, f"{client.title} hooks", f"run `{_init(client)}`"
    if not os.path.exists(shim_path(home)):
        if found.plugin and not found.wired:
            detail = f"the plugin {found.plugin} starts a `honed` on PATH, or nothing: there is no launcher"
        else:
            detail = f"they name {shim_path(home)}, which is gone"
        yield Finding(agent, name, "broken", "broken", detail, init, mends=True)
        return
    if found.wired and not found.broken and not found.plugin:
        wanted = Wanted(home, fitting(client, found, environ), now.denied(denied), way=now.way)
        changes = [
            one.path
            for one in wire(client, wanted, environ, dry=True)
            if one.change not in ("unchanged", "refused")
        ]
        if changes:
            entries, detail = f"{client.title} entries", _misfit(found, now, changes)
            yield Finding(agent, entries, "out of date", "warning", detail, init, mends=True)
    yield _of_runs(client, found, now, environ, told)


def switched_off(client: Client, environ: Mapping[str, str]) -> str:
    """That the client is told to run no hooks, and by what; empty if it runs them."""
    places, off = client.off
    for where in places:
        if json_text.get(plugin.first_file(client, environ), where) is off:
            return f"{client.title} is told to run no hooks ({'.'.join(map(str, where))})"
    return ""


def _of_runs(
    client: Client, found: Installed, now: Here, environ: Mapping[str, str], told: Sequence[Tally]
) -> Finding:
    agent, name = client.agent, f"{client.title} hooks"
    notify = found.notifies and not found.hooks
    off = switched_off(client, environ)
    if off and not notify:
        fix = f"take that out of {path_of(client, client.files[0], environ)} if you want them"
        return Finding(agent, name, "switched off", "warning", off, fix)
    failing = [tally for tally in told if tally.fails_now]
    count = len(found.hooks) or len(WIRES[agent].names)
    untrusted = untrusted_hooks(client, environ) if now.trusts else 0
    if not found.hooks and found.plugin:
        untrusted = untrusted_of_plugin(client, environ, found.plugin)
    if untrusted:
        what = f"{untrusted} of {count} are not trusted: {client.title} does not run those"
        return Finding(agent, name, "not trusted", "warning", what, client.trust)
    if failing:
        worst = max(failing, key=lambda tally: tally.failed)
        detail = f"{worst.event} fails, last {worst.failed}: {worst.failed_words}"
        return Finding(agent, name, "failing", "warning", detail, "`honed hooks status` shows each event")
    runs = sum(tally.runs for tally in told)
    if not runs:
        how = f"{len(found.hooks)} installed" if found.hooks else f"installed as the plugin {found.plugin}"
        how = _in_front(found, now) + ("installed" if notify else how)
        fix = f"start a session of {client.title}; one that ran before knows of them after a restart"
        return Finding(agent, name, "never fired", "warning", f"{how}, but none has ever fired", fix)
    gave = sum(tally.counts["gave"] for tally in told)
    last = max(tally.last for tally in told)
    detail = f"{several(runs, 'run')}, {gave} of them gave something, last {last}"
    return Finding(agent, name, "works", "ok", _in_front(found, now) + detail)
