"""Of many skills those that proved themselves, without looking at each of very many, and the newest.

On the hot path (docs/decisions/0004), but loaded only at a session's start, and where more skills know a
thing than are looked at.  Which ones are taken is a matter of what they are: how often and when they were
verified, then the id, which follows from the session that taught them.
"""

from __future__ import annotations

from honed.store.exact import entity_word
from honed.store.reading import COLUMNS, IN_USE

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from honed.store.found import Facts
    from honed.store.reading import Reader

MOST_NAMING = 8192
"""What more skills of a scope than this have in common says nothing of any of them."""
MOST_LOOKED_UP = 1024
"""Skills that are looked up one by one.  So many more are met soon on the way down from the strongest."""
_TOLD = f"AND kind NOT IN ('rule', 'recap') AND {IN_USE}"
BY_PROOF = "ORDER BY confirmed DESC, verified_at DESC, id DESC LIMIT ?"
"""Those that proved themselves most often and last come first, ``LIMIT`` of them."""
_LOOK_UP = f"""
SELECT confirmed, verified_at, id, n FROM skills WHERE n IN (SELECT value FROM json_each(?)) {BY_PROOF}
"""
_WALK = f"""
SELECT confirmed, verified_at, id, n FROM skills INDEXED BY skills_proofs
WHERE project = (SELECT project FROM index_scopes WHERE n = ?)
  AND +n IN (SELECT value FROM json_each(?)) {BY_PROOF}
"""


def naming(connection: sqlite3.Connection, scope: int, kinds: Sequence[str], value: str) -> list[int]:
    """The row numbers of the skills of a scope that have one of these entities; none of too many.

    Raises SQLite's errors.
    """
    words = [f"{scope}_{entity_word(value, kind)}" for kind in kinds]
    marks = ", ".join("?" * len(words))
    found = connection.execute(
        f"SELECT DISTINCT doc FROM skill_entities WHERE term IN ({marks}) LIMIT ?", (*words, MOST_NAMING + 1)
    ).fetchall()
    return [n for (n,) in found] if len(found) <= MOST_NAMING else []


def among(
    connection: sqlite3.Connection, scopes: Sequence[int], rows: Iterable[int], count: int
) -> list[int]:
    """Of row numbers of skills of ``scopes`` the ``count`` that proved themselves most often and last.

    Raises SQLite's errors."""
    wanted = list(rows)
    text = f"[{','.join(map(str, wanted))}]"
    if len(wanted) <= MOST_LOOKED_UP:
        found = connection.execute(_LOOK_UP, (text, count)).fetchall()
    else:
        found = [row for scope in scopes for row in connection.execute(_WALK, (scope, text, count))]
        found.sort(reverse=True)
    return [n for *_, n in found[:count]]


def of_project(reader: Reader, project: str, limit: int) -> list[Facts]:
    """Skills of one project, those that proved themselves most often and last first.

    Raises ``UnavailableError`` when memory cannot be read, as ``newest`` does.
    """
    rows: list[tuple[object, ...]] = []
    for name in reader.linked(project):
        rows += reader.rows(
            f"SELECT {COLUMNS} FROM skills INDEXED BY skills_proofs WHERE project = ? {_TOLD} {BY_PROOF}",
            (name, limit),
        )
    found = reader.facts_in(rows)
    found.sort(key=lambda facts: (facts.confirmed, facts.verified_at, facts.id), reverse=True)
    return found[:limit]


def newest(reader: Reader, project: str, since: str, limit: int) -> list[Facts]:
    """Skills of one project that were learned after ``since`` (ISO-8601 UTC), the last changed first."""
    rows: list[tuple[object, ...]] = []
    for name in reader.linked(project):
        rows += reader.rows(
            f"SELECT {COLUMNS} FROM skills INDEXED BY skills_updated WHERE project = ?1"
            f" AND updated_at >= ?2 AND learned_at >= ?2 {_TOLD} ORDER BY updated_at DESC, id DESC LIMIT ?3",
            (name, since, limit),
        )
    found = reader.facts_in(rows)
    found.sort(key=lambda facts: (facts.learned_at, facts.id), reverse=True)
    return found[:limit]
