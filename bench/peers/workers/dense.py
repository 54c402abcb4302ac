"""Plain dense retrieval with the model that honed uses: one vector a text, the nearest first.

A text is given as honed gives it, by its first 120 words: title, description and text (on dev that is better
on every set than title and description alone).
"""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import version
from typing import Any

import numpy as np

from bench.peers.environments import MODEL
from bench.peers.workers.serving import Library, serve
from honed.embedding.providers import model_of
from honed.recall.semantic import TEXT_LIMIT
from honed.store.vectors import WORDS


class Vectors:
    """The vectors of each group, as numbers of 32 bits, in one matrix."""

    def __init__(self) -> None:
        self._model = model_of("bundled")
        self._waiting: list[tuple[str, str, str]] = []
        self._keys: dict[str, list[str]] = defaultdict(list)
        self._rows: dict[str, Any] = {}

    def keep(self, document: dict[str, Any]) -> None:
        """Put a document where ``settle`` takes it."""
        words = f"{document['title']} {document['description']} {document['text']}".split()
        self._waiting.append((document["group"], document["key"], " ".join(words[:WORDS])))

    def settle(self) -> None:
        """Embed what was kept."""
        made = self._model.embed([text for _, _, text in self._waiting], "passage")
        for (group, key, _), vector in zip(self._waiting, made, strict=True):
            before = self._rows.get(group, np.zeros((0, len(vector)), np.float32))
            self._rows[group] = np.vstack([before, vector])
            self._keys[group].append(key)
        self._waiting = []

    def search(self, text: str, group: str, limit: int) -> list[str]:
        """Keys by cosine."""
        if group not in self._rows:
            return []
        cosines = self._rows[group] @ self._model.embed([text[:TEXT_LIMIT]], "query")[0]
        nearest = np.argsort(-cosines, kind="stable")[:limit]
        return [self._keys[group][place] for place in nearest]


if __name__ == "__main__":
    vectors = Vectors()
    serve(Library(vectors.keep, vectors.search, vectors.settle).answers(), {"version": version(MODEL.name)})
