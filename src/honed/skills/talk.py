"""Who says a text, and whether it ends by asking: of talk, a turn after a turn.

"Anna: The tests want a database first. Have you started one?" is said by Anna, and what comes after it
answers.  A recall puts first what the one said who is asked about, and lets a question speak for its answer
(``recall.company``).  Texts that do not begin with a name and a colon are no talk.
"""

from __future__ import annotations

from honed.patterns import compiled
from honed.skills.words import cut

ASKS = "?"
"""Stands after the speaker's words where the turn asks; no word is spelled so."""
_SPEAKER = r"\s*([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}):\s+\S"
_ASIDE = r"\s*[\[(][^\[\]()]*[\])]\s*$"
"""What is not said but noted at the end: "[a photo of a lake]"."""
_TAIL, _END = 500, 80
"""Characters at the end of a turn that are looked at, and in which a question is its last word, or nearly."""


def talk_of(text: str) -> str:
    """Who says ``text``, as folded words, and ``ASKS`` where it asks at its end; empty for no talk."""
    found = compiled(_SPEAKER).match(text)
    if found is None:
        return ""
    words = [word.whole for word in cut(found[1])]
    said = compiled(_ASIDE).sub("", text[found.end(1) + 1 :][-_TAIL:])
    return " ".join([*words, ASKS] if ASKS in said[-_END:] else words)
