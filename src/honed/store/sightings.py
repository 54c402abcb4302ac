"""Errors that tasks met and got rid of (schema 10): written beside a task's verdict, asked for by signature.

No projection; each row is of one error in one task, so reading a task again changes nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence

from honed.skills.recurring import Sighting
from honed.store.place import storable

FIRST_SCHEMA = 10
"""The schema that first had this table."""
_COLUMNS = "signature, command, remedy, files"
_TEXTS = ("signature", "command", "remedy", "files", "session")


def keep(
    connection: sqlite3.Connection,
    project: str,
    task: str,
    session: str,
    at: str,
    seen: Sequence[Sighting],
) -> None:
    """Keep what a task saw in place of what it was said to have seen, inside the caller's transaction."""
    connection.execute("DELETE FROM sightings WHERE task = ?", (task,))
    connection.executemany(
        "INSERT OR REPLACE INTO sightings (project, task, session, at, signature, command, remedy, files)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (project, task, storable(session), at, *(storable(text) for text in _row(one)))
            for one in seen
        ],
    )  # fmt: skip


def _row(one: Sighting) -> tuple[str, str, str, str]:
    return one.signature, one.command, one.remedy, "\n".join(one.files)


def seen_before(
    connection: sqlite3.Connection, project: str, signatures: Iterable[str], task: str
) -> Mapping[str, list[tuple[str, Sighting]]]:
    """Of each signature who saw it in a project, in other tasks: pairs of session and sighting, in order."""
    found: dict[str, list[tuple[str, Sighting]]] = {}
    for signature in dict.fromkeys(map(storable, signatures)):
        rows = connection.execute(
            f"SELECT session, {_COLUMNS} FROM sightings WHERE project = ? AND signature = ? AND task <> ?"
            " ORDER BY at, task LIMIT 50",
            (project, signature, task),
        )
        found[signature] = [
            (
                str(session),
                Sighting(
                    str(text), str(command), str(remedy), tuple(str(files).split("\n")) if files else ()
                ),
            )
            for session, text, command, remedy, files in rows
        ]
    return found


def drop_tasks(connection: sqlite3.Connection, tasks: Iterable[str]) -> None:
    """Let go of what these tasks saw, inside the caller's transaction."""
    connection.executemany("DELETE FROM sightings WHERE task = ?", [(task,) for task in tasks])


def keys(connection: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    """What tells the rows from each other and from rows of another text."""
    rows = connection.execute(f"SELECT task, {', '.join(_TEXTS)} FROM sightings")
    return frozenset(tuple(map(str, row)) for row in rows)


def matching(connection: sqlite3.Connection, search: Callable[[str], object]) -> list[str]:
    """The tasks of which a row holds a match."""
    rows = connection.execute(f"SELECT task, {', '.join(_TEXTS)} FROM sightings ORDER BY task")
    return list(dict.fromkeys(str(task) for task, *texts in rows if any(search(str(text)) for text in texts)))
