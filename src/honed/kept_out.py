"""Whether a session or a task touched what the owner keeps out: by the paths that it names, and by where
links in its project lead.

Only links inside the session's own folder or work tree are followed, each by one look at the link itself:
whatever a transcript names elsewhere is taken as it is written: a look there may wait for another machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from glob import iglob
from itertools import islice

from honed.excluding import SIGNS
from honed.sessions.model import SessionStart
from honed.skills.outside_shell import named_by
from honed.store.place import locate
from honed.verdict.model import Task

MOST_NAMES = 2000
"""Paths that are looked at for one word with signs; one that stands for more may mean anything."""
MOST_LINKS = 16
"""Links that are followed for one path."""
_WORD = re.compile(r"[^\s'\"`;|&<>()$=:,{}]{1,500}")
_INTO = re.compile(r"(?:\b(?:cd|pushd)\s{1,4}|\s-C\s{0,4})['\"]?([^\s'\"`;|&<>()$]{1,500})")
_SHOWN = re.compile(
    r"(?m)^(?:(?:\+\+\+|---) [ab]/(\S{1,500})$|([^\s:]{1,500})[:-]\d{1,8}[:-]|([^\s:]{1,500}):)"
)
"""Where a line that a search prints comes from (``grep``, with a number or without); the files of a diff."""


class KeptOut:
    """What the owner keeps out.

    ``excluded`` says so of a path that was changed, read or stood in; ``named`` of one in a command or before
    a line that a search found (None: nothing is kept out, and no link is looked at), ``meant`` of a word of a
    command that stands for several paths (``*``, ``?``, ``[...]``): that one of them may be.
    """

    def __init__(
        self,
        excluded: Callable[[str], bool],
        named: Callable[[str], bool] | None,
        meant: Callable[[str], bool] = lambda _word: False,
    ) -> None:
        self._excluded = excluded
        self._named = named
        self._meant = meant
        self._links: dict[str, str] = {}
        self._roots: dict[str, tuple[str, ...]] = {}

    def session(self, session: SessionStart) -> bool:
        """Whether a session's folder is kept out."""
        cwd = session.cwd or ""
        return bool(cwd) and (self._excluded(cwd) or self._excluded(os.path.realpath(cwd)))

    def task(self, task: Task) -> bool:
        """Whether a task changed, read or ran something in what is kept out, a folder or a file."""
        base = task.session.cwd or ""
        told = {file.path for change in task.changes for file in change.files}
        for step in task.steps:
            told |= {*step.reads, step.cwd or ""}
        paths = [os.path.join(base, path) for path in told]
        if any(self._excluded(os.path.normpath(path)) for path in paths):
            return True
        if self._named is None:
            return False
        roots = self._roots.get(base) or self._roots.setdefault(base, _roots(base))
        if any(self._excluded(self._leads_to(path, roots)) for path in paths):
            return True
        named = self._named
        return any(
            named(os.path.normpath(path))
            or named(self._leads_to(path, roots))
            or (not SIGNS.isdisjoint(path) and self._is_among(path, roots))
            for path in _in_shell(task, base)
        )

    def _is_among(self, word: str, roots: tuple[str, ...]) -> bool:
        """Whether a word with signs stands for what is kept out: in the project's own folders by what lies
        there now, elsewhere, or where the project is gone, by the two patterns alone."""
        path = os.path.normpath(word)
        if not self._meant(path):
            return False
        root = next((root for root in roots if path.startswith(root)), "")
        if not root or not os.path.isdir(root):
            return True
        there = list(islice(iglob(path), MOST_NAMES + 1))
        return len(there) > MOST_NAMES or any(self._excluded(one) for one in there)

    def _leads_to(self, path: str, roots: tuple[str, ...]) -> str:
        """What an absolute path is by the links below ``roots``, as the system would go; where they lead out
        of these, as it is written there."""
        drive, rest = os.path.splitdrive(path)
        at, left = drive + os.sep, rest.split(os.sep)[::-1]
        links = 0
        while left:
            part = left.pop()
            if part in ("", ".", ".."):
                at = os.path.dirname(at) if part == ".." else at
                continue
            at = os.path.join(at, part)
            target = self._target(at) if links < MOST_LINKS and at.startswith(roots) else ""
            if target:
                links += 1
                other, rest = os.path.splitdrive(target)
                at = (other or drive) + os.sep if os.path.isabs(target) else os.path.dirname(at)
                left += rest.split(os.sep)[::-1]
        return at

    def _target(self, path: str) -> str:
        """What a link says; empty for what is none, or cannot be read."""
        found = self._links.get(path)
        if found is None:
            try:
                found = os.readlink(path)
            except (OSError, ValueError):
                found = ""
            self._links[path] = found
        return found


def _roots(base: str) -> tuple[str, ...]:
    """The beginnings of paths below a session's folder or its work tree, as written and as they are."""
    if not os.path.isabs(base):
        return ()
    root = locate(base).root or base
    return tuple({os.path.join(one, "") for each in (base, root) for one in (each, os.path.realpath(each))})


def _in_shell(task: Task, base: str) -> set[str]:
    """The paths that a task's commands name, and those of lines that searches showed."""
    named = set()
    for step in task.steps:
        if step.kind in ("shell", "search"):
            asked = step.command or step.query
            named_here, folders = named_by(step.command or "")
            words = {word for word in _WORD.findall(asked) if "/" in word or "." in word[1:]}
            words |= {*_INTO.findall(asked), *named_here}
            shown = [
                whole or numbered or plain
                for whole, numbered, plain in _SHOWN.findall(step.output)
                if whole or numbered or "/" in plain or "." in plain
            ]
            words |= {os.path.join(folder, path) for path in shown for folder in folders}
            folder = os.path.join(base, step.cwd or "")
            named |= {os.path.join(folder, os.path.expanduser(word)) for word in words}
    return named
