"""Two assertions side by side: do they speak of the same thing, and does the new one demand less?"""

from __future__ import annotations

import re

from honed.verdict.tamper import assertion_words as words
from honed.verdict.tamper.assertions import Assertion
from honed.verdict.tamper.source_text import masked


def related(old: Assertion, new: Assertion) -> bool:
    """Whether both speak of the same thing: something that ``old`` compares stands in ``new``."""
    if old.name in words.RAISING and new.name in words.RAISING:
        return True
    if _BODILESS.match(old.text) and _BODILESS.match(new.text):
        return True
    if any(_stands_in(operand, new.text) for operand in old.operands if _IDENTIFIER.search(operand)):
        return True
    return new.strength <= words.TRUE and any(
        _is_member(part, whole) for part in old.operands for whole in new.operands
    )


_BODILESS = re.compile(r"\.|(?:not_)?to[ _]")
"""A matcher whose subject stands on a line (or in a part of it) that did not change."""


_QUOTED = re.compile(r"(['\"`])((?:\\.|(?!\1)[^\\\n]){3,300})\1")


def says_more(new: Assertion, old: Assertion) -> bool:
    """Whether ``new`` looks for a longer text that holds the one that ``old`` compared with.

    ``== "bad line"`` became ``.endswith("a.csv: bad line")``: another text is wanted now, not less of it.
    """
    if new.strength < words.PARTIAL:
        return False
    wanted = [text for _, text in _QUOTED.findall(old.text)]
    longer = [text for _, text in _QUOTED.findall(new.text)]
    return bool(wanted) and all(any(text in more and text != more for more in longer) for text in wanted)


def covers(new: Assertion, old: Assertion) -> bool:
    """Whether ``new`` compares the whole of which ``old`` compared a part: ``p`` for ``p.x``."""
    if new.strength < words.EXACT:
        return False
    roots = {re.split(r"[.\[(]", operand)[0] for operand in old.operands}
    return any(_IDENTIFIER.search(root) for root in roots & set(new.operands))


def less_of_the_same(old: Assertion, new: Assertion) -> bool:
    """Whether ``new``, which took the place of ``old``, speaks of nothing else and demands less."""
    subject = new.operands[0] if new.operands else ""
    if new.strength >= old.strength or (
        new.strength > words.TRUE and not words.COUNTED.match(masked(subject))
    ):
        return False
    ours = set(_WORDS.findall(subject)) - _WRAPPERS
    return bool(ours) and ours <= set(_WORDS.findall(old.text))


_WORDS = re.compile(r"[A-Za-z_]\w*")
_WRAPPERS = frozenset(
    "len length count size list str set sorted dict tuple bool int t self not await hasattr any all".split()
)
_IDENTIFIER = re.compile(r"[A-Za-z_$]\w*(?![\w'\"])")
_LITERAL = re.compile(
    r"""^(?:[rbuf]?(['"`]).*\1|[+-]?(?:0[xX][\da-fA-F_]+|\.?\d[\d._]*(?:e[+-]?\d+)?[a-zA-Z]{0,3}\d*)"""
    r"""|true|false|True|False|None|nil|null|undefined|\[\]|\{\}|\(\))$""",
    re.S,
)
_UNWRAPPING = re.compile(
    r"(?:\.(?:unwrap|clone|as_str|to_string|to_owned|ok|get|toString|value|length|size|count|await|sort|trim"
    r"|strip|items|keys|first)\b(?:\(\))?|[!?]+)$"
)
_WRAPPED = re.compile(
    r"^(?:await |not |!|list|len|str|set|sorted|dict|tuple|String|JSON\.stringify|new Set|&"
    r"|\*)\s*\(?(.*?)\)?$"
)


def _stands_in(operand: str, text: str) -> bool:
    if _LITERAL.match(operand):
        return False
    for _ in range(3):
        if operand and re.search(r"(?<![\w.])" + re.escape(operand) + r"(?!\w)", text):
            return True
        shorter = _UNWRAPPING.sub("", operand)
        wrapped = _WRAPPED.match(operand)
        if shorter == operand and wrapped:
            shorter = wrapped.group(1)
        if shorter == operand or not _IDENTIFIER.search(shorter):
            return False
        operand = shorter
    return False


def _is_member(part: str, whole: str) -> bool:
    """Whether ``part`` is a member of ``whole``: ``post.slug`` of ``post``."""
    beginnings = tuple(whole + link for link in (".", "[", "(", "->", "?."))
    return bool(_IDENTIFIER.match(whole)) and part.startswith(beginnings)


# -- bounds and tolerances -----------------------------------------------------------------------

_TOLERANCE = re.compile(
    r"(?i)\b(rtol|atol|abs_tol|rel_tol|abs|rel|delta|epsilon|tolerance|max_?diff|(?:be_)?within|margin|threshold|accuracy)"
    r"\s*[=:(]\s*(-?\d[\d.e-]*)"
)
_PLACES = re.compile(
    r"(?i)\b(?:places|decimal|digits|precision)\s*[=:]\s*(\d+)|toBeCloseTo\([^,]+,\s*(\d+)"
    r"|\bAssert\.Equal\([^,]+,.+,\s*(\d{1,2})\);?$"
)
_DELTA = re.compile(r"(?i)in_?(?:delta|epsilon)\b.*,\s*(\d[\d.e_-]*)\)?;?$")
"""The tolerance is the last operand."""
_BOUND = re.compile(
    r"^(?P<left>.+?) ?"
    r"(?P<op><=?|>=?|\)\.to(?:Be)?(?:Greater|Less)Than(?:OrEqual)?\(|\)\.to\.be\.(?:above|below)\() ?"
    r"(?P<number>-?\d[\d_.]*)\)*;?$"
)
_TIME = re.compile(
    r"(?i)elapsed|duration|took|time|latency|seconds|\bms\b|_ms\b|millis|delay|perf|speed|slow|fast"
)
TIME_LEEWAY = 50
"""A bound on time says more of the machine than of the code, unless it is raised by more than this factor."""


def looser_bound(old: str, new: str) -> bool:
    """Whether two assertions are the same but for a tolerance or a bound, and the new one lets more pass."""
    before = dict(_TOLERANCE.findall(old))
    if any(number(value) > number(before.get(name, value)) for name, value in _TOLERANCE.findall(new)):
        return True
    places = [
        next(filter(None, match.groups()), "")
        for match in (_PLACES.search(old), _PLACES.search(new))
        if match
    ]
    if len(places) == 2 and number(places[1]) < number(places[0]):
        return True
    narrow, wide = _DELTA.search(old), _DELTA.search(new)
    if narrow and wide and number(wide[1]) > number(narrow[1]):
        return True
    left, right = _BOUND.match(old), _BOUND.match(new)
    if not left or not right or left["left"] != right["left"]:
        return False
    below = _is_upper(left["op"])
    if below != _is_upper(right["op"]):
        return False
    first, second = number(left["number"]), number(right["number"])
    if _TIME.search(old) and second <= first * TIME_LEEWAY:
        return False
    return second > first if below else second < first


def _is_upper(operator: str) -> bool:
    return "<" in operator or "Less" in operator or "below" in operator


def number(text: str) -> float:
    """The number, 0 for what is none."""
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return 0.0
