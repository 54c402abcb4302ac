"""honed goes into the clients' files and out again, and everything else stays byte for byte."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from honed.agents.checks import hook_hash
from honed.agents.clients import BY_AGENT, CLIENTS, Client
from honed.agents.wire import WIRES
from honed.cli.run import run

SETTINGS = """\
{
    "model": "opus",
    "permissions": {
        "deny": ["Read(./.env)"],
        "allow": [
            "Bash(npm test)"
        ]
    },
    "x-team": {"unknown": [1, 2.50, "\\u00e9"]},
    "hooks": {
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [{"type": "command", "command": "~/bin/guard.sh", "timeout": 5}]
            }
        ],
        "Stop": []
    }
}
"""
TOML = """\
# by hand, leave it
model = "fast"   # the fast one

[mcp_servers.tickets]   # internal
command = "uvx"

[profiles.work]
approval_policy = "on-request"
"""
Answer = tuple[int, dict[str, object]]
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
    def call(*words: str) -> Answer:
        code = run([*words, "--json"])
        told = capsys.readouterr()
        return code, json.loads(told.out)

    assert user.is_dir()
    return call


def _files(folder: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".local")}


def _handlers(path: Path) -> list[tuple[str, dict[str, object]]]:
    hooks = json.loads(path.read_bytes())["hooks"]
    return [
        (event, handler) for event, groups in hooks.items() for group in groups for handler in group["hooks"]
    ]


def _lines_stay(before: str, after: str) -> bool:
    """Whether every line of ``before`` is in ``after``, in order, be it with a comma more."""
    rest = iter(line.rstrip(",") for line in after.splitlines())
    return all(line.rstrip(",") in rest for line in before.splitlines())


def test_existing_settings_stay_and_come_back(user: Path, honed: Honed) -> None:
    settings, config = user / ".claude/settings.json", user / ".codex/config.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    config.write_text(TOML, encoding="utf-8")
    before = _files(user)

    code, answer = honed("init")
    assert code == 0
    assert [row["status"] for row in answer["agents"]] == ["wired", "wired"]  # type: ignore[attr-defined]
    once = _files(user)
    assert once[".codex/config.toml"].startswith(before[".codex/config.toml"])
    kept = json.loads(once[".claude/settings.json"])
    assert kept["permissions"]["deny"][0] == "Read(./.env)"
    assert kept["permissions"]["allow"][0] == "Bash(npm test)"
    assert "mcp__honed__memory_recall" in kept["permissions"]["allow"]
    assert "Bash(honed trust:*)" in kept["permissions"]["deny"]
    assert list(kept)[:4] == list(json.loads(SETTINGS))
    assert '"unknown": [1, 2.50, "\\u00e9"]' in once[".claude/settings.json"].decode()
    assert once[".claude/settings.json.before-honed"] == before[".claude/settings.json"]
    assert once[".codex/config.toml.before-honed"] == before[".codex/config.toml"]

    code, answer = honed("init")
    assert code == 0
    assert [row["status"] for row in answer["agents"]] == ["unchanged"] * 2  # type: ignore[attr-defined]
    assert _files(user) == once

    assert honed("uninstall")[0] == 0
    assert _files(user) == before
    assert honed("uninstall")[0] == 0
    assert _files(user) == before


@pytest.mark.parametrize("level", ["full", "minimal", "none"])
def test_what_was_not_there_is_gone_again(user: Path, honed: Honed, level: str) -> None:
    assert honed("init", "--hooks", level)[0] == 0
    assert _files(user)
    assert honed("uninstall")[0] == 0
    assert not _files(user)


def test_fewer_hooks_leave_what_stays_in_its_place(user: Path, honed: Honed) -> None:
    honed("init", "codex")
    whole = dict(_handlers(user / ".codex/hooks.json"))
    honed("init", "codex", "--hooks", "minimal")
    some = dict(_handlers(user / ".codex/hooks.json"))
    assert set(some) == {"UserPromptSubmit", "Stop", "SessionEnd"}
    assert some.items() <= whole.items()
    honed("init", "codex", "--hooks", "none")
    assert "hooks.json" not in {path.name for path in (user / ".codex").iterdir()}
    assert (user / ".codex/config.toml").exists()


def test_every_entry_has_a_small_time_limit_in_seconds(user: Path, honed: Honed) -> None:
    honed("init")
    for path in (user / ".claude/settings.json", user / ".codex/hooks.json"):
        handlers = _handlers(path)
        assert handlers
        for _, handler in handlers:
            assert handler["type"] == "command"
            assert 1 <= int(str(handler["timeout"])) <= 5
            assert str(handler["command"]).endswith("2>/dev/null || true")


def test_each_event_is_named_as_its_client_names_it(user: Path, honed: Honed) -> None:
    honed("init")
    claude = [event for event, _ in _handlers(user / ".claude/settings.json")]
    codex = [event for event, _ in _handlers(user / ".codex/hooks.json")]
    assert sorted(claude) == sorted(set(WIRES["claude_code"].names.values()) - {"PostToolUse"})
    assert sorted(codex) == sorted(WIRES["codex"].names.values())


def test_another_tool_that_joined_the_group_stays(user: Path, honed: Honed) -> None:
    honed("init", "claude-code")
    path = user / ".claude/settings.json"
    value = json.loads(path.read_bytes())
    other = {"type": "command", "command": "other-tool"}
    value["hooks"]["PreToolUse"][-1]["hooks"].append(other)
    path.write_text(json.dumps(value), encoding="utf-8")
    assert honed("init", "claude-code")[1]["agents"][0]["status"] == "unchanged"  # type: ignore[index]
    honed("uninstall")
    left = json.loads(path.read_bytes())
    matcher = value["hooks"]["PreToolUse"][-1]["matcher"]
    assert left == {"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [other]}]}}


def test_entries_of_an_older_home_are_replaced(user: Path, honed: Honed, tmp_path: Path) -> None:
    honed("init", "--home", str(tmp_path / "first"))
    honed("init", "--home", str(tmp_path / "second"))
    for name, data in _files(user).items():
        assert str(tmp_path / "first").encode() not in data, name
    assert len(_handlers(user / ".codex/hooks.json")) == len(WIRES["codex"].names)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".claude/settings.json", '{"a": 1,}'),
        (".claude/settings.json", "// note\n{}"),
        (".claude/settings.json", '{"hooks": [], "x": 1}'),
        (".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        (".claude/settings.json", "[]"),
        (".claude.json", '{"mcpServers": null}'),
        (".codex/config.toml", "a = "),
        (".codex/config.toml", 'mcp_servers = {x = {command = "y"}}'),
        (".codex/hooks.json", '{"hooks": '),
    ],
)
def test_what_cannot_be_understood_is_refused_untouched(
    user: Path, honed: Honed, name: str, text: str
) -> None:
    (user / name).write_text(text, encoding="utf-8")
    before = _files(user)
    agent = "codex" if "codex" in name else "claude-code"
    code, answer = honed("init", agent)
    assert code == 3
    files = answer["agents"][0]["files"]  # type: ignore[index]
    assert [one["change"] for one in files if "reason" in one] == ["refused"]
    assert str(user / name) in str(files)
    assert _files(user) == before


def test_a_file_that_is_not_utf8_is_refused_untouched(user: Path, honed: Honed) -> None:
    (user / ".claude/settings.json").write_bytes(b'{"a": "\xff"}')
    assert honed("init", "claude-code")[0] == 3
    assert (user / ".claude/settings.json").read_bytes() == b'{"a": "\xff"}'


@pytest.mark.parametrize("text", ["", "\n", "{}", "{ }\n", '{"hooks": {}}', '{"permissions": {"deny": [ ]}}'])
def test_a_file_that_was_empty_is_empty_again(user: Path, honed: Honed, text: str) -> None:
    path = user / ".claude/settings.json"
    path.write_text(text, encoding="utf-8")
    honed("init")
    honed("uninstall")
    assert path.read_text(encoding="utf-8") == text


def test_a_dry_run_changes_nothing(user: Path, honed: Honed) -> None:
    code, answer = honed("init", "--dry-run")
    assert code == 0
    assert answer["agents"][0]["files"][0]["change"] == "created"  # type: ignore[index]
    assert not [path for path in user.rglob("*") if path.is_file()]


def test_links_and_rights_stay(user: Path, honed: Honed, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text(SETTINGS, encoding="utf-8")
    real.chmod(0o640)
    (user / ".claude/settings.json").symlink_to(real)
    honed("init", "claude-code")
    assert (user / ".claude/settings.json").is_symlink()
    assert b"honed" in real.read_bytes()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_project_has_files_of_its_own(user: Path, honed: Honed, tmp_path: Path) -> None:
    assert honed("init", "--project")[0] == 0
    project = tmp_path / "project"
    assert {".claude/settings.json", ".mcp.json", ".codex/config.toml", ".codex/hooks.json"} == set(
        _files(project)
    )
    assert not _files(user)
    assert honed("uninstall", "--project")[0] == 0
    assert not _files(project)


def test_a_moved_folder_is_found(
    user: Path, honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    honed("init", "--all")
    assert (tmp_path / "claude" / "settings.json").exists()
    assert (tmp_path / "claude" / ".claude.json").exists()
    assert (tmp_path / "codex" / "hooks.json").exists()
    assert not _files(user)


def test_only_the_agents_that_are_used_are_wired(user: Path, honed: Honed) -> None:
    os.rmdir(user / ".codex")
    _, answer = honed("init")
    assert [row["agent"] for row in answer["agents"]] == ["claude_code"]  # type: ignore[attr-defined]
    assert honed("init", "--codex")[0] == 0
    assert (user / ".codex/hooks.json").exists()


def test_an_agent_that_is_none_is_named(honed: Honed) -> None:
    assert honed("init", "emacs")[0] == 2


def test_uninstalling_leaves_the_memory_unless_a_purge_is_asked_for(
    user: Path, honed: Honed, tmp_path: Path
) -> None:
    home = tmp_path / "memory"
    honed("init", "--home", str(home))
    honed("write", "greet", "--kind", "lesson", "--title", "Greet", "--body", "x", "--home", str(home))
    honed("uninstall", "--home", str(home))
    assert (home / "honed.db").exists()
    assert not (home / "bin").exists()
    honed("uninstall", "--purge", "--home", str(home))
    assert not home.exists()
    assert user.exists()


# doctor


def _said(honed: Honed, name: str) -> dict[str, str]:
    checks = honed("doctor")[1]["checks"]
    assert isinstance(checks, list)
    return next((check for check in checks if check["name"] == name), {})


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.agent)
def test_doctor_tells_what_is_not_installed(honed: Honed, client: Client) -> None:
    found = _said(honed, f"{client.title} hooks")
    assert found["status"] == "absent"
    assert "honed init" in found["fix"]


def test_doctor_tells_what_never_fired_from_what_fails_and_what_works(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_HOME", str(user / "memory"))
    honed("init")
    assert "none has ever fired" in _said(honed, "Claude Code hooks")["detail"]
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
    found = _said(honed, "Claude Code hooks")
    assert found["status"] == "warning"
    assert "memory is busy" in found["detail"]
    line |= {"t": 1795900009, "r": "gave", "w": ""}
    with (spool / "s.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    assert _said(honed, "Claude Code hooks")["status"] == "ok"
    code, answer = honed("hooks", "status")
    assert code == 0
    row: dict[str, object] = answer["hooks"][0]  # type: ignore[index]
    assert (row["runs"], row["failed"], row["last_failure"]) == (2, 1, "memory is busy: x holds it")


def test_doctor_tells_that_codex_does_not_trust_the_hooks_yet(user: Path, honed: Honed) -> None:
    honed("init", "codex")
    assert "not trusted" in _said(honed, "Codex hooks")["detail"]
    assert "/hooks" in _said(honed, "Codex hooks")["fix"]
    path, text = user / ".codex/hooks.json", ""
    for event, groups in json.loads(path.read_bytes())["hooks"].items():
        snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")
        digest = hook_hash(event, groups[0]["hooks"][0], groups[0].get("matcher"))
        text += f'\n[hooks.state."{path}:{snake}:0:0"]\ntrusted_hash = "{digest}"\n'
    with (user / ".codex/config.toml").open("a", encoding="utf-8") as file:
        file.write(text)
    assert "none has ever fired" in _said(honed, "Codex hooks")["detail"]


def test_doctor_names_another_memory_tool_that_is_installed_too(user: Path, honed: Honed) -> None:
    hook = {"type": "command", "command": "npx claude-mem hook"}
    path = user / ".claude/settings.json"
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}), encoding="utf-8")
    assert "claude-mem" in _said(honed, "Claude Code memory tools")["detail"]


def test_doctor_tells_that_the_shim_is_gone(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_HOME", str(user / "memory"))
    honed("init", "claude-code")
    (user / "memory/bin/honed-hook").unlink()
    assert _said(honed, "Claude Code hooks")["status"] == "broken"
    honed("init", "claude-code")
    assert "none has ever fired" in _said(honed, "Claude Code hooks")["detail"]


def test_every_client_of_the_table_is_on_the_wire() -> None:
    assert set(BY_AGENT) == set(WIRES)
