"""Where a text that somebody writes speaks of: names in it that its files define.

They become anchors of the files, so that the text is known to be outdated when they are gone.  Only names
that stand in the text itself are kept, and no line of a file.
"""

from __future__ import annotations

import re
from dataclasses import replace

from honed.recall.anchored import defines
from honed.recall.ground import Looks, text_in
from honed.skills.model import Anchor, Draft, FileRef

_MOST_NAMES, _MOST_ANCHORS = 100, 3
_NAMES = re.compile(
    r"`(?P<quoted>[A-Za-z_]\w{2,79})(?:\(\))?`|\b(?P<called>[A-Za-z_]\w{2,79})(?=\()"
    r"|\b(?P<plain>[A-Za-z_]\w{2,79})\b"
)
_COMPOUND = re.compile(r"[A-Za-z\d]_[A-Za-z\d]|[a-z\d][A-Z]")


def placed(draft: Draft, root: str) -> Draft:
    """``draft`` with anchors for the files that it names without any, as the project at ``root`` stands.

    Bounded like a recall (``ground.Looks``); files that cannot be read stay as they are.
    """
    if not root or all(ref.anchors for ref in draft.files):
        return draft
    names = _names("\n".join((draft.title, draft.trigger, *draft.steps, draft.body)))
    looks = Looks()
    return replace(draft, files=tuple(_anchored(ref, names, root, looks) for ref in draft.files))


def _anchored(ref: FileRef, names: list[str], root: str, looks: Looks) -> FileRef:
    text = text_in(root, ref.path, looks) if names and not ref.anchors else None
    found = [name for name in names if text is not None and defines(text, name)]
    return replace(ref, anchors=tuple(Anchor(name) for name in found[:_MOST_ANCHORS])) if found else ref


def _names(text: str) -> list[str]:
    """What a text calls by a name of code: in back-ticks, with a bracket behind it, or of several parts."""
    found: dict[str, None] = {}
    for match in _NAMES.finditer(text):
        name = match.group("quoted") or match.group("called") or match.group("plain")
        if match.group("plain") is None or _COMPOUND.search(name):
            found.setdefault(name)
        if len(found) >= _MOST_NAMES:
            break
    return list(found)
