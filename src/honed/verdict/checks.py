"""The form under which a test run is known again, and which run says more than which.

A check is a command line a person would type: launchers and the directory stay, pipes, redirects,
time limits, verbosity and colours go.  ``covers`` and ``same_check`` read it back by the same table.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from dataclasses import dataclass
from functools import lru_cache

from honed.verdict.bystanders import may_be_proxy
from honed.verdict.launchers import program, proxied, unwrap
from honed.verdict.model import RunResult
from honed.verdict.runner_names import names_tests
from honed.verdict.runner_options import is_noise
from honed.verdict.runners import DEFAULT, Call, Rules, recognise
from honed.verdict.shell_tree import Simple

_SECRET = re.compile(
    r"(?i)token|secret|passw|pwd|api_?key|_key\b|credential|auth|cookie|session|dsn|database_url"
)
_OF_THE_MACHINE = frozenset("PATH HOME TMPDIR PWD TERM SHELL COLUMNS LINES NO_COLOR FORCE_COLOR".split())
_PASSING = frozenset("time gtime nohup caffeinate unbuffer command exec noglob nocorrect setsid".split())
_PASSING_VALUES = {
    "timeout": 1, "gtimeout": 1, "nice": 0, "ionice": 0, "stdbuf": 0, "chrt": 1, "taskset": 1, "faketime": 1,
}  # fmt: skip
_OPTION_VALUES = frozenset("-k --kill-after -s --signal -n -c --adjustment -i -o -e".split())
_BY_PACKAGE = frozenset({"go", "gotestsum"})
"""Runners for which a folder means the tests in it, not those below it."""

_OF_NAMES = frozenset(
    "-k -t --testNamePattern -run --run --grep -g --filter -Dtest --tests -n --name".split()
)
"""Options by which runners are told the names of tests."""

_GENERAL = frozenset("test tests check checks ci verify all run full testall runtests".split())


def check_of(simple: Simple, call: Call, directory: str) -> str:
    """The normalised command: ``cd DIR && NAME=VALUE launcher runner arguments``."""
    words = _without_modifiers(assigned(simple.argv))
    core = call.argv[0]
    start = next((i for i, word in enumerate(words) if word == core or program(word) == program(core)), 0)
    kept = list(call.words)
    argv = [*words[:start], *_spelled(words[start:], call, kept)]
    environment = [
        f"{name}={_quoted(value)}" for name, value in simple.assignments if value and _may_show(name)
    ]
    line = " ".join([*environment, *(_quoted(word) for word in argv)])
    return f"cd {_quoted(directory)} && {line}" if directory else line


def assigned(argv: tuple[str, ...]) -> tuple[str, ...]:
    """PowerShell's ``$r = Invoke-Pester ...`` without the variable."""
    return argv[2:] if len(argv) > 2 and argv[1] == "=" and argv[0].startswith("$") else argv


def _spelled(words: list[str], call: Call, kept: list[str]) -> list[str]:
    """The words as they were typed, without those that the call left out as noise."""
    if not words:
        return [call.argv[0], *kept]
    left = list(call.argv[1:])
    spelled = [words[0]]
    for word in words[1:]:
        if kept and word == kept[0]:
            spelled.append(kept.pop(0))
            if left and word == left[0]:
                left.pop(0)
        elif left and word == left[0]:
            left.pop(0)
        elif word not in call.argv and not is_noise(word, call.runner):
            spelled.append(word)
    return spelled


def _without_modifiers(argv: tuple[str, ...]) -> list[str]:
    """Without what changes neither the program nor its arguments: ``time``, ``timeout 60``, ``nice``."""
    words = list(argv)
    while words:
        name = program(words[0])
        if name in _PASSING:
            words.pop(0)
            while words and words[0].startswith("-"):
                words.pop(0)
        elif name in _PASSING_VALUES:
            words.pop(0)
            while words and words[0].startswith("-"):
                if words.pop(0) in _OPTION_VALUES and words:
                    words.pop(0)
            del words[: _PASSING_VALUES[name]]
        elif name == "env" and len(words) > 1 and words[1][:1] != "-":
            words.pop(0)
            words = [
                word
                for index, word in enumerate(words)
                if not _leads(words, index) or _may_show(word.split("=")[0])
            ]
            break
        else:
            break
    return words or list(argv)


