"""``python -m bench.peers``: install the peers, run both parts side by side, print the tables.

HONED_CASES names a folder with ``test_commands.jsonl`` and ``verify_commands.jsonl``, HONED_RETRIEVAL one
with the labelled retrieval sets.  What is not at hand is said, and left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from bench.machine import heading, machine
from bench.peers import recognise, retrieve
from bench.peers.asked import Found, ask
from bench.peers.environments import (
    MODEL,
    MUSCLEMEMORY,
    ROOT,
    SKILLMEM,
    MissingError,
    default_cache,
    prepared,
)
from bench.peers.kept import Kept
from bench.peers.page import with_section
from bench.peers.sets import SETS, Labelled, load
from bench.peers.worker import Worker

PEERS = {"skillmem": SKILLMEM, "musclememory": MUSCLEMEMORY}
"""Other people's."""
INSTALLED = {"honed_model": MODEL, **PEERS, "dense": MODEL}
SYSTEMS = ("honed", "honed_model", *PEERS, "fts5", "dense")
OWN = f"SQLite {sqlite3.sqlite_version}"
"""What systems have in common that run in this Python."""
RECOGNISERS = ("honed", "musclememory", "skillmem")
SHARED = "The machine was shared with other work, so timings are noisy; CPU time is the steadier figure."
RECOGNITION_NOTE = """\
`passed` takes in what honed calls weak (only the runner's own summary says so). A false pass is a run that
failed, ran no test, or cannot be told, and is taken for a pass. MuscleMemory is told each run through its own
Claude Code hooks, after an edit. skillmem looks at no run: it books what the agent claims, so its rows are
those of an agent that repeats the exit status, and of one that always says it passed. Our corpus is the one
that honed's tests hold it to: there its figure says that they pass."""
RETRIEVAL_NOTE = """\
Every system keeps the same documents and answers the same queries; a query sees what is older than itself,
within its own project. honed (by words, and with the model of its extra `semantic`) and skillmem write and
search by their own doors (skillmem in BM25 mode: its model comes from a hub). *The model alone* is plain
dense retrieval with honed's model. **Bold** is what is above honed by words, with a ^ above honed with the
model too. MuscleMemory learns from traces only, so its rows stand in its database as after every gate was
passed, which leaves its learning out of the time for keeping one; its own candidate search and ranking find
them, its bar at nothing, its hash vectors. Questions of conv that the talk does not answer are left out.
Times are of a warm search in the process, which in honed scores three times as many candidates as the recall
at a prompt (Store, Hooks); lazy indexing is left out. What was not measured in this run was
kept from an earlier one of the same version on the same set, asked in the same way (`--fresh` asks all
again)."""


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument(
        "--parts", nargs="+", choices=("recognise", "retrieve"), default=["recognise", "retrieve"]
    )
    parser.add_argument("--sets", nargs="+", choices=tuple(SETS), default=list(SETS))
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--most", type=int, metavar="N", help="ask at most N queries a set, chosen by a hash")
    parser.add_argument("--fresh", action="store_true", help="ask again what was kept of earlier runs")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where environments are kept")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a Markdown page, too")
    return parser.parse_args()


def pythons(systems: Sequence[str], cache: Path) -> tuple[dict[str, str], list[str]]:
    """The Python each system runs in, and what is missing for those that have none."""
    found, missing = {}, []
    for system in systems:
        try:
            found[system] = prepared(INSTALLED[system], cache) if system in INSTALLED else sys.executable
        except MissingError as error:
            missing.append(f"{system} is left out: {error}")
    return found, missing


@contextmanager
def started(systems: Sequence[str], found: Mapping[str, str]) -> Iterator[list[Worker]]:
    """Workers of those systems that can run, with fresh homes that are thrown away."""
    with tempfile.TemporaryDirectory(prefix="peers-") as folder, ExitStack() as stack:
        yield [
            stack.enter_context(Worker(name, Path(folder), found[name])) for name in systems if name in found
        ]


