"""JSON-RPC 2.0 in lines, as MCP speaks it over standard streams: bytes in, messages out, and back.

Source: the specification's pages "Base protocol", "Transports" and "Versioning", versions 2024-11-05 to
2026-07-28.  Up to 2025-11-25 a handshake says for the whole connection which version is spoken and by whom;
from 2026-07-28 on every request says so itself, in its ``_meta``, and no handshake is made.  Both are served,
each request by what it says.
Written by hand (docs/decisions/0006).  Answers are ASCII, so no locale can break them.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

CURRENT = "2026-07-28"
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Those with a handshake, newest first; dates, so they compare as texts."""
META = "io.modelcontextprotocol/"
"""How the keys of ``_meta`` begin that are the protocol's own."""
LIST_KEEPS_MS = 3_600_000
"""Milliseconds for which a client may keep the list of tools: it is the same as long as the process lives."""
BATCHES = ("2025-03-26",)
"""Only this one has batches: it brought them, the next one took them away."""
STRUCTURED = "2025-06-18"
"""From here on tools have output schemas and structured content."""
LINE_LIMIT = 4 * 1024 * 1024
"""Bytes of one line."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, UNSUPPORTED_VERSION = -32603, -32022


class ProtocolError(Exception):
    """A message that cannot be served; ``code`` as JSON-RPC numbers them, ``data`` where it asks for more."""

    def __init__(self, code: int, message: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


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
    told: dict[str, object] = {"code": failure.code, "message": failure.message}
    if failure.data is not None:
        told["data"] = failure.data
    return {"jsonrpc": "2.0", "id": request, "error": told}


def params_of(message: Mapping[str, object]) -> Mapping[str, object]:
    """The parameters of a request, by name.  Raises ``ProtocolError`` where they are anything else."""
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "params must be an object")
    return params


def version_of(params: Mapping[str, object]) -> str:
    """The version that a request speaks by itself; empty where the handshake says it.

    Raises ``ProtocolError`` for one that nobody here speaks, naming those that are spoken.
    """
    version = meta_of(params, "protocolVersion")
    if version is None or version in VERSIONS:
        return ""
    if version == CURRENT:
        return CURRENT
    data = {"supported": [CURRENT, *VERSIONS], "requested": version if isinstance(version, str) else ""}
    raise ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def meta_of(params: Mapping[str, object], name: str) -> object:
    """A value of the protocol's own in a request's ``_meta``; ``None`` where there is none."""
    meta = params.get("_meta")
    return meta.get(META + name) if isinstance(meta, dict) else None
