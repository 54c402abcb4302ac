"""The store as the rest of honed sees it.

``SqliteStore`` keeps this protocol; the tests of the contract run over every engine.  Nothing here
knows SQL.  The hot reading half (what a recall needs) is ``store.reading``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from honed.ledger.history import Version
from honed.ledger.model import Fault, NewEvent, Recorded
from honed.ledger.rows import EvidenceRow, ProjectRow, TaskRow
from honed.skills.model import Skill
from honed.skills.recurring import Sighting
from honed.store.erasing import Erased
from honed.store.merging import Merged
from honed.store.place import Place
from honed.store.receiving import Counters, Folded, GivenInAll, Receipt, Use
from honed.store.spent import Figures, Tried

Status = Literal["written", "existed", "refused"]


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of one event, in the order in which they were given.

    ``existed``  the event's id is in the ledger: nothing was written, nothing counts twice.
    ``refused``  a ``learned`` event whose text is known or was forgotten, or a ``revised`` one whose text
                 was: ``reason`` says so, and ``collides_with`` is the id of the skill or tombstone in its
                 way (then the second session is evidence for that skill).  Everything else in the call is
                 written.
    ``slug`` is the slug a ``learned`` event was given (or its skill has), ``seq`` the place in the
    chain of this home (0 unless written).
    """

    id: str
    status: Status
    subject: str
    seq: int = 0
    slug: str = ""
    reason: str = ""
    collides_with: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """How far a transcript has been read: up to the first line of the task that is still open.

    ``prefix`` is the digest of the bytes before ``offset``; ``rules`` the version of the readers,
    the judge and the compiler that read it; ``taint`` what the session had read from outside up to there (see
    ``skills.outside``).  Sizes and offsets in bytes, ``mtime_ns`` as ``os.stat``.
    """

    path: str
    client: str
    session: str
    size: int
    mtime_ns: int
    offset: int
    line: int
    ordinal: int
    prefix: str
    rules: str
    taint: str = ""


@dataclass(frozen=True, slots=True)
class SkillFilter:
    """Which skills ``Store.skills`` lists; ``None`` means any.

    ``project`` takes an id, or "" for the global ones.  Archived and withdrawn skills are left out
    unless asked for (``archived``: True only those, None both; a state named in ``states`` is in).
    Deleted ones are never listed.
    """

    project: str | None = None
    kinds: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    archived: bool | None = False
    pinned: bool | None = None
    muted: bool | None = None
    limit: int | None = None
    offset: int = 0


