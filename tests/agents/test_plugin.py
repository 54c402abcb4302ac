"""honed as a plugin: made from the tables of `honed init`, taken by the clients' validators, never twice."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from honed.agents import plugin
from honed.agents.clients import BY_AGENT, Wanted
from honed.agents.wire import WIRES
from tests.agents.conftest import Honed, handlers, said
from tests.e2e.model import Calls, Runs, Says, Script
from tests.e2e.world import World, program

ROOT = Path(__file__).parents[2]
DIGESTS = {
    "1.0.0": "4a6507a244071e38",
    "1.0.1": "adfc23cfa565b976",
    "1.0.2": "e995fbb049d25654",
    "1.0.3": "535f85554f788ece",
}
"""Of the plugin's text, by version: Codex asks for trust again after any change, so a change is a version."""


def test_the_repository_is_the_marketplace_that_the_tables_give() -> None:
    for name, text in plugin.files():
        assert (ROOT / name).read_bytes() == text.encode(), f"{name}: run `make plugin`"
        assert os.access(ROOT / name, os.X_OK) == (f"/{plugin.SCRIPTS}/" in name), name
    folders = (ROOT / plugin.FOLDER, ROOT / plugin.PORTABLE)
    kept = {path.relative_to(ROOT).as_posix() for one in folders for path in one.rglob("*") if path.is_file()}
    by_hand = {plugin.ICON, *(f"{one.relative_to(ROOT).as_posix()}/LICENSE" for one in folders)}
    assert kept - by_hand < {name for name, _ in plugin.files()}
    assert by_hand < kept
    licence = (ROOT / "LICENSE").read_bytes()
    assert {(one / "LICENSE").read_bytes() for one in folders} == {licence}
    picture = (ROOT / plugin.ICON).read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert picture[16:24] == (512).to_bytes(4, "big") * 2


def test_the_form_of_no_client_keeps_to_what_its_format_allows() -> None:
    """https://agent-plugins.org, 1.0.0: sections 5 and 7."""
    told = dict(plugin.portable())
    manifest, servers = json.loads(told["plugin.json"]), json.loads(told["mcp.json"])
    allowed = "$schema name version description author homepage repository license keywords extensions"
    assert set(manifest) <= set(allowed.split())
    assert manifest["$schema"] == "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    assert re.fullmatch(r"[a-z0-9](?:[a-z0-9]|[-.](?![-.])){0,62}[a-z0-9]", manifest["name"])
    assert set(manifest["author"]) <= {"name", "email", "url"}
    assert set(servers) == {"$schema", "mcpServers"}
    assert servers["$schema"] == "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
    for server in servers["mcpServers"].values():
        assert set(server) <= {"type", "command", "args", "env", "cwd"}
        assert server["type"] == "stdio"
        assert "/" not in server["command"], "a bare name, or a path in the plugin"
        assert all(isinstance(word, str) for word in server["args"])
    (skill,) = (name for name in told if name.endswith("SKILL.md"))
    head = yaml.safe_load(told[skill].split("---")[1])
    assert skill == f"skills/{head['name']}/SKILL.md"
    assert set(head) == {"name", "description"}
    assert len(head["description"]) <= 1024


def test_a_change_of_its_text_is_a_new_version() -> None:
    whole = hashlib.sha256("".join(f"{name}\0{text}\0" for name, text in plugin.files()).encode()).hexdigest()
    assert DIGESTS[plugin.VERSION] == whole[:16], (
        "raise plugin.VERSION, run `make plugin`, add the digest here"
    )


@pytest.mark.parametrize("agent", list(WIRES))
def test_it_hooks_what_init_hooks(agent: str) -> None:
    name = "hooks.json" if agent == "claude_code" else "codex.json"
    hooks = json.loads(dict(plugin.files())[f"{plugin.FOLDER}/hooks/{name}"])["hooks"]
    additions = BY_AGENT[agent].files[0 if agent == "claude_code" else 1].additions
    assert additions is not None
    wired = {one.path[1]: one.value for one in additions(Wanted("/h", "lean")) if one.path[0] == "hooks"}
    assert list(hooks) == list(wired)
    for event, (group,) in hooks.items():
        one: Any = wired[event]
        assert group.get("matcher") == one.get("matcher")
        (handler,) = group["hooks"]
        assert handler["timeout"] == one["hooks"][0]["timeout"]
        said_here, said_there = handler["command"].split()[1:], one["hooks"][0]["command"].split()[1:]
        assert said_here == said_there
        assert ("commandWindows" in handler) is (agent == "codex")


