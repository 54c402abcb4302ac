"""What a shell command writes: redirections, programs, scripts, git.

``shell_writes`` walks the command in order of execution and knows, as far as the text says, in which
directory each part runs.
"""

from __future__ import annotations

import re
from functools import lru_cache

from honed.verdict import launchers, shell
from honed.verdict.bystanders import HEADS, without_quotes
from honed.verdict.places import ALTERNATIVES_LIMIT, Place
from honed.verdict.shell_tree import (
    Background,
    Chain,
    Compound,
    Group,
    Node,
    Pipeline,
    Redirect,
    Script,
    Simple,
)
from honed.verdict.writers import add_writes
from honed.verdict.writing import Call, How, Write

__all__ = ["How", "Write", "shell_writes"]

_WRITES_FILE = frozenset({">", ">>", ">|", "&>", "&>>", "<>", ">&"})
_NO_FILE = re.compile(r"/dev/|\d+\Z|-\Z|&|NUL\Z|nul\Z|\$null\Z")
_ENTERS = frozenset({"cd", "pushd", "chdir", "set-location", "sl", "push-location"})
_LEAVES = frozenset({"popd", "pop-location"})
_DOT_NET_WRITE = re.compile(
    r"\[(?:System\.)?IO\.File\]::(?:Write|Append)\w+\(\s*(?:(['\"])([^'\"]+)\1|\$(\w+))", re.IGNORECASE
)
_DOT_NET_DELETE = re.compile(r"\[(?:System\.)?IO\.File\]::Delete\(\s*(['\"])([^'\"]+)\1", re.IGNORECASE)


def shell_writes(command: str, *, cwd: str | None) -> tuple[Write, ...]:
    """What the command writes, in order of execution.

    ``cwd`` is the directory in which it runs, ``None`` if that is not known.  Never raises; of a
    command that could not be parsed only the part before the fault is known.
    """
    return () if only_reads(command) else _writes(command, cwd)


_READS = frozenset(
    "cat bat nl tail head less more grep egrep fgrep rg ag ls tree wc cut tr diff comm cmp type which echo"
    " printf cd test [ ps jq sed sort uniq find".split()
)
"""Programs that write no file, but for what ``_SAYS_MORE`` finds; none of them is taken for a proxy."""
_READS_ALONE = frozenset("pwd true false whoami hostname id date".split())
"""The same, where no word follows."""
_GIT_READS = frozenset(
    "status diff log show blame rev-parse ls-files ls-tree ls-remote grep describe shortlog merge-base"
    " rev-list cat-file".split()
)
_STARTS = re.compile(r"[$`\\>]|<[<(]|-exec")
"""What may write, start another command, or end a quoted text elsewhere than it seems."""
_SILENCED = re.compile(r"\d?>[ ]?/dev/null|2>&1")
_SAYS_MORE = re.compile(
    r"-fix|generate|codegen|snap|SNAP|-u\b|update|-(?:exec|ok|delete|fprint|fls)|sed\b(?s:.)*[\s'\"]-\S*i"
)
"""Options of ``find`` and ``sed`` that write, and by what ``fixers`` knows programs that are in no table."""


@lru_cache(maxsize=shell.REMEMBERED)
def only_reads(command: str) -> bool:
    """Whether a line visibly does nothing but read (fast): many do, and need not be parsed for that."""
    first = command.split(None, 1)[:1]
    if not first or not (first[0] in _READS or first[0] == "git"):
        return False
    bare = without_quotes(command)
    if ">" in bare:
        bare = _SILENCED.sub(" ", bare)
    if _STARTS.search(bare) or "'" in bare or '"' in bare:
        return False
    for head in HEADS.finditer(bare):
        name, word = head.groups("")
        if name not in _READS and (
            word not in _GIT_READS if name == "git" else word or name not in _READS_ALONE
        ):
            return False
    return _SAYS_MORE.search(command) is None


@lru_cache(maxsize=shell.REMEMBERED)
def _writes(command: str, cwd: str | None) -> tuple[Write, ...]:
    script = shell.parse(command)
    out: list[Write] = []
    if script.root is not None:
        _Walk(out).node(script.root, (), Place(cwd))
    return tuple(out)


