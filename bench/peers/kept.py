"""What a peer came to on a set, kept between runs: it changes with its version, with the set and with how it
is asked, and with nothing that changes in honed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bench.peers.asked import Found
from bench.peers.environments import ROOT, default_cache
from bench.peers.sets import Labelled

WORKERS = ROOT / "bench" / "peers" / "workers"
ASKED_BY = ("asked.py", "worker.py", "workers/serving.py")
"""Modules of ``bench.peers`` that decide how a peer is asked; its own worker, too."""


class Kept:
    """The results of one peer in a folder, one file a set."""

    def __init__(self, name: str, environment: str, folder: Path | None = None) -> None:
        """``environment`` names the peer's version and its Python (``environments.prepared``)."""
        self._folder = folder or default_cache().parent / "results"
        self._name = name
        self._about = [environment, *_sources(name)]

    def place(self, labelled: Labelled) -> Path:
        """The file of what it came to on a set."""
        digest = hashlib.sha256(json.dumps([*self._about, asdict(labelled)]).encode())
        return self._folder / f"{self._name}-{labelled.name.replace('/', '-')}-{digest.hexdigest()[:16]}.json"

    def read(self, labelled: Labelled) -> Found | None:
        """What it came to before; ``None`` where it was not asked yet, or what was kept cannot be read."""
        try:
            return Found(**json.loads(self.place(labelled).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def write(self, labelled: Labelled, found: Found) -> None:
        """Keep it for later runs."""
        place = self.place(labelled)
        place.parent.mkdir(parents=True, exist_ok=True)
        made = place.with_suffix(".new")
        made.write_text(json.dumps(asdict(found)), encoding="utf-8")
        made.replace(place)


def _sources(name: str) -> Sequence[str]:
    paths = [*(WORKERS.parent / module for module in ASKED_BY), WORKERS / f"{name}.py"]
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
