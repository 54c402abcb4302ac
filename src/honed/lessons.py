"""What a judged task comes to in memory: its verdict, what it teaches, what it confirms, what it takes back.

Every event here is of what happened in a client's session, so taking a task twice changes nothing
(docs/decisions/0001-ledger.md, event ids).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from honed.errors import FaultError
from honed.given import brought_back, evidence_in, given_to, uses, work_at_places
from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.fold import LOST, fold_skill
from honed.ledger.model import TEXTS, NewEvent, Recorded
from honed.ledger.weights import PLACE_WORKED
from honed.renewing import is_renewed, renewed
from honed.skills.compile import Compiled, compile_task
from honed.skills.model import Draft, Skill
from honed.skills.outside import Outside, taint_of, told
from honed.skills.recurring import recurring
from honed.skills.redact import Redactor
from honed.skills.uses import use_of
from honed.store.base import Appended, Store
from honed.store.place import Place, locate
from honed.verdict.model import Task
from honed.when import when

TAUGHT = ("procedure", "lesson", "recipe")
"""The kinds that compiling a task gives; the skills of one kind are numbered within the task."""
SINGLE = ("procedure", "lesson")
"""Those of which a task gives at most one."""
SLUG_LENGTH = 48
"""Characters of the slug of what is learned, where a word ends; by hand it may be longer."""
NO_LONGER = "reading its task again no longer teaches it"
WORK_AT_ONCE = 8
"""Pieces of work on the files of skills that are kept in one transaction."""
NUMBERS = 6
"""So many numbers of a kind are looked at at least; one in the middle may belong to nobody (its text was
known from another task)."""


class Lessons:
    """Puts judged tasks into a store.  ``rules`` is the version of readers, judge and compiler."""

    def __init__(self, store: Store, redactor: Redactor, rules: str) -> None:
        self._store = store
        self._redactor = redactor
        self._rules = rules
        self._places: dict[tuple[str, str], Place] = {}
        self._projects: dict[str, str] = {}

    def taint(self, task: Task) -> str:
        """What the agent read in ``task`` that is not its owner's own text (``skills.outside``): by its own
        steps, or in notes of honed's that nobody approved and that others wrote, or that are tainted."""
        own = taint_of(task)
        if own:
            return own
        for skill_id in task.notes_given:
            skill = self._store.skill(skill_id)
            if skill is not None and not skill.approved_hash:
                if skill.draft.taint or skill.draft.origin in ("agent", "imported"):
                    return told(Outside("skill" if skill.draft.taint else "note", task.id, skill.slug))
        return ""

    def take(
        self, task: Task, *, earlier: Sequence[str], resumed: bool, again: bool, taint: str
    ) -> Counter[str]:
        """Record a task; returns how many skills were ``learned``, ``confirmed``, ``revised``, ``withdrawn``,
        and whether the task was ``known`` already.

        ``earlier`` are the session's requests before it.  ``resumed`` says that reading began inside the
        session, so less is known of what was said before; ``again`` that other rules read it the last
        time, so that what is known of it is compared anew.  ``taint`` is what the session has read from
        outside up to its end.
        """
        verdict = task.verdict.kind
        known = self._store.task(task.id)
        seen_to = max((step.finished for step in task.steps), default=0)
        if known is not None and known.seen_to >= seen_to:
            # A copy that saw less says nothing; nor does one that saw the same by the same rules.
            if known.seen_to > seen_to or (known.verdict == verdict and not again):
                return Counter(known=1)
        place = self._place(task)
        project = self._project(place, when(task))
        batch = [self._judgement(task, project, seen_to)]
        noted = given_to(task, self._store, place.root or task.session.cwd, self._redactor)
        back = brought_back(task, self._store, project, place.root or task.session.cwd) if project else ()
        given = list(evidence_in(task, [*noted, *back], self._asked(task, earlier) if noted else ""))
        proven = {event.subject for event in given}
        if verdict == "verified" and project:
            taught, twins = self._taught(
                task, place, project, earlier=earlier, resumed=resumed, taint=self._redactor(taint)
            )
            batch += taught
            if known is not None:
                batch += self._evidence_taken_back(task, twins | proven, NO_LONGER)
        elif known is not None and known.verdict == "verified":
            batch += self._taken_back(task, self._own(task, Counter()), task.verdict.reason)
            batch += self._evidence_taken_back(task, proven, task.verdict.reason)
        batch += given
        states = {event.subject: self._state(event.subject) for event in batch[1:]}
        results = self._store.append(batch)
        if noted:
            self._store.save_uses(uses(task, noted, when(task) or self._store.now()))
        counts = self._counted(batch, results, states)
        if verdict == "verified" and project:
            besides = {event.subject for event in batch}
            self._keep_work(
                work_at_places(task, self._store, project, place.root or task.session.cwd, besides)
            )
        # Where nothing was known a moment ago and the judgement is there now, somebody else kept it.
        counts["meanwhile"] += known is None and results[0].status == "existed"
        counts["known"] += known is not None or counts["meanwhile"]
        return counts

    def _keep_work(self, work: Iterable[NewEvent]) -> None:
        """Few at a time: each is folded with all that is known of its skill, and others wait for the lock."""
        waiting = list(work)
        for start in range(0, len(waiting), WORK_AT_ONCE):
            self._store.append(waiting[start : start + WORK_AT_ONCE])

    def _judgement(self, task: Task, project: str, seen_to: int) -> NewEvent:
        verdict = task.verdict
        return events.judged(
            _occasion(task, f"{_last_step(task)}:{verdict.kind}"),
            task.id,
            project,
            verdict.kind,
            self._redactor(verdict.reason),
            seen_to=seen_to,
            authority=verdict.authority,
            step=verdict.step_id or "",
            check=self._redactor(verdict.check or ""),
        )

    # -- what it teaches ---------------------------------------------------------------------------

    def _taught(
        self,
        task: Task,
        place: Place,
        project: str,
        *,
        earlier: Sequence[str],
        resumed: bool,
        taint: str,
    ) -> tuple[list[NewEvent], set[str]]:
        """What a verified task adds, and the ids of other tasks' skills that it says the same as."""
        try:
            root = place.root or task.session.cwd
            compiled = compile_task(task, root=root, redactor=self._redactor, earlier=earlier)
        except Exception as error:
            raise FaultError.of(error) from error
        taught = [*compiled.drafts, *self._come_again(task, project, compiled)]
        drafts = [replace(draft, taint=taint) for draft in taught]
        own = self._own(task, Counter(draft.kind for draft in drafts))
        mine = _paired(drafts, own)
        numbers: Counter[str] = Counter()
        new: list[NewEvent] = []
        twins: set[str] = set()
        for draft, skill_id in zip(drafts, mine, strict=True):
            number = numbers[draft.kind]
            numbers[draft.kind] += 1
            if skill_id:
                new += self._bettered(task, own[skill_id], draft, resumed=resumed)
                continue
            twin = self._store.by_fingerprint(project, draft.fingerprint) if draft.fingerprint else None
            if twin is not None:
                twins.add(twin.id)
                new += self._confirmed(task, twin, earlier)
            elif free := self._free_id(task, draft, number, own):
                slug = _slug_of(draft.title)
                new.append(events.learned(_occasion(task, _first_record(task)), free, project, slug, draft))
        occasion = _occasion(task, f"{task.id}:{_last_step(task)}:renewed")
        new += renewed(self._store, place, project, drafts, occasion, task.id)
        left = {key: skill for key, skill in own.items() if key not in mine}
        new += self._taken_back(task, left, NO_LONGER)
        return new, twins

    def _come_again(self, task: Task, project: str, compiled: Compiled) -> list[Draft]:
        """Recipes for errors that other sessions of the project met too, and got rid of alike."""
        known = [one for draft in compiled.drafts if draft.kind == "recipe" for one in draft.pitfalls]
        told = {part for one in known for part in (one.signature, one.resolution)}
        fresh = [one for one in compiled.seen if not told & {one.signature, one.remedy}]
        if not fresh:
            return []
        self._store.save_sightings(project, task.id, task.session.id, fresh)
        before = self._store.seen_before(project, [one.signature for one in fresh], task.id)
        return recurring(fresh, before, session=task.session.id, task=task.id)

    def _confirmed(self, task: Task, twin: Skill, earlier: Sequence[str]) -> Iterator[NewEvent]:
        """Evidence for a skill that says the same; once for each time that the task has proof."""
        rows = [
            row for row in self._store.evidence(twin.id) if row.task == task.id and row.kind != PLACE_WORKED
        ]
        if all(row.why == LOST for row in rows):
            record = f"{task.id}:{_last_step(task)}" if rows else task.id
            yield events.evidence(
                _occasion(task, record),
                twin.id,
                "test_passed",
                task=task.id,
                applied=True,
                authority=task.verdict.authority,
                request=self._asked(task, earlier),
            )

    def _asked(self, task: Task, earlier: Sequence[str]) -> str:
        """What a person asked for in this task, redacted; empty where nobody did."""
        if task.session.kind not in ("main", "team"):
            return ""
        return self._redactor(use_of([request.text for request in task.requests], earlier))

    def _evidence_taken_back(self, task: Task, kept: set[str], reason: str) -> Iterator[NewEvent]:
        """What this task confirmed of other tasks' skills, but for those in ``kept``, counts no more."""
        occasion = _occasion(task, f"{_last_step(task)}:{task.verdict.kind}:{self._rules}")
        rows = self._store.evidence_of_task(task.id)
        # That work went on at a place stays true.
        told = [row.skill for row in rows if row.why != LOST and row.kind != PLACE_WORKED]
        for skill in dict.fromkeys(skill for skill in told if skill not in kept):
            yield events.withdrawn(occasion, skill, task.id, self._redactor(reason))

    def _bettered(self, task: Task, own: Skill, draft: Draft, *, resumed: bool) -> Iterator[NewEvent]:
        """A better text of a skill that this task taught before, unless the owner has touched it."""
        if own.state == "deleted" or self._is_owners(own) or is_renewed(self._last_text(own)):
            return
        if _named_by_model(self._store.skill_events(own.id)):
            draft = replace(
                draft, title=own.draft.title, trigger=own.draft.trigger, aliases=own.draft.aliases
            )
        elif resumed and own.state != "withdrawn":
            # Less of what was said before is known now, so its title is no better.
            draft = replace(draft, title=own.draft.title, trigger=own.draft.trigger)
        same = own.content_hash == content_hash(draft) and own.draft.taint == draft.taint
        if own.state == "withdrawn" or not same:
            occasion = _occasion(task, f"{_last_step(task)}:{self._rules}")
            yield events.revised_by_session(occasion, own.id, draft, task=task.id)

    def _taken_back(self, task: Task, own: dict[str, Skill], reason: str) -> Iterator[NewEvent]:
        """What this task taught has lost its proof: later steps of it, or better rules, showed otherwise."""
        occasion = _occasion(task, f"{_last_step(task)}:{task.verdict.kind}:{self._rules}")
        for skill in own.values():
            if skill.state not in ("withdrawn", "deleted") and not self._is_owners(skill):
                yield events.withdrawn(occasion, skill.id, task.id, self._redactor(reason))

    def _is_owners(self, skill: Skill) -> bool:
        """Whether its text is no longer the one that reading a session gave."""
        if skill.draft.origin != "derived" or skill.approved_hash:
            return True
        text = self._last_text(skill)
        return text is not None and text.entry.actor not in ("honed", "model")

    def _last_text(self, skill: Skill) -> Recorded | None:
        """The event that brought the text that the skill has now."""
        history = self._store.skill_events(skill.id)
        row = fold_skill(history)
        return next((event for event in history if row is not None and event.entry.id == row.used), None)

    # -- which skills are its own ------------------------------------------------------------------

    def _own(self, task: Task, counts: Counter[str]) -> dict[str, Skill]:
        """The skills that this task taught before, by id; ``counts`` of each kind it teaches now."""
        own = {}
        for kind in TAUGHT:
            for number in range(max(counts[kind], 1 if kind in SINGLE else NUMBERS)):
                skill = self._store.skill(ids.skill_id(task.id, str(number), kind))
                if skill is not None:
                    own[skill.id] = skill
        return own

    def _free_id(self, task: Task, draft: Draft, number: int, own: dict[str, Skill]) -> str:
        """An id for a new skill of this task; empty where the one it would replace was forgotten."""
        skill_id = ids.skill_id(task.id, str(number), draft.kind)
        if draft.kind in SINGLE:
            return "" if skill_id in own else skill_id
        while skill_id in own:
            number += 1
            skill_id = ids.skill_id(task.id, str(number), draft.kind)
        own[skill_id] = Skill(skill_id, "", "", draft, state="deleted")  # taken from now on
        return skill_id

    # -- where -------------------------------------------------------------------------------------

    def _place(self, task: Task) -> Place:
        """Where the task was: the session's folder, or that of the changed files when that is no project."""
        session = task.session
        place = self._located(session.cwd or "", session.remote or "", session.branch or "")
        if place.root or place.remote:
            return place
        base = session.cwd or ""
        changed = [
            os.path.join(base, file.path)
            for change in task.changes
            if change.weight == "code"
            for file in change.files
        ]
        folders = {os.path.dirname(path) for path in changed if os.path.isabs(path)}
        return self._located(os.path.commonpath(folders), "", "") if folders else place

    def _located(self, folder: str, remote: str, branch: str) -> Place:
        key = (folder, remote)
        if key not in self._places:
            self._places[key] = locate(folder, remote=remote, branch=branch)
        return self._places[key]

    def _project(self, place: Place, at: str) -> str:
        key = repr(place.aliases)
        if key not in self._projects:
            self._projects[key] = self._store.ensure_project(place, at)
        return self._projects[key]

    # -- figures -----------------------------------------------------------------------------------

    def _state(self, subject: str) -> str:
        skill = self._store.skill(subject)
        return skill.state if skill is not None else ""

    def _counted(
        self, batch: Sequence[NewEvent], results: Sequence[Appended], before: dict[str, str]
    ) -> Counter[str]:
        counts: Counter[str] = Counter()
        for event, result in zip(batch[1:], results[1:], strict=True):
            if result.status != "written":
                continue
            if event.kind == "evidence":
                rows = self._store.evidence(event.subject)
                counts["confirmed"] += any(row.event_id == event.id and row.counts > 0 for row in rows)
            elif event.kind == "withdrawn":
                counts["withdrawn"] += self._state(event.subject) == "withdrawn"
            elif event.kind == "learned" or before[event.subject] == "withdrawn":
                counts["learned"] += 1
            else:
                counts["revised"] += 1
        return counts


