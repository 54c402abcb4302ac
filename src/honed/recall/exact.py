"""Exact things that a request and a skill both name.

Each says by its kind how much it means when two texts name it (a whole path much, a common file name
little), and less the more skills of the scope have it.  What hangs together (a file and its path, a
command and its sub-command) counts once, by its best.
"""

from __future__ import annotations

from honed.skills.commonwords import RATES
from honed.skills.stemming import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from honed.store.reading import Reader

MEANING = {
    "phrase": 0.98,
    "topic": 0.9,
    "error": 0.85,
    "path": 0.7,
    "symbol": 0.5,
    "code": 0.5,
    "file": 0.4,
    "command": 0.3,
}
"""How much of the way to certainty one match of a kind goes when no other skill has it."""
_ERROR_TYPE = 0.3
"""An exception's type alone; the whole line is ``error``."""
_GENERIC = 0.1
"""A file or symbol that any project may have: README.md, main.go, run()."""
_EITHER = 0.3
"""Two words with a slash between them, which prose has too: stdout/stderr, setup/teardown, origin/main."""


class Match:
    """One exact thing in common: its kind, its value, and what it is worth (0..1)."""

    __slots__ = ("kind", "value", "worth")

    def __init__(self, kind: str, value: str, worth: float) -> None:
        self.kind = kind
        self.value = value
        self.worth = worth

    def __repr__(self) -> str:
        return f"Match({self.kind!r}, {self.value!r}, {self.worth:.2f})"


class InCommon:
    """The exact things that a request and skills have in common, by row number.

    Thousands of skills may name one file: the things of a skill are the bits of one number, which are few.
    """

    __slots__ = ("_held", "_things")

    def __init__(self) -> None:
        self._things: list[Match] = []
        self._held: dict[int, int] = {}

    def __bool__(self) -> bool:
        return bool(self._things)

    def add(self, match: Match, rows: Sequence[int]) -> None:
        """Note that the skills with these row numbers have this thing."""
        bit = 1 << len(self._things)
        self._things.append(match)
        held = self._held
        if held:
            known = held.keys() & set(rows)
            more = {n: held[n] | bit for n in known}
            held.update(dict.fromkeys(rows, bit))
            held.update(more)
        else:
            self._held = dict.fromkeys(rows, bit)

    def of(self, n: int) -> list[Match]:
        """What one skill has in common with the request."""
        return self._named(self._held.get(n, 0))

    def worth(self) -> dict[int, float]:
        """What the things of each skill come to together."""
        come_to = {bits: together(self._named(bits)) for bits in set(self._held.values())}
        return {n: come_to[bits] for n, bits in self._held.items()}

    def _named(self, bits: int) -> list[Match]:
        return [match for place, match in enumerate(self._things) if bits >> place & 1]


def exact_matches(
    reader: Reader,
    scopes: Sequence[int],
    entities: Sequence[tuple[str, str]],
    limit: int,
    rarity: Callable[[int], float],
) -> InCommon:
    """What each skill has in common with the request.

    An entity that more than ``limit`` skills have says nothing and is passed over.
    ``rarity`` gives 0..1 for the number of skills that have a thing.
    """
    found = InCommon()
    for kind, value in entities:
        rows = reader.naming(scopes, kind, value, limit + 1)
        if rows and len(rows) <= limit:
            found.add(Match(kind, value, _meaning(kind, value) * rarity(len(rows))), rows)
    return found


def strongest(matches: Sequence[Match]) -> list[Match]:
    """The best match of each group that hangs together, the strongest first."""
    best: dict[tuple[str, str], Match] = {}
    for match in matches:
        group = _group(match)
        if group not in best or match.worth > best[group].worth:
            best[group] = match
    return sorted(best.values(), key=lambda match: (-match.worth, match.kind, match.value))


def together(matches: Sequence[Match]) -> float:
    """What matches come to together: each takes its share of what the others leave open."""
    if len(matches) < 2:
        return matches[0].worth if matches else 0.0
    open_ = 1.0
    for match in strongest(matches):
        open_ *= 1.0 - match.worth
    return 1.0 - open_


def _meaning(kind: str, value: str) -> float:
    if kind == "error" and " " not in value:
        return _ERROR_TYPE
    if kind in ("file", "symbol") and _is_generic(value):
        return _GENERIC
    if kind == "path":
        if value.count("/") == 1 and "." not in value:
            return _EITHER
        return min(0.9, MEANING[kind] + 0.1 * (value.count("/") - 1))
    return MEANING[kind]


def _is_generic(value: str) -> bool:
    name = value.strip("_.").partition(".")[0].strip("_")
    return stem(name, "en") in RATES


OF_FILES = ("path", "file")
OF_TOPIC = "topic"


def _group(match: Match) -> tuple[str, str]:
    if match.kind in OF_FILES:
        return "file", match.value.rpartition("/")[2]
    if match.kind == "symbol":
        return "symbol", match.value.rpartition(".")[2]
    if match.kind in ("command", "error"):
        return match.kind, match.value.partition(" ")[0]
    return match.kind, match.value
