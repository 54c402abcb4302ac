"""The experiment: the lot, what it holds back and what never, and what the report is made of."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from honed import transcripts
from honed.cli.run import run
from honed.demo.scribe import ClaudeScribe
from honed.hooks import spool
from honed.hooks.holding import GIVEN, HELD, lot
from honed.memory import Memory
from honed.owner import denied_commands
from tests.doors.telling import process
from tests.hooks.conftest import Shop, today
from tests.hooks.test_applied import CART, CHECK, GREEN
from tests.sessions.build_codex import Rollout

SIMILAR = "The cart total is off by a fraction of a cent again. Fix the rounding."
RULE = ("--kind", "rule", "--title", "Never force-push main", "--body", "Push main without force.")


def switched(shop: Shop, share: float) -> None:
    """Recall is held back from this share of sessions from now on."""
    with Memory.open(str(shop.home)) as memory:
        memory.configure("experiment.share", share)


def drawn(shop: Shop, arm: int, share: float = 0.5) -> str:
    """A session's id that is in this arm."""
    key = (shop.home / "tombstone.key").read_bytes()
    return next(name for name in (f"s{number}" for number in range(99)) if lot(name, key, share) == arm)


def tried(shop: Shop) -> dict[str, bool]:
    """The sessions that a lot was drawn for, and whether they are held back."""
    with Memory.open(str(shop.home)) as memory:
        memory.fold_receipts()
        return {one.session: one.held for one in memory.tried()}


def test_the_lot_is_the_same_every_time_and_falls_as_often_as_it_should() -> None:
    key, names = bytes(range(32)), [f"session-{number}" for number in range(4000)]
    arms = [lot(name, key, 0.2) for name in names]
    assert arms == [lot(name, key, 0.2) for name in names]
    assert 700 < sum(arm == HELD for arm in arms) < 900
    assert arms != [lot(name, bytes(32), 0.2) for name in names]
    assert lot("x", b"", 0.2) is None


def test_a_session_that_is_held_back_is_given_nothing_and_its_lines_say_what(learned: Shop) -> None:
    switched(learned, 0.5)
    held, given = drawn(learned, HELD), drawn(learned, GIVEN)
    told = learned.told("prompt", prompt=SIMILAR, session_id=given)
    assert learned.fire("prompt", prompt=SIMILAR, session_id=held) == {}
    assert "<honed-note" in told
    lines = {name: learned.lines(name)[-1] for name in (held, given)}
    assert (lines[held]["r"], lines[held]["x"], lines[given]["r"], lines[given]["x"]) == (
        "held",
        1,
        "gave",
        0,
    )
    assert [lines[held][key] for key in ("ids", "n", "sum")] == [
        lines[given][key] for key in ("ids", "n", "sum")
    ]
    assert tried(learned) == {held: True, given: False}
    with Memory.open(str(learned.home)) as memory:
        counted = next(iter(memory.counters().values()))
        assert memory.given().sessions == 1
    assert (counted.selected, counted.given) == (2, 1)


def test_what_was_held_back_once_is_not_chosen_again(learned: Shop) -> None:
    switched(learned, 0.5)
    held = drawn(learned, HELD)
    for _ in range(2):
        learned.fire("prompt", prompt=SIMILAR, session_id=held)
    assert [line["r"] for line in learned.lines(held)] == ["held", "quiet"]


def test_the_owner_s_rules_are_never_held_back(learned: Shop) -> None:
    switched(learned, 0.5)
    home, held = str(learned.home), drawn(learned, HELD)
    assert run(["write", "no-force", *RULE, "--scope", "global", "--home", home]) == 0
    with Memory.open(home) as memory:
        memory.approve(memory.show("no-force", "/").skill)
    told = learned.told("session-start", source="startup", session_id=held)
    assert "Push main without force." in told
    assert "honed knows of this project" not in told
    assert [line["r"] for line in learned.lines(held)] == ["held", "gave"]
    assert tried(learned) == {held: True}
    with Memory.open(home) as memory:
        rule = memory.counters()[memory.show("no-force", "/").skill.id]
    assert (rule.selected, rule.given) == (1, 1)


def test_switching_it_off_ends_it_for_new_sessions_only(learned: Shop) -> None:
    switched(learned, 0.5)
    held = drawn(learned, HELD)
    learned.fire("session-start", source="startup", session_id=held)
    switched(learned, 0)
    assert learned.fire("prompt", prompt=SIMILAR, session_id=held) == {}
    assert learned.told("prompt", prompt=SIMILAR, session_id="new")
    assert "x" not in learned.lines("new")[-1]


def test_a_session_that_was_given_something_before_is_in_no_arm(learned: Shop) -> None:
    switched(learned, 0.5)
    held = drawn(learned, HELD)
    switched(learned, 0)
    learned.told("session-start", source="startup", session_id=held)
    switched(learned, 0.5)
    assert learned.told("prompt", prompt=SIMILAR, session_id=held)
    assert tried(learned) == {}


def test_a_session_without_a_name_is_in_no_arm(learned: Shop) -> None:
    switched(learned, 0.9)
    assert learned.told("prompt", prompt=SIMILAR, session_id="")


