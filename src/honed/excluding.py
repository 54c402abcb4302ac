"""What the owner's setting ``exclude`` covers: shell patterns of folders and files."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable
from fnmatch import translate

_SIGNS = frozenset("*?[")


@functools.cache
def with_real(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns, and where links lead in those without signs: what is kept out is so by either name."""
    plain = [os.path.expanduser(pattern) for pattern in patterns if _SIGNS.isdisjoint(pattern)]
    real = [os.path.realpath(one) for one in plain if os.path.isabs(one)]
    return tuple(dict.fromkeys((*patterns, *(one for one in real if _SIGNS.isdisjoint(one)))))


def covered(folder: str, patterns: Iterable[str]) -> bool:
    """Whether ``folder`` or one above it matches one of the shell patterns."""
    for pattern in patterns:
        wanted = os.path.expanduser(pattern).rstrip("/\\")
        if not os.path.isabs(wanted) and not re.match(r"[A-Za-z]:|\*", wanted):
            wanted = "*/" + wanted
        at, matches = folder, re.compile(translate(wanted)).match
        while True:
            if matches(at):
                return True
            above = os.path.dirname(at)
            if above == at or not above:
                break
            at = above
    return False
