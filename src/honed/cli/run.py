"""The command line: a table of commands, and the one place where errors become exit codes.

Only the module of the command that was called is imported, so no command waits for another one's rooms.
"""

from __future__ import annotations

import os
import sys
from argparse import Action, ArgumentParser, HelpFormatter, Namespace

from honed._version import __version__
from honed.cli.command import STOPPED, Output
from honed.errors import HonedError, RefusedError, UsageError
from honed.owner import opened_by_agent, owners_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from honed.cli.command import Command

TABLE: tuple[tuple[str, str, str], ...] = (
    ("init", "wiring", "wire honed into your agents: hooks and MCP server"),
    ("uninstall", "wiring", "take it out of your agents again"),
    ("hooks", "checking", "what the hooks really did"),
    ("backfill", "learning", "learn from past sessions"),
    ("judge", "judging", "say what a transcript proves, storing nothing"),
    ("recall", "finding", "what an agent would be given now"),
    ("search", "finding", "everything that matches, faint hits marked"),
    ("learn", "writing", "keep a procedure by hand"),
    ("write", "writing", "keep a rule, a lesson or any other kind by hand"),
    ("edit", "editing", "give a skill another text, here or in your editor"),
    ("show", "looking", "one skill: its text, its proof, its history"),
    ("list", "looking", "the skills there are"),
    ("stats", "counting", "counts"),
    ("trust", "trusting", "approve a text, so that agents are given it as your word"),
    ("untrust", "trusting", "take an approval back"),
    ("review", "trusting", "go through what waits for your approval"),
    ("owner", "owning", "how your approval is protected, and have it signed"),
    ("reinforce", "reporting", "say of a skill what a run, you or an agent found"),
    ("mute", "reporting", "have a skill given no more here until you look"),
    ("unmute", "reporting", "give a muted skill again"),
    ("pin", "deciding", "keep a skill from fading"),
    ("unpin", "deciding", "let a pinned skill fade again"),
    ("archive", "deciding", "put a skill out of use"),
    ("restore", "returning", "bring an archived skill, or an older text of one, back"),
    ("undo", "returning", "take the last change of a skill back"),
    ("forget", "erasing", "delete a skill; it is not learned again"),
    ("scrub", "erasing", "take a text out of everything that is kept"),
    ("duplicates", "tidying", "skills that say nearly the same"),
    ("distill", "modelling", "ask a model of yours for clearer names of what was learned"),
    ("models", "modelling", "which model is asked, and what it took"),
    ("projects", "projects", "which projects there are, and which of them are one"),
    ("experiment", "trying", "measure what memory does: recall held back from some sessions"),
    ("decay", "scheduling", "what has faded, and catching up"),
    ("schedule", "scheduling", "let the system do that every day"),
    ("config", "deciding", "show or change settings"),
    ("export", "exchanging", "write one Markdown file a skill"),
    ("import", "exchanging", "read a vault, or any folder of Markdown notes"),
    ("packs", "packing", "skills that others wrote: add, look, update, remove"),
    ("merge", "exchanging", "take in the ledger of another home of yours"),
    ("verify", "keeping", "hold the ledger against everything made from it"),
    ("index", "tidying", "check what a search looks into, or make it anew"),
    ("rebuild", "keeping", "make skills and index anew from the ledger"),
    ("backup", "keeping", "copy the memory"),
    ("restore-backup", "keeping", "put a backup in the memory's place"),
    ("mcp", "serving", "serve memory to an agent over standard streams"),
    ("doctor", "checking", "say what works, what does not, and the repair"),
    ("demo", "demo", "the whole loop on bundled sessions, in a throw-away home"),
)
"""Name, module of ``honed.cli`` that has it in its ``COMMANDS``, one line of help."""

SHOWING = tuple(
    """
    show list search duplicates packs projects review import stats decay doctor judge backfill experiment
    """.split()
)
"""Commands that print others' texts for people: what an agent's client starts is given them in the frame."""

ASKING = ("recall", "search")
"""Commands that take a request in any words."""

EPILOG = """\
exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused (the owner must act), 4 not found,
5 memory unavailable (locked, damaged, disk full).

Everything is kept on this disk. Nothing is sent anywhere, but to a model that you set."""


class _Parser(ArgumentParser):
    """Raises what is wrong instead of printing it, so that it is told in one way; whoever leaves out what to
    do is told what there is."""

    def __init__(self, **told: Any) -> None:
        self.known: set[str] = set()
        super().__init__(**told)

    def add_argument(self, *names: Any, **told: Any) -> Action:
        self.known.update(names)
        if names == ("action",):
            told["metavar"] = "|".join(told["choices"])
        return super().add_argument(*names, **told)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. Try `{self.prog} --help`")


