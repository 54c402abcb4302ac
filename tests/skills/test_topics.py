"""What short texts are about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.topics import MOST, topic_of, topics_of
from honed.skills.words import cut

SAME = (
    ("How we deploy", "how do we deploy?", "deploy the app"),
    ("Bump the version", "bump the versions", "please bump version"),
    ("Never force-push", "never force push", "Do we never force-push?"),
    ("Миграции базы", "миграция базы"),
    ("Release", "release", "a release"),
)


def topic(text: str) -> str:
    words = list(cut(text))
    return topic_of(words, "ru" if "М" in text or "м" in text else "en")


@pytest.mark.parametrize("texts", SAME)
def test_texts_about_the_same_have_one_topic(texts: tuple[str, ...]) -> None:
    assert len({topic(text) for text in texts}) == 1
    assert topic(texts[0])


@pytest.mark.parametrize("text", ["fix the tests", "add it", "", "?", "the", "使用单元测试"])
def test_what_is_about_nothing_in_particular_has_none(text: str) -> None:
    assert topic(text) == ""


def test_a_text_about_many_things_has_none() -> None:
    assert topic("deploy rotate cache billing invoice ledger") != ""
    assert topic("deploy rotate cache billing invoice ledger pagination") == ""


def test_topics_come_once_and_in_order() -> None:
    assert topics_of(["Deploy", "release", "how we deploy", "fix it"]) == ["deploy", "releas"]


@given(st.lists(st.sampled_from("deploy the rotate a caches of billing invoices".split()), max_size=8))
def test_neither_order_nor_repetition_matters(words: list[str]) -> None:
    assert topic(" ".join(words)) == topic(" ".join([*reversed(words), *words]))
    assert len(topic(" ".join(words)).split()) <= MOST
