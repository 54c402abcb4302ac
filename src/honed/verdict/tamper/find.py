"""The detectors in their order, and what the user allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from types import MappingProxyType

from honed.sessions.model import Request, Step
from honed.verdict.model import Tampering
from honed.verdict.tamper.asked import asked_for, forbids_test_changes
from honed.verdict.tamper.by_command import commented_lines, older_tests
from honed.verdict.tamper.gates import weakened_gates
from honed.verdict.tamper.lost_tests import disabled_tests, lost_files, lost_tests
from honed.verdict.tamper.made_up import mocked_results
from honed.verdict.tamper.scene import Scene, scene_of
from honed.verdict.tamper.snapshots import renews, rewritten_snapshots
from honed.verdict.tamper.standing import Writes
from honed.verdict.tamper.switched_off import skipped_tests, swallowed_failures
from honed.verdict.tamper.weaker_assertions import (
    lowered_bounds,
    rewritten_expectations,
    weakened_assertions,
)
from honed.verdict.test_files import watched

FOUND_LIMIT = 20

DETECTORS: tuple[Callable[[Scene], Iterator[Tampering]], ...] = (
    lost_files,
    older_tests,
    commented_lines,
    lost_tests,
    disabled_tests,
    skipped_tests,
    weakened_assertions,
    rewritten_expectations,
    lowered_bounds,
    mocked_results,
    swallowed_failures,
    weakened_gates,
    rewritten_snapshots,
)


def find_tampering(
    steps: Iterable[Step],
    requests: Iterable[Request],
    *,
    root: str | None = None,
    writes: Writes = MappingProxyType({}),
) -> tuple[Tampering, ...]:
    """What stands of weakened tests at the end of a task, one finding for each place and kind.

    ``steps`` are the task's in the order in which they ended, ``requests`` what the user asked for,
    ``root`` the folder in which the session began, ``writes`` what is known of what the steps wrote.
    Pure; at most ``FOUND_LIMIT`` findings.
    """
    kept = tuple(steps)
    if not _worth_a_look(kept, writes):
        return ()
    scene = scene_of(kept, tuple(requests), root, writes)
    found: dict[tuple[str, str, str], Tampering] = {}
    for detector in DETECTORS:
        for tampering in detector(scene):
            if not _allowed(scene, tampering):
                found.setdefault((tampering.kind, tampering.path, tampering.diff), tampering)
    return tuple(found.values())[:FOUND_LIMIT]


def _allowed(scene: Scene, tampering: Tampering) -> bool:
    if tampering.kind == "expectation_rewritten" and forbids_test_changes(scene.requests):
        return False
    named = tampering.detail.partition(":")[2]
    return asked_for(scene.requests, tampering.kind, tampering.path, (named,))


_TOUCHES = re.compile(
    r"(?i)test|spec|e2e|\.cy\.|bats|snap|insta|conftest|makefile|package\.json|\.ya?ml|\.toml|\.ini|\.cfg|golden|update|jest"
    r"|\.sh\b|-u\b"
)


def _worth_a_look(steps: tuple[Step, ...], writes: Writes) -> bool:
    """Whether any step can have touched what the tests are worth; many tasks are done with after this."""
    for step in steps:
        if any(watched(change.path.replace("\\", "/")) for change in step.changes):
            return True
        command = step.command if step.kind == "shell" else None
        if command and (writes.get(step.id) != () or renews(command)) and _TOUCHES.search(command):
            return True
    return False
