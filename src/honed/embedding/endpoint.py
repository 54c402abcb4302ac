"""An OpenAI-compatible endpoint (``POST URL/embeddings``): Ollama, llama.cpp, TEI, LM Studio and others.

Only where the owner named the address, and never to another one.  What is sent was redacted before.  Format: https://platform.openai.com/docs/api-reference/embeddings/create
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from honed.counted import several
from honed.embedding.model import of_length_one, one_thread
from honed.embedding.others import mark_of
from honed.errors import NoModelError
from honed.posting import post
from honed.skills.redact import Redactor

if TYPE_CHECKING:
    from honed.embedding.model import Kind, Vectors

KEY = "HONED_EMBEDDING_KEY"
"""The variable of the environment that holds the endpoint's key, where it wants one."""
QUERY_SECONDS, PASSAGE_SECONDS = 5.0, 60.0
"""How long an answer is waited for."""
ANSWER_LIMIT = 64 * 1024 * 1024


class Endpoint:
    """The model behind ``URL#MODEL``; ``#MODEL`` may be missing where the endpoint has one model."""

    def __init__(self, address: str) -> None:
        self._url, _, self._model = address.partition("#")
        if not self._url.startswith(("http://", "https://")):
            raise NoModelError(f"{self._url!r} is no address; openai:http://localhost:11434/v1#MODEL is one")
        self._redact: Callable[[str], str] = Redactor(os.environ)
        with one_thread():
            self.mark = mark_of(f"openai:{address}", self.embed)

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As ``Embedder.embed``."""
        body: dict[str, object] = {"input": [self._redact(text) for text in texts]}
        asked = body | ({"model": self._model} if self._model else {})
        url, key = f"{self._url.rstrip('/')}/embeddings", os.environ.get(KEY, "")
        seconds = QUERY_SECONDS if kind == "query" else PASSAGE_SECONDS
        try:
            rows = json.loads(post(url, asked, key=key, seconds=seconds, limit=ANSWER_LIMIT))["data"]
            rows.sort(key=lambda row: row["index"])
            vectors = of_length_one([row["embedding"] for row in rows])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise NoModelError(f"{self._url} does not answer with vectors: {error}") from error
        if len(vectors) != len(texts):
            raise NoModelError(
                f"{self._url} gave {several(len(vectors), 'vector')} for {several(len(texts), 'text')}"
            )
        return vectors
