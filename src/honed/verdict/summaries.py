"""Reads what a test runner says of itself: text in, a ``Reading`` out.

Every runner's way of summing up is a ``Grammar``: a handful of line patterns in a table (the
``summaries_*`` modules).  This module is the one interpreter of those tables.  It looks only at lines
that hold one of the literal cues, so a megabyte of chatter costs a few ``str.find`` calls, and every
pattern sees one line of at most 2,000 characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from honed.verdict.model import Counts
from honed.verdict.summaries_model import Grammar, Kind, Line

MAX_LINE = 2_000
MAX_TEXT = 1_500_000
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
    r"(\d+)(?:/\d+)?[ \xa0]+(?:tests? |steps? |specs? |scenarios? |features? )?([a-z]+)", re.I
)
_WORD_NUMBER = re.compile(r"([a-z]+)\s*[:= ]\s*(\d+)", re.I)
_GROUPS = {"p": "passed", "f": "failed", "s": "skipped", "e": "errors", "t": "total"}


@dataclass(frozen=True, slots=True)
class Hit:
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


class Book:
    """Grammars by name, in the order in which they claim a line."""

    __slots__ = ("_indexes", "grammars")

    def __init__(self, grammars: Iterable[Grammar]) -> None:
        self.grammars = {grammar.name: grammar for grammar in grammars}
        self._indexes: dict[tuple[tuple[str, ...], bool], dict[str, list[tuple[int, str, Line]]]] = {}

    def index(self, names: tuple[str, ...], only_counts: bool) -> dict[str, list[tuple[int, str, Line]]]:
        """Cue -> (rank, grammar, line) of the named grammars; the rank says who claims a line first."""
        known = self._indexes.get((names, only_counts))
        if known is None:
            known = {}
            rank = 0
            for name in names:
                for line in self.grammars[name].lines:
                    rank += 1
                    if only_counts and line.kind != "count":
                        continue
                    for cue in line.cues:
                        known.setdefault(cue, []).append((rank, name, line))
            self._indexes[names, only_counts] = known
        return known


def read(text: str, names: tuple[str, ...], book: Book, *, only_counts: bool = False) -> Reading:
    """What ``text`` (already ``clean``) says, by the grammars ``names`` of ``book``."""
    candidates: dict[int, list[tuple[int, str, Line]]] = {}
    for cue, lines in book.index(names, only_counts).items():
        at = text.find(cue)
        while at >= 0:
            start = text.rfind("\n", 0, at) + 1
            known = candidates.get(start)
            candidates[start] = lines if known is None else known + lines
            end = text.find("\n", at)
            at = text.find(cue, end) if end >= 0 else -1
    if not candidates:
        return NOTHING_READ
    hits = []
    for start in sorted(candidates):
        end = text.find("\n", start)
        hit = _claim(
            text[start : start + MAX_LINE if end < 0 else min(end, start + MAX_LINE)], candidates[start]
        )
        if hit is not None:
            hits.append(replace(hit, at=start))
    return _sum_up(_heard(hits, book)) if hits else NOTHING_READ


def _heard(hits: list[Hit], book: Book) -> list[Hit]:
    """Without the counts of grammars that give way (TAP lines, own words) where another one counted."""
    yielding = {hit.grammar for hit in hits if hit.kind == "count" and book.grammars[hit.grammar].yields}
    if not yielding or all(hit.grammar in yielding for hit in hits if hit.kind == "count"):
        return hits
    return [hit for hit in hits if hit.kind != "count" or hit.grammar not in yielding]


def _claim(line: str, lines: list[tuple[int, str, Line]]) -> Hit | None:
    """The first rule that matches the line, or the line without what a wrapper put in front of it."""
    bare = line.strip()
    ranked = sorted(lines, key=lambda entry: entry[0]) if len(lines) > 1 else lines
    hit = _match(bare, ranked)
    if hit is None:
        prefix = _PREFIXES.match(bare)
        if prefix is not None:
            hit = _match(bare[prefix.end() :].lstrip(), ranked)
    return hit


def _match(bare: str, lines: list[tuple[int, str, Line]]) -> Hit | None:
    for _, name, line in lines:
        match = _compiled(line.pattern).match(bare)
        if match is not None:
            word = match.groupdict().get("w") or ""
            counts, total = _counts(line, match)
            return Hit(line.kind, name, bare[:200], line.level, counts, line.complete, total, word, 0)
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
            pairs = [(number, word) for word, number in _WORD_NUMBER.findall(match.group())]
        for number, word in pairs:
            slot = _SLOT_OF.get(word.lower())
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
    return Counts(slots.get("passed"), slots.get("failed"), slots.get("skipped"), slots.get("errors")), alone


def _number(digits: str) -> int:
    return int(digits.replace(",", "").replace("\u202f", "")[:9] or 0)


def _sum_up(hits: list[Hit]) -> Reading:
    """Adds up, per grammar, the counts of its highest level; failures of lower levels are kept."""
    levels: dict[str, int] = {}
    for hit in hits:
        if hit.kind == "count" and hit.counts != Counts():
            levels[hit.grammar] = max(levels.get(hit.grammar, 0), hit.level)
    total = Counts()
    lower = 0
    counted = 0
    whole: dict[str, int] = {}
    rest: dict[str, int] = {}
    spoke: dict[str, None] = {}
    for hit in hits:
        if hit.kind not in ("count", "bad"):
            continue
        if hit.level >= levels.get(hit.grammar, 0):
            total = _add(total, hit.counts)
            parts = hit.counts
            if hit.total:
                whole[hit.grammar] = whole.get(hit.grammar, 0) + (parts.passed or 0)
            else:
                others = (parts.failed or 0) + (parts.errors or 0) + (parts.skipped or 0)
                rest[hit.grammar] = rest.get(hit.grammar, 0) + others
            if parts.passed is not None:
                counted += 1
                spoke[hit.grammar] = None
        else:
            lower += (hit.counts.failed or 0) + (hit.counts.errors or 0)
    if lower and not (total.failed or 0) + (total.errors or 0):
        total = replace(total, errors=lower)
    if whole and total.passed is not None:
        over = sum(min(number, rest.get(name, 0)) for name, number in whole.items())
        total = replace(total, passed=max(0, total.passed - over))
    found: dict[Kind, Hit] = {}
    for hit in hits:
        found.setdefault(hit.kind, hit)
    return Reading(total, tuple(hits), counted, tuple(spoke), found)


def _add(left: Counts, right: Counts) -> Counts:
    return Counts(
        *(
            b if a is None else a if b is None else a + b
            for a, b in (
                (left.passed, right.passed),
                (left.failed, right.failed),
                (left.skipped, right.skipped),
                (left.errors, right.errors),
            )
        )
    )


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
