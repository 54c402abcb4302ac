"""The bar as a curve: of requests that a memory can answer, how many are told the right skill, against how
many of those that it cannot answer are told anything, from the highest bar to none.

``HONED_RETRIEVAL`` names the folder of the sets.  Prints a table and, with ``--svg FILE``, draws it.

    HONED_RETRIEVAL=... python -m bench.curve [dev|test] [--svg docs/bar.svg]
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.machine import heading
from bench.peers.measures import mean
from bench.peers.sets import load
from bench.retrieval import CURVE, SETS, chances, filled
from honed.recall.bar import BAR

WIDTH, HEIGHT, EDGE = 520, 340, 48
MOST_UNRELATED = 0.12
"""How far to the right the drawing goes."""
TOLD, UNRELATED = (0.25, 0.5, 0.75, 1.0), (0.02, 0.04, 0.08, 0.12)
COLOURS = ("#1f77b4", "#d62728", "#2ca02c")
STEPS = 200


@dataclass(frozen=True, slots=True)
class Curve:
    """Probabilities of the best hit of requests without an answer, and of the right one of those with one."""

    unrelated: Sequence[float]
    related: Sequence[float]

    def at(self, bar: float) -> tuple[float, float]:
        """The shares told at a bar: of unrelated requests anything, of related ones the right skill."""
        return mean([one >= bar for one in self.unrelated]), mean([one >= bar for one in self.related])


def drawn(curves: Mapping[str, Curve]) -> str:
    """The curves as an SVG: unrelated told to the right, right skill told upwards, the bar as a dot."""
    shapes = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="11" fill="none" stroke="#888">',
        f'<path d="M{EDGE} {EDGE / 2}V{HEIGHT - EDGE}H{WIDTH - EDGE / 2}"/>',
    ]
    shapes += [_label(EDGE - 6, _up(share) + 4, f"{share:.0%}", "end") for share in TOLD]
    shapes += [_label(_right(share), HEIGHT - EDGE + 16, f"{share:.0%}", "middle") for share in UNRELATED]
    shapes.append(_label(WIDTH / 2, HEIGHT - 12, "unrelated requests told something", "middle"))
    shapes.append(_label(EDGE, 14, "related requests told the right skill", "start"))
    limit = _right(0.02)
    shapes.append(f'<path stroke-dasharray="4" d="M{limit:.1f} {EDGE / 2}V{HEIGHT - EDGE}"/>')
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [curve.at(1 - step / STEPS) for step in range(STEPS + 1)]
        inside = [(_right(x), _up(y)) for x, y in points if x <= MOST_UNRELATED]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in inside)
        shapes.append(f'<polyline stroke="{colour}" stroke-width="2" points="{line}"/>')
        x, y = curve.at(BAR)
        shapes.append(f'<circle cx="{_right(x):.1f}" cy="{_up(y):.1f}" r="4" fill="{colour}" stroke="none"/>')
        shapes.append(_label(WIDTH - EDGE / 2, EDGE + 14 * number, name, "end", colour))
    return "\n".join([*shapes, "</svg>"]) + "\n"


def _right(share: float) -> float:
    return EDGE + share / MOST_UNRELATED * (WIDTH - 1.5 * EDGE)


def _up(share: float) -> float:
    return HEIGHT - EDGE - share * (HEIGHT - 1.5 * EDGE)


def _label(x: float, y: float, text: str, anchor: str, colour: str = "#555") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" stroke="none">{text}</text>'


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("split", nargs="?", choices=("dev", "test"), default="dev")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    folder = Path(os.environ["HONED_RETRIEVAL"])
    print(heading(f"The bar, split {options.split}: unrelated told something / related told the right skill"))
    with tempfile.TemporaryDirectory() as made:
        sets = []
        for number, name in enumerate(options.sets.split(",")):
            labelled = load(folder, [name], options.split, None)[0]
            sets.append(filled(labelled, str(Path(made, str(number)))))
        curves = {one.labelled.name: Curve(*chances(one, sets)) for one in sets}
    print(f"  {'bar':24}" + "".join(f"{bar:>16}" for bar in CURVE))
    for name, curve in curves.items():
        told = "".join(f"{'{:.3f} / {:.3f}'.format(*curve.at(bar)):>16}" for bar in CURVE)
        print(f"  {name:24}{told}")
    if options.svg:
        options.svg.write_text(drawn(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
