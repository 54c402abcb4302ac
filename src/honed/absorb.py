"""Absorbing transcripts: read them, judge their tasks, learn from the verified ones.

Backfill and the worker behind a client's stop hook run this same code (docs/design.md, idea 1).
Every id it makes comes from the client's records, so absorbing twice changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.model import NewEvent
from honed.sessions.model import Event, Request, SessionEnd, SessionStart
from honed.sessions.reading import UnknownTranscriptError, read
from honed.sessions.source import Resume, prefix_digest
from honed.skills.compile import compile_task
from honed.skills.model import Draft, Skill
from honed.skills.redact import Redactor
from honed.store.base import Source, Store
from honed.store.place import Place, locate
from honed.transcripts import Found, beside
from honed.verdict.model import Task
from honed.verdict.tasks import split

RULES = "1"
"""Version of readers, judge and compiler; a source read by another version is read again."""

_ISO = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)?$")


@dataclass(slots=True)
class Absorbed:
    """What came of one transcript, or of many added up."""

    sessions: int = 0
    tasks: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    by_client: dict[str, Counter[str]] = field(default_factory=dict)
    learned: int = 0
    confirmed: int = 0
    revised: int = 0
    withdrawn: int = 0
    unchanged: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    skipped_lines: int = 0
    bytes: int = 0

    def add(self, other: Absorbed) -> None:
        """Add another transcript's figures."""
        for name in ("sessions", "tasks", "learned", "confirmed", "revised", "withdrawn", "unchanged"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.skipped_lines += other.skipped_lines
        self.bytes += other.bytes
        self.verdicts.update(other.verdicts)
        self.skipped += other.skipped
        for client, counts in other.by_client.items():
            self.by_client.setdefault(client, Counter()).update(counts)


class Absorber:
    """Absorbs transcripts into one store.

    ``excluded`` says of a project's folder that the owner keeps it out: then nothing of it is stored.
    """

    def __init__(
        self, store: Store, redactor: Redactor, *, excluded: Callable[[str], bool] = lambda _folder: False
    ) -> None:
        self._store = store
        self._redactor = redactor
        self._excluded = excluded
        self._places: dict[tuple[str, str], tuple[Place, str]] = {}

    def absorb_all(self, found: Iterable[Found]) -> Iterator[tuple[Found, Absorbed]]:
        """Absorb one after the other; a transcript that cannot be read is skipped with a reason.

        Raises what the store raises: a memory that cannot be written is no reason to go on.
        """
        for item in found:
            try:
                yield item, self.absorb(item)
            except UnknownTranscriptError as error:
                yield item, Absorbed(skipped=[(str(item.path), str(error))])
            except OSError as error:
                yield item, Absorbed(skipped=[(str(item.path), error.strerror or str(error))])

    def absorb(self, found: Found) -> Absorbed:
        """Absorb one transcript from where the last read stopped."""
        name = str(found.path.resolve())
        source = self._store.source(name)
        if source is not None and source.rules == RULES and _same_file(source, found):
            return Absorbed(unchanged=1)
        resume = None
        if source is not None and source.rules == RULES and 0 < source.offset <= found.size:
            resume = Resume(source.offset, source.line, source.ordinal, source.prefix)
        with found.path.open("rb") as stream:
            reading = _Reading(read(stream, name=found.path.name, related=beside(found.path), resume=resume))
            result = Absorbed(sessions=1, bytes=found.size)
            firsts: list[Request] = []
            last: Task | None = None
            for task in split(reading):
                firsts += task.requests[:1]
                last = task
                self._take(task, result)
            result.skipped_lines = reading.skipped
            stream.seek(0)
            offset, line, ordinal = _resume_point(firsts, last)
            if reading.start is not None and reading.start.kind != "machine":
                self._store.save_source(
                    Source(
                        path=name,
                        client=reading.start.client,
                        session=reading.start.id,
                        size=found.size,
                        mtime_ns=found.mtime_ns,
                        offset=offset,
                        line=line,
                        ordinal=ordinal,
                        prefix=prefix_digest(stream, offset),
                        rules=RULES,
                    )
                )
        return result

    # -- one task ----------------------------------------------------------------------------------

    def _take(self, task: Task, result: Absorbed) -> None:
        kind = task.verdict.kind
        result.tasks += 1
        result.verdicts[kind] += 1
        result.by_client.setdefault(task.session.client, Counter())[kind] += 1
        if not task.changes and not task.runs:
            return
        place, project = self._project(task)
        if self._excluded(place.root or place.cwd):
            return
        known = self._store.task(task.id)
        seen_to = max((step.finished for step in task.steps), default=0)
        if known is not None and known.verdict == kind and known.seen_to >= seen_to:
            return
        occasion = _occasion(task, f"{task.steps[-1].id}:{kind}")
        batch: list[NewEvent] = [self._judgement(task, project, occasion, seen_to)]
        if kind == "verified":
            batch += self._lessons(task, place, project, result)
        elif known is not None and known.verdict == "verified":
            batch += self._withdrawals(task, occasion, result)
        self._store.append(batch)

    def _judgement(self, task: Task, project: str, occasion: events.Occasion, seen_to: int) -> NewEvent:
        verdict = task.verdict
        return events.judged(
            occasion,
            task.id,
            project,
            verdict.kind,
            self._redactor(verdict.reason),
            seen_to=seen_to,
            authority=verdict.authority,
            step=verdict.step_id or "",
            check=self._redactor(verdict.check or ""),
        )

    def _lessons(self, task: Task, place: Place, project: str, result: Absorbed) -> Iterator[NewEvent]:
        compiled = compile_task(task, root=place.root or task.session.cwd, redactor=self._redactor)
        counts: Counter[str] = Counter()
        for draft in compiled.drafts:
            skill_id = ids.skill_id(task.id, str(counts[draft.kind]), draft.kind)
            counts[draft.kind] += 1
            yield from self._lesson(task, project, skill_id, draft, result)

    def _lesson(
        self, task: Task, project: str, skill_id: str, draft: Draft, result: Absorbed
    ) -> Iterator[NewEvent]:
        """A new skill; or a better text of one learned from this task; or evidence for a known one."""
        own = self._store.skill(skill_id)
        if own is not None:
            if own.state != "deleted" and _may_rewrite(own, draft):
                result.revised += 1
                yield events.revised_by_session(_occasion(task, task.steps[-1].id), skill_id, draft)
            return
        twin = self._store.by_fingerprint(project, draft.fingerprint) if draft.fingerprint else None
        if twin is None:
            result.learned += 1
            yield events.learned(
                _occasion(task, _first_record(task)), skill_id, project, ids.slugify(draft.title), draft
            )
        elif all(row.task != task.id for row in self._store.evidence(twin.id)):
            result.confirmed += 1
            yield events.evidence(
                _occasion(task, task.id),
                twin.id,
                "test_passed",
                task=task.id,
                applied=True,
                authority=task.verdict.authority,
            )

    def _withdrawals(self, task: Task, occasion: events.Occasion, result: Absorbed) -> Iterator[NewEvent]:
        """What this task taught has lost its proof: later steps of it showed otherwise."""
        for kind in ("procedure", "recipe"):
            for number in range(20):
                skill = self._store.skill(ids.skill_id(task.id, str(number), kind))
                if skill is None:
                    break
                if skill.state == "candidate":
                    result.withdrawn += 1
                    yield events.withdrawn(occasion, skill.id, task.id, self._redactor(task.verdict.reason))

    def _project(self, task: Task) -> tuple[Place, str]:
        session = task.session
        key = (session.cwd or "", session.remote or "")
        if key not in self._places:
            place = locate(key[0], remote=key[1], branch=session.branch or "")
            self._places[key] = (place, self._store.ensure_project(place, _when(task)))
        return self._places[key]


class _Reading:
    """Passes a reader's events on and remembers what the session is and how it ended."""

    def __init__(self, stream: Iterator[Event]) -> None:
        self._stream = stream
        self.start: SessionStart | None = None
        self.skipped = 0

    def __iter__(self) -> Iterator[Event]:
        for event in self._stream:
            if isinstance(event, SessionStart) and self.start is None:
                self.start = event
            elif isinstance(event, SessionEnd):
                self.skipped = event.skipped_lines
            yield event


def _same_file(source: Source, found: Found) -> bool:
    return (source.size, source.mtime_ns) == (found.size, found.mtime_ns)


def _resume_point(firsts: Sequence[Request], last: Task | None) -> tuple[int, int, int]:
    """Where to read on: the first request of the open task, or of the task in which a step started that
    is still running; the beginning of the file when nothing was asked."""
    if last is None or not last.requests:
        return 0, 1, 0
    running = [step.started for step in last.steps if step.status == "running"]
    since = min((last.requests[0].ordinal, *running))
    first = next((request for request in reversed(firsts) if request.ordinal <= since), None)
    return (first.offset, first.line, first.ordinal) if first else (0, 1, 0)


def _first_record(task: Task) -> str:
    return task.requests[0].id if task.requests else task.steps[0].id


def _occasion(task: Task, record: str) -> events.Occasion:
    return events.Occasion(task.session.client, task.session.id, record, _when(task))


def _when(task: Task) -> str:
    """When the task happened: the latest sound time stamp in it; empty (now) if there is none."""
    stamps = [step.at for step in task.steps] + [request.at for request in task.requests]
    sound = [match[1] + "Z" for stamp in stamps if stamp and (match := _ISO.match(stamp))]
    return max(sound, default="")


def _may_rewrite(own: Skill, draft: Draft) -> bool:
    """A later read of the same task may better the text, unless the owner has touched it."""
    derived = own.draft.origin == "derived" and not own.approved_hash
    return derived and (own.state == "withdrawn" or own.content_hash != content_hash(draft))
