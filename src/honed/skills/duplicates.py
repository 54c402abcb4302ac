"""Do two drafts say the same?  A number between 0 and 1, and the bar above which one asks.

The same work twice has the same fingerprint and is one skill without asking; this is for texts that
say the same in other words.  Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil

from honed.skills import stopwords
from honed.skills.model import Draft
from honed.skills.normal import normalise

NEAR = 0.8
"""From here on two drafts are near-duplicates: the one is named and the other refused unless forced."""
FILES_WEIGHT = 0.4
"""Share of the files in the score of two drafts that both have files."""

_WORD = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*", re.UNICODE)
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDINGS = ("ings", "ing", "ies", "ied", "edly", "ed", "es", "ers", "er", "s", "ly", "e")


def similar(first: Draft, second: Draft) -> float:
    """How alike two drafts are: the words of both that they share, and the files.

    1.0 for the same text up to counters, times, case and white space; 0.0 for nothing in common.
    Drafts of different kinds or of different agents are never alike.
    """
    if first.kind != second.kind or first.agent != second.agent:
        return 0.0
    if first.fingerprint and first.fingerprint == second.fingerprint:
        return 1.0
    return _score(first, second, _words(_text(first)), _words(_text(second)))


def _score(first: Draft, second: Draft, said: set[str], other: set[str]) -> float:
    words = _shared(said, other)
    mine, theirs = {ref.path for ref in first.files}, {ref.path for ref in second.files}
    if mine and theirs:
        return (1 - FILES_WEIGHT) * words + FILES_WEIGHT * _shared(mine, theirs)
    return words


def alike(drafts: Sequence[Draft]) -> Iterator[tuple[int, int, float]]:
    """Every pair of near-duplicates among ``drafts``: their places, the first one first, and how alike.

    The same pairs as comparing each with each, without doing so: what shares most of its parts shares one of
    the rarest few of each (Bayardo, Ma, Srikant: Scaling up all pairs similarity search, 2007).  Two drafts
    with files are near only if they share files, others only by their words.
    """
    words = [_words(_text(draft)) for draft in drafts]
    files = [{ref.path for ref in draft.files} for draft in drafts]
    common = Counter(part for parts in (*words, *files) for part in parts)
    seen: dict[tuple[str, ...], list[int]] = {}
    for place, draft in enumerate(drafts):
        near: set[int] = set()
        for block, looks_into in _blocks(draft, words[place], files[place], common):
            for name in looks_into:
                near.update(seen.get(name, ()))
            seen.setdefault(block, []).append(place)
        for other in sorted(near):
            same = bool(draft.fingerprint) and draft.fingerprint == drafts[other].fingerprint
            if not same and not _may_be_near(files[other], files[place], words[other], words[place]):
                continue
            score = 1.0 if same else _score(drafts[other], draft, words[other], words[place])
            if score >= NEAR:
                yield other, place, score


def _may_be_near(files: set[str], others: set[str], words: set[str], said: set[str]) -> bool:
    """Whether two drafts can be near by their files and by how many words each has; cheap."""
    least = NEAR
    if files and others:
        least = (NEAR - FILES_WEIGHT * _shared(files, others)) / (1 - FILES_WEIGHT)
    sizes = len(words) + len(said)
    most = 2 * min(len(words), len(said)) / sizes if sizes else 1.0
    return most >= least - 1e-9


_FILES_LEAST = (NEAR - (1 - FILES_WEIGHT)) / FILES_WEIGHT
"""The least share of files of near-duplicates that both have some: where all of their words are the same."""


def _blocks(
    draft: Draft, words: set[str], files: set[str], common: Mapping[str, int]
) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """The blocks that a draft is put into, each with those in which near-duplicates of it may be."""
    sort = (draft.kind, draft.agent)
    if draft.fingerprint:
        block = (*sort, "fingerprint", draft.fingerprint)
        yield block, [block]
    for word in _rarest(words, common, NEAR):
        filed, bare = (*sort, "filed", word), (*sort, "bare", word)
        yield (filed, [bare]) if files else (bare, [bare, filed])
    for path in _rarest(files, common, _FILES_LEAST) if files else ():
        block = (*sort, "file", path)
        yield block, [block]


def _rarest(parts: set[str], common: Mapping[str, int], least: float) -> list[str]:
    """Parts of which whatever shares ``least`` of them has one among its own: the rarest first."""
    if not parts:
        return [""]
    # With a share of s over both, the smaller one has at least s / (2 - s) of the larger one's parts.
    needed = ceil(len(parts) * least / (2 - least) - 1e-9)
    ordered = sorted(parts, key=lambda part: (common[part], part))
    return ordered[: len(parts) - needed + 1]


def _text(draft: Draft) -> str:
    parts = [draft.title, draft.trigger, *draft.steps, draft.check, draft.body]
    parts += [f"{pitfall.signature} {pitfall.resolution}" for pitfall in draft.pitfalls]
    return "\n".join(part for part in dict.fromkeys(parts) if part)


def _words(text: str) -> set[str]:
    """The words of ``text`` that carry meaning, without their endings; pairs of characters in CJK."""
    found: set[str] = set()
    for line in text.split("\n"):  # most lines have nothing volatile, and are normalised at once
        for word in _WORD.findall(normalise(line).replace("<n>", " ")):
            if _DENSE.search(word):
                found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
            elif word not in stopwords.ENGLISH:
                found.add(_stem(word))
    return found


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _shared(first: set[str], second: set[str]) -> float:
    """Twice what both hold over what each holds; texts without a word are alike only to each other."""
    if not first and not second:
        return 1.0
    return 2 * len(first & second) / (len(first) + len(second))
