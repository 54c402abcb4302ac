"""One write of a shell command, and the call that makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from honed.verdict.places import Place
from honed.verdict.shell_tree import Simple

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
"""In which manner something is written.

``redirect``    ``>``, ``>>``, ``tee``, ``touch``, ``dd of=``, ``Set-Content``.
``heredoc``     the same with a here-document whose text is known.
``in_place``    ``sed -i``, ``perl -i``, ``yq -i``, ``truncate``.
``move``        the new name (the old one is a ``delete``).   ``copy`` also downloads and archives.
``git_tree``    brings other content into the tree: merge, rebase, pull, checkout of a branch.
``git_restore`` takes changes back or puts them aside; ``text`` says which: "checkout", "restore",
                "reset --hard", "clean", "stash", "stash pop", "merge --abort".
``git_commit``  writes nothing to the tree: ``git add`` (``path`` if named, ``text`` ``None``) and
                ``git commit`` (``text`` the message, empty if it is written elsewhere).
``formatter``   may have nothing to do.   ``generator`` code generators; ``text`` "snapshots" when
                a test runner rewrites what it compares with.   ``install`` dependencies, lock files.
``patch``       ``patch``, ``apply_patch``, ``git apply``; ``text`` is the patch where it is known.
``script``      a one-liner or here-document in Python, JavaScript, Perl ...
"""


@dataclass(frozen=True, slots=True)
class Write:
    """One thing that a command writes.

    ``path`` is absolute, or relative to where the line began when no ``cwd`` was given; Windows' paths have
    ``/``; it may hold a glob.  ``None``: the command does not name it, but something is written.
    ``certain`` is false where it depends: a branch that may not be taken, a function, another
    container, a formatter with nothing to do.  ``text`` is the written (or appended) text, a commit
    message, or what ``How`` says.  ``at`` is the path of the command in the script, so that its status
    can be asked for.
    """

    path: str | None
    how: How
    certain: bool
    text: str | None = None
    at: tuple[int, ...] = ()


class Call:
    """A simple command, launchers off, at its place.  Handlers read it and ``add`` what it writes."""

    __slots__ = ("argv", "at", "offset", "out", "place", "simple", "sure")

    def __init__(
        self,
        simple: Simple,
        argv: tuple[str, ...],
        place: Place,
        at: tuple[int, ...],
        out: list[Write],
    ) -> None:
        self.simple = simple
        self.argv = argv
        self.offset = len(simple.argv) - len(argv)
        self.place = place
        self.at = at
        self.out = out
        self.sure = place.sure

    def add(self, path: str | None, how: How, text: str | None = None, *, certain: bool = True) -> None:
        self.out.append(Write(path, how, certain and self.sure, text, self.at))

    def add_files(
        self,
        indexes: list[int],
        how: How,
        text: str | None = None,
        *,
        certain: bool = True,
        needed: bool = False,
    ) -> None:
        """The operands at ``indexes`` are written; with ``needed`` at least one unknown file is."""
        for index in indexes:
            for path in self.paths(index):
                self.add(path, how, text, certain=certain)
        if needed and not indexes:
            self.add(None, how, text, certain=certain)

    def expands(self, index: int) -> bool:
        return index + self.offset in self.simple.expands

    def paths(self, index: int) -> tuple[str | None, ...]:
        if self.argv[index] == "{}":
            return (None,)  # whatever find or xargs puts there
        return self.place.paths(self.argv[index], expands=self.expands(index))

    def operands(self, values: frozenset[str] = frozenset(), begin: int = 1) -> list[int]:
        """Indexes of the words that are no options (nor the values of those in ``values``)."""
        found: list[int] = []
        at, only = begin, False
        while at < len(self.argv):
            word = self.argv[at]
            if only or word[:1] != "-" or word == "-":
                found.append(at)
            elif word == "--":
                only = True
            elif word in values:
                at += 1
            at += 1
        return found

    def options(self) -> frozenset[str]:
        """The words that are options, ``--name=value`` also as ``--name``."""
        found: set[str] = set()
        for word in self.argv[1:]:
            if word == "--":
                break
            if word[:1] == "-" and len(word) > 1:
                found.add(word)
                if "=" in word:
                    found.add(word.partition("=")[0])
        return frozenset(found)

    def body(self) -> str | None:
        """The here-document (or here-string) that the command reads, if any."""
        for redirect in reversed(self.simple.redirects):
            if redirect.body is not None and redirect.fd in (None, 0):
                return redirect.body
        return None
