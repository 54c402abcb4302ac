"""The command line: one table of commands, one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from honed._version import __version__
from honed.cli import keeping, learning, looking, writing
from honed.cli.command import Command, Output
from honed.cli.demo import DEMO
from honed.errors import HonedError

COMMANDS: tuple[Command, ...] = (
    *learning.COMMANDS,
    *looking.COMMANDS,
    *writing.COMMANDS,
    *keeping.COMMANDS,
    DEMO,
)

EPILOG = """\
exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused (the owner must act), 4 not found,
5 memory unavailable (locked, damaged, disk full).

Everything is kept on this disk. Nothing is sent anywhere."""


class _Parser(ArgumentParser):
    """Says what is wrong in one line, and where the help is."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message}\nTry `{self.prog} --help`.\n")


def parser() -> ArgumentParser:
    """The whole command line as an argparse parser."""
    top = _Parser(
        prog="honed",
        description="Procedural memory for coding agents: what the tests proved, for the next session.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    top.formatter_class = _raw()
    top.add_argument("-V", "--version", action="version", version=f"honed {__version__}")
    names = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for command in COMMANDS:
        sub = names.add_parser(
            command.name,
            help=command.help,
            description=command.description or command.help,
            allow_abbrev=False,
            formatter_class=_raw(),
        )
        command.arguments(sub)
        sub.add_argument(
            "--home",
            metavar="DIR",
            help="where the memory is (default: $HONED_HOME, else the platform's place)",
        )
        sub.add_argument("--json", action="store_true", help="print one JSON value for scripts")
        sub.set_defaults(run=command.run)
    return top


def _raw() -> type:
    from argparse import RawDescriptionHelpFormatter

    return RawDescriptionHelpFormatter


def run(argv: Sequence[str]) -> int:
    """Run one command; returns the exit code.  Never shows a traceback for what a user can do."""
    try:
        options = parser().parse_args(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    output = Output(as_json=options.json)
    return _guarded(options, output)


def _guarded(options: Namespace, output: Output) -> int:
    try:
        code = options.run(options, output)
        sys.stdout.flush()
        return int(code)
    except HonedError as error:
        if options.json:
            output.line({"error": str(error), "code": error.exit_code})
        output.note(f"honed: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        output.progress_end()
        output.note("honed: stopped")
        return 130
    except BrokenPipeError:
        # The reader has gone (`| head`): that is its right.  Keep the interpreter from complaining.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
