"""All the ways a script can go, as far as one command in it is concerned.

Every command may succeed or fail; which of the ways happened is not known.  A ``World`` is what one way
comes to: the status so far, what became of the command we ask about, and what the shell knows.  The
shell's rules are those of bash's manual; ``tests/verdict/test_status.py`` holds them against a real bash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from honed.verdict import launchers
from honed.verdict.shell import scripts_below
from honed.verdict.shell_tree import (
    IN_ASSIGNMENT,
    Background,
    Chain,
    Compound,
    Group,
    Node,
    Part,
    Pipeline,
    Script,
    Simple,
)

NONZERO = -1
OWN = -2
"""Statuses that are no numbers: some code other than 0; the code, not 0, of the command we ask about."""

NOT_RUN, PASSED, FAILED = 0, 1, 2
"""What became of the command: of several runs the worst counts."""

WORLD_LIMIT = 256
STEP_LIMIT = 20_000
ROUND_LIMIT = 40
CALL_LIMIT = 8
"""Bounds of the search; beyond them nothing is known."""


class World(NamedTuple):
    """One way things can be at one point of a script.

    ``flow``: "" or why the commands that follow are not run ("exit", "return", "break", "continue").
    ``known``: variables that hold a status, ``!`` the last background job's.  ``pipe``: PIPESTATUS.
    """

    status: int = 0
    target: int = NOT_RUN
    flow: str = ""
    known: frozenset[tuple[str, int]] = frozenset()
    pipe: tuple[int, ...] = ()
    options: frozenset[str] = frozenset()

    def value(self, name: str) -> int | None:
        """The status a variable holds, ``None`` if that is not known."""
        for each, status in self.known:
            if each == name:
                return status
        return None

    def knowing(self, name: str, status: int | None) -> World:
        known = frozenset(pair for pair in self.known if pair[0] != name)
        return self._replace(known=known if status is None else known | {(name, status)})


Worlds: TypeAlias = set[World]
Builtin: TypeAlias = "Callable[[Machine, Simple, World], Iterable[World]]"


class TooManyWorldsError(Exception):
    """The script has more ways than are worth following.  Never leaves ``status``."""


class Machine:
    """Runs a script in all its ways.  ``builtins`` are the commands whose outcome is known.

    ``target`` is the command we ask about.  ``printed`` collects, for each ``echo`` in the script, the
    worlds in which it ran.
    """

    __slots__ = ("builtins", "calls", "dialect", "functions", "printed", "steps", "target")

    def __init__(self, script: Script, target: Simple | None, builtins: dict[str, Builtin]) -> None:
        self.target = target
        self.builtins = builtins
        self.dialect = script.dialect
        self.functions: dict[str, list[Node]] = {}
        self.printed: dict[int, tuple[Simple, Worlds]] = {}
        self.steps = 0
        self.calls = 0

    def script(self, script: Script, worlds: Worlds, *, ignored: bool) -> Worlds:
        dialect, self.dialect = self.dialect, script.dialect
        if script.root is None:
            after = {world._replace(status=0) for world in worlds}
        else:
            after = self.run(script.root, worlds, ignored=ignored)
        self.dialect = dialect
        return after

    def run(self, node: Node, worlds: Worlds, *, ignored: bool) -> Worlds:
        """The worlds after ``node``.  ``ignored``: a failure here does not end a shell with ``set -e``."""
        running = {world for world in worlds if not world.flow}
        ended = worlds - running if len(running) != len(worlds) else set()
        self.steps += len(running)
        if self.steps > STEP_LIMIT or len(running) > WORLD_LIMIT:
            raise TooManyWorldsError
        if not running:
            return ended
        return _RUNS[type(node)](self, node, running, ignored) | ended

    def subshell(self, script: Script, worlds: Worlds, *, ignored: bool) -> Worlds:
        """Run in a process of its own: only the status comes back, and what became of the target."""
        after: Worlds = set()
        for world in worlds:
            options = script.options if script.options else world.options
            for end in self.script(script, {world._replace(options=options)}, ignored=ignored):
                after.add(world._replace(status=end.status, target=end.target))
        return after

    def failing(self, worlds: Iterable[World], *, ignored: bool) -> Worlds:
        """``set -e``: a failure ends the shell, unless it is looked at."""
        if ignored:
            return set(worlds)
        return {
            world._replace(flow="exit")
            if world.status and not world.flow and "errexit" in world.options
            else world
            for world in worlds
        }

    # Simple commands

    def simple(self, node: Simple, worlds: Worlds, ignored: bool) -> Worlds:
        before = worlds
        for substitution in node.substitutions if node.inner is None else ():
            worlds = self._substituted(substitution.script, worlds)
        if node.inner is not None:
            after = self._handed_over(node, node.inner, worlds, ignored)
        elif not node.argv:
            assigned = any(s.where == IN_ASSIGNMENT for s in node.substitutions)
            after = {self._assigned(node, world, assigned) for world in worlds}
        else:
            after = set()
            for world in worlds if not node.substitutions else self._with_status_of(before, worlds):
                after.update(self._command(node, world))
        if self.dialect == "powershell" and not node.argv and not node.assignments:
            after = after | {world._replace(status=NONZERO) for world in after}
        return self.failing((world._replace(pipe=(world.status,)) for world in after), ignored=ignored)

    def _substituted(self, script: Script, worlds: Worlds) -> Worlds:
        quiet = {world._replace(options=world.options - {"errexit"}) for world in worlds}
        after = {
            end._replace(options=end.options | {"errexit"})
            if "errexit" in next(iter(worlds)).options
            else end
            for end in self.subshell(script, quiet, ignored=True)
        }
        if any("errexit" in world.options for world in worlds):
            # bash switches `set -e` off in a substitution, sh and zsh leave it on.
            after |= self.subshell(script, worlds, ignored=False)
        return after

    def _with_status_of(self, before: Worlds, worlds: Worlds) -> Worlds:
        """``echo "$(a)" $?``: ``$?`` in the words is still the status before the command."""
        statuses = {world.status for world in before}
        return {world._replace(status=status) for world in worlds for status in statuses}

    def _assigned(self, node: Simple, world: World, substituted: bool) -> World:
        after = world
        for name, text in node.assignments:
            after = after.knowing(name, self.number(text, world))
        failing = any(redirect.operator in (">", ">>", "<") for redirect in node.redirects)
        return after._replace(status=world.status if substituted else NONZERO if failing else 0)

    def _handed_over(self, node: Simple, inner: Script, worlds: Worlds, ignored: bool) -> Worlds:
        for script in scripts_below(node)[:-1]:
            worlds = self._substituted(script, worlds)
        unwrapped = launchers.unwrap(node.argv)
        if launchers.program(node.argv[0]) == "eval":
            return self.script(inner, worlds, ignored=ignored)
        fresh = Script(inner.root, inner.options or frozenset({""}), inner.unparsed, inner.dialect)
        after = self.subshell(fresh, worlds, ignored=False)
        if inner.unparsed:
            after |= _free(worlds) | _free(after)
        if unwrapped.prefix or unwrapped.status != "own":
            # A launcher may fail before it starts anything, or kill what it started.
            after |= {world._replace(status=NONZERO) for world in after | worlds}
        if unwrapped.status == "idle":
            after |= {world._replace(status=0) for world in worlds}
        return _free(after | worlds) if unwrapped.status == "hidden" else after

    def _command(self, node: Simple, world: World) -> Worlds:
        name = launchers.program(node.argv[0])
        bodies = self.functions.get(node.argv[0])
        if bodies and self.calls < CALL_LIMIT:
            after = self._called(bodies, world)
        elif name in self.builtins:
            after = set(self.builtins[name](self, node, world))
        else:
            after = {world._replace(status=0), world._replace(status=NONZERO)}
        if node is not self.target:
            return after
        return self._asked_about(node, after)

    def _asked_about(self, node: Simple, after: Iterable[World]) -> Worlds:
        rule = launchers.unwrap(node.argv).status
        found: Worlds = set()
        for world in after:
            if world.status == 0:
                found.add(world._replace(target=max(PASSED, world.target)))
                if rule == "idle":
                    found.add(world)
            else:
                found.add(world._replace(status=OWN, target=FAILED))
        if rule == "hidden":
            unseen = {
                world._replace(target=target) for world in found for target in (NOT_RUN, PASSED, FAILED)
            }
            return _free(unseen)
        return found

    def _called(self, bodies: list[Node], world: World) -> Worlds:
        self.calls += 1
        after: Worlds = set()
        for body in bodies:
            for end in self.run(body, {world}, ignored=False):
                after.add(end._replace(flow="") if end.flow == "return" else end)
        self.calls -= 1
        return after

    def number(self, word: str, world: World) -> int | None:
        """The status that a word stands for (``$?``, ``$rc``, ``${PIPESTATUS[0]}``, ``1``)."""
        if word.isdigit():
            return int(word) & 255
        if not word.startswith("$"):
            return None
        name = word[1:].strip("{}").strip('"')
        if name == "?":
            return world.status
        if name.startswith(("PIPESTATUS", "pipestatus")):
            return _pipe_status(name, world)
        if name.upper() in ("LASTEXITCODE", "?"):
            return world.value("LASTEXITCODE")
        return world.value(name.split(":")[0].split("-")[0])

    # Lists and pipelines

    def chain(self, node: Chain, worlds: Worlds, ignored: bool) -> Worlds:
        items = node.items
        for index, (operator, item) in enumerate(items):
            looked_at = index + 1 < len(items) and items[index + 1][0] in ("&&", "||")
            if operator == "&&":
                going = {world for world in worlds if not world.status}
            elif operator == "||":
                going = {world for world in worlds if world.status}
            else:
                going = worlds
            worlds = self.run(item, going, ignored=ignored or looked_at) | (worlds - going)
        return worlds

    def pipeline(self, node: Pipeline, worlds: Worlds, ignored: bool) -> Worlds:
        quiet = ignored or node.negated
        if len(node.stages) == 1:
            after = self.run(node.stages[0], worlds, ignored=quiet)
        else:
            after = set()
            for world in worlds:
                after |= self._piped(node.stages, world, quiet)
        if node.negated:
            return {w if w.flow else w._replace(status=0 if w.status else 1) for w in after}
        return self.failing(after, ignored=ignored)

    def _piped(self, stages: tuple[Node, ...], world: World, ignored: bool) -> Worlds:
        ends: set[tuple[int, int, tuple[int, ...]]] = {(0, world.target, ())}
        pipefail = "pipefail" in world.options
        for stage in stages:
            outcomes = {
                (end.status, end.target)
                for end in self.subshell(Script(stage, dialect=self.dialect), {world}, ignored=ignored)
            }
            ends = {
                (code if code or not pipefail else status, max(target, became), (*pipe, code))
                for status, target, pipe in ends
                for code, became in outcomes
            }
            if len(ends) > WORLD_LIMIT:
                raise TooManyWorldsError
        after = {world._replace(status=s, target=t, pipe=pipe) for s, t, pipe in ends}
        if self.dialect != "powershell":
            return after
        # Programs leave their status in $LASTEXITCODE even in front of a cmdlet.
        programs = [i for i, stage in enumerate(stages) if _is_program(stage)]
        last = {
            w.knowing("LASTEXITCODE", w.pipe[programs[-1]] if len(programs) == 1 else None) for w in after
        }
        return _free(last)

    def background(self, node: Background, worlds: Worlds, _ignored: bool) -> Worlds:
        after: Worlds = set()
        for world in worlds:
            for end in self.subshell(Script(node.body, dialect=self.dialect), {world}, ignored=True):
                after.add(end._replace(status=0).knowing("!", end.status))
        return after

    def group(self, node: Group, worlds: Worlds, ignored: bool) -> Worlds:
        if not node.subshell:
            return self.run(node.body, worlds, ignored=ignored)
        after = self.subshell(Script(node.body, dialect=self.dialect), worlds, ignored=ignored)
        return self.failing(after, ignored=ignored)

    # Compound commands

    def compound(self, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
        for substitution in node.substitutions:
            worlds = self._substituted(substitution.script, worlds)
        if self.dialect != "bash":
            return self._any_of(node.parts, worlds, ignored)
        return _COMPOUNDS[node.kind](self, node, worlds, ignored)

    def _any_of(self, parts: tuple[Part, ...], worlds: Worlds, ignored: bool) -> Worlds:
        """Any of the parts, in order and more than once: where the conditions are not understood."""
        worlds = _free(worlds)
        for part in (*parts, *parts):
            worlds = _free(
                worlds
                | {
                    w._replace(flow="") if w.flow == "break" else w
                    for w in self.run(part.node, worlds, ignored=ignored)
                }
            )
        return worlds

    def conditional(self, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
        after: Worlds = set()
        for part in node.parts:
            if part.role == "condition":
                decided = self.run(part.node, worlds, ignored=True)
                after |= {world for world in decided if world.flow}
                true = {world for world in decided if not world.flow and not world.status}
                worlds = {world for world in decided if not world.flow and world.status}
            elif part.role == "body":
                after |= self.run(part.node, true, ignored=ignored)
            else:
                after |= self.run(part.node, worlds, ignored=ignored)
                worlds = set()
        return after | {world._replace(status=0) for world in worlds}

    def loop(self, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
        """``while`` and ``until``: the status is that of the last round."""
        condition, body = node.parts[0].node, node.parts[1].node
        rounds = {(world, 0) for world in worlds}
        seen: set[tuple[World, int]] = set()
        after: Worlds = set()
        while rounds - seen:
            fresh, seen = rounds - seen, seen | rounds
            rounds = set()
            for world, last in fresh:
                going: Worlds = set()
                for decided in self.run(condition, {world}, ignored=True):
                    if decided.flow:
                        after.add(_left(decided))
                    elif bool(decided.status) == (node.kind == "until"):
                        going.add(decided)
                    else:
                        after.add(decided._replace(status=last))
                rounds |= {(w, w.status) for w in self._round(body, going, after, ignored)}
            if len(seen) > WORLD_LIMIT:
                raise TooManyWorldsError
        return after

    def for_each(self, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
        body = node.parts[0].node
        sure = 0 if node.words is None or node.expands or node.kind == "select" else len(node.words)
        after: Worlds = set()
        worlds = {world._replace(status=0).knowing(node.name, None) for world in worlds}
        for _ in range(min(sure, ROUND_LIMIT)):
            worlds = self._round(body, worlds, after, ignored)
        if sure and sure <= ROUND_LIMIT:
            return after | worlds
        seen: Worlds = set()
        while worlds - seen:
            worlds, seen = worlds - seen, seen | worlds
            worlds = self._round(body, worlds, after, ignored)
        return after | seen if node.words != () else seen

    def _round(self, body: Node, worlds: Worlds, left: Worlds, ignored: bool) -> Worlds:
        """One round of a loop: the worlds that go on; those that leave the loop are added to ``left``."""
        on: Worlds = set()
        for world in self.run(body, worlds, ignored=ignored) if worlds else ():
            if world.flow in ("", "continue"):
                on.add(world._replace(flow=""))
            else:
                left.add(_left(world))
        return on

    def case(self, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
        after: Worlds = set()
        falling: Worlds = set()
        for part in node.parts:
            ends = self.run(part.node, worlds | falling, ignored=ignored)
            falling = ends if part.then in (";&", ";;&") else set()
            after |= ends
            if "*" in part.label.split("|"):
                return after
        return after | {world._replace(status=0) for world in worlds}

    def function(self, node: Compound, worlds: Worlds, _ignored: bool) -> Worlds:
        bodies = self.functions.setdefault(node.name, [])
        if node.parts[0].node not in bodies:
            bodies.append(node.parts[0].node)
        return {world._replace(status=0) for world in worlds}

    def tested(self, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
        """``[[ ... ]]`` and ``((...))``."""
        after = {end for world in worlds for end in self.builtins[node.kind](self, _as_simple(node), world)}
        return self.failing(after, ignored=ignored)


def _as_simple(node: Compound) -> Simple:
    return Simple((node.kind, *(node.words or ())))


def _free(worlds: Iterable[World]) -> Worlds:
    """The same worlds with any status."""
    return {world._replace(status=status) for world in worlds for status in (0, NONZERO)}


def _left(world: World) -> World:
    return world._replace(flow="") if world.flow == "break" else world


def _pipe_status(name: str, world: World) -> int | None:
    """zsh counts from 1, and its array is written in small letters."""
    index = name.partition("[")[2].rstrip("]") or ("0" if name.startswith("P") else "")
    if not index.isdigit():
        return None
    at = int(index) - (0 if name.startswith("P") else 1)
    return world.pipe[at] if 0 <= at < len(world.pipe) else None


def _is_program(stage: Node) -> bool:
    """Whether a stage of a PowerShell pipeline is no cmdlet (they are named Verb-Noun)."""
    return isinstance(stage, Simple) and bool(stage.argv) and not stage.argv[0][:1].isupper()


_RUNS: dict[type, Callable[..., Worlds]] = {
    Simple: Machine.simple,
    Chain: Machine.chain,
    Pipeline: Machine.pipeline,
    Background: Machine.background,
    Group: Machine.group,
    Compound: Machine.compound,
}
_COMPOUNDS: dict[str, Callable[..., Worlds]] = {
    "if": Machine.conditional,
    "while": Machine.loop,
    "until": Machine.loop,
    "for": Machine.for_each,
    "select": Machine.for_each,
    "case": Machine.case,
    "function": Machine.function,
    "test": Machine.tested,
    "arithmetic": Machine.tested,
}
