"""Notes whose places are gone: withheld, or given with a warning that no budget cuts."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from honed.ledger import events
from honed.recall.ground import ENTRIES_LISTED, FILES_READ, READ_BYTES, Looks, ground_of
from honed.recall.note import BUDGET
from honed.recall.recall import Recalled, recall
from honed.skills.model import Anchor, Draft, FileRef
from honed.store.place import Place
from tests.recall.making import CART, LATER, Shelf

CODE = """\
import money


class CartTotal:
    def total(self, items):
        return money.half_up(sum(items))
"""
REQUEST = "the cart total is off by a cent"
PATH = "src/shop/cart.py"
SKILL = replace(
    CART,
    check="",
    files=(
        FileRef(PATH, (Anchor("total", "def total(self, items):"),)),
        FileRef("src/shop/new.py", role="created"),
    ),
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A checkout in which everything is as it was when the skill was learned."""
    put(tmp_path / "repo" / PATH, CODE)
    put(tmp_path / "repo/README.md", "A shop.\n")
    return tmp_path / "repo"


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def told(shelf: Shelf, shop: Path, skill: Draft = SKILL, budget: int = BUDGET) -> Recalled:
    place = Place(str(shop), str(shop))
    if not shelf.ids:
        shelf.keep({"cart": skill}, place)
    with shelf.reader() as reader:
        return recall(reader, REQUEST, place, now=LATER, budget=budget)


def git(*words: str, cwd: Path) -> None:
    subprocess.run(["git", *words], cwd=cwd, check=True, capture_output=True)


def move(shop: Path, new: str) -> None:
    (shop / new).parent.mkdir(parents=True, exist_ok=True)
    os.replace(shop / PATH, shop / new)


def test_a_note_whose_places_are_there_is_given_without_a_word_about_them(shelf: Shelf, shop: Path) -> None:
    note = told(shelf, shop).note
    assert note is not None
    assert "Outdated" not in note


@pytest.mark.parametrize(
    "change",
    [
        CODE.replace("half_up(sum(items))", "half_up(sum(items), 2)"),
        f"# Copyright\n{CODE}\n\ndef other():\n    return 1\n",
        CODE.replace("import money", "from shop import money"),
    ],
)
def test_a_file_that_changed_around_its_anchors_is_not_stale(shelf: Shelf, shop: Path, change: str) -> None:
    put(shop / PATH, change)
    assert "Outdated" not in (told(shelf, shop).note or "Outdated")


def test_a_note_whose_only_file_is_gone_is_withheld_and_given_again_when_it_is_back(
    shelf: Shelf, shop: Path
) -> None:
    (shop / PATH).unlink()
    found = told(shelf, shop)
    assert found.note is None
    assert found.withheld == (("cart", f"outdated: `{PATH}` is gone"),)
    put(shop / PATH, CODE)
    assert told(shelf, shop).note is not None


@pytest.mark.parametrize("function", ["def sum_up(self, items):", ""])
def test_a_note_whose_function_is_gone_from_its_file_is_withheld(
    shelf: Shelf, shop: Path, function: str
) -> None:
    put(shop / PATH, CODE.replace("def total(self, items):", function or "x = 1"))
    assert told(shelf, shop).withheld == (("cart", f"outdated: `total` is no longer in `{PATH}`"),)


def test_a_function_that_is_only_called_any_more_is_gone(shelf: Shelf, shop: Path) -> None:
    put(shop / PATH, "from shop.pricing import total\n\nprinted = str(total([1]))\n")
    assert told(shelf, shop).note is None


@pytest.mark.parametrize("new", ["src/shop/pricing/cart.py", "lib/cart.py", "src/shop/basket.py"])
def test_a_file_that_moved_is_found_by_what_stands_in_it(shelf: Shelf, shop: Path, new: str) -> None:
    move(shop, new)
    assert f"look first: `{PATH}` is now `{new}`" in (told(shelf, shop).note or "")


def test_another_signature_is_a_warning(shelf: Shelf, shop: Path) -> None:
    put(shop / PATH, CODE.replace("total(self, items)", "total(self, items, currency)"))
    assert f"look first: `total` in `{PATH}` reads otherwise now" in (told(shelf, shop).note or "")


def test_a_warning_stands_in_the_line_that_no_budget_cuts(shelf: Shelf, shop: Path) -> None:
    move(shop, "lib/cart.py")
    whole = told(shelf, shop)
    for budget in range(30, whole.tokens):
        note = told(shelf, shop, budget=budget).note
        assert note is None or "is now `lib/cart.py`" in note


