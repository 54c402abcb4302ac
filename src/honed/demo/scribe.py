"""Writes transcripts in the shape in which Claude Code and Codex leave them.

Just the records that a session needs to be read: enough for the demo and for tests to tell stories in.
"""

from __future__ import annotations

import json
from typing import Protocol


class Scribe(Protocol):
    """Tells one session, step by step; ``said`` is what the agent said so far."""

    said: list[str]

    def asks(self, text: str) -> None:
        """The user asks for something."""

    def runs(self, command: str, output: str, code: int = 0) -> None:
        """The agent runs a command line."""

    def edits(self, path: str, old: str, new: str) -> None:
        """The agent changes a file (creates it, where ``old`` is empty)."""

    def says(self, text: str) -> None:
        """The agent says something."""

    def text(self) -> str:
        """The transcript so far."""


class ClaudeScribe:
    """A Claude Code session in ``folder``, beginning at ``day`` (YYYY-MM-DD)."""

    def __init__(self, session: str, folder: str, day: str) -> None:
        self._session = session
        self._folder = folder
        self._day = day
        self._lines: list[str] = []
        self._calls = 0
        self.said: list[str] = []

    def _record(self, kind: str, message: dict[str, object], **more: object) -> None:
        number = len(self._lines)
        record = {
            "type": kind,
            "uuid": f"{self._session}-{number:04d}",
            "parentUuid": f"{self._session}-{number - 1:04d}" if number else None,
            "sessionId": self._session,
            "cwd": self._folder,
            "version": "2.1.100",
            "gitBranch": "main",
            "isSidechain": False,
            "timestamp": f"{self._day}T09:{number // 60:02d}:{number % 60:02d}.000Z",
            "message": message,
        } | more
        self._lines.append(json.dumps(record))

    def _call(self, tool: str, given: dict[str, object]) -> str:
        self._calls += 1
        call = f"toolu_{self._session[:8]}_{self._calls:03d}"
        block = {"type": "tool_use", "id": call, "name": tool, "input": given}
        self._record("assistant", {"role": "assistant", "id": f"msg_{self._calls}", "content": [block]})
        return call

    def _result(self, call: str, content: str, result: object, *, error: bool = False) -> None:
        block = {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": error}
        self._record("user", {"role": "user", "content": [block]}, toolUseResult=result)

    def asks(self, text: str) -> None:
        self._record("user", {"role": "user", "content": text}, promptSource="typed")

    def runs(self, command: str, output: str, code: int = 0) -> None:
        call = self._call("Bash", {"command": command})
        if code:
            content = f"Exit code {code}\n{output}"
            self._result(call, content, f"Error: {content}", error=True)
        else:
            self._result(
                call, output, {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
            )

    def edits(self, path: str, old: str, new: str) -> None:
        where = f"{self._folder}/{path}"
        if not old:
            call = self._call("Write", {"file_path": where, "content": new})
            self._result(
                call, f"File created: {where}", {"type": "create", "filePath": where, "content": new}
            )
            return
        call = self._call("Edit", {"file_path": where, "old_string": old, "new_string": new})
        result = {"filePath": where, "oldString": old, "newString": new, "replaceAll": False}
        self._result(call, f"The file {where} has been updated.", result)

    def says(self, text: str) -> None:
        self.said.append(text)
        self._record("assistant", {"role": "assistant", "content": [{"type": "text", "text": text}]})

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"


class CodexScribe:
    """A Codex session in ``folder``, beginning at ``day`` (YYYY-MM-DD)."""

    def __init__(self, session: str, folder: str, day: str) -> None:
        self._folder = folder
        self._day = day
        self._lines: list[str] = []
        self._calls = 0
        self.said: list[str] = []
        meta: dict[str, object] = {
            "id": session,
            "cwd": folder,
            "originator": "codex_exec",
            "cli_version": "0.171.0",
            "source": "cli",
        }
        self._record("session_meta", meta)

    def _record(self, kind: str, payload: dict[str, object]) -> None:
        number = len(self._lines)
        stamp = f"{self._day}T14:{number // 60:02d}:{number % 60:02d}.000Z"
        self._lines.append(json.dumps({"timestamp": stamp, "type": kind, "payload": payload}))

    def asks(self, text: str) -> None:
        self._record("event_msg", {"type": "user_message", "message": text, "images": []})

    def runs(self, command: str, output: str, code: int = 0) -> None:
        call = self._next()
        given = json.dumps({"cmd": command, "workdir": self._folder})
        self._record(
            "response_item",
            {"type": "function_call", "name": "exec_command", "arguments": given, "call_id": call},
        )
        text = f"Chunk ID: {call}\nWall time: 0.9 seconds\nProcess exited with code {code}\nOutput:\n{output}"
        self._record("response_item", {"type": "function_call_output", "call_id": call, "output": text})

    def edits(self, path: str, old: str, new: str) -> None:
        call = self._next()
        if old:
            lines = [f"-{line}" for line in old.splitlines()] + [f"+{line}" for line in new.splitlines()]
            head = [f"*** Update File: {path}", "@@"]
        else:
            lines = [f"+{line}" for line in new.splitlines()]
            head = [f"*** Add File: {path}"]
        patch = "\n".join(["*** Begin Patch", *head, *lines, "*** End Patch"])
        self._record(
            "response_item",
            {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": call},
        )
        done = json.dumps(
            {"output": f"Success. Updated the following files:\nM {path}\n", "metadata": {"exit_code": 0}}
        )
        self._record("response_item", {"type": "custom_tool_call_output", "call_id": call, "output": done})

    def says(self, text: str) -> None:
        self.said.append(text)
        content = [{"type": "output_text", "text": text}]
        self._record("response_item", {"type": "message", "role": "assistant", "content": content})

    def _next(self) -> str:
        self._calls += 1
        return f"call_{self._calls:03d}"

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"
