"""The curve of strength in plain numbers: days and shares.  docs/strength.md shows it.

``strength = reliability * need``.  *Reliability* is how surely the skill works, from outside evidence
alone: the mean of the Beta posterior of its passes and failures, less one standard deviation, so that few
trials promise little.  *Need* is how likely it is to be wanted again: ``(1 + idle / stability) ^ -4``, a
power law in the time since the last verified use (Anderson and Schooler 1991, "Reflections of the
environment in memory").  The stability grows with the verified uses, ``45 days * (1 + spaced uses / 2)``,
where a use that comes sooner than ``SPACED`` days after the one before it counts in part: uses that are
spaced last longer (Cepeda et al. 2006, the spacing effect).  Constants were chosen on the dev needs of
``bench.replay``, which holds them against other models on the test needs.

Everything here is closed form in time, both ways, so nothing has to be counted down.  Recall runs
``strength_between``, so this imports what costs nothing (docs/decisions/0004-hot-path.md).
"""

from __future__ import annotations

import math

FIRST = 45.0
"""Days: the stability of what was never used again."""
GROWTH = 0.5
"""Of it, what each spaced use adds."""
SPACED = 2.0
"""Days after which a use counts in full."""
LONGEST = 3650.0
"""Days: no stability is longer."""
DECAY = 4
"""The power of forgetting."""


def reliability(passes: int, failures: int) -> float:
    """How surely it works (0..1): a pass never lowers it and a failure never raises it.

    Mean less standard deviation of Beta(1 + passes, 1 + failures): from a uniform prior.
    """
    good, bad = 1 + passes, 1 + failures
    trials = good + bad
    return good / trials - math.sqrt(good * bad / (trials + 1)) / trials


FRESH = reliability(0, 0)
"""The strength of what was just learned."""
FADED = FRESH / 2**DECAY
"""Below this a skill has faded: what nobody used again, ``FIRST`` days after it was learned."""
ARCHIVED = FRESH / 5**DECAY
"""Below this it is in the archive: the same, ``4 * FIRST`` days after."""
_AHEAD = 1 - (ARCHIVED / FADED) ** (1 / DECAY)


def spaced(gap: float) -> float:
    """What a verified use ``gap`` days after the one before it counts (0..1)."""
    return min(max(gap, 0.0) / SPACED, 1.0)


def stability_of(uses: float) -> float:
    """The stability (days) after so many spaced uses."""
    return min(FIRST * (1 + GROWTH * uses), LONGEST)


def need(idle: float, stability: float) -> float:
    """How likely it is to be wanted again (0..1), ``idle`` days after the last verified use."""
    return float((1 + max(idle, 0.0) / stability) ** -DECAY)


def idle_until(level: float, sure: float, stability: float) -> float:
    """Days after the last verified use at which a strength that began at ``sure`` is down to ``level``.

    Negative for one that began below it: when it would have been there.
    """
    return float(stability * ((sure / level) ** (1 / DECAY) - 1))


def strength_between(sure: float, fades: float, archives: float, now: float) -> float:
    """The strength at ``now`` of a skill that fades and archives at these times, all in days.

    The two times hold all of the curve: ``archives - fades`` is ``stability * sure ^ (1/4)`` times a
    constant, and from there it is read backwards.  ``sure`` is its reliability, which it never exceeds.
    """
    span = (archives - fades) / _AHEAD
    left = archives - now
    if span <= 0:
        return sure if left > 0 else 0.0
    if left >= span:
        return sure
    return min(sure, float(ARCHIVED / (1 - left / span) ** DECAY))


def julian(at: str) -> float:
    """A time (ISO-8601 UTC, to the second) as SQLite's ``julianday`` counts days."""
    year, month, day = int(at[:4]), int(at[5:7]), int(at[8:10])
    early = (14 - month) // 12
    years, months = year + 4800 - early, month + 12 * early - 3
    number = day + (153 * months + 2) // 5 + 365 * years + years // 4 - years // 100 + years // 400 - 32045
    return number - 0.5 + (int(at[11:13]) * 3600 + int(at[14:16]) * 60 + int(at[17:19])) / 86400
