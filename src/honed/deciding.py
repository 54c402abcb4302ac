"""What the owner decides about skills; the half of ``Memory`` that changes what is known already."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from honed import identity
from honed.errors import RefusedError
from honed.ledger import events
from honed.ledger.model import EventKind, Recorded
from honed.skills.model import Skill
from honed.store.base import Appended
from honed.store.erasing import Erased
from honed.store.place import Place, absolute, locate
from honed.store.sqlite import SqliteStore

Where: TypeAlias = str | Place
"""Where somebody stands: a folder, or a place that ``Memory.named`` found."""


class Deciding:
    """Finds a skill, and does to it what the owner decides; ``Memory`` is one."""

    _store: SqliteStore
    _entropy: Callable[[int], bytes]

    def place(self, cwd: Where) -> Place:
        """Where ``cwd`` is."""
        return locate(absolute(cwd)) if isinstance(cwd, str) else cwd

    def find(self, slug: str, cwd: Where) -> Skill:
        """The skill called ``slug`` where ``cwd`` is; ``project/slug`` and ids work from anywhere.

        Raises ``NotFoundError``, and ``AmbiguousSlugError`` with the choices (see ``identity.find_skill``).
        """
        return identity.find_skill(self._store, slug, self.place(cwd))

    def pin(self, slug: str, cwd: Where, *, pinned: bool) -> Skill:
        """Pinned skills never fade."""
        return self._decide(self.find(slug, cwd), "pinned" if pinned else "unpinned")

    def archive(self, slug: str, cwd: Where, *, archived: bool) -> Skill:
        """Archived skills are kept and not recalled."""
        return self._decide(self.find(slug, cwd), "archived" if archived else "restored")

    def forget(self, slug: str, cwd: Where) -> Skill:
        """Delete a skill: it is in no search any more and is not learned again."""
        skill = self.find(slug, cwd)
        self._decide(skill, "forgotten")
        return replace(skill, state="deleted")

    def purge(self, slug: str, cwd: Where) -> tuple[Skill, Erased]:
        """Delete a skill and take its bytes out of every file of honed's; one that was forgotten before is
        named by its id.  Raises ``NotFoundError``, ``UnavailableError`` (see ``Store.erase``)."""
        skill = self._store.skill(slug) or self.find(slug, cwd)
        return replace(skill, state="deleted"), self._store.erase(skill.id)

    def scrub(self, pattern: re.Pattern[str], *, dry_run: bool) -> Erased:
        """Take every match out of all that is kept, or say what that would do (see ``Store.scrub``)."""
        return self._store.scrub(pattern, dry_run=dry_run)

    def restore_version(self, slug: str, cwd: Where, number: int) -> tuple[Skill, bool]:
        """Make an older version the text again; says whether it was another one.  Raises ``NotFoundError``
        for a version that never was, ``RefusedError`` for a text that was forgotten or scrubbed."""
        skill = self.find(slug, cwd)
        outcome = self._store.restore_version(skill.id, number)
        self._refuse_refused(skill, outcome)
        return self._store.skill(skill.id) or skill, outcome is not None

    def undo(self, slug: str, cwd: Where) -> tuple[Skill, Recorded]:
        """Take the last change of a skill back; returns it, and the event that did.  Undone twice, it is as
        it was.  Raises ``RefusedError`` where there is no way back."""
        skill = self.find(slug, cwd)
        outcome = self._store.undo(skill.id)
        self._refuse_refused(skill, outcome)
        told = next(e for e in self._store.skill_events(skill.id) if e.entry.id == outcome.id)
        return self._store.skill(skill.id) or skill, told

    @staticmethod
    def _refuse_refused(skill: Skill, outcome: Appended | None) -> None:
        if outcome is not None and outcome.status == "refused":
            raise RefusedError(f"{skill.slug}: {outcome.reason}; nothing was changed")

    def _decide(self, skill: Skill, kind: EventKind) -> Skill:
        self._refuse_refused(
            skill, self._store.append([events.by_hand(kind, skill.id, self._entropy(16))])[0]
        )
        return self._store.skill(skill.id) or skill
