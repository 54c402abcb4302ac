"""Whether the user asked for just that: a test skipped, a threshold lowered, snapshots renewed.

A clause must name the deed and, close by, its object, and not forbid it.  The words are in ``asked_words``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from honed.sessions.model import Request
from honed.verdict.tamper import asked_words as words
from honed.verdict.test_files import words_of

REQUEST_LIMIT = 40_000
"""Characters of one request that are read."""
REACH = 48
"""How many characters a deed and its object may stand apart."""


def asked_for(requests: Iterable[Request], kind: str, path: str, names: Iterable[str] = ()) -> bool:
    """Whether a request asks for this kind of change; ``names`` are the tests (or values) it is about.

    Deleting is also asked for by a clause that deletes what the tests are about: a word of the file's or
    the test's name with a word for removing.
    """
    subject = frozenset().union(*(words_of(name) for name in names), words_of(path.rpartition("/")[2]))
    return any(
        _clause_asks(clause, kind, subject) for request in requests for clause in _clauses(request.text)
    )


def _clause_asks(clause: str, kind: str, subject: frozenset[str]) -> bool:
    said = _QUOTED.sub(lambda match: "\0" * len(match.group()), clause)
    for deed, thing in _PATTERNS[kind]:
        for match in deed.finditer(said):
            if not _negated(said, match) and _has_object(clause, match, thing):
                return True
    if kind in ("test_deleted", "assertion_removed"):
        for match in _DELETING.finditer(said):
            if not _negated(said, match):
                near = clause[max(0, match.start() - 2 * REACH) : match.end() + 2 * REACH]
                if (subject - words_of(match.group())) & _words_in(near):
                    return True
    return False


def _has_object(clause: str, deed: re.Match[str], thing: re.Pattern[str]) -> bool:
    after = thing.search(clause, deed.end(), min(len(clause), deed.end() + REACH))
    if after and not words.BETWEEN.search(clause, deed.end(), after.start()):
        return True
    # English puts the object behind the deed, unless it is passive; other stems end inside a word.
    active = not clause[deed.end() : deed.end() + 1].isalnum() and not _PASSIVE.match(deed.group())
    if thing.search(deed.group()):
        return True
    before = list(thing.finditer(clause, max(0, deed.start() - REACH), deed.start()))
    if not before or words.BETWEEN.search(clause, before[-1].end(), deed.start()):
        return False
    return not active or bool(_LATER.search(clause[before[-1].end() : deed.start()] + " "))


_PASSIVE = re.compile(r"(?i)(?:be|as|are|get|may|can|might|allow\w*) ")
_LATER = re.compile(
    r"(?i)\b(?:should|can|could|may|must|please|let'?s|we|and|then|are|is|but|just|so|though|sollen?|kannst"
    r"|bitte)\b"
)
_QUOTED = re.compile(r"`[^`\n]*`")
_CODE = re.compile(r"```.*?(?:```|\Z)|https?://\S+", re.S)
_CLAUSES = re.compile(r"[.;!?](?=\s|$)\s*|[。；！？\n]+\s*|,?\s+(?:but|aber|но|mais|pero|mas)\s+|，但")


def _words_in(clause: str) -> frozenset[str]:
    found = words_of(clause)
    return frozenset(word for word in found if len(word) > 2) | {
        w.removesuffix("s") for w in found if len(w) > 3
    }


def _negated(clause: str, match: re.Match[str]) -> bool:
    before, after = (
        clause[max(0, match.start() - 32) : match.start()],
        clause[match.end() : match.end() + REACH],
    )
    return bool(_NOT.search(before) or _NOT_AFTER.search(after))


@lru_cache(maxsize=64)
def _clauses(text: str) -> tuple[str, ...]:
    plain = _CODE.sub(" ", text[:REQUEST_LIMIT])
    return tuple(clause for clause in _CLAUSES.split(plain) if clause.strip())


def speaks_of_deleting(requests: Iterable[Request]) -> bool:
    """Whether a request wants anything at all to be taken out."""
    for clause in (clause for request in requests for clause in _clauses(request.text)):
        if any(not _negated(clause, match) for match in _DELETING.finditer(clause)):
            return True
    return False


def forbids_test_changes(requests: Iterable[Request]) -> bool:
    """Whether a request says that the tests must stay as they are."""
    return any(_forbids(clause) for request in requests for clause in _clauses(request.text))


@lru_cache(maxsize=512)
def _forbids(clause: str) -> bool:
    for match in _TOUCH.finditer(clause):
        before, after = (
            clause[max(0, match.start() - 24) : match.start()],
            clause[match.end() : match.end() + 24],
        )
        near = clause[max(0, match.start() - 40) : match.end() + 60]
        if (_NOT.search(before) or _NOT_AFTER.search(after)) and _TESTS.search(near):
            return True
    return False


def keeps_behaviour(requests: Iterable[Request]) -> bool:
    """Whether a request says that what the program does must stay as it is."""
    return any(map(_keeps, _texts(requests)))


@lru_cache(maxsize=64)
def _keeps(text: str) -> bool:
    return _KEEPS.search(text) is not None


def speaks_of_tests(requests: Iterable[Request]) -> bool:
    """Whether a request is about tests, or says too little to tell (a bare "yes", no request at all)."""
    texts = list(_texts(requests))
    return not any(len(text.split()) > 3 for text in texts) or any(_ABOUT.search(text) for text in texts)


def _texts(requests: Iterable[Request]) -> Iterator[str]:
    return (request.text[:REQUEST_LIMIT] for request in requests)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_PATTERNS = {
    kind: tuple((_compiled(deed), _compiled(thing)) for deed, thing in pairs)
    for kind, pairs in words.ASKING.items()
}
_DELETING, _NOT, _NOT_AFTER = _compiled(words.DELETING), _compiled(words.NOT), _compiled(words.NOT_AFTER)
_TOUCH, _TESTS = _compiled(words.TOUCH), _compiled(words.TESTS)
_KEEPS, _ABOUT = _compiled(words.KEEPS), _compiled(words.ABOUT_TESTS)
