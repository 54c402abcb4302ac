"""A worker process: one system, in its own Python and its own home, asked in JSON lines."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.peers.environments import walls


class WorkerError(Exception):
    """A worker could not answer; the message holds what it said last."""


class Worker:
    """``bench.peers.workers.<name>`` running under ``python`` with ``folder`` as its whole world."""

    def __init__(self, name: str, folder: Path, python: str = sys.executable) -> None:
        world = folder / name
        environment = walls(world)
        self.name = name
        self._errors = world / "stderr.txt"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [python, "-m", f"bench.peers.workers.{name}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=world,
                env=environment,
                encoding="utf-8",
            )

    def ask(self, what: str, **about: Any) -> Any:
        """The worker's answer.  Raises ``WorkerError``."""
        pipe, answers = self._process.stdin, self._process.stdout
        assert pipe is not None
        assert answers is not None
        with suppress(BrokenPipeError):  # it died; what it said follows
            pipe.write(json.dumps({"ask": what, **about}) + "\n")
            pipe.flush()
        line = answers.readline()
        if not line:
            told = self._errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise WorkerError(f"the {self.name} worker ended while asked to {what}: " + "\n".join(told[-15:]))
        return json.loads(line)["answer"]

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let it end by itself: its input is closed."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
