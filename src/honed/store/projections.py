"""From events to rows: the tables that are folds, and the search index.

One description of the tables serves three: an append (the rows of one subject), ``rebuild`` (all of
them) and ``verify`` (compare).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from honed.ledger import ids
from honed.ledger.canonical import canonical
from honed.ledger.drafts import draft_body, draft_of
from honed.ledger.fold import fold_project, fold_settings, fold_skill, fold_task
from honed.ledger.model import Entry, Recorded
from honed.ledger.rows import SkillRow
from honed.skills.model import Draft, Skill
from honed.skills.terms import IndexEntry, index_entry
from honed.store.connection import stored_json
from honed.store.place import storable
from honed.store.scripts import expected_schema, schema_of

Row: TypeAlias = tuple[str | int, ...]
Rows: TypeAlias = Mapping[str, list[Row]]

INDEX_VERSION = 2
"""Changes with what ``skills.terms`` gives for a text: the index is then made anew."""
INDEX_COLUMNS = ("head", "head_stem", "body_stem", "keys", "body_words")
"""What ``skill_index`` holds of an ``IndexEntry``, under the same names."""
UNINDEXED = ("withdrawn", "deleted")
"""States whose skills no search may find."""


@dataclass(frozen=True, slots=True)
class Table:
    """A projection: the column that holds the subject's id, its key, and all logical columns."""

    name: str
    subject: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


def _table(name: str, subject: str, key: str, columns: str) -> Table:
    return Table(name, subject, tuple(key.split()), tuple(columns.split()))


TABLES: Mapping[str, tuple[Table, ...]] = {
    "skill": (
        _table(
            "skills",
            "id",
            "id",
            "id project slug kind scope state pinned archived approved origin agent session client title"
            " trigger_text check_command draft fingerprint content_hash version confirmed failed exit_proofs"
            " learned_at updated_at verified_at fades_at archives_at extra",
        ),
        _table(
            "skill_evidence",
            "skill",
            "event_id",
            "event_id skill kind session task at counts authority why",
        ),
        _table("tombstones", "skill", "fingerprint skill", "fingerprint skill at"),
    ),
    "task": (
        _table(
            "tasks",
            "id",
            "id",
            "id project session client verdict reason authority step check_command seen_to at",
        ),
    ),
    "project": (
        _table("projects", "id", "id", "id name seen"),
        _table("project_aliases", "project", "kind value project", "kind value project state at"),
    ),
    "settings": (_table("settings", "", "key", "key value at"),),
    "unknown": (),
}

ENTRY_COLUMNS = "id, kind, subject, at, actor, replica, seq, recorded_at, commitment, prev, hash"
_EVENTS = (
    f"SELECT {', '.join('e.' + name.strip() for name in ENTRY_COLUMNS.split(','))}, p.body"
    " FROM events e LEFT JOIN payloads p ON p.event_id = e.id"
)


def rows_of(subject: str, events: Iterable[Recorded]) -> Rows:
    """The rows that a subject's events come to, by table; every table of its kind is named."""
    kind = ids.subject_kind(subject)
    rows = {table.name: list[Row]() for table in TABLES[kind]}
    if kind == "skill":
        skill = fold_skill(events)
        if skill is not None:
            rows["skills"] = [_skill_row(skill)]
            rows["skill_evidence"] = [
                _row(e.event_id, e.skill, e.kind, e.session, e.task, e.at, e.counts, e.authority, e.why)
                for e in skill.evidence
            ]
            rows["tombstones"] = [_row(keyed, skill.skill.id, at) for keyed, at in skill.tombstones]
    elif kind == "task":
        task = fold_task(events)
        if task is not None:
            rows["tasks"] = [_row(*(getattr(task, name) for name in task.__slots__))]
    elif kind == "project":
        project = fold_project(events)
        if project is not None:
            rows["projects"] = [_row(project.id, project.name, project.seen)]
            rows["project_aliases"] = [
                _row(alias.kind, alias.value, project.id, alias.state, alias.at) for alias in project.aliases
            ]
    elif kind == "settings":
        rows["settings"] = [_row(s.key, canonical(s.value), s.at) for s in fold_settings(events)]
    return rows


def _row(*values: object) -> Row:
    return tuple(value if isinstance(value, int) else storable(str(value)) for value in values)


def _skill_row(row: SkillRow) -> Row:
    skill, draft = row.skill, row.skill.draft
    return _row(
        skill.id,
        skill.project,
        skill.slug,
        draft.kind,
        draft.scope,
        skill.state,
        int(skill.pinned),
        int(skill.archived),
        skill.approved_hash,
        draft.origin,
        draft.agent,
        row.session,
        skill.client,
        draft.title,
        draft.trigger,
        draft.check,
        canonical(draft_body(draft)),
        draft.fingerprint or skill.content_hash,
        skill.content_hash,
        skill.version,
        skill.confirmed,
        skill.failed,
        skill.exit_proofs,
        skill.learned_at,
        skill.updated_at,
        skill.last_verified_at,
        skill.fades_at,
        skill.archives_at,
        canonical(skill.extra),
    )


