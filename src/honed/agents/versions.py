"""Which version of a client is here, as its own program says."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping

from honed.agents.clients import Client

WAIT = 5.0
"""Seconds that a program may take to say its version."""
_NUMBERS = re.compile(r"(?<![\d.])(\d{1,6})\.(\d{1,6})\.(\d{1,6})")


def version_of(client: Client, environ: Mapping[str, str]) -> tuple[int, ...]:
    """The version of the client's program on ``PATH``; empty where there is none, or it does not say."""
    for name in client.programs:
        program = shutil.which(name, path=environ.get("PATH"))
        if program is None:
            continue
        try:
            done = subprocess.run(
                [program, "--version"],
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=WAIT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        found = _NUMBERS.search(done.stdout.decode("utf-8", "replace")[:1000])
        if found and done.returncode == 0:
            return tuple(int(number) for number in found.groups())
    return ()
