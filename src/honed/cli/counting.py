"""What there is, in numbers: stats."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping

from honed.cli.command import Command, Output, verdict_told
from honed.counted import several
from honed.errors import UnavailableError
from honed.hooks.holding import SETTING
from honed.memory import Memory
from honed.store.receiving import KEEP_DAYS, GivenInAll


def _stats(options: Namespace, output: Output) -> int:
    Memory.catch_up(options.home)
    with Memory.open(options.home, readonly=True) as memory:
        stats = memory.stats()
        given = memory.given()
        tried = memory.tried()
        share = _share(memory)
    value = {
        "skills": dict(stats.skills),
        "kinds": dict(stats.kinds),
        "verdicts": dict(stats.verdicts),
        "evidence": dict(stats.evidence),
        "projects": stats.projects,
        "sessions": stats.sessions,
        "sources": stats.sources,
        "events": stats.events,
        "bytes": stats.bytes,
        "backups": stats.backups,
        "given": {
            "sessions": given.sessions,
            "texts": given.texts,
            "tokens": given.tokens,
            "skills": given.skills,
            "applied": given.applied,
            "verified": given.verified,
            "failed": given.failed,
        },
        "experiment": {"share": share, "sessions": len(tried), "held": sum(one.held for one in tried)},
    }
    output.json(value)
    tasks = sum(stats.verdicts.values())
    verdicts = {verdict_told(verdict): number for verdict, number in stats.verdicts.items()}
    told: dict[str, object] = {
        "skills": _skills_told(stats.skills),
        "kinds": _counts(stats.kinds),
        "tasks": f"{tasks} in which something was changed or run: {_counts(verdicts)}" if tasks else "none",
        "evidence": _counts(stats.evidence)
        + (" (from later sessions; the one that taught a skill is none)" if stats.evidence else ""),
        "projects": stats.projects,
        "sessions": f"{stats.sessions} with such a task; {several(stats.sources, 'transcript')} read",
        "given": _given_told(given),
        "events": stats.events,
        "bytes": stats.bytes,
        "backups": stats.backups,
    }
    if share or tried:
        now = f"held back from {share:.0%} of sessions" if share else "off now"
        held = sum(one.held for one in tried)
        told["held back"] = f"recall is {now}; so far from {held} of {several(len(tried), 'session')}"
    for name, line in told.items():
        output.text(f"{name:<10}{line}")
    return 0


def _share(memory: Memory) -> float:
    """From how many sessions recall is held back; unreadable settings are told of by who needs them."""
    try:
        return memory.config.number(SETTING)
    except UnavailableError:
        return 0.0


def _given_told(given: GivenInAll) -> str:
    """What sessions were given and what came of it."""
    if not given.texts:
        return f"nothing in the last {KEEP_DAYS} days"
    return (
        f"{several(given.texts, 'text')} to {several(given.sessions, 'session')} "
        f"({several(given.tokens, 'token')}) in the last {KEEP_DAYS} days; "
        f"of {several(given.skills, 'skill')} given to a session, "
        f"{given.applied} applied, then {given.verified} verified and {given.failed} failed"
    )


def _skills_told(states: Mapping[str, int]) -> str:
    """How many there are, and besides how many were forgotten: those are no skills any more."""
    there = {state: number for state, number in states.items() if state != "deleted"}
    gone = states.get("deleted", 0)
    told = f"{sum(there.values())} ({_counts(there)})" if there else "none"
    return f"{told}; {gone} forgotten" if gone else told


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items()) or "none"


COMMANDS = {
    "stats": Command(
        _stats,
        description="How much is known: skills by state and kind, verdicts, evidence, sizes.",
        example="honed stats --json",
    ),
}
