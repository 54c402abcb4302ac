"""The doors of one home, each doing the same thing: the facade, the command line, an agent's MCP server."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honed import transcripts
from honed.cli.run import run
from honed.errors import DuplicateError
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from honed.skills.model import Draft
from tests.doors.telling import environment
from tests.mcp.speaking import Talk, call

THE_OWNER_S = ("facade", "command line")
EVERY = (*THE_OWNER_S, "agent")


def told(word: str) -> tuple[str, str]:
    """Title and body of a text that no other one resembles."""
    return f"Mind the {word}", " ".join(f"{word}{letter}" for letter in "abcdef")


def lesson(word: str) -> Draft:
    """The same as a draft."""
    title, body = told(word)
    return draft_from_manual("lesson", title, body=body)


def named(answer: Mapping[str, Any]) -> set[str]:
    """The slugs that an agent's answer lists."""
    return set(re.findall(r"^- (\S+) \[", str(answer["text"]), re.MULTILINE))


@dataclass(slots=True)
class Doors:
    """A home, and a folder in which everybody stands."""

    home: str
    shop: str

    def memory(self) -> Memory:
        """The facade."""
        return Memory.open(self.home)

    def says(self, *words: str, code: int = 0) -> Any:
        """What the command line answers, as JSON."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.shop), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            ended = run([*words, "--home", self.home, "--json"])
        assert ended == code, (words, ended, out.getvalue(), err.getvalue())
        return json.loads(out.getvalue())

    def agent(self, tool: str, **arguments: object) -> tuple[bool, Mapping[str, Any]]:
        """Whether an agent's call went well, and its answer."""
        result = Talk(Path(self.home), Path(self.shop)).says(call(1, tool, **arguments))["result"]
        return not result["isError"], result.get("structuredContent", {})

    # What is done

    def write(self, door: str, slug: str, word: str, *, taken: bool) -> str:
        """The id of the new text; empty if the slug is taken, which must be refused."""
        title, body = told(word)
        if door == "agent":
            given = {"slug": slug, "title": title, "body": body, "kind": "lesson", "force": True}
            went, answer = self.agent("memory_write", **given)
            # Of the owner's text under that slug it is a proposal.
            assert went != taken or (taken and answer["proposed"])
            return str(answer["id"]) if went and not taken else ""
        if door == "command line":
            words = ("write", slug, "--kind", "lesson", "--title", title, "--body", body, "--force")
            return str(self.says(*words, code=3 if taken else 0).get("id", ""))
        with self.memory() as memory:
            try:
                kept = memory.write(slug, lesson(word), cwd=self.shop, force=True)
            except DuplicateError:
                assert taken
                return ""
        assert not taken
        return kept.subject

    def update(self, slug: str, word: str) -> bool:
        """An agent gives a skill another text; whether it may."""
        title, body = told(word)
        went, _ = self.agent("memory_update", slug=slug, title=title, body=body, reason="it is better")
        return went

    def decide(self, door: str, what: str, skill: str) -> None:
        """Pin, unpin, archive, restore, forget or undo, by the word of the command line."""
        acts: dict[str, Callable[[Memory], object]] = {
            "pin": lambda memory: memory.pin(skill, self.shop, pinned=True),
            "unpin": lambda memory: memory.pin(skill, self.shop, pinned=False),
            "archive": lambda memory: memory.archive(skill, self.shop, archived=True),
            "restore": lambda memory: memory.archive(skill, self.shop, archived=False),
            "forget": lambda memory: memory.forget(skill, self.shop),
            "purge": lambda memory: memory.purge(skill, self.shop),
            "undo": lambda memory: memory.undo(skill, self.shop),
        }
        if door == "facade":
            self._facade(acts[what])
        elif what == "purge":
            self.says("forget", skill, "--purge")
        else:
            self.says(what, skill)

    def version(self, door: str, skill: str, number: int) -> None:
        """Have an older text again."""
        if door == "facade":
            self._facade(lambda memory: memory.restore_version(skill, self.shop, number))
        else:
            self.says("restore", skill, str(number))

    def scrub(self, door: str, word: str) -> None:
        """Take a word out of everything."""
        if door == "facade":
            self._facade(lambda memory: memory.scrub(re.compile(word), dry_run=False))
        else:
            self.says("scrub", word, "--yes")

    def keep(self, door: str, what: str, *words: str) -> None:
        """Rebuild, back up, put a backup back, export."""
        acts: dict[str, Callable[[Memory], object]] = {
            "rebuild": lambda memory: memory.rebuild(),
            "backup": lambda memory: memory.backup(*words),
            "export": lambda memory: memory.export(*words),
        }
        if door == "command line":
            self.says(what, *words)
        elif what == "restore-backup":
            Memory.restore_backup(*words, home=self.home)
        else:
            self._facade(acts[what])

    def take_in(self, door: str, folder: str) -> dict[str, int]:
        """Import a vault; how many were new, the same, changed."""
        if door == "command line":
            answer = self.says("import", folder)
            return {name: int(answer[name]) for name in ("new", "same", "changed")}
        done = self._facade(lambda memory: memory.take_in(folder, cwd=self.shop))
        return {"new": done.new, "same": done.same, "changed": done.changed}

    def absorb(self, door: str, path: str) -> None:
        """Learn from a transcript."""
        if door == "command line":
            self.says("backfill", path)
        else:
            found = transcripts.in_order(transcripts.given_paths([path]), "")
            self._facade(lambda memory: list(memory.absorb(found)))

    def killed_while_writing(self, slug: str, word: str, after: float) -> None:
        """Start the command line on a new text, and kill it after so many seconds."""
        title, body = told(word)
        words = ["write", slug, "--kind", "lesson", "--title", title, "--body", body, "--force"]
        process = subprocess.Popen(
            [sys.executable, "-m", "honed", *words, "--home", self.home],
            cwd=self.shop,
            env=environment({}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()

    # What is seen

    def listed(self, door: str) -> set[str]:
        """The slugs of the skills in use."""
        if door == "command line":
            return {row["slug"] for row in self.says("list", "-n", "500")}
        if door == "agent":
            went, answer = self.agent("memory_list", limit=100)
            assert went
            return named(answer)
        with Memory.open(self.home, readonly=True) as memory:
            return {skill.slug for skill in memory.every_skill() if not skill.archived}

    def found(self, door: str, words: str) -> set[str]:
        """The slugs that a search gives."""
        if door == "command line":
            return {hit["slug"] for hit in self.says("search", words)["hits"]}
        if door == "agent":
            went, answer = self.agent("memory_search", query=words)
            assert went
            return named(answer)
        with Memory.open(self.home, readonly=True) as memory:
            return {hit.facts.slug for hit in memory.search(words, cwd=self.shop).hits}

    def holding(self, word: str) -> list[str]:
        """The files of the home in which a word still is."""
        needle = word.encode("ascii")
        below = [path for path in Path(self.home).rglob("*") if path.is_file()]
        return [str(path) for path in below if needle in path.read_bytes()]

    def _facade(self, act: Callable[[Memory], Any]) -> Any:
        with self.memory() as memory:
            return act(memory)
