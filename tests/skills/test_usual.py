"""How a project is usually checked: which runs count as the same, and which form is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.usual import CHECK_LIMIT, Proof, general, placed, usual_checks


def told(*rows: tuple[str, str, str]) -> list[tuple[str, str, int, str, bool]]:
    """The usual checks that (check, session, day) rows show."""
    proofs = [Proof(check, session, f"2026-03-{day}T10:00:00Z") for check, session, day in rows]
    return [(u.command, u.folder, u.sessions, u.last[:10], u.whole) for u in usual_checks(proofs)]


@pytest.mark.parametrize(
    ("command", "form", "whole"),
    [
        ("pytest", "pytest", True),
        ("pytest -q tests/", "pytest", True),
        ("pytest tests", "pytest", True),
        ("pytest tests/test_cart.py::test_total -x", "pytest", False),
        ("uv run pytest tests/unit/test_a.py -k 'total and cent'", "uv run pytest", False),
        ("python3 -m pytest tests/unit/", "python3 -m pytest", False),
        ("go test ./...", "go test ./...", True),
        ("GOCACHE=/tmp/x go test ./internal/cart -run 'TestA|TestB'", "go test ./...", False),
        ("mise exec -- go test ./...", "mise exec -- go test ./...", True),
        ("cargo test auth::tests", "cargo test", False),
        ("flutter test test/cart/total_test.dart", "flutter test", False),
        ("pnpm test -- --grep 'Cart|Basket'", "pnpm test", False),
        ("pnpm --filter api test", "pnpm --filter api test", True),
        ("npx vitest run --testNamePattern=total", "npx vitest run", False),
        ("bun run test", "bun run test", True),
        ("make tests", "make tests", True),
        ("mise run test:ci", "mise run test:ci", True),
        ("node --test", "node --test", True),
        ("python tests/run.py", "python tests/run.py", True),
        ("pnpm check && pnpm test", "pnpm check && pnpm test", True),
        ("ruff check . && pytest tests/test_a.py", "ruff check && pytest", False),
    ],
)
def test_what_narrows_a_check_is_taken_off(command: str, form: str, whole: bool) -> None:
    assert general(command) == (form, whole)


@pytest.mark.parametrize(
    ("check", "folder", "command"),
    [
        ("make test", "", "make test"),
        ("cd api && go test ./...", "api", "go test ./..."),
        ("cd 'my shop/api/' && make test", "my shop/api", "make test"),
    ],
)
def test_a_check_says_in_which_folder_it_is_run(check: str, folder: str, command: str) -> None:
    assert placed(check) == (folder, command)


def test_sessions_count_once_for_a_form_and_the_most_frequent_comes_first() -> None:
    assert told(
        ("make lint", "s1", "01"),
        ("pytest -q", "s2", "02"),
        ("pytest tests/test_cart.py", "s3", "03"),
        ("pytest -q", "s3", "04"),
        ("cd web && pnpm test", "s4", "09"),
    ) == [
        ("pytest -q", "", 2, "2026-03-04", True),
        ("pnpm test", "web", 1, "2026-03-09", True),
        ("make lint", "", 1, "2026-03-01", True),
    ]


def test_the_form_that_most_sessions_ran_is_shown_as_it_was_run() -> None:
    rows = [("python -m pytest tests/ -q", "s1", "01"), ("python -m pytest", "s2", "02")]
    assert told(*rows, ("python -m pytest tests/ -q", "s3", "03"))[0][0] == "python -m pytest tests/ -q"


def test_where_only_parts_were_run_the_last_part_is_shown_and_said_to_be_one() -> None:
    assert told(("go test ./cart", "s1", "01"), ("go test ./money -run TestA", "s2", "02")) == [
        ("go test ./money -run TestA", "", 2, "2026-03-02", False)
    ]


def test_what_says_nothing_on_another_day_is_left_out() -> None:
    assert told(("", "s1", "01"), ("a\nb", "s2", "02"), ("x" * (CHECK_LIMIT + 1), "s3", "03")) == []


@given(st.lists(st.tuples(st.text(alphabet="pytest -/.:'\"&go cd./", max_size=30), st.sampled_from("abc"))))
def test_the_order_in_which_sessions_are_told_changes_nothing(rows: list[tuple[str, str]]) -> None:
    named = [(check, session, f"{day % 28 + 1:02}") for day, (check, session) in enumerate(rows)]
    assert told(*named) == told(*reversed(named))
