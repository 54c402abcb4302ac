"""What an agent sees and may do by its own word: less than the owner, whatever door it comes through.

It sees its own project and what holds everywhere, from anywhere nothing else.  What it writes has the
origin ``agent``.  It changes only what an agent wrote and nobody approved; its text of any other skill waits
beside it as a proposal, for the owner to take or to reject.  What it says of a skill weighs nothing; it may
have a skill given no more in its project until the owner looks, and approves, pins, archives and deletes
nothing (docs/design.md, "Trust").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from honed.errors import AmbiguousSlugError, NotFoundError, RefusedError
from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.fold import NOWHERE
from honed.ledger.model import Evidence
from honed.packs.record import quarantine_told
from honed.skills.manual import redacted
from honed.skills.model import Draft, Skill
from honed.store.base import Appended, SkillFilter

if TYPE_CHECKING:
    from honed.deciding import Where
    from honed.memory import Memory
    from honed.store.sqlite import SqliteStore

_REPORT: Evidence = "self_report"
Revised: TypeAlias = Literal["same", "changed", "proposed", "rejected"]
"""What became of an agent's text of a skill; ``rejected`` is one that the owner did not want before."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who calls: the client's ``name`` in honed's spelling, and the ``session`` that it calls in."""

    name: str
    session: str

    @property
    def actor(self) -> str:
        """As the ledger names it: never to be taken for the owner, whatever a client calls itself."""
        return f"agent:{self.name}"


class Caller:
    """An agent at a folder of an open memory.  Made by ``Memory.caller``; errors are the memory's."""

    def __init__(
        self,
        memory: Memory,
        store: SqliteStore,
        author: Author,
        cwd: Where,
        entropy: Callable[[int], bytes],
    ) -> None:
        self._memory = memory
        self._store = store
        self._entropy = entropy
        self.author = author
        self.cwd = cwd

    def _refuse_kept_out(self) -> None:
        """Nothing is stored of what was said in a folder that its owner keeps out."""
        self._memory.refuse_excluded(self._memory.place(self.cwd))

    def _scopes(self) -> tuple[str, ...]:
        return self._store.scopes(self._memory.known_project(self.cwd) or "")

    def find(self, slug: str) -> Skill:
        """The skill called ``slug`` (or by id) here or everywhere; ``NotFoundError`` for any other one."""
        for scope in self._scopes():
            wanted = slug if "/" in slug or slug.startswith("sk_") else f"{scope or 'global'}/{slug}"
            try:
                found = self._store.find_slug(wanted)
            except (NotFoundError, AmbiguousSlugError):
                continue
            if found.project == scope and not self._in_quarantine(found):
                return found
        raise NotFoundError(f"there is no skill {slug} in this project, and none that holds everywhere")

    def _in_quarantine(self, skill: Skill) -> bool:
        """Nobody is given what is in quarantine, by its name neither."""
        return bool(quarantine_told(self._store, skill))

    def skills(self, which: SkillFilter) -> Sequence[Skill]:
        """Those of ``which`` that hold here, the last changed first."""
        found = [
            skill for scope in self._scopes() for skill in self._store.skills(replace(which, project=scope))
        ]
        found.sort(key=lambda skill: skill.updated_at, reverse=True)
        return found[: which.limit]

    def write(self, slug: str, draft: Draft, *, force: bool = False) -> Appended:
        """Keep a text of the agent's (see ``Memory.write``)."""
        mine = replace(draft, origin="agent")
        author = self.author
        return self._memory.write(
            slug, mine, cwd=self.cwd, force=force, actor=author.actor, session=author.session
        )

    def revise(self, skill: Skill, draft: Draft, reason: str) -> Revised:
        """Give a skill another text, at once where it is an agent's own; of any other one it is proposed.

        Raises ``RefusedError`` for a skill that is archived, for a text that was forgotten, and from a folder
        that is kept out.
        """
        self._refuse_kept_out()
        if skill.archived:
            raise RefusedError(f"{skill.slug} was put out of use by the owner; nothing was changed")
        clean = redacted(replace(draft, origin="agent"), self._memory.redactor)
        if content_hash(clean) == skill.content_hash:
            return "same"
        event = events.revised(
            skill.id,
            clean,
            self._entropy(16),
            reason=self._memory.redactor(reason),
            actor=self.author.actor,
            session=self.author.session,
            client=self.author.name,
        )
        outcome = self._store.append([event])[0]
        if outcome.status == "refused":
            raise RefusedError(f"{skill.slug}: {outcome.reason}; nothing was changed")
        now = self._store.skill(skill.id) or skill
        if now.content_hash == content_hash(clean):
            return "changed"
        texts = self._memory.waiting_texts(now)
        waits = any(text.content_hash == content_hash(clean) for text in texts)
        return "proposed" if waits else "rejected"

    def mute(self, skill: Skill, reason: str = "") -> bool:
        """Have ``skill`` given no more in the project where the agent stands, until the owner looks.

        Returns whether it is news: lifted by the owner, the same session does not mute it again.  Raises
        ``RefusedError`` for what the owner approved or pinned: that is their word, and from a folder that is
        kept out.
        """
        self._refuse_kept_out()
        if skill.approved_hash or skill.pinned:
            word = "approved" if skill.approved_hash else "pinned"
            raise RefusedError(f"{skill.slug} was {word} by the owner: ask them; nothing was changed")
        project = self._memory.project(self.cwd) or NOWHERE
        if project in skill.muted:
            return False
        occasion = events.Occasion(
            self.author.name, self.author.session, f"muted:{project}", actor=self.author.actor
        )
        told = events.muted(occasion, skill.id, project, self._memory.redactor(reason))
        return self._store.append([told])[0].status == "written"

    def report(self, skill: Skill, *, helped: bool, note: str = "") -> bool:
        """Keep what the agent says of a skill: once a session, for everyone to see, weighing nothing.

        Returns whether it is news.  Raises ``RefusedError`` from a folder that is kept out.
        """
        self._refuse_kept_out()
        said = "helped" if helped else "did not help"
        occasion = events.Occasion(
            self.author.name, self.author.session, f"{_REPORT}:{said}", actor=self.author.actor
        )
        told = self._memory.redactor(f"{said}: {note}" if note else said)
        outcome = self._store.append([events.evidence(occasion, skill.id, _REPORT, note=told)])[0]
        if outcome.status == "refused":
            raise RefusedError(f"{skill.slug}: {outcome.reason}; nothing was kept")
        return outcome.status == "written"
