"""``reinforce``, ``mute``, ``unmute``: what counts, what only is kept, and who may lift what."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from honed import transcripts
from honed.demo.scribe import ClaudeScribe
from honed.memory import Memory
from honed.skills.model import Skill
from honed.store.base import SkillFilter
from tests.doors.conftest import Honed
from tests.doors.terminal import Told, at_terminal
from tests.mcp.speaking import Talk

GREEN, RED = "12 passed in 0.58s", "FAILED tests/test_cart.py::test_x - assert 1 == 2\n1 failed in 0.6s"
CART = ("shop/cart.py", "    return cents", "    return cents + tax")
ASKED = "Round the cart total half up"
Terminal = Callable[..., Told]


@pytest.fixture
def terminal(home: Path, shop: Path) -> Terminal:
    def call(*words: str, typed: tuple[str, ...] = (), **env: str) -> Told:
        return at_terminal(*words, cwd=shop, typed=typed, env={"HONED_HOME": str(home), **env})

    return call


def session(
    home: Path,
    shop: Path,
    name: str,
    day: str,
    *outputs: str,
    edit: bool = True,
    change: str = "round(cents)",
) -> None:
    """A session that changes the cart and then runs the tests once for each of ``outputs``."""
    scribe = ClaudeScribe(name, str(shop), day)
    scribe.asks(f"{ASKED} in {name}, please: it is off by a cent.")
    if edit:
        scribe.edits("shop/cart.py", "    return cents", f"    return {change}")
    for output in outputs:
        scribe.runs("uv run pytest -q", output, int("failed" in output))
    path = home.parent / "told" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text(scribe.text(), encoding="utf-8")
    with Memory.open(str(home)) as memory:
        for _ in memory.absorb(transcripts.in_order([path])):
            pass


@pytest.fixture
def skill(home: Path, shop: Path) -> Skill:
    """What a first session taught, which was verified."""
    session(home, shop, "first", "2026-05-01", GREEN)
    with Memory.open(str(home)) as memory:
        return next(one for one in memory.skills(SkillFilter(kinds=("procedure",))))


def run_of(name: str, number: int) -> str:
    """The number-th call of a session, as the scribe names it."""
    return f"{name}:toolu_{name[:8]}_{number:03d}"


def test_a_run_that_the_judge_finds_counts_once_whoever_reports_it(
    honed: Honed, home: Path, shop: Path, skill: Skill
) -> None:
    session(home, shop, "second", "2026-05-02", GREEN, change="cents + tax_of(cents)")
    with Memory.open(str(home)) as memory:
        before = memory.show(skill.id, str(shop)).skill.confirmed
    told = [
        honed("reinforce", skill.id, "--evidence", "test_passed", "--id", run_of("second", 2), "--json").json
        for _ in range(5)
    ]
    assert [one["counted"] for one in told] == [True, False, False, False, False]
    assert {one["strength"]["confirmed"] for one in told} == {before + 1}
    session(home, shop, "second", "2026-05-02", GREEN, change="cents + tax_of(cents)")
    with Memory.open(str(home)) as memory:
        assert memory.show(skill.id, str(shop)).skill.confirmed == before + 1


@pytest.mark.parametrize(
    ("evidence", "run", "code", "said"),
    [
        ("test_passed", "nowhere:x", 4, "has read no session nowhere"),
        ("test_passed", "red:made-up", 3, "finds no test run made-up"),
        ("test_passed", run_of("red", 2), 3, "is test_failed"),
        ("test_failed", run_of("idle", 1), 3, "did not apply"),
        ("test_passed", "no-step", 2, "SESSION:STEP"),
    ],
)
def test_a_claim_that_the_transcript_does_not_bear_out_is_refused(
    honed: Honed, home: Path, shop: Path, skill: Skill, evidence: str, run: str, code: int, said: str
) -> None:
    session(home, shop, "red", "2026-05-03", RED)
    session(home, shop, "idle", "2026-05-04", RED, edit=False)
    with Memory.open(str(home)) as memory:
        before = memory.evidence(skill.id)
    answer = honed("reinforce", skill.id, "--evidence", evidence, "--id", run, "--json")
    assert answer.code == code
    assert said in answer.json["error"]
    with Memory.open(str(home)) as memory:
        assert memory.evidence(skill.id) == before


def test_without_a_terminal_the_owner_s_word_is_refused_and_a_report_weighs_nothing(
    honed: Honed, home: Path, skill: Skill
) -> None:
    for kind in ("owner_confirmed", "owner_rejected"):
        assert honed("reinforce", skill.id, "--evidence", kind, "--json").code == 3
    told = honed("reinforce", skill.id, "--evidence", "self_report", "--json").json
    assert (told["counted"], told["strength"]["confirmed"]) == (False, 0)
    with Memory.open(str(home)) as memory:
        assert [(row.kind, row.counts) for row in memory.evidence(skill.id)] == [("self_report", 0)]


def test_the_owner_s_word_on_a_terminal_counts_once_a_day(
    terminal: Terminal, home: Path, skill: Skill
) -> None:
    for _ in range(2):
        told = terminal("reinforce", skill.id, "--evidence", "owner_confirmed", typed=("yes\n",))
        assert told.code == 0, told.screen
    assert terminal("reinforce", skill.id, "--evidence", "owner_rejected", typed=("no\n",)).code == 3
    refused = terminal(
        "reinforce", skill.id, "--evidence", "owner_rejected", typed=("yes\n",), CLAUDECODE="1"
    )
    assert refused.code == 3
    with Memory.open(str(home)) as memory:
        assert [(row.kind, row.counts) for row in memory.evidence(skill.id)] == [("owner_confirmed", 1)]


def test_an_agent_mutes_a_skill_and_only_the_owner_gives_it_again(
    honed: Honed, home: Path, shop: Path, skill: Skill, terminal: Terminal
) -> None:
    talk = Talk(home, shop)
    assert honed("recall", ASKED, "--json").json["note"]
    told = talk.calls("memory_reinforce", slug=skill.slug, mute=True, note="told to stop <b>")
    assert (told["muted"], told["counted"]) == (True, False)
    found = honed("recall", ASKED, "--json").json
    assert (found["note"], found["withheld"][0]["reason"]) == (
        None,
        "muted by an agent until the owner looks",
    )
    assert "muted by an agent" in talk.calls("memory_recall", query=ASKED)["text"]
    assert honed("show", skill.id, "--json").json["muted"] is True
    assert "Muted by agent:claude_code" in honed("show", skill.id).out
    assert "muted by agents" in honed("doctor").out
    assert talk.calls("memory_reinforce", slug=skill.slug, helped=True)["muted"] is True
    seen = terminal("review", typed=("lift\n",))
    assert "Muted by agent:claude_code" in seen.screen
    assert honed("recall", ASKED, "--json").json["note"]
    again = talk.calls("memory_reinforce", slug=skill.slug, mute=True)
    assert (again["muted"], again["existed"]) == (False, True)
    assert honed("recall", ASKED, "--json").json["note"]


def test_unmute_lifts_it_and_says_when_there_was_nothing_to_lift(honed: Honed, skill: Skill) -> None:
    assert honed("mute", skill.slug, "--reason", "old", "--json").json == {
        "slug": skill.slug,
        "muted": True,
        "existed": False,
    }
    assert honed("unmute", skill.slug, "--json").json["existed"] is False
    assert honed("unmute", skill.slug, "--json").json["existed"] is True
    assert honed("mute", skill.slug).code == 3  # the same caller, after the owner looked


def test_the_owner_on_a_terminal_mutes_again_what_was_unmuted_the_same_day(
    honed: Honed, skill: Skill, home: Path, shop: Path
) -> None:
    assert honed("mute", skill.slug).code == 0
    assert honed("unmute", skill.slug).code == 0
    told = at_terminal("mute", skill.slug, "--home", str(home), cwd=shop, typed=())
    assert (told.code, "muted here until the owner looks" in told.screen) == (0, True)


def test_what_the_owner_pinned_or_approved_no_agent_mutes(
    honed: Honed, home: Path, shop: Path, skill: Skill
) -> None:
    honed("pin", skill.slug)
    talk = Talk(home, shop)
    assert "pinned by the owner" in talk.fails("memory_reinforce", slug=skill.slug, mute=True)
    honed("unpin", skill.slug)
    with Memory.open(str(home)) as memory:
        memory.approve(memory.show(skill.id, str(shop)).skill)
    assert "approved by the owner" in talk.fails("memory_reinforce", slug=skill.slug, mute=True)


def test_a_report_and_a_mute_reach_the_project_that_is_named(
    honed: Honed, skill: Skill, shop: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    told = honed("reinforce", skill.slug, "--evidence", "self_report", "--project", str(shop), "--json",
        cwd=other).json  # fmt: skip
    assert (told["slug"], told["counted"]) == (skill.slug, False)
    refused = honed("mute", skill.id, cwd=other)
    assert (refused.code, "--project" in refused.err) == (2, True)
    assert honed("mute", skill.slug, "--project", str(shop), "--json", cwd=other).json["muted"] is True
    assert honed("show", skill.id, "--json").json["muted"] is True


def test_what_holds_everywhere_is_muted_in_one_project_only(
    honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    honed("write", "no-force", "--kind", "lesson", "--title", "Never force-push main", "--body",
          "Push main without force.", "--scope", "global")  # fmt: skip
    Talk(home, shop).calls("memory_reinforce", slug="no-force", mute=True)
    asked = ("recall", "may I force-push main", "--json")
    assert honed(*asked).json["note"] is None
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    assert json.dumps(honed(*asked, "--project", str(other)).json["note"]) != "null"
