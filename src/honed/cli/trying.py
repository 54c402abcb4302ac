"""``honed experiment``: what memory does, measured against sessions from which recall is held back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict

from honed.cli.command import Command, Output, here_of, project_argument
from honed.counted import several
from honed.effect import LEAST, METHOD, Effect, Sample, by_project, effect
from honed.errors import UsageError
from honed.hooks.holding import SETTING
from honed.memory import Memory
from honed.store.receiving import KEEP_DAYS
from honed.store.spent import Tried

SHARE = 0.2
SEED = 20260101
"""Of the draws: the same data give the same intervals."""
UNITS = {"minutes": 1, "verified tasks": 2, "share of tasks verified": 2, "tool calls": 1}
"""Decimals that are shown; of the others none."""


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("on", "off", "report"))
    parser.add_argument(
        "--share",
        type=float,
        metavar="SHARE",
        help=f"with `on`: of how many sessions recall is held back, 0.05 to 0.9 ({SHARE})",
    )
    project_argument(parser)


def _experiment(options: Namespace, output: Output) -> int:
    if options.share is not None and options.action != "on":
        raise UsageError("--share goes with `honed experiment on`")
    if options.project is not None and options.action != "report":
        raise UsageError("--project goes with `honed experiment report`; the lot is drawn for every session")
    if options.action == "report":
        return _report(options, output)
    share = (SHARE if options.share is None else options.share) if options.action == "on" else 0.0
    if options.action == "on" and not 0.05 <= share <= 0.9:
        raise UsageError(f"--share takes a number from 0.05 to 0.9, not {share}")
    with Memory.open(options.home) as memory:
        memory.configure(SETTING, share)
    output.json({"share": share, "arms": [], "effect": None, "interval": None})
    if share:
        output.text(
            f"From now on recall is held back from {share:.0%} of new sessions, by lot. Your approved rules, "
            "and what an agent asks for by itself, are given all the same. `honed experiment report` "
            "compares."
        )
    else:
        output.text("Recall is held back from no new session. What was measured is kept.")
    return 0


def _report(options: Namespace, output: Output) -> int:
    Memory.catch_up(options.home)
    with Memory.open(options.home, readonly=True) as memory:
        share = memory.config.number(SETTING)
        tried = memory.tried()
        names = {row.id: row.name for row in memory.projects()}
        if options.project is not None:
            here = memory.known_project(memory.named(options.project, here_of(options)))
            tried = tuple(one for one in tried if one.figures is not None and one.figures.project == here)
    samples = [sample for one in tried if (sample := _sample(one)) is not None]
    unread = len(tried) - len(samples)
    overall, projects = effect(samples, SEED), by_project(samples, SEED)
    output.json(
        {
            "share": share,
            "method": METHOD,
            "enough": overall.enough,
            "unread": unread,
            "arms": _arms(overall),
            "effect": {row.measure: row.difference for row in overall.compared},
            "interval": {
                row.measure: None if row.low is None else [row.low, row.high] for row in overall.compared
            },
            "measures": [asdict(row) for row in overall.compared],
            "projects": [
                {
                    "project": names.get(key, ""),
                    "project_id": key,
                    "enough": one.enough,
                    "arms": _arms(one),
                    "measures": [asdict(row) for row in one.compared],
                }
                for key, one in projects.items()
            ],
        }
    )
    _say(output, overall, share, unread)
    for key, one in projects.items():
        if len(projects) > 1:
            _say_effect(output, f"In {names.get(key) or 'no project'}", one)
    return 0


def _sample(one: Tried) -> Sample | None:
    figures = one.figures
    if figures is None:
        return None
    known = figures.input is not None and figures.output is not None
    return Sample(
        held=one.held,
        project=figures.project,
        calls=figures.calls,
        seconds=figures.seconds,
        tasks=one.tasks,
        verified=one.verified,
        tokens=(figures.input or 0) + (figures.output or 0) if known else None,
        cached=figures.cached,
        asked=figures.asked,
    )


def _arms(found: Effect) -> list[dict[str, object]]:
    return [
        {"arm": "given", "sessions": found.given},
        {"arm": "held back", "sessions": found.held, "asked_themselves": found.asked},
    ]


def _say(output: Output, overall: Effect, share: float, unread: int) -> None:
    now = f"held back from {share:.0%} of sessions" if share else "off"
    output.text(
        f"The experiment is {now}. Compared are sessions of the last {KEEP_DAYS} days for which honed"
    )
    output.text("had something to give; those of one arm were given it, those of the other not, by lot.")
    if unread:
        output.text(f"{several(unread, 'session')} more not read yet (`honed backfill`).")
    if not overall.enough:
        output.text(
            f"Not enough data: {overall.given} given, {overall.held} held back; at least {LEAST} each are "
            "needed before anything can be said."
        )
        return
    if overall.asked:
        output.text(f"{overall.asked} of those held back asked memory themselves and count as held back.")
    _say_effect(output, "Overall", overall)
    output.text(f"Intervals: {METHOD}. Nothing is promoted or withdrawn by this.")


def _say_effect(output: Output, where: str, found: Effect) -> None:
    output.text(f"{where} ({found.given} given, {found.held} held back), per session:")
    for row in found.compared:
        if row.given is None or row.held is None or row.difference is None:
            output.text(f"  {row.measure:<24}{row.says}")
            continue
        told = _numbers(row.measure, (row.given, row.held, row.difference, row.low or 0.0, row.high or 0.0))
        output.text(
            f"  {row.measure:<24}{told[0]} given, {told[1]} held back; difference {told[2]} "
            f"({told[3]} to {told[4]}): {row.says}"
        )


def _numbers(measure: str, values: Sequence[float]) -> list[str]:
    return [f"{value:,.{UNITS.get(measure, 0)}f}" for value in values]


COMMANDS = {
    "experiment": Command(
        _experiment,
        _arguments,
        description=(
            "Measure what memory does: recall is held back from a share of sessions, by a lot that is drawn "
            "from the session's id and recorded before anybody knows how it ends. The report compares "
            "tokens, tool calls, time and verified tasks between both arms, from the transcripts' records, "
            "and says so when there is not enough data."
        ),
        example="honed experiment on --share 0.2   # then, some weeks later: honed experiment report",
    ),
}