def test_one_of_two_files_that_is_gone_is_a_warning(shelf: Shelf, shop: Path) -> None:
    skill = replace(SKILL, files=(*SKILL.files, FileRef("src/shop/tax.py")))
    assert "look first: `src/shop/tax.py` is gone" in (told(shelf, shop, skill).note or "")


def test_what_the_owner_approved_is_given_with_a_warning(shelf: Shelf, shop: Path) -> None:
    (shop / PATH).unlink()
    told(shelf, shop)
    with shelf.reader() as reader:
        (facts,) = reader.by_ids([shelf.ids["cart"]])
    shelf.note(events.approved(facts.id, facts.content_hash, facts.kind, os.urandom(16)))
    assert f"look first: `{PATH}` is gone" in (told(shelf, shop).note or "")


def test_a_folder_with_next_to_nothing_in_it_says_nothing(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert told(shelf, tmp_path / "empty").note is not None


def test_a_file_that_git_was_told_to_leave_out_is_not_missed(shop: Path) -> None:
    def said(path: str) -> str:
        return ground_of(str(shop), {"files": [{"path": path}]}, Looks()).gone

    git("init", "-q", cwd=shop)
    git("add", ".", cwd=shop)
    git("-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-qm", "a", cwd=shop)
    git("sparse-checkout", "set", "docs", cwd=shop)
    assert not (shop / PATH).exists()
    assert said(PATH) == ""
    git("sparse-checkout", "disable", cwd=shop)
    (shop / PATH).unlink()
    assert said(PATH) == f"`{PATH}` is gone"
    put(shop / ".gitmodules", '[submodule "lib"]\n\tpath = src/lib\n\turl = https://lib.invalid\n')
    (shop / "src/lib").mkdir()
    assert said("src/lib/money.py") == ""
    assert said("src/library/money.py") == "`src/library/money.py` is gone"
    put(shop / "src/lib/.git", "gitdir: ../../.git/modules/lib\n")
    assert said("src/lib/money.py") == "`src/lib/money.py` is gone"


def test_nothing_outside_the_project_and_nothing_behind_a_link_is_read(shop: Path, tmp_path: Path) -> None:
    put(tmp_path / "outside.py", "no such function\n")
    (shop / "link.py").symlink_to(tmp_path / "outside.py")
    (shop / "linked").symlink_to(tmp_path)
    for path in ("link.py", "linked/outside.py", "../outside.py", str(tmp_path / "outside.py"), "a\\b.py"):
        looks = Looks()
        ground = ground_of(str(shop), {"files": [{"path": path, "anchors": [{"symbol": "total"}]}]}, looks)
        assert (ground.gone, ground.warning, looks.files) == ("", "", FILES_READ), path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
@pytest.mark.parametrize(
    ("check", "name"), [("npm run verify", "package.json"), ("make verify", "Makefile"), ("", "src/new.py")]
)
def test_a_pipe_where_a_file_should_be_holds_up_nobody(
    shelf: Shelf, shop: Path, check: str, name: str
) -> None:
    os.mkfifo(shop / name)
    if not check:
        (shop / PATH).unlink()  # it is looked for where it may have gone
    assert told(shelf, shop, replace(SKILL, check=check)) is not None


def test_reads_and_listings_are_bounded_over_a_recall(shop: Path) -> None:
    for number in range(FILES_READ + 3):
        put(shop / f"src/f{number}.py", "x = 1\n")
    files = [{"path": f"src/f{number}.py", "anchors": [{"symbol": "f"}]} for number in range(FILES_READ + 3)]
    looks = Looks()
    assert ground_of(str(shop), {"files": files}, looks).gone == ""
    assert looks.files == 0
    for number in range(ENTRIES_LISTED + 10):
        (shop / f"n{number}").touch()
    looks = Looks()
    ground_of(str(shop), {"files": [{"path": "lost.py", "anchors": [{"symbol": "f"}]}]}, looks)
    assert looks.entries == 0


def test_of_a_file_that_is_longer_than_what_is_read_nothing_can_be_told(shelf: Shelf, shop: Path) -> None:
    put(shop / PATH, "#" * READ_BYTES + CODE)
    assert "Outdated" not in (told(shelf, shop).note or "Outdated")


def test_a_skill_of_no_project_is_not_measured_against_this_one(shelf: Shelf, shop: Path) -> None:
    skill = replace(SKILL, scope="global")
    (shop / PATH).unlink()
    assert told(shelf, shop, skill).note is not None
