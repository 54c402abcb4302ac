"""When a skill fades: a pure, closed-form function of its confirmations.

A first, simple model, to be replaced by a measured one.  A skill stays fresh for a *stability* that
starts at ``FIRST`` days and grows with each confirmation by the time that has passed since the last
one, at most by itself (confirmations that are spaced last longer, the spacing effect).  It fades when
the stability has passed since the last confirmation and is archived when ``ARCHIVE`` times that has.
Nothing depends on when or how often anybody looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from honed.ledger.canonical import format_instant, parse_instant

FIRST = timedelta(days=45)
ARCHIVE = 4
LONGEST = timedelta(days=3650)


def fading(learned_at: str, confirmations: Sequence[str], ttl_days: int | None) -> tuple[str, str]:
    """``(fades_at, archives_at)``, ISO-8601 UTC.

    ``confirmations`` are the times of the counting confirmations in order; a time to live ends both,
    counted from the learning.
    """
    learned = parse_instant(learned_at)
    last, stability = learned, FIRST
    for at in confirmations:
        when = parse_instant(at)
        stability = min(stability + min(max(when - last, timedelta()), stability), LONGEST)
        last = max(last, when)
    fades, archives = last + stability, last + ARCHIVE * stability
    if ttl_days is not None:
        end = learned + timedelta(days=ttl_days)
        fades, archives = min(fades, end), min(archives, end)
    return format_instant(fades), format_instant(archives)
