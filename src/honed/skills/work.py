"""What a task came to, file by file: what was undone, made and thrown away again is left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from honed.sessions.model import FileChange, Hunk
from honed.skills import anchors, places
from honed.verdict.model import Change, Task


@dataclass(frozen=True, slots=True)
class FileWork:
    """One file's net change.  ``path`` is relative to the root.  ``at`` is the ordinal of its "
    "first change."""

    path: str
    at: int
    created: bool = False
    deleted: bool = False
    old_path: str = ""
    hunks: tuple[Hunk, ...] = ()

    @property
    def is_test(self) -> bool:
        """Whether it is a test, or something only tests use."""
        return places.is_test(self.path)

    @property
    def is_document(self) -> bool:
        """Whether it is prose."""
        return places.is_document(self.path)


@dataclass(slots=True)
class _Open:
    at: int
    created: bool = False
    deleted: bool = False
    old_path: str = ""
    hunks: list[Hunk] = field(default_factory=list)


def net_work(task: Task, root: str | None) -> tuple[FileWork, ...]:
    """The files of ``root`` that the task left changed, in the order in which they were first touched.

    Left out are changes made by somebody outside the session, scratch and lock files, and other projects.
    """
    cwd = task.session.cwd
    works: dict[str, _Open] = {}
    stashed: list[dict[str, _Open]] = []
    for change in task.changes:
        if change.weight == "revert":
            works = _reverted(works, stashed, change, cwd, root)
        elif change.weight in ("code", "documentation", "formatting") and change.via in ("tool", "shell"):
            for file in change.files:
                _apply(works, file, change.at, cwd, root)
    return tuple(_closed(path, work) for path, work in works.items() if not _nothing_left(work))


def _reverted(
    works: dict[str, _Open],
    stashed: list[dict[str, _Open]],
    change: Change,
    cwd: str | None,
    root: str | None,
) -> dict[str, _Open]:
    if change.detail == "git stash":
        stashed.append(works)
        return {}
    if change.detail == "git stash pop":
        return {**(stashed.pop() if stashed else {}), **works}
    for file in change.files:
        path = places.relative(file.path, cwd=cwd, root=root)
        works.pop(path or "", None)
    return works if change.files else {}


def _apply(works: dict[str, _Open], file: FileChange, at: int, cwd: str | None, root: str | None) -> None:
    path = places.relative(file.path, cwd=cwd, root=root)
    if path is None or places.is_lock(path):
        return
    work = works.get(path)
    if file.action == "rename" and file.old_path:
        old = places.relative(file.old_path, cwd=cwd, root=root) or ""
        work = works.pop(old, None) or _Open(at, old_path=old)
        works[path] = work
    elif work is None:
        work = works[path] = _Open(at, created=file.action == "create")
    elif file.action == "create":
        # Written anew: what its old content was is not known any more, only that it is this now.
        work.created = work.created or work.deleted
        work.deleted = False
        if work.created:
            work.hunks.clear()
    if file.action == "delete":
        work.deleted = True
        work.hunks.clear()
    work.hunks.extend(file.hunks)


def _nothing_left(work: _Open) -> bool:
    if work.created and work.deleted:
        return True
    if work.hunks and all("<<<<<<< " in hunk.old for hunk in work.hunks):
        return True  # Only a merge was resolved.
    return bool(work.hunks) and not work.created and not work.old_path and anchors.taken_back(work.hunks)


def _closed(path: str, work: _Open) -> FileWork:
    return FileWork(path, work.at, work.created, work.deleted, work.old_path, tuple(work.hunks))


def changed_code(works: Iterable[FileWork]) -> tuple[FileWork, ...]:
    """Those of ``works`` that are no prose."""
    return tuple(work for work in works if not work.is_document)
