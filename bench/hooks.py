"""How long a hook takes as a whole process: shim, interpreter, read, note, receipt, beside the bare floor.

Floor and hooks run in turn, so that what the machine does meanwhile is in all of them.  Each prompt is of a
new session, so that it is given its note.  With ``--peers`` the prompt hooks of skillmem and MuscleMemory run
beside it, in turn with floor and prompt hook, fewer times: one of MuscleMemory takes ten seconds.

    python -m bench.hooks [--sizes 1000,10000,100000] [--rounds 100] [--peers] [--peer-rounds 8]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from bench.filling import filled
from bench.machine import heading
from bench.recall_speed import GROUP, requests, skills
from honed.agents.shim import command, write_shim
from honed.skills.model import Draft

FLOOR = [sys.executable, "-I", "-S", "-c", "import sqlite3, json"]
BOUNDS = {1_000: 1.5, 10_000: 1.6, 100_000: 2.2}
"""The most a prompt hook may take, in floors (docs/design.md)."""
ENDS = ("stop", "session-end")
WARM = 2
"""Rounds before those that count."""
MORE = {"skillmem": 5, "MuscleMemory": 30}
"""How many times the processor time of a prompt hook of honed's a peer's takes at least."""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


class Case:
    """One command line and the payloads that it is given in turn."""

    def __init__(
        self,
        name: str,
        argv: list[str],
        payloads: list[dict[str, object]],
        environment: dict[str, str] = ENVIRONMENT,
    ) -> None:
        self.name = name
        self.environment = environment
        self.argv = argv
        self.payloads = payloads
        self.wall: list[float] = []
        self.processor: list[float] = []
        self.answered = self.runs = 0

    def run(self, folder: str, number: int) -> None:
        """Run it once, streams in files, and keep its wall and CPU time in milliseconds."""
        given, answer = os.path.join(folder, "in"), os.path.join(folder, "out")
        payload = self.payloads[number % len(self.payloads)] if self.payloads else {}
        whole = {"session_id": f"{self.name}-{self.runs}", **payload}
        Path(given).write_text(json.dumps(whole), encoding="utf-8")
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, answer, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        ]
        begun = time.perf_counter()
        child = os.posix_spawn(self.argv[0], self.argv, self.environment, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
        self.wall.append(1000 * (time.perf_counter() - begun))
        self.processor.append(1000 * (usage.ru_utime + usage.ru_stime))
        assert status == 0 or self.environment is not ENVIRONMENT, "a hook of honed's ends with status 0"
        self.runs += 1
        self.answered += os.path.getsize(answer) > 0


def cases(home: str, count: int, known: list[tuple[str, str, Draft]]) -> Iterator[Case]:
    """The floor, then every event that is on a user's way."""

    def hook(event: str, payloads: list[dict[str, object]]) -> Case:
        argv = ["/bin/sh", "-c", command(home, event, "claude_code")]
        return Case(event, argv, [{"cwd": f"/work/{GROUP}", **payload} for payload in payloads])

    yield Case("floor", FLOOR, [])
    yield hook("prompt", [{"prompt": text} for text in requests(count)])
    yield hook("session-start", [{"source": "startup"}])
    pitfalls = [draft.pitfalls[0] for _, _, draft in known[:count]]
    yield hook(
        "pre-tool",
        [{"tool_name": "Bash", "tool_input": {"command": pitfall.command}} for pitfall in pitfalls],
    )
    yield hook(
        "tool-failed", [{"tool_name": "Bash", "error": f"Exit code 1\n{p.signature}"} for p in pitfalls]
    )
    for event in ENDS:
        yield hook(event, [{"transcript_path": "/nowhere.jsonl"}])


def _peers(stack: ExitStack, folder: str, size: int, rounds: int) -> Iterator[Case]:
    """The prompt hooks of the peers."""
    from bench import hook_peers

    asked: list[dict[str, object]] = [
        {
            "hook_event_name": "UserPromptSubmit",
            "prompt": text,
            "cwd": folder,
            "transcript_path": "/none.jsonl",
        }
        for text in requests(rounds)
    ]
    argv, environment = hook_peers.skillmem(folder, size, lambda: skills(size))
    yield Case("skillmem", argv, asked, environment)
    argv, environment = stack.enter_context(hook_peers.musclememory(folder))
    yield Case("MuscleMemory", argv, asked, environment)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--peers", action="store_true", help="skillmem and MuscleMemory beside it, from PyPI")
    parser.add_argument("--peer-rounds", type=int, default=8)
    options = parser.parse_args()
    print(heading("Hooks, whole process, median of interleaved runs"))
    print(
        f"  {'skills':>8} {'event':14}{'wall ms':>9}{'x floor':>9}{'CPU ms':>9}{'x floor':>9}{'answered':>10}"
    )
    for size in map(int, options.sizes.split(",")):
        measure(size, options.rounds, options.peer_rounds if options.peers else 0)


def measure(size: int, rounds: int, peer_rounds: int = 0) -> None:
    """Print the rows of one size of memory, with those of the peers where they have rounds."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        home = os.path.join(folder, "home")
        known = list(skills(min(size, rounds)))
        filled(home, f"speed-{size}", lambda: skills(size), datetime.now(UTC).strftime("%Y-%m-01T00:00:00Z"))
        write_shim(home)
        told = list(cases(home, rounds, known))
        peers = list(_peers(stack, folder, size, peer_rounds)) if peer_rounds else []
        # What an end leaves running would be in the others' figures, so ends have rounds of their own.
        groups = (
            (rounds, [case for case in told if case.name not in ENDS]),
            (rounds, [case for case in told if case.name in ENDS]),
            (peer_rounds, [*told[:2], *peers]),
        )
        for count, group in groups:
            for number in range(-WARM if count else 0, count):
                for case in group:
                    case.run(folder, number)
                    if number < 0:
                        del case.wall[-1], case.processor[-1]
        floor, prompt = told[:2]
        told += peers
        for case in told:
            wall, processor = statistics.median(case.wall), statistics.median(case.processor)
            print(
                f"  {size:>8} {case.name:14}{wall:>9.1f}{wall / statistics.median(floor.wall):>9.2f}"
                f"{processor:>9.1f}{processor / statistics.median(floor.processor):>9.2f}"
                f"{case.answered:>6}/{case.runs}"
            )
        ours = statistics.median(prompt.processor)
        for case in peers:
            times = statistics.median(case.processor) / ours
            print(f"  {size:>8} {case.name}: {times:.1f} x the CPU of honed's (bound: {MORE[case.name]} x)")
        if size in BOUNDS:
            print(f"  {size:>8} bound of the prompt hook: {BOUNDS[size]} x floor")


if __name__ == "__main__":
    main()
