"""honed goes into the clients' files and out again, and everything else stays byte for byte."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from honed.agents import shim
from honed.agents.clients import BY_AGENT, CLIENTS, IN_FRONT, Wanted, hooks
from honed.agents.wire import WIRES
from honed.cli.run import TABLE
from honed.owner import OWNER_ONLY, denied_commands
from tests.agents.conftest import Honed, files, handlers

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


def test_what_its_user_or_the_client_added_to_honed_s_server_stays(
    user: Path, honed: Honed, tmp_path: Path
) -> None:
    honed("init", "--home", str(tmp_path / "first"))
    config, state = user / ".codex/config.toml", user / ".claude.json"
    more = "enabled = false # for now\n\n[mcp_servers.honed.tools.memory_write]\napproval_mode = 'approve'\n"
    with config.open("a", encoding="utf-8") as file:
        file.write(more)
    value = json.loads(state.read_bytes())
    value["mcpServers"]["honed"] |= {"env": {"TZ": "UTC"}, "alwaysLoad": True}
    state.write_text(json.dumps(value, indent=2), encoding="utf-8")
    before = files(user)
    assert [row["status"] for row in honed("init", "--home", str(tmp_path / "first"))[1]["agents"]] == [
        "unchanged"
    ] * 2
    assert files(user) == before
    honed("init", "--home", str(tmp_path / "second"))
    program = str(tmp_path / "second" / "bin" / "honed")
    whole = config.read_text(encoding="utf-8")
    assert whole.endswith(more)
    assert program in whole
    assert json.loads(state.read_bytes())["mcpServers"]["honed"] == {
        **value["mcpServers"]["honed"],
        "command": program,
    }
    honed("uninstall")
    assert not files(user)


def test_a_server_that_cannot_be_taken_out_is_said_to_be_left(user: Path, honed: Honed) -> None:
    path = user / ".codex/config.toml"
    text = '[mcp_servers]\nhoned = {command = "honed", args = ["mcp"]} # by hand\n'
    path.write_text(text, encoding="utf-8")
    code, answer = honed("uninstall", "codex")
    assert code == 3
    (refused,) = [one for one in answer["agents"][0]["files"] if "reason" in one]
    assert "cannot be taken out" in refused["reason"]
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("agent", list(BY_AGENT))
def test_a_tool_call_starts_one_hook_at_most_however_it_ends(agent: str) -> None:
    every = (
        "Bash Edit Write Agent Task Skill Read Grep apply_patch spawn_agent mcp__x__y mcp__honed__z".split()
    )
    rows = hooks(agent, Wanted("/h"))
    values = [row.value for row in rows if str(row.path[1]).endswith(("ToolUse", "ToolUseFailure"))]
    of_tools = [value for value in values if isinstance(value, dict)]
    processes = [value for value in of_tools if value["hooks"][0]["type"] == "command"]
    matchers = [re.compile(str(value["matcher"])) for value in processes]
    assert len(processes) == 2
    asking = [value["matcher"] for value in of_tools if value not in processes]
    assert asking == (["Bash"] if agent == "claude_code" else [])
    counts = {tool: sum(bool(one.fullmatch(tool)) for one in matchers) for tool in every}
    assert max(counts.values()) == 1
    assert not any(counts[tool] for tool in ("Read", "Grep", "mcp__x__y", "mcp__honed__z"))


def _lines_stay(before: str, after: str) -> bool:
    """Whether every line of ``before`` is in ``after``, in order, be it with a comma more."""
    rest = iter(line.rstrip(",") for line in after.splitlines())
    return all(line.rstrip(",") in rest for line in before.splitlines())


def test_existing_settings_stay_and_come_back(user: Path, honed: Honed) -> None:
    settings, config = user / ".claude/settings.json", user / ".codex/config.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    config.write_text(TOML, encoding="utf-8")
    before = files(user)

    code, answer = honed("init")
    assert code == 0
    assert [row["status"] for row in answer["agents"]] == ["wired", "wired"]
    once = files(user)
    assert once[".codex/config.toml"].startswith(before[".codex/config.toml"])
    kept = json.loads(once[".claude/settings.json"])
    assert kept["permissions"]["deny"][0] == "Read(./.env)"
    assert kept["permissions"]["allow"][0] == "Bash(npm test)"
    assert "mcp__honed__memory_recall" in kept["permissions"]["allow"]
    assert "Bash(honed forget:*)" in kept["permissions"]["deny"]
    assert list(kept)[:4] == list(json.loads(SETTINGS))
    assert '"unknown": [1, 2.50, "\\u00e9"]' in once[".claude/settings.json"].decode()
    assert once[".claude/settings.json.before-honed"] == before[".claude/settings.json"]
    assert once[".codex/config.toml.before-honed"] == before[".codex/config.toml"]

    code, answer = honed("init")
    assert code == 0
    assert [row["status"] for row in answer["agents"]] == ["unchanged"] * 2
    assert files(user) == once

    assert honed("uninstall")[0] == 0
    assert files(user) == before
    assert honed("uninstall")[0] == 0
    assert files(user) == before


@pytest.mark.parametrize("level", ["full", "minimal", "none"])
def test_what_was_not_there_is_gone_again(user: Path, honed: Honed, level: str) -> None:
    assert honed("init", "--hooks", level)[0] == 0
    assert files(user)
    assert honed("uninstall")[0] == 0
    assert not files(user)


def test_fewer_hooks_leave_what_stays_in_its_place(user: Path, honed: Honed) -> None:
    honed("init", "codex")
    whole = dict(handlers(user / ".codex/hooks.json"))
    honed("init", "codex", "--hooks", "minimal")
    some = dict(handlers(user / ".codex/hooks.json"))
    assert set(some) == {"UserPromptSubmit", "Stop", "SessionEnd"}
    assert some.items() <= whole.items()
    honed("init", "codex", "--hooks", "none")
    assert "hooks.json" not in {path.name for path in (user / ".codex").iterdir()}
    assert (user / ".codex/config.toml").exists()


def test_every_entry_has_a_small_time_limit_in_seconds(user: Path, honed: Honed) -> None:
    honed("init")
    for path in (user / ".claude/settings.json", user / ".codex/hooks.json"):
        found = handlers(path)
        assert found
        for _, handler in found:
            assert handler["type"] == "command"
            assert 1 <= int(str(handler["timeout"])) <= 5
            assert str(handler["command"]).endswith("2>/dev/null || true")


def test_each_event_is_named_as_its_client_names_it(user: Path, honed: Honed) -> None:
    honed("init")
    claude = [event for event, _ in handlers(user / ".claude/settings.json")]
    codex = [event for event, _ in handlers(user / ".codex/hooks.json")]
    assert sorted(claude) == sorted(set(WIRES["claude_code"].names.values()) - {"PostToolUse"})
    assert sorted(codex) == sorted(WIRES["codex"].names.values())


def test_another_tool_that_joined_the_group_stays(user: Path, honed: Honed) -> None:
    honed("init", "claude-code")
    path = user / ".claude/settings.json"
    value = json.loads(path.read_bytes())
    other = {"type": "command", "command": "other-tool"}
    value["hooks"]["PreToolUse"][-1]["hooks"].append(other)
    path.write_text(json.dumps(value), encoding="utf-8")
    assert honed("init", "claude-code")[1]["agents"][0]["status"] == "unchanged"
    honed("uninstall")
    left = json.loads(path.read_bytes())
    matcher = value["hooks"]["PreToolUse"][-1]["matcher"]
    assert left == {"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [other]}]}}


def test_entries_of_an_older_home_are_replaced(user: Path, honed: Honed, tmp_path: Path) -> None:
    honed("init", "--home", str(tmp_path / "first"))
    honed("init", "--home", str(tmp_path / "second"))
    for name, data in files(user).items():
        assert str(tmp_path / "first").encode() not in data, name
    assert len(handlers(user / ".codex/hooks.json")) == len(WIRES["codex"].names)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".claude/settings.json", '{"a": 1,}'),
        (".claude/settings.json", "// note\n{}"),
        (".claude/settings.json", '{"hooks": [], "x": 1}'),
        (".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        (".claude/settings.json", "[]"),
        (".claude.json", '{"mcpServers": null}'),
        (".claude.json", '{"mcpServers": {"honed": {"command": "another-tool"}}}'),
        (".claude/settings.json", '{"x": NaN}'),
        (".claude/settings.json", '{"hooks": {}, "hooks": {}}'),
        (".codex/config.toml", "a = "),
        (".codex/config.toml", 'mcp_servers = {x = {command = "y"}}'),
        (".codex/config.toml", '[mcp_servers.honed]\ncommand = "another-tool"\n'),
        (".codex/hooks.json", '{"hooks": '),
    ],
)
def test_what_cannot_be_understood_is_refused_untouched(
    user: Path, honed: Honed, name: str, text: str
) -> None:
    (user / name).write_text(text, encoding="utf-8")
    before = files(user)
    agent = "codex" if "codex" in name else "claude-code"
    code, answer = honed("init", agent)
    assert code == 3
    (refused,) = [one for one in answer["agents"][0]["files"] if "reason" in one]
    assert refused["change"] == "refused"
    assert str(user / name) in refused["reason"]
    assert "try again" in refused["reason"], "it says what to do"
    assert files(user) == before


def _place(path: Path, kind: str) -> None:
    if kind == "folder":
        path.mkdir()
    elif kind == "link to nothing":
        path.symlink_to(path.with_name("gone.json"))
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_text("{}", encoding="utf-8")
        path.chmod(0o444)


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("folder", "a folder stands in its place"),
        ("link to nothing", "gone.json, which is not there"),
        ("pipe", "no ordinary file"),
        ("read-only", "chmod u+w"),
    ],
)
@pytest.mark.parametrize("name", [".claude/settings.json", ".codex/config.toml"])
def test_what_is_no_file_to_be_written_anew_is_refused_with_what_to_do(
    user: Path, honed: Honed, name: str, kind: str, word: str
) -> None:
    path = user / name
    if kind == "read-only" and name.endswith(".toml"):
        path.write_text("", encoding="utf-8")
        path.chmod(0o444)
    else:
        _place(path, kind)
    before = os.lstat(path)
    code, answer = honed("init")
    assert code == 3
    row = next(row for row in answer["agents"] if row["status"] == "refused")
    assert {one["change"] for one in row["files"]} == {"refused", "unchanged"}
    (reason,) = [one["reason"] for one in row["files"] if "reason" in one]
    assert word in reason
    assert str(path) in reason
    after = os.lstat(path)
    assert (after.st_mtime_ns, after.st_mode, after.st_ino) == (
        before.st_mtime_ns,
        before.st_mode,
        before.st_ino,
    )
    assert [path] == [found for found in path.parent.iterdir() if found.name != "hooks.json"]


def test_where_one_file_cannot_be_written_the_others_are_as_they_were(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    (user / ".claude/settings.json").write_text(SETTINGS, encoding="utf-8")
    (user / ".claude.json").write_text("{}", encoding="utf-8")
    before = files(user)
    real = os.replace

    def replace(source: str, target: str) -> None:
        if str(target).endswith(".claude.json"):
            raise OSError(28, "No space left on device", source)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    code, answer = honed("init", "claude-code")
    assert code == 3
    reasons = {one["path"]: one.get("reason", "") for one in answer["agents"][0]["files"]}
    assert "No space left" in reasons[str(user / ".claude.json")]
    assert files(user) == before


def test_what_a_client_writes_meanwhile_is_not_lost(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read again before it is replaced; whoever keeps changing it is left alone."""
    path = user / ".claude/settings.json"
    path.write_text('{"a": 0}', encoding="utf-8")
    real, turns = os.path.realpath, [1, 1]

    def realpath(name: str, *, strict: bool = False) -> str:
        if str(name) == str(path) and turns:
            path.write_text(json.dumps({"a": turns.pop()}), encoding="utf-8")
        return real(name, strict=strict)

    monkeypatch.setattr(os.path, "realpath", realpath)
    assert honed("init", "claude-code")[0] == 0
    assert json.loads(path.read_bytes())["a"] == 1
    assert "hooks" in json.loads(path.read_bytes())
    turns += range(2, 40)
    code, answer = honed("init", "claude-code", "--hooks", "minimal")
    assert code == 3
    assert "keeps changing it" in answer["agents"][0]["files"][0]["reason"]


