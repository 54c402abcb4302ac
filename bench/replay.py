"""How much of what is needed again is still there: forgetting, replayed on streams of real fixes.

A stream is the bug fixes of one repository in their order.  Each one is a skill from then on; a later issue
needs the earlier fixes that changed one of its files.  There is room for so many active skills, the budget;
when it is full, the one that the model remembers least is archived for good.  Of the needed ones that are
active, three (those that share most files) are given and verified by use.  Measured is the share of a need's
earlier work that is still active, over budgets from 2 % of the stream to all of it; the area under that curve
is 1 where everything needed is always there.

Settings, honed's own too, are chosen on some streams and measured, with --held-back, on others:

- HONED_CHANGELOGS (a folder like /usr/share/doc): real work with real dates, ``bench.changelogs``.
- HONED_RETRIEVAL (the folder of the labelled sets): the needs of the split dev and of the split test, two
  streams of each repository, with the same fixes and with no need, and so no use, in common.
- Without either the streams are generated.

    [HONED_CHANGELOGS=... | HONED_RETRIEVAL=...] python -m bench.replay [--held-back] [--picture FILE]
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import changelogs
from bench.forgetting import FLOOR, MODELS, OURS, Model, Remembered
from bench.machine import heading
from bench.pictures import Line, chart
from bench.streams import Stream, generated_stream, real_streams

DEV_SEEDS, TEST_SEEDS = (0, 10, 11), (1, 2)
"""Of generated streams."""
BUDGETS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Shares of the stream."""
SHOWN = (0.02, 0.05, 0.1, 0.2, 0.4)
GIVEN = 3
DRAWS = 1000
"""Of needs, for the intervals."""


@dataclass(frozen=True, slots=True)
class Curve:
    """``retained`` is, by budget, for each need the share of its earlier work that was active."""

    retained: tuple[tuple[float, ...], ...]
    areas: tuple[float, ...] = field(init=False)
    """Of each need, the area under its own curve."""
    helped: float = field(init=False)
    """The same area for the share of needs of which at least one earlier fix was active."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "areas", tuple(_area(one) for one in zip(*self.retained, strict=True)))
        any_of = [_mean([share > 0 for share in at]) for at in self.retained]
        object.__setattr__(self, "helped", _area(any_of))

    @property
    def area(self) -> float:
        """Over all needs."""
        return _mean(self.areas)

    def at(self, budget: float) -> float:
        """The mean share at a budget."""
        return _mean(self.retained[BUDGETS.index(budget)])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _area(heights: Sequence[float]) -> float:
    places, values = (0.0, *BUDGETS), (0.0, *heights)
    return sum(
        (right - left) * (low + high) / 2
        for left, right, low, high in zip(places, places[1:], values, values[1:], strict=False)
    )


def replayed(
    stream: Stream, remembered: Remembered, unit: float, budgets: Sequence[float] = BUDGETS
) -> Curve:
    """What a model keeps of a stream, over ``budgets``; a day of the stream counts as ``unit`` days."""
    size = len(stream.pieces)
    rooms = (max(1, round(share * size)) for share in budgets)
    return Curve(tuple(tuple(_kept(stream, remembered, unit, room)) for room in rooms))


def _kept(stream: Stream, remembered: Remembered, unit: float, room: int) -> Iterator[float]:
    files = {piece.key: piece.files for piece in stream.pieces}
    active: dict[str, tuple[float, list[float]]] = {}
    for piece in stream.pieces:
        now = piece.at * unit
        if piece.needs:
            found = sorted(key for key in piece.needs if key in active)
            yield len(found) / len(piece.needs)
            found.sort(key=lambda key: (-_alike(files[key], piece.files), -active[key][0]))
            for key in found[:GIVEN]:
                active[key][1].append(now)
        active[piece.key] = (now, [])
        if len(active) > room:
            later = now + unit * stream.step / 2
            del active[min(active, key=lambda key: (remembered(*active[key], later), active[key][0]))]


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (len(one | other) or 1)


@dataclass(frozen=True, slots=True)
class Tuned:
    """A model in the setting that did best on the streams for tuning."""

    model: Model
    setting: float
    unit: float

    def over(self, stream: Stream) -> Curve:
        """Its curve on a stream."""
        return replayed(stream, self.model.make(self.setting), self.unit)


def area_over(curves: Sequence[Curve]) -> float:
    """The area over the needs of all streams."""
    return _mean([area for curve in curves for area in curve.areas])


def tuned(model: Model, streams: Sequence[Stream]) -> Tuned:
    """The best of a model's settings on ``streams``."""
    choices = [Tuned(model, setting, unit) for setting in model.settings for unit in model.units]
    if len(choices) == 1:
        return choices[0]
    return max(choices, key=lambda choice: area_over([choice.over(stream) for stream in streams]))


