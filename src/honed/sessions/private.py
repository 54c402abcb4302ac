"""What the user marked as nobody's to keep: ``<private>...</private>``, in any case, and as pages (``&lt;``)
and JSON in JSON (``\\u003c``) spell it.

A span is taken out before anything is read from a text: of one that ends lines further down, what is cut to a
line (a title, an error) would no longer show that it was within.  Pure; imports ``re``: a hook may load it.
"""

import re

MASK = "[redacted:private]"
_TAG = re.compile(
    r"(?:<|&lt;|\\u003c)\s{0,3}(/?)\s{0,3}private(?:\s[^<>\n]{0,200}?)?/?(?:>|&gt;|\\u003e)", re.IGNORECASE
)


def without_private(text: str, *, closed: bool = False, begun: bool = False) -> str:
    """``text`` with ``MASK`` for each outermost span; an unclosed one goes to the end of the text, or with
    ``closed`` stays as it is: in what a program printed the tag may be anybody's.

    With ``begun`` an end without a beginning ends a span that began before the text: in a message before, or
    in a part of it that nobody asked for.
    """
    if not _may_have_tags(text.lower()):
        return text
    pieces: list[str] = []
    depth = kept = opened = 0
    for match in _TAG.finditer(text):
        if match[1]:
            if depth == 1:
                pieces += (text[kept:opened], MASK)
                kept = match.end()
            elif depth == 0 and begun:
                pieces, kept = [MASK], match.end()
            depth = max(0, depth - 1)
        else:
            if depth == 0:
                opened = match.start()
            depth += 1
    if depth and not closed:
        return "".join((*pieces, text[kept:opened], MASK))
    return "".join((*pieces, text[kept:])) if pieces else text


def _may_have_tags(low: str) -> bool:
    """Whether what begins a tag stands before the word in any place; costs less than the expression."""
    at = low.find("private")
    while at >= 0:
        before = low[at - 13 if at > 13 else 0 : at]
        if "<" in before or "&lt;" in before or "\\u003c" in before:
            return True
        at = low.find("private", at + 7)
    return False
