"""What a trigger names as occasions, phrase by phrase, and what it says that the skill is not for.

"Use when deploying to a cloud. DO NOT USE FOR: a new app (use prepare-app)": the words of the second sentence
say what is asked of another skill, so they must not find this one.  Only clauses that speak of using are
taken out, and only after others: "do not use npm" is what a text is about.
"""

from __future__ import annotations

from honed.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

MOST_OCCASIONS = 48
"""Phrases of one trigger that are kept."""
MOST_WORDS = 12
"""Stems of one; a longer phrase is a sentence that names several things."""

_USING = r"(?:use|trigger|activate|invoke|apply)(?:\s+(?:this|it|the|that))?(?:\s+skill)?"
_ON_WHAT = r"(?:(?:for|when|if|to|on|in|as|with|unless)\b|:)"
_BEFORE = r"(?:[.!?;:)—–\n\"'”»*-]\s*|,\s+)"
_REFUSING = (
    rf"(?:do\s+not|don['’]t|never)\s+{_USING}\s*{_ON_WHAT}",
    r"not\s+(?:(?:meant|intended|suitable|useful)\s+)?for\b",
    r"(?:skip|avoid)\s+(?:this\s+|it\s+|using\s+this\s+)?(?:when|if|for)\b",
    r"for\s[^.;\n]{3,120}?,\s+see\s+(?:the\s+)?[`\w-]+",
    r"nicht\s+(?:verwenden|benutzen|geeignet|gedacht)\b",
    r"ne\s+pas\s+(?:utiliser|employer)\b",
    r"no\s+(?:usar|utilizar|use)\s+(?:para|cuando|si|en)\b",
    r"n[ãa]o\s+(?:usar|utilizar|use)\s+(?:para|quando|se|em)\b",
    r"не\s+(?:использовать|используйте|применять|применяйте|подходит|предназначен\w*)\b",
)
_LOUD = r"(?<=\s)(?:DO\s+NOT|DON'T)\s+(?:USE|TRIGGER)\s+(?:FOR|WHEN|IF)\b"
"""Stands between two sentences without a full stop, too."""
_UNSPACED = r"(?<=.)(?:(?:不要|请勿|不应|不得)(?:用于|使用)|不适用于|使用しない)"
_REFUSAL = f"{_BEFORE}(?i:{'|'.join(_REFUSING)})|{_LOUD}|{_UNSPACED}"
_STOP = r"[.!?](?=\s+[\"'`“(]?[A-ZА-ЯÀ-Þ])|[.!?]\s*$|\n\s*\n|\n(?=\s*[A-Z#*-])|。"
_AGAIN = (
    r"\b(?:Use|USE)\s+(?:this\s+(?:skill\s+)?|THIS\s+(?:SKILL\s+)?)?(?:when|WHEN|for|FOR|only|if)\b"
    r"|\bWHEN:|\b(?:Triggers?|Examples?)\b"
)
"""Begins to say again what the skill is for."""
_PHRASES = r"[,;:!?()\n\"“”«»，、；：。！？]|\.(?=\s|$)|\s['‘]|['’](?=[\s,.;)]|$)|\s[-—–]\s|\bor\b"


def wanted(trigger: str) -> str:
    """``trigger`` without the clauses that say what the skill is not for, or who else is."""
    kept, at = [], 0
    while (found := compiled(_REFUSAL).search(trigger, at)) is not None:
        kept.append(trigger[at : found.start()])
        at = _end(trigger, found)
    return " ".join([*kept, trigger[at:]]) if kept else trigger


def _end(text: str, refusal: re.Match[str]) -> int:
    """Where the clause ends.  The full stop there begins what comes next, which may refuse something too."""
    ends = [compiled(pattern).search(text, refusal.end()) for pattern in (_STOP, _AGAIN)]
    return min([found.start() for found in ends if found is not None], default=len(text))


def phrases(text: str) -> list[str]:
    """The phrases of ``text``, between commas, quotes and the like."""
    return [phrase for phrase in compiled(_PHRASES).split(text) if phrase.strip()]
