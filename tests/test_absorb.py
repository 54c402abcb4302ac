"""What a judged task comes to in memory, and what becomes of it when more is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from honed import absorb
from honed.absorb import Absorbed, Absorber
from honed.demo.scribe import Scribe
from honed.ledger import events, ids
from honed.memory import Memory
from honed.sessions.model import Event
from honed.skills.model import Skill
from honed.skills.redact import Redactor
from honed.store.sqlite import SqliteStore
from honed.transcripts import in_order
from honed.verdict import tasks
from honed.verdict.model import Task
from tests.doors.telling import GREEN, RED, SESSION, a_shop, claude, codex, fixes, write

NO_MODULE = "E   ModuleNotFoundError: No module named 'babel'\n1 error in 0.21s"


def read(memory: Memory, *paths: Path) -> Absorbed:
    total = Absorbed()
    for _, one in memory.absorb(in_order(paths)):
        total.add(one)
    return total


def told(memory: Memory, kind: str = "procedure") -> list[Skill]:
    return [skill for skill in memory.every_skill() if skill.draft.kind == kind]


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return a_shop(tmp_path)


def breaks(scribe: Scribe) -> Scribe:
    """Another change of the same task that no run has seen."""
    scribe.edits("shop/total.py", "half_up(x)", "half_up(x, 2)")
    return scribe


def mends(scribe: Scribe) -> Scribe:
    scribe.edits("shop/total.py", "half_up(x, 2)", "half_up(x)")
    scribe.runs("pytest -q", GREEN)
    return scribe


def test_what_is_learned_has_a_name_that_is_short_enough_to_type(
    home: str, shop: Path, tmp_path: Path
) -> None:
    story = claude(shop)
    story.asks("Make sure that the total of every basket is rounded half up when it is shown")
    story.edits("shop/total.py", "round(x)", "half_up(x)")
    story.runs("pytest -q", GREEN)
    with Memory.open(home) as memory:
        read(memory, write(tmp_path / "a.jsonl", story))
        (skill,) = told(memory)
    assert skill.draft.title.startswith("Make sure that the total of every basket is rounded half up")
    assert skill.slug == "make-sure-that-the-total-of-every-basket-is"


def test_evidence_goes_with_the_proof_of_the_session_that_gave_it(
    home: str, shop: Path, tmp_path: Path
) -> None:
    first = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    other = fixes(codex(shop))
    second = write(tmp_path / "b.jsonl", other)
    with Memory.open(home) as memory:
        figures = read(memory, first, second)
        assert (figures.learned, figures.confirmed) == (1, 1)
        read(memory, write(second, breaks(other)))
        (skill,) = told(memory)
        assert (skill.confirmed, skill.state) == (0, "candidate")
        assert [row.why for row in memory.evidence(skill.id)] == ["its task lost its proof"]
        figures = read(memory, write(second, mends(other)))
        assert figures.confirmed == 1
        (skill,) = told(memory)
        assert skill.confirmed == 1
        assert read(memory, write(second, other)).confirmed == 0
        assert memory.verify(strict=True) == ()


def test_a_skill_that_another_session_confirmed_outlives_its_own_proof(
    home: str, shop: Path, tmp_path: Path
) -> None:
    scribe = fixes(claude(shop))
    first = write(tmp_path / "a.jsonl", scribe)
    second = write(tmp_path / "b.jsonl", fixes(codex(shop)))
    with Memory.open(home) as memory:
        read(memory, first, second)
        figures = read(memory, write(first, breaks(scribe)))
        assert figures.withdrawn == 0
        assert [skill.state for skill in told(memory)] == ["candidate"]


def test_better_rules_read_everything_again_and_leave_what_is_right(
    home: str, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    with Memory.open(home) as memory:
        read(memory, path)
        monkeypatch.setattr(absorb, "RULES", "later")
        figures = read(memory, path)
        assert (figures.sessions, figures.learned, figures.revised, figures.withdrawn) == (1, 0, 0, 0)
        assert [skill.version for skill in told(memory)] == [1]
        assert read(memory, path).unchanged == 1


def test_what_better_rules_no_longer_teach_is_withdrawn(
    home: str, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    with Memory.open(home) as memory:
        read(memory, path)
        (skill,) = told(memory)
    # As earlier rules would have learned it from the same task.
    task = skill.draft.source_task
    draft = replace(skill.draft, kind="recipe", title="Run `ls`", fingerprint="ls")
    occasion = events.Occasion("claude_code", SESSION, "r", skill.learned_at)
    odd = events.learned(occasion, ids.skill_id(task, "0", "recipe"), skill.project, "run-ls", draft)
    with SqliteStore.open(home) as store:
        store.append([odd])
    monkeypatch.setattr(absorb, "RULES", "later")
    with Memory.open(home) as memory:
        assert read(memory, path).withdrawn == 1
        assert [skill.state for skill in told(memory, "recipe")] == ["withdrawn"]
        assert [skill.state for skill in told(memory)] == ["candidate"]


def test_a_text_that_the_owner_changed_is_not_written_over(
    home: str, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe = fixes(claude(shop))
    path = write(tmp_path / "a.jsonl", scribe)
    vault = tmp_path / "v"
    with Memory.open(home) as memory:
        read(memory, path)
        memory.export(str(vault))
        (file,) = vault.glob("shop/*.md")
        file.write_text(file.read_text(encoding="utf-8") + "Mind the tax.", encoding="utf-8")
        memory.take_in(str(vault), cwd=str(shop))
        monkeypatch.setattr(absorb, "RULES", "later")
        figures = read(memory, write(path, breaks(scribe)))
        assert (figures.revised, figures.withdrawn) == (0, 0)
        assert [(skill.draft.body, skill.state) for skill in told(memory)] == [("Mind the tax.", "candidate")]


def test_a_forgotten_procedure_does_not_come_back_in_other_words(
    home: str, shop: Path, tmp_path: Path
) -> None:
    scribe = fixes(claude(shop))
    path = write(tmp_path / "a.jsonl", scribe)
    with Memory.open(home) as memory:
        read(memory, path)
        memory.forget(told(memory)[0].slug, str(shop))
        scribe.edits("shop/tax.py", "def tax(x):\n    return x", "def tax(x):\n    return x * RATE")
        scribe.runs("pytest -q", GREEN)
        figures = read(memory, write(path, scribe))
        assert (figures.verdicts["verified"], figures.learned) == (1, 0)
        assert told(memory) == []


def test_a_title_is_kept_when_reading_goes_on_in_the_middle(home: str, shop: Path, tmp_path: Path) -> None:
    scribe = fixes(claude(shop))
    scribe.asks("yes, do the same there")
    scribe.edits("shop/tax.py", "def tax(x):\n    return x", "def tax(x):\n    return round_half_up(x)")
    scribe.runs("pytest -q", GREEN)
    path = write(tmp_path / "a.jsonl", scribe)
    with Memory.open(home) as memory:
        read(memory, path)
        before = {skill.id: skill.draft.title for skill in told(memory)}
        scribe.edits("shop/tax.py", "half_up(x)", "half_up(x, RATE)")
        scribe.runs("pytest -q", GREEN)
        assert read(memory, write(path, scribe)).revised <= 1
        assert {skill.id: skill.draft.title for skill in told(memory)} == before


def test_a_recipe_that_two_sessions_found_is_one_with_evidence(home: str, shop: Path, tmp_path: Path) -> None:
    paths = []
    sessions: tuple[tuple[Scribe, str], ...] = ((claude(shop), "total"), (codex(shop), "tax"))
    for number, (scribe, what) in enumerate(sessions):
        scribe.asks(f"The {what} is off by one cent")
        scribe.runs("pytest -q", NO_MODULE, 2)
        scribe.edits(f"shop/{what}.py", f"def {what}(x):\n    return x", f"def {what}(x):\n    return up(x)")
        scribe.runs("uv run pytest -q", GREEN)
        paths.append(write(tmp_path / f"{number}.jsonl", scribe))
    with Memory.open(home) as memory:
        figures = read(memory, *paths)
        (recipe,) = told(memory, "recipe")
        assert (figures.confirmed, recipe.confirmed) == (1, 1)
        assert "uv run pytest" in recipe.draft.title


def test_work_in_a_home_folder_belongs_to_the_project_of_the_files(
    home: str, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    scribe = claude(tmp_path)
    scribe.asks("The total is off by one cent")
    scribe.runs("cd shop && pytest -q", RED, 1)
    scribe.edits("shop/cart/total.py", "def total(x):\n    return x", "def total(x):\n    return up(x)")
    scribe.runs("cd shop && pytest -q", GREEN)
    with Memory.open(home) as memory:
        figures = read(memory, write(tmp_path / "a.jsonl", scribe))
        assert figures.learned == 1
        assert [skill.project for skill in told(memory)] == [memory.known_project(str(shop))]


def test_work_that_belongs_to_no_project_is_judged_and_teaches_nothing(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    scribe = claude(tmp_path)
    scribe.asks("The total is off by one cent")
    scribe.edits("total.py", "def total(x):\n    return x", "def total(x):\n    return up(x)")
    scribe.runs("pytest -q", GREEN)
    with Memory.open(home) as memory:
        figures = read(memory, write(tmp_path / "a.jsonl", scribe))
        assert (figures.verdicts["verified"], figures.learned) == (1, 0)
        assert memory.stats().verdicts == {"verified": 1}


def test_a_mistake_of_ours_in_one_transcript_keeps_no_other_from_being_read(
    home: str, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    good = write(tmp_path / "b.jsonl", fixes(codex(shop), "tax"))
    whole = tasks.split

    def failing(events: Iterable[Event], **_: object) -> Iterator[Task]:
        for task in whole(events):
            if task.session.client == "claude_code":
                raise IndexError("what the transcript says")
            yield task

    monkeypatch.setattr(absorb, "split", failing)
    with Memory.open(home) as memory:
        figures = read(memory, bad, good)
        assert (figures.learned, figures.faults) == (1, 1)
        ((path, reason),) = figures.skipped
        assert path == str(bad)
        assert "honed failed on it (IndexError in tests.test_absorb" in reason
        assert "what the transcript says" not in reason
        monkeypatch.setattr(absorb, "split", whole)
        assert read(memory, bad, good).learned == 1


def test_figures_add_up() -> None:
    total = Absorbed()
    for _ in range(2):
        one = Absorbed(sessions=1, learned=2, bytes=10, skipped=[("a", "b")])
        one.verdicts["verified"] += 1
        one.by_client["codex"] = one.verdicts.copy()
        total.add(one)
    assert (total.sessions, total.learned, total.bytes, len(total.skipped)) == (2, 4, 20, 2)
    assert (total.verdicts["verified"], total.by_client["codex"]["verified"]) == (2, 2)


class _Interrupting(Redactor):
    """Masks as ever; the first time another backfill of the same transcripts runs through before."""

    def __init__(self, other: Callable[[], object]) -> None:
        super().__init__({})
        self._other: Callable[[], object] | None = other

    def __call__(self, text: str) -> str:
        other, self._other = self._other, None
        if other is not None:
            other()
        return super().__call__(text)


def test_what_another_backfill_kept_meanwhile_is_said_to_be_kept_by_it(
    home: str, shop: Path, tmp_path: Path
) -> None:
    found = in_order([write(tmp_path / "a.jsonl", fixes(claude(shop)))])

    def other() -> None:
        with Memory.open(home) as memory:
            assert [one.learned for _, one in memory.absorb(found)] == [1]

    with SqliteStore.open(home) as store:
        (one,) = [one for _, one in Absorber(store, _Interrupting(other)).absorb_all(found)]
    assert (one.tasks, one.meanwhile, one.known, one.kept, one.untaught) == (1, 1, 1, 0, 0)
