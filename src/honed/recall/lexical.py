"""How well skills fit a request by their words.

Each field gives a share of its own: what the matched words weigh, over what all words of the request
weigh.  A word weighs the more the rarer it is in the field, over the skills of the scope alone.  So a
share is measured against the request, never against other hits; the number of skills enters only
through the rarity of words, smoothed so that one skill more or less moves nothing visibly.
"""

from __future__ import annotations

import math

from honed.recall.bar import COINCIDENCE, MOST_BACKING, probability, unknown_share
from honed.recall.exact import exact_matches
from honed.recall.rarity import PRIOR_OF_FIELD, PRIOR_RATE, Rarity
from honed.recall.scored import (
    BODY_STEM,
    HEAD,
    HEAD_STEM,
    KEYS,
    MIX,
    USE_WORTH,
    USES,
    Scored,
    add_shares,
    enough,
)
from honed.skills.commonwords import RATES
from honed.skills.stemming import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from honed.recall.query import Query, Term
    from honed.store.found import Counted
    from honed.store.reading import Reader

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
"""Equals whose lengths are looked up one by one, or as many as the root of the number of skills: in a memory
of ten thousand thousands may share one word of a request."""
_SAME = 1e-9
"""Less than this is no difference between two worths."""
_HALF = 0.5
"""More than this the best candidates rarely come to before all words were asked for."""


_UNSPACED = "\u0e00"
"""From here on stand the scripts that are cut into pairs of characters."""
MARKED = 1.6
"""How much more a word in backticks weighs beside the others: it is the name of what is meant."""


class Scores:
    """All candidates of one request, in no particular order.

    ``weight`` is what the whole request says, in nats: many rare words much, "run the tests" little;
    ``places`` are its words, a compound and its parts as one.
    ``skills`` is the number of skills they were chosen from, ``unknown`` the share of what the request says
    that none of them has a word for (``bar.unknown_share``).
    """

    __slots__ = ("candidates", "places", "skills", "unknown", "weight")

    def __init__(
        self,
        candidates: Sequence[Scored],
        weight: float,
        skills: int,
        unknown: float = 0.0,
        places: int = 0,
    ) -> None:
        self.candidates = candidates
        self.weight = weight
        self.skills = skills
        self.unknown = unknown
        self.places = places


class Weighed:
    """A word of the request: its weight in each field, and who has it (once asked).

    ``overall`` is what it says by itself; ``tells`` is 1 but of a word that any request may hold, and a half
    of a pair of characters, of which a word has two.
    """

    __slots__ = (
        "_body", "_counts", "_head", "having", "in_body", "in_head", "overall", "tells", "term", "weights",
    )  # fmt: skip

    def __init__(self, term: Term, counted: dict[str, Counted], rarity: Rarity, stem_seen: bool) -> None:
        word = counted[term.word]
        stems = [counted[stem] for stem in term.stems]
        self.term = term
        self.having = max(word.most, *(stem.most for stem in stems))
        expected = RATES.get(term.stems[-1], PRIOR_RATE)
        self.overall = rarity.weight(self.having, expected)
        self.tells = 0.0 if _is_usual(term) else 0.5 if term.word[:1] >= _UNSPACED else 1.0

        emphasis = MARKED if term.marked else 1.0

        def within(having: int) -> float:
            return emphasis * rarity.weight(having, expected, PRIOR_OF_FIELD)

        self.weights = {
            HEAD: within(word.head),
            # Two words with one stem are one stemmed word.
            HEAD_STEM: 0.0 if stem_seen else within(max(stem.head_stem for stem in stems)),
            BODY_STEM: 0.0 if stem_seen else within(max(stem.body_stem for stem in stems)),
            # Few skills have many keys, so how rare a word is among keys says little.
            KEYS: within(self.having),
        }
        self._counts = (
            (HEAD, word.head),
            (KEYS, word.keys),
            (HEAD_STEM, max(stem.head_stem for stem in stems)),
            (USES, max(stem.uses for stem in stems)),
        )
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

    def most(self, worth: Mapping[str, float]) -> float:
        """The most that the word comes to for anybody, body and all.  Before it is asked for."""
        having = max(count for _, count in self._counts)
        in_head = sum(count * worth[field] for field, count in self._counts) / (having or 1)
        return in_head + (worth[BODY_STEM] if self._body else 0.0)

    def gain(self, worth: Mapping[str, float]) -> float:
        """What the word comes to among those who have it anywhere but in the body, on the average: of
        ``worth`` by field what each has, for who has it where costs a question for each.  Once asked."""
        return sum(count * worth[field] for field, count in self._counts) / len(self.in_head or "-")


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
    # That nobody has a word of another language says little: memories are mostly English.
    told = ((word.overall, word.having) for word in weighed if not word.term.is_foreign)
    unknown = unknown_share(told, skills)
    places = _places(word.term for word in weighed)
    telling = sum(word.tells for word in present)
    if not matches and not chosen and _best_chance(common, telling, places, unknown) < least:
        return Scores((), weight, skills, unknown, places)
    total = _totals(weighed)
    among = (scopes, skills)
    worth = _candidates(reader, scopes, present, total, frequent, depth)
    chosen |= _best(reader, among, worth, depth)
    if matches:
        chosen |= _best(reader, among, matches.worth(), EXACT_CANDIDATES)
    scored = {
        indexed.n: Scored(indexed, matches.of(indexed.n))
        for indexed in (reader.indexed(sorted(chosen)) if chosen else ())
    }
    add_shares(scored, present, total, weight, len(weighed))
    return Scores(tuple(scored.values()), weight, skills, unknown, places)


