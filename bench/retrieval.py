"""How well recall finds, on labelled sets: by parts of the score, beside plain full text; when it is quiet.

``HONED_RETRIEVAL`` names the folder of the sets (``bench.peers.sets``).  Weights were tuned on the split
``dev``; ``test`` is for reporting.  The comparison with other products is ``bench.peers``.

    HONED_RETRIEVAL=... python -m bench.retrieval [dev|test] [--sets skills,conv] [--quiet]
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.filling import fill, place_of
from bench.machine import heading
from bench.peers.measures import hit_share, mean, rank_of, reciprocal
from bench.peers.sets import Document, Labelled, Query, load, timeline
from honed.recall import lexical
from honed.recall.bar import BAR, BESIDE, beside
from honed.recall.lexical import Scores
from honed.recall.query import analyse
from honed.recall.recall import recall, search
from honed.recall.scored import (
    BODY_STEM,
    EXACT_POWER,
    EXACT_WORTH,
    HEAD,
    HEAD_STEM,
    KEYS,
    MIX,
    OCCASION_WORTH,
    Scored,
)
from honed.skills.model import Draft, FileRef
from honed.store.reading import Reader, open_readonly

SETS = ("skills", "repair/frag", "conv")
CURVE = (0.2, 0.35, 0.5, 0.65, 0.8, 0.9)
STEPS = 200
"""Bars that are tried for one that lets a hit be told."""
ASKED = 200
"""Requests of each other set that are asked as unrelated ones."""
EVERYTHING = 400
NEAR = 3
"""A right answer is found where a search has it among so many."""
_PORTER = "CREATE VIRTUAL TABLE f USING fts5 (key UNINDEXED, title, text, tokenize = 'porter unicode61')"


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of one query: the ``rank`` of the first right answer of a search, the highest bar at which
    it is told, if it is among the first three (``right``, else 0), its rank by each of ``PARTS``, and whether
    the note that a prompt is given has a right answer (``noted``)."""

    rank: int | None
    right: float
    parts: tuple[int | None, ...]
    noted: bool

    @property
    def near(self) -> bool:
        """Whether a search finds a right answer among the first three."""
        return self.rank is not None and self.rank <= NEAR


@dataclass(frozen=True, slots=True)
class Filled:
    """A set in a memory, and what became of its queries."""

    labelled: Labelled
    home: str
    answers: tuple[Answered, ...] = ()

    @property
    def order(self) -> dict[str, int]:
        """When each document came to be, by its key."""
        return {document.key: document.order for document in self.labelled.documents}


def filled(labelled: Labelled, home: str) -> Filled:
    """Keep the documents of a set, and ask each query when what came before it is there and nothing else.

    What comes later must not be there: it would lend to what is asked for, and stand before it.
    """
    answers: list[Answered] = []
    told = sessions(labelled)
    for documents, queries in timeline(labelled):
        fill(home, drafts(replace(labelled, documents=tuple(documents))), sessions=told)
        answers += answered(home, queries)
    return Filled(labelled, home, tuple(answers))


def answered(home: str, queries: Sequence[Query]) -> list[Answered]:
    """What becomes of ``queries`` in a memory as it is."""
    with open_readonly(home) as reader:
        return [_answered(reader, query) for query in queries]


def _answered(reader: Reader, query: Query) -> Answered:
    place = place_of(query.group)
    hits = search(reader, query.text, place, limit=EVERYTHING).hits
    chances = [hit.score for hit in hits]
    right = [reached(chances, at) for at, hit in enumerate(hits[:NEAR]) if hit.slug in query.relevant]
    told = recall(reader, query.text, place).hits
    scores, slugs = _candidates(reader, query)
    parts = []
    for _, fit in PARTS:
        found = sorted((-fit(one), slugs[one.indexed.n]) for one in scores.candidates if fit(one) > 0)
        parts.append(rank_of([slug for _, slug in found], query.relevant))
    return Answered(
        rank_of([hit.slug for hit in hits], query.relevant),
        max(right, default=0.0),
        tuple(parts),
        any(hit.slug in query.relevant for hit in told),
    )


