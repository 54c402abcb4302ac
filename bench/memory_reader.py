"""How much memory reading a long Claude Code transcript takes, and how fast it is.

Writes a transcript of about 100 MB into a temporary folder (prompts, reads, edits, runs, background shells,
calls that are never answered, snapshots), reads it in a process of its own and prints that process's highest
resident size, beside ``json.loads`` per line over the same file.  Bound: 200 MB.

    python bench/memory_reader.py [MEGABYTES]
"""

from __future__ import annotations

import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

BOUND_MB = 200
SESSION = "0b1c2d3e-0000-4000-8000-000000000001"

MEASURE = """
import json, resource, sys, time
sys.path.insert(0, sys.argv[2])
from honed.sessions import reading
from honed.sessions.model import Request, Step
began = time.perf_counter()
requests = steps = 0
with open(sys.argv[1], "rb") as stream:
    for event in reading.read(stream, name="transcript.jsonl"):
        requests += isinstance(event, Request)
        steps += isinstance(event, Step)
seconds = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"requests": requests, "steps": steps, "seconds": seconds, "peak_mb": peak}))
"""


def records(rng: random.Random) -> Iterator[dict[str, Any]]:
    """An endless session; ``rng`` decides what happens in it."""
    number = 0
    while True:
        number += 1
        common = {
            "sessionId": SESSION,
            "cwd": "/home/dev/shop",
            "version": "2.1.100",
            "gitBranch": "main",
            "isSidechain": False,
            "timestamp": f"2026-05-04T10:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
        }
        if number % 40 == 1:
            words = f"please look at case {number} of the checkout"
            message: dict[str, Any] = {"role": "user", "content": words}
            yield common | {"type": "user", "uuid": f"u-{number}", "message": message}
        call, name, given, content, result = _call(rng, number)
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        message_id = {"role": "assistant", "id": f"msg-{number}", "content": [use]}
        yield common | {"type": "assistant", "uuid": f"a-{number}", "message": message_id}
        yield common | {"type": "file-history-snapshot", "snapshot": {"trackedFileBackups": {}}}
        if number % 97:
            answer = {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": False}
            message = {"role": "user", "content": [answer]}
            yield common | {
                "type": "user",
                "uuid": f"r-{number}",
                "message": message,
                "toolUseResult": result,
            }


def _call(rng: random.Random, number: int) -> tuple[str, str, dict[str, Any], str, dict[str, Any]]:
    call = f"toolu_{number:08d}"
    path = f"/home/dev/shop/src/part_{number % 50}.py"
    text = "\n".join(f"    value_{place} = {rng.random()}" for place in range(rng.randrange(20, 400)))
    if number % 3 == 0:
        patch = [{"oldStart": 3, "lines": [" def total():", "-    old = 1", "+    new = 2"]}]
        given = {"file_path": path, "old_string": "    old = 1", "new_string": "    new = 2"}
        result = {"filePath": path, "originalFile": text, "structuredPatch": patch}
        return call, "Edit", given, "The file has been updated.", result
    if number % 3 == 1:
        task, file = f"b{number:07d}", f"/tmp/b{number:07d}.output"
        if number % 30 == 1:
            told = f"Command running in background with ID: {task}. Output is being written to: {file}"
            return call, "Bash", {"command": "make serve"}, told, {"backgroundTaskId": task, "stdout": ""}
        return call, "Bash", {"command": "pytest -q"}, text + "\n12 passed in 0.31s", {"stdout": text}
    return (
        call,
        "Read",
        {"file_path": path},
        text,
        {"type": "text", "file": {"filePath": path, "content": text}},
    )


def write_transcript(stream: BinaryIO, size: int) -> None:
    """Write at least ``size`` bytes of records."""
    written = 0
    for record in records(random.Random(7)):
        written += stream.write(json.dumps(record).encode("utf-8") + b"\n")
        if written >= size:
            return


def parse_seconds(path: Path) -> float:
    """Seconds that ``json.loads`` takes for every line of ``path``."""
    began = time.perf_counter()
    with path.open("rb") as stream:
        for line in stream:
            json.loads(line)
    return time.perf_counter() - began


def main() -> int:
    """Print the figures; 1 when the bound does not hold."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    source = Path(__file__).resolve().parent.parent / "src"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcript.jsonl"
        with path.open("wb") as stream:
            write_transcript(stream, megabytes * 1024 * 1024)
        command = [sys.executable, "-c", MEASURE, str(path), str(source)]
        told = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
        figures = json.loads(told)
        parse = parse_seconds(path)
        size = path.stat().st_size / 1024 / 1024
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{size:.0f} MB, {figures['requests']} requests, {figures['steps']} steps")
    print(f"highest resident size {figures['peak_mb']:.0f} MB (bound {BOUND_MB} MB)")
    print(f"{figures['seconds']:.2f} s = {figures['seconds'] / parse:.2f} x json.loads per line")
    return 0 if figures["peak_mb"] <= BOUND_MB else 1


if __name__ == "__main__":
    raise SystemExit(main())
