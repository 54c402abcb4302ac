"""What a table of summaries is made of: ``Line`` and ``Grammar``, and short ways to write them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["count", "good", "bad", "empty", "usage", "crash", "stopped", "missing", "step_failed"]
"""What a line says.

``count``       a number of passed, failed, skipped ... tests (or of one test, one package).
``good``        success in words ("OK", "All tests passed!").   ``bad`` failure in words.
``empty``       no test was found or selected.   ``usage`` the runner refused its arguments.
``crash``       the runner or the build broke down.   ``stopped`` somebody interrupted it.
``missing``     the program, script or module does not exist here: nothing ran.
``step_failed`` a task runner says that one of its steps failed; group ``w`` names the step.
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of line.

    ``cues`` are literals of which one must stand in the line; ``pattern`` must match from its start
    (leading blanks are gone).  Groups ``p f s e t`` hold numbers; ``read`` "pairs" takes every
    "3 failed" of the match instead, "labels" every "Failed: 3".  A ``count`` without any number
    stands for one: ``one`` names its slot.  Of several ``level``s the highest that speaks is counted.
    ``whole`` says that failures would stand in this line, though the pattern does not name them.
    """

    kind: Kind
    cues: tuple[str, ...]
    pattern: str
    read: Literal["groups", "pairs", "labels"] = "groups"
    level: int = 2
    one: str = ""
    whole: bool = False

    @property
    def complete(self) -> bool:
        """Whether the line would show failures as well, if there were any."""
        return self.whole or self.read != "groups" or ("(?P<p>" in self.pattern and "(?P<f>" in self.pattern)


@dataclass(frozen=True, slots=True)
class Grammar:
    """How one runner sums up.

    ``failing`` are lines of a failing run, the form of its summary first: they tell whether a filter
    would have let a failure through; ``passing`` likewise for success.  ``alone``: forms of failure
    that the first form does not tell (a suite that crashed).  ``always``: a line that no
    failing run lacks, however it failed, so that its absence says something.  ``names`` are multi-line
    patterns whose group ``n`` is a failing test.  ``distinct``: its summary is unmistakable, so that
    it proves a run of tests even behind a program nobody knows.  ``failures_first``: failures are
    printed above the number that passed; ``fails_last``: a failing run ends with a line that says so.
    ``parts``: several counted summaries make one run.  ``yields``: its numbers count only where no
    other grammar counted.
    """

    name: str
    lines: tuple[Line, ...]
    failing: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    always: str = ""
    names: tuple[str, ...] = ()
    distinct: bool = True
    failures_first: bool = False
    fails_last: bool = False
    parts: bool = False
    yields: bool = False


def count(cues: str, pattern: str, level: int = 2, one: str = "", *, whole: bool = False) -> Line:
    """Numbers in the groups ``p f s e t``.  ``cues`` are separated by ``|``."""
    return Line("count", tuple(cues.split("|")), pattern, "groups", level, one, whole)


def pairs(cues: str, pattern: str, level: int = 2) -> Line:
    """Numbers before their words: "3 failed, 9 passed"."""
    return Line("count", tuple(cues.split("|")), pattern, "pairs", level)


def labels(cues: str, pattern: str, level: int = 2) -> Line:
    """Numbers behind their words: "Tests: 4, Failures: 1"."""
    return Line("count", tuple(cues.split("|")), pattern, "labels", level)


def said(kind: Kind, cues: str, pattern: str, level: int = 2) -> Line:
    """A line in words."""
    return Line(kind, tuple(cues.split("|")), pattern, "groups", level)
