"""Builds Claude Code transcripts, line by line, as bytes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any, BinaryIO

from honed.sessions import reading
from honed.sessions.model import Boundary, Event, NoteGiven, Request, SessionEnd, SessionStart, Step
from honed.sessions.source import Resume, prefix_digest

CART = "/home/dev/shop/cart.py"
SESSION = "7f0c2a4e-1111-4222-8333-9a8b7c6d5e4f"
Json = dict[str, Any]


class Transcript:
    """A transcript that grows; every method appends records and returns the transcript itself."""

    def __init__(self, session: str = SESSION, **common: Any) -> None:
        self.session = session
        self.common: Json = {"cwd": "/home/dev/shop", "version": "2.1.100", "gitBranch": "main", **common}
        self.lines: list[bytes] = []
        self.clock = 0

    def data(self) -> bytes:
        """The file."""
        return b"".join(self.lines)

    def raw(self, line: bytes) -> Transcript:
        """A line as it stands; the line feed is added."""
        self.lines.append(line + b"\n")
        return self

    def record(self, kind: str, **fields: Any) -> Transcript:
        """A record with the fields that every one has."""
        self.clock += 1
        value = {
            "type": kind,
            "uuid": f"{self.session[:8]}-{len(self.lines) + 1}",
            "parentUuid": None,
            "isSidechain": False,
            "sessionId": self.session,
            "timestamp": f"2026-05-04T10:{self.clock // 60:02d}:{self.clock % 60:02d}.000Z",
            **self.common,
            **fields,
        }
        return self.raw(json.dumps({key: item for key, item in value.items() if item is not ...}).encode())

    def user(self, content: Any, **fields: Any) -> Transcript:
        """What somebody said: a string, or a list of parts."""
        return self.record("user", message={"role": "user", "content": content}, **fields)

    def assistant(self, *blocks: Json, **fields: Any) -> Transcript:
        """Blocks of the agent's message."""
        message = {"role": "assistant", "id": f"msg_{len(self.lines)}", "content": list(blocks)}
        return self.record("assistant", message=message, **fields)

    def call(self, id_: str, name: str, given: Json, **fields: Any) -> Transcript:
        """A tool call."""
        return self.assistant({"type": "tool_use", "id": id_, "name": name, "input": given}, **fields)

    def result(
        self, id_: str, content: Any, *, error: bool | None = False, told: Any = ..., **fields: Any
    ) -> Transcript:
        """A tool's result; ``told`` is its ``toolUseResult``."""
        block = {"type": "tool_result", "tool_use_id": id_, "content": content, "is_error": error}
        return self.user([block], toolUseResult=told, **fields)

    def bash(
        self, id_: str, command: str, output: str = "", *, error: bool = False, **told: Any
    ) -> Transcript:
        """A shell command with its result."""
        result = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False, **told}
        self.call(id_, "Bash", {"command": command})
        return self.result(id_, output, error=error, told=f"Error: {output}" if error else result)

    def edit(self, id_: str, path: str, old: str, new: str, **told: Any) -> Transcript:
        """An edit that was made."""
        self.call(id_, "Edit", {"file_path": path, "old_string": old, "new_string": new})
        result = {"filePath": path, "oldString": old, "newString": new, **told}
        return self.result(id_, f"The file {path} has been updated.", error=None, told=result)

    def background(self, id_: str, command: str, task: str, description: str = "") -> Transcript:
        """A shell command that goes on in the background, writing to ``/tmp/tasks/<task>.output``."""
        self.call(id_, "Bash", {"command": command, "run_in_background": True, "description": description})
        text = f"Command running in background with ID: {task}."
        text += f" Output is being written to: /tmp/tasks/{task}.output"
        return self.result(id_, text, told={"stdout": "", "stderr": "", "backgroundTaskId": task})

    def queue(self, operation: str, content: str | None = None) -> Transcript:
        """A queue operation."""
        self.clock += 1
        value: Json = {"type": "queue-operation", "operation": operation, "sessionId": self.session}
        value["timestamp"] = f"2026-05-04T10:{self.clock // 60:02d}:{self.clock % 60:02d}.000Z"
        if content is not None:
            value["content"] = content
        return self.raw(json.dumps(value).encode())

    def attachment(self, kind: str, **fields: Any) -> Transcript:
        """An attachment."""
        return self.record("attachment", attachment={"type": kind, **fields})


