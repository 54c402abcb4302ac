"""How many skills have a common word, kept with the index.

A full text knows in how many skills a word is only by walking through all of them.  So for the words of a
scope that more than ``COMMON`` skills have, ``word_counts`` holds the numbers, by field: exactly those of
the rows of ``skill_index`` up to ``index_scopes.counted``.  Whoever changes a row below that counts it out
and in again in the same transaction (``recount``).  A new skill comes above it and costs nothing;
``tidying`` counts new ones in, some at a time, and a recall reads those that are not counted yet itself.
Words are chosen anew when a scope has grown by a quarter.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from time import sleep

from honed.store.connection import writing

COMMON = 500
"""Words that more skills than this have in one field are kept: to walk through so many takes 15 us."""
UNCOUNTED = 16
"""New skills of a scope that are left to the next time: each costs a recall some 20 us."""
AT_ONCE = 64
"""Skills counted in by one transaction."""
WALKED = 200_000
"""Places in the full text that one transaction walks through, some 6 ms: nobody waits long for the lock."""
PAUSE = 0.004
"""Seconds between two rounds, in which somebody who waits for the lock gets it."""
GROWN, SHRUNK = 1.25, 0.5
"""A scope that holds so many times the skills that it had has other common words."""
FIELDS = ("head", "head_stem", "body_stem", "keys", "uses")
"""The columns of ``word_counts``, of the same names as in ``skill_index`` and ``skill_fts``."""

_SUMS = ", ".join(f"sum(iif(col = '{field}', doc, 0))" for field in FIELDS)
_OF_SCOPE = "term > ?1 || '_' AND term < ?1 || '`'"
"""The words of a scope: after the line below comes the backtick."""
_DUE = "skills > ? AND (skills > surveyed * ? OR skills < surveyed * ?)"
_NEW = (
    "FROM skill_index INDEXED BY skill_index_scope"
    " WHERE scope = ?1 AND n > (SELECT counted FROM index_scopes WHERE n = ?1)"
)


def keep_counts(connection: sqlite3.Connection, wait: float = 0.0, common: int = COMMON) -> None:
    """Count what is new, and choose words where it is time, in short transactions of their own.

    ``common`` is how many skills must have a word for it to be kept, ``wait`` how many seconds to wait for
    the lock, each time.  Raises SQLite's errors, also when another process keeps the lock: what was done is
    done, and whoever writes next goes on.
    """
    for _ in counting(connection, wait, common):
        sleep(PAUSE)


def counting(connection: sqlite3.Connection, wait: float = 0.0, common: int = COMMON) -> Iterator[None]:
    """``keep_counts`` step by step: each is one transaction."""
    due = connection.execute(f"SELECT n FROM index_scopes WHERE {_DUE}", (common, GROWN, SHRUNK)).fetchall()
    for (scope,) in due:
        yield from _survey(connection, wait, scope, common)
    for (scope,) in connection.execute("SELECT DISTINCT scope FROM word_counts").fetchall():
        while _uncounted(connection, scope) >= UNCOUNTED:
            with writing(connection, wait):
                _count_in(connection, scope)
            yield


def _uncounted(connection: sqlite3.Connection, scope: int) -> int:
    """How many skills of a scope are not counted yet, at most ``UNCOUNTED``."""
    looked = f"SELECT count(*) FROM (SELECT 1 {_NEW} LIMIT ?2)"
    return int(connection.execute(looked, (scope, UNCOUNTED)).fetchone()[0])


def _count_in(connection: sqlite3.Connection, scope: int) -> None:
    """Count new skills of a scope, the first ``AT_ONCE`` of them."""
    new = connection.execute(
        f"SELECT n, {', '.join(FIELDS)} {_NEW} ORDER BY n LIMIT ?2", (scope, AT_ONCE)
    ).fetchall()
    _add(connection, scope, [texts for _, *texts in new], 1)
    last = new[-1][0] if new else 0
    connection.execute("UPDATE index_scopes SET counted = max(counted, ?) WHERE n = ?", (last, scope))


def recount(connection: sqlite3.Connection, rows: Iterable[int], times: int) -> None:
    """Count rows of ``skill_index`` in (``times`` 1) that just came, or out (-1) before they go, inside the
    caller's transaction; those that are above what is counted are left."""
    found = connection.execute(
        f"SELECT i.scope, {', '.join(f'i.{field}' for field in FIELDS)}"
        " FROM skill_index i JOIN index_scopes c ON c.n = i.scope"
        " WHERE i.n IN (SELECT value FROM json_each(?)) AND i.n <= c.counted",
        (f"[{', '.join(map(str, rows))}]",),
    )
    changed: dict[int, list[list[str]]] = {}
    for scope, *texts in found:
        changed.setdefault(scope, []).append(texts)
    for scope, skills in changed.items():
        _add(connection, scope, skills, times)
        if times < 0:  # what nobody says any more may not be kept here
            connection.execute(
                f"DELETE FROM word_counts WHERE scope = ? AND {' + '.join(FIELDS)} = 0", (scope,)
            )


