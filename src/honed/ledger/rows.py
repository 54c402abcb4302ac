"""What the fold gives: one value per subject, the projections in typed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from honed.skills.model import Draft, Skill

AliasState = Literal["seen", "linked", "split"]


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One piece of evidence.  ``counts`` is 1 for, -1 against, 0 shown only, and then ``why`` not."""

    event_id: str
    skill: str
    kind: str
    session: str
    task: str
    at: str
    counts: int
    authority: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class WaitingText:
    """A text that waits beside the one in use (see ``ledger.in_use``): the event that brought it, its number
    among the skill's texts, and ``why`` it waits."""

    event: str
    number: int
    draft: Draft
    content_hash: str
    actor: str
    at: str
    why: str


@dataclass(frozen=True, slots=True)
class SkillRow:
    """All that the projections hold about one skill.

    ``session`` is the one it was learned from.  ``fingerprints`` are those of all its versions,
    still there for a forgotten skill as long as its texts are.
    """

    skill: Skill
    session: str
    evidence: tuple[EvidenceRow, ...]
    text: int = 0
    """Where the store keeps the event whose body holds the draft; 0 for a forgotten skill."""
    tombstones: tuple[tuple[str, str], ...] = ()
    """Keyed fingerprints that must not be learned again, and when that was said."""
    waiting: tuple[WaitingText, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    """Content hash and kind of texts that the owner rejected."""
    used: str = ""
    """The event that brought the text in use."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """The verdict of a task as it stands."""

    id: str
    project: str
    session: str
    client: str
    verdict: str
    reason: str
    authority: str
    step: str
    check: str
    seen_to: int
    at: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A fact by which a project is recognised; ``split`` ones are kept so that they stay away."""

    kind: str
    value: str
    state: AliasState
    at: str


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project: what people call it, when it was first seen, how it is recognised."""

    id: str
    name: str
    seen: str
    aliases: tuple[Alias, ...]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One of the owner's settings and when it was set."""

    key: str
    value: object
    at: str
