"""How probable it is that a skill fits, and from where on it may be given unasked.

A logistic function of what depends on the request, the one skill, the words of the scope and what memory
holds beside the skill: how well it fits by words, the exact things in common, how many telling words are in
common, how far the request says a phrase of its trigger, what other work on its files or the talk around it
says, how long its text is (a long one has any word), and how much of the request nobody in the scope has a
word for.  No hit is measured against another one.  Fitted on dev splits: right answers against the best hit
of requests that have none, over memories of 5 to 1,843 skills, and of requests from other people's sessions
(docs/recall.md).  The base rate is set so that the default bar is one half.
"""

from __future__ import annotations

import math

from honed.recall.scored import EXACT_POWER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

BAR = 0.5
"""Given unasked from here on; the owner may move it (setting ``recall.bar``)."""
COINCIDENCE = 0.25
"""The most that a fit by coincidence is worth (``Scored.is_coincidence``)."""
BESIDE = 3
"""Of the first so many hits, less will do where any hit is above the bar: once one thing is told, those
beside it cost little, and what the order of hits puts first is often right, whatever it says by itself."""
_BESIDE_ODDS = 0.25
"""How much less: of the odds of the bar."""

_FIT, _EXACT, _TELLING, _LENGTH, _UNKNOWN, _BASE = 23.3, 8.2, 0.58, -0.96, -1.98, -4.05
_OCCASION = 3.0
"""A trigger is a list of occasions: one that the request says nearly whole is more than its words are."""
_BACKING, MOST_BACKING = 50.0, 0.05
"""What all that changed a file say of the request, or the turns around one of talk, tells whether it is about
that; of more than this the same is said again."""
_PLACED = -0.7
"""What has files has some company in any request about its project."""
_SHORTEST, _LONGEST = 15, 2000
"""Words of a body between which its length counts."""
_KNOWN_FROM = 200
"""Of so few skills half of what they have no word for says nothing: their words are no language yet."""
_ONE_HAS = 2
"""A word that one skill has counts as unknown by a third still, so that one more skill moves little."""
_MEANT = -0.3
"""Where meaning adds to every fit, also to those of requests about something else."""
_OF_TOPIC, _TOPIC_SKILLS = 3.0, 200
"""A topic in common must be said in words that few skills of so many would have by chance: "deploy" is one
among five skills, "windows" and "push" are none among two thousand."""


def probability(
    worded: float,
    exact: float,
    telling: float,
    *,
    occasion: float = 0.0,
    backing: float = 0.0,
    placed: bool = False,
    unknown: float = 0.0,
    length: int = _SHORTEST,
    meant: bool = False,
) -> float:
    """The probability (0..1) that a candidate fits.

    ``worded``, ``exact``, ``telling``, ``occasion`` and ``backing`` are those of ``Scored``, ``placed`` says
    that it changed files, ``unknown`` is that of the request's ``Scores``, ``length`` the words of the
    skill's body; ``meant`` says that nearness of meaning is in the fits.  All else equal it grows with the
    first five.
    """
    if worded <= 0 and exact <= 0:
        return 0.0
    z = (
        _FIT * math.sqrt(max(0.0, worded))
        + _EXACT * exact**EXACT_POWER
        + _TELLING * telling
        + _OCCASION * math.sqrt(occasion)
        + _BACKING * min(MOST_BACKING, backing)
        + _UNKNOWN * unknown
        + _BASE
    )
    z += _LENGTH * math.log(min(_LONGEST, max(_SHORTEST, length)))
    z += (_PLACED if placed else 0.0) + (_MEANT if meant else 0.0)
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, z))))


def unknown_share(words: Iterable[tuple[float, int]], skills: int) -> float:
    """How much of a request nobody has a word for (0..1), among so many ``skills``.

    ``words`` are what each says, in nats, and how many skills have it.
    """
    total = unknown = 0.0
    for said, having in words:
        total += said
        unknown += said / (1 + _ONE_HAS * having)
    return unknown / total * skills / (skills + _KNOWN_FROM) if total else 0.0


def is_common_topic(said: float, skills: int) -> bool:
    """Whether a topic in words that say so much (nats) is one that many of so many ``skills`` have."""
    return said < math.log(skills + _TOPIC_SKILLS) - _OF_TOPIC


def beside(bar: float) -> float:
    """The probability from which on one of the first hits is told beside one that is above ``bar``."""
    odds = _BESIDE_ODDS * bar
    return odds / (odds + 1.0 - bar) if bar < 1 else 1.0
