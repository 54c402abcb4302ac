"""Retrieval: every system keeps the same documents and answers the same queries, in one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.peers.asked import Found
from bench.peers.measures import hit_share, interval, mean, percentile, reciprocal
from bench.peers.page import table
from bench.peers.sets import Labelled, Query

OURS, MEANT = "honed", "honed_model"
"""honed by words, and with the model of its extra; each is held against every other system."""
QUALITY = (
    "set",
    "system",
    "hit@1",
    "hit@5",
    "MRR@10",
    "honed - it: MRR (95 %)",
    "with the model - it: MRR (95 %)",
)
COST = (
    "corpus, skills",
    "system",
    "p50 ms",
    "p95 ms",
    "CPU p50 ms",
    "CPU p95 ms",
    "keeping one, ms",
    "measured",
)
NAMES = {
    "honed": "honed",
    "honed_model": "honed with the model",
    "skillmem": "skillmem, BM25",
    "musclememory": "MuscleMemory",
    "fts5": "FTS5, porter, BM25",
    "dense": "the model alone",
}
FIGURES = ("hit@1", "hit@5", "MRR")


def quality(labelled: Labelled, results: Mapping[str, Found]) -> list[tuple[str, ...]]:
    """Rows of the table of quality: one for each part of the set and system.

    What of another system is above honed by words is bold, and above honed with the model marked, too.
    """
    rows = []
    for part, queries in _parts(labelled).items():
        name = f"{part} ({len(queries)})"
        ours = {own: figures_of(queries, results[own]) for own in (OURS, MEANT) if own in results}
        for system, found in results.items():
            told = []
            for place, figure in enumerate(figures_of(queries, found)):
                above = [own for own, figures in ours.items() if figure > figures[place]]
                text = f"{figure:.3f}{' ^' if MEANT in above else ''}"
                told.append(f"**{text}**" if above and system not in ours else f"{figure:.3f}")
            leads = [_lead_told(queries, results, own, system) for own in (OURS, MEANT)]
            rows.append((name, NAMES[system], *told, *leads))
    return rows


def behind(labelled: Labelled, results: Mapping[str, Found], own: str = OURS) -> list[str]:
    """Where another system is above ``own`` (honed by words, or with the model), said in so many words."""
    told: list[str] = []
    if own not in results:
        return told
    for part, queries in _parts(labelled).items():
        ours = figures_of(queries, results[own])
        for system in results:
            if system in (OURS, MEANT):
                continue
            theirs = figures_of(queries, results[system])
            lacking = [
                f"{name} {their - our:.3f}"
                for name, our, their in zip(FIGURES, ours, theirs, strict=True)
                if their > our
            ]
            if lacking:
                told.append(f"{part}: {NAMES[system]} by {', '.join(lacking)}")
    return told


def _parts(labelled: Labelled) -> dict[str, list[Query]]:
    parts: dict[str, list[Query]] = {}
    for query in labelled.queries:
        parts.setdefault(query.part, []).append(query)
    return parts


def figures_of(queries: Sequence[Query], found: Found) -> tuple[float, float, float]:
    """hit@1, hit@5 and MRR@10 of a system."""
    ranks = [found.ranks[query.name] for query in queries]
    return hit_share(ranks, 1), hit_share(ranks, 5), mean([reciprocal(rank) for rank in ranks])


def _lead_told(queries: Sequence[Query], results: Mapping[str, Found], own: str, system: str) -> str:
    """By how much the reciprocal rank of ``own`` is above the system's, paired query by query."""
    if own not in results or system in (own, MEANT):
        return ""
    ours, theirs = results[own].ranks, results[system].ranks
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
            found.measured or "in this run",
        )
        for system, found in results.items()
    ]


BEHIND = {OURS: "by words", MEANT: "with the model"}


def tables(told: Sequence[tuple[Labelled, Mapping[str, Found]]]) -> str:
    """Both tables over all sets, and where honed is behind."""
    better = table(QUALITY, [row for found in told for row in quality(*found)], words=2)
    dearer = table(COST, [row for found in told for row in cost(*found)], words=2)
    lines = [
        f"Behind {name}: {_behind_told(told, own)}." for own, name in BEHIND.items() if own in told[0][1]
    ]
    return f"{better}\n\n" + "\n".join(lines) + f"\n\n{dearer}"


def _behind_told(told: Sequence[tuple[Labelled, Mapping[str, Found]]], own: str) -> str:
    lines = [line for found in told for line in behind(*found, own)]
    return "; ".join(f"**{line}**" for line in lines) or "nowhere"
