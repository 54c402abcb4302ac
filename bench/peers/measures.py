"""What is counted: ranks, percentiles, paired intervals, and how a share is written."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

DEPTH = 10
"""Hits that are looked at."""
RESAMPLES = 1000

Item = TypeVar("Item")


def rank_of(found: Sequence[str], relevant: Iterable[str]) -> int | None:
    """The place (from 1) of the first relevant hit among the first ``DEPTH``."""
    wanted = set(relevant)
    return next((place for place, key in enumerate(found[:DEPTH], 1) if key in wanted), None)


def hit_share(ranks: Sequence[int | None], first: int) -> float:
    """The share of queries with a relevant hit among the first ``first``."""
    return sum(rank is not None and rank <= first for rank in ranks) / max(1, len(ranks))


def reciprocal(rank: int | None) -> float:
    """One query's part of the mean reciprocal rank."""
    return 1 / rank if rank else 0.0


def mean(values: Sequence[float]) -> float:
    """0 for nothing."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that at least ``share`` (0..1) of ``values`` do not exceed; 0 for nothing."""
    if not values:
        return 0.0
    ordered = sorted(values)
    place = -(-len(ordered) * share // 1)
    return ordered[max(0, min(len(ordered), int(place)) - 1)]


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean of paired differences; the same for the same input."""
    if not differences:
        return 0.0, 0.0
    rng = random.Random(20260504)
    means = sorted(mean(rng.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def sample(items: Sequence[Item], most: int | None, name: Callable[[Item], str]) -> list[Item]:
    """At most ``most`` of ``items``, in their order: always the same, chosen by a hash of their names."""
    if most is None or len(items) <= most:
        return list(items)
    chosen = sorted(items, key=lambda item: hashlib.sha256(name(item).encode()).hexdigest())[:most]
    names = {name(item) for item in chosen}
    return [item for item in items if name(item) in names]


def share(part: int, whole: int) -> str:
    """``part/whole`` and what that is in percent."""
    return f"{part}/{whole} ({100 * part / whole:.0f} %)" if whole else "-"
