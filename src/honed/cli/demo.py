"""``honed demo``: the whole loop on bundled sessions, in a throw-away home."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import textwrap
from argparse import Namespace
from pathlib import Path

from honed import transcripts
from honed.agents.shim import PROGRAM
from honed.cli.command import Command, Output
from honed.cli.judging import task_json
from honed.counted import several
from honed.demo.scribe import Scribe
from honed.demo.stories import QUESTIONS, STORIES, TOLD
from honed.memory import Memory
from honed.sessions.reading import read
from honed.skills.model import Skill
from honed.store.base import SkillFilter
from honed.transcripts import beside
from honed.verdict.model import Task
from honed.verdict.tasks import split

CLIENTS = {"claude_code": "Claude Code", "codex": "Codex"}
WIDTH = 78


def _program() -> str:
    """How honed is started here: by its name where that is on the PATH, else as it was started now."""
    if shutil.which(PROGRAM):
        return PROGRAM
    return f"python -m {PROGRAM}" if sys.argv[0].endswith("__main__.py") else sys.argv[0]


def _demo(_options: Namespace, output: Output) -> int:
    with tempfile.TemporaryDirectory(prefix="honed-demo-") as base:
        shop = Path(base, "corner-shop")
        told = _tell(Path(base), shop)
        output.text("Six made-up sessions of two agents on one small shop, in a folder that is thrown away.")
        judged = _judged(told, output)
        with Memory.open(os.path.join(base, "home"), clock=lambda: TOLD) as memory:
            learned, confirmed, again = _learned(memory, [path for path, _ in told])
            skills = _kept(memory, learned, again, output)
            answers = _answers(memory, str(shop), output)
            faults = memory.verify(strict=True)
            events = memory.stats().events
        sound = "in order" if not faults else f"NOT in order: {several(len(faults), 'fault')}"
        output.text(f"\nThe ledger of {events} decisions is {sound}; the folder is deleted.")
        started = _program()
        output.text("Your turn:")
        output.text(
            f"    `{started} backfill` learns from the sessions on this disk, and sends nothing anywhere"
        )
        output.text(
            f"    `{started} init` has it work by itself in your agents; `uninstall` takes it out again"
        )
        output.json(
            {
                "judged": judged,
                "learned": learned,
                "confirmed": confirmed,
                "again": again,
                "skills": skills,
                "recalled": answers,
                "ok": not faults,
            }
        )
        return 1 if faults else 0


def _tell(base: Path, shop: Path) -> list[tuple[Path, Scribe]]:
    """Write the sessions where their clients would, and a work tree that has the files they speak of."""
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    told = []
    for number, (client, story) in enumerate(STORIES, 1):
        path = base / client / f"{number}-{story.__name__}.jsonl"
        path.parent.mkdir(exist_ok=True)
        scribe = story(str(shop))
        path.write_text(scribe.text(), encoding="utf-8")
        told.append((path, scribe))
    return told


def _heading(output: Output, text: str) -> None:
    output.text(f"\n{text}\n{'-' * len(text)}")


def _judged(told: list[tuple[Path, Scribe]], output: Output) -> list[dict[str, object]]:
    _heading(output, "1. What each session proved: its test runs decide, not its agent")
    rows = []
    for path, scribe in told:
        with path.open("rb") as stream:
            for task in split(read(stream, name=path.name, related=beside(path))):
                rows.append(task_json(task))
                _say_task(task, scribe, output)
    return rows


def _say_task(task: Task, scribe: Scribe, output: Output) -> None:
    verdict = task.verdict
    output.text(f"{verdict.kind:<9} {_shortened(task.requests[0].text, WIDTH - 10)}")
    client = CLIENTS.get(task.session.client, task.session.client)
    last = f' The agent said: "{scribe.said[-1]}"' if scribe.said else ""
    ran = f"`{verdict.command}`: " if verdict.command else ""
    before = ", and it had failed before the change" if verdict.fail_to_pass else ""
    told = f"{client}: {ran}{verdict.reason}{before}.{last}"
    for line in textwrap.wrap(told, WIDTH - 10):
        output.text(f"{'':<10}{line}")


def _learned(memory: Memory, paths: list[Path]) -> tuple[int, int, int]:
    """Skills learned, confirmed, and what a second reading adds to both."""
    figures = []
    for _ in range(2):
        done = [one for _, one in memory.absorb(transcripts.in_order(paths))]
        figures.append((sum(one.learned for one in done), sum(one.confirmed for one in done)))
    return (*figures[0], sum(figures[1]))


def _kept(memory: Memory, learned: int, again: int, output: Output) -> list[dict[str, object]]:
    _heading(output, f"2. What was learned: {several(learned, 'skill')}, from the verified tasks alone")
    skills = sorted(memory.skills(SkillFilter()), key=lambda skill: skill.learned_at)
    for skill in skills:
        output.text(f"{skill.draft.kind:<10}{_shortened(skill.draft.title, WIDTH - 10)}")
        output.text(f"{'':<10}proven by `{skill.draft.check}`, {_seen(skill)}")
    more = "teaches nothing new" if not again else f"adds {again}"
    output.text(f"Reading the same sessions a second time {more}.")
    return [
        {
            "slug": skill.slug,
            "kind": skill.draft.kind,
            "state": skill.state,
            "check": skill.draft.check,
            "confirmed": skill.confirmed,
        }
        for skill in skills
    ]


def _seen(skill: Skill) -> str:
    return f"in {skill.confirmed + 1} sessions" if skill.confirmed else "in one session so far"


def _answers(memory: Memory, shop: str, output: Output) -> list[dict[str, object]]:
    _heading(output, f"3. What the next agent would be given for {len(QUESTIONS)} requests")
    rows: list[dict[str, object]] = []
    for question in QUESTIONS:
        recalled = memory.recall(question, cwd=shop)
        rows.append({"query": question, "note": recalled.note, "tokens": recalled.tokens})
        output.text(f"> {question}")
        if recalled.note:
            output.text(textwrap.indent(recalled.note, "    "))
            output.text(f"    ({several(recalled.tokens, 'token')})\n")
        else:
            output.text("    (nothing: no skill fits, so nothing is said)")
    return rows


def _shortened(text: str, width: int) -> str:
    return textwrap.shorten(text, width, placeholder=" ...")


COMMANDS = {
    "demo": Command(
        _demo,
        description=(
            "The whole loop on bundled sessions, in a throw-away home: nothing of yours is read or changed."
        ),
        example="honed demo",
    ),
}
