"""How well skills fit a request by their words.

Each field gives a share of its own: what the matched words weigh, over what all words of the request
weigh.  A word weighs the more the rarer it is in the field, over the skills of the scope alone.  So a
share is measured against the request, never against other hits; the number of skills enters only
through the rarity of words, smoothed so that one skill more or less moves nothing visibly.
"""

from __future__ import annotations

import math

from honed.recall.exact import exact_matches, together
from honed.skills.terms import times_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honed.recall.exact import Match
    from honed.recall.query import Query, Term
    from honed.store.reading import Counted, Indexed, Reader

HEAD, HEAD_STEM, BODY_STEM, KEYS = "head", "head_stem", "body_stem", "keys"
MIX = {HEAD: 0.20, HEAD_STEM: 0.10, BODY_STEM: 0.20, KEYS: 0.50}
"""Weights of the shares, found on the dev splits (docs/recall.md)."""
_SATURATION = {HEAD: 1.2, HEAD_STEM: 1.2, BODY_STEM: 1.2, KEYS: 0.6}
"""BM25's k1: how soon repeating a word stops counting."""
_BODY_LENGTH, _USUAL_BODY = 0.6, 400
_KEYS_LENGTH, _USUAL_KEYS = 0.3, 30
"""BM25's b, and words of a usual text: a constant, so that one long skill changes no other's share."""

PRIOR_SKILLS = 200
"""A word's rarity is what was counted, plus this many skills that nobody counted..."""
PRIOR_RATE = 0.002
"""... of which this share have the word."""
LEAST_WEIGHT = 0.05

FREQUENT_COUNT = 200
FREQUENT_SHARE = 0.2
KEPT_WORDS = 3
"""A word finds no candidates by itself when it is in more than 200 skills and in more than a fifth of
the scope; the three rarest always do.  It is scored all the same."""
CANDIDATES = 48
"""Skills that are scored in full; as many again by exact matches."""
MOST_EQUALS = 256
_HEAD_WORTH = 2.0
"""In choosing candidates a word of head or keys is worth this many words of a body."""


class Scored:
    """One candidate: its shares by field, the mix of them, and the exact things in common.

    ``covered`` is the share of the request's weight that stands anywhere in the skill; ``words`` are
    the words of the request that do.
    """

    __slots__ = ("covered", "exact", "indexed", "matches", "mix", "shares", "words")

    def __init__(
        self,
        indexed: Indexed,
        shares: dict[str, float],
        words: tuple[str, ...],
        covered: float,
        matches: Sequence[Match],
    ) -> None:
        self.indexed = indexed
        self.shares = shares
        self.mix = sum(MIX[field] * share for field, share in shares.items())
        self.words = words
        self.covered = covered
        self.matches = tuple(matches)
        self.exact = together(matches)


class Rarity:
    """What words weigh in a scope of ``skills`` skills."""

    __slots__ = ("_skills", "_top")

    def __init__(self, skills: int) -> None:
        self._skills = skills
        self._top = self.weight(1)

    def weight(self, having: int) -> float:
        """The weight of a word that ``having`` skills have: log of its smoothed rarity."""
        rate = (having + 0.5 + PRIOR_SKILLS * PRIOR_RATE) / (self._skills + PRIOR_SKILLS)
        return max(LEAST_WEIGHT, -math.log(rate))

    def share(self, having: int) -> float:
        """The same from 0 (everybody has it) to 1 (one skill has it)."""
        return min(1.0, self.weight(having) / self._top)


class Weighed:
    """A word of the request: its weight in each field and overall, and who has it (once asked)."""

    __slots__ = ("having", "in_body", "in_head", "overall", "term", "weights")

    def __init__(self, term: Term, counted: dict[str, Counted], rarity: Rarity, stem_seen: bool) -> None:
        word = counted[term.word]
        stems = [counted[stem] for stem in term.stems]
        self.term = term
        self.having = max(word.most, *(stem.most for stem in stems))
        self.overall = rarity.weight(self.having)
        self.weights = {
            HEAD: rarity.weight(word.head),
            # Two words with one stem are one stemmed word.
            HEAD_STEM: 0.0 if stem_seen else rarity.weight(max(stem.head_stem for stem in stems)),
            BODY_STEM: 0.0 if stem_seen else rarity.weight(max(stem.body_stem for stem in stems)),
            # Few skills have many keys, so how rare a word is among keys says little.
            KEYS: self.overall,
        }
        self.in_head: set[int] | None = None
        self.in_body: set[int] | None = None

    def ask(self, reader: Reader, scopes: Sequence[int]) -> None:
        """Find out who has the word."""
        stems = self.term.stems
        head = [(HEAD, self.term.word), (KEYS, self.term.word), *((HEAD_STEM, stem) for stem in stems)]
        self.in_head = set(reader.having(scopes, head))
        self.in_body = set(reader.having(scopes, [(BODY_STEM, stem) for stem in stems]))


