"""Hooks when things go badly, and over whole sessions: a locked database, a giant transcript behind a slow
interpreter, sixty turns with what they are given, thirty turns in the real Claude Code.

    python -m bench.hook_strain [--without-client]

The real client is the one of ``make clients``; it talks to a scripted model on this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bench.filling import fill
from bench.hooks import ENVIRONMENT, Case
from bench.machine import heading
from bench.recall_speed import GROUP, requests, skills
from honed.agents.clients import MATCHERS
from honed.agents.shim import command, shim_path, write_shim
from honed.agents.wire import WIRES
from honed.demo.scribe import ClaudeScribe
from honed.hooks import spool
from honed.hooks.starting import WORKER, enqueue
from honed.memory import Memory
from honed.skills.model import Draft
from honed.store.base import SkillFilter
from tests.e2e.model import Runs, Says, Script, Turn
from tests.e2e.world import World, program
from tests.hooks.conftest import Shop, today, wait_for_absorber

MEGABYTES = 40
SLOW_SECONDS = 2.0
TURNS, LIVE_TURNS = 60, 30


def fire(home: str, event: str, agent: str, payload: dict[str, object]) -> tuple[float, str]:
    """Run the installed command of an event; seconds of wall time, and its answer."""
    begun = time.monotonic()
    done = subprocess.run(
        ["/bin/sh", "-c", command(home, event, agent)],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=ENVIRONMENT,
        check=True,
    )
    return time.monotonic() - begun, done.stdout.decode("ascii")


def locked(folder: str) -> None:
    """Every event of both clients while another process holds the database."""
    home = os.path.join(folder, "locked")
    fill(home, skills(200), f"{today()}T00:00:00Z")
    write_shim(home)
    for journal in ("WAL", "DELETE"):
        holder = sqlite3.connect(os.path.join(home, "honed.db"), isolation_level=None)
        holder.execute(f"PRAGMA journal_mode = {journal}")
        holder.execute("BEGIN EXCLUSIVE")
        took = {}
        for agent, wire in WIRES.items():
            for event in wire.names:
                payload = {
                    "session_id": f"{agent}-{event}",
                    "cwd": f"/work/{GROUP}",
                    "prompt": requests(1)[0],
                }
                call = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "error": "ValueError: x"}
                took[event, agent] = fire(home, event, agent, {**payload, **call})[0]
        holder.close()
        slowest = max(took, key=lambda one: took[one])
        print(
            f"  database held for writing, journal {journal}: {len(took)} hooks, slowest"
            f" {took[slowest]:.2f} s ({slowest[0]}); bound 2 s"
        )


def giant(folder: str) -> None:
    """A session's end that names a giant transcript, with an interpreter that takes seconds to start."""
    home = os.path.join(folder, "giant")
    write_shim(home)
    slow = Path(folder, "slow-python")
    slow.write_text(f'#!/bin/sh\nsleep {SLOW_SECONDS}\nexec {sys.executable} "$@"\n', encoding="utf-8")
    slow.chmod(0o755)
    shim = Path(shim_path(home))
    shim.write_text(shim.read_text("utf-8").replace(sys.executable, str(slow), 1), encoding="utf-8")
    project = Path(folder, "shop")
    (project / ".git").mkdir(parents=True)
    told = ClaudeScribe("giant", str(project), today())
    told.asks("Make the receipt print the tax below the subtotal.")
    size = 0
    while size < MEGABYTES * 1_000_000:
        output = "compiling module\n" * 60_000
        told.runs("cat build.log", output)
        size += 2 * len(output)  # Claude Code writes it down twice
    told.edits("receipt.py", "return []", "return ['subtotal', 'tax']")
    told.runs("uv run pytest -q", "13 passed in 0.5s")
    path = Path(folder, "giant.jsonl")
    path.write_text(told.text(), encoding="utf-8")
    payload: dict[str, object] = {"session_id": "giant", "cwd": str(project), "transcript_path": str(path)}
    begun = time.monotonic()
    seconds, _ = fire(home, "session-end", "claude_code", payload)
    wait_for_absorber(Path(home))
    with Memory.open(home, readonly=True) as memory:
        learned = len(memory.skills(SkillFilter()))
    print(
        f"  session end, transcript of {path.stat().st_size / 1e6:.0f} MB, interpreter {SLOW_SECONDS:.0f} s"
        f" late: back in {seconds:.2f} s (bound 1.2 s); {learned} skills learned after"
        f" {time.monotonic() - begun:.0f} s"
    )


