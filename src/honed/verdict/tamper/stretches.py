"""One stretch of a file, and how later edits of the same place are folded into it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from honed.sessions.model import Step

LINE_LIMIT = 1000
"""Characters of a line that are kept; what is longer is data."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """One stretch of a file, as it stood before the task and as it stands after it.

    ``above`` is the nearest text before it that is known: unchanged lines, or the heading the client gave.
    ``below`` are unchanged lines behind it.  ``steps`` are the calls that made it, ``line`` that of the last.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    steps: frozenset[str] = frozenset()
    step_id: str = ""
    line: int = 0


def untrimmed(old: list[str], new: list[str], step: Step) -> Stretch:
    """The change as it is."""
    return Stretch(tuple(old), tuple(new), (), (), frozenset((step.id,)), step.id, step.line)


def clipped(stretch: Stretch) -> Stretch:
    """The stretch with no line longer than ``LINE_LIMIT``."""
    sides = (stretch.old, stretch.new, stretch.above, stretch.below)
    if all(len(line) <= LINE_LIMIT for side in sides for line in side):
        return stretch
    old, new, above, below = (tuple(line[:LINE_LIMIT] for line in side) for side in sides)
    return replace(stretch, old=old, new=new, above=above, below=below)


def trimmed(
    old: list[str],
    new: list[str],
    step: Step,
    above: tuple[str, ...] = (),
    below: tuple[str, ...] = (),
) -> Stretch:
    """The change without the lines that both sides share at their ends: these belong to what is around it."""
    head, shorter = 0, min(len(old), len(new))
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    end = len(old) - tail
    return Stretch(
        tuple(old[head:end]),
        tuple(new[head : len(new) - tail]),
        (*above, *old[:head]),
        (*old[end:], *below),
        frozenset((step.id,)),
        step.id,
        step.line,
    )


def place_of(lines: list[str] | tuple[str, ...], wanted: list[str] | tuple[str, ...]) -> int | None:
    """Where ``wanted`` stands in ``lines`` as whole lines, or ``None``."""
    count = len(wanted)
    if not count:
        return None
    first = wanted[0]
    for at in range(len(lines) - count + 1):
        if lines[at] == first and tuple(lines[at : at + count]) == tuple(wanted):
            return at
    return None


def compose(stretches: list[Stretch], later: Stretch) -> None:
    """Fold ``later`` into the stretches of earlier edits of the same file."""
    for index, earlier in enumerate(stretches):
        at = place_of(earlier.new, later.old)
        if at is not None:
            new = earlier.new[:at] + later.new + earlier.new[at + len(later.old) :]
            stretches[index] = _joined(earlier, later, earlier.old, new)
            return
        if not later.old and later.above and later.above[-1] in earlier.new:
            at = earlier.new.index(later.above[-1]) + 1
            stretches[index] = _joined(
                earlier, later, earlier.old, earlier.new[:at] + later.new + earlier.new[at:]
            )
            return
    for earlier in [s for s in stretches if s.new]:
        at = place_of(later.old, earlier.new)
        if at is not None:
            old = later.old[:at] + earlier.old + later.old[at + len(earlier.new) :]
            later = replace(later, old=old, steps=later.steps | earlier.steps)
            stretches.remove(earlier)
    if later.old != later.new:
        stretches.append(later)


def _joined(earlier: Stretch, later: Stretch, old: tuple[str, ...], new: tuple[str, ...]) -> Stretch:
    return replace(
        later, old=old, new=new, above=earlier.above, below=earlier.below, steps=earlier.steps | later.steps
    )
