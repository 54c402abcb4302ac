"""What was forgotten or erased in one ledger, told again in a copy of it.

A copy that is put back, or that lies in honed's own folder of backups, must not bring back what was taken
out since it was made.  It goes on under a replica of its own: what is told in it is no part of the chain
that it was copied from.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Sequence

from honed.ledger import ids
from honed.ledger.events import REPLACES
from honed.ledger.model import NewEvent
from honed.store.appending import Appending, Rules, prepare
from honed.store.migrate import set_meta

_TOLD = (
    "SELECT e.id, e.kind, e.subject, p.body, e.at, e.actor FROM events e JOIN payloads p ON p.n = e.n"
    f" WHERE e.kind IN ('forgotten', 'erased') OR p.body LIKE '%\"{REPLACES}\":\"ev\\_%' ESCAPE '\\'"
    " ORDER BY e.n"
)


def taken_out(connection: sqlite3.Connection) -> list[NewEvent]:
    """The events of a ledger that take something out of it, in the order in which they were told."""
    found = [
        NewEvent(key, kind, subject, json.loads(body), at, actor)
        for key, kind, subject, body, at, actor in connection.execute(_TOLD)
    ]
    return [event for event in found if event.kind in ("forgotten", "erased") or REPLACES in event.body]


def concerning(connection: sqlite3.Connection, gone: Sequence[NewEvent]) -> list[NewEvent]:
    """Those of ``gone`` that take something out of this copy and are not told in it yet."""

    def has(statement: str, value: object) -> bool:
        return connection.execute(statement, (value,)).fetchone() is not None

    told = []
    again: set[str] = set()
    for event in gone:
        if has("SELECT 1 FROM events WHERE id = ?", event.id):
            continue
        if event.kind == "forgotten":
            wanted = has("SELECT 1 FROM events WHERE subject = ?", event.subject)
        elif event.kind == "erased":
            named = event.body.get("ids")
            known = [str(one) for one in named] if isinstance(named, list) else []
            wanted = any(one in again or has(_WITH_TEXT, one) for one in known)
        else:
            replaced = str(event.body[REPLACES])
            wanted = replaced in again or has("SELECT 1 FROM events WHERE id = ?", replaced)
            again.add(event.id)
        if wanted:
            told.append(event)
    return told


_WITH_TEXT = "SELECT 1 FROM events e JOIN payloads p ON p.n = e.n WHERE e.id = ?"


def replay(
    connection: sqlite3.Connection,
    gone: Sequence[NewEvent],
    *,
    clock: Callable[[], str],
    entropy: Callable[[int], bytes] = os.urandom,
) -> None:
    """Tell events again in the caller's write transaction, as a replica of its own."""
    set_meta(connection, "replica", ids.random_id("rp_", entropy(15)))
    appending = Appending(
        connection, clock=clock, entropy=entropy, key=b"", rules=Rules(replayed=True), prepared={}
    )
    for event in gone:
        appending.add(prepare(event))
    appending.finish()
