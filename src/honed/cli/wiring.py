"""Commands about the clients: init, uninstall."""

from __future__ import annotations

import contextlib
import os
import shutil
from argparse import ArgumentParser, Namespace

from honed import scheduling
from honed.agents import folders, plugin, shim
from honed.agents.checks import Installed, alone, by_notify, fitting, installed, switched_off, usual
from honed.agents.clients import BY_AGENT, CLIENTS, LEVELS, Client, Wanted, is_present
from honed.agents.versions import Here, here
from honed.agents.wiring import FileChange, unwire, wire
from honed.cli import purging
from honed.cli.command import Command, Output
from honed.errors import RefusedError, UnavailableError, UsageError
from honed.home import default_home
from honed.owner import denied_commands
from honed.signing import pins
from honed.transcripts import FOLDERS

REFUSED = RefusedError.exit_code


_PERSONAL = (
    "these files name folders of your own on this machine: do not commit them (put them into .gitignore), or "
    "run `honed init` without --project, which wires you in every project and writes nothing here"
)


SHARED_FILE = ".mcp.json"
"""The one file of a project that a team commits: there honed is named as everybody can start it."""
_SHARED = f"{SHARED_FILE} starts `honed` from the PATH and may be shared; of the rest, "


def _starts_by_name(home: str) -> bool:
    """Whether `honed` without more is this home's: it is on the PATH, and the home is where it looks."""
    return "HONED_HOME" not in os.environ and home == default_home() and bool(shutil.which(shim.PROGRAM))


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "agents",
        nargs="*",
        metavar="AGENT",
        help=f"{', '.join(_names())} (default: those that are used here)",
    )
    everyone = " and ".join(client.title for client in CLIENTS)
    parser.add_argument(
        "--all",
        "--all-agents",
        action="store_true",
        help=f"every agent that honed can wire, used here or not: {everyone}",
    )
    for client in CLIENTS:
        parser.add_argument(f"--{_name(client)}", action="append_const", dest="chosen", const=client.agent)
    parser.add_argument("--project", action="store_true", help="for this folder only, in its own files")
    parser.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")


def _init_arguments(parser: ArgumentParser) -> None:
    _arguments(parser)
    parser.add_argument(
        "--hooks",
        choices=LEVELS,
        help="full (default): everything, in Claude Code 2.1.118 or newer also before each shell command, by "
        "asking honed's MCP server, which starts no process; lean: the same without that; minimal: recall at "
        "requests, learning at ends; none: the MCP server only",
    )


