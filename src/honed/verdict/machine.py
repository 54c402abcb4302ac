"""Runs a script in all its ways: the rules of the shell, from words to lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from honed.verdict import launchers
from honed.verdict.machine_compounds import COMPOUNDS, any_of
from honed.verdict.shell import scripts_below
from honed.verdict.shell_tree import (
    IN_ASSIGNMENT,
    Background,
    Chain,
    Compound,
    Group,
    Node,
    Pipeline,
    Script,
    Simple,
)
from honed.verdict.worlds import (
    CALL_LIMIT,
    FAILED,
    FUNCTION,
    JOB,
    NESTING_LIMIT,
    NONZERO,
    NOT_RUN,
    OWN,
    PASSED,
    STEP_LIMIT,
    WORLD_LIMIT,
    TooManyWorldsError,
    World,
    Worlds,
    free,
    pipe_status,
)

LAST_EXIT_CODE = "LASTEXITCODE"
_CMDLET = re.compile(r"[A-Za-z]+-[A-Z]\w*\Z")
_ALIASES = frozenset(
    (
        "cd ls dir cat type echo write select where sort foreach sls gc sc gci ft fl measure tee set pwd rm"
        " del cp mv mkdir exit return % ?"
    ).split()
)

Builtin: TypeAlias = "Callable[[Machine, Simple, World], Iterable[World]]"


class Machine:
    """Runs a script in all its ways.  ``builtins`` are the commands whose outcome is known.

    ``calls`` and ``loops`` say how many functions and loops are running (loops of the shell around a
    subshell: negative); ``keeps_pipes`` that somebody asks for the statuses of a pipe's commands (else ways
    that differ in nothing else are one); ``piped`` that the output goes into a pipe.  ``target`` is the
    command we ask about.  ``printed`` collects, for each ``echo`` in the script, the worlds in which it ran.
    """

    __slots__ = (
        "bodies",
        "builtins",
        "calls",
        "dialect",
        "keeps_pipes",
        "loops",
        "nesting",
        "piped",
        "printed",
        "steps",
        "target",
    )

    def __init__(self, script: Script, target: Simple | None, builtins: dict[str, Builtin]) -> None:
        self.target = target
        self.builtins = builtins
        self.dialect = script.dialect
        self.bodies: list[Node] = []
        self.printed: dict[int, tuple[Simple, Worlds]] = {}
        self.steps = 0
        self.calls = 0
        self.loops = 0
        self.nesting = 0
        self.piped = False
        self.keeps_pipes = script.asks_pipes

    def script(self, script: Script, worlds: Worlds, *, ignored: bool) -> Worlds:
        dialect, self.dialect = self.dialect, script.dialect
        if script.root is None:
            after = {world.ending(0) for world in worlds}
        else:
            after = self.run(script.root, worlds, ignored=ignored)
        self.dialect = dialect
        return after

    def run(self, node: Node, worlds: Worlds, *, ignored: bool) -> Worlds:
        """The worlds after ``node``.  ``ignored``: a failure here does not end a shell with ``set -e``."""
        running = {world for world in worlds if not world.flow}
        ended = worlds - running if len(running) != len(worlds) else set()
        self.steps += len(running)
        if self.steps > STEP_LIMIT or len(running) > WORLD_LIMIT or self.nesting > NESTING_LIMIT:
            raise TooManyWorldsError
        if not running:
            return ended
        self.nesting += 1
        after = _RUNS[type(node)](self, node, running, ignored)
        self.nesting -= 1
        return after | ended

    def subshell(self, script: Script, worlds: Worlds, *, ignored: bool) -> Worlds:
        """Run in a process of its own: only the status comes back, and what became of the target."""
        after: Worlds = set()
        loops, self.loops = self.loops, -abs(self.loops)
        for world in worlds:
            known = frozenset(pair for pair in world.known if pair[0][0] != JOB)
            for end in self.script(script, {world._replace(known=known)}, ignored=ignored):
                after.add(world._replace(status=end.status, target=end.target))
        self.loops = loops
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
            # A value by itself is printed, and is a condition that nobody here evaluates.
            self.printed.setdefault(id(node), (node, set()))[1].update(worlds)
            after = after | {world.ending(NONZERO) for world in after}
        if self.dialect == "powershell" and _is_program(node):
            after = {world.knowing(LAST_EXIT_CODE, world.status) for world in after}
        return self.failing(map(World.alone, after) if self.keeps_pipes else after, ignored=ignored)

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
        return {world.ending(status) for world in worlds for status in statuses}

    def _assigned(self, node: Simple, world: World, substituted: bool) -> World:
        after = world
        for name, text in node.assignments:
            if text == "$!":
                after = after.knowing(JOB + name, world.value(JOB))
            after = after.knowing(name, self.number(text, world))
        failing = any(redirect.operator in (">", ">>", "<") for redirect in node.redirects)
        return after.ending(world.status if substituted else NONZERO if failing else 0)

    def _new_shell(self, script: Script, worlds: Worlds) -> Worlds:
        """Run by a shell that knows nothing of this one."""
        calls, self.calls, loops, self.loops = self.calls, 0, self.loops, 0
        after = {
            world._replace(status=end.status, target=end.target)
            for world in worlds
            for end in self.script(script, {World(0, world.target, options=script.options)}, ignored=False)
        }
        self.calls, self.loops = calls, loops
        return after

    def _handed_over(self, node: Simple, inner: Script, worlds: Worlds, ignored: bool) -> Worlds:
        for script in scripts_below(node)[:-1]:
            worlds = self._substituted(script, worlds)
        unwrapped = launchers.unwrap(node.argv)
        if launchers.program(node.argv[0]) == "eval":
            return self.script(inner, worlds, ignored=ignored)
        after = self._new_shell(inner, worlds)
        if inner.unparsed:
            after |= free(worlds) | free(after)
        if unwrapped.prefix or unwrapped.status != "own":
            # A launcher may fail before it starts anything, or kill what it started.
            after |= {world.ending(NONZERO) for world in after | worlds}
        if unwrapped.status == "idle":
            after |= {world.ending(0) for world in worlds}
        return free(after | worlds) if unwrapped.status == "hidden" else after

    def _command(self, node: Simple, world: World) -> Worlds:
        name = launchers.program(node.argv[0])
        body = world.value(FUNCTION + node.argv[0])
        if body is not None:
            after = self._called(self.bodies[body], world)
        elif name in self.builtins:
            after = set(self.builtins[name](self, node, world))
        else:
            after = {world.ending(0), world.ending(NONZERO)}
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
                found.add(world._replace(status=NONZERO if rule == "translated" else OWN, target=FAILED))
        if rule == "hidden":
            unseen = {
                world._replace(target=target) for world in found for target in (NOT_RUN, PASSED, FAILED)
            }
            return free(unseen)
        return found

    def _called(self, body: Node, world: World) -> Worlds:
        if self.calls >= CALL_LIMIT:
            raise TooManyWorldsError
        self.calls += 1
        loops, self.loops = self.loops, 0
        ends = self.run(body, {world}, ignored=False)
        self.calls -= 1
        self.loops = loops
        return {end._replace(flow="") if end.flow == "return" else end for end in ends}

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
            return pipe_status(name, world)
        if name.upper() == LAST_EXIT_CODE:
            return world.value(LAST_EXIT_CODE)
        return world.value(name.split(":")[0].split("-")[0])

    # Lists and pipelines

    def chain(self, node: Chain, worlds: Worlds, ignored: bool) -> Worlds:
        items = node.items
        if not items:
            return {world.ending(0) for world in worlds}
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
            return {w if w.flow else w.ending(0 if w.status else 1) for w in after}
        return self.failing(after, ignored=ignored)

    def _piped(self, stages: tuple[Node, ...], world: World, ignored: bool) -> Worlds:
        ends: set[tuple[int, int, tuple[int, ...]]] = {(0, world.target, ())}
        pipefail = "pipefail" in world.options
        piped, keeps = self.piped, self.keeps_pipes or self.dialect == "powershell"
        for index, stage in enumerate(stages):
            self.piped = piped or index + 1 < len(stages)
            outcomes = {
                (end.status, end.target)
                for end in self.subshell(Script(stage, dialect=self.dialect), {world}, ignored=ignored)
            }
            ends = {
                (
                    code if code or not pipefail else status,
                    max(target, became),
                    (*pipe, code) if keeps else (),
                )
                for status, target, pipe in ends
                for code, became in outcomes
            }
            if len(ends) > WORLD_LIMIT:
                raise TooManyWorldsError
        self.piped = piped
        after = {world._replace(status=s, target=t, pipe=pipe) for s, t, pipe in ends}
        if self.dialect != "powershell":
            return after
        # Programs leave their status in $LASTEXITCODE even in front of a cmdlet.
        programs = [i for i, stage in enumerate(stages) if _is_program(stage)]
        last = {
            w.knowing(LAST_EXIT_CODE, w.pipe[programs[-1]] if len(programs) == 1 else None) for w in after
        }
        return free(w._replace(pipe=()) for w in last)

    def background(self, node: Background, worlds: Worlds, _ignored: bool) -> Worlds:
        after: Worlds = set()
        for world in worlds:
            for end in self.subshell(Script(node.body, dialect=self.dialect), {world}, ignored=True):
                # bash forgets the `!` of what it starts in the background.
                status = None if isinstance(node.body, Pipeline) and node.body.negated else end.status
                after.add(end.ending(0).knowing(JOB, status))
        return after

    def group(self, node: Group, worlds: Worlds, ignored: bool) -> Worlds:
        if not node.subshell:
            return self.run(node.body, worlds, ignored=ignored)
        after = self.subshell(Script(node.body, dialect=self.dialect), worlds, ignored=ignored)
        return self.failing(after, ignored=ignored)

    def compound(self, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
        for substitution in node.substitutions:
            worlds = self._substituted(substitution.script, worlds)
        if self.dialect != "bash":
            return any_of(self, node.parts, worlds, ignored)
        return COMPOUNDS[node.kind](self, node, worlds, ignored)


def _is_program(stage: Node) -> bool:
    """Whether a command of PowerShell is no cmdlet (named Verb-Noun) nor one of the usual aliases."""
    if not isinstance(stage, Simple) or not stage.argv:
        return False
    return not _CMDLET.match(stage.argv[0]) and stage.argv[0].lower() not in _ALIASES


_RUNS: dict[type, Callable[..., Worlds]] = {
    Simple: Machine.simple,
    Chain: Machine.chain,
    Pipeline: Machine.pipeline,
    Background: Machine.background,
    Group: Machine.group,
    Compound: Machine.compound,
}
