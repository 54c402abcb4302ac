"""What each arm gives.  ``Honed`` is the code that hooks run, on a home that real sessions taught."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from bench.simulated.agent import Agent, NoMemory
from bench.simulated.world import Task, World
from honed import transcripts
from honed.agents.wire import WIRES, Fired
from honed.demo.scribe import ClaudeScribe
from honed.errors import NotFoundError
from honed.hooks import spool
from honed.hooks.giving import BY_EVENT
from honed.memory import Memory
from honed.recall.hits import Hit
from honed.recall.note import compose
from honed.store.base import SkillFilter
from honed.store.place import locate
from honed.store.reading import open_readonly


def taught(home: Path, world: World, training: Iterable[Task], sessions: Path) -> None:
    """Have the agent do the training without memory, and absorb its sessions."""
    sessions.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, task in enumerate(training):
        world.reset()
        day = datetime.now(UTC) - timedelta(days=20 - number)
        scribe = ClaudeScribe(f"train{number}-{home.name}", str(world.folder), f"{day:%Y-%m-%d}")
        Agent(world, task, NoMemory(), scribe).work()
        path = sessions / f"train{number}.jsonl"
        path.write_text(scribe.text(), encoding="utf-8")
        paths.append(path)
    with Memory.open(str(home)) as memory:
        for _ in memory.absorb(transcripts.in_order(paths)):
            pass


class Honed:
    """What honed's hooks give a session of Claude Code."""

    def __init__(self, home: Path, folder: Path, session: str) -> None:
        self._home = str(home)
        self._folder = str(folder)
        self._session = session

    def _fire(self, event: str, **payload: object) -> str:
        wire = WIRES["claude_code"]
        fired = Fired(wire, event, {"session_id": self._session, "cwd": self._folder, **payload})
        past = spool.past(self._home, self._session, "")
        try:
            given = BY_EVENT[event](self._home, fired, past)
        except NotFoundError:
            return ""
        if given.text:
            line = {
                "t": int(time.time()),
                "e": event,
                "a": "claude_code",
                "r": "gave",
                "n": given.tokens,
                "sum": past.spent + given.tokens,
                "ids": dict(given.ids),
            }
            spool.append(self._home, self._session, line)
        return given.text

    def start(self) -> str:
        """As ``Memory.start``."""
        return self._fire("session-start", source="startup")

    def prompt(self, request: str, /) -> str:
        """As ``Memory.prompt``."""
        return self._fire("prompt", prompt=request)

    def before(self, _command: str, path: str, /) -> str:
        """As ``Memory.before``: a change only, for no hook stands before a shell command (decision 0011)."""
        if not path:
            return ""
        return self._fire("pre-tool", tool_name="Edit", tool_input={"file_path": f"{self._folder}/{path}"})

    def failed(self, command: str, output: str, /) -> str:
        """As ``Memory.failed``."""
        tool = {"tool_name": "Bash", "tool_input": {"command": command}}
        return self._fire("tool-failed", error=output, **tool)


class Others:
    """Notes that were given in repositories of other families, whenever honed would have given one."""

    def __init__(self, honed: Honed, notes: list[str], random: Random) -> None:
        self._honed = honed
        self._notes = notes
        self._random = random

    def _another(self, note: str) -> str:
        return self._random.choice(self._notes) if note and self._notes else ""

    def start(self) -> str:
        """As ``Memory.start``."""
        return self._another(self._honed.start())

    def prompt(self, request: str, /) -> str:
        """As ``Memory.prompt``."""
        return self._another(self._honed.prompt(request))

    def before(self, command: str, path: str, /) -> str:
        """As ``Memory.before``."""
        return self._another(self._honed.before(command, path))

    def failed(self, command: str, output: str, /) -> str:
        """As ``Memory.failed``."""
        return self._another(self._honed.failed(command, output))


class Everything(NoMemory):
    """All that was learned in the repository, at the start, whole."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home = str(home)
        self._folder = str(folder)

    def start(self) -> str:
        """As ``Memory.start``."""
        with Memory.open(self._home, readonly=True) as memory:
            skills = memory.skills_here(self._folder, SkillFilter())
        with open_readonly(self._home) as reader:
            reader.project(locate(self._folder))
            facts = reader.by_ids([skill.id for skill in skills])
        note = compose([Hit(one, 1.0, False) for one in facts], 20_000) if facts else None
        return note.text if note else ""
