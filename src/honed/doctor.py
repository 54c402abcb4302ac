"""What works, what does not, and the repair.  Works on a broken home; changes nothing unless it is to mend.

What is mended is what nobody has to decide: rights, the launcher, entries of honed's that were put in before,
indexes and projections.  A client that is not wired, a hook that is not trusted, a file that is not honed's
are left to the owner.
"""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from honed._version import __version__
from honed.absorb import rules_of
from honed.agents.checks import findings, fitting, installed
from honed.agents.clients import BY_AGENT, CLIENTS, Wanted
from honed.agents.shim import program, shim_path, write_shim
from honed.agents.trying import tools_of
from honed.agents.versions import here
from honed.agents.wiring import wire
from honed.config import FILE, SETTINGS, Config
from honed.counted import several
from honed.errors import HonedError, RefusedError
from honed.home import DATABASE
from honed.hooks.holding import SETTING
from honed.ledger.model import Fault
from honed.memory import Memory
from honed.owning import approval_faults
from honed.review.asking import Model
from honed.review.use import used
from honed.skills.model import Skill
from honed.store.base import SkillFilter, Store
from honed.store.files import HEAD
from honed.store.spent import Tried
from honed.store.sqlite import SqliteStore
from honed.transcripts import FOLDERS, default_paths


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at.  ``code`` is the exit code if it is broken; ``repair`` names a row of ``REPAIRS``
    and what it is about, empty where only the owner can mend it."""

    name: str
    status: Literal["ok", "absent", "warning", "broken"]
    detail: str
    fix: str = ""
    code: int = 1
    repair: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of one repair: ``done``, or why not."""

    name: str
    done: bool
    detail: str


def examine(home: str, denied: Sequence[str] = (), project: str = "") -> list[Check]:
    """Every check, in the order in which a person would ask.

    ``denied`` as in ``agents.clients.Wanted``; ``project`` is the folder whose own client files count too.
    """
    about_memory = [_program(), _home(home), *_memory(home), *_meaning(home)]
    about_memory += [*_settings(home), *_models(home), _space(home)]
    return [*about_memory, *_hooks(home, denied, project), *_servers(home, os.environ), *_transcripts()]


def mend(home: str, checks: Sequence[Check], denied: Sequence[str] = ()) -> list[Mended]:
    """Mend what ``checks`` found and nobody has to decide; each repair once."""
    done = []
    for name, repair in dict.fromkeys((check.name, check.repair) for check in checks if check.repair):
        try:
            done.append(Mended(name, True, REPAIRS[repair[0]](home, repair[1:], denied)))
        except HonedError as error:
            done.append(Mended(name, False, str(error)))
        except OSError as error:
            done.append(Mended(name, False, f"{error.filename or home}: {error.strerror}"))
    return done


def _mend_rights(home: str, _about: Sequence[str], _denied: Sequence[str]) -> str:
    os.chmod(home, stat.S_IRWXU)
    return f"{home} can be read by you alone"


def _mend_memory(home: str, _about: Sequence[str], _denied: Sequence[str]) -> str:
    with Memory.open(home, existing=True) as memory:
        return f"made anew from {several(memory.rebuild(), 'event')}"


def _mend_wiring(home: str, about: Sequence[str], denied: Sequence[str]) -> str:
    """The launcher, and the entries of a client as they were put in before."""
    client = BY_AGENT[about[0]]
    found = installed(client, os.environ)
    write_shim(home)
    level = fitting(client, found, os.environ)
    now = here(client, os.environ)
    wanted = Wanted(home, level, now.denied(denied), plugin=bool(found.plugin), way=now.way)
    done = wire(client, wanted, os.environ)
    refused = [one.reason for one in done if one.change == "refused"]
    if refused:
        raise RefusedError("; ".join(refused))
    changed = [one.path for one in done if one.change != "unchanged"]
    return f"written: {', '.join(changed)}" if changed else "the launcher is there again"


