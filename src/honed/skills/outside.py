"""What an agent read in a task that is not the owner's own text: the web, tools of others, dependencies.

A text that was written after such a reading may say what the reading told the agent to say (a page, an issue,
the README of a package).  So a task with one is *tainted*, with the step that says so, and what it teaches is
never told as honed's own words.  A table of readers; pure.  Sources: the clients' lists of tools (see
``sessions``); of programs ``outside_shell``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass

from honed.sessions.model import Request, Step
from honed.skills.others import joined, kind_of
from honed.skills.outside_copies import Copies
from honed.skills.outside_shell import is_here, others_shown, shell_reads
from honed.verdict.model import Task


@dataclass(frozen=True, slots=True)
class Outside:
    """One reading from outside: what ``kind`` (a word of ``KINDS``), the ``step`` (a request's id for an
    attachment), and ``what`` was read, as far as it is known."""

    kind: str
    step: str
    what: str


KINDS: Mapping[str, str] = {
    "web": "a page or a search of the web",
    "tool": "a tool of an MCP server",
    "issue": "an issue, a pull request or another text of a forge",
    "download": "what was fetched over the network",
    "archive": "what is in an archive that is not the project's",
    "dependency": "a file of a dependency",
    "attachment": "an attachment of a request",
    "pack": "a text of a pack or a plugin",
    "agent": "what another agent told, of which is not known what it had read",
    "summary": "a summary of an earlier session, of which is not known what it had read",
    "skill": "a skill that is tainted itself",
    "note": "a text of an agent's or an import's that nobody approved",
}
"""Why a task is tainted, in words."""

_OWN_SERVER = re.compile(r"(?:honed|ide|plugin_honed_\w+|honed_memory_\w+)$")
"""MCP servers that tell nothing from outside: honed's own memory (framed, with grades), and the editor."""
_NEVER_RAN = ("rejected", "never_ran")


def outside_reads(task: Task) -> Iterator[Outside]:
    """What the agent read from outside in ``task``, in order."""
    for request in task.requests:
        yield from _attached(request)
    heard = {step.agent_id for step in task.steps if step.actor == "subagent"}
    root, copies = task.session.cwd or "", Copies()
    for step in task.steps:
        if _tells_unheard(step, heard):
            yield Outside("agent", step.id, step.tool)
        elif step.status not in _NEVER_RAN and step.actor in ("agent", "subagent"):
            found = _BY_KIND.get(step.kind)
            for kind, what in found(step, root, copies) if found is not None else ():
                yield Outside(kind, step.id, what)


def _tells_unheard(step: Step, heard: Set[str | None]) -> bool:
    """Whether a step tells what another agent found whose own steps are not there; ``heard`` are those whose
    steps are.  Where a client does not say which one it was, steps of any will do."""
    if step.kind != "agent" or not step.output.strip() or step.status in _NEVER_RAN:
        return False
    return not heard if step.agent_id is None or None in heard else step.agent_id not in heard


def taint_of(task: Task) -> str:
    """Why a task is tainted, as a draft keeps it (see ``told``), empty for no reason."""
    first = next(outside_reads(task), None)
    return told(first) if first is not None else ""


def told(one: Outside) -> str:
    """A reading in one line: kind, step, and what was read."""
    return " ".join(part for part in (one.kind, one.step, " ".join(one.what.split())[:120]) if part)


def in_words(taint: str) -> str:
    """What ``told`` says, for people."""
    kind, _, rest = taint.partition(" ")
    step, _, what = rest.partition(" ")
    return (
        f"{KINDS.get(kind, kind)}{f' ({what})' if what else ''}, in step {step}"
        if rest
        else KINDS.get(kind, kind)
    )


def _attached(request: Request) -> Iterator[Outside]:
    if request.images:
        yield Outside("attachment", request.id, f"{request.images} file{'s' if request.images > 1 else ''}")


def _web(step: Step, _root: str, _copies: Copies) -> Iterator[tuple[str, str]]:
    if not is_here(step.query.strip()):
        yield "web", step.query or step.tool


def _mcp(step: Step, _root: str, _copies: Copies) -> Iterator[tuple[str, str]]:
    server = re.split(r"__|[./:]", re.sub(r"^mcp_{1,2}", "", step.tool))[0]
    if not _OWN_SERVER.match(server):
        yield "tool", step.tool


def _skill(step: Step, _root: str, _copies: Copies) -> Iterator[tuple[str, str]]:
    # A name with a colon is one of a plugin; those without are the owner's or the project's own.
    if ":" in step.query.strip("/ "):
        yield "pack", step.query


def _read(step: Step, root: str, copies: Copies) -> Iterator[tuple[str, str]]:
    for path in step.reads:
        kind = kind_of(path, root) or copies.of(joined(root, path))
        if kind:
            yield kind, path


def _search(step: Step, root: str, copies: Copies) -> Iterator[tuple[str, str]]:
    yield from _read(step, root, copies)
    yield from others_shown(step.output, root)


_BY_KIND: Mapping[str, Callable[[Step, str, Copies], Iterator[tuple[str, str]]]] = {
    "web": _web,
    "mcp": _mcp,
    "skill": _skill,
    "read": _read,
    "search": _search,
    "shell": shell_reads,
}
"""What a step of each kind may have read (a word of ``KINDS``, and what), seen from the project's folder and
beside what was copied before.
Which tool of which client is of which kind is in ``sessions``."""
