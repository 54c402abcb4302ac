"""The search index of skills: words and exact things, computed when a text is stored.

A row of ``skill_index`` carries a seal, a digest of all that the index holds of a skill and of the text
it was made of.  So ``verify`` sees a changed row without stemming every text again, and a row that is to
leave is known to be the one that its text gives: then its entities are deleted by name, and need no
second index of their own.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from honed.ledger.canonical import canonical_bytes
from honed.ledger.drafts import draft_of
from honed.skills.entities import phrase_value
from honed.skills.model import Draft
from honed.skills.occasions import wanted
from honed.skills.talk import talk_of
from honed.skills.terms import IndexEntry, index_entry, with_uses
from honed.skills.topics import topics_of
from honed.store.connection import BadRowError, stored_json
from honed.store.counting import recount
from honed.store.exact import entity_word
from honed.store.place import storable

INDEX_VERSION = 10
"""Changes with what ``skills.terms`` gives for a text: the index is then made anew."""
INDEX_COLUMNS = (
    "head", "head_stem", "body_stem", "keys", "uses", "occasions", "places", "talk", "body_words",
)  # fmt: skip
"""What ``skill_index`` holds of an ``IndexEntry``, under the same names."""
MOST_SUBJECTS = 12
_OCCASIONS = re.compile(r"[,;\n]")
_NOT_CHANGED = ("read", "test")
UNINDEXED = ("withdrawn", "deleted")
"""States whose skills no search may find."""

_ROOM = 1 << 64


def indexed(draft: Draft, uses: Sequence[str] = ()) -> IndexEntry:
    """What the index holds of a draft, of a skill with these past uses."""
    entry = _of_draft(draft)
    return with_uses(entry, map(storable, uses)) if uses else entry


def _of_draft(draft: Draft) -> IndexEntry:

    def clean(texts: Iterable[str]) -> list[str]:
        return [storable(text) for text in texts if text]

    pitfalls = [text for pitfall in draft.pitfalls for text in (pitfall.resolution, pitfall.command)]
    anchors = [anchor.symbol for file in draft.files for anchor in file.anchors]
    trigger = _trigger(draft)
    return index_entry(
        storable(draft.title),
        storable(trigger),
        clean(draft.aliases),
        clean([*draft.steps, *pitfalls, draft.outcome, *draft.body.splitlines(), *draft.tags]),
        clean(dict.fromkeys(file.path for file in draft.files)),
        storable(draft.check),
        clean(dict.fromkeys((*draft.symbols, *anchors))),
        clean(pitfall.signature for pitfall in draft.pitfalls),
        clean(pitfall.command for pitfall in draft.pitfalls if pitfall.command),
        clean(_said_first(draft)) if draft.kind == "rule" else (),
        _subjects(draft, trigger) if draft.origin != "derived" else (),
        clean(file.path for file in draft.files if file.role not in _NOT_CHANGED),
        talk_of(storable(draft.body)),
    )


def _trigger(draft: Draft) -> str:
    """What the skill is for.  A request and a rule say what not to do; what somebody wrote of a skill's use
    says what is asked of other skills."""
    return draft.trigger if draft.origin == "derived" or draft.kind == "rule" else wanted(draft.trigger)


def _subjects(draft: Draft, trigger: str) -> list[tuple[str, str]]:
    """What somebody says that a text is about: its title, and a trigger that may name several occasions.

    Not of what was learned: there a title is a request, which says more than a topic."""
    said = [storable(text).strip() for text in (draft.title, *_OCCASIONS.split(trigger), *draft.aliases)]
    said = list(dict.fromkeys(text for text in said if text))[:MOST_SUBJECTS]
    return [("phrase", phrase_value(text)) for text in said] + [("topic", topic) for topic in topics_of(said)]


def _said_first(draft: Draft) -> tuple[str, str]:
    """What a rule is about: it names no files or commands, so its title and first sentence are its keys."""
    first_line = next((line for line in draft.body.splitlines() if line.strip()), "")
    return draft.title, first_line.partition(". ")[0]


def words_of(entry: IndexEntry) -> tuple[str | int, ...]:
    """The values of ``INDEX_COLUMNS``."""
    values = (getattr(entry, name) for name in INDEX_COLUMNS)
    return tuple(value if isinstance(value, int) else storable(str(value)) for value in values)


def entities_of(entry: IndexEntry) -> list[str]:
    """The entities as they are kept (see ``exact``), without their scope."""
    return sorted({entity_word(storable(value), storable(kind)) for kind, value in entry.entities})


def sum_of(entities: Iterable[str]) -> int:
    """A digest of a set of entities that may be summed up in any order."""
    return sum(map(_weight, entities)) % _ROOM


def _weight(entity: str) -> int:
    digest = hashlib.blake2b(entity.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def stored_sums(connection: sqlite3.Connection) -> dict[int, tuple[int, str]]:
    """Of each row number that has entities: their ``sum_of`` and their scope, in one pass over them all.

    The scope is empty where they are of several.
    """
    sums: dict[int, tuple[int, str]] = {}
    last, scope, weight = "", "", 0
    for n, word in connection.execute("SELECT doc, term FROM skill_entities"):
        # They come in the order of the words: those of many skills are weighed once.
        if word != last:
            last = word
            scope, _, entity = str(word).partition("_")
            weight = _weight(entity)
        before, known = sums.get(n, (0, scope))
        sums[n] = ((before + weight) % _ROOM, scope if scope == known else "")
    return sums


def seal_of(project: str, content_hash: str, words: Iterable[str | int], entities: int) -> bytes:
    """The seal of an index row (8 bytes); ``entities`` is their ``sum_of``."""
    parts = [INDEX_VERSION, project, content_hash, *words, entities]
    return hashlib.blake2b(canonical_bytes(parts), digest_size=8).digest()


def _sealed(state: IndexState, entry: IndexEntry) -> bytes:
    return seal_of(state.project, state.content_hash, words_of(entry), sum_of(entities_of(entry)))


@dataclass(frozen=True, slots=True)
class IndexState:
    """A skill's row number, the text and past uses it has, its project, and whether the index may hold it."""

    n: int
    text: int
    content_hash: str
    project: str
    indexable: bool
    uses: tuple[str, ...] = ()