def _named_by_model(history: Sequence[Recorded]) -> bool:
    """Whether a model gave the skill its names (``review.distill``): no session gives it others then."""
    return any(event.entry.actor == "model" and event.entry.kind in TEXTS for event in history)


def _paired(drafts: Sequence[Draft], own: dict[str, Skill]) -> list[str]:
    """For each draft the id of the task's own skill that it is a text of, or empty.

    The same text wins; then the same place in the order, for the kinds of which there is only one.
    """
    left = dict(own)
    mine = []
    for draft in drafts:
        found = [key for key, skill in left.items() if skill.draft.kind == draft.kind]
        same = [key for key in found if left[key].draft.fingerprint == draft.fingerprint]
        chosen = same[:1] or (found[:1] if draft.kind in SINGLE else [])
        mine.append(chosen[0] if chosen else "")
        if chosen:
            del left[chosen[0]]
    return mine


def _slug_of(title: str) -> str:
    """A name that is short enough to type and to stand in a note; the title says the rest."""
    slug = ids.slugify(title)
    return (
        slug[: SLUG_LENGTH + 1].rpartition("-")[0] or slug[:SLUG_LENGTH] if len(slug) > SLUG_LENGTH else slug
    )


def _first_record(task: Task) -> str:
    return task.requests[0].id if task.requests else _last_step(task)


def _last_step(task: Task) -> str:
    return task.steps[-1].id if task.steps else ""


def _occasion(task: Task, record: str) -> events.Occasion:
    return events.Occasion(task.session.client, task.session.id, record, when(task))
