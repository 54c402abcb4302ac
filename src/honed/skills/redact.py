"""Redaction, before the first stored byte: the sentence survives, only the secret is masked.

``redact`` looks once for what stands out by itself (``secret_spans``) and masks it, then once for what a
name betrays (``secret_assignments``), and last beside the masks for what they laid bare
(``secret_masks``).  The words that all these wait for are found in one pass (``secret_hints``).  Every
expression is bounded, so the time is linear in the text.  A masked secret reads ``[redacted:<kind>]``.
Redacting twice changes nothing.
Standard library only: a hook may load it.
"""

import re

from honed.sessions.private import without_private
from honed.skills import secret_values as values
from honed.skills.secret_assignments import Passed, assignments
from honed.skills.secret_hints import PRIVATE, as_bytes, looked
from honed.skills.secret_masks import (
    NAME_BEHIND,
    VALUE_BEHIND,
    addresses,
    apart,
    masked,
    moved,
    naming,
    near,
    reached,
    runs,
    shifted,
    torn,
)
from honed.skills.secret_spans import blocks, places, shapes, tokens, urls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from honed.skills.secret_masks import Mask

    Span = tuple[int, int, str]

MIN_KNOWN = 12
"""Characters of a value of the environment that is masked wherever it stands (issue: privacy)."""

ROUNDS = 4


def redact(text: str, *, known: "Collection[str]" = ()) -> str:
    """``text`` with every secret replaced by ``[redacted:<kind>]``.

    ``known`` are values that are secret wherever they stand (see ``known_values``).  ``<private>``
    spans go whole, an unclosed one to the end of the text.  Never raises.
    """
    again = len(text) > 5
    for _ in range(ROUNDS):
        if not again:
            break
        text, again = _once(text, known)
    return text


def _once(text: str, known: "Collection[str]") -> "tuple[str, bool]":
    """``text`` with its secrets masked, and whether masks laid further ones bare."""
    raw = as_bytes(text)
    names, gates = looked(text, raw)
    if PRIVATE in gates and (kept := without_private(text)) is not text:
        text, raw = kept, as_bytes(kept)
        names, gates = looked(text, raw)
    masks: list[Mask] = []
    spans = [*_known(text, known), *tokens(text, raw), *urls(text)]
    if gates:
        spans += _placed(text, gates)
    # What is known exactly goes first: of a value that holds it, host and user survive.
    if spans:
        whole = text
        text, cuts = masked(whole, spans)
        # A name into which a token or a block runs without anything between.
        cut = torn(whole, names, cuts)
        if cut and (more := apart(assignments(whole, cut, Passed()), cuts)):
            return masked(whole, spans + more)[0], True
        masks = moved(masks, cuts)
        names, gates = shifted(names, cuts), {gate: shifted(found, cuts) for gate, found in gates.items()}
    passed = Passed()
    spans = assignments(text, names, passed)
    beside: list[int] = []
    if spans:
        text, cuts = masked(text, spans)
        masks = moved(masks, cuts)
        gates = {gate: shifted(found, cuts) for gate, found in gates.items()}
        beside = near(passed.valued, cuts, VALUE_BEHIND) + near(passed.named, cuts, NAME_BEHIND)
    if not masks:
        return text, False
    spans = _laid_bare(text, masks, gates, known)
    if not spans:
        spans = assignments(text, sorted(beside + naming(text, masks)), Passed())
    return (masked(text, spans)[0], True) if spans else (text, False)


def _placed(text: str, gates: "dict[str, list[int]]") -> "list[Span]":
    """What the words in ``gates`` give away."""
    spans = places(text, gates)
    spans += shapes(text, gates)
    if PRIVATE in gates:
        spans += blocks(text)
    return spans


def _laid_bare(
    text: str, masks: "list[Mask]", gates: "dict[str, list[int]]", known: "Collection[str]"
) -> "list[Span]":
    """What can be known exactly in ``text`` for the masks in it."""
    spans = _known(text, known)
    if parts := runs(text, masks):
        raw = as_bytes(text)
        for start, end in parts:
            spans += tokens(text, raw, start, end)
    if "@" in text and "://" in text:
        for start, end in addresses(text, masks):
            spans += urls(text, start, end)
    begins = [mask[0] for mask in masks]
    beside = {}
    for gate, found in gates.items():
        if at := [place for place in found if reached(place, begins, masks)]:
            beside[gate] = at
    return spans + _placed(text, beside) if beside else spans


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
