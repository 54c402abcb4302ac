"""One pass over a text for all the words that may stand beside a secret: where names of secrets are, and
where the commands, headers, links and shapes are that secrets stand in or behind.

Looking for each word by itself costs more than all else that redaction does, and so does stopping at each
letter that one of them has.  So the text is read two letters at a time, as if each pair were one character
(which is how UTF-16 spells ASCII): once from its first letter on and once from its second, so that every pair
of neighbours is seen.  Each word is known by its rarest pair, at which alone the expression stops: about one
place in fifty.  Imports ``re`` and the tables: a hook may load it.
"""

import re

from honed.patterns import compiled
from honed.skills import secret_places, secret_words, secrets_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Known = tuple[str, int]

PAIRS = [" u", "c "]
PAIRS += "pa ey ig cr ok iv au ra if da be _p ud av og go sl nr cu ql tw sm sv dp nh nw mn".split()
PAIRS += "ia _g :5 s- -u mk -g -a pw :a za q~".split()
"""Pairs that are rare in code, prose and digests, the rarest last; every word has one of them at least."""

PRIVATE = "private"
"""What the spans that are nobody's to keep and the blocks of private keys have in common."""

_SHAPES = frozenset(row[1].lower() for row in secrets_table.SHAPES)
GATES = frozenset((PRIVATE, *_SHAPES, *(row[0] for row in (*secret_places.PLACES, *secret_places.ENDINGS))))
NAMES = frozenset(secret_words.ASCII_HINTS)
WORDS = sorted(GATES | NAMES)
_PLAIN = {word: ends for word, *ends in secret_words.PLAIN_ENDINGS}
STOPS = ("\0\n", ' "')
"""The signs, from the first to the last, before which ordinary words mostly end (before
others they are looked at, and found to be so)."""
_OTHERS = tuple((max(word), word) for word in secret_words.OTHER_HINTS)
"""The words that are not ASCII, each with its rarest letter, which is looked for first."""
_LETTERS = "".join(sorted({letter for c, _ in _OTHERS for letter in (c, c.upper())}))
_OTHER_LETTERS, _MARK = re.compile(f"[{_LETTERS}]"), re.compile(rb"\?")


def pair_of(word: str) -> int:
    """Where in ``word`` the pair is by which it is known."""
    rarest = max(PAIRS.index(word[at : at + 2]) for at in range(len(word) - 1) if word[at : at + 2] in PAIRS)
    return word.index(PAIRS[rarest])


def _built() -> "tuple[re.Pattern[str], list[Known]]":
    """The expression over pairs, and by number of group the word that it found and where its pair is."""
    by_pair: dict[str, list[Known]] = {}
    for word in WORDS:
        at = pair_of(word)
        by_pair.setdefault(word[at : at + 2], []).append((word, at))
    groups: list[Known] = [("", 0)]
    parts = []
    for pair in PAIRS:
        # A longer word holds the shorter ones; what has to be compared yet must hide no other word.
        rows = sorted(by_pair[pair], key=lambda row: (-len(row[0]), row[1] % 2))
        groups += rows
        parts.append(f"{_as_units(pair)}(?:{'|'.join(_branch(word, at) for word, at in rows)})")
    return compiled("|".join(parts)), groups


def _branch(word: str, at: int) -> str:
    """What has to stand around the pair at ``at`` for ``word`` to be there, but for a first letter that is
    half of a pair."""
    before, behind = word[at % 2 : at], word[at + 2 :]
    parts = f"(?={_as_units(behind)})" if behind else ""
    if before:
        parts += f"(?<={_as_units(before + word[at : at + 2])})"
    if word in _PLAIN:
        parts += f"(?!{'|'.join(_as_units(behind + end, ends=True) for end in _PLAIN[word])})"
    return parts + "()"


