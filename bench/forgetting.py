"""Models of forgetting, each as a function that says how well a piece of work is remembered at a time.

A model takes what is known of a piece (when it was learned, of use, when its files were worked on) and now,
all in days, and gives a number: the less, the sooner the piece is forgotten.  Only the order counts.
``MODELS`` names for each the settings that it may be tuned in, so that none is held back by constants that
were made for something else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TypeAlias

from honed.ledger.curve import course, place_need, reliability

try:
    import fsrs
except ImportError:  # only who compares needs it: pip install 'honed[bench]'
    fsrs = None


@dataclass(slots=True)
class Known:
    """What is known of a piece of work, in days, in order."""

    learned: float
    uses: list[float] = field(default_factory=list)
    """When it was given and of verified use."""
    worked: dict[str, float] = field(default_factory=dict)
    """By its files, when work touched each last."""
    touched: list[float] = field(default_factory=list)
    """When work touched any of its files, whether or not it was given then."""


Remembered: TypeAlias = Callable[[Known, float], float]
ByUses: TypeAlias = Callable[[float, Sequence[float], float], float]
"""A model that knows nothing but when a piece was learned and when it was of use, and the time."""
UNITS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Days that a day of a stream may count as: other work goes on at another pace than a model was made for."""
_START = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Model:
    """A model with the settings that are tried; ``units`` are days of one step of a stream."""

    name: str
    make: Callable[[float], Remembered]
    settings: Sequence[float]
    units: Sequence[float] = UNITS
    as_is: bool = False
    """A day of a stream with a clock is a day, as in what ships."""


def honed_strength(_: float) -> Remembered:
    """What honed keeps (``honed.ledger.curve``), with every use a pass."""

    def remembered(known: Known, now: float) -> float:
        since, stability, need = course(known.learned, known.uses, known.worked.values())
        return reliability(len(known.uses), 0) * min(1.0, need * place_need(now - since, stability))

    return remembered


def honed_by_uses(_: float) -> Remembered:
    """The same, not told of work on its files: what that is worth."""

    def remembered(known: Known, now: float) -> float:
        since, stability, need = course(known.learned, known.uses)
        return reliability(len(known.uses), 0) * need * place_need(now - since, stability)

    return remembered


def step_decay(_: float) -> ByUses:
    """skillmem 0.13: what is idle for 14 days loses 15 % of its strength, again and again, down to 0.05; a
    confirmation adds 0.15 of at most 2.  Of equals the last used comes first, as in its lists."""

    def remembered(learned: float, uses: Sequence[float], now: float) -> float:
        strength, last = 1.0, learned
        for at in uses:
            strength = min(2.0, max(0.05, strength * 0.85 ** ((at - last) // 14)) + 0.15)
            last = at
        left: float = max(0.05, strength * 0.85 ** ((now - last) // 14))
        return left + 1e-9 * last

    return remembered


def exponential(growth: float) -> ByUses:
    """Ebbinghaus' curve as most take it: e^-(idle / stability), the stability ``growth`` times as long after
    each repetition, whenever it comes."""

    def remembered(learned: float, uses: Sequence[float], now: float) -> float:
        idle = now - (uses[-1] if uses else learned)
        return -idle / growth ** len(uses)

    return remembered


def base_level(decay: float) -> ByUses:
    """ACT-R: ln of the sum of (time since each use) ^ -decay (Anderson and Schooler 1991)."""

    def remembered(learned: float, uses: Sequence[float], now: float) -> float:
        return math.log(sum(max(now - at, 1e-6) ** -decay for at in (learned, *uses)))

    return remembered


def fsrs_retrievability(rating: float) -> ByUses:
    """FSRS with its default parameters, by its own library: learning and each use are reviews."""
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    grade = fsrs.Rating(int(rating))

    @cache
    def card(*reviews: float) -> fsrs.Card:
        before = card(*reviews[:-1]) if len(reviews) > 1 else fsrs.Card(card_id=1, due=_START)
        return scheduler.review_card(before, grade, _START + timedelta(days=reviews[-1]))[0]

    def remembered(learned: float, uses: Sequence[float], now: float) -> float:
        moment = _START + timedelta(days=now)
        return float(scheduler.get_card_retrievability(card(learned, *uses), moment))

    return remembered


def last_used(_: float) -> ByUses:
    """LRU."""

    def remembered(learned: float, uses: Sequence[float], _now: float) -> float:
        return uses[-1] if uses else learned

    return remembered


def by_uses(make: Callable[[float], ByUses]) -> Callable[[float], Remembered]:
    """A model as it was published: told of the uses."""

    def made(setting: float) -> Remembered:
        model = make(setting)
        return lambda known, now: model(known.learned, known.uses, now)

    return made


def by_work(make: Callable[[float], ByUses]) -> Callable[[float], Remembered]:
    """A model that is told, as uses, of all work that touched a file of the piece."""

    def made(setting: float) -> Remembered:
        model = make(setting)
        return lambda known, now: model(known.learned, known.touched, now)

    return made


OURS = "honed"
FLOOR = "LRU"
_COMPARED: tuple[tuple[str, Callable[[float], ByUses], Sequence[float], Sequence[float]], ...] = (
    ("skillmem's step decay", step_decay, (0,), UNITS),
    ("exponential (Ebbinghaus)", exponential, (1.2, 1.5, 2, 3), (1.0,)),
    ("ACT-R base level", base_level, (0.3, 0.5, 0.8, 1), (1.0,)),
    *((("FSRS (library)", fsrs_retrievability, (3, 4), (0.2, 1.0, 5.0)),) if fsrs else ()),
    (FLOOR, last_used, (0,), (1.0,)),
)
MODELS: tuple[Model, ...] = (
    Model(OURS, honed_strength, (0,), as_is=True),
    *(Model(name, by_uses(make), settings, units) for name, make, settings, units in _COMPARED),
)
"""Each as it was published."""
ABLATIONS: tuple[Model, ...] = (
    Model("honed, uses only", honed_by_uses, (0,), as_is=True),
    *(Model(f"{name}, + work", by_work(make), settings, units) for name, make, settings, units in _COMPARED),
)
"""Ours without what the others are not told, and the others with it."""
