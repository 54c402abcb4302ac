"""When a skill is told unasked, and when not: kinds of requests that were told something they should not."""

from __future__ import annotations

import pytest

from honed.recall.bar import BAR, beside, is_common_topic, unknown_share
from honed.recall.lexical import score
from honed.recall.query import analyse
from honed.recall.recall import recall, search
from honed.recall.scored import Scored, enough
from honed.recall.steering import steers
from honed.skills.model import Draft, FileRef
from tests.recall.making import SHOP, Shelf, titled

MANY = {
    f"note{i}": titled(f"{one} {other}", f"when the {one} is slow", f"{one} of the {other} and its logs")
    for i, (one, other) in enumerate(
        (one, other)
        for one in "cart invoice coupon ledger webhook parser lexer cache shard replica".split()
        for other in "socket token schema widget canvas shader kernel mutex broker offset".split()
    )
}


def told(shelf: Shelf, text: str) -> list[str]:
    with shelf.reader() as reader:
        return [hit.slug for hit in recall(reader, text, SHOP).hits]


@pytest.mark.parametrize("pair", ["stdout/stderr", "setup/teardown", "json/xml", "origin/main"])
def test_two_words_with_a_slash_between_them_are_no_path(shelf: Shelf, pair: str) -> None:
    other = titled("Record the console of a build", "ci", f"Both {pair} go to one file, twice a day.")
    shelf.keep({"console": other} | MANY)
    assert told(shelf, f"The migration of our billing assistant loses {pair} on every second Tuesday") == []


def test_a_path_of_one_folder_and_a_file_is_one(shelf: Shelf) -> None:
    shelf.keep({"tax": titled("Round half up", "money", "In src/tax.py the total is rounded.")} | MANY)
    assert told(shelf, "please look at src/tax.py") == ["tax"]


def test_a_topic_that_any_request_may_name_is_told_in_a_small_memory_only() -> None:
    assert not is_common_topic(2.8, 5)
    assert is_common_topic(2.8, 2000)
    assert not is_common_topic(6.0, 2000)


def test_words_that_nobody_here_has_speak_against_a_hit(shelf: Shelf) -> None:
    shelf.keep(MANY)
    with shelf.reader() as reader:
        alone = search(reader, "invoice mutex", SHOP).hits[0]
        more = "zebra quarry oboe lantern harbour thistle pottery glazes sailors knot"
        among = search(reader, f"invoice mutex {more}", SHOP).hits[0]
    assert alone.slug == among.slug
    assert among.score < alone.score
    assert among.weak


@pytest.mark.parametrize(
    "text",
    [
        "Is there an associated test that should be added? If so, add it and update the pr",
        "how are you",
        "what you do",
    ],
)
def test_words_that_any_request_may_hold_are_about_nothing_however_many(shelf: Shelf, text: str) -> None:
    body = "What you do: update the test, added to the PR, and how these are run."
    shelf.keep({"one": titled("Reject identical endpoints", "pr, test", body)})
    assert told(shelf, text) == []


def scored(shelf: Shelf, text: str) -> Scored:
    """The best candidate by its own words."""
    with shelf.reader() as reader:
        scores = score(reader, reader.scopes(reader.project(SHOP)), analyse(text))
    return max(scores.candidates, key=lambda one: one.fit)


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("the ledger is slow", 1),
        ("add a test of the ledger", 1),
        ("the UnitTest.LedgerCase is slow", 1),
        ("LedgerCase and ledger", 2),
        ("update README.md", 0),
    ],
)
def test_a_compound_and_its_parts_are_one_word_in_common_and_usual_ones_are_none(
    shelf: Shelf, text: str, telling: int
) -> None:
    body = "UnitTest.LedgerCase is slow: add a test of the ledger, update README.md and the LedgerCase."
    shelf.keep({"one": titled("Speed up the ledger", "slow", body)})
    assert scored(shelf, text).telling == telling


def test_a_request_of_one_compound_is_one_word(shelf: Shelf) -> None:
    shelf.keep({"one": titled("Silence used-before-assignment", "pylint", "In a loop.")} | MANY)
    assert told(shelf, "used-before-assignment") == ["one"]


def test_one_telling_word_must_say_more_than_two() -> None:
    assert enough(5, 2) < enough(5, 1)
    assert enough(1, 1) < enough(2, 1)


def test_prompts_of_words_that_occur_nowhere_are_told_nothing(shelf: Shelf) -> None:
    """170 skills of ordinary content, twenty prompts that share no word with any of them."""
    more = {
        f"more{i}": titled(f"Tune the {word} pool", word)
        for i, word in enumerate(f"w{i}ab" for i in range(70))
    }
    shelf.keep(MANY | more)
    said = "grapes ripen violins echo meadows bloom pottery glazes sailors knot lanterns sway orchards thrive"
    nouns = said.split()
    prompts = [" ".join(nouns[(i + step) % len(nouns)] for step in range(2 + i % 6)) for i in range(20)]
    with shelf.reader() as reader:
        for prompt in prompts:
            assert recall(reader, prompt, SHOP).note is None
            assert all(hit.weak for hit in search(reader, prompt, SHOP).hits)


