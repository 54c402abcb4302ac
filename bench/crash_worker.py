"""A process of its own for ``bench.crash``: ``python -m bench.crash_worker COMMAND HOME ...``.

It says on standard output what the store acknowledged and when (monotonic clock), a line each, and ends when
it is killed or the disk is gone from under it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable

from bench.texts import learnings
from honed.errors import HonedError
from honed.ledger import events
from honed.store.backups import prune
from honed.store.compacting import empty_journal
from honed.store.sqlite import SqliteStore

WAIT = 60.0


def say(text: str) -> None:
    """A line that is read at once."""
    os.write(1, f"{text}\n".encode("ascii"))


def complain(text: str) -> None:
    """A complaint, with when it was made (monotonic clock) as its last word."""
    say(f"{text} {time.monotonic():.6f}")


def write(home: str, first: str, count: str) -> None:
    """Learn so many skills, and decide something about each, one append at a time."""
    with SqliteStore.open(home, wait=WAIT) as store:
        say("ready")
        for event in learnings(int(count), first=int(first), seed=int(first)):
            (result,) = store.append([event])
            say(f"{result.status} {result.id} {result.subject} {time.monotonic():.6f}")
            pinned = events.by_hand("pinned", result.subject, os.urandom(16))
            say(f"{store.append([pinned])[0].status} {pinned.id} {result.subject} {time.monotonic():.6f}")


def watch(home: str) -> None:
    """Read in a loop; what is seen never shrinks and is never half."""
    seen = 0
    with SqliteStore.open(home, readonly=True, wait=WAIT) as store:
        say("ready")
        while True:
            count = store.stats().events
            if count < seen:
                complain(f"went back from {seen} to {count}")
            seen = count
            store.skills()
            say(f"saw {seen}")


def maintain(home: str) -> None:
    """Check-point, back up, rebuild, verify and prune, again and again."""
    with SqliteStore.open(home, wait=WAIT) as store:
        say("ready")
        while True:
            empty_journal(store._connection, 0.0)
            store.backup()
            store.rebuild()
            for fault in store.verify():
                complain(f"faults {fault.code} {fault.where}")
            prune(home, store.now())
            time.sleep(0.01)


COMMANDS: dict[str, Callable[..., None]] = {"write": write, "watch": watch, "maintain": maintain}

if __name__ == "__main__":
    try:
        COMMANDS[sys.argv[1]](*sys.argv[2:])
    except (HonedError, OSError, sqlite3.Error) as error:
        say(f"error {type(error).__name__} {str(error).encode('ascii', 'replace').decode('ascii')}")
