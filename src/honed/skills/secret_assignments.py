"""Values given to names that say "secret": ``key = value`` in all the ways one writes that.

Looks from each word that belongs to such a name, so a text without one costs a few searches.
Imports ``re`` and the tables: a hook may load it.
"""

import re
from bisect import bisect_left, bisect_right

from honed.skills import secret_values as values
from honed.skills import secret_words as words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

NAME_LIMIT = 80
"""Characters of a name in front of the word by which it was found."""

_WORD_BEFORE = re.compile(r"([A-Za-z]{2,20})[ ]\Z")
_NAME_TAIL = re.compile(r"[\w-]{0,60}(?:\.[\w-]{1,40}){0,2}")
_QUOTES = r"\\{0,3}[\"'`]{1,3}"
_SEPARATOR = re.compile(
    rf"""(?xi)
      (?:{_QUOTES})?[\])}}]{{0,2}}\??
      (?: \s{{0,3}}:\s{{0,3}}[&*]?[A-Za-z_'][\w.'<>\[\]|?]{{0,40}}(?:\s\|\s\w{{1,20}})?   # its type first
          \s{{0,3}}=(?![=>])\s{{0,3}}
        | \s{{0,3}},?\s{{0,30}}(?:{_QUOTES})?value(?:{_QUOTES})?\s{{0,3}}[:=]\s{{0,3}}
        | \s{{0,4}}(?::=|=>|->|[=!]==?|\?=|\|\|=|=|::?|：|＝)\s{{0,4}}
        | \s{{0,2}},\s{{0,3}}(?={_QUOTES})
        | \s{{0,2}}\|\s{{0,3}}(?=`)                                               # a table of Markdown
        | \s{{1,3}}--?(?:body|value|secret-string|data|secret)[= ]\s{{0,2}}
        | \s{{1,3}}(?:is|was|to|es|ist|lautet|est|é|jest|é:|это|—|–|является|は|是|为|為)\s{{0,2}}:?\s{{1,3}}
        | (?:は|是|为|為)\s{{0,2}}
      )
    """
)
_CALL = re.compile(rf"\s{{0,2}}\(\s{{0,2}}(?={_QUOTES})")
_TAG = re.compile(r">(?=[^<\s]{3,300}</)")
_FLAG = re.compile(r"[= ]\s{0,2}(?=[^\s-])")
_SPACED = re.compile(r"\s{1,3}(?=\S)")
_QUOTED = re.compile(rf"(?:[bfruBFRUL@$]{{1,2}})?(?P<quote>{_QUOTES})(?P<value>[^\n]{{1,400}}?)(?P=quote)")
_HALF_QUOTED = re.compile(rf"(?:{_QUOTES})(?P<value>[^\s\"'`<>]{{3,400}})")
_BARE = re.compile(
    r"(?P<value>(?:[^\s\"'`;,&<>|\\]|[;,&](?=[^\s;,&])(?![\w.-]{1,40}[=:])|\\(?![nrt\"'])){1,400})"
)
_GLUE = re.compile(r"""["']?\s?(?:=\s?(?=["'\w/+\[])|:\s?(?=["\[]|'\[redacted:))""")
"""The commonest separators with what may follow: what ``_SEPARATOR`` would find there, for less."""
_PLAIN_BARE = re.compile(r"[^\s\"'`;,&<>|\\]{1,400}+(?![;,&\\])")
"""A bare value without any sign at which ``_BARE`` has to look further."""
_LITERAL = frozenset("bfruBFRUL\\`")
"""What a quoted value may begin with, besides a plain quote."""
_AFTER_SPACE = frozenset(" \t\r\n\f\v\u00a0\u3000:,=-!?|\"'`\\viwteéljэя—–は是为為：＝")
"""What a separator goes on with behind a mask and white space."""
_QUOTE_SIGNS = frozenset(("", *"\"'`"))
_TRAILING = ".,;:!?)]}"
"""What ends a sentence or a bracket behind a bare value."""
_DIRECTIVES = ("env", "arg", "setx", "set", "setenv", "env:")

_NO_VALUE = frozenset(("", *".;/[{@#%&*+~^$<"))
"""What no separator and no value begins with."""
_IN_NAMES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_STRENGTHS: "dict[str, str]" = {}


