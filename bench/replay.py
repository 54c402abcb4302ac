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

    [HONED_CHANGELOGS=... | HONED_RETRIEVAL=...] python -m bench.replay [--held-back] [--ablations]
        [--picture FILE]
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from bench import changelogs
from bench.forgetting import ABLATIONS, FLOOR, MODELS, OURS, Known, Model, Remembered
from bench.machine import heading
from bench.pictures import Line, chart
from bench.streams import Stream, generated_stream, real_streams

DEV_SEEDS, TEST_SEEDS = (0, 10, 11), (1, 2)
"""Of generated streams."""
BUDGETS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Shares of the stream."""
SHOWN = (0.02, 0.05, 0.1, 0.2, 0.4)
ROUGHLY = (0.05, 0.2, 0.5)
"""Budgets that settings are chosen by."""
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
    return Curve(tuple(_retained(stream, remembered, unit, budgets)))


def _retained(
    stream: Stream, remembered: Remembered, unit: float, budgets: Sequence[float]
) -> Iterator[tuple[float, ...]]:
    size = len(stream.pieces)
    for share in budgets:
        yield tuple(_kept(stream, remembered, unit, max(1, round(share * size))))


def _kept(stream: Stream, remembered: Remembered, unit: float, room: int) -> Iterator[float]:
    files = {piece.key: piece.files for piece in stream.pieces}
    active: dict[str, Known] = {}
    for piece in stream.pieces:
        now = piece.at * unit
        touched = [key for key in active if not piece.files.isdisjoint(files[key])]
        if piece.needs:
            found = [key for key in touched if key in piece.needs]
            yield len(found) / len(piece.needs)
            found.sort(key=lambda key: (-_alike(files[key], piece.files), -active[key].learned, key))
            for key in found[:GIVEN]:
                active[key].uses.append(now)
        for key in touched:
            known = active[key]
            known.touched.append(now)
            known.worked |= dict.fromkeys(files[key] & piece.files, now)
        active[piece.key] = Known(now, worked=dict.fromkeys(piece.files, now))
        if len(active) > room:
            later = now + unit * stream.step / 2
            del active[min(active, key=lambda key: (remembered(active[key], later), active[key].learned))]


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

    def roughly(self, streams: Sequence[Stream]) -> float:
        """What is kept at ``ROUGHLY``, over the needs of all streams: enough to choose a setting by."""
        shares: list[float] = []
        for stream in streams:
            shares += chain(*_retained(stream, self.model.make(self.setting), self.unit, ROUGHLY))
        return _mean(shares)


def area_over(curves: Sequence[Curve]) -> float:
    """The area over the needs of all streams."""
    return _mean([area for curve in curves for area in curve.areas])


def tuned(model: Model, streams: Sequence[Stream]) -> Tuned:
    """The best of a model's settings on ``streams``."""
    clock = any(stream.step < 1 for stream in streams)
    units = (1.0,) if model.as_is and clock else model.units
    choices = [Tuned(model, setting, unit) for setting in model.settings for unit in units]
    if len(choices) == 1:
        return choices[0]
    return max(choices, key=lambda choice: choice.roughly(streams))


def interval(
    streams: Sequence[Stream], ours: Sequence[Curve], theirs: Sequence[Curve]
) -> tuple[float, float]:
    """95 % of the mean paired difference over needs, by drawing again projects and of each its needs."""
    rng = random.Random(5)
    projects: dict[str, list[float]] = {}
    for stream, one, other in zip(streams, ours, theirs, strict=True):
        told = projects.setdefault(stream.name.split("/")[0], [])
        told += [here - there for here, there in zip(one.areas, other.areas, strict=True)]
    known = list(projects.values())
    means = []
    for _ in range(DRAWS):
        drawn = [rng.choices(needs, k=len(needs)) for needs in rng.choices(known, k=len(known))]
        means.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    means.sort()
    return means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS)]


def _over_needs(curves: Sequence[Curve], of: Callable[[Curve], float]) -> float:
    weights = [len(curve.areas) for curve in curves]
    return sum(of(curve) * weight for curve, weight in zip(curves, weights, strict=True)) / sum(weights)


def report(held_back: Sequence[Stream], choices: Sequence[Tuned]) -> dict[str, list[Curve]]:
    """Print each model's areas on the streams that nothing was chosen on; returns the curves."""
    everything = _area([1.0] * len(BUDGETS))
    columns = "".join(f"{f'{budget:.0%}':>7}" for budget in SHOWN)
    print(f"\n{'':32}{'area':>7}{'(helped)':>9}{columns}   honed's area is more by (95 %); in streams of all")
    print(f"{'keep all (ceiling)':32}{everything:7.4f}{everything:9.4f}", flush=True)
    curves: dict[str, list[Curve]] = {}
    for choice in choices:
        name = choice.model.name
        known = curves[name] = [choice.over(stream) for stream in held_back]
        ours = curves[OURS]
        shares = (_over_needs(known, partial(Curve.at, budget=budget)) for budget in SHOWN)
        line = f"{name:32}{area_over(known):7.4f}{_over_needs(known, lambda curve: curve.helped):9.4f}"
        line += "".join(f"{share:7.3f}" for share in shares)
        if name != OURS:
            low, high = interval(held_back, ours, known)
            more = sum(one.area > other.area for one, other in zip(ours, known, strict=True))
            line += f"   {area_over(ours) - area_over(known):+.4f} ({low:+.4f} .. {high:+.4f})"
            line += f"; {more} of {len(held_back)}"
        print(line)
        told = (f"{s.name} {c.area:.4f}" for s, c in zip(held_back, known, strict=True))
        print(f"    {', '.join(told)}", flush=True)
    return curves


def picture(curves: dict[str, list[Curve]]) -> str:
    """The retained share over the budget as SVG."""
    lines = []
    for name, known in curves.items():
        points = [(budget, _over_needs(known, partial(Curve.at, budget=budget))) for budget in BUDGETS]
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
    parser.add_argument("--ablations", action="store_true", help="also with and without work on the files")
    options = parser.parse_args()
    ground, held_back = _streams(held_back=options.held_back)
    print(heading("Replay of forgetting: share of needed work that is still active, by budget"))
    for what, streams in (("settings chosen on", ground), ("measured on", held_back)):
        print(
            f"{what} {', '.join(f'{s.name} ({sum(bool(p.needs) for p in s.pieces)} needs)' for s in streams)}"
        )
    models = (*MODELS, *ABLATIONS) if options.ablations else MODELS
    choices = [tuned(model, ground) for model in models]
    for choice in choices:
        print(f"  {choice.model.name}: setting {choice.setting:g}, a day counts as {choice.unit:g}")
    if not any("FSRS" in model.name for model in MODELS):
        print("  FSRS is left out: its library is not here (pip install 'honed[bench]')")
    curves = report(held_back, choices)
    beaten = [model.name for model in MODELS if model.name not in (OURS, FLOOR)]
    best = max(beaten, key=lambda name: area_over(curves[name]))
    print(f"\nnext best: {best}")
    if options.picture:
        options.picture.write_text(
            picture({model.name: curves[model.name] for model in MODELS}), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
