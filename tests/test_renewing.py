"""A check that went by a name which is gone, and a later session that shows what took its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from honed.memory import Memory
from honed.renewing import RENEWED
from honed.skills.model import Skill
from honed.transcripts import in_order
from tests.doors.telling import a_shop, claude, write
from tests.doors.test_settings import ROWS

LATER = "7c0e1c1e-0002-4d0e-8a11-000000000002"
GREEN = "Tests:       12 passed, 12 total"
PATH = "shop/total.js"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(str(tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    shop = a_shop(tmp_path)
    scripts(shop, "test")
    return shop


def scripts(shop: Path, *names: str) -> None:
    told = ", ".join(f'"{name}": "jest"' for name in names)
    (shop / "package.json").write_text(f'{{"scripts": {{{told}}}}}', encoding="utf-8")


def absorbed(memory: Memory, path: Path) -> None:
    for _, done in memory.absorb(in_order([path])):
        assert not done.skipped


def first(memory: Memory, shop: Path, tmp_path: Path) -> Skill:
    """The skill of the first session, which ran ``npm test``."""
    told = claude(shop)
    told.asks("Round the totals of the order half up")
    told.edits(PATH, "return x", "return Math.round(x)")
    told.runs("npm test", GREEN)
    absorbed(memory, write(tmp_path / "t" / "a.jsonl", told))
    (skill,) = [one for one in memory.every_skill() if one.draft.kind == "procedure"]
    assert skill.draft.check == "npm test"
    return skill


def later(
    memory: Memory, shop: Path, tmp_path: Path, command: str, path: str = PATH, text: str = GREEN
) -> None:
    """Another session, which changed ``path`` and ran ``command``."""
    told = claude(shop, LATER, "2026-05-09")
    told.asks("Show the currency of the total behind it, not before it")
    told.edits(path, "return Math.round(x)", "return `${Math.round(x)} EUR`")
    told.runs(command, text)
    absorbed(memory, write(tmp_path / "t" / "b.jsonl", told))


def later_again(shop: Path, tmp_path: Path) -> Path:
    """One more session of the same kind."""
    told = claude(shop, "7c0e1c1e-0003-4d0e-8a11-000000000003", "2026-05-11")
    told.asks("Show the total in cents where it is below one")
    told.edits(PATH, "return `${Math.round(x)} EUR`", "return cents(x)")
    told.runs("npm run check", GREEN)
    return write(tmp_path / "t" / "c.jsonl", told)


def now(memory: Memory, skill: Skill) -> Skill:
    return memory.show(skill.id, ".").skill


def test_the_skill_gets_a_version_with_the_new_check_and_the_old_one_stays_in_its_history(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    skill = first(memory, shop, tmp_path)
    scripts(shop, "check")
    later(memory, shop, tmp_path, "npm run check")
    renewed = now(memory, skill)
    assert renewed.draft.check == "npm run check"
    assert (renewed.draft.title, renewed.draft.steps) == (skill.draft.title, skill.draft.steps)
    shown = memory.show(skill.id, ".")
    checks = [version.draft.check for version in shown.versions if version.draft]
    assert checks == ["npm test", "npm run check"]
    assert any((one.body or {}).get("reason") == RENEWED for one in shown.history)


def test_beside_an_approved_text_the_new_version_waits_for_the_owner(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    skill = first(memory, shop, tmp_path)
    memory.approve(skill)
    assert now(memory, skill).approved_hash == skill.content_hash
    scripts(shop, "check")
    later(memory, shop, tmp_path, "npm run check")
    kept = now(memory, skill)
    assert (kept.draft.check, kept.approved_hash, kept.waiting) == ("npm test", kept.content_hash, 1)
    absorbed(memory, later_again(shop, tmp_path))
    assert [one.draft.check for one in memory.candidates(now(memory, skill))] == ["npm run check"]
    memory.approve(memory.candidates(now(memory, skill))[0])
    taken = now(memory, skill)
    assert (taken.draft.check, taken.approved_hash) == ("npm run check", taken.content_hash)


def test_reading_the_first_session_again_changes_nothing_of_it(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    skill = first(memory, shop, tmp_path)
    scripts(shop, "check")
    later(memory, shop, tmp_path, "npm run check")
    memory.configure("runners", ROWS)
    absorbed(memory, tmp_path / "t" / "a.jsonl")
    assert now(memory, skill).draft.check == "npm run check"
    assert len(memory.show(skill.id, ".").versions) == 2


@pytest.mark.parametrize(
    ("names", "command", "path", "text"),
    [
        (("test", "check"), "npm run check", PATH, GREEN),
        (("check",), "npm run check", "shop/other.js", GREEN),
        (("check",), "npm run check", PATH, "Tests:       1 failed, 11 passed, 12 total"),
        (("lint",), "npm run check", PATH, GREEN),
    ],
    ids=["the old check is there", "another file", "it failed", "the new check is gone too"],
)
def test_without_a_reason_the_check_stays(
    memory: Memory, shop: Path, tmp_path: Path, names: tuple[str, ...], command: str, path: str, text: str
) -> None:
    skill = first(memory, shop, tmp_path)
    scripts(shop, *names)
    later(memory, shop, tmp_path, command, path, text)
    assert now(memory, skill).draft.check == "npm test"
