"""Which repository a folder was a work tree of, told by where it lies.  Pure: nothing on the disk is asked.

For folders that are gone, so that no git file tells any more.  What a place says is a hint for the owner:
nothing is linked by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from honed.ledger.rows import ProjectRow
from honed.store.place import is_home

_WITHIN = re.compile(r"(?P<repository>.+?)(?:/\.[^/]+)?/\.?(?:worktrees|workspaces)/[^/]+")
"""``<repository>/.claude/worktrees/<name>``, ``<repository>/.worktrees/<name>``."""
_BESIDE = re.compile(r"(?P<repository>.+?)[-_.]{1,2}(?:worktrees|workspaces)/[^/]+")
"""``<repository>-worktrees/<name>``, ``<repository>__worktrees/<name>``."""
_APART = re.compile(r"(?P<folder>.+/\.?(?:worktrees|workspaces)/(?P<name>[^/]+))/[^/]+")
"""``worktrees/<repository>/<name>``: herdr, Cursor, Conductor."""


def hints(path: str) -> tuple[str, ...]:
    """What a project's folder and a work tree of it have in common, if ``path`` is of a work tree.

    ``path:`` the repository's folder, ``name:`` its name, ``group:`` the folder that its work trees share.
    """
    plain = path.replace("\\", "/").rstrip("/")
    for pattern in (_WITHIN, _BESIDE):
        match = pattern.fullmatch(plain)
        if match and not is_home(match["repository"]) and not match["repository"].endswith("/worktrees"):
            return (f"path:{match['repository']}",)
    match = _APART.fullmatch(plain)
    return (f"group:{match['folder']}", f"name:{match['name']}") if match else ()


def alike(rows: Iterable[ProjectRow]) -> Mapping[str, frozenset[str]]:
    """For each project the ids of those that its folders hint at, in both directions."""
    trees: dict[str, set[str]] = {}
    whole: dict[str, set[str]] = {}
    for row in rows:
        for alias in row.aliases:
            if alias.kind != "path" or alias.state == "split":
                continue
            found = hints(alias.value)
            for hint in found:
                trees.setdefault(hint, set()).add(row.id)
            if not found:
                plain = alias.value.replace("\\", "/").rstrip("/")
                for hint in (f"path:{plain}", f"name:{plain.rpartition('/')[2]}"):
                    whole.setdefault(hint, set()).add(row.id)
    known: dict[str, set[str]] = {}
    for hint, inside in trees.items():
        there = whole.get(hint, set[str]())
        for one in inside:
            # Two repositories may have one name, so work trees of one name alone are not of one.
            for other in (there if hint.startswith("name:") else there | inside) - {one}:
                known.setdefault(one, set()).add(other)
                known.setdefault(other, set()).add(one)
    return {one: frozenset(others) for one, others in known.items()}
