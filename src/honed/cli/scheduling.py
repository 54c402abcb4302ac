"""Commands of forgetting and of what runs by itself: decay, schedule."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from honed.cli.command import Command, Output
from honed.counted import several
from honed.memory import Memory

if TYPE_CHECKING:
    from honed.scheduling import Scheduler

SHOWN = 20
"""Skills that are named; the JSON names all."""
MOST_DAYS = 3650


def _days(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and int(text) <= MOST_DAYS):
        raise ArgumentTypeError(f"a number of days from 0 to {MOST_DAYS}, not {text!r}")
    return int(text)


def _decay_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--days", type=_days, default=0, metavar="DAYS", help="look so many days ahead, changing nothing"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what has faded")


def _decay(options: Namespace, output: Output) -> int:
    looks = options.dry_run or options.days > 0
    done: tuple[str, ...] = ()
    with Memory.open(options.home, existing=True, readonly=looks) as memory:
        if not looks:
            done = memory.maintain()
        found = memory.faded(days=options.days)
        names = {row.id: row.name for row in memory.projects()}
    archived = sum(one.archived for one in found)
    output.json(
        {
            "faded": len(found) - archived,
            "archived": archived,
            "days": options.days,
            "dry_run": looks,
            "done": list(done),
            "skills": [
                {
                    "slug": one.slug,
                    "id": one.id,
                    "project": names.get(one.project, ""),
                    "title": one.title,
                    "state": "archived" if one.archived else "faded",
                    "fades_at": one.fades_at,
                    "archives_at": one.archives_at,
                }
                for one in found
            ],
        }
    )
    when = f"In {several(options.days, 'day')}" if options.days else "Now"
    output.text(
        f"{when}: {several(archived, 'skill')} in the archive, {len(found) - archived} faded. Nothing is "
        "deleted: `honed restore SLUG` brings one back, `honed pin SLUG` keeps one."
    )
    for one in found[:SHOWN]:
        where = names.get(one.project, "") or "everywhere"
        state = f"archived {one.archives_at[:10]}" if one.archived else f"faded {one.fades_at[:10]}"
        output.text(f"  {where}/{one.slug}  {state}  {one.title}")
    if len(found) > SHOWN:
        output.text(f"  and {len(found) - SHOWN} more (--json names all)")
    for line in done:
        output.text(f"Done: {line}.")
    return 0


def _schedule_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("install", "remove", "status"), help="tell the system, or look")
    parser.add_argument(
        "--with",
        dest="system",
        metavar="SYSTEM",
        help="systemd, cron, launchd or schtasks (default: what this machine has)",
    )


def _schedule(options: Namespace, output: Output) -> int:
    from honed.home import default_home
    from honed.scheduling import NoSchedulerError, scheduler

    home = os.path.abspath(options.home or default_home())
    try:
        system = scheduler(home, options.system)
        changed = _told(options, system, home)
        there = system.is_installed()
    except NoSchedulerError as error:
        if options.action == "install":
            raise
        # Where there is no scheduler nothing is installed, which is an answer.
        output.json(_json(options.system, home, changed=(), there=False))
        output.text(f"Nothing of this home is scheduled: {error}.")
        return 0
    output.json(_json(system.system, home, changed=changed, there=there))
    for line in changed:
        output.text(f"{'Took out' if options.action == 'remove' else 'Told'}: {line}")
    output.text(
        f"{system.system} runs honed's maintenance every day and an export every week."
        if there
        else f"{system.system} runs nothing of this home; honed catches up whenever it is used."
    )
    return 0


def _told(options: Namespace, system: Scheduler, home: str) -> tuple[str, ...]:
    """Do what is asked; returns the files and commands by which it was done."""
    from honed.agents.shim import write_shim

    if options.action == "install":
        with Memory.open(home):
            pass  # a memory that is not there yet is made now, not at night
        write_shim(home)
        return system.install()
    return system.remove() if options.action == "remove" else ()


def _json(system: str | None, home: str, *, changed: tuple[str, ...], there: bool) -> dict[str, object]:
    from honed.scheduling import command_of, jobs

    return {
        "system": system,
        "installed": there,
        "changed": list(changed),
        "jobs": [
            {
                "name": job.name,
                "command": command_of(job, home),
                "at": f"{job.hour:02d}:{job.minute:02d}",
                "every": "day" if job.weekday is None else "week",
            }
            for job in jobs(home)
        ],
    }


COMMANDS = {
    "decay": Command(
        _decay,
        _decay_arguments,
        description=(
            "Say what has faded, and catch up on what honed otherwise does when it is used: take in "
            "receipts, look what became of changes, keep files small. Fading follows from evidence and "
            "time, so running this twice, late or never changes nothing of it."
        ),
        example="honed decay --days 30",
    ),
    "schedule": Command(
        _schedule,
        _schedule_arguments,
        description=(
            "Let the system run `honed decay` every day and an export into the home's folder `vault` every "
            "week: by systemd's user timers, cron, launchd or the task scheduler. Nothing needs it."
        ),
        example="honed schedule install",
    ),
}
