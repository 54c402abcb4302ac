"""Reading a call by its tool's row, and the step it becomes."""

from __future__ import annotations

from typing import get_args

import pytest

from honed.sessions.calls import (
    CHANGED,
    Outcome,
    Place,
    Tool,
    begin,
    finish,
    hunks_of_diff,
    inside,
    placed,
    replaced,
    worded,
    written,
)
from honed.sessions.model import FileChange, Hunk, StepStatus

PLACE = Place(4, 9, cwd="/home/dev/shop")
EDIT = Tool("edit", changes=lambda _: (replaced("a.py", [("1", "2")]),))


@pytest.mark.parametrize("status", get_args(StepStatus))
def test_only_what_came_about_counts_as_changed(status: StepStatus) -> None:
    step = finish(begin("c", "edit", EDIT, {}, PLACE), Outcome(status), 5)
    assert bool(step.changes) == (status in CHANGED)
    assert (step.started, step.finished, step.line) == (4, 5, 9)


def test_a_row_says_where_the_arguments_stand() -> None:
    tool = Tool("shell", command="cmd", cwd="dir", background="later")
    call = begin("c", "sh", tool, {"cmd": "make", "dir": "api", "later": True}, PLACE)
    assert (call.command, call.cwd, call.background) == ("make", "/home/dev/shop/api", True)


def test_reads_take_one_path_or_many() -> None:
    tool = Tool("read", reads=("path", "paths"))
    assert begin("c", "read", tool, {"path": "a", "paths": ["b", 3, "", "c"]}, PLACE).reads == ("a", "b", "c")


@pytest.mark.parametrize(
    ("tool", "query"),
    [
        (Tool("search", query=("pattern", "path", "missing")), 'tax ["src"]'),
        (Tool("mcp"), '{"pattern": "tax", "path": ["src"]}'),
        (Tool("read"), ""),
    ],
)
def test_the_query_is_what_the_row_names_or_all_of_it(tool: Tool, query: str) -> None:
    assert begin("c", "x", tool, {"pattern": "tax", "path": ["src"]}, PLACE).query == query


def test_an_agent_is_told_with_its_kind() -> None:
    tool = Tool("agent", variant="kind")
    assert begin("c", "task", tool, {"kind": "explore"}, PLACE).tool == "task:explore"
    assert begin("c", "task", tool, {}, PLACE).tool == "task"


@pytest.mark.parametrize(
    ("base", "folder", "there"),
    [
        ("/a", None, "/a"),
        ("/a", ".", "/a"),
        ("/a/", "./b", "/a/b"),
        ("/a", "/b", "/b"),
        ("/a", "~/b", "~/b"),
        ("C:\\a", "b", "C:\\a\\b"),
        ("C:\\a", "D:\\b", "D:\\b"),
        (None, "b", "b"),
        (None, None, None),
    ],
)
def test_a_folder_is_seen_from_where_the_session_stands(
    base: str | None, folder: str | None, there: str | None
) -> None:
    assert inside(base, folder) == there


def test_a_diff_is_cut_into_its_stretches() -> None:
    diff = (
        "--- a\n+++ a\n@@ -1,4 +1,4 @@\n-one\n+ONE\n two\n\n--- three\n\\ No newline at end of file\n+THREE\n"
    )
    assert hunks_of_diff(diff) == (Hunk("one", "ONE"), Hunk("-- three", "THREE", "two"))
    assert hunks_of_diff("no diff") == ()


def test_the_one_stretch_of_an_edit_takes_its_place_from_the_diff() -> None:
    diff = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n def f():\n-x\n+y\n"
    one = (replaced("a.py", [("  x", "  y")]),)
    assert placed(one, diff) == (FileChange("a.py", "update", (Hunk("  x", "  y", "def f():"),)),)
    two = (replaced("a.py", [("x", "y"), ("z", "w")]),)
    assert placed(two, diff) == two
    assert placed(one, "") == one


def test_a_written_file_is_one_stretch_without_an_old_text() -> None:
    assert written("a.py", "x", new=True) == FileChange("a.py", "create", (Hunk("", "x"),))
    assert written("a.py", "x", new=False).action == "update"


def test_the_first_phrase_that_stands_in_a_text_decides() -> None:
    table: dict[StepStatus, tuple[str, ...]] = {"rejected": ("denied",), "interrupted": ("stopped",)}
    assert worded("Stopped, then DENIED", table, "failed") == "rejected"
    assert worded("was stopped", table, "failed") == "interrupted"
    assert worded("no", table, "failed") == "failed"
