"""Making the vectors of skills: in a process behind every write, or at once where the owner asks.

Never under the lock and never in a hook: a batch is read, embedded while nobody waits, and written if
those are still the texts.  Whatever fails leaves memory as it is; recall then goes by words, and
`honed doctor` says so.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from honed.config import Config
from honed.embedding.choice import chosen
from honed.embedding.model import Embedder
from honed.embedding.providers import beginning_of, model_of
from honed.embedding.vectors import packed
from honed.errors import HonedError, NoModelError
from honed.home import DATABASE
from honed.hooks.lock import release, take
from honed.hooks.starting import EMBEDDER_LOCK, spawn
from honed.store.sqlite import SqliteStore
from honed.store.vectors import VectorState, Wanting, mark_of

WORKER = "import sys; sys.path[:] = sys.argv[2:]; from honed.meaning import main; sys.exit(main(sys.argv[1]))"
USES_AT_ONCE = 8
"""Past uses that are embedded at once: an endpoint has less time for a request than for texts."""
TIME_LIMIT = 900
"""Seconds that the process behind a write works at most; the next one goes on."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """What was done: the model's name (empty for none), how many vectors were made and how many of other
    models dropped, and the state after it."""

    model: str
    made: int
    dropped: int
    state: VectorState


def embed(
    store: SqliteStore, setting: str, *, told: Callable[[int, int], None] = lambda _made, _all: None
) -> Embedded:
    """Give every skill in the index vectors of the model of ``semantic.model``, of its text and of each past
    use, and drop all others.

    ``told`` is called with how many are made, and of how many.  Raises ``NoModelError``; then nothing is
    dropped.
    """
    name = chosen(setting)
    if not name:
        dropped = store.drop_other_vectors("")
        return Embedded("", 0, dropped, store.vector_state(""))
    model = model_of(name)
    mark, made = mark_of(model.mark), 0
    missing = store.vector_state(mark).missing
    for batch in store.vectors_wanting(mark):
        made += store.save_vectors(mark, list(zip(batch, vectors_of(model, batch), strict=True)))
        told(made, missing)
    return Embedded(name, made, store.drop_other_vectors(mark), store.vector_state(mark))


def vectors_of(model: Embedder, batch: Sequence[Wanting]) -> list[bytes]:
    """The packed vectors of each skill: that of its text, then one of each past use, which is compared with
    requests and is one itself.  Raises ``NoModelError``."""
    texts = packed(model.embed([one.text for one in batch], "passage"))
    uses = [use for one in batch for use in one.uses]
    asked: list[bytes] = []
    for start in range(0, len(uses), USES_AT_ONCE):
        asked += packed(model.embed(uses[start : start + USES_AT_ONCE], "query"))
    following = iter(asked)
    return [text + b"".join(islice(following, len(one.uses))) for one, text in zip(batch, texts, strict=True)]


@dataclass(frozen=True, slots=True)
class Meaning:
    """How far a home can find by meaning: the model's name (empty for none), why it cannot be used, how far
    its vectors are, and what is wrong with them."""

    model: str
    problem: str
    state: VectorState
    faults: tuple[str, ...]


def meaning_of_home(store: SqliteStore, setting: str) -> Meaning:
    """Look at the model and at the vectors; loads the model, changes nothing."""
    name, problem, mark = chosen(setting), "", ""
    try:
        model: Embedder | None = model_of(name) if name else None
        mark = mark_of(model.mark) if model is not None else ""
    except NoModelError as error:
        problem = str(error)
    faults = tuple(f"the vector of skill number {n} {why}" for n, why in store.vector_faults())
    return Meaning(name, problem, store.vector_state(mark), faults)


def is_lacking(store: SqliteStore, setting: str) -> bool:
    """Whether a model is set and vectors of it are to be made; loads none.  Raises ``UnavailableError``."""
    name = chosen(setting)
    return bool(name) and store.lacks_vectors(beginning_of(name))


def start_embedding(home: str) -> None:
    """Have the vectors made that a write left missing, in a process that nobody waits for.

    Where one is at work, no other is started; nothing is raised.
    """
    with contextlib.suppress(OSError):
        handle = take(os.path.join(home, EMBEDDER_LOCK))
        if handle is None:
            return  # it looks again before it goes
        release(handle)
        spawn([sys.executable, "-I", "-S", "-c", WORKER, home, *sys.path])


def main(home: str) -> int:
    """What the process behind a write does; returns its exit code."""
    if not os.path.exists(os.path.join(home, DATABASE)):
        return 0  # the home was taken away meanwhile, and is not to be made again
    os.chdir(os.sep)
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.nice(10)
        signal.alarm(TIME_LIMIT)
    handle = take(os.path.join(home, EMBEDDER_LOCK))
    if handle is None:
        return 0
    try:
        with SqliteStore.open(home) as store:
            setting = str(Config.load(home, store.settings())["semantic.model"])
            while embed(store, setting).made:
                pass  # what was written meanwhile
    except HonedError as error:
        return error.exit_code  # `honed doctor` finds the same
    finally:
        release(handle)
    return 0
