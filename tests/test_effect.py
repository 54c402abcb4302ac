"""Two arms compared: what is there is shown, what is not is not, and too little says so."""

from __future__ import annotations

from random import Random

from honed.effect import LEAST, Sample, by_project, effect


def arm(
    number: int, *, held: bool, calls: float, verified: float, random: Random, project: str = "p"
) -> list[Sample]:
    return [
        Sample(
            held=held,
            project=project,
            calls=max(0, round(random.gauss(calls, 3))),
            seconds=600,
            tasks=2,
            verified=sum(random.random() < verified for _ in range(2)),
            tokens=max(0, round(random.gauss(calls, 3))) * 1000,
            cached=None,
        )
        for _ in range(number)
    ]


def test_a_difference_that_is_there_is_shown_with_its_side() -> None:
    random = Random(1)
    samples = arm(60, held=False, calls=10, verified=0.9, random=random)
    samples += arm(40, held=True, calls=20, verified=0.5, random=random)
    found = {row.measure: row for row in effect(samples, 7).compared}
    calls = found["tool calls"]
    assert calls.difference is not None
    assert calls.low is not None
    assert calls.high is not None
    assert calls.low < calls.difference < calls.high < 0
    assert (calls.says, found["tokens"].says) == ("lower", "lower")
    assert (found["verified tasks"].says, found["share of tasks verified"].says) == ("higher", "higher")
    assert found["minutes"].says == "no difference shown"


def test_where_there_is_none_an_interval_leaves_out_nothing_in_19_of_20_cases() -> None:
    shown = 0
    for seed in range(60):
        random = Random(seed)
        samples = arm(30, held=False, calls=12, verified=0.7, random=random)
        samples += arm(30, held=True, calls=12, verified=0.7, random=random)
        calls = next(row for row in effect(samples, seed).compared if row.measure == "tool calls")
        shown += calls.says != "no difference shown"
    assert shown <= 8  # 3 expected; 8 or more of 60 would happen once in 100


def test_too_few_sessions_say_so_and_no_number() -> None:
    random = Random(1)
    samples = arm(60, held=False, calls=10, verified=0.9, random=random)
    samples += arm(LEAST - 1, held=True, calls=20, verified=0.5, random=random)
    found = effect(samples, 7)
    assert not found.enough
    assert {row.given for row in found.compared} == {None}
    assert all(row.says.startswith("not enough data") for row in found.compared)
    assert effect([], 7).compared[0].says.startswith("not enough data: 0 and 0")


def test_a_measure_that_a_client_does_not_write_is_not_taken_for_nothing() -> None:
    random = Random(1)
    samples = arm(20, held=False, calls=10, verified=1, random=random)
    samples += arm(20, held=True, calls=10, verified=1, random=random)
    cached = next(row for row in effect(samples, 7).compared if row.measure == "cached tokens")
    assert (cached.given, cached.says) == (None, "not enough data: 0 and 0 sessions, at least 10 each")


def test_the_same_data_give_the_same_answer_and_projects_stand_by_themselves() -> None:
    random = Random(1)
    samples = [
        *arm(20, held=False, calls=10, verified=1, random=random),
        *arm(20, held=True, calls=20, verified=1, random=random),
        *arm(3, held=True, calls=20, verified=1, random=random, project="q"),
    ]
    assert effect(samples, 7) == effect(samples, 7)
    found = by_project(samples, 7)
    assert {key: one.enough for key, one in found.items()} == {"p": True, "q": False}