def notification(
    task: str, status: str, summary: str, call: str = "REDACTED", result: str | None = None
) -> str:
    """The text that tells how a background task ended."""
    told = f"<result>{result}</result>\n" if result is not None else ""
    return (
        f"<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{call}</tool-use-id>\n"
        f"<output-file>/tmp/tasks/{task}.output</output-file>\n<status>{status}</status>\n"
        f"<summary>{summary}</summary>\n{told}</task-notification>"
    )


def files(**contents: bytes) -> Callable[[str], BinaryIO | None]:
    """An opener for agents' files; the key is the agent's id."""

    def related(name: str) -> BinaryIO | None:
        agent = name.rpartition("agent-")[2].removesuffix(".jsonl")
        known = name == f"{SESSION}/subagents/agent-{agent}.jsonl" and agent in contents
        return io.BytesIO(contents[agent]) if known else None

    return related


def agent_file(agent: str, *, start: int = 0) -> Transcript:
    transcript = Transcript(isSidechain=True, agentId=agent)
    transcript.session = f"{agent}-file"
    transcript.clock = start
    transcript.user("do the part").edit(f"{agent}-e", CART, "a", "b")
    return transcript.bash(f"{agent}-b", "pytest", "1 passed")


def completed(agent: str) -> dict[str, Any]:
    return {"status": "completed", "agentId": agent, "content": [{"type": "text", "text": "done"}]}


def foreground(transcript: Transcript, agent: str, call: str = "t1") -> Transcript:
    transcript.call(call, "Agent", {"prompt": "do the part"})
    return transcript.result(call, [{"type": "text", "text": "done"}], error=None, told=completed(agent))


def progress(transcript: Transcript, inner: Transcript, agent: str) -> Transcript:
    for line in inner.lines:
        value = json.loads(line)
        message = {
            key: value[key]
            for key in ("type", "uuid", "message", "timestamp", "toolUseResult")
            if key in value
        }
        data = {"type": "agent_progress", "agentId": agent, "message": message, "prompt": "do the part"}
        transcript.record("progress", data=data, parentToolUseID="t1")
    return transcript


def launched(transcript: Transcript, agent: str, call: str = "t1") -> Transcript:
    transcript.call(call, "Agent", {"prompt": "do the part"})
    told = {"isAsync": True, "status": "async_launched", "agentId": agent}
    return transcript.result(call, f"Async agent launched. agentId: {agent}", error=None, told=told)


class Told:
    """The events of a reading, sorted by kind."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.requests = [event for event in events if isinstance(event, Request)]
        self.steps = [event for event in events if isinstance(event, Step)]
        self.boundaries = [event.what for event in events if isinstance(event, Boundary)]
        self.notes = [event.skill_ids for event in events if isinstance(event, NoteGiven)]

    @property
    def start(self) -> SessionStart:
        """The first event."""
        assert isinstance(self.events[0], SessionStart)
        return self.events[0]

    @property
    def end(self) -> SessionEnd:
        """The last event."""
        assert isinstance(self.events[-1], SessionEnd)
        return self.events[-1]

    @property
    def step(self) -> Step:
        """The only step."""
        assert len(self.steps) == 1, self.steps
        return self.steps[0]

    @property
    def texts(self) -> list[str]:
        """What was asked."""
        return [request.text for request in self.requests]


def read(source: Transcript | bytes, *, name: str = f"{SESSION}.jsonl", **agents: bytes) -> Told:
    """Read a transcript with its agents' files."""
    data = source.data() if isinstance(source, Transcript) else source
    return Told(list(reading.read_bytes(data, name=name, related=files(**agents))))


def read_from(data: bytes, request: Request) -> Told:
    """Read ``data`` again, beginning with ``request``."""
    digest = prefix_digest(io.BytesIO(data), request.offset)
    resume = Resume(request.offset, request.line, request.ordinal, digest)
    return Told(list(reading.read(io.BytesIO(data), name=f"{SESSION}.jsonl", resume=resume)))
