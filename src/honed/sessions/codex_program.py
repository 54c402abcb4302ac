"""The structure of a code-mode program: its constants, loops, helper functions, and what runs how often.

Found with plain patterns in the program's mask, never by running it.  A place in the program may run several
times: once for each element of a literal list, once for each call of the function it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from honed.sessions.codex_js import UNKNOWN, Literals, closing, mask

MAX_RUNS = 200
"""Executions of one place that are told: more is a loop over data, and its tail is left out."""
MAX_CONSTRUCTS = 300
"""Loops, helpers, uses (each) that are looked at in one program: more is no program a person would read."""

WORD = re.compile(r"[A-Za-z_$][\w$]*")
_DECLARED = re.compile(r"\b(const|let|var)\s+([\w$]+)\s*=\s*(?!=)")
_CHANGED = re.compile(
    r"(?<![\w.$])(?:(let|var)\s+)?([\w$]+)\s*(?:(?:[-+*/|&?]{0,2}=(?![=>]))|\.\s*(?:push|unshift|splice|pop|shift)\s*\()"
)
_PUSHED = re.compile(r"([\w$]+)\s*\.\s*push\s*\(\s*(?:await\s+)?\Z")
_ASSIGNED = re.compile(r"(\[[^\[\]=;]*\]|\{[^{}=;]*\}|[\w$]+)\s*=\s*(?:\(\s*)?(?:await\s+)?\s*\Z")
_TOGETHER = re.compile(r"\bPromise\s*\.\s*(?:all|allSettled|race|any)\s*\(")
_FOR = re.compile(r"\bfor\s*(?:await\s*)?(\()\s*(?:const|let|var)\s+([^;()]*?)\s+of\s+")
_COUNTED = re.compile(
    r"\bfor\s*(\()\s*(?:let|var)\s+([\w$]+)\s*=\s*0\s*;\s*\2\s*<\s*([\w$]+)\s*\.\s*length\s*;"
)
_EACH = re.compile(
    r"([\w$]+|[\])])\s*(?:\.\s*entries\s*\(\s*\)\s*)?\.\s*(?:map|forEach|flatMap)\s*\(\s*(?:async\s*)?"
    r"(?:\(([^()=]*)\)|([\w$]+))\s*=>"
)
_HELPER = re.compile(
    r"\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:function\s*)?(?:\(([^()]*)\)|([\w$]+))\s*(?:=>|(?=\{))"
    r"|\bfunction\s+([\w$]+)\s*\(([^()]*)\)\s*(?=\{)"
)
_BRACE = re.compile(r"\s*\{")
_STOPS = re.compile(r"[;(\[{)\]}]")
_LOOK_BACK = 300


@dataclass(frozen=True, slots=True)
class Scope:
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


Run = tuple[tuple[int, ...], dict[str, Any], int]
"""One execution of a place: its key in the order, the names bound there, where its result goes."""


class Program:
    __slots__ = ("constants", "helpers", "literals", "masked", "scopes", "source", "together")

    def __init__(self, source: str) -> None:
        self.source = source
        self.masked = mask(source)
        self.literals = Literals(source, self.masked)
        self.constants = self._constants()
        self.scopes = [*self._loops(), *self._helpers()]
        self.helpers = {scope.helper: scope for scope in self.scopes if scope.helper}
        self.together = [
            (match.start(), closing(self.masked, match.end() - 1), self.kept_in(match.start()))
            for match in self._matches(_TOGETHER, "Promise")
        ]

    # -- structure -------------------------------------------------------------------------------

    def _matches(self, pattern: re.Pattern[str], *marks: str) -> Iterator[re.Match[str]]:
        """The matches of a pattern that cannot match where none of ``marks`` stands."""
        if any(mark in self.masked for mark in marks):
            yield from islice(pattern.finditer(self.masked), MAX_CONSTRUCTS)

    def _constants(self) -> list[tuple[int, str, Any]]:
        """Each name that is declared: where, and its literal value.  What changes later is not known."""
        found: list[tuple[int, str, Any]] = []
        names: dict[str, Any] = {}
        for match in islice(_DECLARED.finditer(self.masked), MAX_CONSTRUCTS):
            value = self.literals.value(match.end(), names)
            names[match[2]] = value
            found.append((match.end(), match[2], value))
        if all(value is UNKNOWN for value in names.values()):
            return []
        changed = {match[2] for match in _CHANGED.finditer(self.masked) if not self._declares(match)}
        return [constant for constant in found if constant[1] not in changed]

    def names_at(self, at: int) -> dict[str, Any]:
        """The constants that are known at ``at``: of a name declared twice the nearest before it."""
        known: dict[str, Any] = {}
        for place, name, value in self.constants:
            if place <= at or name not in known:
                known[name] = value
        return {name: value for name, value in known.items() if value is not UNKNOWN}

    def _declares(self, match: re.Match[str]) -> bool:
        before = self.masked[max(0, match.start() - 8) : match.start(2)].rstrip()
        return bool(match[1]) or before.endswith(("const", "let", "var"))

    def _loops(self) -> Iterator[Scope]:
        for match in self._matches(_FOR, "for (", "for(", "for await"):
            start = closing(self.masked, match.start(1)) + 1
            over = WORD.match(self.masked, match.end())
            listed = self.literals.value(match.end(), self.names_at(match.end()))
            yield self._loop(start, self._body_end(start), match[2], listed, over[0] if over else "")
        for match in self._matches(_COUNTED, ".length"):
            start = closing(self.masked, match.start(1)) + 1
            listed = self.names_at(match.end()).get(match[3])
            counts = list(range(len(listed))) if isinstance(listed, list) else UNKNOWN
            yield self._loop(start, self._body_end(start), match[2], counts, match[3])
        for match in self._matches(_EACH, "map", "Map", "forEach"):
            params = match.start(2) - 1 if match[2] is not None else match.start(3)
            end = closing(self.masked, self.masked.rfind("(", 0, params))
            yield self._loop(match.end(), end, match[2] or match[3] or "", self._list_before(match), match[1])

    def _body_end(self, start: int) -> int:
        """Where the body of a loop or a function ends: a block, or one statement."""
        brace = _BRACE.match(self.masked, start)
        return closing(self.masked, brace.end() - 1) if brace else _statement_end(self.masked, start)

    def _list_before(self, match: re.Match[str]) -> Any:
        if match[1] == ")":
            return UNKNOWN
        if match[1] != "]":
            return self.names_at(match.start()).get(match[1], UNKNOWN)
        depth, at = 0, match.start(1)
        while at >= 0:
            depth += (self.masked[at] == "]") - (self.masked[at] == "[")
            if not depth:
                return self.literals.array(at, self.names_at(at))[0]
            at -= 1
        return UNKNOWN

    def _loop(self, start: int, end: int, pattern: str, listed: Any, over: str) -> Scope:
        rows: tuple[Mapping[str, Any], ...] = ()
        params = tuple(WORD.findall(pattern))
        if isinstance(listed, list):
            rows = tuple(_bound(pattern.strip(), params, value) for value in listed[:MAX_RUNS])
        return Scope(start, end, rows, "", params, over)

    def _helpers(self) -> Iterator[Scope]:
        for match in self._matches(_HELPER, "=>", "function"):
            params = tuple(WORD.findall(match[2] or match[3] or match[5] or ""))
            yield Scope(match.end(), self._body_end(match.end()), (), match[1] or match[4], params)

    # -- runs ------------------------------------------------------------------------------------

    def runs(self, at: int, depth: int = 0) -> list[Run]:
        """Every execution of the place ``at``, as far as loops and helpers can be followed."""
        around = sorted(
            (s for s in self.scopes if s.start <= at < s.end), key=lambda scope: scope.end - scope.start
        )
        found: list[Run] = [((at,), {}, at)]
        for scope in around:
            if scope.helper:
                sites = self._sites(scope, depth) if depth < 3 else []
                hidden = dict.fromkeys(scope.params, UNKNOWN)
                found = [
                    ((*key, *inner), {**hidden, **outer_names, **names}, site)
                    for key, outer_names, site in sites or [((), {}, at)]
                    for inner, names, _ in found
                ]
            elif scope.rows:
                found = [
                    ((scope.start, turn, *key), {**row, **names}, site)
                    for turn, row in enumerate(scope.rows)
                    for key, names, site in found
                ]
            else:  # a list that is not known: its elements hide constants of the same names
                hidden = dict.fromkeys(scope.params, UNKNOWN)
                found = [((scope.start, 0, *key), {**hidden, **names}, site) for key, names, site in found]
            found = found[:MAX_RUNS]
        return found

    def _sites(self, scope: Scope, depth: int) -> list[Run]:
        found: list[Run] = []
        named = re.finditer(rf"(?<![\w.$]){re.escape(scope.helper)}\s*\(", self.masked)
        for match in islice(named, MAX_CONSTRUCTS):
            if scope.start <= match.start() < scope.end:
                continue
            if re.search(r"\bfunction\s+\Z", self.masked[max(0, match.start() - 12) : match.start()]):
                continue
            close = closing(self.masked, match.end() - 1)
            for key, names, _ in self.runs(match.start(), depth + 1):
                known = {**self.names_at(match.start()), **names}
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
    """Where a statement, or an arrow function without braces, ends."""
    while match := _STOPS.search(masked, at):
        if match[0] not in "([{":
            return match.start()
        at = closing(masked, match.start()) + 1
    return len(masked)
