"""The pictures of docs/strength.md that need no data (see ``bench.pictures``)."""

from __future__ import annotations

from dataclasses import dataclass

from bench.forgetting import MODELS, OURS, Known
from bench.pictures import Line, chart
from honed.ledger.curve import ARCHIVED, FADED, course, place_need, reliability

DAYS = 400
STEP = 4


@dataclass(frozen=True, slots=True)
class History:
    """What became of a skill: days of its verified uses, of work on its one file, and of a failure."""

    name: str
    uses: tuple[int, ...] = ()
    worked: tuple[int, ...] = ()
    failed: int | None = None


HISTORIES = (
    History("never used again"),
    History("never, but its file worked on", worked=(40, 80, 120)),
    History("one use on day 30", (30,)),
    History("three uses in one hour", (30, 30, 30)),
    History("three uses, 30 days apart", (30, 60, 90)),
    History("the same, failed once since", (30, 60, 90), failed=120),
)


def _strength(history: History, day: float) -> float:
    done = [at for at in history.uses if at <= day]
    worked = [max((at for at in history.worked if at <= day), default=0)]
    since, stability, need = course(0.0, done, worked)
    sure = reliability(len(done), history.failed is not None and day >= history.failed)
    return sure * min(1.0, need * place_need(day - since, stability))


def _used(day: float) -> Known:
    """Known on a day of what is used on days 30, 60 and 90."""
    uses = [at for at in (30.0, 60.0, 90.0) if at <= day]
    return Known(0.0, uses, {"file": max(uses, default=0.0)}, uses)


def pictures() -> dict[str, str]:
    """SVG by name: honed's own curve for some histories, and each model's for one history."""
    days = range(0, DAYS + 1, STEP)
    own = [Line(history.name, [(day, _strength(history, day)) for day in days]) for history in HISTORIES]
    others = []
    for model in MODELS:
        if model.name not in ("LRU",):
            remembered = model.make(model.settings[len(model.settings) // 2])
            values = [(float(day), remembered(_used(day), day + 1.0)) for day in days]
            low, high = min(value for _, value in values), max(value for _, value in values)
            spread = (high - low) or 1.0
            points = [(day, (value - low) / spread) for day, value in values]
            others.append(Line("honed" if model.name == OURS else model.name, points))
    marks = ((FADED, "faded"), (ARCHIVED, "archived"))
    return {
        "strength": chart(own, "days since it was learned", "strength", marks),
        "models": chart(others, "days; used on days 30, 60 and 90", "remembered, lowest 0 to highest 1"),
    }
