"""After uninstalling, a file is byte for byte what it would be if honed had never been in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.agents import rules_text, shim
from honed.agents.clients import BY_AGENT, Wanted
from honed.agents.entries import with_additions, without_own
from honed.agents.toml_text import parse, put, take
from honed.agents.trust import hook_hash
from tests.agents.conftest import Honed, files

FULL = Wanted("/home/a b/it's/honed", denied=("forget", "config set"))
FILES = BY_AGENT["claude_code"].files
HOOKS = {
    "hooks": [{"type": "command", "command": "~/bin/guard.sh"}],
    "matcher": "Bash",
}

_SCALAR = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5)
_ANY = st.recursive(
    _SCALAR,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
)
_GROUPS = st.lists(st.sampled_from([HOOKS, {"hooks": []}, {"matcher": "x", "hooks": []}]), max_size=2)
_RULES = st.lists(st.sampled_from(["Read(./.env)", "Bash(npm test)", "Bash(rm:*)"]), max_size=2, unique=True)
_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "model": _SCALAR,
        "x-team": _ANY,
        "hooks": st.dictionaries(st.sampled_from(["Stop", "PreToolUse", "Unheard"]), _GROUPS, max_size=3),
        "permissions": st.fixed_dictionaries({}, optional={"allow": _RULES, "deny": _RULES, "ask": _RULES}),
        "mcpServers": st.dictionaries(
            st.sampled_from(["tickets", "other"]), st.just({"command": "uvx", "args": ["x"]}), max_size=2
        ),
    },
)
_WRITE = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 4, "ensure_ascii": False},
        {"indent": "\t"},
        {},
        {"separators": (",", ":")},
    ]
)
Edit = Callable[[dict[str, Any]], None]


def _adds_a_hook(value: dict[str, Any]) -> None:
    value.setdefault("hooks", {}).setdefault("Stop", []).append(HOOKS)


def _puts_a_hook_first(value: dict[str, Any]) -> None:
    value.setdefault("hooks", {}).setdefault("PreToolUse", []).insert(0, HOOKS)


def _takes_the_other_hooks(value: dict[str, Any]) -> None:
    for groups in value.get("hooks", {}).values():
        groups[:] = [group for group in groups if group != HOOKS]


def _turns_the_keys_around(value: dict[str, Any]) -> None:
    for key in reversed(list(value)):
        value[key] = value.pop(key)


def _says_something_new(value: dict[str, Any]) -> None:
    value["new"] = {"a": [1, {}]}


def _adds_rules(value: dict[str, Any]) -> None:
    value.setdefault("permissions", {}).setdefault("deny", []).insert(0, "Read(./key)")


_EDITS = st.lists(
    st.sampled_from(
        [_adds_a_hook, _puts_a_hook_first, _says_something_new, _adds_rules, _turns_the_keys_around]
    ),
    max_size=3,
)


def _wired(text: str, file: int = 0, wanted: Wanted = FULL) -> str:
    additions = FILES[file].additions
    assert additions is not None
    return with_additions(text, additions(wanted), text)


@given(_SETTINGS, _WRITE, st.sampled_from([0, 1]), st.sampled_from(["", "\n", "\r\n", "\n\n"]), st.booleans())
def test_any_file_gets_its_bytes_back(
    value: dict[str, Any], how: dict[str, Any], file: int, end: str, marked: bool
) -> None:
    text = ("\ufeff" if marked else "") + json.dumps(value, **how).replace(
        "\n", "\r\n" if "\r" in end else "\n"
    )
    text += end
    new = _wired(text, file)
    assert new != text
    assert _wired(new, file) == new, "a second time changes no byte"
    assert without_own(new, text) == text


@given(_SETTINGS, _WRITE, _WRITE, _EDITS)
@settings(max_examples=150)
def test_a_file_that_was_edited_and_written_anew_is_what_it_would_be_without_honed(
    value: dict[str, Any], first: dict[str, Any], then: dict[str, Any], edits: list[Edit]
) -> None:
    """The client, or its user's editor, reads the file, changes something, and writes it in its own form."""
    before = json.dumps(value, **first)
    wired, plain = json.loads(_wired(before)), json.loads(before)
    for edit in edits:
        edit(wired)
        edit(plain)
    left = without_own(json.dumps(wired, **then), before)
    assert json.loads(left) == plain
    if not set(edits) & {_adds_a_hook, _puts_a_hook_first, _adds_rules}:
        # What these add to an object that honed made stands where honed made it.
        assert left == json.dumps(plain, **then)


