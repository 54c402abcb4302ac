"""What a session of an experiment cost, read from its transcript and those of its sub-agents.

Claude Code keeps those of sub-agents beside the session's; Codex writes each one as a session of its own,
which names its parent: its figures are kept by themselves and added when the experiment is looked at.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from honed.hooks.spool import name_of
from honed.sessions.model import SessionStart
from honed.sessions.usage import Cost, cost_of, lines_of, together
from honed.store.base import Store
from honed.store.place import locate
from honed.store.spent import Figures

SUBAGENTS = "subagents"
"""Folder beside a Claude Code transcript, in a folder of its name, with one file a sub-agent."""


def figures_of(stream: BinaryIO, path: Path, start: SessionStart, store: Store) -> Figures:
    """The figures of the session whose transcript is open as ``stream``, all of it from the beginning.

    Raises ``OSError`` where it cannot be read.
    """
    stream.seek(0)
    parts = [cost_of(lines_of(stream), start.client), *_subagents(path, start.client)]
    cost = together(part for part in parts if part is not None) or Cost(None, 0, 0, 0)
    project = store.resolve_project(locate(start.cwd or "", remote=start.remote or "")) if start.cwd else None
    tokens = cost.tokens
    return Figures(
        session=name_of(start.id),
        project=project or "",
        transcript=start.id,
        input=tokens.input if tokens else None,
        cached=tokens.cached if tokens else None,
        output=tokens.output if tokens else None,
        calls=cost.calls,
        asked=cost.asked,
        seconds=cost.seconds,
        at=store.now(),
        parent=parent_of(start),
    )


def parent_of(start: SessionStart) -> str:
    """The session that a sub-agent with a transcript of its own works for, as the spool names it; empty for
    any other session, a fork that a person goes on with among them."""
    apart = start.client != "claude_code" and start.kind in ("subagent", "review")
    return name_of(start.parent) if start.parent and apart else ""


def _subagents(path: Path, client: str) -> Iterator[Cost | None]:
    for file in sorted(path.with_suffix("").joinpath(SUBAGENTS).glob("*.jsonl")):
        with contextlib.suppress(OSError), file.open("rb") as stream:
            yield cost_of(lines_of(stream), client)
