"""JSON-RPC 2.0 in lines, as MCP speaks it over standard streams: bytes in, messages out, and back.

Source: the specification's pages "Base protocol" and "Transports", versions 2024-11-05 to 2025-11-25.
Written by hand (docs/decisions/0006).  Answers are ASCII, so no locale can break them.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Newest first; dates, so they compare as texts."""
BATCHES = ("2025-03-26",)
"""Only this one has batches: it brought them, the next one took them away."""
STRUCTURED = "2025-06-18"
"""From here on tools have output schemas and structured content."""
LINE_LIMIT = 4 * 1024 * 1024
"""Bytes of one line."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602


class ProtocolError(Exception):
    """A message that cannot be served; ``code`` as JSON-RPC numbers them."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Lines:
    """Cuts a stream of bytes into lines; one over ``limit`` is given as ``None`` and thrown away."""

    __slots__ = ("_kept", "_limit", "_skipping")

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._kept = bytearray()
        self._limit = limit
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """The lines that ``data`` completes."""
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            yield from self._ended(data[start:end])
            start = end + 1
        self._keep(data[start:])

    def rest(self) -> Iterator[bytes | None]:
        """What stands behind the last line end when the stream is over."""
        if self._kept or self._skipping:
            yield from self._ended(b"")

    def _ended(self, last: bytes) -> Iterator[bytes | None]:
        self._keep(last)
        line, skipped = bytes(self._kept), self._skipping
        self._kept.clear()
        self._skipping = False
        if skipped:
            yield None
        elif line.strip():
            yield line

    def _keep(self, data: bytes) -> None:
        if self._skipping or len(self._kept) + len(data) > self._limit:
            self._skipping = True
            self._kept.clear()
        else:
            self._kept += data


def decoded(line: bytes | None) -> Any:
    """The message in a line.  Raises ``ProtocolError`` for what is none."""
    if line is None:
        raise ProtocolError(INVALID_REQUEST, f"a line over {LINE_LIMIT} bytes was thrown away")
    try:
        return json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ProtocolError(PARSE_ERROR, f"byte {error.start} is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise ProtocolError(PARSE_ERROR, f"not JSON: {type(error).__name__}") from error


def encoded(message: object) -> bytes:
    """A message as one line."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def is_id(value: object) -> bool:
    """Whether a value can be a request's id: a text or a number, nothing else."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def result(request: object, value: Mapping[str, object]) -> dict[str, object]:
    """The answer to a request."""
    return {"jsonrpc": "2.0", "id": request, "result": value}


def error(request: object, failure: ProtocolError) -> dict[str, object]:
    """The answer to a request that cannot be served; ``request`` is ``None`` where it has no id."""
    return {"jsonrpc": "2.0", "id": request, "error": {"code": failure.code, "message": failure.message}}


def params_of(message: Mapping[str, object]) -> Mapping[str, object]:
    """The parameters of a request, by name.  Raises ``ProtocolError`` where they are anything else."""
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "params must be an object")
    return params
