"""What the store answers: plain reads of the projections.

Each function takes an open connection; several statements of one answer need one snapshot, which the
caller holds.  The reads of a recall are in ``reading``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from honed.errors import AmbiguousSlugError, NotFoundError
from honed.ledger.rows import Alias, EvidenceRow, ProjectRow, TaskRow
from honed.skills.entities import path_suffixes
from honed.skills.model import Skill
from honed.store.aliases import kin
from honed.store.base import Fading, SkillFilter, Source
from honed.store.connection import stored_json
from honed.store.exact import match_of
from honed.store.indexing import UNINDEXED
from honed.store.place import storable
from honed.store.projections import TABLES, skill_of
from honed.store.strongest import BY_PROOF, MOST_NAMING

_SKILL_COLUMNS = TABLES["skill"][0].columns
_SKILLS = (
    f"SELECT {', '.join(_SKILL_COLUMNS)}, (SELECT body FROM payloads p WHERE p.n = skills.text) FROM skills"
)
_TASK_COLUMNS = "id, project, session, client, verdict, reason, authority, step, check_command, seen_to, at"
_EVIDENCE_COLUMNS = "event_id, skill, kind, session, task, at, counts, authority, why"
_SOURCE_COLUMNS = "path, client, session, size, mtime_ns, offset, line, ordinal, prefix, rules, taint"
_BATCH = 400
"""Ids asked for in one statement."""


def select_skills(connection: sqlite3.Connection, where: str, given: Sequence[object]) -> tuple[Skill, ...]:
    """The skills of a ``WHERE`` (or ``ORDER``) clause over the table ``skills``."""
    found = connection.execute(f"{_SKILLS} {where}", given).fetchall()
    rows = [(dict(zip(_SKILL_COLUMNS, row, strict=True)), body) for *row, body in found]
    voted = _sessions_with_a_vote(connection, [row["id"] for row, _ in rows])
    return tuple(skill_of(row, body, voted.get(row["id"], ())) for row, body in rows)


def _sessions_with_a_vote(connection: sqlite3.Connection, skills: Sequence[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for start in range(0, len(skills), _BATCH):
        batch = skills[start : start + _BATCH]
        for skill, session in connection.execute(
            f"SELECT skill, session FROM skill_evidence WHERE skill IN ({', '.join('?' * len(batch))})"
            " AND counts <> 0 ORDER BY skill, at, event_id",
            batch,
        ):
            found.setdefault(skill, []).append(session)
    return found


def skill_by_id(connection: sqlite3.Connection, skill_id: str) -> Skill | None:
    """A skill by id, tombstones too."""
    found = select_skills(connection, "WHERE id = ?", (storable(skill_id),))
    return found[0] if found else None


def scopes_of(connection: sqlite3.Connection, project: str) -> tuple[str, ...]:
    """What holds in a project: its own, that of the projects linked to it, and what holds everywhere ("")."""
    return (*kin(connection, project), "") if project else ("",)


def about_file(
    connection: sqlite3.Connection,
    project: str,
    path: str,
    most: int,
    *,
    states: Sequence[str] = (),
    kinds: Sequence[str] = (),
) -> tuple[Skill, ...]:
    """The ``most`` skills that name this file and proved themselves most (see ``Store.about_file``).

    Where more than ``MOST_NAMING`` name it, of those that came last.
    """
    names = kin(connection, storable(project)) if project else ()
    marks = ", ".join("?" * len(names))
    scopes = connection.execute(f"SELECT n FROM index_scopes WHERE project IN ({marks})", names).fetchall()
    suffixes = path_suffixes(storable(path))
    if not scopes or not suffixes:
        return ()
    kind, value = suffixes[-1]
    match = match_of([scope for (scope,) in scopes], kind, value)
    clauses = ["n IN (SELECT rowid FROM skill_exact WHERE skill_exact MATCH ? ORDER BY rowid DESC LIMIT ?)"]
    given: list[object] = [match, MOST_NAMING]
    for column, wanted in (("state", states), ("kind", kinds)):
        if wanted:
            clauses.append(f"{column} IN ({', '.join('?' * len(wanted))})")
            given += wanted
    # Whole rows of those alone that are meant: of thousands it is the order that is looked up.
    best = f"SELECT n FROM skills WHERE {' AND '.join(clauses)} {BY_PROOF}"
    return select_skills(connection, f"WHERE n IN ({best}) ORDER BY id", (*given, most))


def by_fingerprint(connection: sqlite3.Connection, project: str, fingerprint: str) -> Skill | None:
    """The live skill with this fingerprint: the project's own before a global one, the oldest first."""
    scopes = scopes_of(connection, storable(project))
    found = select_skills(
        connection,
        f"WHERE fingerprint = ? AND project IN ({', '.join('?' * len(scopes))}) AND state <> 'deleted'"
        " ORDER BY project = '', learned_at, id LIMIT 1",
        (storable(fingerprint), *scopes),
    )
    return found[0] if found else None


