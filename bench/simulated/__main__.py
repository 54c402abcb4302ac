"""``python -m bench.simulated [--repositories N] [--final | --unseen]``: see docs/simulated.md.

Prints Markdown tables.  ``--final`` adds the first held-out family and takes other seeds than those of
tuning; ``--unseen`` are the families that were written before the last tuning and not looked at until then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TypeAlias
from zlib import crc32

from bench.simulated.agent import Agent, Memory, NoMemory
from bench.simulated.arms import Everything, Honed, Others, taught
from bench.simulated.comparing import Outcome, Pair, harm, interval, longer, share_saved, success
from bench.simulated.costs import HARM_TOKENS
from bench.simulated.families import FAMILIES, Case, Family
from bench.simulated.held_out import held_out
from bench.simulated.unseen import UNSEEN
from bench.simulated.world import Task, World

Found: TypeAlias = dict[str, dict[str, list[Pair]]]
"""Pairs by family and arm."""
ARMS = ("honed", "random", "stale", "everything")
HARMED = (
    "*Harmed*: failed where it succeeds without memory, or took more calls, or more than"
    f" {HARM_TOKENS:g} times the tokens."
)
HEAD = (
    "| {} (simulated) | arm | tasks | success without / with | fewer calls | fewer tokens"
    " | harmed (more calls, or failed) |"
)
SETS: Mapping[str, tuple[Mapping[str, Family], int]] = {
    "tuning": (FAMILIES, 1000),
    "final": ({**FAMILIES, "held out": held_out}, 9000),
    "unseen": (UNSEEN, 5000),
}
"""Families, and where their seeds begin."""


def outcome(world: World, task: Task, memory: Memory, repository: str) -> tuple[Outcome, list[str]]:
    """What one task comes to, and the notes that were given."""
    world.reset()
    agent = Agent(world, task, memory)
    done = agent.work()
    told = Outcome(repository, task.request, task.stranger, done, agent.bill.calls, agent.bill.tokens)
    return told, agent.notes


def measured(cases: Sequence[tuple[str, Case]], base: Path) -> Found:
    """Pairs by family and arm."""
    found: Found = {}
    given: dict[str, list[str]] = {}
    waiting: list[tuple[str, Case, Task, Outcome]] = []
    for name, case in cases:
        home, older = base / f"home-{name}", base / f"older-{name}"
        case.world.write()
        taught(home, case.world, case.training, base / f"sessions-{name}")
        for task in case.tests:
            arms = found.setdefault(case.family, {arm: [] for arm in ARMS})
            without, _ = outcome(case.world, task, NoMemory(), name)
            with_it, notes = outcome(
                case.world, task, Honed(home, case.world.folder, _session("honed", task)), name
            )
            given.setdefault(case.family, []).extend(notes)
            arms["honed"].append(Pair(without, with_it))
            everything, _ = outcome(case.world, task, Everything(home, case.world.folder), name)
            arms["everything"].append(Pair(without, everything))
            waiting.append((name, case, task, without))
        _stale(case, older, base / f"old-sessions-{name}", name, found)
    random = Random(7)
    for name, case, task, without in waiting:
        others = [note for family, notes in given.items() if family != case.family for note in notes]
        honed = Honed(base / f"home-{name}", case.world.folder, _session("random", task))
        told, _ = outcome(case.world, task, Others(honed, others, random), name)
        found[case.family]["random"].append(Pair(without, told))
    return found


def _stale(
    case: Case, home: Path, sessions: Path, name: str, found: dict[str, dict[str, list[Pair]]]
) -> None:
    """The arm whose memory is of an older state: trained in the same folder, before it changed."""
    older = case.older
    older.folder = case.world.folder
    taught(home, older, case.older_training, sessions)
    pairs = found[case.family]
    for task, pair in zip(case.tests, pairs["honed"][-len(case.tests) :], strict=True):
        told, _ = outcome(case.world, task, Honed(home, case.world.folder, _session("stale", task)), name)
        pairs["stale"].append(Pair(pair.without, told))


def _session(arm: str, task: Task) -> str:
    return f"{arm}-{crc32(task.request.encode()):08x}"


def made(
    repositories: int, base: Path, families: Mapping[str, Family], first: int
) -> Iterator[tuple[str, Case]]:
    """The cases, by name; seeds from ``first``."""
    for family, make in families.items():
        for number in range(repositories):
            name = f"{family.replace(' ', '-')}-{number}"
            yield name, make(Random(first + number), base / "repositories" / name)


def table(found: Found) -> Iterator[str]:
    """The tables in Markdown."""
    yield HEAD.format("family")
    yield "|---|---|---|---|---|---|---|"
    for family, arms in found.items():
        for arm, pairs in arms.items():
            yield _row(family, arm, pairs)
    for arm in ARMS:
        yield _row("all", arm, [pair for arms in found.values() for pair in arms[arm]])
    yield ""
    yield HEAD.format("strangers")
    yield "|---|---|---|---|---|---|---|"
    for arm in ARMS:
        pairs = [pair for arms in found.values() for pair in arms[arm] if pair.without.stranger]
        yield _row("all", arm, pairs)
    yield ""
    yield HARMED


def _row(family: str, arm: str, pairs: Sequence[Pair]) -> str:
    before, after = success(pairs)
    cells = [_saved(pairs, "calls"), _saved(pairs, "tokens")]
    return (
        f"| {family} | {arm} | {len(pairs)} | {before:.0%} / {after:.0%} | {cells[0]} | {cells[1]} "
        f"| {harm(pairs):.1%} ({longer(pairs):.1%}) |"
    )


def _saved(pairs: Sequence[Pair], of: str) -> str:
    low, high = interval(pairs, lambda some: share_saved(some, of), 11)
    return f"{share_saved(pairs, of):.0%} ({low:.0%} to {high:.0%})"


def main(argv: Sequence[str]) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m bench.simulated", description=__doc__)
    parser.add_argument("--repositories", type=int, default=8, metavar="N", help="of each family (8)")
    which = parser.add_mutually_exclusive_group()
    for name in ("final", "unseen"):
        which.add_argument(f"--{name}", dest="which", action="store_const", const=name, default="tuning")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        found = measured(list(made(options.repositories, base, *SETS[options.which])), base)
    for line in table(found):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
