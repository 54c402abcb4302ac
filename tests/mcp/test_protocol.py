"""The protocol: versions, errors, batches, and lines that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.mcp.protocol import CURRENT, LINE_LIMIT, VERSIONS, Lines
from honed.mcp.server import Server, client_name, folder_of
from honed.memory import Memory
from tests.doors.telling import a_shop
from tests.mcp.speaking import READY, Talk, call, hello, line, request


@pytest.mark.parametrize("version", VERSIONS)
def test_a_known_version_is_answered_with_itself(home: Path, shop: Path, version: str) -> None:
    told = Talk(home, shop, version=version).handshake["result"]
    assert told["protocolVersion"] == version
    assert told["serverInfo"]["name"] == "honed"
    assert set(told["capabilities"]) == {"tools"}


def test_an_unknown_version_is_answered_with_the_newest(home: Path, shop: Path) -> None:
    assert Talk(home, shop, version="1999-01-01").handshake["result"]["protocolVersion"] == VERSIONS[0]


def test_only_versions_that_know_structured_answers_are_given_any(home: Path, shop: Path) -> None:
    for version in VERSIONS:
        talk = Talk(home, shop, version=version)
        knows = version >= "2025-06-18"
        tools = talk.says(request(1, "tools/list"))["result"]["tools"]
        assert all(("outputSchema" in tool) is knows for tool in tools)
        assert ("structuredContent" in talk.says(call(2, "memory_list"))["result"]) is knows


def now(number: object, method: str, version: str = CURRENT, **params: object) -> dict[str, object]:
    """A request that says by itself which version it speaks, and by whom."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "codex", "version": "1"},
    }
    return request(number, method, {**params, "_meta": meta})


def a_server(home: Path, folder: Path) -> tuple[Server, list[Any]]:
    """A server to which nobody has said anything, and what it sends."""
    sent: list[Any] = []
    return Server(str(home), str(folder), lambda data: sent.append(json.loads(data))), sent


def test_without_a_handshake_every_request_says_what_it_speaks(home: Path, shop: Path) -> None:
    server, sent = a_server(home, shop)
    note = {"slug": "use-make", "title": "Use make", "body": "make test runs all of it"}
    for message in (
        now(1, "server/discover"),
        now(2, "tools/list"),
        now(3, "tools/call", name="memory_write", arguments=note),
        now(4, "tools/call", name="memory_get", arguments={"slug": "use-make"}),
        now(5, "tools/call", name="memory_get", arguments={"slug": "gone"}),
    ):
        server.take(line(message))
    found, tools, wrote, read, gone = [one["result"] for one in sent]
    assert found["supportedVersions"] == [CURRENT, *VERSIONS]
    assert found["capabilities"] == {"tools": {}}
    assert "memory_recall" in found["instructions"]
    assert len(tools["tools"]) == 10
    assert all("outputSchema" in tool for tool in tools["tools"])
    for one in (found, tools):
        assert one["ttlMs"] > 0
        assert one["cacheScope"] in ("public", "private")
    for one in (found, tools, wrote, read, gone):
        assert one["resultType"] == "complete"
        assert one["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "honed"
    assert [one["isError"] for one in (wrote, read, gone)] == [False, False, True]
    assert read["structuredContent"]["origin"] == "agent"


def test_who_asks_is_taken_from_each_request_and_never_from_an_earlier_one(home: Path, shop: Path) -> None:
    server, _ = a_server(home, shop)
    server.take(line(hello(name="claude-code")))
    server.take(line(READY))
    for slug, name in (("first", "codex-mcp-client"), ("second", "cursor")):
        note = {"slug": slug, "title": slug, "body": f"{slug} {slug}", "force": True}
        call_now = now(slug, "tools/call", arguments=note)
        call_now["params"] |= {"name": "memory_write"}  # type: ignore[operator]
        call_now["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] = name  # type: ignore[index]
        server.take(line(call_now))
    server.take(line(call("third", "memory_write", slug="third", title="third", body="third third")))
    with Memory.open(str(home)) as memory:
        actors = {
            slug: memory.show(slug, str(shop)).history[0].entry.actor for slug in ("first", "second", "third")
        }
    assert actors == {"first": "agent:codex", "second": "agent:cursor", "third": "agent:claude_code"}


def test_both_eras_are_served_on_one_connection(home: Path, shop: Path) -> None:
    server, sent = a_server(home, shop)
    server.take(line(now(1, "tools/list")))
    server.take(line(hello("2025-03-26")))
    server.take(line(READY))
    server.take(line(request(2, "tools/list")))
    server.take(line(now(3, "tools/list")))
    server.take(line(request(4, "ping")))
    first, greeted, second, third, ping = [one["result"] for one in sent]
    assert greeted["protocolVersion"] == "2025-03-26"
    assert first == third
    assert set(second) == {"tools"}
    assert not any("outputSchema" in tool for tool in second["tools"])
    assert ping == {}


@pytest.mark.parametrize("version", ["1900-01-01", "2099-01-01", "", 7])
def test_a_version_that_is_not_spoken_is_refused_with_those_that_are(
    home: Path, shop: Path, version: Any
) -> None:
    server, sent = a_server(home, shop)
    server.take(line(now(1, "server/discover", version)))
    failure = sent[0]["error"]
    assert failure["code"] == -32022
    assert failure["data"]["supported"] == [CURRENT, *VERSIONS]
    assert failure["data"]["requested"] == (version if isinstance(version, str) else "")


def test_what_only_the_other_era_has_is_no_method(home: Path, shop: Path) -> None:
    server, sent = a_server(home, shop)
    for message in (now(1, "ping"), now(2, "initialize"), request(3, "server/discover", {})):
        server.take(line(message))
    assert [one["error"]["code"] for one in sent] == [-32601, -32601, -32602]


def test_a_ping_is_answered_with_nothing_in_it(talk: Talk) -> None:
    assert talk.says(request("p", "ping")) == {"jsonrpc": "2.0", "id": "p", "result": {}}


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (request(1, "resources/list"), -32601),
        (request(1, "tools/call", {"name": "memory_delete", "arguments": {}}), -32602),
        (request(1, "tools/call", {"arguments": {}}), -32602),
        (request(1, "tools/call", {"name": "memory_list", "arguments": []}), -32602),
        (request(1, "tools/call", [1, 2]), -32602),
        (request(1, "tools/call", "x"), -32602),
        (request(1, "tools/list", {"cursor": "2"}), -32602),
        (request(1, "initialize", {}), -32602),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": [1], "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600),
        (5, -32600),
        ("ping", -32600),
        (None, -32600),
        ([], -32600),
        ([request(1, "ping")], -32600),
    ],
)
def test_what_cannot_be_served_is_answered_with_its_code(talk: Talk, message: Any, code: int) -> None:
    answer = talk.says(message)
    assert answer["error"]["code"] == code
    own = message.get("id") if isinstance(message, dict) else None
    assert answer["id"] == (own if isinstance(own, int) and own is not True else None)


