"""Code mode: which tools did a JavaScript program call, and which of its printed lines belongs to which?

The program is never run.  Calls of ``tools.NAME(...)`` are found with their literal arguments, through
constants, lists that are looped over or mapped, and small helper functions.  ``text(...)`` calls tell the
order in which results were printed, which ``codex_bind`` uses.

Source of the form: rollouts of 0.142 to 0.171; the tool's own description names ``tools`` and ``text``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from honed.sessions.codex_js import UNKNOWN, Literals, closing, mask, substitution_end

MAX_CALLS = 200
"""Calls told of one program; a longer one is a loop over data, and its tail is left out."""

MAX_CONSTRUCTS = 300
"""Loops, helpers, prints (each) that are looked at in one program: more is no program a person would read."""

_CALL = re.compile(r"(?<![\w.$])tools\s*\.\s*([\w$]+)\s*\(")
_PRINT = re.compile(r"(?<![\w.$])text\s*\(")
_DECLARED = re.compile(r"\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?!=)")
_UNPACKED_TOOLS = re.compile(r"\{([^{}]*)\}\s*=\s*tools\b(?!\s*\.)")
_ASSIGNED = re.compile(r"(\[[^\[\]=;]*\]|\{[^{}=;]*\}|[\w$]+)\s*=\s*(?:\(\s*)?(?:await\s+)?\s*\Z")
_PUSHED = re.compile(r"([\w$]+)\s*\.\s*push\s*\(\s*(?:await\s+)?\Z")
_TOGETHER = re.compile(r"\bPromise\s*\.\s*(?:all|allSettled|race|any)\s*\(")
_FOR = re.compile(r"\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+([^;()]*?)\s+of\s+")
_EACH = re.compile(
    r"([\w$]+|\])\s*(?:\.\s*entries\s*\(\s*\)\s*)?\.\s*(?:map|forEach|flatMap)\s*\(\s*(?:async\s*)?"
    r"(?:\(([^()=]*)\)|([\w$]+))\s*=>"
)
_HELPER = re.compile(
    r"\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:function\s*)?(?:\(([^()]*)\)|([\w$]+))\s*(?:=>|(?=\{))"
    r"|\bfunction\s+([\w$]+)\s*\(([^()]*)\)\s*(?=\{)"
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_LOOK_BACK = 300


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


@dataclass(frozen=True, slots=True)
class _Scope:
    """A stretch of the program that runs once for each of ``rows`` (each: the names it binds).

    ``helper`` names the function whose body it is; then it runs once for each call of it.
    ``over`` names the list it goes through, where that list holds results.
    """

    start: int
    end: int
    rows: tuple[Mapping[str, Any], ...] = ()
    helper: str = ""
    params: tuple[str, ...] = ()
    over: str = ""


_Run = tuple[tuple[int, ...], dict[str, Any], int]
"""One execution of a place: its key in the order, the names bound there, where its result goes."""


class _Program:
    __slots__ = ("helpers", "literals", "masked", "names", "scopes", "source", "together")

    def __init__(self, source: str) -> None:
        self.source = source
        self.masked = mask(source)
        self.literals = Literals(source, self.masked)
        self.names: dict[str, Any] = {}
        for match in _DECLARED.finditer(self.masked):
            value = self.literals.value(match.end(), self.names)
            if value is not UNKNOWN:
                self.names[match[1]] = value
        self.scopes = [*self._loops(), *self._helpers()]
        self.helpers = {scope.helper: scope for scope in self.scopes if scope.helper}
        self.together = [
            (match.start(), closing(self.masked, match.end() - 1), self.kept_in(match.start()))
            for match in islice(_TOGETHER.finditer(self.masked), MAX_CONSTRUCTS)
        ]

    # -- structure -------------------------------------------------------------------------------

    def _loops(self) -> list[_Scope]:
        found = []
        for match in islice(_FOR.finditer(self.masked), MAX_CONSTRUCTS):
            head = self.masked.rfind("(", match.start(), match.end())
            close = closing(self.masked, head)
            start = close + 1
            brace = re.compile(r"\s*\{").match(self.masked, start)
            if brace:
                end = closing(self.masked, brace.end() - 1)
            else:
                stop = self.masked.find(";", start)
                end = stop if stop >= 0 else len(self.masked)
            listed = self.literals.value(match.end(), self.names)
            over = _WORD.match(self.masked, match.end())
            found.append(self._loop(start, end, match[1], listed, over[0] if over else ""))
        each = _EACH.finditer(self.masked) if "map" in self.masked or "forEach" in self.masked else ()
        for match in islice(each, MAX_CONSTRUCTS):
            end = closing(
                self.masked, self.masked.rfind("(", 0, match.start(2) if match[2] else match.start(3))
            )
            if match[2] is not None:
                opening = self.masked.rfind("(", 0, match.start(2) - 1)
                end = closing(self.masked, opening)
            listed = self._list_before(match)
            found.append(self._loop(match.end(), end, match[2] or match[3] or "", listed, match[1]))
        return found

    def _list_before(self, match: re.Match[str]) -> Any:
        if match[1] != "]":
            return self.names.get(match[1], UNKNOWN)
        depth, at = 0, match.start(1)
        while at >= 0:
            depth += (self.masked[at] == "]") - (self.masked[at] == "[")
            if not depth:
                return self.literals.array(at, self.names)[0]
            at -= 1
        return UNKNOWN

    def _loop(self, start: int, end: int, pattern: str, listed: Any, over: str) -> _Scope:
        rows: tuple[Mapping[str, Any], ...] = ()
        params = tuple(_WORD.findall(pattern))
        if isinstance(listed, list):
            rows = tuple(_bound(pattern.strip(), params, value) for value in listed[:MAX_CALLS])
        return _Scope(start, end, rows, "", params, over)

    def _helpers(self) -> list[_Scope]:
        found = []
        if "=>" not in self.masked and "function" not in self.masked:
            return []
        for match in islice(_HELPER.finditer(self.masked), MAX_CONSTRUCTS):
            name = match[1] or match[4]
            params = tuple(_WORD.findall(match[2] or match[3] or match[5] or ""))
            brace = re.compile(r"\s*\{").match(self.masked, match.end())
            if brace:
                end = closing(self.masked, brace.end() - 1)
            else:
                end = _statement_end(self.masked, match.end())
            found.append(_Scope(match.end(), end, (), name, params))
        return found

    # -- runs ------------------------------------------------------------------------------------

    def runs(self, at: int, depth: int = 0) -> list[_Run]:
        """Every execution of the place ``at``, as far as loops and helpers can be followed."""
        around = sorted(
            (s for s in self.scopes if s.start <= at < s.end), key=lambda scope: scope.end - scope.start
        )
        found: list[_Run] = [((at,), {}, at)]
        for scope in around:
            if scope.helper:
                sites = self._sites(scope, depth) if depth < 3 else []
                if sites:
                    found = [
                        ((*key, *inner), {**outer_names, **names}, site)
                        for key, outer_names, site in sites
                        for inner, names, _ in found
                    ]
            elif scope.rows:
                found = [
                    ((scope.start, turn, *key), {**row, **names}, site)
                    for turn, row in enumerate(scope.rows)
                    for key, names, site in found
                ]
            else:
                found = [((scope.start, 0, *key), names, site) for key, names, site in found]
            found = found[:MAX_CALLS]
        return found

    def _sites(self, scope: _Scope, depth: int) -> list[_Run]:
        found: list[_Run] = []
        named = re.finditer(rf"(?<![\w.$]){re.escape(scope.helper)}\s*\(", self.masked)
        for match in islice(named, MAX_CONSTRUCTS):
            if scope.start <= match.start() < scope.end:
                continue
            if re.search(r"\bfunction\s+\Z", self.masked[max(0, match.start() - 12) : match.start()]):
                continue
            close = closing(self.masked, match.end() - 1)
            for key, names, _ in self.runs(match.start(), depth + 1):
                known = {**self.names, **names}
                bound = dict(names)
                at = match.end()
                for name in scope.params:
                    if at >= close:
                        break
                    bound[name] = self.literals.value(at, known)
                    at = self.literals.part_end(at, close) + 1
                found.append((key, bound, match.start()))
        return found

    # -- names of results ------------------------------------------------------------------------

    def kept_in(self, at: int) -> str:
        """The left side of the assignment whose right side begins at ``at``, or ``""``."""
        match = _ASSIGNED.search(self.masked, max(0, at - _LOOK_BACK), at)
        return match[1] if match else ""

    def holders(self, at: int, site: int, place: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names and the lists in which the result of the call at ``at`` is kept, which a helper makes
        for ``site``; ``place`` is its place among the calls that run together with it."""
        held: list[str] = []
        listed: list[str] = []
        for here in {at, site}:
            direct = self.kept_in(here)
            held += [direct] if direct and direct[0] not in "[{" else []
            pushed = _PUSHED.search(self.masked, max(0, here - _LOOK_BACK), here)
            listed += [pushed[1]] if pushed else []
        for start, end, kept in self.together:
            if start < site < end and kept.startswith("["):
                held += [part.strip() for part in kept[1:-1].split(",")][place : place + 1]
            elif start < site < end and kept:
                listed.append(kept)
        return tuple(name for name in held if name), tuple(listed)


