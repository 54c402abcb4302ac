"""From events to rows: the tables that are folds.

One description of the tables serves three: an append (the rows of one subject), ``rebuild`` (all of
them) and ``verify`` (compare).  What is searched is in ``indexing``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from honed.ledger import ids
from honed.ledger.canonical import canonical
from honed.ledger.drafts import draft_of
from honed.ledger.fold import fold_project, fold_settings, fold_skill, fold_task
from honed.ledger.model import Recorded
from honed.ledger.rows import SkillRow
from honed.signing.binding import bound
from honed.skills.model import Draft, Skill
from honed.skills.terms import IndexEntry
from honed.store.connection import BadRowError, stored_json
from honed.store.indexing import bring_index_up_to_date, index_state
from honed.store.place import storable
from honed.store.recorded import events_of

Row: TypeAlias = tuple[str | int, ...]
Rows: TypeAlias = Mapping[str, list[Row]]


@dataclass(frozen=True, slots=True)
class Table:
    """A projection: the column that holds the subject's id, its key, and all logical columns."""

    name: str
    subject: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    deletion: str
    upsert: str


def _table(name: str, subject: str, key: str, columns: str) -> Table:
    keys, every = key.split(), columns.split()
    change = ", ".join(f"{column} = excluded.{column}" for column in every if column not in keys)
    return Table(
        name,
        subject,
        tuple(keys),
        tuple(every),
        f"DELETE FROM {name} WHERE {' AND '.join(f'{column} = ?' for column in keys)}",
        f"INSERT INTO {name} ({', '.join(every)}) VALUES ({', '.join('?' * len(every))})"
        f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {change}",
    )


TABLES: Mapping[str, tuple[Table, ...]] = {
    "skill": (
        _table(
            "skills",
            "id",
            "id",
            "id project slug kind scope state pinned archived approved origin agent session client title"
            " trigger_text text fingerprint content_hash version confirmed failed exit_proofs"
            " learned_at updated_at verified_at fades_at archives_at extra muted waiting uses taint",
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


@dataclass(frozen=True, slots=True)
class Projected:
    """What a subject's events come to: its rows by table, and the skill if it is one."""

    rows: Rows
    skill: SkillRow | None = None


def projected(subject: str, events: Iterable[Recorded]) -> Projected:
    """The rows that a subject's events come to; every table of its kind is named."""
    kind = ids.subject_kind(subject)
    rows = {table.name: list[Row]() for table in TABLES[kind]}
    skill = None
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
    return Projected(rows, skill)


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
        row.text,
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
        " ".join(skill.muted),
        skill.waiting,
        canonical(skill.uses),
        draft.taint,
    )


def skill_of(row: Mapping[str, object], body: object, sessions: Iterable[str]) -> Skill:
    """The skill that a row of ``skills`` holds.

    ``body`` is the JSON that the row's ``text`` points to, ``sessions`` are those that had a vote.
    Its approval is the one that the row claims, if it is of this text and kind (``signing.binding``).
    Raises ``BadRowError`` if the text of a skill that is not forgotten is gone.
    """
    text = {key: str(value) for key, value in row.items()}
    number = {key: value for key, value in row.items() if isinstance(value, int)}
    named = dict.fromkeys(name for name in (text["session"], *sessions) if name)
    extra, uses = stored_json(text["extra"]), stored_json(text["uses"])
    told = _told(text, body)
    return Skill(
        id=text["id"],
        project=text["project"],
        slug=text["slug"],
        draft=Draft(text["kind"], "", "") if told is None else draft_of(told),  # type: ignore[arg-type]
        state=text["state"],  # type: ignore[arg-type]
        pinned=bool(number["pinned"]),
        archived=bool(number["archived"]),
        approved_hash=" ".join(bound(text["approved"], text["kind"], text["content_hash"], told)).strip(),
        learned_at=text["learned_at"],
        updated_at=text["updated_at"],
        last_verified_at=text["verified_at"],
        version=number["version"],
        sessions=tuple(named),
        confirmed=number["confirmed"],
        failed=number["failed"],
        client=text["client"],
        session=text["session"],
        exit_proofs=number["exit_proofs"],
        content_hash=text["content_hash"],
        fades_at=text["fades_at"],
        archives_at=text["archives_at"],
        waiting=number["waiting"],
        uses=tuple(str(use) for use in uses) if isinstance(uses, list) else (),
        extra=extra if isinstance(extra, dict) else {},
        muted=tuple(text["muted"].split()),
    )


def _told(row: Mapping[str, str], body: object) -> object:
    """The text of a skill as it is kept, ``None`` of one that is forgotten."""
    if body is None:
        if row["state"] != "deleted":
            raise BadRowError(f"the text of skill {row['id']} is gone")
        return None
    value = stored_json(body)
    return value.get("draft", "") if isinstance(value, dict) else ""


# Writing


def project_subject(connection: sqlite3.Connection, subject: str, prepared: Mapping[str, IndexEntry]) -> None:
    """Bring the rows of one subject up to date with its events, and its place in the index.

    ``prepared`` are index entries by content hash that were computed before the lock was taken.
    """
    before = index_state(connection, subject) if ids.subject_kind(subject) == "skill" else None
    what = project_rows(connection, subject)
    if before is not None or what.skill is not None:
        draft = what.skill.skill.draft if what.skill else None
        bring_index_up_to_date(connection, subject, before, draft, prepared)


def project_rows(connection: sqlite3.Connection, subject: str) -> Projected:
    """Bring the rows of one subject up to date with its events, and leave the index as it is."""
    what = projected(subject, events_of(connection, subject))
    for table in TABLES[ids.subject_kind(subject)]:
        _sync(connection, table, subject, what.rows[table.name])
    return what


def differences(
    connection: sqlite3.Connection, subject: str, what: Projected
) -> Iterator[tuple[Table, list[Row], list[Row]]]:
    """The tables whose rows of a subject are not what its events come to: those there, those wanted."""
    for table in TABLES[ids.subject_kind(subject)]:
        there, wanted = stored_rows(connection, table, subject), what.rows[table.name]
        if there != wanted and sorted(there, key=repr) != sorted(wanted, key=repr):
            yield table, there, wanted


def stored_rows(connection: sqlite3.Connection, table: Table, subject: str) -> list[Row]:
    """The rows a table holds of a subject (all of them for the settings)."""
    where, given = (f" WHERE {table.subject} = ?", (subject,)) if table.subject else ("", ())
    return connection.execute(f"SELECT {', '.join(table.columns)} FROM {table.name}{where}", given).fetchall()


def _sync(connection: sqlite3.Connection, table: Table, subject: str, rows: list[Row]) -> None:
    """Write what differs, nothing else: a skill's tenth confirmation does not rewrite the other nine."""
    there = set(stored_rows(connection, table, subject))
    wanted = set(rows)
    if there == wanted:
        return
    places = [table.columns.index(name) for name in table.key]
    keys = {tuple(row[place] for place in places) for row in wanted}
    gone = {tuple(row[place] for place in places) for row in there} - keys
    if gone:
        connection.executemany(table.deletion, sorted(gone))
    connection.executemany(table.upsert, [row for row in rows if row not in there])