class _Walk:
    """Goes through a script; ``out`` collects the writes."""

    __slots__ = ("out",)

    def __init__(self, out: list[Write]) -> None:
        self.out = out

    def node(self, node: Node, at: tuple[int, ...], place: Place) -> None:
        if isinstance(node, Simple):
            self._simple(node, at, place)
        elif isinstance(node, Chain):
            self._chain(node, at, place)
        elif isinstance(node, Pipeline):
            own = len(node.stages) == 1
            for index, stage in enumerate(node.stages):
                self.node(stage, (*at, index), place if own else place.copy())
        elif isinstance(node, Background):
            self.node(node.body, (*at, 0), place.copy())
        elif isinstance(node, Group):
            self.node(node.body, (*at, 0), place.copy() if node.subshell else place)
            self._redirects(node.redirects, None, at, place)
        else:
            self._compound(node, at, place)

    def _chain(self, node: Chain, at: tuple[int, ...], place: Place) -> None:
        sure = place.sure
        for index, (operator, item) in enumerate(node.items):
            # What stands behind `||` runs only if something failed.
            place.sure = sure and operator != "||"
            self.node(item, (*at, index), place)
        place.sure = sure

    def _compound(self, node: Compound, at: tuple[int, ...], place: Place) -> None:
        first = len(node.substitutions)
        for index, substitution in enumerate(node.substitutions):
            self._script(substitution.script, (*at, index), place.copy())
        # A loop is there to run; a branch may be the other one, a function may not be called.
        sure, repeats = place.sure, node.kind in ("for", "while", "until")
        if node.kind == "for" and node.words and len(node.words) <= ALTERNATIVES_LIMIT:
            values = [place.values(w, expands=i in node.expands) for i, w in enumerate(node.words)]
            flat = tuple(value for each in values if each is not None for value in each)
            place.variables[node.name] = flat
            if None in values or len(flat) > ALTERNATIVES_LIMIT:
                del place.variables[node.name]
        for index, part in enumerate(node.parts):
            place.sure = sure and (part.role == "condition" or repeats)
            self.node(part.node, (*at, first + index), place)
        place.sure = sure
        self._redirects(node.redirects, None, at, place)

    def _script(self, script: Script, at: tuple[int, ...], place: Place) -> None:
        if script.root is not None:
            self.node(script.root, at, place)

    def _simple(self, node: Simple, at: tuple[int, ...], place: Place) -> None:
        scripts = shell.scripts_below(node)
        for index, script in enumerate(scripts):
            if script is not node.inner:
                self._script(script, (*at, index), place.copy())
        if node.assignments and not node.argv:
            self._assign(node, place)
        if node.redirects:
            self._redirects(node.redirects, node, at, place)
        if not node.argv:
            if "]::" in node.text:
                self._dot_net(node, at, place)
            return
        name = launchers.program(node.argv[0])
        if name in _ENTERS or name in _LEAVES:
            _move(node, name, place)
        elif node.inner is not None:
            self._handed_over(node, node.inner, (*at, len(scripts) - 1), place)
        elif name == "export":
            for word in node.argv[1:]:
                variable, _, text = word.partition("=")
                place.assign(variable, text, expands="$" in text)
        else:
            self._command(node, at, place)

    def _command(self, node: Simple, at: tuple[int, ...], place: Place) -> None:
        argv, tasks = node.argv, False
        if launchers.starts_another(argv[0]):
            unwrapped = launchers.unwrap(argv)
            argv, tasks = unwrapped.argv, unwrapped.tasks
            if not argv:
                return
            place = _elsewhere(unwrapped, place)
        add_writes(Call(node, argv, place, at, self.out), tasks=tasks)

    def _handed_over(self, node: Simple, inner: Script, at: tuple[int, ...], place: Place) -> None:
        unwrapped = launchers.unwrap(node.argv)
        if launchers.program(node.argv[0]) != "eval":
            place = place.copy()
        self._script(inner, at, _elsewhere(unwrapped, place))

    def _assign(self, node: Simple, place: Place) -> None:
        for name, text in node.assignments:
            place.assign(name, text, expands="$" in text or "`" in text)

    def _redirects(
        self, redirects: tuple[Redirect, ...], node: Simple | None, at: tuple[int, ...], place: Place
    ) -> None:
        for redirect in redirects:
            if redirect.operator not in _WRITES_FILE or _NO_FILE.match(redirect.target):
                continue
            text = _written_text(node, redirect) if node is not None else None
            how: How = (
                "heredoc" if node is not None and _body(node) is not None and text is not None else "redirect"
            )
            for path in place.paths(redirect.target, expands=redirect.expands):
                self.out.append(Write(path, how, place.sure, text, at))

    def _dot_net(self, node: Simple, at: tuple[int, ...], place: Place) -> None:
        """``[IO.File]::WriteAllText("path", ...)`` of PowerShell."""
        for match in _DOT_NET_WRITE.finditer(node.text):
            values = (match.group(2),) if match.group(2) else place.variables.get(match.group(3), ())
            for value in values or (None,):
                path = place.path(value) if value else None
                self.out.append(Write(path, "script", place.sure, None, at))
        for match in _DOT_NET_DELETE.finditer(node.text):
            self.out.append(Write(place.path(match.group(2)), "delete", place.sure, None, at))


def _move(node: Simple, name: str, place: Place) -> None:
    """``cd`` and its like."""
    if name in _LEAVES:
        place.cwd, place.lost = place.stack.pop() if place.stack else ("", True)
        return
    words = [i for i in range(1, len(node.argv)) if node.argv[i][:1] != "-" or node.argv[i] == "-"]
    if name in ("pushd", "push-location"):
        place.stack.append((place.cwd, place.lost))
    if node.argv[1:2] == ("/d",):
        words = words[1:]
    if words:
        place.enter(node.argv[words[-1]], expands=words[-1] in node.expands)
    elif name == "cd":
        place.enter("~")


def _elsewhere(unwrapped: launchers.Unwrapped, place: Place) -> Place:
    """Where a launcher lets its command run."""
    if unwrapped.cwd_shift is None and not unwrapped.container:
        return place
    place = place.copy()
    if unwrapped.cwd_shift is not None:
        place.enter(unwrapped.cwd_shift, expands="$" in unwrapped.cwd_shift)
    if unwrapped.container:
        place.lost, place.sure = True, False
    return place


def _body(node: Simple) -> str | None:
    for redirect in node.redirects:
        if redirect.body is not None:
            return redirect.body
    return None


def _written_text(node: Simple, redirect: Redirect) -> str | None:
    """The text that goes into the file, if the command only passes a static one on."""
    if redirect.fd not in (None, 1) or not node.argv:
        return None
    name = node.argv[0]
    if (name in ("cat", "tee") and len(node.argv) == 1) or node.argv == ("cat", "-"):
        return _body(node)
    if node.expands:
        return None
    if name == "echo":
        words = node.argv[1:]
        newline = "" if words[:1] == ("-n",) else "\n"
        return " ".join(word for word in words if word not in ("-n", "-e")) + newline
    if name == "printf" and len(node.argv) == 2 and "%" not in node.argv[1]:
        return node.argv[1].replace("\\n", "\n").replace("\\t", "\t")
    return "" if name in (":", "true") else None
