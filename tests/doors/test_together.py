"""Several at once on one home: everything is kept, nobody is refused, the file stays sound."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from tests.doors.telling import environment, process

WRITER = """
import contextlib, io, sys
from honed.cli.run import run
name, count = sys.argv[1:]
for number in range(int(count)):
    body = " ".join(f"{name}{number}{letter}" for letter in "abcdef")
    words = ["write", f"{name}-{number}", "--kind", "lesson", "--title", f"{name}{number}", "--body", body]
    with contextlib.redirect_stdout(io.StringIO()):
        code = run(words)
    assert code == 0, code
"""


def test_looking_into_an_open_memory_leaves_its_locks_in_place(home: Path, shop: Path) -> None:
    with Memory.open(str(home)) as memory:
        memory.write("one", draft_from_manual("lesson", "Round half up", body="always"), cwd=str(shop))
        shared = os.stat(home / "honed.db-shm").st_ino
        memory.search("round", cwd=str(shop))
        memory.recall("round", cwd=str(shop))
        memory.backup()
        Memory.open(str(home), readonly=True).close()
        # Had the locks been dropped, the other process would be the last one, and take the journal away.
        words = (
            "write",
            "two",
            "--kind",
            "lesson",
            "--title",
            "Retry uploads",
            "--body",
            "x",
            "--home",
            str(home),
        )
        assert process(*words, cwd=shop).returncode == 0
        assert os.stat(home / "honed.db-shm").st_ino == shared
        memory.write("three", draft_from_manual("lesson", "Never on Fridays", body="x"), cwd=str(shop))
        assert {skill.slug for skill in memory.every_skill()} == {"one", "two", "three"}
        assert memory.verify(strict=True) == ()


def test_many_writers_and_a_reader_get_along(home: Path, shop: Path) -> None:
    env = environment({"HONED_HOME": str(home)})
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, name, "50"], env=env, cwd=shop, stderr=subprocess.PIPE
        )
        for name in ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen")
    ]
    while any(writer.poll() is None for writer in writers):
        done = process("list", "--json", "--home", str(home), cwd=shop)
        assert done.returncode == 0 or b"there is no memory" in done.stderr, done.stderr
    assert [writer.communicate()[1] for writer in writers] == [b""] * 8
    rows = json.loads(process("list", "--json", "-n", "500", "--home", str(home), cwd=shop).stdout)
    assert len(rows) == 400
    with Memory.open(str(home)) as memory:
        assert memory.verify(strict=True) == ()
