"""Commands that look: show, list, stats."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace

from honed.cli.command import Command, Output, here_of, project_argument, slug_argument, typed_text
from honed.counted import several
from honed.errors import UsageError
from honed.ledger.drafts import draft_body
from honed.ledger.history import Version
from honed.ledger.model import Recorded
from honed.ledger.weights import PLACE_WORKED
from honed.memory import EVERY_STATE, Memory, Shown
from honed.skills.model import KINDS, Skill
from honed.skills.outside import in_words
from honed.skills.render import markdown
from honed.store.base import SkillFilter
from honed.store.receiving import KEEP_DAYS, NEVER, Counters


def _show_arguments(parser: ArgumentParser) -> None:
    slug_argument(parser)
    parser.add_argument(
        "--history",
        action="store_true",
        help="every event of it, with every text that it had and what changed",
    )
    project_argument(parser)


def _show(options: Namespace, output: Output) -> int:
    Memory.catch_up(options.home)
    with Memory.open(options.home, readonly=True) as memory:
        shown = memory.show(options.slug, memory.named(options.project, here_of(options)))
        names = {row.id: row.name for row in memory.projects()}
        counted = memory.counters([shown.skill]).get(shown.skill.id, NEVER)
        strong = memory.strength(shown.skill)
        held = memory.quarantined(shown.skill)
    value = skill_json(shown.skill, names) | {
        "strength": round(strong, 4),
        "evidence": _evidence_json(shown),
        "counters": counters_json(counted),
        "quarantined": bool(held),
    }
    if options.history:
        value["history"] = [_event_json(event) for event in shown.history]
        value["versions"] = [_version_json(version) for version in shown.versions]
    output.json(value)
    output.text(markdown(shown.skill))
    _say_evidence(output, shown)
    output.text(f"  {strength_told(shown.skill, strong)}")
    output.text(f"  {counters_told(counted)}")
    for line in mutes_told(shown):
        output.text(f"  {line}")
    if held:
        output.text(f"  In quarantine: it {held}; `honed packs release {shown.skill.slug}` ends that.")
    if options.history:
        _say_history(output, shown)
    return 0


def _say_evidence(output: Output, shown: Shown) -> None:
    skill = shown.skill
    how = f"{origin_of(skill)} {skill.learned_at[:10]}"
    if skill.draft.fail_to_pass:
        how += ", its check failed before the change and passed after it"
    proof = f"confirmed by {several(skill.confirmed, 'later session')}"
    if skill.draft.origin != "derived" and not skill.confirmed:
        proof = "nothing has proved it"
    output.text(f"[{skill.draft.kind}, {state_of(skill)}] {how}; {proof}.")
    told = provenance(skill, {})
    where = ", ".join(
        f"{name} {told[name]}" for name in ("client", "session", "task", "file", "pack") if told[name]
    )
    if where:
        output.text(f"From {where}.")
    if skill.draft.taint:
        output.text(f"Before it the agent had read {in_words(skill.draft.taint)}: it is given as data.")
    work = [row.at for row in shown.evidence if row.kind == PLACE_WORKED]
    if work:
        times = several(len(work), "time")
        output.text(f"  {max(work)[:10]}  its files were worked on ({times} in all): it fades later, no vote")
    for row in shown.evidence:
        if row.kind == PLACE_WORKED:
            continue
        weight = {1: "for it", -1: "against it"}.get(row.counts, f"shown only: {row.why}")
        output.text(f"  {row.at[:10]}  {row.kind} ({weight}), session {row.session or 'none'}")


def _say_history(output: Output, shown: Shown) -> None:
    """Every event in order; of a text all of it, and what changed since the one before."""
    texts = {version.event: version for version in shown.versions}
    for event in shown.history:
        version = texts.get(event.entry.id)
        number = f", version {version.number} ({version.standing})" if version else ""
        output.text(f"{event.entry.at}  {event.entry.kind}{number}  by {event.entry.actor}")
        if event.body is None:
            output.text("    (erased)")
            continue
        for key, value in sorted(event.body.items()):
            if key != "draft" and value not in ("", [], {}, None):
                output.text(f"    {key}: {value}")
        if version:
            for line in (*version.text.splitlines(), *version.diff.splitlines()):
                output.text(f"    {line}")


def strength_told(skill: Skill, strong: float) -> str:
    """How strong a skill is and until when, in words (docs/strength.md)."""
    if not skill.archives_at:
        return f"Strength {strong:.2g} of 1; it does not fade."
    fades, archives = skill.fades_at[:10], skill.archives_at[:10]
    return f"Strength {strong:.2g} of 1; faded from {fades}, in the archive from {archives}."


def counters_json(counted: Counters) -> dict[str, object]:
    """The counters of a skill for scripts."""
    return {
        "selected": counted.selected,
        "given": counted.given,
        "applied": counted.applied,
        "verified": counted.verified,
        "failed": counted.failed,
        "tokens": counted.tokens,
        "given_at": counted.last,
    }


def counters_told(counted: Counters) -> str:
    """The counters of a skill in words."""
    if not counted.selected:
        return f"Given to no session in the last {KEEP_DAYS} days."
    held = counted.selected - counted.given
    return (
        f"Given to {several(counted.given, 'session')} in the last {KEEP_DAYS} days"
        f"{f' and held back from {held}' if held else ''}: {counted.applied} applied it, its check then "
        f"passed in {counted.verified} and failed in {counted.failed}; {several(counted.tokens, 'token')}."
    )


def mutes_told(shown: Shown) -> list[str]:
    """Who asked to be given it no more, when and why; empty where nothing is muted."""
    if not shown.skill.muted:
        return []
    asked = [event for event in shown.history if event.entry.kind == "muted" and event.body]
    return [
        f"Muted by {event.entry.actor} on {event.entry.at[:10]}"
        f"{f' ({reason})' if (reason := str((event.body or {}).get('reason') or '')) else ''}; "
        f"`honed unmute {shown.skill.slug}` gives it again."
        for event in asked[-1:]
    ]


ORIGINS = {
    "owner": "written by hand",
    "agent": "written by an agent",
    "imported": "imported",
    "derived": "learned",
}
"""How a text came to be, in words."""


def origin_of(skill: Skill) -> str:
    """How a text came to be; of an agent's, whose."""
    by = f" ({skill.client})" if skill.draft.origin == "agent" and skill.client else ""
    return ORIGINS[skill.draft.origin] + by


