"""Letting one system keep the documents of a set and answer its queries, and what it came to."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from bench.peers.measures import DEPTH, rank_of
from bench.peers.sets import Labelled, timeline
from bench.peers.worker import Worker


@dataclass(slots=True)
class Found:
    """What one system came to on one set; ``measured`` says when and where, if it was not in this run."""

    ranks: dict[str, int | None] = field(default_factory=dict)
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    keeping: float = 0.0
    refused: int = 0
    version: str = ""
    python: str = ""
    measured: str = ""


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
