"""What the tools of Claude Code are, and which files they changed."""

from __future__ import annotations

from typing import Any

import pytest

from honed.sessions.model import FileChange, Hunk
from tests.sessions.build_claude import CART, Transcript, read


@pytest.mark.parametrize(
    ("name", "given", "kind", "query", "reads"),
    [
        ("Read", {"file_path": CART}, "read", "", (CART,)),
        ("Grep", {"pattern": "total", "path": "src"}, "search", "total", ()),
        ("Glob", {"pattern": "**/*.py"}, "search", "**/*.py", ()),
        ("WebFetch", {"url": "https://example.org", "prompt": "x"}, "web", "https://example.org", ()),
        ("WebSearch", {"query": "round half up"}, "web", "round half up", ()),
        ("Skill", {"skill": "commit"}, "skill", "commit", ()),
        ("TodoWrite", {"todos": []}, "plan", "", ()),
        ("AskUserQuestion", {"questions": []}, "plan", "", ()),
        ("mcp__tracker__create", {"title": "ä"}, "mcp", '{"title": "ä"}', ()),
        ("PowerShell", {"command": "dir"}, "shell", "", ()),
        ("NewTool", {"x": 1}, "other", "", ()),
    ],
)
def test_each_tool_has_its_kind(
    name: str, given: dict[str, Any], kind: str, query: str, reads: tuple[str, ...]
) -> None:
    step = read(Transcript().call("t1", name, given).result("t1", "done", error=None)).step
    assert (step.kind, step.tool, step.query, step.reads, step.status) == (kind, name, query, reads, "ok")
    assert step.command == (given.get("command") if kind == "shell" else None)


def test_a_file_changed_outside_is_a_step_of_nobody_here() -> None:
    told = read(Transcript().user("go").attachment("edited_text_file", filename=CART, snippet="1\tx = 2"))
    step = told.step
    assert (step.kind, step.actor, step.tool, step.status) == ("edit", "outside", "outside", "ok")
    assert step.changes == (FileChange(CART, "update"),)


def changes(name: str, given: dict[str, Any], told: Any, content: str = "ok") -> tuple[FileChange, ...]:
    transcript = Transcript().call("t1", name, given).result("t1", content, error=None, told=told)
    return read(transcript).step.changes


def test_a_patch_becomes_hunks_without_context() -> None:
    original = "import os\n\nclass Cart:\n    def total(self):\n        a = 1\n        b = 2\n        c = 3\n"
    patch = [
        {
            "oldStart": 4,
            "lines": [
                "     def total(self):",
                "-        a = 1",
                "+        a = 10",
                "         b = 2",
                "-        c = 3",
                "\\ No newline at end of file",
                "+        c = 30",
                "+        d = 40",
            ],
        }
    ]
    told = {"filePath": CART, "originalFile": original, "structuredPatch": patch}
    assert changes("Edit", {"file_path": CART}, told) == (
        FileChange(
            CART,
            "update",
            (
                Hunk("        a = 1", "        a = 10", "def total(self):"),
                Hunk("        c = 3", "        c = 30\n        d = 40", "def total(self):"),
            ),
        ),
    )


def test_the_heading_is_the_enclosing_symbol_even_far_above_the_patch() -> None:
    body = "".join(f"    step_{number}()\n" for number in range(100))
    told = {
        "filePath": CART,
        "originalFile": f"def run():\n{body}",
        "structuredPatch": [{"oldStart": 61, "lines": ["     step_59()", "-    step_60()", "+    other()"]}],
    }
    (change,) = changes("Edit", {}, told)
    assert change.hunks == (Hunk("    step_60()", "    other()", "def run():"),)


def test_without_a_symbol_the_heading_is_the_nearest_line_above() -> None:
    told = {
        "filePath": "a.toml",
        "structuredPatch": [{"oldStart": 9, "lines": [" [tool]", " ", "-a = 1", "+a = 2"]}],
    }
    (change,) = changes("Edit", {}, told)
    assert change.hunks == (Hunk("a = 1", "a = 2", "[tool]"),)


