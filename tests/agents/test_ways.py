"""Codex by its version: hooks, hooks behind a flag, or a program that it starts after each turn."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from honed.agents.clients import BY_AGENT
from honed.agents.versions import here
from tests.agents.conftest import Honed, files, said

HOOKLESS, FLAGGED, NEWER = "0.113.0", "0.116.0", "0.171.0"
CONFIG = '# mine\nmodel = "x"\r\n\n[tui] # t\nnotifications = false\n\n[features]\nweb = true'
HAS = {HOOKLESS: {"notify"}, FLAGGED: {"codex_hooks", "hooks.json"}, NEWER: {"hooks.json"}}


def codex_is(user: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    """A program of this version is on the PATH."""
    program = user / "bin" / "codex"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\necho 'codex-cli {version}'\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def has(user: Path) -> set[str]:
    """By what honed is told of sessions here."""
    folder = user / ".codex"
    value: dict[str, Any] = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    assert value["mcp_servers"]["honed"]["args"] == ["mcp"]
    found: set[str] = {"notify"} & value.keys() | {"codex_hooks"} & value.get("features", {}).keys()
    return found | {path.name for path in folder.glob("hooks.json")}


@pytest.mark.parametrize(
    ("version", "way", "trusts"),
    [
        ("0.45.0", "notify", False),
        ("0.113.0", "notify", False),
        ("0.114.0", "flagged", False),
        ("0.123.0", "flagged", False),
        ("0.124.0", "hooks", False),
        ("0.129.0", "hooks", True),
        ("1.0.0", "hooks", True),
        ("of today", "hooks", True),
    ],
)
def test_a_version_says_what_it_can_do(
    user: Path, monkeypatch: pytest.MonkeyPatch, version: str, way: str, trusts: bool
) -> None:
    codex_is(user, monkeypatch, version)
    found = here(BY_AGENT["codex"], os.environ)
    assert (found.way, found.trusts) == (way, trusts)


@pytest.mark.parametrize("config", [None, "", CONFIG, "features.web = true\n", "# only this", "[features]\n"])
@pytest.mark.parametrize("version", list(HAS))
def test_each_is_wired_by_its_way_once_and_taken_out_to_the_byte(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch, version: str, config: str | None
) -> None:
    if config is not None:
        (user / ".codex/config.toml").write_bytes(config.encode())
    codex_is(user, monkeypatch, version)
    before = files(user)
    assert honed("init", "codex")[0] == 0
    assert has(user) == HAS[version]
    once = files(user)
    assert honed("init", "codex")[1]["agents"][0]["status"] == "unchanged"
    assert files(user) == once
    assert honed("uninstall", "codex")[0] == 0
    assert files(user) == before


@pytest.mark.parametrize("first", list(HAS))
@pytest.mark.parametrize("then", list(HAS))
def test_another_version_is_wired_anew_and_taken_out_to_the_byte(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch, first: str, then: str
) -> None:
    (user / ".codex/config.toml").write_bytes(CONFIG.encode())
    codex_is(user, monkeypatch, first)
    before = (user / ".codex/config.toml").read_bytes()
    honed("init", "codex")
    codex_is(user, monkeypatch, then)
    if first != then:
        assert "out of date" in {row["state"] for row in honed("hooks", "status")[1]["agents"]}
    honed("init", "codex")
    assert has(user) == HAS[then]
    assert honed("init", "codex")[1]["agents"][0]["status"] == "unchanged"
    honed("uninstall", "codex")
    assert (user / ".codex/config.toml").read_bytes() == before


def test_the_program_is_started_by_its_words_alone(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    codex_is(user, monkeypatch, HOOKLESS)
    row = honed("init", "codex")[1]["agents"][0]
    assert (row["way"], "todo" in row) == ("notify", False)
    assert "Codex 0.113.0 has no hooks: learning by notify, recall by MCP only" in row["note"]
    value = tomllib.loads((user / ".codex/config.toml").read_text(encoding="utf-8"))
    assert value["notify"][1:] == ["notify", "--agent", "codex"]
    assert os.access(value["notify"][0], os.X_OK)


def test_a_program_of_the_user_s_own_is_left_alone_and_that_is_said(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = user / ".codex/config.toml"
    path.write_text('notify = ["notify-send", "Codex"]\n', encoding="utf-8")
    codex_is(user, monkeypatch, HOOKLESS)
    row = honed("init", "codex")[1]["agents"][0]
    assert "its notify is another program" in row["note"]
    assert path.read_text(encoding="utf-8").startswith('notify = ["notify-send", "Codex"]\n')
    check = said(honed, "Codex hooks")
    assert check["status"] == "warning"
    assert "another program" in check["detail"]
    assert "honed backfill" in check["fix"]
    honed("uninstall", "codex")
    assert path.read_text(encoding="utf-8") == 'notify = ["notify-send", "Codex"]\n'


def test_a_flag_of_the_user_s_own_stays_and_one_that_says_no_is_told(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = user / ".codex/config.toml"
    codex_is(user, monkeypatch, FLAGGED)
    for own in ("true", "false"):
        path.write_text(f"[features]\ncodex_hooks = {own}\n", encoding="utf-8")
        row = honed("init", "codex")[1]["agents"][0]
        assert ("off" in row) == (own == "false")
        honed("uninstall", "codex")
        assert path.read_text(encoding="utf-8") == f"[features]\ncodex_hooks = {own}\n"


def test_a_flag_that_cannot_be_added_leaves_all_as_it_is(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    (user / ".codex/config.toml").write_text("features = {web = true}\n", encoding="utf-8")
    codex_is(user, monkeypatch, FLAGGED)
    before = files(user)
    code, answer = honed("init", "codex")
    assert code == 3
    assert "[features]" in str(answer)
    assert files(user) == before


def test_doctor_tells_the_way_and_when_there_is_a_better_one(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    codex_is(user, monkeypatch, HOOKLESS)
    honed("init", "codex")
    (row,) = [row for row in honed("hooks", "status")[1]["agents"] if row["agent"] == "codex"]
    assert row["state"] == "never fired"
    assert "Codex 0.113.0 has no hooks: learning by notify, recall by MCP only" in row["detail"]
    codex_is(user, monkeypatch, NEWER)
    check = said(honed, "Codex entries")
    assert "Codex 0.171.0 has hooks, but is wired for notify" in check["detail"]
    assert check["fix"] == "run `honed init codex`"
    honed("doctor", "--fix")
    assert has(user) == {"hooks.json"}


def test_doctor_tells_of_hooks_that_a_version_does_not_know_and_of_rules_that_stop_it(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    codex_is(user, monkeypatch, NEWER)
    honed("init", "codex")
    codex_is(user, monkeypatch, HOOKLESS)
    assert "has no hooks, but is wired for them" in said(honed, "Codex entries")["detail"]
    honed("init", "codex")
    codex_is(user, monkeypatch, "0.77.0")
    found = said(honed, "Codex entries")["detail"]
    assert found.startswith("Codex 0.77.0 does not start with rules that say why, as those of ")
    honed("doctor", "--fix")
    assert not said(honed, "Codex entries")
    assert not (user / ".codex/rules/honed.rules").exists()
    codex_is(user, monkeypatch, FLAGGED)
    honed("init", "codex")
    found = said(honed, "Codex hooks")["detail"]
    assert found.startswith("Codex 0.116.0 has hooks by its flag codex_hooks; ")


def test_an_older_version_without_trust_is_not_asked_for_it(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version, asked in (("0.128.0", False), ("0.129.0", True)):
        codex_is(user, monkeypatch, version)
        assert ("todo" in honed("init", "codex")[1]["agents"][0]) == asked
        states = {row["state"] for row in honed("hooks", "status")[1]["agents"]}
        assert ("not trusted" in states) == asked


def test_no_hooks_means_none_in_any_version(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in HAS:
        codex_is(user, monkeypatch, version)
        honed("init", "codex", "--hooks", "none")
        assert has(user) == set()
        assert "not installed" in {row["state"] for row in honed("hooks", "status")[1]["agents"]}


def test_a_version_that_would_not_start_with_rules_that_say_why_is_given_none(
    user: Path, honed: Honed, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = user / ".codex/rules/honed.rules"
    for version, given in (("0.79.0", True), ("0.77.0", False), (NEWER, True), ("0.50.0", False)):
        codex_is(user, monkeypatch, version)
        honed("init", "codex")
        assert rules.exists() == given
