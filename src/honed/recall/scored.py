"""One candidate, and how much of a request it says, field by field.  On the hot path."""

from __future__ import annotations

import math

from honed.recall.exact import together
from honed.skills.terms import BETWEEN, count_at, repeated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honed.recall.exact import Match
    from honed.recall.lexical import Weighed
    from honed.store.found import Indexed

HEAD, HEAD_STEM, BODY_STEM, KEYS, USES = "head", "head_stem", "body_stem", "keys", "uses"
MIX = {HEAD: 0.20, HEAD_STEM: 0.10, BODY_STEM: 0.20, KEYS: 0.50}
"""Weights of the shares, found on the dev splits (docs/recall.md)."""
EXACT_WORTH, EXACT_POWER = 0.5, 3
"""What exact matches add: little for a common file name, much for a whole path or the same request."""
USE_WORTH = 0.1
"""What a past use that says the same adds; the best two of a skill's uses count."""
OCCASION_WORTH = 0.05
"""What a phrase of its title or trigger that the request says adds; the best two count."""
EXACT_ENOUGH = 0.4
"""Exact matches that come to this are more than a coincidence."""
ONE_WORD, SOME_WORDS, TELLING_WORDS = 5.0, 6.0, 4.0
"""Nats that words in common must say, when the request is one word, when it has more, and when..."""
SEVERAL = 2
"""... so many of them are words that not any request may hold."""
ALONE, ALONE_IN_USE = 0.3, 0.5
"""A skill that has nothing in common with a request but its meaning is a hit from this cosine on, of its text
or of a past use: any two requests are more alike than a request and a text."""
_K1, _K1_KEYS = 1.2, 0.6
"""BM25's k1: how soon repeating a word stops counting."""
_BODY_LENGTH, _USUAL_BODY = 0.6, 400
_KEYS_LENGTH, _USUAL_KEYS = 0.3, 30
"""BM25's b, and words of a usual text: a constant, so that one long skill changes no other's share."""


class Scored:
    """One candidate: its shares by field, and the exact things in common.

    ``mix`` is the weighted sum of the shares, ``fit`` that and what the exact things, the likest past uses
    (``use``, 0..2), the phrases of its trigger (``occasion``, 0..2) and the ``nearness`` of meaning (by the
    ``cosine`` of its text and the ``use_cosine`` of its likest past use; 0 where nobody asked) add;
    ``covered`` is the share of the request's weight that stands anywhere in the skill, in ``words``; of these
    ``places`` stand for themselves (a compound and its parts are one), and ``telling`` are none that any
    request may hold.  ``company`` is what other candidates lend it, ``backing`` what of that is about its
    files or its talk, ``apart`` what its words add by how few of them have each, ``reach`` what its files
    add by their number, ``behind`` what it goes back by for those shown before it about its files
    (``recall.company``): none is part of ``fit``.
    """

    __slots__ = (
        "apart", "backing", "behind", "company", "cosine", "covered", "exact", "fit", "indexed", "matches",
        "mix", "nearness", "occasion", "places", "reach", "shares", "telling", "use", "use_cosine", "words",
    )  # fmt: skip

    def __init__(self, indexed: Indexed, matches: Sequence[Match]) -> None:
        self.indexed = indexed
        self.shares: dict[str, float] = {}
        self.mix = self.fit = self.use = self.occasion = self.nearness = self.cosine = 0.0
        self.use_cosine = self.company = self.backing = self.apart = self.reach = self.behind = 0.0
        self.words: list[str] = []
        self.covered = self.telling = 0.0
        self.places = 0
        self.matches = tuple(matches)
        self.exact = together(matches)

    def is_coincidence(self, places: int, weight: float) -> bool:
        """Whether what is common with a request of so many ``places`` and this ``weight`` is next to
        nothing: one word of several, or words that say little."""
        if self.exact >= EXACT_ENOUGH:
            return False
        if places > 1 and self.places < 2:
            return True
        return self.covered * weight < enough(places, self.telling)

    @property
    def only_near(self) -> bool:
        """Whether nothing is common but the meaning, and that is too little to be a hit."""
        near = self.cosine >= ALONE or self.use_cosine >= ALONE_IN_USE
        return not self.words and not self.matches and not near

    @property
    def worded(self) -> float:
        """The fit without what exact things add to it."""
        return self.fit - EXACT_WORTH * self.exact**EXACT_POWER

    def settle(self) -> None:
        """Work out ``mix`` and ``fit`` once all shares are there."""
        self.mix = sum(MIX[field] * share for field, share in self.shares.items())
        self.fit = self.mix + EXACT_WORTH * self.exact**EXACT_POWER + USE_WORTH * self.use
        self.fit += OCCASION_WORTH * self.occasion


def enough(places: int, telling: float) -> float:
    """Nats that words in common with a request of so many ``places`` must say, of which so many are
    ``telling``."""
    if telling >= SEVERAL:
        return TELLING_WORDS
    return ONE_WORD if places < 2 else SOME_WORDS


