"""The form under which a run is known again, and which run says more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict.checks import same_shape
from honed.verdict.interpret import covers, interpret, same_check
from honed.verdict.model import RunResult
from tests.verdict.corpus import ROWS


def run(command: str, output: str = "", cwd: str | None = None) -> RunResult:
    return interpret(command, 0, output, cwd=cwd)


@pytest.mark.parametrize(
    ("command", "check"),
    [
        ("pytest -q -x --tb=short tests/a.py 2>&1 | tail -3", "pytest tests/a.py"),
        ("pytest -k 'a and b' -n 4", "pytest -k 'a and b'"),
        ("cd app && timeout 60 uv run python -m pytest -vv", "cd app && uv run python -m pytest"),
        ("PYTHONPATH=src API_TOKEN=x pytest", "PYTHONPATH=src pytest"),
        ("env FOO=1 SECRET_KEY=abc pytest", "FOO=1 pytest"),
        ("go test -v -count=1 -race ./... -timeout 30s", "go test ./..."),
        ("go test -tags=e2e ./e2e", "go test -tags=e2e ./e2e"),
        ("docker compose exec -T web pytest -q", "docker compose exec -T web pytest"),
        ("make -j4 -C sub test", "make -C sub test"),
        ("pnpm --filter api run test -- a.test.ts --reporter=dot", "pnpm --filter api run test -- a.test.ts"),
        ("time nice -n 5 cargo test --release -- --nocapture", "cargo test"),
        ('bash -lc "cd web && npx vitest run --reporter=verbose"', "cd web && npx vitest run"),
        ("mvn -q -B -pl core test", "mvn -pl core test"),
        ("./gradlew :app:test --no-daemon --console=plain", "./gradlew :app:test"),
        ("npm test -- --coverage --silent", "npm test"),
        ("rtk test bun run test | tail -5", "rtk test bun run test"),
        ("pytest -q tests/a.py && npm test", "pytest tests/a.py && npm test"),
        ("xvfb-run -a pytest tests/gui", "xvfb-run -a pytest tests/gui"),
        ("$r = Invoke-Pester -Path tests -Output None", "Invoke-Pester -Path tests"),
    ],
)  # fmt: skip
def test_a_check_is_what_one_would_type_again(command: str, check: str) -> None:
    assert run(command).check == check


def test_a_directory_is_told_as_seen_from_where_the_line_began() -> None:
    assert run("cd /w/p/app && npm test", cwd="/w/p").check == "cd app && npm test"
    assert run("cd /w/p && npm test", cwd="/w/p").check == "npm test"
    assert run("cd /w/other && npm test", cwd="/w/p").check == "cd /w/other && npm test"
    assert run("(cd a && pytest) && pytest b", cwd="/w").check == "cd a && pytest && pytest b"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest -q", "uv run pytest | tail -3"),
        ("python -m pytest tests", "pytest tests/"),
        ("go test ./... -count=1", "go test -v ./..."),
        ("npx vitest run a.test.ts", "pnpm exec vitest run a.test.ts"),
        ("cargo test", "cargo test --release -- --nocapture"),
    ],
)
def test_the_same_check_is_known_however_it_was_started(one: str, other: str) -> None:
    assert same_check(run(one), run(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest", "pytest tests"),
        ("pytest -k a", "pytest -k b"),
        ("cd a && npm test", "cd b && npm test"),
        ("pnpm --filter a test", "pnpm --filter b test"),
        ("go test ./...", "go test -tags=e2e ./..."),
        ("npm test", "npm run test:unit"),
    ],
)
def test_another_check_is_not_the_same(one: str, other: str) -> None:
    assert not same_check(run(one), run(other))


@pytest.mark.parametrize(
    ("wider", "narrower"),
    [
        ("pytest", "pytest tests/a.py"),
        ("pytest", "pytest -k a"),
        ("pytest", "cd tests && pytest a.py"),
        ("pytest tests", "pytest tests/unit/a.py::test_x"),
        ("pytest tests/a.py", "pytest tests/a.py::test_x"),
        ("pytest tests/a.py tests/b.py", "pytest tests/b.py"),
        ("pytest -k a", "pytest -k a tests/b.py"),
        ("go test ./...", "go test ./pkg/a"),
        ("go test ./pkg/...", "go test ./pkg/a -run TestX"),
        ("cd pkg && go test ./...", "go test ./pkg/a"),
        ("cargo test", "cargo test parser::"),
        ("npm test", "npm test -- src/a.test.ts"),
        ("npx jest src", "npx jest src/a.test.js"),
        ("pytest && npm test", "npm test"),
    ],
)
def test_a_wider_run_covers_a_narrower(wider: str, narrower: str) -> None:
    assert covers(run(wider), run(narrower))
    assert not same_check(run(wider), run(narrower))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest tests/a.py", "pytest tests/ab.py"),
        ("pytest tests/a.py", "pytest"),
        ("pytest -k a", "pytest"),
        ("pytest -k a", "pytest -k b"),
        ("go test ./pkg", "go test ./pkg/a"),
        ("go test", "go test ./pkg"),
        ("go test ./...", "go test -tags=e2e ./e2e"),
        ("cd a && npm test", "cd b && npm test"),
        ("npm test", "npm run lint-and-test"),
        ("npm run test:unit", "npx vitest run e2e/a.test.ts"),
        ("pytest", "npm test"),
        ("npm test", "pytest && npm test"),
    ],
)
def test_what_may_hold_other_tests_does_not_cover(one: str, other: str) -> None:
    assert not covers(run(one), run(other))


def test_a_whole_test_target_covers_a_run_of_the_runner_it_uses() -> None:
    whole = run("npm test", "      Tests  12 passed (12)")
    part = run("npx vitest run src/a.test.ts", "      Tests  2 passed (2)")
    assert covers(whole, part)
    assert not covers(part, whole)
    assert not covers(run("npm test", "  12 passing (3s)"), part)


RESULTS = [run(row.command, row.output) for row in ROWS[:200]]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(RESULTS), st.sampled_from(RESULTS))
def test_same_and_covering_agree(one: RunResult, other: RunResult) -> None:
    assert same_check(one, other) == same_check(other, one)
    if one.check is not None:
        assert same_check(one, one)
        assert covers(one, one)
    if same_check(one, other):
        assert covers(one, other)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_in_a_check_breaks_the_comparison(one: str, other: str) -> None:
    first = RunResult("pass", "", "pytest", one)
    second = RunResult("pass", "", "pytest", other)
    assert covers(first, second) in (True, False)
    assert same_check(first, second) == (same_check(second, first))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("pytest tests/test_a.py::test_x", "pytest tests/test_a.py::test_y", True),
        ("pytest tests/test_a.py::test_x", "uv run pytest 'tests/test_a.py::test_y[2-3]'", True),
        ("pytest tests/test_a.py -k x", "pytest tests/test_a.py -k y", True),
        ("go test ./pkg -run TestA", "go test ./pkg -run TestB", True),
        ('npx vitest run a.test.ts -t "adds one"', 'npx vitest run a.test.ts -t "adds two"', True),
        ("pytest tests/test_a.py::test_x", "pytest tests/test_b.py::test_x", False),
        ("pytest tests/test_a.py::test_x", "pytest tests/test_a.py", False),
        ("pytest tests/test_a.py", "pytest tests/test_a.py", False),
        ("pytest -k x", "pytest -k y", False),
        ("go test ./pkg -run TestA", "go test ./other -run TestB", False),
        ("pytest tests/test_a.py::test_x", "go test ./tests -run TestX", False),
        ("cd api && pytest tests/test_a.py::test_x", "cd web && pytest tests/test_a.py::test_y", False),
        ("", "pytest tests/test_a.py::test_x", False),
    ],
)
def test_checks_of_single_tests_are_alike_by_their_files(one: str, other: str, alike: bool) -> None:
    first, second = RunResult("pass", "", check=one or None), RunResult("pass", "", check=other)
    assert same_shape(first, second) is alike
    assert same_shape(second, first) is alike
