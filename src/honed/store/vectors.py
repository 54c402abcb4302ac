"""Vectors of skills: which are missing, keeping them, and reading them on from where one is.

A skill has one of its text and one of each past use, behind each other in one row.  They are made while
nobody holds the lock, and kept only if text and uses are still the skill's.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honed.ledger.drafts import draft_of
from honed.skills.model import Draft
from honed.store.connection import BadRowError, stored_json
from honed.store.indexing import uses_in

if TYPE_CHECKING:
    from honed.store.reading import Reader

TEXT_VERSION = 2
"""Changes with what of a skill is embedded; part of every mark."""
WORDS = 120
"""Words of a skill that a model is given: the first ones say what it is about."""


@dataclass(frozen=True, slots=True)
class Wanting:
    """A skill without vectors of the model: its row number, its text's content hash, and what to embed, which
    are its ``text`` and past ``uses``."""

    n: int
    content_hash: str
    text: str
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VectorState:
    """Of how many skills in the index there are vectors of a model, and of how many of another one."""

    skills: int
    made: int
    others: int

    @property
    def missing(self) -> int:
        """Skills that have no vector of the model."""
        return self.skills - self.made


def mark_of(model: str) -> str:
    """The mark under which vectors of the model with the mark ``model`` are kept."""
    return f"{model}/{TEXT_VERSION}"


def meaning_of(draft: Draft) -> str:
    """What of a skill a model is given: title, trigger, aliases, then its text, ``WORDS`` words."""
    pitfalls = (text for one in draft.pitfalls for text in (one.signature, one.resolution))
    parts = (draft.title, draft.trigger, *draft.aliases, *draft.steps, *pitfalls, draft.outcome, draft.body)
    found: list[str] = []
    for part in parts:
        found += part.split()[: WORDS - len(found)]
    return " ".join(found)


def digest_of(text: str, uses: Sequence[str]) -> bytes:
    """What tells whether vectors are of this text and these past uses."""
    whole = "\0".join((text, *uses))
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=8).digest()


_MISSING = """
SELECT s.n, s.content_hash, s.uses, (SELECT body FROM payloads p WHERE p.n = s.text)
FROM skill_index i JOIN skills s ON s.n = i.n
WHERE i.n > ? AND NOT EXISTS (
  SELECT 1 FROM skill_vectors v JOIN vector_models m ON m.n = v.model WHERE v.n = i.n AND m.mark = ?
)
ORDER BY i.n LIMIT ?
"""


def wanting(connection: sqlite3.Connection, mark: str, after: int, limit: int) -> list[Wanting]:
    """At most ``limit`` skills behind the row number ``after`` that have no vector with this mark."""
    rows = connection.execute(_MISSING, (after, mark, limit)).fetchall()
    return [Wanting(n, digest, meaning_of(_draft(body)), uses_in(uses)) for n, digest, uses, body in rows]


def _draft(body: str | None) -> Draft:
    try:
        read = stored_json(body) if body else None
    except BadRowError:
        read = None  # `verify` says so; here it has no meaning to embed
    return draft_of(read.get("draft") if isinstance(read, dict) else None)


def save_vectors(connection: sqlite3.Connection, mark: str, made: Sequence[tuple[Wanting, bytes]]) -> int:
    """Keep vectors in the caller's write transaction, of each skill that of its text and those of its past
    uses as one; returns of how many skills.

    Those of a skill that has another text or other uses by now, or is in the index no more, are dropped.
    """
    if not made:
        return 0
    one, vectors = made[0]
    connection.execute(
        "INSERT INTO vector_models (mark, dimensions) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (mark, len(vectors) // (1 + len(one.uses))),
    )
    (model,) = connection.execute("SELECT n FROM vector_models WHERE mark = ?", (mark,)).fetchone()
    kept = [(one, vectors) for one, vectors in made if _is_current(connection, one)]
    connection.executemany("DELETE FROM skill_vectors WHERE n = ?", [(one.n,) for one, _ in kept])
    connection.executemany(
        "INSERT INTO skill_vectors (n, model, text, vector) VALUES (?, ?, ?, ?)",
        [(one.n, model, digest_of(one.text, one.uses), vectors) for one, vectors in kept],
    )
    return len(kept)


def _is_current(connection: sqlite3.Connection, one: Wanting) -> bool:
    found = connection.execute(
        "SELECT s.uses FROM skill_index i JOIN skills s ON s.n = i.n WHERE i.n = ? AND s.content_hash = ?",
        (one.n, one.content_hash),
    ).fetchone()
    return found is not None and uses_in(found[0]) == one.uses


def drop_other_vectors(connection: sqlite3.Connection, mark: str) -> None:
    """Delete the vectors of every model but this one in the caller's write transaction."""
    connection.execute(
        "DELETE FROM skill_vectors WHERE model NOT IN (SELECT n FROM vector_models WHERE mark = ?)", (mark,)
    )
    connection.execute("DELETE FROM vector_models WHERE mark <> ?", (mark,))


