"""A shop that honed knows, and a program of its owner's that plays the model."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from honed.agents.shim import write_shim
from honed.memory import Memory
from honed.skills.model import Skill
from tests.hooks.conftest import Shop

_PROGRAM = """\
#!{python}
import json, os, subprocess, sys
told = sys.stdin.read()
with open({log!r}, "a", encoding="utf-8") as file:
    file.write(json.dumps({{"argv": sys.argv[1:], "told": told, "cwd": os.getcwd()}}) + "\\n")
{then}
entries = [
    {{"number": n, "title": f"Round the totals of carts, {{n}}", "trigger": "When a sum is off by a cent.",
      "aliases": ["rounding of money", "округление суммы", "off by one cent"]}}
    for n in range(1, told.count('"number": ') + 1)
]
print("Here they are:\\n```json\\n" + json.dumps({{"entries": entries}}) + "\\n```")
"""


class Program:
    """A program named ``claude`` in a folder of its own; ``calls`` are what it was told."""

    def __init__(self, folder: Path, then: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.path = folder / "claude"
        self._log = folder / "calls.jsonl"
        self.path.write_text(
            _PROGRAM.format(python=sys.executable, log=str(self._log), then=then), encoding="utf-8"
        )
        self.path.chmod(0o755)

    @property
    def calls(self) -> list[dict[str, object]]:
        """One object for each time that it was started."""
        if not self._log.exists():
            return []
        return [json.loads(line) for line in self._log.read_text("utf-8").splitlines()]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A project of which honed knows six sessions, with the shim installed."""
    made = Shop(tmp_path)
    write_shim(str(made.home))
    made.learn()
    return made


@pytest.fixture
def memory(shop: Shop) -> Memory:
    """Its memory; the model is not set."""
    return Memory.open(str(shop.home))


Asking = Callable[[str], Program]


@pytest.fixture
def program(shop: Shop, tmp_path: Path) -> Asking:
    """Sets a program as the model, which does ``then`` before it answers."""

    def set_up(then: str = "") -> Program:
        made = Program(tmp_path / "bin", then)
        with Memory.open(str(shop.home)) as memory:
            memory.configure("models.command", [str(made.path), "-p"])
        return made

    return set_up


def procedures(shop: Shop) -> dict[str, Skill]:
    """What honed knows how to do there, by slug."""
    with Memory.open(str(shop.home), readonly=True) as memory:
        return {skill.slug: skill for skill in memory.every_skill() if skill.draft.kind == "procedure"}


def without_variables(environ: dict[str, str]) -> dict[str, str]:
    """An environment with every variable of honed's removed."""
    return {name: value for name, value in environ.items() if "HONED" not in name} | {
        "PATH": os.environ.get("PATH", "")
    }
