"""Models of forgetting, each as a function that says how well a piece of work is remembered at a time.

A model takes when a piece was learned, when it was of use since, and now (all in days), and gives a number:
the less, the sooner the piece is forgotten.  Only the order counts.  ``MODELS`` names for each the settings
that it may be tuned in, so that none is held back by constants that were made for something else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TypeAlias

from honed.ledger.curve import need, reliability, spaced, stability_of

try:
    import fsrs
except ImportError:  # only who compares needs it: pip install 'honed[bench]'
    fsrs = None

Remembered: TypeAlias = Callable[[float, Sequence[float], float], float]
UNITS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Days that one piece of work may stand for: the streams know an order and no clock."""
_START = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Model:
    """A model with the settings that are tried; ``units`` are days of one step of a stream."""

    name: str
    make: Callable[[float], Remembered]
    settings: Sequence[float]
    units: Sequence[float] = UNITS


def honed_strength(_: float) -> Remembered:
    """What honed keeps (``honed.ledger.curve``), with every use a pass."""

    def remembered(learned: float, uses: Sequence[float], now: float) -> float:
        last, counted = learned, 0.0
        for at in uses:
            counted, last = counted + spaced(at - last), at
        return reliability(len(uses), 0) * need(now - last, stability_of(counted))

    return remembered


def step_decay(_: float) -> Remembered:
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


def exponential(growth: float) -> Remembered:
    """Ebbinghaus' curve as most take it: e^-(idle / stability), the stability ``growth`` times as long after
    each repetition, whenever it comes."""

    def remembered(learned: float, uses: Sequence[float], now: float) -> float:
        idle = now - (uses[-1] if uses else learned)
        return -idle / growth ** len(uses)

    return remembered


def base_level(decay: float) -> Remembered:
    """ACT-R: ln of the sum of (time since each use) ^ -decay (Anderson and Schooler 1991)."""

    def remembered(learned: float, uses: Sequence[float], now: float) -> float:
        return math.log(sum(max(now - at, 1e-6) ** -decay for at in (learned, *uses)))

    return remembered


def fsrs_retrievability(rating: float) -> Remembered:
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


def last_used(_: float) -> Remembered:
    """LRU."""

    def remembered(learned: float, uses: Sequence[float], _now: float) -> float:
        return uses[-1] if uses else learned

    return remembered


OURS = "honed"
FLOOR = "LRU"
MODELS: tuple[Model, ...] = (
    Model(OURS, honed_strength, (0,)),
    Model("skillmem's step decay", step_decay, (0,)),
    Model("exponential (Ebbinghaus)", exponential, (1.2, 1.5, 2, 3), (1.0,)),
    Model("ACT-R base level", base_level, (0.3, 0.5, 0.8, 1), (1.0,)),
    *((Model("FSRS (library)", fsrs_retrievability, (3, 4)),) if fsrs else ()),
    Model(FLOOR, last_used, (0,), (1.0,)),
)