def _as_units(letters: str, *, ends: bool = False) -> str:
    """The expression for ``letters``, two of them in one character; an odd one at the end with any other, or
    where a word ``ends`` there, with what is none of its letters."""
    units = [
        ord(first) << 8 | ord(second) for first, second in zip(letters[::2], letters[1::2], strict=False)
    ]
    expression = "".join(re.escape(chr(unit)) for unit in units)
    last = ord(letters[-1]) << 8
    if not ends:
        return expression + (_class((last, last | 127)) if len(letters) % 2 else "")
    if len(letters) % 2:
        return expression + _class(*((last | ord(stops[0]), last | ord(stops[-1])) for stops in STOPS))
    return (
        f"{expression}(?:{_class(*((ord(stops[0]) << 8, ord(stops[-1]) << 8 | 127) for stops in STOPS))}|\\Z)"
    )


def _class(*ranges: "tuple[int, int]") -> str:
    return "[" + "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges) + "]"


Row = tuple[int, int, "int | None", tuple[int, ...], tuple[tuple[str, int], ...]]


def _row(word: str, at: int, others: "Iterable[Known]") -> Row:
    """What follows from a word that is known by the pair at ``at``: where the pair is, the first letter where
    that has yet to be compared (else -1), where in it a name begins, where other names do, and which gates.
    A longer word stands for the shorter ones that are known by the same pair of it: at each one is found."""
    within = [other for other, pair in others if other in word and word.index(other) + pair == at]
    names = [word.index(other) for other in within if other in NAMES]
    gates = tuple((other, word.index(other)) for other in within if other in GATES)
    return at, ord(word[0]) if at % 2 else -1, names[0] if names else None, tuple(names[1:]), gates


class _Look:
    """The expression, and by number of group what follows; made when the first text is looked at."""

    __slots__ = ("expression", "found")

    def __init__(self) -> None:
        self.expression, groups = _built()
        self.found = [_row(word, at, groups[1:]) for word, at in groups]


_look: "list[_Look]" = []


def looked(text: str, raw: bytes) -> "tuple[list[int], dict[str, list[int]]]":
    """Where in a text, in any case, a word of a secret's name begins (words that end like
    ``secret_words.PLAIN_ENDINGS`` are none), and where the words are that mark the places and shapes of
    secrets; each in order.  ``raw`` is ``as_bytes(text)``."""
    if not _look:
        _look.append(_Look())
    expression, rows = _look[0].expression, _look[0].found
    names = [] if text.isascii() else _others(text, raw)
    gates: dict[str, list[int]] = {}
    low = raw.lower()
    for shift in (0, 1):
        part = low[shift:]
        for match in expression.finditer((part + b"\0" if len(part) & 1 else part).decode("utf-16-be")):
            pair, lead, name, more, opened = rows[match.lastindex or 0]
            at = 2 * match.start() + shift - pair
            whole = lead < 0 or (at >= 0 and low[at] == lead)
            if name is not None and (whole or name):
                names.append(at + name)
            for offset in more:
                if whole or offset:
                    names.append(at + offset)
            for gate, offset in opened:
                if whole or offset:
                    gates.setdefault(gate, []).append(at + offset)
    names.sort()
    for found in gates.values():
        found.sort()
    return names, gates


def as_bytes(text: str) -> bytes:
    """``text`` with one byte a character: what is not ASCII becomes ``?``, but for the one sign whose lower
    case is an ASCII letter."""
    return (text.replace("\u212a", "K") if "\u212a" in text else text).encode("ascii", "replace")


def _others(text: str, raw: bytes) -> "list[int]":
    """Where the words of names are that are not ASCII."""
    names: list[int] = []
    # What is not ASCII is little in most texts, and looked at one by one.
    if raw.count(b"?") * 50 > len(raw):
        if not _OTHER_LETTERS.search(text):
            return names
    elif not any(text[mark.start()] in _LETTERS for mark in _MARK.finditer(raw)):
        return names
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    for letter, word in _OTHERS:
        at = low.find(word) if letter in low else -1
        while at >= 0:
            names.append(at)
            at = low.find(word, at + len(word))
    return names
