"""A memory filled with many texts at once, through the store's own way of writing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from honed.ledger import events, ids
from honed.ledger.model import NewEvent
from honed.skills.model import Draft
from honed.store.place import Place
from honed.store.sqlite import SqliteStore

BATCH = 500
AT = "2026-01-01T00:00:00Z"


def place_of(group: str) -> Place | None:
    """Where a group of texts is kept: a project of its own, ``None`` for what holds everywhere."""
    return Place(f"/work/{group}", f"/work/{group}") if group else None


def fill(home: str, texts: Iterable[tuple[str, str, Draft]], at: str = AT) -> None:
    """Keep ``(key, group, draft)`` as of ``at``; the slug of each skill is its key.  Keys must be slugs."""
    with SqliteStore.open(home) as store:
        projects: dict[str, str] = {"": ""}
        batch: list[NewEvent] = []
        for key, group, draft in texts:
            if group not in projects:
                place = place_of(group)
                projects[group] = store.ensure_project(place, at) if place else ""
            digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
            skill = ids.random_id("sk_", digest[:10])
            batch.append(events.written(skill, projects[group], key, draft, digest, at=at))
            if len(batch) == BATCH:
                _append(store, batch)
        _append(store, batch)


def _append(store: SqliteStore, batch: list[NewEvent]) -> None:
    outcomes = store.append(batch, same_text=True, exact_slug=True)
    assert all(outcome.status == "written" for outcome in outcomes)
    batch.clear()
