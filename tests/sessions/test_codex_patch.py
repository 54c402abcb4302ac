"""Patches: from the text that an agent sent, or the record of what was done, to changed files."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.sessions.codex_patch import changes_of_event, changes_of_patch, hunks_of, patch_in_shell
from honed.sessions.model import FileChange, Hunk
from tests.sessions.build_codex import UPDATE, patch


def test_every_kind_of_change_is_read() -> None:
    text = patch(
        "*** Add File: web/a.ts\n+one\n+\n+two",
        "*** Delete File: old.py",
        "*** Update File: b.py\n*** Move to: c.py\n@@\n keep\n-x\n+y",
        UPDATE,
    )
    assert changes_of_patch(text) == (
        FileChange("web/a.ts", "create", (Hunk("", "one\n\ntwo"),)),
        FileChange("old.py", "delete"),
        FileChange("c.py", "rename", (Hunk("x", "y", "keep"),), "b.py"),
        FileChange(
            "cart.py", "update", (Hunk("    return amount - 1", "    return amount", "def total(items):"),)
        ),
    )


def test_stretches_apart_are_hunks_of_their_own_under_the_nearest_line_above() -> None:
    body = "@@ class Cart:\n-a\n+b\n def total(self):\n     rest\n-c\n-d\n\n+e\n"
    body += "@@ -1,2 +1,2 @@ def other():\n-f\n+g\n@@\n-h"
    assert hunks_of(body.split("\n")) == (
        Hunk("a", "b", "class Cart:"),
        Hunk("c\nd", "", "rest"),
        Hunk("", "e", "rest"),
        Hunk("f", "g", "def other():"),
        Hunk("h", "", ""),
    )


def test_a_patch_without_an_end_or_with_a_foreign_line_is_read_as_far_as_it_goes() -> None:
    text = "*** Begin Patch\n*** Environment ID: x\n*** Update File: a.py\r\n@@\n-x\n+y\n*** End of File"
    assert changes_of_patch(text) == (FileChange("a.py", "update", (Hunk("x", "y"),)),)
    assert changes_of_patch("no patch") == ()


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"/a": {"type": "add", "content": "x\ny\n"}}, FileChange("/a", "create", (Hunk("", "x\ny"),))),
        ({"/a": {"add": {"content": ""}}}, FileChange("/a", "create")),
        ({"/a": {"type": "delete", "content": "x\n"}}, FileChange("/a", "delete", (Hunk("x", ""),))),
        (
            {
                "/a": {
                    "type": "update",
                    "unified_diff": "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n",
                    "move_path": None,
                }
            },
            FileChange("/a", "update", (Hunk("x", "y"),)),
        ),
        (
            {"/a": {"update": {"unified_diff": "@@ -1 +1 @@\n-x\n+y", "move_path": "/b"}}},
            FileChange("/b", "rename", (Hunk("x", "y"),), "/a"),
        ),
        ({"/a": None}, FileChange("/a", "update")),
    ],
)
def test_the_record_of_a_change_is_read_in_every_form(changes: dict[str, Any], found: FileChange) -> None:
    assert changes_of_event(changes) == (found,)


PATCH = patch(UPDATE)


@pytest.mark.parametrize(
    ("script", "alone", "folder"),
    [
        (f"apply_patch <<'EOF'\n{PATCH}EOF", True, None),
        (f'apply_patch <<"PATCH"\n{PATCH}PATCH\n', True, None),
        (f"cd 'my dir' && apply_patch <<EOF\n{PATCH}EOF\n", True, "my dir"),
        (f"apply_patch '{PATCH}'", True, None),
        (f"applypatch <<'EOF' && pytest\n{PATCH}EOF", False, None),
        (f"make; apply_patch <<'EOF'\n{PATCH}EOF", False, None),
        (f"apply_patch <<'A'\n{PATCH}A\napply_patch <<'B'\n{PATCH}B", False, None),
    ],
)
def test_a_patch_in_a_command_line_is_found(script: str, alone: bool, folder: str | None) -> None:
    found = patch_in_shell(script)
    assert found is not None
    assert (found.alone, found.folder) == (alone, folder)
    assert changes_of_patch(found.text)[0].path == "cart.py"


@pytest.mark.parametrize(
    "script",
    [
        "git apply x.patch",
        "cat <<'EOF' > patch.txt\n" + PATCH + "EOF",
        "grep -n '*** Begin Patch' apply_patch.md",
    ],
)
def test_a_command_that_only_mentions_patches_applies_none(script: str) -> None:
    assert patch_in_shell(script) is None


LINE = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=12)
RUN = st.lists(LINE, min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(RUN, RUN), min_size=1, max_size=4))
def test_what_a_patch_replaces_is_what_was_written(runs: list[tuple[list[str], list[str]]]) -> None:
    body = []
    for old, new in runs:
        body += ["@@", *(f"-{line}" for line in old), *(f"+{line}" for line in new)]
    text = patch("*** Update File: a.py\n" + "\n".join(body))
    (change,) = changes_of_patch(text)
    assert [(h.old.split("\n"), h.new.split("\n")) for h in change.hunks] == [(o, n) for o, n in runs]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "*** Begin Patch",
                "*** Update File: a",
                "*** Move to: b",
                "@@ x",
                "-a",
                "+b",
                "EOF",
                "apply_patch <<'EOF'",
                "",
                "*** End Patch",
                "'",
            ]
        ),
        max_size=14,
    )
)
def test_no_text_raises(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = patch_in_shell(text)
    for change in changes_of_patch(found.text if found else text):
        assert change.path in ("a", "b")


def test_a_stretch_knows_the_unchanged_lines_right_behind_it() -> None:
    more = "\n".join(f" l{number}" for number in range(9))
    first, second = hunks_of(f"@@\n-a\n+b\n{more}\n@@\n above\n-c\n+d\n end".split("\n"))
    assert first.below == "l0\nl1\nl2\nl3\nl4"
    assert second.below == "end"
