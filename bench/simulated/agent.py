"""The scripted agent: what it does without a note, and how far it believes one (docs/simulated.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from bench.simulated.advice import Advice, words_of
from bench.simulated.costs import MOST_CALLS, Bill
from bench.simulated.world import Task, World
from honed.demo.scribe import Scribe

GUESSES = (
    "pytest", "python -m pytest", "npm test", "make test", "uv run pytest", "poetry run pytest",
    "tox",
)  # fmt: skip
"""Forms of running tests, in the order in which people try them."""
DOCUMENTS = ("README.md", "Makefile", "package.json", "pyproject.toml")
_TESTED = re.compile(r"\d+ (?:passed|failed)")
_WRONG_FORM = re.compile(r"command not found|No module named pytest|Missing script|No rule to make target")
"""Errors after which people try another form."""
_COMMAND = re.compile(r"`([^`\n]+)`")


class Memory(Protocol):
    """What an arm gives: a text, or nothing."""

    def start(self) -> str:
        """At a session's start."""

    def prompt(self, request: str, /) -> str:
        """At the request."""

    def before(self, command: str, path: str, /) -> str:
        """Before a command, or a change of a file."""

    def failed(self, command: str, output: str, /) -> str:
        """After a command that failed."""


class NoMemory:
    """Says nothing."""

    def start(self) -> str:
        """Nothing."""
        return ""

    def prompt(self, _request: str, /) -> str:
        """Nothing."""
        return ""

    def before(self, _command: str, _path: str, /) -> str:
        """Nothing."""
        return ""

    def failed(self, _command: str, _output: str, /) -> str:
        """Nothing."""
        return ""


class _GaveUpError(Exception):
    """Too many calls."""


