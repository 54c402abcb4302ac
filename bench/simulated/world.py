"""A generated repository, and what its commands do.  Lies on disk, so that honed finds it as it would any."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

HEADER = (
    "============================= test session starts ==============================\n"
    "platform linux -- Python 3.11.7, pytest-8.3.2, pluggy-1.5.0\nrootdir: .\n"
    "configfile: pyproject.toml\nplugins: anyio-4.4.0, cov-5.0.0, xdist-3.6.1\ncollected 18 items\n\n"
    "tests ..................                                                  [100%]\n\n"
)
"""What pytest prints before anything else."""
Language = Literal["python", "javascript"]


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked, the ``target`` file in which it is done, and what else it takes.

    ``companion`` has to be changed too; ``upset`` says that the change brings up the world's ``trouble``.
    ``stranger`` is a task that no training is about.
    """

    request: str
    target: str
    companion: str = ""
    upset: bool = False
    stranger: bool = False


@dataclass(frozen=True, slots=True)
class Trouble:
    """An ``error`` of the tests that goes when ``command`` has run.  ``always``: until then no test runs at
    all; else it comes up after a change of a task that is ``upset``."""

    error: str
    command: str
    always: bool


@dataclass(slots=True)
class World:
    """A repository at ``folder``: files by path, and the state of what was done to it.

    ``forms`` are the test commands that work; any other known form answers with ``wrong``.  ``unlinked`` is
    the error while a companion was not changed.
    """

    folder: Path
    files: dict[str, str]
    forms: tuple[str, ...]
    wrong: Mapping[str, str]
    trouble: Trouble | None = None
    unlinked: str = ""
    language: Language = "python"
    done: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)

    def write(self) -> None:
        """Put it on disk, as a git repository."""
        (self.folder / ".git").mkdir(parents=True, exist_ok=True)
        (self.folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        for path, text in self.files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def reset(self) -> None:
        """As it was before any task."""
        self.done.clear()
        self.changed.clear()

    def listed(self) -> str:
        """What listing all files shows."""
        return "\n".join(sorted(self.files)) + "\n"

    def found(self, words: list[str]) -> list[tuple[str, int]]:
        """Files with how many lines hold one of ``words``, the most first."""
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
        hits = [
            (path, sum(bool(pattern.search(line)) for line in text.splitlines()))
            for path, text in self.files.items()
        ]
        return sorted((hit for hit in hits if hit[1]), key=lambda hit: (-hit[1], hit[0]))

    def search_shown(self, words: list[str]) -> str:
        """What searching for ``words`` shows."""
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
        return "\n".join(
            f"{path}:{number}:{line.strip()}"
            for path, text in sorted(self.files.items())
            for number, line in enumerate(text.splitlines(), 1)
            if pattern.search(line)
        )

    def run(self, command: str, task: Task) -> tuple[str, int]:
        """What a command shows, and its exit code."""
        if self.trouble is not None and command == self.trouble.command:
            self.done.add(command)
            return "done\n", 0
        if command in self.forms:
            return self._tested(task)
        if command in self.wrong:
            return self.wrong[command], 2
        program = command.split()[-1] if command.startswith("cd ") else command.split()[0]
        return f"bash: line 1: {program}: command not found\n", 127

    def _tested(self, task: Task) -> tuple[str, int]:
        trouble = self.trouble
        troubled = trouble is not None and trouble.command not in self.done
        if trouble is not None and troubled and trouble.always:
            return f"{trouble.error}\n", 1
        name = os.path.splitext(os.path.basename(task.target))[0]
        if task.target not in self.changed:
            return self._failed(name, "AssertionError: assert 1 == 2")
        if task.companion and task.companion not in self.changed:
            return self._failed(name, self.unlinked)
        if trouble is not None and troubled and task.upset:
            return self._failed(name, trouble.error)
        passed = 3 + sum(path.startswith(("tests/", "test/")) for path in self.files)
        if self.language == "javascript":
            return f"PASS test/{name}.test.js\n\nTests:       {passed} passed, {passed} total\n", 0
        return f"{HEADER}{passed} passed in 0.41s\n", 0

    def _failed(self, name: str, error: str) -> tuple[str, int]:
        if self.language == "javascript":
            shown = f"FAIL test/{name}.test.js\n  ● {name} › works\n\n    {error}\n"
            return f"{shown}\nTests:       1 failed, 4 passed, 5 total\n", 1
        where = f'Traceback (most recent call last):\n  File "tests/test_{name}.py", line 9, in test_{name}\n'
        shown = f"{where}    run()\n{error}\n"
        return f"{HEADER}{shown}FAILED tests/test_{name}.py::test_{name}\n1 failed, 4 passed in 0.44s\n", 1
