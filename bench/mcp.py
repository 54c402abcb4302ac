"""What an MCP server costs: start to the handshake, first call, later calls, memory while it idles, end.

Beside the floor: a bare interpreter that echoes one line.  Memory is the resident set, and the part of it
that the process does not share with others.

    python -m bench.mcp [--rounds 20] [--skills 1000]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench.filling import fill
from bench.machine import heading
from bench.recall_speed import requests, skills
from honed.mcp.tools import TOOLS, listed

SOURCE = str(Path(__file__).parent.parent / "src")
FLOOR = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    "import sys; print(sys.stdin.readline(), flush=True); sys.stdin.read()",
]
SERVER = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    f"import sys; sys.path.insert(0, {SOURCE!r}); sys.argv[1:] = ['mcp'];"
    "from honed.__main__ import main; sys.exit(main())",
]
"""As the program that ``honed init`` writes starts it."""
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench"}},
}


class Talk:
    """A started process and the milliseconds of each exchange."""

    def __init__(self, argv: list[str], home: str) -> None:
        self._began = time.perf_counter()
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", "HONED_HOME": home, "LANG": "C.UTF-8"},
        )
        self.start = self.says(HELLO, self._began)

    def says(self, message: object, began: float = 0.0) -> float:
        """Milliseconds until a line came back."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        began = began or time.perf_counter()
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert b'"isError":true' not in answer
        return 1000 * (time.perf_counter() - began)

    def recalls(self, query: str) -> float:
        """Milliseconds of one recall."""
        params = {"name": "memory_recall", "arguments": {"query": query}}
        return self.says({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})

    def memory(self) -> tuple[float, float]:
        """MB that are resident now, and those of them that are its own (Linux)."""
        text = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text(encoding="ascii")
        sizes = {line.split()[0]: int(line.split()[1]) for line in text.splitlines()[1:]}
        own = sizes["Private_Clean:"] + sizes["Private_Dirty:"]
        return sizes["Rss:"] / 1024, own / 1024

    def end(self) -> float:
        """Milliseconds from the end of its input to its own."""
        assert self._process.stdin is not None
        began = time.perf_counter()
        self._process.stdin.close()
        assert self._process.wait(30) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()
        return 1000 * (time.perf_counter() - began)


def measure(home: str, rounds: int) -> dict[str, list[float]]:
    """Figures by name, floor and server in turn."""
    found: dict[str, list[float]] = {}
    queries = requests(20)
    for _ in range(rounds):
        floor, server = Talk(FLOOR, home), Talk(SERVER, home)
        figures = {"floor: start ms": floor.start, **_sizes("floor: idle", floor)}
        figures |= {"start to the handshake ms": server.start, **_sizes("idle before any call", server)}
        figures["first recall ms"] = server.recalls(queries[0])
        figures["later recall ms"] = statistics.median(map(server.recalls, queries))
        figures |= {**_sizes("idle after recalls", server), "end of input to exit ms": server.end()}
        floor.end()
        for name, value in figures.items():
            found.setdefault(name, []).append(value)
    return found


def _sizes(when: str, talk: Talk) -> dict[str, float]:
    resident, own = talk.memory()
    return {f"{when}, resident MB": resident, f"{when}, own MB": own}


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--skills", type=int, default=1000)
    options = parser.parse_args()
    size = len(json.dumps({"tools": [listed(tool) for tool in TOOLS]}))
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        known = [(key, "", draft) for key, _, draft in skills(options.skills)]  # they hold in any folder
        fill(home, known, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
        found = measure(home, options.rounds)
    print(heading(f"MCP server, {options.skills} skills, median of {options.rounds} interleaved"))
    for name, values in found.items():
        print(f"  {name:36}{statistics.median(values):>9.1f}")
    print(f"  {'tools/list characters':36}{size:>9}")


if __name__ == "__main__":
    main()
