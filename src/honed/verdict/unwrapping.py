"""Shells, interpreters and tools: what is taken off a command that no launcher row describes.

``Unwrapping`` is the state that ``launchers.unwrap`` works on; each step says whether something in front of
the command went away, so that the next launcher is looked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from honed.verdict.launcher_table import Launcher, StatusRule
from honed.verdict.shell_tree import Dialect
from honed.verdict.tool_table import Tool

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
PYTHON = re.compile(r"python(?:w|\d+(?:\.\d+)*t?)?\Z|pypy\d?(?:\.\d+)*\Z|py\Z")
_PYTHON_FLAGS = re.compile(r"-[bBdEiIOPqsSuvx?\dR]+\Z|-\d[\d.]*(?:-\d+)?\Z")
_PYTHON_VALUES = frozenset({"-W", "-X", "--check-hash-based-pycs"})
_PYTHON_MODULES = frozenset({"coverage", "uv", "poetry", "pipenv", "hatch", "pdm", "pipx", "tox"})
_SHELL_VALUES = frozenset({"--rcfile", "--init-file", "-O", "+O", "+o"})
_SHELL_OPTIONS = {"e": "errexit", "u": "nounset"}
_POWERSHELL_VALUES = ("-ex", "-wo", "-wi", "-v", "-in", "-o", "-ps", "-cu", "-set")
_MODULE_PATH = re.compile(r"(?:^|/)(?:node_modules/(?:\.bin/|(?:\.pnpm/[^/]+/node_modules/)?)|vendor/bin/)")


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A command without the programs that only start it.

    ``argv`` what is run in the end, spelled as in the command except that ``python3.11 -u -m mod`` is
    ``python -m mod`` and options of npm, pnpm, make, git, ... in front of the subcommand are gone;
    ``prefix`` all words that were taken off, in order; ``env`` the variables set on the way;
    ``cwd_shift`` the directory it runs in, relative to the shell's (``make -C sub``); ``container``: it
    runs in another file system.  ``script``: a text that a shell is given to run (``bash -c TEXT``),
    with its ``dialect`` and the shell's ``options``; ``argv`` is then the shell's.  ``status``: whose
    exit status the whole has.  ``tasks``: the launcher runs named tasks, ``argv[0]`` may be one
    (``pixi run test``).
    """

    argv: tuple[str, ...]
    prefix: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd_shift: str | None = None
    container: bool = False
    script: str | None = None
    dialect: Dialect = "bash"
    options: frozenset[str] = frozenset()
    status: StatusRule = "own"
    tasks: bool = False


class Unwrapping:
    """What has been taken off so far."""

    __slots__ = ("argv", "container", "cwd", "env", "prefix", "script", "status", "tasks")

    def __init__(self, argv: tuple[str, ...]) -> None:
        self.argv = argv
        self.prefix: tuple[str, ...] = ()
        self.env: list[tuple[str, str]] = []
        self.cwd: str | None = None
        self.container = self.tasks = False
        self.status: StatusRule = "own"
        self.script: tuple[str, Dialect, frozenset[str]] | None = None

    def enter(self, directory: str) -> None:
        if directory.startswith("/") or self.cwd is None:
            self.cwd = directory
        else:
            self.cwd = f"{self.cwd}/{directory}"

    def take_off(self, count: int, *, then: tuple[str, ...] | None = None) -> None:
        self.prefix += self.argv[:count]
        self.argv = self.argv[count:] if then is None else then

    def result(self) -> Unwrapped:
        text, dialect, options = self.script or (None, "bash", frozenset())
        return Unwrapped(
            self.argv,
            self.prefix,
            tuple(self.env),
            self.cwd,
            self.container,
            text,
            dialect,
            options,
            self.status,
            self.tasks,
        )


def program(word: str) -> str:
    """The name by which tables know a program: ``/usr/bin/python3`` -> ``python3``, ``Go.EXE`` -> ``go``."""
    if word.isalpha() and word.islower():
        return word
    name = word.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if "." in name:
        for suffix in (".exe", ".cmd", ".bat", ".ps1"):
            name = name.removesuffix(suffix)
    return name


def options(
    argv: tuple[str, ...],
    at: int,
    row: Launcher | Tool,
    seen: list[tuple[str, str]],
    env: list[tuple[str, str]] | None = None,
) -> int:
    """Skip the options (and, for some rows, assignments) at ``at``; what was seen is noted."""
    takes_env = isinstance(row, Launcher) and row.env
    after = row.after if isinstance(row, Launcher) else frozenset()
    modules = row.modules if isinstance(row, Launcher) else frozenset()
    while at < len(argv):
        word = argv[at]
        if env is not None and takes_env and _ASSIGNMENT.match(word):
            name, _, value = word.partition("=")
            env.append((name, value))
            at += 1
            continue
        if word in after or len(word) < 2 or word[0] != "-":
            break
        if word == "--":
            return at + 1 if env is not None else at
        option, equals, value = word.partition("=")
        if equals:
            seen.append((option, value))
        elif word in modules:
            seen.append((word, argv[at + 1] if at + 1 < len(argv) else ""))
            return min(at + 2, len(argv))
        elif word in row.values:
            seen.append((word, argv[at + 1] if at + 1 < len(argv) else ""))
            at += 1
        else:
            seen.append((word, ""))
        at += 1
    return min(at, len(argv))


