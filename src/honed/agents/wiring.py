"""Putting honed into the clients' files, and taking it out again.

All files of a client are planned before the first is written; one that cannot be understood leaves all
as they are.  A file is written by an atomic replace, after it was read again and compared, and it is
copied once before the first change.  Taking out leaves it as if honed had never been there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from honed.agents import json_text, toml_text
from honed.agents.clients import SERVER, Addition, Client, File, Level, is_own, path_of
from honed.agents.json_text import Path
from honed.errors import UsageError

Change = Literal["created", "changed", "unchanged", "deleted", "refused"]
BACKUP = ".before-honed"
TABLE = ("mcp_servers", SERVER)
TRIES = 3


@dataclass(frozen=True, slots=True)
class FileChange:
    """What happens to one file; ``reason`` for a refusal, ``backup`` where a copy was made."""

    path: str
    change: Change
    reason: str = ""
    backup: str = ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A file as it was read (``None``: not there) and as it shall be (``None``: not there).

    ``had`` and ``has`` say whether anything of honed's is in either.
    """

    path: str
    before: bytes | None
    after: bytes | None
    had: bool
    has: bool

    @property
    def change(self) -> Change:
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "created"
        return "deleted" if self.after is None else "changed"


def wire(
    client: Client,
    home: str,
    level: Level,
    environ: Mapping[str, str],
    *,
    project: str = "",
    dry: bool = False,
) -> list[FileChange]:
    """Put honed into the files of ``client``; a second time changes no byte."""

    def wanted(file: File, text: str) -> str:
        if file.table is not None:
            return toml_text.put(text, TABLE, file.table(home))
        return _with_additions(text, file.additions(home, level) if file.additions else ())

    return _carried_out(client, wanted, environ, project, dry)


def unwire(
    client: Client, environ: Mapping[str, str], *, project: str = "", dry: bool = False
) -> list[FileChange]:
    """Take everything of honed's out of the files of ``client``."""

    def wanted(file: File, text: str) -> str:
        if file.table is not None:
            return toml_text.take(text, TABLE) if has_own_table(text) else text
        return _without_own(text, _before(path_of(client, file, environ, project)))

    return _carried_out(client, wanted, environ, project, dry)


def has_own_table(text: str) -> bool:
    """Whether a TOML text registers honed's server."""
    value = json_text.get(toml_text.parse(text), TABLE)
    return value is not None and is_own(TABLE, value)


def _carried_out(
    client: Client,
    wanted: Callable[[File, str], str],
    environ: Mapping[str, str],
    project: str,
    dry: bool,
) -> list[FileChange]:
    paths = {path_of(client, file, environ, project): file for file in client.files}
    for _ in range(TRIES):
        plans: list[_Plan] = []
        refused: list[FileChange] = []
        for path, file in paths.items():
            try:
                plans.append(_planned(path, file, wanted))
            except UsageError as error:
                refused.append(FileChange(path, "refused", f"{path}: {error}"))
            except (OSError, UnicodeError) as error:
                refused.append(FileChange(path, "refused", f"{path}: {_reason(error)}"))
        if refused:
            return [*(FileChange(plan.path, "unchanged") for plan in plans), *refused]
        if dry:
            return [FileChange(plan.path, plan.change) for plan in plans]
        try:
            done = [_written(plan) for plan in plans]
        except OSError as error:
            return [FileChange(str(error.filename or next(iter(paths))), "refused", _reason(error))]
        if all(done):
            return [one for one in done if one is not None]
    busy = "somebody else keeps changing it; close the client and try again"
    return [FileChange(path, "refused", f"{path}: {busy}") for path in paths]


def _planned(path: str, file: File, wanted: Callable[[File, str], str]) -> _Plan:
    before = _read(path)
    text = wanted(file, "" if before is None else before.decode("utf-8"))
    empty = not text.strip() or (file.additions is not None and json_text.parse(text) == {})
    # What honed made alone goes with it; a file that was there stays, be it empty.
    stays = before is not None and (before == text.encode("utf-8") or os.path.exists(path + BACKUP))
    after = None if empty and not stays else text.encode("utf-8")
    return _Plan(path, before, after, _has_own(file, before), _has_own(file, after))


def _has_own(file: File, raw: bytes | None) -> bool:
    text = "" if raw is None else raw.decode("utf-8")
    if file.table is not None:
        return has_own_table(text)
    return bool(text.strip()) and _next_own(json_text.parse(text), ()) is not None


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _before(path: str) -> str | None:
    """The file as it was before honed; ``None`` where it was not there, or no copy is left."""
    with contextlib.suppress(OSError, UnicodeError):
        raw = _read(path + BACKUP)
        return None if raw is None else raw.decode("utf-8")
    return None


def _written(plan: _Plan) -> FileChange | None:
    """Carry a plan out; ``None`` if the file is no longer the one that was read.  Raises ``OSError``."""
    if plan.change == "unchanged":
        _drop_backup(plan)
        return FileChange(plan.path, "unchanged")
    real = os.path.realpath(plan.path)
    if _read(real) != plan.before:
        return None
    backup = ""
    if plan.after is None:
        os.unlink(real)
    else:
        os.makedirs(os.path.dirname(real), mode=0o700, exist_ok=True)
        backup = _backed_up(plan)
        _replace(real, plan.after)
    _drop_backup(plan)
    return FileChange(plan.path, plan.change, backup=backup if os.path.exists(backup) else "")


