"""What the glossary says, and that it says it as requests are cut."""

from __future__ import annotations

from importlib import import_module

import pytest

from honed.glossary import SPACED, meanings, parts
from honed.skills.words import fold

LANGUAGES = (*SPACED, "zh", "ja", "ko")


def entries(language: str) -> list[tuple[list[str], list[str]]]:
    text = str(import_module(f"honed.glossary.{language}").WORDS).replace("\n", " ")
    told = [entry.partition(":") for entry in text.split(";") if entry.strip()]
    return [(foreign.split(), english.split()) for foreign, _, english in told]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_written_as_requests_are_cut(language: str) -> None:
    for foreign, english in entries(language):
        assert foreign == [fold(word) for word in foreign]
        words = [word for phrase in english for word in phrase.split("-")]
        assert all(word.isascii() and word.isalnum() and word == word.lower() for word in words), english


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_stands_twice(language: str) -> None:
    words = [word for foreign, _ in entries(language) for word in foreign]
    assert len(words) == len(set(words)) >= 300


@pytest.mark.parametrize("language", SPACED)
def test_every_word_of_a_spaced_language_is_found(language: str) -> None:
    for foreign, _ in entries(language):
        for word in foreign:
            assert meanings(word, language), word


@pytest.mark.parametrize("language", ["zh", "ja", "ko"])
def test_every_word_of_an_unspaced_language_is_found(language: str) -> None:
    for foreign, english in entries(language):
        for word in foreign:
            found = list(parts(word))
            # Some Japanese words are written in Chinese letters alone, and are looked up as Chinese.
            if language != "ja" or any("\u3040" <= letter <= "\u30ff" for letter in word):
                assert found == [(0, len(word), tuple(english[:3]))], word


@pytest.mark.parametrize(
    ("word", "language", "english"),
    [
        ("миграциями", "ru", "migration"),
        ("развернули", "ru", "deploy"),
        ("компилируется", "ru", "compile"),
        ("задокументируй", "ru", "document"),
        ("дистиллируй", "ru", "distillation"),
        ("datenbanken", "de", "database"),
        ("autorisations", "fr", "authorization"),
        ("lequipe", "fr", "team"),
        ("contrasenas", "es", "password"),
        ("vulnerabilidades", "pt", "vulnerability"),
    ],
)
def test_a_word_is_found_whatever_its_ending(word: str, language: str, english: str) -> None:
    assert english in meanings(word, language)


def test_a_german_word_made_of_two_is_a_phrase_of_both() -> None:
    assert meanings("kundendokument", "de") == ("customer-document",)
    assert meanings("zahlungsintegration", "de") == ("payment-integration",)
    assert meanings("donaudampfschifffahrt", "de") == ()


def test_english_words_of_the_glossary_are_not_taken_for_foreign_ones() -> None:
    assert meanings("outage", "de") == ()
    assert meanings("", "ru") == ()


def test_the_longest_word_wins_in_a_run() -> None:
    assert list(parts("数据库迁移")) == [(0, 3, ("database",)), (3, 5, ("migration", "migrate"))]


def test_a_run_is_cut_so_that_the_fewest_letters_are_left_over() -> None:
    # "optional" stands there too, but then a letter of "choose" would be left.
    assert [english for _, _, english in parts("可选择优化") if english] == [
        ("choose", "select", "selection"),
        ("optimization", "optimize"),
    ]


def test_a_run_of_unknown_letters_has_no_parts() -> None:
    assert list(parts("龘龘龘")) == []
    assert list(parts("")) == []