def sixty(folder: str) -> None:
    """Sixty turns of three tool calls each in a project of a thousand skills."""
    home = os.path.join(folder, "sixty")
    known: list[tuple[str, str, Draft]] = list(skills(1000))
    fill(home, known, f"{today()}T00:00:00Z")
    write_shim(home)
    took: list[float] = []
    gave: Counter[str] = Counter()

    def hook(event: str, **payload: object) -> None:
        seconds, answer = fire(
            home, event, "claude_code", {"session_id": "long", "cwd": f"/work/{GROUP}", **payload}
        )
        took.append(seconds)
        gave[event] += bool(answer)

    hook("session-start", source="startup")
    for turn, request in enumerate(requests(TURNS)):
        pitfall = known[turn][2].pitfalls[0]
        hook("prompt", prompt=request)
        hook("pre-tool", tool_name="Edit", tool_input={"file_path": known[turn][2].files[0].path})
        failed = {"tool_name": "Bash", "tool_input": {"command": pitfall.command}}
        hook("tool-failed", **failed, error=f"Exit code 1\n{pitfall.signature}")
        hook("stop", transcript_path="/nowhere.jsonl")
    hook("session-end", transcript_path="/nowhere.jsonl")
    spent = sum(int(str(line.get("n") or 0)) for line in spool.lines(spool.path_of(home, "long")))
    answered = ", ".join(f"{event} {count}" for event, count in gave.items() if count)
    print(
        f"  {TURNS} turns: {len(took)} hooks, {sum(took):.1f} s in all, median"
        f" {statistics.median(took) * 1e3:.0f} ms; {spent} tokens given (bound 3000): {answered}"
    )


def bare(folder: str) -> None:
    """A prompt hook of a memory of ten skills beside an interpreter that does nothing."""
    home = os.path.join(folder, "bare")
    known = list(skills(10))
    fill(home, known, f"{today()}T00:00:00Z")
    write_shim(home)
    asked: list[dict[str, object]] = [
        {"cwd": f"/work/{GROUP}", "prompt": f"fix {draft.title}"} for _, _, draft in known
    ]
    hook = Case("prompt", ["/bin/sh", "-c", command(home, "prompt", "claude_code")], asked)
    nothing = Case("nothing", [sys.executable, "-c", "pass"], [])
    for number in range(-1, len(known)):
        for case in (nothing, hook):
            case.run(folder, number)
    wall, processor = (
        [statistics.median(times[1:]) for times in pair]
        for pair in ((nothing.wall, hook.wall), (nothing.processor, hook.processor))
    )
    print(
        f"  prompt hook beside `python -c pass`, median of {len(known)}: {wall[1]:.0f} and {wall[0]:.0f} ms,"
        f" {wall[1] - wall[0]:+.0f} ms (bound +150 ms); CPU {processor[1]:.0f} and {processor[0]:.0f} ms"
    )


