"""Test commands in a command line: where each stands, what is said of it, which stretch of output is its.

"Bind each message to its stage": when a line prints fixed words between two commands
(``echo "--- unit ---"``) and the output shows them, they cut the output into the commands' own stretches.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from honed.verdict import shell, status
from honed.verdict.bystanders import PRINTERS, QUIET, READERS
from honed.verdict.checks import assigned, call_of
from honed.verdict.filters import PLAIN, View, view
from honed.verdict.launchers import NAMES, program, unwrap
from honed.verdict.runners import Call, Rules
from honed.verdict.shell_tree import Command, Compound, Group, Pipeline, Script, Simple

_GIT_RUNS_HOOKS = frozenset("commit push merge rebase am cherry-pick revert pull hook".split())
_INLINE = frozenset("python python3 python2 node deno bun ruby perl php rscript lua osascript tsx".split())
_INLINE_RUNS = re.compile(
    r"pytest|unittest|doctest|subprocess|os\.system|popen|spawn|execSync|execFile|child_process|system\("
    r"|\bsh\(|Bun\.\$"
)
_INTENDED_FAILURE = re.compile(
    r"(?i)\bnegative\b|\b(?:must|should|expect(?:ed|ing)?|supposed|intended)\b.{0,20}\bfail|\bmutat(?:ion"
    r"|ed|e|ing)\b"
    r"|\bmutant\b|\bsabotage|\bbroken on purpose\b|\bred run\b|\bwithout (?:the |my )?(?:fix|change)\b"
    r"|\bbefore (?:the )?fix\b"
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """One test command where it stands.

    ``directory`` is where the shell stands then, relative to where the line began ("" when there).
    ``start`` and ``end`` bound its stretch of the output.  ``elsewhere`` says why its outcome is not
    that of the tests on the tree as it is (a stashed tree, a check that is meant to fail); empty otherwise.
    """

    command: Command
    call: Call
    directory: str
    view: View
    start: int
    end: int
    index: int
    """Its place in ``shell.commands``."""

    own_status: bool = True
    elsewhere: str = ""
    rounds: int | None = 1
    """How often the line runs it, ``None`` where that is not known."""

    tool_before: bool = False
    """The same tool was called in front of it for something else (``cargo clippy && cargo test``)."""

    only_preparation_before: bool = False
    """The line ends with it and nothing but ``cd``, ``export``, ``source`` ... stands in front of it."""


@dataclass(frozen=True, slots=True)
class Sighted:
    """A command line as the interpreter needs it."""

    script: Script
    tests: tuple[Sighting, ...]
    others: tuple[Command, ...]
    """Commands that may have run tests without the table knowing: hooks, gates, scripts."""

    reads_files: bool
    prints: bool = True
    """Whether a command of the line prints words of its own, a status perhaps."""


def sight(command: str, text: str, rules: Rules, cwd: str | None) -> Sighted:
    """Finds the test commands of a line and the stretch of ``text`` that is theirs."""
    script, found = shell.parsed(command)
    boundaries = _boundaries(found, text)
    directories = _directories(script, found)
    tests: list[Sighting] = []
    others: list[Command] = []
    reads = False
    announced = moved = ""
    tools: set[str] = set()
    for index, each in enumerate(found):
        argv = assigned(each.simple.argv)
        if not argv:
            continue
        name = program(argv[0])
        if name in PRINTERS:
            announced = " ".join(argv[1:])
            continue
        if name in QUIET and name not in NAMES:
            continue
        call, _, _ = call_of(argv, rules)
        if call is None or not (call.named or call.runner.kind == "runner"):
            moved = _moved(argv, moved)
            tools.update(unwrap(argv).argv[:1])
            kind = _kind(each, argv, name)
            reads = reads or kind == "reader"
            if kind == "other" and each.stage_index == 0:
                others.append(each)
            continue
        start, end = boundaries[index]
        directory = _relative(posixpath.normpath(directories[index] or "."), cwd)
        tests.append(
            Sighting(
                each,
                call,
                directory,
                _view(each, found, index),
                start,
                end,
                index,
                unwrap(argv).status == "own",
                _elsewhere(script, each, announced, moved or _mutated(found, index), bool(tests)),
                _rounds(script, each.path),
                call.argv[0] in tools,
                index == len(found) - 1 and script.unparsed is None and all(map(_prepares, found[:-1])),
            )
        )
    prints = any(each.dialect == "powershell" or _is_printer(each.simple) for each in found)
    return Sighted(script, tuple(tests), tuple(others), reads, prints)


def _is_printer(simple: Simple) -> bool:
    return bool(simple.argv) and program(simple.argv[0]) in PRINTERS


def _kind(each: Command, argv: tuple[str, ...], name: str) -> str:
    """ "reader", "quiet", or "other" for what might run tests."""
    unwrapped = unwrap(argv).argv
    if unwrapped and unwrapped != argv:
        argv, name = unwrapped, program(unwrapped[0])
    if name == "git":
        hooks = len(argv) > 1 and argv[1] in _GIT_RUNS_HOOKS
        return "other" if hooks else "reader"
    if name in READERS or name in PRINTERS:
        return "reader"
    if name in QUIET:
        return "quiet"
    if name in ("docker", "docker-compose", "podman") and any(
        word in ("logs", "ps", "inspect", "images") for word in argv[1:3]
    ):
        return "reader"
    if name in _INLINE or name.startswith("python"):
        code = _inline_code(each, argv)
        if code is not None:
            return "other" if _INLINE_RUNS.search(code) else "reader"
    return "other"


def _rounds(script: Script, path: tuple[int, ...]) -> int | None:
    """How often the loops around a command run it."""
    rounds = 1
    for length in range(len(path)):
        node = shell.node_at(script, path[:length])
        if isinstance(node, Compound) and node.kind in ("for", "select", "while", "until"):
            if node.kind != "for" or node.words is None or node.expands:
                return None
            rounds *= max(1, len(node.words))
    return rounds


def _prepares(each: Command) -> bool:
    argv = each.simple.argv
    return not argv or (
        program(argv[0]) in QUIET | PRINTERS and program(argv[0]) not in ("test", "[", "[[", "read")
    )


def _inline_code(each: Command, argv: tuple[str, ...]) -> str | None:
    """The program text that an interpreter is given in the command itself, ``None`` if it runs a file."""
    for index, word in enumerate(argv[1:], 1):
        if word in ("-c", "-e", "--eval", "-p", "-r", "--print"):
            return argv[index + 1] if index + 1 < len(argv) else ""
        if word == "-":
            break
        if not word.startswith("-"):
            return None
    bodies = [redirect.body for redirect in each.redirects if redirect.body is not None]
    return bodies[-1] if bodies else ""


def _moved(argv: tuple[str, ...], before: str) -> str:
    """Which command has put another tree under the tests, "" once it is taken back."""
    if program(argv[0]) != "git":
        return before
    words = [word for word in unwrap(argv).argv[1:] if not word.startswith("-")]
    if not words:
        return before
    if words[0] == "stash":
        verb = words[1] if len(words) > 1 else "push"
        if verb in ("push", "save"):
            return "git stash"
        return "" if verb in ("pop", "apply") else before
    return before


def _mutated(found: tuple[Command, ...], index: int) -> str:
    """Whether the line changes a file just for this run: edited in front of it, taken back behind it."""
    before = any(_edits_in_place(each.simple.argv) for each in found[:index])
    after = before and any(_takes_back(each.simple.argv) for each in found[index + 1 :])
    return "a file was changed just for it and taken back" if after else ""


def _edits_in_place(argv: tuple[str, ...]) -> bool:
    name = program(argv[0]) if argv else ""
    if name in ("sed", "gsed", "perl"):
        return any(re.match(r"-\w*i|--in-place", word) for word in argv[1:4])
    return name == "patch" or (name == "git" and "apply" in argv[1:3])


def _takes_back(argv: tuple[str, ...]) -> bool:
    name = program(argv[0]) if argv else ""
    if name == "git":
        return len(argv) > 2 and (argv[1] in ("checkout", "restore") or argv[1:3] == ("stash", "pop"))
    return name in ("cp", "mv", "patch") and any(
        re.search(r"\.(?:bak|orig|save|old)\b|^-R$", word) for word in argv
    )


def _elsewhere(script: Script, each: Command, announced: str, moved: str, after_another: bool) -> str:
    if moved:
        return f"it ran on another tree ({moved})"
    if _negated(script, each):
        return "it is a check that is meant to fail"
    if after_another and announced and _INTENDED_FAILURE.search(announced):
        return "it is announced as a check that is meant to fail"
    return ""


def _negated(script: Script, each: Command) -> bool:
    node = shell.node_at(script, each.path[:-1]) if each.path else None
    return isinstance(node, Pipeline) and node.negated


# -- directories ---------------------------------------------------------------------------------


def _directories(script: Script, found: tuple[Command, ...]) -> list[str]:
    """The directory each command starts in, by the ``cd``s in front of it."""
    changes: list[tuple[tuple[int, ...], str]] = []
    directories = []
    for each in found:
        here = ""
        for scope, target in changes:
            if each.path[: len(scope)] == scope:
                here = posixpath.join(here, target)
        directories.append(here)
        argv = each.simple.argv
        if argv and program(argv[0]) in ("cd", "pushd", "set-location", "chdir") and each.stage_count == 1:
            target = next(
                (word for word in argv[1:] if word not in ("--", "/d", "/D", "-Path", "-LiteralPath")), "~"
            )
            if target != "-":
                changes.append((_scope(script, each.path), target.replace("\\", "/")))
    return directories


def _scope(script: Script, path: tuple[int, ...]) -> tuple[int, ...]:
    """The innermost shell of its own that a command runs in."""
    for length in range(len(path) - 1, -1, -1):
        node = shell.node_at(script, path[:length])
        if isinstance(node, Simple) or (isinstance(node, Group) and node.subshell):
            return path[: length + (1 if isinstance(node, Simple) else 0)]
    return ()


def _relative(directory: str, cwd: str | None) -> str:
    """``directory`` as seen from ``cwd``; "" for the same place."""
    if directory in ("", "."):
        return ""
    if cwd:
        base = cwd.replace("\\", "/").rstrip("/")
        if directory == base:
            return ""
        if directory.startswith(base + "/"):
            return directory[len(base) + 1 :]
    return directory


# -- stretches of output ---------------------------------------------------------------------------


def _boundaries(found: tuple[Command, ...], text: str) -> list[tuple[int, int]]:
    """For each command the stretch of ``text`` between the fixed words printed before and after it."""
    starts: list[int] = []
    at = 0
    marks: list[int] = []
    for each in found:
        starts.append(at)
        mark = _printed(each)
        if mark:
            position = _line_at(text, mark, at)
            if position >= 0:
                marks.append(position)
                at = position
    marks.append(len(text))
    return [(start, next(mark for mark in marks if mark > start or mark == len(text))) for start in starts]


def _printed(each: Command) -> str:
    """The fixed words that a printer puts on a line of its own, "" if it prints none."""
    simple = each.simple
    if not simple.argv or each.filters or each.redirects or program(simple.argv[0]) not in PRINTERS:
        return ""
    words = simple.argv[1:]
    while words and words[0] in ("-e", "-n", "-E", "-ne", "-en", "--"):
        words = words[1:]
    joined = " ".join(words)
    if simple.expands:
        joined = joined.split("$")[0].split("`")[0]
    pieces = [piece.strip() for piece in joined.replace("\\n", "\n").replace("%s", "\n").split("\n")]
    return max(pieces, key=len, default="")[:80] if pieces and len(max(pieces, key=len)) >= 4 else ""


def _line_at(text: str, mark: str, at: int) -> int:
    """Where a line begins that starts with ``mark``, -1 if there is none behind ``at``."""
    position = text.find(mark, at)
    while position >= 0:
        start = text.rfind("\n", 0, position) + 1
        if not text[start:position].strip():
            return start
        position = text.find(mark, position + 1)
    return -1


def _view(each: Command, found: tuple[Command, ...], index: int) -> View:
    """What is seen of a command's output: through its pipes, or in the file it went to when that is shown."""
    seen = view(each.filters, each.redirects)
    if seen.file is None:
        return seen
    for later in found[index + 1 :]:
        argv = later.simple.argv
        if argv and seen.file in argv[1:] and program(argv[0]) in READERS:
            whole = argv[0] in ("cat", "less", "more") or program(argv[0]) in ("get-content", "gc")
            stages = later.filters if whole else (later.simple, *later.filters)
            return view(stages, later.redirects)
    return seen if seen.file != "/dev/null" else View(hidden=True)


def view_of(each: Command) -> View:
    """What is seen of the output of a command outside the table."""
    return view(each.filters, each.redirects) if each.filters or each.redirects else PLAIN


def spoken(script: Script, each: Command, text: str) -> status.Said | None:
    """What a line printed by ``echo "EXIT $?"`` says about the command, ``None`` without one."""
    for echo in status.echoes(script, each):
        if not echo.holds_code:
            if echo.if_zero in ("passed", "failed") and _line_at(text, echo.before, 0) >= 0:
                return status.Said(echo.if_zero, None, f"the line printed {echo.before.strip()!r}")
            continue
        pattern = (
            rf"(?m)^[ \t]*{re.escape(echo.before.lstrip())}(\d{{1,3}}){re.escape(echo.after.rstrip())}[ \t]*$"
        )
        match = re.search(pattern, text)
        if match:
            code = int(match.group(1))
            state = echo.if_zero if code == 0 else echo.if_other
            if state in ("passed", "failed"):
                return status.Said(state, code, f"the line printed its exit code {code}")
    return None