def skill_of(row: Mapping[str, object], sessions: Iterable[str]) -> Skill:
    """The skill that a row of ``skills`` holds; ``sessions`` are those that had a vote."""
    text = {key: str(value) for key, value in row.items()}
    number = {key: value for key, value in row.items() if isinstance(value, int)}
    named = dict.fromkeys(name for name in (text["session"], *sessions) if name)
    extra = stored_json(text["extra"])
    return Skill(
        id=text["id"],
        project=text["project"],
        slug=text["slug"],
        draft=draft_of(stored_json(text["draft"])),
        state=text["state"],  # type: ignore[arg-type]
        pinned=bool(number["pinned"]),
        archived=bool(number["archived"]),
        approved_hash=text["approved"],
        learned_at=text["learned_at"],
        updated_at=text["updated_at"],
        last_verified_at=text["verified_at"],
        version=number["version"],
        sessions=tuple(named),
        confirmed=number["confirmed"],
        failed=number["failed"],
        client=text["client"],
        exit_proofs=number["exit_proofs"],
        content_hash=text["content_hash"],
        fades_at=text["fades_at"],
        archives_at=text["archives_at"],
        extra=extra if isinstance(extra, dict) else {},
    )


# Events


def recorded_of(row: tuple[object, ...]) -> Recorded:
    """The event that a row of ``ENTRY_COLUMNS`` and the body holds."""
    *header, body = row
    value = stored_json(body) if body is not None else None
    return Recorded(Entry(*header), value if isinstance(value, dict) else None)  # type: ignore[arg-type]


def events_of(connection: sqlite3.Connection, subject: str) -> list[Recorded]:
    """All events of a subject."""
    found = connection.execute(f"{_EVENTS} WHERE e.subject = ? ORDER BY e.at, e.replica, e.seq", (subject,))
    return [recorded_of(row) for row in found]


def all_subjects(connection: sqlite3.Connection) -> Iterator[tuple[str, list[Recorded]]]:
    """Every subject with its events, one subject in memory at a time."""
    found = connection.execute(f"{_EVENTS} ORDER BY e.subject, e.at, e.replica, e.seq")
    for subject, rows in groupby(map(recorded_of, found), key=lambda event: event.entry.subject):
        yield subject, list(rows)


# Writing


def project_subject(
    connection: sqlite3.Connection, subject: str, prepared: Mapping[str, IndexEntry] | None = None
) -> None:
    """Bring the rows of one subject up to date with its events, and its place in the index.

    ``prepared`` are index entries by content hash that were computed before the lock was taken.
    """
    rows = rows_of(subject, events_of(connection, subject))
    before = _index_state(connection, subject) if "skills" in rows else None
    for table in TABLES[ids.subject_kind(subject)]:
        _sync(connection, table, subject, rows[table.name])
    if "skills" in rows:
        _index(connection, subject, before, prepared or {})


def stored_rows(connection: sqlite3.Connection, table: Table, subject: str) -> list[Row]:
    """The rows a table holds of a subject (all of them for the settings)."""
    where, given = (f" WHERE {table.subject} = ?", (subject,)) if table.subject else ("", ())
    return connection.execute(f"SELECT {', '.join(table.columns)} FROM {table.name}{where}", given).fetchall()


def _sync(connection: sqlite3.Connection, table: Table, subject: str, rows: list[Row]) -> None:
    """Write what differs, nothing else: a skill's tenth confirmation does not rewrite the other nine."""
    there = set(stored_rows(connection, table, subject))
    wanted = set(rows)
    places = [table.columns.index(name) for name in table.key]
    keys = {tuple(row[place] for place in places) for row in wanted}
    gone = {tuple(row[place] for place in places) for row in there} - keys
    where = " AND ".join(f"{name} = ?" for name in table.key)
    connection.executemany(f"DELETE FROM {table.name} WHERE {where}", sorted(gone))
    rest = [name for name in table.columns if name not in table.key]
    change = ", ".join(f"{name} = excluded.{name}" for name in rest)
    marks = ", ".join("?" * len(table.columns))
    connection.executemany(
        f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})"
        f" ON CONFLICT ({', '.join(table.key)}) DO UPDATE SET {change}",
        [row for row in rows if row not in there],
    )


