"""The pages say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.docs import DOCS, PAGES

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_generated_page_is_what_the_code_says_now(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md")), ids=str)
def test_every_link_to_a_file_leads_to_one(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_package_that_honed_needs_has_its_line() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = re.search(r"^dependencies = \[(.*?)^\]", project, re.DOTALL | re.MULTILINE)
    assert needed is not None
    told = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").lower()
    names = re.findall(r'"([A-Za-z0-9_.-]+)', needed[1])
    assert names
    assert [name for name in names if name.lower() not in told] == []
