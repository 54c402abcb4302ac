"""The prompt hooks of the peers, as installed from PyPI, for ``bench.hooks --peers``.

Each has a home of its own.  skillmem is given the same texts through its own way of writing.  MuscleMemory
learns from traces only and answers from a server of its own, so it runs with that server and an empty
memory: what is timed is its hook process alone.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.peers.environments import MUSCLEMEMORY, SKILLMEM, default_cache, prepared
from honed.skills.model import Draft

_KEEP = """
import json, sys
from skillmem import storage
db = storage.connect()
storage.init_schema(db)
for line in sys.stdin:
    slug, title, trigger, steps = json.loads(line)
    body = storage.skill_body(trigger, steps, "success")
    given = {"slug": slug, "kind": "skill", "title": title, "body": body}
    storage.upsert_skill(
        db, storage.MemoryItem(origin="agent", visibility="public", **given), surface="cli", explicit=()
    )
"""


def skillmem(folder: str, known: Iterable[tuple[str, str, Draft]]) -> tuple[list[str], dict[str, str]]:
    """Command and environment of its prompt hook in a home that holds ``known``."""
    python = prepared(SKILLMEM, default_cache())
    environment = _environment(folder, "skillmem", MEM_SEMANTIC="0")
    lines = (
        json.dumps([slug, draft.title, draft.trigger, "\n".join(draft.steps)]) for slug, _, draft in known
    )
    given = "".join(f"{line}\n" for line in lines)
    subprocess.run(
        [python, "-c", _KEEP], input=given.encode(), env=environment, check=True, capture_output=True
    )
    return [str(Path(python).with_name("skillmem")), "hook", "auto-recall"], environment


@contextmanager
def musclememory(folder: str) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Command and environment of its hook, while its server runs."""
    python = prepared(MUSCLEMEMORY, default_cache())
    home = os.path.join(folder, "musclememory", "mm")
    environment = _environment(folder, "musclememory", MM_HOME=home, MM_EMBEDDING_PROVIDER="lexical-hash")
    project = Path(folder, "musclememory", "project")
    project.mkdir()

    def run(*words: str) -> None:
        argv: Sequence[str] = [python, "-m", "musclememory", *words]
        subprocess.run(argv, env=environment, cwd=project, check=True, capture_output=True)

    run("init", "--port", "18083")
    run("start")
    try:
        run("connect", "claude", "--project", str(project))
        config = os.path.join(home, "hooks", "claude.json")
        words = ["hooks", "receive", "--client", "claude", "--config", config]
        yield [python, "-m", "musclememory", *words], environment
    finally:
        run("stop")


def _environment(folder: str, name: str, **more: str) -> dict[str, str]:
    home = os.path.join(folder, name)
    os.makedirs(home)
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": home, **more}
