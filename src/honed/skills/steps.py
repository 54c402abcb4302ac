"""The steps that mattered, one short line each: files with their places and names, and commands.

Sentences are made of typed parts (paths, names, commands) in back-ticks; nothing an agent wrote in
prose gets here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from honed.skills import anchors
from honed.skills.model import Anchor, FileRef
from honed.skills.trail import Setup
from honed.skills.work import FileWork

Role: TypeAlias = Literal["changed", "created", "deleted", "read", "test"]

MOST_FILES = 12
MOST_COMMANDS = 4
_NAMES = 4
_SYMBOLS = 3


def file_refs(works: Iterable[FileWork]) -> tuple[FileRef, ...]:
    """The files of ``works`` with their places, code before prose."""
    ordered = sorted(works, key=lambda work: work.is_document)
    return tuple(FileRef(work.path, _anchors(work), _role(work)) for work in ordered[: MOST_FILES * 2])


def _role(work: FileWork) -> Role:
    if work.deleted:
        return "deleted"
    if work.is_test:
        return "test"
    return "created" if work.created else "changed"


def _anchors(work: FileWork) -> tuple[Anchor, ...]:
    if work.created or work.deleted:
        return ()
    found: dict[str, Anchor] = {}
    for hunk in work.hunks:
        place = anchors.anchor(hunk, work.path)
        if place.symbol or place.context:
            found.setdefault(place.symbol or place.context, place)
    named = [place for place in found.values() if place.symbol]
    return tuple((named or list(found.values()))[:_SYMBOLS])


def symbols(works: Iterable[FileWork]) -> tuple[str, ...]:
    """The names of what was defined or changed, in order, at most 20."""
    names: dict[str, None] = {}
    for work in works:
        if work.is_document:
            continue
        for place in _anchors(work):
            if place.symbol and " " not in place.symbol:
                names[place.symbol] = None
        for name in _new_definitions(work):
            if " " not in name:
                names[name] = None
    return tuple(names)[:20]


def _new_definitions(work: FileWork) -> list[str]:
    old = {name for hunk in work.hunks for name in anchors.definitions(hunk.old)}
    new = [name for hunk in work.hunks for name in anchors.definitions(hunk.new)]
    return [name for name in dict.fromkeys(new) if name not in old]


def step_lines(works: Sequence[FileWork], setups: Sequence[Setup], until: int) -> tuple[str, ...]:
    """The lines of one task, in the order of its work; ``until`` is the ordinal of the deciding run."""
    code = [work for work in works if not work.is_document]
    timed = [(work.at, file_line(work)) for work in code[:MOST_FILES]]
    seen: set[str] = set()
    for setup in setups:
        if setup.at < until and setup.command not in seen and len(seen) < MOST_COMMANDS:
            seen.add(setup.command)
            timed.append((setup.at, f"Run `{setup.command}`"))
    lines = [line for _, line in sorted(timed, key=lambda pair: pair[0])]
    rest = [work.path for work in code[MOST_FILES:]]
    if rest:
        lines.append("Also change " + ", ".join(f"`{path}`" for path in rest[:8]))
    prose = [work.path for work in works if work.is_document and not work.deleted]
    if prose and code:
        lines.append("Update " + ", ".join(f"`{path}`" for path in prose[:3]))
    return tuple(lines)


def file_line(work: FileWork) -> str:
    """One file's change in a line: ``Edit `a.py` (in `f`): adds `g`; removes `h```."""
    if work.deleted:
        return f"Delete `{work.path}`"
    if work.old_path:
        return f"Rename `{work.old_path}` to `{work.path}`"
    defined = _new_definitions(work)
    if work.created:
        return f"Create `{work.path}`" + (f": defines {_listed(defined)}" if defined else "")
    places = [place.symbol for place in _anchors(work) if place.symbol and place.symbol not in defined]
    added, gone = anchors.names_changed(work.hunks)
    added = _best(name for name in added if name not in defined and name not in places)
    gone = _best(name for name in gone if name not in places)
    parts = []
    if defined:
        parts.append(f"adds {_listed(defined)}")
    if added and len(defined) < _NAMES:
        parts.append(f"{'with' if defined else 'adds'} {_listed(added[: _NAMES - len(defined)])}")
    if gone and not (defined or added):
        parts.append(f"removes {_listed(gone)}")
    elif gone and len(parts) < 2:
        parts.append(f"replaces {_listed(gone[:2])}")
    verb = "Extend" if work.is_test and defined else "Edit"
    where = f" (in {_listed(places[:_SYMBOLS])})" if places else ""
    what = f": {', '.join(parts)}" if parts else ""
    return f"{verb} `{work.path}`{where}{what}"


def _best(names: Iterable[str]) -> list[str]:
    """The telling names; single plain words only where there is nothing better."""
    every = list(names)
    telling = [name for name in every if anchors.weight(name) > 0]
    return telling or every[:2]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name[:60]}`" for name in names[:_NAMES])
    return shown + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")