def _may_show(name: str) -> bool:
    """Whether a variable belongs to the check: neither a secret nor a matter of the machine."""
    return name not in _OF_THE_MACHINE and not _SECRET.search(name)


def _leads(words: list[str], index: int) -> bool:
    return all("=" in word for word in words[: index + 1])


def _quoted(word: str) -> str:
    if word and not re.search(r"[\s'\"\\;&|<>()]", word):
        return word
    return word if "$(" in word or "`" in word else shlex.quote(word)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where tests were chosen: a file, a folder, a test in a file; ``deep``: with all below it."""

    path: str
    deep: bool = True

    def holds(self, other: _Place) -> bool:
        if self.path == other.path:
            return self.deep or not other.deep
        return self.deep and _below(other.path, self.path)


@dataclass(frozen=True, slots=True)
class _Part:
    """One test command of a check, read back."""

    directory: str
    runner: str
    target: str
    general: bool
    recursive: bool
    places: tuple[_Place, ...]
    chosen: bool
    """Whether the places were named, and are not just where it ran."""

    narrowing: frozenset[str]
    options: frozenset[str]


@lru_cache(maxsize=512)
def _parts(check: str, rules: Rules) -> tuple[_Part, ...]:
    parts = []
    directory = ""
    for piece in check.split(" && "):
        try:
            words = tuple(shlex.split(piece))
        except ValueError:
            words = tuple(piece.split())
        while words and re.match(r"[A-Za-z_]\w*=", words[0]):
            words = words[1:]
        if words[:1] == ("cd",):
            directory = words[1] if len(words) > 1 else ""
            continue
        part = _part(words, directory, rules)
        if part is not None:
            parts.append(part)
    return tuple(parts)


def _part(words: tuple[str, ...], directory: str, rules: Rules) -> _Part | None:
    if not words:
        return None
    call, shift, scope = call_of(words, rules)
    where = posixpath.normpath(posixpath.join(directory or ".", shift or "."))
    if call is None:
        here = (_Place(where),)
        return _Part(
            where, program(words[0]), " ".join(words), False, False, here, False, frozenset(), frozenset()
        )
    target = call.target.lower()
    general = call.runner.kind == "task" and names_tests(target)
    general = general and set(re.findall(r"[a-z0-9]+", target)) <= _GENERAL
    by_package = call.runner.name in _BY_PACKAGE
    places = tuple(_place(where, word, by_package) for word in call.paths)
    return _Part(
        where,
        call.runner.name,
        call.target,
        general,
        call.runner.recursive,
        places or (_Place(where, call.runner.recursive and not by_package),),
        bool(places),
        frozenset(call.narrowing),
        frozenset(call.options) | frozenset(scope),
    )


def _behind_proxy(argv: tuple[str, ...], rules: Rules) -> Call | None:
    """The known runner behind words that may only pass it on: ``rtk go test``, ``rtk test bun run test``."""
    for inner in proxied(argv):
        if not may_be_proxy(inner.prefix[:2]) or program(inner.prefix[0]) in rules.vocabulary:
            break
        behind = inner.argv[1:] if inner.argv[:1] == ("test",) else inner.argv
        call = recognise(unwrap(behind).argv, rules, tasks=inner.tasks)
        if call is not None and call.named and call.runner.kind != "script":
            return call
    return None


def _place(where: str, word: str, by_package: bool) -> _Place:
    """``./pkg/...`` -> all in ``pkg``; ``tests/`` -> all in ``tests``; Go's ``./pkg`` -> only that "
    "package."""
    deep = not by_package or word.endswith("...")
    path = word.removesuffix("...").rstrip("/") or "."
    file, colons, rest = path.partition("::")
    return _Place(posixpath.normpath(posixpath.join(where, file)) + colons + rest, deep)


@lru_cache(maxsize=1024)
def call_of(argv: tuple[str, ...], rules: Rules = DEFAULT) -> tuple[Call | None, str | None, tuple[str, ...]]:
    """The test command in ``argv``, launchers taken off; the directory they change to; their scope.

    The scope are the words of a task runner that choose a package (``pnpm --filter api test``).
    """
    unwrapped = unwrap(argv)
    call = recognise(unwrapped.argv, rules, tasks=unwrapped.tasks)
    if call is None or (call.runner.kind != "runner" and not call.named):
        other = _behind_proxy(unwrapped.argv, rules)
        if other is not None:
            return other, None, ()
    scope: tuple[str, ...] = ()
    if call is not None and call.runner.kind == "task" and unwrapped.argv and unwrapped.argv[0] in argv:
        behind = argv[argv.index(unwrapped.argv[0]) + 1 :]
        scope = tuple(word for word in behind if word not in unwrapped.argv and word not in call.runner.noise)
    return call, unwrapped.cwd_shift, scope


