"""Commands that keep what is known in order: duplicates, index."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from honed.cli.command import Command, Output, here_of, project_argument, typed_text
from honed.counted import several
from honed.errors import UsageError
from honed.ledger.model import Fault
from honed.memory import Memory
from honed.skills.model import Skill
from honed.store.base import SkillFilter
from honed.tending import Pair


def _duplicates_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "merge"), help="name pairs, or make one of two")
    parser.add_argument(
        "skills",
        nargs="*",
        metavar="SLUG",
        type=typed_text,
        help="of merge: the skill to keep, and the other one",
    )
    project_argument(parser)
    parser.add_argument("--all", action="store_true", help="of every project")


def _duplicates(options: Namespace, output: Output) -> int:
    if len(options.skills) != {"list": 0, "merge": 2}[options.action]:
        raise UsageError("honed duplicates list | merge KEEP OTHER")
    return _list(options, output) if options.action == "list" else _merge(options, output)


def _list(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, readonly=True) as memory:
        place = memory.named(options.project, here_of(options))
        found = memory.skills(SkillFilter()) if options.all else memory.skills_here(place, SkillFilter())
        pairs = memory.duplicates(found)
        names = {row.id: row.name for row in memory.projects()}
    output.json([_pair_json(pair, names) for pair in pairs])
    for pair in pairs:
        output.text(f"{pair.score:.2f}  {_shown(pair.first, names)}")
        output.text(f"      {_shown(pair.second, names)}")
    output.text(
        "`honed duplicates merge KEEP OTHER` makes one of two; nothing is merged by itself."
        if pairs
        else f"Among {several(len(found), 'skill')} no two say nearly the same."
    )
    return 0


def _shown(skill: Skill, names: dict[str, str]) -> str:
    where = names.get(skill.project, "") or "everywhere"
    return f"{where}/{skill.slug}  {skill.id}  [{skill.draft.kind}, {skill.state}]  {skill.draft.title}"


def _pair_json(pair: Pair, names: dict[str, str]) -> dict[str, object]:
    return {
        "score": round(pair.score, 3),
        "skills": [
            {
                "slug": skill.slug,
                "id": skill.id,
                "project": names.get(skill.project, ""),
                "kind": skill.draft.kind,
                "state": skill.state,
                "title": skill.draft.title,
                "confirmed": skill.confirmed,
            }
            for skill in (pair.first, pair.second)
        ],
    }


def _merge(options: Namespace, output: Output) -> int:
    keep, other = options.skills
    with Memory.open(options.home, existing=True) as memory:
        kept, gone = memory.merge(keep, other, memory.named(options.project, here_of(options)))
    aliases = list(kept.draft.aliases)
    output.json({"slug": kept.slug, "id": kept.id, "archived": gone.id, "aliases": aliases})
    output.text(
        f"{kept.slug} stands for both; {gone.slug} is archived, with what proved it. "
        f"`honed restore {gone.id}` brings that back."
    )
    return 0


def _index_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=("check", "repair", "embed"),
        help="look; make it anew after a backup; or make the vectors that are missing",
    )


def _index(options: Namespace, output: Output) -> int:
    return _embed(options, output) if options.action == "embed" else _check(options, output)


def _embed(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        done = memory.embed(lambda made, of: output.progress(f"{made}/{of} skills"))
    output.progress_end()
    output.json(
        {"model": done.model or None, "made": done.made, "dropped": done.dropped, "skills": done.state.skills}
    )
    if done.model:
        output.text(f"{several(done.made, 'vector')} made by {done.model}; {done.state.made} of them in all.")
    else:
        output.text("No model is set: skills are found by their words. `honed doctor` says more.")
    if done.dropped:
        output.text(f"{several(done.dropped, 'vector')} of another model dropped.")
    return 0


def _check(options: Namespace, output: Output) -> int:
    repair = options.action == "repair"
    backup = ""
    with Memory.open(options.home, existing=True, readonly=not repair) as memory:
        if repair:
            backup = memory.repair_index()
        faults = memory.check_index()
        counts = memory.stats().skills
        skills = sum(number for state, number in counts.items() if state != "deleted")
    value: dict[str, object] = {"ok": not faults, "skills": skills, "broken": _rows(faults)}
    output.json(value | ({"backup": backup} if repair else {}))
    for fault in faults:
        output.text(f"{fault.code} at {fault.where}: {fault.detail}")
    if repair:
        output.text(f"The index was made anew from the texts; as it was, all is in {backup}.")
    output.text(
        f"{several(len(faults), 'fault')}. `honed index repair` makes the index anew from the texts."
        if faults
        else f"The index is what the texts of {several(skills, 'skill')} give."
    )
    return 1 if faults else 0


def _rows(faults: Sequence[Fault]) -> list[dict[str, str]]:
    return [{"code": fault.code, "where": fault.where, "detail": fault.detail} for fault in faults]


COMMANDS = {
    "duplicates": Command(
        _duplicates,
        _duplicates_arguments,
        description=(
            "Name pairs of skills that say nearly the same, or make one of two: the kept one is found by the "
            "other one's words too, and the other one is archived. Nothing is ever merged by itself."
        ),
        example="honed duplicates merge round-cart-totals round-totals-half-up",
    ),
    "index": Command(
        _index,
        _index_arguments,
        description=(
            "Check what searching looks into (full text, index, vectors) against the texts, or make it anew "
            "from them after a backup. `embed` makes the vectors of the model of `semantic.model` that are "
            "missing, and drops those of others; it happens by itself behind every write. The ledger is "
            "not touched."
        ),
        example="honed index check",
    ),
}
