"""One constructor per kind of event: the only place that knows what is in a body.

Each returns a ``NewEvent``.  ``session`` is the client's session id and ``record`` the id of the
record or step it rests on (see ``ids.event_id``); what the owner does by hand has neither and takes
``entropy`` (16 random bytes) instead, so that doing it twice is two events.  ``at`` is ISO-8601 UTC;
empty means now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from honed.ledger import ids
from honed.ledger.drafts import draft_body
from honed.ledger.model import EventKind, Evidence, NewEvent, Recorded
from honed.skills.model import Draft
from honed.verdict.model import Authority, VerdictKind

SETTINGS = "settings"
"""The subject of every ``configured`` event."""
REPLACES = "replaces"
"""The key of a body that names the event it takes the place of (see ``told_again``)."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Where in a client's session something happened: what makes an event's id.

    ``record`` is the id of the record, step or commit; ``at`` ISO-8601 UTC, empty for now.
    """

    client: str
    session: str
    record: str
    at: str = ""
    actor: str = "honed"


def _from(occasion: Occasion, kind: EventKind, subject: str, body: Mapping[str, object]) -> NewEvent:
    event_id = ids.event_id(kind, occasion.session, occasion.record, subject)
    return NewEvent(event_id, kind, subject, body, occasion.at, occasion.actor)


def by_hand(
    kind: EventKind,
    subject: str,
    entropy: bytes,
    body: Mapping[str, object] | None = None,
    *,
    at: str = "",
    actor: str = "owner",
) -> NewEvent:
    """An act of the owner (or another actor): its id is random, each one counts.

    For ``unapproved``, ``pinned``, ``unpinned``, ``archived``, ``restored``, ``unmuted`` and ``forgotten``,
    whose bodies say nothing more than a ``reason``; the others have their own constructor.
    """
    return NewEvent(ids.random_id("ev_", entropy), kind, subject, body or {}, at, actor)


def project_seen(
    project: str, name: str, aliases: Iterable[tuple[str, str]], entropy: bytes, at: str = ""
) -> NewEvent:
    """A project and aliases of it; ``name`` is what people call it (the folder's name)."""
    body = {"name": name, "aliases": [list(alias) for alias in aliases]}
    return by_hand("project_seen", project, entropy, body, at=at, actor="honed")


def project_linked(project: str, kind: str, value: str, entropy: bytes, at: str = "") -> NewEvent:
    """The owner says: this alias belongs to this project."""
    return by_hand("project_linked", project, entropy, {"kind": kind, "value": value}, at=at)


def project_split(project: str, kind: str, value: str, entropy: bytes, at: str = "") -> NewEvent:
    """The owner says: this alias does not belong to this project."""
    return by_hand("project_split", project, entropy, {"kind": kind, "value": value}, at=at)


def judged(
    occasion: Occasion,
    task: str,
    project: str,
    verdict: VerdictKind,
    reason: str,
    *,
    seen_to: int,
    authority: Authority | None = None,
    step: str = "",
    check: str = "",
) -> NewEvent:
    """A task's verdict.  ``occasion.record`` names the last step it saw, ``seen_to`` its ordinal."""
    body = {
        "client": occasion.client,
        "session": occasion.session,
        "project": project,
        "verdict": verdict,
        "reason": reason,
        "seen_to": seen_to,
        "authority": authority or "",
        "step": step,
        "check": check,
    }
    return _from(occasion, "judged", task, body)


def learned(
    occasion: Occasion,
    skill: str,
    project: str,
    slug: str,
    draft: Draft,
    extra: Mapping[str, object] | None = None,
) -> NewEvent:
    """A new skill.  ``slug`` is a wish: the store makes it unique within the project.

    ``project`` is "" for what belongs to none; a draft of scope ``global`` is kept under "" too.
    ``extra`` are unknown front-matter keys of an imported file.
    """
    body: dict[str, object] = {
        "client": occasion.client,
        "session": occasion.session,
        "project": "" if draft.scope == "global" else project,
        "slug": slug,
        "draft": draft_body(draft),
    }
    if extra:
        body["extra"] = dict(extra)
    return _from(occasion, "learned", skill, body)


def written(
    skill: str,
    project: str,
    slug: str,
    draft: Draft,
    entropy: bytes,
    *,
    at: str = "",
    actor: str = "owner",
    session: str = "",
    client: str = "",
    extra: Mapping[str, object] | None = None,
) -> NewEvent:
    """A skill written by hand or by an agent's call: a ``learned`` event with a random id."""
    occasion = Occasion(client, session, entropy.hex(), at, actor)
    return learned(occasion, skill, project, slug, draft, extra)


def revised(
    skill: str,
    draft: Draft,
    entropy: bytes,
    *,
    reason: str = "",
    at: str = "",
    actor: str = "owner",
    session: str = "",
    client: str = "",
) -> NewEvent:
    """A new text of a skill; the slug stays.  It may have to wait (see ``in_use``)."""
    body: dict[str, object] = {"draft": draft_body(draft), "reason": reason}
    body |= {name: value for name, value in (("session", session), ("client", client)) if value}
    return by_hand("revised", skill, entropy, body, at=at, actor=actor)


def revised_by_session(
    occasion: Occasion, skill: str, draft: Draft, reason: str = "", task: str = ""
) -> NewEvent:
    """A new text of a skill that reading a session gave; ``task`` is the one that it comes from."""
    body = {
        "draft": draft_body(draft),
        "reason": reason,
        "client": occasion.client,
        "session": occasion.session,
        "task": task,
    }
    return _from(occasion, "revised", skill, body)


def evidence(
    occasion: Occasion,
    skill: str,
    what: Evidence,
    *,
    task: str = "",
    applied: bool = False,
    authority: Authority | None = None,
    note: str = "",
    text: str = "",
    request: str = "",
) -> NewEvent:
    """Something that counts for or against a skill.

    ``applied`` says that the session changed one of its files or ran one of its non-check steps
    before the check; without it session evidence is shown and weighs nothing.  ``text`` is the event of
    the one text of it that this is evidence of, empty for whichever is in use.  ``request`` is what the
    session was asked when it did so: a past use of the skill (``skills.uses``) as long as this counts for it.
    """
    body: dict[str, object] = {
        "evidence": what,
        "client": occasion.client,
        "session": occasion.session,
        "task": task,
        "applied": applied,
        "authority": authority or "",
        "note": note,
    }
    if text:
        body["text"] = text
    if request:
        body["request"] = request
    return _from(occasion, "evidence", skill, body)


def place_worked(occasion: Occasion, skill: str, task: str, places: Iterable[str]) -> NewEvent:
    """Verified work of ``task`` on files that the skill is about (``places``, as the skill names them): it is
    likelier to be needed there again, and neither proved nor disproved."""
    body: dict[str, object] = {
        "evidence": "place_worked",
        "client": occasion.client,
        "session": occasion.session,
        "task": task,
        "places": sorted(places),
    }
    return _from(occasion, "evidence", skill, body)


def muted(occasion: Occasion, skill: str, project: str, reason: str) -> NewEvent:
    """An agent (``occasion.actor``) asks that a skill be given no more in a project until the owner looks.

    ``project`` is "" where the agent stood in none.
    """
    body = {"project": project, "client": occasion.client, "session": occasion.session, "reason": reason}
    return _from(occasion, "muted", skill, body)


def withdrawn(occasion: Occasion, skill: str, task: str, reason: str) -> NewEvent:
    """A skill's own task lost its verdict: a candidate without other support goes."""
    return _from(occasion, "withdrawn", skill, {"task": task, "reason": reason})


def approved(
    skill: str,
    content_hash: str,
    kind: str,
    entropy: bytes,
    *,
    key: str = "",
    at: str = "",
    actor: str = "owner",
) -> NewEvent:
    """The owner's approval, bound to the text and kind that were shown; ``key`` is the fingerprint of the one
    that signed it, empty where approvals are not signed."""
    bound: dict[str, object] = {"hash": content_hash, "kind": kind}
    if key:
        bound["key"] = key
    return by_hand("approved", skill, entropy, bound, at=at, actor=actor)


def rejected(skill: str, content_hash: str, kind: str, entropy: bytes, *, at: str = "") -> NewEvent:
    """The owner's word that a text which waits is not to come into use."""
    return by_hand("rejected", skill, entropy, {"hash": content_hash, "kind": kind}, at=at)


def erased(subject: str, event_ids: Iterable[str], *, reason: str = "", at: str = "") -> NewEvent:
    """The bodies of these events (all of them of ``subject``) are gone on purpose.

    Its id follows from theirs: two copies of a ledger in which the same was erased have the same event.
    """
    named = sorted(event_ids)
    event_id = ids.event_id("erased", "", " ".join(named), subject)
    return NewEvent(event_id, "erased", subject, {"ids": named, "reason": reason}, at, "owner")


def told_again(event: Recorded, body: Mapping[str, object]) -> NewEvent:
    """An event once more, with another body (a text in it was scrubbed), for the one that is erased.

    It stands where the first stood, and so does what it says; its id follows from the first one's.
    """
    entry = event.entry
    event_id = ids.event_id(entry.kind, "", f"again {entry.id}", entry.subject)
    told = {**body, REPLACES: entry.id}
    return NewEvent(event_id, entry.kind, entry.subject, told, entry.at, entry.actor)


def configured(key: str, value: object, entropy: bytes, at: str = "") -> NewEvent:
    """One of the owner's settings; ``value`` is JSON-able, ``None`` puts the default back."""
    return by_hand("configured", SETTINGS, entropy, {"key": key, "value": value}, at=at)
