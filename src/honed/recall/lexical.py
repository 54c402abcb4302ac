"""How well skills fit a request by their words.

Each field gives a share of its own: what the matched words weigh, over what all words of the request
weigh.  A word weighs the more the rarer it is in the field, over the skills of the scope alone.  So a
share is measured against the request, never against other hits; the number of skills enters only
through the rarity of words, smoothed so that one skill more or less moves nothing visibly.
"""

from __future__ import annotations

import math

from honed.recall.bar import COINCIDENCE, probability, unknown_share
from honed.recall.exact import exact_matches, together
from honed.recall.rarity import PRIOR_OF_FIELD, PRIOR_RATE, Rarity
from honed.skills.commonwords import RATES
from honed.skills.terms import BETWEEN, count_at, repeated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honed.recall.exact import Match
    from honed.recall.query import Query, Term
    from honed.store.found import Counted, Indexed
    from honed.store.reading import Reader

HEAD, HEAD_STEM, BODY_STEM, KEYS, USES = "head", "head_stem", "body_stem", "keys", "uses"
MIX = {HEAD: 0.20, HEAD_STEM: 0.10, BODY_STEM: 0.20, KEYS: 0.50}
"""Weights of the shares, found on the dev splits (docs/recall.md)."""
EXACT_WORTH, EXACT_POWER = 0.5, 3
"""What exact matches add: little for a common file name, much for a whole path or the same request."""
USE_WORTH = 0.22
"""What a past use that says the same adds: the best of a skill's uses counts."""
_USUAL_NATS = 4.0
"""What a word of a use says, about: a use of many words that has a few in common with the request is another
one, and to count what each of its words says would take a look-up for every word of every use."""
EXACT_ENOUGH = 0.4
"""Exact matches that come to this are more than a coincidence."""
ONE_WORD, SOME_WORDS = 5.0, 6.0
"""Nats that words in common must say, when the request is one word and when it has more."""
ALONE = 0.3
"""A skill that has nothing in common with a request but its meaning is a hit from this cosine on."""
_K1, _K1_KEYS = 1.2, 0.6
"""BM25's k1: how soon repeating a word stops counting."""
_BODY_LENGTH, _USUAL_BODY = 0.6, 400
_KEYS_LENGTH, _USUAL_KEYS = 0.3, 30
"""BM25's b, and words of a usual text: a constant, so that one long skill changes no other's share."""

FREQUENT_COUNT = 200
FREQUENT_SHARE = 0.2
KEPT_WORDS = 3
"""A word finds no candidates by itself when it is in more than 200 skills and in more than a fifth of
the scope; the three rarest always do.  It is scored all the same."""
LEADING_WORDS, RARE_COUNT = 10, 50
"""Once there are candidates enough, only the ten rarest words of a request find more, and words that are in
at most 50 skills: asking who has a frequent word costs the most and says the least."""
CANDIDATES, EXACT_CANDIDATES = 40, 8
"""Skills that are scored in full: by words, and by exact matches."""
SEARCHED = 120
"""Candidates by words of a search, which no prompt waits for: of long texts the right one may be far down
among those that merely have the words."""
MOST_EQUALS = 24
"""Equals of the last one that are scored too."""
MOST_COMPARED = 128
"""Equals whose length is looked up: in a memory of ten thousand thousands may share one word of a request."""
_HALF = 0.5
"""More than this the best candidates rarely come to before all words were asked for."""
_HEAD_WORTH = 0.7
"""In choosing candidates: about what head and keys come to together."""


class Scored:
    """One candidate: its shares by field, and the exact things in common.

    ``mix`` is the weighted sum of the shares, ``fit`` that and what the exact things, the likest past ``use``
    (0..1) and the ``nearness`` of meaning (by its ``cosine``; both 0 where nobody asked) add; ``covered`` is
    the share of the request's weight that stands anywhere in the skill, in ``words``.
    """

    __slots__ = (
        "cosine", "covered", "exact", "fit", "indexed", "matches", "mix", "nearness", "shares", "use",
        "words",
    )  # fmt: skip

    def __init__(self, indexed: Indexed, matches: Sequence[Match]) -> None:
        self.indexed = indexed
        self.shares: dict[str, float] = {}
        self.mix = self.fit = self.use = self.nearness = self.cosine = 0.0
        self.words: list[str] = []
        self.covered = 0.0
        self.matches = tuple(matches)
        self.exact = together(matches)

    def is_coincidence(self, terms: int, weight: float) -> bool:
        """Whether what is common with a request of so many ``terms`` and this ``weight`` is next to
        nothing: one word of several, or words that any request may hold."""
        if self.exact >= EXACT_ENOUGH:
            return False
        return self.covered * weight < _enough(terms) or (terms > 1 and len(self.words) < 2)

    @property
    def only_near(self) -> bool:
        """Whether nothing is common but the meaning, and that is too little to be a hit."""
        return not self.words and not self.matches and self.cosine < ALONE

    def settle(self) -> None:
        """Work out ``mix`` and ``fit`` once all shares are there."""
        self.mix = sum(MIX[field] * share for field, share in self.shares.items())
        self.fit = self.mix + EXACT_WORTH * self.exact**EXACT_POWER + USE_WORTH * self.use


