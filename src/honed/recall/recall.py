"""The one recall: hooks, command line, MCP and REST all come through here.

    request -> query -> candidates of the project and the global scope -> probability -> bar -> note

``recall`` is what an agent is given unasked: only above the bar, within the budget, and what the owner's
``deliver`` lets through.  ``search`` shows everything that matches and marks what is weak.
"""

from __future__ import annotations

import math
import time
from itertools import islice

from honed.errors import NoModelError
from honed.ledger.curve import ARCHIVED, FRESH, julian, reliability, strength_between
from honed.recall.another import without_place
from honed.recall.asked import asks
from honed.recall.bar import BAR, BESIDE, COINCIDENCE, beside, is_common_topic, probability
from honed.recall.company import lend, shown
from honed.recall.exact import OF_FILES, OF_TOPIC, together
from honed.recall.fresh import look_at
from honed.recall.ground import Looks
from honed.recall.hits import Hit, same_as, withheld_reason
from honed.recall.lexical import CANDIDATES, SEARCHED, score
from honed.recall.note import BUDGET, compose
from honed.recall.own_name import names_of, only_the_name
from honed.recall.query import analyse
from honed.recall.rarity import are_common
from honed.recall.safe import own
from honed.recall.scored import EXACT_ENOUGH
from honed.recall.steering import steers
from honed.skills.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from honed.recall.note import Note
    from honed.recall.query import Query
    from honed.recall.scored import Scored
    from honed.recall.semantic import Nearness, Sense
    from honed.store.found import Facts, Indexed
    from honed.store.place import Place
    from honed.store.reading import Reader

LEXICAL, HYBRID = "lexical", "hybrid"
"""Modes: by words and exact things alone, and by what a request means too."""
_HALF = 0.5
_NEAR = 0.01
"""By how much fit two skills are near-equals: then state, strength, place and pins order them."""
_SHOWN = 3
"""Candidates looked at for each one asked for, so that withheld ones do not push others out."""
_BATCH = 8
"""Skills that are read at once; most recalls need no more."""


class Recalled:
    """What was found: the ``note`` (``None`` when nothing fits) and its ``tokens``, the hits in their
    order, and what was withheld as ``(slug, reason)``.

    ``besides`` is what the note tells that is no skill (the project's usual checks), to be remembered like
    the ids and versions of the hits.
    """

    __slots__ = ("besides", "hits", "mode", "note", "tokens", "withheld")

    def __init__(
        self,
        note: str | None,
        tokens: int,
        hits: tuple[Hit, ...],
        withheld: tuple[tuple[str, str], ...] = (),
        mode: str = LEXICAL,
        besides: Mapping[str, int] | None = None,
    ) -> None:
        self.besides: Mapping[str, int] = besides or {}
        self.note = note
        self.tokens = tokens
        self.hits = hits
        self.withheld = withheld
        self.mode = mode


def recall(
    reader: Reader,
    text: str,
    place: Place | None,
    *,
    limit: int = 5,
    explain: bool = False,
    bar: float = BAR,
    budget: int = BUDGET,
    deliver: str = "verified",
    now: str = "",
    given: Mapping[str, int] | None = None,
    everywhere: bool = False,
    sense: Sense | None = None,
) -> Recalled:
    """What an agent at ``place`` is given for the request ``text``.

    ``place`` is where the agent stands (``None``: nowhere; only global skills are looked at).  ``bar``
    is the least probability, ``budget`` tokens of the note, ``deliver`` the owner's dial (``approved``,
    ``proven``, ``verified``), ``now`` the time (ISO-8601 UTC; the clock's by default), ``given`` what the
    session was given already, by id and version.  ``everywhere`` looks at all projects where ``place`` is
    none (an owner asking from a folder of no project).  ``sense`` finds by meaning too.  Raises
    ``UnavailableError`` when memory cannot be read: never an empty answer instead.
    """
    found = _Found(reader, text, place, now or _now(), least=bar, everywhere=everywhere, sense=sense)
    hits: list[Hit] = []
    withheld: list[tuple[str, str]] = []
    looks = Looks()
    for hit in found.told(limit * _SHOWN, bar, explain):
        reason = withheld_reason(hit, deliver, found.now, given)
        reason = reason or without_place(hit, found.asked) or look_at(place, found.project, hit, looks)
        if not reason and (same := same_as(hit, hits)):
            reason = f"has the title of `{same}`, which fits better"
        if reason:
            withheld.append((hit.slug, own(reason)))
        else:
            hits.append(hit)
        if len(hits) >= limit and not all(hit.weak for hit in hits):
            break
    hits = _strong_kept(hits, limit)
    usual = found.usual(budget, deliver, given)
    note = compose(hits, budget - usual.tokens - 1 if usual else budget, found.words) if hits else None
    notes = [one for one in (usual, note) if one is not None]
    if not notes:
        return Recalled(None, 0, tuple(hits), tuple(withheld), found.mode)
    ids = note.ids if note is not None else ()
    told = tuple(hit for hit in hits if hit.id in ids)
    withheld += [(hit.slug, "no room left in the note") for hit in hits if hit.id not in ids]
    text = "\n".join(one.text for one in notes)
    besides = dict.fromkeys(usual.ids, 1) if usual is not None else {}
    return Recalled(text, estimate(text), told, tuple(withheld), found.mode, besides)


