"""A scripted model on loopback: what real clients talk to in place of a real one.

It speaks the two wire formats that Claude Code (Anthropic Messages) and Codex (OpenAI Responses) use, plays
the turns of a script, and keeps every request, so that a test can say what reached the model.  A turn is
what a client's own tools can do, whatever they are called: run a command, change a file, start a
sub-agent, call an MCP tool, or say something, which ends the turn.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Says:
    """The model says something and stops."""

    text: str


@dataclass(frozen=True)
class Runs:
    """The model runs a shell command."""

    command: str


@dataclass(frozen=True)
class Edits:
    """The model replaces whole lines of a file of the project."""

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Spawns:
    """The model starts a sub-agent and waits for it."""

    prompt: str


@dataclass(frozen=True)
class Calls:
    """The model calls a tool of an MCP server."""

    server: str
    tool: str
    given: dict[str, object]


@dataclass(frozen=True)
class Searches:
    """The model looks for a tool that its client has not shown yet (Codex shows those of servers later)."""

    query: str


Turn: TypeAlias = Says | Runs | Edits | Spawns | Calls | Searches


@dataclass
class Script:
    """The turns of the main conversation, and those of sub-agents, known by a word of their task."""

    turns: Sequence[Turn]
    task: str = ""
    task_turns: Sequence[Turn] = ()
    input_tokens: int = 0
    """What the model says it has read; large enough, it makes a client compact."""


@dataclass
class Model:
    """A running model: where it is, and what it was asked."""

    address: str
    project: Path
    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list)
    played: dict[str, int] = field(default_factory=dict)
    searched: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def heard(self, *, main: bool = True) -> list[str]:
        """What each request of the main conversation (or of sub-agents) held, as one text each."""
        return [text(one) for one in self.requests if one.get("tools") and self._is_task(one) is not main]

    def _is_task(self, body: dict[str, Any]) -> bool:
        return bool(self.script.task) and any(self.script.task in part for part in _said_by_user(body))

    def next_turn(self, body: dict[str, Any]) -> Turn:
        """What the model does now."""
        with self.lock:
            self.requests.append(body)
            if not _tools(body):
                return Says("ok")
            lane = "task" if self._is_task(body) else "main"
            turns = self.script.task_turns if lane == "task" else self.script.turns
            at = self.played.get(lane, 0)
            turn = turns[at] if at < len(turns) else Says("That is all.")
            tools = _tools(body)
            wanted = _hidden(turn, tools)
            if wanted and "tool_search" in tools and not self.searched:
                self.searched = True
                return Searches(wanted)
            self.played[lane] = at + 1
            return turn


def _hidden(turn: Turn, tools: dict[str, dict[str, Any]]) -> str:
    """What to look for where the tool of a turn is not shown yet; empty where it is, or none is needed."""
    match turn:
        case Calls(server, tool) if tool not in tools:
            return f"{server} {tool}"
        case Spawns() if not {"Agent", "spawn_agent"} & tools.keys():
            return "spawn_agent start a sub-agent"
        case _:
            return ""


def text(value: object) -> str:
    """Every string in a JSON value, one per line."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(text(one) for one in value.values())
    return "\n".join(text(one) for one in value) if isinstance(value, list) else ""


def _said_by_user(body: dict[str, Any]) -> Iterator[str]:
    """What stands before the model's first word or call."""
    for message in body.get("messages") or body.get("input") or ():
        if message.get("role") == "assistant" or str(message.get("type")).endswith("_call"):
            return
        if message.get("role") == "user":
            yield text(message)


