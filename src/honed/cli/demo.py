"""``honed demo``: the whole loop on bundled sessions, in a throw-away home."""

from __future__ import annotations

import os
import tempfile
from argparse import Namespace
from pathlib import Path

from honed import transcripts
from honed.cli.command import Command, Output
from honed.cli.learning import task_json
from honed.demo.stories import QUESTIONS, STORIES, TOLD
from honed.memory import Memory
from honed.sessions.reading import read
from honed.store.base import SkillFilter
from honed.transcripts import beside
from honed.verdict.tasks import split


def _demo(_options: Namespace, output: Output) -> int:
    with tempfile.TemporaryDirectory(prefix="honed-demo-") as base:
        shop = Path(base, "corner-shop")
        paths = _tell(Path(base), shop)
        output.text("Six made-up sessions of two agents on one small shop.\n")
        judged = _judged(paths, output)
        with Memory.open(os.path.join(base, "home"), clock=lambda: TOLD) as memory:
            learned, confirmed = _learned(memory, paths, output)
            skills = _kept(memory, output)
            answers = _answers(memory, str(shop), output)
            faults = memory.verify(strict=True)
        sound = "in order" if not faults else f"{len(faults)} faults"
        output.text(f"The ledger is {sound}. Everything of this demo is deleted again.")
        output.json(
            {
                "judged": judged,
                "learned": learned,
                "confirmed": confirmed,
                "skills": skills,
                "recalled": answers,
                "ok": not faults,
            }
        )
        return 1 if faults else 0


def _tell(base: Path, shop: Path) -> list[Path]:
    """Write the sessions where their clients would, and a work tree that has the files they speak of."""
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    paths = []
    for number, (client, story) in enumerate(STORIES, 1):
        path = base / client / f"{number}-{story.__name__}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text(story(str(shop)).text(), encoding="utf-8")
        paths.append(path)
    return paths


def _judged(paths: list[Path], output: Output) -> list[dict[str, object]]:
    output.text("What was judged, from the tests alone:")
    rows = []
    for path in paths:
        with path.open("rb") as stream:
            for task in split(read(stream, name=path.name, related=beside(path))):
                rows.append(task_json(task))
                proof = " (the check failed before the change)" if task.verdict.fail_to_pass else ""
                output.text(f"  {task.verdict.kind:<9} {task.requests[0].text[:78]}")
                output.text(f"            {task.verdict.reason}{proof}")
    output.text()
    return rows


def _learned(memory: Memory, paths: list[Path], output: Output) -> tuple[int, int]:
    learned = confirmed = 0
    for _, one in memory.absorb(transcripts.in_order(paths)):
        learned += one.learned
        confirmed += one.confirmed
    again = sum(one.learned + one.confirmed for _, one in memory.absorb(transcripts.in_order(paths)))
    output.text(f"What was learned: {learned} skills, {confirmed} confirmed by a later session.")
    output.text(f"Read a second time: {again} more.\n")
    return learned, confirmed


def _kept(memory: Memory, output: Output) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for skill in memory.skills(SkillFilter()):
        rows.append(
            {"slug": skill.slug, "kind": skill.draft.kind, "state": skill.state, "check": skill.draft.check}
        )
        output.text(f"  [{skill.draft.kind}, {skill.state}] {skill.draft.title}")
        if skill.draft.check:
            output.text(f"      proven by: {skill.draft.check}")
    output.text()
    return rows


def _answers(memory: Memory, shop: str, output: Output) -> list[dict[str, object]]:
    output.text("What the next agent would be given:")
    rows: list[dict[str, object]] = []
    for question in QUESTIONS:
        recalled = memory.recall(question, cwd=shop)
        rows.append({"query": question, "note": recalled.note})
        output.text(f"\n> {question}")
        output.text(recalled.note or "  (nothing: no skill fits, so nothing is said)")
    output.text()
    return rows


COMMANDS = {
    "demo": Command(
        _demo,
        description=(
            "The whole loop on bundled sessions, in a throw-away home: nothing of yours is read or changed."
        ),
        example="honed demo",
    ),
}
