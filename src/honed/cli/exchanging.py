"""Commands that take knowledge out and in: export, import, merge."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace

from honed.cli.command import Command, Output, here_of, project_argument, typed_text
from honed.counted import several
from honed.errors import RefusedError, UsageError
from honed.memory import Memory

REFUSED = RefusedError.exit_code
"""Something was left for the owner to decide; everything else was done."""


def _export_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="a folder for one Markdown file a skill")
    parser.add_argument(
        "--project",
        metavar="PROJECT",
        type=typed_text,
        help="only this project, without what holds everywhere: a folder of it, its name or its id",
    )


def _export(options: Namespace, output: Output) -> int:
    if not options.folder.strip():
        raise UsageError("export needs a folder; an empty name would be this one")
    with Memory.open(options.home, readonly=True) as memory:
        of = None if options.project is None else memory.named(options.project, here_of(options))
        done = memory.export(options.folder, of=of)
    output.json(
        {
            "folder": options.folder,
            "new": done.new,
            "same": done.same,
            "changed": done.changed,
            "removed": done.removed,
            "refused": [{"path": path, "reason": reason} for path, reason in done.refused],
        }
    )
    output.text(
        f"{options.folder}: {done.new} new, {done.changed} changed, {done.same} as they were, "
        f"{done.removed} removed."
    )
    for path, reason in done.refused:
        output.text(f"Left alone: {path}: {reason}")
    return REFUSED if done.refused else 0


def _import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a vault, a folder of Markdown notes, or one file")
    project_argument(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, changing nothing")


def _import(options: Namespace, output: Output) -> int:
    here = here_of(options)
    if options.dry_run:
        done = Memory.try_in(options.home, options.path, here=here, project=options.project)
    else:
        with Memory.open(options.home) as memory:
            done = memory.take_in(options.path, cwd=memory.named(options.project, here))
    output.json(
        {
            "new": done.new,
            "same": done.same,
            "changed": done.changed,
            "own": done.own,
            "unpinned": done.unpinned,
            "unplaced": done.unplaced,
            "dry_run": options.dry_run,
            "refused": [{"path": path, "reason": reason} for path, reason in done.refused],
        }
    )
    tried = "Would be: " if options.dry_run else ""
    output.text(
        f"{tried}{done.new} new, {done.changed} changed, {done.same} the same, {len(done.refused)} refused."
    )
    if done.own:
        output.text(f"Your own texts that changed stay yours: {', '.join(done.own)}.")
    if done.unpinned:
        output.text(f"Not pinned, for to pin is yours alone (`honed pin SLUG`): {', '.join(done.unpinned)}.")
    for name in done.unplaced:
        output.text(
            f"No folder of project {name} is known here, so nobody is given its notes: "
            f"`honed projects link {shlex.quote(name)} FOLDER` says which it is."
        )
    if done.changed:
        output.text("What you approved and has changed waits for you again: `honed review`.")
    for path, reason in done.refused:
        output.text(f"Refused: {path}: {reason}")
    return REFUSED if done.refused else 0


def _merge_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="the other home, or a backup of it")


def _merge(options: Namespace, output: Output) -> int:
    with Memory.open(options.home) as memory:
        done, linked, backup = memory.merge_home(options.path)
    events = sum(done.events.values())
    skills = sum(subject.startswith("sk_") for subject in done.subjects)
    output.json(
        {"events": events, "chains": done.events, "skills": skills, "linked": linked, "backup": backup}
    )
    output.text(
        f"{several(events, 'event')} of {several(len(done.events), 'chain')} taken in, about "
        f"{several(skills, 'skill')}; as it was, all is in {backup}."
        if events
        else "Nothing there that is not here."
    )
    for keep, other in linked:
        output.text(
            f"{other} is the project {keep} too, by its remote or folder; `honed projects split` parts them."
        )
    return 0


COMMANDS = {
    "merge": Command(
        _merge,
        _merge_arguments,
        description=(
            "Take in the ledger of another home of yours (of another machine), or of a backup: skills, "
            "evidence and every decision, each once; projects that both saw become one. A ledger that is not "
            "sound, or contradicts what is known of it here, is refused whole (exit 3). `honed import` is "
            "for what others wrote."
        ),
        example="honed merge /mnt/laptop/.local/share/honed",
    ),
    "export": Command(
        _export,
        _export_arguments,
        description=(
            "Write every skill as a Markdown file, with its evidence and history. Files that are not "
            "honed's, and files that somebody has edited, are left alone and named (exit 3); a folder that "
            "holds files and no export yet is refused."
        ),
        example="honed export ~/notes/honed",
    ),
    "import": Command(
        _import,
        _import_arguments,
        description=(
            "Read a vault that `honed export` wrote, any folder of Markdown notes (what another memory "
            "exported, too: skillmem's `export-all` field by field), or one file. Notes that name no project "
            "belong to --project, those of a project that honed knows by no folder wait for `honed projects "
            "link NAME FOLDER`. What cannot be taken is named with the reason (exit 3)."
        ),
        example="honed import ~/notes --dry-run   # what would come of it",
    ),
}
