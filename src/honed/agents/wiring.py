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

from honed.agents import json_text, rules_text, toml_own, toml_text
from honed.agents.clients import Client, File, Wanted, path_of
from honed.agents.entries import first_own, with_additions, without_own
from honed.agents.trust import own_trust
from honed.errors import UsageError

Change = Literal["created", "changed", "unchanged", "deleted", "refused"]
BACKUP = ".before-honed"
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

    ``had`` and ``has`` say whether anything of honed's is in either; ``inner`` that it lies in a folder that
    is there for such files alone, and goes with the last of them.
    """

    path: str
    before: bytes | None
    after: bytes | None
    had: bool
    has: bool
    inner: bool = False

    @property
    def change(self) -> Change:
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "created"
        return "deleted" if self.after is None else "changed"


def wire(
    client: Client, wanted: Wanted, environ: Mapping[str, str], *, project: str = "", dry: bool = False
) -> list[FileChange]:
    """Put honed into the files of ``client``; a second time changes no byte."""

    def text_of(file: File, text: str) -> str:
        if file.rules is not None:
            return rules_text.put(text, file.rules(wanted))
        if file.table is not None:
            return toml_own.with_own(text, file.table(wanted), file.keys(wanted) if file.keys else {})
        before = _before(path_of(client, file, environ, project))
        return with_additions(text, file.additions(wanted) if file.additions else (), before)

    return _carried_out(client, text_of, environ, project, dry)


def unwire(
    client: Client, environ: Mapping[str, str], *, project: str = "", dry: bool = False
) -> list[FileChange]:
    """Take everything of honed's out of the files of ``client``."""

    trusted = () if project else own_trust(client, environ)

    def text_of(file: File, text: str) -> str:
        if file.rules is not None:
            return rules_text.take(text)
        if file.table is not None:
            for table in trusted:
                text = toml_text.take(text, table)
            left, before = toml_own.without_own(text), _before(path_of(client, file, environ, project))
            # Whoever wrote behind honed's table ended a last line that was not ended.
            same = before is not None and left.rstrip("\r\n") == before.rstrip("\r\n")
            return before if same and before is not None else left
        return without_own(text, _before(path_of(client, file, environ, project)))

    return _carried_out(client, text_of, environ, project, dry)


def _carried_out(
    client: Client,
    text_of: Callable[[File, str], str],
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
                plans.append(_planned(path, file, text_of))
            except UsageError as error:
                refused.append(FileChange(path, "refused", f"{path}: {error}"))
            except OSError as error:
                refused.append(FileChange(path, "refused", f"{path}: {error.strerror or error}"))
        if refused:
            return [*(FileChange(plan.path, "unchanged") for plan in plans), *refused]
        if dry:
            return [FileChange(plan.path, plan.change) for plan in plans]
        done = _all_written(plans)
        if done is not None:
            return done
    busy = "somebody else keeps changing it; close the client and try again"
    return [FileChange(path, "refused", f"{path}: {busy}") for path in paths]


def _all_written(plans: Sequence[_Plan]) -> list[FileChange] | None:
    """Carry plans out, all or none; ``None`` if a file is no longer the one that was read."""
    done: list[FileChange] = []
    for at, plan in enumerate(plans):
        try:
            change = _written(plan)
        except OSError as error:
            for other in plans[: at + 1]:
                _undone(other)
            reason = f"{plan.path}: {error.strerror or error}; make room or give yourself the right to write"
            rest = [FileChange(one.path, "unchanged") for one in plans if one is not plan]
            return [*rest, FileChange(plan.path, "refused", reason)]
        if change is None:
            return None
        done.append(change)
    return done


def _undone(plan: _Plan) -> None:
    """Put back what a plan changed."""
    if plan.change == "unchanged":
        return
    with contextlib.suppress(OSError):
        real = os.path.realpath(plan.path)
        if _read(real) == plan.after and plan.before is None:
            os.unlink(real)
        elif _read(real) == plan.after and plan.before is not None:
            _replace(real, plan.before)
    if not plan.had:
        with contextlib.suppress(OSError):
            os.unlink(plan.path + BACKUP)


def _planned(path: str, file: File, text_of: Callable[[File, str], str]) -> _Plan:
    """What is to become of a file.  Raises ``UsageError``, which says why it is left alone and what to do."""
    _look_at_place(path)
    before = _read(path)
    try:
        text = text_of(file, "" if before is None else before.decode("utf-8"))
    except UnicodeError as error:
        raise UsageError("not UTF-8; write it anew as UTF-8, or move it away") from error
    except UsageError as error:
        raise UsageError(f"{error}; it was left as it is. {_advice(file)}") from error
    empty = not text.strip() or (file.additions is not None and json_text.parse(text) == {})
    # What honed made alone goes with it; a file that was there stays, be it empty.
    stays = before is not None and (before == text.encode("utf-8") or os.path.exists(path + BACKUP))
    after = None if empty and not stays else text.encode("utf-8")
    plan = _Plan(path, before, after, _has_own(file, before), _has_own(file, after), "/" in file.user)
    if plan.change in ("changed", "deleted") and not os.stat(path).st_mode & 0o222:
        raise UsageError(
            "it is read-only, so somebody wants it as it is; allow writing (chmod u+w) and try again"
        )
    return plan


def _look_at_place(path: str) -> None:
    """Raises ``UsageError`` where something stands that is no file to be written anew."""
    if os.path.islink(path) and not os.path.exists(path):
        target = os.readlink(path)
        raise UsageError(
            f"it is a link to {target}, which is not there; make that file, or take the link away"
        )
    if os.path.isdir(path):
        raise UsageError("a folder stands in its place; move it away")
    if os.path.exists(path) and not os.path.isfile(path):
        raise UsageError("it is no ordinary file; move it away")


def _advice(file: File) -> str:
    if file.table is not None:
        return "Mend it, or write the table by headers ([mcp_servers.NAME], [features]), and try again"
    return "Mend it (plain JSON: no comments, no commas at ends, each key once) and try again"


def _has_own(file: File, raw: bytes | None) -> bool:
    text = "" if raw is None else raw.decode("utf-8")
    if file.rules is not None:
        return bool(rules_text.own(text))
    if file.table is not None:
        return toml_own.has_own(text)
    return bool(text.strip()) and first_own(json_text.parse(text)) is not None


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
        if plan.inner:
            with contextlib.suppress(OSError):  # others have files in it
                os.rmdir(os.path.dirname(real))
    else:
        os.makedirs(os.path.dirname(real), mode=0o700, exist_ok=True)
        backup = _backed_up(plan)
        _replace(real, plan.after)
    _drop_backup(plan)
    return FileChange(plan.path, plan.change, backup=backup if os.path.exists(backup) else "")


def _backed_up(plan: _Plan) -> str:
    """Copy the file once, before honed's first change of it."""
    path = plan.path + BACKUP
    if plan.before is None or plan.had:
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
