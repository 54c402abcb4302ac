"""``honed demo``: six stories, each judged for what its tests showed, and nothing left behind."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from honed.demo.stories import STORIES
from tests.doors.conftest import Honed


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where throw-away folders are made, to see that they are thrown away."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_each_story_is_judged_for_what_its_tests_showed(honed: Honed) -> None:
    told = honed("demo", "--json").json
    verdicts = [row["verdict"] for row in told["judged"]]
    assert len(STORIES) == 6
    assert verdicts == ["verified", "verified", "failed", "stale", "none", "verified"]
    assert [row["fail_to_pass"] for row in told["judged"]] == [True, True, False, False, False, False]


def test_what_was_proved_is_learned_once_and_confirmed_by_the_last_story(honed: Honed) -> None:
    told = honed("demo", "--json").json
    assert (told["learned"], told["confirmed"], told["again"], told["ok"]) == (4, 1, 0, True)
    assert [(row["kind"], row["confirmed"]) for row in told["skills"] if row["confirmed"]] == [("recipe", 1)]
    assert all(row["check"] == "uv run pytest" for row in told["skills"])


def test_a_fitting_skill_is_handed_over_and_nothing_for_an_unrelated_request(honed: Honed) -> None:
    first, second, tests, haiku = honed("demo", "--json").json["recalled"]
    assert "shop/cart.py" in first["note"]
    assert "shop/codes.py" in second["note"]
    assert "- `uv run pytest` (passed in 3 sessions, last 2026-05-09)" in tests["note"]
    assert (haiku["note"], haiku["tokens"]) == (None, 0)


def test_a_newcomer_reads_what_was_judged_learned_and_handed_over(honed: Honed) -> None:
    answer = honed("demo")
    assert answer.code == 0
    for words in (
        "1. What each session proved",
        'The agent said: "All tests pass,',
        "2. What was learned: 4 skills",
        "a second time teaches nothing new",
        "3. What the next agent would be given",
        "nothing: no skill fits",
        "in order; the folder is deleted",
    ):
        assert words in answer.out
    assert max(len(line) for line in answer.out.splitlines() if not line.startswith("    ")) <= 100


def test_nothing_is_left_behind_or_made_in_the_owners_home(honed: Honed, temporary: Path, home: Path) -> None:
    assert honed("demo").code == 0
    assert list(temporary.iterdir()) == []
    assert not home.exists()


@pytest.mark.parametrize("on_path", [False, True])
def test_the_demo_names_a_program_that_can_be_started_here(
    honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_path: bool
) -> None:
    """Behind `make demo` it is in an environment that is not on the PATH."""
    program = tmp_path / "bin" / "honed"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent) if on_path else "/nowhere")
    monkeypatch.setattr(sys, "argv", [".venv/bin/honed", "demo"])
    last = honed("demo").out.rpartition("Your turn:")[2]
    started = "honed" if on_path else ".venv/bin/honed"
    assert f"`{started} backfill`" in last
    assert f"`{started} init`" in last
