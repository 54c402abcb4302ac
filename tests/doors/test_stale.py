"""A text that somebody wrote is held against the project as it stands, like a learned one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.doors.conftest import Honed

CART = "def round_total(items):\n    return round(sum(items), 2)\n\n\ndef other(x):\n    return x\n"
SKILL = (
    *("--title", "Round the cart total half up", "--trigger", "round the cart total"),
    *(
        "--steps",
        "In pkg/cart.py change round_total, then `other`, as in new_helper",
        "--files",
        "pkg/cart.py",
    ),
)


@pytest.fixture
def repository(tmp_path: Path, honed: Honed) -> Path:
    """A repository of one module, for which a procedure was written."""
    root = tmp_path / "stale"
    write(root / "pkg/cart.py", CART)
    write(root / "README.md", "x\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    assert honed("learn", "round-cart", *SKILL, cwd=root).code == 0
    return root


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def said(honed: Honed, root: Path) -> str:
    """What the note of a recall warns of, or why the text is withheld; empty where it is told as it is."""
    told = honed("recall", "round the cart total", "--explain", "--json", cwd=root).json
    if told["note"] is None:
        return str(told["withheld"][0]["reason"])
    return str(told["note"]).partition("look first: ")[2].partition(". More")[0]


def test_names_of_a_text_that_its_file_defines_are_its_places(honed: Honed, repository: Path) -> None:
    (file,) = honed("show", "round-cart", "--json", cwd=repository).json["files"]
    assert file == {"path": "pkg/cart.py", "anchors": [{"symbol": "round_total"}, {"symbol": "other"}]}
    assert said(honed, repository) == ""


def test_a_text_whose_function_is_renamed_is_withheld(honed: Honed, repository: Path) -> None:
    write(repository / "pkg/cart.py", CART.replace("round_total", "sum_total").replace("other", "another"))
    assert said(honed, repository) == "outdated: `round_total` is no longer in `pkg/cart.py`"
    write(repository / "pkg/cart.py", CART.replace("2)", "3)"))
    assert said(honed, repository) == ""


def test_a_file_of_a_text_is_found_under_another_name(honed: Honed, repository: Path) -> None:
    os.replace(repository / "pkg/cart.py", repository / "pkg/basket.py")
    assert said(honed, repository) == "`pkg/cart.py` is now `pkg/basket.py`"


def test_the_last_file_of_a_small_repository_is_missed(honed: Honed, repository: Path) -> None:
    (repository / "pkg/cart.py").unlink()
    (repository / "pkg").rmdir()
    assert said(honed, repository) == "outdated: `pkg/cart.py` is gone"


def test_the_same_text_is_known_whatever_its_file_reads_by_now(honed: Honed, repository: Path) -> None:
    write(repository / "pkg/cart.py", "x = 1\n")
    told = honed("learn", "round-cart", *SKILL, "--json", cwd=repository).json
    assert (told["existed"], told["differs"]) == (True, [])
