"""Who is who: which project a place is, which skill a slug means there, and the owner's links and splits.

Docs/decisions/0002-identity.md.  What was learned stays with the project that it was learned in; linking
makes it hold in the other one too, and splitting takes that back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from honed import worktrees
from honed.errors import AmbiguousSlugError, NotFoundError, RefusedError, UsageError
from honed.ledger import events, ids
from honed.ledger.model import NewEvent
from honed.ledger.rows import ProjectRow
from honed.skills.model import Skill
from honed.store.aliases import PROJECT
from honed.store.base import SkillFilter, Store
from honed.store.place import Place, name_of

Entropy = Callable[[int], bytes]

_ID = re.compile(r"sk_[a-z2-7]{16}")
_OWN = ("git", "path")
"""Kinds of aliases that one folder alone has; clones share a remote."""
MOST_NEAR = 1000
"""Of how many skills, the last changed ones, a mistyped slug may have been meant."""


@dataclass(frozen=True, slots=True)
class Known:
    """A project as the owner sees it: how many skills it has, and the projects that are linked to it."""

    row: ProjectRow
    skills: int
    linked: tuple[str, ...]
    linked_to: str
    maybe: tuple[str, ...] = ()
    """Others of this name, or whose folders lie as work trees of one repository do, that no remote tells
    apart: it may be one project seen as several."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What linking or splitting came to: the project that is meant from now on, and whether it is news."""

    project: str
    aliases: tuple[tuple[str, str], ...]
    news: bool


def known_project(store: Store, place: Place) -> str | None:
    """The id of the project of a place.

    "" for a repository that honed has not seen: nothing but global skills belongs to it.  ``None`` for
    a folder that is no project: there everything is meant.
    """
    return store.resolve_project(place) or ("" if place.git_dir else None)


def find_skill(store: Store, slug: str, place: Place) -> Skill:
    """The skill called ``slug`` at a place; ``project/slug`` and ids work from anywhere.

    In a project its own skill is meant, or a global one, and no other project's.  Raises
    ``NotFoundError``, and ``AmbiguousSlugError`` with the choices.
    """
    here = known_project(store, place)
    if here is None or "/" in slug or _ID.fullmatch(slug):
        try:
            return store.find_slug(slug)
        except NotFoundError as error:
            if store.forgotten(slug.rpartition("/")[2]) or not (near := _near(store, slug, None)):
                raise
            raise NotFoundError(f"there is no skill {slug}; {near}") from error
    scopes = store.scopes(here)
    found = [skill for scope in scopes if (skill := _in(store, scope, slug)) is not None]
    own = [skill for skill in found if skill.project] or found
    if len(own) > 1:
        choices = tuple(skill.id for skill in own)
        raise AmbiguousSlugError(f"{slug} may mean {' or '.join(choices)}; say which", choices)
    if own:
        return own[0]
    if any(skill.project in scopes for skill in store.forgotten(slug)):
        raise NotFoundError(f"{slug} was forgotten")
    hint = _near(store, slug, scopes) or "`honed list` shows what it has, `honed list --all` the others"
    raise NotFoundError(f"this project has no skill {slug or repr(slug)}; {hint}")


def _near(store: Store, slug: str, scopes: tuple[str, ...] | None) -> str:
    """A question for the slug that is nearest to ``slug``, of those in ``scopes`` or of all; else empty."""
    from difflib import get_close_matches  # who types well never loads it

    which = SkillFilter(archived=None, limit=MOST_NEAR)
    there = store.skills(which) if scopes is None else skills_in(store, scopes, which)
    near = get_close_matches(slug, [skill.slug for skill in there], 1, 0.75)
    return f"did you mean {near[0]}?" if near else ""


def _in(store: Store, scope: str, slug: str) -> Skill | None:
    try:
        found = store.find_slug(f"{scope or 'global'}/{slug}")
    except NotFoundError:
        return None
    return found if found.project == scope else None


def skills_in(store: Store, scopes: tuple[str, ...], which: SkillFilter) -> tuple[Skill, ...]:
    """Those of ``which`` that belong to one of the scopes, the last changed first."""
    found = [skill for scope in scopes for skill in store.skills(replace(which, project=scope))]
    found.sort(key=lambda skill: skill.updated_at, reverse=True)
    return tuple(found[: which.limit])


# The owner's word


def known_projects(store: Store) -> tuple[Known, ...]:
    """Every project, by name."""
    with store.moment():
        rows, counts = store.projects(), store.skills_by_project()
    linked = {row.id: _linked(row) for row in rows}
    above = {inner: outer for outer, inners in linked.items() for inner in inners}
    free = {row.id: row for row in rows if row.id not in above}
    named: dict[str, list[str]] = {}
    for row in free.values():
        if row.name:
            named.setdefault(row.name, []).append(row.id)
    order = {key: place for place, key in enumerate(free)}
    trees = worktrees.alike(free.values())
    return tuple(
        Known(
            row,
            counts.get(row.id, 0),
            linked[row.id],
            above.get(row.id, ""),
            tuple(
                other
                for other in sorted({*named.get(row.name, ()), *trees.get(row.id, ())}, key=order.__getitem__)
                if _may_be_one(row, free[other])
            )
            if row.id in free
            else (),
        )
        for row in rows
    )


def _may_be_one(row: ProjectRow, other: ProjectRow) -> bool:
    remotes = [_values(one, "remote") for one in (row, other)]
    told_apart = all(remotes) and not remotes[0] & remotes[1]
    split = _was_split(row, other.id) or _was_split(other, row.id)
    return row.id != other.id and not told_apart and not split


