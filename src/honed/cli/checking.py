"""Commands that look whether honed works: doctor, hooks."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from honed.agents.checks import findings
from honed.cli.command import Command, Output
from honed.counted import several
from honed.doctor import Check, examine, mend
from honed.home import default_home
from honed.hooks.status import Tally, tallies
from honed.owner import denied_commands


def _home(options: Namespace) -> str:
    return os.path.abspath(options.home or default_home())


def _folder() -> str:
    """Whose own client files are looked at too: this folder's, where it is still there."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _doctor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--fix",
        action="store_true",
        help="mend what nobody has to decide: rights, the launcher, honed's own entries, indexes",
    )


def _doctor(options: Namespace, output: Output) -> int:
    home, denied = _home(options), denied_commands()
    checks = examine(home, denied, _folder())
    mended = mend(home, checks, denied) if options.fix else []
    for one in mended:
        output.text(f"{'mended' if one.done else 'failed':<8} {one.name}: {one.detail}")
    if options.fix and not mended:
        output.text("There is nothing to mend that is not yours to decide.")
    if mended:
        checks = examine(home, denied, _folder())
    ok = all(check.status != "broken" for check in checks)
    told: dict[str, object] = {
        "ok": ok,
        "checks": [
            {"name": check.name, "status": check.status, "detail": check.detail, "fix": check.fix}
            for check in checks
        ],
    }
    if options.fix:
        told["mended"] = [{"name": one.name, "done": one.done, "detail": one.detail} for one in mended]
    output.json(told)
    _tell(checks, output, fixed=options.fix)
    return 0 if ok else max((check.code for check in checks if check.status == "broken"), default=1)


def _tell(checks: list[Check], output: Output, *, fixed: bool) -> None:
    for check in checks:
        output.text(f"{check.status:<8} {check.name}: {check.detail}")
        if check.fix:
            output.text(f"         {check.fix}")
    if any(check.repair for check in checks) and not fixed:
        output.text("`honed doctor --fix` mends what nobody has to decide.")


def _hooks_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=["status"], metavar="status", help="what the hooks really did")


def _hooks(options: Namespace, output: Output) -> int:
    home = _home(options)
    found = list(findings(home, os.environ, denied_commands(), _folder()))
    agents = [{"agent": one.agent, "state": one.state, "detail": one.detail, "fix": one.fix} for one in found]
    for one in found:
        output.text(f"{one.name}: {one.detail}")
        if one.fix:
            output.text(f"    {one.fix}")
    told = tallies(home)
    output.json({"agents": agents, "hooks": [_row(tally) for tally in told]})
    for tally in told:
        counts = ", ".join(f"{count} {result}" for result, count in tally.counts.most_common())
        output.text(f"{tally.agent or 'honed':<12} {tally.event:<14} {several(tally.runs, 'run')} ({counts})")
        output.text(f"    last {tally.last}{': ' + tally.last_words if tally.last_words else ''}")
        if tally.failed:
            output.text(f"    failed last {tally.failed}: {tally.failed_words}")
    if not told:
        output.text("No hook has ever run.")
    return 0


def _row(tally: Tally) -> dict[str, object]:
    return {
        "agent": tally.agent,
        "event": tally.event,
        "runs": tally.runs,
        "gave": tally.counts["gave"],
        "skipped": tally.counts["skipped"],
        "failed": tally.counts["failed"],
        "tokens": tally.tokens,
        "longest_ms": tally.milliseconds,
        "last": tally.last,
        "last_line": tally.last_words,
        "last_failed": tally.failed,
        "last_failure": tally.failed_words,
    }


COMMANDS = {
    "doctor": Command(
        _doctor,
        _doctor_arguments,
        description=(
            "What works, what does not, and the repair; the MCP server is started once. Changes nothing "
            "without --fix."
        ),
        example="honed doctor --fix",
    ),
    "hooks": Command(
        _hooks,
        _hooks_arguments,
        description=(
            "Whether the hooks of each agent are installed, trusted and firing, and what they really did: "
            "runs, skips and failures of each event, with the last line."
        ),
        example="honed hooks status --json",
    ),
}