def interval(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """95 % of the mean paired difference, by drawing needs again."""
    rng = random.Random(5)
    differences = [one - other for one, other in zip(ours, theirs, strict=True)]
    means = sorted(_mean(rng.choices(differences, k=len(differences))) for _ in range(DRAWS))
    return means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS)]


def report(held_back: Sequence[Stream], choices: Sequence[Tuned]) -> dict[str, list[Curve]]:
    """Print each model's areas on the streams that nothing was chosen on; returns the curves."""
    curves = {choice.model.name: [choice.over(stream) for stream in held_back] for choice in choices}
    everything = [1.0] * len(BUDGETS)
    columns = "".join(f"{f'{budget:.0%}':>7}" for budget in SHOWN)
    print(f"\n{'':27}{'area':>7}{'(helped)':>9}{columns}   honed's area is more by (95 %)")
    print(f"{'keep all (ceiling)':27}{_area(everything):7.4f}{_area(everything):9.4f}")
    ours = [area for curve in curves[OURS] for area in curve.areas]
    for choice in choices:
        known = curves[choice.model.name]
        theirs = [area for curve in known for area in curve.areas]
        weights = [len(curve.areas) for curve in known]
        helped = sum(curve.helped * weight for curve, weight in zip(known, weights, strict=True)) / sum(
            weights
        )
        shares = [
            sum(curve.at(budget) * weight for curve, weight in zip(known, weights, strict=True))
            / sum(weights)
            for budget in SHOWN
        ]
        low, high = interval(ours, theirs)
        more = (
            ""
            if choice.model.name == OURS
            else f"   {_mean(ours) - _mean(theirs):+.4f} ({low:+.4f} .. {high:+.4f})"
        )
        print(
            f"{choice.model.name:27}{_mean(theirs):7.4f}{helped:9.4f}"
            + "".join(f"{share:7.3f}" for share in shares)
            + more
        )
        print(" " * 27 + ", ".join(f"{s.name} {c.area:.4f}" for s, c in zip(held_back, known, strict=True)))
    return curves


def picture(curves: dict[str, list[Curve]]) -> str:
    """The retained share over the budget as SVG."""
    lines = []
    for name, known in curves.items():
        weights = [len(curve.areas) for curve in known]
        points = [
            (
                budget,
                sum(c.at(budget) * weight for c, weight in zip(known, weights, strict=True)) / sum(weights),
            )
            for budget in BUDGETS
        ]
        lines.append(Line(name, [(0.0, 0.0), *points]))
    return chart(lines, "budget, as a share of all skills", "share of needed work that is still active")


def _streams(*, held_back: bool) -> tuple[list[Stream], list[Stream]]:
    """Those to choose settings on, and those to measure on (the same, until the others are asked for)."""
    logs, labelled = (os.environ.get(name) for name in ("HONED_CHANGELOGS", "HONED_RETRIEVAL"))
    if logs:
        ground, missing = changelogs.streams(Path(logs), changelogs.DEV)
        others, gone = changelogs.streams(Path(logs), changelogs.TEST) if held_back else (ground, [])
        for name in [*missing, *gone]:
            print(f"not here: {name}")
        return ground, others
    if labelled:
        ground = real_streams(Path(labelled), "dev")
        return ground, real_streams(Path(labelled), "test") if held_back else ground
    ground = [generated_stream(seed) for seed in DEV_SEEDS]
    return ground, [generated_stream(seed) for seed in TEST_SEEDS] if held_back else ground


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--picture", type=Path, help="write the curves of the held-back streams as SVG")
    parser.add_argument("--held-back", action="store_true", help="measure on what nothing is chosen on")
    options = parser.parse_args()
    ground, held_back = _streams(held_back=options.held_back)
    print(heading("Replay of forgetting: share of needed work that is still active, by budget"))
    for what, streams in (("settings chosen on", ground), ("measured on", held_back)):
        print(
            f"{what} {', '.join(f'{s.name} ({sum(bool(p.needs) for p in s.pieces)} needs)' for s in streams)}"
        )
    choices = [tuned(model, ground) for model in MODELS]
    for choice in choices:
        print(f"  {choice.model.name}: setting {choice.setting:g}, {choice.unit:g} days a fix")
    if not any("FSRS" in model.name for model in MODELS):
        print("  FSRS is left out: its library is not here (pip install 'honed[bench]')")
    curves = report(held_back, choices)
    beaten = [name for name in curves if name not in (OURS, FLOOR)]
    best = max(beaten, key=lambda name: area_over(curves[name]))
    print(f"\nnext best: {best}")
    if options.picture:
        options.picture.write_text(picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
