"""Patterns compiled when a text first needs them: a hook is a fresh process and pays for each.

On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import re

_COMPILED: dict[str, re.Pattern[str]] = {}


def compiled(pattern: str) -> re.Pattern[str]:
    """``pattern`` as ``re`` compiles it, once per process; flags stand in it (``(?i)``)."""
    found = _COMPILED.get(pattern)
    if found is None:
        found = _COMPILED[pattern] = re.compile(pattern)
    return found
