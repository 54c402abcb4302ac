"""Tools that look at one skill or keep one.  Thin over ``Memory.caller``.

Memory is opened for each call and let go after it, so that a server that idles holds no lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from honed.caller import Author, Caller, Revised
from honed.errors import DuplicateError, NotFoundError, RefusedError, UsageError
from honed.mcp.answers import Call, nothing_yet
from honed.memory import Memory
from honed.recall.hits import grade
from honed.recall.note import framed
from honed.recall.safe import one_line, quoted
from honed.skills.manual import draft_from_manual
from honed.skills.model import Draft, Skill
from honed.skills.render import markdown
from honed.store.base import Appended, SkillFilter

if TYPE_CHECKING:
    from honed.mcp.answers import Answer

_UNUSED = ("archived", "withdrawn", "suspended")
"""States of a skill that is in no note."""
PAGE = 16_000
"""Characters of a text that one call gives."""


def _caller(call: Call, memory: Memory) -> Caller:
    return memory.caller(Author(call.client, call.session), call.cwd)


def _safe(lines: Iterable[str]) -> list[str]:
    """Lines in which nothing marks up; their indentation stays, it means something in code."""
    return [line[: len(line) - len(line.lstrip(" \t"))] + one_line(line) for line in lines]


def _list(call: Call) -> Answer:
    limit, kind = call.given.get("limit", 50), call.given.get("kind")
    which = SkillFilter(kinds=(kind,) if kind else (), limit=limit)
    try:
        with Memory.open(call.home, readonly=True) as memory:
            skills = _caller(call, memory).skills(which)
    except NotFoundError:  # no memory yet: one that was lost is unavailable
        return nothing_yet(call)
    lines = [
        f"- {one_line(skill.slug)} [{skill.draft.kind}, {skill.state}, {_grade(skill)}"
        f"{', pinned' if skill.pinned else ''}] {quoted(skill.draft.title)}"
        for skill in skills
    ]
    return {"text": framed(lines, "", "data") if lines else "No such skills here.", "found": len(lines)}


def _grade(skill: Skill) -> str:
    return grade(bool(skill.approved_hash), skill.draft.origin == "derived" and not skill.draft.taint)


def _get(call: Call) -> Answer:
    start = call.given.get("offset", 0)
    with Memory.open(call.home, readonly=True) as memory:
        skill = _caller(call, memory).find(call.given["slug"])
    whole = markdown(skill)
    part = whole[start : start + PAGE]
    # A whole text holds free-form words whatever taught it, so what is not approved is data here.
    text = framed(_safe(part.splitlines()), skill.id, "guidance" if skill.approved_hash else "data")
    if start or len(whole) > len(part):
        end = start + len(part)
        more = f"; the next by offset {end}" if end < len(whole) else ""
        text += f"\nCharacters {start} to {end} of {len(whole)}{more}."
    return {
        "text": text,
        "slug": skill.slug,
        "id": skill.id,
        "kind": skill.draft.kind,
        "state": "archived" if skill.archived else skill.state,
        "origin": skill.draft.origin,
        "grade": _grade(skill),
        "updated_at": skill.updated_at,
        "pinned": skill.pinned,
        "confirmed": skill.confirmed,
        "failed": skill.failed,
    }


def _learn(call: Call) -> Answer:
    given = call.given
    draft = draft_from_manual(
        "procedure",
        given["title"],
        trigger=given["trigger"],
        steps=_some(given["steps"]),
        outcome=given.get("outcome", ""),
        lessons=_filled(given.get("lessons", ())),
        check=given.get("check", ""),
        files=given.get("files", ()),
        tags=_filled(given.get("tags", ())),
        origin="agent",
    )
    return _keep(call, draft)


def _write(call: Call) -> Answer:
    given = call.given
    draft = draft_from_manual(
        given.get("kind", "lesson"),
        given["title"],
        trigger=given.get("trigger", ""),
        body=given["body"],
        tags=_filled(given.get("tags", ())),
        origin="agent",
    )
    return _keep(call, draft)


def _some(steps: Iterable[str]) -> list[str]:
    """Steps that say something; lessons alone are no procedure, whatever body they make."""
    found = _filled(steps)
    if not found:
        raise UsageError("steps: empty; say what to do")
    return found


def _filled(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text.strip()]


def _keep(call: Call, draft: Draft) -> Answer:
    if draft.kind != "procedure" and not draft.body:
        raise UsageError("body: empty; say it in a few words")
    with Memory.open(call.home) as memory:
        caller, slug = _caller(call, memory), call.given["slug"]
        try:
            return _kept(caller, caller.write(slug, draft, force=call.given.get("force", False)))
        except DuplicateError as duplicate:
            there = caller.find(slug) if duplicate.slug == slug else None
            if there is None or there.draft.origin == "agent":
                raise
            revised = caller.revise(there, draft, "written under its slug")
            return _told_again(there, revised, _REVISED[revised].format(slug=slug))


def _told_again(skill: Skill, revised: Revised, text: str) -> Answer:
    """The answer to a text written under the slug of a skill that is there."""
    return {
        "slug": skill.slug,
        "id": skill.id,
        "existed": True,
        "proposed": revised == "proposed",
        "scope": "project" if skill.project else "global",
        "text": text,
    }


def _kept(caller: Caller, outcome: Appended) -> Answer:
    skill = caller.find(outcome.subject)
    scope = "project" if skill.project else "global"
    existed = outcome.status == "existed"
    where = "" if scope == "project" else " It holds everywhere: this folder is no project."
    state = "archived" if skill.archived else skill.state
    unused = f" It is {state}, so nobody is given it." if state in _UNUSED else ""
    text = (
        f"Known already as {outcome.slug}; nothing was written.{unused}"
        if existed
        else f"Kept {outcome.slug} as an agent's text: others are given it as data, not as guidance.{where}"
    )
    return {
        "slug": outcome.slug,
        "id": outcome.subject,
        "existed": existed,
        "proposed": False,
        "scope": scope,
        "text": text,
    }


def _update(call: Call) -> Answer:
    given = call.given
    with Memory.open(call.home) as memory:
        caller = _caller(call, memory)
        skill = caller.find(given["slug"])
        revised = caller.revise(skill, _changed(skill.draft, given), given["reason"])
    return {
        "slug": skill.slug,
        "changed": revised == "changed",
        "proposed": revised == "proposed",
        "text": _REVISED[revised].format(slug=skill.slug),
    }


_REVISED = {
    "same": "{slug} says that already; nothing was changed.",
    "changed": "Changed {slug}.",
    "proposed": "Kept as a proposal beside {slug}, which stays as it is until its owner takes it.",
    "rejected": "{slug} stays as it is: its owner rejected this text before.",
}


def _changed(draft: Draft, given: Mapping[str, Any]) -> Draft:
    """``draft`` with the fields that were given."""
    changed = draft_from_manual(
        draft.kind,
        given.get("title", draft.title),
        trigger=given.get("trigger", draft.trigger),
        steps=_filled(given.get("steps", draft.steps)),
        outcome=given.get("outcome", draft.outcome),
        check=given.get("check", draft.check),
        files=given.get("files", [ref.path for ref in draft.files]),
        tags=_filled(given.get("tags", draft.tags)),
        body=given.get("body", draft.body),
        scope=draft.scope,
        agent=draft.agent,
        ttl_days=draft.ttl_days,
        origin="agent",
    )
    known = {ref.path: ref for ref in draft.files}
    return replace(changed, files=tuple(known.get(ref.path, ref) for ref in changed.files))


def _checkpoint(call: Call) -> Answer:
    draft = draft_from_manual("recap", call.given["title"], body=call.given["summary"], origin="agent")
    if not draft.body:
        raise UsageError("summary: empty; say it in a few words")
    with Memory.open(call.home) as memory:
        caller = _caller(call, memory)
        slug = f"recap-{call.session}"
        try:
            earlier = caller.find(slug)
        except NotFoundError:
            return _kept(caller, caller.write(slug, draft, force=True))
        revised = caller.revise(earlier, draft, "a later recap of the session")
        text = f"{slug} says that now." if revised == "changed" else _REVISED[revised].format(slug=slug)
        return _told_again(earlier, revised, text)


def _reinforce(call: Call) -> Answer:
    with Memory.open(call.home) as memory:
        caller = _caller(call, memory)
        skill = caller.find(call.given["slug"])
        helped, note = call.given.get("helped", True), call.given.get("note", "")
        mute = call.given.get("mute", False)
        if mute:
            news = caller.mute(skill, note)
        else:
            news = caller.report(skill, helped=helped, note=note)
        muted = bool(caller.find(skill.id).muted)
    text = (
        _muted(skill, muted=muted, news=news)
        if mute
        else (
            f"Noted for {skill.slug}. Its strength stays as it is: only test runs and the owner move it."
            if news
            else f"You said so of {skill.slug} already; nothing was changed."
        )
    )
    return {
        "slug": skill.slug,
        "evidence": "self_report",
        "counted": False,
        "existed": not news,
        "muted": muted,
        "text": text,
    }


def _muted(skill: Skill, *, muted: bool, news: bool) -> str:
    if not muted:
        return f"The owner gave {skill.slug} again after you muted it; it stays so. Ask them."
    return f"{skill.slug} is given here no more until the owner looks{'' if news else ', as before'}."


def _pin(call: Call) -> Answer:
    wanted = call.given.get("pinned", True)
    with Memory.open(call.home, readonly=True) as memory:
        skill = _caller(call, memory).find(call.given["slug"])
    if skill.pinned != wanted:
        command = f"honed {'pin' if wanted else 'unpin'} {skill.slug}"
        raise RefusedError(f"pins are the owner's, nothing was changed. Ask them to run: {command}")
    text = f"{skill.slug} is {'pinned' if wanted else 'not pinned'} already."
    return {"slug": skill.slug, "pinned": skill.pinned, "text": text}


ANSWERS: Mapping[str, Callable[[Call], Answer]] = {
    "memory_get": _get,
    "memory_list": _list,
    "memory_learn": _learn,
    "memory_write": _write,
    "memory_update": _update,
    "memory_reinforce": _reinforce,
    "memory_pin": _pin,
    "memory_checkpoint": _checkpoint,
}
