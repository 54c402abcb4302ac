"""A process of its own for the tests of the store: ``python -m tests.store.worker COMMAND HOME ...``."""

from __future__ import annotations

import contextlib
import resource
import sqlite3
import sys
from collections.abc import Callable

from honed.errors import HonedError
from honed.store.place import locate
from honed.store.sqlite import SqliteStore
from tests.store.making import draft, hand, learned, raw


def say(text: str) -> None:
    """A line that the test reads at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write(home: str, name: str, number: str) -> None:
    """Append so many skills, saying each one's id when it is acknowledged."""
    with SqliteStore.open(home, wait=60.0) as store:
        for count in range(int(number)):
            (result,) = store.append([learned(draft(f"{name} {count}"), slug=name, session=name)])
            say(f"{result.status} {result.subject}")


def watch(home: str) -> None:
    """Read until standard input ends; what a reader sees never shrinks and is never half."""
    seen, reads = 0, 0
    with SqliteStore.open(home, wait=60.0) as store:
        say("ready")
        done = False
        while not done:
            done = _input_ended()
            count = len(store.skills())
            stats = store.stats()
            if count < seen or stats.events < count:
                say(f"went back from {seen} to {count} of {stats.events}")
            seen, reads = count, reads + 1
    say(f"saw {seen} in {reads > 0}")


def _input_ended() -> bool:
    import select

    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return bool(ready) and not sys.stdin.read(1)


def hold(home: str) -> None:
    """Hold the write lock until standard input ends."""
    connection = raw(home)
    connection.execute("BEGIN IMMEDIATE")
    say("held")
    sys.stdin.read()
    connection.execute("ROLLBACK")


def open_once(home: str) -> None:
    """Open a home at the same moment as others: when the test says so."""
    say("ready")
    sys.stdin.readline()
    with SqliteStore.open(home, wait=60.0) as store:
        say(f"open {store.stats().events}")


def first(home: str, name: str) -> None:
    """Open a home at the same moment as others, and write into it."""
    say("ready")
    sys.stdin.readline()
    with SqliteStore.open(home, wait=60.0) as store:
        (result,) = store.append([learned(draft(name), slug=name, session=name)])
        say(f"{result.status} {result.subject}")


def fill(home: str, limit: str) -> None:
    """Append under a limit on the size of files, as on a full disk, and say what came of it."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    kept = 0
    with SqliteStore.open(home) as store:
        try:
            for count in range(10_000):
                store.append([learned(draft(f"full {count}", body="word " * 2000))])
                kept += 1
        except HonedError as error:
            say(f"{type(error).__name__} {error.exit_code} {error}")
    say(f"kept {kept}")


def forget_all(home: str) -> None:
    """Forget every skill there is."""
    with SqliteStore.open(home, wait=60.0) as store:
        for skill in store.skills():
            store.append([hand("forgotten", skill.id)])
            say(skill.id)


def see(home: str, folder: str) -> None:
    """Ask for the project of a folder at the same moment as others."""
    with SqliteStore.open(home, wait=60.0) as store:
        say("ready")
        sys.stdin.readline()
        say(store.ensure_project(locate(folder)))


COMMANDS: dict[str, Callable[..., None]] = {
    "write": write,
    "watch": watch,
    "hold": hold,
    "open": open_once,
    "first": first,
    "fill": fill,
    "forget": forget_all,
    "see": see,
}

if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        try:
            COMMANDS[sys.argv[1]](*sys.argv[2:])
        except (HonedError, sqlite3.Error) as error:
            say(f"error {type(error).__name__}: {error}")
