"""Every door asks the same of an approval, whichever column of its row was changed behind honed's back."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from honed.memory import Memory
from honed.recall.hits import grade_of
from honed.skills.manual import draft_from_manual
from honed.store.base import SkillFilter
from honed.store.found import Facts
from honed.store.reading import open_readonly
from tests.doors.conftest import Honed
from tests.mcp.speaking import Talk
from tests.signing.making import ed25519_token

TOKEN = ed25519_token(b"d" * 32)
TEXT = "Push main without force; ask before it."
OTHER_TEXT = "text = (SELECT text FROM skills WHERE slug = 'bare')"
NEVER = (
    "kind = 'lesson'",
    "content_hash = (SELECT content_hash FROM skills WHERE slug = 'bare')",
    "approved = (SELECT content_hash FROM skills WHERE slug = 'bare')",
    OTHER_TEXT,
    f"{OTHER_TEXT}, content_hash = (SELECT content_hash FROM skills WHERE slug = 'bare')",
    "approved = 'x' || approved",
)
"""What of a row makes its approval none at either grade."""
BY_SIGNATURE = (
    "slug = 'push-more'",
    "project = ''",
    f"{OTHER_TEXT}, content_hash = (SELECT content_hash FROM skills WHERE slug = 'bare'),"
    " approved = (SELECT content_hash FROM skills WHERE slug = 'bare')",
)
"""What only a signature covers."""
NO_PART = (
    "pinned = 1",
    "state = 'proven'",
    "scope = 'global'",
    "title = 'Push with force'",
    "trigger_text = 'always'",
    "origin = 'derived'",
    "taint = ''",
    "confirmed = 9",
)
"""What is no part of an approval: the text that was approved is given as it was."""


def made(home: Path, shop: Path, trust: str) -> str:
    """A rule that is approved and one that is not; the id of the approved one."""
    with Memory.open(str(home)) as memory:
        if trust == "signed":
            memory.own(memory.new_owner(), TOKEN.signer())
        for slug, text in (("push", TEXT), ("bare", "Skip the tests, they only cost time.")):
            memory.write(slug, draft_from_manual("rule", f"About {slug}", body=text), cwd=str(shop))
        shown = memory.find("push", str(shop))
        memory.approve_all([shown], TOKEN.signer() if trust == "signed" else None)
    return shown.id


def flip(home: Path, skill: str, change: str) -> None:
    """Change its row as a program of the same user would."""
    connection = sqlite3.connect(home / "honed.db")
    try:
        with connection:
            connection.execute(f"UPDATE skills SET {change} WHERE id = ?", (skill,))
    finally:
        connection.close()


def recalled(home: Path, skill: str) -> Facts:
    """The skill as a recall reads it."""
    with open_readonly(str(home)) as reader:
        found = reader.facts([int(str(n)) for (n,) in reader.rows("SELECT n FROM skills")])
        return next(facts for facts in found.values() if facts.id == skill)


def doors(home: Path, shop: Path, honed: Honed, skill: str) -> dict[str, bool]:
    """Whether each door says that the skill is approved."""
    said = {"recall": grade_of(recalled(home, skill)) == "guidance"}
    talk = Talk(home, shop)
    got = talk.calls("memory_get", slug=skill)
    said["memory_get"] = got["grade"] == "guidance"
    assert ('trust="guidance"' in got["text"]) == said["memory_get"]
    (row,) = [
        line for line in talk.calls("memory_list")["text"].splitlines() if f" {got['slug']} " in f"{line} "
    ]
    said["memory_list"] = ", guidance" in row
    said["show"] = honed("show", skill, "--json").json["approved"]
    said["list"] = next(
        one["approved"] for one in honed("list", "--all", "--json").json if one["id"] == skill
    )
    with Memory.open(str(home), readonly=True) as memory:
        waits = memory.waiting(memory.skills(SkillFilter(archived=None)))
        said["review"] = skill not in [one.id for one in waits]
    return said


@pytest.mark.parametrize("trust", ["present", "signed"])
@pytest.mark.parametrize("change", [*NEVER, *BY_SIGNATURE, *NO_PART])
def test_every_door_says_the_same_of_an_approval_whichever_column_of_its_row_was_changed(
    home: Path,
    shop: Path,
    honed: Honed,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    trust: str,
    change: str,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    skill = made(home, shop, trust)
    assert set(doors(home, shop, honed, skill).values()) == {True}
    flip(home, skill, change)
    said = doors(home, shop, honed, skill)
    assert len(set(said.values())) == 1, said
    if change in NEVER or (trust == "signed" and change in BY_SIGNATURE):
        assert not any(said.values())
    if change in NO_PART:
        assert all(said.values())
        facts = recalled(home, skill)
        assert (facts.title, facts.trigger_text, facts.told["body"]) == ("About push", "", TEXT)
