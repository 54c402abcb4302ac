"""What was forgotten or erased in one ledger, told again in a copy of it.

A copy that is put back, or that lies in honed's own folder of backups, must not bring back what was taken
out since it was made.  It goes on under a replica of its own: what is told in it is no part of the chain
that it was copied from.  Told is all of it, also what concerns nothing in the copy: the next one that is put
back may be of a later day.
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


def untold(connection: sqlite3.Connection, gone: Sequence[NewEvent]) -> list[NewEvent]:
    """Those of ``gone`` that are not told in this copy yet."""
    return [event for event in gone if not _has(connection, "SELECT 1 FROM events WHERE id = ?", event.id)]


def holds_any(connection: sqlite3.Connection, gone: Sequence[NewEvent]) -> bool:
    """Whether this copy holds something that one of ``gone`` takes out."""
    for event in untold(connection, gone):
        named = event.body.get("ids")
        if event.kind == "forgotten":
            found = _has(connection, "SELECT 1 FROM events WHERE subject = ?", event.subject)
        elif event.kind == "erased" and isinstance(named, list):
            found = any(_has(connection, _WITH_TEXT, one) for one in named)
        else:
            found = False  # an `erased` event stands beside it
        if found:
            return True
    return False


_WITH_TEXT = "SELECT 1 FROM events e JOIN payloads p ON p.n = e.n WHERE e.id = ?"


def _has(connection: sqlite3.Connection, statement: str, value: object) -> bool:
    return connection.execute(statement, (value,)).fetchone() is not None


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
