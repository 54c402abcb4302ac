"""Whether a check can still be run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.lost_checks import lost_check

PROJECT = {
    "package.json": '{"scripts": {"check": "jest", "build": "tsc"}}',
    "web/package.json": '{"scripts": {"test": "vitest"}}',
    "bad/package.json": "{",
    "composer.json": '{"scripts": {"test": "phpunit"}}',
    "Makefile": ".PHONY: check\ncheck lint: build\n\tpytest\nbuild:\n\ttrue\n",
    "inc/Makefile": "include ../common.mk\n",
    "justfile": "@check *args:\n    pytest {{args}}\n",
    "tests/test_login.py": "",
    "scripts/test.sh": "",
}


def lost(check: str) -> str:
    return lost_check(
        check, PROJECT.get, lambda path: any(p == path or p.startswith(path + "/") for p in PROJECT)
    )


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("npm test", "package.json has no script `test` any more"),
        ("npm run test", "package.json has no script `test` any more"),
        ("pnpm run lint", "package.json has no script `lint` any more"),
        ("CI=1 npm t", "package.json has no script `test` any more"),
        ("cd api && npm test", "the folder `api` is gone"),
        ("cd tests && npm test", "there is no package.json in `tests` any more"),
        ("composer run fix", "composer.json has no script `fix` any more"),
        ("make test", "Makefile has no target `test` any more"),
        ("make -C web test", "there is no Makefile in `web` any more"),
        ("just test", "justfile has no target `test` any more"),
        ("pytest -q tests/test_old.py::test_a", "`tests/test_old.py` is gone"),
        ("cd tests && pytest test_old.py", "`tests/test_old.py` is gone".replace("tests/", "")),
        ("./scripts/check.sh", "`scripts/check.sh` is gone"),
        ("npx jest web/cart.test.ts", "`web/cart.test.ts` is gone"),
    ],
)
def test_a_check_that_is_gone_is_told_by_what_is_missing(check: str, said: str) -> None:
    assert lost(check) == said


@pytest.mark.parametrize(
    "check",
    [
        "npm run check",
        "yarn jest",
        "bun test",
        "cd web && npm test",
        "cd bad && npm test",
        "cd /elsewhere && npm test",
        "npm test && npm run build",
        "npm --workspace web test",
        "composer test",
        "make check lint",
        "make",
        "make -j4 test",
        "make -C inc test",
        "make $(TARGET)",
        "just check fast",
        "pytest -q",
        "pytest tests/test_login.py::test_a[x]",
        "pytest -k 'not slow' tests",
        "./scripts/test.sh --fast",
        "go test ./...",
        "cargo test",
        "mvn test",
        "npx jest src/cart.test.ts",
        "",
    ],
)
def test_a_check_that_is_there_or_cannot_be_told_is_left_alone(check: str) -> None:
    assert lost(check) == ""


def test_of_an_empty_folder_nothing_is_told() -> None:
    for check in ("npm test", "make test", "just test", "pytest tests/test_a.py", "./scripts/test.sh"):
        assert lost_check(check, lambda _: None, lambda _: False) == ""


@given(st.text(max_size=60))
def test_no_check_raises(check: str) -> None:
    lost(check)