def _bound(pattern: str, params: Sequence[str], value: Any) -> dict[str, Any]:
    if pattern.startswith("[") and isinstance(value, list):
        return dict(zip(params, value, strict=False))
    if pattern.startswith("{") and isinstance(value, dict):
        return {name: value.get(name, UNKNOWN) for name in params}
    return {params[0]: value} if params else {}


def _statement_end(masked: str, at: int) -> int:
    """Where an arrow function without braces ends."""
    stops = re.compile(r"[;(\[{)\]}]")
    while match := stops.search(masked, at):
        if match[0] not in "([{":
            return match.start()
        at = closing(masked, match.start()) + 1
    return len(masked)


def read_script(source: str) -> Script:
    """The tool calls and prints of a program, in the order in which they run."""
    program = _Program(source)
    found = islice(_CALL.finditer(program.masked), MAX_CONSTRUCTS)
    places = [(match.start(), match[1], match.end()) for match in found]
    for match in _UNPACKED_TOOLS.finditer(program.masked):
        for name in _WORD.findall(match[1]):
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
    return Script(tuple(calls), tuple(item for _, item in prints[:MAX_CALLS]))


def _calls(program: _Program, places: Sequence[tuple[int, str, int]]) -> list[ScriptCall]:
    runs = [(run, tool, at, inside) for at, tool, inside in places for run in program.runs(at)]
    runs.sort(key=lambda item: item[0][0])
    places_taken: dict[int, int] = {}
    calls: list[ScriptCall] = []
    for (key, names, site), tool, at, inside in runs[:MAX_CALLS]:
        group = next((start for start, end, _ in program.together if start < site < end), -1)
        place = places_taken.get(group, 0)
        places_taken[group] = place + 1
        argument = program.literals.value(inside, {**program.names, **names})
        calls.append(ScriptCall(tool, argument, key, *program.holders(at, site, place), at))
    return calls


def _prints(
    program: _Program, at: int, start: int, close: int, calls: Sequence[ScriptCall], inside: Sequence[int]
) -> list[tuple[tuple[int, ...], ScriptPrint]]:
    source = program.source[start:close]
    words = set(_WORD.findall(program.masked[start:close]))
    for opening in re.finditer(r"\$\{", source):
        words.update(_WORD.findall(source[opening.end() : substitution_end(source, opening.end())]))
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
