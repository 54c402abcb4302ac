"""Putting a backup back.

The restored ledger goes on under a new replica: the old one may have had events after the copy was
made, and two chains must not share a name.  What was forgotten or erased since the copy stays so: its
events are told again.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable

from honed.errors import HonedError
from honed.ledger import ids
from honed.ledger.canonical import from_epoch
from honed.ledger.model import NewEvent
from honed.store import backups, files
from honed.store.appending import Appending, Rules, prepare
from honed.store.connection import WAIT_SECONDS, close, connect, explained, writing
from honed.store.migrate import check_readable, meta, migrate, set_meta
from honed.store.recorded import tips


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
    replaced = backups.restore(home, path, from_epoch(clock()), lambda copy: check_readable(copy, home))
    connection = connect(home, readonly=False, wait=wait)
    try:
        with explained(home):
            migrate(connection, home, now=lambda: from_epoch(clock()), entropy=entropy, wait=wait)
            with writing(connection, wait):
                set_meta(connection, "replica", ids.random_id("rp_", entropy(15)))
                appending = Appending(
                    connection,
                    clock=lambda: from_epoch(clock()),
                    entropy=entropy,
                    key=b"",
                    rules=Rules(replayed=True),
                    prepared={},
                )
                for event in gone:
                    appending.add(prepare(event))
                appending.finish()
                heads = chain_tips(connection)
        files.replace_heads(home, heads)
    finally:
        close(connection)
    return replaced


def _forgotten(home: str) -> list[NewEvent]:
    """What was forgotten and erased in the database that is about to be replaced, as far as it reads."""
    try:
        connection = connect(home, readonly=True)
    except HonedError:
        return []
    try:
        found = connection.execute(
            "SELECT e.id, e.kind, e.subject, p.body, e.at, e.actor FROM events e"
            " JOIN payloads p ON p.n = e.n WHERE e.kind IN ('forgotten', 'erased') ORDER BY e.n"
        ).fetchall()
        return [
            NewEvent(key, kind, subject, json.loads(body), at, actor)
            for key, kind, subject, body, at, actor in found
        ]
    except (sqlite3.Error, ValueError):
        return []
    finally:
        connection.close()


def chain_tips(connection: sqlite3.Connection) -> files.Heads:
    """The last entry of each chain in the database, and the beginning of this replica's."""
    found = tips(connection)
    found.setdefault(meta(connection, "replica"), (0, ""))
    return found