class Scores:
    """All candidates of one request, in no particular order.

    ``weight`` is what the whole request says, in nats: many rare words much, "run the tests" little.
    ``skills`` is the number of skills they were chosen from, ``unknown`` the share of what the request says
    that none of them has a word for (``bar.unknown_share``).
    """

    __slots__ = ("candidates", "skills", "unknown", "weight")

    def __init__(
        self, candidates: Sequence[Scored], weight: float, skills: int, unknown: float = 0.0
    ) -> None:
        self.candidates = candidates
        self.weight = weight
        self.skills = skills
        self.unknown = unknown


class Weighed:
    """A word of the request: its weight in each field, and who has it (once asked).

    ``overall`` is what it says by itself.
    """

    __slots__ = ("_body", "_head", "having", "in_body", "in_head", "overall", "term", "weights")

    def __init__(self, term: Term, counted: dict[str, Counted], rarity: Rarity, stem_seen: bool) -> None:
        word = counted[term.word]
        stems = [counted[stem] for stem in term.stems]
        self.term = term
        self.having = max(word.most, *(stem.most for stem in stems))
        expected = RATES.get(term.stems[-1], PRIOR_RATE)
        self.overall = rarity.weight(self.having, expected)

        def within(having: int) -> float:
            return rarity.weight(having, expected, PRIOR_OF_FIELD)

        self.weights = {
            HEAD: within(word.head),
            # Two words with one stem are one stemmed word.
            HEAD_STEM: 0.0 if stem_seen else within(max(stem.head_stem for stem in stems)),
            BODY_STEM: 0.0 if stem_seen else within(max(stem.body_stem for stem in stems)),
            # Few skills have many keys, so how rare a word is among keys says little.
            KEYS: within(self.having),
        }
        self._head = [
            (field, text)
            for field, text, count in (
                (HEAD, term.word, word.head),
                (KEYS, term.word, word.keys),
                *((HEAD_STEM, text, stem.head_stem) for text, stem in zip(term.stems, stems, strict=True)),
                *((USES, text, stem.uses) for text, stem in zip(term.stems, stems, strict=True)),
            )
            if count
        ]
        self._body = [
            (BODY_STEM, text) for text, stem in zip(term.stems, stems, strict=True) if stem.body_stem
        ]
        self.in_head: set[int] | None = None if self._head else set()
        self.in_body: set[int] | None = None if self._body else set()

    def ask(self, reader: Reader, scopes: Sequence[int]) -> None:
        """Find out who has the word, where anybody has it."""
        if self._head:
            self.in_head = set(reader.having(scopes, self._head))
        if self._body:
            self.in_body = set(reader.having(scopes, self._body))


def score(
    reader: Reader,
    scopes: Sequence[int],
    query: Query,
    least: float = 0.0,
    also: Iterable[int] = (),
    depth: int = CANDIDATES,
) -> Scores:
    """The best ``depth`` candidates of ``scopes`` for a request, scored in full; row numbers in ``also`` are
    among them.

    There are none when not even a perfect fit could reach the probability ``least``: "run the tests"
    costs next to nothing.
    """
    skills = reader.size(scopes)
    if not skills:
        return Scores((), 0.0, 0)
    rarity = Rarity(skills)
    frequent = max(FREQUENT_COUNT, int(FREQUENT_SHARE * skills))
    matches = exact_matches(reader, scopes, query.entities, frequent, rarity.share)
    weighed = _weighed(reader, scopes, query.terms, rarity)
    weight = sum(word.overall for word in weighed)
    chosen = set(also)
    present = [word for word in weighed if word.having]
    common = sum(word.overall for word in present)
    # English was put in for some words of a translated request: that the others are unknown says little.
    unknown = (
        0.0
        if query.is_translated
        else unknown_share(((word.overall, word.having) for word in weighed), skills)
    )
    if not matches and not chosen and _best_chance(common, len(weighed), unknown) < least:
        return Scores((), weight, skills, unknown)
    total = _totals(weighed)
    chosen |= _best(reader, _candidates(reader, scopes, present, total, frequent, depth), depth)
    named = {n: together(things) for n, things in matches.items()}
    chosen |= _best(reader, named, EXACT_CANDIDATES)
    scored = {
        indexed.n: Scored(indexed, matches.get(indexed.n, ()))
        for indexed in (reader.indexed(sorted(chosen)) if chosen else ())
    }
    _add_shares(scored, present, total, weight)
    return Scores(tuple(scored.values()), weight, skills, unknown)


def _enough(terms: int) -> float:
    """Nats that words in common with a request of so many ``terms`` must say."""
    return ONE_WORD if terms == 1 else SOME_WORDS


