"""Hooks that ask the running server in place of starting a process, for clients that surely know them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from honed.agents.clients import BY_AGENT, SERVER
from honed.agents.versions import version_of
from honed.agents.wire import HOOK_TOOL
from tests.agents.conftest import Honed, files, handlers, said

OTHER = '{"type": "mcp_tool", "server": "x", "tool": "hook"}'
BY_HAND = f'{{"hooks": {{"PreToolUse": [{{"matcher": "Bash", "hooks": [{OTHER}]}}]}}}}'


@pytest.fixture
def client(user: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of Claude Code's on ``PATH``, to be written."""
    folder = user.parent / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder / "claude"


def is_version(program: Path, told: str, code: int = 0) -> None:
    """Let ``program`` say ``told`` when it is asked for its version."""
    program.write_text(f"#!/bin/sh\necho '{told}'\nexit {code}\n", encoding="utf-8")
    program.chmod(0o755)


def asking(user: Path) -> list[tuple[str, dict[str, Any]]]:
    """The hooks that ask the server, with their events."""
    return [pair for pair in handlers(user / ".claude/settings.json") if pair[1]["type"] == "mcp_tool"]


@pytest.mark.parametrize(
    ("told", "asks"),
    [
        ("2.1.118 (Claude Code)", True),
        ("2.1.332 (Claude Code)", True),
        ("3.0.0", True),
        ("2.1.117 (Claude Code)", False),
        ("1.0.128 (Claude Code)", False),
        ("an error", False),
        ("", False),
    ],
)
def test_only_a_client_that_says_so_is_given_hooks_that_ask(
    user: Path, honed: Honed, client: Path, told: str, asks: bool
) -> None:
    is_version(client, told)
    assert honed("init", "claude-code")[0] == 0
    assert len(asking(user)) == asks
    for event, handler in asking(user):
        assert event == "PreToolUse"
        assert (handler["server"], handler["tool"]) == (SERVER, HOOK_TOOL)
        assert handler["input"]["command"] == "${tool_input.command}"
        assert 1 <= handler["timeout"] <= 5, "seconds"
    assert not said(honed, "Claude Code entries")


def test_without_a_program_the_hooks_are_commands_alone(user: Path, honed: Honed) -> None:
    honed("init", "claude-code")
    assert not asking(user)
    honed("init", "claude-code", "--hooks", "full")
    assert len(asking(user)) == 1, "who says full, knows"


def test_what_stands_there_stays_when_the_program_is_not_found_again(
    user: Path, honed: Honed, client: Path
) -> None:
    is_version(client, "2.1.332 (Claude Code)")
    honed("init", "claude-code")
    once = files(user)
    client.unlink()
    honed("init", "claude-code")
    assert files(user) == once
    assert not said(honed, "Claude Code entries")


def test_a_client_that_became_too_old_is_seen_and_mended(user: Path, honed: Honed, client: Path) -> None:
    is_version(client, "2.1.332 (Claude Code)")
    honed("init", "claude-code")
    is_version(client, "2.1.100 (Claude Code)")
    assert said(honed, "Claude Code entries")["status"] == "warning"
    honed("doctor", "--fix")
    assert not asking(user)
    assert not said(honed, "Claude Code entries")
    answer = honed("init", "claude-code", "--hooks", "full")[1]
    assert answer["agents"][0]["hooks"] == "lean"
    assert not asking(user)


@pytest.mark.parametrize("level", ["lean", "minimal", "none"])
def test_fewer_hooks_ask_nobody(user: Path, honed: Honed, client: Path, level: str) -> None:
    is_version(client, "2.1.332 (Claude Code)")
    honed("init", "claude-code")
    honed("init", "claude-code", "--hooks", level)
    settings = json.loads((user / ".claude/settings.json").read_text("utf-8"))
    assert "mcp_tool" not in json.dumps(settings)
    assert not said(honed, "Claude Code entries")


def test_in_a_project_whose_server_waits_for_consent_no_hook_asks_it(
    user: Path, honed: Honed, client: Path
) -> None:
    is_version(client, "2.1.332 (Claude Code)")
    honed("init", "claude-code", "--project")
    assert "mcp_tool" not in Path(".claude/settings.local.json").read_text("utf-8")
    assert not (user / ".claude/settings.json").exists()


def test_it_goes_with_honed_and_those_of_others_stay(user: Path, honed: Honed, client: Path) -> None:
    settings = user / ".claude/settings.json"
    settings.write_text(BY_HAND, encoding="utf-8")
    is_version(client, "2.1.332 (Claude Code)")
    honed("init", "claude-code")
    assert len(asking(user)) == 2
    assert not said(honed, "Claude Code memory tools")
    honed("uninstall", "claude-code")
    assert settings.read_text("utf-8") == BY_HAND


def test_a_program_that_does_not_end_well_says_no_version(client: Path) -> None:
    is_version(client, "2.1.332 (Claude Code)", code=1)
    assert version_of(BY_AGENT["claude_code"], os.environ) == ()
    client.write_bytes(b"\x7fELF nothing")
    assert version_of(BY_AGENT["claude_code"], os.environ) == ()
