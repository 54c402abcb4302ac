"""What of a skill the project still has: its check is looked up where the agent stands.

A few bounded reads for each skill that is told.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os

from honed.quick_json import loads
from honed.skills.lost_checks import lost_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from honed.store.place import Place
    from honed.store.reading import Facts

READ_LIMIT = 256 * 1024
"""Bytes of a ``package.json`` or Makefile that are read; of a longer one nothing can be told."""


def lost_in(place: Place | None, facts: Facts) -> str:
    """What of the skill's check is gone at ``place``, in words; empty as far as can be told.

    Of a skill of another project, or where the agent stands in no project, nothing can be told.
    """
    if place is None or not place.root or not place.present or '"check"' not in facts.draft:
        return ""
    try:
        draft = loads(facts.draft)
    except (ValueError, RecursionError):
        return ""
    check = draft.get("check") if isinstance(draft, dict) else None
    if not isinstance(check, str) or not check or not facts.project:
        return ""
    root = place.root

    def read(path: str) -> str | None:
        return text_of(os.path.join(root, path))

    return lost_check(check, read, lambda path: os.path.exists(os.path.join(root, path)))


def text_of(path: str) -> str | None:
    """The text of a file of the project: ``None`` where there is none, empty where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(READ_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return ""
    return text if len(text) <= READ_LIMIT else ""
