"""The loop of a worker, and how a search is timed in it.

A request is one line ``{"ask": name, ...}``, an answer one line ``{"answer": ...}``.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Answer = Callable[[dict[str, Any]], Any]
Search = Callable[[str, str, int], list[str]]
"""(text, group, limit) -> keys of documents, the best first."""

_NETWORK = frozenset({"socket.connect", "socket.getaddrinfo", "socket.sendto"})


class Offline:
    """Refuses every connection but those within the machine's own sockets, and counts them."""

    def __init__(self) -> None:
        self.refused = 0
        sys.addaudithook(self._look)

    def _look(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _NETWORK and not (len(arguments) > 1 and isinstance(arguments[1], (str, bytes))):
            self.refused += 1
            raise OSError(f"{event}: the benchmark runs without a network")


def serve(answers: Mapping[str, Answer], about: Mapping[str, str]) -> None:
    """Answer until the input ends.  What a system prints goes to the standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    offline = Offline()
    own: dict[str, Answer] = {
        "versions": lambda _: {"python": platform.python_version(), **about},
        "refused": lambda _: offline.refused,
    }
    for line in sys.stdin:
        request = json.loads(line)
        answer = (answers.get(request["ask"]) or own[request["ask"]])(request)
        out.write(json.dumps({"answer": answer}) + "\n")
        out.flush()


class Library:
    """The questions of the retrieval part: ``keep`` documents, ``find`` those that answer queries.

    ``settle`` is what a system does once some were kept; it counts as keeping.
    A group's first search after documents were kept is done once more before it is timed: indexes that a
    system builds lazily are its affair, and are not what a warm search costs.
    """

    def __init__(
        self,
        keep: Callable[[dict[str, Any]], None],
        search: Search,
        settle: Callable[[], None] = lambda: None,
    ) -> None:
        self._keep = keep
        self._search = search
        self._settle = settle
        self._warm: set[str] = set()

    def answers(self) -> dict[str, Answer]:
        """For ``serve``."""
        return {"keep": self.keep, "find": self.find}

    def keep(self, request: dict[str, Any]) -> float:
        """Store ``documents``; the seconds that took."""
        self._warm.clear()
        began = time.perf_counter()
        for document in request["documents"]:
            self._keep(document)
        self._settle()
        return time.perf_counter() - began

    def find(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """For each of ``queries`` the keys found, and what it took in seconds by clock and processor."""
        return [self._timed(query["text"], query["group"], request["limit"]) for query in request["queries"]]

    def _timed(self, text: str, group: str, limit: int) -> dict[str, Any]:
        if group not in self._warm:
            self._search(text, group, limit)
            self._warm.add(group)
        clock, processor = time.perf_counter(), time.process_time()
        keys = self._search(text, group, limit)
        processor, clock = time.process_time() - processor, time.perf_counter() - clock
        return {"keys": keys[:limit], "wall": clock, "cpu": processor}
