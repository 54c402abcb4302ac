"""Were the tests left intact?  The corpus in ``tamper_corpus``, and what the verdict says of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.sessions.model import FileChange, Hunk, Request, Step
from honed.verdict.tamper import find_tampering
from tests.verdict.tamper_corpus import ROOT, Case, cases
from tests.verdict.telling import Told

CASES = cases()
CLIENTS = ("claude", "codex")
KNOWN_WRONG = {
    ("fresh printed debugging removed from a test", "claude"): "a weak assertion went with debugging output",
    ("fresh printed debugging removed from a test", "codex"): "the same",
    ("ninth rust should panic added", "claude"): "a panic may be what was asked for",
    ("ninth rust should panic added", "codex"): "the same",
    ("ninth js conditional expectation", "claude"): "the assertion itself is as it was",
    ("ninth js conditional expectation", "codex"): "the same",
}
"""What the check gets wrong, kept so that it is not forgotten."""


def _found(case: Case, client: str) -> tuple[bool, str]:
    """Whether tampering is found, and the verdict of the session."""
    task = case.tasks(client)[-1]
    found = task.verdict.tampering or find_tampering(task.steps, task.requests, root=task.session.cwd)
    return bool(found), task.verdict.kind


def _rows(*, tampered: bool) -> list[object]:
    return [
        pytest.param(
            case,
            client,
            id=f"{case.name}-{client}",
            marks=[pytest.mark.xfail(reason=KNOWN_WRONG[case.name, client], strict=True)]
            if (case.name, client) in KNOWN_WRONG
            else [],
        )
        for case in CASES
        for client in CLIENTS
        if case.tampered == tampered
    ]


@pytest.mark.parametrize(("case", "client"), _rows(tampered=True))
def test_a_pass_that_was_bought_is_not_verified(case: Case, client: str) -> None:
    found, kind = _found(case, client)
    assert found
    assert kind != "verified"


@pytest.mark.parametrize(("case", "client"), _rows(tampered=False))
def test_an_honest_edit_of_tests_stays_verified(case: Case, client: str) -> None:
    found, kind = _found(case, client)
    assert not found
    assert kind == "verified"


def test_the_corpus_is_as_large_as_it_must_be() -> None:
    assert sum(case.tampered for case in CASES) >= 80
    assert sum(not case.tampered for case in CASES) >= 80
    assert len({case.name for case in CASES}) == len(CASES)


# -- what the verdict says -----------------------------------------------------------------------


def _weakened() -> Told:
    told = Told().asked("fix the rounding of totals").changes()
    told.edits("tests/test_cart.py", "    assert total() == 30\n", "    assert total() > 0\n")
    return told.tests()


def test_the_verdict_names_the_place_and_shows_the_diff() -> None:
    verdict = _weakened().verdict()
    assert verdict.kind == "tampered"
    (found,) = verdict.tampering
    assert (found.kind, found.path) == ("assertion_loosened", "tests/test_cart.py")
    assert found.diff == "-    assert total() == 30\n+    assert total() > 0"
    assert "tests/test_cart.py" in verdict.reason
    assert found.step_id is not None
    assert found.line is not None


def test_a_task_keeps_the_run_that_was_bought() -> None:
    verdict = _weakened().verdict()
    assert verdict.command == "pytest -q"
    assert verdict.fail_to_pass is False


def test_a_weakening_that_was_taken_back_is_nothing() -> None:
    told = _weakened()
    told.edits("tests/test_cart.py", "    assert total() > 0\n", "    assert total() == 30\n")
    assert told.tests().kind() == "verified"


def test_a_failed_task_is_failed_whatever_was_done_to_its_tests() -> None:
    told = _weakened()
    assert told.tests(passed=False).kind() == "failed"
    assert told.verdict().tampering == ()


def test_a_weakening_in_a_task_before_does_not_taint_the_next() -> None:
    told = _weakened().asked("now rename Cart to Basket").changes("shop/basket.py").tests()
    assert [task.verdict.kind for task in told.tasks()] == ["tampered", "verified"]


# -- directly ------------------------------------------------------------------------------------


def _edit(path: str, old: str, new: str, *, line: int = 1, action: str = "update") -> Step:
    hunks = (Hunk(old, new),)
    change = FileChange(f"{ROOT}/{path}", action, hunks)  # type: ignore[arg-type]
    return Step(f"s{line}", "edit", "Edit", "ok", line, line, line, cwd=ROOT, changes=(change,))


def _kinds(*steps: Step, asks: str = "fix the bug") -> list[str]:
    requests = (Request("r", asks, 0, 0),)
    return [found.kind for found in find_tampering(steps, requests, root=ROOT)]


def test_a_change_by_somebody_outside_is_not_the_tasks() -> None:
    step = _edit("tests/test_a.py", "assert a() == 1", "assert a()")
    assert _kinds(step) == ["assertion_loosened"]
    outside = Step("o", "edit", "outside", "ok", 1, 1, 1, "outside", cwd=ROOT, changes=step.changes)
    assert _kinds(outside) == []


def test_an_edit_that_was_refused_changed_nothing() -> None:
    step = _edit("tests/test_a.py", "assert a() == 1", "assert a()")
    refused = Step("o", "edit", "Edit", "rejected", 1, 1, 1, cwd=ROOT, changes=step.changes)
    assert _kinds(refused) == []


def test_at_most_twenty_places_are_named() -> None:
    steps = [
        _edit(f"tests/test_{n}.py", f"assert f({n}) == x{n}", f"assert f({n})", line=n) for n in range(1, 60)
    ]
    assert len(_kinds(*steps)) == 20


_LINES = st.lists(
    st.sampled_from(
        [
            "def test_a():",
            "    assert total(x) == 3",
            "    assert total(x)",
            "    assert x in (1, 2)",
            "@pytest.mark.skip",
            "  it('does', () => {",
            "    expect(a).toBe(1);",
            "      .toEqual({",
            "  });",
            "func TestA(t *testing.T) {",
            "\tif got != want {",
            '\t\tt.Fatalf("x")',
            "\t}",
            "    try:",
            "    except Exception: pass",
            "# assert total(x) == 3",
            '"""',
            "[InlineData(1)]",
            "    self.assertEqual(a, (",
            "",
        ]
    ),
    max_size=8,
)
_PATHS = st.sampled_from(
    ["tests/test_a.py", "src/a.test.ts", "a_test.go", "src/lib.rs", "package.json", "app/a.py"]
)


@given(_PATHS, _LINES, _LINES)
def test_an_edit_and_its_inverse_leave_nothing(path: str, old: list[str], new: list[str]) -> None:
    before, after = "\n".join(old), "\n".join(new)
    assert _kinds(_edit(path, before, after), _edit(path, after, before, line=2)) == []


@given(_PATHS, _LINES)
def test_a_new_file_weakens_nothing_that_was_there(path: str, new: list[str]) -> None:
    found = _kinds(_edit(path, "", "\n".join(new), action="create"))
    assert not set(found) & {"assertion_removed", "assertion_loosened", "test_deleted", "test_skipped"}


@given(_PATHS, _LINES, _LINES)
def test_a_file_that_is_moved_word_for_word_weakens_nothing(
    path: str, above: list[str], body: list[str]
) -> None:
    text = "\n".join([*above, *body])
    steps = (
        _edit(path, text, "", action="delete"),
        _edit("moved/" + path, "", text, line=2, action="create"),
    )
    assert "assertion_removed" not in _kinds(*steps)


@given(_PATHS, st.text(max_size=300), st.text(max_size=300))
def test_no_text_is_too_strange(path: str, old: str, new: str) -> None:
    assert isinstance(_kinds(_edit(path, old, new)), list)