def add_shares(
    scored: dict[int, Scored],
    present: Sequence[Weighed],
    total: dict[str, float],
    overall: float,
    terms: int,
) -> None:
    """Set what each candidate says of a request of so many ``terms``, of which the words ``present`` are in
    some skill; ``overall`` is what the whole request says, ``total`` the same by field."""
    sought = [_Sought(word, total, overall or 1.0) for word in present]
    covers = {stem.strip(): word.covers for word in sought for stem in (word.stem, *word.others)}
    by_word = {word.word: word for word in sought}
    for n, one in scored.items():
        _add_words(one, n, sought)
        one.occasion = _occasion(one.indexed.occasions, covers)
        if one.indexed.uses:
            _add_uses(one, sought, terms)
        _count(one, by_word)
        one.settle()


class _Sought:
    """A word ready to be looked for: how it stands in a field, and what it is worth there."""

    __slots__ = (
        "body", "covers", "head", "in_body", "in_head", "keys", "others", "plain", "stem", "stemmed", "tells",
        "within", "word",
    )  # fmt: skip

    def __init__(self, word: Weighed, total: dict[str, float], overall: float) -> None:
        worth = {field: weight / total[field] for field, weight in word.weights.items()}
        self.head, self.keys = worth[HEAD], worth[KEYS]
        self.stemmed, self.body = worth[HEAD_STEM], worth[BODY_STEM]
        self.covers = word.overall / overall
        self.word = word.term.word
        self.plain = f" {word.term.word} "
        self.stem, *self.others = [f" {stem} " for stem in word.term.stems]
        self.in_head, self.in_body = word.in_head, word.in_body
        self.tells, self.within = word.tells, word.term.within


def _count(one: Scored, by_word: Mapping[str, _Sought]) -> None:
    """Count the words in common: a compound and its parts are one piece of evidence, not four."""
    for name in one.words:
        word = by_word[name]
        if not word.within or not any(whole in one.words for whole in word.within):
            one.places += 1
            one.telling += word.tells


def _add_words(one: Scored, n: int, sought: Sequence[_Sought]) -> None:
    """Add what each word is worth in head, keys and body of a candidate.

    A body that is known to have a word need only be searched where repeated words stand.
    """
    indexed = one.indexed
    head, head_stem, keys = f" {indexed.head} ", f" {indexed.head_stem} ", f" {indexed.keys} "
    body, again = f" {indexed.body_stem} ", repeated(indexed.body_stem)
    usual_body = _K1 * (1 - _BODY_LENGTH + _BODY_LENGTH * indexed.body_words / _USUAL_BODY)
    usual_keys = _K1_KEYS * (1 - _KEYS_LENGTH + _KEYS_LENGTH * (keys.count(" ") - 1) / _USUAL_KEYS)
    in_heads = in_stems = in_keys = in_bodies = covered = 0.0
    for word in sought:
        has = False
        if word.in_head is None or n in word.in_head:
            if times := head.count(word.plain):
                in_heads += word.head * times / (times + _K1)
                has = True
            times = head_stem.count(word.stem)
            for other in word.others:
                times = max(times, head_stem.count(other))
            if times:
                in_stems += word.stemmed * times / (times + _K1)
                has = True
            if times := keys.count(word.plain):
                in_keys += word.keys * times / (times + usual_keys)
                has = True
        if word.in_body is None or n in word.in_body:
            where, times = (body, 0) if word.in_body is None else (again, 1)
            if (at := where.find(word.stem)) >= 0:
                times = count_at(where, at + len(word.stem))
            for other in word.others:
                if (at := where.find(other)) >= 0:
                    times = max(times, count_at(where, at + len(other)))
            if times:
                in_bodies += word.body * times / (times + usual_body)
                has = True
        if has:
            covered += word.covers
            one.words.append(word.word)
    one.shares = {HEAD: in_heads, HEAD_STEM: in_stems, BODY_STEM: in_bodies, KEYS: in_keys}
    one.covered = covered


def _occasion(occasions: str, covers: Mapping[str, float]) -> float:
    """How far the request says the best two ``occasions``: what the words in common weigh, of the request,
    times the square of their share of the occasion's words."""
    first = second = 0.0
    for occasion in occasions.split(BETWEEN):
        stems = occasion.split(" ")
        common = [covers[stem] for stem in stems if stem in covers]
        if common:
            said = sum(common) * (len(common) / len(stems)) ** 2
            if said > first:
                first, second = said, first
            elif said > second:
                second = said
    return min(1.0, first) + min(1.0, second)


def _add_uses(one: Scored, sought: Sequence[_Sought], terms: int) -> None:
    """Add how alike the request, of so many ``terms``, and the likest two past uses are: the cosines of their
    words, each of which counts once, for what is rare among texts is not what tells requests apart.

    The likest one's words are words in common.
    """
    told: Sequence[_Sought] = ()
    first = second = 0.0
    for use in one.indexed.uses.split(BETWEEN):
        text = f" {use} "
        common = [word for word in sought if any(stem in text for stem in (word.stem, *word.others))]
        like = min(1.0, len(common) / math.sqrt(terms * (use.count(" ") + 1)))
        if like > first:
            first, second, told = like, first, common
        elif like > second:
            second = like
    one.use = first + second
    for word in told:
        if word.word not in one.words:
            one.covered += word.covers
            one.words.append(word.word)
