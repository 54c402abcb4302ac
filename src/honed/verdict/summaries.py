"""Reads what a test runner says of itself: text in, a ``Reading`` out.

Every runner's way of summing up is a ``Grammar``: a handful of line patterns in a table (the
``summaries_*`` modules).  This module is the one interpreter of those tables.  It looks only at lines
that hold one of the literal cues, so a megabyte of chatter costs a few ``str.find`` calls, and every
pattern sees one line of at most 2,000 characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from honed.verdict.model import Counts
from honed.verdict.summaries_model import Grammar, Kind, Line

MAX_LINE = 2_000
MAX_TEXT = 200_000
"""Characters of an output that are looked at: a quarter from its head, the rest from its tail."""
MAX_NAMES = 20
_NAMES_WINDOW = 200_000

SLOTS = {
    "passed": "pass passed passing ok success successes succeeded successful xpassed flaky known works",
    "failed": "fail failed failing failure failures fails interrupted timedout timeout crashing",
    "errors": "error errors errored exceptions exception invalid cancelled canceled broken",
    "skipped": "skip skipped skips pending ignored todo disabled xfailed deselected excluded omissions"
    " omitted notrun untested incomplete risky inconclusive unexecuted",
    "total": "total tests test examples example specs spec scenarios runs doctests doctest properties "
    "property",
}
"""The words that runners put beside a number, by the count they belong to."""

_SLOT_OF = {word: slot for slot, words in SLOTS.items() for word in words.split()}
_NUMBER_WORD = re.compile(
    r"(\d+)(?:/\d+)?[ \xa0]+(?:(tests?|steps?|specs?|scenarios?|features?) )?([a-z]+)", re.I
)
_WORD_NUMBER = re.compile(r"([a-z]+)\s*[:= ]\s*(\d+)", re.I)
_GROUPS = {"p": "passed", "f": "failed", "s": "skipped", "e": "errors", "t": "total"}


class Hit(NamedTuple):
    """One line that said something."""

    kind: Kind
    grammar: str
    text: str
    level: int
    counts: Counts
    complete: bool
    """Failures would stand in this line, too."""

    total: bool
    """The number is of all tests, whatever became of them."""

    word: str
    at: int


_UNCOUNTED = Counts()


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a text says about tests.  ``counts`` are added up over all summaries."""

    counts: Counts = _UNCOUNTED
    hits: tuple[Hit, ...] = ()
    counted: int = 0
    """How many counted summaries of the deciding level there are."""

    grammars: tuple[str, ...] = ()
    """Grammars that counted, most telling first."""

    found: dict[Kind, Hit] = field(default_factory=dict)
    """The first line of each kind."""

    @property
    def failures(self) -> int:
        """Failed tests and errors by the runner's own count."""
        return (self.counts.failed or 0) + (self.counts.errors or 0)

    def first(self, kind: Kind) -> str | None:
        """The first line of this kind, if there is one."""
        hit = self.found.get(kind)
        return hit.text if hit else None


NOTHING_READ = Reading()

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|\x1b[()][0-9A-B]|\x1b[=>78cM]"
)
_BARE_COLOURS = re.compile(r"\[(?:[0-9]{1,3};){0,5}(?:0|1|2|22|27|3[0-9]|4[0-9]|9[0-7])?m")
_PREFIXES = re.compile(
    r"(?:"
    r"\d{4}-\d\d-\d\dT[\d:.]{8,20}Z\s"  # a CI log's time stamp
    r"|\[[\w:./@#-]{1,80}\]\s"  # mise, concurrently, maven's [INFO]
    r"|(?:[\w@./-]{1,80}[:#]){1,2}[\w:.-]{0,40}(?:test|check|ci|verify)[\w:.-]{0,40}: "  # turbo, pnpm -r
    r"|[\w@./-]{1,80} (?:test|check|ci|verify)[\w:.-]{0,40}(?:\$|:|\s+\|) "  # pnpm -r
    r"|[\w.-]{1,60}\s+\|\s"  # docker compose
    r"|\d{1,7}[:-]\s?"  # grep -n
    r"|#\d+ [\d.]+ "  # docker build
    r"|lerna (?:info|notice) |npm (?:ERR!|error) "
    r"|│\s+|\|\s+"
    r"){1,3}"
)


