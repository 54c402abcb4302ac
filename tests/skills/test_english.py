"""honed's English stems are those of Snowball."""

from __future__ import annotations

import random
import re
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snowballstemmer import stemmer

from honed.skills import english

SNOWBALL = stemmer("english").stemWord
pytestmark = pytest.mark.skipif(
    version("snowballstemmer").split(".")[:2] != ["3", "1"], reason="Snowball 3.1 is what is compared with"
)
ENDINGS = """
    ed eed ing edly eedly ingly s ss us ies ied sses y tional enci anci abli entli izer ization ational ation
    ator alism aliti alli fulness ousli ousness iveness iviti biliti bli fulli lessli ogist ogi li icate ative
    alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion e l
    ll ' 's 's'
    """.split()
BEGINNINGS = """
    univers commun arsen emerg gener inter later organ past succ proc exc even cann inn earr herr out sk d t v
    a e o add egg off hop hopp bat batt conn agre fe lo y yy ay oy bias sky news earl
    """.split()
KNOWN = [
    ("running", "run"), ("hopping", "hop"), ("hoping", "hope"), ("dying", "die"), ("outing", "outing"),
    ("generalizations", "general"), ("relational", "relat"), ("flies", "fli"), ("ties", "tie"),
    ("skies", "sky"), ("early", "earli"), ("exceed", "exceed"), ("proceed", "proceed"), ("agreed", "agre"),
    ("embedded", "embed"), ("controlling", "control"), ("possibly", "possibl"), ("biologist", "biolog"),
]  # fmt: skip


@pytest.mark.parametrize(("word", "stem"), KNOWN)
def test_a_word_has_the_stem_that_it_always_had(word: str, stem: str) -> None:
    assert english.stem(word) == stem == SNOWBALL(word)


def test_every_word_of_our_own_texts_has_snowball_s_stem() -> None:
    root = Path(__file__).parents[2]
    files = [*root.glob("docs/**/*.md"), *root.glob("src/**/*.py"), *root.glob("tests/**/*.py")]
    words = {word for file in files for word in re.findall(r"[a-z]+", file.read_text("utf-8").lower())}
    assert len(words) > 5000
    assert [word for word in sorted(words) if english.stem(word) != SNOWBALL(word)] == []


def test_any_beginning_with_any_endings_has_snowball_s_stem() -> None:
    chosen = random.Random(7)
    letters = "aeiouybcdfglmnprstvwxz"
    for _ in range(30_000):
        begin = "".join(chosen.choices(letters, k=chosen.randint(0, 5)))
        begin = chosen.choice((begin, chosen.choice(BEGINNINGS)))
        word = begin + "".join(chosen.choices(ENDINGS, k=chosen.randint(0, 3)))
        assert english.stem(word) == SNOWBALL(word), word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz\u00e9\u0131'", max_size=12) | st.text(max_size=8))
def test_any_text_has_snowball_s_stem(text: str) -> None:
    assert english.stem(text.lower()) == SNOWBALL(text.lower())
