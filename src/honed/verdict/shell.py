"""Reads a command line: text in, tree out, and every command in it where it stands."""

from __future__ import annotations

import re
from functools import lru_cache

from honed.verdict import launchers
from honed.verdict.shell_parser import Parser
from honed.verdict.shell_tree import (
    IN_ASSIGNMENT,
    Background,
    Chain,
    Command,
    Compound,
    Dialect,
    Group,
    Node,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Substitution,
)
from honed.verdict.shell_windows import Cmd, PowerShell

__all__ = [
    "Background",
    "Chain",
    "Command",
    "Compound",
    "Group",
    "Node",
    "Part",
    "Pipeline",
    "Redirect",
    "Script",
    "Simple",
    "Substitution",
    "children",
    "commands",
    "node_at",
    "parse",
]

SHELL_LIMIT = 4
"""How many shells may stand inside each other (``bash -c "bash -c ..."``)."""

SHELL_DEPTH = 12
"""By how much a script inside a script is deeper: the whole tree stays shallow enough for recursion."""

FILTER_LIMIT = 16
"""How many filters behind a command are listed."""

_WINDOWS_HINTS = tuple(
    (mark, re.compile(hint))
    for mark, hint in (
        ("$env:", r"\$env:"),
        ("$LASTEXITCODE", r"\$LASTEXITCODE\b"),
        ("$null", r"\$null\b"),
        ("@'", r"@'[ \t]*\n"),
        ('@"', r'@"[ \t]*\n'),
        (":\\", r"(?<![\w'\"])[A-Za-z]:\\"),
        (".\\", r"(?:^|[\s;&|])\.\\"),
        ("%", r"%[A-Z][A-Z_0-9]{2,}%"),
        ("cd /d ", r"\bcd /d [A-Za-z]:"),
        ("set ", r"\bset \w+="),
    )
)
"""Of each sign that another shell may be meant a part that is cheap to look for, and the sign."""
_DASHED = re.compile(r"-(?<=[a-zA-Z]-)[A-Z][A-Za-z]")  # Begins with a fixed letter: that is fast to look for.
_VERB_NOUN = re.compile(r"\b[A-Z][A-Za-z]+-[A-Z][A-Za-z]+\b")
_CMDLET = re.compile(r"[A-Z][A-Za-z]+-[A-Z][A-Za-z]+\Z")
_CMDLET_RUN = re.compile(
    r"(?:^|[;|&({=\n]\s*)[A-Z][a-z]+-[A-Z][A-Za-z]+(?=[\s;|)]|$)|(?:^|[;\n]\s*)\$env:\w+\s*="
)
_POWERSHELL_ONLY = re.compile(r"\$env:\w|\$LASTEXITCODE\b|>\s*\$null\b|^\s*\$\w+\s*=\s", re.M)
_CMD_ONLY = re.compile(r"%[A-Z][A-Z_0-9]{2,}%|\bcd /d [A-Za-z]:|^\s*@?(?:set \w+=|if errorlevel )", re.M)
_BACKSLASH_PATH = re.compile(r"(?<![\w'\"/])(?:[A-Za-z]:\\\w|\.\\\w)")
_QUOTED = re.compile(r"'[^']*+'|\"(?:[^\"\\]++|\\.)*+\"", re.DOTALL)
_SIGNS: tuple[tuple[re.Pattern[str], Dialect], ...] = (
    (_CMDLET_RUN, "powershell"),
    (_POWERSHELL_ONLY, "powershell"),
    (_CMD_ONLY, "cmd"),
    (_BACKSLASH_PATH, "powershell"),
)
"""What shows in unquoted text that another shell is meant, in the order in which it is believed."""


REMEMBERED = 1024
"""Command lines whose trees are kept: a step is looked at from several sides, and one in five comes again."""


@lru_cache(maxsize=REMEMBERED)
def parse(text: str) -> Script:
    """The tree of a command line.  Never raises; what it cannot read is said in ``unparsed``.

    Read as bash unless it is clearly PowerShell or cmd.
    """
    return _parse(text.replace("\r\n", "\n"), None, frozenset(), 0)


