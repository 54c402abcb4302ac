"""Keeping the full texts in few pieces.

Every write adds a piece ("segment") to a full text, and a search looks for each word in each piece: after
a thousand single writes there are sixteen, and a recall takes half as long again as with three.  FTS5 merges
by itself what four writes of the same size left, but only once 64 pages were written.  So whoever wrote
merges pieces of about the same size, two by two, before it lets go: a millisecond after a few writes,
and as each page is written again only when its piece meets one of its size, little in the long run.
The counts of common words are brought up to date then too (``counting``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice
from time import sleep

from honed.store.counting import PAUSE, keep_counts

FULL_TEXTS = ("skill_fts", "skill_exact")
TIDY = frozenset({("usermerge", 2)})
"""The setting of FTS5 by which ``merge`` takes two pieces, not four, as enough to merge."""
ROUND_PAGES = 32
"""Pages that one write transaction merges, so that nobody waits long for the lock."""
MOST_ROUNDS = 64
"""Rounds of one tidying; the next one goes on."""
_NOTHING_LEFT = 2
"""Fewer changes than this: the statement changed itself only (https://sqlite.org/fts5.html, "merge")."""


def tidy(connection: sqlite3.Connection) -> None:
    """Merge pieces of about the same size, in short transactions of their own, while there are any; then
    count what is new.

    Raises SQLite's errors, also when another process holds the lock: whoever writes next goes on with it.
    """
    for table in FULL_TEXTS:
        settings = set(connection.execute(f"SELECT k, v FROM {table}_config"))
        for name, value in TIDY - settings:
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES (?, ?)", (name, value))
        for _ in islice(rounds(connection, table), MOST_ROUNDS):
            sleep(PAUSE)
    keep_counts(connection)


def rounds(connection: sqlite3.Connection, table: str, pages: int = ROUND_PAGES) -> Iterator[None]:
    """Merge ``table``'s pieces, some ``pages`` in a transaction; every step is one, while there is work.

    ``pages`` below zero begin with merging all pieces into one, whatever their sizes are.
    """
    while True:
        before = connection.total_changes
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (pages,))
        if connection.total_changes - before < _NOTHING_LEFT:
            return
        yield
        pages = abs(pages)
