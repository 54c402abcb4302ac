"""A memory filled with many texts at once, through the store's own way of writing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from honed.ledger import events, ids
from honed.skills.model import Draft
from honed.skills.terms import IndexEntry
from honed.store.appending import Ready, Rules, prepare, prepare_index
from honed.store.place import Place
from honed.store.sqlite import SqliteStore

BATCH = 1000
KNOWN = 5000
"""Index entries that are remembered."""
AT = "2026-01-01T00:00:00Z"


def place_of(group: str) -> Place | None:
    """Where a group of texts is kept: a project of its own, ``None`` for what holds everywhere."""
    return Place(f"/work/{group}", f"/work/{group}") if group else None


def fill(home: str, texts: Iterable[tuple[str, str, Draft]], at: str = AT) -> None:
    """Keep ``(key, group, draft)`` as of ``at``; the slug of each skill is its key.  Keys must be slugs.

    A text that comes again and again (see ``bench.recall_speed``) is stemmed once.
    """
    known: dict[str, IndexEntry] = {}
    with SqliteStore.open(home) as store:
        projects: dict[str, str] = {"": ""}
        batch: list[Ready] = []
        for key, group, draft in texts:
            if group not in projects:
                place = place_of(group)
                projects[group] = store.ensure_project(place, at) if place else ""
            digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
            skill = ids.random_id("sk_", digest[:10])
            batch.append(prepare(events.written(skill, projects[group], key, draft, digest, at=at)))
            if len(batch) == BATCH:
                _append(store, batch, known)
        _append(store, batch, known)


def _append(store: SqliteStore, batch: list[Ready], known: dict[str, IndexEntry]) -> None:
    """What ``SqliteStore.append`` does, with the index entries that are known already."""
    new = {ready.digest: ready for ready in batch if ready.digest not in known}
    known.update(prepare_index(new.values()))
    with store._appending(Rules(same_text=True, exact_slug=True), known) as appending:
        outcomes = [appending.add(ready) for ready in batch]
    assert all(outcome.status == "written" for outcome in outcomes)
    batch.clear()
    if len(known) > KNOWN:
        known.clear()
