"""Commands of the shell whose outcome, or effect on the shell, is known.

Each is a function from the world before it to the worlds after it; ``BUILTINS`` is the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from honed.verdict.machine import Builtin, Machine
from honed.verdict.shell_tree import Simple
from honed.verdict.worlds import NONZERO, TooManyWorldsError, World

BROKEN_PIPE = 128 + 13
"""The status of what SIGPIPE killed."""

_NAMED_OPTIONS = {
    "errexit": "errexit",
    "pipefail": "pipefail",
    "err_exit": "errexit",
    "pipe_fail": "pipefail",
}
_LETTERS = {"e": "errexit"}
_COMPARISON = re.compile(r"(?P<left>\S+) (?P<op>-eq|-ne|-gt|-ge|-lt|-le|=|==|!=|>|>=|<|<=) (?P<right>\S+)\Z")
_ARITHMETIC = re.compile(
    r"\s*(?P<no>!?)\s*\$?\{?(?P<name>\?|\w+)\}?\s*(?:(?P<op>==|!=|>=|<=|>|<)\s*(?P<right>\d+))?\s*\Z"
)
_TRAPPED_BY_SHELL = frozenset({"EXIT", "0", "ERR", "DEBUG", "RETURN"})
_SIGNALS = _TRAPPED_BY_SHELL | {"INT", "TERM", "HUP", "QUIT", "PIPE", "1", "2", "3", "15"}
_LEAVES = re.compile(r"\b(?:exit|return|kill|exec)\b")
_EQUAL = frozenset({"-eq", "=", "=="})
_UNEQUAL = frozenset({"-ne", "!="})


def _either(world: World) -> tuple[World, World]:
    return world.ending(0), world.ending(NONZERO)


def _succeeds(_machine: Machine, _node: Simple, world: World) -> Iterable[World]:
    return (world.ending(0),)


def _fails(_machine: Machine, _node: Simple, world: World) -> Iterable[World]:
    return (world.ending(1),)


def _enters(_machine: Machine, _node: Simple, world: World) -> Iterable[World]:
    """``cd``: whatever fails, the code is 1."""
    return world.ending(0), world.ending(1)


def _prints(machine: Machine, node: Simple, world: World) -> Iterable[World]:
    machine.printed.setdefault(id(node), (node, set()))[1].add(world)
    if any(redirect.operator[0] in "<>" and redirect.operator != ">&" for redirect in node.redirects):
        return _either(world)
    printed = world.ending(0)
    # Whoever reads the pipe may be gone: then the shell itself dies of SIGPIPE.
    return (printed, world._replace(status=BROKEN_PIPE, flow="exit")) if machine.piped else (printed,)


def _exits(machine: Machine, node: Simple, world: World) -> Iterable[World]:
    words = [word for word in node.argv[1:] if word.lower() != "/b"]
    return _left(machine, words, world, "exit")


def _returns(machine: Machine, node: Simple, world: World) -> Iterable[World]:
    if not machine.calls:
        return (world.ending(NONZERO),)  # "can only return from a function"
    return _left(machine, node.argv[1:], world, "return")


def _left(machine: Machine, words: Sequence[str], world: World, flow: str) -> Iterable[World]:
    status: int | None = world.status
    if words and words[0].lower() != "%errorlevel%":
        status = machine.number(words[0], world)
    after = world._replace(flow=flow)
    return _either(after) if status is None else (after.ending(status),)


def _leaves_round(flow: str) -> Builtin:
    def leave(machine: Machine, _node: Simple, world: World) -> Iterable[World]:
        after = world.ending(0)
        if not machine.loops:
            return (after,)
        left = after._replace(flow=flow)
        # In a subshell inside a loop shells differ.
        return (left,) if machine.loops > 0 else (left, after)

    return leave


def _sets(_machine: Machine, node: Simple, world: World) -> Iterable[World]:
    """``set -euo pipefail``, ``set +e``, ``setopt pipefail``."""
    options = set(world.options)
    words = list(node.argv[1:])
    if node.argv[0] in ("setopt", "unsetopt"):
        words = [word for name in words for word in ("-o" if node.argv[0] == "setopt" else "+o", name)]
    while words:
        word = words.pop(0)
        if word[:1] not in ("-", "+") or word == "--":
            break
        change = options.add if word[0] == "-" else options.discard
        for letter in word[1:]:
            if letter == "o" and words:
                change(_NAMED_OPTIONS.get(words.pop(0).lower(), ""))
            elif letter in _LETTERS:
                change(_LETTERS[letter])
    return (world._replace(status=0, options=frozenset(options)),)


def _declares(machine: Machine, node: Simple, world: World) -> Iterable[World]:
    """``export rc=$?``: the status is its own, whatever was substituted."""
    after = world
    for word in node.argv[1:]:
        name, equals, text = word.partition("=")
        if equals:
            after = after.knowing(name, machine.number(text, world))
    return (after.ending(0),)


def _waits(_machine: Machine, node: Simple, world: World) -> Iterable[World]:
    if len(node.argv) == 1:
        return (world.ending(0),)
    status = world.job(node.argv[1]) if len(node.argv) == 2 else None
    return _either(world) if status is None else (world.ending(status),)


def _traps(machine: Machine, node: Simple, world: World) -> Iterable[World]:
    """A trap that ends the shell by itself makes the status anybody's."""
    signals = node.argv[2:]
    if any(word in _TRAPPED_BY_SHELL for word in signals) and _LEAVES.search(node.argv[1]):
        raise TooManyWorldsError
    known = all(word.removeprefix("SIG") in _SIGNALS for word in signals)
    # What a trap prints at the end may meet a closed pipe.
    return (world.ending(0),) if known and not machine.piped else _either(world)


