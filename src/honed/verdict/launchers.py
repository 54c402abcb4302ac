"""Programs that only start another program, and how to take them off.

``unwrap(("env", "A=1", "timeout", "60", "uv", "run", "pytest"))`` gives ``argv=("pytest",)``.  The rows
are in ``launcher_table``; this is their one interpreter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from honed.verdict.launcher_table import POWERSHELLS, ROWS, SHELLS, Launcher
from honed.verdict.tool_table import TOOLS
from honed.verdict.unwrapping import (
    PYTHON,
    Unwrapped,
    Unwrapping,
    node,
    options,
    powershell,
    program,
    python,
    shell,
    tool,
)

__all__ = ["NAMES", "Unwrapped", "program", "proxied", "reads_script_from_input", "starts_another", "unwrap"]

NESTING_LIMIT = 16
"""How many launchers are taken off a command."""

_VERSION = re.compile(r"v?\d+(?:\.\d+)*\Z|lts(?:/\S+)?\Z|node\Z|stable\Z|default\Z")
_PROXY_WORD = re.compile(r"[a-z][a-z0-9_.-]*\Z")
_NO_PROXIES = frozenset(
    (
        "echo printf print rg grep egrep fgrep ag ack which type whereis whatis man info help tldr cat bat"
        " less more head tail ls tree find fd wc sed awk cut sort uniq tr diff comm cd pushd export alias"
        " unalias unset source set test kill pkill pgrep killall ps jq yq touch mkdir rm cp mv ln chmod"
        " chown code open vim vi nano gh git brew apt apt-get pip pip3 dnf yum apk docker podman kubectl bd"
        " curl wget"
    ).split()
)
"""Programs whose operands are data, even if they are named like programs (``which go``)."""


def _by_program() -> dict[str, tuple[Launcher, ...]]:
    rows: dict[str, list[Launcher]] = {}
    for row in ROWS:
        rows.setdefault(row.words[0], []).append(row)
    return {name: tuple(sorted(each, key=lambda row: -len(row.words))) for name, each in rows.items()}


_ROWS = _by_program()
NAMES = frozenset(_ROWS) | SHELLS | POWERSHELLS
"""Programs that may hand a script to a shell."""

_STARTERS = NAMES | frozenset(TOOLS) | {"node"}


@lru_cache(maxsize=1024)
def unwrap(argv: tuple[str, ...]) -> Unwrapped:
    """``argv`` without launchers.  Never raises; an unknown program is given back as it is."""
    state = Unwrapping(argv)
    for _ in range(NESTING_LIMIT):
        if not state.argv or state.script is not None or not _step(state):
            break
    return state.result()


def starts_another(word: str) -> bool:
    """Whether ``unwrap`` may take something off a command that begins with this word (fast)."""
    name = program(word)
    return name in _STARTERS or bool(PYTHON.match(name))


def proxied(argv: tuple[str, ...]) -> Iterator[Unwrapped]:
    """The commands that ``argv`` may be if its first one or two words are a transparent proxy.

    For the runner table: a proxy such as ``rtk`` is known by nothing but the known runner behind it
    (``rtk go test``, ``rtk test bun run test``, ``yarn jest``).  Ask for these when the first word is
    unknown to it, and take the first that it knows.
    """
    for count in (1, 2):
        words = argv[:count]
        if len(argv) <= count or not all(_PROXY_WORD.match(word) for word in words):
            return
        # `test` is a command of the shell in front, and a proxy's own word behind (`rtk test ...`).
        if words[0] not in _NO_PROXIES and (words[-1] not in _NO_PROXIES or words[1:] == ("test",)):
            inner = unwrap(argv[count:])
            yield Unwrapped(
                inner.argv,
                argv[:count] + inner.prefix,
                inner.env,
                inner.cwd_shift,
                inner.container,
                inner.script,
                inner.dialect,
                inner.options,
                inner.status,
                inner.tasks,
            )


def reads_script_from_input(argv: tuple[str, ...]) -> bool:
    """Whether this is a shell that runs what it is given on standard input (``bash <<EOF``)."""
    if not argv or program(argv[0]) not in SHELLS:
        return False
    return all(word.startswith(("-", "+")) for word in argv[1:]) and not any(
        "c" in word or "n" in word for word in argv[1:] if word[:2] != "--"
    )


def _step(state: Unwrapping) -> bool:
    """Take one launcher off; whether there was one."""
    name = program(state.argv[0])
    for row in _ROWS.get(name, ()):
        if _apply(state, row):
            return True
    if name in SHELLS:
        return shell(state)
    if name in POWERSHELLS:
        return powershell(state)
    if name in TOOLS:
        return tool(state, name, TOOLS[name])
    if name == "node":
        return node(state)
    return bool(PYTHON.match(name)) and python(state)


def _apply(state: Unwrapping, row: Launcher) -> bool:
    """Take ``row`` off if it matches; whether it did."""
    argv = state.argv
    at = 1
    seen: list[tuple[str, str]] = []
    for word in row.words[1:]:
        at = options(argv, at, row, seen)
        if at >= len(argv) or argv[at] != word:
            return False
        at += 1
    env: list[tuple[str, str]] = []
    at = options(argv, at, row, seen, env)
    if any(option in row.stops for option, _ in seen) or (at < len(argv) and argv[at] in row.stops):
        return False
    if row.anywhere:
        seen += [(argv[i], argv[i + 1]) for i in range(at, len(argv) - 1) if argv[i] in row.scripts]
    scripts = [value for option, value in seen if option in row.scripts]
    modules = [value for option, value in seen if option in row.modules]
    if not scripts and not modules:
        at = _behind_operands(argv, at, row, seen, env)
    if not scripts and not modules and (at < 0 or at >= len(argv)):
        return False
    if row.only and argv[at] not in row.only:
        return False
    _note(state, row, seen, env)
    rest = argv[at:]
    if scripts:
        state.script = (scripts[0], row.dialect, frozenset())
        state.take_off(len(argv), then=(argv[0], scripts[0]))
    elif modules:
        # Everything behind `-m module` is the module's own.
        state.prefix += argv[: at - 2]
        state.argv = ("python", "-m", modules[0], *rest)
    elif row.joined:
        state.script = (" ".join(rest), row.dialect, frozenset())
        state.take_off(at)
    else:
        state.take_off(at, then=_named(row, seen, rest))
    return True


def _named(row: Launcher, seen: list[tuple[str, str]], rest: tuple[str, ...]) -> tuple[str, ...]:
    """The command itself, under the name by which it is known."""
    for option, value in seen:
        if option in row.program and value:
            return (value, *rest)
    first = rest[0]
    if row.versioned and "@" in first[1:]:
        return (first[0] + first[1:].split("@")[0], *rest[1:])
    if row.python and first.endswith(".py"):
        return ("python", *rest)
    if row.words[0] == "find":
        return tuple(word for word in rest if word not in (";", "+"))
    return rest


def _note(state: Unwrapping, row: Launcher, seen: list[tuple[str, str]], env: list[tuple[str, str]]) -> None:
    options = {option for option, _ in seen}
    state.env += env
    state.container = state.container or row.container
    state.tasks = row.tasks
    for option, value in seen:
        if option in row.cwd and value:
            state.enter(value)
    if row.status == "hidden" or options & row.hidden:
        state.status = "hidden"
    elif state.status != "hidden" and (row.status == "idle" or options & row.idle):
        state.status = "idle"
    elif row.status == "translated" and state.status == "own":
        state.status = "translated"


def _behind_operands(
    argv: tuple[str, ...], at: int, row: Launcher, seen: list[tuple[str, str]], env: list[tuple[str, str]]
) -> int:
    """The place of the command itself, -1 if there is none."""
    if row.after:
        for index in range(at, len(argv)):
            if argv[index] in row.after:
                return index + 1
            if not row.after_only and not argv[index].startswith("-"):
                break
        if row.after_only:
            # `--` was taken for the end of options already.
            return at if "--" in row.after and argv[at - 1] == "--" else -1
    operands = row.operands
    if row.optional_operand and at < len(argv) and _VERSION.match(argv[at]):
        operands = 1
    for _ in range(operands):
        at += 1
    if operands and at < len(argv) and argv[at] == "--":
        at += 1
    return options(argv, at, row, seen, env) if operands and row.words[0] in ("flock", "timeout") else at
