"""An error that two sessions met and ended alike is recalled by the error itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from honed import transcripts
from honed.demo.scribe import ClaudeScribe
from honed.memory import Memory
from honed.skills.model import Skill
from honed.store.base import SkillFilter
from honed.store.sqlite import SqliteStore
from tests.doors.telling import a_shop

ERROR = "ValueError: schema cache is stale: run the generator"
RED = (
    f'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    run()\n{ERROR}\n'
    "FAILED tests/test_a.py::test_a\n1 failed in 0.4s"
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return a_shop(tmp_path)


def session(home: Path, shop: Path, name: str, day: int, file: str = "shop/schema.py") -> None:
    """A session that met the error and got rid of it by a change of ``file``."""
    told = ClaudeScribe(name, str(shop), f"2026-05-{day:02d}")
    told.asks(f"Add the column {name} to the order, please.")
    told.edits(f"shop/order_{name}.py", "", f"def {name}() -> int:\n    return {day}\n")
    told.runs("uv run pytest -q", RED, 1)
    told.edits(file, f"VERSION = {day}", f"VERSION = {day + 1}")
    told.runs("uv run pytest -q", "3 passed in 0.4s")
    path = home.parent / "told" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text(told.text(), encoding="utf-8")
    with Memory.open(str(home)) as memory:
        for _ in memory.absorb(transcripts.in_order([path])):
            pass


def recipes(home: Path) -> list[Skill]:
    with Memory.open(str(home), readonly=True) as memory:
        return list(memory.skills(SkillFilter(kinds=("recipe",))))


def test_the_second_session_makes_it_a_recipe_and_the_third_confirms_it(tmp_path: Path, shop: Path) -> None:
    home = tmp_path / "home"
    session(home, shop, "tax", 1)
    assert recipes(home) == []
    session(home, shop, "size", 2)
    (recipe,) = recipes(home)
    assert recipe.draft.steps == ("Change `shop/schema.py`",)
    assert recipe.draft.pitfalls[0].signature == ERROR
    session(home, shop, "hue", 3)
    (recipe,) = recipes(home)
    assert recipe.confirmed == 1
    session(home, shop, "hue", 3)
    assert [one.confirmed for one in recipes(home)] == [1]
    with Memory.open(str(home), readonly=True) as memory:
        found = memory.recall(ERROR, cwd=str(shop))
    assert found.note is not None
    assert "Change `shop/schema.py`" in found.note


def test_one_session_that_meets_it_twice_and_two_that_end_it_otherwise_are_none(
    tmp_path: Path, shop: Path
) -> None:
    home = tmp_path / "home"
    for _ in range(2):
        session(home, shop, "tax", 1)
    session(home, shop, "size", 2, file="shop/cache.py")
    assert recipes(home) == []


def test_what_was_seen_goes_with_what_is_scrubbed_or_purged(tmp_path: Path, shop: Path) -> None:
    home = tmp_path / "home"
    session(home, shop, "tax", 1)
    session(home, shop, "size", 2, file="shop/cache.py")
    with Memory.open(str(home), readonly=True) as memory:
        taught = next(one for one in memory.skills(SkillFilter()) if "tax" in one.draft.title)
    with SqliteStore.open(str(home)) as store:
        store.backup()
        project = taught.project
        assert len(store.seen_before(project, [ERROR], "")[ERROR]) == 2
        store.erase(taught.id)
        assert [name for name, _ in store.seen_before(project, [ERROR], "")[ERROR]] == ["size"]
        store.scrub(re.compile("schema cache"))
        assert store.seen_before(project, [ERROR], "") == {ERROR: []}
        assert store.verify(strict=True) == ()
    assert not [path for path in home.rglob("*") if path.is_file() and b"schema cache" in path.read_bytes()]
