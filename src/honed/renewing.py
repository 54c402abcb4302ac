"""Skills whose check is gone take over the one that a later session was verified by.

A check by a name (a script of ``package.json``, a target of a Makefile) is gone when the name is.  A verified
task that changed the same files by another check shows what took its place: the skill gets a new version with
it, which is what its text was otherwise.  Beside an approved text it waits for the owner, beside a proven one
until it has proven itself (see ``ledger.in_use``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.fold import fold_skill
from honed.ledger.model import NewEvent, Recorded
from honed.recall.fresh import text_of
from honed.skills.lost_checks import lost_check
from honed.skills.model import Draft, Skill
from honed.store.base import Store
from honed.store.place import Place

RENEWED = "its check is gone, and a later session was verified by this one"
"""The reason in the ledger, by which such a version is known again."""
MOST_FILES, MOST_SKILLS = 8, 16
"""Files of a task that are looked at, and procedures of each."""


def renewed(
    store: Store, place: Place, project: str, drafts: Sequence[Draft], occasion: events.Occasion, task: str
) -> Iterator[NewEvent]:
    """New versions of other tasks' skills that ``drafts``, what the verified ``task`` teaches, make due."""
    shown = next((draft for draft in drafts if draft.kind == "procedure" and draft.check), None)
    if shown is None or not place.root or not place.present or _is_lost(shown.check, place.root):
        return
    seen = set[str]()
    for file in shown.files[:MOST_FILES]:
        for skill in store.about_file(project, file.path, MOST_SKILLS, kinds=("procedure",)):
            if skill.id not in seen and _is_due(skill, shown.check, place.root):
                taint = skill.draft.taint or shown.taint
                draft = replace(skill.draft, check=shown.check, outcome=shown.outcome, taint=taint)
                if not _is_decided(store, skill, draft):
                    yield events.revised_by_session(occasion, skill.id, draft, RENEWED, task)
            seen.add(skill.id)


def is_renewed(text: Recorded | None) -> bool:
    """Whether the event ``text`` brought a text that took over another check."""
    return text is not None and (text.body or {}).get("reason") == RENEWED


def _is_due(skill: Skill, check: str, root: str) -> bool:
    known = skill.draft.check
    return known not in ("", check) and _is_lost(known, root)


def _is_decided(store: Store, skill: Skill, draft: Draft) -> bool:
    """Whether such a text waits already, or was rejected by the owner."""
    row = fold_skill(store.skill_events(skill.id))
    bound = content_hash(draft), draft.kind
    if row is None:
        return True
    return bound in row.rejected or bound in [(text.content_hash, text.draft.kind) for text in row.waiting]


def _is_lost(check: str, root: str) -> bool:
    """Whether the name by which a check goes is gone.  A test file that is gone has no such successor."""
    return bool(lost_check(check, lambda path: text_of(os.path.join(root, path)), lambda _: True))
