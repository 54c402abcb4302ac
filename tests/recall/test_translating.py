"""A request in another language finds what English texts say, without any model."""

from __future__ import annotations

import pytest

from honed.recall.lexical import score
from honed.recall.query import analyse
from honed.recall.recall import recall, search
from honed.recall.translating import translated
from tests.recall.making import LATER, SHOP, Shelf, titled

ROLLBACK = titled(
    "Roll back a failed database migration",
    "when a database migration fails in production",
    "Restore the backup, then revert the migration and restart the server.",
)
OTHERS = {
    "retry": titled("Retry flaky uploads", "uploads time out", "Retry three times with a growing delay."),
    "colors": titled("Pick chart colors", "a chart is hard to read", "Use the palette of the dashboard."),
    "invoice": titled("Round invoice totals", "an invoice is off by a cent", "Round half up, then sum."),
}
ASKED = [
    "миграция базы данных упала, как откатить",
    "数据库迁移失败了，怎么回滚？",
    "データベースのマイグレーションが失敗した。ロールバックする方法",
    "데이터베이스 마이그레이션 실패, 롤백 방법",
    "Die Migration der Datenbank ist in der Produktion fehlgeschlagen, wie kann ich sie zurückrollen?",
    "la migration de la base de données a échoué, comment restaurer la sauvegarde ?",
    "la migración de la base de datos falló, ¿cómo revertir los cambios?",
    "a migração do banco de dados falhou, como reverter?",
]


@pytest.mark.parametrize("text", ASKED)
def test_a_foreign_request_finds_the_english_skill_first(shelf: Shelf, text: str) -> None:
    shelf.keep({"rollback": ROLLBACK, **OTHERS})
    with shelf.reader() as reader:
        hits = search(reader, text, SHOP, now=LATER).hits
    assert hits[0].slug == "rollback"


def test_a_foreign_request_is_told_what_fits_well(shelf: Shelf) -> None:
    shelf.keep({"rollback": ROLLBACK, **OTHERS})
    with shelf.reader() as reader:
        assert "rollback" in str(recall(reader, ASKED[0], SHOP, now=LATER).note)
        assert "rollback" in str(recall(reader, ASKED[1], SHOP, now=LATER).note)


@pytest.mark.parametrize(
    "text",
    [
        "как приготовить борщ на всю семью",
        "今天天气怎么样，周末去哪里玩？",
        "Was kochen wir heute Abend für die Kinder?",
    ],
)
def test_a_foreign_request_about_nothing_stored_is_told_nothing(shelf: Shelf, text: str) -> None:
    shelf.keep({"rollback": ROLLBACK, **OTHERS})
    with shelf.reader() as reader:
        assert recall(reader, text, SHOP, now=LATER).note is None


def test_a_text_in_the_language_of_the_request_is_still_found_by_its_own_words(shelf: Shelf) -> None:
    russian = titled("Откат миграции базы данных", "миграция упала", "Восстановить бэкап и откатить схему.")
    shelf.keep({"rollback": ROLLBACK, "otkat": russian, **OTHERS})
    with shelf.reader() as reader:
        hits = search(reader, "миграция базы данных упала, как откатить", SHOP, now=LATER).hits
    assert [hit.slug for hit in hits[:2]] == ["otkat", "rollback"]


def test_a_chinese_text_is_still_found_by_its_own_words(shelf: Shelf) -> None:
    chinese = titled("回滚失败的数据库迁移", "数据库迁移失败", "先恢复备份，再回滚迁移。")
    shelf.keep({"rollback": ROLLBACK, "huigun": chinese, **OTHERS})
    with shelf.reader() as reader:
        hits = search(reader, "数据库迁移失败了，怎么回滚？", SHOP, now=LATER).hits
    assert hits[0].slug == "huigun"


def test_of_a_phrase_every_word_is_asked_for(shelf: Shelf) -> None:
    skills = {
        "landing": titled("Write a landing page", "a landing page converts badly", "Begin with the promise."),
        "pages": titled(
            "Print all pages", "pages are cut off by the printer", "Set the margins of the page."
        ),
    }
    shelf.keep({**skills, **OTHERS})
    with shelf.reader() as reader:
        hits = search(reader, "落地页怎么写", SHOP, now=LATER).hits
    assert hits[0].slug == "landing"
    assert hits[0].score > hits[1].score


def test_a_short_word_alone_in_chinese_text_is_a_name() -> None:
    assert "go" in [term.word for term in analyse("审查 Go 代码").terms]
    assert "go" not in [term.word for term in analyse("审查代码: go on with the review").terms]
    assert "go" not in [term.word for term in analyse("go on with the review").terms]


def test_english_that_nobody_has_a_word_of_is_unknown_and_the_rest_of_another_language_is_not(
    shelf: Shelf,
) -> None:
    shelf.keep({"rollback": ROLLBACK, **OTHERS})
    with shelf.reader() as reader:
        scopes = reader.scopes(reader.project(SHOP))

        def unknown(text: str) -> float:
            return score(reader, scopes, translated(analyse(text), reader, scopes)).unknown

        assert unknown("数据库迁移") == unknown("数据库迁移，龘龘靐靐") < unknown("数据库迁移，量子基因组")
        assert unknown("миграция базы") == unknown("миграция базы бармаглот")
        assert unknown("миграция базы") < unknown("миграция базы zookeeper")


@pytest.mark.parametrize(
    ("title", "character"),
    [
        ("\u6570\u636e\u5e93\u6b7b\u9501\u6392\u67e5", "\u9501"),
        ("\u91cd\u5efa\u7d22\u5f15\u8868", "\u8868"),
        ("\u8acb\u6c42\u66f8\u306e\u7a0e", "\u7a0e"),
        ("\ubc18\uc62c\ub9bc \uac12", "\uc62c"),
    ],
)
def test_one_character_finds_the_words_that_hold_it(shelf: Shelf, title: str, character: str) -> None:
    shelf.keep({"right": titled(title), "wrong": titled("\u524d\u7aef\u6837\u5f0f")})
    with shelf.reader() as reader:
        assert [hit.slug for hit in search(reader, character, SHOP).hits] == ["right"]
