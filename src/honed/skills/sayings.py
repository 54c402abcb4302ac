"""What a sentence of a request does: it orders something, reports something, or names nothing.

A title is made of an order or a report.  A question, a nod, a pasted error, a word about the agent and an
order that only points ("fix that") name no work; then the work itself does (``skills.naming``).
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from honed.skills.titles import (
    ASKING,
    FILLER,
    PROMPT_LENGTH,
    asked,
    content_words,
    informative,
    is_log,
    without_pastes,
)

Saying: TypeAlias = Literal["order", "report", "look", "nothing"]

_LOOKED_AT = 600
"""Characters at the beginning of a long text, and half as many at its end: there one says what one wants."""
_POINTING = 4
"""Words with a meaning of their own that a sentence needs which also says "that" or "it"."""
_QUESTION = re.compile(
    r"""(?ix)^(?:why|how|what|whats|which|who|whom|whose|where|when|whether
    |(?:is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|isn't|aren't|don't|doesn't|didn't)
      \s+(?:it|this|that|these|those|they|there|we|you|i|he|she|the|a|an|all|any|both|some|my|our|your)\b)"""
)
_OPEN = re.compile(
    r"(?i)^(?:(?:in terms of|regarding|as for|concerning)\b"
    r"|(?:why|how|what|whats|what's|which|who)\b(?!\s+(?:users?|you|we|i)\s+\w+\s.*,))"
)
"""Begins a question, or names a matter and says nothing of it."""
_SURE = re.compile(r"(?i),?\s*(?:right|correct|no|yes|ok|okay)\s*\?+\s*$")
_ASKS_AT_LAST = re.compile(
    r"(?i),\s*(?:and\s+|but\s+|so\s+)?(?:why|how|what|which|who|where|(?:can|could|should|would|do|does|is|are)\s+"
    r"(?:it|this|that|these|those|they|there|we|you|i|the)\b)"
)
_CLOSING = re.compile(
    r"(?i)^if (?:it|that|this|there|you|all|everything|everyone|nothing|no|the (?:tests?|review|checks?))\b"
    r".{0,80}\b(?:commit|push|merge|proceed|continue|go (?:on|ahead)|move (?:on|forward)|let me know)\b"
)
"""What comes after the work."""
_TOLD = re.compile(
    r"(?i)^(?:i|we)(?:['\u2019](?:m|ve|re|ll|d)|\s+(?:am|are|was|were|have|had|has|will|told|said|agree|disagree"
    r"|already|do|did|don['\u2019]t|didn['\u2019]t|can['\u2019]?t|cannot|ran|run|tried|tested|know|guess|thought"
    r"|believe|just\s+(?:ran|did|saw|tested|tried)))\b"
)
_SYMPTOM = re.compile(
    r"(?i)^(?:i|we)(?:['\u2019](?:m|ve)|\s+(?:am|are|have))?(?:\s+(?:still|just|also|keep|always|now|sometimes|again))*\s+"
    r"(?:have|having|get|got|getting|see|saw|seeing|seen|notice|noticed|hit|hitting|encounter|encountered)\s+"
    r"(?:that\s+|(?:some|these|those|this|the|a|an)\s+)*(?:following\s+)?"
)
_SIGHT = re.compile(r"(?i)^(?:i|we)\b.{0,20}?\b(?:see|saw|seeing|seen|notice|noticed)\b")
_WRONG = re.compile(
    r"(?i)\b(?:errors?|fail\w*|wrong|crash\w*|warnings?|not|never|no|missing|broken|weird|strange|odd|twice"
    r"|duplicated?|stuck|slow|empty|cut|bugs?|issues?|problems?|cannot|too)\b|n['\u2019]t\b"
)
"""What one sees names work only where something is wrong with it."""
_POINTS = re.compile(r"(?i)\b(?:it|its|this|that|these|those|them|they|same|there|both|above|such)\b")
_PROSE = re.compile(r"[A-Z][\w' -]*(?: [\w'-]+){3,}[.!?]?$")
_LOOKING = re.compile(
    r"(?i)^(?:(?:re-?|double[- ])?(?:review|check)|/\S+|look|read|compare|investigate|analy[sz]e|explain"
    r"|research|think|explore|verify|see|tell|show me|describe|assess|confirm|understand|summari[sz]e)\b"
)
_THEN_DOES = re.compile(
    r"(?i)\b(?:and|then|,)\s+(?:also\s+)?(?:fix|add|make|change|update|remove|implement|write|create|replace|use|move"
    r"|correct|handle|support|ensure|rename|refactor|resolve|improve|test)\b"
)
_VERB = re.compile(
    r"""(?ix)^(?:please\s+)?(?:add|address|adapt|allow|apply|avoid|build|bump|change|clean|combine|configure
    |convert|correct|cover|create|define|delete|deprecate|disable|document|don't|do\ not|drop|enable|enforce
    |ensure|expand|export|expose|extend|extract|fix|format|generate|get\ rid|handle|hide|implement|improve
    |include|inform|inline|install|integrate|introduce|invert|keep|limit|log|make|mark|merge|migrate|mention
    |move|never|optimi[sz]e|parse|port|prevent|print|propagate|reduce|refactor|remove|rename|render|replace
    |resolve|restore|return|revert|rewrite|round|save|set|setup|show|simplify|split|stop|store|support|switch
    |test|turn|update|upgrade|use|validate|wire|wrap|write)\b"""
)


def saying(sentence: str) -> Saying:
    """What ``sentence`` does.  "look" is an order to look at something only."""
    bare = FILLER.sub("", sentence.strip(), count=1)
    polite = ASKING.match(bare)
    if polite and not _TOLD.match(bare):
        # "Let's round it, what do you think?": the order counts, without the question behind it.
        bare = _ASKS_AT_LAST.split(bare[polite.end() :])[0]
    elif _SYMPTOM.match(bare):
        seen = _SYMPTOM.sub("", bare)
        return (
            "report"
            if informative(seen) and not (_SIGHT.match(bare) and not _WRONG.search(seen))
            else "nothing"
        )
    elif _TOLD.match(bare) or _CLOSING.match(bare) or _asks(bare):
        return "nothing"
    if not informative(bare) or (_POINTS.search(bare) and len(content_words(bare)) < _POINTING):
        return "nothing"
    if _LOOKING.match(bare) and not _THEN_DOES.search(bare):
        return "look"
    return "report" if bare.rstrip().endswith("?") and not polite else "order"


def _asks(bare: str) -> bool:
    """Whether a sentence without its filler is a question."""
    marked = bare.rstrip("\"') ").endswith("?")
    if marked and (_QUESTION.match(bare) or _ASKS_AT_LAST.search(bare)):
        return True
    return bool(_SURE.search(bare) or _OPEN.match(bare) or re.search(r"(?i), what (?:would|do) you\b", bare))


def telling_sentence(text: str) -> str:
    """The sentence of a request that a title is made of, or empty where none names the work.

    Of a text that is a paste for the most part only what begins with what is to be done, or is plain prose.
    """
    looked_at = text if len(text) <= PROMPT_LENGTH else f"{text[:_LOOKED_AT]}\n{text[-_LOOKED_AT // 2 :]}"
    sentences = asked(without_pastes(looked_at))
    if is_log(text):
        sentences = [one for one in sentences if _VERB.match(_bare(one)) or _PROSE.match(one)]
    sayings = [(saying(one), one) for one in sentences]
    for wanted in ("order", "report"):
        for kind, sentence in sayings:
            if kind == wanted:
                return _SYMPTOM.sub("", _bare(sentence)).rstrip("? ") if kind == "report" else sentence
    return ""


def wants(text: str) -> bool:
    """Whether the sentence that a title is made of says in so many words that something is to be done."""
    bare = _bare(telling_sentence(text))
    return bool(ASKING.match(bare) or _VERB.match(bare))


def _bare(sentence: str) -> str:
    return FILLER.sub("", sentence.strip(), count=1)