@dataclass(slots=True)
class Agent:
    """Works on one task; ``bill`` is what it cost, ``scribe`` writes it down as a client does, if given."""

    world: World
    task: Task
    memory: Memory
    scribe: Scribe | None = None
    bill: Bill = field(default_factory=Bill)
    advice: Advice = field(default_factory=Advice)
    notes: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)
    edited: set[str] = field(default_factory=set)
    ran: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    looked_into: set[str] = field(default_factory=set)

    def work(self) -> bool:
        """Do the task; whether it succeeded."""
        self._hear(self.memory.start())
        self.bill.told(self.task.request)
        if self.scribe is not None:
            self.scribe.asks(self.task.request)
        self._hear(self.memory.prompt(self.task.request))
        try:
            self._change(self._place())
            return self._prove()
        except _GaveUpError:
            return False

    # -- the place -----------------------------------------------------------------------------------

    def _place(self) -> str:
        """The file in which the task is done."""
        for path in self.advice.trusted(self.task.request):
            if self._is_it(path):
                return path
        self._list()
        words = words_of(self.task.request)
        hits = [path for path, _ in self.world.found(words)]
        self._call(f"rg {'|'.join(words)}", self.world.search_shown(words))
        told = [] if hits else self.advice.files()
        for path in (*told, *hits, *self._by_name(words)):
            if path.startswith(("test", "docs/")) or path in DOCUMENTS or path not in self.world.files:
                continue
            if self._is_it(path):
                return path
        raise _GaveUpError

    def _is_it(self, path: str) -> bool:
        return self._read(path) != "" and path == self.task.target

    def _by_name(self, words: list[str]) -> list[str]:
        return sorted(self.known, key=lambda path: (not any(word in path for word in words), path))

    def _list(self) -> None:
        if not self.known:
            self._call("git ls-files", self.world.listed())
            self.known = sorted(self.world.files)

    def _read(self, path: str) -> str:
        if path not in self.read:
            text = self.world.files.get(path, "")
            self._call(f"cat {path}", text or f"cat: {path}: No such file or directory\n")
            self.read[path] = text
        return self.read[path]

    def _change(self, path: str) -> None:
        """Change a file that was read."""
        if path in self.edited:
            return
        self._hear(self.memory.before("", path))
        text = self.world.files[path]
        old = next((line for line in text.splitlines() if "return" in line), text.splitlines()[0])
        new = f"{old}  {'//' if path.endswith('.js') else '#'} {words_of(self.task.request)[0]}"
        self._bill(f"{path}{old}{new}", "updated")
        if self.scribe is not None:
            self.scribe.edits(path, old, new)
        self.world.changed.add(path)
        self.edited.add(path)

    # -- the proof -----------------------------------------------------------------------------------

    def _prove(self) -> bool:
        """Run the tests until they pass."""
        self._follow(before_tests=True)
        best, last = "", ""
        form = self._untried() or GUESSES[0]
        while form:
            asked, (form, output, code) = form, self._run(form)
            if not code and _TESTED.search(output):
                return True
            self.tried |= {asked, form}
            wrong = bool(_WRONG_FORM.search(output))
            if wrong:
                self.advice.doubt(form)
            else:
                best, last = form, output
            if self._follow() or (not wrong and self._investigate(output)):
                continue  # something was done about it: the same again
            ran = self._ran_tests(output)
            form = "" if ran else self._untried()
            if not form and self._read_on(last or output):
                form = best if ran else self._untried() or best
        return False

    @staticmethod
    def _ran_tests(output: str) -> bool:
        return bool(_TESTED.search(output))

    def _untried(self) -> str:
        """The next form to try: what notes and documents say, then what people try."""
        forms = (self.advice.instead.get(form, form) for form in (*self.advice.checks, *GUESSES))
        return next((form for form in forms if form not in self.tried), "")

    def _follow(self, *, before_tests: bool = False) -> bool:
        """Do what notes say to do first or too; whether there was anything new to do."""
        acted = False
        for command in [one for one in self.advice.first if one not in self.ran]:
            self._run(command)
            acted = True
        for path in [one for one in self.advice.too if one not in self.edited]:
            if path in self.world.files and (before_tests or path not in self.edited):
                self._read(path)
                self._change(path)
                acted = True
        return acted

    def _investigate(self, output: str) -> bool:
        """Look for an error's words and in the usual documents; whether something was done about it."""
        if output in self.looked_into:
            return False
        self.looked_into.add(output)
        if any(self._does_what_is_said(text, output) for text in list(self.read.values())):
            return True  # it was read before, and is understood now
        if self.task.companion in self.read and self.task.companion not in self.edited:
            self._change(self.task.companion)
            return True
        words = words_of(_error_of(output))
        hits: list[str] = []
        if words:
            self._call(f"rg {'|'.join(words)}", self.world.search_shown(words))
            hits = [path for path, _ in self.world.found(words)][:3]
        return any(self._does_what(path, output) for path in (*hits, *DOCUMENTS) if path in self.world.files)

    def _read_on(self, output: str) -> bool:
        """Read what was not read yet, until something says what to do."""
        self._list()
        return any(
            self._does_what(path, output)
            for path in self.known
            if path not in self.read and not path.startswith("test")
        )

    def _does_what(self, path: str, output: str) -> bool:
        """Read a file and do what it says about an error, or about how the tests are run."""
        if path in self.read:
            return False
        text = self._read(path)
        if path == self.task.companion:
            self._change(path)
            return True
        return self._does_what_is_said(text, output)

    def _does_what_is_said(self, text: str, output: str) -> bool:
        trouble = self.world.trouble
        for command in _COMMAND.findall(text):
            if command in self.world.forms and not self._ran_tests(output) and command not in self.ran:
                self.advice.checks.setdefault(command)
                return True
            if trouble is not None and command == trouble.command and trouble.error in output:
                self._run(command)
                return True
        return False

    # -- calls ---------------------------------------------------------------------------------------

    def _run(self, command: str) -> tuple[str, str, int]:
        """Run a command, or what is to be run instead of it: what was run, what it showed, its exit code."""
        self._hear(self.memory.before(command, ""))
        command = self.advice.instead.get(command, command)
        output, code = self.world.run(command, self.task)
        self.ran.add(command)
        self._call(command, output, code)
        if code:
            self._hear(self.memory.failed(command, output))
        return command, output, code

    def _call(self, command: str, output: str, code: int = 0) -> None:
        self._bill(command, output)
        if self.scribe is not None:
            self.scribe.runs(command, output, code)

    def _bill(self, given: str, shown: str) -> None:
        if self.bill.calls >= MOST_CALLS:
            raise _GaveUpError
        self.bill.call(given, shown)

    def _hear(self, note: str) -> None:
        if note:
            self.bill.told(note)
            self.notes.append(note)
            self.advice.take(note)


def _error_of(output: str) -> str:
    """The line that says what is wrong."""
    lines: Iterable[str] = [line.strip() for line in output.splitlines() if line.strip()]
    named = [line for line in lines if re.search(r"Error|not found|cannot|stale|missing", line)]
    return named[-1] if named else ""
