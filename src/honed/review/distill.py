"""Giving learned skills clearer names by a model: which ones, within which bounds, and what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from honed.config import Config
from honed.ledger import events
from honed.review.asking import AskError, Model
from honed.review.distilling import ANSWER_TOKENS, REASON, Named, distilled, named, prompt_for
from honed.skills.model import Skill
from honed.skills.tokens import estimate
from honed.store.base import SkillFilter
from honed.store.calling import COUNTED, Bounds, Call
from honed.store.sqlite import SqliteStore

ACTOR = "model"
"""Who is written down for a text that a model named."""
AT_ONCE = 8
"""Skills that one call is about."""
LOOKED_AT = 200
"""Of the newest skills."""
GRACE = 30
"""Seconds after a call in which nothing in the background begins another: what the program that was asked may
have started itself (a client that runs honed's hooks) has come to its end by then."""
TRIES = 3
"""Calls in a row that may fail before nothing in the background asks again that day (UTC): a program that is
logged out, or a batch that it cannot answer, must not use up the day."""


@dataclass(frozen=True, slots=True)
class Distilled:
    """What came of it: ``calls`` made and their ``tokens``; the skills whose names ``changed``, by slug the
    new title; what was ``skipped``, a slug (or nothing, for the call as a whole) with the reason.
    ``prompt`` is what was or would be asked, of which skills (``asked``)."""

    calls: int = 0
    tokens: int = 0
    changed: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    asked: tuple[str, ...] = ()
    prompt: str = ""


def pending(store: SqliteStore) -> list[Skill]:
    """Learned procedures about which no model answered yet, the newest first; none that the owner approved,
    edited or put out of use."""
    states = ("candidate", "proven")
    found = store.skills(SkillFilter(kinds=("procedure",), states=states, limit=LOOKED_AT))
    own = [skill for skill in found if skill.draft.origin == "derived" and not skill.approved_hash]
    asked = set(store.asked_for([skill.id for skill in own]))
    return [skill for skill in own if skill.id not in asked and _is_plain(store, skill)]


def _is_plain(store: SqliteStore, skill: Skill) -> bool:
    """Whether its text is the one that its session taught: any other has a reason of its own."""
    texts = [event for event in store.skill_events(skill.id) if event.entry.kind in ("learned", "revised")]
    return bool(texts) and texts[-1].entry.actor == "honed" and not (texts[-1].body or {}).get("reason")


def distill(
    store: SqliteStore,
    config: Config,
    redactor: Callable[[str], str],
    *,
    entropy: Callable[[int], bytes],
    environ: Mapping[str, str] = os.environ,
    background: bool = False,
    dry_run: bool = False,
) -> Distilled:
    """Ask once about what is pending, within the day's bounds; ``dry_run`` only says what would be asked.

    ``background`` is the absorber's way: it waits a while after another call.  Raises what the store raises;
    a model that gives no answer is said in ``skipped``.
    """
    model = Model.of(config)
    if not model:
        return Distilled(skipped=(("", "no model is set: see `honed config list`, models.*"),))
    bounds = Bounds(
        int(config.number("models.calls")), int(config.number("models.tokens")), GRACE if background else 0
    )
    if background and (nested := store.refuse_nested(GRACE)):
        return Distilled(skipped=(("", f"refused: {nested.why}"),))
    if background and _fails(store.calls_today()):
        return Distilled(skipped=(("", f"put off until tomorrow: the last {TRIES} calls failed"),))
    skills = pending(store)[:AT_ONCE]
    if not skills:
        return Distilled()
    languages = config["models.languages"]
    prompt = prompt_for([skill.draft for skill in skills], languages if isinstance(languages, list) else ())
    slugs = tuple(skill.slug for skill in skills)
    likely = estimate(prompt) + ANSWER_TOKENS * len(skills)
    if dry_run:
        return Distilled(tokens=likely, asked=slugs, prompt=prompt)
    call = store.begin_call(bounds, likely)
    if call.state != "running":
        return Distilled(asked=slugs, prompt=prompt, skipped=(("", f"refused: {call.why}"),))
    spent, failure, answered = likely, "stopped before the answer came", list[str]()
    try:
        answer = model.ask(prompt, store.home, environ)
        answered = [skill.id for skill in skills]
        spent, names = answer.tokens, named(answer.text, len(skills), redactor)
        failure = "" if names else "the answer holds no names"
    except AskError as error:
        names, failure = {}, str(error)[:400]
    finally:
        store.end_call(call.n, tokens=spent, failure=failure, answered=answered)
    if failure:
        return Distilled(1, spent, (), (("", failure),), slugs, prompt)
    changed, skipped = _kept(store, skills, names, entropy)
    return Distilled(1, spent, tuple(changed), tuple(skipped), slugs, prompt)


def _fails(calls: Sequence[Call]) -> bool:
    """Whether the last ``TRIES`` calls that were made, the last one first, all failed."""
    last = [call.state for call in calls if call.state in COUNTED][:TRIES]
    return last == ["failed"] * TRIES


def _kept(
    store: SqliteStore, skills: Sequence[Skill], names: Mapping[int, Named], entropy: Callable[[int], bytes]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Keep the names that were given: the slugs with their new titles, and those of which nothing came."""
    changed, skipped = [], []
    for place, asked in enumerate(skills):
        given, skill = names.get(place), store.skill(asked.id)
        if given is None:
            skipped.append((asked.slug, "the answer names nothing that could be taken for it"))
        elif skill is None or skill.version != asked.version or skill.approved_hash or skill.archived:
            skipped.append((asked.slug, "it changed meanwhile"))
        else:
            draft = distilled(skill.draft, given)
            event = events.revised(skill.id, draft, entropy(16), reason=REASON, actor=ACTOR)
            store.append([event])
            changed.append((skill.slug, draft.title))
    return changed, skipped
