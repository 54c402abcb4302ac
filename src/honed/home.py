"""Where honed keeps what it knows.  On the hot path: no imports but ``os`` and ``sys``."""

from __future__ import annotations

import os
import sys

DATABASE = "honed.db"
APPLICATION_ID = 0x686F6E65
"""``PRAGMA application_id`` of a honed database: the letters "hone"."""


def default_home() -> str:
    """``HONED_HOME``, else the platform's data directory.

    Linux and others ``$XDG_DATA_HOME/honed`` or ``~/.local/share/honed``; macOS
    ``~/Library/Application Support/honed``; Windows ``%LOCALAPPDATA%\\honed``.  Always absolute.
    """
    chosen = os.environ.get("HONED_HOME")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    if sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    elif os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.abspath(os.path.join(base, "honed"))


def is_within(folder: str, home: str) -> bool:
    """Whether ``folder`` is honed's own home or lies in it."""
    return folder.startswith(home) and folder[len(home) : len(home) + 1] in ("", os.sep)