def _uninstall_arguments(parser: ArgumentParser) -> None:
    _arguments(parser)
    parser.add_argument(
        "--purge", action="store_true", help="also delete the memory itself, with its backups, for good"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before --purge deletes")


def _name(client: Client) -> str:
    return client.agent.replace("_", "-")


def _names() -> list[str]:
    return [_name(client) for client in CLIENTS]


def _chosen(options: Namespace, *, default: list[Client]) -> list[Client]:
    named = [str(word).replace("-", "_") for word in (*options.agents, *(options.chosen or ()))]
    unknown = [word for word in named if word not in BY_AGENT]
    if unknown:
        raise UsageError(_no_agent(unknown[0]))
    if options.all:
        return list(CLIENTS)
    return [BY_AGENT[word] for word in dict.fromkeys(named)] if named else default


def _no_agent(word: str) -> str:
    known = f"honed wires {' and '.join(_names())}"
    if any(folder.client == word for folder in FOLDERS):
        return f"{word} cannot be wired yet: {known}. `honed backfill` learns from its sessions"
    return f"there is no agent {word!r}; {known}"


def _not_wired() -> list[str]:
    """The agents that are used here, whose sessions honed reads, and that it cannot wire."""
    found = []
    for folder in FOLDERS:
        place = os.path.expanduser(os.environ.get(folder.variable) or folder.default)
        if folder.client not in BY_AGENT and os.path.isdir(place):
            found.append(folder.client)
    return found


def _init(options: Namespace, output: Output) -> int:
    home = os.path.abspath(options.home or default_home())
    clients = _chosen(options, default=[c for c in CLIENTS if is_present(c, os.environ)])
    if not clients:
        raise UsageError(
            f"no agent was found here; name one: {', '.join(_names())} (`honed init claude-code`)"
        )
    trouble = shim.home_trouble(home)
    if trouble:
        raise UsageError(trouble)
    if not options.dry_run:
        try:
            shim.write_shim(home)
        except OSError as error:
            raise UnavailableError(f"{home}: {error.strerror}; nothing was changed") from error
    rows = [_wired(client, home, options, output) for client in clients]
    left = _not_wired()
    if left:
        names = ", ".join(left)
        output.text(
            f"Not wired: {names}. honed cannot do that yet; `honed backfill` learns from its sessions."
        )
    output.json({"agents": rows, "not_wired": left})
    if options.dry_run:
        output.text("Nothing was changed (--dry-run).")
    return REFUSED if any(row["status"] == "refused" for row in rows) else 0


def _wired(client: Client, home: str, options: Namespace, output: Output) -> dict[str, object]:
    """Wire one client, and say what its user must still do."""
    project = os.getcwd() if options.project else ""
    has = plugin.own(plugin.enabled(client, os.environ))
    level = options.hooks or usual(client, os.environ, project)
    level = fitting(client, Installed(), os.environ, level)
    by_name, now = bool(project) and _starts_by_name(home), here(client, os.environ)
    denied = now.denied(denied_commands())
    wanted = Wanted(home, level, denied, plugin=bool(has), by_name=by_name, way=now.way)
    absent = folders.missing(client, os.environ, project)
    done = wire(client, wanted, os.environ, project=project, dry=options.dry_run)
    if not options.dry_run:
        with contextlib.suppress(OSError):  # then they stay when honed goes
            folders.note(home, absent)
    row = _row(client, done, "wired", output)
    if options.hooks == "full" and level != "full":
        row["hooks"] = level
        output.text(
            f"  Note: this {client.title} is too old for hooks that ask a server; those are left out."
        )
    if project and row["status"] != "refused":
        note = _SHARED if by_name and any(one.path.endswith(SHARED_FILE) for one in done) else ""
        row["note"] = note + _PERSONAL
        output.text(f"  Note: {row['note']}.")
    if has:
        row["plugin"] = has
        output.text(f"  Hooks and server are left to the plugin {has}.")
    off = switched_off(client, os.environ)
    if off:
        row["off"] = off
        output.text(f"  Note: {off}; honed leaves that as it is.")
    if now.way != "hooks" and level != "none" and not has:
        _tell_way(client, now, row, project, output)
    if now.trusts and options.hooks != "none" and row["status"] != "refused":
        row["todo"] = client.trust
        output.text(f"  To do: {client.trust}.")
    return row


def _tell_way(client: Client, now: Here, row: dict[str, object], project: str, output: Output) -> None:
    """Say how an older version of a client is served."""
    row["way"] = now.way
    if now.way == "flagged":
        told = f"hooks of {now.name} are an experiment of its own; features.codex_hooks switches them on"
    elif installed(client, os.environ, project).others_notify:
        told = ". ".join(alone(now))
    else:
        told = f"{by_notify(now)}; after an upgrade run `honed init` again"
    if not now.ruled:
        told += "; it takes no rules that say why, so it is given none about your own commands"
    row["note"] = f"{row['note']}. {told}" if "note" in row else told
    output.text(f"  Note: {told}.")


def _uninstall(options: Namespace, output: Output) -> int:
    home = os.path.abspath(options.home or default_home())
    project = os.getcwd() if options.project else ""
    clients = _chosen(options, default=list(CLIENTS))
    everywhere = len(clients) == len(CLIENTS) and not project
    _check_purge(options, everywhere)
    kept = purging.look(home) if options.purge else None
    if kept and kept.paths and not (options.yes or options.dry_run):
        purging.confirm(output, kept)
    rows = [_unwired(client, project, options, output) for client in clients]
    refused = any(row["status"] == "refused" for row in rows)
    answer: dict[str, object] = {"agents": rows}
    if not options.dry_run:
        folders.take_away(home)
    if everywhere and not refused and not options.dry_run:
        for line in scheduling.forget(home, os.environ):
            output.text(f"No longer scheduled: {line}")
        shim.remove_shim(home)
        if options.purge:
            kept = purging.purge(home)
        else:
            purging.forget_cache(home)
    if kept:
        answer["purge"] = {**kept.json(), "deleted": not (refused or options.dry_run)}
        _say_purge(output, kept, refused=refused, dry=options.dry_run)
    elif everywhere and not refused and not options.dry_run and os.path.isdir(home):
        output.text(f"The memory stays in {home}; --purge deletes it.")
    output.json(answer)
    if options.dry_run:
        output.text("Nothing was changed (--dry-run).")
    return REFUSED if refused else 0


def _check_purge(options: Namespace, everywhere: bool) -> None:
    """Raises ``UsageError`` for options that say nothing beside each other."""
    if options.purge and not everywhere:
        raise UsageError(
            "--purge deletes the memory of all agents; leave out the agents' names and --project"
        )
    if options.yes and not options.purge:
        raise UsageError("--yes confirms --purge; nothing else asks")
    if options.yes and options.dry_run:
        raise UsageError(
            "--dry-run changes nothing, so there is nothing for --yes to confirm; give one of them"
        )


def _unwired(client: Client, project: str, options: Namespace, output: Output) -> dict[str, object]:
    """Take one client apart, and say what its user must still do."""
    done = unwire(client, os.environ, project=project, dry=options.dry_run)
    row = _row(client, done, "removed", output)
    has = plugin.own(plugin.enabled(client, os.environ))
    if has:
        row["todo"] = f"{client.remove_plugin} {has}"
        output.text(f"  To do: the plugin is {client.title}'s own to remove: {client.remove_plugin} {has}")
    return row


def _say_purge(output: Output, kept: purging.Kept, *, refused: bool, dry: bool) -> None:
    if refused:
        output.text(f"The memory was not deleted, for something above was refused: {kept.told()}.")
    elif not kept.paths:
        output.text(f"There is no memory in {kept.home} to delete.")
    else:
        output.text(f"{'Would delete' if dry else 'Deleted'} {kept.told()}.")
    for path in kept.others:
        output.text(f"  stays, for it is not honed's: {path}")
    if _is_pinned(kept.home):
        output.text(f"  stays: the key of this home's owner, in {pins.path()}")
        output.text("         a new memory here is signed by it, or `honed owner reset` ends signing")


def _is_pinned(home: str) -> bool:
    """Whether an owner's key is kept for a home; what cannot be read is told by ``honed doctor``."""
    try:
        return pins.pin_of(home) is not None
    except pins.PinError:
        return False


def _row(client: Client, done: list[FileChange], word: str, output: Output) -> dict[str, object]:
    changes = {one.change for one in done}
    if "refused" in changes:
        status = "refused"
    else:
        status = "unchanged" if changes == {"unchanged"} else word
    output.text(f"{client.title}: {status}")
    for one in done:
        output.text(f"  {one.change:<9} {one.reason or one.path}")
        if one.backup:
            output.text(f"            as it was: {one.backup}")
    return {
        "agent": client.agent,
        "files": [
            {
                "path": one.path,
                "change": one.change,
                **({"reason": one.reason} if one.reason else {}),
                **({"backup": one.backup} if one.backup else {}),
            }
            for one in done
        ],
        "status": status,
    }


COMMANDS = {
    "init": Command(
        _init,
        _init_arguments,
        description=(
            f"Wire honed into your agents ({' and '.join(c.title for c in CLIENTS)}): hooks, MCP server, "
            "deny rules for what only you may do. Everything else in their files stays as it is; a second "
            "run changes nothing. What cannot be read is left untouched, with what to do. Codex is wired by "
            "its version: without hooks honed learns by its notify; run init again after an upgrade."
        ),
        example="honed init claude-code --dry-run",
    ),
    "uninstall": Command(
        _uninstall,
        _uninstall_arguments,
        description=(
            "Take every entry of honed's out of your agents' files again. The memory stays. With --purge it "
            "is deleted with its backups, after a yes; what else lies in its folder stays."
        ),
        example="honed uninstall",
    ),
}
