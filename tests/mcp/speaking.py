"""A client that speaks MCP: to a server in this process, and to ``honed mcp`` in one of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from honed.mcp.server import Server
from tests.doors.telling import environment

COMMAND = [sys.executable, "-m", "honed", "mcp"]


def line(message: object) -> bytes:
    """A message as a client sends it."""
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def request(number: object, method: str, params: object = None) -> dict[str, object]:
    """A request."""
    message: dict[str, object] = {"jsonrpc": "2.0", "id": number, "method": method}
    return message if params is None else {**message, "params": params}


def hello(
    version: str = "2025-11-25", name: str = "claude-code", *, roots: bool = False
) -> dict[str, object]:
    """The handshake's request."""
    able = {"roots": {"listChanged": True}} if roots else {}
    info = {"name": name, "version": "1.0"}
    return request(
        "hello", "initialize", {"protocolVersion": version, "capabilities": able, "clientInfo": info}
    )


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: object, tool: str, **arguments: object) -> dict[str, object]:
    """The request that calls a tool."""
    return request(number, "tools/call", {"name": tool, "arguments": arguments})


class Talk:
    """A conversation with a server in this process."""

    def __init__(
        self, home: Path, folder: Path, name: str = "claude-code", version: str = "2025-11-25"
    ) -> None:
        self.sent: list[Any] = []
        self.server = Server(str(home), str(folder), lambda data: self.sent.append(json.loads(data)))
        self.handshake = self.says(hello(version, name))
        self.server.take(line(READY))

    def says(self, message: object) -> Any:
        """Send a message; the last thing that came back, ``None`` for nothing."""
        return self.says_bytes(line(message))

    def says_bytes(self, data: bytes | None) -> Any:
        """The same with bytes as they are; ``None`` for a line that was too long."""
        before = len(self.sent)
        self.server.take(data)
        return self.sent[-1] if len(self.sent) > before else None

    def calls(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool that works; its structured answer."""
        result = self.says(call(1, tool, **arguments))["result"]
        assert not result["isError"], result
        assert result["content"][0]["text"] == result["structuredContent"]["text"]
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    def fails(self, tool: str, **arguments: object) -> str:
        """Call a tool that does not; what it says."""
        result = self.says(call(1, tool, **arguments))["result"]
        assert result["isError"] is True, result
        text: str = result["content"][0]["text"]
        return text


def started(home: Path, folder: Path, more: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """``honed mcp`` in a process of its own."""
    return subprocess.Popen(
        COMMAND,
        cwd=folder,
        env=environment({"HONED_HOME": str(home), **(more or {})}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def answers(
    home: Path, folder: Path, messages: Sequence[object], more: Mapping[str, str] | None = None
) -> dict[Any, Any]:
    """What a server in a process of its own answers, by id; it must end well when the input does."""
    with started(home, folder, more) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"".join(line(message) for message in messages))
        server.stdin.flush()
        wanted = sum("id" in message for message in messages if isinstance(message, dict))
        told = [json.loads(server.stdout.readline()) for _ in range(wanted)]
        out, _ = server.communicate(timeout=30)
    assert out == b""
    assert server.returncode == 0
    return {one["id"]: one for one in told}
