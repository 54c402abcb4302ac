"""Values given to names that say "secret": ``key = value`` in all the ways one writes that.

Looks from each word that belongs to such a name, so a text without one costs a few searches.
Imports ``re`` and the tables: a hook may load it.
"""

import re

from honed.skills import secret_values as values
from honed.skills import secret_words as words

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

REACH = 750
"""Characters that the longest name with the longest separator and value has, and some."""
_SEPARATOR_REACH, _TAG_REACH, _BEHIND_VALUE = 120, 320, 60
"""Characters that are looked at for a separator, for the end of an element, and behind a value, and some."""
NAME_LIMIT = 80
"""Characters of a name in front of the word by which it was found."""

_WORD_BEFORE = re.compile(r"([A-Za-z]{2,20})[ ]\Z")
_QUOTES = r"\\{0,3}[\"'`]{1,3}"
_BETWEEN = "is was to es ist lautet est é jest é: это — – является は 是 为 為".split()
"""Words that may stand between a name and its value."""
_MASK = r"'?\[redacted:[\w-]{1,40}\]'?"
_MASK_EQUAL = r":[\w-]{1,40}\]'?\s{0,3}=(?![=>])"
"""A mask where the type of a name stands, with its value behind it."""
_SEPARATOR = re.compile(
    rf"""(?xi)
      (?:{_QUOTES})?[\])}}]{{0,2}}\??
      (?: \s{{0,3}}:\s{{0,3}}[&*]?                                                 # its type first
          (?:{_MASK}|[A-Za-z_'][\w.'<>\[\]|?]{{0,40}}(?:\s\|\s\w{{1,20}})?)
          \s{{0,3}}=(?![=>])\s{{0,3}}
        | \s{{0,3}},?\s{{0,30}}(?:{_QUOTES})?value(?:{_QUOTES})?\s{{0,3}}[:=]\s{{0,3}}
        | \s{{0,4}}(?::=|=>|->|[=!]==?|\?=|\|\|=|=|::?|：|＝)\s{{0,4}}
        | \s{{0,2}},\s{{0,3}}(?={_QUOTES})
        | \s{{0,2}}\|\s{{0,3}}(?=`)                                               # a table of Markdown
        | \s{{1,3}}--?(?:body|value|secret-string|data|secret)[= ]\s{{0,2}}
        | \s{{1,3}}(?:{"|".join(_BETWEEN)})\s{{0,2}}:?\s{{1,3}}
        | (?:は|是|为|為)\s{{0,2}}
      )
    """
)
_AFTER_SPACE = frozenset(
    (*" \t\r\n\f\v\u00a0\u3000", *":,=-!?|：＝", *"\"'`\\", "v", *(word[0] for word in _BETWEEN))
)
"""What ``_SEPARATOR`` goes on with behind white space: more of it, a sign, a quote, ``value`` and the words
between, by their first letters (in lower case)."""
_CALL = re.compile(rf"\s{{0,2}}\(\s{{0,2}}(?={_QUOTES})")
_TAG = re.compile(r">(?=[^<\s]{3,300}</)")
_FLAG = re.compile(r"[= ]\s{0,2}(?=[^\s-])")
_SPACED = re.compile(r"\s{1,3}(?=\S)")
_QUOTED = re.compile(rf"(?:[bfruBFRUL@$]{{1,2}})?(?P<quote>{_QUOTES})(?P<value>[^\n]{{1,400}}?)(?P=quote)")
_HALF_QUOTED = re.compile(rf"(?:{_QUOTES})(?P<value>[^\s\"'`<>]{{3,400}})")
_BARE = re.compile(
    r"(?P<value>(?:[^\s\"'`;,&<>|\\]|[;,&](?=[^\s;,&])(?![\w.-]{1,40}[=:])|\\(?![nrt\"'])){1,400})"
)
_NO_VALUE = r"""(?=[.;/\[{@#%&*+~^$<]|\Z)"""
"""What no separator and no value begins with."""
_GLUE = r"""["']?\s?(?:=\s?(?=["'\w/+\[])|:\s?(?=["\[]|'\[redacted:))"""
"""The commonest separators with what may follow: what ``_SEPARATOR`` would find there, for less."""
_OPEN = re.compile(
    r"(?>([\w-]{0,60}(?:\.[\w-]{1,40}){0,2}))"
    rf"""(?:(?:{_NO_VALUE}|{_GLUE}["']?\[redacted(?!{_MASK_EQUAL}))()|{_GLUE}(?!["']?\[redacted)()|())"""
)
"""From a word of a name: the rest of it (group 1), and as the last group what follows."""
_NOTHING, _GLUED = 2, 3
_PLAIN_BARE = re.compile(r"[^\s\"'`;,&<>|\\]{1,400}+(?![;,&\\])")
"""A bare value without any sign at which ``_BARE`` has to look further."""
_LITERAL = frozenset("bfruBFRUL@$\\`")
"""What a quoted value may begin with, besides a plain quote."""
_QUOTE_SIGNS = frozenset(("", *"\"'`"))
_TRAILING = ".,;:!?)]}"
"""What ends a sentence or a bracket behind a bare value."""
_DIRECTIVES = ("env", "arg", "setx", "set", "setenv", "env:")
_DIRECTIVES_END = frozenset(word[-1] for word in _DIRECTIVES) | frozenset(
    word[-1].upper() for word in _DIRECTIVES
)

