"""The curve of strength in plain numbers: days and shares.  docs/strength.md shows it.

``strength = reliability * need``.  *Reliability* is how surely the skill works, from outside evidence
alone: the mean of the Beta posterior of its passes and failures (the work that taught it is the first pass),
less one standard deviation, so that few trials promise little.

*Need* is how likely it is to be wanted again.  A skill is wanted where its files are worked on, so each of
them is a place, remembered by itself: by ``(1 + idle / stability) ^ -4``, a power law in the time since
verified work touched it, the skill's own uses included (Anderson and Schooler 1991, "Reflections of the
environment in memory"); the need is half the sum over its places, 1 at most.  The stability grows with the
skill's own verified uses, ``45 days * (1 + spaced uses / 4)``, where a use that comes sooner than ``SPACED``
days after the one before it counts in part: uses that are spaced last longer (Cepeda et al. 2006, the spacing
effect).  Constants and form were chosen on the streams for tuning of ``bench.replay``.

Everything here is closed form in time, both ways, so nothing has to be counted down.  Recall runs
``strength_between``, so this imports what costs nothing (docs/decisions/0004-hot-path.md).
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST = 45.0
"""Days: the stability of what was never used again."""
GROWTH = 0.25
"""Of it, what each spaced use adds."""
SPACED = 2.0
"""Days after which a use counts in full."""
LONGEST = 3650.0
"""Days: no stability is longer."""
DECAY = 4
"""The power of forgetting."""
PLACES = 2
"""So many places that were worked on just now make it certain that a skill is wanted again."""
MOST_PLACES = 12
"""So many of a skill's places count, those last worked on: as many files as a procedure has at most."""


def reliability(passes: int, failures: int) -> float:
    """How surely it works (0..1): a pass never lowers it and a failure never raises it.

    Mean less standard deviation of Beta(2 + passes, 1 + failures): from a uniform prior and the one verified
    task, or the word of who wrote it, that it comes from.
    """
    good, bad = 2 + passes, 1 + failures
    trials = good + bad
    return good / trials - math.sqrt(good * bad / (trials + 1)) / trials


FRESH = reliability(0, 0) / PLACES
"""The strength of what was just learned about one place."""
FADED = FRESH / 2**DECAY
"""Below this a skill has faded: one of one place where nobody worked again, after ``FIRST`` days."""
ARCHIVED = FRESH / 5**DECAY
"""Below this it is in the archive: the same, ``4 * FIRST`` days after."""
_AHEAD = 1 - (ARCHIVED / FADED) ** (1 / DECAY)


def spaced(gap: float) -> float:
    """What a verified use ``gap`` days after the one before it counts (0..1)."""
    return min(max(gap, 0.0) / SPACED, 1.0)


def stability_of(uses: float) -> float:
    """The stability (days) after so many spaced uses."""
    return min(FIRST * (1 + GROWTH * uses), LONGEST)


def place_need(idle: float, stability: float) -> float:
    """How well a place is remembered (0..1), ``idle`` days after it was last worked on."""
    return float((1 + max(idle, 0.0) / stability) ** -DECAY)


def course(
    learned: float, uses: Iterable[float], worked: Iterable[float] = (), known: float = -math.inf
) -> tuple[float, float, float]:
    """``(since, stability, need)``: from the last work on, the need is ``need * place_need(now - since,
    stability)``, and 1 at most.

    All in days.  ``uses`` are when it was of verified use, in order; ``worked`` for each of its places when
    verified work touched it last (none: the skill is its own only place).  Its learning and its uses are work
    on all of them, and nothing fades before it was ``known``.

    At the last work the need is the sum over the places; from then on all of them count as old as they are
    on (power) average, so that the whole curve is closed form.  One more piece of work never lowers it at any
    time: of ``n`` places the average moves on by no more than the time between, as long as
    ``n ^ (1/4) * (S - 1) / S ^ (5/4) <= 1`` for the sum ``S`` of their needs.  That holds for any S where
    n is 12 or less.
    """
    touched, counted = learned, 0.0
    for at in uses:
        counted += spaced(at - touched)
        touched = max(touched, at)
    touched = max(touched, known)
    places = sorted((max(touched, at) for at in worked), reverse=True)[:MOST_PLACES] or [touched]
    last, stability = places[0], stability_of(counted)
    average = sum(place_need(last - at, stability) for at in places) / len(places)
    since = last - stability * (average ** (-1 / DECAY) - 1)
    return since, stability, len(places) / PLACES


def idle_until(level: float, start: float, stability: float) -> float:
    """Days after the last verified work at which a strength that began at ``start`` is down to ``level``.

    Negative for one that began below it: when it would have been there.
    """
    return float(stability * ((start / level) ** (1 / DECAY) - 1))


def strength_between(sure: float, fades: float, archives: float, now: float) -> float:
    """The strength at ``now`` of a skill that fades and archives at these times, all in days.

    The two times hold all of the curve: ``archives - fades`` is ``stability * start ^ (1/4)`` times a
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
