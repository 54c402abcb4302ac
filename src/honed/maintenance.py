"""Catching up: what honed does behind absorbing, and what `honed decay` does where nobody absorbs.

Forgetting needs none of it, being computed from evidence and time.  Each step is whole by itself, holds the
write lock for moments only and finds its work again when it was stopped, so it may run twice, late or never.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from honed import commits, receipts
from honed.hooks import sweeping
from honed.store.sqlite import SqliteStore

Step = Callable[[str, SqliteStore], str]


def _receipts(home: str, store: SqliteStore) -> str:
    waiting = len(receipts.waiting(home, store.spools()))
    receipts.fold(home, store)
    return f"took in what {waiting} session{'s' * (waiting > 1)} got" if waiting else ""


def _commits(_: str, store: SqliteStore) -> str:
    found = commits.look(store)
    return f"found what became of {found} change{'s' * (found > 1)}" if found else ""


def _spool(home: str, _: SqliteStore) -> str:
    gone = sweeping.sweep(home, time.time())
    return f"took away {gone} old file{'s' * (gone > 1)} of the spool" if gone else ""


def _backup(_: str, store: SqliteStore) -> str:
    made = store.backup_if_due()
    return f"copied the memory to {Path(made).name}" if made else ""


WHAT: Mapping[Step, str] = {
    _receipts: "receipts wait",
    _commits: "nobody looked for commits",
    _spool: "the spool was not tidied",
    _backup: "no backup was made",
}
"""The steps in their order, each with what is to be said where it fails."""
STEPS: tuple[Step, ...] = tuple(WHAT)


def maintain(home: str, store: SqliteStore) -> tuple[str, ...]:
    """Run every step; says what each did, if anything.  Raises what the store raises."""
    return tuple(said for step in STEPS if (said := step(home, store)))