def _backed_up(plan: _Plan) -> str:
    """Copy the file once, before honed's first change of it."""
    path = plan.path + BACKUP
    if plan.before is None or plan.had or os.path.exists(path):
        return ""
    _replace(path, plan.before, like=plan.path)
    return path


def _drop_backup(plan: _Plan) -> None:
    """Without honed in it, a file needs no copy of what it was before."""
    if not plan.has:
        with contextlib.suppress(OSError):
            os.unlink(plan.path + BACKUP)


def _replace(path: str, data: bytes, *, like: str = "") -> None:
    new = f"{path}.{os.getpid()}.new"
    mode = 0o600
    with contextlib.suppress(OSError):
        mode = os.stat(like or path).st_mode & 0o777
    try:
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            os.chmod(new, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "not UTF-8"


# What is put into JSON


def _with_additions(text: str, additions: Sequence[Addition]) -> str:
    """``text`` with ``additions``; own entries that are no longer wanted go, the others stay in place."""
    if not text.strip():
        value: dict[str, object] = {}
        for one in additions:
            value = _put(value, one)
        return json_text.dump(value) if additions else text
    text = _without_own(text, None, keep=additions)
    for one in additions:
        value_now = json_text.parse(text)
        at: Path = one.path[:-1] if isinstance(one.path[-1], int) else one.path
        there = json_text.get(value_now, at)
        if isinstance(one.path[-1], int):
            if not isinstance(there, list) or not _holds(there, one.value):
                text = json_text.add(text, one.path, one.value)
        elif there != one.value:
            text = json_text.add(text, one.path, one.value)
    return text


def _holds(items: Sequence[object], value: object) -> bool:
    """Whether a list has a value, or a group that has its handlers (another tool may have joined it)."""
    if value in items:
        return True
    wanted = value.get("hooks") if isinstance(value, dict) else None
    if not isinstance(wanted, list) or not isinstance(value, dict):
        return False
    groups = [
        item for item in items if isinstance(item, dict) and item.get("matcher") == value.get("matcher")
    ]
    handlers = [handler for group in groups for handler in (group.get("hooks") or ())]
    return all(handler in handlers for handler in wanted)


def _put(value: dict[str, object], one: Addition) -> dict[str, object]:
    at: dict[str, object] = value
    *outer, last = [key for key in one.path if isinstance(key, str)]
    for key in outer:
        below = at.setdefault(key, {})
        at = below if isinstance(below, dict) else {}
    if isinstance(one.path[-1], int):
        items = at.setdefault(last, [])
        if isinstance(items, list):
            items.append(one.value)
    else:
        at[last] = one.value
    return value


def _without_own(text: str, before: str | None, keep: Sequence[Addition] = ()) -> str:
    """``text`` without what is honed's and not in ``keep``; containers that it emptied go too, unless they
    were empty in ``before``."""
    if not text.strip():
        return text
    original = None if before is None else json_text.parse(before) if before.strip() else {}
    start = text
    while (found := _next_own(json_text.parse(text), keep)) is not None:
        text = json_text.remove(text, found)
        path = found[:-1]
        while path and _is_bare(json_text.get(json_text.parse(text), path)):
            if original is not None and json_text.get(original, path) is not None:
                break
            text = json_text.remove(text, path)
            path = path[:-1]
    same = text != start and before is not None and json_text.parse(text) == original
    return before if same and before is not None else text


def _is_bare(value: object) -> bool:
    """Whether a container is empty; a group of hooks without a handler is, whatever its matcher."""
    if isinstance(value, dict):
        return not value.get("hooks") and set(value) <= {"hooks", "matcher"}
    return value == []


def _next_own(value: object, keep: Sequence[Addition]) -> Path | None:
    """The first entry of honed's in a client's settings that ``keep`` does not want."""
    for path, entry in entries(value):
        if is_own(path, entry) and not _is_kept(value, path, entry, keep):
            return path
    return None


def _is_kept(value: object, path: Path, entry: object, keep: Sequence[Addition]) -> bool:
    for one in keep:
        if one.value == entry and path[: len(one.path) - 1] == one.path[:-1]:
            return isinstance(one.path[-1], int) or path == one.path
        group = json_text.get(value, path[:-2])
        handlers = one.value.get("hooks") if isinstance(one.value, dict) else None
        if isinstance(handlers, list) and entry in handlers and isinstance(group, dict):
            if path[:2] == one.path[:2] and isinstance(one.value, dict):
                return group.get("matcher") == one.value.get("matcher")
    return False


def entries(value: object) -> list[tuple[Path, object]]:
    """Everything in which an entry of honed's may stand: hook handlers, servers, permission rules."""
    found: list[tuple[Path, object]] = []
    hooks = json_text.get(value, ("hooks",))
    for name, groups in hooks.items() if isinstance(hooks, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = json_text.get(group, ("hooks",))
            found += [
                (("hooks", name, number, "hooks", at), handler)
                for at, handler in enumerate(handlers if isinstance(handlers, list) else ())
            ]
    servers = json_text.get(value, ("mcpServers",))
    found += [
        (("mcpServers", name), entry)
        for name, entry in (servers.items() if isinstance(servers, dict) else ())
    ]
    for kind in ("allow", "deny"):
        rules = json_text.get(value, ("permissions", kind))
        found += [
            (("permissions", kind, at), rule)
            for at, rule in enumerate(rules if isinstance(rules, list) else ())
        ]
    return found
