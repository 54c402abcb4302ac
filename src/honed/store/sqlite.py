"""The store in one SQLite file: ``Store`` (see ``base``) over a ledger that is only ever appended to.

WAL, ``synchronous = FULL``, one ``BEGIN IMMEDIATE`` per write with a bounded wait.  A store belongs to
the thread that opened it.  What an append does under the lock is in ``appending``, the projections in
``projections``, the checks in ``audit``.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType

from honed.errors import DamagedError, OutdatedError, UnavailableError
from honed.ledger import events, ids
from honed.ledger.canonical import from_epoch, parse_instant
from honed.ledger.history import undo, version_again
from honed.ledger.model import Entry, Fault, NewEvent
from honed.skills.terms import IndexEntry
from honed.store import backups, lookup, taking_out
from honed.store.aliases import recognise
from honed.store.appending import Appending, Rules, prepare, prepare_index
from honed.store.audit import audit
from honed.store.base import Appended, Source
from honed.store.calling import Calling
from honed.store.connection import WAIT_SECONDS, blank, close, connect, database_path, explained, writing
from honed.store.counting import keep_counts
from honed.store.erasing import Erased, Plan, plan_purge, plan_scrub
from honed.store.heads import advance_head, read_heads
from honed.store.merging import Merged, copy_of, merge, prepared_of
from honed.store.migrate import (
    adopt_keys,
    check_readable,
    check_up_to_date,
    is_folded,
    mark_folded,
    meta,
    migrate,
    other_keys,
    read_key,
    version_of,
)
from honed.store.place import Place, name_of
from honed.store.receiving import Receiving
from honed.store.recorded import events_of, hash_at, last_entry, last_number, tips
from honed.store.refolding import refold
from honed.store.restoring import restore_backup
from honed.store.with_vectors import WithVectors

__all__ = ["SqliteStore", "restore_backup"]

Clock = Callable[[], float]
Entropy = Callable[[int], bytes]


class SqliteStore(WithVectors, Receiving, Calling):
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
        self.wrote = False
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
        """Open the memory of a home folder, making it unless ``readonly``; one of an older honed is migrated.

        ``clock`` gives seconds since 1970, ``entropy`` so many random bytes, ``wait`` is how many
        seconds to wait for another process's lock.  Raises ``NotFoundError`` (``readonly``, and there
        is none), ``UnavailableError``, ``DamagedError``; never writes over a file that is damaged.
        """
        home = os.path.abspath(home)
        given = partial(cls._opened, home, clock=clock, entropy=entropy, wait=wait)
        if not readonly:
            return given(readonly=False)
        try:
            store = given(readonly=True)
            if store._is_folded():
                return store
            store.close()
            # A read-only home stays as the older version folded it, and can be read.
            with contextlib.suppress(UnavailableError):
                given(readonly=False).close()
        except OutdatedError as outdated:
            try:
                given(readonly=False).close()
            except DamagedError:
                raise
            except UnavailableError as error:
                raise UnavailableError(f"{outdated}, which cannot be done now: {error}") from error
        return given(readonly=True)

    def _is_folded(self) -> bool:
        with self._reading():
            return is_folded(self._connection)

    @classmethod
    def _opened(
        cls, home: str, *, clock: Clock, entropy: Entropy, readonly: bool, wait: float
    ) -> SqliteStore:
        connection = connect(home, readonly=readonly, wait=wait)
        try:
            with explained(home):
                if readonly:
                    check_readable(connection, home)
                    if not version_of(connection):
                        raise blank(home, connection)
                    check_up_to_date(connection, home)
                else:
                    migrate(connection, home, now=lambda: from_epoch(clock()), entropy=entropy, wait=wait)
        except BaseException:
            connection.close()
            raise
        store = cls(home, connection, clock=clock, entropy=entropy, wait=wait, readonly=readonly)
        if not readonly:
            store._finish_erasing()
        return store

    def close(self) -> None:
        """Leave the full texts in few pieces, write the journal back as far as others let us, and let go."""
        close(self._connection, tidily=self.wrote)

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
            self.wrote = True
            yield

    def _now(self) -> str:
        return from_epoch(self._clock())

    def now(self) -> str:
        """The store's clock: never before the last thing recorded."""
        with self._reading():
            tip = last_entry(self._connection, meta(self._connection, "replica"))
        return max(self._now(), tip.recorded_at if tip else "")

    def append(
        self,
        new: Sequence[NewEvent],
        *,
        source: Source | None = None,
        same_text: bool = False,
        exact_slug: bool = False,
        again: bool = False,
    ) -> tuple[Appended, ...]:
        """Write events, projections and index in one transaction (see ``Store.append``)."""
        ready = [prepare(event) for event in new]
        with self._appending(Rules(same_text, exact_slug, again), prepare_index(ready)) as appending:
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
                clock=self._now,
                entropy=self._entropy,
                key=read_key(self.home),
                others=other_keys(self.home),
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
            advance_head(self.home, tip.replica, tip.seq, tip.hash)

    def _head_is_sound(self, tip: Entry | None) -> bool:
        heads = read_heads(self.home) or {}
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

    def save_source(self, source: Source) -> None:
        """Remember how far a transcript has been read."""
        with self._writing():
            lookup.save_source(self._connection, source)

    # Going back

    def restore_version(self, skill_id: str, number: int) -> Appended | None:
        """Make an older version the text again, as a new one (see ``Store.restore_version``)."""
        with self._reading():
            history = events_of(self._connection, skill_id)
        event = version_again(history, number, self._entropy(16))
        return self.append([event])[0] if event else None

    def undo(self, skill_id: str) -> Appended:
        """Take the last change of a skill back, by an event (see ``Store.undo``)."""
        with self._reading():
            history = events_of(self._connection, skill_id)
        return self.append([undo(history, self._entropy(16))])[0]

    # Erasing

    def erase(self, skill_id: str) -> Erased:
        """Forget a skill and take every byte of it out (see ``Store.erase``)."""
        with self._appending(Rules(), {}) as appending:
            plan = plan_purge(self._connection, skill_id, self._entropy(16))
            self._tell(appending, plan)
        return self._taken_out(plan)

    def scrub(self, pattern: re.Pattern[str], *, dry_run: bool = False) -> Erased:
        """Take a text out of everything that is kept (see ``Store.scrub``)."""
        key = read_key(self.home)
        with self._reading():
            seen = last_number(self._connection)
            spools = taking_out.spools_named(self.home, pattern.search)
            plan = plan_scrub(self._connection, pattern, key, spools)
        if plan.is_empty():
            return replace(plan.summary(), left=tuple(taking_out.still_in(self.home, plan.stuck)))
        if dry_run:
            return plan.summary()
        index = prepare_index(prepare(event) for event in plan.events())
        with self._appending(Rules(told_again=True), index) as appending:
            if last_number(self._connection) != seen:
                plan = plan_scrub(self._connection, pattern, key, spools)
            self._tell(appending, plan)
        return self._taken_out(plan, search=True)

    def _tell(self, appending: Appending, plan: Plan) -> None:
        for event in plan.events():
            appending.add(prepare(event))
        plan.drop_rows(self._connection)
        taking_out.begin(self._connection)

    def _taken_out(self, plan: Plan, *, search: bool = False) -> Erased:
        taking_out.drop_spools(self.home, plan.sessions)
        wiped, left = taking_out.wipe_lines(self.home, plan.needles)
        try:
            done = self._take_out()
        except UnavailableError as error:
            raise UnavailableError(
                "the text is out of the ledger and of every search; its bytes are still to be taken out of"
                f" the files: {error} The next command that writes goes on with it."
            ) from error
        if not done.journal_empty:
            left.append((f"{database_path(self.home)}-wal", "another process has been reading since before"))
        if search:
            left += taking_out.still_in(self.home, plan.needles | plan.stuck)
        return replace(
            plan.summary(),
            rewritten=done.rewritten,
            removed=done.removed,
            wiped=tuple(wiped),
            left=tuple(left),
        )

    def _take_out(self) -> taking_out.TakenOut:
        return taking_out.take_out(
            self._connection,
            self.home,
            clock=self._now,
            entropy=self._entropy,
            wait=self._wait,
        )

    def _finish_erasing(self) -> None:
        """Go on where a process that was erasing died; what hinders it now will not hinder a later one."""
        with self._reading():
            unfinished = taking_out.is_unfinished(self._connection)
        if unfinished:
            with contextlib.suppress(UnavailableError):
                self._take_out()

    # Keeping

    def merge(self, path: str) -> Merged:
        """Take in the chains of another home, or of a copy of it (see ``Store.merge``)."""
        with copy_of(self.home, path, clock=self._now, entropy=self._entropy) as other:
            with self._reading():
                prepared = prepared_of(self._connection, other)
            if os.path.isdir(path):
                adopt_keys(self.home, path)
            with self._writing():
                merged = merge(self._connection, other, prepared)
                heads = tips(self._connection)
        for replica in merged.events:
            advance_head(self.home, replica, *heads[replica])
        return merged

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
            with contextlib.suppress(sqlite3.OperationalError):  # whoever writes next counts too
                keep_counts(self._connection, self._wait)
        return events

    def backup(self, path: str | None = None) -> str:
        """Copy the database, checked and on disk; returns the copy's path.

        Without ``path`` it goes to ``<home>/backups``, which keeps so many and so old ones
        (``backups.KEEP``).  Raises ``RefusedError`` if ``path`` exists.
        """
        return backups.write_backup(self.home, self._now(), path)

    def backup_if_due(self) -> str | None:
        """``backup`` if the newest copy is a day old and something came since."""
        if not backups.is_due(self.home, self._now()):
            return None
        newest = backups.backups(self.home)[:1]
        with self._reading():
            tip = last_entry(self._connection, meta(self._connection, "replica"))
        if newest and (tip is None or parse_instant(tip.recorded_at) <= backups.made_at(newest[0])):
            return None
        return self.backup()

    def restore_backup(self, path: str) -> str:
        """Put a backup in this database's place; returns where the replaced one is (see ``restoring``)."""
        self.close()
        try:
            return restore_backup(self.home, path, clock=self._clock, entropy=self._entropy, wait=self._wait)
        finally:
            self._connection = connect(self.home, readonly=self.readonly, wait=self._wait)
