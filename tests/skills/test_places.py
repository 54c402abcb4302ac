"""Paths are told relative to the project, whatever slash, drive or home they came with."""

from __future__ import annotations

import pytest

from honed.skills import places


@pytest.mark.parametrize(
    ("path", "cwd", "root", "expected"),
    [
        ("src/a.py", "/w/shop", None, "src/a.py"),
        ("/w/shop/src/a.py", "/w/shop", "/w/shop", "src/a.py"),
        ("a.py", "/w/shop/api", "/w/shop", "api/a.py"),
        ("../web/a.ts", "/w/shop/api", "/w/shop", "web/a.ts"),
        ("/w/other/a.py", "/w/shop", "/w/shop", None),
        ("../../x.py", "/w/shop/api", "/w/shop", None),
        ("src\\a.go", "D:\\shop", "D:\\shop", "src/a.go"),
        ("/d/shop/src/a.go", "D:\\shop", "D:\\shop", "src/a.go"),
        ("d:/SHOP/src/a.go", "D:\\shop", "D:\\shop", "src/a.go"),
        ("a.py", None, None, "a.py"),
        ("/abs/a.py", None, None, None),
    ],
)
def test_a_path_is_relative_to_the_root_or_outside(
    path: str, cwd: str | None, root: str | None, expected: str | None
) -> None:
    assert places.relative(path, cwd=cwd, root=root) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd /w/shop/api && npx jest", "cd api && npx jest"),
        ("cd /w/shop && pytest", "pytest"),
        ("pytest /w/shop/tests/test_a.py", "pytest tests/test_a.py"),
        ("/home/bob/bin/tool run", "~/bin/tool run"),
        ("pytest", "pytest"),
    ],
)
def test_a_command_loses_the_folder_of_the_project(command: str, expected: str) -> None:
    assert places.shortened(command, cwd="/w/shop", root="/w/shop") == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/cart.py", True),
        ("pkg/cart_test.go", True),
        ("src/cart.test.ts", True),
        ("src/__tests__/cart.ts", True),
        ("conftest.py", True),
        ("CartTest.java", True),
        ("src/contest.py", False),
        ("src/latest/a.py", False),
    ],
)
def test_a_test_is_known_by_its_path(path: str, expected: bool) -> None:
    assert places.is_test(path) is expected
