"""A failing run whose shell line hid its failure (``pytest | tail``, ``make; echo done``).

Claude Code tells a hook of a failed tool only by the exit status of the whole line.  So the next hook looks
at the end of the transcript: at the last tools' results, and at the lines that gave them.  Bounded: one
read of the end, no look at anything before it.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os

from honed.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TAIL = 96 * 1024
"""Bytes of the transcript's end that are looked at; Claude Code writes at most 30 KB of an output."""
_HIDES = ("|", ";", "\n", "&")
"""What a line must hold to end well although a command in it failed."""
_SHOWS = frozenset("cat grep rg ag less head tail sed awk echo printf ls find diff git".split())
"""Programs that only show a text; an error in it is none of theirs."""
_HINTS = (
    "error", "exception", "fail", "fatal", "panic", "not found", "no such", "cannot", "can't", "undefined",
    "unresolved", "unknown", "missing", "denied", "refused", "invalid",
)  # fmt: skip
"""What an output holds, one of them, that shows an error; any other is not looked at further."""
_RESULTS = 8
"""Results that are looked at, from the last one back: between a failure and the change that it leads to an
agent looks around, and no hook is started for that."""
_LINES = 12
"""Lines that name a call, of which one is the call itself; hooks leave theirs beside it."""


def hidden_failure(transcript: str) -> str:
    """What one of the last tool calls printed, where it was a shell line that may have hidden a failure, and
    none since began with the same words.

    Empty for any other calls, and for a transcript that cannot be read.
    """
    raw = _tail(transcript)
    end = len(raw)
    since: set[str] = set()
    for _ in range(_RESULTS):
        at = raw.rfind(b'"tool_result"', 0, end)
        if at < 0:
            break
        end = raw.rfind(b"\n", 0, at) + 1
        call, output = _result(_object(raw[end:].partition(b"\n")[0]))
        line = _command(raw[:end], call) if call else ""
        if _may_hide(line, output) and _begin(line) not in since:
            return output
        since.add(_begin(line))
    return ""


def _begin(line: str) -> str:
    """The first words of a shell line: what was run again since is no news."""
    return " ".join(line.split(None, 3)[:3])


def _may_hide(line: str, output: str) -> bool:
    """Whether the shell line that printed ``output`` may have hidden a failure."""
    first = os.path.basename(line.split(None, 1)[0]) if line.strip() else ""
    if not first or first in _SHOWS or not any(mark in line for mark in _HIDES):
        return False
    shown = output.lower()
    return any(hint in shown for hint in _HINTS)


def _tail(path: str) -> bytes:
    plain = os.path.isabs(path) and "\0" not in path and path.endswith(".jsonl")
    try:
        if not plain or not os.path.isfile(path):
            return b""
        with open(path, "rb", 0) as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - TAIL))
            return file.read(TAIL)
    except (OSError, ValueError):
        return b""


def _object(line: bytes) -> Mapping[str, object]:
    try:
        value = loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _blocks(record: Mapping[str, object], kind: str) -> Iterator[Mapping[str, object]]:
    """The parts of a record's message that are of ``kind``."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == kind:
            yield block


def _result(record: Mapping[str, object]) -> tuple[str, str]:
    """The id of the call and what it printed; empty for a call that failed openly, or no shell's."""
    result = record.get("toolUseResult")
    if record.get("isSidechain") or not isinstance(result, dict):
        return "", ""
    texts = [text for name in ("stdout", "stderr") if isinstance(text := result.get(name), str)]
    for block in _blocks(record, "tool_result"):
        call = block.get("tool_use_id")
        if isinstance(call, str) and not block.get("is_error"):
            return call, "\n".join(texts)
    return "", ""


def _command(raw: bytes, call: str) -> str:
    """The shell line of a call, looked for from the end of ``raw``."""
    name = call.encode("utf-8", "replace")
    end = len(raw)
    for _ in range(_LINES):
        at = raw.rfind(name, 0, end)
        if at < 0:
            break
        end = raw.rfind(b"\n", 0, at) + 1
        for block in _blocks(_object(raw[end:].partition(b"\n")[0]), "tool_use"):
            given = block.get("input")
            if block.get("id") == call and block.get("name") == "Bash" and isinstance(given, dict):
                command = given.get("command")
                return command if isinstance(command, str) else ""
    return ""
