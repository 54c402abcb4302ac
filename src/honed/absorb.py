"""Absorbing transcripts: read them, judge their tasks, learn from the verified ones.

Backfill and the worker behind a client's stop hook run this same code (docs/design.md, idea 1).
Every id it makes comes from the client's records, so absorbing twice changes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from honed.errors import FaultError, HonedError
from honed.figures import figures_of, parent_of
from honed.hooks.spool import name_of
from honed.kept_out import KeptOut
from honed.lessons import Lessons
from honed.sessions.model import Boundary, Event, Request, SessionEnd, SessionStart, Step
from honed.sessions.reading import UnknownTranscriptError, read
from honed.sessions.source import Resume, prefix_digest
from honed.skills.normal import fingerprint
from honed.skills.outside import Outside, told
from honed.skills.redact import Redactor
from honed.store.base import Source, Store
from honed.transcripts import Found, beside
from honed.verdict.model import Task
from honed.verdict.runners import DEFAULT, Rules
from honed.verdict.tasks import split

RULES = "6"
"""Version of what is made of a transcript.  Raise it with any change of the readers, the judge or the
compiler that should reach what was read before: the next backfill then reads every transcript again,
judges its tasks anew, betters the texts that nobody has touched, and withdraws what is no longer taught.
Redaction alone is no reason: what is stored is not read again for it (``honed scrub`` is for that)."""


def rules_of(own: object) -> str:
    """What is noted of a transcript that is read by this version and the user's ``own`` test runners."""
    return f"{RULES}+{fingerprint([json.dumps(own, sort_keys=True)])}" if own else RULES


EARLIER = 12
"""Requests before a task that are kept for its title."""


