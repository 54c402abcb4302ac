"""``honed projects``: which projects there are, and the owner's word on which of them are one."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from honed.cli.command import Command, Output, typed_text
from honed.counted import several
from honed.errors import UsageError
from honed.identity import Known
from honed.memory import Memory
from honed.worktrees import hints

_TAKES = {"list": (0, "list"), "link": (2, "link PROJECT OTHER"), "split": (1, "split PROJECT_OR_FOLDER")}
"""How many names each action takes, and how it is typed."""


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action", choices=tuple(_TAKES), help="list them, say that two are one, take one apart"
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="PROJECT",
        type=typed_text,
        help="a folder, or a project by its name or id",
    )


def _projects(options: Namespace, output: Output) -> int:
    count, usage = _TAKES[options.action]
    if len(options.names) != count:
        raise UsageError(f"honed projects {usage}")
    return {"list": _list, "link": _link, "split": _split}[options.action](options, output)


def _list(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, readonly=True) as memory:
        known = memory.known_projects()
        here = memory.known_project(_here()) or ""
    output.json([_row(one, here) for one in known])
    for one in known:
        _say(output, one, here)
    for keep, other in _proposals(known):
        output.text(f"One project? {_place(other)} looks like one with {_place(keep)}:")
        output.text(f"    honed projects link {keep.row.id} {other.row.id}")
    if not known:
        output.text("No projects yet. `honed backfill` learns from past sessions.")
    return 0


def _proposals(known: Sequence[Known]) -> Iterator[tuple[Known, Known]]:
    """Which project may be part of which: each once, of the one that says most of what it is.

    That is a folder that is no work tree before those that are, then the one with more skills, then the
    one that was seen first.
    """

    def rank(one: Known) -> tuple[bool, int, str, str]:
        trees = [alias for alias in one.row.aliases if alias.kind == "path" and hints(alias.value)]
        return bool(trees), -one.skills, one.row.seen, one.row.id

    before: dict[str, Known] = {}
    for one in sorted(known, key=rank):
        keep = next((before[other] for other in before if other in one.maybe), None)
        if keep is not None:
            yield keep, one
        before[one.row.id] = one


def _place(one: Known) -> str:
    """A project's name with a folder of it."""
    paths = [alias.value for alias in one.row.aliases if alias.kind == "path" and alias.state != "split"]
    return f"{one.row.name or one.row.id} ({paths[0]})" if paths else one.row.name or one.row.id


def _row(one: Known, here: str) -> dict[str, object]:
    row = one.row
    return {
        "id": row.id,
        "name": row.name,
        "seen": row.seen,
        "here": row.id == here,
        "skills": one.skills,
        "aliases": [{"kind": a.kind, "value": a.value, "state": a.state} for a in row.aliases],
        "linked": list(one.linked),
        "linked_to": one.linked_to,
        "maybe": list(one.maybe),
    }


def _say(output: Output, one: Known, here: str) -> None:
    row = one.row
    notes = [several(one.skills, "skill"), f"seen {row.seen[:10]}"]
    notes += [f"part of {one.linked_to}"] if one.linked_to else []
    notes += ["here"] if row.id == here else []
    output.text(f"{row.name or '(no name)'}  {row.id}  [{', '.join(notes)}]")
    for alias in row.aliases:
        if alias.state != "seen":
            output.text(f"    {alias.kind} {alias.value} ({alias.state} by you)")
        else:
            output.text(f"    {alias.kind} {alias.value}")


def _link(options: Namespace, output: Output) -> int:
    keep, other = options.names
    with Memory.open(options.home, existing=True) as memory:
        done = memory.link(memory.named(keep, _here()), memory.named(other, _here()))
        names = {row.id: row.name for row in memory.projects()}
    output.json(
        {"project": done.project, "linked": [list(alias) for alias in done.aliases], "existed": not done.news}
    )
    if done.news:
        whole = names.get(done.project) or keep
        output.text(f"{other} is part of {whole} from now on: what either learned holds in both.")
        output.text(f"`honed projects split {other}` takes that back.")
    else:
        output.text(f"{keep} and {other} are one project already.")
    return 0


def _split(options: Namespace, output: Output) -> int:
    (name,) = options.names
    with Memory.open(options.home, existing=True) as memory:
        done = memory.split(name, _here())
    output.json({"project": done.project, "split": [list(alias) for alias in done.aliases]})
    output.text(f"{name} is a project of its own from now on ({done.project}).")
    return 0


def _here() -> str:
    """Where the command was called.  Raises ``UsageError`` where that is gone."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise UsageError("this folder was deleted; go to another one") from error


COMMANDS = {
    "projects": Command(
        _projects,
        _arguments,
        description=(
            "Which projects honed knows, and by what it recognises them. `link` says that two are one (what "
            "was learned in either holds in both), `split` takes a linked project, or a folder that was "
            "taken for part of one, apart again. Both are in the ledger."
        ),
        example="honed projects link ~/work/shop ~/spare/shop   # two folders, one repository",
    ),
}
