"""A Codex without hooks, as far as the pinned one can play it: it says another version, and runs no hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e import world as worlds
from tests.e2e.model import Script
from tests.e2e.test_live import FIX, REQUEST, learns
from tests.e2e.world import World, program
from tests.hooks.conftest import wait_for_absorber

MINE = b'# mine\nmodel_reasoning_effort = "low"\r\n\n[tui]\nnotifications = false'


@pytest.fixture
def hookless(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """In front of the real Codex stands one that says an older version."""
    folder = world.user / "bin"
    folder.mkdir()
    codex = folder / "codex"
    codex.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.113.0 && exit\nexec {program("codex")} "$@"\n',
        encoding="utf-8",
    )
    codex.chmod(0o755)
    monkeypatch.setattr(worlds, "SYSTEM_PATH", f"{folder}:{worlds.SYSTEM_PATH}")
    (world.user / ".codex" / "config.toml").write_bytes(MINE)
    return world


def config(world: World) -> Path:
    """Codex's configuration."""
    return world.user / ".codex" / "config.toml"


def state(world: World) -> dict[str, str]:
    """What `honed hooks status` says of Codex."""
    rows = world.honed("hooks", "status")["agents"]
    assert isinstance(rows, list)
    (row,) = [row for row in rows if row["agent"] == "codex"]
    return dict(row)


def test_notify_alone_teaches_and_goes_without_a_trace(hookless: World) -> None:
    hookless.honed("init", "codex")
    assert not (hookless.user / ".codex" / "hooks.json").exists()
    assert state(hookless)["state"] == "never fired"
    learns(hookless, "codex")
    hooks = hookless.honed("hooks", "status")["hooks"]
    assert isinstance(hooks, list)
    assert [(row["event"], row["runs"], row["failed"]) for row in hooks if row["agent"]] == [("notify", 1, 0)]
    assert state(hookless)["detail"].startswith(
        "Codex 0.113.0 has no hooks: learning by notify, recall by MCP only; 1 run"
    )
    hookless.honed("uninstall", "codex")
    assert config(hookless).read_bytes() == MINE


def test_a_launcher_that_is_gone_stops_no_turn(hookless: World) -> None:
    hookless.honed("init", "codex")
    for file in (hookless.home / "bin").iterdir():
        file.unlink()
    done = hookless.codex(REQUEST, Script(FIX), trusted=False)
    assert len(done.heard()) == len(FIX)


def test_after_an_upgrade_hooks_take_the_place_of_notify(hookless: World) -> None:
    hookless.honed("init", "codex")
    (hookless.user / "bin" / "codex").unlink()
    assert "has hooks, but is wired for notify" in str(hookless.honed("doctor")["checks"])
    hookless.honed("init", "codex")
    assert b"notify =" not in config(hookless).read_bytes()
    done = hookless.codex(REQUEST, Script(FIX))
    assert len(done.heard()) == len(FIX)
    wait_for_absorber(hookless.home)
    hooks = hookless.honed("hooks", "status")["hooks"]
    assert isinstance(hooks, list)
    assert "stop" in {row["event"] for row in hooks}
    assert "notify" not in {row["event"] for row in hooks}
