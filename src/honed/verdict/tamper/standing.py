"""What stands of a task's changes when it ends: every file as stretches of old text and new text.

Edits of the same place are composed, what was taken back is gone, and what git restored never was.  Pure;
knows only what the transcript tells, so the old text of a file that was overwritten unseen stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from honed.sessions.model import CONTEXT_LINES, FileChange, Step
from honed.verdict.changes import Write, shell_writes
from honed.verdict.tamper.rewriting import is_append, replacements
from honed.verdict.tamper.stretches import Stretch, clipped, compose, place_of, trimmed, untrimmed

Fate = Literal["created", "changed", "deleted"]

NEVER_RAN = frozenset({"rejected", "never_ran"})
_WHOLE = re.compile(r"(?i)write|create|save|put|new_file|add_file")
_PARTIAL = re.compile(r"(?i)edit|replace|insert|patch|append|update")
_NUMBERED = re.compile(r"^\s*\d+(?:→|\t|\||: ?)")
_SHOWN = re.compile(r"\s*cat\s+([\w./@-]+)\s*$")

Writes = Mapping[str, tuple[Write, ...]]
"""What shell steps wrote, by the ids of those that are known already."""


@dataclass(frozen=True, slots=True)
class FileStory:
    """One file at the end of a task.  ``old_path`` where it was moved from.

    ``unseen`` says that it was overwritten although nobody had seen what it held: ``new`` then holds lines
    that may have been there before.
    """

    path: str
    fate: Fate
    old_path: str | None = None
    stretches: tuple[Stretch, ...] = ()
    unseen: bool = False
    step_id: str = ""
    line: int = 0


@dataclass(slots=True)
class _File:
    path: str
    fate: Fate = "changed"
    old_path: str | None = None
    stretches: list[Stretch] = field(default_factory=list)
    text: list[str] | None = None
    unseen: bool = False
    step_id: str = ""
    line: int = 0

    def copy(self) -> _File:
        return replace(self, stretches=list(self.stretches), text=list(self.text) if self.text else self.text)


def standing(
    steps: Iterable[Step], root: str | None, writes: Writes = MappingProxyType({})
) -> tuple[FileStory, ...]:
    """The files that differ at the end of ``steps``, in order of their first change.

    ``root`` is the folder in which the session began; paths inside it come back relative to it.  ``writes``
    saves reading command lines once more that the judge has read.
    Changes by somebody outside the session are not the task's and are left out.
    """
    book = _Book(root, writes)
    for step in steps:
        if step.status not in NEVER_RAN and step.actor != "outside":
            book.take(step)
    return book.stories()


class _Book:
    def __init__(self, root: str | None, writes: Writes) -> None:
        self._root = (root or "").replace("\\", "/").rstrip("/")
        self._files: dict[str, _File] = {}
        self._committed: dict[str, _File] = {}
        self._stashes: list[dict[str, _File]] = []
        self._writes = writes
        self._shown: dict[str, list[str]] = {}

    def take(self, step: Step) -> None:
        if step.changes:
            if step.status != "failed":
                for change in step.changes:
                    self._change(step, change)
        elif step.kind == "shell" and step.command:
            self._shell(step, step.command)
        elif step.kind == "read" and len(step.reads) == 1 and not step.truncated:
            self._remember(self.place(step.reads[0], step.cwd), step.output)

    def stories(self) -> tuple[FileStory, ...]:
        found = []
        for file in self._files.values():
            stretches = tuple(clipped(s) for s in file.stretches if s.old != s.new)
            if file.fate == "changed" and not stretches and not file.old_path and not file.unseen:
                continue
            found.append(
                FileStory(
                    file.path, file.fate, file.old_path, stretches, file.unseen, file.step_id, file.line
                )
            )
        return tuple(found)

    def place(self, path: str, cwd: str | None) -> str:
        """``path`` relative to the root where it lies inside."""
        path = path.replace("\\", "/")
        if not path.startswith(("/", "~", "$")) and path[1:2] != ":" and cwd:
            path = f"{cwd.replace(chr(92), '/').rstrip('/')}/{path.removeprefix('./')}"
        if self._root and path.startswith(self._root + "/"):
            path = path[len(self._root) + 1 :]
        return path.removeprefix("./")

    # -- tools -----------------------------------------------------------------------------------

    def _change(self, step: Step, change: FileChange) -> None:
        path = self.place(change.path, step.cwd)
        if change.old_path:
            self._move(self.place(change.old_path, step.cwd), path, step)
        if change.action == "delete":
            gone = change.hunks[0].old.split("\n") if change.hunks else None
            self._delete(path, step, gone)
            return
        whole = change.action == "create" or (
            len(change.hunks) == 1
            and not change.hunks[0].old
            and not change.hunks[0].heading
            and bool(_WHOLE.search(step.tool))
            and not _PARTIAL.search(step.tool)
        )
        if whole and change.hunks:
            self._write(path, change.hunks[0].new.split("\n"), step, new=change.action == "create")
            return
        for hunk in change.hunks:
            old = hunk.old.split("\n") if hunk.old else []
            new = hunk.new.split("\n") if hunk.new else []
            below = tuple(hunk.below.split("\n")) if hunk.below else ()
            self._edit(path, old, new, (hunk.heading,) if hunk.heading else (), step, below)

    def _file(self, path: str, step: Step) -> _File:
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = _File(path, text=self._seen(path))
        file.step_id, file.line = step.id, step.line
        if file.fate == "deleted":
            file.fate = "changed"
        return file

    def _edit(
        self,
        path: str,
        old: list[str],
        new: list[str],
        above: tuple[str, ...],
        step: Step,
        below: tuple[str, ...] = (),
    ) -> None:
        file = self._file(path, step)
        if old == new:
            return
        if file.text is not None:
            at = place_of(file.text, old)
            if at is not None and old:
                below = below or tuple(file.text[at + len(old) :][:CONTEXT_LINES])
                file.text = file.text[:at] + new + file.text[at + len(old) :]
            else:
                file.text = None
        compose(file.stretches, trimmed(old, new, step, above, below))

    def _write(self, path: str, text: list[str], step: Step, *, new: bool) -> None:
        """The whole content of a file was written."""
        known = path in self._files or self._seen(path) is not None
        file = self._file(path, step)
        before = file.text
        if file.fate == "created" or (new and not known):
            file.fate, file.stretches = "created", [untrimmed([], text, step)]
        elif before is not None:
            if before != text:
                compose(file.stretches, trimmed(before, text, step))
        else:
            file.unseen, file.stretches = True, [*file.stretches, untrimmed([], text, step)]
        file.text = text

    def _delete(self, path: str, step: Step, gone: list[str] | None = None) -> None:
        file = self._files.get(path)
        if file is not None and file.fate == "created":
            del self._files[path]
            return
        for below in [p for p, f in self._files.items() if p.startswith(path + "/") and f.fate == "created"]:
            del self._files[below]
        file = self._file(path, step)
        gone = gone or file.text or self._seen(path)
        file.fate = "deleted"
        file.stretches = [untrimmed(gone, [], step)] if gone else []
        file.text = None

    def _move(self, old: str, new: str, step: Step) -> None:
        file = self._files.pop(old, None) or _File(old, text=self._seen(old))
        target = self._files.pop(new, None)
        file.old_path = None if file.fate == "created" else (file.old_path or old)
        if file.old_path == new:
            file.old_path = None
        if target is not None and target.fate == "deleted":
            file.fate = "changed"
        file.path, file.step_id, file.line = new, step.id, step.line
        self._files[new] = file

    # -- shell -----------------------------------------------------------------------------------

    def _shell(self, step: Step, command: str) -> None:
        shown = _SHOWN.match(command)
        if shown and not step.truncated and step.status != "failed":
            self._remember(self.place(shown.group(1), step.cwd), step.output)
            return
        writes = self._writes.get(step.id)
        if writes is None:
            writes = shell_writes(command, cwd=step.cwd or self._root or None)
        moved = {w.text for w in writes if w.how == "move" and w.path and w.text}
        for write in writes:
            path = self.place(write.path, None) if write.path else None
            self._shell_write(step, command, write, path, moved)

    def _shell_write(self, step: Step, command: str, write: Write, path: str | None, moved: set[str]) -> None:
        how = write.how
        if how == "git_commit":
            if write.text is not None and step.status not in ("failed", "interrupted"):
                self._committed = {path: file.copy() for path, file in self._files.items()}
        elif how == "git_restore":
            self._restore(write.text or "", path)
        elif path is None or not write.certain:
            return
        elif how == "delete":
            if not any(old and (write.path or "").endswith(old.lstrip("./")) for old in moved):
                self._delete(path, step)
        elif how == "move" and write.text:
            old = self.place(write.text, step.cwd or self._root)
            if "." in old.rpartition("/")[2] and "." not in path.rpartition("/")[2]:
                path = f"{path}/{old.rpartition('/')[2]}"
            self._move(old, path, step)
        elif how in ("heredoc", "redirect") and write.text is not None:
            text = write.text.rstrip("\n").split("\n")
            if is_append(command, write.path or ""):
                self._edit(path, [], text, (), step)
            else:
                self._write(path, text, step, new=False)
        elif how in ("heredoc", "redirect", "copy"):
            file = self._file(path, step)
            file.unseen, file.text = file.fate == "changed", None
        elif how in ("in_place", "script"):
            for old_text, new_text in map(_as_matchers, replacements(command)):
                self._edit(path, old_text.split("\n"), new_text.split("\n") if new_text else [], (), step)

    def _remember(self, path: str, output: str) -> None:
        """Keep what was shown of a file; few of all that are read are changed and looked up."""
        if path not in self._files and output and "\n[...]\n" not in output:
            self._shown.setdefault(path, []).append(output)

    def _seen(self, path: str) -> list[str] | None:
        """What a file was last seen to hold before it was changed, if all of it was shown."""
        texts = map(_whole_text, reversed(self._shown.get(path, ())))
        return next((text for text in texts if text is not None), None)

    def _restore(self, what: str, path: str | None) -> None:
        """Git took changes back, put them aside or brought them again."""
        if what == "stash pop":
            if self._stashes:
                self._files = self._files | self._stashes.pop()
            return
        inside = [
            p
            for p in self._files
            if path is None or path in (p, self._root, "", ".") or p.startswith(f"{path}/")
        ]
        aside: dict[str, _File] = {}
        for name in inside:
            file, saved = self._files[name], self._committed.get(name)
            if (file.fate == "created" and saved is None) != (what == "clean"):
                continue
            aside[name] = self._files.pop(name)
            if saved is not None:
                self._files[name] = saved.copy()
        if what == "stash":
            self._stashes.append(aside)


_MATCHER = re.compile(r"(?:to|is)[A-Z]\w*\(")


def _as_matchers(pair: tuple[str, str]) -> tuple[str, str]:
    """A replacement of a bare matcher (``toBe(1)``) with the dot in front that both sides have."""
    old, new = pair
    return (f".{old}", f".{new}") if _MATCHER.match(old) and _MATCHER.match(new) else pair


def _whole_text(output: str) -> list[str] | None:
    """The lines of a file by what a reading tool showed of it; ``None`` if it began further down."""
    lines = output.rstrip("\n").split("\n")
    numbered = [line for line in lines if _NUMBERED.match(line)]
    if len(numbered) * 2 <= len(lines):
        return lines
    first = re.match(r"\s*(\d+)", numbered[0])
    if not first or int(first.group(1)) > 1:
        return None
    return [_NUMBERED.sub("", line) for line in numbered]