def clean(text: str) -> str:
    """The text as lines a person would see: no terminal escapes, ``\\r`` progress split into lines."""
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT // 4] + "\n" + text[-3 * MAX_TEXT // 4 :]
    if "\x1b" in text:
        text = _ESCAPES.sub(_gap, text)
    if "[3" in text or "[1m" in text:
        text = _BARE_COLOURS.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\xa0", " ") if "\xa0" in text else text


def _gap(escape: re.Match[str]) -> str:
    """A cursor movement to a column starts a new piece of text; a colour is nothing."""
    return "\n" if escape.group()[-1:] in "GHJ" else ""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class _Rule:
    """A line of a grammar made ready: its pattern is compiled when its cue is first seen.

    ``fixed`` is what it counts when its pattern holds no numbers.
    """

    __slots__ = ("complete", "fixed", "grammar", "line", "match", "rank", "worded")

    def __init__(self, rank: int, grammar: str, line: Line) -> None:
        self.rank, self.grammar, self.line = rank, grammar, line
        self.complete = line.complete
        self.match: Callable[[str], re.Match[str] | None] = self._first_match
        self.fixed: Counts | None = None
        self.worded = "(?P<w>" in line.pattern
        if line.read == "groups" and not _NUMBERED.search(line.pattern):
            self.fixed = Counts(**{line.one: 1}) if line.one else _UNCOUNTED

    def _first_match(self, bare: str) -> re.Match[str] | None:
        self.match = _compiled(self.line.pattern).match
        return self.match(bare)

    def hit(self, bare: str, match: re.Match[str], at: int) -> Hit:
        counts, total = (self.fixed, False) if self.fixed is not None else _counts(self.line, match)
        word = (match.group("w") or "") if self.worded else ""
        line = self.line
        return Hit(line.kind, self.grammar, bare[:200], line.level, counts, self.complete, total, word, at)


_NUMBERED = re.compile(r"\(\?P<[pfset]>")
_Group = tuple[str, tuple[tuple[str, tuple[_Rule, ...]], ...]]
_Index = tuple[_Group, ...]
"""Groups of cues: what all of a group have in common, then each cue with its rules."""
COMMON_LENGTH = 4
"""Characters that cues of a group have in common: a text without them holds none of the group."""
FEW = 16
"""So many places of what a group has in common are looked at one by one."""


class Book:
    """Grammars by name, in the order in which they claim a line."""

    __slots__ = ("_indexes", "grammars")

    def __init__(self, grammars: Iterable[Grammar]) -> None:
        self.grammars = {grammar.name: grammar for grammar in grammars}
        self._indexes: dict[tuple[tuple[str, ...], bool], _Index] = {}

    def index(self, names: tuple[str, ...], only_counts: bool) -> _Index:
        """The cues of the named grammars with their rules, whose rank says who claims a line first."""
        known = self._indexes.get((names, only_counts))
        if known is None:
            rules: dict[str, list[_Rule]] = {}
            lines = [(name, line) for name in names for line in self.grammars[name].lines]
            for rank, (name, line) in enumerate(lines):
                if only_counts and line.kind != "count":
                    continue
                rule = _Rule(rank, name, line)
                for cue in line.cues:
                    rules.setdefault(cue, []).append(rule)
            known = _grouped({cue: tuple(each) for cue, each in rules.items()})
            self._indexes[names, only_counts] = known
        return known


