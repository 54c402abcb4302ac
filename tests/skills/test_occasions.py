"""What a trigger names, and what it says that the skill is not for."""

from __future__ import annotations

import pytest

from honed.skills.model import Draft
from honed.skills.occasions import MOST_WORDS, phrases, wanted
from honed.store.indexing import indexed

REFUSING = (
    ("Deploys apps. DO NOT USE FOR: billing (use bill-app), quotas. Works on Linux.", "billing", "Linux"),
    ("Deploys apps. Don't use for billing. Don't use it when offline. Works on Linux.", "offline", "Linux"),
    ("Deploys apps with one command DO NOT USE WHEN: billing. USE FOR: releases", "billing", "releases"),
    ("Deploys apps - not for billing.", "billing", "Deploys"),
    ("Deploys apps. For billing, see bill-app. Works on Linux.", "billing", "Linux"),
    ("Развёртывает. Не использовать для счетов. Для Linux.", "счетов", "Linux"),
    ("部署应用。不要用于账单。支持 Linux。", "账单", "Linux"),
    ("Liefert aus. Nicht verwenden für Rechnungen. Für Linux.", "Rechnungen", "Linux"),
)


@pytest.mark.parametrize(("trigger", "refused", "kept"), REFUSING)
def test_a_clause_of_what_a_skill_is_not_for_is_left_out(trigger: str, refused: str, kept: str) -> None:
    assert refused not in wanted(trigger)
    assert kept in wanted(trigger)


@pytest.mark.parametrize(
    "trigger",
    [
        "Use npm; do not use yarn",
        "Do not use when the tree is dirty",
        "when tests fail, do not skip them",
        "the sum is not what it says",
        "",
    ],
)
def test_a_trigger_that_refuses_no_use_stays_as_it_is(trigger: str) -> None:
    assert wanted(trigger) == trigger


def test_words_of_what_is_refused_find_no_skill_but_those_of_rules_and_requests_do() -> None:
    trigger = "Deploys apps. Do not use for billing."
    kinds = {
        ("procedure", "imported"): False,
        ("rule", "owner"): True,
        ("procedure", "derived"): True,
    }
    for (kind, origin), finds in kinds.items():
        entry = indexed(Draft(kind, "Deploy", trigger, origin=origin))  # type: ignore[arg-type]
        assert ("billing" in entry.head.split()) is finds, (kind, origin)


def test_phrases_are_cut_at_commas_quotes_and_stops_but_not_inside_a_name() -> None:
    assert [one.strip() for one in phrases('roll out 3.11, "ship it", or read cart.py. Then go')] == [
        "roll out 3.11",
        "ship it",
        "read cart.py",
        "Then go",
    ]


def test_a_phrase_that_is_a_whole_sentence_is_no_occasion() -> None:
    words = [f"word{chr(97 + n)}" for n in range(MOST_WORDS + 1)]
    entry = indexed(Draft("lesson", "Deploy", f"{' '.join(words)}, roll back"))
    assert entry.occasions == "deploy | back roll"