# What a user types by hand between installing and uninstalling


@pytest.mark.parametrize(
    ("before", "typed", "wanted"),
    [
        ('{\n  "a": 1\n}\n', ('"a": 1,', '"a": 2,'), '{\n  "a": 2\n}\n'),
        ('{\n  "a": 1\n}\n', ("\n}\n", ',\n  "z": 2\n}\n'), '{\n  "a": 1,\n  "z": 2\n}\n'),
        ('{"a": 1}', ('{"a"', '{  "b": 0, "a"'), '{  "b": 0, "a": 1}'),
    ],
)
def test_what_is_typed_beside_honed_stays_as_it_was_typed(
    before: str, typed: tuple[str, str], wanted: str
) -> None:
    new = _wired(before)
    assert typed[0] in new
    head, _, rest = new.rpartition(typed[0])
    assert without_own(head + typed[1] + rest, before) == wanted


def test_lines_added_to_a_configuration_stay(user: Path, honed: Honed) -> None:
    path = user / ".codex/config.toml"
    path.write_text('model = "x" # mine', encoding="utf-8")  # its last line is not ended
    honed("init", "codex")
    with path.open("a", encoding="utf-8") as file:
        file.write('\n\n# more\n[projects."/w"]\ntrust_level = "trusted"\n')
    honed("uninstall", "codex")
    text = path.read_text(encoding="utf-8")
    assert text == 'model = "x" # mine\n\n# more\n[projects."/w"]\ntrust_level = "trusted"\n'


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n"])
def test_trust_that_the_user_gave_goes_with_the_hooks(user: Path, honed: Honed, end: str) -> None:
    config, hooks = user / ".codex/config.toml", user / ".codex/hooks.json"
    other = {"type": "command", "command": "ding"}
    hooks.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [other]}]}}), encoding="utf-8")
    trusted = hook_hash("Stop", other, None)
    mine = f'model = "x"\n\n[hooks.state."{hooks}:stop:0:0"]\ntrusted_hash = "{trusted}"{end}'
    config.write_text(mine, encoding="utf-8")
    before = files(user)
    honed("init", "codex")
    stop = json.loads(hooks.read_bytes())["hooks"]["Stop"][1]["hooks"][0]
    with config.open("a", encoding="utf-8") as file:
        file.write(f'\n[hooks.state."{hooks}:stop:1:0"]\ntrusted_hash = "{hook_hash("Stop", stop, None)}"\n')
    honed("uninstall", "codex")
    assert files(user) == before


def test_the_own_entries_are_known_when_another_tool_has_moved_them(user: Path, honed: Honed) -> None:
    path = user / ".claude/settings.json"
    path.write_text('{"hooks": {"Stop": []}}', encoding="utf-8")
    honed("init", "claude-code")
    value = json.loads(path.read_bytes())
    everything = [
        handler for groups in value["hooks"].values() for group in groups for handler in group["hooks"]
    ]
    value["hooks"] = {
        "Stop": [{"hooks": [*everything, HOOKS["hooks"][0]]}],
        "Unheard": [{"hooks": everything}],
    }
    path.write_text(json.dumps(value), encoding="utf-8")
    honed("uninstall", "claude-code")
    assert json.loads(path.read_bytes()) == {"hooks": {"Stop": [{"hooks": [HOOKS["hooks"][0]]}]}}


