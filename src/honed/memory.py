"""The one facade: what every door (command line, MCP, web, SDK) calls.

A door parses, calls ``Memory``, prints.  Nothing here prints or exits.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from honed.absorb import Absorbed, Absorber
from honed.config import Config
from honed.errors import DuplicateError, NotFoundError, RefusedError, UsageError
from honed.home import default_home
from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.fold import EvidenceRow, ProjectRow
from honed.ledger.model import Fault, Recorded
from honed.skills.duplicates import NEAR, similar
from honed.skills.manual import completed, redacted
from honed.skills.model import Draft, Skill
from honed.skills.redact import Redactor
from honed.store.base import Appended, SkillFilter, Stats
from honed.store.place import Place, locate
from honed.store.sqlite import SqliteStore, restore_backup
from honed.transcripts import Found

if TYPE_CHECKING:
    from honed.exchange.notes import Note

EVERY_STATE = ("candidate", "proven", "suspended", "withdrawn")
Clock = Callable[[], float]
Entropy = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Shown:
    """A skill with its evidence and its history."""

    skill: Skill
    evidence: tuple[EvidenceRow, ...]
    history: tuple[Recorded, ...]


class Memory:
    """An open memory.  Use as a context manager; every method may raise what ``errors`` lists."""

    def __init__(self, store: SqliteStore, config: Config, *, home: str, entropy: Entropy) -> None:
        self._store = store
        self._entropy = entropy
        self.config = config
        self.home = home
        self.redactor = Redactor(os.environ)

    @classmethod
    def open(
        cls,
        home: str | None = None,
        *,
        clock: Clock = time.time,
        entropy: Entropy = os.urandom,
        readonly: bool = False,
    ) -> Memory:
        """Open the memory in ``home`` (default: the platform's place), making it when it is new."""
        where = home or default_home()
        store = SqliteStore.open(where, clock=clock, entropy=entropy, readonly=readonly)
        return cls(store, Config.load(where, store.settings()), home=where, entropy=entropy)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    # -- learning ----------------------------------------------------------------------------------

    def absorb(self, found: Sequence[Found]) -> Iterator[tuple[Found, Absorbed]]:
        """Read transcripts, judge, learn; yields the figures of each as it is done."""
        absorber = Absorber(self._store, self.redactor, excluded=self.config.excludes)
        yield from absorber.absorb_all(found)

    def write(self, slug: str, draft: Draft, *, cwd: str, force: bool = False) -> Appended:
        """Keep a text written by hand under ``slug``.

        The same text again is no new record (``existed``).  Raises ``DuplicateError`` for a near
        duplicate (unless ``force``) and for a slug that holds another text; ``RefusedError`` for a
        text that was forgotten.
        """
        wanted = ids.slugify(slug)
        if wanted != slug:
            raise UsageError(f"slug {slug!r}: use lower-case letters, digits and hyphens, such as {wanted!r}")
        project = self.project(cwd) if draft.scope == "project" else ""
        clean = redacted(draft, self.redactor)
        twin = self._store.by_fingerprint(project, clean.fingerprint)
        if twin is not None and not force:
            return Appended(twin.id, "existed", twin.id, slug=twin.slug)
        self._refuse_collisions(project, slug, clean, force=force)
        event = events.written(
            ids.random_id("sk_", self._entropy(10)), project, slug, clean, self._entropy(16)
        )
        outcome = self._store.append([event], same_text=force)[0]
        if outcome.status == "refused":
            raise RefusedError(f"{slug}: {outcome.reason}")
        return outcome

    def _refuse_collisions(self, project: str, slug: str, draft: Draft, *, force: bool) -> None:
        for other in self._store.skills(SkillFilter(project=project)):
            if other.slug == slug:
                raise DuplicateError(
                    f"{slug}: the slug holds another text ({other.draft.title!r}); choose another slug", slug
                )
            if not force and other.draft.kind == draft.kind and similar(other.draft, draft) >= NEAR:
                raise DuplicateError(
                    f"{slug}: nearly the same as {other.slug} ({other.draft.title!r}); "
                    "change that one, or keep both with --force",
                    other.slug,
                )

    # -- looking -----------------------------------------------------------------------------------

    def place(self, cwd: str) -> Place:
        """Where ``cwd`` is."""
        return locate(os.path.abspath(cwd))

    def project(self, cwd: str) -> str:
        """The id of the project of ``cwd``, made if it is new."""
        return self._store.ensure_project(self.place(cwd))

    def find(self, slug: str, cwd: str) -> Skill:
        """The skill called ``slug`` where ``cwd`` is; ``project/slug`` and ids work from anywhere."""
        return self._store.find_slug(slug, self._store.resolve_project(self.place(cwd)))

    def show(self, slug: str, cwd: str) -> Shown:
        """A skill with everything that is known of it."""
        skill = self.find(slug, cwd)
        return Shown(skill, self._store.evidence(skill.id), self._store.skill_events(skill.id))

    def skills(self, which: SkillFilter) -> tuple[Skill, ...]:
        """Skills that match, the last changed first."""
        return self._store.skills(which)

    def projects(self) -> tuple[ProjectRow, ...]:
        """The projects that are known."""
        return self._store.projects()

    def resolve(self, name_or_path: str) -> str:
        """The id of the project with this name, id or folder.  Raises ``NotFoundError``."""
        for row in self._store.projects():
            if name_or_path in (row.id, row.name):
                return row.id
        found = self._store.resolve_project(self.place(name_or_path))
        if found is None:
            raise NotFoundError(f"{name_or_path}: no such project; `honed list` shows what there is")
        return found

    def stats(self) -> Stats:
        """Counts."""
        return self._store.stats()

    def every_skill(self) -> tuple[Skill, ...]:
        """Every skill that is not forgotten, archived and withdrawn ones too."""
        return self._store.skills(SkillFilter(archived=None, states=EVERY_STATE))

    def evidence(self, skill_id: str) -> tuple[EvidenceRow, ...]:
        """The evidence of a skill."""
        return self._store.evidence(skill_id)

    # -- exchange ----------------------------------------------------------------------------------

    def know_projects(self, rows: Sequence[tuple[str, str, str, list[tuple[str, str]]]]) -> None:
        """Take over projects that a vault declares: ``(id, name, seen, aliases)``; known ones stay."""
        known = {row.id for row in self._store.projects()}
        new = [
            events.project_seen(project, name, aliases, self._entropy(16), seen)
            for project, name, seen, aliases in rows
            if project not in known
        ]
        if new:
            self._store.append(new)

    def take_note(self, note: Note, *, cwd: str, dry_run: bool = False) -> Literal["new", "same", "changed"]:
        """Keep an imported text.  It is ``imported`` whatever its file declares, and proves nothing here.

        Raises ``RefusedError`` for a text that was forgotten here.
        """
        project = self._project_of(note, cwd)
        clean = completed(redacted(note.draft, self.redactor))
        known = self._store.skill(note.id) if note.id else None
        if known is None and project is not None:
            known = self._slug_holder(project, note.slug)
        if known is not None and known.state == "deleted":
            raise RefusedError(f"{note.slug}: was forgotten here and is not taken in again")
        if known is not None:
            return self._renewed(known, clean, dry_run=dry_run)
        if dry_run:
            return "new"
        if project is None:
            project = ids.random_id("pr_", self._entropy(10))
            self._store.append([events.project_seen(project, note.project, (), self._entropy(16))])
        skill_id = note.id or ids.random_id("sk_", self._entropy(10))
        event = events.written(
            skill_id, project, note.slug, clean, self._entropy(16), actor="import", extra=note.extra
        )
        batch = [event]
        if note.pinned:
            batch.append(events.by_hand("pinned", skill_id, self._entropy(16)))
        if note.archived:
            batch.append(events.by_hand("archived", skill_id, self._entropy(16)))
        outcome = self._store.append(batch, same_text=True)[0]
        if outcome.status == "refused":
            raise RefusedError(f"{note.slug}: {outcome.reason}")
        return "new"

    def _project_of(self, note: Note, cwd: str) -> str | None:
        """The project a note belongs to; ``None`` for one that is not known yet."""
        if note.draft.scope == "global":
            return ""
        if not note.project:
            return self.project(cwd)
        named = [row.id for row in self._store.projects() if row.name == note.project]
        return named[0] if named else None

    def _slug_holder(self, project: str, slug: str) -> Skill | None:
        found = self._store.skills(SkillFilter(project=project, archived=None, states=EVERY_STATE))
        return next((skill for skill in found if skill.slug == slug), None)

    def _renewed(self, known: Skill, draft: Draft, *, dry_run: bool) -> Literal["same", "changed"]:
        """A note of a skill that is here: the same text, or a new version of it."""
        if known.content_hash == content_hash(draft):
            return "same"
        if not dry_run:
            kept = replace(draft, origin=known.draft.origin, fingerprint=draft.fingerprint)
            self._store.append([events.revised(known.id, kept, self._entropy(16), reason="imported")])
        return "changed"

    # -- the owner's acts --------------------------------------------------------------------------

    def pin(self, slug: str, cwd: str, *, pinned: bool) -> Skill:
        """Pinned skills never fade."""
        return self._decide(self.find(slug, cwd), "pinned" if pinned else "unpinned")

    def archive(self, slug: str, cwd: str, *, archived: bool) -> Skill:
        """Archived skills are kept and not recalled."""
        return self._decide(self.find(slug, cwd), "archived" if archived else "restored")

    def forget(self, slug: str, cwd: str) -> Skill:
        """Delete a skill: it is in no search any more and is not learned again."""
        return self._decide(self.find(slug, cwd), "forgotten")

    def _decide(self, skill: Skill, kind: str) -> Skill:
        event = events.by_hand(kind, skill.id, self._entropy(16))  # type: ignore[arg-type]
        self._store.append([event])
        after = self._store.skill(skill.id)
        return after if after is not None else replace(skill, state="deleted")

    def configure(self, key: str, value: object) -> None:
        """Change a setting; those that widen what agents are given are events of the owner."""
        if self.config.is_owner_event(key):
            self._store.append([events.configured(key, value, self._entropy(16))])
        self.config = self.config.changed(key, value)

    # -- the ledger --------------------------------------------------------------------------------

    def verify(self, *, strict: bool = False) -> tuple[Fault, ...]:
        """Everything that is wrong with the ledger, its projections and the file."""
        return self._store.verify(strict=strict)

    def rebuild(self) -> int:
        """Make every projection anew from the ledger."""
        return self._store.rebuild()

    def backup(self, path: str | None = None) -> str:
        """Copy the memory; returns the copy's path."""
        return self._store.backup(path)

    @staticmethod
    def restore_backup(path: str, *, home: str | None = None) -> str:
        """Put a backup in the memory's place, also where that is damaged; returns where the replaced
        one went, or "" when there was none."""
        return restore_backup(home or default_home(), path)