_IN_NAMES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_STRENGTHS: "dict[str, str]" = {}


class Passed:
    """Names of one text that have no secret for their value, where a mask beside them could change that."""

    __slots__ = ("named", "valued")

    def __init__(self) -> None:
        self.named: list[tuple[int, int]] = []
        """Names that say nothing: they may say more where they begin at a mask."""
        self.valued: list[tuple[int, int]] = []
        """Names that say secret, but not of what stands behind them; each with how far that was looked at."""


def assignments(text: str, names: "list[int]", passed: Passed) -> "list[Span]":
    """Values given to names that say secret, in any of the ways one writes that; the other names go to
    ``passed``, but for those behind which no value can stand, whatever is masked.

    ``names`` are where a word of such a name begins, in order (``secret_hints.looked``).
    """
    found: list[Span] = []
    done, opened, named, valued = 0, _OPEN.match, passed.named, passed.valued
    for at in names:
        if at < done:
            valued.append((at, at + REACH))
            continue
        match = opened(text, at)
        if match is None:
            continue
        earlier, done = done, match.end(1)
        follows = match.lastindex
        if follows == _NOTHING or (text[done] == "]" and is_mask(text, done)):
            continue
        end, limit, begin = done, at - NAME_LIMIT, at
        if limit < earlier:
            limit = earlier
        if at > limit and ((before := text[at - 1]).isalnum() or before in "_-."):
            begin = _begin(text, at, limit)
        strength = _strength(text, begin, end, limit)
        if not strength:
            named.append((at, at))
            continue
        value = _glued(text, match.end()) if follows == _GLUED else _value(text, begin, end)
        if value is None:
            valued.append((at, end + (_TAG_REACH if text[end] == ">" else _SEPARATOR_REACH)))
            continue
        start, stop = value
        if values.is_secret(text[start:stop], strength):
            done = stop
            found.append((start, stop, "password" if strength == "password" else "secret"))
        else:
            valued.append((at, stop + _BEHIND_VALUE))
    return found


def _begin(text: str, at: int, limit: int) -> int:
    """Where the name begins that has a word of it at ``at``, no further back than ``limit``."""
    begin = limit + len(text[limit:at].rstrip(_IN_NAMES))
    while begin > limit and (text[begin - 1].isalnum() or text[begin - 1] in "_-."):
        begin -= 1
    return begin


def is_mask(text: str, end: int) -> bool:
    """Whether what ends at ``end`` before a bracket is a mask of ours that gives nothing a value."""
    behind = text[end + 1 : end + 2]
    if behind in ("'", '"', "`"):
        return "value" not in text[end + 2 : end + 16].lower()
    return behind in (" ", "\n") and text[end + 2 : end + 3].lower() not in _AFTER_SPACE


