"""The one facade: what every door (command line, MCP, web, SDK) calls.

A door parses, calls ``Memory``, prints.  Nothing here prints or exits.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from honed import asking
from honed.config import Config
from honed.errors import DuplicateError, NotFoundError, RefusedError, UsageError
from honed.home import DATABASE, default_home
from honed.ledger import events, ids
from honed.ledger.canonical import canonical, from_epoch
from honed.ledger.drafts import draft_body
from honed.ledger.fold import EvidenceRow, ProjectRow
from honed.ledger.model import EventKind, Fault, Recorded
from honed.skills.duplicates import NEAR, similar
from honed.skills.manual import redacted
from honed.skills.model import Draft, Skill
from honed.skills.redact import Redactor
from honed.store.base import Appended, SkillFilter, Stats
from honed.store.connection import none_yet
from honed.store.files import HEAD
from honed.store.place import Place, absolute, locate
from honed.store.sqlite import SqliteStore, restore_backup

if TYPE_CHECKING:
    from honed.absorb import Absorbed
    from honed.caller import Author, Caller
    from honed.exchange.intake import Imported
    from honed.exchange.vault import Exported
    from honed.recall.recall import Recalled
    from honed.transcripts import Found

EVERY_STATE = ("candidate", "proven", "suspended", "withdrawn")
OWNER = "owner"
NEIGHBOURS = 20
"""Skills that a text written by hand is compared with."""
Clock = Callable[[], float]
Entropy = Callable[[int], bytes]

_ID = re.compile(r"sk_[a-z2-7]{16}")


@dataclass(frozen=True, slots=True)
class Shown:
    """A skill with its evidence and its history."""

    skill: Skill
    evidence: tuple[EvidenceRow, ...]
    history: tuple[Recorded, ...]


class Memory:
    """An open memory.  Use as a context manager; every method may raise what ``errors`` lists."""

    def __init__(
        self, store: SqliteStore, config: Config, *, home: str, clock: Clock, entropy: Entropy
    ) -> None:
        self._store = store
        self._clock = clock
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
        existing: bool = False,
    ) -> Memory:
        """Open the memory in ``home`` (default: the platform's place), making it when it is new.

        Raises ``NotFoundError`` (``readonly`` or ``existing``, and there is none), ``UnavailableError``,
        ``DamagedError``, and ``UsageError`` for a settings file that cannot be understood.
        """
        where = os.path.abspath(home) if home else default_home()
        if existing and not any(os.path.lexists(os.path.join(where, name)) for name in (DATABASE, HEAD)):
            raise none_yet(where)
        store = SqliteStore.open(where, clock=clock, entropy=entropy, readonly=readonly)
        try:
            config = Config.load(where, store.settings())
        except BaseException:
            store.close()
            raise
        return cls(store, config, home=where, clock=clock, entropy=entropy)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    # -- learning ----------------------------------------------------------------------------------

    def absorb(
        self, found: Sequence[Found], *, watch: Callable[[int], None] = lambda _bytes: None
    ) -> Iterator[tuple[Found, Absorbed]]:
        """Read transcripts, judge, learn; yields the figures of each as it is done.

        ``watch`` is told how many bytes of the present one are read.
        """
        from honed.absorb import Absorber

        absorber = Absorber(
            self._store,
            self.redactor,
            excluded=self.config.excludes,
            watch=watch,
            runners=self.config.rules(),
            own=self.config["runners"],
        )
        yield from absorber.absorb_all(found)

    def write(
        self, slug: str, draft: Draft, *, cwd: str, force: bool = False, actor: str = OWNER
    ) -> Appended:
        """Keep a text written by hand, by the owner or ``agent:NAME``, as ``slug`` in the project of ``cwd``.

        By its scope, or where ``cwd`` is no project (a home folder), it holds everywhere.  The same text
        again is no new record (``existed``).  Raises ``DuplicateError`` for a near duplicate (unless
        ``force``) and for a slug that holds another text; ``RefusedError`` for a text that was forgotten
        and for a folder that is kept out; ``UsageError`` for a slug that is none.
        """
        wanted = ids.slugify(slug)
        if wanted != slug:
            raise UsageError(
                f"slug {slug!r}: use lower-case letters and digits joined by hyphens, such as {wanted!r}"
            )
        if self.config.excludes(self.place(cwd).root or cwd):
            raise RefusedError(f"{cwd} is kept out by the setting `exclude`; nothing was stored")
        project = self.project(cwd) if draft.scope == "project" else ""
        if not project:
            draft = replace(draft, scope="global")
        clean = redacted(_storable(draft), self.redactor)
        if not force:
            self._refuse_near(project, slug, clean, cwd)
        skill_id = ids.random_id("sk_", self._entropy(10))
        salt, client = self._entropy(16), actor.partition(":")[2]
        event = events.written(skill_id, project, slug, clean, salt, actor=actor, client=client)
        outcome = self._store.append([event], same_text=force, exact_slug=True)[0]
        if outcome.status != "refused":
            return outcome
        return self._explained(slug, clean, outcome)

    def _refuse_near(self, project: str, slug: str, draft: Draft, cwd: str) -> None:
        if self._store.by_fingerprint(project, draft.fingerprint) is not None:
            return  # the same text: the store says so
        # What says nearly the same is found by its own words; comparing with every skill would cost.
        text = "\n".join((draft.title, draft.trigger, *draft.steps, draft.body))
        for hit in self.search(text, cwd=cwd, limit=NEIGHBOURS, recaps=True).hits:
            other = self._store.skill(hit.id)
            if other is None or other.project != project or other.slug == slug:
                continue
            if similar(other.draft, draft) >= NEAR:
                raise DuplicateError(
                    f"{slug}: nearly the same as {other.slug} ({other.draft.title!r}); "
                    "change that one, or keep both with --force",
                    other.slug,
                )

    def _explained(self, slug: str, draft: Draft, outcome: Appended) -> Appended:
        """What stands in the way of a text that the store refused: itself, another one, or an erasure."""
        other = self._store.skill(outcome.collides_with) if outcome.collides_with else None
        if other is None or other.state == "deleted":
            raise RefusedError(f"{slug}: {outcome.reason}; it is not kept again")
        if draft.fingerprint == other.draft.fingerprint:
            return Appended(other.id, "existed", other.id, slug=other.slug)
        raise DuplicateError(
            f"{slug}: the slug holds another text ({other.draft.title!r}); choose another slug", slug
        )

    # -- finding -----------------------------------------------------------------------------------

    def recall(self, query: str, *, cwd: str, limit: int = 5, explain: bool = False) -> Recalled:
        """What an agent in ``cwd`` would be given now."""
        now = from_epoch(self._clock())
        return asking.recall(
            self.home, query, cwd=cwd, limit=limit, explain=explain, now=now, everywhere=True
        )

    def search(self, query: str, *, cwd: str, limit: int = 10, recaps: bool = False) -> Recalled:
        """Everything that matches, weak hits marked."""
        now = from_epoch(self._clock())
        return asking.search(self.home, query, cwd=cwd, limit=limit, recaps=recaps, now=now)

    # -- looking -----------------------------------------------------------------------------------

    def place(self, cwd: str) -> Place:
        """Where ``cwd`` is."""
        return locate(absolute(cwd))

    def project(self, cwd: str) -> str:
        """The id of the project of ``cwd``, made if it is new; empty for what is no project."""
        return self._store.ensure_project(self.place(cwd))

    def known_project(self, cwd: str) -> str | None:
        """The id of the project of ``cwd``.

        "" for a repository that honed has not seen: nothing but global skills belongs to it.  ``None`` for
        a folder that is no project: there everything is meant.
        """
        place = self.place(cwd)
        return self._store.resolve_project(place) or ("" if place.git_dir else None)

    def find(self, slug: str, cwd: str) -> Skill:
        """The skill called ``slug`` where ``cwd`` is; ``project/slug`` and ids work from anywhere.

        In a project its own skill is meant, or a global one, and no other project's.  Raises
        ``NotFoundError``, and ``AmbiguousSlugError`` with the choices.
        """
        here = self.known_project(cwd)
        if here is None or "/" in slug or _ID.fullmatch(slug):
            return self._store.find_slug(slug)
        for project in dict.fromkeys((here, "")):
            try:
                found = self._store.find_slug(f"{project or 'global'}/{slug}")
            except NotFoundError:
                continue
            if found.project == project:
                return found
        raise NotFoundError(
            f"this project has no skill {slug}; `honed list` shows what it has, `honed list --all` the others"
        )

    def show(self, slug: str, cwd: str) -> Shown:
        """A skill with everything that is known of it."""
        with self._store.moment():
            skill = self.find(slug, cwd)
            return Shown(skill, self._store.evidence(skill.id), self._store.skill_events(skill.id))

    def skills(self, which: SkillFilter) -> tuple[Skill, ...]:
        """Skills that match, the last changed first."""
        return self._store.skills(which)

    def skills_here(self, cwd: str, which: SkillFilter) -> tuple[Skill, ...]:
        """Those of ``which`` that hold in ``cwd``: its project's and the global ones; all where that is no
        project."""
        here = self.known_project(cwd)
        if here is None:
            return self._store.skills(which)
        found = [
            skill
            for project in dict.fromkeys((here, ""))
            for skill in self._store.skills(replace(which, project=project))
        ]
        found.sort(key=lambda skill: skill.updated_at, reverse=True)
        return tuple(found[: which.limit])

    def skills_of(self, project: str, which: SkillFilter) -> tuple[Skill, ...]:
        """Those of ``which`` that belong to one project."""
        return self._store.skills(replace(which, project=project))

    def every_skill(self) -> tuple[Skill, ...]:
        """Every skill that is not forgotten, archived and withdrawn ones too."""
        return self._store.skills(SkillFilter(archived=None, states=EVERY_STATE))

    def projects(self) -> tuple[ProjectRow, ...]:
        """The projects that are known."""
        return self._store.projects()

    def resolve(self, name_or_path: str) -> str:
        """The id of the project with this name, id or folder.  Raises ``NotFoundError``."""
        named = [row.id for row in self._store.projects() if name_or_path in (row.id, row.name)]
        found = named[0] if len(named) == 1 else self._store.resolve_project(self.place(name_or_path))
        if len(named) > 1 and found is None:
            raise UsageError(
                f"{len(named)} projects are called {name_or_path}; name a folder or an id: {', '.join(named)}"
            )
        if found is None:
            raise NotFoundError(f"{name_or_path}: no such project; `honed list --all` shows what there is")
        return found

    def stats(self) -> Stats:
        """Counts."""
        return self._store.stats()

    def evidence(self, skill_id: str) -> tuple[EvidenceRow, ...]:
        """The evidence of a skill."""
        return self._store.evidence(skill_id)

    def learned_at(self, skill_id: str) -> str:
        """When a skill was learned, ISO-8601 UTC.  Raises ``NotFoundError``."""
        skill = self._store.skill(skill_id)
        if skill is None:
            raise NotFoundError(f"there is no skill {skill_id}")
        return skill.learned_at

    def caller(self, author: Author, cwd: str) -> Caller:
        """What the agent ``author`` sees and may do in ``cwd`` by its own word (see ``honed.caller``)."""
        from honed.caller import Caller

        return Caller(self, self._store, author, cwd, self._entropy)

    # -- exchange ----------------------------------------------------------------------------------

    def export(self, folder: str) -> Exported:
        """Write every skill to a vault (see ``exchange.vault``)."""
        from honed.exchange.vault import export_vault

        return export_vault(self._store, folder)

    def take_in(self, path: str, *, cwd: str) -> Imported:
        """Read a vault, a folder of Markdown notes or one file (see ``exchange.intake``)."""
        from honed.exchange.intake import Intake

        return Intake(self._store, self.redactor, self._entropy).take(path, cwd=cwd)

    @staticmethod
    def try_in(home: str | None, path: str, *, cwd: str) -> Imported:
        """What ``take_in`` would do, found out on a copy of the memory; the memory itself stays as it is."""
        from honed.exchange.intake import on_a_copy

        with (
            on_a_copy(os.path.abspath(home) if home else default_home()) as copy,
            Memory.open(copy) as memory,
        ):
            return memory.take_in(path, cwd=cwd)

    # -- the owner's acts --------------------------------------------------------------------------

    def pin(self, slug: str, cwd: str, *, pinned: bool) -> Skill:
        """Pinned skills never fade."""
        return self._decide(self.find(slug, cwd), "pinned" if pinned else "unpinned")

    def archive(self, slug: str, cwd: str, *, archived: bool) -> Skill:
        """Archived skills are kept and not recalled."""
        return self._decide(self.find(slug, cwd), "archived" if archived else "restored")

    def forget(self, slug: str, cwd: str) -> Skill:
        """Delete a skill: it is in no search any more and is not learned again."""
        skill = self.find(slug, cwd)
        self._decide(skill, "forgotten")
        return replace(skill, state="deleted")

    def _decide(self, skill: Skill, kind: EventKind) -> Skill:
        self._store.append([events.by_hand(kind, skill.id, self._entropy(16))])
        return self._store.skill(skill.id) or skill

    @staticmethod
    def settings(home: str | None = None) -> Config:
        """The settings of a home, the defaults where there is none; makes nothing."""
        try:
            with Memory.open(home, readonly=True) as memory:
                return memory.config
        except NotFoundError:
            return Config.load(os.path.abspath(home) if home else default_home(), {})

    def configure(self, key: str, value: object) -> None:
        """Change a setting; those that widen what agents are given are events of the owner.

        Raises ``UsageError`` for a key that is none and a value that it does not take.
        """
        changed = self.config.changed(key, value)
        if self.config.is_owner_event(key):
            self._store.append([events.configured(key, changed.values.get(key), self._entropy(16))])
        else:
            changed.store()
        self.config = changed

    # -- the ledger --------------------------------------------------------------------------------

    def verify(self, *, strict: bool = False) -> tuple[Fault, ...]:
        """Everything that is wrong with the ledger, its projections and the file."""
        return self._store.verify(strict=strict)

    def rebuild(self) -> int:
        """Make every projection anew from the ledger; returns the number of events."""
        return self._store.rebuild()

    def backup(self, path: str | None = None) -> str:
        """Copy the memory; returns the copy's path."""
        return self._store.backup(path)

    @staticmethod
    def restore_backup(path: str, *, home: str | None = None) -> str:
        """Put a backup in the memory's place, also where that is damaged; returns where the replaced
        one went, or "" when there was none."""
        return restore_backup(home or default_home(), path)


def _storable(draft: Draft) -> Draft:
    """``draft``, if a database can hold every text in it.  Raises ``UsageError``."""
    for name, value in draft_body(draft).items():
        # Canonical JSON escapes both; a text may also hold such an escape as it stands.
        if re.search(r"(?<!\\)(?:\\\\)*\\u(?:d[89a-f]|0000)", canonical(value)):
            raise UsageError(f"{name}: holds NUL or half a surrogate pair, which is no text")
    return draft
