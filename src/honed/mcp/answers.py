"""What each tool does: a call in, the fields of its answer out.  Thin over ``Memory.caller`` and ``asking``.

Every text that nobody approved stands in the frame that a note has, with nothing in it that could leave
the frame.  Memory is opened for each call and let go after it, so that a server that idles holds no lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from honed import asking
from honed.caller import Author, Caller
from honed.errors import (
    DuplicateError,
    FaultError,
    HonedError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UsageError,
)
from honed.memory import Memory
from honed.recall.note import framed, how_sure
from honed.recall.recall import Recalled
from honed.recall.safe import one_line, quoted
from honed.skills.manual import draft_from_manual
from honed.skills.model import Draft, Skill
from honed.skills.render import markdown
from honed.store.base import Appended, SkillFilter
from honed.store.files import HEAD

PAGE = 16_000
"""Characters of a text that one call gives."""
NOTHING = "Nothing fits well enough to be said. Go on without it."

Answer = dict[str, object]


@dataclass(frozen=True, slots=True)
class Call:
    """A call: where memory is, where the agent stands, who it is, and the arguments it gave."""

    home: str
    cwd: str
    author: Author
    given: Mapping[str, Any]

    def opened(self, *, readonly: bool = False) -> Memory:
        """The memory, for this call."""
        return Memory.open(self.home, readonly=readonly)

    def caller(self, memory: Memory) -> Caller:
        """The agent in it."""
        return memory.caller(self.author, self.cwd)


def told(name: str, call: Call) -> tuple[Answer, bool]:
    """The answer of tool ``name``, and whether it is an error; never raises."""
    try:
        return _ANSWERS[name](call), False
    except DuplicateError as error:
        return {"text": _duplicate(error)}, True
    except HonedError as error:
        return {"text": f"{_word(error)}: {one_line(str(error))}"}, True
    except Exception as error:  # whatever it is, the connection lives on
        return {"text": f"Failed: {FaultError.of(error)}"}, True


def _word(error: HonedError) -> str:
    words = (
        (UnavailableError, "Memory is unavailable (this does not mean that nothing is known)"),
        (RefusedError, "Refused"),
        (NotFoundError, "Not found"),
        (UsageError, "Wrong call"),
    )
    return next((word for kind, word in words if isinstance(error, kind)), "Failed")


def _duplicate(error: DuplicateError) -> str:
    """What the memory says of a duplicate quotes the other's title, which is no text to be given so."""
    return (
        f"Refused: it says nearly the same as the skill {one_line(error.slug)}, or that slug holds another "
        "text. Read it by memory_get; change it by memory_update if an agent wrote it; or give another slug, "
        "and force to keep both."
    )


def _safe(lines: Iterable[str]) -> list[str]:
    """Lines in which nothing marks up; their indentation stays, it means something in code."""
    return [line[: len(line) - len(line.lstrip(" \t"))] + one_line(line) for line in lines]


def _names(count: int) -> str:
    return "one skill" if count == 1 else f"{count} skills"


# Finding


def _found(call: Call, find: Callable[[], Recalled]) -> Recalled | None:
    """What ``find`` gives; ``None`` where nothing was ever kept.

    A memory that was lost is no new one: raises ``UnavailableError``.
    """
    try:
        return find()
    except NotFoundError as error:
        if os.path.lexists(os.path.join(call.home, HEAD)):
            raise UnavailableError(
                f"the database of {call.home} is gone; `honed doctor` says more"
            ) from error
        return None


def _empty(call: Call) -> Answer:
    return {"text": f"Nothing was ever kept at {one_line(call.home)}: memory is new.", "found": 0}


def _recall(call: Call) -> Answer:
    query, limit = call.given["query"], call.given.get("limit", 5)
    found = _found(call, lambda: asking.recall(call.home, query, cwd=call.cwd, limit=limit))
    if found is None:
        return _empty(call)
    text = found.note or NOTHING
    if found.withheld:
        reasons = "; ".join(dict.fromkeys(reason for _, reason in found.withheld))
        text += (
            f"\n{_names(len(found.withheld))} more would fit and {_be(found.withheld)} not given: {reasons}."
        )
    return {"text": text, "found": len(found.hits)}


def _be(several: tuple[object, ...]) -> str:
    return "is" if len(several) == 1 else "are"


def _search(call: Call) -> Answer:
    query, limit = call.given["query"], call.given.get("limit", 10)
    recaps = call.given.get("recaps", False)
    found = _found(call, lambda: asking.search(call.home, query, cwd=call.cwd, limit=limit, recaps=recaps))
    if found is None:
        return _empty(call)
    lines = [
        f"- {one_line(hit.slug)} [{hit.kind}, {hit.state}, {hit.grade}] {quoted(hit.title)} "
        f"({hit.score:.2f}{', weak' if hit.weak else ''}; {how_sure(hit.facts, {})})"
        for hit in found.hits
    ]
    text = framed(lines, "", "data") if lines else "Nothing in memory matches."
    return {"text": text, "found": len(lines)}


