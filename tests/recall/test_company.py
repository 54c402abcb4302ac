"""What skills about one file, or of one session, say for each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from honed.recall.company import SHOWN_BEFORE
from honed.recall.hits import Hit
from honed.recall.lexical import score
from honed.recall.query import analyse
from honed.recall.recall import search
from honed.skills.model import Draft, FileRef
from honed.store.place import Place
from honed.store.sqlite import SqliteStore
from tests.recall.making import EARLY, FORGE, SHOP, Shelf, learned, titled

REQUEST = "rounding of invoice totals is wrong"
MONEY = (FileRef("src/money.py"),)


def found(shelf: Shelf, text: str = REQUEST) -> list[str]:
    with shelf.reader() as reader:
        return [hit.slug for hit in search(reader, text, SHOP).hits]


def keep(shelf: Shelf, drafts: Mapping[str, Draft], place: Place = SHOP) -> None:
    """Learn each in a session of its own."""
    with SqliteStore.open(shelf.home) as store:
        project = store.ensure_project(place, EARLY)
        store.append([learned(draft, project, slug, slug) for slug, draft in drafts.items()], same_text=True)


def scores(shelf: Shelf, text: str = REQUEST) -> dict[str, float]:
    with shelf.reader() as reader:
        return {hit.slug: hit.score for hit in search(reader, text, SHOP).hits}


def lent(hit: Hit) -> float:
    (line,) = [why for why in hit.why if "in the order:" in why]
    return float(line.split()[3])


def test_of_two_that_fit_alike_the_one_about_the_file_of_what_fits_comes_first(shelf: Shelf) -> None:
    best = titled("Invoice rounding of totals", files=MONEY)
    lone = titled("Rounding of pixels", files=(FileRef("src/pixels.py"),))
    near = titled("Rounding of prices", files=MONEY)
    keep(shelf, {"lone": lone, "best": best, "near": near})
    with shelf.reader() as reader:
        shown = {hit.slug: " ".join(hit.why) for hit in search(reader, REQUEST, SHOP, explain=True).hits}
    assert "in the order:" in shown["near"]
    assert "in the order:" not in shown["lone"]
    assert found(shelf)[0] == "best"


def test_a_skill_about_the_file_of_the_best_one_overtakes_one_that_fits_a_little_better(shelf: Shelf) -> None:
    fillers = {f"other{i}": titled(f"Widget {i}", files=(FileRef(f"src/w{i}.py"),)) for i in range(6)}
    best = titled("Invoice rounding of totals is wrong", files=MONEY)
    near = titled("Totals of a cart that nobody pays", body="rounding", files=MONEY)
    better = titled("Rounding of totals for all canvas pixels", files=(FileRef("src/pixels.py"),))
    keep(shelf, fillers | {"best": best, "near": near, "better": better})
    with shelf.reader() as reader:
        candidates = score(reader, reader.scopes(reader.project(SHOP)), analyse(REQUEST)).candidates
        facts = reader.facts([one.indexed.n for one in candidates])
        fits = {facts[one.indexed.n].slug: one.fit for one in candidates}
    assert fits["better"] > fits["near"]
    assert found(shelf)[:2] == ["best", "near"]


def test_what_those_of_a_file_say_together_tells_that_it_is_meant(shelf: Shelf) -> None:
    edge = (FileRef("src/edge.py"),)
    drafts = {
        "corner": titled("Rounding of corners", files=edge),
        "pixel": titled("Rounding of pixels", files=edge),
        "cart": titled("Totals of carts", files=MONEY),
        "price": titled("Rounding of prices", files=MONEY),
        "sum": titled("Totals of sums", files=(FileRef("src/sum.py"),)),
        **{f"rest{n}": titled(f"Wrong {n} widgets", files=(FileRef(f"src/w{n}.py"),)) for n in range(4)},
    }
    keep(shelf, drafts)
    told = scores(shelf)
    assert abs(told["price"] - told["pixel"]) < 0.02
    with shelf.reader() as reader:
        hits = {hit.slug: hit for hit in search(reader, REQUEST, SHOP, explain=True).hits}
    assert lent(hits["price"]) > 1.5 * lent(hits["pixel"])
    assert next(iter(hits)) in ("price", "cart")


def test_work_on_its_file_that_says_nothing_of_the_request_moves_no_probability(shelf: Shelf) -> None:
    shelf.keep({"one": titled("Invoice rounding", files=(FileRef("src/a.py"),))})
    alone = scores(shelf)["one"]
    shelf.keep({"two": titled("Parser of tokens", files=(FileRef("src/a.py"),))})
    assert abs(scores(shelf)["one"] - alone) < 0.02


def test_what_other_work_on_its_file_says_of_the_request_makes_a_skill_likelier(shelf: Shelf) -> None:
    text = "Invoice totals are wrong: rounding of the ledger's prices loses a cent of tax"
    same, other = "Rounding of pixels in prices", "Rounding of canvas in prices"
    tax = titled("Invoice totals of the ledger are wrong", body="A cent of tax.", files=MONEY)
    fillers = {f"other{i}": titled(f"Widget {i}", files=(FileRef(f"src/w{i}.py"),)) for i in range(6)}
    elsewhere = titled(other, files=(FileRef("src/pixels.py"),))
    keep(shelf, fillers | {"same": titled(same, files=MONEY), "tax": tax, "other": elsewhere})
    told = scores(shelf, text)
    assert told["same"] > told["other"] + 0.1
    assert told["tax"] < 1


def test_what_its_session_did_besides_makes_no_work_likelier_to_be_meant(shelf: Shelf) -> None:
    pair = {
        "one": titled("Rounding of prices", files=(FileRef("src/price.py"),)),
        "two": titled("Invoice totals are wrong", files=(FileRef("src/total.py"),)),
    }
    shelf.keep(pair)  # in one session
    with shelf.reader() as reader:
        hits = search(reader, REQUEST, SHOP, explain=True).hits
        together = {hit.title: hit.score for hit in hits if lent(hit) > 0}
    keep(shelf, pair, FORGE)
    with shelf.reader() as reader:
        apart = {hit.title: hit.score for hit in search(reader, REQUEST, FORGE).hits}
    assert together == pytest.approx(apart)


def test_of_several_about_one_file_the_others_let_another_file_speak(shelf: Shelf) -> None:
    same = {f"money{i}": titled(f"Invoice rounding of totals {i}", files=MONEY) for i in range(3)}
    other = titled("Invoice rounding of a total in the ledger", files=(FileRef("src/ledger.py"),))
    rest = {f"rest{i}": titled(f"Wrong widget {i}", files=(FileRef(f"src/w{i}.py"),)) for i in range(6)}
    keep(shelf, same | rest | {"other": other})
    assert SHOWN_BEFORE > 0
    assert found(shelf).index("other") < 4


def test_a_copy_lends_nothing(shelf: Shelf) -> None:
    draft = titled("Invoice rounding of totals", files=MONEY)
    keep(shelf, {"one": draft, "two": replace(draft, fingerprint="two")})
    with shelf.reader() as reader:
        hits = search(reader, REQUEST, SHOP, explain=True).hits
    assert [any("in the order:" in line for line in hit.why) for hit in hits] == [False, False]


def test_what_was_learned_beside_it_in_the_session_lifts_a_skill(shelf: Shelf) -> None:
    with_session = {
        "asked": ("What was the gift for the anniversary?", "s1", 1),
        "answer": ("A painting of the lake", "s1", 2),
        "stray": ("A painting of the lake by night", "s2", 3),
    }
    with SqliteStore.open(shelf.home) as store:
        project = store.ensure_project(SHOP, EARLY)
        for slug, (title, session, minute) in with_session.items():
            at = f"2026-03-01T10:{minute:02d}:00Z"
            store.append([learned(titled(title), project, slug, session, at)])
    order = found(shelf, "anniversary gift painting lake")
    assert order.index("answer") < order.index("stray")
    with shelf.reader() as reader:
        (first, *_) = reader.in_order(["s1"], 1)
        assert first[0] == "s1"
        assert len(reader.in_order(["s1", "s2"], 10)) == 3
        assert analyse("gift").terms


def talk(shelf: Shelf, *turns: str, session: str = "s1") -> list[str]:
    """Keep ``turns`` as one session's (or as none's), each a note of its own, named by its number."""
    with SqliteStore.open(shelf.home) as store:
        project = store.ensure_project(SHOP, EARLY)
        for minute, text in enumerate(turns):
            at = f"2026-03-01T10:{minute:02d}:00Z"
            draft = titled(f"Turn {minute}", body=text)
            store.append([learned(draft, project, f"turn-{minute}", session, at)], same_text=True)
    return [f"turn-{minute}" for minute in range(len(turns))]


@pytest.mark.parametrize("session", ["s1", ""])
def test_what_was_said_by_the_one_who_is_asked_about_comes_first(shelf: Shelf, session: str) -> None:
    turns = ("Anna: I painted a lake.", "Anna: Good night.", "Bert: I painted a lake.")
    anna, rest, bert = talk(shelf, *turns, session=session)
    assert found(shelf, "What has Anna painted, a lake?").index(anna) == 0
    assert found(shelf, "What has Bert painted, a lake?").index(bert) == 0
    assert rest not in found(shelf, "lake")
    told = scores(shelf, "What was painted, a lake?")
    assert abs(told[anna] - told[bert]) < 0.02


@pytest.mark.parametrize("session", ["s1", ""])
def test_to_be_spoken_to_is_not_to_have_said_it(shelf: Shelf, session: str) -> None:
    turns = ("Bert: Anna, I painted a lake.", "Anna: I painted a lake, and a boat on it, and a far shore.")
    spoken_to, said = talk(shelf, *turns, session=session)
    order = found(shelf, "What has Anna painted, a lake?")
    assert order.index(said) < order.index(spoken_to)


def test_a_question_speaks_for_its_answer(shelf: Shelf) -> None:
    asked, answer, _, stray = talk(
        shelf,
        "Anna: How long do you hold the lotus pose?",
        "Bert: I hold it for a minute, no more.",
        "Anna: Good night.",
        "Bert: I hold it for a while, no more.",
    )
    order = found(shelf, "How long is the lotus pose to hold?")
    assert order.index(answer) < order.index(stray)
    assert asked in order


def test_words_that_few_candidates_have_count_more_in_the_order_and_in_no_probability(shelf: Shelf) -> None:
    many = {f"many{n}": titled(f"Rounding of edge {n}") for n in range(5)}
    keep(shelf, many | {"one": titled("Invoice of edges")})
    with shelf.reader() as reader:
        hits = {hit.slug: hit.why for hit in search(reader, REQUEST, SHOP, explain=True).hits}
    told = {
        slug: float(line.split(": ")[1].split()[0])
        for slug, why in hits.items()
        for line in why
        if "for words that few have" in line
    }
    assert told["one"] > 2 * told["many0"] > 0


def test_of_two_that_fit_alike_the_one_that_changed_more_files_comes_first_and_is_no_likelier(
    shelf: Shelf,
) -> None:
    text = "Rounding of totals"
    one = titled(text, files=(FileRef("src/one.py"),))
    many = titled(text, files=tuple(FileRef(f"src/m{n}.py") for n in range(5)))
    keep(shelf, {"one": one, "many": replace(many, fingerprint="many")})
    with shelf.reader() as reader:
        hits = search(reader, REQUEST, SHOP, explain=True).hits
    assert [hit.slug for hit in hits] == ["many", "one"]
    assert any("for the number of its files" in line for line in hits[0].why)
    assert hits[0].score == pytest.approx(hits[1].score, abs=0.02)


def test_a_hit_says_what_it_goes_back_by_for_those_before_it_about_its_file(shelf: Shelf) -> None:
    same = {f"money{i}": titled(f"Invoice rounding of totals {i}", files=MONEY) for i in range(3)}
    rest = {f"rest{i}": titled(f"Wrong widget {i}", files=(FileRef(f"src/w{i}.py"),)) for i in range(6)}
    keep(shelf, same | rest)
    with shelf.reader() as reader:
        hits = [hit for hit in search(reader, REQUEST, SHOP, explain=True).hits if hit.slug in same]
    said = [[why for why in hit.why if "before it about the same files" in why] for hit in hits]
    assert [[why.split()[-1] for why in lines] for lines in said] == [
        [],
        [f"{-SHOWN_BEFORE:+.3f}"],
        [f"{-2 * SHOWN_BEFORE:+.3f}"],
    ]
