"""One test command with all that is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from honed.verdict.filters import View
from honed.verdict.model import Counts
from honed.verdict.runners import Call, Rules
from honed.verdict.sightings import Sighted
from honed.verdict.status import Said
from honed.verdict.summaries import Reading


@dataclass(frozen=True, slots=True)
class Step:
    """One shell step as ``interpret`` was given it."""

    sighted: Sighted
    exit_code: int | None
    text: str
    ran: bool
    truncated: bool
    rules: Rules


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is known of one test command.

    ``text`` is its stretch of the output, ``reading`` what its runner said there, ``notes`` what shells
    and task runners said.  ``tests`` counts the test commands of the line, ``sharing`` those of the same
    runner that share the stretch.
    """

    call: Call
    view: View
    said: Said
    reading: Reading
    notes: Reading
    text: str
    step: Step
    tests: int
    sharing: int = 1
    rounds: int | None = 1
    """How often it ran, ``None`` in a loop of unknown length."""

    tool_before: bool = False
    """A build by the same tool stands in front of it, and may be what broke down."""

    @property
    def passed(self) -> int:
        """How many tests passed by the runner's own count."""
        return self.reading.counts.passed or 0


def numbers(counts: Counts) -> str:
    """The counts in words: "3 passed, 1 failed"."""
    parts = (
        (counts.passed, "passed"),
        (counts.failed, "failed"),
        (counts.errors, "errors"),
        (counts.skipped, "skipped"),
    )
    return ", ".join(
        f"{number} {word}" for number, word in parts if number or (word == "passed" and number is not None)
    )
