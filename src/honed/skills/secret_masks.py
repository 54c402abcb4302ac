"""Masks in the place of secrets, and which of what was found beside them may read differently for them.

A mask can lay bare a secret that the first look had to pass by: its run of letters ends at the mask now, the
mask is shorter than what it stands for and brings a value into reach, or a name had something else for its
value.  Only what stands so near to a mask that an expression could see it has to be looked at again.
Imports nothing of weight: a hook may load it.
"""

from bisect import bisect_right

from honed.skills import secret_values as values
from honed.skills.secret_assignments import is_mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Span = tuple[int, int, str]
    Cut = tuple[int, int, int, int, str]

NAME_BEHIND, VALUE_BEHIND = 81, 170
"""Characters before a name that may change what it says; and, with words before it, what stands behind it."""
GATE_AHEAD, GATE_BEHIND = 5000, 600
"""Characters that are looked at behind a word that marks a place, and before it: the longest value of a
header; what stands before an ending."""
_BODY = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=~%,*$"
"""What tokens are made of."""
_LONGEST = 5000
_ADDRESS = 520
"""Characters of a user and a password in an address, and some."""

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


def moved(
    found: "Iterable[tuple[int, int]]", cuts: "list[Cut]", starts: "list[int]", behind: int
) -> "list[int]":
    """Where in the new text those of ``found`` (place and how far was looked from it, in order) are that have
    a mask within that or less than ``behind`` before them, and that are in none; ``starts`` are where the
    ``cuts`` begin."""
    near: list[int] = []
    last = len(starts)
    for place, reach in found:
        at = bisect_right(starts, place)
        if at:
            _, end, _, size, _ = cuts[at - 1]
            if place >= end and (place - end < behind or (at < last and starts[at] <= reach)):
                near.append(place + size - end)
        elif starts[0] <= reach:
            near.append(place)
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


def addresses(text: str, cuts: "list[Cut]") -> "list[tuple[int, int]]":
    """The parts of the new text that may be addresses with a mask in them."""
    parts: list[tuple[int, int]] = []
    for _, _, begin, end, _ in cuts:
        at = text.rfind("://", begin - _ADDRESS if begin > _ADDRESS else 0, begin)
        if at >= 0 and text.find("/", at + 3, begin) < 0:
            parts.append((at, end + _ADDRESS))
    return parts


def runs(text: str, cuts: "list[Cut]") -> "list[tuple[int, int]]":
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
