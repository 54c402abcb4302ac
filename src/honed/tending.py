"""What keeps a memory in order; the part of ``Memory`` that is about all of it at once."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from honed import identity, receipts
from honed.config import Config
from honed.errors import HonedError
from honed.home import default_home
from honed.ledger.canonical import format_instant, parse_instant
from honed.ledger.model import Fault
from honed.ledger.strength import strength
from honed.owning import approval_faults
from honed.skills.duplicates import alike
from honed.skills.model import Skill
from honed.skills.redact import Redactor
from honed.store.backups import backups
from honed.store.base import Fading
from honed.store.merging import Merged
from honed.store.receiving import Counters, GivenInAll
from honed.store.spent import Tried
from honed.store.sqlite import SqliteStore, restore_backup

if TYPE_CHECKING:
    from honed.meaning import Embedded, Meaning
    from honed.review.distill import Distilled
    from honed.store.calling import Call

LOOKING_WAIT = 0.25
"""Seconds that somebody who only looks waits for the lock."""
ASKED = 400
"""Skills whose counters are asked for by name; of more, all are read."""
INDEX_FAULTS = ("full-text", "index")
"""Codes of faults that only searching meets."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two skills that say nearly the same; ``score`` from ``NEAR`` to 1 (see ``skills.duplicates``)."""

    score: float
    first: Skill
    second: Skill


class Tending:
    """Checks, repairs, copies and merges; ``Memory`` is one."""

    home: str
    redactor: Redactor
    _store: SqliteStore
    _entropy: Callable[[int], bytes]

    @property
    def config(self) -> Config:
        """The settings (see ``Memory.config``)."""
        raise NotImplementedError

    def verify(self, *, strict: bool = False) -> tuple[Fault, ...]:
        """Everything that is wrong with the ledger, its projections and the file."""
        faults = self._store.verify(strict=strict)
        # What cannot be read to its end says nothing of what was signed.
        broken = any(fault.code == "damaged" for fault in faults)
        return faults if broken else (*faults, *approval_faults(self._store))

    def check_index(self) -> tuple[Fault, ...]:
        """What is wrong with what a search looks into: full texts and index, every row made again."""
        return tuple(fault for fault in self._store.verify(strict=True) if fault.code in INDEX_FAULTS)

    def repair_index(self) -> str:
        """Make the index anew from the texts, after a backup; returns where that is."""
        self._store.rebuild(anew=True)
        return backups(self.home)[0]

    def embed(self, told: Callable[[int, int], None]) -> Embedded:
        """Make the vectors that are missing, now (see ``meaning.embed``).  Raises ``NoModelError``."""
        from honed.meaning import embed

        return embed(self._store, str(self.config["semantic.model"]), told=told)

    def meaning(self) -> Meaning:
        """How far this home can find by meaning (see ``meaning.meaning_of_home``)."""
        from honed.meaning import meaning_of_home

        return meaning_of_home(self._store, str(self.config["semantic.model"]))

    def duplicates(self, which: Sequence[Skill]) -> list[Pair]:
        """Pairs of these skills that say nearly the same where both hold, the most alike first."""
        pairs = [
            Pair(score, which[first], which[second])
            for first, second, score in alike([skill.draft for skill in which])
        ]
        return sorted((pair for pair in pairs if self._meet(pair)), key=lambda pair: -pair.score)

    def _meet(self, pair: Pair) -> bool:
        one, two = pair.first.project, pair.second.project
        return (
            "" in (one, two) or one == two or one in self._store.scopes(two) or two in self._store.scopes(one)
        )

    def merge_home(self, path: str) -> tuple[Merged, tuple[tuple[str, str], ...], str]:
        """Take in the ledger of another home of the same owner, or of a backup of one: what came, which
        projects are one, where the backup is that was made before (see ``Store.merge``)."""
        before = self._store.backup()
        return self._store.merge(path), identity.link_same(self._store, self._entropy), before

    def fold_receipts(self) -> None:
        """Take in what hooks and servers said that they gave (see ``receipts``)."""
        receipts.fold(self.home, self._store)

    def maintain(self) -> tuple[str, ...]:
        """Catch up, in small steps of which each is whole: says what was done (see ``maintenance``)."""
        from honed.maintenance import maintain

        return maintain(self.home, self._store)

    def faded(self, *, days: int = 0) -> tuple[Fading, ...]:
        """The skills that have faded, or will have in so many ``days``: those in the archive first."""
        when = parse_instant(self._store.now()) + timedelta(days=days)
        return self._store.faded(format_instant(when))

    def strength(self, skill: Skill) -> float:
        """How strong a skill is now, from 0 to 1 (see ``ledger.strength``)."""
        return strength(skill, self._store.now())

    @staticmethod
    def catch_up(home: str | None) -> None:
        """Take that in for somebody who then only looks; where it cannot be written now, a later one does."""
        where = home or default_home()
        with contextlib.suppress(HonedError):
            with SqliteStore.open(where, readonly=True) as store:
                if not receipts.waiting(where, store.spools()):
                    return
            with SqliteStore.open(where, wait=LOOKING_WAIT) as store:
                receipts.fold(where, store)

    def counters(self, skills: Sequence[Skill] | None = None) -> Mapping[str, Counters]:
        """What became of these skills (of all, where none are named), by id."""
        if skills is None or len(skills) > ASKED:
            return self._store.counters()
        return self._store.counters([skill.id for skill in skills])

    def tried(self) -> tuple[Tried, ...]:
        """The sessions that an experiment drew a lot for."""
        return self._store.tried()

    def given(self) -> GivenInAll:
        """What all sessions were given and what came of it."""
        return self._store.given()

    def distill(self, *, background: bool = False, dry_run: bool = False) -> Distilled:
        """Ask the owner's model once for clearer names of what was learned (see ``review.distill``)."""
        from honed.review.distill import distill

        return distill(
            self._store,
            self.config,
            self.redactor,
            entropy=self._entropy,
            environ=os.environ,
            background=background,
            dry_run=dry_run,
        )

    def model_calls(self) -> tuple[Call, ...]:
        """The day's calls of a model and refusals of one, the last one first."""
        return self._store.calls_today()

    def rebuild(self) -> int:
        """Make every projection anew from the ledger; returns the number of events."""
        return self._store.rebuild()

    def backup_if_due(self) -> str | None:
        """``backup`` in the home if the newest copy is a day old and something came since; else ``None``."""
        return self._store.backup_if_due()

    def backup(self, path: str | None = None) -> str:
        """Copy the memory; returns the copy's path."""
        return self._store.backup(path)

    @staticmethod
    def restore_backup(path: str, *, home: str | None = None) -> str:
        """Put a backup in the memory's place, also where that is damaged; returns where the replaced
        one went, or "" when there was none."""
        return restore_backup(home or default_home(), path)
