"""Retrieval: every system keeps the same documents and answers the same queries, in one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from bench.peers.measures import DEPTH, hit_share, interval, mean, percentile, rank_of, reciprocal
from bench.peers.page import table
from bench.peers.sets import Labelled, Query, timeline
from bench.peers.worker import Worker

OURS = "honed"
QUALITY = ("set", "system", "hit@1", "hit@5", "MRR@10", "honed - it: MRR (95 %)")
COST = ("corpus, skills", "system", "p50 ms", "p95 ms", "CPU p50 ms", "CPU p95 ms", "keeping one, ms")
NAMES = {
    "honed": "honed",
    "skillmem": "skillmem, BM25",
    "musclememory": "MuscleMemory",
    "fts5": "FTS5, porter, BM25",
}


@dataclass(slots=True)
class Found:
    """What one system came to on one set."""

    ranks: dict[str, int | None] = field(default_factory=dict)
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    keeping: float = 0.0


def ask(worker: Worker, labelled: Labelled) -> Found:
    """Let one system keep the documents and answer the queries as they come."""
    found = Found()
    for documents, queries in timeline(labelled):
        for start in range(0, len(documents), 200):
            found.keeping += worker.ask(
                "keep", documents=[asdict(item) for item in documents[start : start + 200]]
            )
        asked = [{"text": query.text, "group": query.group} for query in queries]
        for query, answer in zip(queries, worker.ask("find", queries=asked, limit=DEPTH), strict=True):
            found.ranks[query.name] = rank_of(answer["keys"], query.relevant)
            found.wall.append(1000 * answer["wall"])
            found.processor.append(1000 * answer["cpu"])
    return found


def quality(labelled: Labelled, results: Mapping[str, Found]) -> list[tuple[str, ...]]:
    """Rows of the table of quality: one for each part of the set and system."""
    rows = []
    for part in dict.fromkeys(query.part for query in labelled.queries):
        queries = [query for query in labelled.queries if query.part == part]
        name = f"{part} ({len(queries)})"
        for system, found in results.items():
            rows.append((name, NAMES[system], *_figures(queries, found), _lead(queries, results, system)))
    return rows


def _figures(queries: Sequence[Query], found: Found) -> tuple[str, ...]:
    ranks = [found.ranks[query.name] for query in queries]
    figures = (hit_share(ranks, 1), hit_share(ranks, 5), mean([reciprocal(rank) for rank in ranks]))
    return tuple(f"{figure:.3f}" for figure in figures)


def _lead(queries: Sequence[Query], results: Mapping[str, Found], system: str) -> str:
    if system == OURS or OURS not in results:
        return ""
    ours, theirs = results[OURS].ranks, results[system].ranks
    lead = [reciprocal(ours[query.name]) - reciprocal(theirs[query.name]) for query in queries]
    low, high = interval(lead)
    return f"{mean(lead):+.3f} ({low:+.3f} .. {high:+.3f})"


def cost(labelled: Labelled, results: Mapping[str, Found]) -> list[tuple[str, ...]]:
    """Rows of the table of cost."""
    size = len(labelled.documents)
    return [
        (
            f"{labelled.name}, {size:,}",
            NAMES[system],
            *(f"{percentile(found.wall, part):.1f}" for part in (0.5, 0.95)),
            *(f"{percentile(found.processor, part):.1f}" for part in (0.5, 0.95)),
            f"{1000 * found.keeping / size:.1f}",
        )
        for system, found in results.items()
    ]


def tables(told: Sequence[tuple[Labelled, Mapping[str, Found]]]) -> str:
    """Both tables over all sets."""
    better = table(
        QUALITY, [row for labelled, results in told for row in quality(labelled, results)], words=2
    )
    dearer = table(COST, [row for labelled, results in told for row in cost(labelled, results)], words=2)
    return f"{better}\n\n{dearer}"
