"""What counts as evidence of a skill: notes in use, sub-agents, repetitions, checks that are gone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from honed.asking import recall
from honed.demo.scribe import ClaudeScribe
from honed.memory import Memory
from honed.skills.model import Draft, FileRef, Skill
from honed.store.sqlite import SqliteStore
from honed.transcripts import in_order
from tests.doors.telling import GREEN, RED, a_shop, claude, codex, fixes, write
from tests.sessions.build_claude import SESSION, Transcript, foreground
from tests.store.doors import lesson

LATER = "7c0e1c1e-0002-4d0e-8a11-000000000002"
LAST = "8d0e1c1e-0003-4d0e-8a11-000000000003"


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


@pytest.fixture
def memory(home: str) -> Iterator[Memory]:
    with Memory.open(home) as opened:
        yield opened


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return a_shop(tmp_path)


def absorbed(memory: Memory, *paths: Path) -> list[Skill]:
    """The procedures that are known when these transcripts have been read."""
    for _ in memory.absorb(in_order(paths)):
        pass
    return [skill for skill in memory.every_skill() if skill.draft.kind == "procedure"]


def uses(told: ClaudeScribe, skill: Skill) -> ClaudeScribe:
    """A session that is given the note of ``skill``, quotes it, changes its file and runs its check."""
    told.asks("The total of the order is wrong again, by a cent")
    note = (
        f'<honed-note ids="{skill.id}" trust="reference">Change `shop/total.py`, run `pytest -q`</honed-note>'
    )
    told._record("user", {"role": "user", "content": note}, isMeta=True)
    told.says("A note says to change `shop/total.py` and to run `pytest -q`; I follow it.")
    told.edits("shop/total.py", "return round_half_up(x)", "return round_half_up(x, 2)")
    told.runs("pytest -q", GREEN)
    return told


def test_a_note_that_was_given_and_quoted_is_one_use_of_its_skill_and_no_new_memory(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", fixes(claude(shop))))
    later = write(tmp_path / "b.jsonl", uses(claude(shop, LATER, "2026-05-06"), skill))
    known = absorbed(memory, later)
    assert not any("note" in f"{one.draft.title} {one.draft.trigger}".lower() for one in known)
    assert [row.kind for row in memory.evidence(skill.id)] == ["test_passed"]


def test_the_request_under_which_a_skill_was_applied_and_verified_finds_it_again(
    memory: Memory, home: str, shop: Path, tmp_path: Path
) -> None:
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", fixes(claude(shop))))
    absorbed(memory, write(tmp_path / "b.jsonl", uses(claude(shop, LATER, "2026-05-06"), skill)))
    (used,) = [one for one in memory.every_skill() if one.id == skill.id]
    assert used.uses == ("The total of the order is wrong again, by a cent",)
    assert recall(home, "the order's total is a cent wrong again", cwd=str(shop)).hits[0].id == skill.id


def test_the_same_proof_counts_once_however_often_and_from_wherever_it_comes(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", fixes(claude(shop))))
    used = uses(claude(shop, LATER, "2026-05-06"), skill)
    for number in range(5):
        absorbed(memory, write(tmp_path / f"copy-{number}" / f"{LATER}.jsonl", used))
    assert [one.confirmed for one in memory.every_skill() if one.id == skill.id] == [1]
    absorbed(memory, write(tmp_path / "c.jsonl", uses(claude(shop, LAST, "2026-05-07"), skill)))
    assert [one.confirmed for one in memory.every_skill() if one.id == skill.id] == [2]


def with_an_agent(folder: Path, shop: Path, inner: bytes | None) -> Path:
    """A session whose work was done by a sub-agent; ``inner`` is the file of that, beside it."""
    parent = Transcript(cwd=str(shop)).user("Round the totals of the order half up")
    path = folder / f"{SESSION}.jsonl"
    below = folder / SESSION / "subagents"
    shutil.rmtree(below, ignore_errors=True)
    below.mkdir(parents=True)
    path.write_bytes(foreground(parent, "a1").data())
    if inner is not None:
        (below / "agent-a1.jsonl").write_bytes(inner)
    return path


def work_of_an_agent(shop: Path) -> bytes:
    inner = Transcript("a1-file", cwd=str(shop), isSidechain=True, agentId="a1")
    inner.clock = 2  # it begins after the call that starts it
    inner.user("do the part")
    inner.edit("e1", f"{shop}/shop/total.py", "    return x", "    return round_half_up(x)")
    return inner.bash("b1", "pytest -q", GREEN).data()


def test_work_that_a_session_and_its_sub_agent_tell_is_learned_once_and_the_agent_named(
    memory: Memory, home: str, shop: Path, tmp_path: Path
) -> None:
    path = with_an_agent(tmp_path / "t", shop, work_of_an_agent(shop))
    below = path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    assert len(absorbed(memory, below)) == 0
    assert len(absorbed(memory, path, below)) == 1
    with SqliteStore.open(home, readonly=True) as store:
        (task,) = store.tasks(session=SESSION)
    assert task.verdict == "verified"
    assert task.reason.endswith("run by sub-agent a1")


@pytest.mark.parametrize("inner", [None, b"", b'{"type": "user", "mess'])
def test_a_sub_agent_without_a_readable_transcript_teaches_nothing(
    memory: Memory, shop: Path, tmp_path: Path, inner: bytes | None
) -> None:
    assert absorbed(memory, with_an_agent(tmp_path / "t", shop, inner)) == []


def test_a_note_says_that_its_check_is_gone_and_says_nothing_while_it_is_there(
    memory: Memory, home: str, shop: Path, tmp_path: Path
) -> None:
    told = claude(shop)
    told.asks("Round the totals of the order half up")
    told.edits("shop/total.js", "return x", "return Math.round(x)")
    told.runs("npm test", "Tests:       12 passed, 12 total")
    absorbed(memory, write(tmp_path / "a.jsonl", told))
    (shop / "shop").mkdir()
    (shop / "shop/total.js").write_text("return Math.round(x)\n", encoding="utf-8")
    package = shop / "package.json"
    package.write_text('{"scripts": {"test": "jest"}}', encoding="utf-8")

    def note() -> str:
        return recall(home, "the totals of the order are not rounded half up", cwd=str(shop)).note or ""

    assert "npm test" in note()
    assert "cannot be run" not in note()
    package.write_text('{"scripts": {"check": "jest"}}', encoding="utf-8")
    assert "cannot be run as it stands: package.json has no script `test` any more" in note()


def test_what_was_tested_before_the_last_change_teaches_nothing_whatever_the_agent_says(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    told = codex(shop)
    told.asks("Round the totals of the order half up")
    told.edits("shop/total.py", "    return x", "    return round_half_up(x)")
    told.runs("pytest -q", GREEN)
    told.edits("shop/total.py", "    return round_half_up(x)", "    return round_half_up(x, 2)")
    told.says("All tests pass. Verified.")
    assert absorbed(memory, write(tmp_path / "a.jsonl", told)) == []


ONE = "pytest -q tests/test_total.py::test_rounds"


def one_test(told: ClaudeScribe, check: str, output: str = GREEN, note: str = "") -> ClaudeScribe:
    """A session that changes ``shop/total.py`` and then runs ``check``."""
    told.asks("The total of the order is off by one cent again, please fix it")
    if note:
        given = f'<honed-note ids="{note}" trust="reference">Change `shop/total.py`</honed-note>'
        told._record("user", {"role": "user", "content": given}, isMeta=True)
    told.edits("shop/total.py", "    return x", "    return round_half_up(x)")
    told.runs(check, output, int("failed" in output))
    return told


@pytest.mark.parametrize(
    ("check", "output", "kinds"),
    [
        (ONE, GREEN, ["test_passed"]),
        ("pytest -q tests/test_total.py::test_rounds[2]", GREEN, ["test_passed"]),
        ("pytest -q tests/test_total.py::test_halves", GREEN, ["test_passed"]),
        ("pytest -q tests/test_total.py", GREEN, ["test_passed"]),
        ("pytest -q", "1 failed, 3 passed in 0.20s", ["test_failed"]),
        ("pytest -q tests/test_other.py::test_rounds", GREEN, []),
        ("pytest -q tests/test_other.py", GREEN, []),
    ],
    ids=[
        "the same",
        "a case of it",
        "another of the file",
        "the file",
        "all",
        "another file's",
        "another file",
    ],
)
def test_a_check_of_one_test_is_known_again_by_its_shape_and_by_wider_runs(
    memory: Memory, shop: Path, tmp_path: Path, check: str, output: str, kinds: list[str]
) -> None:
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", one_test(claude(shop), ONE)))
    later = one_test(claude(shop, LATER, "2026-05-06"), check, output, skill.id)
    absorbed(memory, write(tmp_path / "b.jsonl", later))
    assert [row.kind for row in memory.evidence(skill.id) if row.counts] == kinds


def other_work(told: ClaudeScribe, *, green: bool = True) -> ClaudeScribe:
    """Another task on the file that ``fixes`` changed."""
    told.asks("Totals of refunds are to be negative numbers")
    told.edits("shop/total.py", "def refund(x):\n    return x", "def refund(x):\n    return -abs(x)")
    told.runs("pytest -q", GREEN if green else RED, 0 if green else 1)
    return told


def test_verified_work_on_the_file_of_a_skill_lets_it_fade_later_and_proves_nothing(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", fixes(claude(shop))))
    day = skill.fades_at[:10]
    later = write(tmp_path / "b" / f"{LATER}.jsonl", other_work(claude(shop, LATER, day)))
    for _ in range(2):
        absorbed(memory, later)
    (same,) = [one for one in memory.every_skill() if one.id == skill.id]
    assert [(row.kind, row.counts) for row in memory.evidence(skill.id)] == [("place_worked", 0)]
    assert same.fades_at > skill.fades_at
    assert (same.state, same.confirmed, same.failed) == (skill.state, 0, 0)
    assert same.updated_at == skill.updated_at
    assert not memory.verify(strict=True)


def test_work_on_the_file_of_a_skill_that_no_test_verified_says_nothing_of_it(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", fixes(claude(shop))))
    red = other_work(claude(shop, LATER, "2026-05-06"), green=False)
    absorbed(memory, write(tmp_path / "b" / f"{LATER}.jsonl", red))
    assert not memory.evidence(skill.id)


def test_work_on_the_same_file_is_told_once_in_three_days(memory: Memory, shop: Path, tmp_path: Path) -> None:
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", fixes(claude(shop))))
    days = ("2026-06-06", "2026-06-06", "2026-06-08", "2026-06-10")
    for number, day in enumerate(days):
        session = f"9e0e1c1e-000{number}-4d0e-8a11-000000000004"
        absorbed(memory, write(tmp_path / f"{session}.jsonl", other_work(claude(shop, session, day))))
    assert [row.at[:10] for row in memory.evidence(skill.id)] == ["2026-06-06", "2026-06-10"]


def test_a_suspended_skill_comes_back_by_work_on_its_file_however_many_others_name_it(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    for name in "abcdefghijklmnopqrst":
        memory.write(name, replace(lesson(name), files=(FileRef("shop/total.py"),)), cwd=str(shop))
    (skill,) = absorbed(memory, write(tmp_path / "a.jsonl", one_test(claude(shop), ONE)))
    red = one_test(claude(shop, LATER, "2026-05-06"), ONE, RED, skill.id)
    (failing,) = absorbed(memory, write(tmp_path / "b.jsonl", red))
    assert failing.state == "suspended"
    known = absorbed(memory, write(tmp_path / "c.jsonl", other_work(claude(shop, LAST, "2026-05-08"))))
    assert {one.id: one.state for one in known}[skill.id] == "candidate"


def test_a_task_that_loses_its_proof_leaves_what_the_owner_wrote_about_its_files_alone(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    """Work went on there all the same, and a note without a task of its own has no proof to lose."""
    note = Draft("lesson", "Totals are whole cents", "a total is wrong", files=(FileRef("shop/total.py"),))
    note_id = memory.write("totals", note, cwd=str(shop)).subject
    told = other_work(claude(shop, LATER, "2026-05-06"))
    path = write(tmp_path / "b" / f"{LATER}.jsonl", told)
    absorbed(memory, path)
    told.edits("shop/total.py", "return -abs(x)", "return -abs(x) * 2")
    told.runs("pytest -q", RED, 1)
    write(path, told)
    absorbed(memory, path)
    (same,) = [one for one in memory.every_skill() if one.id == note_id]
    assert [row.kind for row in memory.evidence(note_id)] == ["place_worked"]
    assert same.state == "candidate"
