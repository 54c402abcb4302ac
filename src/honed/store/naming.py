"""Which project does a word mean?  The one answer for every door that takes ``--project``.

    a folder          that exists, or one that is gone and known (a work tree that was removed again)
    a project's name  as `honed projects list` shows it
    a project's id

On the hot path (docs/decisions/0004), so it imports what ``place`` does.
"""

from __future__ import annotations

import os

from honed.errors import AmbiguousProjectError, NotFoundError, UsageError
from honed.store.aliases import lost_project, resolve_project
from honed.store.place import Place, absolute, locate, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from honed.store.reading import Reader

SHOWN = 12
"""So many names of projects are told to somebody who named none."""


def named_place(connection: sqlite3.Connection, name: str, here: str) -> Place:
    """The place that ``name`` means to somebody in the folder ``here`` (see ``Store.named``)."""
    if not name.strip():
        raise UsageError("--project: empty; name a folder, or a project by its name or id")
    folder = absolute(os.path.join(here, os.path.expanduser(name)))
    place = _at(connection, folder)
    found = _called(connection, name)
    if place is not None:
        meant = resolve_project(connection, place)
        others = [one for one in found if one != meant]
        # `./shop` is a folder whatever projects are called.
        if not others or os.path.dirname(name):
            return place
        raise _ambiguous(connection, name, (os.path.join(".", name), *others))
    if len(found) > 1:
        raise _ambiguous(connection, name, found)
    if not found:
        raise NotFoundError(_unknown(connection, name))
    return _place_of(connection, found[0])


def project_names(reader: Reader) -> dict[str, str]:
    """What the projects that a reader sees are called, by id."""
    return {str(key): str(name) for key, name in reader.rows("SELECT id, name FROM projects")}


def _at(connection: sqlite3.Connection, folder: str) -> Place | None:
    """The place of a folder that exists, or is gone and known; ``None`` for any other."""
    place = locate(folder)
    if not place.present:
        place.project = lost_project(connection, place)
    return place if place.present or place.project else None


def _called(connection: sqlite3.Connection, name: str) -> tuple[str, ...]:
    """The ids of the projects with this name or id; one that is linked to another counts as that one."""
    rows = connection.execute(
        "SELECT id FROM projects WHERE id = ?1 OR name = ?1 ORDER BY seen, id", (storable(name),)
    ).fetchall()
    found = (resolve_project(connection, Place("", "", project=str(key))) for (key,) in rows)
    return tuple(dict.fromkeys(str(key) for key in found))


def _place_of(connection: sqlite3.Connection, project: str) -> Place:
    """Where a project is on this disk, as far as one of its folders is still there."""
    known = connection.execute(
        "SELECT value FROM project_aliases WHERE project = ? AND kind = 'path' AND state <> 'split'"
        " ORDER BY at DESC, value",
        (project,),
    ).fetchall()
    places = [locate(str(value)) for (value,) in known]
    place = next((place for place in places if place.present), Place("", "", present=False))
    place.project = project
    return place


def _ambiguous(connection: sqlite3.Connection, name: str, choices: tuple[str, ...]) -> AmbiguousProjectError:
    shown = " or ".join(choice + _folder_of(connection, choice) for choice in choices)
    told = f"project {name} may mean {shown}; say which (`honed projects link` makes one of two)"
    return AmbiguousProjectError(told, choices)


def _folder_of(connection: sqlite3.Connection, project: str) -> str:
    """Where a project was seen last, in brackets; empty for one without a folder, and for what is none."""
    row = connection.execute(
        "SELECT value FROM project_aliases WHERE project = ? AND kind = 'path' AND state <> 'split'"
        " ORDER BY at DESC, value LIMIT 1",
        (project,),
    ).fetchone()
    return f" ({row[0]})" if row else ""


def _unknown(connection: sqlite3.Connection, name: str) -> str:
    """That there is no such project, and which there are."""
    names = [
        str(known)
        for (known,) in connection.execute(
            "SELECT DISTINCT name FROM projects WHERE name <> '' ORDER BY name LIMIT ?", (SHOWN + 1,)
        )
    ]
    more = ", ... (`honed projects list` shows all)" if len(names) > SHOWN else ""
    known = f"known are {', '.join(names[:SHOWN])}{more}" if names else "none is known yet"
    return f"project {name}: there is no such folder, and no project of that name or id; {known}"
