"""What a judged task did with skills that it was given: evidence for the ledger, uses for the counters.

Whoever tells of a run, the absorber or ``honed reinforce`` with a session and a step, tells the same event:
its id follows from task, step and kind, so the same run counts once however often it is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from honed.applied import Proof, digests, is_applied, proof_of, written_lines
from honed.errors import NotFoundError, RefusedError
from honed.hooks.spool import name_of
from honed.ledger import events
from honed.ledger.canonical import parse_instant
from honed.ledger.curve import MOST_PLACES
from honed.ledger.fold import fold_skill
from honed.ledger.model import NewEvent, Recorded
from honed.ledger.weights import PLACE_WORKED, places_of
from honed.sessions.reading import UnknownTranscriptError, read
from honed.skills.model import Skill
from honed.skills.places import relative
from honed.skills.redact import Redactor
from honed.store.base import Source, Store
from honed.store.place import locate
from honed.store.receiving import Use
from honed.transcripts import beside, existing
from honed.verdict.model import Task
from honed.verdict.runners import Rules
from honed.verdict.tasks import split
from honed.when import when

LINES = 200
"""Lines of a change that are looked at for knowing its commit again."""
MOST_FILES, MOST_SKILLS = 8, 16
"""Changed files of a task that are looked at for suspended skills, and such skills of each."""
MOST_AT_PLACE = 64
"""Skills of a file, those that proved themselves most, of which it is kept that work went on there."""
ONCE = timedelta(days=3)
"""Work on the same files within this time is told once: in a curve of 45 days it hardly matters."""
OUTCOMES = {"test_passed": "verified", "test_failed": "failed"}


@dataclass(frozen=True, slots=True)
class Given:
    """A skill that a task was given, whether it applied it, and what its own check then proved."""

    skill: str
    applied: bool
    proof: Proof | None
    others: tuple[tuple[str, Proof], ...] = ()
    """What it proved of texts that wait beside the one in use, by the event of each."""
    lines: tuple[str, ...] = ()
    """Digests of what it wrote into the skill's files, by which its commit is known again."""


def given_to(task: Task, store: Store, root: str | None, redactor: Redactor) -> list[Given]:
    """The skills that ``task`` was given, with what it did with them; ``root`` is the project's folder.

    Of lines that ``redactor`` masks no digest is kept.
    """
    found = []
    for skill_id in task.notes_given:
        skill = store.skill(skill_id)
        if skill is not None and skill.state not in ("deleted", "withdrawn"):
            others = tuple(_of_waiting(task, skill, store, root)) if skill.waiting else ()
            applied, proof = is_applied(task, skill, root), proof_of(task, skill, root)
            written = islice(written_lines(task, skill, root), LINES)
            lines = digests(line for line in written if redactor(line) == line)
            found.append(Given(skill.id, applied, proof, others, lines))
    return found


def brought_back(task: Task, store: Store, project: str, root: str | None) -> Iterator[Given]:
    """Suspended skills that ``task`` applied and whose own check then passed, though nobody was given them.

    A suspended skill is given to nobody, so this is how it comes back: by work on its files and its check.
    """
    seen = set(task.notes_given)
    for path in changed_files(task, root)[:MOST_FILES]:
        for skill in store.about_file(project, path, MOST_SKILLS, states=("suspended",)):
            if skill.id not in seen:
                proof = proof_of(task, skill, root)
                if proof is not None and proof.kind == "test_passed":
                    yield Given(skill.id, True, proof)
            seen.add(skill.id)


def changed_files(task: Task, root: str | None) -> list[str]:
    """The files of code that ``task`` changed, relative to ``root``, each once."""
    folders = {step.id: step.cwd for step in task.steps}
    changed = [
        relative(file.path, cwd=folders.get(change.step_id) or task.session.cwd, root=root)
        for change in task.changes
        if change.weight == "code"
        for file in change.files
    ]
    return list(dict.fromkeys(path for path in changed if path))


def work_at_places(
    task: Task, store: Store, project: str, root: str | None, besides: Collection[str]
) -> Iterator[NewEvent]:
    """That a verified task worked on files of skills: those of its project that it did not teach itself and
    that are not ``besides`` (ids)."""
    at = when(task) or store.now()
    places: dict[str, list[str]] = {}
    for path in changed_files(task, root)[:MOST_PLACES]:
        for skill in store.about_file(project, path, MOST_AT_PLACE):
            own = skill.draft.source_task == task.id or skill.id in besides
            if not own and path in places_of(skill.draft):
                places.setdefault(skill.id, []).append(path)
    last = max((step.finished for step in task.steps), default=0)
    occasion = events.Occasion(task.session.client, task.session.id, f"{task.id}:{last}:worked", at)
    for skill_id, paths in places.items():
        if not _told_lately(store.skill_events(skill_id), paths, at):
            yield events.place_worked(occasion, skill_id, task.id, paths)


