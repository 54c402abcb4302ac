"""The labelled retrieval sets in the folder that HONED_RETRIEVAL names, and the order in which they happen.

A set is ``corpus.jsonl`` ({id, title, text, and maybe description, files, group, order}) and
``queries.jsonl`` ({id, text, relevant_ids, split, and maybe group, order, category, lang}).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.peers.measures import sample

LAST = 1 << 62
NOT_ANSWERABLE = "adversarial"
"""A category of questions that the conversation does not answer; left out, as nothing is right."""


@dataclass(frozen=True, slots=True)
class Document:
    """``key`` is a name that every system takes; ``order`` says when the document came to be."""

    key: str
    group: str
    order: int
    title: str
    description: str
    text: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """``relevant`` are keys; ``kind`` sets parts of a set apart in the tables (a language)."""

    name: str
    group: str
    order: int
    text: str
    relevant: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """One set, with the queries that are asked, of how many there are."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    of: int


FILES = {
    "skills": ("skills/corpus.jsonl", "skills/queries.jsonl"),
    "repair/frag": ("repair/frag/corpus.jsonl", "repair/frag/queries.jsonl"),
    "conv": ("conv/corpus.jsonl", "conv/queries.jsonl"),
    "crosslingual/translated": ("skills/corpus.jsonl", "crosslingual/queries_translated.jsonl"),
    "crosslingual/pack": ("skills/corpus.jsonl", "crosslingual/queries_pack.jsonl"),
}


def load(folder: Path, name: str, split: str, most: int | None) -> Labelled:
    """One set, its ``split`` queries cut to ``most``.  Raises ``OSError`` where it is not there."""
    corpus, questions = (list(_rows(folder / path)) for path in FILES[name])
    keys = {row["id"]: f"doc-{number}" for number, row in enumerate(corpus)}
    documents = tuple(
        Document(
            keys[row["id"]],
            row.get("group") or "",
            row.get("order", 0),
            row["title"],
            row.get("description") or "",
            row["text"],
            tuple(row.get("files") or ()),
        )
        for row in corpus
    )
    queries = [
        Query(
            row["id"],
            row.get("group") or "",
            row.get("order", LAST),
            row["text"],
            tuple(keys[relevant] for relevant in row["relevant_ids"]),
            row.get("lang") or "",
        )
        for row in questions
        if row["split"] == split and row.get("category") != NOT_ANSWERABLE
    ]
    return Labelled(name, documents, tuple(sample(queries, most, lambda query: query.name)), len(queries))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def timeline(labelled: Labelled) -> Iterator[tuple[Sequence[Document], Sequence[Query]]]:
    """Documents to keep, then queries to ask, again and again: a query sees what has a smaller order."""
    happenings: list[Document | Query] = [*labelled.queries, *labelled.documents]
    happenings.sort(key=lambda item: (item.order, isinstance(item, Document), item.group))
    kept: list[Document] = []
    for stored, items in groupby(happenings, key=lambda item: isinstance(item, Document)):
        if stored:
            kept = [item for item in items if isinstance(item, Document)]
        else:
            yield kept, [item for item in items if isinstance(item, Query)]
            kept = []
