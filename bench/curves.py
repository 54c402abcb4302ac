"""The pictures of docs/strength.md that need no data (see ``bench.pictures``)."""

from __future__ import annotations

from bench.forgetting import MODELS, OURS
from bench.pictures import Line, chart
from honed.ledger.curve import ARCHIVED, FADED, need, reliability, spaced, stability_of

DAYS = 400
STEP = 4
HISTORIES: tuple[tuple[str, tuple[int, ...], int], ...] = (
    ("never used again", (), 0),
    ("one use on day 30", (30,), 0),
    ("three uses in one hour", (30, 30, 30), 0),
    ("three uses, 30 days apart", (30, 60, 90), 0),
    ("the same, failed once since", (30, 60, 90), 1),
)
"""Name, days of verified uses, failures (on day 120)."""
FAILED_ON = 120


def _strength(uses: tuple[int, ...], failures: int, day: float) -> float:
    done = [at for at in uses if at <= day]
    last, counted = 0.0, 0.0
    for at in done:
        counted, last = counted + spaced(at - last), float(at)
    sure = reliability(len(done), failures if day >= FAILED_ON else 0)
    return sure * need(day - last, stability_of(counted))


def pictures() -> dict[str, str]:
    """SVG by name: honed's own curve for some histories, and each model's for one history."""
    days = range(0, DAYS + 1, STEP)
    own = [
        Line(name, [(day, _strength(uses, failures, day)) for day in days])
        for name, uses, failures in HISTORIES
    ]
    others = []
    for model in MODELS:
        if model.name not in ("LRU",):
            remembered = model.make(model.settings[len(model.settings) // 2])
            values = [
                (float(day), remembered(0.0, [at for at in (30.0, 60.0, 90.0) if at <= day], day + 1.0))
                for day in days
            ]
            low, high = min(value for _, value in values), max(value for _, value in values)
            spread = (high - low) or 1.0
            points = [(day, (value - low) / spread) for day, value in values]
            others.append(Line("honed" if model.name == OURS else model.name, points))
    marks = ((FADED, "faded"), (ARCHIVED, "archived"))
    return {
        "strength": chart(own, "days since it was learned", "strength", marks),
        "models": chart(others, "days; used on days 30, 60 and 90", "remembered, lowest 0 to highest 1"),
    }
