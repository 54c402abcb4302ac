"""The steps that mattered, one short line each: files with their places and names, and commands.

Sentences are made of typed parts (paths, names, commands) in back-ticks; nothing an agent wrote in
prose gets here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Literal, TypeAlias

from honed.skills import anchors
from honed.skills.model import Anchor, FileRef
from honed.skills.tokens import clip
from honed.skills.trail import Setup
from honed.skills.work import FileWork

Role: TypeAlias = Literal["changed", "created", "deleted", "read", "test"]

MOST_FILES = 12
MOST_COMMANDS = 4
_NAMES = 3
_SYMBOLS = 3
_USED = 2
_SENTENCE = 16
"""Tokens of the title of a test."""


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
        if not work.is_document:
            names |= dict.fromkeys(n for n in (*changed_symbols(work), *new_symbols(work)) if " " not in n)
    return tuple(names)[:20]


def changed_symbols(work: FileWork) -> list[str]:
    """The names of what was there before and was changed, in the order of the work."""
    return [place.symbol for place in _anchors(work) if place.symbol]


def new_symbols(work: FileWork) -> list[str]:
    """The names of what was defined anew, in the order of the work."""
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
    """What to do in one file: ``In `a.py`: add `g`; change `f` (use `x` instead of `y`)``."""
    if work.deleted:
        return f"Delete `{work.path}`"
    if work.old_path:
        return f"Rename `{work.old_path}` to `{work.path}`"
    new = new_symbols(work)
    if work.created:
        return f"Create `{work.path}`" + (f" with {_listed(new)}" if new else "")
    places = [name for name in changed_symbols(work) if name not in new]
    used = usage(work, {*new, *places}) if not new else ""
    doing = []
    if new:
        doing.append(f"add {_listed(new)}")
    if places:
        doing.append(f"change {_listed(places[:_SYMBOLS])}" + (f" ({used})" if used else ""))
    elif used:
        doing.append(used)
    verb = "Add tests to" if work.is_test and new else "In" if doing else "Change"
    if verb == "Add tests to":
        return f"{verb} `{work.path}`: {_listed(new)}"
    return f"{verb} `{work.path}`" + (f": {'; '.join(doing)}" if doing else "")


def usage(work: FileWork, named: Container[str]) -> str:
    """What came into use and what went, where names tell it; those ``named`` already are left out."""
    added, gone = anchors.names_changed(work.hunks)
    came = _telling(name for name in added if name not in named)
    went = _telling(name for name in gone if name not in named)
    if came and went:
        return f"use {_listed(came)} instead of {_listed(went)}"
    return f"use {_listed(came)}" if came else f"remove {_listed(went)}" if went else ""


def _telling(names: Iterable[str]) -> list[str]:
    """The names that tell something: compound ones and options.  A plain word stands in any file."""
    return [name for name in names if anchors.weight(name) > 1][:_USED]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(_shown(name) for name in names[:_NAMES])
    return shown + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")


def _shown(name: str) -> str:
    """A name as it stands; a sentence (the title of a test) in quotation marks, shortened."""
    return f'"{clip(name, _SENTENCE)}"' if " " in name else f"`{name}`"
