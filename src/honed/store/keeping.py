"""Which copies are worth keeping: by number and by age.  Pure.

The newest few always; behind them one of each day of a week, then one of each week, and none that is too
old.  So ten copies made in one busy hour do not push out the one of last month.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

NEWEST = 4
DAILY = timedelta(days=7)
"""How far back one copy a day is kept; behind that one a week."""
OLDEST = timedelta(days=90)
MOST = 12
"""Copies in all."""


def worth_keeping(copies: Sequence[tuple[datetime, str]], now: datetime) -> list[str]:
    """The names to keep of ``(time, name)``, which come the newest first.

    The newest is kept whatever its age.  A copy of a time to come (the clock was set back) is as new as now.
    """
    kept: list[str] = []
    seen: set[tuple[str, int]] = set()
    for place, (made, name) in enumerate(copies):
        age = max(now - made, timedelta())
        day = made.toordinal()
        # Weeks of the calendar, not of age: what stands for a week goes on standing for it.
        slot = ("day", day) if age < DAILY else ("week", day // 7)
        if place < NEWEST or slot not in seen:
            if place == 0 or (age <= OLDEST and len(kept) < MOST):
                kept.append(name)
        seen.add(slot)
    return kept
