"""Why tests failed, in the words of the output: the messages by which one failure is known again.

A failure that shows the very messages that it also showed without the change was there before it: a
missing key, a service that is down.  A failed comparison is no such message: ``assert False`` may be any.
"""

from __future__ import annotations

import re

MOST = 12
"""Distinct messages that are kept of one run."""
_LENGTH = 200

_PLACE = r"[\w@./\\-]+\.[A-Za-z]{1,5}:\d+(?::\d+)?:[ \t]+"
_MESSAGE = re.compile(
    rf"^[ \t]*(?:{_PLACE}(?P<placed>\S[^\n]*)"
    r"|E[ \t]{1,8}(?P<pytest>\S[^\n]*)"
    r"|(?:[-*>|][ \t]+)?(?P<named>(?:[\w.:]*(?:Error|Exception|Failure)|panic|fatal|error)"
    r"(?:\[\w+\])?:[ \t]+\S[^\n]*))",
    re.MULTILINE,
)
_VARIES = re.compile(r"0x[0-9a-fA-F]+|\d{5,}|\d+(?:\.\d+)?m?s\b")
_COMPARES = re.compile(r"(?i)\bassert|\bexpect|\bgot\b|\bwant(?:ed)?\b|\bactual\b|[!=]==?|\bdiffer")
_WORDS = re.compile(r"[A-Za-z_]{2,}")
TELLING = 3
"""Words of a message that is told from any other."""
_SUMMARIES = re.compile(r"^(?:test|tests|\d+) (?:failed|failures?)\b|^FAIL|^-{2,}", re.IGNORECASE)


def causes_of(text: str, failed: int | None) -> tuple[str, ...]:
    """The distinct messages of the failing tests in ``text``, at most ``MOST``.

    ``failed`` is how many tests the runner counted as failed: where fewer messages than that are to be
    seen, a failure may hide that nobody knows the cause of, and nothing is returned.  ``None`` asks for
    whatever there is.  Comparisons, and what says too little to be known again, are no causes.
    """
    seen: dict[str, None] = {}
    lines = 0
    for match in _MESSAGE.finditer(text):
        message = _VARIES.sub("#", (match["placed"] or match["pytest"] or match["named"]).strip())[:_LENGTH]
        if _SUMMARIES.match(message):
            continue
        lines += 1
        if _COMPARES.search(message) or len(_WORDS.findall(message)) < TELLING:
            if failed is not None:
                return ()
            continue
        seen[message] = None
        if len(seen) > MOST:
            return ()
    if failed is not None and lines < failed:
        return ()
    return tuple(seen)
