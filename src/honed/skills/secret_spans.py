"""Where secrets stand that say so by themselves: tokens, key blocks, links, headers, commands.

Each function yields ``(start, end, kind)`` in a text.  Every expression is bounded.
Imports ``re``, ``base64`` and the tables: a hook may load it.
"""

import base64
import re

from honed.skills import secret_places, secrets_table
from honed.skills import secret_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=\s:,.\\\"'-]{0,20000}")
_PEM_NEXT = re.compile(r"----(?:END|BEGIN)")
_PEM_END = re.compile(r"(?:[^-]?-----END [A-Z0-9 ]{0,60}-----)?")
_SHORTEST = 13
_RUN = re.compile(b"w" * _SHORTEST + b"w*")
_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_IN_RUNS = bytes(119 if chr(byte) in _WORD else 32 for byte in range(256))
_URL = re.compile(
    r"://(?P<user>[^\s/:@\"'<>`\\|\[]{0,200})(?::(?P<password>[^\s/\"'<>`|]{1,300}))?@(?=[\w\[$<{%.-])"
)
_COOKIE = re.compile(r"(?P<name>[^\s=;,\"']{1,80})=(?P<value>[^\s;,\"']{1,4096})")

# Prefixes that an unbroken run begins with, by their first two characters; the others stand before it.
# Expressions are compiled when they are first needed: most texts need none, and a hook is a fresh process.
_FAMILIES: "dict[str, list[tuple[str, str, str, str]]]" = {}
"""By the first three characters of the token."""
_BEFORE: "dict[str, list[tuple[str, str, str, str]]]" = {}
"""Prefixes that end in a sign, by their last two characters."""
for _kind, _prefixes, _pattern, _check in secrets_table.FAMILIES:
    for _prefix in _prefixes:
        _row = (_prefix, _pattern, _kind, _check)
        if _prefix[-1] in ".~/$":
            _BEFORE.setdefault(_prefix[-2:], []).append(_row)
        else:
            for _third in _prefix[2:3] or _WORD:
                _FAMILIES.setdefault(_prefix[:2] + _third, []).append(_row)
for _rows in _FAMILIES.values():
    _rows.sort(key=lambda row: -len(row[0]))

_PLACES: "dict[str, list[tuple[str, str, str, bool]]]" = {}
"""By the word that marks it: expression, kind, check, and whether the word leads the expression."""
for _leads, _places_table in ((True, secret_places.PLACES), (False, secret_places.ENDINGS)):
    for _anchor, _kind, _pattern, _check in _places_table:
        _PLACES.setdefault(_anchor, []).append(("(?i)" + _pattern, _kind, _check, _leads))
_SHAPES = {literal.lower(): (literal, kind, pattern) for kind, literal, pattern in secrets_table.SHAPES}


_COMPILED: "dict[str, re.Pattern[str]]" = {}


def _compiled(pattern: str) -> "re.Pattern[str]":
    found = _COMPILED.get(pattern)
    if found is None:
        found = _COMPILED[pattern] = re.compile(pattern)
    return found


def blocks(text: str) -> "list[Span]":
    """Blocks of private keys, also such as break off."""
    found: list[Span] = []
    block = _PEM.search(text) if "PRIVATE KEY" in text else None
    while block:
        start = block.end()
        # The body ends a character before the four dashes that begin or end another.
        mark = _PEM_NEXT.search(text, start + 1, start + 20_009)
        body = _PEM_BODY.match(text, start, mark.start() - 1 if mark else len(text))
        end = body.end() if body else start
        if end - start >= 12:
            behind = _PEM_END.match(text, end)
            end = behind.end() if behind else end
            found.append((block.start(), end, "private-key"))
        block = _PEM.search(text, end)
    return found


def tokens(text: str, raw: bytes, begin: int = 0, stop: "int | None" = None) -> "list[Span]":
    """Tokens that a prefix gives away and that begin in ``text[begin:stop]``, sought in long unbroken runs.

    The runs are sought in the text as one byte a character, ``w`` for what they are made of: faster than by
    an expression that has to tell letters from others.  ``raw`` is ``secret_hints.as_bytes(text)``.
    """
    found: list[Span] = []
    done, families, before = 0, _FAMILIES, _BEFORE
    for run in _RUN.finditer(raw[begin:stop].translate(_IN_RUNS)):
        start = begin + run.start()
        if (
            text[start : start + 3] in families
            or (
                (sign := text[start - 1]) in ".~/$\\%"
                and (sign in "\\%" or text[start - 2 : start] in before)
            )
            or text[start] in "-_"
        ):
            end = begin + run.end()
            while start < end and text[start] == "-":
                start += 1
            if end - start >= _SHORTEST and end > done:
                token = _token_at(text, start) or _token_behind(text, start)
                if token:
                    done = token[1]
                elif start > 1:
                    token = _token_after(text, start)
                if token:
                    found.append(token)
    return found