class _Formatter(HelpFormatter):
    """Wraps descriptions to the terminal, and leaves examples as they are typed."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=_columns())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


def _columns() -> int:
    """Of the terminal; argparse would ask ``shutil``, which loads what no command needs."""
    try:
        return max(60, min(100, int(os.environ.get("COLUMNS", "")) - 2))
    except ValueError:
        pass
    try:
        return max(60, min(100, os.get_terminal_size().columns - 2))
    except OSError:
        return 78


def run(argv: Sequence[str]) -> int:
    """Run one command; returns the exit code.  Never shows a traceback for what a user can do."""
    argv = _command_first(argv)
    if argv[:1] == ["hook"]:
        # What clients start: any status but 0 could block an agent, so nothing is parsed that can be wrong.
        from honed.hooks.entry import main

        return main(argv[1:])
    output = Output(as_json="--json" in argv)
    if opened_by_agent(os.environ):
        output.guard(frame=bool(argv[:1]) and argv[0] in SHOWING)
    try:
        code = _run(argv, output)
        output.unframe()
        sys.stdout.flush()
    except SystemExit as stop:  # argparse, after --help
        code = stop.code if isinstance(stop.code, int) else 2
    except HonedError as error:
        code = _told(output, error)
    except KeyboardInterrupt:
        output.progress_end()
        output.note("honed: stopped")
        code = STOPPED
    except BrokenPipeError:
        # The reader has gone (`| head`): that is its right.  Keep the interpreter from complaining.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    return code


def _told(output: Output, error: HonedError) -> int:
    value: dict[str, object] = {"error": str(error), "code": error.exit_code}
    for name in ("slug", "choices"):
        if hasattr(error, name):
            value[name] = getattr(error, name)
    output.json(value)
    output.error(str(error))
    return error.exit_code


def _command_first(argv: Sequence[str]) -> list[str]:
    """``argv`` with the options that every command takes moved behind the command."""
    words, moved = list(argv), list[str]()
    while words and (words[0] in ("--json", "--home") or words[0].startswith("--home=")):
        count = 2 if words[0] == "--home" else 1
        moved += words[:count]
        del words[:count]
    return words[:1] + moved + words[1:] if words else moved


def _run(argv: list[str], output: Output) -> int:
    row = next((row for row in TABLE if argv[:1] == [row[0]]), None)
    if row is None:
        return _without_command(argv)
    command = command_of(row[0])
    parser = parser_of(row[0], command)
    options = _asked(parser, argv[1:]) if row[0] in ASKING else parser.parse_args(argv[1:])
    # An action may stand behind options with values, which only the parser tells apart.
    mine = owners_command(row[0], getattr(options, "action", ""))
    client = opened_by_agent(os.environ) if mine else ""
    if client:
        raise RefusedError(
            f"`honed {mine}` is the owner's alone, and {client} started this; nothing was changed. "
            "Run it in a terminal of your own"
        )
    return int(command.run(options, output))


def _asked(parser: _Parser, words: list[str]) -> Namespace:
    """``words`` parsed, where what is looked for may begin with a dash: ``-O2``, ``--dry-run``."""
    try:
        return parser.parse_args(words)
    except UsageError as error:
        dashed = [word for word in words if word[:1] == "-" and word.partition("=")[0] not in parser.known]
        if "QUERY" not in str(error) or len(dashed) != 1 or "--" in words:
            raise
        words = [word for word in words if word != dashed[0]]
        return parser.parse_args([*words, "--", dashed[0]])


def command_of(name: str) -> Command:
    """The command of that name; imports its module."""
    from importlib import import_module

    module = next(module for known, module, _ in TABLE if known == name)
    commands: dict[str, Command] = import_module(f"honed.cli.{module}").COMMANDS
    return commands[name]


def parser_of(name: str, command: Command) -> _Parser:
    """The parser of one command's arguments."""
    parser = _Parser(
        prog=f"honed {name}",
        description=command.description,
        epilog=f"example:\n  {command.example}",
        allow_abbrev=False,
        formatter_class=_Formatter,
    )
    command.arguments(parser)
    parser.add_argument(
        "--home",
        metavar="DIR",
        help="where the memory is (default: $HONED_HOME, else the platform's place)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON for scripts")
    return parser


def _without_command(argv: list[str]) -> int:
    asked = [word for word in argv[1:] if word != "--json"] if argv[:1] == ["help"] else []
    if asked:
        if any(asked[0] == name for name, _, _ in TABLE):
            parser_of(asked[0], command_of(asked[0])).print_help()
            return 0
        argv = asked
    elif argv[:1] in (["-h"], ["--help"], ["help"]):
        sys.stdout.write(overview())
        return 0
    elif argv[:1] in (["-V"], ["--version"], ["version"]):
        sys.stdout.write(f"honed {__version__}\n")
        return 0
    if not argv or argv[0].startswith("-"):
        raise UsageError("name a command. Try `honed --help`")
    from difflib import get_close_matches

    near = get_close_matches(argv[0], [name for name, _, _ in TABLE], 1)
    hint = f"did you mean `honed {near[0]}`?" if near else "`honed --help` lists them"
    raise UsageError(f"there is no command {argv[0]!r}; {hint}")


def overview() -> str:
    """What ``honed --help`` prints."""
    rows = "".join(f"  {name:<16}{text}\n" for name, _, text in TABLE)
    return (
        "usage: honed COMMAND [options]     `honed COMMAND --help` says more\n\n"
        "Procedural memory for coding agents: what the tests proved, for the next session.\n\n"
        f"commands:\n{rows}\n{EPILOG}\n"
    )
