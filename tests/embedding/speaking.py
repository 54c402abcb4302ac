"""A small model behind a real endpoint: words that mean the same have the same number."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 64
MEANS = {
    "thaw": "unfreeze",
    "icebound": "unfreeze",
    "unlock": "unfreeze",
    "pipes": "tubes",
    "conduits": "tubes",
}
"""Words of one meaning that have no letters of a stem in common."""


def vector_of(text: str, salt: int = 0) -> list[float]:
    """A vector of a text: each word, or what it means, counts in one place."""
    vector = [0.0] * DIMENSIONS
    for word in text.lower().replace(",", " ").split():
        vector[(zlib.crc32(MEANS.get(word, word).encode()) + salt) % DIMENSIONS] += 1.0
    return vector


class Heard:
    """What an endpoint was asked, and how it answers."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.headers: list[Mapping[str, str]] = []
        self.salt = 0
        self.status = 200
        self.location = ""
        self.address = ""


@contextmanager
def endpoint() -> Iterator[Heard]:
    """An OpenAI-compatible endpoint on this machine, for as long as the block lasts."""
    heard = Heard()

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.texts += asked["input"]
            heard.headers.append(dict(self.headers))
            rows = [
                {"index": place, "embedding": vector_of(text, heard.salt)}
                for place, text in enumerate(asked["input"])
            ]
            body = json.dumps({"data": rows[::-1]}).encode()
            self.send_response(heard.status)
            if heard.location:
                self.send_header("Location", heard.location)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            heard.headers.append(dict(self.headers))
            self.send_error(404)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    heard.address = f"openai:http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
