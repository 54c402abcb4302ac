"""One client's connection: a message in, what is to be sent back out.

Knows nothing of files and threads (``streams`` does) and loads memory's rooms when a tool is first called.
"""

from __future__ import annotations

import os
import re
import time

from honed._version import __version__
from honed.agents.wire import HOOK_TOOL
from honed.mcp import protocol
from honed.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    ProtocolError,
)
from honed.mcp.tools import BY_NAME, INSTRUCTIONS, TOOLS, listed, mistakes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

ROOTS_WAIT = 1.0
"""Seconds that a first call waits for the client to say where it works."""


class Ask:
    """What holds for one request: the version that it speaks, and who asks."""

    __slots__ = ("client", "version")

    def __init__(self, version: str, client: str) -> None:
        self.version = version
        self.client = client

    @property
    def is_structured(self) -> bool:
        """Whether its client knows structured answers."""
        return self.version >= protocol.STRUCTURED


class Server:
    """Serves one client from the memory in ``home``; ``folder`` is where it was started."""

    def __init__(self, home: str, folder: str, send: Callable[[bytes], None]) -> None:
        self._home = home
        self._folder = folder
        self._started_in = folder
        self._send = send
        self._version = protocol.VERSIONS[0]
        self._client = "agent"
        self._session = f"{time.strftime('%Y%m%d', time.gmtime())}-{os.urandom(5).hex()}"
        self._has_roots = False
        self._asked = 0
        self._awaited = ""

    def serve(self, receive: Callable[[float | None], bytes | None]) -> None:
        """Answer until the input is over.

        ``receive`` gives the next line within so many seconds (``None``: whenever it comes), or ``None`` for
        one that was too long; raises ``TimeoutError``, and ``EOFError`` at the end, again each time.
        """
        later: list[bytes | None] = []
        while True:
            try:
                line = later.pop(0) if later else receive(None)
            except EOFError:
                return
            if self._awaited and line is not None and b'"tools/call"' in line:
                later += self._await_roots(receive)
            self.take(line)

    def take(self, line: bytes | None) -> None:
        """Serve one line and send what it asks for."""
        try:
            message = protocol.decoded(line)
            answer = self._batch(message) if isinstance(message, list) else self._one(message)
        except ProtocolError as failure:
            answer = protocol.error(None, failure)
        if answer:
            self._send(protocol.encoded(answer))

    def _batch(self, messages: list[Any]) -> list[dict[str, object]]:
        if self._version not in protocol.BATCHES or not messages:
            raise ProtocolError(INVALID_REQUEST, f"no batches in version {self._version}, and no empty ones")
        return [answer for answer in map(self._one, messages) if answer]

    def _one(self, message: Any) -> dict[str, object] | None:
        """The answer to one message; ``None`` to a notification or an answer."""
        request = message.get("id") if isinstance(message, dict) else None
        try:
            if not isinstance(message, dict):
                raise ProtocolError(INVALID_REQUEST, "a message is an object")
            method = message.get("method")
            if method is None and ("result" in message or "error" in message):
                self._answered(message)
                return None
            if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
                raise ProtocolError(INVALID_REQUEST, 'a message has "jsonrpc": "2.0" and a method')
            if "id" not in message:
                self._notified(method)
                return None
            if not protocol.is_id(request):
                raise ProtocolError(INVALID_REQUEST, "an id is a text or a number")
            return protocol.result(request, self._asked_for(method, protocol.params_of(message)))
        except ProtocolError as failure:
            return protocol.error(request if protocol.is_id(request) else None, failure)
        except Exception as error:  # its files were deleted under it, say: the connection lives on
            fault = ProtocolError(INTERNAL_ERROR, f"honed failed: {type(error).__name__}")
            return protocol.error(request, fault) if protocol.is_id(request) else None

    def _asked_for(self, method: str, params: Mapping[str, Any]) -> Mapping[str, object]:
        """The result of a request, served by what it says of itself or else by the handshake."""
        by_itself = protocol.version_of(params)
        methods = _METHODS_NOW if by_itself else _METHODS
        serve = methods.get(method)
        if serve is None:
            if method == "server/discover":
                raise ProtocolError(INVALID_PARAMS, f"_meta: {protocol.META}protocolVersion is missing")
            raise ProtocolError(METHOD_NOT_FOUND, f"there is no method {method[:100]}")
        if not by_itself:
            return serve(self, params, Ask(self._version, self._client))
        info = protocol.meta_of(params, "clientInfo")
        client = client_name(info.get("name") if isinstance(info, dict) else None)
        told = serve(self, params, Ask(by_itself, client))
        return {"resultType": "complete", **told, "_meta": {f"{protocol.META}serverInfo": _WHO}}

    # The client's side

    def _notified(self, method: str) -> None:
        # Cancelled calls are not stopped: each is bounded, and what it wrote may be on disk already.
        if method in ("notifications/initialized", "notifications/roots/list_changed") and self._has_roots:
            self._asked += 1
            self._awaited = f"honed-roots-{self._asked}"
            self._send(protocol.encoded({"jsonrpc": "2.0", "id": self._awaited, "method": "roots/list"}))

    def _await_roots(self, receive: Callable[[float | None], bytes | None]) -> list[bytes | None]:
        """Wait for the client's roots; what else it says meanwhile is for later."""
        later: list[bytes | None] = []
        end = time.monotonic() + ROOTS_WAIT
        while self._awaited:
            try:
                line = receive(max(0.0, end - time.monotonic()))
            except (TimeoutError, EOFError):
                break
            if line is not None and b"honed-roots-" in line:
                self.take(line)
            else:
                later.append(line)
        self._awaited = ""
        return later

    def _answered(self, message: Mapping[str, Any]) -> None:
        if not self._asked or message.get("id") != f"honed-roots-{self._asked}":
            return
        self._awaited = ""
        answer = message.get("result")
        roots = answer.get("roots") if isinstance(answer, dict) else None
        named = (
            [root.get("uri") for root in roots if isinstance(root, dict)] if isinstance(roots, list) else []
        )
        self._folder = folder_of([uri for uri in named if isinstance(uri, str)], self._started_in)

    # Methods

    def _initialize(self, params: Mapping[str, Any], _ask: Ask) -> dict[str, object]:
        wanted = params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise ProtocolError(INVALID_PARAMS, "protocolVersion: missing")
        self._version = wanted if wanted in protocol.VERSIONS else protocol.VERSIONS[0]
        info, able = params.get("clientInfo"), params.get("capabilities")
        self._client = client_name(info.get("name") if isinstance(info, dict) else None)
        self._has_roots = isinstance(able, dict) and isinstance(able.get("roots"), dict)
        return {
            "protocolVersion": self._version,
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": _WHO,
            "instructions": INSTRUCTIONS,
        }

    def _discover(self, _params: Mapping[str, Any], _ask: Ask) -> dict[str, object]:
        return {
            "supportedVersions": [protocol.CURRENT, *protocol.VERSIONS],
            "capabilities": {"tools": {}},
            "instructions": INSTRUCTIONS,
            **_KEPT,
        }

    def _ping(self, _params: Mapping[str, Any], _ask: Ask) -> dict[str, object]:
        return {}

    def _list(self, params: Mapping[str, Any], ask: Ask) -> dict[str, object]:
        if params.get("cursor"):
            raise ProtocolError(INVALID_PARAMS, "cursor: the list has one page")
        tools = [listed(tool, structured=ask.is_structured) for tool in TOOLS]
        return {"tools": tools, **(_KEPT if ask.version >= protocol.CURRENT else {})}

    def _call(self, params: Mapping[str, Any], ask: Ask) -> dict[str, object]:
        name, given = params.get("name"), params.get("arguments")
        if name == HOOK_TOOL:
            return _content(self._hooked(given if isinstance(given, dict) else {}), is_error=False)
        tool = BY_NAME.get(name) if isinstance(name, str) else None
        if tool is None:
            raise ProtocolError(INVALID_PARAMS, f"there is no tool {name!a:.100}; tools/list names them")
        given = {} if given is None else given
        if not isinstance(given, dict):
            raise ProtocolError(INVALID_PARAMS, "arguments must be an object")
        given = {key: value for key, value in given.items() if value is not None}
        wrong = mistakes(tool, given)
        if wrong:
            # An error of the tool, so that the model sees it and can call again.
            return _content("Wrong call. " + "; ".join(wrong[:5]), is_error=True)
        from honed.mcp.answers import Call, told

        call = Call(self._home, self._folder, ask.client, self._session, given)
        answer, failed = told(tool.name, call)
        result = _content(str(answer["text"]), is_error=failed)
        if ask.is_structured and not failed:
            result["structuredContent"] = answer
        return result

    def _hooked(self, asked: Mapping[str, object]) -> str:
        """What a hook that asks is answered: nothing, like any other, where honed's files are gone."""
        try:
            from honed.mcp import hooked
        except ImportError:
            return "{}"
        return hooked.answer(self._home, asked)


