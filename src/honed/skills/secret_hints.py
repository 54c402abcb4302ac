"""One pass over a text for all the words that may stand beside a secret: where names of secrets are, and
where the commands, headers and links are that secrets stand behind.

Looking for each word by itself costs more than all else that redaction does.  Here every word is known by
its rarest letter with what follows: the expression stops at these letters only, and goes on letter by letter.
Imports ``re`` and the tables: a hook may load it.
"""

import re

from honed.skills import secret_places, secret_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Row = tuple[str, int]

LETTERS = "qkvbpgfwmcu"
"""Letters that are rare in code, prose and digests; nearly every word has one that is not its last.  A letter
more costs each text a little, a word without one costs a search of its own."""

_GATES = frozenset(row[0] for row in (*secret_places.PLACES, *secret_places.ENDINGS))
_NAMES = frozenset(secret_words.ASCII_HINTS)
_WORDS = sorted(_GATES | _NAMES, key=lambda word: (-len(word), word))
_PLAIN = {word: f"(?!(?:{'|'.join(ends)})(?![\\w.-]))" for word, *ends in secret_words.PLAIN_ENDINGS}


def _letter_of(word: str) -> int:
    """Where in ``word`` the letter is by which it is known; -1 where it has none of them."""
    return next((word.index(letter) for letter in LETTERS if letter in word[:-1]), -1)


def _built() -> "tuple[re.Pattern[str], list[Row]]":
    """The expression, and by number of group the word that it found and where its letter is."""
    groups: list[Row] = [("", 0)]
    rows = [(word, _letter_of(word)) for word in _WORDS if word not in _REST]
    parts = [
        letter + _branches([row for row in rows if row[0][row[1]] == letter], 1, groups)
        for letter in LETTERS
        if any(word[at] == letter for word, at in rows)
    ]
    return re.compile("|".join(parts)), groups


def _branches(rows: "Iterable[Row]", depth: int, groups: "list[Row]") -> str:
    """What may follow ``depth`` letters that the words have in common: the longest word comes first."""
    longer: dict[str, list[Row]] = {}
    ended: list[Row] = []
    for word, at in rows:
        rest = word[at + depth :]
        if rest:
            longer.setdefault(rest[0], []).append((word, at))
        else:
            ended.append((word, at))
    parts = []
    for letter, group in longer.items():
        parts.append(re.escape(letter) + _branches(group, depth + 1, groups))
    for word, at in ended:
        groups.append((word, at))
        parts.append((f"(?<={re.escape(word)})" if at else "") + _PLAIN.get(word, "") + "()")
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


_REST = tuple(word for word in _WORDS if _letter_of(word) < 0)


def _found(word: str, at: int) -> "tuple[int | None, tuple[int, ...], tuple[Row, ...]]":
    """What follows from a word whose letter stands at ``at``: where a name begins, and where others do, and
    which gates where, all seen from the letter.  A longer word stands for the shorter ones in it: at one
    letter one is found."""
    within = [other for other in _WORDS if word and other in word]
    names = tuple(word.index(other) - at for other in within if other in _NAMES)
    gates = tuple((other, word.index(other) - at) for other in within if other in _GATES)
    return (names[0] if names else None), names[1:], gates


class _Look:
    """The expression, and by number of group what follows; made when the first text is looked at."""

    __slots__ = ("expression", "found")

    def __init__(self) -> None:
        self.expression, groups = _built()
        self.found = [_found(word, at) for word, at in groups]


_look: "list[_Look]" = []


def looked(low: str) -> "tuple[list[int], dict[str, list[int]]]":
    """Where in a lower-cased text a word of a secret's name begins, unordered (words that end like
    ``secret_words.PLAIN_ENDINGS`` are none), and where the words are that the expressions of
    ``secret_places`` wait for, each in any order and maybe twice."""
    if not _look:
        _look.append(_Look())
    found = _look[0].found
    names: list[int] = []
    gates: dict[str, list[int]] = {}
    for match in _look[0].expression.finditer(low):
        first, offsets, opened = found[match.lastindex or 0]
        at = match.start()
        if first is not None:
            names.append(at + first)
        if offsets:
            names += [at + offset for offset in offsets]
        for gate, offset in opened:
            gates.setdefault(gate, []).append(at + offset)
    for word in _REST:
        if word in low:
            places = list(_occurrences(word, low))
            if word in _GATES:
                gates.setdefault(word, []).extend(places)
            if word in _NAMES:
                names += places
    return names, gates


def _occurrences(word: str, low: str) -> "Iterator[int]":
    at = low.find(word)
    while at >= 0:
        yield at
        at = low.find(word, at + len(word))
