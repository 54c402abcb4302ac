"""What is given to whom: scope, state, the owner's dial, the bar, and a memory that cannot be read."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from honed.errors import DamagedError, NotFoundError, UnavailableError
from honed.recall.recall import Recalled, recall, search
from honed.skills.model import FileRef
from honed.store.place import Place
from honed.store.reading import open_readonly
from honed.store.sqlite import SqliteStore
from tests.recall.making import CART, FORGE, LATER, SHOP, Shelf, by_hand, failed, passed, titled

REQUEST = "the cart total is off by a cent"


def told(shelf: Shelf, request: str = REQUEST, place: Place | None = SHOP, **options: object) -> Recalled:
    with shelf.reader() as reader:
        return recall(reader, request, place, now=LATER, **options)  # type: ignore[arg-type]


def slugs(found: Recalled) -> list[str]:
    return [hit.slug for hit in found.hits]


def searched(shelf: Shelf, request: str, place: Place | None = SHOP, **options: object) -> list[str]:
    with shelf.reader() as reader:
        return slugs(search(reader, request, place, now=LATER, **options))  # type: ignore[arg-type]


def test_a_project_sees_its_own_skills_and_the_global_ones_only(shelf: Shelf) -> None:
    shelf.keep({"shop": CART}, SHOP)
    shelf.keep({"forge": replace(CART, title="Round forge totals half up", fingerprint="forge")}, FORGE)
    shelf.keep(
        {"everywhere": replace(CART, title="Round all totals", scope="global", fingerprint="all")}, SHOP
    )
    assert set(searched(shelf, REQUEST, SHOP)) == {"shop", "everywhere"}
    assert set(searched(shelf, REQUEST, FORGE)) == {"forge", "everywhere"}
    assert searched(shelf, REQUEST, Place("/work/new", "/work/new")) == ["everywhere"]
    assert searched(shelf, REQUEST, None) == ["everywhere"]


def test_other_projects_change_no_score(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    before = told(shelf, explain=True)
    shelf.keep([replace(CART, title=f"Round totals {i}", fingerprint=str(i)) for i in range(30)], FORGE)
    after = told(shelf, explain=True)
    assert [(hit.score, hit.why) for hit in after.hits] == [(hit.score, hit.why) for hit in before.hits]


@pytest.mark.parametrize(
    "request_text",
    [
        "fix src/shop/cart.py please",
        r"what about C:\dev\shop\src\shop\cart.py",
        "AssertionError: 9.11 != 9.12",
        "who uses CartTotal.total and roundHalf()",
        "uv run pytest tests/test_cart.py is red",
    ],
)
def test_exact_things_find_a_skill_whatever_else_is_asked(shelf: Shelf, request_text: str) -> None:
    shelf.keep({"cart": CART, **{f"s{i}": titled(f"Other matter {i} with words") for i in range(10)}})
    assert searched(shelf, request_text)[0] == "cart"


def test_naming_the_path_is_enough_to_be_told(shelf: Shelf) -> None:
    shelf.keep({"cart": CART, "other": titled("Rotate the keys", "keys are old")})
    assert slugs(told(shelf, "please look at src/shop/cart.py")) == ["cart"]


def test_an_unrelated_request_is_told_nothing(shelf: Shelf) -> None:
    shelf.keep({"cart": CART, **{f"s{i}": titled(f"Other matter {i} with words") for i in range(10)}})
    for request in (
        "run the formatter",
        "commit and push",
        "add dark mode to the settings page",
        "thanks, go on",
    ):
        found = told(shelf, request)
        assert (found.note, found.tokens, found.hits) == (None, 0, ())


def test_a_search_shows_weak_hits_and_says_so(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    with shelf.reader() as reader:
        (hit,) = search(reader, "where is the total of taxes for the yearly export", SHOP, now=LATER).hits
    assert hit.slug == "cart"
    assert hit.weak
    assert hit.score < 0.5


def test_the_owner_can_move_the_bar(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    assert slugs(told(shelf, "where is the total of taxes for the yearly export", bar=0.0)) == ["cart"]
    assert slugs(told(shelf, bar=1.0)) == []


def test_a_skill_in_another_state_is_not_given(shelf: Shelf) -> None:
    names = ("archived", "forgotten", "suspended", "candidate")
    shelf.keep({name: replace(CART, title=f"Round {name} totals", fingerprint=name) for name in names})
    shelf.note(
        by_hand("archived", shelf.ids["archived"]),
        by_hand("forgotten", shelf.ids["forgotten"]),
        failed(shelf.ids["suspended"], "s9"),
    )
    found = told(shelf)
    assert slugs(found) == ["candidate"]
    assert found.withheld == (("suspended", "suspended: its own check failed last"),)
    assert set(searched(shelf, REQUEST)) == {"candidate", "suspended"}


def test_the_dial_decides_what_is_delivered(shelf: Shelf) -> None:
    shelf.keep(
        {name: replace(CART, title=f"Round {name} totals", fingerprint=name) for name in ("new", "old")}
    )
    skill = shelf.ids["old"]
    shelf.note(passed(skill, "s1", "2026-03-05T10:00:00Z"), passed(skill, "s2", "2026-03-09T10:00:00Z"))
    assert set(slugs(told(shelf))) == {"new", "old"}
    assert slugs(told(shelf, deliver="proven")) == ["old"]
    nothing = told(shelf, deliver="approved")
    assert nothing.hits == ()
    assert {slug for slug, _ in nothing.withheld} == {"new", "old"}


def test_of_two_near_equals_the_proven_one_comes_first(shelf: Shelf) -> None:
    shelf.keep({name: replace(CART, fingerprint=name) for name in ("aa", "bb", "cc")})
    skill = shelf.ids["bb"]
    shelf.note(passed(skill, "s1", "2026-03-05T10:00:00Z"), passed(skill, "s2", "2026-03-09T10:00:00Z"))
    assert slugs(told(shelf))[0] == "bb"


def test_of_two_near_equals_the_one_that_was_used_lately_comes_first(shelf: Shelf) -> None:
    shelf.keep({name: replace(CART, title=f"Round {name}", fingerprint=name) for name in ("aa", "bb")})
    for name, session, used in (("aa", "s1", "2026-03-05T10:00:00Z"), ("bb", "s2", "2026-03-15T10:00:00Z")):
        shelf.note(passed(shelf.ids[name], session, used))
    assert slugs(told(shelf)) == ["bb", "aa"]


def test_standing_lifts_nobody_over_the_bar(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    before = told(shelf, "the yearly total of taxes", bar=0.0).hits[0].score
    skill = shelf.ids["cart"]
    shelf.note(passed(skill, "s1", "2026-03-05T10:00:00Z"), passed(skill, "s2", "2026-03-09T10:00:00Z"))
    shelf.note(by_hand("pinned", skill))
    assert told(shelf, "the yearly total of taxes", bar=0.0).hits[0].score == before


def test_where_the_agent_stands_orders_near_equals(shelf: Shelf) -> None:
    one, other = (
        replace(CART, files=CART.files, symbols=(name,), fingerprint=name) for name in ("web", "api")
    )
    shelf.keep({"web": one, "api": other})
    for folder in ("web", "api"):
        place = Place(f"/work/shop/{folder}", "/work/shop", subpath=folder)
        assert slugs(told(shelf, place=place))[0] == folder


def test_recaps_are_found_only_when_asked_for(shelf: Shelf) -> None:
    shelf.keep({"recap": replace(CART, kind="recap", fingerprint="recap")})
    assert told(shelf).hits == ()
    assert searched(shelf, REQUEST) == []
    assert searched(shelf, REQUEST, recaps=True) == ["recap"]


def test_no_more_are_given_than_asked_for_and_withheld_ones_take_no_place(shelf: Shelf) -> None:
    shelf.keep({f"c{i}": replace(CART, title=f"Round totals {i}", fingerprint=str(i)) for i in range(6)})
    shelf.note(*(failed(shelf.ids[f"c{i}"], "s9") for i in range(4)))
    assert set(slugs(told(shelf, limit=2))) == {"c4", "c5"}
    found = told(shelf, limit=3)
    assert set(slugs(found)) == {"c4", "c5"}
    assert len(found.withheld) == 4


def test_every_hit_can_explain_its_score(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    (hit,) = told(shelf, explain=True).hits
    text = "\n".join(hit.why)
    assert f"the same request {REQUEST}: 0.98" in text
    assert "words found: cart, total, cent (100% of what the request says; 3 that not any" in text
    assert f"probability {hit.score:.3f}" in text
    assert told(shelf).hits[0].why == (f"the same request {REQUEST}", "words: cart, total, cent")


def test_no_memory_yet_is_not_the_same_as_nothing_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no memory"):
        open_readonly(str(tmp_path))


def being_made(path: Path) -> None:
    """A database of which SQLite has written the first page, and honed nothing."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert path.stat().st_size > 0


