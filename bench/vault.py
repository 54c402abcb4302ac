"""A vault out, in and out again: seconds of processor time, most memory, and whether it is the same.

Texts of the size that compiling gives, half with evidence and a fifth with an older text.

    python -m bench.vault [--skills 10000]
"""

from __future__ import annotations

import argparse
import filecmp
import hashlib
import os
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace

from bench.filling import fill
from bench.machine import heading
from bench.recall_speed import skills
from honed.ledger import events
from honed.memory import Memory
from honed.store.base import SkillFilter
from honed.store.sqlite import SqliteStore

LOT = 500


def with_history(home: str, count: int) -> None:
    """``count`` skills with evidence and older texts."""
    fill(home, skills(count))
    with SqliteStore.open(home) as store:
        batch = []
        for number, skill in enumerate(store.skills(SkillFilter())):
            salt = hashlib.blake2b(skill.id.encode(), digest_size=16).digest()
            if number % 2 == 0:
                occasion = events.Occasion("codex", f"session-{number}", f"r{number}", "2026-02-01T00:00:00Z")
                batch.append(
                    events.evidence(occasion, skill.id, "test_passed", applied=True, authority="exit")
                )
            if number % 5 == 0:
                batch.append(events.revised(skill.id, replace(skill.draft, outcome="better"), salt))
            if len(batch) >= LOT:
                store.append(batch)
                batch = []
        store.append(batch)


def _measured(what: str, act: Callable[[], object]) -> None:
    before, began = _seconds(), time.perf_counter()
    act()
    used, passed = _seconds() - before, time.perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{what:<28}{used:>8.1f} s of processor {passed:>8.1f} s in all {memory:>6} MB at most", flush=True)


def _seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _same(one: str, two: str) -> bool:
    found = filecmp.dircmp(one, two, ignore=[])
    if found.left_only or found.right_only:
        return False
    _, wrong, odd = filecmp.cmpfiles(one, two, found.common_files, shallow=False)
    return (
        not wrong and not odd and all(_same(f"{one}/{name}", f"{two}/{name}") for name in found.common_dirs)
    )


def main() -> None:
    """Print one line a step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--skills", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="honed-vault-") as base:
        first, second = os.path.join(base, "first"), os.path.join(base, "second")
        vaults = [os.path.join(base, name) for name in ("v1", "v2")]
        with_history(first, options.skills)
        print(heading(f"a vault of {options.skills} skills"))
        with Memory.open(first) as memory:
            _measured("out", lambda: memory.export(vaults[0]))
            _measured("out again, nothing new", lambda: memory.export(vaults[0]))
        with Memory.open(second) as memory:
            _measured("into an empty home", lambda: memory.take_in(vaults[0], cwd=base))
            _measured("in again, nothing new", lambda: memory.take_in(vaults[0], cwd=base))
            _measured("out of there", lambda: memory.export(vaults[1]))
        print("the same bytes" if _same(*vaults) else "NOT the same bytes")


if __name__ == "__main__":
    main()
