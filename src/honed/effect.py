"""What memory did for sessions: two arms compared, with intervals.  Pure.

Compared are sessions for which something was chosen, in both arms: what was chosen after that may differ
between the arms, whether anything was chosen at all cannot.  Intervals are percentile bootstraps over
sessions (B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13), each arm drawn by
itself; a figure is a ratio of sums, so a mean is one by the number of sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

LEAST = 10
"""Sessions in each arm below which nothing is said."""
DRAWS = 2000
LEVEL = 0.95
METHOD = f"{LEVEL:.0%} percentile bootstrap over sessions, {DRAWS} draws"


@dataclass(frozen=True, slots=True)
class Sample:
    """One session: its arm, and what it came to.

    ``tokens`` were read anew or written, ``cached`` came from a cache (both ``None`` where the client writes
    no usage); ``seconds`` in which something happened; of its ``tasks`` so many were ``verified``.
    """

    held: bool
    project: str
    calls: int
    seconds: int
    tasks: int
    verified: int
    tokens: int | None = None
    cached: int | None = None
    asked: int = 0


@dataclass(frozen=True, slots=True)
class _Measure:
    """A figure of an arm: the sum of ``above`` by the sum of ``below``.  ``known`` says of which sessions."""

    name: str
    above: Callable[[Sample], float]
    below: Callable[[Sample], float]
    known: Callable[[Sample], bool] = lambda _sample: True


def _one(_sample: Sample) -> float:
    return 1.0


MEASURES: tuple[_Measure, ...] = (
    _Measure("tokens", lambda s: float(s.tokens or 0), _one, lambda s: s.tokens is not None),
    _Measure("cached tokens", lambda s: float(s.cached or 0), _one, lambda s: s.cached is not None),
    _Measure("tool calls", lambda s: float(s.calls), _one),
    _Measure("minutes", lambda s: s.seconds / 60, _one),
    _Measure("verified tasks", lambda s: float(s.verified), _one),
    _Measure("share of tasks verified", lambda s: float(s.verified), lambda s: float(s.tasks)),
)
"""Per session, but for the last one."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure: its value in both arms, the difference (given less held back) with its interval, and in
    words what that says.  Values are ``None`` where there is not enough data."""

    measure: str
    given: float | None
    held: float | None
    difference: float | None
    low: float | None
    high: float | None
    says: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What is known of some sessions: how many are in each arm, how many of those held back ``asked`` memory
    themselves, and each measure."""

    given: int
    held: int
    asked: int
    compared: tuple[Compared, ...]

    @property
    def enough(self) -> bool:
        """Whether anything may be said."""
        return min(self.given, self.held) >= LEAST


def effect(samples: Sequence[Sample], seed: int) -> Effect:
    """Compare the arms.  ``seed`` makes the draws: the same data and seed give the same intervals."""
    given = [sample for sample in samples if not sample.held]
    held = [sample for sample in samples if sample.held]
    compared = tuple(_compared(measure, given, held, Random(seed)) for measure in MEASURES)
    return Effect(len(given), len(held), sum(sample.asked > 0 for sample in held), compared)


def by_project(samples: Sequence[Sample], seed: int) -> Mapping[str, Effect]:
    """The same for the sessions of each project, by id."""
    projects = sorted({sample.project for sample in samples})
    return {one: effect([s for s in samples if s.project == one], seed) for one in projects}


def _compared(measure: _Measure, given: Sequence[Sample], held: Sequence[Sample], random: Random) -> Compared:
    arms = [[s for s in arm if measure.known(s)] for arm in (given, held)]
    pairs = [[(measure.above(s), measure.below(s)) for s in arm] for arm in arms]
    values = [_ratio(arm) for arm in pairs]
    if min(map(len, pairs)) < LEAST or values[0] is None or values[1] is None:
        said = f"not enough data: {len(pairs[0])} and {len(pairs[1])} sessions, at least {LEAST} each"
        return Compared(measure.name, None, None, None, None, None, said)
    drawn = sorted(_draws(pairs[0], pairs[1], random))
    edge = (1 - LEVEL) / 2
    low, high = drawn[int(edge * len(drawn))], drawn[min(len(drawn) - 1, int((1 - edge) * len(drawn)))]
    difference = values[0] - values[1]
    says = "no difference shown" if low <= 0 <= high else "lower" if high < 0 else "higher"
    return Compared(measure.name, values[0], values[1], difference, low, high, says)


def _draws(
    given: Sequence[tuple[float, float]], held: Sequence[tuple[float, float]], random: Random
) -> list[float]:
    found = []
    for _ in range(DRAWS):
        one, other = (_ratio(random.choices(arm, k=len(arm))) for arm in (given, held))
        # A draw of sessions without any task says nothing of a share of tasks.
        if one is not None and other is not None:
            found.append(one - other)
    return found


def _ratio(pairs: Sequence[tuple[float, float]]) -> float | None:
    below = sum(pair[1] for pair in pairs)
    return sum(pair[0] for pair in pairs) / below if below else None
