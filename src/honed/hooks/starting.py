"""Starting the absorber: what ended is put into a queue, and one process per home works it off.

The queue is a folder with one small file per transcript, so that the same transcript waits once however
often it is named.  The worker has a session of its own, no streams of ours and a low priority: no client
waits for it, and none ends it.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os
import sys

from honed.hooks.lock import release, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

QUEUE = "queue"
LOCK, EMBEDDER_LOCK = "absorber.lock", "embedder.lock"
WORKER = (
    "import sys; sys.path[:] = sys.argv[2:]; from honed.hooks.worker import main; sys.exit(main(sys.argv[1]))"
)
SUFFIXES = (".jsonl", ".json")


def start_absorber(home: str, transcripts: Sequence[str]) -> str:
    """Queue ``transcripts`` and see that a worker runs; returns in words what came of it.

    Raises ``OSError`` where the home cannot be written.
    """
    named = [path for path in transcripts if _may_be_read(path)]
    if not named:
        return "no transcript that can be read was named" if transcripts else "no transcript was named"
    for path in named:
        enqueue(home, path)
    return f"queued; {start_worker(home)}"


def start_worker(home: str) -> str:
    """See that a worker runs, which also brings a memory of an older honed up to date; says in words which.

    Raises ``OSError`` where the home cannot be written.
    """
    if is_running(home):
        return "the absorber is at work"
    spawn([sys.executable, "-I", "-S", "-c", WORKER, home, *sys.path])
    return "the absorber was started"


def _may_be_read(path: str) -> bool:
    """Whether a payload's path may be a transcript: absolute, nothing roundabout, a regular file."""
    plain = os.path.isabs(path) and ".." not in path.replace("\\", "/").split("/")
    return plain and "\0" not in path and path.endswith(SUFFIXES) and os.path.isfile(path)


def enqueue(home: str, path: str) -> None:
    """Let ``path`` wait; once, however often it is named."""
    from binascii import crc32

    raw = path.encode("utf-8", "surrogatepass")
    name = os.path.join(home, QUEUE, f"{crc32(raw):08x}{len(raw):04x}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(name, flags, 0o600)
    except FileNotFoundError:
        os.mkdir(os.path.dirname(name), 0o700)
        handle = os.open(name, flags, 0o600)
    try:
        os.write(handle, raw)
    finally:
        os.close(handle)


def is_running(home: str) -> bool:
    """Whether an absorber of this home is at work."""
    handle = take(os.path.join(home, LOCK))
    if handle is None:
        return True
    release(handle)
    return False


def spawn(argv: list[str]) -> None:
    """Start a process that nobody waits for, in a session of its own and without our streams."""
    if os.name == "nt":
        import subprocess

        flags = 0x00000008 | 0x00000200 | 0x08000000  # detached, own group, no window
        subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=True,
            creationflags=flags,
        )
        return
    if os.fork():
        return
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.execv(argv[0], argv)
    finally:
        os._exit(127)