def _list(call: Call) -> Answer:
    limit, kind = call.given.get("limit", 50), call.given.get("kind")
    which = SkillFilter(kinds=(kind,) if kind else (), limit=limit)
    try:
        with call.opened(readonly=True) as memory:
            skills = call.caller(memory).skills(which)
    except NotFoundError:  # no memory yet: one that was lost is unavailable
        return _empty(call)
    lines = [
        f"- {one_line(skill.slug)} [{skill.draft.kind}, {skill.state}, {_grade(skill)}"
        f"{', pinned' if skill.pinned else ''}] {quoted(skill.draft.title)}"
        for skill in skills
    ]
    return {"text": framed(lines, "", "data") if lines else "No such skills here.", "found": len(lines)}


def _grade(skill: Skill) -> str:
    """As ``recall.note.grade_of``, of a whole skill."""
    if skill.approved_hash:
        return "guidance"
    return "reference" if skill.draft.origin == "derived" else "data"


def _get(call: Call) -> Answer:
    start = call.given.get("offset", 0)
    with call.opened(readonly=True) as memory:
        skill = call.caller(memory).find(call.given["slug"])
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


# Keeping


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
    with call.opened() as memory:
        caller = call.caller(memory)
        return _kept(caller, caller.write(call.given["slug"], draft, force=call.given.get("force", False)))


def _kept(caller: Caller, outcome: Appended) -> Answer:
    scope = "project" if caller.find(outcome.subject).project else "global"
    existed = outcome.status == "existed"
    where = "" if scope == "project" else " It holds everywhere: this folder is no project."
    text = (
        f"Known already as {outcome.slug}; nothing was written."
        if existed
        else f"Kept {outcome.slug} as an agent's text: others are given it as data, not as guidance.{where}"
    )
    return {"slug": outcome.slug, "id": outcome.subject, "existed": existed, "scope": scope, "text": text}


def _update(call: Call) -> Answer:
    given = call.given
    with call.opened() as memory:
        caller = call.caller(memory)
        skill = caller.find(given["slug"])
        changed = caller.revise(skill, _changed(skill.draft, given), given["reason"])
    text = f"Changed {skill.slug}." if changed else f"{skill.slug} says that already; nothing was changed."
    return {"slug": skill.slug, "changed": changed, "text": text}


def _changed(draft: Draft, given: Mapping[str, Any]) -> Draft:
    """``draft`` with the fields that were given."""
    return draft_from_manual(
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


def _checkpoint(call: Call) -> Answer:
    draft = draft_from_manual("recap", call.given["title"], body=call.given["summary"], origin="agent")
    if not draft.body:
        raise UsageError("summary: empty; say it in a few words")
    with call.opened() as memory:
        caller = call.caller(memory)
        slug = f"recap-{call.author.session}"
        try:
            earlier = caller.find(slug)
        except NotFoundError:
            return _kept(caller, caller.write(slug, draft, force=True))
        changed = caller.revise(earlier, draft, "a later recap of the session")
        text = f"{slug} says that now." if changed else f"{slug} says that already; nothing was changed."
        scope = "project" if earlier.project else "global"
        return {"slug": slug, "id": earlier.id, "existed": True, "scope": scope, "text": text}


# Saying


def _reinforce(call: Call) -> Answer:
    with call.opened() as memory:
        caller = call.caller(memory)
        skill = caller.find(call.given["slug"])
        helped, note = call.given.get("helped", True), call.given.get("note", "")
        news = caller.report(skill, helped=helped, note=note)
    text = (
        f"Noted for {skill.slug}. Its strength stays as it is: only test runs and the owner move it."
        if news
        else f"You said so of {skill.slug} already; nothing was changed."
    )
    return {
        "slug": skill.slug,
        "evidence": "self_report",
        "counted": False,
        "existed": not news,
        "text": text,
    }


def _pin(call: Call) -> Answer:
    wanted = call.given.get("pinned", True)
    with call.opened(readonly=True) as memory:
        skill = call.caller(memory).find(call.given["slug"])
    if skill.pinned != wanted:
        command = f"honed {'pin' if wanted else 'unpin'} {skill.slug}"
        raise RefusedError(f"pins are the owner's, nothing was changed. Ask them to run: {command}")
    text = f"{skill.slug} is {'pinned' if wanted else 'not pinned'} already."
    return {"slug": skill.slug, "pinned": skill.pinned, "text": text}


_ANSWERS: Mapping[str, Callable[[Call], Answer]] = {
    "memory_recall": _recall,
    "memory_search": _search,
    "memory_get": _get,
    "memory_list": _list,
    "memory_learn": _learn,
    "memory_write": _write,
    "memory_update": _update,
    "memory_reinforce": _reinforce,
    "memory_pin": _pin,
    "memory_checkpoint": _checkpoint,
}
