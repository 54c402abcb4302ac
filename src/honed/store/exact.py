"""How an exact thing is spelled as one word of the index.  On the hot path (docs/decisions/0004).

    12_src/cart.py==path        scope 12, value ``src/cart.py``, kind ``path``
    3_uv=20run=20pytest==command

Only printable ASCII that a tokenizer leaves alone: everything else is ``=`` and two digits a byte of UTF-8,
so a value is found by its letters exactly, whatever version of Unicode SQLite knows.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def spelled(value: str) -> str:
    """A value in letters that make one word."""
    if value.isascii() and value.isprintable() and value == value.lower():
        return value.replace("=", "=3d").replace(" ", "=20")
    return "".join(map(_sign, value))


def _sign(sign: str) -> str:
    if "!" <= sign <= "~" and sign != "=" and not sign.isupper():
        return sign
    return "".join(f"={byte:02x}" for byte in sign.encode("utf-8", "surrogatepass"))


def entity_word(value: str, kind: str) -> str:
    """An entity without its scope."""
    return f"{spelled(value)}=={spelled(kind)}"


def match_of(scopes: Iterable[int], kind: str, value: str) -> str:
    """What ``skill_exact`` is asked for the skills of ``scopes`` that have an entity, in FTS5 words."""
    word = entity_word(value, kind)
    return " OR ".join(quoted(f"{scope}_{word}") for scope in scopes)


def quoted(word: str) -> str:
    """A word of the index as FTS5's query language has it."""
    return '"' + word.replace('"', '""') + '"'


def words_of_value(scope: int, value: str) -> tuple[str, str]:
    """Between which words those of a value are, whatever their kind: from the first, before the second."""
    begin = f"{scope}_{spelled(value)}=="
    return begin, f"{begin}~"


def kind_of(word: str) -> str:
    """The kind that a word names."""
    return word.rpartition("==")[2]
