"""Putting a backup back.

The restored ledger goes on under a new replica: the old one may have had events after the copy was
made, and two chains must not share a name.  What was forgotten or erased since the copy stays so: its
events are told again.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from urllib.parse import quote

from honed.errors import HonedError
from honed.ledger.canonical import from_epoch
from honed.ledger.model import NewEvent
from honed.store import backups
from honed.store.compacting import compact
from honed.store.connection import WAIT_SECONDS, close, connect, explained, writing
from honed.store.heads import Heads, replace_heads
from honed.store.migrate import check_readable, meta, migrate
from honed.store.receiving import drop_gone
from honed.store.recorded import tips
from honed.store.replaying import holds_any, replay, taken_out, untold


def restore_backup(
    home: str,
    path: str,
    *,
    clock: Callable[[], float] = time.time,
    entropy: Callable[[int], bytes] = os.urandom,
    wait: float = WAIT_SECONDS,
) -> str:
    """Put a backup in the place of a home's database, which may be damaged or gone.

    Returns where the replaced database is now (empty if there was none).  Raises ``NotFoundError``,
    ``RefusedError`` (the copy is not sound; nothing was changed), ``UnavailableError``.
    """
    home = os.path.abspath(home)
    gone = _forgotten(home)
    heads: Heads = {}

    def now() -> str:
        return from_epoch(clock())

    def ready(place: str) -> None:
        heads.update(bring_in_line(place, gone, clock=now, entropy=entropy, wait=wait))

    replaced = backups.restore(home, path, now(), lambda copy: check_readable(copy, home), ready)
    replace_heads(home, heads)
    return replaced


def bring_in_line(
    place: str,
    gone: Sequence[NewEvent],
    *,
    clock: Callable[[], str],
    entropy: Callable[[int], bytes],
    wait: float,
) -> Heads:
    """Make the database in ``place`` (a home of its own) one of this version, as a replica of its own, in
    which ``gone`` is taken out; returns the heads of its chains."""
    connection = connect(place, readonly=False, wait=wait)
    try:
        with explained(place):
            migrate(connection, place, now=clock, entropy=entropy, wait=wait)
            with writing(connection, wait):
                held = holds_any(connection, gone)
                replay(connection, untold(connection, gone), clock=clock, entropy=entropy)
                drop_gone(connection)
                heads = chain_tips(connection)
            if held:
                compact(connection, wait)
    finally:
        close(connection)
    return heads


def _forgotten(home: str) -> list[NewEvent]:
    """What was forgotten and erased in the database that is about to be replaced; where that cannot be read,
    in the newest copy that can."""
    try:
        connection = connect(home, readonly=True)
        try:
            return taken_out(connection)
        finally:
            connection.close()
    except (HonedError, sqlite3.Error, ValueError):
        newest = backups.last_good_backup(home)
    if newest is None:
        return []
    connection = sqlite3.connect(f"file:{quote(newest)}?mode=ro", uri=True)
    try:
        return taken_out(connection)
    except (sqlite3.Error, ValueError):
        return []
    finally:
        connection.close()


def chain_tips(connection: sqlite3.Connection) -> Heads:
    """The last entry of each chain in the database, and the beginning of this replica's."""
    found = tips(connection)
    found.setdefault(meta(connection, "replica"), (0, ""))
    return found
