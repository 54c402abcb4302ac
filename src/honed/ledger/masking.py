"""Taking a text out of an event's body: what says *what* happened stays, what was said is masked.

Pure.  ``honed scrub`` tells an event again with the masked body and erases the first one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from honed.ledger.ids import slugify

MASK = "[scrubbed]"
STRUCTURE = frozenset(
    "kind scope origin authority role fingerprint source_task client session project task step verdict"
    " evidence hash ids fingerprints replaces".split()
)
"""Keys whose values name, count or point: no text, and masked they would mean something else."""


def texts(body: object, key: str = "") -> Iterator[str]:
    """Every text in a body, the names of unknown keys too."""
    if isinstance(body, str):
        if key not in STRUCTURE:
            yield body
    elif isinstance(body, Mapping):
        for name, value in body.items():
            if key == "extra":
                yield str(name)
            yield from texts(value, "extra" if key == "extra" else str(name))
    elif isinstance(body, list | tuple):
        for item in body:
            yield from texts(item, key)


def session_of(body: Mapping[str, object]) -> str:
    """The client's id of the session that a body names, which a client or a caller chose; empty for none."""
    found = body.get("session")
    return found if isinstance(found, str) else ""


def masked(body: Mapping[str, object], pattern: re.Pattern[str]) -> dict[str, object] | None:
    """The body with every match of ``pattern`` in its texts masked, ``None`` if there is none.

    A slug that matches, or whose title does, is made anew from the masked title.
    """
    if not any(pattern.search(text) for text in texts(body)):
        return None
    told = {key: _masked(value, pattern, key) for key, value in body.items()}
    draft, before = told.get("draft"), body.get("draft")
    if "slug" in body and isinstance(draft, Mapping) and isinstance(before, Mapping):
        if told["slug"] != body["slug"] or draft.get("title") != before.get("title"):
            told["slug"] = slugify(str(draft.get("title", "")), fallback="scrubbed")
    return told


def _masked(value: object, pattern: re.Pattern[str], key: str) -> object:
    if isinstance(value, str):
        return value if key in STRUCTURE else pattern.sub(MASK, value)
    if isinstance(value, Mapping):
        if key == "extra":
            return {pattern.sub(MASK, str(name)): _masked(item, pattern, key) for name, item in value.items()}
        return {str(name): _masked(item, pattern, str(name)) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(item, pattern, key) for item in value]
    return value
