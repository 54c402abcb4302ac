"""Tells sessions to the judge: a few words a step."""

from __future__ import annotations

from honed.demo.scribe import ClaudeScribe
from honed.sessions.reading import read_bytes
from honed.verdict.model import Task, Verdict
from honed.verdict.tasks import split

FOLDER = "/home/dev/shop"
PASSED, FAILED = "12 passed in 0.80s", "1 failed, 11 passed in 0.80s"


class Told(ClaudeScribe):
    """A Claude Code session that knows the usual things to say."""

    def __init__(self) -> None:
        super().__init__("11111111-2222-4333-8444-555555555555", FOLDER, "2026-05-04")
        self._edits = 0

    def changes(self, path: str = "shop/cart.py") -> Told:
        """Some change of code that nothing undoes."""
        self._edits += 1
        self.edits(path, f"value = {self._edits}", f"value = {self._edits + 1}00")
        return self

    def tests(self, passed: bool = True, command: str = "pytest -q") -> Told:
        """A test run, by exit status."""
        self.runs(command, PASSED if passed else FAILED, 0 if passed else 1)
        return self

    def shell(self, command: str, output: str = "", code: int = 0) -> Told:
        """Any command."""
        self.runs(command, output, code)
        return self

    def asked(self, text: str = "do something") -> Told:
        """A request."""
        self.asks(text)
        return self

    def tasks(self) -> list[Task]:
        """The judged tasks."""
        return list(split(read_bytes(self.text().encode())))

    def verdict(self) -> Verdict:
        """The verdict of the whole session."""
        return list(split(read_bytes(self.text().encode()), whole=True))[-1].verdict

    def kind(self) -> str:
        """The kind of that verdict."""
        return self.verdict().kind