REPAIRS: Mapping[str, Callable[[str, Sequence[str], Sequence[str]], str]] = {
    "rights": _mend_rights,
    "memory": _mend_memory,
    "wiring": _mend_wiring,
}
"""Each takes the home, what its check is about and the denied commands, and says what it did.

Raises ``HonedError`` or ``OSError``.
"""
REBUILT = {"full-text", "index", "projection", "schema-missing"}
"""Faults that `honed rebuild` mends: they are in what is made from the ledger, not in it."""
_AS_IT_STANDS = {"head-missing"}
"""Faults that say nothing against the ledger itself: what it was held against is gone."""


def mended_by(faults: Sequence[Fault]) -> str:
    """What its owner can do about faults of the ledger and of what is made from it."""
    codes = {fault.code for fault in faults}
    ways = ["`honed rebuild` mends projections and index"] if codes & REBUILT else []
    if codes & _AS_IT_STANDS:
        ways.append("`honed backup` and `honed restore-backup` of that copy take the ledger as it stands")
    if codes - REBUILT - _AS_IT_STANDS:
        ways.append("`honed restore-backup` brings back a good copy")
    return "; ".join(ways)


def _program() -> Check:
    options = {row[0] for row in sqlite3.connect(":memory:").execute("PRAGMA compile_options")}
    detail = f"honed {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    if "ENABLE_FTS5" not in options:
        return Check("program", "broken", f"{detail} without FTS5", "use a Python whose SQLite has FTS5", 5)
    loadable = "can" if hasattr(sqlite3.Connection, "enable_load_extension") else "cannot"
    return Check("program", "ok", f"{detail} (extensions {loadable} be loaded; none is needed)")


def _home(home: str) -> Check:
    if (above := _blocked(home)) and not os.path.lexists(home):
        detail = f"{home} cannot be made: {above} is no folder that you may write to"
        return Check("home", "broken", detail, "give yourself write access to it, or name another --home", 5)
    if not os.path.lexists(home):
        return Check("home", "absent", f"{home} does not exist yet", "run `honed backfill`")
    if not os.path.isdir(home):
        return Check("home", "broken", f"{home} is no folder", "move it away, or name another --home", 5)
    if not os.access(home, os.W_OK):
        detail = f"{home} cannot be written: recall works, nothing can be kept"
        return Check("home", "broken", detail, "give yourself write access to it", 5)
    if os.name == "posix" and os.stat(home).st_mode & 0o077:
        detail = f"{home} can be read by others"
        return Check("home", "warning", detail, f"chmod 700 {home}", repair=("rights",))
    return Check("home", "ok", home)


def _blocked(home: str) -> str:
    """The nearest thing at or above ``home`` that is there, where nothing can be kept in it; else ""."""
    there = os.path.abspath(home)
    while not os.path.lexists(there) and (above := os.path.dirname(there)) != there:
        there = above
    return "" if os.path.isdir(there) and os.access(there, os.W_OK | os.X_OK) else there


def _memory(home: str) -> list[Check]:
    if not any(os.path.lexists(os.path.join(home, name)) for name in (DATABASE, HEAD)):
        way = "" if _blocked(home) else "run `honed backfill`"  # what the home's own check says comes first
        return [Check("memory", "absent", "nothing has been learned yet", way)]
    try:
        with SqliteStore.open(home, readonly=True) as store:
            faults = store.verify()
            approvals = approval_faults(store)
            stats = store.stats()
            rules = store.skills(SkillFilter(kinds=("rule",)))
            muted = store.skills(SkillFilter(muted=True))
            tried = store.tried()
            older = _read_before(home, store)
    except HonedError as error:
        return [Check("memory", "broken", str(error), "", error.exit_code)]
    # Kinds are counted without what was forgotten, as `honed stats` and `honed list --all` do.
    kept = f"{several(sum(stats.kinds.values()), 'skill')}, {several(stats.events, 'event')}"
    copies = several(stats.backups, "backup")
    checks = [
        Check("memory", "ok", f"{kept}, {stats.bytes / 1e6:.1f} MB, {copies}"),
        *_rules(rules),
        *_muted(muted),
        *_experiment(home, tried),
        *older,
        *_approvals(approvals),
    ]
    if faults:
        first = faults[0]
        number = f"{len(faults)} fault{'' if len(faults) == 1 else 's'}"
        checks.append(
            Check(
                "ledger",
                "broken",
                f"{number}, first: {first.code} at {first.where}: {first.detail}",
                f"`honed verify` lists them; {mended_by(faults)}",
                repair=("memory",) if {fault.code for fault in faults} <= REBUILT else (),
            )
        )
    else:
        checks.append(Check("ledger", "ok", "in order, and all that is made from it"))
    return checks


