"""Of many skills that come equally near to the last place, which are scored is a matter of what they say."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from honed.recall.exact import exact_matches, together
from honed.recall.lexical import MOST_COMPARED, MOST_EQUALS, score
from honed.recall.query import analyse
from honed.recall.recall import search
from honed.skills.model import FileRef
from honed.store import longest
from tests.recall.making import SHOP, Shelf, titled

SESSIONS = 3
"""So many times each text is there: as that of another session."""
TEXTS = 65
assert TEXTS * SESSIONS > MOST_COMPARED + MOST_EQUALS


def shelf_of(home: Path, lengths: list[int], chance: random.Random) -> Shelf:
    """A memory in which every skill names one word and one file, learned in any order."""
    texts = [
        titled(
            f"Mend the gearbox zq{n}x",
            body="oil " * length,
            files=(FileRef("src/gear/box.py"),),
            scope="global" if n % 7 == 3 else "project",
        )
        for n, length in enumerate(lengths)
    ]
    shelf = Shelf(home)
    shelf.keep_shuffled([(f"t{again}", text) for text in texts for again in range(SESSIONS)], chance)
    return shelf


def scored(shelf: Shelf, request: str) -> tuple[set[str], list[tuple[str, float, list[str]]]]:
    with shelf.reader() as reader:
        scopes = reader.scopes(reader.project(SHOP))
        candidates = {one.indexed.id for one in score(reader, scopes, analyse(request)).candidates}
        hits = [(hit.facts.id, hit.score, list(hit.why)) for hit in search(reader, request, SHOP).hits]
    return candidates, hits


@pytest.mark.parametrize("request_", ["the gearbox", "src/gear/box.py", "the gearbox in src/gear/box.py"])
@pytest.mark.parametrize("lengths", ["several", "one", "short"])
@pytest.mark.parametrize("walked", [longest.MOST_WALKED, 10])
def test_the_order_of_learning_changes_nothing_however_many_come_equally_near(
    request_: str, lengths: str, walked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longest, "MOST_WALKED", walked)
    chance = random.Random(7)
    long = {
        "several": [n % 40 + 3 for n in range(TEXTS)],
        "one": [5] * TEXTS,
        "short": [300 if n < 3 else 2 for n in range(TEXTS)],
    }[lengths]
    found = [scored(shelf_of(tmp_path / f"home{again}", long, chance), request_) for again in range(3)]
    assert found[0][0]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("walked", [longest.MOST_WALKED, 0, 25])
def test_the_longest_of_many_are_the_longest(
    walked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longest, "MOST_WALKED", walked)
    chance = random.Random(3)
    shelf = shelf_of(tmp_path / "home", [chance.randrange(2, 30) for _ in range(TEXTS)], chance)
    with shelf.reader() as reader:
        scopes = reader.scopes(reader.project(SHOP))
        every = reader.naming(scopes, "path", "src/gear/box.py", 1000)
        lengths = {one.n: one.body_words for one in reader.indexed(every)}
        for many in (30, 90, len(every)):
            some = chance.sample(every, many)
            for count in (1, 24, many, many + 5):
                found = reader.longest_of_many(scopes, some, count)
                assert len(found) == len(set(found)) == min(count, many)
                assert set(found) <= set(some)
                best = sorted((lengths[n] for n in some), reverse=True)[:count]
                assert sorted((lengths[n] for n in found), reverse=True) == best


def test_a_file_that_many_name_is_one_match_for_all_of_them(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path / "home", [5] * TEXTS, random.Random(1))
    named = [("path", "src/gear/box.py"), ("file", "box.py"), ("symbol", "nobody")]
    with shelf.reader() as reader:
        scopes = reader.scopes(reader.project(SHOP))
        found = exact_matches(reader, scopes, named, 1000, lambda _: 0.5)
        every = reader.naming(scopes, "path", "src/gear/box.py", 1000)
        none = exact_matches(reader, scopes, named, TEXTS, lambda _: 0.5)
    assert len(every) == TEXTS * SESSIONS
    assert len({id(match) for n in every for match in found.of(n)}) == len(found.of(every[0])) == 2
    assert found.worth() == {n: together(found.of(n)) for n in every}
    assert not none
    assert none.of(every[0]) == []
