"""Which commands run tests, and what they run: the table's one interpreter.

``recognise`` looks a command up among the rows of the ``runners_*`` modules and says what it found as a
``Call``: the runner, what narrows the run, and the words by which the same check is known again.
A user's own rows (``Rules.with_rows``) stand before the built-in ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from honed.errors import UsageError
from honed.verdict import (
    runners_javascript,
    runners_managed,
    runners_native,
    runners_python,
    runners_tasks,
    summaries_javascript,
    summaries_managed,
    summaries_native,
    summaries_others,
    summaries_python,
)
from honed.verdict.launchers import program
from honed.verdict.runner_names import (
    INTERPRETERS,
    SCRIPT_WORDS,
    SHELLS,
    SOURCES,
    WORDS,
    is_test_file,
    names_tests,
    promises_tests,
)
from honed.verdict.runner_options import sort_arguments
from honed.verdict.runners_model import Exit, Runner, runner
from honed.verdict.summaries import Book
from honed.verdict.summaries_model import Grammar, Line


@dataclass(frozen=True, slots=True)
class Call:
    """A command that the table knows.

    ``named``: it is one that runs tests by its name (always so for runners).  ``trusted``: its exit
    status alone is evidence.  ``inert`` is the word that keeps it from running any test.  ``target``
    what a task runner or interpreter was asked to run.  ``words`` are the arguments without noise,
    ``selection`` what narrows, ``paths`` those of the selection that are operands, ``options`` the rest.
    """

    runner: Runner
    argv: tuple[str, ...]
    named: bool
    trusted: bool
    inert: str | None = None
    target: str = ""
    words: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    narrowing: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def selection(self) -> tuple[str, ...]:
        """All that narrows the run, as a person would type it."""
        return self.paths + self.narrowing


SCRIPT = runner("script", "", kind="script", operands=True)
NAMED_PROGRAM = runner("program", "", "gtest|catch2|ctest|tap|cargo|go|own words", kind="script")


class Rules:
    """The rows and grammars in force.  Immutable; ``with_rows`` gives a new one."""

    __slots__ = ("all_grammars", "book", "distinct", "programs", "runners", "vocabulary")

    def __init__(self, runners: Iterable[Runner], grammars: Iterable[Grammar]) -> None:
        self.runners = tuple(runners)
        self.book = Book(grammars)
        names = tuple(self.book.grammars)
        self.all_grammars = tuple(name for name in names if name not in ("steps", "missing", "dotnet labels"))
        self.distinct = tuple(name for name in names if self.book.grammars[name].distinct)
        self.programs: dict[str, list[tuple[Runner, tuple[str, ...]]]] = {}
        for row in self.runners:
            for call in row.calls:
                words = tuple(call.split())
                for first in words[0].lower().split("/"):
                    self.programs.setdefault(first, []).append((row, words))
        for rows in self.programs.values():
            rows.sort(key=lambda entry: -len(entry[1]))
        self.vocabulary = frozenset(self.programs)

    def grammars_of(self, row: Runner) -> tuple[str, ...]:
        """The grammars to read a runner's output by: its own, or all."""
        return row.grammars or self.all_grammars

    def with_rows(self, rows: Iterable[Mapping[str, object]]) -> Rules:
        """These rules with a user's rows in front.

        A row is ``{"name": "mytest", "command": "mytest run", "passed": REGEX, "failed": REGEX,
        "lists": [...], "narrows": [...], "values": [...]}``; the regexes are matched from the start of
        a line and may hold the groups ``p f s e t``.  Raises ``UsageError`` for a row it cannot use.
        """
        runners, grammars = [], []
        for row in rows:
            made, grammar = _user_row(row)
            runners.append(made)
            if grammar is not None:
                grammars.append(grammar)
        return Rules((*runners, *self.runners), (*grammars, *self.book.grammars.values()))


