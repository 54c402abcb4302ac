"""Recognition: which commands run tests, and what a run proves.

Labelled commands and runs come from the folder that HONED_CASES names, and from our own corpus of real and
hand-written runs (``tests/verdict/corpus.py``).  honed is held to that corpus by its tests, so there its
figure says that they pass; the peers' figures say how far the corpus is from what they know.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peers.measures import share
from bench.peers.page import table
from bench.peers.worker import Worker

COMMANDS, RUNS = "test_commands.jsonl", "verify_commands.jsonl"
PROOF = {"pass": "passed", "weak": "passed", "fail": "failed"}
"""What a label comes to where only three answers are known; anything else proves nothing."""
FINDING = ("commands", "real ones found", "others taken for one")
PROVING = ("runs", "system", "right", "false passes", "passes known", "failures known")


@dataclass(frozen=True, slots=True)
class Run:
    """One labelled shell step; ``label`` in honed's six words."""

    command: str
    exit: int | None
    output: str
    label: str

    @property
    def proof(self) -> str:
        """``passed``, ``failed``, or nothing."""
        return PROOF.get(self.label, "")


@dataclass(frozen=True, slots=True)
class Labels:
    """Commands with whether they run tests, and runs by source."""

    commands: tuple[tuple[str, bool], ...]
    runs: Mapping[str, tuple[Run, ...]]


def labels(cases: Path | None) -> Labels:
    """All that is at hand; ``cases`` holds the files ``COMMANDS`` and ``RUNS`` at any depth."""
    from tests.verdict import corpus

    commands = [(row["command"], row["is_test"]) for row in _rows(cases, COMMANDS)]
    verify = [
        Run(row["command"], row["exit_code"], row["output"], row["verdict"]) for row in _rows(cases, RUNS)
    ]
    runs = {
        RUNS: tuple(verify),
        "our corpus, by hand": _of_corpus(corpus.ROWS),
        "our corpus, real runs": _of_corpus(corpus.RUNS),
    }
    return Labels(tuple(commands), {name: rows for name, rows in runs.items() if rows})


def _of_corpus(rows: Sequence[Any]) -> tuple[Run, ...]:
    return tuple(Run(row.command, row.exit, row.output, row.outcome) for row in rows)


def _rows(folder: Path | None, name: str) -> list[dict[str, Any]]:
    paths = sorted(folder.rglob(name)) if folder else []
    return [
        json.loads(line)
        for path in paths
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


def found(worker: Worker, commands: Sequence[tuple[str, bool]]) -> list[bool]:
    """Which of the commands a system takes for test runs."""
    answer: list[bool] = worker.ask("recognise", commands=[command for command, _ in commands])
    return answer


def proofs(worker: Worker, runs: Sequence[Run]) -> dict[str, list[str]]:
    """What a system says of the runs, by the name of its row in the table."""
    if worker.name == "skillmem":
        seen = ["" if run.exit is None else "failed" if run.exit else "passed" for run in runs]
        told = {"skillmem, agent claims what the exit status says": seen}
        told["skillmem, agent claims a pass each time"] = ["passed"] * len(runs)
        return {name: worker.ask("claims", claims=claims) for name, claims in told.items()}
    rows = [{"command": run.command, "exit": run.exit, "output": run.output} for run in runs]
    said: list[str] = worker.ask("outcomes", rows=rows)
    if worker.name != "honed":
        return {"MuscleMemory": said}
    return {"honed": [PROOF.get(outcome, "") for outcome in said]}


def tally(runs: Sequence[Run], said: Sequence[str]) -> tuple[str, ...]:
    """The figures of one row: right, false passes of what did not pass, and what was known of the rest."""
    pairs = [(run.proof, proof) for run, proof in zip(runs, said, strict=True)]
    others = [proof for label, proof in pairs if label != "passed"]
    passes = [proof for label, proof in pairs if label == "passed"]
    failures = [proof for label, proof in pairs if label == "failed"]
    return (
        share(sum(label == proof for label, proof in pairs), len(pairs)),
        share(others.count("passed"), len(others)),
        share(passes.count("passed"), len(passes)),
        share(failures.count("failed"), len(failures)),
    )


def recognition(commands: Sequence[tuple[str, bool]], by_system: Mapping[str, Sequence[bool]]) -> str:
    """The table of commands."""
    rows = []
    for system, taken in by_system.items():
        real = [hit for (_, is_test), hit in zip(commands, taken, strict=True) if is_test]
        others = [hit for (_, is_test), hit in zip(commands, taken, strict=True) if not is_test]
        rows.append((system, share(sum(real), len(real)), share(sum(others), len(others))))
    rows.append(("skillmem", "has no recogniser", "has no recogniser"))
    return table(("system", *FINDING[1:]), rows)


def tables(told: Labels, workers: Sequence[Worker]) -> str:
    """Ask the systems and tell the figures."""
    parts = []
    if told.commands:
        able = [worker for worker in workers if worker.name != "skillmem"]
        names = {"honed": "honed", "musclememory": "MuscleMemory"}
        parts.append(
            recognition(told.commands, {names[worker.name]: found(worker, told.commands) for worker in able})
        )
    rows = []
    for source, runs in told.runs.items():
        for worker in workers:
            for system, said in proofs(worker, runs).items():
                rows.append((f"{source} ({len(runs)})", system, *tally(runs, said)))
    parts.append(table(PROVING, rows, words=2))
    return "\n\n".join(parts)