def state_of(skill: Skill) -> str:
    """The state in words: archived, pinned and approved skills say so."""
    words: list[str] = ["archived" if skill.archived else skill.state]
    words += ["pinned"] if skill.pinned else []
    words += ["muted"] if skill.muted else []
    words += ["approved"] if skill.approved_hash else []
    words += [f"{several(skill.waiting, 'text')} waiting"] if skill.waiting else []
    return ", ".join(words)


def provenance(skill: Skill, names: Mapping[str, str]) -> dict[str, object]:
    """Where a text comes from: whose it is, by which client, session and project, and what it was derived
    from (a task, a file, a pack); ``taint`` is what its session had read from outside before."""
    extra = {name: str(skill.extra.get(name, "")) for name in ("file", "pack")}
    return {
        "origin": skill.draft.origin,
        "client": skill.client,
        "session": skill.session,
        "project": names.get(skill.project, ""),
        "task": skill.draft.source_task,
        **extra,
        "taint": in_words(skill.draft.taint) if skill.draft.taint else "",
    }


def _standing_json(skill: Skill, names: dict[str, str]) -> dict[str, object]:
    """Which skill it is and how it stands, as every list and answer says it."""
    return {
        "slug": skill.slug,
        "id": skill.id,
        "project": names.get(skill.project, ""),
        "project_id": skill.project,
        "state": skill.state,
        "archived": skill.archived,
        "pinned": skill.pinned,
        "approved": bool(skill.approved_hash),
        "muted": bool(skill.muted),
        "waiting": skill.waiting,
        "confirmed": skill.confirmed,
        "updated_at": skill.updated_at,
    }


