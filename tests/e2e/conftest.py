"""A world for each test, and a word about what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.world import World, program
from tests.hooks.conftest import wait_for_absorber


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A user of both clients."""
    missing = [name for name in ("claude", "codex") if not program(name).exists()]
    if missing:
        pytest.fail(f"{' and '.join(missing)} not found at {program('')}: run `make clients` (npm is needed)")
    made = World(tmp_path)
    yield made
    if (made.home / "bin").is_dir():
        wait_for_absorber(made.home, idle=True)