def list_skills(connection: sqlite3.Connection, which: SkillFilter) -> tuple[Skill, ...]:
    """The skills that a filter lets through, the last changed first."""
    clauses, given = ["state <> 'deleted'"], list[object]()
    if which.project is not None:
        clauses.append("project = ?")
        given.append(storable(which.project))
    for column, values in (("kind", which.kinds), ("state", which.states)):
        if values:
            clauses.append(f"{column} IN ({', '.join('?' * len(values))})")
            given += values
    if not which.states:
        clauses.append(f"state NOT IN ({', '.join('?' * len(UNINDEXED))})")
        given += UNINDEXED
    for column, flag in (("archived", which.archived), ("pinned", which.pinned)):
        if flag is not None:
            clauses.append(f"{column} = ?")
            given.append(int(flag))
    if which.muted is not None:
        clauses.append("muted <> ''" if which.muted else "muted = ''")
    given += [-1 if which.limit is None else max(0, which.limit), max(0, which.offset)]
    where = f"WHERE {' AND '.join(clauses)} ORDER BY updated_at DESC, id LIMIT ? OFFSET ?"
    return select_skills(connection, where, given)


def faded(connection: sqlite3.Connection, now: str) -> tuple[Fading, ...]:
    """The skills that have faded by ``now``, those archived first, the last first."""
    rows = connection.execute(
        "SELECT id, project, slug, title, fades_at, archives_at, archives_at <= ?1 FROM skills"
        " WHERE fades_at <> '' AND fades_at <= ?1 AND archived = 0"
        " AND state IN ('candidate', 'proven', 'suspended')"
        " ORDER BY 7 DESC, iif(archives_at <= ?1, archives_at, fades_at) DESC, id",
        (now,),
    )
    return tuple(
        Fading(skill, project, slug, title, fades, archives, bool(archived))
        for skill, project, slug, title, fades, archives, archived in rows
    )


def find_slug(connection: sqlite3.Connection, slug: str, project: str | None) -> Skill:
    """The one live skill that a slug, ``project-name/slug`` or id means to somebody in ``project``."""
    name, _, bare = slug.rpartition("/")
    found = select_skills(
        connection,
        "WHERE (slug = ? OR id = ?) ORDER BY project, id",
        (storable(bare), storable(slug)),
    )
    labels = {project.id: project.name or project.id for project in all_projects(connection)}
    labels[""] = "global"
    live = [skill for skill in found if skill.state != "deleted"]
    if name:
        live = [skill for skill in live if name in (skill.project, labels.get(skill.project))]
    elif project is not None:
        mine = kin(connection, project) if project else ()
        own = [skill for skill in live if skill.project in mine]
        live = own or [skill for skill in live if not skill.project] or live
    if len(live) == 1:
        return live[0]
    if live:
        choices = tuple(_choice(skill, labels, live) for skill in live)
        raise AmbiguousSlugError(f"{slug} may mean {' or '.join(choices)}; say which", choices)
    if any(skill.state == "deleted" for skill in found):
        raise NotFoundError(f"{slug} was forgotten")
    raise NotFoundError(f"there is no skill {slug}; `honed list` shows what there is")


def _choice(skill: Skill, labels: Mapping[str, str], among: Iterable[Skill]) -> str:
    """``project/slug``; the id where even that names several."""
    label = labels.get(skill.project, skill.project)
    same = [other for other in among if labels.get(other.project, other.project) == label]
    return f"{label}/{skill.slug}" if len(same) == 1 else skill.id