def test_a_byte_order_mark_and_line_ends_stay(user: Path, honed: Honed) -> None:
    path, config = user / ".claude/settings.json", user / ".codex/config.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SETTINGS.replace("\n", "\r\n").encode())
    config.write_bytes(b"\xef\xbb\xbf" + TOML.replace("\n", "\r\n").encode())
    before = files(user)
    assert honed("init")[0] == 0
    for file in (path, config):
        assert b"honed" in file.read_bytes()
        assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")
    honed("uninstall")
    assert files(user) == before


def test_every_rule_denies_a_command_that_there_is_and_every_owner_s_command_is_denied(
    user: Path, honed: Honed
) -> None:
    honed("init", "claude-code")
    rules = json.loads((user / ".claude/settings.json").read_bytes())["permissions"]["deny"]
    assert all(rule.startswith("Bash(") and rule.endswith(":*)") for rule in rules)
    said = [rule.removeprefix("Bash(").removesuffix(":*)") for rule in rules]
    words = [one.removeprefix("honed ") for one in said if one.startswith("honed ")]
    program = f"{user}/.local/share/honed/bin/honed"
    assert set(said) == {
        f"{start} {word}"
        for start in ("honed", program, "python -m honed", "python3 -m honed")
        for word in words
    }
    there = {name for name, _, _ in TABLE}
    assert {word.partition(" ")[0] for word in words} - set(IN_FRONT) <= there
    assert {word for word in OWNER_ONLY if word.partition(" ")[0] in there} == set(words) - set(IN_FRONT)
    assert set(IN_FRONT) <= set(words)
    assert {"forget", "restore-backup", "uninstall", "config set", "import"} <= set(words)
    not_built = (Path(__file__).parents[2] / "docs" / "contract.md").read_text(encoding="utf-8")
    assert [word for word in OWNER_ONLY if f"{word.partition(' ')[0]}" not in not_built] == []


