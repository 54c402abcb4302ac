"""``show --history``, ``restore``, ``undo``, ``duplicates``, ``index``: there is a way back."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from honed.ledger import events
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from tests.doors.conftest import Honed
from tests.doors.telling import a_shop

FIRST = ("--kind", "rule", "--title", "Round cart totals half up", "--body", "Use Decimal.\nNever floats.")
TWIN = ("--kind", "rule", "--title", "Round all cart totals half up", "--body", "Use Decimal.\nNever floats.")
ENTROPY = iter(bytes([number]) * 16 for number in range(256))


def revised(home: Path, slug: str, shop: Path, title: str) -> None:
    """Another text for a skill, as the owner's."""
    with Memory.open(str(home)) as memory:
        skill = memory.find(slug, str(shop))
        draft = draft_from_manual("rule", title, body="Use Decimal.\nAlways.")
        memory._store.append([events.revised(skill.id, draft, next(ENTROPY), reason="wider")])


def test_history_tells_every_text_in_full_and_what_changed(honed: Honed, home: Path, shop: Path) -> None:
    honed("write", "round", *FIRST)
    revised(home, "round", shop, "Round every total")
    told = honed("show", "round", "--history")
    for line in (
        "title: Round cart totals half up",
        "title: Round every total",
        "    -title: Round cart totals half up",
        "    +title: Round every total",
        "    --- version 1",
        "    reason: wider",
        "learned, version 1 (earlier)  by owner",
        "revised, version 2 (in use)  by owner",
    ):
        assert line in told.out, line
    versions = honed("show", "round", "--history", "--json").json["versions"]
    assert [version["number"] for version in versions] == [1, 2]
    assert "Never floats." in versions[0]["text"]
    assert "-  Never floats.\n+  Always." in versions[1]["diff"]
    assert "versions" not in honed("show", "round", "--json").json


def test_an_older_text_is_restored_as_a_new_version(honed: Honed, home: Path, shop: Path) -> None:
    honed("write", "round", *FIRST)
    revised(home, "round", shop, "Round every total")
    done = honed("restore", "round", "1", "--json").json
    assert (done["version"], done["changed"]) == (3, True)
    assert honed("show", "round", "--json").json["title"] == "Round cart totals half up"
    assert honed("search", "cart totals", "--json").json["hits"]
    again = honed("restore", "round", "3", "--json").json
    assert (again["version"], again["changed"]) == (3, False)
    assert honed("restore", "round", "9").code == 4
    assert honed("restore", "round", "0").code == 2
    assert honed("restore", "nobody", "1").code == 4
    assert honed("verify", "--strict").code == 0


def test_restoring_what_is_in_use_says_so_and_writes_nothing(honed: Honed) -> None:
    honed("write", "round", *FIRST)
    events_before = honed("stats", "--json").json["events"]
    answer = honed("restore", "round")
    assert (answer.code, "in use already" in answer.out) == (0, True)
    for words in (
        ("unpin", "round"),
        ("pin", "round"),
        ("pin", "round"),
        ("archive", "round"),
        ("archive", "round"),
    ):
        assert honed(*words).code == 0
    assert honed("stats", "--json").json["events"] == events_before + 2
    assert "in use again" in honed("restore", "round").out


def test_a_scrubbed_text_is_restored_by_no_version(honed: Honed, home: Path, shop: Path) -> None:
    honed("write", "round", *FIRST)
    honed("scrub", "floats", "--yes")
    revised(home, "round", shop, "Round every total")
    assert honed("restore", "round", "1").code == 0
    assert "floats" not in honed("show", "round", "--history").out


def test_the_last_change_is_taken_back_and_that_too(honed: Honed, home: Path, shop: Path) -> None:
    honed("write", "round", *FIRST)
    honed("pin", "round")
    undone = honed("undo", "round", "--json").json
    assert (undone["pinned"], undone["undone"]["kind"]) == (False, "pinned")
    assert honed("undo", "round", "--json").json["pinned"] is True
    revised(home, "round", shop, "Round every total")
    assert honed("undo", "round").code == 0
    assert honed("show", "round", "--json").json["title"] == "Round cart totals half up"
    honed("archive", "round")
    assert honed("undo", "round", "--json").json["state"] == "candidate"


