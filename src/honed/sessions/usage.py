"""What a session cost, from its transcript's own records: tokens, tool calls, the time in which it worked.

Only lines that hold usage or calls are parsed; this is no reader and judges nothing.  Sources for the fields
are named in docs/clients.md.  Tokens are split alike for all clients: ``input`` was read anew (written to a
cache or not), ``cached`` came from a cache, ``output`` was written, thinking included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from typing import BinaryIO

from honed.sessions.codex_start import Copy, parents_copy
from honed.sessions.fields import array, obj, string, whole
from honed.sessions.model import SessionStart
from honed.sessions.source import Json, Tally, parse, raw_lines

PAUSE = 600
"""Seconds: a longer gap between two records is somebody's absence, not work."""
RECALL = "memory_recall"
_HEAD = 16
"""Lines in which a transcript says whose it is."""
_STAMP = re.compile(rb'"timestamp"\s*:\s*"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?)')


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a session or of one answer in it."""

    input: int = 0
    cached: int = 0
    output: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.input + other.input, self.cached + other.cached, self.output + other.output)

    def beyond(self, other: Tokens) -> Tokens:
        """What these are more than the ``other``; a total that began anew is whole."""
        if other.total > self.total:
            return self
        left = (self.input - other.input, self.cached - other.cached, self.output - other.output)
        return Tokens(*(max(0, one) for one in left))

    @property
    def total(self) -> int:
        """All of them."""
        return self.input + self.cached + self.output


@dataclass(frozen=True, slots=True)
class Cost:
    """``tokens`` (``None`` where the client wrote no usage), ``calls`` of tools, those among them that
    ``asked`` honed itself, and ``seconds`` in which something happened."""

    tokens: Tokens | None
    calls: int
    asked: int
    seconds: int


@dataclass(frozen=True, slots=True)
class _Row:
    """How one client writes it: bytes without which a line says nothing, what answers it tells of (by the
    answer's id; told again, the later one holds), and which calls (id and tool).  ``copied`` says how many
    lines at the beginning are a copy of another session's, whose totals this one goes on counting."""

    marks: tuple[bytes, ...]
    tokens: Callable[[Json], Iterable[tuple[str, Tokens]]]
    calls: Callable[[Json], Iterable[tuple[str, str]]]
    copied: Callable[[Sequence[bytes]], Copy | None] = lambda _head: None


def _claude_tokens(value: Json) -> Iterator[tuple[str, Tokens]]:
    message = obj(value.get("message"))
    usage = message.get("usage")
    if value.get("type") == "assistant" and isinstance(usage, dict):
        # One answer is several records with the same usage, of which the last has all of the output.
        yield (
            string(message.get("id")) or string(value.get("uuid")),
            Tokens(
                _sum(usage, "input_tokens", "cache_creation_input_tokens"),
                _sum(usage, "cache_read_input_tokens"),
                _sum(usage, "output_tokens"),
            ),
        )


def _claude_calls(value: Json) -> Iterator[tuple[str, str]]:
    if value.get("type") == "assistant":
        for block in map(obj, array(obj(value.get("message")).get("content"))):
            if block.get("type") == "tool_use":
                yield string(block.get("id")), string(block.get("name"))


def _codex_tokens(value: Json) -> Iterator[tuple[str, Tokens]]:
    payload = obj(value.get("payload"))
    total = obj(payload.get("info")).get("total_token_usage")
    if payload.get("type") == "token_count" and isinstance(total, dict):
        cached = _sum(total, "cached_input_tokens")
        yield "", Tokens(max(0, _sum(total, "input_tokens") - cached), cached, _sum(total, "output_tokens"))


def _codex_copied(head: Sequence[bytes]) -> Copy | None:
    """The parent's lines at the beginning of a forked or spawned thread."""
    values = [value for line in head if (value := parse(line)) is not None]
    metas = [obj(value.get("payload")) for value in values if value.get("type") == "session_meta"]
    start = SessionStart(string(metas[0].get("id")), "codex") if metas else None
    return parents_copy(start, values) if start is not None else None


_CODEX_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})


def _codex_calls(value: Json) -> Iterator[tuple[str, str]]:
    payload = obj(value.get("payload"))
    if value.get("type") == "response_item" and payload.get("type") in _CODEX_CALLS:
        yield string(payload.get("call_id")) or string(payload.get("id")), string(payload.get("name"))


