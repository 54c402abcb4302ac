"""The reading half of the store: each answer is of one moment."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from honed.ledger.drafts import content_hash
from honed.ledger.fold import in_order
from honed.ledger.history import Version, versions
from honed.ledger.model import Recorded
from honed.ledger.rows import EvidenceRow, ProjectRow, TaskRow
from honed.signing.approvals import Approvals
from honed.signing.manifest import line_of
from honed.signing.pins import SETTING
from honed.skills.model import Skill
from honed.store import backups, files, lookup
from honed.store.aliases import resolve_project
from honed.store.base import LIVE, Fading, SkillFilter, Source, Stats
from honed.store.connection import database_path, explained, reading
from honed.store.naming import named_place
from honed.store.place import Place, storable
from honed.store.recorded import events_of


def line_of_skill(skill: Skill) -> str:
    """What the signed manifest says of a skill whose text, as it stands, is approved."""
    kind = skill.draft.kind
    return line_of(skill.project, skill.slug, skill.id, kind, content_hash(skill.draft))


def _as_it_holds(skill: Skill, approvals: Approvals) -> Skill:
    """A skill whose row says that it is approved, with the approval if it holds and without it if not."""
    digest, _, key = skill.approved_hash.partition(" ")
    holds = approvals.holds(skill.project, skill.slug, skill.id, skill.draft.kind, (digest, key))
    return replace(skill, approved_hash=digest if holds else "")


class Answering:
    """What a store answers from its projections; ``SqliteStore`` is one."""

    home: str
    _connection: sqlite3.Connection

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        with explained(self.home), reading(self._connection):
            yield

    @contextlib.contextmanager
    def moment(self) -> Iterator[None]:
        """Several answers inside it are of one moment (see ``Store.moment``)."""
        with self._reading():
            yield

    def approvals(self) -> Approvals:
        """Which approvals hold (see ``signing.approvals``)."""
        return Approvals(self.home, self.owner_keys())

    def owner_keys(self) -> dict[str, object]:
        """The owners' keys that the ledger knows, by owner."""
        found = self.settings().items()
        return {key[len(SETTING) :]: value for key, value in found if key.startswith(SETTING)}

    def claimed_approvals(self) -> tuple[str, ...]:
        """The ids of the skills that the database says are approved, whether or not that holds."""
        with self._reading():
            rows = self._connection.execute("SELECT id FROM skills WHERE approved <> '' ORDER BY id")
            return tuple(str(skill) for (skill,) in rows)

    def signed_before(self) -> tuple[str, ...]:
        """The ids of the skills whose approval was signed, whether or not anything is signed any more."""
        with self._reading():
            rows = self._connection.execute("SELECT id FROM skills WHERE approved LIKE '% %' ORDER BY id")
            return tuple(str(skill) for (skill,) in rows)

    def _as_approved(self, skills: Sequence[Skill]) -> tuple[Skill, ...]:
        """The skills with the approvals that hold: of signed ones, those that the signature covers."""
        approvals = self.approvals() if any(skill.approved_hash for skill in skills) else None
        if approvals is None:
            return tuple(skills)
        return tuple(_as_it_holds(skill, approvals) if skill.approved_hash else skill for skill in skills)

    def resolve_project(self, place: Place) -> str | None:
        """The id of the place's project, or ``None``; writes nothing."""
        with self._reading():
            return resolve_project(self._connection, place)

    def skills_by_project(self) -> dict[str, int]:
        """How many skills each project has, those that are forgotten or withdrawn left out."""
        with self._reading():
            return lookup.counts(
                self._connection, "skills", "project", "state NOT IN ('deleted', 'withdrawn')"
            )

    def scopes(self, project: str) -> tuple[str, ...]:
        """What holds in a project (see ``Store.scopes``)."""
        with self._reading():
            return lookup.scopes_of(self._connection, project)

    def named(self, name: str, here: str) -> Place:
        """The place that a folder, or the name or id of a project, means (see ``naming``)."""
        with self._reading():
            return named_place(self._connection, name, here)

    def skill(self, skill_id: str) -> Skill | None:
        """A skill by id, tombstones too (state ``deleted``, no text)."""
        with self._reading():
            found = lookup.skill_by_id(self._connection, skill_id)
            return self._as_approved([found])[0] if found else None

    def find_slug(self, slug: str, project: str | None = None) -> Skill:
        """A live skill by slug, ``project-name/slug``, or id (see ``Store.find_slug``)."""
        with self._reading():
            return self._as_approved([lookup.find_slug(self._connection, slug, project)])[0]

    def forgotten(self, slug: str) -> tuple[Skill, ...]:
        """Tombstones by slug or id (see ``Store.forgotten``)."""
        with self._reading():
            return lookup.select_skills(
                self._connection,
                "WHERE (slug = ?1 OR id = ?1) AND state = 'deleted' ORDER BY id",
                (storable(slug),),
            )

    def by_fingerprint(self, project: str, fingerprint: str) -> Skill | None:
        """The live skill of a project (or a global one) that has this fingerprint."""
        with self._reading():
            found = lookup.by_fingerprint(self._connection, project, fingerprint)
            return self._as_approved([found])[0] if found else None

    def about_file(
        self, project: str, path: str, most: int, *, states: Sequence[str] = (), kinds: Sequence[str] = ()
    ) -> tuple[Skill, ...]:
        """The ``most`` skills that name this file and proved themselves most (see ``Store.about_file``)."""
        with self._reading():
            return self._as_approved(
                lookup.about_file(self._connection, project, path, most, states=states, kinds=kinds)
            )

    def skills(self, which: SkillFilter = LIVE) -> tuple[Skill, ...]:
        """Skills that match, the last changed first."""
        with self._reading():
            return self._as_approved(lookup.list_skills(self._connection, which))

    def faded(self, now: str) -> tuple[Fading, ...]:
        """See ``Store.faded``."""
        with self._reading():
            return lookup.faded(self._connection, now)

    def skill_events(self, skill_id: str) -> tuple[Recorded, ...]:
        """The history of a skill (or of any subject) in the fold's order, with full texts."""
        with self._reading():
            return tuple(in_order(events_of(self._connection, skill_id)))

    def versions(self, skill_id: str) -> tuple[Version, ...]:
        """Every text a skill had, with what changed each time."""
        with self._reading():
            return versions(events_of(self._connection, skill_id))

    def evidence(self, skill_id: str) -> tuple[EvidenceRow, ...]:
        """The evidence of a skill in order, with what each piece counts for."""
        with self._reading():
            return lookup.evidence_of(self._connection, skill_id)

    def evidence_of_task(self, task_id: str) -> tuple[EvidenceRow, ...]:
        """The evidence that a task gave, of whichever skills."""
        with self._reading():
            return lookup.evidence_of_task(self._connection, task_id)

    def task(self, task_id: str) -> TaskRow | None:
        """The verdict of a task as it stands."""
        with self._reading():
            found = lookup.select_tasks(self._connection, task=task_id, session=None, project=None)
        return found[0] if found else None

    def tasks(self, session: str | None = None, project: str | None = None) -> tuple[TaskRow, ...]:
        """Tasks by session or project, in order of time."""
        with self._reading():
            return lookup.select_tasks(self._connection, task=None, session=session, project=project)

    def projects(self) -> tuple[ProjectRow, ...]:
        """All projects with their aliases, by name."""
        with self._reading():
            return lookup.all_projects(self._connection)

    def settings(self) -> Mapping[str, object]:
        """The owner's settings that are events."""
        with self._reading():
            return lookup.all_settings(self._connection)

    def source(self, path: str) -> Source | None:
        """How far a transcript has been read."""
        with self._reading():
            return lookup.source_of(self._connection, path)

    def read_by_others(self, rules: str) -> tuple[str, ...]:
        """See ``Store.read_by_others``."""
        with self._reading():
            return lookup.read_by_others(self._connection, rules)

    def sources_of(self, session: str) -> tuple[Source, ...]:
        """The transcripts of a session that have been read, by path."""
        with self._reading():
            return lookup.sources_of(self._connection, session)

    def stats(self) -> Stats:
        """Counts."""
        path = database_path(self.home)
        with self._reading():
            return Stats(
                events=lookup.count(self._connection, "SELECT count(*) FROM events"),
                skills=lookup.counts(self._connection, "skills", "state"),
                kinds=lookup.counts(self._connection, "skills", "kind", "state <> 'deleted'"),
                verdicts=lookup.counts(self._connection, "tasks", "verdict"),
                evidence=lookup.counts(self._connection, "skill_evidence", "kind"),
                projects=lookup.count(self._connection, "SELECT count(*) FROM projects"),
                sessions=lookup.count(self._connection, "SELECT count(DISTINCT session) FROM tasks"),
                sources=lookup.count(self._connection, "SELECT count(*) FROM sources"),
                bytes=files.size_of(path) + files.size_of(f"{path}-wal"),
                backups=len(backups.backups(self.home)),
            )
