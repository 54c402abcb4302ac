"""What the tests of recall are made of: a memory with some skills, and a reader of it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

from honed.ledger import events, ids
from honed.ledger.model import NewEvent
from honed.skills.model import Anchor, Draft, FileRef, Pitfall
from honed.store.place import Place
from honed.store.reading import Reader, open_readonly
from honed.store.sqlite import SqliteStore

SHOP = Place("/work/shop", "/work/shop")
FORGE = Place("/work/forge", "/work/forge")
SHOP_ID = "pr_aaaaaaaaaaaaaaaa"
"""The id of the shop where skills' ids must be the same in every memory."""
EARLY = "2026-03-01T10:00:00Z"
LATER = "2026-03-20T10:00:00Z"

CART = Draft(
    "procedure",
    "Round cart totals half up",
    "the cart total is off by a cent",
    steps=("In `src/shop/cart.py`: change `total` (use `round_half`)",),
    files=(
        FileRef("src/shop/cart.py", (Anchor("CartTotal.total"),)),
        FileRef("tests/test_cart.py", role="test"),
    ),
    check="uv run pytest tests/test_cart.py",
    pitfalls=(Pitfall("AssertionError: 2.67 != 2.68", "Edit `src/shop/money.py` first", "pytest"),),
    symbols=("CartTotal.total", "round_half"),
    fingerprint="cart",
    source_task="t1",
    fail_to_pass=True,
    authority="exit",
)


def titled(title: str, trigger: str = "", body: str = "", **fields: object) -> Draft:
    """A lesson with this title."""
    return Draft("lesson", title, trigger, body=body, fingerprint=f"{title}|{trigger}|{body}", **fields)  # type: ignore[arg-type]


def learned(draft: Draft, project: str, slug: str, session: str = "s0", at: str = EARLY) -> NewEvent:
    """A skill learned from a session."""
    occasion = events.Occasion("claude_code", session, draft.fingerprint, at)
    return events.learned(
        occasion, ids.skill_id(session, draft.fingerprint, draft.kind), project, slug, draft
    )


def passed(skill: str, session: str, at: str = LATER, authority: str = "exit", request: str = "") -> NewEvent:
    """A later session that applied the skill when asked for ``request``, and its check passed."""
    occasion = events.Occasion("claude_code", session, f"{skill}{at}", at)
    return events.evidence(
        occasion,
        skill,
        "test_passed",
        applied=True,
        authority=authority,  # type: ignore[arg-type]
        request=request,
    )


def failed(skill: str, session: str, at: str = LATER) -> NewEvent:
    """A later session that applied the skill, and its check failed."""
    occasion = events.Occasion("claude_code", session, f"{skill}{at}", at)
    return events.evidence(occasion, skill, "test_failed", applied=True, authority="exit")


def by_hand(kind: str, skill: str) -> NewEvent:
    """An act of the owner."""
    return events.by_hand(kind, skill, os.urandom(16))  # type: ignore[arg-type]


class Shelf:
    """A memory in a folder of its own; ``ids`` are those of the skills by slug."""

    def __init__(self, home: Path) -> None:
        self.home = str(home)
        self.ids: dict[str, str] = {}

    def keep(self, drafts: Mapping[str, Draft] | Iterable[Draft], place: Place = SHOP) -> None:
        """Learn drafts in the project of a place, by slug or numbered."""
        named = drafts if isinstance(drafts, Mapping) else {f"s{i}": draft for i, draft in enumerate(drafts)}
        with SqliteStore.open(self.home) as store:
            project = store.ensure_project(place, EARLY)
            new = [learned(draft, project, slug) for slug, draft in named.items()]
            for slug, outcome in zip(named, store.append(new, same_text=True), strict=True):
                assert outcome.status == "written", outcome
                self.ids[slug] = outcome.subject

    def keep_shuffled(self, taught: Iterable[tuple[str, Draft]], chance: random.Random) -> None:
        """Learn drafts, each of the session beside it, in an order of chance: in the shop, known as
        ``SHOP_ID``, or everywhere where their scope says so; by number."""
        new = [
            learned(draft, "" if draft.scope == "global" else SHOP_ID, f"s{n}", session)
            for n, (session, draft) in enumerate(taught)
        ]
        chance.shuffle(new)
        with SqliteStore.open(self.home) as store:
            store.append([events.project_seen(SHOP_ID, "shop", [("path", SHOP.root)], bytes(16), EARLY)])
            for event, outcome in zip(new, store.append(new, same_text=True), strict=True):
                assert outcome.status == "written", outcome
                self.ids[str(event.body["slug"])] = outcome.subject

    def note(self, *new: NewEvent) -> None:
        """Append further events."""
        with SqliteStore.open(self.home) as store:
            assert all(outcome.status == "written" for outcome in store.append(new))

    def reader(self) -> Reader:
        """A reader of it."""
        return open_readonly(self.home)