def test_codex_is_told_by_rules_which_lie_beside_those_of_others(user: Path, honed: Honed) -> None:
    assert honed("init", "codex")[0] == 0
    path = user / ".codex/rules/honed.rules"
    whole = path.read_text(encoding="utf-8")
    program = f"{user}/.local/share/honed/bin/honed"
    starts = (f'["honed", "{program}"]', '["python", "python3"], "-m", "honed"')
    denied = [
        f"[{start}, {', '.join(json.dumps(word) for word in words.split())}]"
        for words in (*denied_commands(), *IN_FRONT)
        for start in starts
    ]
    assert all(f"pattern={pattern}, " in whole for pattern in denied)
    assert len(whole.splitlines()) == 1 + len(denied)
    mine = '# mine\nprefix_rule(pattern=["rm"], decision="prompt")'
    path.write_text(f"{whole}{mine}", encoding="utf-8")
    assert honed("init", "codex")[1]["agents"][0]["status"] == "unchanged"
    honed("uninstall")
    assert path.read_text(encoding="utf-8") == mine
    honed("init", "codex")
    assert path.read_text(encoding="utf-8") == f"{mine}\n{whole}".removesuffix("\n")
    honed("uninstall")
    assert path.read_text(encoding="utf-8") == mine
    path.unlink()
    honed("init", "codex")
    honed("uninstall")
    assert not path.parent.exists()


