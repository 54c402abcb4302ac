"""Whose is this?  A place belongs to the project that holds one of its aliases.

On the hot path (docs/decisions/0004); reads only.  How aliases make a project is decided in
docs/decisions/0002-identity.md.
"""

from __future__ import annotations

import os

from honed.patterns import compiled
from honed.store.place import folders_above, is_home, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from honed.store.place import Place

PROJECT = "project"
"""The kind of alias by which one project is another one; its value is the other's id."""
_SHARED = r"(?:/|/home|/Users|/tmp|/private/tmp|/var/tmp|/mnt|/opt|/srv|[A-Za-z]:[\\/]?(?:Users)?)"
"""Folders that everything lies in: a project known there says nothing of the folders below."""
_LAYOUTS = r"/\.?(?:worktrees|workspaces)/([^/]+)/([^/]+)$"


def resolve_project(connection: sqlite3.Connection, place: Place) -> str | None:
    """The id of the project a place belongs to, or ``None``; reads only.

    The strongest alias that is known decides.  A known *path* whose project has other remotes than
    the place's is somebody else's: the folder was used again.  A place that nobody knows belongs to
    the nearest known path above it, unless it is a work tree or a clone of its own.  A project that the
    owner linked to another one is that one.
    """
    project = place.project or _by_alias(connection, place) or _inferred(connection, place)
    return _linked_to(connection, project) if project else None


def recognise(connection: sqlite3.Connection, place: Place) -> tuple[str | None, list[tuple[str, str]]]:
    """``resolve_project``, and the aliases of the place that should be noted for the project.

    Those are the ones that nobody holds and that the owner has not split from it.  A folder inside a
    known one adds nothing.
    """
    if place.project:
        return _linked_to(connection, place.project), []
    project = _by_alias(connection, place)
    if project is None:
        above = _inferred(connection, place)
        if above is not None:
            return _linked_to(connection, above), []
    else:
        project = _linked_to(connection, project)
    fresh = [
        (kind, value)
        for kind, value in place.aliases
        if _holder(connection, kind, value) is None and not _split(connection, kind, value, project)
    ]
    return project, fresh


def _linked_to(connection: sqlite3.Connection, project: str) -> str:
    """The project that the owner linked this one to, or itself.  Links are flat: see ``linking``."""
    return _holder(connection, PROJECT, project) or project


def kin(connection: sqlite3.Connection, project: str) -> tuple[str, ...]:
    """A project and those that are linked to it: what was learned in one of them holds in all."""
    found = connection.execute(
        "SELECT value FROM project_aliases WHERE project = ? AND kind = ? AND state <> 'split'"
        " ORDER BY value",
        (storable(project), PROJECT),
    )
    return (project, *(str(value) for (value,) in found))


def _by_alias(connection: sqlite3.Connection, place: Place) -> str | None:
    for kind, value in place.aliases:
        project = _holder(connection, kind, value)
        if project and not (kind == "path" and _contradicts(connection, project, place.remote)):
            return project
    return None


def _inferred(connection: sqlite3.Connection, place: Place) -> str | None:
    return _by_folder_above(connection, place) or _by_layout(connection, place)


def _by_folder_above(connection: sqlite3.Connection, place: Place) -> str | None:
    if place.git_dir or place.remote or not place.root:
        return None
    for folder in folders_above(place.root):
        if is_home(folder) or compiled(_SHARED).fullmatch(folder):
            return None
        project = _holder(connection, "path", folder)
        if project:
            return project
    return None


def _by_layout(connection: sqlite3.Connection, place: Place) -> str | None:
    """The project of a work tree that an agent made and removed again, by where agents put them.

    Nothing on the disk tells any more; ``worktrees/<repository>/<name>`` (herdr, Cursor, Conductor's
    workspaces) and ``worktrees/<id>/<repository>`` (Codex) name the repository.  Only a name that one
    project alone has is taken.
    """
    if place.present or place.git_dir or place.remote or not place.root:
        return None
    layout = compiled(_LAYOUTS).search(place.root.replace("\\", "/"))
    for name in layout.groups() if layout else ():
        found = connection.execute(
            "SELECT DISTINCT project FROM project_aliases WHERE kind = 'path' AND state <> 'split'"
            " AND substr(value, -length(?1)) IN (?1, ?2) LIMIT 2",
            ("/" + storable(name), "\\" + storable(name)),
        ).fetchall()
        if len(found) == 1:
            return str(found[0][0])
    return None


def lost_project(connection: sqlite3.Connection, place: Place) -> str:
    """The project of a folder that is gone: known by its path, by one above it that is gone too, or by
    where agents put work trees; empty for one that nobody knows."""
    for folder in (place.cwd, *folders_above(place.cwd)):
        if os.path.isdir(folder):
            break
        project = _holder(connection, "path", folder)
        if project:
            return project
    return _by_layout(connection, place) or ""


def _split(connection: sqlite3.Connection, kind: str, value: str, project: str | None) -> bool:
    return project is not None and bool(
        connection.execute(
            "SELECT 1 FROM project_aliases WHERE kind = ? AND value = ? AND project = ?",
            (kind, storable(value), project),
        ).fetchone()
    )


def _holder(connection: sqlite3.Connection, kind: str, value: str) -> str | None:
    """Who holds an alias: the newest link by the owner, else who saw it first."""
    rows = connection.execute(
        "SELECT project, state, at FROM project_aliases WHERE kind = ? AND value = ? AND state <> 'split'"
        " ORDER BY at, project",
        (kind, storable(value)),
    ).fetchall()
    linked = [project for project, state, _ in rows if state == "linked"]
    if linked:
        return str(linked[-1])
    return str(rows[0][0]) if rows else None


def _contradicts(connection: sqlite3.Connection, project: str, remote: str) -> bool:
    known = [
        value
        for (value,) in connection.execute(
            "SELECT value FROM project_aliases WHERE project = ? AND kind = 'remote' AND state <> 'split'",
            (project,),
        )
    ]
    return bool(remote and known and storable(remote) not in known)