def search(
    reader: Reader,
    text: str,
    place: Place | None,
    *,
    limit: int = 10,
    explain: bool = False,
    bar: float = BAR,
    recaps: bool = False,
    now: str = "",
    everywhere: bool = False,
    sense: Sense | None = None,
) -> Recalled:
    """Everything that matches ``text``, the best first; what is below the bar is marked weak.

    Suspended and faded skills are shown too; the note is that of the usual checks, where ``text`` asks for
    them.  Arguments and errors as in ``recall``.
    """
    found = _Found(reader, text, place, now or _now(), everywhere=everywhere, sense=sense, depth=SEARCHED)
    usual = found.usual(BUDGET)
    hits = tuple(found.hits(limit, bar, explain, recaps=recaps))
    if usual is not None:
        return Recalled(usual.text, usual.tokens, hits, mode=found.mode)
    return Recalled(None, 0, hits, mode=found.mode)


def _strong_kept(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The first ``limit`` hits, of which one at least is above the bar; none where none is."""
    kept = list(hits[:limit])
    if all(hit.weak for hit in kept):
        kept = [*kept[: limit - 1], *(hit for hit in hits[limit:] if not hit.weak)][:limit]
    return [] if all(hit.weak for hit in kept) else kept


class _Found:
    """The scored candidates of one request, and where and when it was asked."""

    __slots__ = (
        "_names", "_places", "_query", "_reader", "_scores", "_subpath", "_today", "asked", "mode", "now",
        "project", "words",
    )  # fmt: skip

    def __init__(
        self,
        reader: Reader,
        text: str,
        place: Place | None,
        now: str,
        least: float = 0.0,
        everywhere: bool = False,
        sense: Sense | None = None,
        depth: int = CANDIDATES,
    ) -> None:
        self._reader = reader
        self.project = reader.project(place) if place is not None else None
        self._names = names_of(place)
        self._subpath = place.subpath if place is not None else ""
        nowhere = self.project is None and place is not None and not place.git_dir
        scopes = reader.every_scope() if everywhere and nowhere else reader.scopes(self.project)
        self._query = _in_english(analyse(text), reader, scopes)
        near = _near(sense, reader, scopes, text)
        self.mode = LEXICAL if near is None else HYBRID
        if self._query.is_translated:
            depth = SEARCHED  # its words are commoner, so how many are shared says less before all is scored
        self._scores = score(reader, scopes, self._query, least, near.best if near else (), depth)
        if near is not None:
            near.add_to(self._scores.candidates)
        self.words = [term.word for term in self._query.terms]
        self._places = lend(reader, self._scores.candidates, self._scores.weight, self.words)
        self.asked = [*self.words, *(stem for term in self._query.terms for stem in term.stems)]
        self.now = now
        self._today = julian(now)

    def hits(self, limit: int, bar: float, explain: bool, *, recaps: bool) -> Iterable[Hit]:
        """The best ``limit`` candidates, in order."""
        chances = self._chances(recaps=recaps)
        return self._hits(islice(self._ordered(chances), limit), chances, bar, explain)

    def told(self, limit: int, bar: float, explain: bool) -> Iterable[Hit]:
        """The best ``limit`` of those from ``bar`` on, in order, with those of the first few that are told
        beside such a one; none of a request that only steers the session."""
        if steers(self._query):
            return ()
        chances = self._chances(recaps=False)
        if max(chances.values(), default=0.0) < bar:
            return ()
        least = beside(bar)
        told = (
            one
            for place, one in enumerate(self._ordered(chances))
            if chances[one] >= (least if place < BESIDE else bar)
        )
        return self._hits(islice(told, limit), chances, bar, explain)

    def _chances(self, *, recaps: bool) -> dict[Scored, float]:
        """The probability of each candidate that is a hit at all."""
        return {
            one: self._chance(one)
            for one in self._scores.candidates
            if _counts(one, self._query) and (recaps or one.indexed.kind != "recap")
        }

    def _ordered(self, hits: Iterable[Scored]) -> Iterable[Scored]:
        ranks = {one: self._rank(one) for one in hits}
        best = sorted(ranks, key=lambda one: (-ranks[one], one.indexed.id))
        return shown(best, ranks.__getitem__, self._places)

    def _hits(
        self, ordered: Iterable[Scored], chances: Mapping[Scored, float], bar: float, explain: bool
    ) -> Iterable[Hit]:
        waiting = list(ordered)
        for start in range(0, len(waiting), _BATCH):
            batch = waiting[start : start + _BATCH]
            facts = self._reader.facts([one.indexed.n for one in batch])
            for one in batch:
                if one.indexed.n in facts:
                    yield self._hit(one, facts[one.indexed.n], chances[one], bar, explain)

    def usual(
        self, budget: int, deliver: str = "verified", given: Mapping[str, int] | None = None
    ) -> Note | None:
        """The project's usual checks, where the request asks for them and the session was not told yet."""
        if self.project is None or not asks(self._query.text):
            return None
        from honed.recall.usual import answer, mark_of  # few requests ask

        if given and mark_of(self.project) in given:
            return None
        return answer(self._reader, self.project, budget, deliver)

    def _hit(self, one: Scored, facts: Facts, chance: float, bar: float, explain: bool) -> Hit:
        return Hit(facts, chance, chance < bar, lambda: self._reasons(one, chance, explain))

    def _reasons(self, one: Scored, chance: float, explain: bool) -> tuple[str, ...]:
        from honed.recall.explain import reasons, short_reasons  # no hook asks

        if not explain:
            return short_reasons(one)
        coincidence = self._is_coincidence(one)
        return reasons(one, self._scores, chance, self._standing(one), coincidence=coincidence)

    def _rank(self, one: Scored) -> float:
        return one.fit + one.company + one.apart + one.reach + _NEAR * self._standing(one)

    def _is_coincidence(self, one: Scored) -> bool:
        if one.exact < EXACT_ENOUGH and (
            only_the_name(one.words, self._names) or are_common(one.words, self._query.language)
        ):
            return True
        if self._query.is_path and not any(match.kind in OF_FILES for match in one.matches):
            return True  # folders in common, but not the file
        if OF_TOPIC in [match.kind for match in one.matches]:
            others = [match for match in one.matches if match.kind != OF_TOPIC]
            said = one.covered * self._scores.weight
            if together(others) < EXACT_ENOUGH and is_common_topic(said, self._scores.skills):
                return True
        return one.is_coincidence(self._scores.places, self._scores.weight)

    def _chance(self, one: Scored) -> float:
        chance = probability(
            one.worded,
            one.exact,
            one.telling,
            occasion=one.occasion,
            backing=one.backing,
            placed=bool(one.indexed.places),
            unknown=self._scores.unknown,
            length=one.indexed.body_words,
            meant=self.mode == HYBRID,
        )
        return COINCIDENCE if chance > COINCIDENCE and self._is_coincidence(one) else chance

    def _standing(self, one: Scored) -> float:
        """From -1 to 1: what speaks for one of two near-equals."""
        skill = one.indexed
        standing = {"proven": 0.3, "suspended": -1.0}.get(skill.state, 0.0)
        standing += 0.25 * math.log2(max(self._strength(skill), ARCHIVED) / FRESH)
        standing += 0.3 if skill.approved else 0.0
        standing += 0.2 if skill.pinned else 0.0
        standing -= 0.2 if not skill.project else 0.0
        if self._subpath and any(f" {part} " in f" {skill.keys} " for part in _folders(self._subpath)):
            standing += 0.3
        return max(-1.0, min(1.0, standing))

    def _strength(self, skill: Indexed) -> float:
        sure = reliability(skill.confirmed, skill.failed)
        if skill.fades is None or skill.archives is None:
            return sure
        return strength_between(sure, skill.fades, skill.archives, self._today)


def _near(sense: Sense | None, reader: Reader, scopes: Sequence[int], text: str) -> Nearness | None:
    """What the request means; nothing where there is no model or it fails: then words alone decide."""
    try:
        return sense.near(reader, scopes, text) if sense is not None else None
    except NoModelError:
        return None


def _in_english(query: Query, reader: Reader, scopes: Sequence[int]) -> Query:
    """The request asked in English too, where it is in another language."""
    if query.text.isascii() and query.language == "en":
        return query
    from honed.recall.translating import translated  # most requests are English

    return translated(query, reader, scopes)


def _folders(subpath: str) -> Sequence[str]:
    return [part for part in subpath.lower().split("/") if part]


def _counts(one: Scored, query: Query) -> bool:
    """Whether a candidate is a hit at all.  Of a request that is one compound word, parts are no hit."""
    if one.fit <= 0 or one.only_near:
        return False
    return query.length > 1 or one.covered >= _HALF or bool(one.matches)


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