def _parse(text: str, dialect: Dialect | None, options: frozenset[str], shells: int) -> Script:
    if dialect in ("powershell", "cmd"):
        return _windows(text, dialect, shells)
    parser = Parser(text, shells * SHELL_DEPTH)
    script = parser.script()
    if dialect is None and _may_be_windows(text):
        other = _windows_dialect(text, script, parser.simples)
        if other:
            return _windows(text, other, shells)
    for simple in parser.simples:
        _hand_over(simple, shells)
    if not options:
        return script
    return Script(script.root, options, script.unparsed, asks_pipes=script.asks_pipes)


def _may_be_windows(text: str) -> bool:
    """Whether anything in the text makes it worth asking whether another shell is meant (fast)."""
    for mark, hint in _WINDOWS_HINTS:
        if mark in text and hint.search(text):
            return True
    return _DASHED.search(text) is not None and _VERB_NOUN.search(text) is not None


def _windows(text: str, dialect: Dialect, shells: int) -> Script:
    script = (PowerShell if dialect == "powershell" else Cmd)(text, shells * SHELL_DEPTH).script()
    for command in _Walk(script).commands:
        _hand_over(command.simple, shells)
    return script


def _windows_dialect(text: str, script: Script, simples: list[Simple]) -> Dialect | None:
    """Which shell of Windows a text is for that was read as bash, ``None`` for bash itself."""
    if script.unparsed and (_CMDLET_RUN.search(text) or _POWERSHELL_ONLY.search(text)):
        return "powershell"
    if any(simple.argv and _CMDLET.match(simple.argv[0]) for simple in simples):
        return "powershell"
    sources = [_QUOTED.sub("''", simple.text) for simple in simples]
    for pattern, dialect in _SIGNS:
        if any(pattern.search(source) for source in sources):
            return dialect
    return None


def _hand_over(simple: Simple, shells: int) -> None:
    """Parse the script that a command hands to another shell."""
    argv = simple.argv
    if not argv or launchers.program(argv[0]) not in launchers.NAMES or shells >= SHELL_LIMIT:
        return
    unwrapped = launchers.unwrap(argv)
    text, dialect = unwrapped.script, unwrapped.dialect
    if text is None and launchers.reads_script_from_input(unwrapped.argv):
        bodies = [r.body for r in simple.redirects if r.operator[:2] == "<<" and r.body is not None]
        text = bodies[-1] if bodies else None
    if text is None:
        return
    inner = _parse(text, "bash" if dialect == "bash" else dialect, unwrapped.options, shells + 1)
    first = inner.root
    if isinstance(first, Simple) and len(first.argv) == 1 and 0 in first.expands:
        return  # `eval "$command"`: nobody knows what it runs
    # The command stood in the tree before its here-document was read.
    object.__setattr__(simple, "inner", inner)


def children(node: Node) -> tuple[Node | None, ...]:
    """The nodes right below one, in order of execution; ``Command.path`` counts in them.

    ``None`` stands for an empty script.
    """
    if isinstance(node, Simple):
        return tuple(script.root for script in scripts_below(node))
    if isinstance(node, Pipeline):
        return node.stages
    if isinstance(node, Chain):
        return tuple(item for _, item in node.items)
    if isinstance(node, Compound):
        return (*(s.script.root for s in node.substitutions), *(part.node for part in node.parts))
    return (node.body,)


def scripts_below(simple: Simple) -> tuple[Script, ...]:
    """The scripts a simple command runs: substitutions, then what it hands to another shell.

    A substitution inside the handed text is part of that text already.
    """
    if simple.inner is None:
        return tuple(s.script for s in simple.substitutions) if simple.substitutions else ()
    before = tuple(s.script for s in simple.substitutions if s.where == IN_ASSIGNMENT)
    return (*before, simple.inner)


