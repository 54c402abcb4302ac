"""Streams of work for the replay of forgetting: pieces in order, each with the earlier ones that it needs."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Piece:
    """One fix or change: a skill from now on, and before that maybe a need of earlier ones."""

    key: str
    files: frozenset[str]
    needs: frozenset[str]
    at: float
    """When, in days since the stream began; of one that knows no clock its place in the order."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The work of one project in order."""

    name: str
    pieces: tuple[Piece, ...]
    step: float = 1.0
    """The shortest time (days) between two of its pieces."""


def real_streams(folder: Path, split: str) -> list[Stream]:
    """The streams of the set ``repair/frag``, by repository, with the needs of one split."""
    corpus, queries = (_rows(folder / "repair" / "frag" / f"{name}.jsonl") for name in ("corpus", "queries"))
    needs = {row["source_id"]: frozenset(row["relevant_ids"]) for row in queries if row["split"] == split}
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in corpus:
        groups.setdefault(row["group"], []).append(row)
    return [
        Stream(
            group.rpartition("/")[2],
            tuple(
                Piece(row["id"], frozenset(row["files"]), needs.get(row["id"], frozenset()), float(place))
                for place, row in enumerate(sorted(rows, key=lambda row: int(row["order"])))
            ),
        )
        for group, rows in groups.items()
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def generated_stream(number: int, pieces: int = 300, files: int = 60) -> Stream:
    """A stream by a seed: a few files are changed often, and what is worked on shifts from time to time."""
    rng = random.Random(number)
    often = [1 / (rank + 1) for rank in range(files)]
    told: list[Piece] = []
    focus = rng.sample(range(files), 8)
    for place in range(pieces):
        if rng.random() < 0.03:
            focus = rng.sample(range(files), 8)
        pool = focus if rng.random() < 0.6 else rng.choices(range(files), often, k=8)
        changed = frozenset(f"f{one}" for one in rng.sample(pool, rng.choice((1, 1, 2, 3))))
        earlier = frozenset(piece.key for piece in told if piece.files & changed)
        told.append(Piece(f"p{place}", changed, earlier if rng.random() < 0.6 else frozenset(), place))
    return Stream(f"generated-{number}", tuple(told))
