"""What of a skill the project still has: its check and its files are looked up where the agent stands.

A few bounded reads for each skill that is told.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os

from honed.recall.ground import ground_of
from honed.skills.lost_checks import lost_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from honed.recall.ground import Looks
    from honed.recall.hits import Hit
    from honed.store.place import Place

READ_LIMIT = 256 * 1024
"""Bytes of a ``package.json`` or Makefile that are read; of a longer one nothing can be told."""


def look_at(place: Place | None, project: str | None, hit: Hit, looks: Looks) -> str:
    """Note in ``hit`` what of its check and its places is gone at ``place``; say why it is withheld, if so.

    Of a skill of another project than ``project``, or where the agent stands in none, nothing can be told.
    What the owner approved, and rules, are told with a warning all the same.
    """
    facts = hit.facts
    if place is None or not place.root or not facts.project or facts.project != project:
        return ""
    if not os.path.isdir(place.root):
        return ""
    if '"check"' not in facts.draft and '"files"' not in facts.draft:
        return ""
    draft = facts.told
    hit.lost = _lost_check(place.root, draft.get("check"))
    ground = ground_of(place.root, draft, looks)
    if ground.gone and hit.grade != "guidance" and hit.kind != "rule":
        return f"outdated: {ground.gone}"
    hit.outdated = ground.gone or ground.warning
    return ""


def _lost_check(root: str, check: object) -> str:
    """What of a check is gone, in words; empty as far as can be told."""
    if not isinstance(check, str) or not check:
        return ""

    def read(path: str) -> str | None:
        return text_of(os.path.join(root, path))

    return lost_check(check, read, lambda path: os.path.exists(os.path.join(root, path)))


def text_of(path: str) -> str | None:
    """The text of a file of the project: ``None`` where there is none, empty where it cannot be read."""
    try:
        # A FIFO of that name would hang the open, and with it the hook.
        if not os.path.isfile(path):
            return "" if os.path.lexists(path) else None
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(READ_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return ""
    return text if len(text) <= READ_LIMIT else ""
