"""Vectors of small whole numbers: packed, and compared with one of a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from honed.embedding.model import one_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honed.embedding.model import Vectors

TOP = 127
BLOCK = 4096
"""Rows that are compared at once: what is made of them stays in the processor's cache."""


def packed(vectors: Vectors) -> list[bytes]:
    """Each row as signed bytes, its largest number as 127: a quarter of the room, cosines within 0.005."""
    import numpy as np

    largest = np.abs(vectors).max(axis=1, keepdims=True)
    largest[largest == 0] = 1.0
    return [row.tobytes() for row in np.rint(vectors / largest * TOP).astype(np.int8)]


class Matrix:
    """Vectors of one model in memory, each with the row number of its skill, which may have several, and the
    scope that holds it."""

    def __init__(self, dimensions: int) -> None:
        with one_thread():
            import numpy as np
        self._np = np
        self._dimensions = dimensions
        self._rows: NDArray[Any] = np.zeros(0, np.int64)
        self._scopes: NDArray[Any] = np.zeros(0, np.int64)
        self._vectors: NDArray[Any] = np.zeros((0, dimensions), np.int8)
        self._lengths: NDArray[Any] = np.zeros(0, np.float32)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, made: Sequence[tuple[int, int, bytes]]) -> None:
        """Take in ``(row number, scope, packed vector)``; vectors of another size are passed over."""
        np = self._np
        fitting = [one for one in made if len(one[2]) == self._dimensions]
        if not fitting:
            return
        fresh = np.frombuffer(b"".join(vector for _, _, vector in fitting), np.int8)
        fresh = fresh.reshape(len(fitting), self._dimensions)
        lengths = np.sqrt(np.einsum("ij,ij->i", fresh, fresh, dtype=np.int32).astype(np.float32))
        lengths[lengths == 0] = 1.0
        self._rows = np.concatenate([self._rows, np.array([n for n, _, _ in fitting], np.int64)])
        self._scopes = np.concatenate([self._scopes, np.array([scope for _, scope, _ in fitting], np.int64)])
        self._vectors = np.concatenate([self._vectors, fresh])
        self._lengths = np.concatenate([self._lengths, lengths])

    def nearest(self, vector: Vectors, scopes: Iterable[int], count: int) -> list[int]:
        """The row numbers of the ``count`` nearest in ``scopes``, the nearest first, each once."""
        np = self._np
        places = np.flatnonzero(np.isin(self._scopes, list(scopes)))
        if not len(places):
            return []
        cosines = self._cosines(vector, places)
        best = np.argpartition(-cosines, count)[:count] if len(places) > count else np.arange(len(places))
        # Equals in the order of their numbers, so that nothing depends on how numpy cuts.
        best = best[np.lexsort((self._rows[places[best]], -cosines[best]))]
        return list(dict.fromkeys(int(n) for n in self._rows[places[best]]))

    def cosines(self, vector: Vectors, rows: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these row numbers that has a vector."""
        places = self._np.flatnonzero(self._np.isin(self._rows, rows))
        best: dict[int, float] = {}
        for n, cosine in zip(self._rows[places], self._cosines(vector, places), strict=True):
            best[int(n)] = max(float(cosine), best.get(int(n), -1.0))
        return best

    def _cosines(self, vector: Vectors, places: NDArray[Any]) -> NDArray[Any]:
        np = self._np
        whole = len(places) == len(self._rows)
        cosines = np.empty(len(places), np.float32)
        for start in range(0, len(places), BLOCK):
            within = slice(start, start + BLOCK)
            block = self._vectors[within] if whole else self._vectors[places[within]]
            cosines[within] = block.astype(np.float32) @ vector
        ready: NDArray[Any] = cosines / self._lengths[places]
        return ready
