"""What a word weighs: the more the fewer skills of the scope have it.  On the hot path."""

from __future__ import annotations

import math

from honed.skills.commonwords import RATES
from honed.skills.stemming import stem
from honed.skills.terms import is_stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PRIOR_SKILLS, PRIOR_OF_FIELD = 200, 100
"""A word's rarity is what was counted, plus this many skills that nobody counted (in one field)..."""
PRIOR_RATE = 0.002
"""... of which this share have the word, unless ``skills.commonwords`` expects more."""
LEAST_WEIGHT = 0.05


class Rarity:
    """What words weigh in a scope of ``skills`` skills."""

    __slots__ = ("_skills", "_top")

    def __init__(self, skills: int) -> None:
        self._skills = skills
        self._top = self.weight(1)

    def weight(self, having: int, expected: float = PRIOR_RATE, prior: int = PRIOR_SKILLS) -> float:
        """The weight of a word that ``having`` skills have, in nats: how rare it is, smoothed by ``prior``
        skills of which the share ``expected`` has it."""
        rate = (having + 0.5 + prior * expected) / (self._skills + prior)
        return max(LEAST_WEIGHT, -math.log(rate))

    def share(self, having: int) -> float:
        """The same from 0 (everybody has it) to 1 (one skill has it)."""
        return min(1.0, self.weight(having) / self._top)


def are_common(words: Iterable[str], language: str) -> bool:
    """Whether ``words`` of a request in ``language`` are all such as any request to an agent may hold.

    However many they are, they are about nothing in particular: "is there a test that should be added?"
    """
    return all(
        is_stop(word, language) or not RATES.keys().isdisjoint(_stems(word, language)) for word in words
    )


def _stems(word: str, language: str) -> tuple[str, str]:
    return stem(word, language), stem(word, "en")