def same_check(first: RunResult, second: RunResult, rules: Rules = DEFAULT) -> bool:
    """Whether two runs ran the same tests in the same way, however they were launched."""
    if first.check is None or second.check is None:
        return False
    if first.check == second.check:
        return True
    return bool(_parts(first.check, rules)) and _parts(first.check, rules) == _parts(second.check, rules)


def covers(wider: RunResult, narrower: RunResult, rules: Rules = DEFAULT) -> bool:
    """Whether every test of ``narrower`` was also in ``wider``.

    Same runner, and a selection that holds the other's.  Patterns (``-k``, ``-run``) can only be
    compared for equality.  A project's whole test target (``npm test``) covers a run of the runner
    that it was seen to use, in or below its directory.
    """
    if wider.check is None or narrower.check is None:
        return False
    if wider.check == narrower.check:
        return True
    outer, inner = _parts(wider.check, rules), _parts(narrower.check, rules)
    if not outer or not inner:
        return False
    return all(any(_holds(one, other, wider, narrower) for one in outer) for other in inner)


def same_shape(first: RunResult, second: RunResult, rules: Rules = DEFAULT) -> bool:
    """Whether two runs differ only in which single tests of the same files they chose.

    ``pytest tests/test_a.py::test_x`` and ``...::test_y[2]``, ``go test ./pkg -run TestA`` and ``-run B``:
    the test's name is the parameter of such a check.  Neither may be a run of whole files.
    """
    if first.check is None or second.check is None:
        return False
    ones, others = _parts(first.check, rules), _parts(second.check, rules)
    return len(ones) == len(others) > 0 and all(map(_alike, ones, others))


def _alike(one: _Part, other: _Part) -> bool:
    if not (one.chosen and other.chosen and _files(one) == _files(other)):
        return False
    if (one.runner, one.target, one.directory, one.options) != (
        other.runner, other.target, other.directory, other.options,
    ):  # fmt: skip
        return False
    (named, rest), (names, left) = _names(one), _names(other)
    return bool(named and names) and rest == left


def _files(part: _Part) -> frozenset[str]:
    return frozenset(place.path.partition("::")[0] for place in part.places)


def _names(part: _Part) -> tuple[frozenset[str], frozenset[str]]:
    """What names single tests in a part, and what else narrows it."""
    ids = [place.path for place in part.places]
    named = [word for word in part.narrowing if word.split(" ")[0] in _OF_NAMES]
    if all("::" in path for path in ids):
        named += ids
    return frozenset(named), part.narrowing - frozenset(named)


def _holds(wide: _Part, narrow: _Part, wider: RunResult, narrower: RunResult) -> bool:
    if wide.runner != narrow.runner or wide.target != narrow.target:
        return _target_holds(wide, narrow, wider, narrower)
    if not wide.narrowing <= narrow.narrowing or wide.options != narrow.options:
        return False
    if not wide.recursive:
        if wide.directory != narrow.directory:
            return False
        if not wide.chosen:
            return True
        if not narrow.chosen:
            return False
    return all(any(own.holds(other) for own in wide.places) for other in narrow.places)


def _target_holds(wide: _Part, narrow: _Part, wider: RunResult, narrower: RunResult) -> bool:
    """``npm test`` against ``npx vitest run a.test.ts``, when vitest is what ``npm test`` ran."""
    if not wide.general or narrow.target or wide.chosen or wide.narrowing or wide.options or narrow.options:
        return False
    if wider.runner is None or wider.runner != narrower.runner:
        return False
    if not _below(narrow.directory, wide.directory):
        return False
    more = wider.counts.passed is None or narrower.counts.passed is None
    return more or (wider.counts.passed or 0) >= (narrower.counts.passed or 0)


def _below(path: str, folder: str) -> bool:
    """Whether ``path`` (which may be a node id) is ``folder`` or inside it."""
    if folder in ("", ".") and not path.startswith(("/", "..")):
        return True
    return path == folder or path.startswith((folder + "/", folder + "::", folder + "[", folder + ":"))
