"""Builds Codex rollouts for tests: lines as the client writes them, with nothing of any real session."""

from __future__ import annotations

import json
from typing import Any

from honed.sessions.model import Event, Request, Step
from honed.sessions.reading import read_bytes
from honed.sessions.source import Json

THREAD = "019a0000-0000-7000-8000-000000000001"
PARENT = "0199ff00-0000-7000-8000-000000000009"
OLD_TURN = "0199ff80-0000-7000-8000-000000000007"
OWN_TURN = "019a0000-1111-7000-8000-000000000002"
FOLDER = "/home/dev/shop"


class Rollout:
    """A rollout under construction; every method adds lines and gives the rollout back."""

    def __init__(self, **meta: Any) -> None:
        self.lines: list[Json] = []
        self.second = 0
        payload = {
            "id": THREAD,
            "timestamp": "2026-03-01T09:00:00.000Z",
            "cwd": FOLDER,
            "originator": "codex-tui",
            "cli_version": "0.140.0",
            "source": "cli",
            "git": {
                "branch": "main",
                "commit_hash": "ab" * 20,
                "repository_url": "git@example.com:dev/shop.git",
            },
        }
        self.add("session_meta", {**payload, **meta})

    def add(self, kind: str, payload: Json, **beside: Any) -> Rollout:
        """One line."""
        self.second += 1
        at = f"2026-03-01T09:{self.second // 60:02d}:{self.second % 60:02d}.000Z"
        self.lines.append({"timestamp": at, "type": kind, "payload": payload, **beside})
        return self

    def item(self, **payload: Any) -> Rollout:
        """A ``response_item``."""
        return self.add("response_item", payload)

    def event(self, **payload: Any) -> Rollout:
        """An ``event_msg``."""
        return self.add("event_msg", payload)

    def message(self, text: str, role: str = "user", **more: Any) -> Rollout:
        """A message item."""
        return self.item(type="message", role=role, content=[{"type": "input_text", "text": text}], **more)

    def user(self, text: str, **more: Any) -> Rollout:
        """What a person typed: the message, then the event, as clients up to 0.145 write it."""
        return self.message(text).event(type="user_message", message=text, images=[], **more)

    def typed(self, text: str, message_id: str = "msg_1", turn: str = OWN_TURN) -> Rollout:
        """What a person typed, as the newest clients write it."""
        passed = {"turn_id": turn, "content_item_kinds": ["user.text"]}
        self.message(text, id=message_id, internal_chat_message_metadata_passthrough=passed)
        content = [{"type": "text", "text": text}]
        return self.completed(type="UserMessage", id="item-" + message_id, content=content)

    def completed(self, **item: Any) -> Rollout:
        """An ``item_completed`` event."""
        return self.event(type="item_completed", thread_id=THREAD, turn_id=OWN_TURN, item=item)

    def call(self, name: str, arguments: Any, call_id: str = "call_1", **more: Any) -> Rollout:
        """A ``function_call``."""
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return self.item(type="function_call", name=name, arguments=text, call_id=call_id, **more)

    def custom(self, name: str, text: str, call_id: str = "call_1", **more: Any) -> Rollout:
        """A ``custom_tool_call``."""
        return self.item(
            type="custom_tool_call", status="completed", name=name, input=text, call_id=call_id, **more
        )

    def output(self, output: Any, call_id: str = "call_1") -> Rollout:
        """A ``function_call_output``."""
        return self.item(type="function_call_output", call_id=call_id, output=output)

    def printed(self, *items: str, call_id: str = "call_1", how: str = "completed") -> Rollout:
        """The output of a code-mode program."""
        texts = [f"Script {how}\nWall time 0.4 seconds\nOutput:\n", *items]
        listed = [{"type": "input_text", "text": text} for text in texts]
        return self.item(type="custom_tool_call_output", call_id=call_id, output=listed)

    def data(self) -> bytes:
        """The file."""
        return "".join(json.dumps(line) + "\n" for line in self.lines).encode()

    def events(self) -> list[Event]:
        """What the reader says of it."""
        return list(read_bytes(self.data(), name=f"rollout-2026-03-01T09-00-00-{THREAD}.jsonl"))

    def steps(self) -> list[Step]:
        """Its steps."""
        return [event for event in self.events() if isinstance(event, Step)]

    def step(self) -> Step:
        """Its only step."""
        (step,) = self.steps()
        return step

    def requests(self) -> list[Request]:
        """Its requests."""
        return [event for event in self.events() if isinstance(event, Request)]


def exited(code: int, text: str) -> str:
    """What ``exec_command`` answers when the process has ended."""
    return (
        f"Chunk ID: 1a2b3c\nWall time: 0.1000 seconds\nProcess exited with code {code}\n"
        f"Original token count: 9\nOutput:\n{text}"
    )


def running(session: int, text: str = "") -> str:
    """What ``exec_command`` answers while the process runs on."""
    return (
        f"Chunk ID: 1a2b3c\nWall time: 10.0000 seconds\nProcess running with session ID {session}\n"
        f"Original token count: 9\nOutput:\n{text}"
    )


def result(code: int | None, text: str, session: int | None = None) -> str:
    """What a code-mode program prints of a command when it prints the whole object."""
    value: Json = {"chunk_id": "9f", "wall_time_seconds": 0.2, "output": text}
    if code is not None:
        value["exit_code"] = code
    if session is not None:
        value["session_id"] = session
    return json.dumps(value)


def patch(*files: str) -> str:
    """A patch of the given file sections."""
    return "\n".join(["*** Begin Patch", *files, "*** End Patch"]) + "\n"


UPDATE = """*** Update File: cart.py
@@ def total(items):
     amount = 0
-    return amount - 1
+    return amount"""
APPLIED = "Success. Updated the following files:\nM cart.py\n"
