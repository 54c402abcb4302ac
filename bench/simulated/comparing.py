"""Paired comparison of an arm with no memory: differences, intervals, harm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean

from bench.simulated.costs import HARM_TOKENS

DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one arm came to in one task; ``repository`` is what an interval is drawn over."""

    repository: str
    task: str
    stranger: bool
    success: bool
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Pair:
    """The same task without memory and with an arm's."""

    without: Outcome
    arm: Outcome

    @property
    def harmed(self) -> bool:
        """As docs/simulated.md says."""
        if self.without.success != self.arm.success:
            return self.without.success
        return self.is_longer or self.arm.tokens > HARM_TOKENS * self.without.tokens

    @property
    def is_longer(self) -> bool:
        """Whether it failed where it succeeds without memory, or took more calls."""
        if self.without.success != self.arm.success:
            return self.without.success
        return self.arm.calls > self.without.calls


def share_saved(pairs: Sequence[Pair], of: str) -> float:
    """By which share the arm's sum of ``calls`` or ``tokens`` is less than that without memory."""
    before = sum(getattr(pair.without, of) for pair in pairs)
    return float(1 - sum(getattr(pair.arm, of) for pair in pairs) / before) if before else 0.0


def interval(
    pairs: Sequence[Pair], figure: Callable[[Sequence[Pair]], float], seed: int
) -> tuple[float, float]:
    """95 % percentile bootstrap of a figure over repositories."""
    random = Random(seed)
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.without.repository, []).append(pair)
    names = list(groups)
    drawn = sorted(
        figure([pair for name in random.choices(names, k=len(names)) for pair in groups[name]])
        for _ in range(DRAWS)
    )
    return drawn[int(0.025 * DRAWS)], drawn[int(0.975 * DRAWS) - 1]


def success(pairs: Sequence[Pair]) -> tuple[float, float]:
    """The share of tasks that succeeded without memory and with the arm's."""
    return mean(pair.without.success for pair in pairs), mean(pair.arm.success for pair in pairs)


def harm(pairs: Sequence[Pair]) -> float:
    """The share of tasks that were harmed."""
    return mean(pair.harmed for pair in pairs)


def longer(pairs: Sequence[Pair]) -> float:
    """The share of tasks that failed by it or took more calls: what is left of the harm is tokens alone."""
    return mean(pair.is_longer for pair in pairs)