def skill_json(skill: Skill, names: dict[str, str]) -> dict[str, object]:
    """A skill as JSON; ``names`` are those of the projects, by id."""
    return {
        **_standing_json(skill, names),
        "provenance": provenance(skill, names),
        "version": skill.version,
        "client": skill.client,
        "sessions": list(skill.sessions),
        "failed": skill.failed,
        "learned_at": skill.learned_at,
        "verified_at": skill.last_verified_at,
        "fades_at": skill.fades_at,
        "archives_at": skill.archives_at,
        "scope": skill.draft.scope,
        "tags": list(skill.draft.tags),
        "ttl_days": skill.draft.ttl_days,
        **draft_body(skill.draft),
    }


def _evidence_json(shown: Shown) -> list[dict[str, object]]:
    return [
        {
            "at": row.at,
            "kind": row.kind,
            "counts": row.counts,
            "why": row.why,
            "authority": row.authority,
            "session": row.session,
            "task": row.task,
        }
        for row in shown.evidence
    ]


def _version_json(version: Version) -> dict[str, object]:
    return {
        "number": version.number,
        "event": version.event,
        "at": version.at,
        "actor": version.actor,
        "reason": version.reason,
        "standing": version.standing,
        "text": version.text,
        "diff": version.diff,
    }


def _event_json(event: Recorded) -> dict[str, object]:
    entry = event.entry
    return {"id": entry.id, "kind": entry.kind, "at": entry.at, "actor": entry.actor, "body": event.body}


def _list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--state", choices=(*EVERY_STATE, "archived"))
    parser.add_argument("--kind", choices=KINDS)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--project",
        metavar="PROJECT",
        type=typed_text,
        help="only this project: a folder of it, its name or its id (default: that of this folder, and "
        "what holds everywhere)",
    )
    where.add_argument("--all", action="store_true", help="every project")
    parser.add_argument("-n", type=int, default=200, dest="limit", metavar="N", help="at most so many (200)")


def _list(options: Namespace, output: Output) -> int:
    if options.limit < 1:
        raise UsageError("-n takes a number from 1")
    archived = options.state == "archived"
    which = SkillFilter(
        kinds=(options.kind,) if options.kind else (),
        states=(options.state,) if options.state and not archived else (),
        archived=archived,
        limit=options.limit,
    )
    Memory.catch_up(options.home)
    with Memory.open(options.home, readonly=True) as memory:
        names = {row.id: row.name for row in memory.projects()}
        skills = _found(memory, options, which)
        elsewhere = 0 if skills else sum(memory.stats().kinds.values())
        away = 0 if skills or options.state else len(_found(memory, options, replace(which, archived=True)))
        counted = memory.counters(skills) if output.as_json else {}
    output.json([_row_json(skill, names, counted.get(skill.id, NEVER)) for skill in skills])
    for skill in skills:
        where = names.get(skill.project, "") or "everywhere"
        by = "" if skill.draft.origin == "derived" else f", {origin_of(skill)}"
        output.text(f"{where}/{skill.slug}  [{skill.draft.kind}, {state_of(skill)}{by}]  {skill.draft.title}")
    if away:
        output.text(f"In use there is none; {several(away, 'skill')} in the archive (`--state archived`).")
    elif not skills:
        output.text(
            "No such skills here. `honed list --all` shows those of every project."
            if elsewhere
            else "No skills yet. `honed backfill` learns from past sessions."
        )
    return 0


def _found(memory: Memory, options: Namespace, which: SkillFilter) -> Sequence[Skill]:
    """Those of ``which`` where the command was told to look."""
    if options.all:
        return memory.skills(which)
    if options.project is not None:
        return memory.skills_of(memory.named(options.project, here_of(options)), which)
    return memory.skills_here(here_of(options), which)


def _row_json(skill: Skill, names: dict[str, str], counted: Counters) -> dict[str, object]:
    return {
        **_standing_json(skill, names),
        "kind": skill.draft.kind,
        "origin": skill.draft.origin,
        "title": skill.draft.title,
        "counters": counters_json(counted),
    }


COMMANDS = {
    "show": Command(
        _show,
        _show_arguments,
        description="One skill: its text, what proved it, and with --history every event and text of it.",
        example="honed show round-cart-totals --history",
    ),
    "list": Command(
        _list,
        _list_arguments,
        description=(
            "The skills of this folder's project, and those that hold everywhere, the last changed first. "
            "In a folder that is no project: those of all projects."
        ),
        example="honed list --kind recipe --all   # every command form that was found to work",
    ),
}
