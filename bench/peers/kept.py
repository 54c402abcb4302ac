"""What a system came to on a set, kept between runs: it changes with its version, with the set and with how
it is asked; what runs on honed's own code changes with any of that, too."""

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
"""Modules of ``bench.peers`` that decide how a system is asked; its own worker, too."""
ON_HONED = {"honed": ("honed",), "honed_model": ("honed", "honed_model"), "dense": ("dense",)}
"""Systems that run on honed's code, and their workers."""


class Kept:
    """The results of one system in a folder, one file a set."""

    def __init__(self, name: str, environment: str, folder: Path | None = None) -> None:
        """``environment`` names the system's version and its Python (as ``environments.prepared`` does)."""
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
    paths = [WORKERS.parent / module for module in ASKED_BY]
    paths += [WORKERS / f"{worker}.py" for worker in ON_HONED.get(name, (name,))]
    if name in ON_HONED:
        paths += sorted((ROOT / "src" / "honed").rglob("*.py"))
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
