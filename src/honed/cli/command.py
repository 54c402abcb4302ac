"""What a command is: a row of a table."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its name, a line of help, its arguments, and what it does.

    ``run`` returns the exit code; errors are raised as ``HonedError`` and translated once.
    """

    name: str
    help: str
    run: Callable[[Namespace, Output], int]
    arguments: Callable[[ArgumentParser], None] = lambda _parser: None
    description: str = ""


class Output:
    """Where a command prints: text for people, or one JSON value for scripts.

    JSON leaves ASCII-escaped, so it is valid whatever the terminal's encoding; text that the terminal
    cannot show is escaped, never an error.
    """

    def __init__(self, *, as_json: bool, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.as_json = as_json
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        for stream in (self._out, self._err):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="backslashreplace")

    def text(self, line: str = "") -> None:
        """A line for people; nothing under ``--json``."""
        if not self.as_json:
            self._out.write(line + "\n")

    def json(self, value: object) -> None:
        """The answer for scripts; nothing without ``--json``."""
        if self.as_json:
            self.line(value)

    def line(self, value: object) -> None:
        """One JSON line, whatever the mode (for commands that speak JSON lines)."""
        self._out.write(json.dumps(value, sort_keys=False) + "\n")
        self._out.flush()

    def note(self, line: str) -> None:
        """Progress and warnings, on standard error."""
        self._err.write(line + "\n")
        self._err.flush()

    def progress(self, line: str) -> None:
        """A line that the next one overwrites, where somebody watches; else nothing."""
        if self._err.isatty():
            self._err.write("\r\x1b[K" + line)
            self._err.flush()

    def progress_end(self) -> None:
        """Clear the progress line."""
        if self._err.isatty():
            self._err.write("\r\x1b[K")
            self._err.flush()
