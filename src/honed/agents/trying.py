"""Starting the MCP server once, as a client would, to see whether it answers."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from honed.errors import UnavailableError

SECONDS = 20
"""How long it may take; clients wait for 30 seconds."""
_HANDED_ON = ("HOME", "LANG", "PATH", "SHELL", "TERM", "USER", "SYSTEMROOT", "LOCALAPPDATA", "USERPROFILE")
"""What Codex hands its servers on: who answers with no more answers every client."""
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "honed-doctor", "version": "1"},
    },
}
_READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def tools_of(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """How many tools the server offers that ``command`` starts.

    Raises ``UnavailableError`` with what went wrong: it does not start, does not answer, or ends badly.
    """
    given = "".join(json.dumps(message) + "\n" for message in (_HELLO, _READY, _LIST))
    few = {name: environ[name] for name in _HANDED_ON if name in environ}
    try:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                list(command),
                input=given.encode("ascii"),
                capture_output=True,
                timeout=SECONDS,
                cwd=folder,
                env=few,
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"{command[0]} did not answer within {SECONDS} seconds") from error
    except OSError as error:
        raise UnavailableError(f"{command[0]} cannot be started: {error.strerror}") from error
    told = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode:
        raise UnavailableError(
            f"{command[0]} ended with {done.returncode}: {told[-1] if told else 'no word'}"
        )
    try:
        answers = {one["id"]: one["result"] for one in map(json.loads, done.stdout.splitlines())}
        return len(answers[2]["tools"])
    except (ValueError, KeyError, TypeError) as error:
        raise UnavailableError(f"{command[0]} does not answer as an MCP server does") from error
