"""The longest of very many skills, without looking at each of them.

On the hot path (docs/decisions/0004), but loaded only for a request that hundreds of skills fit equally well.
An index holds all skills of a scope from the longest down, those of one length in the order of their seals:
so by what they say, whenever they were learned.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    Rows = list[tuple[int, bytes, int]]
    """``(-length, seal, row number)`` of skills."""

MOST_WALKED = 4096
"""Skills that are passed by one by one on the way down."""
_WALK = (
    "SELECT -body_words, seal, n FROM skill_index INDEXED BY skill_index_longest WHERE scope = ?{}"
    " ORDER BY body_words DESC, seal"
)


def longest(
    connection: sqlite3.Connection, scopes: Sequence[int], wanted: frozenset[int], count: int
) -> list[int]:
    """The row numbers of the longest ``count`` of ``wanted``, which are in ``scopes``, and of whoever has the
    length and the seal of the last.  Raises SQLite's errors."""
    found: Rows = []
    for scope in scopes:
        found += _of_scope(connection, scope, wanted, count)
    return [n for _, _, n in _first(sorted(found), count)]


def _of_scope(connection: sqlite3.Connection, scope: int, wanted: frozenset[int], count: int) -> Rows:
    found: Rows = []
    last = None
    for walked, row in enumerate(connection.execute(_WALK.format(""), (scope,))):
        if len(found) >= count and row[:2] != last:
            return found
        if row[2] in wanted:
            found.append(row)
            last = row[:2]
        elif walked > MOST_WALKED:
            break
    else:
        return found
    # They are all short: SQLite passes over the others faster.
    among = _WALK.format(" AND +n IN (SELECT value FROM json_each(?))")
    rest = connection.execute(among, (scope, f"[{','.join(map(str, wanted))}]"))
    return _first(rest.fetchall(), count)


def _first(rows: Rows, count: int) -> Rows:
    """The first ``count`` of sorted rows, and whoever equals the last of them but for the row number."""
    if len(rows) <= count:
        return rows
    last = rows[count - 1][:2]
    return [row for row in rows if row[:2] <= last]