def index_state(connection: sqlite3.Connection, subject: str) -> IndexState | None:
    """What the index depends on, as the row of ``skills`` says it; ``None`` without such a row."""
    found = connection.execute(
        "SELECT n, text, content_hash, project, state, archived, uses FROM skills WHERE id = ?", (subject,)
    ).fetchone()
    if found is None:
        return None
    n, text, content_hash, project, state, archived, uses = found
    return IndexState(n, text, content_hash, project, not archived and state not in UNINDEXED, uses_in(uses))


def uses_in(stored: object) -> tuple[str, ...]:
    """The past uses that a row holds; none of a row that no honed wrote, which is then found elsewhere."""
    try:
        value = stored_json(stored)
    except BadRowError:
        return ()
    return tuple(map(str, value)) if isinstance(value, list) else ()


def bring_index_up_to_date(
    connection: sqlite3.Connection,
    subject: str,
    before: IndexState | None,
    draft: Draft | None,
    prepared: Mapping[str, IndexEntry],
) -> bool:
    """Index a skill as its row and ``draft`` are now; ``before`` is the state that the index was made in.

    ``prepared`` are index entries by content hash.  Says whether anything was written.
    """
    after = index_state(connection, subject)
    if _same(before, after):
        return False
    if before is not None:
        take_out(connection, before)
    elif after is not None and _is_taken(connection, after.n):
        clear(connection, [after.n])
    if after is not None and after.indexable and draft is not None:
        entry = prepared.get(after.content_hash) or indexed(draft)
        put_in(connection, after, with_uses(entry, after.uses) if after.uses else entry)
    return True


def _is_taken(connection: sqlite3.Connection, n: int) -> bool:
    """Whether the index has a row that no skill of this number can have put there."""
    return connection.execute("SELECT 1 FROM skill_index WHERE n = ?", (n,)).fetchone() is not None


def _same(before: IndexState | None, after: IndexState | None) -> bool:
    if before is None or after is None:
        return before is after
    kept = (before.n, before.content_hash, before.project, before.indexable, before.uses)
    return kept == (after.n, after.content_hash, after.project, after.indexable, after.uses)


