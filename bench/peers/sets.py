"""The labelled retrieval sets in the folder that HONED_RETRIEVAL names, and the order in which they happen.

A set is ``corpus.jsonl`` ({id, title, text, and maybe description, files, group, session,
order}) and
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
    """``key`` is a name that every system takes; ``order`` says when the document came to be, ``session`` in
    which session, where that is known."""

    key: str
    group: str
    order: int
    title: str
    description: str
    text: str
    files: tuple[str, ...]
    session: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """``relevant`` are keys; ``part`` is the set, and the language where it has several."""

    name: str
    part: str
    group: str
    order: int
    text: str
    relevant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One corpus and the queries of all chosen sets that are asked of it."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]


SETS = {
    "skills": ("skills", "skills/queries.jsonl"),
    "repair/frag": ("repair/frag", "repair/frag/queries.jsonl"),
    "conv": ("conv", "conv/queries.jsonl"),
    "crosslingual/translated": ("skills", "crosslingual/queries_translated.jsonl"),
    "crosslingual/pack": ("skills", "crosslingual/queries_pack.jsonl"),
}
"""A set's corpus (a folder), and its queries."""


def load(folder: Path, names: Sequence[str], split: str, most: int | None) -> list[Labelled]:
    """The sets by corpus, the ``split`` queries of each cut to ``most``.

    Raises ``OSError`` where one is not there.
    """
    found = []
    for corpus in dict.fromkeys(SETS[name][0] for name in names):
        rows = list(_rows(folder / corpus / "corpus.jsonl"))
        keys = {row["id"]: f"doc-{number}" for number, row in enumerate(rows)}
        queries: list[Query] = []
        for name in names:
            if SETS[name][0] == corpus:
                queries += _queries(folder / SETS[name][1], name, split, most, keys)
        found.append(Labelled(corpus, tuple(_document(row, keys[row["id"]]) for row in rows), tuple(queries)))
    return found


def _document(row: dict[str, Any], key: str) -> Document:
    return Document(
        key,
        row.get("group") or "",
        row.get("order", 0),
        row["title"],
        row.get("description") or "",
        row["text"],
        tuple(row.get("files") or ()),
        row.get("session") or "",
    )


def _queries(path: Path, name: str, split: str, most: int | None, keys: dict[str, str]) -> list[Query]:
    queries = [
        Query(
            row["id"],
            f"{name} {row.get('lang', '')}".strip(),
            row.get("group") or "",
            row.get("order", LAST),
            row["text"],
            tuple(keys[relevant] for relevant in row["relevant_ids"]),
        )
        for row in _rows(path)
        if row["split"] == split and row.get("category") != NOT_ANSWERABLE
    ]
    queries.sort(key=lambda query: query.part)
    return sample(queries, most, lambda query: query.name)


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
