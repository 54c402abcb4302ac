"""The store in one SQLite file: ``Store`` (see ``base``) over a ledger that is only ever appended to.

WAL, ``synchronous = FULL``, one ``BEGIN IMMEDIATE`` per write with a bounded wait.  A store belongs to
the thread that opened it.  What an append does under the lock is in ``appending``, the projections in
``projections``, the checks in ``audit``.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType

from honed.errors import UnavailableError
from honed.ledger import events, ids
from honed.ledger.canonical import from_epoch
from honed.ledger.fold import in_order
from honed.ledger.model import Entry, Fault, NewEvent, Recorded
from honed.ledger.rows import EvidenceRow, ProjectRow, TaskRow
from honed.skills.model import Skill
from honed.skills.terms import IndexEntry
from honed.store import backups, files, lookup
from honed.store.appending import Appending, Rules, prepare, prepare_index
from honed.store.audit import audit
from honed.store.base import LIVE, Appended, SkillFilter, Source, Stats
from honed.store.connection import (
    WAIT_SECONDS,
    close,
    connect,
    database_path,
    explained,
    none_yet,
    reading,
    writing,
)
from honed.store.migrate import check_readable, mark_folded, meta, migrate, read_key, version_of
from honed.store.place import Place, name_of, recognise, resolve_project
from honed.store.recorded import events_of, hash_at, last_entry
from honed.store.refolding import refold
from honed.store.restoring import chain_tips, restore_backup

__all__ = ["SqliteStore", "restore_backup"]

Clock = Callable[[], float]
Entropy = Callable[[int], bytes]


class SqliteStore:
    """A home's memory.  Made by ``open``; a context manager that closes itself."""

    def __init__(
        self,
        home: str,
        connection: sqlite3.Connection,
        *,
        clock: Clock,
        entropy: Entropy,
        wait: float,
        readonly: bool,
    ) -> None:
        self.home = home
        self.readonly = readonly
        self._connection = connection
        self._clock = clock
        self._entropy = entropy
        self._wait = wait

    @classmethod
    def open(
        cls,
        home: str,
        *,
        clock: Clock = time.time,
        entropy: Entropy = os.urandom,
        readonly: bool = False,
        wait: float = WAIT_SECONDS,
    ) -> SqliteStore:
        """Open the memory of a home folder, making or migrating it unless ``readonly``.

        ``clock`` gives seconds since 1970, ``entropy`` so many random bytes, ``wait`` is how many
        seconds to wait for another process's lock.  Raises ``NotFoundError`` (``readonly``, and there
        is none), ``UnavailableError``, ``DamagedError``; never writes over a file that is damaged.
        """
        home = os.path.abspath(home)
        connection = connect(home, readonly=readonly, wait=wait)
        try:
            with explained(home):
                if readonly:
                    check_readable(connection, home)
                    if not version_of(connection):
                        raise none_yet(home)
                else:
                    migrate(
                        connection,
                        home,
                        now=lambda: from_epoch(clock()),
                        entropy=entropy,
                        wait=wait,
                    )
        except BaseException:
            connection.close()
            raise
        return cls(home, connection, clock=clock, entropy=entropy, wait=wait, readonly=readonly)

    def close(self) -> None:
        """Write the journal back as far as others let us, and let go."""
        close(self._connection)

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Writing

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        if self.readonly:
            raise UnavailableError(f"memory at {self.home} was opened for reading only")
        with explained(self.home), writing(self._connection, self._wait):
            yield

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        with explained(self.home), reading(self._connection):
            yield

    def now(self) -> str:
        """The store's clock: never before the last thing recorded."""
        with self._reading():
            tip = last_entry(self._connection, meta(self._connection, "replica"))
        return max(from_epoch(self._clock()), tip.recorded_at if tip else "")

    def append(
        self,
        new: Sequence[NewEvent],
        *,
        source: Source | None = None,
        same_text: bool = False,
        exact_slug: bool = False,
    ) -> tuple[Appended, ...]:
        """Write events, projections and index in one transaction (see ``Store.append``)."""
        ready = [prepare(event) for event in new]
        with self._appending(Rules(same_text, exact_slug), prepare_index(ready)) as appending:
            results = tuple(appending.add(event) for event in ready)
            if source is not None:
                lookup.save_source(self._connection, source)
        return results

    @contextlib.contextmanager
    def _appending(self, rules: Rules, index: Mapping[str, IndexEntry]) -> Iterator[Appending]:
        """A write transaction for events; the head outside the database follows its commit."""
        with self._writing():
            appending = Appending(
                self._connection,
                clock=lambda: from_epoch(self._clock()),
                entropy=self._entropy,
                key=read_key(self.home),
                rules=rules,
                prepared=index,
            )
            before = appending.tip
            # A head that this chain does not lead to is an alarm for `verify`: it must stay as it is.
            sound = self._head_is_sound(before)
            yield appending
            appending.finish()
        tip = appending.tip
        if tip is not None and tip is not before and sound:
            files.advance_head(self.home, tip.replica, tip.seq, tip.hash)

    def _head_is_sound(self, tip: Entry | None) -> bool:
        heads = files.read_heads(self.home) or {}
        replica = meta(self._connection, "replica")
        if replica not in heads:
            return False
        seq, digest = heads[replica]
        if not seq or tip is None:
            return not seq
        if (seq, digest) == (tip.seq, tip.hash):
            return True
        return hash_at(self._connection, tip.replica, seq) == digest

    def ensure_project(self, place: Place, at: str = "") -> str:
        """The id of the place's project, made if nobody knows it (see ``Store.ensure_project``)."""
        with self._reading():
            project, fresh = recognise(self._connection, place)
        if not fresh:
            return project or ""
        with self._appending(Rules(), {}) as appending:
            # Again under the lock: another process may have seen the place meanwhile.
            project, fresh = recognise(self._connection, place)
            project = project or ids.random_id("pr_", self._entropy(10))
            if fresh:
                seen = events.project_seen(project, name_of(place), fresh, self._entropy(15), at)
                appending.add(prepare(seen))
        return project

    def resolve_project(self, place: Place) -> str | None:
        """The id of the place's project, or ``None``; writes nothing."""
        with self._reading():
            return resolve_project(self._connection, place)

    def save_source(self, source: Source) -> None:
        """Remember how far a transcript has been read."""
        with self._writing():
            lookup.save_source(self._connection, source)

    # Reading

    def skill(self, skill_id: str) -> Skill | None:
        """A skill by id, tombstones too (state ``deleted``, no text)."""
        with self._reading():
            return lookup.skill_by_id(self._connection, skill_id)

    def find_slug(self, slug: str, project: str | None = None) -> Skill:
        """A live skill by slug, ``project-name/slug``, or id (see ``Store.find_slug``)."""
        with self._reading():
            return lookup.find_slug(self._connection, slug, project)

    def by_fingerprint(self, project: str, fingerprint: str) -> Skill | None:
        """The live skill of a project (or a global one) that has this fingerprint."""
        with self._reading():
            return lookup.by_fingerprint(self._connection, project, fingerprint)

    def skills(self, which: SkillFilter = LIVE) -> tuple[Skill, ...]:
        """Skills that match, the last changed first."""
        with self._reading():
            return lookup.list_skills(self._connection, which)

    def skill_events(self, skill_id: str) -> tuple[Recorded, ...]:
        """The history of a skill (or of any subject) in the fold's order, with full texts."""
        with self._reading():
            return tuple(in_order(events_of(self._connection, skill_id)))

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

    # Keeping

    def verify(self, *, strict: bool = False) -> tuple[Fault, ...]:
        """Everything that is wrong, in words that say what and where (see ``Store.verify``)."""
        with explained(self.home):
            return tuple(audit(self._connection, self.home, strict=strict))

    def rebuild(self, *, anew: bool = False) -> int:
        """Refold everything, after a backup; returns the number of events (see ``Store.rebuild``)."""
        if self.readonly:
            raise UnavailableError(f"memory at {self.home} was opened for reading only")
        self.backup()
        with explained(self.home):
            events = refold(self._connection, self._wait, anew=anew)
            with writing(self._connection, self._wait):
                mark_folded(self._connection)
        return events

    def backup(self, path: str | None = None) -> str:
        """Copy the database, checked and on disk; returns the copy's path.

        Without ``path`` it goes to ``<home>/backups``, which keeps so many and so old ones
        (``backups.KEEP``).  Raises ``RefusedError`` if ``path`` exists.
        """
        return backups.write_backup(self.home, from_epoch(self._clock()), path)

    def restore_backup(self, path: str) -> str:
        """Put a backup in this database's place; returns where the replaced one is (see ``restoring``)."""
        self.close()
        try:
            return restore_backup(self.home, path, clock=self._clock, entropy=self._entropy, wait=self._wait)
        finally:
            self._connection = connect(self.home, readonly=self.readonly, wait=self._wait)

    def pin_head(self) -> None:
        """Take the ledger as it stands for the true one, on the owner's word: `verify` starts from here."""
        with self._writing():
            files.replace_heads(self.home, chain_tips(self._connection))