def refold(connection: sqlite3.Connection) -> int:
    """Fold everything anew inside the caller's transaction; returns the number of events.

    Missing tables and triggers are made, and the full text is made from nothing, so a damaged one is
    repaired too.  The ledger's own tables are left as they are.
    """
    _drop_full_text(connection)
    _make_missing(connection, "TABLE", "VIEW", "INDEX")
    for table in (table for tables in TABLES.values() for table in tables):
        connection.execute(f"DELETE FROM {table.name}")
    for name in ("skill_index", "skill_entities", "index_scopes"):
        connection.execute(f"DELETE FROM {name}")
    for subject, events in all_subjects(connection):
        rows = rows_of(subject, events)
        for table in TABLES[ids.subject_kind(subject)]:
            _sync(connection, table, subject, rows[table.name])
        if "skills" in rows:
            _index(connection, subject, None, {})
    _make_missing(connection, "VIRTUAL", "TRIGGER")
    connection.execute("INSERT INTO skill_fts (skill_fts) VALUES ('rebuild')")
    return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


def _drop_full_text(connection: sqlite3.Connection) -> None:
    """Take the full text and the triggers that fill it away."""
    there = schema_of(connection)
    for name, definition in there.items():
        if definition.startswith("CREATE TRIGGER"):
            connection.execute(f"DROP TRIGGER {name}")
    for name in ("skill_vocab", "skill_fts"):
        if name in there:
            connection.execute(f"DROP TABLE {name}")


def _make_missing(connection: sqlite3.Connection, *sorts: str) -> None:
    there = schema_of(connection)
    for name, definition in expected_schema().items():
        if name not in there and name not in ("events", "payloads") and definition.split()[1] in sorts:
            connection.execute(definition)


# The index


def indexed(draft: Draft) -> IndexEntry:
    """What the index holds of a draft."""

    def clean(texts: Iterable[str]) -> list[str]:
        return [storable(text) for text in texts if text]

    pitfalls = [text for pitfall in draft.pitfalls for text in (pitfall.resolution, pitfall.command)]
    anchors = [anchor.symbol for file in draft.files for anchor in file.anchors]
    return index_entry(
        storable(draft.title),
        storable(draft.trigger),
        clean(draft.aliases),
        clean([*draft.steps, *pitfalls, draft.outcome, *draft.body.splitlines(), *draft.tags]),
        clean(dict.fromkeys(file.path for file in draft.files)),
        storable(draft.check),
        clean(dict.fromkeys((*draft.symbols, *anchors))),
        clean(pitfall.signature for pitfall in draft.pitfalls),
        clean(pitfall.command for pitfall in draft.pitfalls if pitfall.command),
    )


def index_rows(draft: Draft, entry: IndexEntry | None = None) -> tuple[Row, set[Row]]:
    """The ``INDEX_COLUMNS`` and the ``(value, kind)`` pairs of a draft."""
    entry = entry or indexed(draft)
    words = _row(*(getattr(entry, name) for name in INDEX_COLUMNS))
    return words, {_row(value, kind) for kind, value in entry.entities}


_IndexState: TypeAlias = tuple[int, str, str, bool]
"""A skill's row number, content hash and project, and whether the index may hold it."""


def _index_state(connection: sqlite3.Connection, subject: str) -> _IndexState | None:
    found = connection.execute(
        "SELECT n, content_hash, project, state, archived FROM skills WHERE id = ?", (subject,)
    ).fetchone()
    if found is None:
        return None
    n, content_hash, project, state, archived = found
    return n, content_hash, project, not archived and state not in UNINDEXED


def _index(
    connection: sqlite3.Connection,
    subject: str,
    before: _IndexState | None,
    prepared: Mapping[str, IndexEntry],
) -> None:
    after = _index_state(connection, subject)
    if after == before:
        return
    if before is not None:
        # The triggers take the words and entities along.
        connection.execute("DELETE FROM skill_index WHERE n = ?", (before[0],))
    if after is None or not after[3]:
        return
    n, content_hash, project, _ = after
    (draft,) = connection.execute("SELECT draft FROM skills WHERE n = ?", (n,)).fetchone()
    words, entities = index_rows(draft_of(stored_json(draft)), prepared.get(content_hash))
    scope = _scope(connection, project)
    connection.execute(
        f"INSERT INTO skill_index (n, scope, {', '.join(INDEX_COLUMNS)})"
        f" VALUES (?, ?, {', '.join('?' * len(words))})",
        (n, scope, *words),
    )
    connection.executemany(
        "INSERT INTO skill_entities (scope, value, kind, n) VALUES (?, ?, ?, ?)",
        [(scope, *entity, n) for entity in sorted(entities)],
    )


def _scope(connection: sqlite3.Connection, project: str) -> int:
    connection.execute("INSERT INTO index_scopes (project) VALUES (?) ON CONFLICT DO NOTHING", (project,))
    return int(connection.execute("SELECT n FROM index_scopes WHERE project = ?", (project,)).fetchone()[0])
