"""Masks in the place of secrets, and which of what was found beside them may read differently for them.

A mask can lay bare a secret that the first look had to pass by: its run of letters ends at the mask now, the
mask is shorter than what it stands for and brings a value into reach, or a name had something else for its
value.  Only what stands so near to a mask that an expression could see it has to be looked at again.
Imports nothing of weight: a hook may load it.
"""

from honed.skills import secret_values as values
from honed.skills.secret_assignments import is_mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]
    Cut = tuple[int, int, int, int, str]

AHEAD, BEHIND = 750, 170
"""Characters that are looked at in front of a name and behind it, at most: the longest name, separator and
value; the words before a name."""
GATE_AHEAD, GATE_BEHIND = 5000, 600
"""The same of the words that mark a place: the longest value of a header; what stands before an ending."""
_TOKEN_REACH = 32
"""Characters of the longest prefix of a token, and some."""
_BODY = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=~%,*$"
"""What tokens are made of."""
_LONGEST = 5000
_NEVER = 1 << 62

_naming: "dict[str, bool]" = {}


def masked(text: str, spans: "list[Span]") -> "tuple[str, list[Cut]]":
    """The text with a mask for each of ``spans`` (those that overlap get one), and of each mask where in the
    text before it stands (start, end), where in the new one, and its kind; in order."""
    spans.sort(key=lambda span: (span[0], -span[1]))
    pieces: list[str] = []
    cuts: list[Cut] = []
    kept = size = 0
    for start, end, kind in spans:
        if end <= kept or start >= end:
            continue
        if start < kept:
            first, _, begin, size, kind = cuts.pop()
            cuts.append((first, end, begin, size, kind))
        else:
            mask = f"[redacted:{kind}]"
            pieces += (text[kept:start], mask)
            begin = size + start - kept
            size = begin + len(mask)
            cuts.append((start, end, begin, size, kind))
        kept = end
    pieces.append(text[kept:])
    return "".join(pieces), cuts


def moved(found: "list[int]", cuts: "list[Cut]", ahead: int, behind: int) -> "list[int]":
    """Where in the new text those of ``found`` (in order) are that stand near a mask and in none."""
    near: list[int] = []
    at, size = 0, len(cuts)
    start, end, _, _, _ = cuts[0]
    last, shift = -behind, 0
    for place in found:
        while place >= end:
            last, shift = end, cuts[at][3] - end
            at += 1
            start, end = cuts[at][:2] if at < size else (_NEVER, _NEVER)
        if place < start and (start - place <= ahead or place - last < behind):
            near.append(place + shift)
    return near


def naming(text: str, cuts: "list[Cut]") -> "list[int]":
    """Where the kinds of masks stand that read like the name of a secret themselves."""
    found: list[int] = []
    for _, _, begin, end, kind in cuts:
        names = _naming.get(kind)
        if names is None:
            names = _naming[kind] = bool(values.name_strength(kind))
        if names and not is_mask(text, end - 1):
            found.append(begin + len("[redacted:"))
    return found


def beside(text: str, cuts: "list[Cut]") -> "list[tuple[int, int]]":
    """The parts of the new text in which tokens may begin or end at a mask now."""
    parts: list[tuple[int, int]] = []
    for _, _, begin, end, _ in cuts:
        if text[begin - 1 : begin] in _BODY and begin:
            before = text[max(0, begin - _LONGEST) : begin]
            length = len(before) - len(before.rstrip(_BODY))
            if length > 12:
                parts.append((begin - length, begin))
        if text[end : end + 1] in _BODY and end < len(text):
            behind = text[end : end + _LONGEST]
            length = len(behind) - len(behind.lstrip(_BODY))
            if length > 12:
                parts.append((end, end + length))
    return parts
