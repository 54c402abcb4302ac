"""How strong a skill is, and when it fades: pure functions of its evidence and the time.

The curve is ``honed.ledger.curve``; here it meets calendars and times to live.  Kept are only the two times
at which it passes a threshold, and everything is read back from those: nothing depends on when or how
often anybody looks, and running maintenance twice, late or never changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from honed.ledger.canonical import format_instant, parse_instant
from honed.ledger.curve import (
    ARCHIVED,
    FADED,
    idle_until,
    reliability,
    spaced,
    stability_of,
    strength_between,
)
from honed.skills.model import Skill

_DAY = timedelta(days=1)


def fading(
    learned_at: str,
    uses: Sequence[str],
    ttl_days: int | None,
    *,
    failures: int = 0,
    passes: int | None = None,
    known_since: str = "",
) -> tuple[str, str]:
    """``(fades_at, archives_at)``, ISO-8601 UTC.

    ``uses`` are the times of its verified uses, in any order; ``passes`` and ``failures`` how many sessions
    spoke for and against it (as many passes as uses unless said).  ``known_since`` is when this home
    learned of it: nothing fades before it was known.  A time to live, counted from the learning, ends the
    archive at the latest; the curve is then drawn together so that it ends there.
    """
    learned = parse_instant(learned_at)
    sure = reliability(len(uses) if passes is None else passes, failures)
    last, counted = learned, 0.0
    for when in sorted(parse_instant(at) for at in uses):
        counted += spaced((when - last) / _DAY)
        last = max(last, when)
    stability = stability_of(counted)
    if known_since:
        last = max(last, parse_instant(known_since))
    if ttl_days is not None:
        last, stability = _drawn_together(last, stability, sure, learned + timedelta(days=ttl_days))
    fades, archives = (_after(last, idle_until(level, sure, stability)) for level in (FADED, ARCHIVED))
    return fades, archives


def _after(when: datetime, days: float) -> str:
    try:
        return format_instant(when + days * _DAY)
    except OverflowError:  # a transcript may tell of any year
        return format_instant(datetime.max if days > 0 else datetime.min)


def _drawn_together(last: datetime, stability: float, sure: float, end: datetime) -> tuple[datetime, float]:
    """The last use and the stability of a curve that is in the archive by ``end``."""
    longest = idle_until(ARCHIVED, sure, 1.0)
    if last >= end or longest <= 0:
        return min(last, end), 0.0
    return last, min(stability, (end - last) / _DAY / longest)


def strength(skill: Skill, now: str) -> float:
    """How strong a skill is at a time (ISO-8601 UTC): from 0 to 1, ``curve.FRESH`` when just learned.

    Pinned skills, and the owner's rules, do not fade: theirs is how surely they work.
    """
    sure = reliability(skill.confirmed, skill.failed)
    if not skill.archives_at:
        return sure
    start = parse_instant(now)
    fades, archives = ((parse_instant(at) - start) / _DAY for at in (skill.fades_at, skill.archives_at))
    return strength_between(sure, fades, archives, 0.0)
