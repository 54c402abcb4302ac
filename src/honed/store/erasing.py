"""Erasing: afterwards the bytes are in no file of honed's, and the ledger says that something was erased.

    1. in one transaction: ``erased`` events, and what must be told again without the text; projections,
       index and full text follow; a note that the bytes are still to be taken out
    2. the database is written anew, its journal emptied
    3. honed's own backups are rewritten, or removed where that cannot be
    4. the lines of spool and logs are overwritten
    5. the note is taken back

Whoever opens a home that still has the note goes on at 2, so a process that dies in between hides nothing.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from honed.errors import NotFoundError, RefusedError, UsageError
from honed.ledger import events
from honed.ledger.drafts import content_hash, draft_of
from honed.ledger.masking import MASK, masked, session_of, texts
from honed.ledger.model import TEXTS, NewEvent, Recorded
from honed.store import sightings
from honed.store.migrate import keyed
from honed.store.receiving import drop_sessions, drop_skill, sessions_kept
from honed.store.recorded import events_of, recorded_after

KEPT = ("forgotten", "erased")
"""Kinds whose bodies hold no text, and without which the ledger could not say what is missing."""
FRAGMENT = 20
"""Characters from which on a line of a text is looked for in files of lines: shorter ones are anybody's."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What erasing did, or would do.

    ``texts`` bodies were erased, ``again`` events told again without the text.  ``skills`` are the ids of
    those whose text is gone or changed, ``projects`` those whose aliases held it: they are recognised anew.
    ``sources`` is the number of transcripts whose paths held it: they are read again.  Of ``sessions``, whose
    id held it, receipts and spool are gone; ``seen`` is of how many tasks the errors seen are gone.
    ``rewritten`` and ``removed`` are honed's own backups, ``wiped`` files of lines in which it was
    overwritten, ``left`` files in which it still is, and why.  Copies that the owner made elsewhere are
    not known here.
    """

    texts: int = 0
    again: int = 0
    skills: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    sources: int = 0
    sessions: int = 0
    seen: int = 0
    rewritten: tuple[str, ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    wiped: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Plan:
    """What is to be told, the texts that must then be nowhere, and those that stand in ids and stay."""

    again: dict[str, list[NewEvent]] = field(default_factory=dict)
    erased: dict[str, list[str]] = field(default_factory=dict)
    forgotten: list[NewEvent] = field(default_factory=list)
    needles: set[str] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)
    sources: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    purged: str = ""

    def events(self) -> list[NewEvent]:
        """In the order in which they are appended: subject by subject, so that new slugs are seen."""
        told = [*self.forgotten]
        for subject, named in sorted(self.erased.items()):
            told += self.again.get(subject, [])
            told.append(events.erased(subject, sorted(set(named))))
        return told

    def is_empty(self) -> bool:
        """Whether there is nothing to erase."""
        return not (self.erased or self.sources or self.sessions or self.tasks)

    def drop_rows(self, connection: sqlite3.Connection) -> None:
        """Take out, in the transaction that erases, what is kept beside the ledger."""
        connection.executemany("DELETE FROM sources WHERE path = ?", [(path,) for path in self.sources])
        drop_sessions(connection, self.sessions)
        sightings.drop_tasks(connection, self.tasks)
        if self.purged:
            drop_skill(connection, self.purged)

    def erase(self, event: Recorded) -> None:
        """Have an event's body erased."""
        self.erased.setdefault(event.entry.subject, []).append(event.entry.id)

    def summary(self) -> Erased:
        """The figures of the plan."""
        subjects = sorted(self.erased)
        return Erased(
            texts=sum(len(set(named)) for named in self.erased.values()),
            again=sum(map(len, self.again.values())),
            skills=tuple(subject for subject in subjects if subject.startswith("sk_")),
            projects=tuple(subject for subject in subjects if subject.startswith("pr_")),
            sources=len(self.sources),
            sessions=len(self.sessions),
            seen=len(set(self.tasks)),
        )


