"""Finding by meaning: beside the words, within a scope, never instead of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import honed
from honed import asking
from honed.embedding.providers import model_of
from honed.ledger import events
from honed.meaning import embed
from honed.memory import Memory
from honed.recall.recall import recall, search
from honed.recall.semantic import Sense
from honed.store.sqlite import SqliteStore
from tests.embedding.speaking import Heard
from tests.recall.making import FORGE, LATER, SHOP, Shelf, by_hand, passed, titled

THAW = titled("Thaw icebound conduits", "winter", "Warm water first.")
OTHERS = {
    "colors": titled("Pick chart colors", "a chart is hard to read", "Use the palette."),
    "invoice": titled("Round invoice totals", "an invoice is off by a cent", "Round half up."),
}
ASKED = "unfreeze tubes"
"""No word of it stands in any skill."""


def embedded(shelf: Shelf, heard: Heard) -> Sense:
    with SqliteStore.open(shelf.home) as store:
        embed(store, heard.address)
    return Sense(model_of(heard.address))


def test_a_skill_is_found_by_what_it_means(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, **OTHERS})
    sense = embedded(shelf, heard)
    with shelf.reader() as reader:
        assert search(reader, ASKED, SHOP, now=LATER).hits == ()
        found = search(reader, ASKED, SHOP, now=LATER, sense=sense, explain=True)
    assert [hit.slug for hit in found.hits] == ["thaw"]
    assert found.mode == "hybrid"
    assert any("meaning: cosine" in line for line in found.hits[0].why)


def test_a_skill_is_found_by_what_it_was_used_for_in_other_words(shelf: Shelf, heard: Heard) -> None:
    shelf.keep(OTHERS)
    shelf.note(passed(shelf.ids["colors"], "s1", request="unlock the pipes"))
    sense = embedded(shelf, heard)
    with shelf.reader() as reader:
        found = search(reader, ASKED, SHOP, now=LATER, sense=sense, explain=True)
        told = recall(reader, ASKED, SHOP, now=LATER, sense=sense)
    assert [hit.slug for hit in found.hits] == ["colors"]
    assert found.hits[0].weak
    assert any("of the likest request that it was used for" in line for line in found.hits[0].why)
    assert told.note is None


def test_what_a_use_means_is_forgotten_with_the_use(shelf: Shelf, heard: Heard) -> None:
    shelf.keep(OTHERS)
    skill, occasion = shelf.ids["colors"], events.Occasion("codex", "s1", "r1", "2026-03-10T10:00:00Z")
    use = {"task": "tk_1", "applied": True, "authority": "exit", "request": "unlock the pipes"}
    shelf.note(events.evidence(occasion, skill, "test_passed", **use))  # type: ignore[arg-type]
    sense = embedded(shelf, heard)

    def found() -> list[str]:
        with shelf.reader() as reader:
            return [hit.slug for hit in search(reader, ASKED, SHOP, now=LATER, sense=sense).hits]

    assert found() == ["colors"]
    taken_back = events.Occasion("codex", "s1", "r2", LATER)
    shelf.note(events.withdrawn(taken_back, skill, "tk_1", "it went stale"))
    assert found() == []
    embedded(shelf, heard)
    assert found() == []


def test_what_is_forgotten_is_found_neither_by_words_nor_by_meaning_and_a_purge_takes_its_bytes(
    shelf: Shelf, heard: Heard
) -> None:
    rare = "xylographqua"
    shelf.keep({"thaw": titled("Thaw icebound conduits", "winter", f"Warm water first, {rare}."), **OTHERS})
    sense = embedded(shelf, heard)

    def found(words: str) -> list[str]:
        with shelf.reader() as reader:
            return [hit.slug for hit in search(reader, words, SHOP, now=LATER, sense=sense).hits]

    assert found(ASKED) == found(rare) == ["thaw"]
    with Memory.open(shelf.home) as memory:
        memory.show(shelf.ids["thaw"], "/")
        memory.forget(shelf.ids["thaw"], "/")
    assert "thaw" not in found(ASKED) + found(rare)
    with Memory.open(shelf.home) as memory:
        memory.maintain()
        memory.rebuild()
    with SqliteStore.open(shelf.home) as store:
        embed(store, heard.address)
    assert "thaw" not in found(ASKED) + found(rare)
    with Memory.open(shelf.home) as memory:
        memory.purge(shelf.ids["thaw"], "/")
        memory.maintain()
    files = [path for path in Path(shelf.home).rglob("*") if path.is_file()]
    assert [path.name for path in files if rare.encode() in path.read_bytes()] == []
    assert "thaw" not in found(ASKED) + found(rare)


def test_meaning_alone_is_never_said_unasked(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, **OTHERS})
    sense = embedded(shelf, heard)
    with shelf.reader() as reader:
        assert recall(reader, ASKED, SHOP, now=LATER, sense=sense).note is None


def test_meaning_finds_nothing_of_another_project(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW})
    shelf.keep(OTHERS, FORGE)
    sense = embedded(shelf, heard)
    with shelf.reader() as reader:
        assert search(reader, ASKED, FORGE, now=LATER, sense=sense).hits == ()
        assert len(search(reader, ASKED, SHOP, now=LATER, sense=sense).hits) == 1


def test_vectors_in_memory_follow_what_is_written(shelf: Shelf, heard: Heard) -> None:
    shelf.keep(OTHERS)
    sense = embedded(shelf, heard)

    def found() -> list[str]:
        with shelf.reader() as reader:
            return [hit.slug for hit in search(reader, ASKED, SHOP, now=LATER, sense=sense).hits]

    assert found() == []
    shelf.keep({"thaw": THAW})
    embedded(shelf, heard)
    assert found() == ["thaw"]
    shelf.note(by_hand("archived", shelf.ids["thaw"]))
    assert found() == []


def test_without_vectors_the_mode_is_lexical(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW})
    sense = Sense(model_of(heard.address))
    with shelf.reader() as reader:
        assert search(reader, "thaw conduits", SHOP, now=LATER, sense=sense).mode == "lexical"


def test_a_model_that_fails_leaves_the_words(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, **OTHERS})
    sense = embedded(shelf, heard)
    heard.status = 500
    with shelf.reader() as reader:
        found = search(reader, "thaw conduits", SHOP, now=LATER, sense=sense)
    assert (found.mode, [hit.slug for hit in found.hits]) == ("lexical", ["thaw"])


def test_what_is_asked_is_redacted_before_it_leaves(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW})
    sense = embedded(shelf, heard)
    secret = "ghp_" + "a1B2" * 9
    with shelf.reader() as reader:
        search(reader, f"thaw with {secret}", SHOP, now=LATER, sense=sense)
    assert not any(secret in text for text in heard.texts)


def test_the_setting_decides_and_who_has_no_patience_gets_words(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, **OTHERS})
    with Memory.open(shelf.home) as memory:
        memory.configure("semantic.model", heard.address)
        memory.embed(lambda _made, _all: None)
    asked = {"cwd": SHOP, "now": LATER}
    assert asking.search(shelf.home, ASKED, patience=5.0, **asked).mode == "hybrid"  # type: ignore[arg-type]
    assert asking.search(shelf.home, ASKED, **asked).mode == "lexical"  # type: ignore[arg-type]
    with Memory.open(shelf.home) as memory:
        memory.configure("semantic.model", "none")
    assert asking.search(shelf.home, ASKED, patience=5.0, **asked).mode == "lexical"  # type: ignore[arg-type]


BLOCKED = """
import sys
sys.path.insert(0, {source!r})
class Blocked:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "numpy":
            raise ImportError(name + " is blocked")