def _token_behind(text: str, start: int) -> "Span | None":
    """A token of a run that begins with dashes, an escape (``\\n``) or ``%3D``."""
    if text[start] not in "-_" and text[start - 1] not in "\\%":
        return None
    while text[start] in "-_":
        start += 1
        if start >= len(text):
            return None
    before = text[start - 1] if start else ""
    skipped = 1 if before == "\\" and text[start] in "nrt" else 2 if before == "%" else 0
    return _token_at(text, start) or (_token_at(text, start + skipped) if skipped else None)


def _token_at(text: str, begin: int) -> "Span | None":
    for prefix, body, kind, check in _FAMILIES.get(text[begin : begin + 3], ()):
        if text.startswith(prefix, begin):
            match = _compiled(body).match(text, begin + len(prefix))
            if match and _fits(text, begin, match.group(), check):
                return begin, match.end(), kind
    return None


def _token_after(text: str, start: int) -> "Span | None":
    for prefix, body, kind, check in _BEFORE.get(text[start - 2 : start], ()):
        begin = start - len(prefix)
        if begin < 0 or not text.startswith(prefix, begin) or (begin and text[begin - 1].isalnum()):
            continue
        match = _compiled(body).match(text, start)
        if match and _fits(text, begin, match.group(), check):
            return begin, match.end(), kind
    return None


def _fits(text: str, begin: int, body: str, check: str) -> bool:
    low = body.lower()
    if "xxxxxx" in low or "your" in low or values.is_monotone(body):
        return False
    if check == "strict":
        return begin == 0 or text[begin - 1] not in "+/"
    return check == "sure" or values.scrambled(body) or _long_run(body)


def shapes(text: str, gates: "dict[str, list[int]]") -> "list[Span]":
    """Tokens that their whole shape gives away; ``gates`` are the words in it (``secret_hints.looked``)."""
    found: list[Span] = []
    for word in _SHAPES.keys() & gates.keys():
        literal, kind, pattern = _SHAPES[word]
        done = 0
        for at in gates[word]:
            if at >= done and text.startswith(literal, at):
                match = _compiled(pattern).search(text, max(0, at - 40), at + 140)
                done = match.end() if match else at + len(literal)
                if match:
                    found.append((match.start("secret"), match.end("secret"), kind))
    return found


def _long_run(body: str) -> bool:
    """A run of 24 letters and digits in both cases is no word, however it reads."""
    return any(
        len(part) >= 24 and part.lower() != part and part.upper() != part
        for part in re.split(r"[^A-Za-z0-9]+", body)
    )


def urls(text: str, begin: int = 0, stop: "int | None" = None) -> "list[Span]":
    """Passwords and tokens before the host of an address in ``text[begin:stop]``."""
    found: list[Span] = []
    if "@" not in text or "://" not in text:
        return found
    for match in _URL.finditer(text, begin, len(text) if stop is None else stop):
        password, user = match["password"], match["user"]
        if password:
            if not password.isdigit() and not _masked_or_variable(password):
                found.append((*match.span("password"), "password"))
        elif len(user) >= 16 and values.scrambled(user):
            found.append((*match.span("user"), "token"))
    return found


_STANDINS = frozenset(
    "password passwd pass pw pwd secret token user x xxx masked redacted hidden your_password".split()
)


def _masked_or_variable(value: str) -> bool:
    if value.startswith(("[redacted", "$", "{", "%", "<")) or len(set(value)) == 1:
        return True
    return value.lower() in _STANDINS


def places(text: str, gates: "dict[str, list[int]]") -> "list[Span]":
    """Secrets that their place gives away; ``gates`` are the words in the text (``secret_hints.looked``)."""
    found: list[Span] = []
    for anchor, begins in gates.items():
        for pattern, kind, check, leads in _PLACES.get(anchor, ()):
            expression, done = _compiled(pattern), 0
            for at in begins:
                if at < done:
                    continue
                match = (
                    expression.match(text, at)
                    if leads
                    else expression.search(text, max(0, at - 500), at + 40)
                )
                if match:
                    found += _judged(match, kind, check)
                done = max(at + len(anchor), match.end() if match else 0)
    return found


def _judged(match: "re.Match[str]", kind: str, check: str) -> "list[Span]":
    value = match["secret"]
    start, end = match.span("secret")
    if check == "cookie":
        return [
            (start + pair.start("value"), start + pair.end("value"), kind)
            for pair in _COOKIE.finditer(value)
            if len(pair["value"]) >= 8 and values.is_secret(pair["value"], "token")
        ]
    if check == "base64":
        secret = _is_credential(value)
    elif check == "mixed":
        secret = not values.is_placeholder(value) and (values.scrambled(value) or _long_run(value))
    else:
        secret = values.is_secret(value, {"strong": "password"}.get(check, check))
    return [(start, end, kind)] if secret else []


def _is_credential(value: str) -> bool:
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False
    return b":" in plain or (len(value) >= 16 and values.scrambled(value))