def _user_row(row: Mapping[str, object]) -> tuple[Runner, Grammar | None]:
    name, command = row.get("name"), row.get("command")
    if not isinstance(name, str) or not name or not isinstance(command, str) or not command.strip():
        raise UsageError(f"a test runner's row needs a name and a command: {dict(row)!r}")
    lines = []
    for key, kind in (("passed", "count"), ("failed", "bad"), ("empty", "empty"), ("crash", "crash")):
        pattern = row.get(key)
        if pattern is None:
            continue
        try:
            re.compile(str(pattern))
        except re.error as error:
            raise UsageError(
                f"{key!r} of the test runner {name!r} is no regular expression: {error}"
            ) from error
        one = "passed" if key == "passed" and "(?P<" not in str(pattern) else ""
        lines.append(Line(kind, ("",), str(pattern), one=one))  # type: ignore[arg-type]
    options = {key: " ".join(_strings(row.get(key))) for key in ("lists", "narrows", "values", "noise")}
    made = runner(name, command, name if lines else "", **options)  # type: ignore[arg-type]
    return made, Grammar(name, tuple(lines), distinct=False) if lines else None


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split()
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []


DEFAULT = Rules(
    (
        *runners_python.ROWS,
        *runners_javascript.ROWS,
        *runners_native.ROWS,
        *runners_managed.ROWS,
        *runners_tasks.ROWS,
    ),
    (
        *summaries_python.GRAMMARS,
        *summaries_native.GRAMMARS,
        *summaries_javascript.GRAMMARS,
        *summaries_managed.GRAMMARS,
        *summaries_others.GRAMMARS,
    ),
)


def recognise(argv: tuple[str, ...], rules: Rules = DEFAULT, *, tasks: bool = False) -> Call | None:
    """What the table knows about a command without its launchers; ``None`` when it is no test command.

    ``tasks``: the launcher in front runs named tasks, so the first word may be one (``pixi run test``).
    """
    if not argv or not argv[0]:
        return None
    name = _name(argv[0])
    for row, words in rules.programs.get(name, ()):
        at = _match(words, argv)
        if at:
            call = _call(row, words, argv, at, rules)
            if call is not None:
                return call
    if name == "python" and len(argv) > 2 and argv[1] == "-m":
        return recognise(argv[2:], rules) or _module(argv)
    if tasks and names_tests(argv[0]):
        return _options(SCRIPT, argv, 1, target=argv[0], named=True)
    return _script(name, argv)


def _name(word: str) -> str:
    name = program(word)
    if name.startswith("python") and name.removeprefix("python").replace(".", "").isdigit():
        return "python"
    return name


def _match(words: tuple[str, ...], argv: tuple[str, ...]) -> int:
    """Where the arguments begin behind the words of the row, 0 if they do not match."""
    at = 1
    for word in words[1:]:
        if word.startswith("*"):
            wanted = word[1:]
            if not any(_is(wanted, given) for given in argv[at:]):
                return 0
            continue
        if word.startswith("-"):
            index = _option_at(word, argv, at)
            if index < 0:
                return 0
            at = index + 1
            continue
        while at < len(argv) and argv[at][:1] in ("-", "+") and len(argv[at]) > 1:
            at += 1
        if at >= len(argv) or not _is(word, argv[at]):
            return 0
        at += 1
    return at


def _is(wanted: str, given: str) -> bool:
    """``a/b``: either; ``~test``: a name that tests; ``x.*``: any ending; ``:app:test`` is ``test``."""
    if wanted.startswith("~"):
        first, *others = wanted[1:].split("/")
        lowered = given.lower()
        if first in lowered and not given.startswith("-") and names_tests(given.rsplit(":", 1)[-1][:200]):
            return True
        wanted = "/".join(others)
    bare = given.rsplit(":", 1)[-1] if given.startswith(":") else given
    return any(bare == one or ("*" in one and fnmatchcase(bare, one)) for one in wanted.split("/"))


def _option_at(word: str, argv: tuple[str, ...], at: int) -> int:
    """The index of an option that stands before the first operand, or -1."""
    for index in range(at, len(argv)):
        given = argv[index]
        if any(given == one or given.startswith(one + "=") for one in word.split("/")):
            return index
        if not given.startswith(("-", "+")) and not argv[index - 1].startswith("-"):
            return -1
    return -1


