"""Doctor tells apart what can be wrong with the wiring, and mends what nobody has to decide."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from honed.agents.clients import CLIENTS, Client
from honed.agents.trust import hook_hash
from tests.agents.conftest import Honed, said


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.agent)
def test_doctor_tells_what_is_not_installed(honed: Honed, client: Client) -> None:
    found = said(honed, f"{client.title} hooks")
    assert found["status"] == "absent"
    assert "honed init" in found["fix"]


def test_doctor_tells_what_never_fired_from_what_fails_and_what_works(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_HOME", str(user / "memory"))
    honed("init")
    assert "none has ever fired" in said(honed, "Claude Code hooks")["detail"]
    spool = user / "memory" / "spool"
    spool.mkdir()
    line = {
        "t": 1795900000,
        "e": "prompt",
        "a": "claude_code",
        "r": "failed",
        "w": "memory is busy: x holds it",
    }
    (spool / "s.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    found = said(honed, "Claude Code hooks")
    assert found["status"] == "warning"
    assert "memory is busy" in found["detail"]
    line |= {"t": 1795900009, "r": "gave", "w": ""}
    with (spool / "s.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    assert said(honed, "Claude Code hooks")["status"] == "ok"
    code, answer = honed("hooks", "status")
    assert code == 0
    row: dict[str, object] = answer["hooks"][0]
    assert (row["runs"], row["failed"], row["last_failure"]) == (2, 1, "memory is busy: x holds it")


def test_doctor_tells_that_codex_does_not_trust_the_hooks_yet(user: Path, honed: Honed) -> None:
    honed("init", "codex")
    assert "not trusted" in said(honed, "Codex hooks")["detail"]
    assert "/hooks" in said(honed, "Codex hooks")["fix"]
    path, text = user / ".codex/hooks.json", ""
    for event, groups in json.loads(path.read_bytes())["hooks"].items():
        snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")
        digest = hook_hash(event, groups[0]["hooks"][0], groups[0].get("matcher"))
        text += f'\n[hooks.state."{path}:{snake}:0:0"]\ntrusted_hash = "{digest}"\n'
    with (user / ".codex/config.toml").open("a", encoding="utf-8") as file:
        file.write(text)
    assert "none has ever fired" in said(honed, "Codex hooks")["detail"]


def test_doctor_names_another_memory_tool_that_is_installed_too(user: Path, honed: Honed) -> None:
    hook = {"type": "command", "command": "npx claude-mem hook"}
    path = user / ".claude/settings.json"
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}), encoding="utf-8")
    assert "claude-mem" in said(honed, "Claude Code memory tools")["detail"]


def test_doctor_tells_that_the_shim_is_gone(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_HOME", str(user / "memory"))
    honed("init", "claude-code")
    (user / "memory/bin/honed-hook").unlink()
    assert said(honed, "Claude Code hooks")["status"] == "broken"
    honed("init", "claude-code")
    assert "none has ever fired" in said(honed, "Claude Code hooks")["detail"]
