"""Whose exit status is it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from honed.verdict.shell_tree import Command, Script


@dataclass(frozen=True, slots=True)
class Said:
    """What the status of a whole line says about one command in it.

    ``code`` is the command's own exit code where it is known.  ``why`` is a short sentence.
    """

    state: Literal["passed", "failed", "not_run", "unknown"]
    code: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Echo:
    """A line of output that states the command's own exit code: ``before`` + code + ``after``."""

    before: str
    after: str


def deduce(script: Script, command: Command, exit_code: int | None) -> Said:
    """What ``exit_code`` of the whole script (``None``: not known) says about ``command``.

    ``passed`` and ``failed`` mean every time that it ran.  ``command`` is one of ``shell.commands(script)``.
    """
    return Said("unknown", None, "not written yet")


def echoes(script: Script, command: Command) -> tuple[Echo, ...]:
    """The ``echo "EXIT: $?"`` lines of the script that print this command's own exit code."""
    return ()