def test_where_there_is_no_way_back_it_is_refused(honed: Honed) -> None:
    honed("write", "round", *FIRST)
    refused = honed("undo", "round", "--json")
    assert (refused.code, "nothing was changed since" in refused.json["error"]) == (3, True)
    honed("forget", "round")
    assert honed("undo", "round").code == 4


def test_near_duplicates_are_named_and_none_is_dropped(honed: Honed, tmp_path: Path) -> None:
    honed("write", "round", *FIRST)
    honed("write", "round-all", *TWIN, "--force")
    other = a_shop(tmp_path, "other")
    honed("write", "elsewhere", *TWIN, "--force", cwd=other)
    (pair,) = honed("duplicates", "list", "--json").json
    assert {skill["slug"] for skill in pair["skills"]} == {"round", "round-all"}
    assert pair["score"] >= 0.8
    assert len(honed("duplicates", "list", "--all", "--json").json) == 1
    assert "no two say nearly the same" in honed("duplicates", "list", cwd=other).out
    assert len(honed("list", "--json").json) == 2


def test_one_is_made_of_two_and_that_can_be_taken_back(honed: Honed) -> None:
    honed("write", "round", *FIRST, "--trigger", "the sum is off")
    honed("write", "round-all", *TWIN, "--force", "--trigger", "a wobbling price")
    done = honed("duplicates", "merge", "round", "round-all", "--json").json
    assert done["aliases"] == ["Round all cart totals half up", "a wobbling price"]
    assert [row["slug"] for row in honed("list", "--json").json] == ["round"]
    assert honed("duplicates", "list", "--json").json == []
    assert [hit["slug"] for hit in honed("search", "wobbling price", "--json").json["hits"]] == ["round"]
    assert "merged into round" in honed("show", "round-all", "--history").out
    assert honed("restore", "round-all").code == 0
    assert honed("undo", "round").code == 0
    assert "aliases" not in honed("show", "round", "--json").json
    assert len(honed("list", "--json").json) == 2


def test_a_skill_is_not_merged_into_one_that_does_not_hold_there(honed: Honed, tmp_path: Path) -> None:
    honed("write", "round", *FIRST)
    other = a_shop(tmp_path, "other")
    honed("write", "theirs", *TWIN, "--force", cwd=other)
    refused = honed("duplicates", "merge", "round", "other/theirs", "--json")
    assert (refused.code, "another project's" in refused.json["error"]) == (2, True)
    assert honed("duplicates", "merge", "round", "round").code == 2
    assert honed("duplicates", "merge", "round").code == 2


def test_a_spoiled_index_is_found_and_made_anew_with_a_backup(honed: Honed, home: Path) -> None:
    honed("write", "round", *FIRST)
    sound = honed("index", "check", "--json")
    assert (sound.code, sound.json["ok"], sound.json["skills"]) == (0, True, 1)
    with contextlib.closing(sqlite3.connect(home / "honed.db")) as database:
        database.execute("UPDATE skill_index SET head = 'nothing'")
        database.commit()
    broken = honed("index", "check", "--json")
    assert (broken.code, broken.json["ok"]) == (1, False)
    assert {fault["code"] for fault in broken.json["broken"]} <= {"index", "full-text"}
    mended = honed("index", "repair", "--json")
    assert (mended.code, mended.json["ok"]) == (0, True)
    assert Path(mended.json["backup"]).is_file()
    assert honed("index", "check").code == 0
    assert honed("search", "cart totals", "--json").json["hits"]


def test_undoing_a_merge_says_what_stays_archived_and_how_it_comes_back(honed: Honed) -> None:
    words = ("--kind", "rule", "--body", "Before you push, ask.")
    honed("write", "ask", "--title", "Ask before a push", *words)
    honed("write", "ask-first", "--title", "Ask first before a push", *words, "--force")
    other = honed("show", "ask-first", "--json").json["id"]
    honed("duplicates", "merge", "ask", "ask-first")
    told = honed("undo", "ask").out
    assert f"ask-first, which was merged into it, stays archived; `honed restore {other}`" in told
    honed("restore", other)
    assert honed("show", "ask-first", "--json").json["archived"] is False
    assert "stays archived" not in honed("undo", "ask").out
