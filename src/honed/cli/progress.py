"""How far a backfill is: one line that moves where somebody watches, else a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from honed.absorb import Absorbed
from honed.cli.command import Output
from honed.counted import several
from honed.transcripts import Found

WATCHED_SECONDS = 0.1
LOGGED_SECONDS = 10.0
"""Between two lines for whoever watches, and for a file or a pipe."""


class Progress:
    """Tells of ``found`` being read into ``total``; ``clock`` gives seconds."""

    def __init__(
        self,
        output: Output,
        found: Sequence[Found],
        total: Absorbed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._output = output
        self._found = found
        self._total = total
        self._clock = clock
        self._number = 0
        self._read = 0
        self._all = sum(item.size for item in found) or 1
        self._began = self._told = clock()

    def done(self, item: Found) -> None:
        """A transcript is read."""
        self._number += 1
        self._read += item.size
        self._tell(self._read)

    def inside(self, read: int) -> None:
        """So many bytes of the present transcript are read."""
        self._tell(self._read + read)

    def _tell(self, read: int) -> None:
        now = self._clock()
        watched = self._output.watched
        if now - self._told < (WATCHED_SECONDS if watched else LOGGED_SECONDS):
            return
        self._told = now
        rate = read / 1e6 / max(now - self._began, 0.001)
        line = (
            f"{self._number}/{len(self._found)} transcripts, {100 * read // self._all} %, {rate:.0f} MB/s: "
            f"{several(self._total.verdicts['verified'], 'task')} verified, "
            f"{several(self._total.learned, 'skill')} learned"
        )
        if watched:
            self._output.progress(line)
        else:
            self._output.note(f"honed: {line}")
