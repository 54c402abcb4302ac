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
from honed.skills.secret_assignments import REACH, Passed, assignments
from honed.skills.secret_hints import PRIVATE, as_bytes, looked
from honed.skills.secret_masks import (
    GATE_AHEAD,
    GATE_BEHIND,
    NAME_BEHIND,
    VALUE_BEHIND,
    addresses,
    masked,
    moved,
    naming,
    runs,
)
from honed.skills.secret_spans import blocks, places, shapes, tokens, urls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from honed.skills.secret_masks import Cut

    Span = tuple[int, int, str]

MIN_KNOWN = 12
"""Characters of a value of the environment that is masked wherever it stands (issue: privacy)."""

ROUNDS = 4


def redact(text: str, *, known: "Collection[str]" = ()) -> str:
    """``text`` with every secret replaced by ``[redacted:<kind>]``.

    ``known`` are values that are secret wherever they stand (see ``known_values``).  ``<private>``
    spans go whole, an unclosed one to the end of the text.  Never raises.
    """
    if len(text) < 6:
        return text
    raw = as_bytes(text)
    names, gates = looked(text, raw)
    if PRIVATE in gates and (kept := without_private(text)) is not text:
        text, raw = kept, as_bytes(kept)
        names, gates = looked(text, raw)
    spans = [*_known(text, known), *tokens(text, raw), *urls(text)]
    passed = _complete(text, spans, names, gates)
    for _ in range(ROUNDS):
        if not spans:
            break
        text, cuts = masked(text, spans)
        spans = _laid_bare(text, cuts, passed, gates, known)
        if spans:
            passed = Passed()
            names, gates = looked(text, as_bytes(text))
            passed.valued = [(at, at + REACH) for at in names]
    return text


def _complete(text: str, spans: "list[Span]", names: "list[int]", gates: "dict[str, list[int]]") -> Passed:
    """Add to ``spans`` what names and the words in ``gates`` give away; which names were passed by."""
    if gates:
        if PRIVATE in gates:
            spans += blocks(text)
        spans += shapes(text, gates)
        spans += places(text, gates)
    # A value that holds something known more exactly is left to it: its host or user survive.
    spans.sort()
    passed = Passed()
    spans += assignments(text, names, spans, passed)
    return passed


def _laid_bare(
    text: str, cuts: "list[Cut]", passed: Passed, gates: "dict[str, list[int]]", known: "Collection[str]"
) -> "list[Span]":
    """What is a secret in ``text`` for its masks; ``passed`` and ``gates`` are of the text before them."""
    spans = _known(text, known)
    if parts := runs(text, cuts):
        raw = as_bytes(text)
        for start, end in parts:
            spans += tokens(text, raw, start, end)
    for start, end in addresses(text, cuts):
        spans += urls(text, start, end)
    starts = [cut[0] for cut in cuts]
    near = moved(passed.valued, cuts, starts, VALUE_BEHIND)
    near += moved([(at, at) for at in passed.named], cuts, starts, NAME_BEHIND)
    near += naming(text, cuts)
    near.sort()
    opened = {}
    for gate, found in gates.items():
        if beside := moved([(at, at + GATE_AHEAD) for at in found], cuts, starts, GATE_BEHIND):
            opened[gate] = beside
    _complete(text, spans, near, opened)
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


def _known(text: str, known: "Collection[str]") -> "list[Span]":
    found: list[Span] = []
    for value in known:
        at = text.find(value)
        while at >= 0:
            found.append((at, at + len(value), "environment"))
            at = text.find(value, at + len(value))
    return found
