"""The page of mistakes made elsewhere names tests that exist, and leaves none out."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "bug-classes.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[1:-1] for line in PAGE.splitlines() if re.match(r"\| \d", line)]


def test_every_kind_has_its_row_and_says_what_stands_against_it() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 114))
    assert {row[2].strip() for row in ROWS} == {"design", "test", "n/a", "open"}
    assert all(row[3].strip() for row in ROWS)


def test_every_test_that_is_named_exists() -> None:
    there = set[str]()
    for path in (ROOT / "tests").rglob("test_*.py"):
        there.update(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    named = {name for row in ROWS for name in re.findall(r"`(test_\w+)`", row[3])}
    # The second table of the page is of other users' reports: every row of it names a test.
    reports = [line for line in PAGE.partition("\n## Reports of")[2].splitlines() if line.startswith("| ")][
        1:
    ]
    assert len(reports) > 10
    assert all(re.search(r"`test_\w+`", line) for line in reports)
    named |= {name for line in reports for name in re.findall(r"`(test_\w+)`", line)}
    assert named - there == set()
    assert all(re.search(r"`test_\w+`", row[3]) for row in ROWS if row[2].strip() == "test")
