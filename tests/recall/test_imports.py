"""What a hook loads when it recalls (docs/decisions/0004)."""

from __future__ import annotations

import os
import subprocess
import sys

import snowballstemmer

import honed
from tests.recall.making import CART, LATER, Shelf

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(honed.__file__)))
FLOOR = "import __future__, sqlite3, json, re, os, sys, time, math"
PROGRAM = """
import sys
sys.path.insert(0, {source!r})
from honed.recall.recall import recall
from honed.store.place import Place
from honed.store.reading import open_readonly
with open_readonly({home!r}) as reader:
    found = recall(reader, "the cart total is off by a cent", Place("/work/shop", "/work/shop"), now={now!r})
    assert found.note, found
"""


def modules(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"{program}\nprint(*sys.modules)"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    return set(done.stdout.split())


def test_a_whole_recall_loads_nothing_but_the_cheap_part_of_the_standard_library(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    loaded = modules(PROGRAM.format(source=SOURCE, home=shelf.home, now=LATER)) - modules(FLOOR)
    assert {name for name in loaded if name.partition(".")[0] not in ("honed", "_honed_snowball")} == set()


def test_a_recall_loads_the_stemmer_of_its_language_only(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    site = os.path.dirname(os.path.dirname(os.path.abspath(snowballstemmer.__file__)))
    program = PROGRAM.format(source=SOURCE, home=shelf.home, now=LATER).replace(
        "import sys\n", f"import sys\nsys.path.append({site!r})\n", 1
    )
    loaded = modules(program)
    assert "honed.skills.english" in loaded
    assert not [name for name in loaded if name.startswith("_honed_snowball")]
    spoken = program.replace("the cart total is off by a cent", "округли сумму корзины до цента")
    assert spoken != program
    spoken = spoken.replace("    assert found.note, found\n", "")
    stemmers = {name for name in modules(spoken) if name.endswith("_stemmer")}
    assert stemmers == {"_honed_snowball.russian_stemmer"}


def test_what_the_database_engine_asks_for_while_it_loads_is_not_loaded() -> None:
    loaded = modules(f"import sys\nsys.path.insert(0, {SOURCE!r})\nfrom honed.store.reading import Reader")
    assert "_sqlite3" in loaded
    assert not loaded & {"functools", "collections", "operator", "types"}


def test_who_loads_functools_after_the_engine_gets_the_real_one(shelf: Shelf) -> None:
    shelf.keep({"cart": CART})
    program = PROGRAM.format(source=SOURCE, home=shelf.home, now=LATER)
    after = "import functools, sqlite3\nassert functools.__file__ and functools.partial\n"
    again = "assert sqlite3.connect(':memory:').execute('SELECT 1').fetchone() == (1,)"
    modules(f"{program}\n{after}{again}")
    modules(f"import functools\n{program}\n{after}{again}")