def _call(row: Runner, words: tuple[str, ...], argv: tuple[str, ...], at: int, rules: Rules) -> Call | None:
    if row.kind == "runner":
        return _options(row, argv, at, named=True)
    if not row.target:
        target = "test" if len(words) > 1 else ""
        if row.name == "nx":
            target = _nx_target(argv[at:])
        return _options(row, argv, at, target=target, named=names_tests(target) if target else False)
    operands = [i for i in range(at, len(argv)) if argv[i][:1] != "-" and "=" not in argv[i]]
    if not operands:
        return _options(row, argv, at, named=False) if _skipped(row, argv) else None
    first = operands[0]
    if argv[first - 1] in row.values and len(operands) > 1:
        first = operands[1]
    chosen = (
        [argv[i] for i in operands if argv[i - 1] not in row.values] if row.target == "all" else [argv[first]]
    )
    target = " ".join(word.lstrip("+") for word in chosen)
    named = any(names_tests(word) for word in chosen) and not (row.name == "yarn" and target == "check")
    if not named and row.target == "first":
        inner = recognise(argv[first:], rules) if argv[first] != argv[0] else None
        if inner is not None and inner.runner.kind == "runner":
            return inner
    end = at if row.target == "all" else first + 1
    return _options(row, argv, end, target=target, named=named)


def _skipped(row: Runner, argv: tuple[str, ...]) -> bool:
    return any(word in row.lists for word in argv[1:])


def _nx_target(words: tuple[str, ...]) -> str:
    for index, word in enumerate(words):
        option, _, value = word.partition("=")
        if option in ("-t", "--target", "--targets"):
            return value or (words[index + 1] if index + 1 < len(words) else "")
    return ""


def _module(argv: tuple[str, ...]) -> Call | None:
    """``python -m package.tests``."""
    module = argv[2]
    if {word.lower() for word in WORDS.findall(module)} & SCRIPT_WORDS:
        return _options(SCRIPT, argv, 3, target=module, named=True, trusted=False)
    return None


def _script(name: str, argv: tuple[str, ...]) -> Call | None:
    """A file of the project whose name says that it tests: ``./run_tests.sh``, ``perl t/x.t``."""
    interpreted = name in INTERPRETERS
    at = 0
    if interpreted:
        at = next((i for i in range(1, len(argv)) if argv[i][:1] not in ("-", "+")), 0)
        if not at or any(word in ("-c", "-e", "--eval", "-p", "-n", "--check") for word in argv[1:at]):
            return None
    path = argv[at].replace("\\", "/")
    if not interpreted and "/" not in path and not path.lower().endswith(SOURCES):
        return None
    if not is_test_file(path):
        return None
    shell = name in SHELLS or (not interpreted and path.endswith((".sh", ".bash", ".ps1", ".bat", ".cmd")))
    ending = (
        path.rsplit("/", 1)[-1].lower().lstrip(".").rpartition(".")[2:][0]
        if "." in path.rsplit("/", 1)[-1]
        else ""
    )
    row = SCRIPT if interpreted or (ending and ending not in ("exe", "out")) else NAMED_PROGRAM
    trusted = shell and promises_tests(path.rsplit("/", 1)[-1])
    return _options(row, argv, at + 1, target=path, named=True, trusted=trusted)


def _options(
    row: Runner, argv: tuple[str, ...], at: int, *, target: str = "", named: bool, trusted: bool | None = None
) -> Call:
    targets = frozenset(target.split(" ")) if row.target == "all" else frozenset()
    found = sort_arguments(row, argv, at, targets)
    trust = trusted if trusted is not None else named and (row.kind == "runner" or _promising(target))
    return Call(
        row,
        argv,
        named,
        trust,
        found.inert,
        target,
        argv[1:at] + tuple(found.words),
        tuple(found.paths),
        tuple(found.narrowing),
        tuple(found.options),
    )


def _promising(target: str) -> bool:
    return any(promises_tests(word) for word in target.split(" "))


EXITS: dict[int, Exit] = {
    124: Exit("fail", "it ran out of time"),
    126: Exit("nothing", "runner missing: it could not be started"),
    127: Exit("nothing", "runner missing: no such command"),
    130: Exit("unknown", "it was interrupted"),
    134: Exit("fail", "it crashed (abort)"),
    137: Exit("fail", "it was killed"),
    139: Exit("fail", "it crashed (segmentation fault)"),
    143: Exit("fail", "it was terminated"),
}
"""What an exit code means whichever runner it was: the shell's own, and ``timeout``'s."""
