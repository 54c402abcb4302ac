"""What a short text is about, in one spelling: its words that carry a topic, as stems, in any order.

"How we deploy", "how do we deploy?" and "deploy the app" are about the same; "fix the tests" is about
nothing in particular.
"""

from __future__ import annotations

from honed.skills.commonwords import EVERYWHERE
from honed.skills.stemming import stem
from honed.skills.terms import is_stop, language
from honed.skills.words import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from honed.skills.words import Word

MOST = 6
"""Words of a topic; a text with more of them is about several things."""


def topic_of(words: Iterable[Word], spoken: str) -> str:
    """The topic of a text that was cut into ``words`` of the language ``spoken``; empty if it has none."""
    found: set[str] = set()
    for word in words:
        if word.unspaced:
            return ""
        found.update(stem(part, spoken) for part in word.parts or (word.whole,) if not is_stop(part, spoken))
    found -= EVERYWHERE
    return " ".join(sorted(found)) if len(found) <= MOST else ""


def topics_of(texts: Iterable[str]) -> list[str]:
    """The topics of several texts, without repeats."""
    found: dict[str, None] = {}
    for text in texts:
        words = list(cut(text))
        found[topic_of(words, language(words))] = None
    return [topic for topic in found if topic]
