"""Plain SQLite full-text search: porter stems, one BM25 over title and text, words joined by OR."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from bench.peers.workers.serving import Library, serve

_WORDS = re.compile(r"\w+")


class Table:
    """One FTS5 table; a group is a column that is compared."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("fts5.sqlite")
        self._db.execute(
            "CREATE VIRTUAL TABLE docs USING fts5("
            "key UNINDEXED, place UNINDEXED, title, body, tokenize='porter unicode61')"
        )

    def keep(self, document: dict[str, Any]) -> None:
        """Index one document."""
        body = f"{document['description']}\n{document['text']}"
        row = (document["key"], document["group"], document["title"], body)
        with self._db:
            self._db.execute("INSERT INTO docs VALUES (?, ?, ?, ?)", row)

    def search(self, text: str, group: str, limit: int) -> list[str]:
        """Keys by BM25."""
        words = dict.fromkeys(word.lower() for word in _WORDS.findall(text))
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._db.execute(
            "SELECT key FROM docs WHERE docs MATCH ? AND place = ? ORDER BY bm25(docs) LIMIT ?",
            (match, group, limit),
        )
        return [str(row[0]) for row in rows]


if __name__ == "__main__":
    table = Table()
    serve(Library(table.keep, table.search).answers(), {"version": sqlite3.sqlite_version})