def node_at(script: Script, path: tuple[int, ...]) -> Node | None:
    """The node to which a path leads, ``None`` if it leads nowhere."""
    node = script.root
    for index in path:
        below = children(node) if node is not None else ()
        if index >= len(below):
            return None
        node = below[index]
    return node


@lru_cache(maxsize=REMEMBERED)
def parsed(text: str) -> tuple[Script, tuple[Command, ...]]:
    """The tree of a command line, and its commands (see ``parse`` and ``commands``)."""
    script = parse(text)
    return script, commands(script)


def commands(script: Script) -> tuple[Command, ...]:
    """Every simple command in order of execution, those inside other shells included.

    A command that hands a static script to another shell stands for that script: its inner commands
    are given instead of it.  Bare assignments are given too (with an empty ``argv``).
    """
    return tuple(_Walk(script).commands)


class _Walk:
    """Collects the commands below a script with what surrounds them."""

    __slots__ = ("commands",)

    def __init__(self, script: Script) -> None:
        self.commands: list[Command] = []
        if script.root is not None:
            self.walk(script.root, (), _Surroundings(script.dialect))

    def walk(self, node: Node, path: tuple[int, ...], around: _Surroundings) -> None:
        if isinstance(node, Simple):
            self._simple(node, path, around)
        elif isinstance(node, Pipeline) and len(node.stages) > 1:
            for index, stage in enumerate(node.stages):
                self.walk(stage, (*path, index), around.at_stage(node.stages, index))
        else:
            if isinstance(node, Group | Compound) and node.redirects:
                around = around.changed(redirects=node.redirects + around.redirects)
            elif isinstance(node, Background):
                around = around.changed(background=True)
            substitutions = len(node.substitutions) if isinstance(node, Compound) else 0
            for index, below in enumerate(children(node)):
                if below is not None:
                    inside = around.changed(in_substitution=True) if index < substitutions else around
                    self.walk(below, (*path, index), inside)

    def _simple(self, node: Simple, path: tuple[int, ...], around: _Surroundings) -> None:
        for index, script in enumerate(scripts_below(node)):
            if script.root is None:
                continue
            if script is node.inner:
                redirects = node.redirects + around.redirects
                inside = around.changed(redirects=redirects, dialect=script.dialect)
            else:
                inside = around.changed(in_substitution=True)
            self.walk(script.root, (*path, index), inside)
        if node.inner is None:
            redirects = node.redirects + around.redirects if around.redirects else node.redirects
            self.commands.append(
                Command(
                    node,
                    path,
                    around.in_substitution,
                    around.stage_index,
                    around.stage_count,
                    around.filters,
                    redirects,
                    around.background,
                    around.dialect,
                )
            )


class _Surroundings:
    """What is around a node, as ``Command`` tells it."""

    __slots__ = (
        "background",
        "dialect",
        "filters",
        "in_substitution",
        "redirects",
        "stage_count",
        "stage_index",
    )

    def __init__(self, dialect: Dialect) -> None:
        self.dialect: Dialect = dialect
        self.in_substitution = False
        self.background = False
        self.stage_index = 0
        self.stage_count = 1
        self.filters: tuple[Simple, ...] = ()
        self.redirects: tuple[Redirect, ...] = ()

    def changed(self, **values: object) -> _Surroundings:
        copy = _Surroundings(self.dialect)
        for name in self.__slots__:
            setattr(copy, name, values.get(name, getattr(self, name)))
        return copy

    def at_stage(self, stages: tuple[Node, ...], index: int) -> _Surroundings:
        later = stages[index + 1 : index + 1 + FILTER_LIMIT]
        filters = [simple for stage in later for simple in _leaves(stage)]
        return self.changed(
            stage_index=index,
            stage_count=len(stages),
            filters=(*filters, *self.filters)[:FILTER_LIMIT],
        )


def _leaves(node: Node) -> list[Simple]:
    if isinstance(node, Simple):
        return [node]
    return [
        simple for below in children(node)[:FILTER_LIMIT] if below is not None for simple in _leaves(below)
    ]
