"""Which version of a client is here, as its own program says, and what that version can do."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from honed.agents.clients import Client, Way

WAIT = 5.0
"""Seconds that a program may take to say its version."""
_NUMBERS = re.compile(r"(?<![\d.])(\d{1,6})\.(\d{1,6})\.(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Here:
    """A client as it is here: its version (empty where nobody says it), and how that tells what happens.

    ``trusts`` says that it runs only hooks that its owner has trusted, ``ruled`` that it takes honed's rules.
    """

    title: str
    version: tuple[int, ...]
    way: Way
    trusts: bool
    ruled: bool

    @property
    def name(self) -> str:
        """The client's name with its version."""
        return " ".join([self.title, ".".join(map(str, self.version))]).strip()

    def denied(self, commands: Sequence[str]) -> tuple[str, ...]:
        """Those of ``commands`` that it can be told to refuse an agent: all, or none."""
        return tuple(commands) if self.ruled else ()


def here(client: Client, environ: Mapping[str, str]) -> Here:
    """What the client's program on ``PATH`` can do; one that says no version is taken for a newer one."""
    version = version_of(client, environ) if client.hooked else ()
    way: Way = "hooks"
    if version and version < client.hooked:
        way = "flagged" if version >= client.flagged else "notify"
    trusts = bool(client.trust) and (not version or version >= client.trusting)
    return Here(client.title, version, way, trusts, not version or version >= client.ruled)


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
