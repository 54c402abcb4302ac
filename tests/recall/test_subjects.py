"""What somebody wrote by hand is found by what it is about, also as the only text there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from honed.memory import Memory
from honed.recall.recall import recall
from honed.skills.manual import draft_from_manual
from honed.store.reading import open_readonly


@pytest.fixture
def home(tmp_path: Path) -> str:
    home = str(tmp_path / "home")
    texts = {
        "bump-version": draft_from_manual(
            "procedure",
            "Bump the version",
            trigger="release, bump the version",
            steps=["Edit pyproject.toml"],
            scope="global",
        ),
        "how-we-deploy": draft_from_manual(
            "rule",
            "How we deploy",
            body="With `make ship` from main only, never from a branch.",
            scope="global",
        ),
    }
    with Memory.open(home) as memory:
        for slug, draft in texts.items():
            assert memory.write(slug, draft, cwd=str(tmp_path)).status == "written"
    return home


def told(home: str, text: str) -> list[str]:
    with open_readonly(home) as reader:
        return [hit.slug for hit in recall(reader, text, None).hits]


@pytest.mark.parametrize(
    "text", ["release", "Release!", "bump the version", "please bump version", "a release"]
)
def test_each_occasion_of_a_trigger_is_enough_by_itself(home: str, text: str) -> None:
    assert told(home, text) == ["bump-version"]


@pytest.mark.parametrize("text", ["how do we deploy?", "deploy the app", "Deploy", "deploy it now"])
def test_a_rule_is_found_by_its_topic_in_other_words(home: str, text: str) -> None:
    assert told(home, text) == ["how-we-deploy"]


@pytest.mark.parametrize(
    "text",
    [
        "release notes for 2.3 look odd",
        "fix the tests",
        "why is the login slow",
        "update the docs",
        "go on",
        "branch",
    ],
)
def test_a_word_in_common_is_not_a_topic_in_common(home: str, text: str) -> None:
    assert told(home, text) == []
