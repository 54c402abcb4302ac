"""The history of a skill: every text it had, what changed from one to the next, and the way back.

Pure.  Going back is going on: an older text becomes a new version, an undone pin an ``unpinned`` event.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from honed.errors import NotFoundError, RefusedError
from honed.ledger import events
from honed.ledger.drafts import content_hash, draft_body, draft_of
from honed.ledger.fold import SkillRow, fold_skill, in_order
from honed.ledger.model import TEXTS, EventKind, NewEvent, Recorded
from honed.skills.model import Draft, Skill

CHANGES = (
    *TEXTS, "withdrawn", "approved", "unapproved", "rejected", "pinned", "unpinned", "archived", "restored"
)  # fmt: skip
"""Kinds of events that are changes of a skill; evidence is not, and what is forgotten stays so."""

_UNDO = "undo of "


@dataclass(frozen=True, slots=True)
class Version:
    """One text of a skill.

    ``number`` counts from 1; ``at`` is ISO-8601 UTC; ``text`` is all of it in plain lines and ``diff`` what
    changed from the version before, as a unified diff (empty for the first).
    """

    number: int
    event: str
    at: str
    actor: str
    reason: str
    draft: Draft
    text: str
    diff: str
    standing: str = ""
    """`in use`, `waits`, `rejected` or `earlier`."""


def full_text(draft: Draft) -> str:
    """Every field of a draft that is not at its default, one thing a line; ends with a newline."""
    lines: list[str] = []
    for name, value in draft_body(draft).items():
        if isinstance(value, list):
            lines.append(f"{name}:")
            lines += ["- " + _one(item).replace("\n", "\n  ") for item in value]
        else:
            first, *more = str(value).split("\n")
            lines.append(f"{name}: {first}")
            lines += [f"  {line}" for line in more]
    return "\n".join(lines) + "\n"


def _one(item: object) -> str:
    if not isinstance(item, dict):
        return str(item)
    return "; ".join(f"{key} {_one_of(value)}" for key, value in item.items())


def _one_of(value: object) -> str:
    return ", ".join(map(_one, value)) if isinstance(value, list) else str(value)


def versions(history: Iterable[Recorded]) -> tuple[Version, ...]:
    """Every text of a skill in order, as far as none was erased."""
    found: list[Version] = []
    told = in_order(history)
    row = fold_skill(told)
    for event in told:
        if event.entry.kind not in TEXTS or event.body is None:
            continue
        draft = draft_of(event.body.get("draft"))
        text, number = full_text(draft), len(found) + 1
        reason = event.body.get("reason")
        found.append(
            Version(
                number,
                event.entry.id,
                event.entry.at,
                event.entry.actor,
                reason if isinstance(reason, str) else "",
                draft,
                text,
                _diff(found[-1], number, text) if found else "",
                _standing(row, event.entry.id, draft),
            )
        )
    return tuple(found)


def _standing(row: SkillRow | None, event: str, draft: Draft) -> str:
    if row is None:
        return "earlier"
    if event == row.used:
        return "in use"
    if event in [text.event for text in row.waiting]:
        return "waits"
    return "rejected" if (content_hash(draft), draft.kind) in row.rejected else "earlier"


def _diff(before: Version, number: int, text: str) -> str:
    lines = difflib.unified_diff(
        before.text.splitlines(),
        text.splitlines(),
        f"version {before.number}",
        f"version {number}",
        lineterm="",
    )
    return "\n".join(lines)


def last_approved(history: Iterable[Recorded]) -> Version | None:
    """The text that the owner approved last, whether or not the approval still holds; ``None`` for none, and
    for one that was erased."""
    told = in_order(history)
    approved = [event.body or {} for event in told if event.entry.kind == "approved"]
    bound = (approved[-1].get("hash"), approved[-1].get("kind")) if approved else None
    found = [one for one in versions(told) if (content_hash(one.draft), one.draft.kind) == bound]
    return found[-1] if found else None


def changes_since(before: Version, now: Version) -> str:
    """What changed from one text to another, as a unified diff; empty where they are the same."""
    return _diff(before, now.number, now.text)


def version_again(history: Sequence[Recorded], number: int, entropy: bytes) -> NewEvent | None:
    """The event that makes version ``number`` the text again; ``None`` if it is the text in use.

    Raises ``NotFoundError`` if there is no such version (or it was erased).
    """
    known = versions(history)
    if not 1 <= number <= len(known):
        raise NotFoundError(f"there is no version {number}; there are {len(known)}")
    wanted = known[number - 1]
    told = list(history)
    row = fold_skill(told)
    if row is not None and content_hash(wanted.draft) == row.skill.content_hash:
        return None
    skill = told[0].entry.subject
    return events.revised(skill, wanted.draft, entropy, reason=f"version {number} again")


def undo(history: Sequence[Recorded], entropy: bytes) -> NewEvent:
    """The event that takes back the last change of a skill; told twice, it takes itself back.

    ``history`` are its events in the order in which they were recorded.  Raises ``RefusedError`` where
    there is no way back: the skill was only learned, it was forgotten, or an approval would have to be given.
    """
    if any(event.entry.kind == "forgotten" for event in history):
        raise RefusedError("it was forgotten, and what is forgotten stays so")
    changes = [event for event in history if event.entry.kind in CHANGES and not _is_erased(event)]
    last = changes[-1] if changes else None
    rest = [event for event in history if event is not last]
    now, before = fold_skill(history), fold_skill(rest)
    if last is None or now is None or before is None:
        raise RefusedError("nothing was changed since it was learned; `honed forget` takes it away")
    kind = last.entry.kind
    waits = next((text for text in now.waiting if text.event == last.entry.id), None)
    if waits is not None:
        told = events.rejected(now.skill.id, waits.content_hash, waits.draft.kind, entropy)
        return replace(told, body={**told.body, "reason": f"{_UNDO}{last.entry.id}"})
    if kind == "approved" and now.skill.approved_hash:
        return events.by_hand("unapproved", now.skill.id, entropy, {"reason": f"{_UNDO}{last.entry.id}"})
    if now.skill.content_hash != before.skill.content_hash:
        return events.revised(now.skill.id, before.skill.draft, entropy, reason=f"{_UNDO}{last.entry.id}")
    back = _way_back(now.skill, before.skill)
    if back is None:
        raise RefusedError(f"the last change ({kind}) cannot be taken back by honed; the owner decides anew")
    return events.by_hand(back, now.skill.id, entropy, {"reason": f"{_UNDO}{last.entry.id}"})


def undone_by(event: Recorded) -> str:
    """The id of the event that one of ``undo`` takes back; empty for any other one."""
    reason = (event.body or {}).get("reason")
    return reason[len(_UNDO) :] if isinstance(reason, str) and reason.startswith(_UNDO) else ""


def _is_erased(event: Recorded) -> bool:
    return event.body is None and event.entry.kind in TEXTS


def _way_back(now: Skill, before: Skill) -> EventKind | None:
    if now.pinned != before.pinned:
        return "pinned" if before.pinned else "unpinned"
    if now.archived != before.archived:
        return "archived" if before.archived else "restored"
    if now.approved_hash and not before.approved_hash:
        return "unapproved"
    if (now.state == "withdrawn") != (before.state == "withdrawn"):
        return "withdrawn" if before.state == "withdrawn" else "restored"
    return None
