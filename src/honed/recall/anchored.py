"""Whether an anchor stands in a text where the line of the work is not found letter by letter.

Line breaks, blanks, quotes, commas and semicolons that a formatter sets are no change, and a line that is
commented out stands no more.  Asked only of files that changed; on the hot path (docs/decisions/0004), so
without ``re``.
"""

from __future__ import annotations

_DEFINING = frozenset(
    """
    def fn fun func function class struct interface trait enum type const let var impl module mod namespace
    record protocol object macro_rules! table view index sub proc defp defmodule test it describe context
    scenario Run union policy exists
    """.split()
)
_TYPES = frozenset("class struct interface trait enum module namespace protocol record".split())
"""Who stands behind one of these and its name is what it is made of."""
_USING = frozenset(
    """
    if elif else unless for while until switch match case when catch try return yield await throw raise new
    delete in not and or do go defer select use import from package require include assert with extends
    implements synchronized typeof instanceof insert into update drop
    """.split()
)
"""Before a name they say that it is used, not defined."""
_COMMENTING = ("#", "//", "--", "/*", "*", ";", "<!--")
_TRAILING = (" #", " //", " /*", " -- ")
_SPACED = str.maketrans(
    {
        **{sign: f" {sign} " for sign in "()[]{}<>,:=+*/%&|!?.@#~^"},
        "'": ' " ',
        '"': ' " ',
        "`": ' " ',
        ";": " ",
    }
)
_LOOSE = tuple((f" , {end} ", f" {end} ") for end in ")]}>")
_CUT = 120
"""Characters to which a context is cut (``skills.anchors.LINE_LIMIT``)."""
_WRAPPED = 2000
"""Characters of a list of parameters that are looked through for its end."""


def alive(text: str, symbol: str, context: str, *, folded: bool = False) -> bool | str:
    """Whether an anchor of a ``symbol``, a ``context`` or both stands in ``text``; empty where its symbol
    does, on a line that reads otherwise.  ``folded``: case tells nothing (SQL)."""
    if folded:
        text, symbol, context = text.lower(), symbol.lower(), context.lower()
    names = [] if not symbol else [symbol] if " " in symbol else [symbol, symbol.rpartition(".")[2]]
    named = any(_has_word(context, name) for name in names)
    if context and (named or not symbol) and _stands(text, context):
        return True
    if not any(name and defines(text, name) for name in names):
        return False
    return "" if named else True


def _stands(text: str, context: str) -> bool:
    """Whether the line ``context`` is code of ``text``, however it is laid out."""
    marks = tuple(mark for mark in _COMMENTING if not context.startswith(mark))
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(marks)]
    for mark in _TRAILING:
        before, found, _ = context.partition(mark)
        context = before if found and before.strip() else context
    if len(context) >= _CUT:  # its last word may be half of one
        context = context.rpartition(" ")[0]
    return _tokens(context) in _tokens("\n".join(lines))


def _tokens(text: str) -> str:
    told = f" {' '.join(text.translate(_SPACED).split())} "
    for loose, tight in _LOOSE:
        told = told.replace(loose, tight)
    return told


def defines(text: str, name: str) -> bool:
    """Whether a line of ``text`` defines ``name``, or opens something of this name."""
    at = text.find(name)
    while at >= 0:
        if is_word(text, at, len(name)):
            start = text.rfind("\n", 0, at) + 1
            if _is_definition(text[start:at], text[at + len(name) : at + len(name) + _WRAPPED]):
                return True
        at = text.find(name, at + 1)
    return False


def _is_definition(before: str, after: str) -> bool:
    """Whether what stands ``before`` a name in its line, and ``after`` it, makes it one that is defined."""
    if before.lstrip().startswith(("#!", "# ", "##", "//", "-- ", "/*", "* ")):
        return False
    if before.lstrip().startswith("func ("):
        before = before.rpartition(")")[2]  # Go: what a method is of
        if not before.strip():
            return True
    led = before.rstrip(" \t\"'`([{.#&@")
    words = led.split()
    if words and (words[-1].rpartition(".")[2].lower() in _DEFINING or words[-2:] == ["def", "self"]):
        return True
    if not words:
        return _opens_alone(before.strip(), after)
    if words[0].startswith("impl"):
        return _block(after) and words[-1] == "for"
    if _USING.intersection(words) or _TYPES.intersection(words) or any(sign in before for sign in "(=;,"):
        return False
    if before.endswith(("." if not before.endswith("::") else "\0", "->")):
        return False
    return after.lstrip().startswith(("(", "<")) and _block(after)


def _opens_alone(sign: str, after: str) -> bool:
    """Whether a name that begins its line opens something: a key, a section, a constant, a method."""
    rest = after.lstrip(" \t\"'`")
    if rest.startswith(("(", "<")):
        return _block(after)
    if rest.startswith("=") and not rest.startswith("=="):
        return True
    if rest.startswith(":") and not rest.startswith("::"):
        return True
    if sign.startswith("["):
        return rest.startswith("]")
    line = after.partition("\n")[0].rstrip()
    return line.endswith("{") and "(" not in line


def _block(after: str) -> bool:
    """Whether a block follows what stands in brackets behind a name, if there are any."""
    depth = 0
    for at, sign in enumerate(after):
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
            if depth < 0:
                return False
        elif not depth and sign in "{;=":
            return sign == "{" and "=>" not in after[:at]
        elif not depth and sign == "\n":
            following = after[at:].lstrip()
            if not following.startswith(
                ("{", "throws", "where", "->", ":", "(", "const", "noexcept", "override")
            ):
                return False
    return False


def _has_word(text: str, name: str) -> bool:
    at = text.find(name) if name else -1
    return at >= 0 and is_word(text, at, len(name))


def is_word(text: str, at: int, length: int) -> bool:
    """Whether the ``length`` characters from ``at`` on are a whole word of ``text``."""
    before, after = text[at - 1 : at] if at else "", text[at + length : at + length + 1]
    return not any(sign.isalnum() or sign == "_" for sign in (before, after) if sign)