def _script(tmp_path: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the plugin's hook script, with a honed of one line at its usual place."""
    home = tmp_path / "u" / ".local" / "share" / "honed" / "bin"
    home.mkdir(parents=True, exist_ok=True)
    shim = home / "honed-hook"
    shim.write_text('#!/bin/sh\necho "$@"; cat; exit 7\n', encoding="utf-8")
    shim.chmod(0o755)
    return subprocess.run(
        ["/bin/sh", str(ROOT / plugin.FOLDER / plugin.SCRIPTS / "honed-hook"), *words],
        input="payload",
        cwd=tmp_path,
        env={"HOME": str(tmp_path / "u"), "PATH": "/usr/bin:/bin", **more},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_its_script_hands_on_to_the_honed_of_the_machine(tmp_path: Path) -> None:
    assert _script(tmp_path, "prompt", "--agent", "codex").stdout == "prompt --agent codex\npayload"
    # Another home that is named is the only one, be it empty.
    done = _script(tmp_path, "prompt", "--agent", "codex", HONED_HOME=str(tmp_path / "other"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize(
    ("agent", "file"), [("claude-code", ".claude/settings.json"), ("codex", ".codex/hooks.json")]
)
def test_its_script_stands_back_where_init_has_wired_that_client(
    tmp_path: Path, agent: str, file: str, project: bool
) -> None:
    path = tmp_path / ("" if project else "u") / file
    if project and agent == "claude-code":
        path = path.with_name("settings.local.json")
    path.parent.mkdir(parents=True)
    line = f"'{tmp_path}/h/bin/honed-hook' stop --agent {agent} 2>/dev/null || true"
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [{"command": line}]}]}}), encoding="utf-8")
    done = _script(tmp_path, "prompt", "--agent", agent)
    assert (done.returncode, done.stdout) == (0, "")
    other = "codex" if agent == "claude-code" else "claude-code"
    assert _script(tmp_path, "prompt", "--agent", other).stdout


def _enable(user: Path) -> None:
    settings = {"enabledPlugins": {"honed@honed": True, "off@x": False}}
    (user / ".claude/settings.json").write_text(json.dumps(settings, indent=2), encoding="utf-8")
    text = '[plugins."honed@honed"]\nenabled = true\n\n[plugins."off@x"]\nenabled = false\n'
    (user / ".codex/config.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("agent", list(BY_AGENT))
def test_init_leaves_hooks_and_server_to_the_plugin_and_its_rerun_ends_a_double_install(
    user: Path, honed: Honed, agent: str
) -> None:
    name, title = agent.replace("_", "-"), BY_AGENT[agent].title
    honed("init", name)
    wired = {str(path): path.read_text("utf-8") for path in user.rglob("*.json") if "share" not in str(path)}
    if agent == "claude_code":
        value = json.loads((user / ".claude/settings.json").read_bytes())
        value["enabledPlugins"] = {"honed@honed": True}
        (user / ".claude/settings.json").write_text(json.dumps(value, indent=2), encoding="utf-8")
    else:
        with (user / ".codex/config.toml").open("a", encoding="utf-8") as file:
            file.write('\n[plugins."honed@honed"]\nenabled = true\n')
    found = said(honed, f"{title} hooks")
    assert "installed twice" in found["detail"]
    assert "honed@honed" in found["fix"]
    code, answer = honed("init", name)
    assert (code, answer["agents"][0]["plugin"]) == (0, "honed@honed")
    assert wired
    assert not any("honed-hook" in path.read_text("utf-8") for path in (user / f".{agent[:6]}").rglob("*.*"))
    if agent == "claude_code":
        settings = json.loads((user / ".claude/settings.json").read_bytes())
        assert "Bash(honed forget:*)" in settings["permissions"]["deny"]
        assert "hooks" not in settings
        assert "mcp__plugin_honed_honed__memory_recall" in settings["permissions"]["allow"]
    found = said(honed, f"{title} hooks")
    if agent == "codex":
        assert "9 of 9 are not trusted" in found["detail"]
        with (user / ".codex/config.toml").open("a", encoding="utf-8") as file:
            for event in WIRES["codex"].names.values():
                snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in event).lstrip("_")
                key = f"honed@honed:hooks/codex.json:{snake}:0:0"
                file.write(f'\n[hooks.state."{key}"]\ntrusted_hash = "sha256:a/sha256:b"\n')
        found = said(honed, f"{title} hooks")
    assert "installed as the plugin honed@honed, but none has ever fired" in found["detail"]
    assert "it answers" in said(honed, "MCP server")["detail"], "what the plugin starts is tried too"
    assert "plugin" in honed("uninstall", name)[1]["agents"][0]["todo"]


def test_another_memory_tool_that_is_a_plugin_is_named(user: Path, honed: Honed) -> None:
    (user / ".claude/settings.json").write_text(
        '{"enabledPlugins": {"claude-mem@x": true}}', encoding="utf-8"
    )
    assert "claude-mem" in said(honed, "Claude Code memory tools")["detail"]
    _enable(user)
    assert not said(honed, "Claude Code memory tools")


# With the real clients


@pytest.fixture
def world(tmp_path: Path) -> World:
    missing = [name for name in ("claude", "codex") if not program(name).exists()]
    if missing:
        pytest.fail(f"{' and '.join(missing)} not found: run `make clients` (npm is needed)")
    return World(tmp_path)


