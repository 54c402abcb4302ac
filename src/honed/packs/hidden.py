"""What a text holds that its reader does not see: decoded, so that it can be told and looked at like the
rest.

Characters that show as nothing, letters written in tag characters, text turned round, comments that no page
shows, and texts packed in base64 or hexadecimal.  Pure.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TAGS = re.compile("[\U000e0000-\U000e007f]{2,}")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,12}\U000e007f")
_TURNED = re.compile("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0]"
)
_JOINED = re.compile("(?<=[\x21-\x7e])[\u200b-\u200f\u2060\ufeff](?=[\x21-\x7e])")
_BITS = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]{16,}")
_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_UNSHOWN = re.compile(
    r"<(\w{1,30})[^<>]{0,200}(?:display\s{0,8}:\s{0,8}none|visibility\s{0,8}:\s{0,8}hidden|font-size\s{0,8}:\s{0,8}0|\bhidden\b)[^<>]{0,200}>"
    r"(.{1,4000}?)</\1>",
    re.DOTALL | re.IGNORECASE,
)
_REFERENCE = re.compile(r"\[(?://|comment|_)\]:\s{0,4}(?:#|<>)\s{0,4}[\"'(](.{1,2000})[\"')]", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,20000}={0,2}(?![A-Za-z0-9+/_=-])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-fA-F]{2}){16,10000}(?![0-9A-Za-z])")
_ESCAPES = re.compile(
    r"(?:\\x[0-9a-fA-F]{2}){8,5000}|(?:\\u00[0-9a-fA-F]{2}){8,5000}|(?:%[0-9a-fA-F]{2}){8,5000}"
)
_DATA_URI = re.compile(r"data:[\w.+-]{1,40}/[\w.+-]{1,40};base64,$")
_READABLE = re.compile(r"[\t\n\r\x20-\x7e]{12,}")
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text that was found: how it was ``hidden``, the 1-based ``line`` it begins in, and what it says.

    ``alone`` is true where hiding it has no honest use, whatever it says.
    """

    how: str
    line: int
    text: str
    alone: bool = False


def hidden(text: str, depth: int = 0) -> Iterator[Hidden]:
    """Every text that is hidden in ``text``, those within the hidden ones too."""
    for found in _found(text):
        yield found
        if depth < _DEPTH:
            yield from (
                Hidden(f"{inner.how} in {found.how}", found.line, inner.text, inner.alone)
                for inner in hidden(found.text, depth + 1)
            )


def _found(text: str) -> Iterator[Hidden]:
    if not text.isascii():
        yield from _characters(text)
    control = _CONTROLS.search(text)
    if control:
        line = text[: control.start()].rpartition("\n")[2] + text[control.start() :].partition("\n")[0]
        told = _CONTROLS.sub("", line)
        yield Hidden(
            "control characters, which move a cursor", _line(text, control.start()), told, alone=True
        )
    for match in _COMMENT.finditer(text):
        yield Hidden("a comment that no page shows", _line(text, match.start()), match[1])
    for match in _UNSHOWN.finditer(text):
        yield Hidden("markup that no page shows", _line(text, match.start()), match[2])
    for match in _REFERENCE.finditer(text):
        yield Hidden("a comment that no page shows", _line(text, match.start()), match[1])
    for match in _BASE64.finditer(text):
        if not _DATA_URI.search(text, max(0, match.start() - 80), match.start()):
            yield from _packed("base64", text, match, _base64(match[0]))
    for match in _HEX.finditer(text):
        yield from _packed("hexadecimal", text, match, bytes.fromhex(match[0].removeprefix("0x")))
    for match in _ESCAPES.finditer(text):
        pairs = re.findall(r"(?:\\x|\\u00|%)([0-9a-fA-F]{2})", match[0])
        yield from _packed("escapes", text, match, bytes.fromhex("".join(pairs)))


def _characters(text: str) -> Iterator[Hidden]:
    for match in _TAGS.finditer(_FLAG.sub("", text)):
        said = "".join(chr(ord(char) - 0xE0000) for char in match[0] if ord(char) > 0xE001F)
        yield Hidden(
            "tag characters, which show as nothing", _line(text, text.find(match[0])), said, alone=True
        )
    for match in _BITS.finditer(text):
        yield Hidden(
            "zero-width characters in a row", _line(text, match.start()), _bits(match[0]), alone=True
        )
    for match in _VARIANTS.finditer(text):
        yield Hidden(
            "variation selectors in a row", _line(text, match.start()), _variants(match[0]), alone=True
        )
    turned = list(_TURNED.finditer(text))
    if turned:
        line = text[text.rfind("\n", 0, turned[0].start()) + 1 :].partition("\n")[0]
        # Marks that turn the order are at home in text that is written from right to left.
        alone = not re.search("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]", text)
        yield Hidden(
            "marks that turn the order of what is read",
            _line(text, turned[0].start()),
            _TURNED.sub("", line),
            alone,
        )
    joined = _JOINED.search(text)
    if joined:
        yield Hidden(
            "zero-width characters within words",
            _line(text, joined.start()),
            _INVISIBLE.sub("", _JOINED.sub("", text)),
        )


def _packed(how: str, text: str, match: re.Match[str], data: bytes) -> Iterator[Hidden]:
    said = _told(data)
    if said:
        yield Hidden(how, _line(text, match.start()), said)


def _base64(blob: str) -> bytes:
    padded = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(padded + "=" * (-len(padded) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _told(data: bytes) -> str:
    """The text in ``data``, empty where it is none: most of it must be readable."""
    for encoding in ("utf-8", "utf-16-le"):
        try:
            said = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        plain = sum(len(part) for part in _READABLE.findall(said))
        if said and plain >= 0.9 * len(said):
            return said
    return ""


def _bits(run: str) -> str:
    """Zero-width characters read as bits, each of the two commonest one of them; "" where that says
    nothing."""
    kinds = sorted(set(run), key=run.count, reverse=True)[:2]
    for zero, one in (kinds, kinds[::-1]) if len(kinds) == 2 else ():
        bits = "".join("0" if char == zero else "1" for char in run if char in (zero, one))
        said = _told(bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)))
        if said:
            return said
    return ""


def _variants(run: str) -> str:
    codes = (ord(char) for char in run)
    return _told(bytes(code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16 for code in codes))


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, max(0, at)) + 1