def _add(connection: sqlite3.Connection, scope: int, skills: Iterable[Sequence[str]], times: int) -> None:
    """Add ``times`` to the counts of the words that are kept, for each skill: its ``FIELDS``."""
    known = connection.execute("SELECT word FROM word_counts WHERE scope = ?", (scope,))
    added = {str(word): [0] * len(FIELDS) for (word,) in known}
    words = frozenset(added)
    for texts in skills:
        for place, text in enumerate(texts):
            for word in words.intersection(str(text).split(" ")):
                added[word][place] += times
    sums = ", ".join(f"{field} = {field} + ?" for field in FIELDS)
    connection.executemany(
        f"UPDATE word_counts SET {sums} WHERE scope = ? AND word = ?",
        [(*counts, scope, word) for word, counts in added.items() if any(counts)],
    )


def _survey(connection: sqlite3.Connection, wait: float, scope: int, common: int) -> Iterator[None]:
    """Choose the common words of a scope anew and count each, in rounds."""
    skills = connection.execute("SELECT skills FROM index_scopes WHERE n = ?", (scope,)).fetchone()[0]
    chosen = connection.execute(
        f"SELECT substr(term, length(?1) + 2), sum(doc) FROM skill_vocab WHERE {_OF_SCOPE}"
        " GROUP BY term HAVING max(doc) > ?2",
        (str(scope), common),
    ).fetchall()
    with writing(connection, wait):
        forget_counts(connection, scope)
        connection.execute(
            "UPDATE index_scopes SET counted = (SELECT coalesce(max(n), 0) FROM skill_index WHERE scope = ?1)"
            " WHERE n = ?1",
            (scope,),
        )
    yield
    while chosen:
        with writing(connection, wait):
            while _uncounted(connection, scope):
                _count_in(connection, scope)
            walked = 0
            while chosen and walked < WALKED:
                word, places = chosen.pop()
                walked += places
                connection.execute(
                    f"INSERT OR REPLACE INTO word_counts SELECT ?1, ?2, {_SUMS} FROM skill_vocab"
                    " WHERE term = ?3 GROUP BY term",
                    (scope, word, f"{scope}_{word}"),
                )
        yield
    with writing(connection, wait):
        connection.execute("UPDATE index_scopes SET surveyed = ? WHERE n = ?", (skills, scope))


def forget_counts(connection: sqlite3.Connection, scope: int | None = None) -> None:
    """Forget the counts of a scope, or of all, inside the caller's transaction: recalls then count for
    themselves, and the next tidying chooses words anew."""
    connection.execute("DELETE FROM word_counts WHERE ?1 IS NULL OR scope = ?1", (scope,))
    connection.execute(
        "UPDATE index_scopes SET counted = 0, surveyed = 0 WHERE ?1 IS NULL OR n = ?1", (scope,)
    )


def make_counts_anew(connection: sqlite3.Connection) -> None:
    """Forget all counts and count the skills of each scope, inside the caller's transaction."""
    forget_counts(connection)
    connection.execute(
        "UPDATE index_scopes SET skills = (SELECT count(*) FROM skill_index i WHERE i.scope = index_scopes.n)"
    )


def counts_fault(connection: sqlite3.Connection) -> str:
    """What is wrong with the kept counts, empty if nothing is: each is compared with what is there."""
    for scope, said, there in connection.execute(
        "SELECT c.n, c.skills, (SELECT count(*) FROM skill_index i WHERE i.scope = c.n) FROM index_scopes c"
    ):
        if said != there:
            return f"it says that scope {scope} holds {said!r:.20} skills, and {there} are there"
    scopes = connection.execute("SELECT DISTINCT scope FROM word_counts").fetchall()
    for (scope,) in scopes:
        said = connection.execute(
            f"SELECT word, {', '.join(FIELDS)} FROM word_counts WHERE scope = ?", (scope,)
        ).fetchall()
        new = connection.execute(f"SELECT {', '.join(FIELDS)} {_NEW}", (scope,)).fetchall()
        late = [[frozenset(str(text).split(" ")) for text in texts] for texts in new]
        for word, *counts in said:
            walked = connection.execute(
                f"SELECT {_SUMS} FROM skill_vocab WHERE term = ?", (f"{scope}_{word}",)
            ).fetchone()
            there = [
                (count or 0) - sum(word in texts[place] for texts in late)
                for place, count in enumerate(walked)
            ]
            if counts != there:
                return f"it counts {counts!r:.60} skills of scope {scope} for a word, and {there} have it"
    return ""
