"""A project's own name says nothing in the project: its paths and requests are full of it.

How rare a word is cannot be counted among a dozen skills, so "git-sync" would make any request in the project
git-sync look like one that some skill answers.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os

from honed.skills.commonwords import EVERYWHERE
from honed.skills.stemming import stem
from honed.skills.words import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from honed.store.place import Place

LEAST = 2
"""Words besides the name that are more than a coincidence."""


def names_of(place: Place | None) -> frozenset[str]:
    """The words of the names of the project that ``place`` is in: its folder's and its repository's."""
    if place is None:
        return frozenset()
    paths = (place.root, place.remote.removesuffix(".git"), os.path.dirname(place.common_dir))
    names = {os.path.basename(path.replace("\\", "/").rstrip("/")) for path in paths if path}
    return frozenset(part for name in names for word in cut(name) for part in (word.whole, *word.parts))


def only_the_name(words: Iterable[str], names: frozenset[str]) -> bool:
    """Whether ``words`` that a skill has in common with a request are the project's name and next to nothing
    else: words that any request may hold, single letters."""
    words = set(words)
    if names.isdisjoint(words):
        return False
    left = [word for word in words - names if len(word) > 1 and stem(word, "en") not in EVERYWHERE]
    return len(left) < LEAST