def score(reader: Reader, scopes: Sequence[int], query: Query) -> list[Scored]:
    """The candidates of ``scopes`` for a request, scored in full, in no particular order."""
    skills = reader.size(scopes)
    if not skills:
        return []
    rarity = Rarity(skills)
    frequent = max(FREQUENT_COUNT, int(FREQUENT_SHARE * skills))
    matches = exact_matches(reader, scopes, query.entities, frequent, rarity.share)
    weighed = _weighed(reader, scopes, query.terms, rarity)
    chosen = _best(reader, _candidates(reader, scopes, weighed, frequent))
    chosen |= _best(reader, {n: together(common) for n, common in matches.items()})
    if not chosen:
        return []
    total = {field: sum(word.weights[field] for word in weighed) or 1.0 for field in MIX}
    return [
        _in_full(indexed, weighed, total, matches.get(indexed.n, ()))
        for indexed in reader.indexed(sorted(chosen))
    ]


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
    reader: Reader, scopes: Sequence[int], weighed: Sequence[Weighed], frequent: int
) -> dict[int, float]:
    """Who has any of the words, with what they weigh together; rare words first."""
    present = sorted(
        (word for word in weighed if word.having), key=lambda word: (word.having, word.term.word)
    )
    asked = present[:KEPT_WORDS] + [word for word in present[KEPT_WORDS:] if word.having <= frequent]
    left = sum(word.overall for word in asked) * (1 + _HEAD_WORTH)
    worth: dict[int, float] = {}
    for word in asked:
        if len(worth) >= CANDIDATES and max(worth.values()) > left and _nth(worth, CANDIDATES) > left:
            break  # whoever has only the words that are left cannot come before these
        word.ask(reader, scopes)
        for rows, each in ((word.in_head, _HEAD_WORTH), (word.in_body, 1.0)):
            gain = each * word.overall
            for n in rows or ():
                worth[n] = worth.get(n, 0.0) + gain
        left -= word.overall * (1 + _HEAD_WORTH)
    return worth


def _best(reader: Reader, worth: dict[int, float]) -> set[int]:
    """The best ``CANDIDATES``, and whoever equals the last: a cut among equals must not depend on who
    came first.  Of very many equals those proven last are taken."""
    if len(worth) <= CANDIDATES:
        return set(worth)
    bar = _nth(worth, CANDIDATES)
    best = {n for n, value in worth.items() if value > bar + 1e-9}
    equal = [n for n, value in worth.items() if abs(value - bar) <= 1e-9]
    return best.union(equal if len(equal) <= MOST_EQUALS else reader.newest(equal, MOST_EQUALS))


def _nth(worth: dict[int, float], place: int) -> float:
    return sorted(worth.values(), reverse=True)[place - 1]


def _in_full(
    indexed: Indexed, weighed: Iterable[Weighed], total: dict[str, float], matches: Sequence[Match]
) -> Scored:
    n = indexed.n
    head, head_stem, body, keys = (
        f" {text} " for text in (indexed.head, indexed.head_stem, indexed.body_stem, indexed.keys)
    )
    usual = dict(_SATURATION)
    usual[BODY_STEM] *= 1 - _BODY_LENGTH + _BODY_LENGTH * indexed.body_words / _USUAL_BODY
    usual[KEYS] *= 1 - _KEYS_LENGTH + _KEYS_LENGTH * (keys.count(" ") - 1) / _USUAL_KEYS
    gained = dict.fromkeys(MIX, 0.0)
    covered = weight = 0.0
    found: list[str] = []
    for word in weighed:
        weight += word.overall
        times: dict[str, int] = {}
        if word.having and (word.in_head is None or n in word.in_head):
            times[HEAD] = head.count(f" {word.term.word} ")
            times[HEAD_STEM] = max(head_stem.count(f" {stem} ") for stem in word.term.stems)
            times[KEYS] = keys.count(f" {word.term.word} ")
        if word.having and (word.in_body is None or n in word.in_body):
            times[BODY_STEM] = max(times_in(body, stem) for stem in word.term.stems)
        for field, count in times.items():
            if count:
                gained[field] += word.weights[field] * count / (count + usual[field])
        if any(times.values()):
            covered += word.overall
            found.append(word.term.word)
    shares = {field: gained[field] / total[field] for field in MIX}
    return Scored(indexed, shares, tuple(found), covered / weight if weight else 0.0, matches)
