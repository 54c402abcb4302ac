"""The work tree as the transcript lets us know it: which files differ from when, not what they hold.

Every file has a *state*, a number that is new after each change and old again after the change was
undone (an edit that puts back what the last one took, ``git checkout -- f``, ``git stash pop``).
A run proves exactly the state it started in.  So "the tests passed after the last change" is:
the state now equals the state then, and a fault that was injected and taken out again spoils nothing.
"""

from __future__ import annotations

from bisect import bisect_left

from honed.sessions.model import Hunk

State = frozenset[tuple[str, int]]
"""``(path, number)`` of every file that is not as it was when the transcript began."""

WILD = "*"
"""Stands for "files that cannot be told"."""


def is_inverse(earlier: tuple[Hunk, ...], later: tuple[Hunk, ...]) -> bool:
    """Whether ``later`` puts back exactly what ``earlier`` changed.

    Both must be known in content; an edit without any text proves nothing.
    """
    if not earlier or len(earlier) != len(later):
        return False
    pairs = list(zip(earlier, later, strict=True))
    return all(a.old == b.new and a.new == b.old for a, b in pairs) and any(a.old or a.new for a, _ in pairs)


class WorkTree:
    """Follows one session's changes.  ``at`` is the ordinal of the start of the step that changed."""

    def __init__(self) -> None:
        self._next = 1
        self._now: dict[str, int] = {}
        self._committed: dict[str, int] = {}
        self._edits: dict[str, list[tuple[tuple[Hunk, ...], int]]] = {}
        self._born: dict[str, int] = {}
        self._stashes: list[dict[str, int]] = []
        self._log: list[tuple[int, State]] = [(-1, frozenset())]

    def edit(self, path: str, at: int, hunks: tuple[Hunk, ...] = ()) -> None:
        """``path`` was changed; by ``hunks`` if its new content is known."""
        stack = self._edits.setdefault(path, [])
        if stack and is_inverse(stack[-1][0], hunks):
            _, before = stack.pop()
            self._set(path, before)
        else:
            stack.append((hunks, self._now.get(path, 0)))
            del stack[:-50]
            self._now[path] = self._fresh()
        self._note(at)

    def create(self, path: str, at: int, hunks: tuple[Hunk, ...] = ()) -> None:
        """``path`` was made: there was no such file before."""
        before = self._now.get(path, 0)
        self.edit(path, at, hunks)
        self._born.setdefault(path, before)

    def delete(self, path: str, at: int) -> None:
        """``path`` was deleted: a file that was made since the last commit leaves no trace."""
        if path not in self._born:
            self.edit(path, at)
            return
        self._set(path, self._born.pop(path))
        self._edits.pop(path, None)
        self._note(at)

    def edit_unknown(self, at: int) -> None:
        """Something in the tree was changed, and nothing tells what."""
        self._now[WILD] = self._fresh()
        self._note(at)

    def restore(self, path: str | None, at: int) -> None:
        """``path`` (or everything) was set back to the last commit."""
        if path is None:
            self._now = dict(self._committed)
            self._edits.clear()
            self._born.clear()
        else:
            self._set(path, self._committed.get(path, 0))
            self._edits.pop(path, None)
            self._born.pop(path, None)
        self._note(at)

    def stash(self, at: int) -> None:
        """Changes since the last commit were put aside."""
        self._stashes.append(dict(self._now))
        self._now = dict(self._committed)
        self._note(at)

    def unstash(self, at: int) -> None:
        """The last stash came back; one that we did not see go is an unknown change."""
        if self._stashes:
            self._now = self._stashes.pop()
            self._note(at)
        else:
            self.edit_unknown(at)

    def commit(self) -> None:
        """What the tree holds now is what a later restore brings back."""
        self._committed = dict(self._now)
        self._born.clear()

    @property
    def clean(self) -> bool:
        """Whether nothing was changed since the last commit that we saw."""
        return self._now == self._committed

    @property
    def state(self) -> State:
        """The state now."""
        return self._log[-1][1]

    def state_at(self, ordinal: int) -> State:
        """The state when the step that started at ``ordinal`` began."""
        return self._log[bisect_left(self._log, ordinal, key=lambda entry: entry[0]) - 1][1]

    def _fresh(self) -> int:
        self._next += 1
        return self._next

    def _set(self, path: str, number: int) -> None:
        if number:
            self._now[path] = number
        else:
            self._now.pop(path, None)

    def _note(self, at: int) -> None:
        # A step may be told late (it ran in the background); the log stays in order of starts.
        at = max(at, self._log[-1][0])
        self._log.append((at, frozenset(self._now.items())))


def differing(a: State, b: State) -> tuple[str, ...]:
    """The paths in which two states differ, sorted; ``"*"`` stands for unknown files."""
    return tuple(sorted({path for path, _ in a ^ b}))