def _client(world: World, name: str, *words: str, given: str | None = None) -> str:
    done = subprocess.run(
        [str(program(name)), *words],
        cwd=world.project,
        env=world.environment(),
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_validator_of_claude_code_has_nothing_against_it(world: World) -> None:
    assert "passed" in _client(world, "claude", "plugin", "validate", "--strict", str(ROOT))
    folder = str(ROOT / plugin.FOLDER)
    report = _client(world, "claude", "plugin", "validate", "--strict", folder)
    for name in WIRES["claude_code"].names.values():
        assert name in report or name == "PostToolUse"
    _client(world, "claude", "plugin", "validate", "--profile", "directory", folder)


def test_codex_takes_the_portable_form_too_and_its_server_answers(world: World, tmp_path: Path) -> None:
    market = tmp_path / "market"
    shutil.copytree(ROOT / plugin.PORTABLE, market / "plugins" / "portable")
    source = {"source": "local", "path": "./plugins/portable"}
    catalogue = {"name": "elsewhere", "plugins": [{"name": "honed", "source": source}]}
    (market / ".agents" / "plugins").mkdir(parents=True)
    (market / ".agents/plugins/marketplace.json").write_text(json.dumps(catalogue), encoding="utf-8")
    _client(world, "codex", "plugin", "marketplace", "add", str(market))
    _client(world, "codex", "plugin", "add", "honed@elsewhere")
    world.honed("init", "codex", "--hooks", "none")
    told = ("--kind", "lesson", "--title", "Count twice", "--body", "Count it, then close it")
    world.honed("write", "count-twice", *told, "--scope", "global")  # it is started in the plugin's folder
    ask = Calls("honed", "memory_get", {"slug": "count-twice"})
    done = world.codex("Say hello.", Script([ask, Says("Hello.")]))
    assert "then close it" in done.heard()[-1]


def test_codex_takes_it_and_would_run_every_hook_of_it(world: World) -> None:
    _client(world, "codex", "plugin", "marketplace", "add", str(ROOT))
    _client(world, "codex", "plugin", "add", "honed@honed")
    moved = {"CODEX_HOME": str(world.user / ".codex")}
    assert plugin.enabled(BY_AGENT["codex"], moved) == ("honed@honed",)
    told = world.codex_hooks()
    names = [hook["eventName"] for hook in told]
    assert sorted(names) == sorted(name[0].lower() + name[1:] for name in WIRES["codex"].names.values())
    assert {hook["trustStatus"] for hook in told} == {"untrusted"}


def test_codex_refuses_an_agent_what_is_the_owner_s(world: World) -> None:
    world.honed("init", "codex")
    path = world.user / ".codex/rules/honed.rules"
    told = _client(
        world, "codex", "execpolicy", "check", "--rules", str(path), "honed", "config", "set", "x", "y"
    )
    assert json.loads(told)["decision"] == "forbidden"
    told = _client(world, "codex", "execpolicy", "check", "--rules", str(path), "honed", "config", "list")
    assert json.loads(told)["matchedRules"] == []
    script = Script([Runs("cd . && honed forget a-skill"), Says("Hm.")])
    done = world.codex("Forget the skill, please.", script)
    assert "owner's alone" in done.heard()[1]


def test_installed_by_init_and_as_a_plugin_each_event_is_handled_once(world: World) -> None:
    world.honed("init", "claude-code")
    _client(world, "claude", "plugin", "marketplace", "add", str(ROOT))
    _client(world, "claude", "plugin", "install", "honed@honed")
    assert len(handlers(world.user / ".claude/settings.json")) == 10
    script = Script([Says("Hello.")])
    assert len(world.claude("Say hello.", script).heard()) == 1
    assert _runs(world) == {"session-start": 1, "prompt": 1, "stop": 1}
    world.honed("init", "claude-code")  # leaves them to the plugin
    assert len(world.claude("Say hello.", Script([Says("Hello.")])).heard()) == 1
    assert _runs(world) == {"session-start": 2, "prompt": 2, "stop": 2}


def test_codex_runs_the_plugin_s_hooks_and_serves_its_tools_in_the_project(world: World) -> None:
    _client(world, "codex", "plugin", "marketplace", "add", str(ROOT))
    _client(world, "codex", "plugin", "add", "honed@honed")
    world.honed("init", "codex")
    told = (
        "--kind",
        "lesson",
        "--title",
        "Count twice",
        "--body",
        "Count what is in the box twice, then close it",
    )
    world.honed("write", "count-twice", *told)
    ask = Calls("honed", "memory_get", {"slug": "count-twice"})
    done = world.codex("Say hello.", Script([ask, Says("Hello.")]))
    assert "then close it" in done.heard()[-1], "the server stands in the project, where that text is"
    assert _runs(world, "codex") == {"session-start": 1, "prompt": 1, "stop": 1}


def _runs(world: World, agent: str = "claude_code") -> dict[str, int]:
    rows = world.honed("hooks", "status")["hooks"]
    assert isinstance(rows, list)
    # `claude plugin install` ends a session too, one that never began.
    own = [row for row in rows if row["agent"] == agent and row["event"] != "session-end"]
    return {row["event"]: row["runs"] for row in own}
