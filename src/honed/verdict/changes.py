"""What a shell command writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from honed.verdict import shell
from honed.verdict.shell_tree import Script

How = Literal[
    "redirect",
    "heredoc",
    "in_place",
    "move",
    "delete",
    "copy",
    "git_tree",
    "git_restore",
    "git_commit",
    "formatter",
    "generator",
    "patch",
    "script",
    "install",
]


@dataclass(frozen=True, slots=True)
class Write:
    """One thing that a command writes.

    ``path`` is absolute, or relative where neither ``cwd`` nor a ``cd`` in the line says to what;
    ``None`` when the command does not name it.  ``how`` "git_restore" takes changes back (checkout of files,
    restore, stash and stash pop); "git_tree" changes the tree to other content (merge, reset, checkout of a
    branch, apply); "git_commit" marks ``git add`` and ``git commit``, which write nothing to the tree.
    ``certain`` is false where it depends (a formatter with nothing to do, a branch not taken).
    ``text`` is the written text, the commit message, or the git subcommand ("stash", "stash pop").
    """

    path: str | None
    how: How
    certain: bool
    text: str | None = None


def shell_writes(command: str | Script, *, cwd: str | None) -> tuple[Write, ...]:
    """What the command writes, in order of execution."""
    script = shell.parse(command) if isinstance(command, str) else command
    return () if script.root is None else ()
