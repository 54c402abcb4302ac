"""Any string that a user can type is a legal query."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from honed.recall.query import TERM_LIMIT, TEXT_LIMIT, analyse
from honed.recall.recall import recall, search
from tests.recall.making import CART, SHOP, Shelf, titled

STORED = [
    ("Let the three-way merge finish first", "three-way"),
    ("That is the reviewer's call", "reviewer's call"),
    ("Tell @release-team before tagging", "@release-team"),
    ("See section 4.2 of the manual", "4.2"),
    ("The disk writes 7 GB/s", "GB/s"),
    ("lib\\pay\\tax.rb was split", "lib\\pay\\tax.rb"),
    ("set k=v pairs in the header", "k=v"),
    ("who owns this?", "who?"),
    ("returns dict[str]", "dict[str]"),
    ("up by 12% since May", "12%"),
    ("the F# port and the C# one", "F#"),
    ("calls bar(qux)", "bar(qux)"),
    ("host:port is given", "host:port"),
    ('she typed "go"', '"go"'),
    ("p OR q AND r NOT u", "p OR q"),
    ("NEAR the end of the queue", "NEAR"),
    ("rocket \U0001f680 in the title", "\U0001f680 in the title"),
    ("a glob like *.lock", "*.lock"),
    ("column\tone", "column\tone"),
    ("\u6b7b\u9501\u68c0\u6d4b", "\u9501"),
    ("\u4f1a\u8a71\u306e\u30c6\u30b9\u30c8", "\u30c6\u30b9\u30c8"),
    ("\ub85c\uadf8\uc778 \ud14c\uc2a4\ud2b8\uac00 \uc2e4\ud328", "\ud14c\uc2a4\ud2b8"),
    ("Перезапуск воркера после деплоя", "перезапуски воркеров"),
    ("D\u00e9ployer l'API d\u2019abord", "deployer"),
]
NOTHING = [
    "",
    "   ",
    '"',
    "(((",
    "*",
    "-",
    "^",
    "\x00",
    "ZZZQ_THIS_IS_NOWHERE_4417",
    "xyzzyplugh",
    "\U0001f9a5",
]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    shelf = Shelf(tmp_path_factory.mktemp("any") / "home")
    shelf.keep([titled(text) for text, _ in STORED])
    return shelf


@pytest.mark.parametrize(("text", "query"), STORED)
def test_a_stored_text_is_found_by_any_part_of_it(full: Shelf, text: str, query: str) -> None:
    with full.reader() as reader:
        found = search(reader, query, SHOP)
    assert text in [hit.title for hit in found.hits[:3]]


@pytest.mark.parametrize("query", NOTHING)
def test_what_is_nowhere_finds_nothing(full: Shelf, query: str) -> None:
    with full.reader() as reader:
        assert search(reader, query, SHOP).hits == ()
        assert recall(reader, query, SHOP).note is None


@given(st.text(max_size=80) | st.text(alphabet="\"'()*^:-+{}[]<>~ANDORNT ear\\", max_size=40))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_string_is_an_error(full: Shelf, query: str) -> None:
    with full.reader() as reader:
        recall(reader, query, SHOP, explain=True)
        search(reader, query, SHOP)


def test_a_very_long_request_is_looked_at_from_both_ends() -> None:
    middle = " ".join(f"filler{i}" for i in range(5000))
    query = analyse(f"the beginning matters {middle} and so does the ending")
    words = {term.word for term in query.terms}
    assert {"beginning", "matters", "ending"} <= words
    assert len(query.terms) == TERM_LIMIT
    assert len(query.text) <= TEXT_LIMIT + 1


def test_a_request_of_stop_words_alone_keeps_them() -> None:
    assert [term.word for term in analyse("why is it so?").terms] == ["why", "is", "it", "so"]
    assert [term.word for term in analyse("why is the cart so slow?").terms] == ["cart", "slow"]


def test_a_request_in_another_language_finds_english_terms_by_their_stems(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    with shelf.reader() as reader:
        found = search(reader, "por qu\u00e9 falla la prueba de los totals del cart", SHOP)
    assert [hit.slug for hit in found.hits] == ["cart"]
