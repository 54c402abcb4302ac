"""Payloads that no client sends, for ``bench.fuzz hooks``: every event of every client, with fields that are
missing, more, of another type or hostile, against a memory that knows something, one that knows nothing, one
that is damaged and one that is not there.

A hook swallows what goes wrong in it; what it writes into the spool then is what this looks for.
"""

from __future__ import annotations

import atexit
import copy
import functools
import json
import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from honed.agents.wire import LONGEST_CONTEXT, WIRES
from honed.hooks import entry, spool
from honed.hooks.lock import take
from honed.hooks.starting import LOCK
from tests.hooks.conftest import Shop

PAIRS = [(agent, event) for agent, wire in WIRES.items() for event in wire.names]
STATES = ("learned", "learned", "learned", "learned", "empty", "damaged", "missing")
WORDS = [
    "The cart total is off by a fraction of a cent again. Fix the rounding.",
    "pytest",
    "pytest -q",
    "uv run pytest -q",
    "shop/cart.py",
    "E   ModuleNotFoundError: No module named 'babel'",
    "Exit code 1\nE   ModuleNotFoundError: No module named 'babel'\n1 error in 0.1s",
    "*** Begin Patch\n*** Update File: shop/cart.py\n@@\n-a\n+b\n*** End Patch\n",
    "<task-notification>done</task-notification>",
    "/release now",
    "$release now",
    "compact",
    "resume",
]
HOSTILE = [
    "", " ", "\0", "\ud800", "\x1b[2J\x07", "'\"`$(touch pwned)`; rm -rf / #", "%PATH%!x!^&|",
    "../../../etc/passwd", "/etc/shadow", "~root", "\r\n\n\t", "ﬀ\u202e\u200b", "</honed-note>", '"}]}',
    "${HOME}", "a" * 70_000,
    "é中文" * 3000, "-" * 300, "--agent=codex", "\\\\?\\C:\\x", "file:///etc/passwd", "nul", "CON",
]  # fmt: skip
ODD: list[object] = [
    None,
    True,
    False,
    0,
    -1,
    1e308,
    2**70,
    [],
    {},
    [[]],
    {"command": ["x"]},
    [{"type": 3}],
    {"": {"": {}}},
]
FIELDS = "session_id cwd prompt source agent_id transcript_path agent_transcript_path tool_name tool_input"
FIELDS += " tool_response error hook_event_name permission_mode trigger reason stop_hook_active"
TOOLS = (
    "Bash Edit Write NotebookEdit MultiEdit Agent Task Skill apply_patch spawn_agent Read mcp__x__y".split()
)
INPUTS = "command file_path notebook_path prompt message skill args subagent_type description".split()


@functools.cache
def _shop() -> Shop:
    """A shop whose memory has learned, with its absorber's turn taken so that none is started."""
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    made = Shop(Path(folder.name))
    made.home.mkdir()
    made.learn()
    _homes(made)
    return made


@functools.cache
def _homes(shop: Shop) -> dict[str, str]:
    base = shop.base
    for name in ("empty", "damaged"):
        (base / name).mkdir()
    (base / "damaged" / "honed.db").write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    homes = {
        "learned": str(shop.home),
        **{name: str(base / name) for name in ("empty", "damaged", "missing")},
    }
    for home in homes.values():
        if os.path.isdir(home):
            take(os.path.join(home, LOCK))
    return homes


def _text(source: random.Random) -> str:
    return source.choice(WORDS if source.random() < 0.7 else HOSTILE)


def _value(source: random.Random) -> object:
    if source.random() < 0.25:
        return copy.deepcopy(source.choice(ODD))
    return _text(source) if source.random() < 0.9 else _text(source) + _text(source)


def _payload(source: random.Random, shop: Shop) -> dict[str, object]:
    made: dict[str, object] = {"session_id": f"s{source.randrange(40)}", "cwd": str(shop.project)}
    made["prompt"] = _text(source)
    made["tool_name"] = source.choice(TOOLS)
    made["tool_input"] = {source.choice(INPUTS): _text(source) for _ in range(source.randrange(4))}
    made["transcript_path"] = str(shop.base / "claude_code" / f"{source.randrange(1, 7)}.jsonl")
    made["tool_response"] = source.choice((_text(source), {"stdout": _text(source), "stderr": ""}))
    made["error"] = _text(source)
    for _ in range(source.randrange(5)):
        name = source.choice(FIELDS.split())
        how = source.randrange(4)
        if how == 0:
            made.pop(name, None)
        elif how == 1 and isinstance(made.get("tool_input"), dict):
            made["tool_input"] = {**dict.fromkeys(INPUTS), source.choice(INPUTS): _value(source)}
        else:
            made[name] = _value(source)
    if source.random() < 0.1:
        made = {f"x{number}": _value(source) for number in range(30)} | made
    return made


def _raw(payload: dict[str, object], source: random.Random) -> bytes:
    raw = json.dumps(payload).encode("ascii")
    how = source.randrange(20)
    if how == 0:
        return raw[: source.randrange(len(raw) + 1)]
    if how == 1:
        at = source.randrange(len(raw))
        return raw[:at] + bytes([source.randrange(256)]) * source.randrange(1, 9) + raw[at:]
    return json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace") if how == 2 else raw


def one_hook(source: random.Random) -> tuple[object, Callable[[], object]]:
    """An event with a payload and a state of the home, and what runs the hook and looks at what it did."""
    shop = _shop()
    agent, event = source.choice(PAIRS)
    home = _homes(shop)[source.choice(STATES)]
    raw = _raw(_payload(source, shop), source)
    return (agent, event, home, raw[:3000]), lambda: _fired(shop, agent, event, home, raw)


def _fired(shop: Shop, agent: str, event: str, home: str, raw: bytes) -> None:
    given, answer = shop.base / "in", shop.base / "out"
    given.write_bytes(raw)
    before = [os.dup(0), os.dup(1)]
    with given.open("rb") as stdin, answer.open("wb") as stdout:
        os.dup2(stdin.fileno(), 0)
        os.dup2(stdout.fileno(), 1)
        try:
            code = entry.main([event, "--agent", agent.replace("_", "-")], home)
        finally:
            for stream, there in enumerate(before):
                os.dup2(there, stream)
                os.close(there)
    assert code == 0, "a hook ends with status 0"
    _is_sound(answer.read_bytes(), agent, event)
    _is_honest(home)


def _is_sound(said: bytes, agent: str, event: str) -> None:
    """Nothing, or one line of ASCII JSON in the shape of exactly this event."""
    if not said:
        return
    value = json.loads(said.decode("ascii"))
    assert set(value) <= {"hookSpecificOutput", "systemMessage"}, value
    inner = value.get("hookSpecificOutput")
    if inner is not None:
        assert inner["hookEventName"] == WIRES[agent].names[event]
        assert set(inner) <= {"hookEventName", "additionalContext", "updatedInput"}, value
        assert len(inner.get("additionalContext", "")) <= LONGEST_CONTEXT


def _is_honest(home: str) -> None:
    """Its lines say of no failure that it was a mistake of honed's own; then they are done with."""
    folder = Path(home, spool.FOLDER)
    for file in folder.iterdir() if folder.is_dir() else ():
        raw = file.read_bytes()
        assert raw.endswith(b"\n"), "a line of the spool is whole"
        for line in raw.splitlines():
            assert len(line) < spool.LINE_LIMIT, "a line of the spool is short"
            told = json.loads(line)
            place = str(told.get("w") or "")
            assert told["r"] != "failed" or " at " not in place or ".py:" not in place, place
        if len(raw) > 20_000:
            file.unlink()