def _places(terms: Iterable[Term]) -> int:
    """How many words a request has, where a compound and its parts are one."""
    within = {term.word: term.within for term in terms}
    return sum(within.keys().isdisjoint(wholes) for wholes in within.values())


def _best_chance(common: float, telling: float, places: int, unknown: float) -> float:
    """The probability of a skill that has all words of the request that any has, which say ``common``, and no
    exact thing in common (``Scored.is_coincidence``)."""
    if common < enough(places, telling):
        return COINCIDENCE
    return probability(1.0, 0.0, telling, occasion=2.0, backing=MOST_BACKING, unknown=unknown)


def _is_usual(term: Term) -> bool:
    """Whether a word is one that any request may hold, or a compound of such: "update", "README.md"."""
    if term.parts:
        return all(stem(part, "en") in RATES for part in term.parts)
    return term.stems[-1] in RATES


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
    shares = [
        {field: share * word.weights[field] / total[field] for field, share in MIX.items()} for word in asked
    ]
    left = float(sum(sum(share.values()) for share in shares))
    for share in shares:
        share[USES] = USE_WORTH * share[KEYS]
    most = [word.most(share) for word, share in zip(asked, shares, strict=True)]
    whole = later = sum(most)  # what all words, and those after this one, come to at most
    worth: dict[int, float] = {}
    for place, (word, share) in enumerate(zip(asked, shares, strict=True)):
        later -= most[place]
        in_body = share[BODY_STEM] if word.in_body is None else 0.0
        last = 0.0
        if len(worth) >= depth:
            if place >= LEADING_WORDS and word.having > RARE_COUNT:
                break
            bar = min(left, in_body + later)
            reaching = [value for value in worth.values() if value > bar] if bar < whole - later else ()
            if len(reaching) >= depth:
                last = sorted(reaching, reverse=True)[depth - 1]
                if left < min(last, _HALF):
                    break  # whoever has only the words that are left cannot come before these
                last -= _SAME
                if (bar := last - later - most[place]) > 0:
                    worth = {n: value for n, value in worth.items() if value >= bar}
        word.ask(reader, scopes)
        left -= sum(share.values()) - share[USES]
        # Who was not met yet, and cannot come to as much as the last of the best, need not be kept.
        if word.in_head:
            gain = word.gain(share)
            worth = _with(worth, word.in_head, gain, new=gain + in_body + later >= last)
        if word.in_body:
            worth = _with(worth, word.in_body, in_body, new=in_body + later >= last)
    return worth


def _with(worth: dict[int, float], rows: set[int], gain: float, *, new: bool) -> dict[int, float]:
    """``worth`` with ``gain`` for each of ``rows``, where it is ``new`` too: most are, and tens of thousands
    may have a word."""
    known = rows & worth.keys()
    if new and len(rows) < len(worth):
        worth.update(dict.fromkeys(rows - known if known else rows, gain))
    elif new:
        worth = {**dict.fromkeys(rows, gain), **worth}
    for n in known:
        worth[n] += gain
    return worth


def _totals(weighed: Iterable[Weighed]) -> dict[str, float]:
    """What all words of the request weigh, by field."""
    total = dict.fromkeys(MIX, 0.0)
    for word in weighed:
        for field, weight in word.weights.items():
            total[field] += weight
    return {field: weight or 1.0 for field, weight in total.items()}


def _best(reader: Reader, among: tuple[Sequence[int], int], worth: dict[int, float], count: int) -> set[int]:
    """The best ``count``, and whoever equals the last: a cut among equals must not depend on who came
    first.  Of many equals the longest are taken: whoever says the words most often is among them.

    ``among`` are the scopes they are of, and how many skills those hold.
    """
    if len(worth) <= count:
        return set(worth)
    bar = _nth(worth, count)
    above, below = bar + _SAME, bar - _SAME
    reaching = [(n, value) for n, value in worth.items() if value >= below]
    best = {n for n, value in reaching if value > above}
    equal = [n for n, value in reaching if value <= above]
    if len(equal) > MOST_EQUALS:
        scopes, skills = among
        # To look at each costs a read; to meet so many on the way down from the longest of all, the fewer
        # skills the more of them are equals.
        if len(equal) <= max(MOST_COMPARED, math.isqrt(skills)):
            equal = reader.longest(equal, MOST_EQUALS)
        else:
            equal = reader.longest_of_many(scopes, equal, MOST_EQUALS)
    return best.union(equal)


def _nth(worth: dict[int, float], place: int) -> float:
    values = worth.values()
    half = max(values) / 2
    upper = [value for value in values if value >= half]  # of thousands, few are so near to the best
    return sorted(upper if len(upper) >= place else values, reverse=True)[place - 1]
