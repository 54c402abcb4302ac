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
from honed.skills.secret_hints import PRIVATE, looked
from honed.skills.secret_masks import AHEAD, BEHIND, GATE_AHEAD, GATE_BEHIND, beside, masked, moved, naming
from honed.skills.secret_spans import blocks, places, shapes, tokens, urls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

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
    names, gates = looked(text)
    if PRIVATE in gates and (kept := without_private(text)) is not text:
        text = kept
        names, gates = looked(text)
    spans = [*_known(text, known), *tokens(text), *urls(text)]
    spans = _completed(text, spans, names, gates)
    for _ in range(ROUNDS):
        if not spans:
            break
        text, cuts = masked(text, spans)
        spans = _laid_bare(text, cuts, names, gates, known)
        if spans:
            names, gates = looked(text)
    return text


def _completed(
    text: str, spans: "list[Span]", names: "list[int]", gates: "dict[str, list[int]]"
) -> "list[Span]":
    """``spans`` and those that names and the words in ``gates`` give away."""
    if gates:
        if PRIVATE in gates:
            spans += blocks(text)
        spans += shapes(text, gates)
        spans += places(text, gates)
    # A value that holds something known more exactly is left to it: its host or user survive.
    spans.sort()
    spans += list(assignments(text, names, spans))
    return spans


def _laid_bare(
    text: str, cuts: "list[Cut]", names: "list[int]", gates: "dict[str, list[int]]", known: "Collection[str]"
) -> "list[Span]":
    """What is a secret in ``text`` for its masks; ``names`` and ``gates`` are of the text before them."""
    spans = [*_known(text, known), *urls(text)]
    for start, end in beside(text, cuts):
        spans += tokens(text, start, end)
    near = moved(names, cuts, AHEAD, BEHIND) + naming(text, cuts)
    near.sort()
    opened = {
        gate: at for gate, found in gates.items() if (at := moved(found, cuts, GATE_AHEAD, GATE_BEHIND))
    }
    return _completed(text, spans, near, opened)


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


def _known(text: str, known: "Collection[str]") -> "Iterator[Span]":
    for value in known:
        at = text.find(value)
        while at >= 0:
            yield at, at + len(value), "environment"
            at = text.find(value, at + len(value))
