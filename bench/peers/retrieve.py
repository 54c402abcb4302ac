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
    for part, queries in _parts(labelled).items():
        name = f"{part} ({len(queries)})"
        for system, found in results.items():
            rows.append(
                (name, NAMES[system], *_figures(queries, found), _lead_told(queries, results, system))
            )
    return rows


def behind(labelled: Labelled, results: Mapping[str, Found]) -> list[str]:
    """Where another system has a higher MRR than honed, said in so many words."""
    told = []
    for part, queries in _parts(labelled).items():
        for system in results:
            lead = _lead(queries, results, system)
            if lead and mean(lead) < 0:
                told.append(f"{part}: {NAMES[system]} by {-mean(lead):.3f}")
    return told


def _parts(labelled: Labelled) -> dict[str, list[Query]]:
    parts: dict[str, list[Query]] = {}
    for query in labelled.queries:
        parts.setdefault(query.part, []).append(query)
    return parts


def _figures(queries: Sequence[Query], found: Found) -> tuple[str, ...]:
    ranks = [found.ranks[query.name] for query in queries]
    figures = (hit_share(ranks, 1), hit_share(ranks, 5), mean([reciprocal(rank) for rank in ranks]))
    return tuple(f"{figure:.3f}" for figure in figures)


def _lead(queries: Sequence[Query], results: Mapping[str, Found], system: str) -> list[float]:
    """By how much honed's reciprocal rank is above the system's, query by query."""
    if system == OURS or OURS not in results:
        return []
    ours, theirs = results[OURS].ranks, results[system].ranks
    return [reciprocal(ours[query.name]) - reciprocal(theirs[query.name]) for query in queries]


def _lead_told(queries: Sequence[Query], results: Mapping[str, Found], system: str) -> str:
    lead = _lead(queries, results, system)
    if not lead:
        return ""
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
    """Both tables over all sets, and where honed is behind."""
    better = table(QUALITY, [row for found in told for row in quality(*found)], words=2)
    dearer = table(COST, [row for found in told for row in cost(*found)], words=2)
    worse = "; ".join(line for found in told for line in behind(*found)) or "nowhere"
    return f"{better}\n\nBehind in MRR: {worse}.\n\n{dearer}"
