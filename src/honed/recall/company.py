"""What candidates of one request say for each other, and in which order those of one place are shown.

Who changed one file speaks of the same thing, and so do skills that were learned one after another in a
session: where one of them fits, the others are likelier meant.  That moves candidates among each other, and
some of it probabilities (``Scored.backing``): of work what is said of its files, of a turn of talk what is
around it and who says it; that a session did this beside that says too little.  And of several about one file
the best one speaks first, then those about other files: whoever shows five skills shows where else to look.

What all that changed a file say of the request, taken together, tells whether the file is meant: one fix
of it has this word of the request, another that one.  So a file lends, too, what it says beyond the skill
itself.

In talk, turn after turn, who is asked about has most often said it, and a question is answered by what comes
next: "How long do you hold that pose?" has the words, "Half a minute" is meant.

On the hot path.  A skill that shares no word with the request is no candidate and lends nothing, and neither
does a copy: it says nothing that the other does not say itself.
"""

from __future__ import annotations

import math

from honed.skills.talk import ASKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from honed.recall.scored import Scored
    from honed.store.reading import Reader

    Places = Mapping[Scored, Sequence[str]]
    """The files of candidates of which others changed some too."""

OF_PLACE, PLACE_SHARES = 0.5, (0.7, 0.3)
"""What a skill is lent by the best two others about a file of its own, of their fits."""
OF_FILE, SECOND_FILE = 0.4, 0.5
"""What a skill is lent by what is said of the request by all that changed its best file, beyond what it says
itself; and how much of what is said of its second best file adds to that."""
_K1, _LENGTH, _USUAL = 1.2, 0.5, 6
"""BM25's k1 and b for a file's words, and skills that usually changed one."""
OF_SESSION = (0.2, 0.1)
"""What a skill is lent by those that were learned right before it and right after it in its session, and by
the next but one; of their fits, too (docs/recall.md)."""
FEW = 4
"""Of more candidates than this, a file that more than half of them changed says nothing: a log of changes."""
APART = 0.05
"""What its words add, by how few of the candidates have each: what all have tells none of them apart."""
AROUND = 0.05
"""What it is lent by the words of the request that stand in those, and not in itself."""
OF_QUESTION = 0.3
"""What a turn of talk is lent more by the one right before it, where that asks."""
OF_SPEAKER, OF_ASKING = 0.4, -0.15
"""What a turn gains by who says it, where the request names that one and not everybody; and by asking, for
whoever asks does not tell.  Of its own fit."""
SESSION_LIMIT = 1000
"""Skills of the sessions of the candidates that are looked at."""
_ASKING = f" {ASKS}"
OF_MANY = 0.01
"""What a skill gains by how many files it changed, times the logarithm of one more than these: work that
reached further is likelier about the file that is meant."""
SHOWN_BEFORE = 0.07
"""What a skill goes back by for each one before it, if they are about all of its files."""


def lend(reader: Reader, candidates: Sequence[Scored], weight: float, asked: Sequence[str]) -> Places:
    """Set ``company``, ``backing``, ``apart`` and ``reach`` of each candidate: what the others lend it, what
    few of them say, and what its files add by their number.  Out: what ``shown`` needs to know.

    ``weight`` is what the whole request says, in nats, ``asked`` are its words.
    """
    rare = _rare(_times(one.words for one in candidates), len(candidates), weight) if weight else {}
    for one in candidates:
        one.apart = APART * sum(rare.get(word, 0.0) for word in one.words)
    by_place = _by_place(candidates)
    shared = _shared(by_place, len(candidates))
    places: dict[Scored, list[str]] = {}
    for place, having in shared.items():
        having.sort(key=_by_fit)
        for one in having:
            lent = OF_PLACE * _best_of_others(one, having)
            if lent > one.company:
                one.company = lent
            places.setdefault(one, []).append(place)
    if shared and weight:
        _lend_words(places, by_place, weight)
    for place, having in by_place.items():
        if len(having) == 1 and having[0] in places:
            places[having[0]].append(place)
    for one in candidates:
        one.backing = one.company
        if one.indexed.places:
            one.reach = OF_MANY * math.log(2 + one.indexed.places.count("\n"))
    for one, lent in (*_by_session(reader, candidates, rare), *_by_speaker(candidates, asked)):
        one.company += lent
        if one.indexed.talk:
            one.backing += lent
    return places


def _lend_words(places: Places, by_place: Mapping[str, Sequence[Scored]], weight: float) -> None:
    """Add what the files of each candidate say of the request, beyond what it says itself."""
    said_of = {place: _words_of(having) for place, having in by_place.items() if len(having) > 1}
    # A word that is said of few files tells which one is meant.
    among = _times(said_of[at][0] if at in said_of else having[0].words for at, having in by_place.items())
    rare = _rare(among, len(by_place), weight)
    said = {
        place: sum(rare[word] * n / (n + _usual_length(count)) for word, n in times.items())
        for place, (times, count) in said_of.items()
        if count > 1
    }
    alone = 1 / (1 + _usual_length(1))
    for one, those in places.items():
        best, *others = [*sorted((said.get(place, 0.0) for place in those), reverse=True), 0.0]
        own = alone * sum(rare[word] for word in one.words)
        one.company += OF_FILE * (max(0.0, best - own) + SECOND_FILE * others[0])


def _usual_length(skills: int) -> float:
    return _K1 * (1 - _LENGTH + _LENGTH * skills / _USUAL)


