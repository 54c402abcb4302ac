"""Were the tests left intact?  What was done in a task to make them demand less.

A finding stands only if it stands at the end of the task and the user did not ask for just that.  Assertions and
tests are counted over the whole task, so what was moved, renamed or retold is none.  What no diff can show (a
value expected because it is what the code happens to return) is claimed only where the task itself shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from honed.sessions.model import Request, Step
from honed.verdict.asked import asked_for, forbids_test_changes
from honed.verdict.model import Tampering
from honed.verdict.tamper_gates import rewritten_snapshots, weakened_gates
from honed.verdict.tamper_scene import Scene, scene_of
from honed.verdict.tamper_tests import (
    lost_files,
    lost_tests,
    mocked_results,
    rewritten_expectations,
    skipped_tests,
    swallowed_failures,
    weakened_assertions,
)
from honed.verdict.test_files import watched

FOUND_LIMIT = 20

DETECTORS: tuple[Callable[[Scene], Iterator[Tampering]], ...] = (
    lost_files,
    lost_tests,
    skipped_tests,
    weakened_assertions,
    rewritten_expectations,
    mocked_results,
    swallowed_failures,
    weakened_gates,
    rewritten_snapshots,
)


def find_tampering(
    steps: Iterable[Step], requests: Iterable[Request], *, root: str | None = None
) -> tuple[Tampering, ...]:
    """What stands of weakened tests at the end of a task, one finding for each place and kind.

    ``steps`` are the task's in the order in which they ended, ``requests`` what the user asked for,
    ``root`` the folder in which the session began.  Pure; at most ``FOUND_LIMIT`` findings.
    """
    kept = tuple(steps)
    if not _worth_a_look(kept):
        return ()
    scene = scene_of(kept, tuple(requests), root)
    found: dict[tuple[str, str, str], Tampering] = {}
    for detector in DETECTORS:
        for tampering in detector(scene):
            if not _allowed(scene, tampering):
                found.setdefault((tampering.kind, tampering.path, tampering.diff), tampering)
    return tuple(found.values())[:FOUND_LIMIT]


def _allowed(scene: Scene, tampering: Tampering) -> bool:
    if tampering.kind == "expectation_rewritten" and forbids_test_changes(scene.requests):
        return False
    return asked_for(scene.requests, tampering.kind, tampering.path, (tampering.detail,))


_SHELL_TOUCHES = re.compile(
    r"(?i)test|spec|snap|insta|conftest|makefile|package\.json|\.ya?ml|\.toml|\.ini|\.cfg|golden|update|jest|\.sh\b|-u\b"
)


def _worth_a_look(steps: tuple[Step, ...]) -> bool:
    """Whether any step can have touched what the tests are worth; most tasks are done with after this."""
    for step in steps:
        if any(watched(change.path.replace("\\", "/")) for change in step.changes):
            return True
        if step.kind == "shell" and step.command and _SHELL_TOUCHES.search(step.command):
            return True
    return False
