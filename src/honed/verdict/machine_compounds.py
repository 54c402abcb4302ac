"""Conditionals, loops, ``case`` and functions, run in all their ways.

Each takes the worlds before and gives those after; ``ignored`` as in ``Machine.run``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from honed.verdict.shell_tree import Compound, Node, Part, Simple
from honed.verdict.worlds import FUNCTION, ROUND_LIMIT, WORLD_LIMIT, TooManyWorldsError, World, Worlds, free

if TYPE_CHECKING:
    from honed.verdict.machine import Machine


def any_of(machine: Machine, parts: tuple[Part, ...], worlds: Worlds, ignored: bool) -> Worlds:
    """Any of the parts, in order and more than once: where the conditions are not understood."""
    worlds = free(worlds)
    for part in (*parts, *parts):
        worlds = free(
            worlds
            | {
                w._replace(flow="") if w.flow == "break" else w
                for w in machine.run(part.node, worlds, ignored=ignored)
            }
        )
    return worlds


def conditional(machine: Machine, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
    """``if``: the body of the first condition that holds."""
    after: Worlds = set()
    for part in node.parts:
        if part.role == "condition":
            decided = machine.run(part.node, worlds, ignored=True)
            after |= {world for world in decided if world.flow}
            true = {world for world in decided if not world.flow and not world.status}
            worlds = {world for world in decided if not world.flow and world.status}
        elif part.role == "body":
            after |= machine.run(part.node, true, ignored=ignored)
        else:
            after |= machine.run(part.node, worlds, ignored=ignored)
            worlds = set()
    return after | {world.ending(0) for world in worlds}


def loop(machine: Machine, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
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
            for decided in machine.run(condition, {world}, ignored=True):
                if decided.flow:
                    after.add(_left(decided))
                elif bool(decided.status) == (node.kind == "until"):
                    going.add(decided)
                else:
                    after.add(decided.ending(last))
            rounds |= {(w, w.status) for w in _round(machine, body, going, after, ignored)}
        if len(seen) > WORLD_LIMIT:
            raise TooManyWorldsError
    return after


def for_each(machine: Machine, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
    """``for`` and ``select``: as often as there are words, or any number of times."""
    body = node.parts[0].node
    sure = 0 if node.words is None or node.expands or node.kind == "select" else len(node.words)
    after: Worlds = set()
    worlds = {world.knowing(node.name, None) for world in worlds}
    if node.words == ():
        return {world.ending(0) for world in worlds}
    if 0 < sure <= ROUND_LIMIT:
        for _ in range(sure):
            worlds = _round(machine, body, worlds, after, ignored)
        return after | worlds
    seen: Worlds = set()
    after |= {world.ending(0) for world in worlds}
    while worlds - seen:
        worlds, seen = worlds - seen, seen | worlds
        worlds = _round(machine, body, worlds, after, ignored)
        after |= worlds
    return after


def _round(machine: Machine, body: Node, worlds: Worlds, left: Worlds, ignored: bool) -> Worlds:
    """One round of a loop: the worlds that go on; those that leave the loop are added to ``left``."""
    on: Worlds = set()
    loops, machine.loops = machine.loops, abs(machine.loops) + 1
    ends = machine.run(body, worlds, ignored=ignored) if worlds else set()
    machine.loops = loops
    for world in ends:
        if world.flow in ("", "continue"):
            on.add(world._replace(flow=""))
        else:
            left.add(_left(world))
    return on


def case(machine: Machine, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
    """Any arm may be the one, and none unless there is ``*``."""
    after: Worlds = set()
    falling: Worlds = set()
    for part in node.parts:
        ends = machine.run(part.node, worlds | falling, ignored=ignored)
        falling = ends if part.then in (";&", ";;&") else set()
        after |= ends
        if "*" in part.label.split("|"):
            return after
    return after | {world.ending(0) for world in worlds}


def function(machine: Machine, node: Compound, worlds: Worlds, _ignored: bool) -> Worlds:
    """A definition runs nothing."""
    machine.bodies.append(node.parts[0].node)
    return {world.ending(0).knowing(FUNCTION + node.name, len(machine.bodies) - 1) for world in worlds}


def tested(machine: Machine, node: Compound, worlds: Worlds, ignored: bool) -> Worlds:
    """``[[ ... ]]`` and ``((...))``."""
    after = {end for world in worlds for end in machine.builtins[node.kind](machine, _as_simple(node), world)}
    return machine.failing(after, ignored=ignored)


def _as_simple(node: Compound) -> Simple:
    return Simple((node.kind, *(node.words or ())))


def _left(world: World) -> World:
    return world._replace(flow="") if world.flow == "break" else world


COMPOUNDS: dict[str, Callable[..., Worlds]] = {
    "if": conditional,
    "while": loop,
    "until": loop,
    "for": for_each,
    "select": for_each,
    "case": case,
    "function": function,
    "test": tested,
    "arithmetic": tested,
}
