"""A home, a shop, and the command line in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from honed.cli.run import run
from tests.doors.telling import Answer, a_shop

Honed = Callable[..., Answer]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return a_shop(tmp_path)


@pytest.fixture
def honed(
    home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Honed:
    """Calls the command line in the shop, with the home by the environment."""
    monkeypatch.setenv("HONED_HOME", str(home))
    monkeypatch.setenv("HOME", str(home.parent / "nobody"))
    monkeypatch.chdir(shop)

    def call(*words: str, cwd: Path | None = None) -> Answer:
        monkeypatch.chdir(cwd or shop)
        capsys.readouterr()
        code = run(words)
        told = capsys.readouterr()
        return Answer(code, told.out, told.err)

    return call
