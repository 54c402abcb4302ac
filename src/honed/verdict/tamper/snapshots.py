"""Recorded output that was renewed although no code changed, or although nothing was to change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from honed.verdict.changes import shell_writes
from honed.verdict.model import Tampering
from honed.verdict.tamper import gate_rules as rules
from honed.verdict.tamper.asked import keeps_behaviour
from honed.verdict.tamper.scene import Scene, tampering
from honed.verdict.tamper.standing import FileStory
from honed.verdict.test_files import role_of


def rewritten_snapshots(scene: Scene) -> Iterator[Tampering]:
    """Snapshots, golden files and their like, changed by hand or by a command."""
    recorded = any(role_of(story.path) == "snapshot" for story in scene.stories)
    if not recorded and not any(step.kind == "shell" and renews(step.command or "") for step in scene.steps):
        return
    if scene.source_changed and not keeps_behaviour(scene.requests):
        return
    why = "although nothing was to change" if scene.source_changed else "although no code changed"
    for story in scene.stories:
        if role_of(story.path) == "snapshot" and story.fate != "created":
            unseen = story.unseen and scene.failed_before(story.line)
            deleted = story.fate == "deleted" and not _test_went_too(scene, story)
            if deleted or unseen or (story.fate == "changed" and any(s.old for s in story.stretches)):
                yield tampering(
                    "snapshot_rewritten", story, f"recorded output was changed, {why}", *story.stretches[:1]
                )
                return
    yield from _renewed_by_command(scene, why)


def _test_went_too(scene: Scene, story: FileStory) -> bool:
    """Whether the test whose record was deleted is gone, or compares with it no more."""
    name = story.path.rpartition("/")[2]
    if any(
        other.fate == "deleted" and name.startswith(other.path.rpartition("/")[2])
        for other in scene.stories
        if other is not story
    ):
        return True
    return any("snapshot" in assertion.name for piece in scene.pieces for assertion in scene.lost(piece))


def _renewed_by_command(scene: Scene, why: str) -> Iterator[Tampering]:
    restored = _last_restore(scene)
    for step in scene.steps:
        if step.kind != "shell" or step.line < restored or step.status in ("rejected", "never_ran"):
            continue
        command = step.command or ""
        if not rules.SNAPSHOTS_RENEWED.search(command):
            continue
        updated = rules.SNAPSHOTS_UPDATED.search(step.output)
        if not updated and (rules.SNAPSHOT_SUMMARY.search(step.output) or not scene.failed_before(step.line)):
            continue
        detail = f"recorded output was renewed by `{command.strip()[:100]}`, {why}"
        yield Tampering("snapshot_rewritten", "", detail, "", step.id, step.line)
        return


@lru_cache(maxsize=512)
def renews(command: str) -> bool:
    """Whether a command writes what the tests compare with anew (``jest -u``)."""
    return (
        any(mark in command for mark in rules.RENEWAL_MARKS)
        and rules.SNAPSHOTS_RENEWED.search(command) is not None
    )


def _last_restore(scene: Scene) -> int:
    """The line at which git last took changes back that can have held recorded output."""
    last = 0
    for step in scene.steps:
        if step.kind == "shell" and step.command and "git" in step.command:
            for write in shell_writes(step.command, cwd=step.cwd):
                if write.how != "git_restore" or write.text == "stash pop":
                    continue
                if write.path is None or role_of(write.path) in ("snapshot", "source", "support"):
                    last = step.line
    return last