def _told_lately(history: Iterable[Recorded], paths: Sequence[str], at: str) -> bool:
    moment = parse_instant(at)
    for event in history:
        if event.body is not None and event.body.get("evidence") == PLACE_WORKED:
            named = event.body.get("places")
            near = abs(parse_instant(event.entry.at) - moment) < ONCE
            if near and isinstance(named, list) and set(paths) <= set(named):
                return True
    return False


def _of_waiting(task: Task, skill: Skill, store: Store, root: str | None) -> Iterator[tuple[str, Proof]]:
    row = fold_skill(store.skill_events(skill.id))
    for text in row.waiting if row is not None else ():
        proof = proof_of(task, replace(skill, draft=text.draft), root)
        if text.actor == "honed" and proof is not None:
            yield text.event, proof


def evidence_in(task: Task, given: Sequence[Given], asked: str = "") -> Iterator[NewEvent]:
    """Evidence for and against the skills that the task was given and applied, asked for ``asked``."""
    for one in given:
        if one.proof is not None:
            yield evidence_of(task, one.skill, one.proof, asked=asked)
        for text, proof in one.others:
            yield evidence_of(task, one.skill, proof, text, asked)


def evidence_of(task: Task, skill: str, proof: Proof, text: str = "", asked: str = "") -> NewEvent:
    """The event that says what the skill's own check proved in ``task``; ``text`` names one that waits beside
    the one in use, by the event that brought it.  What was ``asked`` is a past use where it passed."""
    record = f"{task.id}:{proof.step}:{proof.kind}" + (f":{text}" if text else "")
    occasion = events.Occasion(task.session.client, task.session.id, record, when(task))
    return events.evidence(
        occasion,
        skill,
        proof.kind,
        task=task.id,
        applied=True,
        authority=proof.authority,
        text=text,
        request=asked if proof.kind == "test_passed" else "",
    )


def uses(task: Task, given: Sequence[Given], at: str) -> Iterator[Use]:
    """What the counters keep of ``given``; ``at`` ISO-8601 UTC."""
    for one in given:
        outcome = OUTCOMES[one.proof.kind] if one.proof else ""
        step = one.proof.step if one.proof else ""
        yield Use(name_of(task.session.id), task.id, one.skill, one.applied, outcome, step, at, one.lines)


def confirmed(store: Store, skill: Skill, kind: str, session: str, step: str, rules: Rules) -> NewEvent:
    """The evidence that somebody claims of ``step`` in ``session``, found in the transcript by the judge.

    ``kind`` is ``test_passed`` or ``test_failed``.  Raises ``NotFoundError`` for a session that honed has not
    read or whose transcript is gone, ``RefusedError`` for a claim that the transcript does not bear out.
    """
    task = _task_with(store, session, step, rules)
    place = locate(task.session.cwd or "", remote=task.session.remote or "")
    here = store.resolve_project(place)
    if skill.project and skill.project not in store.scopes(here or ""):
        raise RefusedError(f"session {session} was in another project than {skill.slug}; nothing was counted")
    root = place.root or task.session.cwd
    if not is_applied(task, skill, root):
        raise RefusedError(
            f"session {session} did not apply {skill.slug} (it changed none of its files and ran none of its "
            "steps), so its runs say nothing of it; nothing was counted"
        )
    proof = proof_of(task, skill, root)
    if proof is None:
        raise RefusedError(
            f"no run behind the application in session {session} is the check of {skill.slug} "
            f"({skill.draft.check or 'it has none'}) or a wider one; nothing was counted"
        )
    if (proof.step, proof.kind) != (step, kind):
        raise RefusedError(
            f"what the last run of its check in session {session} says is {proof.kind}, in step "
            f"{proof.step}; nothing was counted"
        )
    return evidence_of(task, skill.id, proof)


def _task_with(store: Store, session: str, step: str, rules: Rules) -> Task:
    """The task of a session in which a test run is ``step``."""
    sources = store.sources_of(session)
    if not sources:
        raise NotFoundError(
            f"honed has read no session {session}; `honed backfill PATH` reads its transcript first"
        )
    readable = False
    for source in sources:
        for task in _tasks(source, rules):
            readable = True
            if any(run.step_id == step for run in task.runs):
                return task
    if not readable:
        raise NotFoundError(f"the transcript of session {session} cannot be read any more: {sources[0].path}")
    raise RefusedError(f"the judge finds no test run {step} in session {session}; nothing was counted")


def _tasks(source: Source, rules: Rules) -> Iterator[Task]:
    path = existing(source.path)
    if path is None:
        return
    try:
        with path.open("rb") as stream:
            yield from split(read(stream, name=path.name, related=beside(path)), rules=rules)
    except (OSError, UnknownTranscriptError):
        return
