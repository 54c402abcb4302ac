"""The process around a server: its streams, its signals, and its end.

Standard output carries protocol and nothing else: its descriptor is kept aside, and whatever prints (a stray
``print``, a library, a child) goes to standard error.  One thread reads, so that the end of the input is seen
while a call still waits for a lock; one watches for signals and for a parent that is gone.  After either,
what is under way has ``GRACE`` seconds; the ledger survives being cut off.  What was asked before the input
ended is still answered as long as answers keep coming.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from queue import Empty, SimpleQueue

from honed.mcp.protocol import Lines
from honed.mcp.server import Server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

GRACE = 1.5
"""Seconds that one answer may still take once the process was told to end."""
DRAIN = 10.0
"""Seconds in all for answers to what was asked before the input ended, each within ``GRACE``."""
LOOK = 0.3
"""Seconds between two looks at the parent."""
_CHUNK = 65536
_END = object()


class _Link:
    """The client's lines as they come, and how many answers went back."""

    __slots__ = ("_over", "_sink", "lines", "sent")

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._over = False
        self.lines: SimpleQueue[object] = SimpleQueue()
        self.sent = 0

    def receive(self, wait: float | None) -> bytes | None:
        """See ``Server.serve``."""
        if self._over:
            raise EOFError
        try:
            line = self.lines.get(timeout=wait)
        except Empty as error:
            raise TimeoutError from error
        if line is _END:
            self._over = True
            raise EOFError
        return line if isinstance(line, bytes) else None

    def send(self, data: bytes) -> None:
        """Write all of a message."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._sink, view) :]
        self.sent += 1

    def end(self, most: float) -> None:
        """Ask the server to come to an end, and see that it does: within ``GRACE``, or while answers to what
        was asked before go out, within ``most`` seconds."""
        self.lines.put(_END)
        last = time.monotonic() + most
        while True:
            sent = self.sent
            time.sleep(GRACE)
            if self.sent == sent or time.monotonic() + GRACE > last:
                os._exit(0)


def serve(home: str, folder: str) -> int:
    """Serve standard input and output until the client is gone; returns the exit code, always 0."""
    source, sink = _taken_aside()
    link = _Link(sink)
    _watch(link)
    threading.Thread(target=_read, args=(source, link), daemon=True).start()
    with contextlib.suppress(ConnectionError):  # a client that no longer listens
        Server(home, folder, link.send).serve(link.receive)
    return 0


def _taken_aside() -> tuple[int, int]:
    """Descriptors of the protocol's input and output; their old numbers then lead elsewhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):  # a client may have left one closed
        try:
            os.fstat(number)
        except OSError:
            os.dup2(nowhere, number)
    source, sink = os.dup(0), os.dup(1)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    sys.stdout = sys.stderr
    return source, sink


def _read(source: int, link: _Link) -> None:
    cut = Lines()
    while True:
        try:
            data = os.read(source, _CHUNK)
        except OSError:
            data = b""
        if not data:
            break
        for line in cut.feed(data):
            link.lines.put(line)
    for line in cut.rest():
        link.lines.put(line)
    link.end(DRAIN)


def _watch(link: _Link) -> None:
    """Come to an end on a signal, and when the parent is gone and nobody closed the input.

    The signal arrives at a pipe, which is read while the main thread waits inside SQLite.
    """
    if os.name != "posix":
        return  # there a signal is an end anyway, and a process has no new parent
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _noticed)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    parent = os.getppid()

    def look() -> None:
        from select import select

        while os.getppid() == parent:
            if select([heard], [], [], LOOK)[0]:
                break
        link.end(0.0)

    threading.Thread(target=look, daemon=True).start()


def _noticed(_number: int, _frame: FrameType | None) -> None:
    """Nothing: that there is a handler makes Python write to the wakeup pipe."""
