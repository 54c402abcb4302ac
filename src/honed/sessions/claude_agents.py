"""The files in which Claude Code's sub-agents write what they do.

Since 2.1 an agent has a transcript of its own, ``<session>/subagents/agent-<id>.jsonl`` beside the session's,
of the same records (``isSidechain``, ``agentId``).  The file may be missing, half-written or still growing.
What an agent did while its caller waited stands where the call is answered.  An agent that works in the
background is woven in by the clock: both files were written by one machine, and nothing else says what came
first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from honed.sessions.claude_prompts import is_injected, kind_of_text
from honed.sessions.fields import obj, string, texts
from honed.sessions.source import Json, Opener, Record, Tally, json_lines

OPEN_LIMIT = 64
"""Agents' files kept open at once; those of further agents are not looked at."""

_SAFE_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,250}\Z")


class AgentFile:
    """One agent's transcript, read record by record up to a moment."""

    __slots__ = ("_next", "_records", "_stream", "agent_id", "line")

    def __init__(self, agent_id: str, line: int, stream: BinaryIO) -> None:
        self.agent_id = agent_id
        self.line = line
        """The line of the session's file at which the agent was started."""
        self._stream = stream
        self._records: Iterator[Record] = json_lines(stream, Tally())
        self._next = next(self._records, None)

    def until(self, moment: str) -> Iterator[Record]:
        """The records not later than ``moment`` (an ISO time of the session's file).  A record without a
        time belongs to the one before it."""
        while self._next is not None and string(self._next.value.get("timestamp")) <= moment:
            record = self._next
            self._next = next(self._records, None)
            yield record

    def turn(self) -> Iterator[Record]:
        """The records up to the prompt with which the agent was set to work once more."""
        prompted = False
        while self._next is not None:
            if _is_prompt(self._next.value):
                if prompted:
                    return
                prompted = True
            record = self._next
            self._next = next(self._records, None)
            yield record

    def rest(self) -> Iterator[Record]:
        """All records that are left."""
        while self._next is not None:
            record = self._next
            self._next = next(self._records, None)
            yield record

    @property
    def exhausted(self) -> bool:
        """Whether every record was given."""
        return self._next is None

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()


def _is_prompt(value: Json) -> bool:
    if value.get("type") != "user" or is_injected(value):
        return False
    text = texts(obj(value.get("message")).get("content"))
    return bool(text) and kind_of_text(text) == "words"


def open_agent_file(agent_id: str, line: int, folders: tuple[str, ...], related: Opener) -> AgentFile | None:
    """The transcript of ``agent_id`` in the first of ``folders`` that has it; ``None`` when none has."""
    if not _SAFE_NAME.match(agent_id):
        return None
    for folder in folders:
        if not _SAFE_NAME.match(folder):
            continue
        stream = related(f"{folder}/subagents/agent-{agent_id}.jsonl")
        if stream is not None:
            return AgentFile(agent_id, line, stream)
    return None