def _content(text: str, *, is_error: bool) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


_WHO = {"name": "honed", "version": __version__}
_KEPT = {"ttlMs": protocol.LIST_KEEPS_MS, "cacheScope": "public"}
_METHODS: Mapping[str, Callable[[Server, Mapping[str, Any], Ask], dict[str, object]]] = {
    "initialize": Server._initialize,
    "ping": Server._ping,
    "tools/list": Server._list,
    "tools/call": Server._call,
}
"""With a handshake."""
_METHODS_NOW: Mapping[str, Callable[[Server, Mapping[str, Any], Ask], dict[str, object]]] = {
    "server/discover": Server._discover,
    "tools/list": Server._list,
    "tools/call": Server._call,
}
"""Without one: each request says which version it speaks."""


def client_name(given: object) -> str:
    """A client's name in honed's spelling: ``claude_code``, and ``codex`` for ``codex-mcp-client``."""
    plain = re.sub(r"[^a-z0-9]+", "_", given.lower()[:200]) if isinstance(given, str) else ""
    return plain.partition("_mcp_client")[0].strip("_")[:40] or "agent"


def folder_of(uris: Iterable[str], started_in: str) -> str:
    """Where a client works: where it started the server if that is in one of its roots, else its first root.

    Roots that are no folder of this machine are passed over.
    """
    roots = [path for path in map(_path_of, uris) if path and os.path.isdir(path)]
    here = os.path.realpath(started_in)
    for root in roots:
        real = os.path.realpath(root)
        if here == real or here.startswith(os.path.join(real, "")):
            return started_in
    return roots[0] if roots else started_in


def _path_of(uri: str) -> str:
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="surrogateescape")
    except ValueError:
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path:
        return ""
    return path[1:] if os.name == "nt" and path[2:3] == ":" else path