def _best_chance(common: float, terms: int, unknown: float) -> float:
    """The probability of a skill that has all words of the request that any has, which say ``common``, and no
    exact thing in common (``Scored.is_coincidence``)."""
    return COINCIDENCE if common < _enough(terms) else probability(1.0, common, unknown=unknown)


def _weighed(reader: Reader, scopes: Sequence[int], terms: Iterable[Term], rarity: Rarity) -> list[Weighed]:
    wanted = {text for term in terms for text in (term.word, *term.stems)}
    counted = reader.count(scopes, sorted(wanted))
    seen: set[str] = set()
    weighed = []
    for term in terms:
        weighed.append(Weighed(term, counted, rarity, term.stems[0] in seen))
        seen.add(term.stems[0])
    return weighed


def _candidates(
    reader: Reader,
    scopes: Sequence[int],
    present: Sequence[Weighed],
    total: dict[str, float],
    frequent: int,
    depth: int,
) -> dict[int, float]:
    """Who has any of the words, with about what they come to; rare words first."""
    present = sorted(present, key=lambda word: (word.having, word.term.word))
    asked = present[:KEPT_WORDS] + [word for word in present[KEPT_WORDS:] if word.having <= frequent]
    gains = [
        (
            _HEAD_WORTH * (word.weights[HEAD] + word.weights[HEAD_STEM]) / (total[HEAD] + total[HEAD_STEM]),
            MIX[BODY_STEM] * word.weights[BODY_STEM] / total[BODY_STEM],
        )
        for word in asked
    ]
    left = float(sum(head + body for head, body in gains))
    worth: dict[int, float] = {}
    for place, (word, (head, body)) in enumerate(zip(asked, gains, strict=True)):
        if len(worth) >= depth:
            if place >= LEADING_WORDS and word.having > RARE_COUNT:
                break
            if left < _HALF and sum(map(left.__lt__, worth.values())) >= depth:
                break  # whoever has only the words that are left cannot come before these
        word.ask(reader, scopes)
        for rows, gain in ((word.in_head, head), (word.in_body, body)):
            if rows:
                _add_worth(worth, rows, gain)
        left -= head + body
    return worth


def _add_worth(worth: dict[int, float], rows: set[int], gain: float) -> None:
    """Add ``gain`` to each of ``rows``, most of which are new: tens of thousands may have a word."""
    known = rows & worth.keys()
    worth.update(dict.fromkeys(rows - known if known else rows, gain))
    for n in known:
        worth[n] += gain


def _totals(weighed: Iterable[Weighed]) -> dict[str, float]:
    """What all words of the request weigh, by field."""
    total = dict.fromkeys(MIX, 0.0)
    for word in weighed:
        for field, weight in word.weights.items():
            total[field] += weight
    return {field: weight or 1.0 for field, weight in total.items()}


def _best(reader: Reader, worth: dict[int, float], count: int) -> set[int]:
    """The best ``count``, and whoever equals the last: a cut among equals must not depend on who came
    first.  Of many equals the longest are taken: whoever says the words most often is among them; of very
    many only those learned last are looked at."""
    if len(worth) <= count:
        return set(worth)
    bar = _nth(worth, count)
    above, below = bar + 1e-9, bar - 1e-9
    reaching = [(n, value) for n, value in worth.items() if value >= below]
    best = {n for n, value in reaching if value > above}
    equal = [n for n, value in reaching if value <= above]
    if len(equal) > MOST_EQUALS:
        equal = reader.longest(sorted(equal)[-MOST_COMPARED:], MOST_EQUALS)
    return best.union(equal)


def _nth(worth: dict[int, float], place: int) -> float:
    return sorted(worth.values(), reverse=True)[place - 1]


def _add_shares(
    scored: dict[int, Scored], present: Sequence[Weighed], total: dict[str, float], overall: float
) -> None:
    sought = [_Sought(word, total, overall or 1.0) for word in present]
    for n, one in scored.items():
        _add_words(one, n, sought)
        if one.indexed.uses:
            _add_use(one, sought, overall)
        one.settle()


class _Sought:
    """A word ready to be looked for: how it stands in a field, and what it is worth there."""

    __slots__ = (
        "body", "covers", "head", "in_body", "in_head", "keys", "others", "plain", "stem", "stemmed", "word",
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


def _add_use(one: Scored, sought: Sequence[_Sought], overall: float) -> None:
    """Add how much the likest past use says of what the request says: the cosine of the two, as vectors of
    words that say about the same each."""
    told: Sequence[_Sought] = ()
    for use in one.indexed.uses.split(BETWEEN):
        text = f" {use} "
        common = [word for word in sought if any(stem in text for stem in (word.stem, *word.others))]
        share = sum(word.covers for word in common)
        like = min(1.0, share * math.sqrt(overall / (_USUAL_NATS * (use.count(" ") + 1))))
        if like > one.use:
            one.use, told = like, common
    for word in told:
        if word.word not in one.words:
            one.covered += word.covers
            one.words.append(word.word)