sys.meta_path.insert(0, Blocked())
from honed.cli.run import run
code = run({words!r})
assert "numpy" not in sys.modules
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["search", "thaw conduits", "--json"], '"mode": "lexical"'),
        (["recall", "thaw conduits", "--json"], '"mode": "lexical"'),
        (["doctor"], "meaning: by words only"),
    ],
)
def test_everything_works_where_numpy_is_not_installed(
    shelf: Shelf, tmp_path: Path, words: list[str], told: str
) -> None:
    shelf.keep({"thaw": THAW, **OTHERS})
    source = os.path.dirname(os.path.dirname(os.path.abspath(honed.__file__)))
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED.format(source=source, words=words)],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "HONED_HOME": shelf.home, "HOME": str(tmp_path)},
        timeout=60,
        check=False,
    )
    assert told in done.stdout, done.stderr


def test_no_hook_loads_a_model_or_numpy(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW})
    embedded(shelf, heard)
    program = (
        f"import sys; sys.path.insert(0, {os.path.dirname(os.path.dirname(honed.__file__))!r})\n"
        "from honed.asking import recall\n"
        f"recall({shelf.home!r}, 'thaw conduits', cwd='/', upgrade=False)\n"
        "print([name for name in sys.modules if name == 'numpy' or name.startswith('honed.embedding')])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, check=True, timeout=60)
    assert done.stdout.strip() == b"[]"
