"""What works, what does not, and the repair.  Never changes anything, and works on a broken home."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from dataclasses import dataclass
from typing import Literal

from honed._version import __version__
from honed.agents.checks import findings
from honed.config import FILE, SETTINGS, Config
from honed.errors import HonedError
from honed.home import DATABASE
from honed.store.files import HEAD
from honed.store.sqlite import SqliteStore
from honed.transcripts import FOLDERS, default_paths


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at.  ``code`` is the exit code if it is broken."""

    name: str
    status: Literal["ok", "absent", "warning", "broken"]
    detail: str
    fix: str = ""
    code: int = 1


def examine(home: str) -> list[Check]:
    """Every check, in the order in which a person would ask."""
    about_memory = [_program(), _home(home), *_memory(home), *_settings(home), _space(home)]
    return [*about_memory, *_hooks(home), *_transcripts()]


def _program() -> Check:
    options = {row[0] for row in sqlite3.connect(":memory:").execute("PRAGMA compile_options")}
    detail = f"honed {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    if "ENABLE_FTS5" not in options:
        return Check("program", "broken", f"{detail} without FTS5", "use a Python whose SQLite has FTS5", 5)
    loadable = "can" if hasattr(sqlite3.Connection, "enable_load_extension") else "cannot"
    return Check("program", "ok", f"{detail} (extensions {loadable} be loaded; none is needed)")


def _home(home: str) -> Check:
    if not os.path.lexists(home):
        return Check("home", "absent", f"{home} does not exist yet", "run `honed backfill`")
    if not os.path.isdir(home):
        return Check("home", "broken", f"{home} is no folder", "move it away, or name another --home", 5)
    if not os.access(home, os.W_OK):
        detail = f"{home} cannot be written: recall works, nothing can be kept"
        return Check("home", "broken", detail, "give yourself write access to it", 5)
    if os.name == "posix" and os.stat(home).st_mode & 0o077:
        return Check("home", "warning", f"{home} can be read by others", f"chmod 700 {home}")
    return Check("home", "ok", home)


def _memory(home: str) -> list[Check]:
    if not any(os.path.lexists(os.path.join(home, name)) for name in (DATABASE, HEAD)):
        return [Check("memory", "absent", "nothing has been learned yet", "run `honed backfill`")]
    try:
        with SqliteStore.open(home, readonly=True) as store:
            faults = store.verify()
            stats = store.stats()
    except HonedError as error:
        return [Check("memory", "broken", str(error), "", error.exit_code)]
    kept = f"{sum(stats.skills.values())} skills, {stats.events} events, {stats.bytes / 1e6:.1f} MB"
    checks = [Check("memory", "ok", f"{kept}, {stats.backups} backups")]
    if faults:
        first = faults[0]
        checks.append(
            Check(
                "ledger",
                "broken",
                f"{len(faults)} faults, first: {first.code} at {first.where}: {first.detail}",
                "`honed verify` lists them; `honed rebuild` mends projections and index",
            )
        )
    else:
        checks.append(Check("ledger", "ok", "in order, and all that is made from it"))
    return checks


def _settings(home: str) -> list[Check]:
    """What the settings file says; absent and sound ones that change nothing are not worth a line."""
    try:
        config = Config.load(home, {})
    except HonedError as error:
        return [Check("settings", "broken", str(error), f"mend or delete {FILE}", error.exit_code)]
    changed = [setting.key for setting in SETTINGS if setting.key in config.values]
    return [Check("settings", "ok", f"changed: {', '.join(changed)}")] if changed else []


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


def _hooks(home: str) -> list[Check]:
    return [Check(found.name, found.status, found.detail, found.fix) for found in findings(home, os.environ)]


def _transcripts() -> list[Check]:
    checks = []
    for folder in FOLDERS:
        count = sum(1 for _ in default_paths(os.environ, folder.client))
        status: Literal["ok", "absent"] = "ok" if count else "absent"
        checks.append(Check(f"transcripts of {folder.client}", status, f"{count} found"))
    return checks
