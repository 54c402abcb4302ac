"""Where there is no room, nothing is said to be kept that is not."""

from __future__ import annotations

import json
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from honed.memory import Memory
from tests.doors.conftest import Honed
from tests.doors.telling import environment, process

ROOM = 30_000
"""Bytes that files may still grow by: the limit on their size stands in for the end of the disk."""


def test_what_is_said_to_be_stored_is_there_and_the_rest_is_an_error(
    honed: Honed, home: Path, shop: Path
) -> None:
    honed("write", "first", "--kind", "rule", "--title", "First of all", "--body", "x")
    size = max(path.stat().st_size for path in home.rglob("*") if path.is_file())

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + ROOM, size + ROOM))

    stored, refused = {"first"}, 0
    for number in range(12):
        word = "abcdefghijkl"[number] * 6
        body = " ".join(f"{word}{at}" for at in range(700))
        words = (
            "write",
            f"n-{number}",
            "--kind",
            "lesson",
            "--title",
            f"About {word}",
            "--body",
            body,
            "--force",
        )
        done = subprocess.run(
            [sys.executable, "-m", "honed", *words, "--json"],
            cwd=shop,
            env=environment({"HONED_HOME": str(home)}),
            capture_output=True,
            check=False,
            preexec_fn=limit,
        )
        told = json.loads(done.stdout)
        if done.returncode == 0:
            stored.add(told["slug"])
        else:
            refused += 1
            assert (done.returncode, told["code"]) == (5, 5)
            assert b"Stored" not in done.stdout
    assert refused
    rows = json.loads(process("list", "--json", "--home", str(home), cwd=shop).stdout)
    assert {row["slug"] for row in rows} == stored
    with Memory.open(str(home)) as memory:
        assert memory.verify(strict=True) == ()


def _no_room() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(
    "words", ["list", "show first", "search first", "recall 'first of all'", "stats", "verify", "doctor"]
)
def test_what_was_kept_can_be_read_on_a_full_disk(honed: Honed, home: Path, shop: Path, words: str) -> None:
    honed("write", "first", "--kind", "rule", "--title", "First of all", "--body", "x")
    assert not list(home.glob("*-wal"))
    argv = [sys.executable, "-m", "honed", *shlex.split(words), "--json"]
    done = subprocess.run(
        argv,
        cwd=shop,
        env=environment({"HONED_HOME": str(home)}),
        capture_output=True,
        check=False,
        preexec_fn=_no_room,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"first" in done.stdout.lower() or words in ("stats", "verify", "doctor")