def absorbing(folder: str) -> None:
    """What the worker behind every stop costs in a session of sixty turns, each with a change and a test."""
    shop = Shop(Path(folder))
    write_shim(str(shop.home))
    told = ClaudeScribe("long", str(shop.project), today())
    path = Path(folder, "long.jsonl")
    costs = []
    for turn in range(TURNS):
        told.asks(f"Make part {turn} of the receipt print its tax {turn}.")
        for number in range(3):
            told.runs(f"cat part{turn}_{number}.py", "x = 1\n" * 400)
        told.edits(f"part{turn}.py", "return []", f"return [{turn}]")
        told.runs("uv run pytest -q", "13 passed in 0.5s")
        path.write_text(told.text(), encoding="utf-8")
        enqueue(str(shop.home), str(path))
        argv = [sys.executable, "-I", "-S", "-c", WORKER, str(shop.home), *sys.path]
        child = os.posix_spawn(argv[0], argv, ENVIRONMENT)
        _, status, usage = os.wait4(child, 0)
        assert status == 0
        costs.append(usage.ru_utime + usage.ru_stime)
    with Memory.open(str(shop.home), readonly=True) as memory:
        learned = len(memory.skills(SkillFilter()))
    print(
        f"  behind {TURNS} stops ({path.stat().st_size / 1e6:.1f} MB of transcript, {learned} skills): one"
        f" worker each, {sum(costs):.1f} s of CPU in all, median {statistics.median(costs) * 1e3:.0f} ms,"
        f" the last {costs[-1] * 1e3:.0f} ms"
    )


def processes() -> None:
    """How many processes a tool call starts, by what is registered."""
    tools = {
        "claude_code": ("Bash", "Edit", "Agent", "Skill", "Read", "Grep", "mcp__x__y"),
        "codex": ("Bash", "apply_patch", "spawn_agent", "mcp__x__y"),
    }
    for agent, names in tools.items():
        matchers = MATCHERS[agent]
        for ending, events in (("goes well", ("pre-tool", "post-tool")), ("fails", tuple(matchers))):
            wanted = {
                name: sum(bool(re.fullmatch(matchers[event], name)) for event in events if event in matchers)
                for name in names
            }
            told = ", ".join(f"{name} {count}" for name, count in wanted.items())
            print(f"  processes per tool call that {ending}, {agent}: {told}")


def live(folder: str) -> None:
    """Thirty turns in the real Claude Code: without honed, with hooks that do nothing, and with honed."""
    prompts = [f"Turn {number}: say what calc.py is for." for number in range(LIVE_TURNS)]
    turns: list[Turn] = []
    for number in range(LIVE_TURNS):
        turns += [Runs(f"echo {number}"), Says(f"It adds, as it did {number} times before.")]
    took = {}
    for name in ("none", "empty", "honed"):
        world = World(Path(folder, name))
        if name != "none":
            world.honed("init", "claude-code")
        if name == "empty":
            Path(shim_path(str(world.home))).write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
        begun = time.monotonic()
        done = world.claude_dialog(prompts, Script(turns))
        took[name] = time.monotonic() - begun
        assert done.code == 0
        assert len(done.heard()) == len(turns)
    wait_for_absorber(world.home, idle=True)
    lines = [line for file in (world.home / spool.FOLDER).iterdir() for line in spool.lines(str(file))]
    hooks = [line for line in lines if line.get("a") == "claude_code"]
    inside = sum(int(str(line.get("m") or 0)) for line in hooks) / 1e3
    failed = sum(line.get("r") == "failed" for line in hooks)
    print(
        f"  Claude Code, {LIVE_TURNS} turns with a tool call each: {took['none']:.1f} s without honed,"
        f" {took['empty']:.1f} s with hooks that do nothing, {took['honed']:.1f} s with honed and its"
        f" learning behind it; {len(hooks)} hooks of which {failed} failed, {inside:.1f} s inside them"
    )


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-client", action="store_true", help="leave out the real Claude Code")
    options = parser.parse_args()
    print(heading("Hooks under strain"))
    parts: list[Callable[[str], None]] = [bare, locked, giant, sixty, absorbing]
    if not options.without_client and program("claude").exists():
        parts.append(live)
    processes()
    for part in parts:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            part(folder)


if __name__ == "__main__":
    main()
