"""A shop that honed knows, and hooks started as clients start them: a shell, a payload, an answer."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from honed import transcripts
from honed.agents.shim import FOLDER, LAUNCHER, command, write_shim
from honed.demo.scribe import ClaudeScribe
from honed.demo.stories import STORIES
from honed.hooks import spool
from honed.hooks.lock import release, take
from honed.hooks.starting import LOCK, QUEUE
from honed.memory import Memory

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


def today() -> str:
    """Of the real clock, as YYYY-MM-DD."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def recent(transcript: str) -> str:
    """The demo's sessions, told of the last weeks: hooks go by the real clock, and knowledge fades."""
    begin = datetime.now(UTC) - timedelta(days=40)
    return re.sub(
        r"2026-05-(\d\d)", lambda day: f"{begin + timedelta(days=int(day.group(1))):%Y-%m-%d}", transcript
    )


def wait_for_absorber(home: Path, *, idle: bool = False) -> None:
    """Until the queue is worked off: an absorber holds its lock for as long as it works.

    With ``idle`` it need not have worked at all.
    """
    for _ in range(900):
        waiting = list((home / QUEUE).iterdir()) if (home / QUEUE).is_dir() else []
        handle = take(str(home / LOCK))
        if handle is not None:
            release(handle)
            if not waiting and (idle or spool.lines(spool.path_of(str(home), "absorber"))):
                return
        time.sleep(0.05)
    raise AssertionError("the absorber did not finish")


class Shop:
    """A project with a memory of its own; ``fire`` runs the very command that a client is given."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.project = base / "corner-shop"
        self.base = base
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")

    def learn(self) -> None:
        """Absorb the demo's six sessions."""
        paths = []
        for number, (client, story) in enumerate(STORIES, 1):
            path = self.base / client / f"{number}.jsonl"
            path.parent.mkdir(exist_ok=True)
            path.write_text(recent(story(str(self.project)).text()), encoding="utf-8")
            paths.append(path)
        with Memory.open(str(self.home)) as memory:
            for _ in memory.absorb(transcripts.in_order(paths)):
                pass

    def run(
        self,
        event: str,
        raw: bytes,
        agent: str = "claude_code",
        *,
        environment: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """What the hook command of ``event`` does with ``raw`` on its standard input."""
        return subprocess.run(
            ["/bin/sh", "-c", command(str(self.home), event, agent)],
            input=raw,
            capture_output=True,
            cwd=cwd or self.project,
            env=ENVIRONMENT | {"HOME": str(self.base)} | (environment or {}),
            timeout=60,
            check=False,
        )

    def run_in_front(
        self, event: str, raw: bytes, agent: str = "claude_code"
    ) -> subprocess.CompletedProcess[bytes]:
        """The same without the shim, so that an ending is not handed on in the background."""
        return subprocess.run(
            [sys.executable, "-I", "-S", self.home / FOLDER / LAUNCHER, event, "--agent", agent],
            input=raw,
            capture_output=True,
            cwd=self.project,
            env=ENVIRONMENT,
            timeout=60,
            check=False,
        )

    def fire(self, event: str, agent: str = "claude_code", **payload: object) -> dict[str, object]:
        """The answer to a payload; empty where there is none."""
        whole = {"session_id": "s1", "cwd": str(self.project), **payload}
        done = self.run(event, json.dumps(whole).encode(), agent)
        assert done.returncode == 0
        assert done.stderr == b""
        assert done.stdout.isascii()
        answer = json.loads(done.stdout) if done.stdout else {}
        assert isinstance(answer, dict)
        return answer

    def told(self, event: str, agent: str = "claude_code", **payload: object) -> str:
        """The text that an event puts before the model."""
        answer = self.fire(event, agent, **payload)
        said = answer.get("hookSpecificOutput", {})
        assert isinstance(said, dict)
        return str(said.get("additionalContext", ""))

    def lines(self, session: str = "s1") -> list[dict[str, object]]:
        """What the spool says of a session."""
        return spool.lines(spool.path_of(str(self.home), session))

    def spool_file(self, session: str) -> Path:
        """Where the lines of a session are; its folder is there."""
        path = Path(spool.path_of(str(self.home), session))
        path.parent.mkdir(exist_ok=True)
        return path

    def session(self, name: str, request: str, file: str) -> Path:
        """A transcript of today in which ``request`` is done by a change of ``file`` and tests pass."""
        told = ClaudeScribe(name, str(self.project), today())
        told.asks(request)
        told.edits(file, "def lines():\n    return []", "def lines():\n    return ['subtotal', 'tax']")
        told.runs("uv run pytest -q", "13 passed in 0.5s")
        path = self.base / "live" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text(told.text(), encoding="utf-8")
        return path

    def payloads(self) -> str:
        """The texts of everything that the ledger holds."""
        with contextlib.closing(sqlite3.connect(self.home / "honed.db")) as database:
            return "\n".join(text for (text,) in database.execute("SELECT body FROM payloads ORDER BY 1"))

    def wait(self) -> None:
        """Until the absorber has worked off its queue."""
        wait_for_absorber(self.home)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A project with the shim installed and nothing learned."""
    made = Shop(tmp_path)
    write_shim(str(made.home))
    return made


@pytest.fixture
def learned(shop: Shop) -> Shop:
    """A project of which honed knows six sessions."""
    shop.learn()
    return shop
