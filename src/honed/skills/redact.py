"""Redaction, before the first stored byte: the sentence survives, only the secret is masked.

``redact`` looks once for each sort of secret, collects where they stand, and rewrites the text in
one go; every expression is bounded, so the time is linear in the text.  A masked secret reads
``[redacted:<kind>]``.  What stands out by itself is found by ``secret_spans``, what a name
betrays by ``secret_assignments``.  Redacting twice changes nothing.
Standard library only: a hook may load it.
"""

import re

from honed.sessions.private import without_private
from honed.skills import secret_values as values
from honed.skills.secret_assignments import assignments
from honed.skills.secret_hints import looked
from honed.skills.secret_spans import blocks, places, runs_of, shapes, tokens, urls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    Span = tuple[int, int, str]

MIN_KNOWN = 12
"""Characters of a value of the environment that is masked wherever it stands (issue: privacy)."""

ROUNDS = 4
REACH = 300
"""Characters around a mask that are looked at again, with the rest of their line and one line more: what
gives a secret away reaches further within a line only."""


def redact(text: str, *, known: "Collection[str]" = ()) -> str:
    """``text`` with every secret replaced by ``[redacted:<kind>]``.

    ``known`` are values that are secret wherever they stand (see ``known_values``).  ``<private>``
    spans go whole, an unclosed one to the end of the text.  Never raises.
    """
    text = without_private(text)
    spans = _spans(text, known) if len(text) > 5 else []
    # What a mask lays bare (a name that now stands before another value) is looked at again.
    for _ in range(ROUNDS):
        if not spans:
            break
        text, masks = _masked(text, spans)
        spans = [
            (start + begin, start + end, kind)
            for start, stop in _around(text, masks)
            for begin, end, kind in _spans(text[start:stop], known)
        ]
    return text


def _spans(text: str, known: "Collection[str]") -> "list[Span]":
    runs = runs_of(text)
    spans = [*_known(text, known), *blocks(text), *tokens(text, runs), *shapes(text, runs), *urls(text)]
    low = _lower(text)
    names, gates = looked(low)
    spans += places(text, low, gates)
    # A value that holds something known more exactly is left to it: its host or user survive.
    spans.sort()
    spans += list(assignments(text, low, names, spans))
    return spans


class Redactor:
    """``redact`` bound to the secret values of one environment; call it with a text."""

    __slots__ = ("known",)

    def __init__(self, environment: "Mapping[str, str] | None" = None) -> None:
        self.known = known_values(environment or {})

    def __call__(self, text: str) -> str:
        """``text`` without secrets."""
        return redact(text, known=self.known)


def known_values(environment: "Mapping[str, str]") -> tuple[str, ...]:
    """The values of ``environment`` that are secrets, longest first.

    A value counts when it has 12 characters or more, is no word, path, address or host, and either
    its name says so or it looks generated (a digest or UUID under an ordinary name does not count).
    """
    found = set()
    for name, value in environment.items():
        value = value.strip()
        if len(value) < MIN_KNOWN or any(c.isspace() for c in value) or values.is_place(value):
            continue
        if values.is_placeholder(value):
            continue
        strength = values.name_strength(name)
        ordinary = re.fullmatch(r"[0-9a-fA-F-]+|[\w.,:/@=+-]*[:/=][\w.,:/@=+-]*", value)
        generated = not ordinary and len(value) >= 20 and values.scrambled(value)
        if generated or (strength and values.is_secret(value, strength)):
            found.add(value)
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _lower(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def _known(text: str, known: "Collection[str]") -> "Iterator[Span]":
    for value in known:
        at = text.find(value)
        while at >= 0:
            yield at, at + len(value), "environment"
            at = text.find(value, at + len(value))


def _around(text: str, masks: "list[tuple[int, int]]") -> "list[tuple[int, int]]":
    """Which parts of a text, in whole lines, may read differently for its ``masks``."""
    parts: list[tuple[int, int]] = []
    for begin, end in masks:
        line = max(0, text.rfind("\n", 0, max(0, begin - REACH)))
        start = max(0, text.rfind("\n", 0, line))
        line = text.find("\n", end + REACH)
        stop = text.find("\n", line + 1) if line >= 0 else -1
        if stop < 0:
            stop = len(text)
        if parts and start <= parts[-1][1]:
            parts[-1] = parts[-1][0], stop
        else:
            parts.append((start, stop))
    return parts


def _masked(text: str, spans: "list[Span]") -> "tuple[str, list[tuple[int, int]]]":
    """The text with a mask for each of ``spans``, and where in it the masks stand."""
    spans.sort(key=lambda span: (span[0], -span[1]))
    pieces: list[str] = []
    masks: list[tuple[int, int]] = []
    kept = size = 0
    for start, end, kind in spans:
        if end <= kept or start >= end:
            continue
        before = text[kept:start]
        mask = f"[redacted:{kind}]" if start >= kept else ""
        size += len(before) + len(mask)
        masks.append((size - len(mask), size))
        pieces += (before, mask)
        kept = end
    pieces.append(text[kept:])
    return "".join(pieces), masks
