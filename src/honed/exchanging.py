"""What goes out of a memory and comes in; the part of ``Memory`` that exchanges texts with others."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from honed import identity
from honed.config import Config
from honed.deciding import Where
from honed.errors import NotFoundError, RefusedError
from honed.skills.model import Skill
from honed.skills.redact import Redactor
from honed.store.place import Place
from honed.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from honed.exchange.intake import Imported
    from honed.exchange.vault import Exported
    from honed.packs.keeping import Done, Packs
    from honed.packs.record import Member


class Exchanging:
    """Exports, imports and takes in packs; ``Memory`` is one."""

    redactor: Redactor
    _store: SqliteStore
    _entropy: Callable[[int], bytes]
    place: Callable[[Where], Place]

    @property
    def config(self) -> Config:
        """The settings (see ``Memory.config``)."""
        raise NotImplementedError

    def export(self, folder: str, *, of: Where | None = None) -> Exported:
        """Write every skill to a vault, or those of the project of ``of`` (see ``exchange.vault``).

        Raises ``NotFoundError`` for a folder of which honed knows no project.
        """
        from honed.exchange.vault import export_vault

        return export_vault(self._store, folder, None if of is None else self._known(of))

    def _known(self, cwd: Where) -> str:
        place = self.place(cwd)
        project = self._store.resolve_project(place)
        if project is None:
            raise NotFoundError(f"honed knows no project at {place.cwd}; `honed projects list` shows all")
        return project

    def take_in(self, path: str, *, cwd: Where) -> Imported:
        """Read a vault, a folder of Markdown notes or one file (see ``exchange.intake``).

        Raises ``RefusedError`` for a folder that is kept out.
        """
        from honed.exchange.intake import Intake

        place = self.place(cwd)
        self.refuse_excluded(place)
        return Intake(self._store, self.redactor, self._entropy).take(path, at=place)

    def packs(self) -> Packs:
        """The packs of skills that others wrote (see ``packs.keeping``)."""
        from honed.packs.keeping import Packs

        return Packs(self._store, self.redactor, self._entropy)

    def add_pack(
        self, spec: str, *, cwd: Where, everywhere: bool, name: str, ref: str, again: bool, dry_run: bool
    ) -> Done:
        """Take a pack in for the project of ``cwd``, or ``everywhere`` (see ``packs.keeping.Packs.add``).

        Raises ``RefusedError`` for a folder that is kept out.
        """
        place = self.place(cwd)
        if not everywhere:
            self.refuse_excluded(place)
        known = identity.known_project(self._store, place) or ""
        project = "" if everywhere else known if dry_run else self._store.ensure_project(place)
        return self.packs().add(spec, project=project, name=name, ref=ref, again=again, dry_run=dry_run)

    def settings_kept(self) -> Mapping[str, object]:
        """All that the ledger keeps as settings, packs too."""
        return self._store.settings()

    def quarantined(self, skill: Skill) -> str:
        """Why a skill is in quarantine, in words; "" where it is in none."""
        from honed.packs.record import quarantine_told

        return quarantine_told(self._store, skill)

    def texts_of(self, member: Member) -> tuple[Skill, ...]:
        """The texts of a skill of a pack, as far as they are not forgotten; the skill's own first."""
        found = (self._store.skill(one) for one in member.ids)
        return tuple(skill for skill in found if skill is not None and skill.state != "deleted")

    def refuse_excluded(self, place: Place) -> None:
        """Raises ``RefusedError`` for a folder that its owner keeps out."""
        named = (place.root or place.cwd, place.cwd, os.path.realpath(place.cwd))
        where = next((folder for folder in named if self.config.excludes(folder)), "")
        if where:
            raise RefusedError(f"{where} is kept out by the setting `exclude`; nothing was stored")
