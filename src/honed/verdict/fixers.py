"""Which formatter, generator, package manager or task a command is, and what it changes.

The interpreter of ``fixer_table``.
"""

from __future__ import annotations

from honed.verdict.fixer_table import (
    FIXING_TASK,
    GENERATING_TASK,
    LOOKING_TASK,
    ROWS,
    SNAPSHOT_FLAGS,
    SNAPSHOT_RUNNERS,
    SNAPSHOT_SHORT_FLAGS,
    SNAPSHOT_TEST_RUNNERS,
    SNAPSHOT_VARIABLE,
    TASK_RUNNERS,
    Fixer,
)
from honed.verdict.writing import Call, How


def _by_program() -> dict[str, tuple[Fixer, ...]]:
    rows: dict[str, list[Fixer]] = {}
    for row in ROWS:
        rows.setdefault(row.words[0], []).append(row)
    return {name: tuple(sorted(each, key=lambda row: -len(row.words))) for name, each in rows.items()}


_FIXERS = _by_program()
FIXING_PROGRAMS = frozenset(_FIXERS) | frozenset(TASK_RUNNERS)
"""The programs that the table knows."""


def add_fixes(call: Call, name: str, *, tasks: bool, known: bool) -> None:
    """Adds what the program ``name`` formats, generates or installs.

    ``tasks``: its first word may be the name of a task; ``known``: some table knows the program.
    """
    argv = call.argv
    for row in _FIXERS.get(name, ()):
        if argv[1 : len(row.words)] == row.words[1:] and _fixes(call, row):
            break
    else:
        if name in TASK_RUNNERS or tasks:
            _task(call, name, tasks=tasks)
        elif not known:
            _unknown_program(call)
    if _rewrites_snapshots(call, name):
        call.add(None, "generator", "snapshots", certain=False)


def _fixes(call: Call, row: Fixer) -> bool:
    """Adds what a formatter, generator or package manager changes; whether the row applied."""
    options = call.options()
    words = frozenset(call.argv[len(row.words) :])
    if (row.needs and not options & row.needs) or (options | words) & row.unless:
        return False
    files = call.operands(row.values, len(row.words)) if row.files else []
    if files and row.how == "formatter":
        call.add_files(files, row.how, certain=False)
    else:
        call.add(None, row.how, certain=False)
    return True


def _task(call: Call, name: str, *, tasks: bool) -> None:
    """``npm run lint:fix``, ``make fmt``, ``mise run generate``: known by the task's name."""
    words = call.argv[1:] if not tasks else call.argv
    subcommands = TASK_RUNNERS.get(name, ())
    if not tasks and subcommands and words[:1] and words[0] in subcommands:
        words = words[1:]
    elif not tasks and subcommands and "" not in subcommands:
        return
    for word in words:
        if word == "--":
            break
        if word[:1] == "-" or "=" in word or LOOKING_TASK.search(word):
            continue
        how: How | None = "formatter" if FIXING_TASK.search(word) else None
        how = how or ("generator" if GENERATING_TASK.search(word) else None)
        if how:
            call.add(None, how, certain=False)
            return
    if "--" in words:
        given = words[words.index("--") + 1 :]
        if "--fix" in given or "--write" in given:
            call.add(None, "formatter", certain=False)


def _unknown_program(call: Call) -> None:
    """What options and subcommands mean nearly everywhere."""
    if "--fix" in call.argv or "-fix" in call.argv:
        call.add(None, "formatter", certain=False)
    elif call.argv[1:2] in (("generate",), ("codegen",)):
        call.add(None, "generator", certain=False)


def _rewrites_snapshots(call: Call, name: str) -> bool:
    """Whether a test runner is told to write what it should compare with."""
    words = call.argv[1:]
    if any(SNAPSHOT_VARIABLE.match(variable) and value for variable, value in call.simple.assignments):
        return True
    if any(word in SNAPSHOT_FLAGS for word in words):
        return True
    runs_tests = name in SNAPSHOT_RUNNERS or (name in SNAPSHOT_TEST_RUNNERS and "test" in words)
    return runs_tests and any(word in SNAPSHOT_SHORT_FLAGS for word in words)
