"""The owner at a terminal: the grade *present* of an approval (docs/design.md, "Trust").

Protects from accidents, and from agents that go by their tools: what an agent starts has no terminal, and one
that an agent's client opened says so.  It is no proof: a program that runs as the owner can open a terminal
of its own and type into it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

from honed.errors import RefusedError
from honed.owner import AGENTS, opened_by_agent

GRADE = "present"
SIGNED = "signed"
PROTECTS = (
    "texts that agents, imports and MCP calls bring: none of them can approve anything",
    "an agent's command line: what it starts has no terminal, and its client denies it the command",
    "approving what cannot be seen: every character is shown, invisible ones as escapes",
    "a change after approval: another text or kind is not approved, also in the moment of the answer",
)
PROTECTS_NOT = (
    "a program of your own user that opens a terminal by itself (a pty) and types into it",
    "another home that you merge, or a backup that you put back: its approvals come with it",
    "a program of your own user that writes into honed's files: nothing is signed (`honed owner init`)",
)
"""What the grade *present* stops, and what it does not, as `honed owner status` tells it."""
SIGNED_PROTECTS = (
    *PROTECTS[:1],
    "an agent that has your shell: it cannot touch the hardware key, and does not know the passphrase",
    "a program that writes into honed's files: a row, text, kind or project that was changed is not signed",
    "an older or another manifest in place of yours: its counter is too small, or its key another one",
    *PROTECTS[2:],
)
SIGNED_PROTECTS_NOT = (
    "a file that is deleted: nothing is guidance then, and `honed doctor` says so",
    "a program of your own user that replaces the pinned key, the manifest and what the database says of "
    "both and of every approval, all at once: `honed verify` finds it, a recall does not",
    "a program that reads your keyboard, or shows you another text than the one that is signed",
)
"""The same of the grade *signed*."""


def agent_of(environ: Mapping[str, str]) -> str:
    """The client, in honed's spelling, whose agent started this program; empty where none says so."""
    return opened_by_agent(environ).lower().removesuffix(" cli").replace(" ", "_")


def at_terminal(what: str, screen: TextIO, environ: Mapping[str, str]) -> None:
    """Make sure that somebody sits there who reads ``screen`` and types; ``what`` is the owner's command.

    Raises ``RefusedError`` where input or output is no terminal, and where an agent's client opened it.
    """
    for name, title in AGENTS.items():
        if environ.get(name):
            raise RefusedError(
                f"`{what}` is the owner's alone, and this terminal is one of {title} ({name} is set); "
                "run it in a terminal of your own"
            )
    if sys.stdin is None or not all(stream.isatty() for stream in (sys.stdin, sys.stdout, screen)):
        raise RefusedError(
            f"`{what}` is the owner's alone: it asks on a terminal, and there is none here "
            "(input and output must both be one); nothing was changed"
        )


def answer(question: str, screen: TextIO) -> str:
    """What is typed after ``question`` was asked, in lower case; "" for Enter alone, "quit" for the end of
    the input.  What was typed before the question counts for nothing."""
    _drop_what_was_typed()
    screen.write(question)
    screen.flush()
    line = sys.stdin.readline()
    return line.strip().lower() if line else "quit"


def secret(question: str, screen: TextIO) -> str:
    """What is typed after ``question``, unseen; "" for the end of the input."""
    if os.name != "posix":
        import getpass

        return getpass.getpass(question, stream=screen)
    import termios

    where = sys.stdin.fileno()
    shown = termios.tcgetattr(where)
    hidden = [*shown]
    hidden[3] = shown[3] & ~termios.ECHO
    termios.tcsetattr(where, termios.TCSAFLUSH, hidden)
    try:
        screen.write(question)
        screen.flush()
        return sys.stdin.readline().rstrip("\r\n")
    finally:
        termios.tcsetattr(where, termios.TCSADRAIN, shown)
        screen.write("\n")


def _drop_what_was_typed() -> None:
    if os.name == "posix":
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