@pytest.mark.parametrize(
    "data",
    [
        b"garbage",
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping"',
        b'{"a": "\xff\xfe"}',
        b"\x00\x00",
        b'{"a":"\x00"}',
        b"[" * 200_000,
        b"1" * 5000,
        "{'id': 1}".encode("utf-16"),
    ],
)
def test_a_line_that_is_no_json_is_told_so(talk: Talk, data: bytes) -> None:
    answer = talk.says_bytes(data)
    assert answer["id"] is None
    assert answer["error"]["code"] in (-32700, -32600)
    assert talk.says(request(2, "ping"))["result"] == {}


@pytest.mark.parametrize(
    "message",
    [
        READY,
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "reason": "x"}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled"},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of", "params": 7},
        {"jsonrpc": "2.0", "id": 99, "result": {"roots": [{"uri": "file:///"}]}},
        {"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "no"}},
    ],
)
def test_notifications_and_answers_are_not_answered(talk: Talk, message: Any) -> None:
    assert talk.says(message) is None


def test_a_batch_is_answered_as_one_where_the_version_has_batches(home: Path, shop: Path) -> None:
    talk = Talk(home, shop, version="2025-03-26")
    told = talk.says([request(1, "ping"), READY, request(2, "nothing"), 7])
    assert [one["id"] for one in told] == [1, 2, None]
    assert talk.says([READY]) is None
    assert talk.says([])["error"]["code"] == -32600


def test_a_byte_order_mark_in_front_is_no_harm(talk: Talk) -> None:
    assert talk.says_bytes(b"\xef\xbb\xbf" + line(request(1, "ping")))["result"] == {}


def test_a_line_that_is_too_long_is_refused_and_the_next_one_served(talk: Talk) -> None:
    lines = Lines()
    stream = b'{"x":"' + b"a" * LINE_LIMIT + b'"}\n' + line(request(2, "ping"))
    cut = [one for at in range(0, len(stream), 65536) for one in lines.feed(stream[at : at + 65536])]
    assert cut[0] is None
    assert talk.says_bytes(cut[0])["error"]["code"] == -32600
    assert talk.says_bytes(cut[1])["result"] == {}
    assert list(lines.rest()) == []


