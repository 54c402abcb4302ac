"""What a tool call is told is a matter of what the skills are, never of the order of learning."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from honed.agents.wire import WIRES, Fired
from honed.hooks import matching
from honed.skills.model import FileRef, Pitfall
from honed.skills.signatures import signature
from honed.store import strongest
from honed.store.reading import Reader
from tests.recall.making import LATER, SHOP, SHOP_ID, Shelf, passed, titled

SKILLS = 3 * matching.LIMIT
COMMAND = "frob run --all"
OUTPUT = "Traceback (most recent call last):\nKeyError: 'gear'"


def shelf_of(home: Path, chance: random.Random) -> Shelf:
    """A memory of skills that all know one file, one command, one error and one of the client's skills."""
    error = signature(OUTPUT, None)
    assert error is not None
    texts = [
        titled(
            f"Mend the gearbox zq{n}x",
            files=(FileRef("src/gear/box.py"),),
            check=f"frob check-{n}",
            pitfalls=(Pitfall(error.text, f"Use `frob{n}`", COMMAND),),
            tags=("skill-release",),
            scope="global" if n % 7 == 3 else "project",
        )
        for n in range(SKILLS)
    ]
    shelf = Shelf(home)
    shelf.keep_shuffled([(f"t{n}", text) for n, text in enumerate(texts)], chance)
    proved = sorted(shelf.ids.values())[::5]
    for times in range(3):
        session = [passed(skill, f"p{times}", f"{LATER[:-3]}{times}0Z") for skill in proved[times::3]]
        chance.shuffle(session)
        shelf.note(*session)
    return shelf


def fired(tool: str, **given: str) -> Fired:
    """A call of a tool in the shop."""
    return Fired(WIRES["claude_code"], "pre-tool", {"cwd": SHOP.cwd, "tool_name": tool, "tool_input": given})


def told(reader: Reader) -> dict[str, list[tuple[str, list[str]]]]:
    """What each kind of look finds, in its order."""
    edit, run = fired("Edit", file_path=f"{SHOP.root}/src/gear/box.py"), fired("Bash", command=COMMAND)
    found = {
        "edit": matching.before_edit(reader, edit),
        "command": matching.before_command(reader, run),
        "failure": matching.after_failure(reader, run, OUTPUT),
        "skill": [(one, ()) for one in matching.of_skill(reader, fired("Skill", skill="release"))],
        "strongest": [(one, ()) for one in strongest.of_project(reader, SHOP_ID, 20)],
        "newest": [(one, ()) for one in strongest.newest(reader, SHOP_ID, "2026-01-01", 20)],
    }
    return {name: [(one.id, list(lines)) for one, lines in rows] for name, rows in found.items()}


@pytest.mark.parametrize("looked_up", [strongest.MOST_LOOKED_UP, 0])
def test_the_order_of_learning_changes_nothing_that_a_tool_call_is_told(
    looked_up: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strongest, "MOST_LOOKED_UP", looked_up)
    chance = random.Random(5)
    found = []
    for again in range(3):
        with shelf_of(tmp_path / f"home{again}", chance).reader() as reader:
            found.append(told(reader))
    assert {name: len(rows) for name, rows in found[0].items()} == {
        **dict.fromkeys(("edit", "command", "failure", "skill"), matching.LIMIT),
        "strongest": 20,
        "newest": 20,
    }
    assert found[0] == found[1] == found[2]


def test_of_many_skills_those_that_proved_themselves_are_told(tmp_path: Path) -> None:
    with shelf_of(tmp_path / "home", random.Random(2)).reader() as reader:
        every = {one.id: one.confirmed for one in reader.facts(range(1, SKILLS + 1)).values()}
        proved = {one for one, times in every.items() if times}
        assert 0 < len(proved) < matching.LIMIT
        for name, rows in told(reader).items():
            if name in ("edit", "command", "failure", "skill"):
                assert {one for one, _ in rows} >= proved


def test_what_very_many_skills_name_says_nothing_of_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strongest, "MOST_NAMING", SKILLS // 2)
    with shelf_of(tmp_path / "home", random.Random(2)).reader() as reader:
        rows = reader.exact(reader.scopes(SHOP_ID), ("path",), "src/gear/box.py", 4)
        assert [facts.project for facts in reader.facts(rows).values()] == [""] * 4
