"""How near skills come to a request by what they mean, where a process is warm and has a model.

The vectors of a home are kept in memory from call to call; what was added is read on, and all is read again
when some went.  Hooks never come by: what meaning is worth to them was written into the index before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from honed.embedding.vectors import Matrix
from honed.recall.scored import USE_WORTH
from honed.store.vectors import dimensions_of, mark_of, vectors_after, vectors_gone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honed.embedding.model import Embedder, Vectors
    from honed.recall.scored import Scored
    from honed.store.reading import Reader

CANDIDATES = 40
"""Skills that are scored because they are near, whatever their words, and as many for their past uses."""
BASE = 0.2
"""Cosines up to here say nothing: so near is anything."""
LATIN, OTHER = 0.05, 0.16
"""What nearness adds to a fit: where words do most of the work, and where letters are of another script."""
OTHER_SHARE = 0.3
"""Share of a request's letters from which on it is of another script."""
USE_BASE, USE_MEANT = 0.25, 0.15
"""Cosine of the likest past use from which on it says something, and what it adds to a fit above that: what
somebody asked is compared with what somebody asked, so it says more than the cosine of a text."""
WORDS_STILL = 0.75
"""What the words of past uses count where their meaning is known."""
TEXT_LIMIT = 1000
"""Characters of a request that are embedded."""


class Nearness:
    """What a request means, beside the skills of some scopes."""

    __slots__ = ("_texts", "_uses", "_vector", "best", "weight")

    def __init__(
        self, texts: Matrix, uses: Matrix, vector: Vectors, scopes: Sequence[int], weight: float
    ) -> None:
        self._texts = texts
        self._uses = uses
        self._vector = vector
        self.weight = weight
        self.best = [
            *texts.nearest(vector, scopes, CANDIDATES),
            *(uses.nearest(vector, scopes, CANDIDATES) if len(uses) else ()),
        ]

    def cosines(self, rows: Sequence[int]) -> dict[int, float]:
        """The cosines of skills' texts by their row numbers; those without a vector are left out."""
        return self._texts.cosines(self._vector, rows)

    def add_to(self, candidates: Iterable[Scored]) -> None:
        """Add to the fit of each what its skill's meaning is worth, and that of its likest past use."""
        found = {one.indexed.n: one for one in candidates}
        for n, cosine in self.cosines(list(found)).items():
            found[n].cosine = cosine
            found[n].nearness = self.weight * max(0.0, cosine - BASE)
        used = [n for n, one in found.items() if one.indexed.uses]
        for n, cosine in self._uses.cosines(self._vector, used).items() if used else ():
            one = found[n]
            one.use_cosine = cosine
            one.nearness += USE_MEANT * max(0.0, cosine - USE_BASE)
            one.nearness -= (1 - WORDS_STILL) * USE_WORTH * one.use
        for one in found.values():
            one.fit += one.nearness


class Sense:
    """A model, and what it says of the skills of one home."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self._mark = mark_of(model.mark)
        self._texts: Matrix | None = None
        self._uses: Matrix | None = None
        self._gone = -1
        self._made = 0

    def near(self, reader: Reader, scopes: Sequence[int], text: str) -> Nearness | None:
        """How near the skills of ``scopes`` come to ``text``; ``None`` where none has a vector.

        Raises ``NoModelError`` where the model fails, ``UnavailableError`` where memory cannot be read.
        """
        current = self._current(reader)
        text = text[:TEXT_LIMIT].strip()
        if current is None or not len(current[0]) or not text:
            return None
        weight = OTHER if _is_other_script(text) else LATIN
        return Nearness(*current, self._model.embed([text], "query")[0], scopes, weight)

    def _current(self, reader: Reader) -> tuple[Matrix, Matrix] | None:
        """The vectors of texts and of past uses, as they are now."""
        size, gone = dimensions_of(reader, self._mark), vectors_gone(reader)
        if not size:
            return None
        if self._texts is None or self._uses is None or gone != self._gone:
            self._texts, self._uses, self._made, self._gone = Matrix(size), Matrix(size), 0, gone
        fresh = vectors_after(reader, self._mark, self._made)
        if fresh:
            self._texts.add([(n, scope, vectors[:size]) for _, n, scope, vectors in fresh])
            self._uses.add(
                [
                    (n, scope, vectors[start : start + size])
                    for _, n, scope, vectors in fresh
                    for start in range(size, len(vectors), size)
                ]
            )
            self._made = fresh[-1][0]
        return self._texts, self._uses


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
