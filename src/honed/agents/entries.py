"""What honed puts into a JSON file of a client, found again among everything else that stands there.

Own entries are known by what they start (``clients.is_own``), so they are found after the client or its user
has written the file anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from honed.agents import json_text
from honed.agents.clients import Addition, is_own, names_home
from honed.agents.json_text import Path

_INNER_SPACE = re.compile(r"([\[{])\s+([\]}])")


def with_additions(text: str, additions: Sequence[Addition], before: str | None = None) -> str:
    """``text`` with ``additions``; hooks and servers of honed's that are no longer wanted go, the others stay
    in place.  ``before`` as in ``without_own``.

    A rule about honed that is not among the additions is its user's, who lets an agent do more or less: it
    goes only when honed goes.  So does what stands in honed's server besides (an environment, a time limit).
    Raises ``UsageError`` where something else stands in the way.
    """
    if not text.strip():
        value: dict[str, object] = {}
        for one in additions:
            value = _put(value, one)
        return json_text.dump(value) if additions else text
    there_now = json_text.parse(text)
    additions = [_with_the_rest(one, json_text.get(there_now, one.path)) for one in additions]
    text = _taken_out(text, before, lambda value: _unwanted(value, additions))
    for one in additions:
        value_now = json_text.parse(text)
        at: Path = one.path[:-1] if isinstance(one.path[-1], int) else one.path
        there = json_text.get(value_now, at)
        if isinstance(one.path[-1], int):
            if not isinstance(there, list) or not _holds(there, one.value):
                text = json_text.add(text, one.path, one.value)
        elif there != one.value:
            text = json_text.add(text, one.path, one.value)
    return text


def without_own(text: str, before: str | None) -> str:
    """``text`` without what is honed's; containers that it emptied go too, unless they were empty in
    ``before``, the file as it was (``None`` where nobody knows)."""
    return _taken_out(text, before, first_own)


def _with_the_rest(one: Addition, there: object) -> Addition:
    """An addition in place of ``there``, with what else stands in that if it is honed's."""
    if isinstance(there, dict) and isinstance(one.value, dict) and is_own(one.path, there):
        return Addition(one.path, {**there, **one.value})
    return one


def _holds(items: Sequence[object], value: object) -> bool:
    """Whether a list has a value, or a group that has its handlers (another tool may have joined it)."""
    if value in items:
        return True
    wanted = value.get("hooks") if isinstance(value, dict) else None
    if not isinstance(wanted, list) or not isinstance(value, dict):
        return False
    groups = [
        item for item in items if isinstance(item, dict) and item.get("matcher") == value.get("matcher")
    ]
    handlers = [handler for group in groups for handler in (group.get("hooks") or ())]
    return all(handler in handlers for handler in wanted)


def _put(value: dict[str, object], one: Addition) -> dict[str, object]:
    at: dict[str, object] = value
    *outer, last = [key for key in one.path if isinstance(key, str)]
    for key in outer:
        below = at.setdefault(key, {})
        at = below if isinstance(below, dict) else {}
    if isinstance(one.path[-1], int):
        items = at.setdefault(last, [])
        if isinstance(items, list):
            items.append(one.value)
    else:
        at[last] = one.value
    return value


def _taken_out(text: str, before: str | None, first: Callable[[object], Path | None]) -> str:
    if not text.strip():
        return text
    original = None if before is None else json_text.parse(before) if before.strip() else {}
    while (found := first(json_text.parse(text))) is not None:
        text = json_text.remove(text, found)
        path = found[:-1]
        while path and _is_bare(json_text.get(json_text.parse(text), path)):
            # A group is honed's own, wherever it stands now; a list or an object may have been there.
            if isinstance(path[-1], str) and json_text.get(original, path) is not None:
                break
            text = json_text.remove(text, path)
            path = path[:-1]
    same = before is not None and _without_inner_space(text) == _without_inner_space(before.strip() or "{}")
    return before if same and before is not None else text


def _without_inner_space(text: str) -> str:
    """For comparing only: taking the last thing out of a container takes the white space in it too."""
    return _INNER_SPACE.sub(lambda match: match.group(1) + match.group(2), text).strip()


def _is_bare(value: object) -> bool:
    """Whether a container is empty; a group of hooks without a handler is, whatever its matcher."""
    if isinstance(value, dict):
        return not value.get("hooks") and set(value) <= {"hooks", "matcher"}
    return value == []


def first_own(value: object) -> Path | None:
    """Where the first entry of honed's stands in a client's settings."""
    return next((path for path, entry in entries(value) if is_own(path, entry)), None)


def _unwanted(value: object, keep: Sequence[Addition]) -> Path | None:
    """The first hook, server or rule about a home of honed's that ``keep`` does not want, or that stands
    there twice."""
    seen: list[tuple[Path, object]] = []
    for path, entry in entries(value):
        if isinstance(entry, str) and not (path[1] == "deny" and names_home(entry)):
            continue
        if path[0] == "projects" or not is_own(path, entry):
            continue
        if (path[:2], entry) in seen or not _is_kept(value, path, entry, keep):
            return path
        seen.append((path[:2], entry))
    return None


def _is_kept(value: object, path: Path, entry: object, keep: Sequence[Addition]) -> bool:
    for one in keep:
        if one.value == entry and path[: len(one.path) - 1] == one.path[:-1]:
            return isinstance(one.path[-1], int) or path == one.path
        group = json_text.get(value, path[:-2])
        handlers = one.value.get("hooks") if isinstance(one.value, dict) else None
        if isinstance(handlers, list) and entry in handlers and isinstance(group, dict):
            if path[:2] == one.path[:2] and isinstance(one.value, dict):
                return group.get("matcher") == one.value.get("matcher")
    return False


def entries(value: object) -> list[tuple[Path, object]]:
    """Everything in which an entry of honed's may stand: hook handlers, servers (Claude Code keeps those that
    its user added to one project in that project's part), permission rules."""
    found: list[tuple[Path, object]] = []
    hooks = json_text.get(value, ("hooks",))
    for name, groups in hooks.items() if isinstance(hooks, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = json_text.get(group, ("hooks",))
            found += [
                (("hooks", name, number, "hooks", at), handler)
                for at, handler in enumerate(handlers if isinstance(handlers, list) else ())
            ]
    projects = json_text.get(value, ("projects",))
    within: list[Path] = [
        (),
        *(("projects", name) for name in (projects if isinstance(projects, dict) else ())),
    ]
    for where in within:
        servers = json_text.get(value, (*where, "mcpServers"))
        found += [
            ((*where, "mcpServers", name), entry)
            for name, entry in (servers.items() if isinstance(servers, dict) else ())
        ]
    for kind in ("allow", "deny"):
        rules = json_text.get(value, ("permissions", kind))
        found += [
            (("permissions", kind, at), rule)
            for at, rule in enumerate(rules if isinstance(rules, list) else ())
        ]
    return found