def _linked(row: ProjectRow) -> tuple[str, ...]:
    return tuple(a.value for a in row.aliases if a.kind == PROJECT and a.state != "split")


def link(store: Store, keep: Place, other: Place, entropy: Entropy) -> Changed:
    """Say that ``other`` is the project of ``keep``: a folder, or a project with all its folders.

    Raises ``NotFoundError`` where ``keep`` is no project, ``UsageError`` for a folder that can be none.
    """
    target, source = store.resolve_project(keep), store.resolve_project(other)
    if target is None:
        raise NotFoundError(f"honed knows no project at {keep.cwd}; `honed projects list` shows all")
    if source == target:
        return Changed(target, (), news=False)
    new: list[NewEvent] = []
    if source is None:
        aliases = tuple(alias for alias in other.aliases if alias[0] in _OWN)
        if not aliases:
            raise UsageError(f"{other.cwd} can be no project: a home folder, or the top of a disk")
    else:
        # Links are flat: what was linked to the other is linked to this one from now on.
        moved = [row for row in known_projects(store) if row.row.id == source]
        inner = moved[0].linked if moved else ()
        aliases = tuple((PROJECT, one) for one in (source, *inner))
        new += [events.project_split(source, PROJECT, one, entropy(16)) for one in inner]
    new += [events.project_linked(target, kind, value, entropy(16)) for kind, value in aliases]
    store.append(new)
    return Changed(target, aliases, news=True)


def link_same(store: Store, entropy: Entropy) -> tuple[tuple[str, str], ...]:
    """Link projects that two homes have seen each for itself: of one remote, or of one git folder and no two
    remotes.  Returns ``(kept, linked)`` ids; what the owner split stays apart."""
    known = {one.row.id: one for one in known_projects(store)}
    holders: dict[tuple[str, str], list[str]] = {}
    for one in sorted(known.values(), key=lambda one: (one.row.seen, one.row.id)):
        for alias in one.row.aliases:
            if alias.kind in ("remote", "git") and alias.state != "split":
                holders.setdefault((alias.kind, alias.value), []).append(one.row.id)
    linked = []
    for (kind, _), (first, *others) in sorted(holders.items(), reverse=True):
        for other in others:
            remotes = [_values(known[key].row, "remote") for key in (first, other)]
            if kind == "git" and all(remotes) and not remotes[0] & remotes[1]:
                continue
            keep, same = (Place("", "", project=key) for key in (first, other))
            if not _was_split(known[first].row, other) and link(store, keep, same, entropy).news:
                linked.append((first, other))
    return tuple(linked)


def _values(row: ProjectRow, kind: str) -> set[str]:
    return {alias.value for alias in row.aliases if alias.kind == kind and alias.state != "split"}


def _was_split(row: ProjectRow, other: str) -> bool:
    return any((a.kind, a.value, a.state) == (PROJECT, other, "split") for a in row.aliases)


def split(store: Store, name: str, here: str, entropy: Entropy) -> Changed:
    """Take a project out of the one it is linked to, or make a folder a project of its own.

    ``name`` is as in ``Store.named``; of a project that is linked, its own id or name, or a folder of it.
    Raises ``NotFoundError`` for what is part of nothing, ``UsageError`` and ``RefusedError`` where there is
    nothing to part.
    """
    known = {one.row.id: one for one in known_projects(store)}
    inner = [one for one in known.values() if one.linked_to and name in (one.row.id, one.row.name)]
    if len(inner) == 1:
        return _unlinked(store, inner[0], entropy)
    place = store.named(name, here)
    whole = store.resolve_project(place)
    if whole is None:
        raise NotFoundError(f"{name} is part of no project that honed knows")
    held = [one for one in known.values() if one.linked_to == whole and _has(one.row, place)]
    if held:
        return _unlinked(store, held[0], entropy)
    _refuse_whole(name, place, known[whole].row)
    aliases = tuple(alias for alias in place.aliases if alias[0] in _OWN)
    own = ids.random_id("pr_", entropy(10))
    there = {(a.kind, a.value) for a in known[whole].row.aliases}
    new = [events.project_seen(own, name_of(place), (), entropy(16))]
    new += [events.project_linked(own, kind, value, entropy(16)) for kind, value in aliases]
    new += [events.project_split(whole, *alias, entropy(16)) for alias in aliases if alias in there]
    store.append(new)
    return Changed(own, aliases, news=True)


def _unlinked(store: Store, inner: Known, entropy: Entropy) -> Changed:
    alias = (PROJECT, inner.row.id)
    store.append([events.project_split(inner.linked_to, *alias, entropy(16))])
    return Changed(inner.row.id, (alias,), news=True)


def _has(row: ProjectRow, place: Place) -> bool:
    """Whether a folder is one of a project's own."""
    mine = {(a.kind, a.value) for a in row.aliases if a.state != "split" and a.kind in _OWN}
    return any(alias in mine for alias in place.aliases)


def _refuse_whole(name: str, place: Place, whole: ProjectRow) -> None:
    """Refuse to part what is one: a part of a work tree, a work tree of one repository, a project's all."""
    if place.project or not place.root:
        raise UsageError(f"{name} is no part of another project; name a folder that is to be one of its own")
    if place.subpath:
        raise UsageError(f"{name} lies in the work tree {place.root}; name that, or set `exclude`")
    if place.worktree:
        raise RefusedError(f"{name} is a work tree of the same repository, so it is the same project")
    others = [a for a in whole.aliases if a.kind in _OWN and a.state != "split"]
    if all((a.kind, a.value) in place.aliases for a in others):
        raise RefusedError(f"{name} is all that {whole.name or whole.id} has, so there is nothing to part")