def test_memory_of_the_agent_s_own_and_every_other_switch_stays_as_it_was(user: Path, honed: Honed) -> None:
    switches = {"autoMemoryEnabled": True, "enabledPlugins": {"x@y": True}, "cleanupPeriodDays": 30}
    path = user / ".claude/settings.json"
    path.write_text(json.dumps(switches), encoding="utf-8")
    honed("init")
    assert json.loads(path.read_bytes()).items() >= switches.items()


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
    assert answer["agents"][0]["files"][0]["change"] == "created"
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
    assert set(files(project)) == {
        ".claude/settings.local.json",
        ".mcp.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".codex/rules/honed.rules",
    }
    assert not files(user)
    assert honed("uninstall", "--project")[0] == 0
    assert not list(project.iterdir()), "honed made the folders, so they go with it"


def test_whoever_wires_a_project_is_told_that_its_files_are_personal(honed: Honed) -> None:
    _, answer = honed("init", "--project")
    for row in answer["agents"]:
        assert "do not commit them" in row["note"]
        assert "without --project" in row["note"]
    assert all("note" not in row for row in honed("init")[1]["agents"])


def test_the_file_that_a_team_shares_starts_honed_by_name_where_everybody_can(
    user: Path, honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "project" / ".mcp.json"
    honed("init", "claude-code", "--project")
    assert str(user) in shared.read_text(encoding="utf-8"), "no `honed` is on the PATH"
    honed("uninstall", "claude-code", "--project")
    program = tmp_path / "bin" / "honed"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    (row,) = honed("init", "claude-code", "--project")[1]["agents"]
    server = json.loads(shared.read_bytes())["mcpServers"]["honed"]
    assert server == {"type": "stdio", "command": "honed", "args": ["mcp"]}
    assert row["note"].startswith(".mcp.json starts `honed` from the PATH and may be shared")
    honed("init", "claude-code", "--project", "--home", str(tmp_path / "elsewhere"))
    assert str(tmp_path / "elsewhere") in shared.read_text(encoding="utf-8"), (
        "by name it would be another home"
    )
    assert honed("uninstall", "claude-code", "--project")[0] == 0
    assert not shared.exists()


def test_folders_that_honed_did_not_make_or_that_hold_something_stay(
    user: Path, honed: Honed, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".claude").mkdir()
    honed("init", "--project")
    (project / ".codex" / "notes.md").write_text("mine", encoding="utf-8")
    honed("uninstall", "--project")
    assert sorted(path.relative_to(project).as_posix() for path in project.rglob("*")) == [
        ".claude", ".codex", ".codex/notes.md"
    ]  # fmt: skip
    (project / ".codex" / "notes.md").unlink()
    honed("uninstall", "--project")
    assert [path.name for path in project.iterdir()] == [".claude"]
    os.rmdir(user / ".codex")
    honed("init", "--all")
    honed("uninstall")
    assert not (user / ".codex").exists()
    assert (user / ".claude").is_dir()


def test_a_moved_folder_is_found(
    user: Path, honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    honed("init", "--all")
    assert (tmp_path / "claude" / "settings.json").exists()
    assert (tmp_path / "claude" / ".claude.json").exists()
    assert (tmp_path / "codex" / "hooks.json").exists()
    assert not files(user)


def test_only_the_agents_that_are_used_are_wired(user: Path, honed: Honed) -> None:
    os.rmdir(user / ".codex")
    _, answer = honed("init")
    assert [row["agent"] for row in answer["agents"]] == ["claude_code"]
    assert honed("init", "--codex")[0] == 0
    assert (user / ".codex/hooks.json").exists()


def test_an_agent_that_is_none_is_named(honed: Honed) -> None:
    code, answer = honed("init", "emacs")
    assert (code, "honed wires claude-code and codex" in answer["error"]) == (2, True)


def test_agents_that_honed_reads_but_cannot_wire_are_named(user: Path, honed: Honed) -> None:
    (user / ".gemini").mkdir()
    code, answer = honed("init", "--all")
    assert (code, answer["not_wired"]) == (0, ["gemini"])
    assert [row["agent"] for row in answer["agents"]] == [client.agent for client in CLIENTS]
    code, answer = honed("init", "gemini")
    assert (code, "cannot be wired yet" in answer["error"]) == (2, True)


# Windows: what would stand in the files, by its letters


HOME = "C:\\Users\\Ann O'Neil (dev)\\AppData\\Local\\honed"
PLAIN = "C:\\Users\\ann\\honed"


def test_on_windows_claude_code_runs_the_shim_by_git_s_bash() -> None:
    line = shim.command(HOME, "stop", "claude_code", windows=True)
    words = shlex.split(line)
    assert words[0] == "C:/Users/Ann O'Neil (dev)/AppData/Local/honed/bin/honed-hook"
    assert words[1:] == ["stop", "--agent", "claude-code", "2>/dev/null", "||", "true"]
    assert shim.is_own(line)
    named = dict(shim.texts(HOME, ["C:\\Program Files\\Python\\python.exe"], ["C:\\x"], windows=True))
    script = named["honed-hook"]
    assert "'C:/Program Files/Python/python.exe'" in script
    assert "\\" not in script.replace("\\n", "")
    assert subprocess.run(["/bin/sh", "-n"], input=script.encode(), check=True).returncode == 0
    assert {"honed-hook.cmd", "hook.py", "honed.py", "honed"} < set(named)


def test_on_windows_codex_is_given_a_line_that_cmd_and_powershell_read_alike() -> None:
    wanted = Wanted(HOME, windows=True)
    for one in BY_AGENT["codex"].files[1].additions(wanted):  # type: ignore[misc]
        (handler,) = one.value["hooks"]  # type: ignore[index]
        line = handler["command"]
        assert line == handler["commandWindows"]
        assert line.startswith(f'cmd /d /c call "{HOME}\\bin\\honed-hook.cmd" ')
        assert line.count('"') == 2
        assert shim.is_own(line)
    assert shim.command(PLAIN, "stop", "codex", windows=True).split()[0] == f"{PLAIN}\\bin\\honed-hook.cmd"
    assert "commandWindows" not in str(BY_AGENT["codex"].files[1].additions(Wanted("/h", windows=False)))  # type: ignore[misc]


def test_on_windows_the_server_is_started_without_a_shell() -> None:
    command, arguments = shim.program(HOME, windows=True)
    assert command == sys.executable
    assert arguments == ("-I", "-S", f"{HOME}\\bin\\honed.py", "mcp")
    assert shim.is_own_program(command, arguments)


@pytest.mark.parametrize("letter", list("%^!$`"))
def test_on_windows_a_home_that_its_shells_would_read_is_refused(letter: str) -> None:
    assert letter in shim.home_trouble(f"C:\\a{letter}b", windows=True)
    assert not shim.home_trouble(f"/a{letter}b", windows=False)
    assert not shim.home_trouble(HOME, windows=True)


@pytest.mark.parametrize(
    "command", ["/opt/honed-hook-audit.sh x", "echo honed", "~/bin/honed-hooks stop", "honedx hook stop"]
)
def test_what_only_sounds_like_honed_is_another_tool_s(command: str) -> None:
    assert not shim.is_own(command)


def test_uninstalling_leaves_the_memory_unless_a_purge_is_asked_for(
    user: Path, honed: Honed, tmp_path: Path
) -> None:
    home = tmp_path / "memory"
    honed("init", "--home", str(home))
    honed("write", "greet", "--kind", "lesson", "--title", "Greet", "--body", "x", "--home", str(home))
    honed("uninstall", "--home", str(home))
    assert (home / "honed.db").exists()
    assert not (home / "bin").exists()
    as_hooks_do(home)
    honed("uninstall", "--purge", "--yes", "--home", str(home))
    assert not home.exists()
    assert user.exists()


def as_hooks_do(home: Path) -> None:
    """Fill the folders that hooks fill."""
    for name in ("cache/patterns-cpython-311-030b", "spool/s1.jsonl", "queue/0123456789ab"):
        path = home / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x", encoding="utf-8")


def a_memory(honed: Honed, tmp_path: Path) -> Path:
    """A wired home with a skill, a backup and what hooks leave."""
    home = tmp_path / "memory"
    honed("init", "--home", str(home))
    honed("write", "greet", "--kind", "lesson", "--title", "Greet", "--body", "x", "--home", str(home))
    honed("backup", "--home", str(home))
    as_hooks_do(home)
    return home


def test_a_purge_says_first_what_it_would_delete(user: Path, honed: Honed, tmp_path: Path) -> None:
    home = a_memory(honed, tmp_path)
    before, wired = set(home.rglob("*")), files(user)
    code, answer = honed("uninstall", "--purge", "--dry-run", "--home", str(home))
    would = answer["purge"]
    assert (code, would["deleted"], would["skills"], would["backups"]) == (0, False, 1, 1)
    assert (would["home"], would["left"]) == (str(home), [])
    assert would["bytes"] > 10_000
    assert (set(home.rglob("*")), files(user)) == (before, wired)


def test_a_purge_that_nobody_confirms_changes_nothing(user: Path, honed: Honed, tmp_path: Path) -> None:
    home = a_memory(honed, tmp_path)
    before, wired = set(home.rglob("*")), files(user)
    code, answer = honed("uninstall", "--purge", "--home", str(home))
    assert code == 2
    for said in (str(home), "1 skill", "1 backup", "--yes"):
        assert said in answer["error"]
    assert (set(home.rglob("*")), files(user)) == (before, wired)


@pytest.mark.parametrize(
    "words",
    [("claude-code", "--purge"), ("--project", "--purge"), ("--yes",), ("--purge", "--yes", "--dry-run")],
)
def test_options_of_a_purge_that_say_nothing_together_are_refused(
    honed: Honed, tmp_path: Path, words: tuple[str, ...]
) -> None:
    home = a_memory(honed, tmp_path)
    assert honed("uninstall", *words, "--home", str(home))[0] == 2
    assert (home / "honed.db").exists()


@pytest.mark.skipif(os.name == "nt", reason="there is no pty")
@pytest.mark.parametrize(("typed", "stays"), [(b"yes\n", False), (b"y\n", True), (b"\n", True)])
def test_on_a_terminal_a_purge_asks(honed: Honed, tmp_path: Path, typed: bytes, stays: bool) -> None:
    import pty

    home = a_memory(honed, tmp_path)
    ours, theirs = pty.openpty()
    try:
        os.write(ours, typed)
        done = subprocess.run(
            [sys.executable, "-m", "honed", "uninstall", "--purge", "--home", str(home)],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
            check=False,
        )
        asked = os.read(ours, 65536).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "1 skill, 1 backup" in asked
    assert "Type yes" in asked
    assert (done.returncode, home.exists()) == ((3, True) if stays else (0, False))


def test_a_purge_leaves_what_is_not_honed_s(honed: Honed, tmp_path: Path) -> None:
    home = a_memory(honed, tmp_path)
    mine = [
        "notes.txt",
        "backups/thesis.db",
        "cache/browser",
        "spool/mail",
        "queue/todo",
        "backups/honed-x.db",
    ]
    for name in mine:
        (home / name).write_text("mine", encoding="utf-8")
    (home / "own").mkdir()
    code, answer = honed("uninstall", "--purge", "--yes", "--home", str(home))
    assert (code, answer["purge"]["deleted"]) == (0, True)
    assert {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()} == set(mine)
    assert set(answer["purge"]["left"]) == {str(home / name) for name in [*mine, "own"]}


def test_a_purge_of_a_folder_that_is_no_home_deletes_nothing(honed: Honed, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    for name in ("config.json", "cache/page", "backups/site.db"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('{"port": 80}', encoding="utf-8")
    code, answer = honed("uninstall", "--purge", "--yes", "--home", str(folder))
    assert (code, answer["purge"]["files"]) == (0, 0)
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 3


def test_uninstalling_leaves_no_cache_and_no_empty_home(honed: Honed, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    honed("init", "--home", str(home))
    (home / "cache").mkdir()
    (home / "cache" / "patterns-cpython-311-030b").write_text("x", encoding="utf-8")
    assert honed("uninstall", "--home", str(home))[0] == 0
    assert not home.exists()


def test_every_client_of_the_table_is_on_the_wire() -> None:
    assert set(BY_AGENT) == set(WIRES)
