"""A store in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from honed.store.sqlite import SqliteStore
from tests.store.making import Clock


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(home: str, clock: Clock) -> Iterator[SqliteStore]:
    with SqliteStore.open(home, clock=clock) as opened:
        yield opened
