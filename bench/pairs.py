"""Real pairs: does recall hand a later task what an earlier session learned?

``HONED_TRANSCRIPTS`` names a folder with ``recall_*.jsonl`` (query, later session, relevant earlier
sessions) and the transcripts.  Everything is backfilled once into a throw-away home; hits from sessions
that began after the later one are left out, as if they had not happened yet.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.machine import heading
from bench.retrieval import reached
from honed import transcripts
from honed.errors import HonedError
from honed.ledger import events, ids
from honed.ledger.model import NewEvent
from honed.memory import Memory
from honed.recall.bar import BAR
from honed.sessions.model import SessionStart
from honed.sessions.reading import read
from honed.store.place import locate
from honed.store.sqlite import SqliteStore
from honed.transcripts import Found

FIRST = 5


def start_of(path: Path) -> SessionStart:
    """The session's own facts."""
    with path.open("rb") as stream:
        first = next(iter(read(stream, name=path.name)))
    assert isinstance(first, SessionStart)
    return first


def repositories(found: Sequence[Found]) -> list[NewEvent]:
    """The projects, as the ``.git`` of each folder would tell on its developer's disk.

    The published sessions come from many machines and worktrees that are not here; their files are
    named ``owner__repository__...``, which stands in for the remote.
    """
    paths: dict[str, dict[str, None]] = {}
    for item in found:
        owner, _, rest = item.path.name.partition("__")
        repository = f"{owner}/{rest.partition('__')[0]}"
        with contextlib.suppress(HonedError, StopIteration):
            cwd = start_of(item.path).cwd
            if cwd:
                paths.setdefault(repository, {})[locate(cwd).root or cwd] = None
    projects = []
    for name, known in sorted(paths.items()):
        entropy = hashlib.sha256(name.encode()).digest()
        aliases = [("path", path) for path in known]
        project = ids.random_id("pr_", entropy)
        projects.append(events.project_seen(project, name, aliases, entropy, "2020-01-01T00:00:00Z"))
    return projects


def main() -> None:
    """Entry point of ``python -m bench.pairs``."""
    folder = os.environ.get("HONED_TRANSCRIPTS")
    if not folder:
        sys.exit("Set HONED_TRANSCRIPTS to a folder with recall_*.jsonl and the transcripts they name.")
    base = Path(folder)
    rows = [
        json.loads(line)
        for path in sorted(base.glob("recall_*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    found = transcripts.in_order(transcripts.given_paths([folder]))
    began = {str(item.path.relative_to(base)): item.began for item in found}
    with tempfile.TemporaryDirectory() as home:
        with SqliteStore.open(home) as store:
            store.append(repositories(found))
        measure(home, base, rows, found, began)


def measure(
    home: str, base: Path, rows: list[dict[str, Any]], found: Sequence[Found], began: dict[str, str]
) -> None:
    """Backfill, ask, print."""
    with Memory.open(home) as memory:
        started = time.perf_counter()
        for _ in memory.absorb(found):
            pass
        print(heading(f"Real pairs: {len(rows)} queries, backfill {time.perf_counter() - started:.1f} s"))
        report(memory, base, rows, began)


def report(memory: Memory, base: Path, rows: list[dict[str, Any]], began: dict[str, str]) -> None:
    """Print hits, how many of them a prompt would be told, ceiling and every miss."""
    skills = memory.every_skill()
    taught: dict[str, set[str]] = {}
    for skill in skills:
        for session in skill.sessions:
            taught.setdefault(session, set()).add(skill.id)
    hits = ceiling = told = 0
    for row in rows:
        later = start_of(base / row["later"]["file"])
        limit = began[row["later"]["file"]]
        right = {start_of(base / link["file"]).id for link in row["relevant"]}
        possible = set().union(*(taught.get(session, set()) for session in right))
        ceiling += bool(possible)
        order = memory.search(row["query"], cwd=later.cwd or "/", limit=50).hits
        kept = [hit for hit in order if memory.learned_at(hit.id) < limit][:FIRST]
        rank = next((n for n, hit in enumerate(kept, 1) if hit.id in possible), None)
        hits += rank is not None
        chances = [hit.score for hit in kept]
        told += any(hit.id in possible and reached(chances, at) >= BAR for at, hit in enumerate(kept))
        mark = f"rank {rank}" if rank else ("missed" if possible else "nothing verified")
        print(f"  {row['id']} {mark:<17} {row['query'][:90]}")
        if possible and rank is None:
            for hit in kept:
                print(f"      got {hit.title[:90]}")
            for skill in skills:
                if skill.id in possible:
                    print(f"      want {skill.draft.title[:90]}")
    total = len(rows)
    print(f"  in the first {FIRST}: {hits}/{total} = {hits / total:.2f}")
    print(f"  told unasked (bar {BAR}): {told}/{hits} of these")
    print(f"  ceiling (a right session is verified at all): {ceiling}/{total} = {ceiling / total:.2f}")


if __name__ == "__main__":
    main()
