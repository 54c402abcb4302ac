"""The part of a store that keeps vectors (see ``vectors``); ``SqliteStore`` is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from honed.store.answering import Answering
from honed.store.vectors import (
    VectorState,
    Wanting,
    drop_other_vectors,
    lacks_vectors,
    save_vectors,
    vector_faults,
    vector_state,
    wanting,
)

BATCH = 32
"""Skills that are read, embedded and written at once."""


class WithVectors(Answering):
    """Keeps vectors beside the index.  What a model takes its time for happens between two calls."""

    def _writing(self) -> AbstractContextManager[None]:
        raise NotImplementedError

    def vectors_wanting(self, mark: str) -> Iterator[list[Wanting]]:
        """The skills that have no vector with this mark, in batches, each read when it is asked for."""
        last = 0
        while True:
            with self._reading():
                batch = wanting(self._connection, mark, last, BATCH)
            if not batch:
                return
            yield batch
            last = batch[-1].n

    def save_vectors(self, mark: str, made: Sequence[tuple[Wanting, bytes]]) -> int:
        """Keep vectors of texts and uses that are still their skills'; returns of how many (on disk then)."""
        with self._writing():
            return save_vectors(self._connection, mark, made)

    def drop_other_vectors(self, mark: str) -> int:
        """Delete the vectors of all other models, returns how many there were; an empty mark spares none."""
        others = self.vector_state(mark).others
        if others:
            with self._writing():
                drop_other_vectors(self._connection, mark)
        return others

    def vector_state(self, mark: str) -> VectorState:
        """How far the vectors with this mark are."""
        with self._reading():
            return vector_state(self._connection, mark)

    def lacks_vectors(self, begin: str) -> bool:
        """Whether vectors are to be made for a model whose marks begin with ``begin``."""
        with self._reading():
            return lacks_vectors(self._connection, begin)

    def vector_faults(self) -> list[tuple[int, str]]:
        """Vectors that cannot be right, by their skill's row number, and why."""
        with self._reading():
            return list(vector_faults(self._connection))