def _grouped(rules: dict[str, tuple[_Rule, ...]]) -> _Index:
    """Cues in groups, the largest first; one that shares nothing is a group of its own."""
    left, groups = dict(rules), list[_Group]()
    while left:
        shared = Counter(
            part
            for cue in left
            for part in {cue[at : at + COMMON_LENGTH] for at in range(len(cue) - COMMON_LENGTH + 1)}
        )
        part, count = max(shared.items(), key=lambda entry: (entry[1], entry[0]), default=("", 0))
        if count < 2:
            groups += [(cue, ((cue, each),)) for cue, each in left.items()]
            break
        groups.append((part, tuple((cue, each) for cue, each in left.items() if part in cue)))
        left = {cue: each for cue, each in left.items() if part not in cue}
    return tuple(groups)


def read(text: str, names: tuple[str, ...], book: Book, *, only_counts: bool = False) -> Reading:
    """What ``text`` (already ``clean``) says, by the grammars ``names`` of ``book``."""
    candidates: dict[int, list[_Rule]] = {}
    find, back = text.find, text.rfind
    for part, group in book.index(names, only_counts):
        at = find(part)
        if at < 0:
            continue
        if len(group) > 1 and text.count(part) <= FEW:
            # Few lines can hold any of the cues: each is looked at, not the text once for each cue.
            while at >= 0:
                start, end = back("\n", 0, at) + 1, find("\n", at)
                line = text[start : end if end >= 0 else len(text)]
                for cue, rules in group:
                    if cue in line:
                        candidates.setdefault(start, []).extend(rules)
                at = find(part, end) if end >= 0 else -1
            continue
        for cue, rules in group:
            at = find(cue, at) if cue is part else find(cue)
            while at >= 0:
                candidates.setdefault(back("\n", 0, at) + 1, []).extend(rules)
                end = find("\n", at)
                at = find(cue, end) if end >= 0 else -1
    if not candidates:
        return NOTHING_READ
    hits = []
    for start in sorted(candidates):
        end = find("\n", start)
        line = text[start : start + MAX_LINE if end < 0 else min(end, start + MAX_LINE)].strip()
        found = candidates[start]
        if len(found) > 1:
            found.sort(key=_rank)
        hit = _claim(line, found, start)
        if hit is not None:
            hits.append(hit)
    return _sum_up(_heard(hits, book)) if hits else NOTHING_READ


def _rank(rule: _Rule) -> int:
    return rule.rank


def _heard(hits: list[Hit], book: Book) -> list[Hit]:
    """Without the counts of grammars that give way (TAP lines, own words) where another one counted."""
    yielding = {hit.grammar for hit in hits if hit.kind == "count" and book.grammars[hit.grammar].yields}
    if not yielding or all(hit.grammar in yielding for hit in hits if hit.kind == "count"):
        return hits
    return [hit for hit in hits if hit.kind != "count" or hit.grammar not in yielding]


def _claim(bare: str, rules: list[_Rule], at: int) -> Hit | None:
    """The first rule that matches the line, or the line without what a wrapper put in front of it."""
    for rule in rules:
        match = rule.match(bare)
        if match is not None:
            return rule.hit(bare, match, at)
    prefix = _PREFIXES.match(bare)
    if prefix is None:
        return None
    rest = bare[prefix.end() :].lstrip()
    for rule in rules:
        match = rule.match(rest)
        if match is not None:
            return rule.hit(rest, match, at)
    return None