def reached(chances: Sequence[float], place: int) -> float:
    """The highest bar at which the hit at ``place`` is told: its own probability, or that at which it is told
    beside a better one."""
    own, best = chances[place], max(chances)
    bars = [step / STEPS for step in range(STEPS + 1)]
    return max([own, *(bar for bar in bars if beside(bar) <= own and bar <= best and place < BESIDE)])


def drafts(labelled: Labelled) -> Iterator[tuple[str, str, Draft]]:
    """Each document as a skill: paths of a repair in its typed field, everything else as text."""
    for document in labelled.documents:
        lines = document.text.splitlines()
        tests = [line[6:].split(",") for line in lines if line.startswith("Tests:")]
        files = [FileRef(path) for path in document.files]
        files += [FileRef(path.strip(), role="test") for paths in tests for path in paths]
        if files:
            lines = [line for line in lines if not line.startswith(("Changed files:", "Tests:"))]
        kind = "procedure" if files else "lesson"
        yield (
            document.key,
            document.group,
            Draft(
                kind,  # type: ignore[arg-type]
                document.title[:200],
                document.description,
                files=tuple(files),
                body="\n".join(lines),
                origin="imported",
                fingerprint=document.key,
            ),
        )


def sessions(labelled: Labelled) -> dict[str, tuple[str, str]]:
    """The session of each document that has one, and a time that says which came first."""
    first = datetime(2026, 1, 1, tzinfo=UTC)
    return {
        document.key: (
            f"{document.group}/{document.session}",
            (first + timedelta(minutes=document.order)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        for document in labelled.documents
        if document.session
    }


def _candidates(reader: Reader, query: Query) -> tuple[Scores, dict[int, str]]:
    place = place_of(query.group)
    scopes = reader.scopes(reader.project(place) if place else None)
    scores = lexical.score(reader, scopes, analyse(query.text))
    facts = reader.facts([one.indexed.n for one in scores.candidates])
    return scores, {n: fact.slug for n, fact in facts.items()}


def porter(filled: Filled) -> list[int | None]:
    """The ranks of one FTS5 table with porter stems and BM25 over title, description and text."""
    tables: dict[str, sqlite3.Connection] = {}
    for document in filled.labelled.documents:
        if document.group not in tables:
            tables[document.group] = sqlite3.connect(":memory:")
            tables[document.group].execute(_PORTER)
        tables[document.group].execute("INSERT INTO f VALUES (?, ?, ?)", _row(document))
    order, ranks = filled.order, []
    for query in filled.labelled.queries:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", query.text.lower())))
        rows = tables[query.group].execute("SELECT key FROM f WHERE f MATCH ? ORDER BY rank", (words,))
        found = [key for (key,) in rows if order[key] < query.order] if words else []
        ranks.append(rank_of(found, query.relevant))
    return ranks


def _row(document: Document) -> tuple[str, str, str]:
    files = " ".join(document.files)
    return document.key, f"{document.title} {document.description}", f"{document.text} {files}"


def _without(*fields: str) -> Callable[[Scored], float]:
    def fit(one: Scored) -> float:
        return one.fit - sum(MIX[field] * one.shares[field] for field in fields)

    return fit


PARTS: tuple[tuple[str, Callable[[Scored], float]], ...] = (
    ("by its own words, at a prompt", lambda one: one.fit),
    ("without exact matches", lambda one: one.fit - EXACT_WORTH * one.exact**EXACT_POWER),
    ("without phrases of the trigger", lambda one: one.fit - OCCASION_WORTH * one.occasion),
    ("without unstemmed words", _without(HEAD)),
    ("without stems", _without(HEAD_STEM, BODY_STEM)),
    ("without title and trigger", _without(HEAD, HEAD_STEM)),
    ("without body", _without(BODY_STEM)),
    ("without files and other keys", _without(KEYS)),
)


def figures(ranks: Sequence[int | None]) -> str:
    """hit@1, hit@5, MRR@10."""
    reciprocals = mean([reciprocal(rank) for rank in ranks])
    return f"{hit_share(ranks, 1):.3f} / {hit_share(ranks, 5):.3f} / {reciprocals:.3f}"


def show_quality(filled: Filled) -> None:
    """Print hit@1 / hit@5 / MRR@10 of one set."""
    size, asked = len(filled.labelled.documents), len(filled.labelled.queries)
    print(f"\n{filled.labelled.name}: {asked} queries, {size} texts")
    print(f"  {'honed search':32}{figures([one.rank for one in filled.answers])}")
    print(f"  {'FTS5, porter, BM25':32}{figures(porter(filled))}")
    for number, (name, _) in enumerate(PARTS):
        print(f"  {name:32}{figures([one.parts[number] for one in filled.answers])}")


def show_quiet(sets: Sequence[Filled]) -> None:
    """Print, over bars, how often unrelated requests are told something, and related ones the right thing.

    Unrelated are the requests of every other set, and for a set of several projects those of the others.
    Related are those whose right answer is among the first three hits.
    """
    print(f"\nunrelated requests told something / related ones told the right skill, by bar (default {BAR})")
    print(f"  {'set':24}" + "".join(f"{bar:>16}" for bar in CURVE))
    for filled in sets:
        told, related = chances(filled, sets)
        shares = [f"{_above(told, bar):.3f} / {_above(related, bar):.3f}" for bar in CURVE]
        print(f"  {filled.labelled.name:24}" + "".join(f"{text:>16}" for text in shares))


def noted(filled: Filled, sets: Sequence[Filled]) -> tuple[Sequence[bool], Sequence[bool]]:
    """Of each request that the memory of ``filled`` has no answer for, whether it gets a note; and of each
    whose right answer a search finds, whether its note has one."""
    strangers = [query for other in sets if other is not filled for query in _some(other.labelled.queries)]
    with open_readonly(filled.home) as reader:
        told = [
            recall(reader, query.text, place_of(group)).note is not None
            for query, group in _placed(filled, strangers)
        ]
    return told, [one.noted for one in filled.answers if one.near]


def chances(filled: Filled, sets: Sequence[Filled]) -> tuple[list[float], list[float]]:
    """The probability of the best hit of each request that the memory of ``filled`` has no answer for, and of
    the right one of each that it has."""
    strangers = [other.labelled.queries for other in sets if other is not filled]
    unrelated = [query for queries in strangers for query in _some(queries)]
    told = [_best(filled, query.text, group) for query, group in _placed(filled, unrelated)]
    return told, [one.right for one in filled.answers if one.right]


def _above(chances: Sequence[float], bar: float) -> float:
    return mean([chance >= bar for chance in chances])


def _some(queries: Sequence[Query]) -> list[Query]:
    return random.Random(7).sample(list(queries), min(ASKED, len(queries)))


def _placed(filled: Filled, queries: Sequence[Query]) -> Iterator[tuple[Query, str]]:
    groups = sorted({document.group for document in filled.labelled.documents})
    rng = random.Random(11)
    for query in queries:
        yield query, rng.choice(groups)


def _best(filled: Filled, text: str, group: str) -> float:
    with open_readonly(filled.home) as reader:
        hits = recall(reader, text, place_of(group), limit=1, bar=0.0).hits
    return hits[0].score if hits else 0.0


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("split", nargs="?", choices=("dev", "test"), default="dev")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--quiet", action="store_true", help="the curve of the bar instead of the ranks")
    options = parser.parse_args()
    folder = Path(os.environ["HONED_RETRIEVAL"])
    what = "the bar" if options.quiet else "hit@1 / hit@5 / MRR@10"
    print(heading(f"Retrieval, split {options.split}: {what}"))
    with tempfile.TemporaryDirectory() as made:
        sets = []
        for number, name in enumerate(options.sets.split(",")):
            labelled = load(folder, [name], options.split, None)[0]
            sets.append(filled(labelled, str(Path(made, str(number)))))
            if not options.quiet:
                show_quality(sets[-1])
        if options.quiet:
            show_quiet(sets)


if __name__ == "__main__":
    main()