def test_what_a_small_memory_has_no_word_for_says_little() -> None:
    words = [(5.0, 1), (5.0, 0), (5.0, 0)]
    assert unknown_share(words, 5) < 0.05 < 0.5 < unknown_share(words, 2000)
    assert unknown_share([], 10) == 0


def test_one_more_skill_with_a_word_leaves_it_unknown_by_a_third() -> None:
    assert unknown_share([(5.0, 1)], 10**9) == pytest.approx(1 / 3)


def test_beside_what_is_told_less_will_do() -> None:
    for bar in (0.1, 0.3, BAR, 0.8):
        assert 0 < beside(bar) < bar
    assert beside(1.0) == 1.0


def test_a_weak_hit_is_told_beside_a_strong_one_and_never_alone(shelf: Shelf) -> None:
    near: dict[str, Draft] = {
        "strong": titled("Rotate the signing key of the gateway", "gateway key rotation", "Run rotate."),
        "beside": titled("Renew the signing certificate", "certificates", "The gateway key stays."),
    }
    shelf.keep(near | MANY)
    text = "the gateway needs its signing key rotated after the outage this morning"
    with shelf.reader() as reader:
        chance = {hit.slug: hit.score for hit in search(reader, text, SHOP).hits}
        assert chance["strong"] > chance["beside"] > 0
        between = chance["beside"] * 1.05
        hits = recall(reader, text, SHOP, bar=between).hits
        assert [hit.slug for hit in hits][:2] == ["strong", "beside"]
        assert hits[1].weak
        alone = recall(reader, text, SHOP, bar=min(1.0, chance["strong"] * 1.01))
        assert alone.note is None


def test_a_weak_hit_that_comes_before_a_strong_one_is_told_in_its_place(shelf: Shelf) -> None:
    """One fix of a file says little of the request and the other fixes of it much: it comes first."""
    shared = FileRef("src/gateway.py")
    near: dict[str, Draft] = {
        "strong": titled("Rotate the signing key of the gateway", "gateway key rotation", "Run rotate."),
        "first": titled("Keep the gateway open", "", "The signing outage.", files=(shared,)),
        **{
            f"also{i}": titled(text, "", "", files=(shared,))
            for i, text in enumerate(("Rotated key of the gateway", "The outage of this morning needs keys"))
        },
    }
    shelf.keep(near | MANY)
    text = "the gateway needs its signing key rotated after the outage this morning"
    with shelf.reader() as reader:
        hits = search(reader, text, SHOP).hits
        place = next(at for at, hit in enumerate(hits) if hit.slug == "strong")
        before = [hit.slug for hit in hits[:place]]
        bar = max(hit.score for hit in hits) * 0.999
        told = recall(reader, text, SHOP, bar=bar).hits
    assert before
    assert [hit.slug for hit in told][: place + 1] == [*before, "strong"]


def test_a_strong_hit_is_among_those_told_however_few_may_be(shelf: Shelf) -> None:
    shelf.keep({"tax": titled("Round half up", "money", "In src/tax.py the total is rounded.")} | MANY)
    with shelf.reader() as reader:
        for limit in (1, 2, 3):
            hits = recall(reader, "please look at src/tax.py", SHOP, limit=limit).hits
            assert len(hits) <= limit
            assert not all(hit.weak for hit in hits)
        given = {hit.id: hit.facts.version for hit in hits if not hit.weak}
        assert recall(reader, "please look at src/tax.py", SHOP, given=given).hits == ()


@pytest.mark.parametrize(
    "text",
    [
        "stop", "Quit.", "y", "n", "2", "why?", "done?", "no, wait", "go on", "what next?",
        "\u0441\u0442\u043e\u043f", "\u0434\u0430, \u0434\u0430\u043b\u044c\u0448\u0435",
        "stopp", "arr\u00eate", "\u7ee7\u7eed",
        "\u505c\u6b62\u3002", "\u6b62\u3081\u3066", "\uba48\ucdb0",
    ],
)  # fmt: skip
def test_a_request_that_only_steers_the_session_is_told_nothing(shelf: Shelf, text: str) -> None:
    about = titled(f"Suppress {text} on import", text, f"The word {text} is said once, at y = 2.")
    shelf.keep({"said": about} | MANY)
    assert told(shelf, text) == []
    with shelf.reader() as reader:
        assert "said" in [hit.slug for hit in search(reader, text, SHOP).hits]


@pytest.mark.parametrize("text", ["stop the mutex", "invoice mutex again", "test", "why does mutex lock"])
def test_a_request_that_names_something_beside_steers_nothing(text: str) -> None:
    assert not steers(analyse(text))
