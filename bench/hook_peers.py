"""The prompt hooks of the peers, as installed from PyPI, for ``bench.hooks --peers``.

Each has a home of its own.  skillmem is given the same texts through its own way of writing, in one
transaction (``same_filling`` holds it against one text at a time), and its filled homes are kept.
MuscleMemory learns from traces only and answers from a server of its own, so it runs with that server and an
empty memory, whatever the size: what is timed is its hook process alone.

    python -m bench.hook_peers [--size 1000]     whether both ways of filling skillmem are one
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.filling import Texts
from bench.peers.environments import MUSCLEMEMORY, SKILLMEM, default_cache, prepared
from bench.recall_speed import skills

_KEEP = """
import json, sys
from skillmem import storage
db = storage.connect()
storage.init_schema(db)
def keep():
    for line in sys.stdin:
        slug, title, trigger, steps = json.loads(line)
        body = storage.skill_body(trigger, steps, "success")
        given = {"slug": slug, "kind": "skill", "title": title, "body": body}
        storage.upsert_skill(
            db, storage.MemoryItem(origin="agent", visibility="public", **given), surface="cli", explicit=()
        )
"""
_ONE_BY_ONE = "keep()"
_AT_ONCE = """
import functools
from contextlib import contextmanager
@contextmanager
def inside(db):
    yield db
storage._stem_word = functools.lru_cache(None)(storage._stem_word)
with storage.tx(db):
    storage.tx = inside
    keep()
"""
"""The same writing in one transaction, each word stemmed once: minutes in place of hours at 100,000."""


def skillmem(folder: str, size: int, known: Callable[[], Texts]) -> tuple[list[str], dict[str, str]]:
    """Command and environment of its prompt hook in a home that holds the ``size`` texts of ``known``.

    A home that was filled before with the same texts is copied.
    """
    python = prepared(SKILLMEM, default_cache())
    texts = Path(__file__).with_name("texts.py").read_bytes()
    digest = hashlib.blake2b(texts + _KEEP.encode(), digest_size=8).hexdigest()
    kept = default_cache().parent / "peer-homes" / f"skillmem-{SKILLMEM.version}-{size}-{digest}"
    if not kept.is_dir():
        made = kept.with_name(f"{kept.name}.{os.getpid()}.new")
        try:
            _filled(python, str(made), known(), _AT_ONCE)
            made.rename(kept)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    home = os.path.join(folder, "skillmem")
    shutil.copytree(kept, home)
    return [str(Path(python).with_name("skillmem")), "hook", "auto-recall"], _environment(home, **_PLAIN)


_PLAIN = {"MEM_SEMANTIC": "0"}


def _filled(python: str, home: str, known: Texts, how: str) -> None:
    """Let skillmem keep ``known`` in ``home``, by its own way of writing."""
    os.makedirs(home)
    lines = (
        json.dumps([slug, draft.title, draft.trigger, "\n".join(draft.steps)]) for slug, _, draft in known
    )
    given = "".join(f"{line}\n" for line in lines)
    subprocess.run(
        [python, "-c", _KEEP + how],
        input=given.encode(),
        env=_environment(home, **_PLAIN),
        check=True,
        capture_output=True,
    )


_ROWS = """
import hashlib, json
from skillmem import storage
db = storage.connect()
found = hashlib.sha256()
for row in db.execute("SELECT * FROM memory_items ORDER BY slug"):
    row = {key: row[key] for key in row.keys() if not key.endswith("_at")}
    found.update(json.dumps(row, sort_keys=True, default=repr).encode())
words = "coverage after fix test request parse error build".split()
for a in words:
    for b in words:
        hits = storage.recall_skills(db, a + " " + b, auto_reinforce=False)
        found.update(json.dumps([[hit["slug"], hit["score"]] for hit in hits]).encode())
print(found.hexdigest())
"""


def same_filling(folder: str, known: Callable[[], Texts]) -> bool:
    """Whether skillmem holds the same rows and gives the same answers however it was filled."""
    python, found = prepared(SKILLMEM, default_cache()), set()
    for name, how in (("one-by-one", _ONE_BY_ONE), ("at-once", _AT_ONCE)):
        home = os.path.join(folder, name)
        _filled(python, home, known(), how)
        argv = [python, "-c", _ROWS]
        done = subprocess.run(argv, env=_environment(home, **_PLAIN), check=True, capture_output=True)
        found.add(done.stdout)
    return len(found) == 1


@contextmanager
def musclememory(folder: str) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Command and environment of its hook, while its server runs."""
    python = prepared(MUSCLEMEMORY, default_cache())
    home = os.path.join(folder, "musclememory", "mm")
    own = os.path.join(folder, "musclememory")
    os.makedirs(own)
    environment = _environment(own, MM_HOME=home, MM_EMBEDDING_PROVIDER="lexical-hash")
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


def _environment(home: str, **more: str) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": home, **more}


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1000)
    size = parser.parse_args().size
    with tempfile.TemporaryDirectory() as folder:
        same = same_filling(folder, lambda: skills(size))
    print(f"  skillmem, {size} texts one by one and at once: {'the same' if same else 'NOT the same'}")


if __name__ == "__main__":
    main()