@given(st.lists(st.binary(max_size=12)), st.lists(st.integers(1, 9), min_size=1))
def test_lines_are_the_same_however_the_stream_is_cut(parts: list[bytes], sizes: list[int]) -> None:
    stream, limit = b"\n".join(parts), 8
    wanted = [None if len(one) > limit else one for one in stream.split(b"\n")]
    lines, found, at, turn = Lines(limit), list[bytes | None](), 0, 0
    while at < len(stream):
        size = sizes[turn % len(sizes)]
        found += lines.feed(stream[at : at + size])
        at, turn = at + size, turn + 1
    assert [*found, *lines.rest()] == [one for one in wanted if one is None or one.strip()]


KEYS = st.sampled_from(["jsonrpc", "id", "method", "params", "name", "arguments"]) | st.text(max_size=9)
PLAIN = st.none() | st.booleans() | st.floats() | st.text(max_size=9) | st.sampled_from(["2.0", "tools/call"])


@given(st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=8))
def test_no_message_whatever_ends_the_connection(message: Any) -> None:
    sent: list[Any] = []
    server = Server("/nonexistent/home", "/", lambda data: sent.append(json.loads(data)))
    server.take(json.dumps(message).encode())
    server.take(line(request("still", "ping")))
    assert sent[-1] == {"jsonrpc": "2.0", "id": "still", "result": {}}


@pytest.mark.parametrize(
    ("given_name", "wanted"),
    [
        ("claude-code", "claude_code"),
        ("codex-mcp-client", "codex"),
        ("Visual Studio Code", "visual_studio_code"),
        ("owner", "owner"),
        ("\n\x1b[31m", "31m"),
        ("клиент", "agent"),
        ("", "agent"),
        (None, "agent"),
        (["x"], "agent"),
        ("x" * 999, "x" * 40),
    ],
)
def test_a_client_is_named_in_plain_letters(given_name: object, wanted: str) -> None:
    assert client_name(given_name) == wanted


def test_the_folder_is_where_it_was_started_if_a_root_holds_that(tmp_path: Path) -> None:
    shop, other = a_shop(tmp_path, "a shop €"), a_shop(tmp_path, "other")
    inside = shop / "src"
    inside.mkdir()
    assert folder_of([other.as_uri(), shop.as_uri()], str(inside)) == str(inside)
    assert folder_of([shop.as_uri()], str(other)) == str(shop)


@pytest.mark.parametrize(
    "uri", ["https://shop.example/", "file://elsewhere/x", "file:///gone", "file:///\0", "", "[", "x:["]
)
def test_a_root_that_is_no_folder_here_is_passed_over(tmp_path: Path, uri: str) -> None:
    assert folder_of([uri], str(tmp_path)) == str(tmp_path)


def test_a_first_call_waits_for_the_roots_that_the_client_offers(home: Path, tmp_path: Path) -> None:
    shop, started_in = a_shop(tmp_path), tmp_path / "nowhere"
    started_in.mkdir()
    sent: list[Any] = []
    server = Server(str(home), str(started_in), lambda data: sent.append(json.loads(data)))
    note = {"slug": "use-make", "title": "Use make", "body": "make test runs all"}
    roots = {"jsonrpc": "2.0", "id": "honed-roots-1", "result": {"roots": [{"uri": shop.as_uri()}]}}
    coming = [
        *(line(one) for one in (hello(roots=True), READY, call(1, "memory_write", **note))),
        line(request(2, "ping")),
        line(roots),
    ]

    def receive(_wait: float | None) -> bytes:
        if not coming:
            raise EOFError
        return coming.pop(0)

    server.serve(receive)
    assert [one.get("method") or one["id"] for one in sent] == ["hello", "roots/list", 1, 2]
    assert sent[2]["result"]["structuredContent"]["scope"] == "project"
    assert Talk(home, shop).calls("memory_get", slug="use-make")["origin"] == "agent"


def test_a_client_that_never_tells_its_roots_is_served_where_it_was_started(home: Path, shop: Path) -> None:
    sent: list[Any] = []
    server = Server(str(home), str(shop), lambda data: sent.append(json.loads(data)))
    coming = [line(one) for one in (hello(roots=True), READY, call(1, "memory_list"))]

    def receive(wait: float | None) -> bytes:
        if coming:
            return coming.pop(0)
        raise EOFError if wait is None else TimeoutError

    server.serve(receive)
    assert sent[-1]["result"]["isError"] is False
