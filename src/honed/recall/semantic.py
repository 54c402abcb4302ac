"""How near skills come to a request by what they mean, where a process is warm and has a model.

The vectors of a home are kept in memory from call to call; what was added is read on, and all is read again
when some went.  Hooks never come by: what meaning is worth to them was written into the index before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from honed.embedding.vectors import Matrix
from honed.store.vectors import dimensions_of, mark_of, vectors_after, vectors_gone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honed.embedding.model import Embedder, Vectors
    from honed.recall.scored import Scored
    from honed.store.reading import Reader

CANDIDATES = 40
"""Skills that are scored because they are near, whatever their words."""
BASE = 0.2
"""Cosines up to here say nothing: so near is anything."""
LATIN, OTHER = 0.05, 0.16
"""What nearness adds to a fit: where words do most of the work, and where letters are of another script."""
OTHER_SHARE = 0.3
"""Share of a request's letters from which on it is of another script."""
TEXT_LIMIT = 1000
"""Characters of a request that are embedded."""


class Nearness:
    """What a request means, beside the skills of some scopes."""

    __slots__ = ("_matrix", "_vector", "best", "weight")

    def __init__(self, matrix: Matrix, vector: Vectors, scopes: Sequence[int], weight: float) -> None:
        self._matrix = matrix
        self._vector = vector
        self.weight = weight
        self.best = matrix.nearest(vector, scopes, CANDIDATES)

    def cosines(self, rows: Sequence[int]) -> dict[int, float]:
        """The cosines of skills by their row numbers; those without a vector are left out."""
        return self._matrix.cosines(self._vector, rows)

    def add_to(self, candidates: Iterable[Scored]) -> None:
        """Add to the fit of each what its skill's meaning is worth."""
        found = {one.indexed.n: one for one in candidates}
        for n, cosine in self.cosines(list(found)).items():
            one = found[n]
            one.cosine = cosine
            one.nearness = self.weight * max(0.0, cosine - BASE)
            one.fit += one.nearness


class Sense:
    """A model, and what it says of the skills of one home."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self._mark = mark_of(model.mark)
        self._matrix: Matrix | None = None
        self._gone = -1
        self._made = 0

    def near(self, reader: Reader, scopes: Sequence[int], text: str) -> Nearness | None:
        """How near the skills of ``scopes`` come to ``text``; ``None`` where none has a vector.

        Raises ``NoModelError`` where the model fails, ``UnavailableError`` where memory cannot be read.
        """
        matrix = self._current(reader)
        text = text[:TEXT_LIMIT].strip()
        if matrix is None or not len(matrix) or not text:
            return None
        weight = OTHER if _is_other_script(text) else LATIN
        return Nearness(matrix, self._model.embed([text], "query")[0], scopes, weight)

    def _current(self, reader: Reader) -> Matrix | None:
        dimensions, gone = dimensions_of(reader, self._mark), vectors_gone(reader)
        if not dimensions:
            return None
        if self._matrix is None or gone != self._gone:
            self._matrix, self._made, self._gone = Matrix(dimensions), 0, gone
        fresh = vectors_after(reader, self._mark, self._made)
        if fresh:
            self._matrix.add([(n, scope, vector) for _, n, scope, vector in fresh])
            self._made = fresh[-1][0]
        return self._matrix


def _is_other_script(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter > "\u036f" for letter in letters) >= OTHER_SHARE * len(letters) > 0


_senses: dict[tuple[str, str], Sense] = {}


def sense_of(home: str, model: Embedder) -> Sense:
    """The sense of a home, kept for the rest of the process."""
    key = (os.path.abspath(home), model.mark)
    if key not in _senses:
        _senses[key] = Sense(model)
    return _senses[key]
