"""What holds of every score, for any request and any memory (docs/recall.md)."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from honed.recall.lexical import FREQUENT_COUNT, FREQUENT_SHARE, KEPT_WORDS, score
from honed.recall.query import analyse
from honed.recall.recall import search
from tests.recall.making import SHOP, Shelf, titled

RARE = "rounding ledger webhook parser replica widget shader mutex".split()
COMMON = "gearbox lantern harbour".split()
words = st.lists(st.sampled_from(RARE), min_size=1, max_size=5, unique=True)


@given(words, st.lists(words, min_size=1, max_size=8))
@settings(max_examples=25, deadline=None)
def test_no_share_is_more_than_the_requests_own_maximum_whatever_the_other_hits(
    asked: list[str], texts: list[list[str]]
) -> None:
    with TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder) / "home")
        shelf.keep(
            [titled(f"{' '.join(text)} {i}", " ".join(text), " ".join(text)) for i, text in enumerate(texts)]
        )
        with shelf.reader() as reader:
            found = score(reader, reader.scopes(reader.project(SHOP)), analyse(" ".join(asked)))
            alone = {one.indexed.id: one.shares for one in found.candidates}
        for one in found.candidates:
            assert all(0 <= share <= 1 for share in one.shares.values())
            assert 0 <= one.covered <= 1 + 1e-9
            assert 0 <= found.unknown <= 1
        # A far better hit changes no other's share by more than the rarity of the words that it brings.
        shelf.keep({"best": titled(" ".join(asked), " ".join(asked), " ".join(asked * 3))})
        with shelf.reader() as reader:
            found = score(reader, reader.scopes(reader.project(SHOP)), analyse(" ".join(asked)))
        for one in found.candidates:
            for field, share in alone.get(one.indexed.id, {}).items():
                assert abs(one.shares[field] - share) <= 0.02


@given(st.integers(0, 3), st.integers(FREQUENT_COUNT - 3, FREQUENT_COUNT + 3), st.integers(0, 60))
@settings(max_examples=12, deadline=None)
def test_a_word_is_dropped_only_in_more_than_two_hundred_skills_and_a_fifth_and_never_the_three_rarest(
    rarer: int, having: int, others: int
) -> None:
    with TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder) / "home")
        shelf.keep([titled(f"gearbox zq{i}x", "", "") for i in range(having)])
        shelf.keep([titled(f"oboe zr{i}x", "", "") for i in range(others)])
        rare = RARE[: KEPT_WORDS - 1 + (rarer > 1)]
        shelf.keep({f"r{i}": titled(f"{word} rollout") for i, word in enumerate(rare)})
        with shelf.reader() as reader:
            scopes = reader.scopes(reader.project(SHOP))
            found = score(reader, scopes, analyse(" ".join([*rare, "gearbox"])))
            size = reader.size(scopes)
    frequent = having > max(FREQUENT_COUNT, int(FREQUENT_SHARE * size))
    dropped = not any("gearbox" in one.words for one in found.candidates)
    assert dropped == (frequent and len(rare) >= KEPT_WORDS)
    assert {word for one in found.candidates for word in one.words} >= set(rare)


@given(st.lists(words, min_size=2, max_size=30, unique_by=tuple), st.data())
@settings(max_examples=20, deadline=None)
def test_a_skill_is_among_the_first_five_of_a_search_for_its_own_trigger(
    texts: list[list[str]], data: st.DataObject
) -> None:
    own = data.draw(st.sampled_from(texts))
    with TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder) / "home")
        shelf.keep({f"s{i}": titled(f"Title {i}", " ".join(text), "") for i, text in enumerate(texts)})
        with shelf.reader() as reader:
            hits = search(reader, " ".join(own), SHOP).hits[:5]
    assert f"s{texts.index(own)}" in [hit.slug for hit in hits]
