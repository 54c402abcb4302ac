"""Work on one thing says little of another: "the voucher's prefix is off" of "the tariff's weight is off".

Requests of one project are put in the same phrases, so a skill about a sibling is found by words that say
nothing of which thing is meant.  What it knows besides the place that it changed (a pitfall, a command, a
further file) may hold for the sibling too; the place does not, and whoever is told of it reads a file for
nothing.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

from honed.patterns import compiled
from honed.skills.stemming import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from honed.recall.hits import Hit

CODE = r"`([^`]+)`"
_NOT_CHANGED = ("read", "test")
_WORD = r"[A-Z]?[a-z]{2,}|[A-Z]{3,}(?![a-z])|[^\W\d_A-Za-z]{2,}"
"""Words of a file's name: parts of ``cartTotal`` and ``cart_total``."""


def without_place(hit: Hit, asked: Iterable[str]) -> str:
    """Note in ``hit`` the places of another thing than what is ``asked`` (words and stems of the request);
    say why the hit is withheld where it knows nothing else.

    Those are the changed files of learned work that are named, they or their folder, after what its title
    names, where the request names none of them.
    """
    facts = hit.facts
    if facts.origin != "derived" or facts.kind != "procedure" or hit.grade == "guidance":
        return ""
    draft = facts.told
    changed = _changed(draft)
    hit.elsewhere = _titled(changed, facts.title, {*asked})
    if not hit.elsewhere or draft.get("pitfalls") or changed - hit.elsewhere:
        return ""
    steps = draft.get("steps")
    told = " ".join(step for step in steps if isinstance(step, str)) if isinstance(steps, list) else ""
    if not hit.elsewhere.issuperset(compiled(CODE).findall(told)):
        return ""
    return "about another thing, of which it knows only the place"


def _titled(paths: Iterable[str], title: str, asked: set[str]) -> frozenset[str]:
    """Those of ``paths`` that are named in the ``title``; none where the request names one of them."""
    named, titled = set(), f" {' '.join(_words(title))}"
    for path in paths:
        last = "/".join(path.split("/")[-2:]).rpartition(".")[0]
        for word in [word for word in _words(last) if f" {word}" in titled]:
            if word in asked or stem(word, "en") in asked:
                return frozenset()
            named.add(path)
    return frozenset(named)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in compiled(_WORD).findall(text)]


def _changed(draft: Mapping[str, object]) -> set[str]:
    files = draft.get("files")
    records = [file for file in files if isinstance(file, dict)] if isinstance(files, list) else []
    return {str(file.get("path")) for file in records if file.get("role") not in _NOT_CHANGED}