def _replaces(_machine: Machine, node: Simple, world: World) -> Iterable[World]:
    """``exec program``: nothing behind it is run; ``exec > file`` goes on."""
    if len(node.argv) == 1:
        return _either(world)
    return (after._replace(flow="exit") for after in _either(world))


def _tests(machine: Machine, node: Simple, world: World) -> Iterable[World]:
    """``[ $? -eq 0 ]``, ``[[ $rc != 0 ]]``: decided where the status is known."""
    words = list(node.argv[1:])
    if words and words[-1] == "]":
        words.pop()
    negated = words[:1] == ["!"]
    match = _COMPARISON.match(" ".join(words[1:] if negated else words))
    answer = None
    if match:
        left, right = machine.number(match["left"], world), machine.number(match["right"], world)
        answer = _compared(left, match["op"], right)
    return _answered(world, answer, negated)


def _counts(machine: Machine, node: Simple, world: World) -> Iterable[World]:
    """``(( rc == 0 ))``, ``(( $? ))``."""
    match = _ARITHMETIC.match(node.argv[1]) if len(node.argv) > 1 else None
    if not match:
        return _either(world)
    left = machine.number(match["name"] if match["name"].isdigit() else "$" + match["name"], world)
    if match["op"]:
        return _answered(world, _compared(left, match["op"], int(match["right"])), bool(match["no"]))
    return _answered(world, None if left is None else left != 0, bool(match["no"]))


def _answered(world: World, answer: bool | None, negated: bool) -> Iterable[World]:
    if answer is None:
        return _either(world)
    return (world._replace(status=0 if answer != negated else 1),)


def _compared(left: int | None, operator: str, right: int | None) -> bool | None:
    """Whether two statuses compare so; ``None`` where one of them is not known well enough."""
    if left is None or right is None:
        return None
    if left < 0 and right == 0:
        # Some code that is not 0, and codes are not negative.
        return {"-gt": True, ">": True, "-ge": True, ">=": True, "-lt": False, "<": False}.get(
            operator, operator in _UNEQUAL if operator in _EQUAL | _UNEQUAL else None
        )
    if left < 0 or right < 0:
        return None
    if operator in _EQUAL:
        return left == right
    if operator in _UNEQUAL:
        return left != right
    return {"g": left > right, "l": left < right, ">": left > right, "<": left < right}[
        operator.lstrip("-")[0]
    ] or (operator in ("-ge", "-le", ">=", "<=") and left == right)


def _may_leave(_machine: Machine, _node: Simple, world: World) -> Iterable[World]:
    """``if`` and ``for`` of cmd, read as words: anything may happen."""
    for after in _either(world):
        yield after
        yield after._replace(flow="exit")


BUILTINS: dict[str, Builtin] = {
    ":": _succeeds,
    "true": _succeeds,
    "false": _fails,
    "cd": _enters,
    "pushd": _enters,
    "popd": _enters,
    "echo": _prints,
    "printf": _prints,
    "print": _prints,
    "write-host": _prints,
    "write-output": _prints,
    "exit": _exits,
    "return": _returns,
    "break": _leaves_round("break"),
    "continue": _leaves_round("continue"),
    "set": _sets,
    "setopt": _sets,
    "unsetopt": _sets,
    "shopt": _succeeds,
    "unset": _succeeds,
    "export": _declares,
    "local": _declares,
    "declare": _declares,
    "typeset": _declares,
    "readonly": _declares,
    "wait": _waits,
    "trap": _traps,
    "exec": _replaces,
    "[": _tests,
    "test": _tests,
    "arithmetic": _counts,
    "if": _may_leave,
    "for": _may_leave,
}
