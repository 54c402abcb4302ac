"""Whose exit status is it?

The status of a line is a number; which commands it speaks of follows from the line's structure.
``deduce`` goes through every way the line can go (``worlds``), keeps the ways that end with the
observed status, and says of a command what is true in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from honed.verdict.builtins import BUILTINS
from honed.verdict.launchers import program, unwrap
from honed.verdict.machine import Machine
from honed.verdict.shell import node_at
from honed.verdict.shell_tree import Command, Script, Simple
from honed.verdict.worlds import (
    FAILED,
    NONZERO,
    NOT_RUN,
    OWN,
    PASSED,
    TooManyWorldsError,
    World,
    Worlds,
)

State = Literal["passed", "failed", "not_run", "unknown"]

_STATES: dict[int, State] = {NOT_RUN: "not_run", PASSED: "passed", FAILED: "failed"}
_WHY: dict[State, str] = {
    "passed": "the line ends with status {0} only if it succeeded",
    "failed": "the line ends with status {0} only if it failed",
    "not_run": "with status {0} the line never came to it",
    "unknown": "",
}
_STATUS_WORD = re.compile(r"\$(?:\?|\w+|\{[^}]*\})")
_STRING = re.compile(r"\"([^\"`\n]*)\"\Z")
_PRINTF_FIELD = re.compile(r"%[-\d]*[dis]")


@dataclass(frozen=True, slots=True)
class Said:
    """What the status of a whole line says about one command in it.

    ``code`` is the command's own exit code where it is known.  ``why`` is a short sentence.
    """

    state: State
    code: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Echo:
    """A line that the script itself prints, and what its being printed says about a command.

    The line is ``before``, or, if ``holds_code``, ``before`` + a status + ``after``: then ``if_zero`` is
    true of a printed 0 and ``if_other`` of another number.  Without a code both are the same:
    ``pytest >log && echo fine || echo broken`` prints "broken" only if it failed.
    """

    before: str
    after: str
    holds_code: bool
    if_zero: State
    if_other: State


def deduce(script: Script, command: Command, exit_code: int | None) -> Said:
    """What ``exit_code`` of the whole script (``None``: not known) says about ``command``.

    "passed" holds of every time that it ran, "failed" of at least one.  ``command`` is one of
    ``shell.commands(script)``.
    """
    if script.unparsed is not None:
        return Said("unknown", None, f"the command line could not be read: {script.unparsed}")
    if not command.simple.argv:
        return Said("unknown", None, "it is no program")
    if script.root is command.simple and exit_code is not None and _is_plain(command.simple):
        alone: State = "failed" if exit_code else "passed"
        return Said(alone, exit_code, _WHY[alone].format(exit_code))
    machine = _machine(script, command)
    try:
        ends = _ends(script, machine)
    except TooManyWorldsError:
        return Said("unknown", None, "the line is too involved to follow its status")
    fitting = [world for world in ends if _fits(world.status, exit_code)]
    state = _common(world.target for world in fitting)
    if state == "unknown":
        return Said("unknown", None, _unclear(command, exit_code, {world.target for world in fitting}))
    code = 0 if state == "passed" else None
    if state == "failed" and exit_code is not None and all(world.status == OWN for world in fitting):
        code = exit_code
    spoken = "unknown" if exit_code is None else str(exit_code)
    return Said(state, code, _WHY[state].format(spoken))


def _is_plain(simple: Simple) -> bool:
    """Whether a command that is the whole line ends the line with its own status, whatever it is (fast)."""
    return (
        not simple.substitutions
        and simple.inner is None
        and program(simple.argv[0]) not in BUILTINS
        and unwrap(simple.argv).status == "own"
    )


def echoes(script: Script, command: Command) -> tuple[Echo, ...]:
    """The lines printed by ``echo`` and ``printf`` in the script that say something about ``command``."""
    if script.unparsed is not None:
        return ()
    machine = _machine(script, command)
    try:
        _ends(script, machine)
    except TooManyWorldsError:
        return ()
    found = (_echo(machine, node, worlds) for node, worlds in machine.printed.values())
    return tuple(echo for echo in found if echo is not None)


def _machine(script: Script, command: Command) -> Machine:
    node = node_at(script, command.path)
    return Machine(script, node if isinstance(node, Simple) else None, BUILTINS)


def _ends(script: Script, machine: Machine) -> Worlds:
    return machine.script(script, {World(options=script.options)}, ignored=False)


def _fits(status: int, exit_code: int | None) -> bool:
    if exit_code is None:
        return True
    return exit_code != 0 if status < 0 else status == exit_code


def _common(targets: Iterable[int]) -> State:
    found = set(targets)
    return _STATES[found.pop()] if len(found) == 1 else "unknown"


def _unclear(command: Command, exit_code: int | None, targets: set[int]) -> str:
    if exit_code is None:
        return "no exit status is known"
    if not targets:
        return f"the line cannot end with status {exit_code}"
    if command.background:
        return "it runs in the background"
    if command.filters and command.stage_index + 1 < command.stage_count:
        following = command.filters[0].argv[:1] or ("another command",)
        return f"its status is lost in the pipe into {following[0]}"
    if NOT_RUN in targets:
        return "it may not have run"
    return "the status is that of another command"


def _echo(machine: Machine, node: Simple, worlds: Worlds) -> Echo | None:
    text = _printed_text(node)
    if text is None:
        return None
    words = list(_STATUS_WORD.finditer(text)) if node.expands or not node.argv else []
    if len(words) > 1:
        return None
    if not words:
        state = _common(world.target for world in worlds)
        certain = state in ("passed", "failed") and bool(text.strip())
        return Echo(text, "", False, state, state) if certain else None
    values = [(machine.number(words[0].group(), world), world.target) for world in worlds]
    if any(value is None for value, _ in values):
        return None
    zero = _common(target for value, target in values if value == 0)
    other = _common(target for value, target in values if value in (NONZERO, OWN) or value)
    if zero == other == "unknown":
        return None
    return Echo(text[: words[0].start()], text[words[0].end() :], True, zero, other)


def _printed_text(node: Simple) -> str | None:
    """The one line that the command prints, expansions as written; ``None`` for several lines."""
    if not node.argv:
        # A string by itself, in PowerShell.
        whole = _STRING.match(node.text)
        return whole.group(1) if whole else None
    words = list(node.argv[1:])
    if words[:1] and words[0] in ("-e", "-n", "-E", "-ne", "-en"):
        words.pop(0)
    if node.argv[0] == "printf" and words:
        arguments = words[1:]
        if len(_PRINTF_FIELD.findall(words[0])) != len(arguments):
            return None
        pieces = iter(arguments)
        text = _PRINTF_FIELD.sub(lambda _: next(pieces), words[0])
    else:
        text = " ".join(words)
    text = text.replace("\\n", "\n").strip("\n")
    return None if "\n" in text or ("%" in text and node.argv[0] == "printf") else text
