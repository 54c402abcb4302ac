"""Failures that a shell line hid, skills called by name, what is new, and what an owner may switch on."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.agents.wire import WIRES, Fired
from honed.hooks.extras import REMINDER, is_time_sensitive
from honed.hooks.hidden import TAIL, hidden_failure
from honed.hooks.matching import skill_tags
from honed.memory import Memory
from honed.sessions.text import note_ids
from honed.skills.manual import draft_from_manual
from honed.skills.tokens import estimate
from tests.hooks.conftest import Shop

SIMILAR = "The cart total is off by a fraction of a cent again. Fix the rounding."
MISSING = "ImportError while loading\nE   ModuleNotFoundError: No module named 'babel'\n1 error in 0.1s"
HIDDEN = "python -m pytest 2>&1 | tail -20"


def _record(role: str, block: dict[str, object], **more: object) -> str:
    return json.dumps({"type": role, "message": {"role": role, "content": [block]}, **more}) + "\n"


def _call(command: str, name: str = "Bash", call: str = "toolu_1") -> str:
    block: dict[str, object] = {"type": "tool_use", "id": call, "name": name, "input": {"command": command}}
    return _record("assistant", block)


def _done(output: str, call: str = "toolu_1", *, failed: bool = False) -> str:
    block: dict[str, object] = {"type": "tool_result", "tool_use_id": call, "content": output}
    shown: object = f"Error: Exit code 1\n{output}" if failed else {"stdout": output, "stderr": ""}
    return _record("user", {**block, **({"is_error": True} if failed else {})}, toolUseResult=shown)


def _beside(call: str) -> str:
    """What Claude Code writes down of a hook, between a call and its result."""
    return (
        json.dumps({"type": "attachment", "attachment": {"type": "hook_success", "toolUseID": call}}) + "\n"
    )


def transcript(folder: Path, *lines: str) -> Path:
    path = folder / "session.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return path


# Failures that a shell line hid

_LISTED = (_call("ls", call="toolu_2"), _done("shop", "toolu_2"))


def test_a_failure_that_a_pipe_hid_is_told_before_the_next_tool_and_once(
    learned: Shop, tmp_path: Path
) -> None:
    path = transcript(tmp_path, _call(HIDDEN), _beside("toolu_1"), _done(MISSING))
    call: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "transcript_path": str(path),
    }
    told = learned.told("pre-tool", **call)
    assert "Use `uv run pytest`" in told
    assert estimate(told) <= 150
    assert learned.fire("pre-tool", **call) == {}


def test_a_failure_is_told_later_where_it_was_not_written_down_in_time_or_no_hook_was_started(
    learned: Shop, tmp_path: Path
) -> None:
    call: dict[str, Any] = {"tool_name": "Edit", "tool_input": {"file_path": "/else/where.py"}}
    early = transcript(tmp_path, _call(HIDDEN))
    assert learned.fire("pre-tool", **call, transcript_path=str(early)) == {}
    late = transcript(tmp_path, _call(HIDDEN), _done(MISSING), *_LISTED * 6)
    assert "Use `uv run pytest`" in learned.told("pre-tool", **call, transcript_path=str(late))


def test_a_failure_that_a_pipe_hid_is_told_with_the_next_request(learned: Shop, tmp_path: Path) -> None:
    path = str(transcript(tmp_path, _call(HIDDEN), _done(MISSING)))
    told = learned.told("prompt", prompt="Draw a heron in ASCII art.", transcript_path=path)
    assert "Use `uv run pytest`" in told
    assert "heron" not in told


def test_what_is_known_of_the_command_itself_comes_first(learned: Shop, tmp_path: Path) -> None:
    path = transcript(tmp_path, _call(HIDDEN), _done(MISSING))
    call: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "pytest"},
        "transcript_path": str(path),
    }
    assert learned.told("pre-tool", **call).count("Pitfall") == 1


@pytest.mark.parametrize(
    "lines",
    [
        (_call("uv run pytest -q"), _done(MISSING)),
        (_call(HIDDEN), _done(MISSING, failed=True)),
        (_call("grep -rn Error logs | head"), _done(MISSING)),
        (_call(HIDDEN), _done("12 passed in 0.5s")),
        (_call(HIDDEN), _done(MISSING), *_LISTED * 8),
        (_call(HIDDEN), _done(MISSING), _call("python -m pytest -q", call="toolu_3"), _done("ok", "toolu_3")),
        (_call(HIDDEN, name="Read"), _done(MISSING)),
        (_call(HIDDEN, call="toolu_9"), _done(MISSING)),
        (_call(HIDDEN), _done(MISSING).replace('"user"', '"user", "isSidechain": true', 1)),
        (_done(MISSING),),
        (_call(HIDDEN), _done(MISSING)[:-40]),
        (),
    ],
    ids="plain open shown passed older mended read other sidechain alone half empty".split(),
)
def test_what_hid_no_failure_is_told_nothing(learned: Shop, tmp_path: Path, lines: tuple[str, ...]) -> None:
    path = transcript(tmp_path, *lines)
    call: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "transcript_path": str(path),
    }
    assert learned.fire("pre-tool", **call) == {}


def test_a_sub_agent_is_told_nothing_of_its_parent_s_failures(learned: Shop, tmp_path: Path) -> None:
    path = transcript(tmp_path, _call(HIDDEN), _done(MISSING))
    call: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "transcript_path": str(path),
    }
    assert learned.fire("pre-tool", agent_id="a1", **call) == {}


def test_only_the_end_of_a_transcript_is_looked_at(tmp_path: Path) -> None:
    before = "x" * (2 * TAIL) + "\n"
    assert hidden_failure(str(transcript(tmp_path, before, _call(HIDDEN), _done(MISSING)))) == MISSING + "\n"
    assert hidden_failure(str(transcript(tmp_path, _call(HIDDEN), _done(MISSING), before))) == ""
    assert hidden_failure(str(transcript(tmp_path, _call(HIDDEN), _done("e" * 2 * TAIL)))) == ""


@pytest.mark.parametrize("path", ["", "relative.jsonl", "/etc/passwd", "/", "\0.jsonl", "/no/such.jsonl"])
def test_what_is_no_transcript_hid_nothing(path: str) -> None:
    assert hidden_failure(path) == ""


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.sampled_from(["tool_result", "tool_use", "user", "Bash", "toolu_1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("type message content toolUseResult tool_use_id stdout id name input".split()),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(_JSON, max_size=4))
def test_any_transcript_is_looked_at_without_harm(values: list[Any]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = transcript(Path(folder), *(json.dumps(value) + "\n" for value in values))
        assert isinstance(hidden_failure(str(path)), str)


# Skills of the client's own that are called by name


def _lesson(shop: Shop, slug: str, title: str, *tags: str, body: str = "Ask which locale is meant.") -> str:
    with Memory.open(str(shop.home)) as memory:
        draft = draft_from_manual("lesson", title, body=body, tags=tags, origin="owner")
        return memory.write(slug, draft, cwd=str(shop.project), force=True).subject


@pytest.fixture
def taught(learned: Shop) -> tuple[Shop, str]:
    """A shop with a lesson of the skill ``fix-receipts``, and other texts of nearly that name."""
    _lesson(learned, "other", "Keep receipts of the release", "skill-receipts", body="Not this one.")
    _lesson(learned, "prose", "Fix receipts twice", body="skill-fix-receipts is only named here.")
    return learned, _lesson(learned, "mine", "Receipts are printed in two languages", "skill-fix-receipts")


def test_a_skill_that_is_invoked_is_given_its_lessons_once(taught: tuple[Shop, str]) -> None:
    shop, lesson = taught
    call: dict[str, Any] = {"tool_name": "Skill", "tool_input": {"skill": "fix-receipts", "args": "now"}}
    told = shop.told("pre-tool", **call)
    assert note_ids(told) == (lesson,)
    assert estimate(told) <= 150
    assert shop.fire("pre-tool", **call) == {}


@pytest.mark.parametrize(
    ("agent", "prompt"),
    [
        ("claude_code", "/fix-receipts 2026"),
        ("claude_code", "/shop:fix-receipts"),
        ("codex", "Please use $fix-receipts, now"),
    ],
)
def test_a_skill_that_the_user_calls_is_given_its_lessons(
    taught: tuple[Shop, str], agent: str, prompt: str
) -> None:
    shop, lesson = taught
    assert lesson in note_ids(shop.told("prompt", agent, prompt=prompt))


@pytest.mark.parametrize("name", ["receipts-fix", "fix", "", "$(x)", "a" * 4000, "fix-receipts/../x", "é"])
def test_another_skill_is_given_none_of_them(taught: tuple[Shop, str], name: str) -> None:
    shop, lesson = taught
    call: dict[str, Any] = {"tool_name": "Skill", "tool_input": {"skill": name}}
    assert lesson not in note_ids(shop.told("pre-tool", **call))


@given(st.text(max_size=60))
def test_the_tag_of_a_skill_is_one_plain_word(name: str) -> None:
    for tag in skill_tags(name):
        assert tag.startswith("skill-")
        assert " " not in tag


@pytest.mark.parametrize(
    ("agent", "prompt", "skill"),
    [
        ("claude_code", "/fix-it now", "fix-it"),
        ("claude_code", "please /fix-it", ""),
        ("claude_code", "/usr/bin/env is missing", ""),
        ("claude_code", "/", ""),
        ("codex", "do $deploy. please", "deploy"),
        ("codex", "it costs $5 or $HOME/x", ""),
        ("codex", "/fix-it", ""),
    ],
)
def test_how_a_request_calls_a_skill(agent: str, prompt: str, skill: str) -> None:
    assert Fired(WIRES[agent], "prompt", {"prompt": prompt}).skill == skill


# A session's start


def test_a_resumed_session_is_not_told_its_beginning_twice(learned: Shop) -> None:
    assert learned.told("session-start", source="startup")
    assert learned.fire("session-start", source="resume") == {}
    assert learned.told("session-start", source="startup", session_id="another")


def test_after_a_compaction_without_a_note_the_beginning_is_told_again(learned: Shop) -> None:
    first = learned.told("session-start", source="startup")
    learned.fire("pre-compact", trigger="auto")
    assert learned.told("session-start", source="compact") == first


def test_the_note_survives_a_compaction_although_a_beginning_came_between(learned: Shop) -> None:
    note = learned.told("prompt", prompt=SIMILAR)
    learned.told("session-start", source="resume")
    learned.fire("pre-compact", trigger="manual")
    assert learned.told("session-start", source="compact") == note


def test_what_was_learned_in_the_last_days_is_named_after_what_proved_itself(learned: Shop) -> None:
    for word in "anvil bicycle candle drum engine flute guitar".split():
        _lesson(learned, word, f"Ship a {word} by rail", body=f"The {word} is too heavy for the post.")
    _set(learned, "start.tokens", 400)
    told = learned.told("session-start", source="startup")
    assert told.index("honed knows") < told.index("New in the last 7 days")
    assert f"({datetime.now(UTC):%Y-%m-%d})" in told.partition("New in the last 7 days")[2]
    assert estimate(told) <= 400


def test_what_is_older_is_not_new(learned: Shop) -> None:
    _set(learned, "start.tokens", 400)
    told = learned.told("session-start", source="startup")
    old = f"{datetime.now(UTC) - timedelta(days=8):%Y-%m-%d}"
    assert all(date >= old for date in told.partition("New in the last")[2].split("(20")[1:])


def test_learning_that_stopped_is_told_to_the_user_and_not_to_the_model(learned: Shop) -> None:
    line = {"t": 1, "e": "absorb", "a": "", "r": "failed", "w": "the disk is full"}
    learned.spool_file("absorber").write_text(json.dumps(line) + "\n", encoding="utf-8")
    answer = learned.fire("session-start", source="startup")
    assert "the disk is full" in str(answer["systemMessage"])
    assert "the disk is full" not in str(answer["hookSpecificOutput"])
    assert "systemMessage" not in learned.fire("session-start", source="compact")
    line = {**line, "r": "noted", "w": "1 session"}
    learned.spool_file("absorber").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert "systemMessage" not in learned.fire("session-start", source="startup", session_id="s2")


# What an owner may switch on


def _set(shop: Shop, key: str, value: object) -> None:
    with Memory.open(str(shop.home)) as memory:
        memory.configure(key, value)


TIMELY = "Which version of the framework is the latest one?"


@pytest.mark.parametrize("agent", list(WIRES))
def test_the_reminder_to_look_things_up_is_off_until_it_is_switched_on(learned: Shop, agent: str) -> None:
    assert learned.fire("prompt", agent, prompt=TIMELY) == {}
    _set(learned, "remind.search", "on")
    assert learned.told("prompt", agent, prompt=TIMELY) == REMINDER
    assert learned.fire("prompt", agent, prompt=TIMELY) == {}, "once a session"
    assert learned.told("prompt", agent, prompt=TIMELY, session_id="another") == REMINDER
    assert learned.fire("prompt", agent, prompt="Draw a heron.", session_id="third") == {}


def test_the_reminder_stands_behind_the_note_and_counts(learned: Shop) -> None:
    _set(learned, "remind.search", "on")
    told = learned.told("prompt", prompt=SIMILAR + " Today, please.")
    assert "shop/cart.py" in told
    assert told.endswith(REMINDER)
    (line,) = learned.lines()
    assert line["n"] == line["sum"]
    assert int(str(line["n"])) >= estimate(told) - 1


def test_the_reminder_needs_no_memory(shop: Shop) -> None:
    (shop.home / "config.json").write_text('{"remind.search": true}', encoding="utf-8")
    assert shop.told("prompt", prompt=TIMELY) == REMINDER
    assert shop.fire("prompt", prompt="Draw a heron.", session_id="s2") == {}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What is the latest version?", True),
        ("is it still supported?", True),
        ("Какая последняя версия?", True),
        ("Что нового сегодня", True),
        ("translate the label", False),
        ("Сделай корзину", False),
        ("postnewsletter", False),
        ("", False),
    ],
)
def test_what_is_time_sensitive(text: str, *, wanted: bool) -> None:
    assert is_time_sensitive(text) is wanted


def test_the_owner_s_own_words_are_time_sensitive_too(learned: Shop) -> None:
    _set(learned, "remind.search", "on")
    _set(learned, "remind.words", "Börsenkurs*, exchange rate")
    assert learned.told("prompt", prompt="the exchange   rate, please") == REMINDER
    assert learned.told("prompt", prompt="Die Börsenkurse!", session_id="s2") == REMINDER
    assert learned.fire("prompt", prompt="the exchange rates", session_id="s3") == {}


def test_a_server_of_the_baseline_that_is_missing_is_told_to_the_user(learned: Shop) -> None:
    assert "systemMessage" not in learned.fire("session-start", source="startup", session_id="s0")
    _set(learned, "remind.servers", "github, honed")
    state = {"mcpServers": {"honed": {}}, "projects": {str(learned.project): {"mcpServers": {"x": {}}}}}
    (learned.base / ".claude.json").write_text(json.dumps(state), encoding="utf-8")
    told = str(learned.fire("session-start", source="startup")["systemMessage"])
    assert "github" in told
    assert "honed:" in told
    assert ", honed" not in told
    (learned.project / ".mcp.json").write_text('{"mcpServers": {"github": {}}}', encoding="utf-8")
    assert "systemMessage" not in learned.fire("session-start", source="startup", session_id="s2")


def test_codex_servers_are_read_from_its_own_file(learned: Shop) -> None:
    _set(learned, "remind.servers", "github, my.server, gone")
    text = '[mcp_servers.github]\ncommand = "x"\n[mcp_servers.github.env]\n[mcp_servers."my.server"]\n'
    (learned.base / ".codex").mkdir()
    (learned.base / ".codex" / "config.toml").write_text(text, encoding="utf-8")
    told = str(learned.fire("session-start", "codex", source="startup")["systemMessage"])
    assert told.endswith("here: gone.")


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"mcpServers": 7}', "\udcff"])
def test_a_client_s_file_that_does_not_parse_is_a_file_without_servers(learned: Shop, text: str) -> None:
    _set(learned, "remind.servers", "github")
    (learned.base / ".claude.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "github" in str(learned.fire("session-start", source="startup")["systemMessage"])