def headed(what: str, versions: Mapping[str, Mapping[str, str]], text: str, note: str) -> str:
    """A table below the line that says on what it was measured; ``versions`` by system."""
    told = [
        f"{retrieve.NAMES[name].split(',')[0]} {one['version']} on Python {one['python']}"
        for name, one in versions.items()
    ]
    at = commit()
    load = " ".join(f"{value:.1f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    first, machine = heading(what).split("\n", 1)
    return f"{first}\n\n{machine}{at}. {'; '.join(told)}. Load {load}. {SHARED}\n\n{note}\n\n{text}\n"


def commit() -> str:
    """Which commit of honed this is, and whether files differ from it; "" where git cannot tell."""
    told = []
    for arguments in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "--", "src"]):
        try:
            done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return ""
        told.append(done.stdout.strip())
    return f" ({told[0]}{', with changes' if told[1] else ''})"


def recognition(found: Mapping[str, str], cases: Path | None) -> str:
    """The first part."""
    with started(RECOGNISERS, found) as workers:
        told = recognise.labels(cases)
        return headed(
            "Test commands, and what a run proves",
            {worker.name: worker.ask("versions") for worker in workers},
            recognise.tables(told, workers),
            RECOGNITION_NOTE,
        )


def retrieval(found: Mapping[str, str], folder: Path, chosen: argparse.Namespace) -> str:
    """The second part."""
    told = []
    for labelled in load(folder, chosen.sets, chosen.split, chosen.most):
        results = {}
        for system in (name for name in chosen.systems if name in found):
            began = time.perf_counter()
            results[system] = answers(system, found[system], labelled, fresh=chosen.fresh)
            print(f"{labelled.name}: {system}, {time.perf_counter() - began:.0f} s", file=sys.stderr)
        told.append((labelled, results))
    asked = f"{chosen.split} split" + (
        f", at most {chosen.most} queries a set by hash" if chosen.most else ""
    )
    refused = sum(one.refused for _, results in told for one in results.values())
    versions = {
        name: {"version": one.version, "python": one.python}
        for _, results in told
        for name, one in results.items()
    }
    note = f"{RETRIEVAL_NOTE}\nConnections that were tried and refused: {refused}."
    return headed(f"Retrieval, {asked}", versions, retrieve.tables(told), note)


def answers(system: str, python: str, labelled: Labelled, *, fresh: bool) -> Found:
    """What a system comes to on a set: now, or before, if nothing changed for it."""
    environment = Path(python).parts[-3] if system in INSTALLED else f"{platform.python_version()} {OWN}"
    kept = Kept(system, environment)
    if not fresh and (before := kept.read(labelled)) is not None:
        return before
    with started([system], {system: python}) as (worker,):
        found = ask(worker, labelled)
        found.refused = worker.ask("refused")
        versions = worker.ask("versions")
    found.version, found.python = versions["version"], versions["python"]
    kept.write(labelled, replace(found, measured=machine()))
    return found


def main() -> int:
    """Entry point; 1 when a system or a folder was missing."""
    chosen = options()
    found, missing = pythons(chosen.systems, chosen.cache)
    cases, sets = (os.environ.get(name) for name in ("HONED_CASES", "HONED_RETRIEVAL"))
    sections = {}
    if "recognise" in chosen.parts:
        if not cases:
            missing.append(f"HONED_CASES names no folder with {recognise.COMMANDS} and {recognise.RUNS}.")
        sections["Recognition"] = recognition(found, Path(cases) if cases else None)
        print(sections["Recognition"], flush=True)
    if "retrieve" in chosen.parts and sets:
        sections["Retrieval"] = retrieval(found, Path(sets), chosen)
        print(sections["Retrieval"], flush=True)
    elif "retrieve" in chosen.parts:
        missing.append("HONED_RETRIEVAL names no folder with the labelled sets: nothing was retrieved.")
    if chosen.into:
        page = chosen.into.read_text(encoding="utf-8") if chosen.into.exists() else "# Benchmarks\n"
        for name, text in sections.items():
            page = with_section(page, name, text)
        chosen.into.write_text(page, encoding="utf-8")
    for line in missing:
        print(line, file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