def vector_state(connection: sqlite3.Connection, mark: str) -> VectorState:
    """How far the vectors are, for the model with this mark."""
    (skills,) = connection.execute("SELECT count(*) FROM skill_index").fetchone()
    (every,) = connection.execute("SELECT count(*) FROM skill_vectors").fetchone()
    (made,) = connection.execute(
        "SELECT count(*) FROM skill_vectors WHERE model IN (SELECT n FROM vector_models WHERE mark = ?)",
        (mark,),
    ).fetchone()
    return VectorState(skills, made, every - made)


def lacks_vectors(connection: sqlite3.Connection, begin: str) -> bool:
    """Whether a skill in the index has no vectors, or some of a model whose mark begins otherwise, or of
    another version of the text."""
    if len({connection.execute(f"SELECT count(*) FROM {name}").fetchone() for name in _PAIR}) > 1:
        return True  # vectors go with their rows of the index, so equal numbers mean that each has one
    marks = connection.execute("SELECT mark FROM vector_models WHERE n IN (SELECT model FROM skill_vectors)")
    return any(not (str(mark).startswith(begin) and _is_of_this_version(mark)) for (mark,) in marks)


def _is_of_this_version(mark: object) -> bool:
    return str(mark).endswith(f"/{TEXT_VERSION}")


_PAIR = ("skill_index", "skill_vectors")


def vector_faults(connection: sqlite3.Connection, *, texts: bool = True) -> Iterator[tuple[int, str]]:
    """Row numbers of skills whose vectors cannot be right, and why: of no skill in the index, of a wrong
    size and, with ``texts``, of another text or other uses than the skill has."""
    rows = connection.execute(
        "SELECT v.n, v.text, typeof(v.vector), length(v.vector), m.dimensions, m.mark, i.n, s.uses,"
        " (SELECT body FROM payloads p WHERE p.n = s.text) FROM skill_vectors v"
        " LEFT JOIN vector_models m ON m.n = v.model LEFT JOIN skill_index i ON i.n = v.n"
        " LEFT JOIN skills s ON s.n = v.n ORDER BY v.n"
    )
    for n, digest, kind, size, dimensions, mark, indexed, stored, body in rows:
        uses = uses_in(stored)
        if indexed is None:
            yield n, "belongs to no skill in the index"
        elif mark is not None and not _is_of_this_version(mark):
            continue  # they are made anew, and nobody reads them until then
        elif kind != "blob" or size != (dimensions or 0) * (1 + len(uses)):
            told = f", for the text and {len(uses)} past uses each" if uses else ""
            yield n, f"has {size} numbers, and its model {dimensions}{told}"
        elif texts and digest != digest_of(meaning_of(_draft(body)), uses):
            yield n, "is of another text"


def drop_faulty_vectors(connection: sqlite3.Connection) -> None:
    """Delete what ``vector_faults`` names, in the caller's write transaction; they are made again."""
    wrong = [(n,) for n, _ in vector_faults(connection)]
    connection.executemany("DELETE FROM skill_vectors WHERE n = ?", wrong)


# What a recall reads


def vectors_gone(reader: Reader) -> int:
    """How often vectors went: another number than before means that some that one has are gone."""
    return sum(int(str(times)) for (times,) in reader.rows("SELECT times FROM vectors_gone"))


def dimensions_of(reader: Reader, mark: str) -> int:
    """The dimensions of the vectors with this mark; 0 where there are none."""
    rows = reader.rows("SELECT dimensions FROM vector_models WHERE mark = ?", (mark,))
    return int(str(rows[0][0])) if rows else 0


def vectors_after(reader: Reader, mark: str, made: int) -> list[tuple[int, int, int, bytes]]:
    """``(made, row number, scope, vectors)`` of the skills whose vectors with this mark were made after
    ``made``: that of the text, and those of its past uses behind it."""
    return reader.rows(  # type: ignore[return-value]
        "SELECT v.made, v.n, i.scope, v.vector FROM skill_vectors v JOIN skill_index i ON i.n = v.n"
        " WHERE v.made > ? AND v.model IN (SELECT n FROM vector_models WHERE mark = ?) ORDER BY v.made",
        (made, mark),
    )
