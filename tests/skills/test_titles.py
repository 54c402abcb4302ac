"""A title is what the user or the commit called it; a trigger is what was asked, without the pastes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills import titles
from honed.skills.naming import title_of_request
from honed.skills.tokens import estimate

COMMITS = [
    ("fix(cart): round totals to cents", "Fix cart: round totals to cents"),
    ("feat: add coupon codes", "Add coupon codes"),
    ("feat(api)!: drop the v1 routes", "Api: drop the v1 routes"),
    ("fix: fix rounding of totals", "Fix rounding of totals"),
    ("fix(14): correct the rounding of totals", "Fix: correct the rounding of totals"),
    ("perf(search): cache parsed queries (#120)", "Speed up search: cache parsed queries"),
    ("Round the cart total.\n\nLong story.", "Round the cart total"),
    ("Merge branch 'main' into topic", ""),
    ("wip", ""),
    ("Address review comments", ""),
]


@pytest.mark.parametrize(("message", "title"), COMMITS)
def test_a_commit_subject_is_folded_into_a_sentence(message: str, title: str) -> None:
    assert titles.from_commit(message) == title


REQUESTS = [
    ("fix the flaky login test", "Fix the flaky login test"),
    ("Can you please also round the cart total?", "Round the cart total"),
    ("ok great, let's handle expired coupons next", "Handle expired coupons next"),
    ("I want you to validate orders against limits", "Validate orders against limits"),
    ("Looks like the cart total is off by one cent.", "The cart total is off by one cent"),
    (
        "Implement the following plan:\n\n# Plan: Round Cart Totals\n\n## Context\n\nTotals have fractions.",
        "Round Cart Totals",
    ),
    ("# Fix: Empty cart crashes checkout\n\nWhen the cart is empty ...", "Fix: Empty cart crashes checkout"),
    ("Task B: Emit file paths for routes\n\nContext. ...", "Emit file paths for routes"),
    ("You are a senior developer.\nRound the cart total in checkout.", "Round the cart total in checkout"),
    ("Read the cart module first.\nThen round totals in `total()`.", "Round totals in `total()`"),
    ("use [cart.py](src/shop/cart.py) for rounding totals", "Use src/shop/cart.py for rounding totals"),
    (
        "2026-05-04 10:00:00 ERROR boom\nTraceback\nThe export job crashes at night",
        "The export job crashes at night",
    ),
    ("合計を切り上げてください", "合計を切り上げてください"),
]


@pytest.mark.parametrize(("text", "title"), REQUESTS)
def test_a_request_becomes_a_title_without_its_wrapping(text: str, title: str) -> None:
    assert title_of_request(text) == title


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "ok do it",
        "its perfect",
        "do both please",
        "Go ahead with option 2",
        "7",
        "continue",
        "commit",
        "",
    ],
)
def test_a_nod_names_nothing(text: str) -> None:
    assert not titles.informative(text)


def test_a_short_request_is_its_own_trigger_whole() -> None:
    text = "deploy is broken, here is what I used:\nREGION=eu\nexport MODE=fast\nrun app/settings.py"
    assert titles.trigger_of([text]) == " ".join(text.split())


def test_a_nod_is_explained_by_what_was_asked_before() -> None:
    earlier = ["how should we round the cart total?", "ok"]
    assert titles.trigger_of(["yes, do that please"], earlier) == "how should we round the cart total?"
    explained = "how should we round the cart total? / yes, halves up"
    assert titles.trigger_of(["yes, halves up"], earlier) == explained


@pytest.mark.parametrize(
    "nod",
    [
        *(
            "yes",
            "go on",
            "continue",
            "ok",
            "yes, do that please",
            "ок",
            "да, продолжай дальше",
            "давай, делай",
        ),
        *("ja, mach bitte weiter", "oui, vas-y, continue", "sí, adelante, sigue", "sim, pode continuar"),
        *(
            "はい、続けてください",
            "好的，请继续",
            "可以，没问题，继续吧",
            "네, 계속 진행해주세요",
            "네, 좋습니다. 그렇게 해주세요",
        ),
    ],
)
def test_a_nod_alone_is_no_trigger_in_any_language(nod: str) -> None:
    assert titles.trigger_of([nod]) == ""
    assert titles.trigger_of([nod], ["ok", nod]) == ""
    assert titles.trigger_of([nod], ["round the cart total half up", "ok"]) == "round the cart total half up"


@pytest.mark.parametrize(
    "request_",
    ["はい、合計を四捨五入してください", "好的，请修复购物车的舍入", "네, 장바구니 합계를 반올림해 주세요"],
)
def test_what_follows_a_nod_is_a_trigger(request_: str) -> None:
    assert titles.trigger_of([request_]) == request_


def test_a_pasted_plan_is_reduced_to_its_heading_and_its_reason() -> None:
    plan = (
        "Implement the following plan:\n\n# Plan: Round Cart Totals\n\n## Context\n\n"
        "Totals show fractions of cents. Customers complain.\n\n## Changes\n\n" + "- change `total()`\n" * 200
    )
    assert titles.trigger_of([plan]) == (
        "Round Cart Totals. Totals show fractions of cents. Customers complain."
    )


def test_of_a_pasted_log_the_error_stays() -> None:
    log = "the nightly export fails:\n" + "2026-05-04 10:00:00 INFO step done\n" * 60 + "KeyError: 'total'\n"
    assert titles.trigger_of([log]) == "the nightly export fails: KeyError: 'total'"


def test_a_slash_command_alone_is_named() -> None:
    assert titles.trigger_of(["/review-branch the cart rounding"]) == "/review-branch the cart rounding"


@given(st.lists(st.text(max_size=900), max_size=4), st.lists(st.text(max_size=300), max_size=3))
def test_titles_and_triggers_of_any_text_are_short(requests: list[str], earlier: list[str]) -> None:
    assert estimate(titles.trigger_of(requests, earlier)) <= titles.TRIGGER_TOKENS + 12
    for text in requests:
        assert len(title_of_request(text)) <= titles.TITLE_LENGTH + 1
        assert len(titles.from_commit(text)) <= titles.TITLE_LENGTH + 1