def _approvals(faults: Sequence[Fault]) -> list[Check]:
    """What is wrong with signed approvals, in one line."""
    if not faults:
        return []
    first, more = faults[0], f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    detail = f"{first.where}: {first.detail}{more}"
    fix = (
        "`honed owner status` says which key is pinned and what to do; `honed review --all` signs what waits"
    )
    return [Check("approvals", "broken", detail, fix)]


def _meaning(home: str) -> list[Check]:
    """Whether skills are found by what they mean too, and what is in the way."""
    name = "meaning"
    try:
        with Memory.open(home, readonly=True) as memory:
            found = memory.meaning()
    except HonedError:
        return []  # no memory yet, or said above
    made = f"{found.state.made} of {found.state.skills} skills have their vector"
    if found.problem:
        detail = f"by words only: {found.problem}"
        return [Check(name, "warning", detail, "`honed config set semantic.model none` where none is wanted")]
    if found.faults:
        detail = f"{several(len(found.faults), 'vector')} cannot be right, first: {found.faults[0]}"
        return [Check(name, "broken", detail, "`honed index repair` makes them again", repair=("memory",))]
    if found.model and found.state.missing:
        return [Check(name, "warning", f"{found.model}: {made}", "`honed index embed` makes the others")]
    if found.model:
        return [Check(name, "ok", f"{found.model}: {made}")]
    return [Check(name, "absent", "by words only", "`pip install 'honed[semantic]'` brings a small model")]


def _rules(rules: Sequence[Skill]) -> list[Check]:
    """Whether rules of the owner's wait for approval: until then they are data to an agent."""
    waiting = [rule.slug for rule in rules if rule.draft.origin == "owner" and not rule.approved_hash]
    if not waiting:
        return []
    which = f"{waiting[0]}{f' and {len(waiting) - 1} more' if len(waiting) > 1 else ''}"
    detail = f"{len(waiting)} of your own not approved ({which}): agents get them as data, not as rules"
    return [Check("rules", "warning", detail, "`honed review --all` shows and approves them")]


def _muted(muted: Sequence[Skill]) -> list[Check]:
    """Skills that agents asked not to be given: the owner is to look."""
    if not muted:
        return []
    which = f"{muted[0].slug}{f' and {len(muted) - 1} more' if len(muted) > 1 else ''}"
    detail = f"{len(muted)} muted by agents ({which}): not given until you look"
    return [Check("muted", "warning", detail, "`honed review --all` shows them and lifts it")]


def _experiment(home: str, tried: Sequence[Tried]) -> list[Check]:
    """That recall is held back from some sessions: nobody is to wonder why they are given nothing."""
    try:
        share = Config.load(home, {}).number(SETTING)
    except HonedError:
        return []  # said by `_settings`
    if not share:
        return []
    held = sum(one.held for one in tried)
    detail = f"recall is held back from {share:.0%} of sessions, so far from {held} of {len(tried)}"
    return [Check("experiment", "ok", detail, "`honed experiment report` compares, `off` ends it")]


def _read_before(home: str, store: Store) -> list[Check]:
    """Transcripts that another version of honed, or other test runners, made of what they did: reading them
    again betters what nobody has touched, and takes back what is no longer taught."""
    try:
        rules = rules_of(Config.load(home, store.settings())["runners"])
    except HonedError:
        return []  # said by `_settings`
    older = [path for path in store.read_by_others(rules) if os.path.exists(path)]
    if not older:
        return []
    detail = f"{len(older)} transcript{'' if len(older) == 1 else 's'} read by other rules than those of now"
    found = {str(path.resolve()) for path in default_paths(os.environ)}
    named = next((path for path in older if path not in found), "")
    elsewhere = f"; those outside the clients' folders by name, such as {named}" if named else ""
    return [Check("rules of reading", "warning", detail, f"`honed backfill` reads them again{elsewhere}")]


