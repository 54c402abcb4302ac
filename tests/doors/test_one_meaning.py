"""Kind, tags, visibility, time to live, links: one thing, through whatever door a text comes or goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from honed import asking
from honed.memory import Memory
from tests.doors.conftest import Honed
from tests.doors.telling import a_shop
from tests.mcp.speaking import Talk

BODY = "See [[round-totals]] and [[no such note|the other]]; tags are no #tags here.\n"
TITLE = "Wobbling prices are rounded late"
Keep = Callable[["Doors", str, str], None]


class Doors:
    """The three doors of one home."""

    def __init__(self, honed: Honed, home: Path, shop: Path, tmp_path: Path) -> None:
        self.honed = honed
        self.home = home
        self.shop = shop
        self.notes = tmp_path / "notes"
        self.vault = tmp_path / "vault"

    def front(self, slug: str) -> list[str]:
        """The lines of a skill's file in an export."""
        assert self.honed("export", str(self.vault)).code == 0
        return next(self.vault.rglob(f"{slug}.md")).read_text(encoding="utf-8").splitlines()


@pytest.fixture
def doors(honed: Honed, home: Path, shop: Path, tmp_path: Path) -> Doors:
    return Doors(honed, home, shop, tmp_path)


def by_command(doors: Doors, kind: str, scope: str) -> None:
    words = (
        "--kind",
        kind,
        "--title",
        TITLE,
        "--body",
        BODY,
        "--tags",
        "money, Rounding up",
        "--scope",
        scope,
    )
    assert doors.honed("write", "late", *words).code == 0


def by_agent(doors: Doors, kind: str, scope: str) -> None:
    # An agent's text belongs to its project; what it writes in no project holds everywhere.
    folder = doors.shop if scope == "project" else doors.shop.parent / "nobody"
    folder.mkdir(exist_ok=True)
    Talk(doors.home, folder).calls(
        "memory_write", slug="late", title=TITLE, body=BODY, kind=kind, tags=["money", "Rounding up"]
    )


def by_file(doors: Doors, kind: str, scope: str) -> None:
    doors.notes.mkdir()
    front = f"title: {TITLE}\nkind: {kind}\nscope: {scope}\ntags: [money, Rounding up]\ntopics: [a, b]\n"
    (doors.notes / "late.md").write_text(f"---\n{front}---\n\n{BODY}", encoding="utf-8")
    assert doors.honed("import", str(doors.notes)).code == 0


WAYS_IN: list[Keep] = [by_command, by_agent, by_file]


@pytest.mark.parametrize("keep", WAYS_IN, ids=lambda keep: keep.__name__)
@pytest.mark.parametrize("kind", ["rule", "lesson", "recipe", "procedure", "recap"])
def test_kind_tags_and_links_are_what_they_were(kind: str, keep: Keep, doors: Doors) -> None:
    keep(doors, kind, "project")
    shown = doors.honed("show", "late", "--json").json
    assert (shown["kind"], shown["tags"], shown["scope"]) == (kind, ["money", "Rounding up"], "project")
    assert shown["body"].strip() == BODY.strip()
    assert [row["slug"] for row in doors.honed("list", "--kind", kind, "--json").json] == ["late"]
    agent = Talk(doors.home, doors.shop)
    got = agent.calls("memory_get", slug="late")
    assert got["kind"] == kind
    assert "round-totals" in got["text"]
    assert agent.calls("memory_list", kind=kind)["found"] == 1
    lines = doors.front("late")
    assert f"kind: {kind}" in lines
    assert lines[lines.index("tags:") + 1 : lines.index("tags:") + 3] == ["- money", "- Rounding up"]
    assert BODY.strip() in lines


@pytest.mark.parametrize("keep", WAYS_IN, ids=lambda keep: keep.__name__)
def test_a_tag_is_a_word_that_finds(keep: Keep, doors: Doors) -> None:
    keep(doors, "lesson", "project")
    assert [hit["slug"] for hit in doors.honed("search", "money", "--json").json["hits"]] == ["late"]
    assert Talk(doors.home, doors.shop).calls("memory_search", query="money")["found"] == 1


@pytest.mark.parametrize("keep", WAYS_IN, ids=lambda keep: keep.__name__)
def test_a_recap_is_found_only_by_who_asks_for_recaps(keep: Keep, doors: Doors) -> None:
    keep(doors, "recap", "project")
    agent = Talk(doors.home, doors.shop)
    assert doors.honed("search", TITLE, "--json").json["hits"] == []
    assert doors.honed("recall", TITLE, "--json").json["hits"] == []
    assert len(doors.honed("search", TITLE, "--recaps", "--json").json["hits"]) == 1
    assert agent.calls("memory_search", query=TITLE)["found"] == 0
    assert agent.calls("memory_search", query=TITLE, recaps=True)["found"] == 1


@pytest.mark.parametrize("keep", WAYS_IN, ids=lambda keep: keep.__name__)
@pytest.mark.parametrize(("scope", "seen"), [("project", 0), ("global", 1)])
def test_what_holds_everywhere_is_seen_everywhere_and_nothing_else_is(
    scope: str, seen: int, keep: Keep, doors: Doors, tmp_path: Path
) -> None:
    keep(doors, "lesson", scope)
    other = a_shop(tmp_path, "other")
    assert len(doors.honed("search", TITLE, "--json", cwd=other).json["hits"]) == seen
    assert len(doors.honed("list", "--json", cwd=other).json) == seen
    assert (doors.honed("show", "late", cwd=other).code == 0) == bool(seen)
    agent = Talk(doors.home, other)
    assert agent.calls("memory_search", query=TITLE)["found"] == seen
    assert agent.calls("memory_list")["found"] == seen
    assert ("scope: global" in doors.front("late")) == bool(seen)


def kept_for_days(doors: Doors, way: str) -> None:
    if way == "command":
        words = ("--kind", "lesson", "--title", TITLE, "--body", BODY, "--ttl", "30")
        assert doors.honed("write", "late", *words).code == 0
        return
    doors.notes.mkdir()
    front = f"title: {TITLE}\nkind: lesson\nttl_days: 30\n"
    (doors.notes / "late.md").write_text(f"---\n{front}---\n\n{BODY}", encoding="utf-8")
    assert doors.honed("import", str(doors.notes)).code == 0


@pytest.mark.parametrize("way", ["command", "file"])
def test_a_time_to_live_ends_what_is_given(way: str, doors: Doors) -> None:
    kept_for_days(doors, way)
    shown = doors.honed("show", "late", "--json").json
    assert shown["ttl_days"] == 30
    assert "ttl_days: 30" in doors.front("late")
    with Memory.open(str(doors.home)) as memory:
        fades = memory.find("late", str(doors.shop)).fades_at
    assert shown["fades_at"] == fades
    home, folder = str(doors.home), str(doors.shop)
    assert asking.recall(home, TITLE, cwd=folder).hits
    late = asking.recall(home, TITLE, cwd=folder, now="2199-01-01T00:00:00.000Z")
    assert late.hits == ()


@pytest.mark.parametrize("days", ["0", "-3", "soon", "1.5"])
def test_a_time_to_live_that_is_none_is_a_wrong_call(days: str, honed: Honed) -> None:
    answer = honed("write", "late", "--kind", "rule", "--title", "T", "--body", "x", "--ttl", days)
    assert (answer.code, "whole number of days from 1" in answer.err) == (2, True)


def test_what_honed_has_no_word_for_is_kept_as_it_stands(doors: Doors) -> None:
    by_file(doors, "lesson", "project")
    assert "topics: [a, b]" in doors.front("late")
