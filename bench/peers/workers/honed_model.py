"""honed with the model of its extra ``semantic``: as ``workers.honed``, and by what texts mean, too.

Vectors, which a process behind each write makes for a user, are made here at the end of keeping.
"""

from __future__ import annotations

import os

from bench.peers.workers.honed import Skills, folder_of
from bench.peers.workers.serving import Library, serve
from honed import __version__, asking
from honed.meaning import embed

MODEL = "bundled"
PATIENCE = 600.0
"""Seconds for loading the model, once."""


class Meant(Skills):
    """The same memory, asked as the command line and the MCP server ask it."""

    def __init__(self) -> None:
        super().__init__()
        self._memory.configure("semantic.model", MODEL)

    def settle(self) -> None:
        """Make the vectors of what was kept."""
        embed(self._memory._store, MODEL)

    def search(self, text: str, group: str, limit: int) -> list[str]:
        """Slugs, the best first."""
        home = os.environ["HONED_HOME"]
        found = asking.search(home, text, cwd=folder_of(group), limit=limit, patience=PATIENCE)
        assert found.mode == "hybrid", found.mode
        return [hit.slug for hit in found.hits]


if __name__ == "__main__":
    skills = Meant()
    serve(Library(skills.keep, skills.search, skills.settle).answers(), {"version": __version__})
