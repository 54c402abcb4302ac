"""Taking the last bytes of deleted rows out of a database file and its journal."""

from __future__ import annotations

import sqlite3
import time

from honed.store.connection import retried
from honed.store.tidying import FULL_TEXTS

_PAUSE_SECONDS = 0.02


def compact(connection: sqlite3.Connection, wait: float) -> bool:
    """Write the database anew without what was deleted; readers go on, writers wait.

    Says whether the journal is empty too: a process that has been reading since before keeps it.
    ``wait`` is how many seconds to wait for the lock, and for readers.  Raises SQLite's errors.
    """
    # Segments of a full text keep the words of deleted rows until they are merged.
    for table in FULL_TEXTS:
        retried(connection, f"INSERT INTO {table} ({table}) VALUES ('optimize')", wait)
    retried(connection, "VACUUM", wait)
    return empty_journal(connection, wait)


def empty_journal(connection: sqlite3.Connection, wait: float) -> bool:
    """Write the journal back and cut it to nothing; ``False`` if somebody still reads from it."""
    deadline = time.monotonic() + wait
    while True:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE_SECONDS)
