"""Texts that somebody writes: kept, known already, or refused with the record in the way.

By the owner or an agent, through whatever door.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from honed.errors import DuplicateError, RefusedError, UsageError
from honed.ledger.canonical import canonical
from honed.ledger.drafts import draft_body
from honed.skills.duplicates import NEAR, similar
from honed.skills.model import Draft, Skill
from honed.store.base import Appended, Store

_DERIVED = ("origin", "fingerprint", "source_task", "fail_to_pass", "authority", "taint")
"""Fields of a draft that say where it comes from, and not what it says."""


def storable(draft: Draft) -> Draft:
    """``draft``, if a database can hold every text in it.  Raises ``UsageError``."""
    for name, value in draft_body(draft).items():
        # Canonical JSON escapes both; a text may also hold such an escape as it stands.
        if re.search(r"(?<!\\)(?:\\\\)*\\u(?:d[89a-f]|0000)", canonical(value)):
            raise UsageError(f"{name}: holds NUL or half a surrogate pair, which is no text")
    return draft


def refuse_near(
    store: Store, project: str, slug: str, draft: Draft, alike: Callable[[str], Iterable[str]]
) -> Appended | None:
    """Look for what says the same already: the record itself where it is known here, else ``None``.

    ``alike`` gives ids of skills that a text may be alike to.  Raises ``DuplicateError`` for a near
    duplicate, naming it.
    """
    same = store.by_fingerprint(project, draft.fingerprint)
    if same is not None:
        return Appended(same.id, "existed", same.id, slug=same.slug)
    scopes = store.scopes(project)
    # What says nearly the same is found by its own words; comparing with every skill would cost.
    text = "\n".join((draft.title, draft.trigger, *draft.steps, draft.body))
    for skill_id in alike(text):
        other = store.skill(skill_id)
        if other is None or other.project not in scopes or other.slug == slug:
            continue
        if similar(other.draft, draft) >= NEAR:
            raise DuplicateError(
                f"{slug}: nearly the same as {other.slug} ({other.draft.title!r}); "
                f"change that one (`honed edit {other.slug}`), or keep both with --force",
                other.slug,
            )
    return None


def explained(store: Store, slug: str, draft: Draft, outcome: Appended) -> Appended:
    """What stands in the way of a text that the store refused: itself, another one, or an erasure.

    Raises ``RefusedError`` and ``DuplicateError``; returns ``existed`` for the same text.
    """
    other = store.skill(outcome.collides_with) if outcome.collides_with else None
    if other is None or other.state == "deleted":
        was = f" (it was {other.slug or other.id})" if other else ""
        raise RefusedError(
            f"{slug}: {outcome.reason}{was}; it is not kept again unless its owner says so: "
            "the same command with --again, on a terminal"
        )
    if draft.fingerprint == other.draft.fingerprint:
        return Appended(other.id, "existed", other.id, slug=other.slug)
    state = ", and is archived" if other.archived else ""
    raise DuplicateError(
        f"{slug}: the slug holds another text ({other.draft.title!r}{state}); "
        f"its owner changes it by `honed edit {slug}`, or choose another slug",
        slug,
    )


def differences(skill: Skill, draft: Draft) -> tuple[str, ...]:
    """The fields in which ``draft`` is not what ``skill`` says: texts that are the same up to case, white
    space, counters and times have one fingerprint, and tags are no part of it."""
    mine, theirs = draft_body(_without_places(skill.draft)), draft_body(_without_places(draft))
    names = [name for name in {**mine, **theirs} if name not in _DERIVED]
    return tuple(name for name in names if mine.get(name) != theirs.get(name))


def _without_places(draft: Draft) -> Draft:
    """``draft`` without what honed found in its files."""
    return replace(draft, files=tuple(replace(ref, anchors=()) for ref in draft.files))


def known_already(skill: Skill, differing: tuple[str, ...], project: str) -> str:
    """That a text is known, as what, and what one may do; for people."""
    where = "" if skill.project or not project else ", which holds everywhere"
    told = [f"Known already as {skill.slug}{where}; nothing was written."]
    if differing:
        told.append(
            f"What is kept there differs in {', '.join(differing)}, and was left as it is; "
            f"`honed edit {skill.slug}` changes it; under another slug and with --force "
            "this text is kept too."
        )
    if skill.archived:
        told.append(f"It is archived, so nobody is given it: `honed restore {skill.slug}` brings it back.")
    elif skill.state == "withdrawn":
        told.append(
            "It was withdrawn when its proof was lost, so nobody is given it; "
            "under another slug and with --force this text is kept as your own."
        )
    elif skill.state == "suspended":
        told.append("It is suspended: its own check failed last, so nobody is given it before that passes.")
    return " ".join(told)
