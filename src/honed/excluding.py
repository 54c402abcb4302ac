"""What the owner's setting ``exclude`` covers: shell patterns of folders and files."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable
from fnmatch import translate

_ONE = re.compile(r"\[[^]/]{1,60}\]|.", re.DOTALL)
SIGNS = frozenset("*?[")


@functools.cache
def with_real(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns, and where links lead in those without signs: what is kept out is so by either name."""
    plain = [os.path.expanduser(pattern) for pattern in patterns if SIGNS.isdisjoint(pattern)]
    real = [os.path.realpath(one) for one in plain if os.path.isabs(one)]
    return tuple(dict.fromkeys((*patterns, *(one for one in real if SIGNS.isdisjoint(one)))))


def covered(folder: str, patterns: Iterable[str]) -> bool:
    """Whether ``folder`` or one above it matches one of the shell patterns."""
    for pattern in patterns:
        wanted = _whole(pattern)
        at, matches = folder, re.compile(translate(wanted)).match
        while True:
            if matches(at):
                return True
            above = os.path.dirname(at)
            if above == at or not above:
                break
            at = above
    return False


def may_cover(word: str, patterns: Iterable[str]) -> bool:
    """Whether a path that a shell may make of ``word``, which has signs, is one that ``covered`` covers.

    Both are patterns, so it is asked whether any path is of both.
    """
    shell = _of_a_shell(word)
    return any(
        _meet(shell, [*_of_a_pattern(wanted), *more])
        for wanted in map(_whole, patterns)
        for more in ((), ("/", "*"))
    )


def _whole(pattern: str) -> str:
    wanted = os.path.expanduser(pattern).rstrip("/\\")
    if not os.path.isabs(wanted) and not re.match(r"[A-Za-z]:|\*", wanted):
        return "*/" + wanted
    return wanted


_NO_SLASH, _VISIBLE = "/", "/."
"""What a sign of a shell does not stand for; at the beginning of a name no dot either."""


def _of_a_shell(word: str) -> list[tuple[str, str, int]]:
    """The parts of a shell's word: a letter or nothing, what it may not be, how far it may be passed over."""
    parts: list[tuple[str, str, int]] = []
    before = "/"
    for sign in _ONE.findall(re.sub(r"\*+", "*", word)):
        hidden = _VISIBLE if before == "/" else _NO_SLASH
        if sign == "*" and before == "/":
            parts.append(("", hidden, 2))  # one letter that shows, then any, or none of both
        if sign == "*":
            parts.append(("*", _NO_SLASH, 1))
        elif sign == "?" or len(sign) > 1:
            parts.append(("", hidden, 0))
        else:
            parts.append((sign, "", 0))
        before = sign
    return parts


def _of_a_pattern(pattern: str) -> list[str]:
    return ["?" if len(sign) > 1 else sign for sign in _ONE.findall(re.sub(r"\*+", "*", pattern))]


def _meet(shell: list[tuple[str, str, int]], pattern: list[str]) -> bool:
    """Whether there is a path of both: a walk over the pairs of places in them that one path leads to."""
    waiting, seen = [(0, 0)], {(0, 0)}
    while waiting:
        at, place = waiting.pop()
        if (at, place) == (len(shell), len(pattern)):
            return True
        steps = []
        letter, never, passed = shell[at] if at < len(shell) else ("", "", 0)
        sign = pattern[place] if place < len(pattern) else ""
        if passed:
            steps.append((at + passed, place))
        if sign == "*":
            steps.append((at, place + 1))
        if at < len(shell) and sign and _may_be(letter, never, sign):
            steps.append((at if letter == "*" else at + 1, place if sign == "*" else place + 1))
        waiting += (fresh := [step for step in steps if step not in seen])
        seen.update(fresh)
    return False


def _may_be(letter: str, never: str, sign: str) -> bool:
    """Whether one letter can be what a part of a shell's word and one of a pattern stand for."""
    if sign in ("*", "?"):
        return True
    return letter == sign if letter not in ("", "*") else sign not in never
