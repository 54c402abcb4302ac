"""What the table of runners is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from honed.verdict.model import RunOutcome

Kind = Literal["runner", "task", "script"]
"""``runner`` runs tests whenever it runs; ``task`` runs whatever its target stands for (npm, make);
``script`` is a file that the project itself wrote."""

Target = Literal["", "first", "all"]
"""Which operands of a task runner are its targets: none (the words of ``calls`` name it), the first, all."""


@dataclass(frozen=True, slots=True)
class Exit:
    """What a special exit code of a runner means."""

    outcome: RunOutcome
    reason: str


@dataclass(frozen=True, slots=True)
class Runner:
    """One row: how a runner is called, what its options mean, how it sums up.

    ``calls`` are forms of the command line after launchers, words separated by blanks: ``a/b`` either
    word, ``*word`` anywhere among the operands, ``--word`` an option in front of the first operand.
    ``lists`` options with which no test runs.  ``narrows`` take a value and choose tests,
    ``narrow_flags`` choose without one; ``values`` take a value and choose nothing.  ``noise`` options
    change neither what is run nor how it ends, ``noise_values`` likewise with a value: both are left
    out of the check; a trailing ``*`` stands for any ending.  ``operands``: whether words that are no
    options choose tests.  ``exits``: special exit codes.  ``grammars``: summaries to look for, all of
    them when empty.  ``recursive``: started in a directory it runs all below it.  ``silent``: says nothing
    when all is well.
    """

    name: str
    calls: tuple[str, ...]
    grammars: tuple[str, ...] = ()
    kind: Kind = "runner"
    target: Target = ""
    lists: frozenset[str] = frozenset()
    narrows: frozenset[str] = frozenset()
    narrow_flags: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    noise: tuple[str, ...] = ()
    noise_values: frozenset[str] = frozenset()
    operands: bool = True
    exits: Mapping[int, Exit] = field(default_factory=dict)
    recursive: bool = False
    silent: bool = False


HELP = "--help -h --version"


def runner(
    name: str,
    calls: str,
    grammars: str = "",
    *,
    kind: Kind = "runner",
    target: Target = "",
    lists: str = "",
    narrows: str = "",
    flags: str = "",
    values: str = "",
    noise: str = "",
    noise_values: str = "",
    operands: bool = True,
    exits: Mapping[int, Exit] | None = None,
    recursive: bool = False,
    silent: bool = False,
) -> Runner:
    """A row from strings: ``calls`` and ``grammars`` separated by ``|``, options by blanks."""
    return Runner(
        name=name,
        calls=tuple(call.strip() for call in calls.split("|")),
        grammars=tuple(word.strip() for word in grammars.split("|") if word.strip()),
        kind=kind,
        target=target,
        lists=frozenset(f"{lists} {HELP}".split()),
        narrows=frozenset(narrows.split()),
        narrow_flags=frozenset(flags.split()),
        values=frozenset(values.split()),
        noise=tuple(noise.split()),
        noise_values=frozenset(noise_values.split()),
        operands=operands,
        exits=exits or {},
        recursive=recursive,
        silent=silent,
    )
