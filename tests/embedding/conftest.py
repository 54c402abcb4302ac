"""An endpoint, and a memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedding.speaking import Heard, endpoint
from tests.recall.making import Shelf


@pytest.fixture
def heard() -> Iterator[Heard]:
    with endpoint() as asked:
        yield asked


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "home")