def _counts(line: Line, match: re.Match[str]) -> tuple[Counts, bool]:
    """The numbers of one line, and whether they are nothing but a total (then given as passed)."""
    slots: dict[str, int] = {}
    if line.one:
        slots[line.one] = 1
    if line.read == "groups":
        for group, value in match.groupdict().items():
            if value is not None and group in _GROUPS:
                slots[_GROUPS[group]] = slots.get(_GROUPS[group], 0) + _number(value)
    else:
        pairs = _NUMBER_WORD.findall(match.group())
        if line.read == "labels":
            pairs = [(number, "", word) for word, number in _WORD_NUMBER.findall(match.group())]
        for number, unit, word in pairs:
            slot = _SLOT_OF.get(word.lower()) or _SLOT_OF.get(unit.lower())
            if slot is not None:
                slots[slot] = slots.get(slot, 0) + _number(number)
        if "total" not in slots:
            slots.setdefault("passed", 0)
    total = slots.pop("total", None)
    if total is not None and "passed" not in slots:
        rest = slots.get("failed", 0) + slots.get("errors", 0) + slots.get("skipped", 0)
        slots["passed"] = max(0, total - rest)
    elif total is not None and line.read == "groups" and not slots.get("failed") and not slots.get("errors"):
        missing = total - slots["passed"] - slots.get("skipped", 0)
        if missing > 0:
            slots["failed"] = missing
    alone = total is not None and slots.keys() == {"passed"}
    if not slots:
        return _UNCOUNTED, False
    return Counts(slots.get("passed"), slots.get("failed"), slots.get("skipped"), slots.get("errors")), alone


def _number(digits: str) -> int:
    return int(digits.replace(",", "").replace("\u202f", "")[:9] or 0)


class _Sum:
    """Numbers added up; a slot that nobody filled stays ``None``."""

    __slots__ = ("errors", "failed", "passed", "skipped")

    def __init__(self) -> None:
        self.passed: int | None = None
        self.failed: int | None = None
        self.skipped: int | None = None
        self.errors: int | None = None

    def add(self, counts: Counts) -> None:
        if counts.passed is not None:
            self.passed = (self.passed or 0) + counts.passed
        if counts.failed is not None:
            self.failed = (self.failed or 0) + counts.failed
        if counts.skipped is not None:
            self.skipped = (self.skipped or 0) + counts.skipped
        if counts.errors is not None:
            self.errors = (self.errors or 0) + counts.errors


def _sum_up(hits: list[Hit]) -> Reading:
    """Adds up, per grammar, the counts of its highest level; failures of lower levels are kept."""
    levels: dict[str, int] = {}
    found: dict[Kind, Hit] = {}
    for hit in hits:
        found.setdefault(hit.kind, hit)
        if hit.kind == "count" and hit.counts is not _UNCOUNTED and levels.get(hit.grammar, 0) < hit.level:
            levels[hit.grammar] = hit.level
    total, lower, counted = _Sum(), 0, 0
    whole: dict[str, int] = {}
    rest: dict[str, int] = {}
    spoke: dict[str, None] = {}
    for hit in hits:
        parts = hit.counts
        if parts is _UNCOUNTED or hit.kind not in ("count", "bad"):
            continue
        others = (parts.failed or 0) + (parts.errors or 0)
        if hit.level < levels.get(hit.grammar, 0):
            lower += others
            continue
        total.add(parts)
        if hit.total:
            whole[hit.grammar] = whole.get(hit.grammar, 0) + (parts.passed or 0)
        else:
            rest[hit.grammar] = rest.get(hit.grammar, 0) + others + (parts.skipped or 0)
        if parts.passed is not None:
            counted += 1
            spoke[hit.grammar] = None
    if lower and not (total.failed or total.errors):
        total.errors = lower
    if whole and total.passed is not None:
        total.passed -= sum(min(number, rest.get(name, 0)) for name, number in whole.items())
    counts = Counts(total.passed, total.failed, total.skipped, total.errors)
    return Reading(counts, tuple(hits), counted, tuple(spoke), found)


def failing_names(text: str, names: Iterable[str], book: Book) -> tuple[str, ...]:
    """Names of failing tests in the order in which they appear, each once, at most 20."""
    window = text[-_NAMES_WINDOW:]
    seen: dict[str, None] = {}
    for name in names:
        for pattern in book.grammars[name].names:
            for match in _compiled(pattern).finditer(window):
                found = match.group("n").strip()
                if found:
                    seen[found[:200]] = None
                if len(seen) >= MAX_NAMES:
                    return tuple(seen)
    return tuple(seen)