def plan_purge(connection: sqlite3.Connection, skill: str, entropy: bytes) -> Plan:
    """Erase all that was ever said of a skill, and the verdicts of the tasks that taught it.

    Raises ``NotFoundError`` for a skill that never was.
    """
    plan = Plan(purged=skill)
    history = events_of(connection, skill)
    if not history:
        raise NotFoundError(f"there is no skill {skill}")
    if not any(event.entry.kind == "forgotten" for event in history):
        plan.forgotten.append(events.by_hand("forgotten", skill, entropy))
    tasks: dict[str, None] = {}
    for event in history:
        if event.body is None or event.entry.kind in KEPT:
            continue
        plan.erase(event)
        if event.entry.kind in TEXTS:
            draft = draft_of(event.body.get("draft"))
            if draft.source_task:
                tasks[draft.source_task] = None
            plan.needles.update(_fragments(texts(event.body)))
    plan.tasks += tasks
    for task in tasks:
        for event in events_of(connection, task):
            if event.entry.kind == "judged" and event.body is not None:
                plan.erase(event)
    return plan


def _fragments(said: Iterable[str]) -> Iterator[str]:
    for text in said:
        yield from (line for line in text.splitlines() if len(line) >= FRAGMENT)


def plan_scrub(
    connection: sqlite3.Connection, pattern: re.Pattern[str], key: bytes, spools: Iterable[str] = ()
) -> Plan:
    """Erase every body in which ``pattern`` matches, and tell what happened again without it; ``spools`` are
    sessions in whose id it was found already.

    Raises ``UsageError`` for a pattern that matches nothing in particular, ``RefusedError`` for one that a
    setting in force holds: masked, the setting would say something else.
    """
    if pattern.search("") or pattern.search(MASK):
        raise UsageError(f"the pattern {pattern.pattern!r} matches the empty text or {MASK} itself")
    plan = Plan()
    rewritten: set[str] = set()
    settings: dict[str, Recorded] = {}
    for event in all_events(connection):
        if event.body is None or event.entry.kind in KEPT:
            continue
        if event.entry.kind == "configured":
            settings[str(event.body.get("key"))] = event
        plan.stuck.update(match[0] for match in pattern.finditer(session_of(event.body)))
        told = masked(event.body, pattern)
        if told is None:
            continue
        plan.needles.update(match[0] for text in texts(event.body) for match in pattern.finditer(text))
        plan.erase(event)
        if event.entry.kind == "configured":
            continue
        if event.entry.kind in TEXTS:
            rewritten.add(event.entry.subject)
            told = _without_digests(event.body, told, key)
        plan.again.setdefault(event.entry.subject, []).append(events.told_again(event, told))
    for name, event in settings.items():
        body = event.body or {}
        # A setting that was taken back, the record of a pack that was removed, holds nothing any more.
        if body.get("value") is not None and masked(body, pattern) is not None:
            way = f"honed packs rm {name[5:]}" if name.startswith("pack:") else "honed config set"
            raise RefusedError(f"the setting {name} holds it; change that with `{way}` first")
    for subject in sorted(rewritten):
        # An approval is bound to a digest of the text that was approved: a guess could be tested on it.
        for event in events_of(connection, subject):
            if event.entry.kind == "approved" and event.body is not None:
                plan.erase(event)
    for (path,) in connection.execute("SELECT path FROM sources ORDER BY path"):
        if pattern.search(path):
            plan.sources.append(path)
            plan.needles.update(match[0] for match in pattern.finditer(path))
    plan.tasks += sightings.matching(connection, pattern.search)
    plan.sessions += sorted({*spools, *filter(pattern.search, sessions_kept(connection))})
    return plan


def all_events(connection: sqlite3.Connection) -> Iterator[Recorded]:
    """Every event, in the order in which they came here."""
    last = 0
    while batch := recorded_after(connection, last, 500):
        yield from batch
        last = batch[-1].n


def _without_digests(body: Mapping[str, object], told: dict[str, object], key: bytes) -> dict[str, object]:
    """The told text without the fingerprint of the first; keyed, it keeps that text from coming again."""
    draft, masked_draft = draft_of(body.get("draft")), told.get("draft")
    if not isinstance(masked_draft, Mapping):
        return told
    bare = {name: value for name, value in masked_draft.items() if name != "fingerprint"}
    known = [keyed(key, one) for one in (draft.fingerprint, content_hash(draft)) if one and key]
    before = body.get("fingerprints")
    earlier = [str(one) for one in before] if isinstance(before, list) else []
    return {**told, "draft": bare, "fingerprints": sorted({*known, *earlier})}