def _copilot_tokens(value: Json) -> Iterator[tuple[str, Tokens]]:
    if value.get("type") == "session.shutdown":
        for model, metrics in obj(obj(value.get("data")).get("modelMetrics")).items():
            usage = obj(obj(metrics).get("usage"))
            cached = _sum(usage, "cacheReadTokens")
            read = max(0, _sum(usage, "inputTokens") - cached)
            yield f"{value.get('id')}:{model}", Tokens(read, cached, _sum(usage, "outputTokens"))


def _copilot_calls(value: Json) -> Iterator[tuple[str, str]]:
    data = obj(value.get("data"))
    if value.get("type") == "tool.execution_start":
        yield string(data.get("toolCallId")), string(data.get("toolName"))


def _pi_tokens(value: Json) -> Iterator[tuple[str, Tokens]]:
    usage = obj(value.get("message")).get("usage")
    if isinstance(usage, dict):
        read = _sum(usage, "input", "cacheWrite")
        yield string(value.get("id")), Tokens(read, _sum(usage, "cacheRead"), _sum(usage, "output"))


def _pi_calls(value: Json) -> Iterator[tuple[str, str]]:
    for block in map(obj, array(obj(value.get("message")).get("content"))):
        if block.get("type") == "toolCall":
            yield string(block.get("id")), string(block.get("name"))


def _gemini_tokens(value: Json) -> Iterator[tuple[str, Tokens]]:
    usage = value.get("tokens")
    if isinstance(usage, dict):
        cached = _sum(usage, "cached")
        read = max(0, _sum(usage, "input", "tool") - cached)
        yield string(value.get("id")), Tokens(read, cached, _sum(usage, "output", "thoughts"))


def _gemini_calls(value: Json) -> Iterator[tuple[str, str]]:
    for call in map(obj, array(value.get("toolCalls"))):
        yield string(call.get("id")), string(call.get("name"))


_ROWS: Mapping[str, _Row] = {
    "claude_code": _Row((b'"usage"', b'"tool_use"'), _claude_tokens, _claude_calls),
    "codex": _Row((b'"token_count"', b"_call"), _codex_tokens, _codex_calls, _codex_copied),
    "copilot": _Row((b'"session.shutdown"', b'"tool.execution_start"'), _copilot_tokens, _copilot_calls),
    "pi": _Row((b'"usage"', b'"toolCall"'), _pi_tokens, _pi_calls),
    "gemini": _Row((b'"tokens"', b'"toolCalls"'), _gemini_tokens, _gemini_calls),
}


def cost_of(lines: Iterable[bytes], client: str) -> Cost | None:
    """What the session of ``client`` cost whose transcript has these ``lines``; ``None`` for a client that
    honed knows no records of."""
    row = _ROWS.get(client)
    if row is None:
        return None
    answers: dict[str, Tokens] = {}
    before: dict[str, Tokens] = {}
    calls: dict[str, str] = {}
    seconds, last = 0.0, 0.0
    stream = iter(lines)
    head = list(islice(stream, _HEAD))
    copy = row.copied(head)
    for line in chain(head, stream):
        if copy is not None:
            value = parse(line)
            if value is None or copy.holds(value, obj(value.get("payload"))):
                before.update(row.tokens(value or {}))
                continue
            copy = None
        at = _time_of(line)
        if at:
            seconds += at - last if last and 0 < at - last <= PAUSE else 0
            last = at
        value = parse(line) if any(mark in line for mark in row.marks) else None
        if value is not None:
            answers.update(row.tokens(value))
            calls.update(row.calls(value))
    own = [told.beyond(before.get(name, Tokens())) for name, told in answers.items()]
    tokens = sum(own, Tokens()) if own else None
    asked = sum(RECALL in tool for tool in calls.values())
    return Cost(tokens, len(calls), asked, round(seconds))


def together(parts: Iterable[Cost]) -> Cost | None:
    """A session and its sub-agents as one; they work at the same time, so the time is the longest one's."""
    found = list(parts)
    if not found:
        return None
    known = [part.tokens for part in found if part.tokens is not None]
    return Cost(
        sum(known, Tokens()) if known else None,
        sum(part.calls for part in found),
        sum(part.asked for part in found),
        max(part.seconds for part in found),
    )


def _time_of(line: bytes) -> float:
    """Seconds since 1970 of a record, 0 where it has no sound time."""
    stamp = _STAMP.search(line)
    try:
        return datetime.fromisoformat(stamp[1].decode() + "+00:00").timestamp() if stamp else 0.0
    except ValueError:
        return 0.0


def _sum(usage: Mapping[str, object], *names: str) -> int:
    return sum(max(0, whole(usage.get(name)) or 0) for name in names)


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of an open transcript that are short enough to be read."""
    for _, _, raw in raw_lines(stream, Tally()):
        yield raw
