"""What was decided: events, as the chain holds them.

An event is a *header* (who, what, about whom, when) and a *body* (the text).  The chain hashes the
header and a salted commitment to the body, never the body itself, so a body can be erased and the
chain still verifies.  See docs/decisions/0001-ledger.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

EventKind = Literal[
    "project_seen",  # a project id and aliases of it
    "project_linked",  # owner: an alias belongs to this project
    "project_split",  # owner: an alias no longer does
    "judged",  # a task's verdict; a later one of the same task supersedes it
    "learned",  # a new skill, with its draft
    "revised",  # a new text of a skill
    "evidence",  # something that counts for or against a skill
    "withdrawn",  # a candidate lost its support
    "approved",
    "unapproved",
    "rejected",  # owner: a version that waits is not to come into use
    "pinned",
    "unpinned",
    "archived",
    "restored",
    "muted",  # an agent: not to be given in a project until the owner looks
    "unmuted",  # owner: given again
    "forgotten",  # tombstone, with a keyed fingerprint of the text
    "erased",  # these payloads are gone on purpose
    "configured",  # an owner's setting that widens trust
]

TEXTS: tuple[EventKind, ...] = ("learned", "revised")
"""Kinds of events that bring a text of a skill."""

Evidence = Literal[
    "test_passed",
    "test_failed",
    "diff_accepted",
    "diff_reverted",
    "owner_confirmed",
    "owner_rejected",
    "self_report",
    "place_worked",
]


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event about to be appended.

    ``id`` is ``ledger.ids.event_id(kind, session, record, subject)``: made of what happened, never
    of text, path, time of recording or replica, so a redelivered event has the same id.
    ``subject`` is the id of the skill, task or project it is about.  ``body`` is JSON-able and has
    been redacted.  ``at`` is when it happened (ISO-8601 UTC), which is not when it was recorded;
    empty means now, by the store's clock.  ``ledger.events`` has one constructor per kind.
    """

    id: str
    kind: EventKind
    subject: str
    body: Mapping[str, object]
    at: str
    actor: str = "honed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One link of a replica's chain.

    ``commitment`` and ``hash`` are hexadecimal.  The hash of the entry before it, which ``hash`` covers
    too, is that entry's and is kept there alone.
    """

    id: str
    kind: EventKind
    subject: str
    at: str
    actor: str
    replica: str
    seq: int
    recorded_at: str
    commitment: str
    hash: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry with its body; the body is ``None`` once it has been erased.

    ``n`` is where this store keeps it, which is no part of what it is.
    """

    entry: Entry
    body: Mapping[str, object] | None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing ``verify`` found, in words that say what and where."""

    code: str
    where: str
    detail: str