def test_what_a_session_cost_is_read_from_its_transcript(learned: Shop) -> None:
    switched(learned, 0.5)
    held = drawn(learned, HELD)
    learned.fire("prompt", prompt=SIMILAR, session_id=held)
    scribe = ClaudeScribe(held, str(learned.project), today())
    scribe.asks(SIMILAR)
    scribe.edits(*CART)
    scribe.runs(CHECK, GREEN)
    records = [json.loads(line) for line in scribe.text().splitlines()]
    for record in records:
        if record["type"] == "assistant":
            record["message"]["usage"] = {"input_tokens": 100, "output_tokens": 10}
    path = learned.base / "live" / f"{held}.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    beside = path.with_suffix("") / "subagents" / "agent-1.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_text(json.dumps(records[1]).replace("msg_1", "msg_x") + "\n", encoding="utf-8")
    with Memory.open(str(learned.home)) as memory:
        for _ in memory.absorb(transcripts.in_order([path])):
            pass
        (one,) = memory.tried()
    assert one.figures is not None
    assert (one.figures.input, one.figures.output, one.figures.calls) == (300, 30, 3)
    assert (one.tasks, one.verified, one.held) == (1, 1, True)


def rollout(folder: Path, cwd: Path, name: str, spent: int, **meta: object) -> Path:
    """A rollout of Codex that says what it spent."""
    told = Rollout(id=name, cwd=str(cwd), **meta).user("Have a look at the cart")
    told.call("exec_command", {"cmd": "cat shop/cart.py"}).event(
        type="token_count", info={"total_token_usage": {"input_tokens": spent, "output_tokens": 1}}
    )
    folder.mkdir(exist_ok=True)
    path = folder / f"rollout-{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in told.lines), encoding="utf-8")
    return path


def test_what_sub_agents_of_codex_spent_is_their_session_s(learned: Shop) -> None:
    switched(learned, 0.5)
    held = drawn(learned, HELD)
    learned.fire("prompt", "codex", prompt=SIMILAR, session_id=held)
    folder, here = learned.base / "codex", learned.project
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": held, "depth": 1}}}
    below = {"subagent": {"thread_spawn": {"parent_thread_id": "child", "depth": 2}}}
    paths = [
        rollout(folder, here, "grandchild", 1000, source=below),
        rollout(folder, here, "child", 100, source=spawned),
        rollout(folder, here, "reviewer", 20, source={"subagent": "review"}, parent_thread_id=held),
        rollout(folder, here, "branch", 5000, forked_from_id=held),
        rollout(folder, here, "other", 9000, source={"subagent": "review"}, parent_thread_id="elsewhere"),
        rollout(folder, here, held, 3),
    ]
    with Memory.open(str(learned.home)) as memory:
        for _ in memory.absorb(transcripts.in_order(paths)):
            pass
        (one,) = memory.tried()
    assert one.figures is not None
    assert (one.figures.input, one.figures.output, one.figures.calls) == (1123, 4, 4)


def test_without_an_experiment_no_sub_agent_s_figures_are_kept(learned: Shop) -> None:
    path = rollout(learned.base / "codex", learned.project, "child", 9, source={"subagent": "review"})
    with Memory.open(str(learned.home)) as memory:
        for _ in memory.absorb(transcripts.in_order([path])):
            pass
    with sqlite3.connect(learned.home / "honed.db") as connection:
        assert connection.execute("SELECT count(*) FROM figures").fetchone() == (0,)
    connection.close()


def test_the_report_says_when_there_is_not_enough_and_compares_when_there_is(
    learned: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    from honed.store.receiving import Folded, Trial
    from honed.store.spent import Figures
    from honed.store.sqlite import SqliteStore

    home, at = str(learned.home), f"{today()}T09:00:00Z"

    def keep(first: int, number: int) -> None:
        with SqliteStore.open(home) as store:
            for index in range(first, first + number):
                name, held = f"t{index}", index % 2 == 0
                store.receive(Folded(name, 1, trials=(Trial(name, "codex", held, at),)))
                spent = 2000 + index if held else 1000 + index
                store.save_figures(Figures(name, "", name, spent, 0, 10, 9 + held, 0, 60, at))

    keep(0, 4)
    assert run(["experiment", "report", "--home", home]) == 0
    assert "Not enough data: 2 given, 2 held back" in capsys.readouterr().out
    assert run(["experiment", "report", "--home", home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["interval"]["tokens"] is None
    keep(4, 40)
    assert run(["experiment", "report", "--home", home, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    low, high = told["interval"]["tokens"]
    assert low < told["effect"]["tokens"] < high < 0
    assert [arm["sessions"] for arm in told["arms"]] == [22, 22]
    assert run(["experiment", "report", "--home", home]) == 0
    assert "bootstrap" in capsys.readouterr().out


def test_it_is_said_wherever_the_owner_looks(learned: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    home = str(learned.home)
    assert run(["experiment", "on", "--share", "0.5", "--home", home]) == 0
    capsys.readouterr()
    learned.fire("prompt", prompt=SIMILAR, session_id=drawn(learned, HELD))
    assert run(["stats", "--home", home]) == 0
    assert "held back from 50% of sessions; so far from 1 of 1 session" in capsys.readouterr().out
    run(["doctor", "--home", home])
    assert "held back from 50% of sessions" in capsys.readouterr().out
    assert run(["experiment", "off", "--home", home]) == 0
    capsys.readouterr()
    assert {"experiment on", "experiment off"} <= set(denied_commands())


@pytest.mark.parametrize(
    "words",
    [("on", "--share", "0"), ("on", "--share", "1"), ("off", "--share", "0.2"), ("on", "--project", ".")],
)
def test_what_makes_no_sense_is_refused(learned: Shop, words: tuple[str, ...]) -> None:
    done = process("experiment", *words, "--home", str(learned.home), cwd=learned.project)
    assert done.returncode == 2
    assert not spool.lines(spool.path_of(str(learned.home), "s1"))
