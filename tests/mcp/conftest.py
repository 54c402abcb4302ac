"""A home, a shop, and a client that stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doors.telling import a_shop
from tests.mcp.speaking import Talk


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return a_shop(tmp_path)


@pytest.fixture
def talk(home: Path, shop: Path) -> Talk:
    return Talk(home, shop)
