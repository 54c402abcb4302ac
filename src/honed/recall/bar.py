"""How probable it is that a skill fits, and from where on it may be given unasked.

A logistic function of how well the skill fits, how much of what the request says that is, and how many
skills there were to choose from.  Fitted on dev splits: right answers against the best hits of requests
that have none, over memories of 3 to 1,843 skills, and of requests from other people's sessions
(docs/recall.md).  The base rate is set so that the default bar is one half.
"""

from __future__ import annotations

import math

BAR = 0.5
"""Given unasked from here on; the owner may move it (setting ``recall.bar``)."""
COINCIDENCE = 0.25
"""The most that a fit by coincidence is worth (``Scored.is_coincidence``)."""

_EVIDENCE, _LITTLE, _FIT, _CROWD, _BASE = 2.86, 0.2, 8.75, -0.3, -6.0
_CROWD_UNIT = 200
_MEANT = -0.3
"""Where meaning adds to every fit, also to those of requests about something else."""


def probability(fit: float, weight: float, skills: int, *, meant: bool = False) -> float:
    """The probability (0..1) that a candidate fits.

    ``fit`` is ``Scored.fit``, ``weight`` and ``skills`` are those of its ``Scores``; ``meant`` says that
    nearness of meaning is in the fits.  For one request it grows with ``fit``: the order of hits is the order
    of their probabilities.
    """
    if fit <= 0:
        return 0.0
    evidence = _EVIDENCE * math.log(fit * weight + _LITTLE)
    crowd = _CROWD * math.log((skills + _CROWD_UNIT) / _CROWD_UNIT)
    z = evidence + _FIT * math.sqrt(fit) + crowd + _BASE + (_MEANT if meant else 0.0)
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, z))))
