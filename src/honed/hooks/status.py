"""What the hooks really did: the spool's lines added up per agent and event."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from honed.hooks import spool
from honed.hooks.sweeping import by_age

FILES = 400
"""Session files that are looked at, the last written ones."""


@dataclass(slots=True)
class Tally:
    """One event of one agent: how often it ran, what came of it, and its last lines.

    ``counts`` by result (see ``spool.RESULTS``); ``tokens`` given; ``last`` when it ran last, ``failed`` when
    it failed last (ISO-8601 UTC), each with its words; ``milliseconds`` the longest run.
    """

    agent: str
    event: str
    counts: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    milliseconds: int = 0
    last: str = ""
    last_words: str = ""
    failed: str = ""
    failed_words: str = ""

    @property
    def runs(self) -> int:
        """All runs."""
        return sum(self.counts.values())

    @property
    def fails_now(self) -> bool:
        """Whether nothing has gone well since the last failure."""
        return bool(self.failed) and self.failed >= self.last

    def add(self, line: dict[str, object]) -> None:
        """Count one line."""
        result, words = str(line.get("r") or ""), str(line.get("w") or "")
        stamp = line.get("t")
        at = _iso(stamp) if isinstance(stamp, (int, float)) else ""
        self.counts[result] += 1
        self.tokens += _whole(line.get("n"))
        self.milliseconds = max(self.milliseconds, _whole(line.get("m")))
        if at >= self.last:
            self.last, self.last_words = at, words
        if result == "failed" and at >= self.failed:
            self.failed, self.failed_words = at, words


def tallies(home: str) -> list[Tally]:
    """Every event of every agent that ran, by agent and event."""
    found: dict[tuple[str, str], Tally] = {}
    for _, file in by_age(Path(home, spool.FOLDER))[-FILES:]:
        for line in spool.lines(str(file)):
            agent, event = str(line.get("a") or ""), str(line.get("e") or "")
            found.setdefault((agent, event), Tally(agent, event)).add(line)
    return [found[key] for key in sorted(found)]


def _iso(stamp: float) -> str:
    with contextlib.suppress(OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(stamp, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return ""


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
