"""Packs of skills that others wrote: packs add, list, update, rm, release."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TextIO

from honed.cli.command import Command, Output, here_of, project_argument, typed_text
from honed.counted import several
from honed.errors import NotFoundError, RefusedError, UsageError
from honed.ledger.history import full_text
from honed.memory import Memory
from honed.packs.files import Refused
from honed.packs.keeping import Done, Row
from honed.packs.record import Member, Record, held
from honed.packs.scan import Finding
from honed.presence import answer, at_terminal
from honed.recall.safe import visible
from honed.skills.model import Skill
from honed.store.receiving import NEVER, Counters

REFUSED = RefusedError.exit_code
_ACTIONS = ("add", "list", "update", "rm", "release")
_ALSO = {"ls": "list"}
"""Words that mean an action too, for the contract named it so once."""


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=_ACTIONS,
        type=lambda word: _ALSO.get(word, word),
        help="what to do (`ls` is `list`); `release` ends a quarantine, on a terminal",
    )
    parser.add_argument(
        "what",
        nargs="?",
        type=typed_text,
        metavar="WHAT",
        help="of add: OWNER/REPO, a URL (https, ssh), a folder, a zip or a tar; of update and rm: a pack's "
        "name; of release: a skill",
    )
    parser.add_argument("--name", type=typed_text, default="", help="of add: what to call the pack")
    parser.add_argument("--ref", default="", help="of add: a branch, tag or commit of the repository")
    parser.add_argument(
        "--scope",
        choices=("project", "global"),
        help="of add: who sees it (default: the project; everywhere where this folder is none)",
    )
    parser.add_argument(
        "--again", action="store_true", help="of add: also what was forgotten here; asks you, on a terminal"
    )
    parser.add_argument("--dry-run", action="store_true", help="of add and update: say what would happen")
    project_argument(parser)


def _packs(options: Namespace, output: Output) -> int:
    needs = {"add": "a source", "rm": "the name of a pack", "release": "a skill"}
    if options.action in needs and not options.what:
        raise UsageError(f"packs {options.action} needs {needs[options.action]}")
    if options.action == "list" and options.what:
        raise UsageError("packs list takes no name; it shows all")
    only_add = [n for n in ("name", "ref", "scope", "again") if getattr(options, n)]
    if only_add and options.action != "add":
        raise UsageError(f"--{only_add[0]} is of `packs add` only")
    if options.dry_run and options.action not in ("add", "update"):
        raise UsageError("--dry-run is of `packs add` and `packs update` only")
    return _DO[options.action](options, output)


def _add(options: Namespace, output: Output) -> int:
    if options.scope == "global" and options.project is not None:
        raise UsageError("--scope global holds everywhere; leave --project out")
    if options.again:
        _confirm_again(output)
    with Memory.open(options.home) as memory:
        place = memory.named(options.project, here_of(options))
        done = memory.add_pack(
            options.what,
            cwd=place,
            everywhere=options.scope == "global",
            name=options.name,
            ref=options.ref,
            again=options.again,
            dry_run=options.dry_run,
        )
    output.json(_done_json(done) | {"dry_run": options.dry_run})
    _say_done(output, done, options.dry_run)
    return REFUSED if done.refused else 0


def _confirm_again(output: Output) -> None:
    screen = sys.stderr if output.as_json else sys.stdout
    at_terminal("packs add --again", screen, os.environ)
    if answer("Type again to take in texts that were forgotten: ", screen) != "again":
        raise RefusedError("nothing was taken in")


def _update(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        packs = memory.packs()
        wanted = [packs.named(options.what)] if options.what else packs.known()
        done = [packs.update(record, dry_run=options.dry_run) for record in wanted]
    output.json([_done_json(one) | {"dry_run": options.dry_run} for one in done])
    for one in done:
        _say_done(output, one, options.dry_run)
    if not done:
        output.text("There is no pack; `honed packs add` takes one in.")
    return REFUSED if any(one.refused for one in done) else 0


def _remove(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        packs = memory.packs()
        record = packs.named(options.what)
        rows = packs.remove(record)
    gone = [row for row in rows if row.what == "gone"]
    output.json({"name": record.name, "skills": [_row_json(row) for row in rows]})
    output.text(f"{record.name}: removed; {several(len(gone), 'text')} forgotten.")
    for row in rows:
        if row.what == "left":
            output.text(f"  left: {row.slug}: {row.why}")
    return 0


def _release(options: Namespace, output: Output) -> int:
    screen = sys.stderr if output.as_json else sys.stdout
    at_terminal("honed packs release", screen, os.environ)
    with Memory.open(options.home, existing=True) as memory:
        skill = memory.find(options.what, memory.named(options.project, here_of(options)))
        why = memory.quarantined(skill)
        if not why:
            raise NotFoundError(f"{skill.slug} is in no quarantine")
        found = held(memory.settings_kept(), skill.id)
        _show_held(screen, memory.texts_of(found[1]) if found else (skill,), found[1] if found else None, why)
        if (
            answer("Type release to let agents be given it as data; anything else leaves it: ", screen)
            != "release"
        ):
            output.json({"slug": skill.slug, "held": True})
            output.note(f"honed: {skill.slug} stays in quarantine")
            return REFUSED
        if found is None:
            memory.packs().release_text(skill)
        else:
            record, member = found
            memory.packs().release(
                record, next(name for name, one in record.members.items() if one is member)
            )
    output.json({"slug": skill.slug, "held": False})
    output.text(f"{skill.slug}: released. It is data; `honed trust {skill.slug}` makes it guidance.")
    return 0


def _show_held(screen: TextIO, texts: Sequence[Skill], member: Member | None, why: str) -> None:
    for one in texts:
        screen.write(f"\n{one.slug}\n")
        for line in visible(full_text(one.draft))[0].splitlines():
            screen.write(f"  | {line}\n")
    screen.write("Found in it:\n" if member else "Found in it when its pack brought it:\n")
    for told in [finding.told for finding in member.found] if member else [why]:
        screen.write(f"  ! {visible(told)[0]}\n")


def _list(options: Namespace, output: Output) -> int:
    Memory.catch_up(options.home)
    with Memory.open(options.home, existing=True, readonly=True) as memory:
        known = memory.packs().known()
        given = memory.counters()
        names = {row.id: row.name for row in memory.projects()}
        rows = [_pack_json(memory, record, given, names) for record in known]
    output.json(rows)
    for row in rows:
        _say_pack(output, row)
    if not rows:
        output.text("There is no pack; `honed packs add` takes one in.")
    return 0


def _pack_json(
    memory: Memory, record: Record, given: Mapping[str, Counters], names: dict[str, str]
) -> dict[str, object]:
    skills = [
        row
        for folder, member in record.members.items()
        if (row := _member_json(memory, folder, member, given))
    ]
    total = {key: sum(int(str(row[key])) for row in skills) for key in ("given", "verified", "failed")}
    return {
        "name": record.name,
        "source": record.address,
        "ref": record.ref,
        "commit": record.commit,
        "licence": record.licence,
        "hash": record.hash,
        "project": names.get(record.project, ""),
        "at": record.at,
        **total,
        "earned": total["verified"] > total["failed"],
        "skills": skills,
    }


def _member_json(
    memory: Memory, folder: str, member: Member, given: Mapping[str, Counters]
) -> dict[str, object] | None:
    texts = memory.texts_of(member)
    main = next((skill for skill in texts if skill.id == member.id), None)
    if main is None:
        return None
    return {
        "slug": main.slug,
        "id": main.id,
        "folder": folder,
        "state": "archived" if main.archived else main.state,
        "approved": bool(main.approved_hash),
        "quarantined": member.held,
        "gone": member.gone,
        "findings": [_finding_json(one) for one in member.found],
        "references": [skill.slug for skill in texts if skill.id != member.id],
        "scripts": list(member.scripts),
        "given": sum(given.get(one, NEVER).given for one in member.ids),
        "verified": sum(skill.confirmed for skill in texts),
        "failed": sum(skill.failed for skill in texts),
    }


def _finding_json(one: Finding) -> dict[str, object]:
    value: dict[str, object] = {
        "kind": one.kind,
        "told": one.told,
        "file": one.file,
        "line": one.line,
        "hidden_in": one.how,
    }
    return value | ({"excerpt": one.excerpt} if one.excerpt else {})


def _row_json(row: Row) -> dict[str, object]:
    return {
        "slug": row.slug,
        "folder": row.folder,
        "what": row.what,
        "quarantined": row.held,
        "findings": [_finding_json(one) for one in row.findings],
        "diff": row.diff,
        "waits": row.waits,
        "why": row.why,
    }


def _refused_json(one: Refused) -> dict[str, object]:
    return {"path": one.path, "reason": one.reason}


def _done_json(done: Done) -> dict[str, object]:
    record = done.record
    return {
        "name": record.name,
        "source": record.address,
        "commit": record.commit,
        "licence": record.licence,
        "hash": record.hash,
        "skills": [_row_json(row) for row in done.rows],
        "refused": [_refused_json(one) for one in done.refused],
    }


def _say_done(output: Output, done: Done, dry_run: bool) -> None:
    record, tried = done.record, "Would be: " if dry_run else ""
    counts = Counter(row.what for row in done.rows)
    told = ", ".join(f"{number} {what}" for what, number in sorted(counts.items())) or "nothing"
    commit = f"commit {record.commit[:12]}, " if record.commit else ""
    whole = f"{several(len(done.rows), 'text')} ({told})" if done.rows else told
    output.text(
        f"{tried}{record.name}: {whole}. {commit}licence {_shown(record.licence) or 'unknown'}, "
        f"sha256 {record.hash[:16]}."
    )
    for row in done.rows:
        if row.what == "refused" or (row.what == "same" and not row.held):
            continue
        output.text(f"  {row.what}: {_shown(row.slug)}{f': {row.why}' if row.why else ''}")
        for finding in row.findings:
            output.text(f"    {'QUARANTINED' if row.held else 'found'}: {_shown(finding.told)}")
            if finding.excerpt:
                output.text(f"      | {_shown(finding.excerpt)}")
        for line in row.diff.split("\n") if row.diff else ():
            output.text(f"    {line}")
        if row.waits and row.what == "changed":
            output.text("    What you approved stays in use; the new text waits for you (`honed review`).")
    for one in done.refused:
        output.text(f"Refused: {_shown(one.path)}: {_shown(one.reason)}")
    if any(row.held for row in done.rows):
        output.text(
            "What is in quarantine is given to nobody; `honed packs release SKILL` after you have read it."
        )


def _say_pack(output: Output, row: dict[str, object]) -> None:
    commit = str(row["commit"])[:12] or "no commit"
    output.text(
        f"{row['name']}  {_shown(str(row['source']))}  {commit}, "
        f"{_shown(str(row['licence'])) or 'licence unknown'}, sha256 {str(row['hash'])[:16]}"
    )
    earned = "has earned its place" if row["earned"] else "has proved nothing yet"
    output.text(
        f"    {earned}: given in {row['given']}, verified in {row['verified']}, "
        f"failed in {several(int(str(row['failed'])), 'session')}"
    )
    skills = row["skills"]
    for skill in skills if isinstance(skills, list) else ():
        state = "QUARANTINED" if skill["quarantined"] else skill["state"]
        words = [
            state,
            *(["approved"] if skill["approved"] else []),
            *(["gone from the pack"] if skill["gone"] else []),
        ]
        figures = f"given {skill['given']}, verified {skill['verified']}, failed {skill['failed']}"
        output.text(f"    {skill['slug']}  [{', '.join(words)}] {figures}")
        for script in skill["scripts"]:
            output.text(f"      script (not kept, never run): {_shown(script)}")
        for finding in skill["findings"]:
            output.text(f"      ! {_shown(finding['told'])}")


def _shown(text: str) -> str:
    """A pack's own words for a terminal: every character told, on one line."""
    return visible(text)[0].replace("\n", "\\n")


_DO = {"add": _add, "list": _list, "update": _update, "rm": _remove, "release": _release}

COMMANDS = {
    "packs": Command(
        _packs,
        _arguments,
        description=(
            "Skills that others wrote, as folders with a SKILL.md. `add` takes their texts in as data "
            "(scripts are listed, never kept or run), pins commit, licence and hash, and keeps in quarantine "
            "what hands downloads to a shell, sends keys away or hides text. `list` says which pack earned "
            "its place, `update` shows what changed, `rm` forgets a pack's texts, `release` ends a "
            "quarantine after you have read it, on a terminal. What is refused is named (exit 3)."
        ),
        example="honed packs add anthropics/skills --dry-run   # what would come of it",
    ),
}