def assignments(text: str, names: "list[int]", taken: "list[Span]") -> "Iterator[Span]":
    """Values given to names that say secret, in any of the ways one writes that.

    ``names`` are where a word of such a name begins, as far as it is ASCII (``secret_hints.looked``);
    what overlaps one of ``taken`` (sorted) is left to it.
    """
    done, tail_of, starts = 0, _NAME_TAIL.match, [span[0] for span in taken]
    for at in names:
        if at < done:
            continue
        tail = tail_of(text, at)
        end = tail.end() if tail else at
        begin, limit, done = at, max(done, at - NAME_LIMIT), end
        after = text[end : end + 1]
        if after in _NO_VALUE or (after == "]" and is_mask(text, end)):
            continue
        glue = _GLUE.match(text, end)
        if glue and text.startswith("[redacted", glue.end() + (text[glue.end()] in "\"'")):
            continue
        if at > limit:
            begin = limit + len(text[limit:at].rstrip(_IN_NAMES))
            while begin > limit and (text[begin - 1].isalnum() or text[begin - 1] in "_-."):
                begin -= 1
        name = text[begin:end].strip("-.")
        if name.lower() in ("key", "phrase") and (before := _WORD_BEFORE.search(text, limit, begin)):
            name = f"{before.group(1)}_{name}"
        strength = _strength(name)
        if not strength or _is_label(text, begin, end, name):
            continue
        found = _glued(text, glue.end()) if glue else _value(text, begin, end)
        if found is None:
            continue
        start, stop = found
        free = not _overlaps(start, stop, taken, starts)
        if not free and _is_over(text, end, stop, names):
            continue
        if values.is_secret(text[start:stop], strength):
            if free:
                yield start, stop, "password" if strength == "password" else "secret"
            done = stop


def is_mask(text: str, end: int) -> bool:
    """Whether what ends at ``end`` before a bracket is a mask of ours that gives nothing a value."""
    behind = text[end + 1 : end + 2]
    if behind in ("'", '"', "`"):
        return "value" not in text[end + 2 : end + 16].lower()
    return behind in (" ", "\n") and text[end + 2 : end + 3].lower() not in _AFTER_SPACE


def _overlaps(start: int, stop: int, others: "list[Span]", starts: "list[int]") -> bool:
    """Whether a value touches one of ``others`` (sorted; ``starts`` are their beginnings)."""
    at = bisect_right(starts, start)
    if at and others[at - 1][1] > start:
        return True
    return at < len(starts) and starts[at] < stop


def _is_over(text: str, end: int, stop: int, names: "list[int]") -> bool:
    """Whether it makes no difference to any further name if the value that ends at ``stop`` is a secret."""
    if bisect_left(names, end) != bisect_right(names, stop):
        return False
    after = text[stop : stop + 1]
    if after == " ":
        after = text[stop + 1 : stop + 2]
        return after not in "kKpP-."
    return not after.isalnum() and after not in "_-."


def _strength(name: str) -> str:
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


def _is_label(text: str, begin: int, end: int, name: str) -> bool:
    """``PASS: draws again`` is what a runner prints; ``arn:...:secret:name`` is an address."""
    if text[end : end + 1] != ":":
        return False
    return name in ("PASS", "Pass") or (begin > 0 and text[begin - 1] == ":")


def _value(text: str, begin: int, end: int) -> "tuple[int, int] | None":
    """Where the value of the name at ``begin:end`` stands; None where it has none."""
    separator = _SEPARATOR.match(text, end)
    flag = text.startswith("--", begin) or text[max(0, begin - 2) : begin] == "--"
    if separator is None and flag:
        separator = _FLAG.match(text, end)
    if separator is None:
        separator = _CALL.match(text, end) or _TAG.match(text, end)
    if separator is None and _directive(text, begin):
        separator = _SPACED.match(text, end)
    return _any_value(text, separator.end()) if separator else None


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
    line = text.rfind("\n", max(0, begin - 60), begin) + 1
    before = text[max(line, begin - 60) : begin].lower().split()
    return 0 < len(before) <= 2 and before[-1] in _DIRECTIVES
