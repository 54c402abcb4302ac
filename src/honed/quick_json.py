"""JSON with the standard library's own scanner and encoder, without its package.

``json`` brings ``re`` along, which costs a hook a fifth of its time.  Where the two C functions are missing
or take other arguments, ``json`` does it.  On the hot path (docs/decisions/0004 and 0008).
"""

from __future__ import annotations

_BLANK = " \t\n\r"


class _Rules:
    """What ``json.loads`` sets by default."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner

    _scan = make_scanner(_Rules)  # type: ignore[arg-type]
    _encode = make_encoder(None, str, encode_basestring_ascii, None, ":", ",", False, False, True)
except (ImportError, AttributeError, TypeError):
    from json import JSONDecoder, JSONEncoder
    from json.scanner import make_scanner as scanner_of

    _scan = scanner_of(JSONDecoder())  # type: ignore[arg-type]
    _encode = JSONEncoder(separators=(",", ":")).iterencode  # type: ignore[assignment]


def loads(text: str) -> object:
    """The value of a JSON text.  Raises ``ValueError`` where it is none, ``RecursionError`` where it is
    nested too deeply."""
    text = text.strip(_BLANK)
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError):
        # The scanner looks for its error in a loaded ``json.decoder``; without one it fails with no error.
        raise ValueError("this is no JSON") from None
    if end != len(text):
        raise ValueError("more than one JSON value")
    return value


def dumps(value: object) -> str:
    """``value`` as ASCII JSON without blanks.  Raises ``ValueError`` for what JSON cannot hold."""
    return "".join(_encode(value, 0))
