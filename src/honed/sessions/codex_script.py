"""Code mode: which tools did a JavaScript program call, and which of its printed lines belongs to which?

The program is never run.  Calls of ``tools.NAME(...)`` are found with their literal arguments, through
constants, lists that are looped over or mapped, and small helper functions.  ``text(...)`` calls tell the
order in which results were printed, which ``codex_bind`` uses.

Source of the form: rollouts of 0.142 to 0.171; the tool's own description names ``tools`` and ``text``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from honed.sessions.codex_js import closing, substitution_end
from honed.sessions.codex_program import MAX_CONSTRUCTS, MAX_RUNS, WORD, Program

_CALL = re.compile(r"(?<![\w.$])tools\s*\??\.\s*([\w$]+)\s*(?:\?\.)?\s*\(")
_PRINT = re.compile(r"(?<![\w.$])text\s*\(")
_UNPACKED_TOOLS = re.compile(r"\{([^{}]*)\}\s*=\s*tools\b(?!\s*\.)")


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """One call of a tool in a program: its name, its argument where literal, its place in the order."""

    tool: str
    argument: Any
    key: tuple[int, ...] = ()
    held_in: tuple[str, ...] = ()
    """The names under which the program keeps the result."""
    listed_in: tuple[str, ...] = ()
    """The lists into which it puts the result."""
    at: int = 0


@dataclass(frozen=True, slots=True)
class ScriptPrint:
    """One ``text(...)``: its argument's source, and the calls whose results it prints (by index)."""

    source: str
    calls: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """What a program does, as far as it can be read."""

    calls: tuple[ScriptCall, ...]
    prints: tuple[ScriptPrint, ...]


def read_script(source: str) -> Script:
    """The tool calls and prints of a program, in the order in which they run."""
    program = Program(source)
    found = islice(_CALL.finditer(program.masked), MAX_CONSTRUCTS)
    places = [(match.start(), match[1], match.end()) for match in found]
    for match in _UNPACKED_TOOLS.finditer(program.masked):
        for name in WORD.findall(match[1]):
            named = re.compile(rf"(?<![\w.$]){re.escape(name)}\s*\(")
            uses = islice(named.finditer(program.masked), MAX_CONSTRUCTS)
            places += [(use.start(), name, use.end()) for use in uses]
    calls = _calls(program, places)
    prints: list[tuple[tuple[int, ...], ScriptPrint]] = []
    for match in islice(_PRINT.finditer(program.masked), MAX_CONSTRUCTS):
        close = closing(program.masked, match.end() - 1)
        inside = [i for i, call in enumerate(calls) if match.end() <= call.at < close]
        prints += _prints(program, match.start(), match.end(), close, calls, inside)
    prints.sort(key=lambda item: item[0])
    return Script(tuple(calls), tuple(item for _, item in prints[:MAX_RUNS]))


def _calls(program: Program, places: Sequence[tuple[int, str, int]]) -> list[ScriptCall]:
    runs = [(run, tool, at, inside) for at, tool, inside in places for run in program.runs(at)]
    runs.sort(key=lambda item: item[0][0])
    places_taken: dict[int, int] = {}
    calls: list[ScriptCall] = []
    for (key, names, site), tool, at, inside in runs[:MAX_RUNS]:
        group = next((start for start, end, _ in program.together if start < site < end), -1)
        place = places_taken.get(group, 0)
        places_taken[group] = place + 1
        argument = program.literals.value(inside, {**program.names_at(at), **names})
        calls.append(ScriptCall(tool, argument, key, *program.holders(at, site, place), at))
    return calls


def _prints(
    program: Program, at: int, start: int, close: int, calls: Sequence[ScriptCall], inside: Sequence[int]
) -> list[tuple[tuple[int, ...], ScriptPrint]]:
    source = program.source[start:close]
    words = set(WORD.findall(program.masked[start:close]))
    for opening in re.finditer(r"\$\{", source):
        words.update(WORD.findall(source[opening.end() : substitution_end(source, opening.end())]))
    over = next((s for s in program.scopes if s.start <= at < s.end and s.over and not s.rows), None)
    if over is not None:  # ``results.forEach(r => text(r.output))``: one print for each call of that list
        held = [i for i, call in enumerate(calls) if over.over in call.listed_in]
        if held and words & set(over.params):
            return [((over.start, turn, at), ScriptPrint(source, (i,))) for turn, i in enumerate(held)]
    found = []
    for key, _, _ in program.runs(at):
        if inside:
            mine = [i for i in inside if calls[i].key[: len(key) - 1] == key[:-1]]
        else:
            mine = _named(key, words, calls)
        found.append((key, ScriptPrint(source, tuple(mine))))
    return found


def _named(key: tuple[int, ...], words: set[str], calls: Sequence[ScriptCall]) -> list[int]:
    """The calls whose results a print with these words shows: a name's last one, all of a list."""
    latest: dict[str, int] = {}
    listed: list[int] = []
    for index, call in enumerate(calls):
        if call.key > key:
            break
        latest.update((name, index) for name in call.held_in if name in words)
        if words.intersection(call.listed_in):
            listed.append(index)
    return sorted({*latest.values(), *listed})
