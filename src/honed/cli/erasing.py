"""What takes texts away: forget, scrub.  No agent is offered either."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace

from honed.cli.command import Command, Output, here_of, project_argument, slug_argument, typed_text
from honed.counted import several
from honed.errors import RefusedError, UsageError
from honed.memory import Memory
from honed.store.erasing import Erased


def _forget_arguments(parser: ArgumentParser) -> None:
    slug_argument(parser)
    parser.add_argument(
        "--purge",
        action="store_true",
        help="take its bytes out of every file of honed's too: database, journal, backups, spool, logs; "
        "also of one that was forgotten before",
    )
    project_argument(parser)


def _forget(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        place = memory.named(options.project, here_of(options))
        if options.purge:
            skill, done = memory.purge(options.slug, place)
        else:
            skill, done = memory.forget(options.slug, place), None
    value: dict[str, object] = {
        "slug": skill.slug,
        "id": skill.id,
        "state": "deleted",
        "pinned": skill.pinned,
    }
    output.json(value | (_json(done) if done else {}))
    output.text(f"{skill.slug}: forgotten. It is in no search any more and will not be learned again.")
    if done is None:
        output.text("Its text is still in the ledger; `honed forget --purge` takes that out too.")
        return 0
    return _say_files(output, done)


def _scrub_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "pattern",
        metavar="PATTERN",
        type=typed_text,
        help='a regular expression ("-": the first line of standard input, which no shell keeps)',
    )
    parser.add_argument("--literal", action="store_true", help="the pattern is a text as it stands")
    parser.add_argument("--ignore-case", action="store_true", help="upper and lower case are the same")
    parser.add_argument("--dry-run", action="store_true", help="say what would go, changing nothing")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def _scrub(options: Namespace, output: Output) -> int:
    if options.dry_run and options.yes:
        raise UsageError(
            "--dry-run changes nothing, so there is nothing for --yes to confirm; give one of them"
        )
    pattern = _pattern(options)
    with Memory.open(options.home, readonly=True) as memory:
        would = memory.scrub(pattern, dry_run=True)
    if options.dry_run or not _concerns(would):
        output.json(_json(would) | {"dry_run": options.dry_run})
        output.text(_told(would) if _concerns(would) else "Nothing that can be taken out matches.")
        return _say_files(output, would) if would.left else 0
    if not options.yes:
        _confirm(output, would)
    with Memory.open(options.home, existing=True) as memory:
        done = memory.scrub(pattern, dry_run=False)
    output.json(_json(done) | {"dry_run": False})
    output.text(_told(done, done=True))
    return _say_files(output, done)


def _pattern(options: Namespace) -> re.Pattern[str]:
    said = options.pattern if options.pattern != "-" else sys.stdin.readline().rstrip("\n")
    try:
        return re.compile(
            re.escape(said) if options.literal else said, re.IGNORECASE if options.ignore_case else 0
        )
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(
            f"the pattern is no regular expression ({error}); --literal takes it as it stands"
        ) from error


def _confirm(output: Output, would: Erased) -> None:
    """Ask whoever sits there; raises ``RefusedError`` for anything but yes, and where nobody does."""
    told = _told(would)
    if output.as_json or sys.stdin is None or not (sys.stdin.isatty() and output.watched):
        raise RefusedError(f"{told} Nothing was changed; run it again with --yes.")
    output.note(told)
    output.note("This cannot be undone. Type yes to go on:")
    if sys.stdin.readline().strip() != "yes":
        raise RefusedError("nothing was changed")


def _concerns(what: Erased) -> bool:
    return bool(what.texts or what.sources or what.sessions or what.seen)


def _told(what: Erased, *, done: bool = False) -> str:
    found = [several(what.texts, "text") + " of the ledger"]
    found += [several(what.sources, "path") + " of transcripts"] if what.sources else []
    found += ["what was given to " + several(what.sessions, "session")] if what.sessions else []
    found += ["errors seen in " + several(what.seen, "task")] if what.seen else []
    told = [several(len(what.skills), "skill")]
    told += [several(len(what.projects), "project")] if what.projects else []
    erased, again = (
        f"{' and '.join(parts)} {'would be' if not done else 'is' if _is_one(parts) else 'are'}"
        for parts in (found, told)
    )
    return f"{erased} erased; {again} told again without the match."


def _is_one(parts: list[str]) -> bool:
    return len(parts) == 1 and parts[0].startswith("1 ")


def _json(what: Erased) -> dict[str, object]:
    return {
        "texts": what.texts,
        "again": what.again,
        "sources": what.sources,
        "sessions": what.sessions,
        "seen": what.seen,
        "skills": list(what.skills),
        "projects": list(what.projects),
        "rewritten": list(what.rewritten),
        "removed": [{"path": path, "reason": reason} for path, reason in what.removed],
        "wiped": list(what.wiped),
        "left": [{"path": path, "reason": reason} for path, reason in what.left],
    }


def _say_files(output: Output, done: Erased) -> int:
    """What became of the files; the exit code says whether one still holds the text."""
    for path in done.rewritten:
        output.text(f"Rewritten without it: {path}")
    for path, reason in done.removed:
        output.text(f"Removed, for it could not be read: {path} ({reason})")
    for path in done.wiped:
        output.text(f"Overwritten in: {path}")
    for path, reason in done.left:
        output.text(f"Still in {path}: {reason}")
    if not done.left:
        output.text(
            "It is in no file of honed's home any more. Copies that you made elsewhere are yours to delete."
        )
    return RefusedError.exit_code if done.left else 0


COMMANDS = {
    "forget": Command(
        _forget,
        _forget_arguments,
        description=(
            "Delete a skill. It is gone from every search at once, and neither learned nor imported again. "
            "With --purge its bytes leave every file of honed's; nothing brings them back."
        ),
        example="honed forget shop/round-cart-totals --purge",
    ),
    "scrub": Command(
        _scrub,
        _scrub_arguments,
        description=(
            "Take every match of a pattern out of everything that honed keeps: skills, history, verdicts, "
            "projects, backups, spool, logs. What happened stays, told again without the match. Says first "
            "what would go, and does it after a yes. The ledger says that something was erased, not what."
        ),
        example="honed scrub 'acme-[0-9]{6}' --dry-run   # then the same with --yes",
    ),
}