def put_in(connection: sqlite3.Connection, state: IndexState, entry: IndexEntry) -> None:
    """Write a skill's words and entities, and count them; triggers fill the full text."""
    words, entities, scope = words_of(entry), entities_of(entry), _scope(connection, state.project)
    connection.execute(
        f"INSERT INTO skill_index (n, scope, {', '.join(INDEX_COLUMNS)}, seal)"
        f" VALUES (?, ?, {', '.join('?' * len(words))}, ?)",
        (state.n, scope, *words, seal_of(state.project, state.content_hash, words, sum_of(entities))),
    )
    if entities:
        connection.execute(
            "INSERT INTO skill_exact (rowid, value) VALUES (?, ?)", (state.n, _scoped(scope, entities))
        )
    recount(connection, [state.n], 1)


def _scoped(scope: int, entities: Iterable[str]) -> str:
    return " ".join(f"{scope}_{entity}" for entity in entities)


_FORGET = "INSERT INTO skill_exact (skill_exact, rowid, value) VALUES ('delete', ?, ?)"
"""FTS5's way of taking a row out of a table that keeps no texts: it must be told the text."""


def take_out(connection: sqlite3.Connection, state: IndexState) -> None:
    """Delete a skill's words and entities; triggers clear the full text.

    Entities are deleted by name where the row's seal says that it is the one its text gives; where it is
    not (the index of another version, or one that somebody changed) every entity is looked at.
    """
    row = connection.execute("SELECT scope, seal FROM skill_index WHERE n = ?", (state.n,)).fetchone()
    if row is None:
        return
    entities = _sealed_entities(connection, state, row[1])
    if entities is None:
        clear(connection, [state.n])
        return
    if entities:
        connection.execute(_FORGET, (state.n, _scoped(row[0], entities)))
    recount(connection, [state.n], -1)
    connection.execute("DELETE FROM skill_index WHERE n = ?", (state.n,))


def clear(connection: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Take all out that the index has of these row numbers, whatever it is: looks at every entity."""
    rows = list(rows)
    recount(connection, rows, -1)
    numbers = f"[{', '.join(map(str, rows))}]"
    there: dict[int, list[str]] = {}
    for n, word in connection.execute(
        "SELECT doc, term FROM skill_entities WHERE doc IN (SELECT value FROM json_each(?))", (numbers,)
    ):
        there.setdefault(n, []).append(word)
    connection.executemany(_FORGET, [(n, " ".join(words)) for n, words in there.items()])
    connection.execute("DELETE FROM skill_index WHERE n IN (SELECT value FROM json_each(?))", (numbers,))


def index_fault(
    connection: sqlite3.Connection,
    state: IndexState,
    sums: Mapping[int, tuple[int, str]],
    draft: Draft | None,
    *,
    strict: bool,
) -> str:
    """What is wrong with a skill's index row, empty if nothing is.

    ``sums`` are ``stored_sums``; ``strict`` makes the row from the ``draft`` again.
    """
    row = connection.execute(
        f"SELECT c.project, i.scope, i.seal, {', '.join(INDEX_COLUMNS)} FROM skill_index i"
        " LEFT JOIN index_scopes c ON c.n = i.scope WHERE i.n = ?",
        (state.n,),
    ).fetchone()
    if row is None:
        return "is not in the index" if state.indexable else ""
    if not state.indexable:
        return "is in the index and must not be"
    project, scope, seal, *words = row
    entities, within = sums.get(state.n, (0, str(scope)))
    right = project == state.project and within == str(scope)
    if not right or seal != seal_of(project, state.content_hash, words, entities):
        return "its index row is not the one that was written"
    if strict and draft is not None and seal != _sealed(state, indexed(draft, state.uses)):
        return "its index row is not the one its text gives"
    return ""


def _sealed_entities(connection: sqlite3.Connection, state: IndexState, seal: bytes) -> list[str] | None:
    found = connection.execute("SELECT body FROM payloads WHERE n = ?", (state.text,)).fetchone()
    try:
        body = stored_json(found[0]) if found else None
    except BadRowError:
        return None
    if not isinstance(body, dict):
        return None
    entry = indexed(draft_of(body.get("draft")), state.uses)
    return entities_of(entry) if _sealed(state, entry) == seal else None


def _scope(connection: sqlite3.Connection, project: str) -> int:
    connection.execute("INSERT INTO index_scopes (project) VALUES (?) ON CONFLICT DO NOTHING", (project,))
    return int(connection.execute("SELECT n FROM index_scopes WHERE project = ?", (project,)).fetchone()[0])