def _tools(body: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The tools that the client offers, by the name under which they are called."""
    found: dict[str, dict[str, Any]] = {}

    def add(tools: object, space: str) -> None:
        for tool in tools if isinstance(tools, list) else ():
            if tool.get("type") == "namespace":
                add(tool.get("tools"), str(tool.get("name")))
            else:
                found[str(tool.get("name") or tool.get("type"))] = {**tool, "space": space}

    add(body.get("tools"), "")
    for item in body.get("input") or ():
        if isinstance(item, dict) and item.get("type") in ("additional_tools", "tool_search_output"):
            add(item.get("tools"), "")
    return found


def _call(turn: Turn, tools: dict[str, dict[str, Any]], project: Path) -> tuple[str, object]:
    """The client's tool and its input for a turn.  Raises ``LookupError`` where it offers none."""
    match turn:
        case Runs(command):
            if "Bash" in tools:
                return "Bash", {"command": command, "description": "run a command"}
            return "exec_command", {"cmd": command}
        case Edits(path, old, new):
            if "Edit" in tools:
                return "Edit", {"file_path": str(project / path), "old_string": old, "new_string": new}
            lines = [*(f"-{line}" for line in old.splitlines()), *(f"+{line}" for line in new.splitlines())]
            patch = "\n".join(
                ["*** Begin Patch", f"*** Update File: {path}", "@@", *lines, "*** End Patch", ""]
            )
            if "apply_patch" in tools:
                return "apply_patch", patch
            return "exec_command", {"cmd": f"apply_patch <<'EOP'\n{patch}EOP"}
        case Spawns(prompt):
            if "Agent" in tools:
                return "Agent", {
                    "description": "a part of it",
                    "prompt": prompt,
                    "subagent_type": "general-purpose",
                    "run_in_background": False,
                }
            return "spawn_agent", {"message": prompt, "task_name": "part"}
        case Calls(server, tool, given):
            return (tool if tool in tools else f"mcp__{server}__{tool}"), given
        case Says() | Searches():
            raise LookupError("nothing is called")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: object) -> None:
        """Quietly."""

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [], "models": [], "has_more": False})

    def do_POST(self) -> None:
        body = json.loads(self._body() or b"{}")
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            self._json({"input_tokens": 100})
        elif path.endswith("/messages"):
            self._messages(body)
        elif path.endswith("/responses"):
            self._responses(body)
        else:
            self._json({})

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        whole = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def _json(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, events: Iterator[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    # Anthropic Messages

    def _messages(self, body: dict[str, Any]) -> None:
        turn = self.model.next_turn(body)
        number = len(self.model.requests)
        if isinstance(turn, Says):
            block: dict[str, Any] = {"type": "text", "text": turn.text}
        else:
            name, given = _call(turn, _tools(body), self.model.project)
            block = {"type": "tool_use", "id": f"toolu_{number:04d}", "name": name, "input": given}
        usage = {"input_tokens": self.model.script.input_tokens or 100, "output_tokens": 10}
        message = {
            "id": f"msg_{number:04d}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": [block],
            "stop_reason": "end_turn" if isinstance(turn, Says) else "tool_use",
            "stop_sequence": None,
            "usage": usage,
        }
        if body.get("stream"):
            self._stream(_message_events(message, block))
        else:
            self._json(message)

    # OpenAI Responses

    def _responses(self, body: dict[str, Any]) -> None:
        turn = self.model.next_turn(body)
        number = len(self.model.requests)
        if isinstance(turn, Says):
            content = [{"type": "output_text", "text": turn.text, "annotations": []}]
            item: dict[str, Any] = {
                "type": "message",
                "id": f"msg_{number:04d}",
                "status": "completed",
                "role": "assistant",
                "content": content,
            }
        elif isinstance(turn, Searches):
            item = {
                "type": "tool_search_call",
                "id": f"tsc_{number:04d}",
                "call_id": f"call_{number:04d}",
                "execution": "client",
                "arguments": {"query": turn.query, "limit": 8},
                "status": "completed",
            }
        else:
            tools = _tools(body)
            name, given = _call(turn, tools, self.model.project)
            item = {"call_id": f"call_{number:04d}", "name": name, "status": "completed"}
            if isinstance(given, str):
                item |= {"type": "custom_tool_call", "id": f"ctc_{number:04d}", "input": given}
            else:
                item |= {"type": "function_call", "id": f"fc_{number:04d}", "arguments": json.dumps(given)}
            if space := tools.get(name, {}).get("space"):
                item["namespace"] = space
        read = self.model.script.input_tokens or 100
        usage = {
            "input_tokens": read,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": read + 10,
        }
        response = {
            "id": f"resp_{number:04d}",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": body.get("model"),
            "output": [item],
            "usage": usage,
        }
        begun: dict[str, Any] = {**response, "status": "in_progress", "output": []}
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ]
        self._stream({**event, "sequence_number": at} for at, event in enumerate(events))


def _message_events(message: dict[str, Any], block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    start: dict[str, Any] = {"type": "text", "text": ""}
    delta = {"type": "text_delta", "text": block.get("text", "")}
    if block["type"] == "tool_use":
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    yield {"type": "content_block_start", "index": 0, "content_block": start}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


@contextmanager
def playing(script: Script, project: Path) -> Iterator[Model]:
    """A model that plays ``script`` for one session in ``project``."""

    class Handler(_Handler):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Handler.model = Model(f"http://127.0.0.1:{server.server_address[1]}", project, script)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Handler.model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
