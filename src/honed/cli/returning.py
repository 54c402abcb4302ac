"""The way back: restore, undo."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from honed.cli.command import Command, Output, here_of, project_argument, skill_arguments, slug_argument
from honed.errors import UsageError
from honed.ledger.model import Recorded
from honed.memory import Memory
from honed.skills.model import Skill


def _restore_arguments(parser: ArgumentParser) -> None:
    slug_argument(parser)
    parser.add_argument(
        "version",
        nargs="?",
        type=int,
        metavar="VERSION",
        help="the number of an older text (`honed show SLUG --history` counts them) that it is to have again",
    )
    project_argument(parser)


def _restore(options: Namespace, output: Output) -> int:
    if options.version is not None and options.version < 1:
        raise UsageError("versions count from 1; `honed show SLUG --history` shows them")
    with Memory.open(options.home, existing=True) as memory:
        place = memory.named(options.project, here_of(options))
        before = memory.find(options.slug, place)
        if options.version is None:
            skill = memory.archive(before.id, place, archived=False)
            changed = skill != before
            said = (
                "in use again"
                if changed
                else "was in use already; name a VERSION to have an older text again"
            )
        else:
            skill, changed = memory.restore_version(before.id, place, options.version)
            said = f"has the text of version {options.version}" + (" again" if changed else " already")
            if changed and skill.version == before.version:
                said = (
                    f"the text of version {options.version} waits beside the approved one; `honed trust "
                    f"{skill.slug}` shows it and brings it into use"
                )
    output.json(_state(skill) | {"version": skill.version, "changed": changed})
    output.text(f"{skill.slug}: {said}.")
    _say_approval(output, before, skill)
    return 0


def _state(skill: Skill) -> dict[str, object]:
    state = "archived" if skill.archived else skill.state
    return {"slug": skill.slug, "id": skill.id, "state": state, "pinned": skill.pinned}


def _say_approval(output: Output, before: Skill, after: Skill) -> None:
    if before.approved_hash and not after.approved_hash:
        output.text("Your approval was for the text that it had; this one is not approved.")


def _undo(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        place = memory.named(options.project, here_of(options))
        before = memory.find(options.slug, place)
        skill, undone = memory.undo(before.id, place)
        other = memory.merged_by(undone, place)
    output.json(_state(skill) | {"undone": _event(undone)})
    entry = undone.entry
    # An approval comes back by no undo: only the owner gives one.
    back = (
        f"`honed trust {skill.slug}` approves it again"
        if entry.kind == "approved"
        else f"`honed undo {skill.slug}` again takes that back"
    )
    output.text(f"{skill.slug}: took back what {entry.actor} did at {entry.at} ({entry.kind}). {back}.")
    if other is not None and other.archived:
        output.text(
            f"{other.slug}, which was merged into it, stays archived; "
            f"`honed restore {other.id}` brings it back."
        )
    if entry.kind != "approved":
        _say_approval(output, before, skill)
    return 0


def _event(event: Recorded) -> dict[str, object]:
    entry = event.entry
    return {"id": entry.id, "kind": entry.kind, "at": entry.at, "actor": entry.actor}


COMMANDS = {
    "restore": Command(
        _restore,
        _restore_arguments,
        description=(
            "Bring a skill back that was archived or withdrawn or has faded; with VERSION, make an older "
            "text of it the text again (as a new version: nothing is lost)."
        ),
        example="honed restore round-cart-totals 2",
    ),
    "undo": Command(
        _undo,
        skill_arguments,
        description=(
            "Take the last change of a skill back: a new text, a pin, an archiving, an approval. The ledger "
            "keeps both. What was forgotten stays so."
        ),
        example="honed undo round-cart-totals",
    ),
}
