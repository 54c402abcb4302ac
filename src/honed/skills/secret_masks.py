"""Masks in the place of secrets, and which of what was found beside them may read differently for them.

A mask can lay bare a secret that the first look had to pass by: its run of letters ends at the mask now, the
mask is shorter than what it stands for and brings a value into reach, or a name had something else for its
value.  Only what stands so near to a mask that an expression could see it has to be looked at again.
Imports nothing of weight: a hook may load it.
"""

from bisect import bisect_left, bisect_right

from honed.skills import secret_values as values
from honed.skills.secret_assignments import gives_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Span = tuple[int, int, str]
    Mask = tuple[int, int, str]
    Cut = tuple[int, int, int, int, str]

NAME_BEHIND, VALUE_BEHIND = 81, 170
"""Characters before a name that may change what it says; and, with words before it, what stands behind it."""
GATE_AHEAD, GATE_BEHIND = 5000, 600
"""Characters that are looked at behind a word that marks a place, and before it: the longest value of a
header; what stands before an ending."""
_BODY = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=~%,*$"
"""What tokens are made of."""
_IN_NAMES = _BODY[: _BODY.index("/")]
_LONGEST = 5000
_NEVER = (1 << 62, 1 << 62, 0, 0, "")
_ADDRESS = 520
"""Characters of a user and a password in an address, and some."""

_naming: "dict[str, bool]" = {}


def masked(text: str, spans: "list[Span]") -> "tuple[str, list[Cut]]":
    """The text with a mask for each of ``spans`` (those that overlap get one), and of each mask where in the
    text before it stands (start, end), where in the new one, and its kind; in order."""
    spans.sort(key=lambda span: (span[0], -span[1], span[2]))
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


def shifted(places: "list[int]", cuts: "list[Cut]") -> "list[int]":
    """Where in the new text those of ``places`` (in order) are that no mask stands for."""
    kept: list[int] = []
    following = iter(cuts)
    start, end, _, size, _ = next(following)
    shift = 0
    for place in places:
        while place >= end:
            shift = size - end
            start, end, _, size, _ = next(following, _NEVER)
        if place < start:
            kept.append(place + shift)
    return kept


def torn(text: str, names: "list[int]", cuts: "list[Cut]") -> "list[int]":
    """Those of ``names`` in the text before the masks that a mask stands for, or for the beginning of."""
    found: list[int] = []
    following = iter(cuts)
    start, end = next(following)[:2]
    last = -NAME_BEHIND
    for place in names:
        while place >= end:
            last = end
            start, end = next(following, _NEVER)[:2]
        if place >= start or (place - last < NAME_BEHIND and not text[last - 1 : place].strip(_IN_NAMES)):
            found.append(place)
    return found


def apart(spans: "list[Span]", cuts: "list[Cut]") -> "list[Span]":
    """Those of ``spans`` in the text before the masks that no mask stands for a part of."""
    starts = [cut[0] for cut in cuts]
    return [span for span in spans if (at := bisect_left(starts, span[1])) == 0 or cuts[at - 1][1] <= span[0]]


def near(found: "Iterable[tuple[int, int]]", cuts: "list[Cut]", behind: int) -> "list[int]":
    """Where in the new text those of ``found`` (place and how far was looked from it, in order) are that have
    a mask within that or less than ``behind`` before them, and that no mask stands for."""
    beside: list[int] = []
    starts = [cut[0] for cut in cuts]
    last = len(starts)
    for place, reach in found:
        at = bisect_right(starts, place)
        if at:
            _, end, _, size, _ = cuts[at - 1]
            if place >= end and (place - end < behind or (at < last and starts[at] <= reach)):
                beside.append(place + size - end)
        elif starts[0] <= reach:
            beside.append(place)
    return beside


def reached(place: int, begins: "list[int]", masks: "list[Mask]") -> bool:
    """Whether one of ``masks``, which begin at ``begins``, stands so near to the word of a place at ``place``
    that what is looked for there may have changed."""
    at = bisect_right(begins, place)
    if at and place - masks[at - 1][1] < GATE_BEHIND:
        return True
    return at < len(begins) and begins[at] - place <= GATE_AHEAD


def moved(masks: "list[Mask]", cuts: "list[Cut]") -> "list[Mask]":
    """Earlier ``masks`` and those of ``cuts``, where they stand in the new text, in order; one that a later
    mask took in is gone."""
    new = [cut[2:] for cut in cuts]
    if not masks:
        return new
    left = apart(masks, cuts)
    begins = shifted([mask[0] for mask in left], cuts)
    for begin, (first, end, kind) in zip(begins, left, strict=True):
        new.append((begin, begin + end - first, kind))
    new.sort()
    return new


def naming(text: str, masks: "list[Mask]") -> "list[int]":
    """Where the kinds of ``masks`` stand that read like the name of a secret themselves."""
    found: list[int] = []
    for begin, end, kind in masks:
        names = _naming.get(kind)
        if names is None:
            names = _naming[kind] = bool(values.name_strength(kind))
        if names and gives_name(text, end):
            found.append(begin + len("[redacted:"))
    return found


def addresses(text: str, masks: "list[Mask]") -> "list[tuple[int, int]]":
    """The parts of the new text that may be addresses with a mask in them."""
    parts: list[tuple[int, int]] = []
    for begin, end, _ in masks:
        at = text.rfind("://", begin - _ADDRESS if begin > _ADDRESS else 0, begin)
        if at >= 0 and text.find("/", at + 3, begin) < 0:
            parts.append((at, end + _ADDRESS))
    return parts


def runs(text: str, masks: "list[Mask]") -> "list[tuple[int, int]]":
    """The parts of the new text in which tokens may begin or end at a mask now."""
    parts: list[tuple[int, int]] = []
    for begin, end, _ in masks:
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
