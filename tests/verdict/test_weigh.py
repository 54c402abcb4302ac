"""What a change weighs."""

from __future__ import annotations

import pytest

from honed.sessions.model import FileChange, Hunk
from honed.verdict.weigh import weigh, weigh_path


@pytest.mark.parametrize(
    ("path", "weight"),
    [
        ("src/app.py", "code"),
        ("requirements.txt", "code"),
        ("requirements-dev.txt", "code"),
        ("CMakeLists.txt", "code"),
        ("package.json", "code"),
        (".github/workflows/ci.yml", "code"),
        ("docs/conf.py", "code"),
        ("README.md", "documentation"),
        ("CHANGELOG", "documentation"),
        ("docs/guide.rst", "documentation"),
        ("notes.txt", "documentation"),
        ("logo.png", "documentation"),
        ("/tmp/try.py", "scratch"),
        ("/private/tmp/x/y.go", "scratch"),
        ("/home/dev/.claude/settings.json", "scratch"),
        ("C:/Users/dev/AppData/Local/Temp/a.py", "scratch"),
        ("test-output.log", "scratch"),
        ("bin/server.exe", "scratch"),
        ("node_modules/left-pad/index.js", "scratch"),
        ("Makefile", "code"),
        ("tmpl/page.html", "code"),
    ],
)
def test_a_path_weighs_by_what_it_is(path: str, weight: str) -> None:
    assert weigh_path(path) == weight


def change(path: str, old: str, new: str) -> FileChange:
    return FileChange(path, "update", (Hunk(old, new),))


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.go", "x := 1 // one", "x := 1 // one"),
        ("a.go", "// Old words\nx := 1", "// New words\nx := 1"),
        ("a.py", "x = 1", "# Says why\nx = 1"),
        ("a.ts", "f( a,\n  b )", "f( a, b )"),
        ("a.py", "x = 1\n\n\n", "x = 1   \n"),
    ],
)
def test_comments_and_white_space_are_formatting(path: str, old: str, new: str) -> None:
    assert weigh(change(path, old, new)) == "formatting"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", "    return x", "return x"),
        ("a.py", "x = 1", "x = 2"),
        ("a.go", "x := 1", "x := 1 //nolint:errcheck\n//nolint:all"),
        ("a.py", "assert x", "# assert x"),
        ("a.py", "import y", "import y\n# type: ignore"),
        ("a.unknown", "# a", "# b"),
        ("a.js", "f('a b')", "f('a  b')"),
    ],
)
def test_what_may_change_behaviour_is_code(path: str, old: str, new: str) -> None:
    assert weigh(change(path, old, new)) == "code"


def test_a_change_of_unknown_content_is_code() -> None:
    assert weigh(FileChange("a.py", "update")) == "code"


@pytest.mark.parametrize(
    ("old", "new", "weight"),
    [
        ("/* old words */\nlet x = 1", "/**\n * New words\n * in three lines.\n */\nlet x = 1", "formatting"),
        ("/* old words */\nlet x = 1", "/* new words */\nlet x = 2", "code"),
        ("glob('/*.js')\nlet x = 1\nglob('*/')", "glob('/*.js')\nlet x = 2\nglob('*/')", "code"),
        ("/* eslint-disable no-var */\nvar x = 1", "/* gone */\nvar x = 1", "code"),
    ],
)
def test_a_block_of_comment_is_no_code(old: str, new: str, weight: str) -> None:
    assert weigh(FileChange("src/a.ts", "update", (Hunk(old, new),))) == weight