def test_nothing_of_honed_is_left_in_any_file(user: Path, honed: Honed) -> None:
    """Beside what another tool added to the very same group."""
    path = user / ".claude/settings.json"
    path.write_text(json.dumps({"model": "opus", "hooks": {"Stop": [HOOKS]}}, indent=4), encoding="utf-8")
    honed("init", "--all")
    value = json.loads(path.read_bytes())
    value["hooks"]["PreToolUse"][-1]["hooks"].append({"type": "command", "command": "other-tool"})
    value["permissions"]["allow"] += ["mcp__honed__memory_write", "Bash(ls)"]
    value["permissions"]["deny"] += ["Bash(honed export:*)"]
    path.write_text(json.dumps(value, indent=4), encoding="utf-8")
    assert honed("init", "claude-code")[1]["agents"][0]["status"] == "unchanged", "rules may be its user's"
    for _ in range(2):
        assert honed("uninstall")[0] == 0
        assert not [name for name, data in files(user).items() if b"honed" in data]
    left = json.loads(path.read_bytes())
    assert left["hooks"]["Stop"] == [HOOKS]
    assert left["hooks"]["PreToolUse"][0]["hooks"] == [{"type": "command", "command": "other-tool"}]
    assert left["permissions"] == {"allow": ["Bash(ls)"]}


@given(
    st.lists(st.sampled_from(["# mine", "", 'prefix_rule(pattern=["rm"])', "\r", "x\u2028y", "\t"])),
    st.booleans(),
)
def test_any_rules_get_their_bytes_back(lines: list[str], ended: bool) -> None:
    text = "\n".join(lines) + ("\n" if ended else "")
    new = rules_text.put(text, rules_text.rules(["forget", "config set"], shim.spellings("/home/a b/honed")))
    assert new.startswith(text)
    assert len(rules_text.own(new)) == 5
    assert (
        rules_text.put(new, rules_text.rules(["forget", "config set"], shim.spellings("/home/a b/honed")))
        == new
    )
    assert rules_text.take(new) == text
    assert rules_text.put(new, []) == text


def test_a_server_that_its_user_registered_goes_too_and_only_when_honed_goes(
    user: Path, honed: Honed
) -> None:
    """As `claude mcp add honed -- uvx honed mcp` leaves it in a project's part."""
    path = user / ".claude.json"
    mine = {"type": "stdio", "command": "uvx", "args": ["honed", "mcp", "--home", "/x"], "env": {}}
    other = {"command": "uvx", "args": ["honed-like", "serve"]}
    state = {"projects": {"/work/shop": {"mcpServers": {"memory": mine, "other": other}, "allowedTools": []}}}
    path.write_text(json.dumps(state, indent=2), encoding="utf-8")
    honed("init", "claude-code")
    assert json.loads(path.read_bytes())["projects"] == state["projects"]
    honed("uninstall")
    del state["projects"]["/work/shop"]["mcpServers"]["memory"]  # type: ignore[attr-defined]
    assert path.read_text(encoding="utf-8") == json.dumps(state, indent=2)


_NAME = st.text("abc_-1", min_size=1, max_size=4)


@given(
    st.lists(
        st.tuples(_NAME, st.sampled_from(['"x"', "[1,\n [2],\n]", "{a = 1}"])),
        max_size=4,
        unique_by=lambda r: r[0],
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n# a last word", "\n\n\n"]),
    st.booleans(),
)
def test_any_configuration_gets_its_bytes_back(
    rows: list[tuple[str, str]], newline: str, end: str, marked: bool
) -> None:
    text = "\n\n".join(f"[t_{name}] # {name}\n{name} = {value}" for name, value in rows) + end
    text = ("\ufeff" if marked else "") + text.replace("\n", newline)
    new = put(text, ("mcp_servers", "honed"), {"command": "x", "args": ["mcp"]})
    assert parse(new)["mcp_servers"] == {"honed": {"command": "x", "args": ["mcp"]}}
    assert take(new, ("mcp_servers", "honed")) == text