def _words_of(having: Sequence[Scored]) -> tuple[dict[str, int], int]:
    """How many of ``having`` say each word of the request, and how many there are, without copies."""
    different = {(one.indexed.head, one.indexed.body_stem): one for one in having}
    return _times(one.words for one in different.values()), len(different)


def _times(several: Iterable[Iterable[str]]) -> dict[str, int]:
    """In how many of ``several`` each word stands, each of which has it once."""
    times: dict[str, int] = {}
    for words in several:
        for word in words:
            times[word] = times.get(word, 0) + 1
    return times


def _rare(times: Mapping[str, int], several: int, weight: float) -> dict[str, float]:
    """What each word says among so many, of the ``weight`` (nats) of the whole request."""
    return {word: math.log((several + 1) / (n + 0.5)) / weight for word, n in times.items()}


def _by_fit(one: Scored) -> float:
    return -one.fit


def _best_of_others(one: Scored, having: Sequence[Scored]) -> float:
    """Of the fits of those in ``having``, the best first, that say something else than ``one``."""
    lent, at = 0.0, 0
    for other in having:
        if not _is_copy(one, other):
            lent += PLACE_SHARES[at] * other.fit
            at += 1
            if at == len(PLACE_SHARES):
                break
    return lent


def _by_place(candidates: Sequence[Scored]) -> dict[str, list[Scored]]:
    """The candidates by the files that they changed."""
    found: dict[str, list[Scored]] = {}
    for one in candidates:
        for place in one.indexed.places.split("\n") if one.indexed.places else ():
            found.setdefault(f"{one.indexed.project}\n{place}", []).append(one)
    return found


def _shared(by_place: Mapping[str, list[Scored]], candidates: int) -> dict[str, list[Scored]]:
    """Of these, the files that several changed, where that says something."""
    most = candidates / 2 if candidates > FEW else candidates
    return {place: having for place, having in by_place.items() if 1 < len(having) <= most}


def _by_session(
    reader: Reader, candidates: Sequence[Scored], rare: Mapping[str, float]
) -> Iterator[tuple[Scored, float]]:
    by_session: dict[str, dict[int, Scored]] = {}
    for one in candidates:
        if one.indexed.session:
            by_session.setdefault(one.indexed.session, {})[one.indexed.n] = one
    several = sorted(session for session, those in by_session.items() if len(those) > 1)
    if not several:
        return
    order: dict[str, list[int]] = {}
    for session, n in reader.in_order(several, SESSION_LIMIT):
        order.setdefault(session, []).append(n)
    around: dict[Scored, set[str]] = {}
    for session, rows in order.items():
        those = by_session[session]
        for far, share in enumerate(OF_SESSION, 1):
            for n, next_n in zip(rows, rows[far:], strict=False):
                if n in those and next_n in those and not _is_copy(those[n], those[next_n]):
                    before, after = those[n], those[next_n]
                    answers = OF_QUESTION if far == 1 and _asks(before) else 0.0
                    yield before, share * after.fit
                    yield after, (share + answers) * before.fit
                    around.setdefault(before, set()).update(after.words)
                    around.setdefault(after, set()).update(before.words)
    for one, words in around.items():
        yield one, AROUND * sum(rare.get(word, 0.0) for word in words.difference(one.words))


def _by_speaker(candidates: Sequence[Scored], asked: Sequence[str]) -> Iterator[tuple[Scored, float]]:
    """What turns of talk gain by who says them, and lose by asking."""
    said: dict[str, list[Scored]] = {}
    for one in candidates:
        if one.indexed.talk:
            said.setdefault(one.indexed.talk.removesuffix(_ASKING), []).append(one)
    if len(said) < 2:
        return  # nobody talks alone
    named = {speaker for speaker in said if not set(speaker.split(" ")).isdisjoint(asked)}
    for speaker, turns in said.items():
        gain = OF_SPEAKER if speaker in named and len(named) < len(said) else 0.0
        for one in turns:
            yield one, (gain + (OF_ASKING if _asks(one) else 0.0)) * one.fit


def _asks(one: Scored) -> bool:
    return one.indexed.talk.endswith(_ASKING)


def _is_copy(one: Scored, other: Scored) -> bool:
    """Whether two candidates are one or say the same."""
    own, their = one.indexed, other.indexed
    return own.head == their.head and own.body_stem == their.body_stem


def shown(ordered: Sequence[Scored], worth: Callable[[Scored], float], places: Places) -> Iterator[Scored]:
    """``ordered`` by ``worth``, the best first; whoever is about a file of one before it goes back by
    ``behind``, which is set here."""
    times: dict[str, int] = {}
    waiting = list(ordered)
    while waiting:
        one = waiting.pop(_next(waiting, worth, places, times) if times else 0)
        one.behind = _behind(places.get(one, ()), times)
        for place in places.get(one, ()):
            times[place] = times.get(place, 0) + 1
        yield one


def _behind(those: Sequence[str], times: Mapping[str, int]) -> float:
    """What a skill about the files ``those`` goes back by, when so many before it were about each."""
    return SHOWN_BEFORE * sum(times.get(where, 0) for where in those) / len(those) if those else 0.0


def _next(
    waiting: Sequence[Scored],
    worth: Callable[[Scored], float],
    places: Places,
    times: Mapping[str, int],
) -> int:
    """The place in ``waiting`` of who comes next."""
    best, at = float("-inf"), 0
    for place, one in enumerate(waiting):
        own = worth(one)
        if own <= best:
            break  # whoever follows is worth less still
        own -= _behind(places.get(one, ()), times)
        if own > best:
            best, at = own, place
    return at
