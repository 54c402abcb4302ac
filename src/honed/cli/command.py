"""What a command is, and how it prints.  Loaded by every command, so it imports next to nothing."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any, TextIO


STOPPED = 130
"""What a shell gives a program that Ctrl-C ended: 128 + SIGINT."""


def _no_arguments(_parser: ArgumentParser) -> None:
    """For commands that take none of their own."""


class Command:
    """One command: what it does, its arguments, what its help says below them.

    ``run`` returns the exit code (docs/contract.md); errors are raised as ``HonedError`` and translated in
    one place.  ``example`` is a line as one would type it, with what it does behind a ``#``.
    """

    __slots__ = ("arguments", "description", "example", "run")

    def __init__(
        self,
        run: Callable[[Namespace, Output], int],
        arguments: Callable[[ArgumentParser], None] = _no_arguments,
        *,
        description: str,
        example: str,
    ) -> None:
        self.run = run
        self.arguments = arguments
        self.description = description
        self.example = example


class Output:
    """Where a command prints: text for people, or JSON for scripts.

    JSON is ASCII, so it is valid whatever the terminal's encoding; text that the terminal cannot show is
    escaped, never an error.
    """

    __slots__ = ("_err", "_guarded", "_held", "_out", "as_json")

    def __init__(self, *, as_json: bool, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.as_json = as_json
        self._held: list[str] | None = None
        self._guarded = False
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        for stream in (self._out, self._err):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="backslashreplace")

    def text(self, line: str = "") -> None:
        """A line for people; nothing under ``--json``."""
        if self._held is not None:
            self._held.append(line)
        elif not self.as_json:
            self._out.write(readable(line) + "\n")

    def guard(self, *, frame: bool) -> None:
        """From now on an agent reads this: no warning or error holds a mark of the frame, and with ``frame``
        what is for people is held back until ``unframe`` gives it whole in the frame of data."""
        self._guarded = True
        self._held = [] if frame and not self.as_json else None

    def unframe(self) -> None:
        """Write what was held back since ``guard``, every character told and nothing able to end the
        frame."""
        held, self._held = self._held, None
        if not held:
            return
        from honed.recall.note import framed
        from honed.recall.safe import one_line

        lines = [part for line in held for part in line.splitlines() or [""]]
        safe = [line[: len(line) - len(line.lstrip(" "))] + one_line(line) for line in lines]
        self._out.write(framed(safe, "", "data") + "\n")

    def json(self, value: Any) -> None:
        """The answer for scripts; nothing without ``--json``."""
        if self.as_json:
            self.line(value)

    def line(self, value: Any) -> None:
        """One JSON line, whatever the mode (for commands that speak JSON lines)."""
        import json

        self._out.write(json.dumps(value) + "\n")
        self._out.flush()

    def note(self, line: str) -> None:
        """Progress and warnings, on standard error."""
        if self._guarded:
            from honed.recall.safe import one_line

            line = "\n".join(map(one_line, line.splitlines()))
        self._err.write(readable(line) + "\n")
        self._err.flush()

    def error(self, told: str) -> None:
        """What went wrong, on standard error; for an agent in quotes, for names may stand in it."""
        if self._guarded:
            from honed.recall.safe import quoted

            told = quoted(told)
        self.note(f"honed: {told}")

    @property
    def watched(self) -> bool:
        """Whether somebody sees standard error as it is written."""
        return self._err.isatty()

    def progress(self, line: str) -> None:
        """A line that the next one overwrites, where somebody watches; else nothing."""
        if self.watched:
            columns = os.get_terminal_size(self._err.fileno()).columns or 80
            self._err.write("\r\x1b[K" + readable(line)[: max(20, columns - 1)])
            self._err.flush()

    def progress_end(self) -> None:
        """Clear the progress line."""
        if self.watched:
            self._err.write("\r\x1b[K")
            self._err.flush()


def verdict_told(verdict: str) -> str:
    """A verdict where tasks are counted for people: "none" would read as no task."""
    return "unproven" if verdict == "none" else verdict


_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Marks that turn the order in which what stands behind them is shown."""
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))} | {
    code: f"\\u{code:04x}" for code in _TURNING
}


def readable(text: str) -> str:
    """``text`` with control characters and marks that turn the order written out: what is printed may come
    from a transcript, and must not move the reader's cursor, set the terminal's title or read otherwise."""
    return text.translate(_CONTROLS) if not text.isprintable() else text


def typed_text(argument: str) -> str:
    """A text given as an argument, for argparse's ``type``.

    Where the locale cannot say it, Python hands on the bytes as lone surrogates: they are UTF-8.  Raises
    ``UsageError`` where they are not.
    """
    if argument.isascii():
        return argument
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        pass
    try:
        argument.encode("utf-8")
    except UnicodeError as error:
        from honed.errors import UsageError

        raise UsageError(f"the argument {argument!a} is not UTF-8") from error
    return argument


def here_of(options: Namespace) -> str:
    """The folder that a command was called in: what is meant where no ``--project`` is named, and what a
    relative one starts from.  Raises ``UsageError`` where it is gone and needed.
    """
    named: str | None = options.project
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        if named is not None and os.path.isabs(named):
            return os.path.dirname(named)
        from honed.errors import UsageError

        raise UsageError(
            "this folder was deleted; go to another one, or name one by --project and its whole path"
        ) from error


def slug_argument(parser: ArgumentParser) -> None:
    """``SLUG``: the one skill that is meant, as ``Store.find_slug`` takes it."""
    parser.add_argument(
        "slug", metavar="SLUG", type=typed_text, help="the skill (project/slug and ids work from anywhere)"
    )


def skill_arguments(parser: ArgumentParser) -> None:
    """``SLUG`` and ``--project``: all that a command about one skill takes."""
    slug_argument(parser)
    project_argument(parser)


def project_argument(parser: ArgumentParser, told: str = "the project that is meant") -> None:
    """``--project``: one meaning for all commands (``store.naming``)."""
    parser.add_argument(
        "--project",
        metavar="PROJECT",
        type=typed_text,
        help=f"{told}: a folder of it, its name or its id (default: that of this folder)",
    )
