"""The bar as a curve: of requests that a memory can answer, how many are told the right skill, against how
many of those that it cannot answer are told anything, from the highest bar to none.  And what the default bar
comes to in a session: how many unrelated requests get a note, each kind of them apart, and how many related
ones have a right skill in theirs.

``HONED_RETRIEVAL`` names the folder of the sets; ``HONED_TRANSCRIPTS``, where set, one of transcripts, whose
requests are asked too (every second one for each split).  Prints tables and, with ``--svg FILE``, draws it.

    HONED_RETRIEVAL=... python -m bench.curve [dev|test] [--svg docs/bar.svg]
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.filling import place_of
from bench.machine import heading
from bench.peers.measures import mean
from bench.peers.sets import load
from bench.recall_speed import asked_in
from bench.retrieval import ASKED, CURVE, SETS, Filled, chances, filled, noted
from honed.recall.bar import BAR
from honed.recall.recall import recall
from honed.store.reading import open_readonly
from honed.transcripts import given_paths, in_order

GENERIC = (
    "run the tests", "commit and push", "please continue", "what does this repo do?", "make it faster",
    "refactor this", "why is CI failing?", "update the dependencies", "add type hints everywhere",
    "review my changes", "fix the lint errors", "undo your last change", "write docs for the API",
    "open a pull request", "add a config option for the timeout", "handle the error case properly",
    "make the button blue", "summarize the last session", "show me the git log", "the build is broken",
    "increase test coverage", "delete unused imports", "create a Dockerfile", "validate the user input",
    "do the same for the other files",
)  # fmt: skip
"""Requests that are about nothing in particular."""
KINDS = 350
"""Real requests that are asked of each memory."""
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


def kinds(filled: Filled, sets: Sequence[Filled], split: str) -> Iterator[tuple[str, float, int]]:
    """Of each kind of request that the memory of ``filled`` has no answer for, the share told something."""
    groups = sorted({document.group for document in filled.labelled.documents})
    rng = random.Random(13)
    asked: dict[str, list[tuple[str, str]]] = {}
    for other in sets:
        queries = random.Random(7).sample(other.labelled.queries, min(ASKED, len(other.labelled.queries)))
        strange = [(query, [group for group in groups if group != query.group]) for query in queries]
        if other is filled and len(groups) > 1:
            asked["another project's"] = [(query.text, rng.choice(within)) for query, within in strange]
        elif other is not filled:
            asked[other.labelled.name] = [(query.text, rng.choice(groups)) for query in queries]
    asked["generic"] = [(text, rng.choice(groups)) for text in GENERIC]
    if folder := os.environ.get("HONED_TRANSCRIPTS"):
        real = real_requests(folder)[("dev", "test").index(split) :: 2][:KINDS]
        asked["real sessions'"] = [(text, rng.choice(groups)) for text in real]
    for name, requests in asked.items():
        with open_readonly(filled.home) as reader:
            told = [recall(reader, text, place_of(group)).note is not None for text, group in requests]
        yield name, mean(told), len(told)


def real_requests(folder: str) -> list[str]:
    """What users of the transcripts in ``folder`` asked, each once, in a seeded order."""
    texts = [text for item in in_order(given_paths([folder])) for text in asked_in(item.path)]
    found = list({text.strip()[:200]: text for text in texts}.values())
    random.Random(5).shuffle(found)
    return found


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
        told_kinds = {one.labelled.name: list(kinds(one, sets, options.split)) for one in sets}
        curves = {one.labelled.name: Curve(*chances(one, sets)) for one in sets}
        notes = {one.labelled.name: noted(one, sets) for one in sets}
    print(f"  {'bar':24}" + "".join(f"{bar:>16}" for bar in CURVE))
    for name, curve in curves.items():
        told = "".join(f"{'{:.3f} / {:.3f}'.format(*curve.at(bar)):>16}" for bar in CURVE)
        print(f"  {name:24}{told}")
    print(f"\nnotes at {BAR}: unrelated requests that get one / related ones that have a right skill in it")
    for name, (unrelated, related) in notes.items():
        print(f"  {name:24}{mean(unrelated):.3f} / {mean(related):.3f} of {len(related)}")
    print(f"\nunrelated requests that get a note at {BAR}, by kind")
    for one in sets:
        shares = ", ".join(
            f"{kind} {share:.3f} of {size}" for kind, share, size in told_kinds[one.labelled.name]
        )
        print(f"  {one.labelled.name:14}{shares}")
    if options.svg:
        options.svg.write_text(drawn(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
