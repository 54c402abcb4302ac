"""What an embedding model is to honed, and the way it is loaded."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[Any]

Kind = Literal["query", "passage"]
"""What a text is: some models embed what is asked and what is kept in different ways."""

_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "RAYON")
_THREADS = {
    **{f"{name}_NUM_THREADS": "1" for name in _LIBRARIES},
    "VECLIB_MAXIMUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


class Embedder(Protocol):
    """A model.  ``mark`` tells its vectors from those of any other model, or of other weights of it."""

    mark: str

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """One row for each text, each of length 1 (or 0 where the model has nothing to say of it).

        Raises ``NoModelError`` where it fails.
        """


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Libraries of linear algebra that are imported inside take one thread.

    On a machine where agents work, spinning threads of BLAS wait for each other: a query of 4 ms took 181 ms
    (p95).  They read the environment when they are loaded, so it is put back for processes started later.
    """
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(_THREADS)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def of_length_one(rows: Any) -> Vectors:
    """What a model gave, as one row of 32-bit floats for each text, each of length 1."""
    import numpy as np

    found = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    ready: Vectors = np.nan_to_num(found / lengths)
    return ready