def gives_name(text: str, end: int) -> bool:
    """Whether a mask that ends at ``end`` stands where the name of a value would."""
    return not is_mask(text, end - 1) and _SEPARATOR.match(text, end - 1) is not None


def _strength(text: str, begin: int, end: int, limit: int) -> str:
    """What the name at ``begin:end`` says of its value (``secret_values.name_strength``); a word before it
    is looked for no further back than ``limit``."""
    name = text[begin:end].strip("-.")
    strength = _STRENGTHS.get(name)
    if strength is None:
        strength = _strength_of(name)
    if not strength and len(name) in (3, 6) and name.lower() in ("key", "phrase"):
        before = _WORD_BEFORE.search(text, max(limit, begin - 24), begin)
        strength = _strength_of(f"{before[1]}_{name}") if before else ""
    # ``PASS: draws again`` is what a runner prints; ``arn:...:secret:name`` is an address.
    if strength and text[end] == ":" and (name in ("PASS", "Pass") or (begin and text[begin - 1] == ":")):
        return ""
    return strength


def _strength_of(name: str) -> str:
    strength = _STRENGTHS.get(name)
    if strength is None:
        if len(_STRENGTHS) > 4096:
            _STRENGTHS.clear()
        if name.isascii():
            strength = values.name_strength(name)
        else:
            strength = (
                "token" if any(word in name.lower() for word in words.OTHER_TOKEN_HINTS) else "password"
            )
        _STRENGTHS[name] = strength
    return strength


def _value(text: str, begin: int, end: int) -> "tuple[int, int] | None":
    """Where the value of the name at ``begin:end`` stands; None where it has none."""
    after = text[end]
    spaced = after.isspace()
    behind = text[end + 1 : end + 2].lower() if spaced else ""
    separator = None
    if not spaced or behind in _AFTER_SPACE or behind.isspace():
        separator = _SEPARATOR.match(text, end)
    if separator is None and after in "= " and "--" in text[max(0, begin - 2) : begin + 2]:
        flag = text.startswith("--", begin) or text[max(0, begin - 2) : begin] == "--"
        separator = _FLAG.match(text, end) if flag else None
    if separator is None and after == ">":
        separator = _TAG.match(text, end)
    if separator is None and (after == "(" or (spaced and "(" in text[end + 1 : end + 3])):
        separator = _CALL.match(text, end)
    if separator is None and spaced and _directive(text, begin):
        separator = _SPACED.match(text, end)
    return _glued(text, separator.end()) if separator and separator.end() < len(text) else None


def _glued(text: str, at: int) -> "tuple[int, int] | None":
    """What stands at ``at``, like ``_any_value``: the commonest forms, for less."""
    first = text[at]
    if first in "\"'":
        if text[at + 1 : at + 2] not in _QUOTE_SIGNS:
            stop = text.find(first, at + 2, at + 402)
            if stop >= 0 and text.find("\n", at + 1, stop) < 0:
                return at + 1, stop
    elif first not in _LITERAL:
        plain = _PLAIN_BARE.match(text, at)
        if plain:
            return at, at + len(plain.group().rstrip(_TRAILING))
    return _any_value(text, at)


def _any_value(text: str, at: int) -> "tuple[int, int] | None":
    for pattern in (_QUOTED, _HALF_QUOTED, _BARE):
        match = pattern.match(text, at)
        if match:
            start, stop = match.span("value")
            if pattern is not _QUOTED:
                stop = start + len(text[start:stop].rstrip(_TRAILING if pattern is _BARE else ""))
            return start, stop
    return None


def _directive(text: str, begin: int) -> bool:
    """``ENV NAME value`` and its like."""
    before, last = text[max(0, begin - 1) : begin], text[max(0, begin - 2) : begin - 1] if begin else ""
    if before != ":" and not (before.isspace() and (last in _DIRECTIVES_END or last.isspace())):
        return False
    line = text.rfind("\n", max(0, begin - 60), begin) + 1
    before = text[max(line, begin - 60) : begin].lower()
    # Of what stood in the place of a mask more was out of reach.
    words_before = before[max(0, before.rfind("[redacted:")) :].split()
    return 0 < len(words_before) <= 2 and words_before[-1] in _DIRECTIVES
