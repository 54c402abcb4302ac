"""Cutting a text into folded words.

A *word* is folded (lower case, no accents).  A compound (``roundHalf``, ``two-phase``, ``cart.py``) is
kept whole, joined, and in parts.  Chinese, Japanese, Korean, Thai and other scripts written without
spaces give character pairs.
"""

from __future__ import annotations

from honed.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

WORD_LIMIT = 64
"""Characters of a word; what is longer is cut, in the index and in the query."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_EMOJI = "\u203c\u2049\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_NAMED = r"(?<!\w)(?:[cC]\+\+|[cCfF]\#|\.NET\b)"


def _word(alnum: str) -> str:
    return rf"{alnum}+(?:(?:[._-]|'|\u2019){alnum}+|_+(?={alnum}){alnum}+)*"


_TOKEN = _NAMED + "|" + _word(r"[^\W_]")
"""For texts without emoji and unspaced scripts; the pattern that knows them takes long to compile."""
UNSPACED_RUN = f"[{UNSPACED}]+"
_EVERY_TOKEN = f"{UNSPACED_RUN}|[{_EMOJI}]|{_NAMED}|" + _word(rf"[^\W_{UNSPACED}{_EMOJI}]")
"""For texts in any script."""
_SPACED_ONLY = r"[\x00-\u0dff\u2000-\u203b]*"
_SPELLED = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}
"""Names that are no words, and how else they are written."""
_NUMBER = r"v?\d+(?:\.\d+)+"
_PART = r"[._'\u2019-]+"
_HUMP = r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+"
_FOREIGN_HUMP = "(?<=[a-z\u00df-\u00ff\u0430-\u045f])(?=[A-Z\u00c0-\u00de\u0400-\u042f])"
_LOOKS_RANDOM = r"(?=.*\d)(?=.*[A-Za-z]).{25,}"
_MARKS = "(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05c7\u064b-\u0652]"
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th", "\u0640": None}
)
_UNSEEN = dict.fromkeys((0xAD, 0x200D, 0x2060, 0xFEFF))
"""Soft hyphens and joiners, which stand in words that were pasted from pages and part none."""


class Word:
    """One word of a text: ``whole`` folded, and its ``parts`` when it is a compound."""

    __slots__ = ("parts", "unspaced", "whole")

    def __init__(self, whole: str, parts: tuple[str, ...] = (), unspaced: bool = False) -> None:
        self.whole = whole
        self.parts = parts
        self.unspaced = unspaced

    def __repr__(self) -> str:
        return f"Word({self.whole!r}, {self.parts!r})"


def fold(text: str) -> str:
    """``text`` in lower case without accents; compatibility forms (full width, ligatures) made plain."""
    if text.isascii():
        return text.lower()
    import unicodedata  # a recall of plain ASCII does not pay for it

    spread = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", compiled(_MARKS).sub("", spread)).translate(_LETTERS)


def cut(text: str) -> Iterator[Word]:
    """The words of ``text`` in order.  Never fails; text without any word gives nothing."""
    pattern, unspaced = _TOKEN, None
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFKC", text).translate(_UNSEEN)
        if not compiled(_SPACED_ONLY).fullmatch(text):
            pattern, unspaced = _EVERY_TOKEN, compiled(UNSPACED_RUN)
    for match in compiled(pattern).finditer(text):
        token = match.group()
        first = token[0]
        if unspaced is not None and unspaced.match(first):
            run = fold(token)
            if len(run) == 1:
                yield Word(run, unspaced=True)
            for i in range(len(run) - 1):
                yield Word(run[i : i + 2], unspaced=True)
        elif token.isalnum() and (token.islower() or token.isdigit() or _is_plain(token)):
            yield Word(fold(token)[:WORD_LIMIT])
        elif token.lower() in _SPELLED:
            yield Word(token.lower(), (_SPELLED[token.lower()],))
        else:
            yield _compound(token)


def _is_plain(token: str) -> bool:
    """Whether a word has no humps, although it has capitals: ``Fix``, ``CI``."""
    return token.isascii() and token.isalpha() and (token.istitle() or token.isupper())


def _compound(token: str) -> Word:
    if compiled(_NUMBER).fullmatch(token):
        numbers = token.lower().lstrip("v").split(".")
        steps = tuple(".".join(numbers[:i]) for i in range(len(numbers) - 1, 0, -1))
        return Word(".".join(numbers)[:WORD_LIMIT], steps)
    if "'" in token or "\u2019" in token:
        token = compiled(r"['\u2019][sS]\b").sub("", token)
        token = token.replace("'", "").replace("\u2019", "")
    if compiled(_LOOKS_RANDOM).fullmatch(token):
        return Word(fold(token)[:WORD_LIMIT])
    pieces = [piece for piece in compiled(_PART).split(token) if piece]
    parts: list[str] = []
    for piece in pieces:
        joined = fold(piece)[:WORD_LIMIT]
        humps = compiled(_HUMP).findall(piece) if piece.isascii() else compiled(_FOREIGN_HUMP).split(piece)
        if len(humps) > 1:
            parts += [joined, *(fold(hump) for hump in humps)]
        else:
            parts.append(joined)
    dotted = "." in token and len(pieces) > 1
    whole = fold(compiled(r"[_-]+").sub("", token) if dotted else "".join(pieces) or token)[:WORD_LIMIT]
    rest = tuple(dict.fromkeys(part for part in parts if part != whole))
    return Word(whole, rest)
