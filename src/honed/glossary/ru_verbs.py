"""Other stems under which a Russian verb may stand in the glossary: it has one form of many.

A verb in "-овать" has that in its infinitive alone ("компилирует"), loses a prefix that says that
something is done to its end ("задокументируй"), and makes a noun in "-ация" ("дистиллируй").
"""

from __future__ import annotations

from honed.glossary import LONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DONE = ("за", "про", "от", "с", "по", "пере", "вы", "на", "из")
_INFINITIVE, _PRESENT, _FOREIGN = "ова", "у", "ир"
_NOUNS = ("ац", "яц")


def others(root: str) -> Iterator[str]:
    """The stems that a word with the stem ``root`` may have in the glossary, the likest first."""
    yield from _of_verb(root)
    for prefix in _DONE:
        if root.startswith(prefix) and len(root) >= len(prefix) + LONG:
            yield root[len(prefix) :]
            yield from _of_verb(root[len(prefix) :])


def _of_verb(root: str) -> Iterator[str]:
    yield root.removesuffix(_PRESENT) + _INFINITIVE
    begun = root.removesuffix(_INFINITIVE)
    if begun.endswith(_FOREIGN):
        for noun in _NOUNS:
            yield begun.removesuffix(_FOREIGN) + noun