def _settings(home: str) -> list[Check]:
    """What the settings file says; absent and sound ones that change nothing are not worth a line."""
    try:
        config = Config.load(home, {})
    except HonedError as error:
        return [Check("settings", "broken", str(error), f"mend or delete {FILE}", error.exit_code)]
    changed = [setting.key for setting in SETTINGS if setting.key in config.values]
    return [Check("settings", "ok", f"changed: {', '.join(changed)}")] if changed else []


def _models(home: str) -> list[Check]:
    """Whether the model that the owner set can be asked, and what was refused; nothing where none is set."""
    try:
        with Memory.open(home, readonly=True) as memory:
            model, calls = Model.of(memory.config), memory.model_calls()
            most = f"{memory.config['models.calls']} calls, of {memory.config['models.tokens']} tokens"
    except HonedError:
        return []  # said of the memory and of the settings already
    if not model:
        return []
    today = used(calls)
    detail = f"asks {model}; today {today.calls} of {most} {today.tokens}"
    if today.nested:
        nested = today.nested[0]
        number = f"{len(today.nested)} nested starts were" if len(today.nested) > 1 else "a nested start was"
        detail += f"; {number} refused, the last at {nested.at}: {nested.why}"
    if model.command and shutil.which(model.command[0]) is None:
        detail = f"{model.command[0]} is not found; {detail}"
        return [Check("model", "warning", detail, "`honed config set models.command` names another one")]
    if today.last is not None and today.last.state == "failed":
        return [Check("model", "warning", f"{detail}; the last call failed: {today.last.why}")]
    return [Check("model", "ok", detail)]


def _space(home: str) -> Check:
    at = home
    while at and not os.path.isdir(at):
        at = os.path.dirname(at)
    free = shutil.disk_usage(at or "/").free
    if free < 50_000_000:
        return Check(
            "disk",
            "warning",
            f"only {free / 1e6:.0f} MB free",
            "make room; honed refuses to write on a full disk",
        )
    return Check("disk", "ok", f"{free / 1e9:.1f} GB free")


def _hooks(home: str, denied: Sequence[str], project: str) -> list[Check]:
    return [
        Check(
            found.name,
            found.status,
            found.detail,
            found.fix,
            repair=("wiring", found.agent) if found.mends else (),
        )
        for found in findings(home, os.environ, denied, project)
    ]


def _servers(home: str, environ: Mapping[str, str]) -> list[Check]:
    """Whether the server answers that clients start; a registration that several have is tried once.

    A plugin starts the program of the home.
    """
    users: dict[tuple[str, ...], list[str]] = {}
    for client in CLIENTS:
        found = installed(client, environ)
        name, arguments = program(home)
        of_plugin = ((name, *arguments),) if found.plugin and os.path.exists(shim_path(home)) else ()
        for command in (*found.servers, *of_plugin):
            users.setdefault(command, []).append(client.agent)
    checks = []
    for command, agents in users.items():
        name, titles = "MCP server", " and ".join(BY_AGENT[agent].title for agent in agents)
        try:
            count = tools_of(command, environ)
            checks.append(
                Check(name, "ok", f"started as {titles} would: it answers, with {several(count, 'tool')}")
            )
        except HonedError as error:
            detail = f"started as {titles} would: {error}"
            fix = "run `honed init`"
            checks.append(Check(name, "broken", detail, fix, repair=("wiring", agents[0])))
    return checks


def _transcripts() -> list[Check]:
    checks = []
    for folder in FOLDERS:
        count = sum(1 for _ in default_paths(os.environ, folder.client))
        status: Literal["ok", "absent"] = "ok" if count else "absent"
        checks.append(Check(f"transcripts of {folder.client}", status, f"{count} found"))
    return checks