def test_without_a_patch_the_replaced_strings_serve() -> None:
    given = {
        "file_path": CART,
        "old_string": "def f():\n    a\n    z",
        "new_string": "def f():\n    b\n    z",
    }
    expected = (FileChange(CART, "update", (Hunk("    a", "    b", "def f():"),)),)
    assert changes("Edit", given, ...) == expected
    assert changes("Edit", given, {"stdout": "ok", "exitCode": 0}) == expected


def test_several_edits_of_one_call_are_several_hunks() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    (change,) = changes("MultiEdit", {"file_path": CART, "edits": edits}, ...)
    assert change.hunks == (Hunk("a", "b"), Hunk("c", "d"))


def test_a_written_file_is_created_or_updated() -> None:
    given = {"file_path": CART, "content": "x = 1\n"}
    created = {"type": "create", "filePath": CART, "content": "x = 1\n", "structuredPatch": []}
    assert changes("Write", given, created) == (FileChange(CART, "create", (Hunk("", "x = 1\n"),)),)
    updated = {
        "type": "update",
        "filePath": CART,
        "content": "x = 1\n",
        "originalFile": "x = 0\n",
        "structuredPatch": [{"oldStart": 1, "lines": ["-x = 0", "+x = 1"]}],
    }
    assert changes("Write", given, updated) == (FileChange(CART, "update", (Hunk("x = 0", "x = 1"),)),)
    assert changes("Write", given, {**updated, "originalFile": "x = 1\n", "structuredPatch": []}) == ()
    assert changes("Write", given, ...) == (FileChange(CART, "update", (Hunk("", "x = 1\n"),)),)


def test_a_notebook_cell_is_a_change_of_the_notebook() -> None:
    given = {"notebook_path": "a.ipynb", "cell_id": "c3", "new_source": "x = 1"}
    assert changes("NotebookEdit", given, ...) == (
        FileChange("a.ipynb", "update", (Hunk("", "x = 1", "cell c3"),)),
    )


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ("<tool_use_error>File has not been read yet. Read it first</tool_use_error>", "failed"),
        ("<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>", "failed"),
        ("The user doesn't want to proceed with this tool use. The tool use was rejected", "rejected"),
        ("<tool_use_error>InputValidationError: Edit failed</tool_use_error>", "never_ran"),
    ],
)
def test_an_edit_that_was_not_made_changes_nothing(content: str, status: str) -> None:
    given = {"file_path": CART, "old_string": "a", "new_string": "b"}
    step = read(Transcript().call("t1", "Edit", given).result("t1", content, error=True)).step
    assert (step.status, step.changes) == (status, ())


def test_a_result_without_its_call_is_told_if_it_says_what_changed() -> None:
    told = {"filePath": CART, "structuredPatch": [{"oldStart": 1, "lines": ["-a", "+b"]}]}
    transcript = Transcript().user("go").result("gone1", "updated", error=None, told=told)
    transcript.result("gone2", "text", told={"stdout": "text"})
    step = read(transcript).step
    assert (step.id, step.kind, step.changes[0].hunks) == ("gone1", "edit", (Hunk("a", "b"),))


def test_a_change_knows_the_unchanged_lines_right_behind_it() -> None:
    patch = [
        {"oldStart": 1, "lines": ["-a = 1", "+a = 2", " b = 3", "-c = 4", "+c = 5"]},
        {"oldStart": 40, "lines": [" above", "-d = 1", "+d = 2", " end"]},
    ]
    (change,) = changes("Edit", {}, {"filePath": CART, "structuredPatch": patch})
    assert [hunk.below for hunk in change.hunks] == ["b = 3", "", "end"]


def test_a_replaced_string_knows_what_it_shares_with_the_new_one_at_its_end() -> None:
    (change,) = changes("Edit", {"file_path": CART, "old_string": "a\ny\nz", "new_string": "b\ny\nz"}, {})
    assert change.hunks[0].below == "y\nz"
