"""One pass over a text for all the words that may stand beside a secret: where names of secrets are, and
which commands, headers and links occur at all.

Looking for each word by itself costs more than all else that redaction does.  Here every word is known by
its rarest letter: the expression stops at these letters only, and looks around from there.  Imports ``re``
and the tables: a hook may load it.
"""

import re

from honed.skills import secret_places, secret_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = "qkvgpub"
"""Letters that are rare in code, prose and digests, the rarest first; most of the words have one."""

_GATES = frozenset(row[0] for row in (*secret_places.PLACES, *secret_places.ENDINGS))
_NAMES = frozenset(secret_words.ASCII_HINTS)
_WORDS = sorted(_GATES | _NAMES, key=lambda word: (-len(word), word))


def _letter_of(word: str) -> int:
    """Where in ``word`` the letter is by which it is known; -1 where it has none of them."""
    return next((word.index(letter) for letter in LETTERS if letter in word), -1)


def _rows() -> "Iterator[tuple[str, str, int]]":
    """Words by their letter: the expression around it, the word, and where in the word the letter is."""
    for word in _WORDS:
        at = _letter_of(word)
        if at >= 0:
            before = f"(?<={re.escape(word[: at + 1])})" if at else ""
            after = f"(?={re.escape(word[at + 1 :])})" if word[at + 1 :] else ""
            yield before + after, word, at


def _built() -> "tuple[re.Pattern[str], list[tuple[str, int]]]":
    """The expression, and by number of group the word that it found and where its letter is."""
    groups: list[tuple[str, int]] = [("", 0)]
    parts = []
    rows = list(_rows())
    for letter in LETTERS:
        alternatives = []
        for around, word, at in rows:
            if word[at] == letter:
                alternatives.append(around + "()")
                groups.append((word, at))
        if alternatives:
            parts.append(f"{letter}(?:{'|'.join(alternatives)})")
    return re.compile("|".join(parts)), groups


_REST = tuple(word for word in _WORDS if _letter_of(word) < 0)


def _found(word: str, at: int) -> "tuple[tuple[int, ...], tuple[str, ...]]":
    """What follows from a word whose letter stands at ``at``: where names begin, seen from the letter, and
    which gates it opens.  A longer word stands for the shorter ones in it: at one letter one is found."""
    within = [other for other in _WORDS if word and other in word]
    names = tuple(word.index(other) - at for other in within if other in _NAMES)
    return names, tuple(other for other in within if other in _GATES)


class _Look:
    """The expression, and by number of group what follows; made when the first text is looked at."""

    __slots__ = ("expression", "found")

    def __init__(self) -> None:
        self.expression, groups = _built()
        self.found = [_found(word, at) for word, at in groups]


_look: "list[_Look]" = []


def looked(low: str) -> "tuple[list[int], set[str]]":
    """Where in a lower-cased text a word of a secret's name begins, unordered, and which of the words that
    the expressions of ``secret_places`` wait for occur."""
    if not _look:
        _look.append(_Look())
    look = _look[0]
    names: list[int] = []
    gates: set[str] = set()
    for match in look.expression.finditer(low):
        offsets, opened = look.found[match.lastindex or 0]
        if offsets:
            at = match.start()
            names += [at + offset for offset in offsets]
        if opened:
            gates.update(opened)
    for word in _REST:
        if word not in low:
            continue
        if word in _GATES:
            gates.add(word)
        if word in _NAMES:
            begin = low.find(word)
            while begin >= 0:
                names.append(begin)
                begin = low.find(word, begin + len(word))
    return names, gates
