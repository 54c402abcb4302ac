"""Work on a sibling of what is asked for: what of it is told, and what is not."""

from __future__ import annotations

import os
from dataclasses import replace

from honed.ledger import events
from honed.recall.recall import Recalled, recall, search
from honed.skills.model import Draft, FileRef, Pitfall
from tests.recall.making import LATER, SHOP, Shelf

SIBLING = Draft(
    "procedure",
    "Customers say the voucher prefix is off by one",
    "Customers say the voucher prefix is off by one. Mend it.",
    steps=("Change `shop/voucher.py`",),
    files=(FileRef("shop/voucher.py"), FileRef("tests/test_voucher.py", role="test")),
    check="pytest",
    fingerprint="voucher",
    authority="exit",
)
ASKED = "Customers say the tariff weight is off by one. Mend it."


def told(shelf: Shelf, request: str = ASKED) -> Recalled:
    with shelf.reader() as reader:
        return recall(reader, request, SHOP, now=LATER)


def test_of_a_sibling_its_place_alone_is_not_told(shelf: Shelf) -> None:
    shelf.keep({"voucher": SIBLING})
    found = told(shelf)
    assert found.note is None
    assert found.withheld == (("voucher", "about another thing, of which it knows only the place"),)
    with shelf.reader() as reader:
        assert [hit.slug for hit in search(reader, ASKED, SHOP, now=LATER).hits] == ["voucher"]


def test_who_names_the_thing_is_told_its_place(shelf: Shelf) -> None:
    shelf.keep({"voucher": SIBLING})
    for request in ("Customers say vouchers are off by one", "the prefix is off by one in shop/voucher.py"):
        assert "Change `shop/voucher.py`" in str(told(shelf, request).note)


def test_of_a_sibling_what_holds_here_too_is_told_without_its_place(shelf: Shelf) -> None:
    wrong = Pitfall("KeyError: stale registry", "Run `make registry` first", "pytest")
    kept = replace(
        SIBLING,
        steps=("Change `shop/voucher.py`", "Change `shop/registry.py`", "Run `make registry`"),
        files=(FileRef("shop/voucher.py"), FileRef("shop/registry.py")),
        pitfalls=(wrong,),
    )
    shelf.keep({"voucher": kept})
    note = str(told(shelf).note)
    assert "Change `shop/registry.py`" in note
    assert "make registry" in note
    assert "Pitfall: `KeyError: stale registry`" in note
    assert "shop/voucher.py" not in note


def test_a_folder_is_a_place_that_a_title_names_too(shelf: Shelf) -> None:
    kept = replace(
        SIBLING, steps=("Change `shop/voucher/options.py`",), files=(FileRef("shop/voucher/options.py"),)
    )
    shelf.keep({"voucher": kept})
    assert told(shelf).note is None


def test_where_one_of_its_places_is_named_all_are_told(shelf: Shelf) -> None:
    kept = replace(
        SIBLING,
        title="Customers say the voucher prefix and the tariff are off by one",
        steps=("Change `shop/voucher.py`", "Change `shop/tariff.py`"),
        files=(FileRef("shop/voucher.py"), FileRef("shop/tariff.py")),
    )
    shelf.keep({"both": kept})
    note = str(told(shelf).note)
    assert "shop/voucher.py" in note
    assert "shop/tariff.py" in note


def test_what_a_title_does_not_name_is_no_thing_of_its_own(shelf: Shelf) -> None:
    kept = replace(SIBLING, steps=("Change `shop/money.py`",), files=(FileRef("shop/money.py"),))
    shelf.keep({"money": kept})
    assert "Change `shop/money.py`" in str(told(shelf).note)


def test_what_the_owner_approved_is_told_whole(shelf: Shelf) -> None:
    shelf.keep({"voucher": SIBLING})
    with shelf.reader() as reader:
        facts = search(reader, ASKED, SHOP, now=LATER).hits[0].facts
    shelf.note(events.approved(facts.id, facts.content_hash, facts.kind, os.urandom(16)))
    assert "shop/voucher.py" in str(told(shelf).note)
