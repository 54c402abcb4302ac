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
    "tests/test_cart.py": "class TestCart:\n    pass\n\n\ndef test_total():\n    pass\n",
    "shop/check.py": "",
    "tox.ini": "[tox]\nenvlist = py{39,310}-django{41,42}, style\n[testenv:docs]\ncommands = true\n",
    "noxfile.py": '@nox.session(python=["3.11"])\ndef tests(session):\n    pass\n',
    "crate/Cargo.toml": '[package]\nname = "a"\n[features]\nfast = []\n[dependencies]\nserde = "1"\n',
    "crate/tests/login.rs": "",
    "space/Cargo.toml": '[workspace]\nmembers = ["a"]\n',
    "pyproject.toml": '[tool.poe.tasks]\ncheck = "pytest"\n[tool.poe.tasks.lint]\ncmd = "ruff"\n',
    "Taskfile.yml": "version: 3\ntasks:\n  check:\n    cmds: [pytest]\n",
    "settings.gradle": "include ':core', ':web:api'\n",
    "pom.xml": "<project/>",
    "gradlew": "",
    "lib/cart.js": "",
    ".git": "",
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
        ("npx jest src/cart.test.ts", "`src/cart.test.ts` is gone"),
        ("node --test lib/cart.test.js", "`lib/cart.test.js` is gone"),
        ("./run.sh", "`run.sh` is gone"),
        ("pytest test_old.py", "`test_old.py` is gone"),
        ("pytest spec/test_old.py", "`spec/test_old.py` is gone"),
        ("pytest tests/test_cart.py::test_sum", "`tests/test_cart.py` has no test `test_sum` any more"),
        (
            "pytest tests/test_cart.py::TestSum::test_a",
            "`tests/test_cart.py` has no class `TestSum` any more",
        ),
        ("python -m unittest tests/test_old.py", "`tests/test_old.py` is gone"),
        ("python -m shop.verify", "the module `shop.verify` is gone"),
        ("tox -e lint", "tox.ini has no environment `lint` any more"),
        ("tox -q -e docs,lint -- -x", "tox.ini has no environment `lint` any more"),
        ("uv run tox -e py310-flask", "tox.ini has no environment `py310-flask` any more"),
        ("nox -s lint", "noxfile.py has no session `lint` any more"),
        ("cd crate && cargo test --features slow", "Cargo.toml has no feature `slow` any more"),
        ("cd crate && cargo test --test cart", "`tests/cart.rs` is gone"),
        ("poetry run poe test", "pyproject.toml has no task `test` any more"),
        ("task test", "Taskfile.yml has no task `test` any more"),
        ("./gradlew :old:test", "settings.gradle has no module `old` any more"),
        ("mvn -q -pl old test", "the module `old` is gone"),
        ("npm --prefix web run unit", "package.json has no script `unit` any more"),
        ("npm run -s test", "package.json has no script `test` any more"),
        ("yarn test:unit", "package.json has no script `test:unit` any more"),
        ("make -j4 test", "Makefile has no target `test` any more"),
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
        "make -j4 check",
        "make -f other.mk test",
        "npm --prefix web test",
        "npm run -s check",
        "yarn dlx x",
        "pytest tests/test_cart.py::test_total",
        "pytest tests/test_cart.py::TestCart::test_of_its_base",
        "python -m shop.check",
        "python -m unittest tests.test_cart",
        "python -m pytest -q",
        "python -m http.server",
        "tox -e py310-django42",
        "tox -e style",
        "tox -e py312",
        "tox -e docs",
        "tox",
        "nox -s tests-3.11",
        "nox -s 'tests(django=4)'",
        "cd crate && cargo test --features fast,serde,a/b --test login",
        "cd space && cargo test --features any --test any",
        "cargo test -p a --features any",
        "poe lint",
        "task check",
        "./gradlew :web:api:test --tests a.B",
        "gradle test",
        "mvn -pl tests test",
        "node --test dist/cart.test.js",
        "python tests/test_cart.py > report.py",
        "npx esbuild tests/test_cart.py -o made/bundle.js",
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
        "",
    ],
)
def test_a_check_that_is_there_or_cannot_be_told_is_left_alone(check: str) -> None:
    assert lost(check) == ""


def test_of_a_folder_that_is_no_checkout_a_file_that_is_missing_tells_nothing() -> None:
    for check in ("pytest test_old.py", "pytest spec/test_old.py", "npx jest src/a.test.ts", "./run.sh"):
        assert lost_check(check, lambda _: None, lambda path: path in ("README.md", "docs")) == ""


def test_of_an_empty_folder_nothing_is_told() -> None:
    for check in ("npm test", "make test", "just test", "pytest tests/test_a.py", "./scripts/test.sh"):
        assert lost_check(check, lambda _: None, lambda _: False) == ""


@given(st.text(max_size=60))
def test_no_check_raises(check: str) -> None:
    lost(check)