@dataclass(slots=True)
class Absorbed:
    """What came of one transcript, or of many added up.

    ``skipped`` are transcripts that could not be read, with the reason; ``faults`` counts those of them
    that honed itself failed on.  ``unchanged`` counts transcripts that were read before as they are,
    ``excluded`` those of folders that the owner keeps out, ``machine`` those in which nobody asked for
    anything.

    Of the ``tasks``, nothing is kept of those that are ``idle`` (nothing was changed or run in them) and
    ``private`` (they changed, read or ran in what the owner keeps out); of the others the verdict is.
    ``known`` ones were kept before (a copy, or read again because they went on), so they are none more;
    ``meanwhile`` are those of them that another process kept while this one judged them.  ``untaught`` are
    verified ones of which no skill came.
    """

    sessions: int = 0
    tasks: int = 0
    idle: int = 0
    known: int = 0
    meanwhile: int = 0
    private: int = 0
    untaught: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    by_client: dict[str, Counter[str]] = field(default_factory=dict)
    learned: int = 0
    confirmed: int = 0
    revised: int = 0
    withdrawn: int = 0
    unchanged: int = 0
    excluded: int = 0
    machine: int = 0
    faults: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    skipped_lines: int = 0
    bytes: int = 0

    @property
    def kept(self) -> int:
        """By how many tasks there are more now."""
        return self.tasks - self.idle - self.known - self.private

    def add(self, other: Absorbed) -> None:
        """Add another transcript's figures."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.verdicts.update(other.verdicts)
        self.skipped += other.skipped
        for client, counts in other.by_client.items():
            self.by_client.setdefault(client, Counter()).update(counts)


_COUNTS = (
    "sessions tasks idle known meanwhile private untaught learned confirmed revised withdrawn unchanged"
    " excluded machine faults skipped_lines bytes"
).split()


class Absorber:
    """Absorbs transcripts into one store.

    ``excluded`` says of a folder that the owner keeps it out: then nothing of it is stored.  ``named`` says
    so of a path that stands in a command or before a line that a search found (None: not asked).  Both are
    asked of what links in the project lead to, too (``kept_out``).  ``meant`` says so of a word with signs.
    ``watch`` is told the bytes read so far of a transcript whenever a task of it is done.
    ``runners`` are the test runners that are known, ``own`` the user's rows among them: other rows read
    everything again.
    """

    def __init__(
        self,
        store: Store,
        redactor: Redactor,
        *,
        excluded: Callable[[str], bool] = lambda _folder: False,
        named: Callable[[str], bool] | None = None,
        meant: Callable[[str], bool] = lambda _word: False,
        watch: Callable[[int], None] = lambda _bytes: None,
        runners: Rules = DEFAULT,
        own: object = (),
    ) -> None:
        self._store = store
        self._runners = runners
        self._rules = rules_of(own)
        self._lessons = Lessons(store, redactor, self._rules)
        self._kept_out = KeptOut(excluded, named, meant)
        self._watch = watch

    def absorb_all(self, found: Iterable[Found]) -> Iterator[tuple[Found, Absorbed]]:
        """Absorb one after the other; a transcript that cannot be read is skipped with a reason.

        One that honed itself fails on must not keep all the others from being read: it is skipped too, and
        read again the next time.  Raises what the store raises: a memory that cannot be written is no
        reason to go on.  Interrupted inside a transcript it yields what is stored of it, and then raises.
        """
        for item in found:
            done = Absorbed()
            try:
                self.absorb(item, done)
            except (_UnreadableError, FaultError) as error:
                done.skipped.append((str(item.path), str(error)))
                done.faults += isinstance(error, FaultError)
            except KeyboardInterrupt:
                yield item, done
                raise
            yield item, done

    def absorb(self, found: Found, done: Absorbed) -> None:
        """Absorb one transcript from where the last read stopped, adding to ``done``."""
        name = str(found.path.resolve())
        source = self._store.source(name)
        same_rules = source is not None and source.rules == self._rules
        if source is not None and same_rules and _same_file(source, found):
            done.unchanged += 1
            return
        resume = None
        if source is not None and same_rules and 0 < source.offset <= found.size:
            resume = Resume(source.offset, source.line, source.ordinal, source.prefix)
        with _readable():
            if not found.path.is_file():
                raise _UnreadableError("a folder" if found.path.is_dir() else "not a regular file")
            stream = found.path.open("rb")
        with stream:
            reading = _Reading(read(stream, name=found.path.name, related=beside(found.path), resume=resume))
            firsts: list[Request] = []
            earlier: list[str] = []
            last: Task | None = None
            before = taint = source.taint if source is not None and resume is not None else ""
            for task in _tasks(reading, self._runners):
                if last is None and self._kept_out.session(task.session):
                    done.excluded += 1
                    return
                firsts += task.requests[:1]
                if reading.goes_on and resume is None:
                    taint = taint or told(Outside("summary", task.session.id, ""))
                last, before = task, taint
                taint = taint or self._lessons.taint(task)
                self._take(
                    task, done, earlier=earlier, resumed=resume is not None, again=not same_rules, taint=taint
                )
                settled = [""] if any(change.weight == "code" for change in task.changes) else []
                asked = [request.text for request in task.requests if request.text]
                earlier = [*earlier, *asked, *settled][-EARLIER:]
                self._watch(stream.tell())
            start = reading.start
            if start is None or (last is None and self._kept_out.session(start)):
                done.excluded += 1
                return
            done.sessions += 1
            done.machine += start.kind == "machine"
            done.bytes += found.size
            done.skipped_lines += reading.skipped
            with _readable():
                read_to = _read_to(stream, found, start, _resume_point(firsts, last), self._rules)
                read_to = replace(read_to, taint=before)
                if self._store.is_tried(name_of(start.id), parent_of(start)):
                    self._store.save_figures(figures_of(stream, found.path, start, self._store))
        self._store.save_source(read_to)

    def _take(
        self, task: Task, done: Absorbed, *, earlier: Sequence[str], resumed: bool, again: bool, taint: str
    ) -> None:
        kind = task.verdict.kind
        done.tasks += 1
        done.verdicts[kind] += 1
        done.by_client.setdefault(task.session.client, Counter())[kind] += 1
        if not (task.changes or task.runs):
            done.idle += 1
            return
        if self._kept_out.task(task):
            done.private += 1
            return
        counts = self._lessons.take(task, earlier=earlier, resumed=resumed, again=again, taint=taint)
        for name, count in counts.items():
            setattr(done, name, getattr(done, name) + count)
        done.untaught += kind == "verified" and not any(counts.values())


class _UnreadableError(HonedError):
    """This transcript cannot be read; the message is the reason that is shown."""


@contextmanager
def _readable() -> Iterator[None]:
    """Tell the errors of a transcript from those of the memory."""
    try:
        yield
    except UnknownTranscriptError as error:
        raise _UnreadableError(str(error)) from error
    except OSError as error:
        raise _UnreadableError((error.strerror or str(error)).lower()) from error


def _tasks(reading: _Reading, runners: Rules) -> Iterator[Task]:
    tasks = split(reading, rules=runners)
    while True:
        try:
            with _readable():
                task = next(tasks, None)
        except HonedError:
            raise
        except Exception as error:
            raise FaultError.of(error) from error
        if task is None:
            return
        yield task


class _Reading:
    """Passes a reader's events on and remembers what the session is, whether it ``goes_on`` from a summary of
    one whose steps are not in it, and how it ended."""

    def __init__(self, stream: Iterator[Event]) -> None:
        self._stream = stream
        self.start: SessionStart | None = None
        self.goes_on = False
        self.skipped = 0

    def __iter__(self) -> Iterator[Event]:
        begun = False
        for event in self._stream:
            if isinstance(event, SessionStart) and self.start is None:
                self.start = event
            elif isinstance(event, Request | Step):
                begun = True
            elif isinstance(event, Boundary):
                self.goes_on = self.goes_on or (event.what == "compaction" and not begun)
            elif isinstance(event, SessionEnd):
                self.skipped = event.skipped_lines
            yield event


def _read_to(
    stream: BinaryIO, found: Found, start: SessionStart, point: tuple[int, int, int], rules: str
) -> Source:
    """How far a transcript has been read, for the next time."""
    offset, line, ordinal = point
    stream.seek(0)
    return Source(
        path=str(found.path.resolve()),
        client=start.client,
        session=start.id,
        size=found.size,
        mtime_ns=found.mtime_ns,
        offset=offset,
        line=line,
        ordinal=ordinal,
        prefix=prefix_digest(stream, offset),
        rules=rules,
    )


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
