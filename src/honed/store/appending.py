"""One write transaction's worth of events.

What is decided here is decided under the write lock, on what is there then: whether an event is known,
whether a text was learned or forgotten before, which slug is free.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from honed.errors import UsageError
from honed.ledger import chain, ids
from honed.ledger.canonical import canonical_bytes, instant
from honed.ledger.drafts import content_hash, draft_of
from honed.ledger.fold import fold_skill
from honed.ledger.model import TEXTS, EventKind, NewEvent
from honed.skills.model import SLUG_LIMIT, Draft
from honed.skills.terms import IndexEntry
from honed.store.base import Appended
from honed.store.indexing import indexed
from honed.store.migrate import keyed, meta
from honed.store.place import storable
from honed.store.projections import project_subject
from honed.store.recorded import events_of, insert, last_entry, number_of

_EVENT_ID = re.compile(r"ev_[a-z0-9_]{1,40}")
_SUBJECT_ID = re.compile(r"(?:sk|tk|pr)_[a-z0-9_]{1,40}|settings")
_ACTOR = re.compile(r"[a-z][a-z0-9_.:-]{0,63}")
"""What the header of an event may hold: it cannot be erased, so it takes ids and names, no text."""

EVENT_LIMIT = 1024 * 1024
"""Bytes of one event's body; the doors hold each text to its own limit."""
_SUBJECT = {
    "project_seen": "project",
    "project_linked": "project",
    "project_split": "project",
    "judged": "task",
    "configured": "settings",
}
"""What each kind of event is about; a skill where nothing else is said.  ``erased`` may be about any."""
_NUMBERED = 50
"""Slugs of one title are numbered up to here."""
_KINDS = frozenset(get_args(EventKind))
_AFTER_FORGETTING = ("forgotten", "erased")
_DECISIONS = {
    "approved": "approves a text",
    "unapproved": "takes an approval back",
    "rejected": "rejects a text",
    "pinned": "pins it",
    "unpinned": "unpins it",
    "archived": "puts it out of use",
    "restored": "brings it back",
    "forgotten": "deletes it",
}
_OF_THE_OWNER = ("configured", "project_linked", "project_split")
"""What is about no skill and nobody else's to say."""
_OTHERS = {"pinned": ("import",), "archived": ("import", "pack"), "restored": ("pack",)}
_DECIDES = {kind: ("owner", *_OTHERS.get(kind, ())) for kind in _DECISIONS}
"""Who may say so: the owner; their import, of what a vault holds; their pack, of its own quarantine."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An event as it can be kept, and of one with a text the draft and its content hash."""

    event: NewEvent
    draft: Draft | None = None
    digest: str = ""


def prepare(event: NewEvent) -> Ready:
    """The event, made ready outside the lock; raises ``UsageError`` for one that cannot be kept."""
    kind = ids.subject_kind(event.subject) if _SUBJECT_ID.fullmatch(event.subject) else "unknown"
    if (
        event.kind not in _KINDS
        or kind == "unknown"
        or (event.kind != "erased" and kind != _SUBJECT.get(event.kind, "skill"))
    ):
        raise UsageError(f"a {event.kind} event cannot be about {event.subject!r}")
    if not (_EVENT_ID.fullmatch(event.id) and _ACTOR.fullmatch(event.actor)):
        raise UsageError(
            f"an event needs an id like ev_a2b3 and an actor like owner, not {event.id!r}, {event.actor!r}"
        )
    size = len(canonical_bytes(dict(event.body)))
    if size > EVENT_LIMIT:
        raise UsageError(
            f"the {event.kind} event of {event.subject} has {size} bytes; at most {EVENT_LIMIT} are kept"
        )
    if event.at:
        event = replace(event, at=instant(event.at))
    if event.kind not in TEXTS:
        return Ready(event)
    draft = draft_of(event.body.get("draft"))
    return Ready(event, draft, content_hash(draft))


