"""A line that visibly only reads is not parsed for what it writes: it must never be a line that writes."""

from __future__ import annotations

import pytest

from honed.verdict.changes import only_reads, shell_writes


@pytest.mark.parametrize(
    "line",
    [
        "cat a.py | head -20",
        "cd src && grep -rn 'a > b; rm c' . 2>/dev/null | wc -l",
        'git status && git diff "a.py"',
        "sed -n '1,5p' a.py 2>&1",
        "ls && pwd",
        "sed -n '1,200p' /home/dev/voice-assistant-ci/config.py",
        "nl -ba a.py | sed -n '1,5p'",
        'grep -rn "a\\|b\\.c" src | head',
    ],
)
def test_a_line_of_readers_is_not_parsed(line: str) -> None:
    assert only_reads(line)
    assert shell_writes(line, cwd="/w") == ()


@pytest.mark.parametrize(
    "line",
    [
        "echo \"$x it's\"; rm f; echo 'b'",
        'echo "a\nb"; rm f; echo "c\nd"',
        'echo \\"; rm f; echo \\"',
        "cat a > b",
        "cat a &> b",
        "ls\nrm f",
        "ls | (rm f)",
        "ls; { rm f; }",
        "sed -ni s/a/b/ f",
        "sed 's/a/b/' '-i' f",
        'sed 1d "-i" f',
        'grep "a\\\\"; rm f; echo "b"',
        "echo $(rm f)",
        "git diff; git commit -m x",
        "git stash",
        "pwd git commit -m x",
        "cat <<E > f\nx\nE",
    ],
)
def test_a_line_that_writes_is_parsed_whatever_it_looks_like(line: str) -> None:
    assert not only_reads(line)
    assert shell_writes(line, cwd="/w")
