"""A memory filled with many texts at once, through the store's own way of writing."""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from bench.peers.environments import default_cache
from honed.ledger import events, ids
from honed.skills.model import Draft
from honed.skills.terms import IndexEntry
from honed.store.appending import Ready, Rules, prepare, prepare_index
from honed.store.files import BACKUPS
from honed.store.indexing import INDEX_VERSION
from honed.store.place import Place
from honed.store.sqlite import SqliteStore

BATCH = 1000
KNOWN = 5000
"""Index entries that are remembered."""
AHEAD = 3
"""Batches whose words other processes look for while one is written."""
AT = "2026-01-01T00:00:00Z"
KEPT = 4
"""Filled homes that stay in the cache folder; of more, the one used longest ago goes."""
Sessions = Mapping[str, tuple[str, str]]
"""By the key of a text the session in which it was written, and when (ISO-8601 UTC)."""
Texts = Iterable[tuple[str, str, Draft]]
Waiting = deque[tuple[list[Ready], Future[dict[str, IndexEntry]] | None]]


def place_of(group: str) -> Place | None:
    """Where a group of texts is kept: a project of its own, ``None`` for what holds everywhere."""
    return Place(f"/work/{group}", f"/work/{group}") if group else None


def fill(home: str, texts: Texts, at: str = AT, sessions: Sessions | None = None) -> None:
    """Keep ``(key, group, draft)`` as of ``at``; the slug of each skill is its key.  Keys must be slugs.
    Where ``sessions`` knows a text, it is kept as that session's, as of then.

    Three quarters of it is finding words and exact things in the texts: every core does that.  A text that
    comes again and again (see ``bench.recall_speed``) is looked at once.
    """
    known: dict[str, IndexEntry] = {}
    with SqliteStore.open(home) as store:
        batches = _batches(store, texts, at, sessions or {})
        first = list(itertools.islice(batches, 2))
        if len(first) < 2:  # not worth other processes
            for ready in first:
                _append(store, ready, known | prepare_index(ready))
            return
        waiting: Waiting = deque()
        with ProcessPoolExecutor() as pool:
            for ready in itertools.chain(first, batches):
                new = {one.digest: one for one in ready if one.digest not in known}
                waiting.append((ready, pool.submit(prepare_index, list(new.values())) if new else None))
                if len(waiting) > AHEAD:
                    _append_next(store, waiting, known)
            while waiting:
                _append_next(store, waiting, known)


def _batches(store: SqliteStore, texts: Texts, at: str, sessions: Sessions) -> Iterator[list[Ready]]:
    projects: dict[str, str] = {"": ""}
    batch: list[Ready] = []
    for key, group, draft in texts:
        if group not in projects:
            place = place_of(group)
            projects[group] = store.ensure_project(place, at) if place else ""
        digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
        skill = ids.random_id("sk_", digest[:10])
        session, then = sessions.get(key, ("", at))
        event = events.written(skill, projects[group], key, draft, digest, at=then, session=session)
        batch.append(prepare(event))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _append_next(store: SqliteStore, waiting: Waiting, known: dict[str, IndexEntry]) -> None:
    ready, found = waiting.popleft()
    known.update(found.result() if found else {})
    missing = [one for one in ready if one.digest not in known]  # forgotten since it was asked for
    _append(store, ready, known | prepare_index(missing) if missing else known)
    if len(known) > KNOWN:
        known.clear()


def _append(store: SqliteStore, ready: list[Ready], index: Mapping[str, IndexEntry]) -> None:
    """What ``SqliteStore.append`` does, with the index entries that are known already."""
    with store._appending(Rules(same_text=True, exact_slug=True), index) as appending:
        outcomes = [appending.add(one) for one in ready]
    assert all(outcome.status == "written" for outcome in outcomes)


def filled(home: str, name: str, texts: Callable[[], Texts], at: str) -> None:
    """Fill ``home`` with ``texts``, or with the copy that was kept of doing that before.

    ``name`` says which texts; a copy serves as long as neither they nor the rules of the index change, and is
    brought up to date where it is of an older schema.
    """
    folder = default_cache().parent / "homes"
    kept = folder / f"{name}-{_digest(at)}"
    if not kept.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        made = folder / f"{kept.name}.{os.getpid()}.new"
        try:
            fill(str(made), texts(), at)
            made.rename(kept)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    os.utime(kept)
    for old in sorted(folder.iterdir(), key=os.path.getmtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    SqliteStore.open(str(kept)).close()
    shutil.rmtree(kept / BACKUPS, ignore_errors=True)  # of before it was brought up to date
    shutil.copytree(kept, home, dirs_exist_ok=True)


def _digest(at: str) -> str:
    """Of what decides how a filled home looks and no opening mends: the texts, and the rules of the index."""
    digest = hashlib.blake2b(f"{at} {INDEX_VERSION}".encode(), digest_size=8)
    digest.update(Path(__file__).with_name("texts.py").read_bytes())
    return digest.hexdigest()
