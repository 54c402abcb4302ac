"""The simulated benchmark: its agent, its bill and its tables are what docs/simulated.md says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bench.simulated.__main__ import measured, table
from bench.simulated.advice import Advice
from bench.simulated.agent import Agent, NoMemory
from bench.simulated.comparing import Outcome, Pair, harm, share_saved
from bench.simulated.costs import CALL, MOST_SHOWN, Bill
from bench.simulated.families import FAMILIES, Family
from bench.simulated.held_out import held_out
from bench.simulated.unseen import UNSEEN

NOTE = """<honed-note ids="sk_a" trust="reference">
- "Customers lose their shopping basket" (seen once, 2026-05-04). More: honed show x
  Check: `uv run pytest` passed after the change
  Pitfall: `No module named pytest` from `pytest`: Use `uv run pytest`
  Pitfall: `LookupError: out of step`: Change `shop/registry.py` too
  1. Change `shop/tote.py`
  First run `make gen`
</honed-note>"""


def test_a_note_is_read_line_by_line() -> None:
    advice = Advice()
    advice.take(NOTE)
    assert list(advice.checks) == ["uv run pytest"]
    assert advice.instead == {"pytest": "uv run pytest"}
    assert (list(advice.too), list(advice.first)) == (["shop/registry.py"], ["make gen"])
    assert advice.trusted("The shopping basket is empty") == ["shop/tote.py"]
    assert advice.trusted("The basket is empty") == []
    advice.doubt("uv run pytest")
    assert advice.instead == {}


def test_a_call_costs_what_is_written_down() -> None:
    bill = Bill()
    bill.call("abcd", "x" * (MOST_SHOWN + 400))
    bill.told("12345")
    assert (bill.calls, bill.tokens) == (1, CALL + 1 + MOST_SHOWN // 4 + 2)


@pytest.mark.parametrize("family", [*FAMILIES.values(), held_out, *UNSEEN.values()])
def test_without_memory_every_task_can_be_done(family: Family, tmp_path: Path) -> None:
    case = family(Random(1), tmp_path)
    for task in (*case.training, *case.tests):
        case.world.reset()
        agent = Agent(case.world, task, NoMemory())
        assert agent.work()
        assert agent.bill.calls > 3


def outcome(*, success: bool = True, calls: int = 10, tokens: int = 1000) -> Outcome:
    return Outcome("r", "t", False, success, calls, tokens)


@pytest.mark.parametrize(
    ("arm", "harmed"),
    [
        (outcome(), False),
        (outcome(tokens=1050), False),
        (outcome(tokens=1051), True),
        (outcome(calls=11, tokens=500), True),
        (outcome(success=False, calls=1, tokens=1), True),
    ],
)
def test_what_harms_is_what_was_written_down(arm: Outcome, harmed: bool) -> None:
    assert harm([Pair(outcome(), arm)]) == float(harmed)
    assert harm([Pair(outcome(success=False, calls=60), arm)]) == 0 or not arm.success


def test_what_honed_gives_saves_calls_and_every_table_says_that_it_is_simulated(tmp_path: Path) -> None:
    case = FAMILIES["form"](Random(2), tmp_path / "repository")
    found = measured([("form-0", case)], tmp_path)
    assert share_saved(found["form"]["honed"], "calls") > 0.3
    heads = [line for line in table(found) if line.startswith("| ") and "arm" in line.split("|")[2]]
    assert len(heads) == 2
    assert all("simulated" in line for line in heads)
