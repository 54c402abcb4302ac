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
    course,
    idle_until,
    reliability,
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
    worked: Sequence[str] = (),
    known_since: str = "",
) -> tuple[str, str]:
    """``(fades_at, archives_at)``, ISO-8601 UTC.

    ``uses`` are the times of its verified uses, in any order; ``passes`` and ``failures`` how many sessions
    spoke for and against it (as many passes as uses unless said).  ``worked`` says for each of its files when
    verified work touched it last, "" where none did since it was learned.  ``known_since`` is when this home
    learned of it: nothing fades before it was known.  A time to live, counted from the learning, ends the
    archive at the latest; the curve is then drawn together so that it ends there.
    """
    learned = parse_instant(learned_at)

    def day(at: str) -> float:
        return (parse_instant(at) - learned) / _DAY if at else 0.0

    sure = reliability(len(uses) if passes is None else passes, failures)
    known = day(known_since) if known_since else 0.0
    since, stability, need = course(0.0, sorted(map(day, uses)), map(day, worked), known)
    if ttl_days is not None:
        since, stability = _drawn_together(since, stability, sure * need, float(ttl_days))
    times = (since + idle_until(level, sure * need, stability) for level in (FADED, ARCHIVED))
    fades, archives = (_after(learned, days) for days in times)
    return fades, archives


def _after(when: datetime, days: float) -> str:
    try:
        return format_instant(when + days * _DAY)
    except OverflowError:  # a transcript may tell of any year
        return format_instant(datetime.max if days > 0 else datetime.min)


def _drawn_together(since: float, stability: float, start: float, end: float) -> tuple[float, float]:
    """Since when (in days) and with what stability a curve that is in the archive by ``end``."""
    longest = idle_until(ARCHIVED, start, 1.0)
    if since >= end or longest <= 0:
        return min(since, end), 0.0
    return since, min(stability, (end - since) / longest)


def strength(skill: Skill, now: str) -> float:
    """How strong a skill is at a time (ISO-8601 UTC): from 0 to 1, ``curve.FRESH`` when just learned
    about one file.

    Pinned skills, and the owner's rules, do not fade: theirs is how surely they work.
    """
    sure = reliability(skill.confirmed, skill.failed)
    if not skill.archives_at:
        return sure
    start = parse_instant(now)
    fades, archives = ((parse_instant(at) - start) / _DAY for at in (skill.fades_at, skill.archives_at))
    return strength_between(sure, fades, archives, 0.0)
