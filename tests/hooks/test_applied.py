"""A skill that was given gets evidence from its own check, if the session applied it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from honed import transcripts
from honed.demo.scribe import ClaudeScribe
from honed.memory import Memory
from honed.store.base import SkillFilter
from tests.hooks.conftest import Shop, today

CHECK = "uv run pytest"
GREEN, RED = (
    "12 passed in 0.58s",
    "FAILED tests/test_cart.py::test_x - assert 1 == 2\n1 failed, 11 passed in 0.6s",
)
CART = ("shop/cart.py", "    return cents", "    return cents + tax")
OTHER = ("shop/invoice.py", "    return 1", "    return 2")


def _given(session: str, skill: str) -> str:
    """What Claude Code writes down when a hook gave a note."""
    attached = {
        "type": "hook_additional_context",
        "hookEvent": "UserPromptSubmit",
        "content": [f'<honed-note ids="{skill}" trust="reference">\nx\n</honed-note>'],
    }
    return json.dumps({"type": "attachment", "sessionId": session, "attachment": attached}) + "\n"


def absorb(shop: Shop, name: str, *steps: tuple[str, ...], skill: str = "", on: str = "") -> None:
    """A session that was given ``skill`` by a hook (empty: nothing), as its client writes it down."""
    scribe = ClaudeScribe(name, str(shop.project), on or today())
    scribe.asks(f"Add the tax to what the cart says, please ({name}).")
    for step in steps:
        if len(step) == 3:
            scribe.edits(*step)
        else:
            command, output = step
            scribe.runs(command, output, int("failed" in output))
    lines = scribe.text().splitlines(keepends=True)
    if skill:
        lines.insert(1, _given(name, skill))
    path = shop.base / "live" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    with Memory.open(str(shop.home)) as memory:
        for _ in memory.absorb(transcripts.in_order([path])):
            pass


def cart(shop: Shop) -> str:
    """The id of the skill about rounding."""
    with Memory.open(str(shop.home), readonly=True) as memory:
        skills = memory.skills(SkillFilter(kinds=("procedure",)))
    return next(skill.id for skill in skills if "Round cart" in skill.draft.title)


def told(
    shop: Shop, name: str, *steps: tuple[str, ...], note: bool = True, on: str = ""
) -> list[tuple[str, int, str]]:
    """A session with the cart skill's note, then what the memory holds of that skill: (kind, counts, why)."""
    skill = cart(shop)
    absorb(shop, name, *steps, skill=skill if note else "", on=on)
    with Memory.open(str(shop.home)) as memory:
        return [(row.kind, row.counts, row.why) for row in memory.evidence(skill)]


def proofs(rows: list[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """Those that say how well it works; that work goes on at its files says that it may be needed only."""
    assert all(counts == 0 for kind, counts, _ in rows if kind == "place_worked")
    return [row for row in rows if row[0] != "place_worked"]


def test_a_skill_that_was_applied_is_proven_by_its_own_check(learned: Shop) -> None:
    assert told(learned, "a", CART, (CHECK, GREEN)) == [("test_passed", 1, "")]


def test_a_wider_check_proves_it_too(learned: Shop) -> None:
    assert told(learned, "a", CART, ("uv run pytest -q -x", GREEN)) == [("test_passed", 1, "")]


def test_a_check_that_fails_at_last_speaks_against_it(learned: Shop) -> None:
    assert told(learned, "a", CART, (CHECK, GREEN), CART, (CHECK, RED)) == [("test_failed", -1, "")]


@pytest.mark.parametrize(
    "steps",
    [
        (OTHER, (CHECK, GREEN)),
        ((CHECK, GREEN), CART),
        (CART, ("uv run pytest tests/test_codes.py", GREEN)),
        (CART, ("npm test", "Tests: 3 passed, 3 total")),
        (CART,),
    ],
    ids=["other file", "check before", "narrower check", "another check", "no check"],
)
def test_what_does_not_apply_it_or_run_its_check_says_nothing(
    learned: Shop, steps: tuple[tuple[str, ...], ...]
) -> None:
    assert proofs(told(learned, "a", *steps)) == []


def test_a_session_that_was_not_given_it_says_nothing_by_its_check(learned: Shop) -> None:
    assert proofs(told(learned, "a", CART, (CHECK, GREEN), note=False)) == []


def test_two_sessions_that_applied_it_prove_it_and_reading_them_again_adds_nothing(learned: Shop) -> None:
    told(learned, "a", CART, (CHECK, GREEN))
    told(learned, "b", CART, (CHECK, GREEN))
    rows = told(learned, "b", CART, (CHECK, GREEN))
    assert [row[1] for row in rows] == [1, 1]
    with Memory.open(str(learned.home), readonly=True) as memory:
        proven = [skill.draft.title for skill in memory.skills(SkillFilter(states=("proven",)))]
    assert any("Round cart" in title for title in proven)


def test_a_suspended_skill_comes_back_by_work_on_its_files_though_nobody_is_given_it(learned: Shop) -> None:
    before = f"{datetime.now(UTC) - timedelta(days=2):%Y-%m-%d}"
    assert told(learned, "a", CART, (CHECK, RED), on=before) == [("test_failed", -1, "")]
    assert told(learned, "b", CART, note=False) == [("test_failed", -1, "")]
    assert told(learned, "c", (CHECK, GREEN), note=False) == [("test_failed", -1, "")]
    rows = told(learned, "d", CART, (CHECK, GREEN), note=False)
    assert [row[:2] for row in rows] == [("test_failed", -1), ("test_passed", 1)]
    with Memory.open(str(learned.home), readonly=True) as memory:
        back = [skill.draft.title for skill in memory.skills(SkillFilter(states=("candidate",)))]
    assert any("Round cart" in title for title in back)