def shell(state: Unwrapping) -> bool:
    """``bash -euo pipefail -lc TEXT``."""
    argv, at = state.argv, 1
    options: set[str] = set()
    has_text = False
    while at < len(argv) and argv[at][:1] in ("-", "+") and len(argv[at]) > 1:
        word = argv[at]
        at += 1
        if word in _SHELL_VALUES:
            at += 1
        elif word[:2] != "--" and word[0] == "-":
            options.update(_SHELL_OPTIONS[letter] for letter in word[1:] if letter in _SHELL_OPTIONS)
            has_text = has_text or "c" in word
            if "o" in word and at < len(argv):
                options.add(argv[at])
                at += 1
            if "n" in word:
                return False
    if not has_text or at >= len(argv):
        return False
    state.script = (argv[at], "bash", frozenset(options))
    return True


def powershell(state: Unwrapping) -> bool:
    """``pwsh -NoProfile -Command TEXT``, ``pwsh -File script.ps1``."""
    argv, at = state.argv, 1
    while at < len(argv) and argv[at].startswith("-") and len(argv[at]) > 1:
        option = argv[at].lower()
        at += 1
        if "-command".startswith(option):
            if at < len(argv):
                state.script = (" ".join(argv[at:]), "powershell", frozenset())
            return at < len(argv)
        if "-file".startswith(option) and option != "-":
            if at < len(argv):
                state.take_off(at)
            return at < len(argv)
        if option.startswith(_POWERSHELL_VALUES):
            at += 1
    if at >= len(argv) or argv[at].lower().endswith(".ps1"):
        return False
    state.script = (" ".join(argv[at:]), "powershell", frozenset())
    return True


def tool(state: Unwrapping, name: str, row: Tool) -> bool:
    """Take off what stands between a tool and its subcommand; the tool itself stays."""
    argv, at = state.argv, 1
    seen: list[tuple[str, str]] = []
    if name == "cargo" and len(argv) > 1 and argv[1].startswith("+"):
        at = 2
    while True:
        begin = at
        if at < len(argv) and argv[at].partition("=")[0] not in row.keeps:
            at = _own_options(argv, at, row, seen)
        for word, count in row.words:
            if at < len(argv) and argv[at] == word:
                at += 1 + count
        if at == begin:
            break
    rest = list(argv[at:])
    if row.anywhere:
        rest = _without_directory(rest, row, seen)
    if len(rest) == len(argv) - 1:
        return False
    state.prefix += tuple(word for word in argv[1:] if word not in rest)
    state.argv = (name, *rest)
    for option, value in seen:
        if option in row.cwd and value:
            state.enter(value)
    return bool(rest)


def _own_options(argv: tuple[str, ...], at: int, row: Tool, seen: list[tuple[str, str]]) -> int:
    end = at
    while end < len(argv) and argv[end][:1] == "-" and argv[end].partition("=")[0] not in row.keeps:
        if argv[end] in ("--", "-"):
            break
        end += 2 if argv[end] in row.values and _takes_next(argv, end) else 1
    options(argv[:end], at, row, seen)
    return min(end, len(argv))


def _takes_next(argv: tuple[str, ...], at: int) -> bool:
    """``make -j test``: the number of jobs is optional."""
    following = argv[at + 1 : at + 2]
    return bool(following) and (argv[at] not in ("-j", "--jobs") or following[0].isdigit())


def _without_directory(words: list[str], tool: Tool, seen: list[tuple[str, str]]) -> list[str]:
    rest: list[str] = []
    at = 0
    while at < len(words):
        if words[at] in tool.cwd and at + 1 < len(words):
            seen.append((words[at], words[at + 1]))
            at += 2
        elif words[at][:1] == "-" and words[at] not in tool.keeps and words[at] != "--":
            at += 1
        else:
            rest.append(words[at])
            at += 1
    return rest


def python(state: Unwrapping) -> bool:
    """Every spelling of Python as ``python``, its own flags taken off."""
    argv, at, flags = state.argv, 1, 1
    module: str | None = None
    while at < len(argv) and argv[at][:1] == "-" and len(argv[at]) > 1:
        word = argv[at]
        if word in _PYTHON_VALUES:
            at += 2
        elif word[:2] in ("-W", "-X") or _PYTHON_FLAGS.match(word):
            at += 1
        elif word[:2] == "-m" or (word.endswith("m") and _PYTHON_FLAGS.match(word[:-1] + "u")):
            flags, attached = at, word[2:] if word[:2] == "-m" else ""
            module = attached or (argv[at + 1] if at + 1 < len(argv) else None)
            at += 1 if attached else 2
            break
        else:
            break
    rest = argv[at:]
    if module is None:
        state.prefix += argv[1:at]
        state.argv = ("python", *rest)
        return False
    if module in _PYTHON_MODULES and rest:
        state.prefix += argv[: at - 1]
        state.argv = (module, *rest)
        return True
    state.prefix += argv[1:flags]
    state.argv = ("python", "-m", module, *rest)
    return False


def node(state: Unwrapping) -> bool:
    """``node --flags node_modules/.bin/jest`` is ``jest``."""
    for index, word in enumerate(state.argv[1:], 1):
        if word.startswith("-"):
            continue
        match = _MODULE_PATH.search(word)
        if not match:
            return False
        name = word[match.end() :].split("/")[0].rsplit(".", 1)[0] if "." in word[match.end() :] else ""
        name = (
            word[match.end() :].split("/")[0] if "/" in word[match.end() :] else name or word[match.end() :]
        )
        state.take_off(index, then=(name, *state.argv[index + 1 :]))
        return True
    return False
