"""What is said of a skill after it was given: reinforce, mute, unmute."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace

from honed.caller import Author, Caller
from honed.cli.command import Command, Output, here_of, project_argument, slug_argument, typed_text
from honed.deciding import Where
from honed.errors import RefusedError, UsageError
from honed.memory import Memory
from honed.presence import agent_of, answer, at_terminal
from honed.skills.model import Skill

OWNERS = {"owner_confirmed": True, "owner_rejected": False}
"""Kinds that are the owner's word; whether for it."""
RUNS = ("test_passed", "test_failed")
"""Kinds that the judge looks up in the transcript."""
REPORT = "self_report"
_DAY, _MOMENT = "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"
KINDS = (*RUNS, *OWNERS, REPORT)


def _reinforce_arguments(parser: ArgumentParser) -> None:
    slug_argument(parser)
    parser.add_argument("--evidence", required=True, choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument(
        "--id",
        metavar="ID",
        type=typed_text,
        default="",
        help="of a test: SESSION:STEP, which the judge looks up in the transcript; else a name of the "
        "occasion, so that telling it twice counts once",
    )
    project_argument(parser)


def _reinforce(options: Namespace, output: Output) -> int:
    kind, occasion = options.evidence, options.id
    if kind in RUNS and not all(occasion.rpartition(":")[::2]):
        raise UsageError(
            f"--evidence {kind} takes --id SESSION:STEP; `honed judge TRANSCRIPT --json` names both"
        )
    if kind in OWNERS:
        screen = sys.stderr if output.as_json else sys.stdout
        at_terminal(f"honed reinforce --evidence {kind}", screen, os.environ)
        word = "worked" if OWNERS[kind] else "did not work"
        if answer(f"Type yes to say that {options.slug} {word}: ", screen) != "yes":
            output.note("honed: nothing was said; nothing was changed")
            return 3
    with Memory.open(options.home, existing=True) as memory:
        place = memory.named(options.project, here_of(options))
        before = memory.find(options.slug, place)
        if kind in RUNS:
            skill, news = memory.claim(options.slug, place, kind, occasion, memory.config.rules())
        elif kind in OWNERS:
            skill, news = memory.confirm(options.slug, place, kept=OWNERS[kind], occasion=occasion)
        else:
            skill, news = before, _caller(memory, place, occasion).report(before, helped=True)
    counted = (skill.confirmed, skill.failed) != (before.confirmed, before.failed)
    output.json({"slug": skill.slug, "strength": _strength(skill), "counted": counted})
    output.text(f"{skill.slug}: {_said(kind, news=news, counted=counted)} {_strength_told(skill)}")
    return 0


def _caller(memory: Memory, place: Where, occasion: str) -> Caller:
    """Who calls: an agent of no session but the occasion that it names, else of the day; for the owner at a
    terminal each moment is an occasion of its own."""
    session = occasion or f"cli-{time.strftime(_DAY if _is_agent() else _MOMENT, time.gmtime())}"
    return memory.caller(Author(agent_of(os.environ) or "cli", session), place)


def _is_agent() -> bool:
    """Whether nobody sits at a terminal here: then the owner's unmuting holds for the rest of the day."""
    try:
        at_terminal("honed mute", sys.stderr, os.environ)
    except RefusedError:
        return True
    return False


def _strength(skill: Skill) -> dict[str, object]:
    return {
        "state": skill.state,
        "confirmed": skill.confirmed,
        "failed": skill.failed,
        "fades_at": skill.fades_at,
    }


def _said(kind: str, *, news: bool, counted: bool) -> str:
    if not news:
        return "known already; it counts once."
    if kind == REPORT:
        return "noted as a report, which weighs nothing."
    return "counted." if counted else "noted; `honed show` says what counts."


def _strength_told(skill: Skill) -> str:
    return f"It is {skill.state}, confirmed {skill.confirmed}, failed {skill.failed}."


def _mute_arguments(parser: ArgumentParser) -> None:
    slug_argument(parser)
    parser.add_argument("--reason", metavar="TEXT", type=typed_text, default="", help="why, in one line")
    project_argument(parser)


def _mute(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        place = memory.named(options.project, here_of(options))
        skill = memory.find(options.slug, place)
        if skill.project and skill.project != memory.known_project(place):
            raise UsageError(f"{skill.slug} is of another project: name that one by --project, or go there")
        news = _caller(memory, place, "").mute(skill, options.reason)
        muted = bool(memory.find(skill.id, place).muted)
    output.json({"slug": skill.slug, "muted": muted, "existed": not news})
    if muted:
        said = "muted here until the owner looks" if news else "is muted here already"
    else:
        said = "the owner gave it again after this session muted it; it stays so"
    output.text(f"{skill.slug}: {said}.")
    return 0 if muted else 3


def _unmute_arguments(parser: ArgumentParser) -> None:
    slug_argument(parser)
    project_argument(parser)


def _unmute(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        place = memory.named(options.project, here_of(options))
        before = memory.find(options.slug, place)
        skill = memory.unmute(before.id, place)
    output.json({"slug": skill.slug, "muted": bool(skill.muted), "existed": not before.muted})
    output.text(f"{skill.slug}: {'given again' if before.muted else 'was not muted'}.")
    return 0


COMMANDS = {
    "reinforce": Command(
        _reinforce,
        _reinforce_arguments,
        description=(
            "Evidence by hand. A test counts when the judge finds it in the transcript, once however often "
            "it is reported; your own word takes a terminal; anybody else's is a report that weighs nothing."
        ),
        example="honed reinforce round-cart-totals --evidence test_passed --id 5f0c1d6a:toolu_01",
    ),
    "mute": Command(
        _mute,
        _mute_arguments,
        description=(
            "Have a skill given no more in this project until the owner looks: for agents that were told to "
            "stop using it. `honed review`, `doctor` and `show` say so; `honed unmute` lifts it."
        ),
        example='honed mute old-deploy-steps --reason "the script is gone"',
    ),
    "unmute": Command(
        _unmute,
        _unmute_arguments,
        description=(
            "Give a skill again that an agent muted. The session that muted it cannot do so again; "
            "you can, on a terminal."
        ),
        example="honed unmute old-deploy-steps",
    ),
}