def evidence_of(connection: sqlite3.Connection, skill_id: str) -> tuple[EvidenceRow, ...]:
    """The evidence of a skill in order of time."""
    found = connection.execute(
        f"SELECT {_EVIDENCE_COLUMNS} FROM skill_evidence WHERE skill = ? ORDER BY at, event_id", (skill_id,)
    )
    return tuple(EvidenceRow(*row) for row in found)


def evidence_of_task(connection: sqlite3.Connection, task: str) -> tuple[EvidenceRow, ...]:
    """The evidence that a task gave, of whichever skills."""
    found = connection.execute(
        f"SELECT {_EVIDENCE_COLUMNS} FROM skill_evidence WHERE task = ? ORDER BY at, event_id", (task,)
    )
    return tuple(EvidenceRow(*row) for row in found)


def select_tasks(
    connection: sqlite3.Connection, *, task: str | None, session: str | None, project: str | None
) -> tuple[TaskRow, ...]:
    """Tasks by id, session or project (``None`` is any), in order of time."""
    given = {"id": task, "session": session, "project": project}
    named = {column: storable(value) for column, value in given.items() if value is not None}
    where = " AND ".join(f"{column} = ?" for column in named) or "1"
    found = connection.execute(
        f"SELECT {_TASK_COLUMNS} FROM tasks WHERE {where} ORDER BY at, id", tuple(named.values())
    )
    return tuple(TaskRow(*row) for row in found)


def all_projects(connection: sqlite3.Connection) -> tuple[ProjectRow, ...]:
    """All projects with their aliases, by name."""
    aliases: dict[str, list[Alias]] = {}
    for project, *alias in connection.execute(
        "SELECT project, kind, value, state, at FROM project_aliases ORDER BY project, kind, value"
    ):
        aliases.setdefault(project, []).append(Alias(*alias))
    found = connection.execute("SELECT id, name, seen FROM projects ORDER BY name, id")
    return tuple(ProjectRow(key, name, seen, tuple(aliases.get(key, ()))) for key, name, seen in found)


def all_settings(connection: sqlite3.Connection) -> dict[str, object]:
    """The owner's settings by key."""
    return {key: stored_json(value) for key, value in connection.execute("SELECT key, value FROM settings")}


def source_of(connection: sqlite3.Connection, path: str) -> Source | None:
    """How far a transcript has been read."""
    row = connection.execute(
        f"SELECT {_SOURCE_COLUMNS} FROM sources WHERE path = ?", (storable(path),)
    ).fetchone()
    return Source(*row) if row else None


def sources_of(connection: sqlite3.Connection, session: str) -> tuple[Source, ...]:
    """The transcripts of a session that have been read, by path."""
    rows = connection.execute(
        f"SELECT {_SOURCE_COLUMNS} FROM sources WHERE session = ? ORDER BY path", (storable(session),)
    )
    return tuple(Source(*row) for row in rows)


def read_by_others(connection: sqlite3.Connection, rules: str) -> tuple[str, ...]:
    """The paths of transcripts that were read by other rules than these, in order."""
    rows = connection.execute("SELECT path FROM sources WHERE rules <> ? ORDER BY path", (rules,))
    return tuple(str(path) for (path,) in rows)


def save_source(connection: sqlite3.Connection, source: Source) -> None:
    """Remember how far a transcript has been read, inside the caller's transaction."""
    values = tuple(
        storable(value) if isinstance(value, str) else value
        for value in (getattr(source, name.strip()) for name in _SOURCE_COLUMNS.split(","))
    )
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT OR REPLACE INTO sources ({_SOURCE_COLUMNS}) VALUES ({marks})", values)


def count(connection: sqlite3.Connection, statement: str) -> int:
    """The one number a statement gives."""
    return int(connection.execute(statement).fetchone()[0])


def counts(connection: sqlite3.Connection, table: str, column: str, where: str = "1") -> dict[str, int]:
    """How many rows have which value in a column."""
    found = connection.execute(
        f"SELECT {column}, count(*) FROM {table} WHERE {where} GROUP BY {column} ORDER BY {column}"
    )
    return {str(value): int(number) for value, number in found}
