"""The absorber: works off the queue of transcripts with the code of ``honed backfill``, one per home.

It runs behind the hooks that name what ended, niced and bounded in time and memory.  What it does and
what stops it goes into the spool (session ``absorber``), which ``honed doctor`` shows.  A transcript that
is not done stays in the queue; absorbing twice changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import sleep
from types import FrameType

from honed.absorb import Absorbed
from honed.agents.shim import installed_at
from honed.counted import several
from honed.errors import HonedError, UnavailableError
from honed.hooks import spool
from honed.hooks.lock import release, take_soon
from honed.hooks.starting import LOCK, QUEUE
from honed.hooks.sweeping import SESSION, by_age
from honed.maintenance import STEPS, WHAT
from honed.memory import Memory
from honed.skills.redact import redact
from honed.store.sqlite import SqliteStore
from honed.transcripts import SUFFIXES, Found, in_order

TIME_LIMIT = 900
"""Seconds that one worker works at most."""
MEMORY_LIMIT = 2 * 1024**3
"""Bytes of address space."""
PATIENCE = 180
"""Seconds that it waits for a memory that others hold; its queue stays for the next one."""
PAUSE = 2.0
NEIGHBOURS = 20
"""Transcripts beside a queued one that are looked at, in case their client was killed before it said so."""


def main(home: str, handle: int | None = None) -> int:
    """Work off the queue of ``home``; returns the exit code.

    ``handle`` is the absorber's lock, where it is taken already.
    """
    _bound()
    left: dict[Path, int] = {}
    try:
        while (waiting := _waiting(home)) and waiting != left:
            handle = take_soon(os.path.join(home, LOCK)) if handle is None else handle
            if handle is None:
                return 0  # another one is at work, and looks at the queue before it goes
            try:
                left = _work(home)
            finally:
                release(handle)
                handle = None
        if handle is not None:
            release(handle)
        _distill(home)
    except KeyboardInterrupt:
        _say(home, "failed", f"stopped after {TIME_LIMIT} seconds; the next one goes on")
    except HonedError as error:
        _say(home, "failed", redact(str(error))[:400])
        return error.exit_code
    except BaseException as error:
        _say(home, "failed", f"{type(error).__name__} while absorbing")
        return 1
    return 0


def _bound() -> None:
    os.chdir(os.sep)
    if os.name != "posix":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, resource.RLIM_INFINITY))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the shim ignores it, for itself
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(TIME_LIMIT)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _waiting(home: str) -> dict[Path, int]:
    """The queue's files with the time (ns) of their last naming, the oldest first."""
    times: dict[Path, int] = {}
    with contextlib.suppress(OSError):
        for file in Path(home, QUEUE).iterdir():
            with contextlib.suppress(OSError):
                times[file] = file.lstat().st_mtime_ns
    return dict(sorted(times.items(), key=lambda item: item[1]))


def _work(home: str) -> dict[Path, int]:
    """Everything that waits, and what came meanwhile; returns what cannot be taken out of the queue."""
    deadline = time.monotonic() + PATIENCE
    said = False
    done: dict[Path, int] = {}
    while (queue := _waiting(home)) and queue != done:
        try:
            _absorb(home, queue)
            done = queue
        except UnavailableError as error:
            if not said:
                _say(home, "failed", redact(str(error))[:400])
            said = True
            if time.monotonic() > deadline:
                raise
            sleep(PAUSE)
    _catch_up(home)
    return queue


def _absorb(home: str, queue: dict[Path, int]) -> None:
    named = {file: _named(file) for file in queue}
    found = in_order([path for path in named.values() if path is not None])
    total = Absorbed()
    with Memory.open(home) as memory:
        _read(memory, found, total)
        for file, named_at in queue.items():
            _done(home, file, named_at)
        _read(memory, in_order(_neighbours(home, named.values())), total)
    for path, reason in total.skipped:
        _say(home, "skipped", f"{path}: {reason}"[:400])
    _say(
        home,
        "noted",
        f"{several(total.sessions, 'session')}, {total.learned} learned, {total.confirmed} confirmed",
    )


def _done(home: str, file: Path, named_at: int) -> None:
    """Take a file out of the queue, unless its transcript was named again meanwhile: then it waits again."""
    try:
        if file.lstat().st_mtime_ns == named_at:
            file.unlink()
    except FileNotFoundError:
        return
    except OSError as error:
        _say(home, "failed", f"{file.name} stays in the queue: {error.strerror}")


def _read(memory: Memory, found: Iterable[Found], total: Absorbed) -> None:
    """Absorb one after the other; one on which honed fails is said and passed over, so that it stops no
    other, now or later.  Raises ``UnavailableError``: then all of them wait."""
    for item in found:
        try:
            for _, done in memory.absorb([item]):
                total.add(done)
        except UnavailableError:
            raise
        except Exception as error:
            what = str(error) if isinstance(error, HonedError) else type(error).__name__
            total.skipped.append((str(item.path), f"honed failed on it: {what}"))


def _named(file: Path) -> Path | None:
    try:
        return Path(file.read_text(encoding="utf-8", errors="surrogatepass"))
    except (OSError, ValueError):
        return None


def _neighbours(home: str, named: Iterable[Path | None]) -> Iterator[Path]:
    """Transcripts beside those named that were written since honed was installed."""
    since = installed_at(home)
    paths = {path for path in named if path is not None}
    for folder in {path.parent for path in paths}:
        others = [(at, file) for at, file in by_age(folder) if file.suffix in SUFFIXES and file not in paths]
        yield from (file for at, file in others[-NEIGHBOURS:] if at >= since)


def _distill(home: str) -> None:
    """Names for what was learned, by the owner's model, where that is switched on.

    The lock is let go of by then: what the model's program starts may bring something to learn.
    """
    with Memory.open(home) as memory:
        if not memory.config["models.distill"]:
            return
        if os.name == "posix":
            import resource

            # A program of the owner's may need more room than reading transcripts does.
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        done = memory.distill(background=True)
    for _, reason in done.skipped[:1]:
        _say(home, "skipped", f"distilling: {reason}"[:400])
    if done.changed:
        _say(home, "noted", f"{len(done.changed)} distilled by a model, {several(done.tokens, 'token')}")


def _catch_up(home: str) -> None:
    """What is due behind the work (``maintenance``); what cannot be done is said, and done the next time."""
    waiting = list(STEPS)
    while waiting:
        step = waiting.pop(0)
        try:
            with SqliteStore.open(home) as store:
                step(home, store)
                while waiting:
                    step = waiting.pop(0)
                    step(home, store)
        except UnavailableError as error:
            _say(home, "failed", f"{WHAT[step]}: {error}"[:400])


def _say(home: str, result: str, why: str) -> None:
    line = {"t": int(time.time()), "e": "absorb", "a": "", "r": result, "w": why}
    spool.append(home, SESSION, line)
