"""A simple model of a home: which events it knows, and what they come to, worked out in a few lines.

Every event has a moment of its own, so the order of things is plain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from honed.ledger.events import REPLACES
from honed.ledger.masking import MASK
from honed.ledger.model import Recorded
from honed.skills.model import Draft
from honed.store.sqlite import SqliteStore

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
TEXTS = ("learned", "revised")
_TITLE = "Mend the "


def text(name: str) -> Draft:
    """The text that has this name."""
    steps = (f"look at {name}",)
    return Draft("procedure", f"{_TITLE}{name}", f"{name} is off", steps=steps, fingerprint=name)


def moment(number: int) -> str:
    """A time; a greater number is later."""
    return f"2026-03-01T{number // 3600:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"


@dataclass
class Told:
    """One event as the model sees it."""

    kind: str
    skill: str
    at: int
    name: str = ""
    session: str = ""
    replaces: str = ""


def told_of(event: Recorded) -> Told:
    """An event that the store told by itself (an undo, a version again, one without a scrubbed text)."""
    at = int((datetime.fromisoformat(event.entry.at) - BEGIN).total_seconds())
    body = event.body or {}
    draft, session = body.get("draft"), body.get("session")
    name = str(draft["title"]).removeprefix(_TITLE) if isinstance(draft, dict) else ""
    replaced = str(body.get(REPLACES, ""))
    return Told(event.entry.kind, event.entry.subject, at, name, str(session or ""), replaced)


@dataclass
class Home:
    """One home: where it is, what it knows, and which texts its own key keeps away.

    ``kept_away`` are names by the event that keeps them away, ``scrubbed`` those that a skill had once.
    """

    path: str
    store: SqliteStore
    told: dict[str, Told]
    known: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    kept_away: dict[str, set[str]] = field(default_factory=dict)
    scrubbed: dict[str, set[str]] = field(default_factory=dict)
    copies: list[tuple[str, set[str], set[str]]] = field(default_factory=list)

    def of(self, skill: str, *kinds: str) -> list[Told]:
        """The events of these kinds that it knows of a skill, in order, as far as not erased.

        What was told again for one that is not known (an older backup was put back) says nothing.
        """
        found = [self.told[key] for key in self.known - self.erased if self.told[key].skill == skill]
        told = [one for one in found if one.kind in kinds and self.is_grounded(one)]
        return sorted(told, key=lambda one: one.at)

    def is_grounded(self, one: Told) -> bool:
        """Whether what an event replaces is known, and what that replaces."""
        return not one.replaces or (one.replaces in self.known and self.is_grounded(self.told[one.replaces]))

    def skills(self) -> dict[str, tuple[str, bool, bool, int, str]]:
        """Of each live skill: title, pinned, archived, confirmations, state."""
        found = {}
        for skill in {self.told[key].skill for key in self.known} - {""}:
            texts = self.of(skill, *TEXTS)
            if not texts or self.of(skill, "forgotten"):
                continue
            pins = self.of(skill, "pinned", "unpinned")
            shelf = self.of(skill, "archived", "restored")
            proofs = {told.session for told in self.of(skill, "evidence")}
            found[skill] = (
                text(self.name_of(skill)).title,
                bool(pins) and pins[-1].kind == "pinned",
                bool(shelf) and shelf[-1].kind == "archived",
                len(proofs),
                "proven" if len(proofs) >= 2 else "candidate",
            )
        return found

    def name_of(self, skill: str) -> str:
        """The name of the text that a skill has: beside an approved one others wait."""
        used, approved, kept = "", None, None
        for told in self.of(skill, *TEXTS, "approved", "unapproved"):
            names = [one.name for one in self.of(skill, *TEXTS) if one.at < told.at]
            if told.kind == "unapproved":
                approved = kept = None
            elif told.kind == "approved":
                approved, kept = told.name, None if told.name in names else used
                used = told.name if told.name in names else used
            elif used not in (approved, kept) or not used or told.name in (used, approved):
                used = told.name
        return used

    def is_kept(self, skill: str) -> bool:
        """Whether the text that a skill has stays in use whatever comes: it is, or was, approved."""
        decided = self.of(skill, "approved", "unapproved")
        return bool(decided) and decided[-1].kind == "approved"

    def names(self, skill: str) -> set[str]:
        """The names of all texts that a skill ever had here."""
        return {told.name for told in self.of(skill, *TEXTS)} - {MASK} | self.scrubbed.get(skill, set())

    def keeps_away(self, name: str) -> bool:
        """Whether a text must not come back."""
        return any(name in names for names in self.kept_away.values())

    def hear(self, skill: str) -> list[str]:
        """Take in what the store told of a skill by itself; the ids of those events."""
        new = []
        for event in self.store.skill_events(skill):
            if event.entry.id not in self.told:
                self.told[event.entry.id] = told_of(event)
            if event.entry.id not in self.known:
                new.append(event.entry.id)
            if event.entry.kind == "erased" and event.body is not None:
                named = event.body["ids"]
                assert isinstance(named, list)
                self.erased.update(named)
        self.known.update(new)
        return new
