"""All the ways a script can go, as far as one command in it is concerned.

Every command may succeed or fail; which of the ways happened is not known.  A ``World`` is what one way
comes to: the status so far, what became of the command we ask about, and what the shell knows.  The
shell's rules are those of bash's manual; ``tests/verdict/test_status.py`` holds them against a real bash.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

NONZERO = -1
OWN = -2
"""Statuses that are no numbers: some code other than 0; the code, not 0, of the command we ask about."""

NOT_RUN, PASSED, FAILED = 0, 1, 2
"""What became of the command: of several runs the worst counts."""

WORLD_LIMIT = 256
STEP_LIMIT = 5_000
ROUND_LIMIT = 40
CALL_LIMIT = 8
KNOWN_LIMIT = 64
NESTING_LIMIT = 110
"""Bounds of the search; beyond them nothing is known."""


JOB = "!"
FUNCTION = "()"


class TooManyWorldsError(Exception):
    """The script has more ways than are worth following.  Never leaves ``status``."""


class World(NamedTuple):
    """One way things can be at one point of a script.

    ``flow``: "" or why the commands that follow are not run ("exit", "return", "break", "continue").
    ``known``: variables that hold a status; with ``JOB`` in front those that name a background job, with its
    status; with ``FUNCTION`` functions and which body they have.  ``pipe``: PIPESTATUS.
    """

    status: int = 0
    target: int = NOT_RUN
    flow: str = ""
    known: frozenset[tuple[str, int]] = frozenset()
    pipe: tuple[int, ...] = ()
    options: frozenset[str] = frozenset()

    # ``_replace`` costs three times as much, and most steps of most worlds are one of these two.
    def ending(self, status: int) -> World:
        """This way with another status."""
        return tuple.__new__(World, (status, *self[1:]))

    def alone(self) -> World:
        """This way after a pipeline of one command."""
        return tuple.__new__(World, (*self[:4], (self[0],), self[5]))

    def value(self, name: str) -> int | None:
        """The status a variable holds, ``None`` if that is not known."""
        for each, status in self.known:
            if each == name:
                return status
        return None

    def job(self, word: str) -> int | None:
        """The status of the background job that ``$!`` or ``$pid`` names."""
        return self.value(JOB + word[1:].removeprefix("!")) if word.startswith("$") else None

    def knowing(self, name: str, status: int | None) -> World:
        known = frozenset(pair for pair in self.known if pair[0] != name)
        if len(known) > KNOWN_LIMIT:
            raise TooManyWorldsError
        return self._replace(known=known if status is None else known | {(name, status)})


Worlds: TypeAlias = set[World]


def free(worlds: Iterable[World]) -> Worlds:
    """The same worlds with any status."""
    return {world.ending(status) for world in worlds for status in (0, NONZERO)}


def pipe_status(name: str, world: World) -> int | None:
    """zsh counts from 1, and its array is written in small letters."""
    index = name.partition("[")[2].rstrip("]") or ("0" if name.startswith("P") else "")
    if not index.isdigit():
        return None
    at = int(index) - (0 if name.startswith("P") else 1)
    return world.pipe[at] if 0 <= at < len(world.pipe) else None