LIVE = SkillFilter()
"""Every skill that is neither archived, withdrawn nor deleted."""


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts for ``honed stats``: bytes are those of the database and its journal."""

    events: int
    skills: Mapping[str, int]
    kinds: Mapping[str, int]
    verdicts: Mapping[str, int]
    evidence: Mapping[str, int]
    projects: int
    sessions: int
    sources: int
    bytes: int
    backups: int


@dataclass(frozen=True, slots=True)
class Fading:
    """A skill that has faded; ``archived`` where it is in the archive too, by fading alone."""

    id: str
    project: str
    slug: str
    title: str
    fades_at: str
    archives_at: str
    archived: bool


class Store(Protocol):
    """What is kept, behind one ledger.

    Everything may raise ``UnavailableError`` (locked, read-only, full, newer) or ``DamagedError``.
    """

    def append(
        self,
        new: Sequence[NewEvent],
        *,
        source: Source | None = None,
        same_text: bool = False,
        exact_slug: bool = False,
        again: bool = False,
    ) -> tuple[Appended, ...]:
        """Write events, projections and index in one transaction; on disk when it returns.

        ``source`` is saved with them.  ``same_text`` lets a skill be learned whose text another live
        skill of the project has (the owner insisted); a forgotten text stays refused.  ``exact_slug``
        refuses a slug that is taken instead of numbering it.  ``again`` lets a skill be learned whose
        text was forgotten (its owner says so); one that was scrubbed stays refused.  Raises
        ``UsageError`` for an event that is malformed; then nothing is written.
        """

    def ensure_project(self, place: Place, at: str = "") -> str:
        """The id of the place's project, made if nobody knows it; new aliases of it are noted.

        Returns "" for a place that is no project (a home directory, ``/``).
        """

    def resolve_project(self, place: Place) -> str | None:
        """The id of the place's project, or ``None``; writes nothing."""

    def skills_by_project(self) -> Mapping[str, int]:
        """How many skills each project has, those that are forgotten or withdrawn left out."""

    def scopes(self, project: str) -> tuple[str, ...]:
        """What holds in a project, as ``SkillFilter.project`` takes it: its own skills, those of projects
        that are linked to it, and the global ones."""

    def named(self, name: str, here: str) -> Place:
        """The place that ``name`` means to somebody in the folder ``here``: a folder (also one that is gone
        and known), or the name or id of a project.  Raises ``AmbiguousProjectError``, ``NotFoundError``.
        """

    def moment(self) -> AbstractContextManager[None]:
        """Several answers inside it are of one moment, whatever others write meanwhile.  For reading only."""

    def skill(self, skill_id: str) -> Skill | None:
        """A skill by id, tombstones too (state ``deleted``, no text)."""

    def find_slug(self, slug: str, project: str | None = None) -> Skill:
        """A live skill by slug, ``project-name/slug``, or id.

        ``project`` is where the caller stands: its own skill is meant first, then a global one.
        Raises ``NotFoundError`` and ``AmbiguousSlugError`` (with the choices).
        """

    def forgotten(self, slug: str) -> tuple[Skill, ...]:
        """Tombstones by the slug that they had, or by id."""

    def by_fingerprint(self, project: str, fingerprint: str) -> Skill | None:
        """The live skill of a project (or a global one) that has this fingerprint."""

    def about_file(
        self, project: str, path: str, most: int, *, states: Sequence[str] = (), kinds: Sequence[str] = ()
    ) -> tuple[Skill, ...]:
        """Of the skills in the index of a project (and those linked to it) that name this file, in one of
        ``states`` and of one of ``kinds`` where any are named, the ``most`` that proved themselves most often
        and last, by their ids."""

    def skills(self, which: SkillFilter = LIVE) -> tuple[Skill, ...]:
        """Skills that match, the last changed first."""

    def skill_events(self, skill_id: str) -> tuple[Recorded, ...]:
        """The history of a skill (or of any subject) in the fold's order, with full texts."""

    def versions(self, skill_id: str) -> tuple[Version, ...]:
        """Every text a skill had, in full, with a unified diff of what changed each time."""

    def restore_version(self, skill_id: str, number: int) -> Appended | None:
        """Make an older version the text again, as a new one; ``None`` if it is the text now.

        Raises ``NotFoundError`` for a version that never was or was erased.
        """

    def undo(self, skill_id: str) -> Appended:
        """Take the last change of a skill back (text, pin, archive, approval, withdrawal), by an event.

        Told twice, it takes itself back.  Raises ``RefusedError`` where there is no way back.
        """

    def erase(self, skill_id: str) -> Erased:
        """Forget a skill and take every byte of it out of honed's files: database, journal, own backups,
        spool and logs; the verdicts of the tasks that taught it too.

        The ledger says that it was erased, and its tombstone holds.  Raises ``NotFoundError``;
        ``UnavailableError`` when bytes are still to be taken out, which the next open goes on with.
        """

    def scrub(self, pattern: re.Pattern[str], *, dry_run: bool = False) -> Erased:
        """Take every match of ``pattern`` out of what is kept, likewise; what happened stays, told again
        without the text.  ``dry_run`` only says what would go.

        Raises ``UsageError`` for a pattern that matches anything, ``RefusedError`` where a setting in force
        holds a match.
        """

    def merge(self, path: str) -> Merged:
        """Take in the chains of another home of the same owner, or of a copy of it.

        Raises ``RefusedError`` for a ledger that is not sound or contradicts what is here of it; then nothing
        was changed.
        """

    def evidence(self, skill_id: str) -> tuple[EvidenceRow, ...]:
        """The evidence of a skill in order, with what each piece counts for."""

    def evidence_of_task(self, task_id: str) -> tuple[EvidenceRow, ...]:
        """The evidence that a task gave, of whichever skills."""

    def task(self, task_id: str) -> TaskRow | None:
        """The verdict of a task as it stands."""

    def tasks(self, session: str | None = None, project: str | None = None) -> tuple[TaskRow, ...]:
        """Tasks by session or project, in order of time."""

    def projects(self) -> tuple[ProjectRow, ...]:
        """All projects with their aliases, by name."""

    def settings(self) -> Mapping[str, object]:
        """The owner's settings that are events."""

    def source(self, path: str) -> Source | None:
        """How far a transcript has been read."""

    def sources_of(self, session: str) -> tuple[Source, ...]:
        """The transcripts of a session that have been read, by path."""

    def read_by_others(self, rules: str) -> tuple[str, ...]:
        """The paths of transcripts that were read by other rules than these, in order."""

    def save_source(self, source: Source) -> None:
        """Remember how far a transcript has been read."""

    def spools(self) -> Mapping[str, int]:
        """How many bytes of each spool file are folded into receipts."""

    def receive(self, piece: Folded) -> None:
        """Keep what a piece of a spool file says was given; each thing once."""

    def save_uses(self, uses: Iterable[Use]) -> None:
        """Keep what tasks did with the skills that they were given; a later reading of a task holds."""

    def faded(self, now: str) -> tuple[Fading, ...]:
        """The skills that have faded by ``now``, those archived first, the last first."""

    def uses_with_lines(self, since: str, limit: int) -> tuple[Use, ...]:
        """Uses since a time of which it is known what they wrote, the newest first."""

    def save_sightings(self, project: str, task: str, session: str, seen: Sequence[Sighting]) -> None:
        """Keep the errors that a task met and got rid of, in place of what it was said to have met before."""

    def seen_before(
        self, project: str, signatures: Iterable[str], task: str
    ) -> Mapping[str, list[tuple[str, Sighting]]]:
        """Who met these errors in a project in other tasks, by signature: pairs of session and sighting."""

    def counters(self, skills: Sequence[str] | None = None) -> Mapping[str, Counters]:
        """What became of these skills (of all, where none are named), by id; those never chosen are none."""

    def is_tried(self, session: str, parent: str = "") -> bool:
        """Whether an experiment drew a lot for a session (as the spool names it); for one that has a
        ``parent`` whether it did for any, as the lot of a sub-agent is that of whoever it works for."""

    def save_figures(self, figures: Figures) -> None:
        """Keep what a session cost; a later reading holds."""

    def tried(self) -> tuple[Tried, ...]:
        """The sessions of experiments, in order of time; those that are in both arms are left out."""

    def given(self) -> GivenInAll:
        """What all sessions were given and what came of it."""

    def receipts(self, skill: str | None = None, session: str | None = None) -> tuple[Receipt, ...]:
        """Receipts of a skill or of a session, in order of time."""

    def stats(self) -> Stats:
        """Counts."""

    def now(self) -> str:
        """The store's clock: never before the last thing recorded."""

    def verify(self, *, strict: bool = False) -> tuple[Fault, ...]:
        """Everything that is wrong: chain, payloads, head, projections, index, file.

        ``strict`` also recomputes every index row and reads every page.
        """

    def rebuild(self, *, anew: bool = False) -> int:
        """Bring every projection and the index in line with the ledger, after a backup.

        Others read and write meanwhile.  ``anew`` makes index rows from their texts even where they are
        as they were written.  Returns the number of events.
        """

    def backup(self, path: str | None = None) -> str:
        """Copy the database, checked and on disk; returns the copy's path."""

    def backup_if_due(self) -> str | None:
        """``backup`` if the newest copy is a day old and something came since; ``None`` if not."""

    def restore_backup(self, path: str) -> str:
        """Put a backup in the database's place; returns where the replaced database went."""

    def close(self) -> None:
        """Write the journal back and let go."""