def prepare_index(ready: Iterable[Ready]) -> dict[str, IndexEntry]:
    """Index entries of the drafts of these events by content hash: stemming needs no write lock."""
    return {one.digest: indexed(one.draft) for one in ready if one.draft is not None}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the caller allows: see ``Store.append``.

    ``replayed`` events were accepted before, by a ledger that a backup takes the place of: they are
    taken as they are.  ``told_again`` ones take the place of events that are there: nothing stands in
    their way, and a new slug among them is made unique.
    """

    same_text: bool = False
    exact_slug: bool = False
    again: bool = False
    replayed: bool = False
    told_again: bool = False


class Appending:
    """Appends events inside the caller's write transaction; ``finish`` before it commits."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        clock: Callable[[], str],
        entropy: Callable[[int], bytes],
        key: bytes,
        others: Sequence[bytes] = (),
        rules: Rules,
        prepared: Mapping[str, IndexEntry],
    ) -> None:
        self._connection = connection
        self._entropy = entropy
        self._key = key
        self._keys = tuple(one for one in (key, *others) if one)
        self._rules = rules
        self._prepared = prepared
        self._replica = meta(connection, "replica")
        self._number = 0
        self._dirty: dict[str, None] = {}
        self.tip = last_entry(connection, self._replica)
        now = clock()
        # The clock may have been set back; the ledger's time does not go back.
        self._recorded_at = max(now, self.tip.recorded_at) if self.tip else now

    def add(self, ready: Ready) -> Appended:
        """Append one event, or say why not."""
        event = ready.event
        if self._connection.execute("SELECT 1 FROM events WHERE id = ?", (event.id,)).fetchone():
            self._project()
            return Appended(event.id, "existed", event.subject, slug=self._slug_of(event.subject))
        taken_as_it_is = self._rules.replayed or self._rules.told_again
        if ids.subject_kind(event.subject) == "skill" and not self._rules.replayed:
            self._project()
        if event.kind in _OF_THE_OWNER and event.actor != "owner" and not taken_as_it_is:
            return _refused(event, "only its owner says so")
        if ids.subject_kind(event.subject) == "skill" and not taken_as_it_is:
            refused = self._refuse(ready)
            if refused is not None:
                return refused
        if not self._rules.replayed:
            complete = _COMPLETE.get(event.kind)
            event = complete(self, ready) if complete else event
        seq = self._write(event)
        slug = event.body.get("slug")
        return Appended(event.id, "written", event.subject, seq, slug if isinstance(slug, str) else "")

    def finish(self) -> None:
        """Bring the projections of everything that was touched up to date."""
        self._project()

    def _project(self) -> None:
        for subject in self._dirty:
            project_subject(self._connection, subject, self._prepared)
        self._dirty.clear()

    def _write(self, event: NewEvent) -> int:
        entry, payload = chain.link(
            self.tip,
            replace(event, at=event.at or self._recorded_at),
            replica=self._replica,
            recorded_at=self._recorded_at,
            salt=self._entropy(chain.SALT_BYTES),
        )
        self._number = self._number or number_of(self._connection, self._replica)
        insert(self._connection, entry, payload, self._number)
        if event.kind == "erased":
            self._erase(event)
        self.tip = entry
        self._dirty[event.subject] = None
        return entry.seq

    def _erase(self, event: NewEvent) -> None:
        named = event.body.get("ids")
        for event_id in named if isinstance(named, list | tuple) else ():
            found = self._connection.execute(
                "SELECT subject, kind FROM events WHERE id = ?", (event_id,)
            ).fetchone()
            if self._rules.replayed and found is None:
                continue
            if found is None or found[0] != event.subject or found[1] in _AFTER_FORGETTING:
                raise UsageError(f"{event_id} is no event of {event.subject} with a text; nothing was erased")
            self._connection.execute(
                "DELETE FROM payloads WHERE n IN (SELECT n FROM events WHERE id = ?)", (event_id,)
            )

    # Refusing

    def _refuse(self, ready: Ready) -> Appended | None:
        event = ready.event
        row = self._connection.execute(
            "SELECT state, content_hash, kind FROM skills WHERE id = ?", (event.subject,)
        ).fetchone()
        if row is not None and row[0] == "deleted":
            if event.kind in _AFTER_FORGETTING:
                return None
            return _refused(event, "was forgotten", event.subject)
        if event.kind == "learned":
            return self._refuse_text(event, ready.draft or Draft("lesson", "", ""), ready.digest)
        if row is None and event.kind not in _AFTER_FORGETTING:
            return _refused(event, "there is no such skill")
        if ready.draft is not None and not self._had(event.subject, ready.digest):
            return self._refuse_forgotten(event, ready.draft, ready.digest)
        if event.actor not in _DECIDES.get(event.kind, (event.actor,)):
            return _refused(event, f"only its owner {_DECISIONS[event.kind]}")
        if event.kind in ("approved", "rejected") and not self._may_decide(event, tuple(row[1:])):
            return _refused(event, "the text is no longer the one that was shown")
        return None

    def _may_decide(self, event: NewEvent, used: tuple[object, ...]) -> bool:
        """Whether a text that is approved or rejected is one that the owner can be shown now."""
        bound = (event.body.get("hash"), event.body.get("kind"))
        if event.kind == "approved" and bound == used:
            return True
        row = fold_skill(events_of(self._connection, event.subject))
        waiting = row.waiting if row is not None else ()
        return any(bound == (text.content_hash, text.draft.kind) for text in waiting)

    def _refuse_text(self, event: NewEvent, draft: Draft, digest: str) -> Appended | None:
        project = str(event.body.get("project", ""))
        forgotten = self._refuse_forgotten(event, draft, digest)
        if forgotten is not None:
            return forgotten
        if not self._rules.same_text:
            known = self._connection.execute(
                "SELECT id, slug FROM skills"
                " WHERE project = ? AND fingerprint = ? AND state <> 'deleted' AND id <> ?"
                " ORDER BY learned_at, id",
                (storable(project), storable(draft.fingerprint or digest), event.subject),
            ).fetchone()
            if known:
                return replace(_refused(event, f"the same text is {known[1]}", known[0]), slug=known[1])
        return self._refuse_slug(event, project)

    def _refuse_forgotten(self, event: NewEvent, draft: Draft, digest: str) -> Appended | None:
        """A text that was forgotten, or scrubbed, comes back neither as a skill nor as a version of one."""
        known = [one for one in (draft.fingerprint, digest) if one]
        for fingerprint in (keyed(key, one) for key in self._keys for one in known):
            tombstone = self._connection.execute(
                "SELECT skill FROM tombstones WHERE fingerprint = ?", (fingerprint,)
            ).fetchone()
            refused = self._refused_by_tombstone(event, str(tombstone[0])) if tombstone else None
            # A text that was scrubbed, and not forgotten, names the skill that it is a text of now.
            if refused is not None and (refused.slug or not self._rules.again):
                return refused
        return None

    def _had(self, subject: str, digest: str) -> bool:
        """Whether a text is one that the skill had before, and may have again."""
        texts = (one.body for one in events_of(self._connection, subject) if one.entry.kind in TEXTS)
        return any(content_hash(draft_of(body.get("draft"))) == digest for body in texts if body is not None)

    def _refused_by_tombstone(self, event: NewEvent, skill: str) -> Appended:
        found = self._connection.execute(
            "SELECT slug FROM skills WHERE id = ? AND state <> 'deleted'", (skill,)
        ).fetchone()
        if found:
            return replace(_refused(event, f"this text was scrubbed to {found[0]}", skill), slug=found[0])
        return _refused(event, "this text was forgotten", skill)

    def _refuse_slug(self, event: NewEvent, project: str) -> Appended | None:
        slug = str(event.body.get("slug", ""))
        if not self._rules.exact_slug:
            return None
        found = self._connection.execute(
            "SELECT id FROM skills WHERE project = ? AND slug = ? AND state <> 'deleted' AND id <> ?",
            (project, slug, event.subject),
        ).fetchone()
        return replace(_refused(event, f"the slug {slug} is taken", found[0]), slug=slug) if found else None

    # Completing

    def _slug_of(self, subject: str) -> str:
        row = self._connection.execute("SELECT slug FROM skills WHERE id = ?", (subject,)).fetchone()
        return str(row[0]) if row else ""

    def _with_slug(self, ready: Ready) -> NewEvent:
        event = ready.event
        project = storable(str(event.body.get("project", "")))
        wish = ids.slugify(
            str(event.body.get("slug", "")), fallback=ready.draft.kind if ready.draft else "skill"
        )
        base = wish[: SLUG_LIMIT - 8].rstrip("-")
        numbered = (f"{base}-{number}" for number in range(2, _NUMBERED))
        # Past that many of one title a number tells nobody anything, and counting would cost.
        slugs = (wish, *numbered, f"{base}-{event.subject[-6:]}")
        slug = next(
            slug
            for slug in slugs
            if slug == slugs[-1] or not self._slug_is_taken(project, slug, event.subject)
        )
        return replace(event, body={**event.body, "slug": slug})

    def _slug_is_taken(self, project: str, slug: str, subject: str) -> bool:
        return bool(
            self._connection.execute(
                "SELECT 1 FROM skills WHERE slug = ? AND project = ? AND state <> 'deleted' AND id <> ?",
                (slug, project, subject),
            ).fetchone()
        )

    def _with_fingerprints(self, ready: Ready) -> NewEvent:
        """A tombstone keeps the keyed fingerprints of every text the skill ever had."""
        event = ready.event
        known: dict[str, None] = {}
        for recorded in events_of(self._connection, event.subject):
            if recorded.entry.kind in TEXTS and recorded.body is not None:
                draft = draft_of(recorded.body.get("draft"))
                known.update(dict.fromkeys(f for f in (draft.fingerprint, content_hash(draft)) if f))
        values = {keyed(self._key, fingerprint) for fingerprint in known} if self._key else set()
        values |= {
            str(value)
            for (value,) in self._connection.execute(
                "SELECT fingerprint FROM tombstones WHERE skill = ?", (event.subject,)
            )
        }
        return replace(event, body={**event.body, "fingerprints": sorted(values)})


_COMPLETE: Mapping[str, Callable[[Appending, Ready], NewEvent]] = {
    "learned": Appending._with_slug,
    "forgotten": Appending._with_fingerprints,
}
"""Kinds whose body the store completes under the lock."""


def _refused(event: NewEvent, reason: str, other: str = "") -> Appended:
    return Appended(event.id, "refused", event.subject, reason=reason, collides_with=other)
