"""Which text of a skill is in use, and which ones wait beside it.

Every text that a skill ever had stays in its history.  One is in use: the one that is searched, shown and
given.  A new one takes its place at once, but for three cases in which it waits:

- the text in use is approved: only the owner's approval brings another one into use;
- it is an agent's, and the record is not the agents' own: then it is a proposal, the owner's to take;
- a later session taught it and the text in use is proven: until it has proven itself, or the owner takes it.

Of one author the last one waits.  What the owner rejected does not wait again, whoever says it but the owner.
Pure: one pass over the events in the fold's order, so every replica finds the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from honed.ledger.drafts import content_hash, draft_of
from honed.ledger.model import TEXTS, Recorded
from honed.ledger.order import text_in
from honed.skills.model import Draft

Bound: TypeAlias = tuple[str, str]
"""What an approval is bound to: content hash and kind."""

BESIDE_APPROVED = "the text in use is approved"
PROPOSED = "an agent proposes it"
BESIDE_PROVEN = "a later session taught it, and the text in use is proven"
"""Why a text waits."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a skill: the event that brought it, its number among them (from 1), the draft and what an
    approval of it is bound to; ``why`` it waits, empty for one that does not."""

    event: Recorded
    number: int
    draft: Draft
    bound: Bound
    why: str = ""

    @property
    def id(self) -> str:
        """The id of the event that brought it."""
        return self.event.entry.id

    @property
    def actor(self) -> str:
        """Who brought it."""
        return self.event.entry.actor


@dataclass(frozen=True, slots=True)
class InUse:
    """The text in use, those that wait in their order, whether the one in use is approved (and the ``key``
    that signed it, if one did), the texts that were rejected, and the ids of the events whose texts are or
    were in use."""

    used: Text
    waiting: tuple[Text, ...]
    approved: bool
    rejected: frozenset[Bound]
    taken: frozenset[str]
    key: str = ""


@dataclass(slots=True)
class _Pass:
    source_task: str
    proven: Callable[[int, Text | None], bool]
    texts: list[Text] = field(default_factory=list)
    used: Text | None = None
    waiting: dict[str, Text] = field(default_factory=dict)
    approval: Bound | None = None
    key: str = ""
    kept: Bound | None = None
    """The text in use when one was approved that is not here (it was scrubbed): it stays in use likewise."""
    rejected: set[Bound] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    owned: bool = False
    """Whether the record is or was more than agents' own words."""

    def take(self, text: Text) -> None:
        self.used = replace(text, why="")
        self.taken.add(text.id)
        self.owned = self.owned or text.draft.origin != "agent"
        self.waiting = {
            actor: other
            for actor, other in self.waiting.items()
            if actor != text.actor and other.bound != text.bound
        }

    def why_it_waits(self, text: Text, used: Text, at: int) -> str:
        if used.bound in (self.approval, self.kept):
            return BESIDE_APPROVED
        if text.actor.startswith("agent:") and self.owned:
            return PROPOSED
        task = text_in(text.event.body, "task")
        later = text.actor == "honed" and bool(task) and task != self.source_task
        return BESIDE_PROVEN if later and self.proven(at, None) else ""

    def on_text(self, event: Recorded, at: int) -> None:
        draft = draft_of((event.body or {}).get("draft"))
        text = Text(event, len(self.texts) + 1, draft, (content_hash(draft), draft.kind))
        self.texts.append(text)
        used = self.used
        if used is None or text.bound in (used.bound, self.approval):
            self.take(text)
            return
        why = self.why_it_waits(text, used, at)
        if not why:
            self.take(text)
        elif text.bound not in self.rejected or text.actor == "owner":
            self.rejected.discard(text.bound)
            there = self.waiting.get(text.actor)
            if there is None or there.bound != text.bound:
                self.waiting.pop(text.actor, None)
                self.waiting[text.actor] = replace(text, why=why)

    def on_approved(self, event: Recorded) -> None:
        self.approval = (text_in(event.body, "hash"), text_in(event.body, "kind"))
        self.key = text_in(event.body, "key")
        self.owned = True
        found = [text for text in self.texts if text.bound == self.approval]
        before = self.used
        self.kept = before.bound if before is not None and not found else None
        if not found or (before is not None and before.bound == self.approval):
            return
        self.take(found[-1])
        if before is not None and before.number > found[-1].number and before.bound not in self.rejected:
            # It came after the owner looked, from a session that was before: they have not decided on it.
            self.waiting[before.actor] = replace(before, why=BESIDE_APPROVED)

    def on_unapproved(self, _: Recorded) -> None:
        self.approval = self.kept = None

    def on_rejected(self, event: Recorded) -> None:
        bound = (text_in(event.body, "hash"), text_in(event.body, "kind"))
        self.rejected.add(bound)
        self.waiting = {actor: text for actor, text in self.waiting.items() if text.bound != bound}

    def on_evidence(self, event: Recorded, at: int) -> None:
        named = text_in(event.body, "text")
        text = next((one for one in self.waiting.values() if one.id == named), None) if named else None
        if text is not None and text.why == BESIDE_PROVEN and self.proven(at, text):
            self.take(text)


_OWNERS: Mapping[str, Callable[[_Pass, Recorded], None]] = {
    "approved": _Pass.on_approved,
    "unapproved": _Pass.on_unapproved,
    "rejected": _Pass.on_rejected,
}
"""What nobody but the owner decides, whatever a ledger says."""


def in_use(
    ordered: Sequence[Recorded], source_task: str, proven: Callable[[int, Text | None], bool]
) -> InUse | None:
    """The text in use of a skill with these events, ``None`` where none of them has a text.

    ``ordered`` are its events in the fold's order, ``source_task`` the task that taught it.  ``proven(at,
    text)`` says whether the evidence up to the event at that place proves the skill, or one waiting text.
    """
    state = _Pass(source_task, proven)
    for at, event in enumerate(ordered):
        kind = event.entry.kind
        if kind in TEXTS and event.body is not None:
            state.on_text(event, at)
        elif kind in _OWNERS and event.entry.actor == "owner":
            _OWNERS[kind](state, event)
        elif kind == "evidence":
            state.on_evidence(event, at)
    if state.used is None:
        return None
    waiting = sorted(state.waiting.values(), key=lambda text: text.number)
    return InUse(
        state.used,
        tuple(waiting),
        state.approval == state.used.bound,
        frozenset(state.rejected),
        frozenset(state.taken),
        state.key,
    )