def test_a_memory_that_is_being_made_at_this_moment_is_none_yet(tmp_path: Path) -> None:
    being_made(tmp_path / "honed.db")
    with pytest.raises(NotFoundError, match="no memory"):
        open_readonly(str(tmp_path))
    with pytest.raises(NotFoundError, match="no memory"):
        SqliteStore.open(str(tmp_path), readonly=True)


def test_a_memory_in_whose_place_nothing_stands_is_a_loss(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    for file in Path(shelf.home).glob("honed.db*"):
        file.unlink()
    being_made(Path(shelf.home, "honed.db"))
    with pytest.raises(DamagedError, match="nothing is in it"):
        shelf.reader()
    with pytest.raises(DamagedError, match="nothing is in it"):
        SqliteStore.open(shelf.home, readonly=True)


def test_a_memory_that_cannot_be_read_says_so(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    path = Path(shelf.home, "honed.db")
    os.replace(path, f"{path}.kept")
    path.mkdir()
    with pytest.raises(UnavailableError, match=r"cannot read|not available"):
        shelf.reader()


def test_a_damaged_file_is_called_damaged(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    path = Path(shelf.home, "honed.db")
    path.write_bytes(b"\0" * 4096 + path.read_bytes()[4096:])
    with pytest.raises(DamagedError, match="damaged"):
        shelf.reader()


def test_damage_met_while_reading_is_no_empty_answer(shelf: Shelf) -> None:
    shelf.keep([titled(f"Round the cart total {i}", body="cart " * 900) for i in range(40)])
    path = Path(shelf.home, "honed.db")
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(UnavailableError):
        told(shelf)


def test_a_locked_memory_can_still_be_read(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    writer = sqlite3.connect(os.path.join(shelf.home, "honed.db"), isolation_level=None)
    try:
        writer.execute("BEGIN IMMEDIATE")
        assert slugs(told(shelf)) == ["cart"]
    finally:
        writer.close()


def test_a_reader_writes_nothing(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    before = Path(shelf.home, "honed.db").read_bytes()
    with shelf.reader() as reader, pytest.raises(UnavailableError):
        reader.rows("DELETE FROM skills")
    assert Path(shelf.home, "honed.db").read_bytes() == before


def test_a_folder_name_with_signs_of_a_web_address_is_a_folder(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "a b?c#d%20e")
    shelf.keep({"cart": CART})
    assert slugs(told(shelf)) == ["cart"]


def test_a_request_that_is_a_path_is_told_nothing_of_other_files_in_its_folder(shelf: Shelf) -> None:
    file = FileRef("internal/syncer/clock_test.go")
    shelf.keep({"clock": titled("Make the clock tests wait for the clock", files=(file,))})
    assert slugs(told(shelf, "internal/syncer/clock_test.go")) == ["clock"]
    assert slugs(told(shelf, "./internal/syncer/clock_test.go")) == ["clock"]
    assert slugs(told(shelf, "internal/syncer/ledger_test.go")) == []


def test_an_error_in_the_middle_of_a_long_paste_is_known(shelf: Shelf) -> None:
    others = {f"note{i}": titled(f"Note about the thing {i}", "a thing", "It is so.") for i in range(20)}
    shelf.keep({"cart": CART} | others)
    noise = "".join(f"collected module number {i} with the plugin list of a platform\n" for i in range(60))
    asked = f"please look at this output\n{noise}E   AssertionError: 9.11 != 9.12\n{noise}what now"
    with shelf.reader() as reader:
        assert [hit.slug for hit in recall(reader, asked, SHOP, now=LATER).hits] == ["cart"]
        assert recall(reader, asked.replace("Assertion", "Value"), SHOP, now=LATER).hits == ()
