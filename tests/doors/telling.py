"""What the tests of the doors tell: sessions in a shop, and calls of the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honed.demo.scribe import ClaudeScribe, CodexScribe, Scribe

ROOT = Path(__file__).resolve().parent.parent.parent
SESSION = "5b0e1c1e-0001-4d0e-8a11-000000000001"
RED = "FAILED tests/test_cart.py::test_total - assert 1 == 2\n1 failed, 11 passed in 0.62s"
GREEN = "12 passed in 0.58s"


def a_shop(base: Path, name: str = "shop") -> Path:
    """A work tree that honed takes for a project."""
    shop = base / name
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return shop


def fixes(told: Scribe, what: str = "total", *, test: bool = True) -> Scribe:
    """One request: a failing test, a change of ``shop/<what>.py``, and a passing test after it."""
    told.asks(f"The {what} of the order is off by one cent, please fix it")
    if test:
        told.runs("pytest -q", RED, 1)
    told.edits(
        f"shop/{what}.py", f"def {what}(x):\n    return x", f"def {what}(x):\n    return round_half_up(x)"
    )
    if test:
        told.runs("pytest -q", GREEN)
    return told


def claude(folder: Path, session: str = SESSION, day: str = "2026-05-04") -> ClaudeScribe:
    """A Claude Code session in ``folder``."""
    return ClaudeScribe(session, str(folder), day)


def codex(
    folder: Path, session: str = "019d0000-0002-7000-8000-000000000002", day: str = "2026-05-05"
) -> CodexScribe:
    """A Codex session in ``folder``."""
    return CodexScribe(session, str(folder), day)


def write(path: Path, told: Scribe) -> Path:
    """Leave the session as its client would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(told.text(), encoding="utf-8")
    return path


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def environment(more: Mapping[str, str]) -> dict[str, str]:
    """A bare environment, with the package from the source tree."""
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), "HOME": "/nonexistent", **more}


def process(
    *words: str | bytes,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """``honed`` in a process of its own."""
    argv: Sequence[str | bytes] = [sys.executable, "-m", "honed", *words]
    return subprocess.run(
        argv, cwd=cwd, env=environment(env or {}), input=given, capture_output=True, check=False
    )


def files_below(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file with its bytes."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes()
