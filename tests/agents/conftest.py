"""A user who has both clients, and the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from honed.cli.run import run

Answer = tuple[int, dict[str, Any]]
Honed = Callable[..., Answer]


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of a user who has both clients."""
    home = tmp_path / "user"
    for name in (".claude", ".codex"):
        (home / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "HONED_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return home


@pytest.fixture
def honed(user: Path, capsys: pytest.CaptureFixture[str]) -> Honed:
    """Run a command; its exit code, and the JSON that it prints."""

    def call(*words: str) -> Answer:
        code = run([*words, "--json"])
        told = capsys.readouterr()
        return code, json.loads(told.out)

    assert user.is_dir()
    return call


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, without honed's own home."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".local")}


def handlers(path: Path) -> list[tuple[str, dict[str, object]]]:
    """Every hook of a client's file, with its event."""
    hooks = json.loads(path.read_bytes())["hooks"]
    return [
        (event, handler) for event, groups in hooks.items() for group in groups for handler in group["hooks"]
    ]


def said(honed: Honed, name: str) -> dict[str, str]:
    """What doctor says under a name; nothing if it does not."""
    checks: list[dict[str, str]] = honed("doctor")[1]["checks"]
    return next((check for check in checks if check["name"] == name), {})
