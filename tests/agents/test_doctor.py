"""Doctor tells apart what can be wrong with the wiring, and mends what nobody has to decide."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import stat
from pathlib import Path

import pytest

from honed.agents.clients import CLIENTS, Client
from honed.agents.trust import hook_hash
from tests.agents.conftest import Honed, files, said


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
    text = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "basic-memory sync"\n'
    (user / ".codex/config.toml").write_text(text, encoding="utf-8")
    assert "basic-memory" in said(honed, "Codex memory tools")["detail"]


def test_doctor_tells_that_the_shim_is_gone(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_HOME", str(user / "memory"))
    honed("init", "claude-code")
    (user / "memory/bin/honed-hook").unlink()
    assert said(honed, "Claude Code hooks")["status"] == "broken"
    honed("init", "claude-code")
    assert "none has ever fired" in said(honed, "Claude Code hooks")["detail"]


def test_doctor_says_where_no_home_can_be_made_instead_of_what_would_make_one(
    user: Path, honed: Honed
) -> None:
    (user / "file").write_text("x", encoding="utf-8")
    checks = honed("doctor", "--home", str(user / "file" / "below" / "home"))[1]["checks"]
    found = {check["name"]: check for check in checks}
    assert found["home"]["status"] == "broken"
    assert f"cannot be made: {user / 'file'} is no folder that you may write to" in found["home"]["detail"]
    assert "backfill" not in found["home"]["fix"] + found["memory"]["fix"]
    assert "backfill" in said(honed, "home")["fix"]


def test_doctor_says_whether_extensions_can_be_loaded_which_nothing_needs(honed: Honed) -> None:
    can = "can" if hasattr(sqlite3.Connection, "enable_load_extension") else "cannot"
    found = said(honed, "program")
    assert found["status"] == "ok"
    assert f"extensions {can} be loaded; none is needed" in found["detail"]
    honed("write", "greet", "--kind", "lesson", "--title", "Greet people", "--body", "Say hello to people")
    assert honed("recall", "greet people, say hello")[1]["hits"]


def test_doctor_tells_that_hooks_are_switched_off(user: Path, honed: Honed) -> None:
    (user / ".claude/settings.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    (user / ".codex/config.toml").write_text("[features]\nhooks = false\n", encoding="utf-8")
    rows = honed("init")[1]["agents"]
    assert ["run no hooks" in row["off"] for row in rows] == [True, True], "said at once, and left as it is"
    for title in ("Claude Code", "Codex"):
        assert "run no hooks" in said(honed, f"{title} hooks")["detail"]
    states = {row["agent"]: row["state"] for row in honed("hooks", "status")[1]["agents"]}
    assert states == {"claude_code": "switched off", "codex": "switched off"}


def test_hooks_status_says_of_each_agent_how_it_stands(user: Path, honed: Honed) -> None:
    def states() -> set[tuple[str, str]]:
        return {(row["agent"], row["state"]) for row in honed("hooks", "status")[1]["agents"]}

    assert states() == {("claude_code", "not installed"), ("codex", "not installed")}
    honed("init")
    assert states() == {("claude_code", "never fired"), ("codex", "not trusted")}
    path = user / ".claude/settings.json"
    value = json.loads(path.read_bytes())
    value["hooks"]["Stop"] *= 2
    path.write_text(json.dumps(value), encoding="utf-8")
    assert ("claude_code", "twice") in states()
    path.write_text("{", encoding="utf-8")
    assert ("claude_code", "broken") in states()


def test_hooks_of_user_and_project_are_told_where_the_client_runs_both(user: Path, honed: Honed) -> None:
    honed("init", "--all")
    honed("init", "--all", "--project")
    rows = [row for row in honed("hooks", "status")[1]["agents"] if row["state"] == "twice"]
    assert [row["agent"] for row in rows] == ["codex"], "Claude Code runs the same line once"
    assert "--project" in rows[0]["fix"]
    assert user.exists()


def test_in_the_home_folder_the_user_s_files_are_no_second_ones(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    honed("init", "--all")
    monkeypatch.chdir(user)
    assert "twice" not in {row["state"] for row in honed("hooks", "status")[1]["agents"]}


def test_doctor_starts_the_server_once_and_says_whether_it_answers(user: Path, honed: Honed) -> None:
    assert not said(honed, "MCP server")
    honed("init")
    found = said(honed, "MCP server")
    assert (found["status"], "Claude Code and Codex" in found["detail"]) == ("ok", True)
    assert "10 tools" in found["detail"]
    launcher = user / ".local/share/honed/bin/honed.py"
    launcher.write_text("print('hello')\n", encoding="utf-8")
    found = said(honed, "MCP server")
    assert (found["status"], "does not answer" in found["detail"]) == ("broken", True)
    launcher.write_text("raise SystemExit('moved away')\n", encoding="utf-8")
    assert "moved away" in said(honed, "MCP server")["detail"]
    assert honed("doctor")[0] == 1
    code, answer = honed("doctor", "--fix")
    assert (code, answer["ok"]) == (0, True)
    assert [one["name"] for one in answer["mended"]] == ["MCP server"]
    assert said(honed, "MCP server")["status"] == "ok"


def test_fix_puts_in_again_what_is_honed_s_and_only_at_the_level_that_was_chosen(
    user: Path, honed: Honed
) -> None:
    path = user / ".claude/settings.json"
    path.write_text('{"model": "opus"}', encoding="utf-8")
    honed("init", "claude-code", "--hooks", "minimal")
    right = path.read_bytes()
    value = json.loads(right)
    value["hooks"]["Stop"] *= 2
    value["permissions"]["deny"] = ["Bash(rm:*)"]
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    (user / ".local/share/honed/bin/honed-hook").unlink()
    code, answer = honed("doctor", "--fix")
    assert code == 0
    assert all(one["done"] for one in answer["mended"])
    value = json.loads(path.read_bytes())
    assert value["hooks"] == json.loads(right)["hooks"]
    assert value["permissions"]["deny"][0] == "Bash(rm:*)"
    assert "Bash(honed forget:*)" in value["permissions"]["deny"]
    assert (user / ".local/share/honed/bin/honed-hook").exists()
    assert honed("doctor", "--fix")[1]["mended"] == []


def test_fix_leaves_to_the_owner_what_the_owner_must_decide(user: Path, honed: Honed) -> None:
    hook = {"type": "command", "command": "npx claude-mem hook"}
    path = user / ".claude/settings.json"
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}), encoding="utf-8")
    honed("init", "codex")
    before = files(user)
    assert honed("doctor", "--fix")[1]["mended"] == []
    assert files(user) == before, "no client is wired, no hook is trusted, no other tool is taken out"


def test_fix_makes_the_home_private_and_the_index_anew(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = user / "memory"
    monkeypatch.setenv("HONED_HOME", str(home))
    honed("write", "greet", "--kind", "lesson", "--title", "Greet", "--body", "Say hello")
    home.chmod(0o755)
    with contextlib.closing(sqlite3.connect(home / "honed.db")) as database, database:
        database.execute("DELETE FROM skill_index")
    assert said(honed, "ledger")["status"] == "broken"
    code, answer = honed("doctor", "--fix")
    assert (code, {one["name"] for one in answer["mended"]}) == (0, {"home", "ledger"})
    assert all(one["done"] for one in answer["mended"])
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_what_cannot_be_mended_is_said(user: Path, honed: Honed) -> None:
    honed("init", "claude-code")
    (user / ".local/share/honed/bin/honed-hook").unlink()
    (user / ".claude.json").write_text("{", encoding="utf-8")
    code, answer = honed("doctor", "--fix")
    assert code == 1
    (one,) = answer["mended"]
    assert (one["done"], "not JSON" in one["detail"]) == (False, True)
