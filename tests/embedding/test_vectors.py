"""Vectors: packed, compared, missing, kept, and gone with their skill."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from honed.embedding.model import of_length_one
from honed.embedding.providers import model_of
from honed.embedding.vectors import Matrix, packed
from honed.errors import NoModelError
from honed.meaning import embed, is_lacking
from honed.store.sqlite import SqliteStore
from honed.store.vectors import mark_of, meaning_of
from tests.embedding.speaking import Heard, endpoint, vector_of
from tests.recall.making import CART, Shelf, by_hand, passed, titled

THAW = titled("Thaw icebound conduits", "winter", "Warm water first.")
COLORS = titled("Pick chart colors", "a chart is hard to read", "Use the palette.")


def kept(home: str) -> list[tuple[int, bytes]]:
    with sqlite3.connect(f"{home}/honed.db") as connection:
        return connection.execute("SELECT n, vector FROM skill_vectors ORDER BY n").fetchall()


def made(home: str, setting: str) -> int:
    with SqliteStore.open(home) as store:
        return embed(store, setting).made


def test_packing_keeps_the_cosines() -> None:
    rows = of_length_one(np.random.default_rng(1).normal(size=(50, 256)))
    back = of_length_one([np.frombuffer(row, np.int8) for row in packed(rows)])
    assert float(np.abs(rows @ rows.T - back @ back.T).max()) < 0.01


def test_a_vector_of_nothing_is_near_to_nothing() -> None:
    matrix = Matrix(8)
    matrix.add([(1, 1, packed(of_length_one(np.zeros((1, 8))))[0])])
    assert matrix.cosines(of_length_one(np.ones((1, 8)))[0], [1]) == {1: 0.0}


def test_the_nearest_are_found_within_their_scopes_only() -> None:
    rows = of_length_one(np.eye(4) + 0.1)
    matrix = Matrix(4)
    for n, vector in enumerate(packed(rows)):
        matrix.add([(n, n % 2, vector)])
    assert matrix.nearest(rows[2], (0, 1), 2)[0] == 2
    assert matrix.nearest(rows[2], (1,), 4) == [1, 3]
    assert matrix.nearest(rows[2], (7,), 4) == []


def test_blocks_of_rows_give_what_all_rows_at_once_give() -> None:
    rows = of_length_one(np.random.default_rng(2).normal(size=(9000, 16)))
    matrix = Matrix(16)
    matrix.add([(n, n % 3, vector) for n, vector in enumerate(packed(rows))])
    exact = [int(n) for n in np.argsort(-(rows @ rows[5])) if n % 3 == 2]
    assert set(matrix.nearest(rows[5], (2,), 20)) >= set(exact[:15])
    assert matrix.nearest(rows[5], (0, 1, 2), 1) == [5]


def test_every_skill_in_the_index_gets_a_vector_once(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, "colors": COLORS})
    assert made(shelf.home, heard.address) == 2
    assert made(shelf.home, heard.address) == 0
    assert len(kept(shelf.home)) == 2


def test_a_model_is_given_the_redacted_beginning_of_a_skill(shelf: Shelf, heard: Heard) -> None:
    long = titled("Thaw", "when frozen", "token=ghp_" + "a1B2" * 9 + " " + "word " * 500)
    shelf.keep({"long": long})
    made(shelf.home, heard.address)
    (given,) = [text for text in heard.texts if text.startswith("Thaw")]
    assert given.startswith("Thaw when frozen")
    assert len(given.split()) <= 120
    assert "ghp_" not in given


def test_a_key_of_the_environment_is_sent_to_the_endpoint_alone(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_EMBEDDING_KEY", "k-1")
    model_of(f"{heard.address}#keyed")
    assert heard.headers[-1]["Authorization"] == "Bearer k-1"


def test_an_endpoint_that_points_elsewhere_is_not_followed(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONED_EMBEDDING_KEY", "k-1")
    with endpoint() as other:
        heard.status, heard.location = 302, other.address.removeprefix("openai:")
        with pytest.raises(NoModelError, match="does not answer"):
            model_of(f"{heard.address}#moved")
        assert other.headers == []


@pytest.mark.parametrize("act", ["archived", "forgotten"])
def test_a_vector_goes_with_its_skill_in_the_same_transaction(shelf: Shelf, heard: Heard, act: str) -> None:
    shelf.keep({"thaw": THAW, "colors": COLORS})
    made(shelf.home, heard.address)
    shelf.note(by_hand(act, shelf.ids["thaw"]))
    assert len(kept(shelf.home)) == 1


def test_an_erased_text_leaves_no_vector_in_the_file(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, "colors": COLORS})
    made(shelf.home, heard.address)
    (_, vector), *_ = kept(shelf.home)
    with SqliteStore.open(shelf.home) as store:
        store.erase(shelf.ids["thaw"])
    assert vector not in Path(shelf.home, "honed.db").read_bytes()
    assert len(kept(shelf.home)) == 1


def test_a_vector_is_dropped_if_the_text_changed_while_it_was_made(shelf: Shelf) -> None:
    shelf.keep({"thaw": THAW})
    with SqliteStore.open(shelf.home) as store:
        (batch,) = store.vectors_wanting("m/1")
        with SqliteStore.open(shelf.home) as other:
            other.append([by_hand("archived", shelf.ids["thaw"])])
        assert store.save_vectors("m/1", [(batch[0], b"\x01" * 8)]) == 0
    assert kept(shelf.home) == []


def test_each_past_use_has_a_vector_of_its_own_behind_that_of_the_text(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, "colors": COLORS})
    made(shelf.home, heard.address)
    shelf.note(
        passed(shelf.ids["thaw"], "s1", request="unlock the pipes"),
        passed(shelf.ids["thaw"], "s2", at="2026-03-21T10:00:00Z", request="the tap gives no water"),
        passed(shelf.ids["colors"], "s3", request="nobody can tell the lines apart"),
    )
    assert kept(shelf.home) == []
    assert made(shelf.home, heard.address) == 2
    (_, thaw), (_, colors) = kept(shelf.home)
    asked = ("the tap gives no water", "unlock the pipes")  # the newest first
    texts = (meaning_of(THAW), *asked, meaning_of(COLORS), "nobody can tell the lines apart")
    assert thaw + colors == b"".join(packed(of_length_one([vector_of(text) for text in texts])))
    with SqliteStore.open(shelf.home) as store:
        assert store.verify(strict=True) == ()


def test_vectors_are_dropped_if_a_use_came_while_they_were_made(shelf: Shelf) -> None:
    shelf.keep({"thaw": THAW})
    with SqliteStore.open(shelf.home) as store:
        (batch,) = store.vectors_wanting("m/1")
        shelf.note(passed(shelf.ids["thaw"], "s1", request="unlock the pipes"))
        assert store.save_vectors("m/1", [(batch[0], b"\x01" * 8)]) == 0
    assert kept(shelf.home) == []


def test_an_erased_skill_takes_the_vectors_of_its_uses_out_of_the_file(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW})
    shelf.note(passed(shelf.ids["thaw"], "s1", request="unlock the pipes"))
    made(shelf.home, heard.address)
    (asked,) = packed(of_length_one([vector_of("unlock the pipes")]))
    assert asked in Path(shelf.home, "honed.db").read_bytes()
    with SqliteStore.open(shelf.home) as store:
        store.erase(shelf.ids["thaw"])
    assert asked not in Path(shelf.home, "honed.db").read_bytes()


def test_vectors_of_another_version_of_the_text_are_made_anew_and_are_no_fault(
    shelf: Shelf, heard: Heard
) -> None:
    shelf.keep({"thaw": THAW})
    shelf.note(passed(shelf.ids["thaw"], "s1", request="unlock the pipes"))
    made(shelf.home, heard.address)
    with sqlite3.connect(f"{shelf.home}/honed.db") as connection:
        connection.execute("UPDATE vector_models SET mark = replace(mark, '/2', '/1')")
        connection.execute("UPDATE skill_vectors SET vector = substr(vector, 1, 64)")
    with SqliteStore.open(shelf.home) as store:
        assert store.verify(strict=True) == ()
        assert is_lacking(store, heard.address)
        told = embed(store, heard.address)
    assert (told.made, told.dropped, len(kept(shelf.home))) == (1, 0, 1)


def test_another_model_replaces_every_vector(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, "colors": COLORS})
    made(shelf.home, heard.address)
    first = kept(shelf.home)
    with endpoint() as other:
        other.salt = 7
        assert made(shelf.home, other.address) == 2
    assert [vector for _, vector in kept(shelf.home)] != [vector for _, vector in first]
    with SqliteStore.open(shelf.home) as store:
        assert embed(store, "none").dropped == 2
    assert kept(shelf.home) == []


def test_vectors_are_lacking_only_where_one_is_missing_or_of_another_model(
    shelf: Shelf, heard: Heard
) -> None:
    shelf.keep({"thaw": THAW})
    with SqliteStore.open(shelf.home) as store:
        assert is_lacking(store, heard.address)
        embed(store, heard.address)
        assert not is_lacking(store, heard.address)
        assert is_lacking(store, f"{heard.address}#other")
        assert not is_lacking(store, "none")
    shelf.note(by_hand("archived", shelf.ids["thaw"]))
    with SqliteStore.open(shelf.home) as store:
        assert not is_lacking(store, heard.address)


def test_other_weights_behind_one_address_are_another_model() -> None:
    with endpoint() as asked:
        before = model_of(f"{asked.address}#first").mark
        asked.salt = 9
        assert model_of(f"{asked.address}#second").mark.rpartition(":")[2] != before.rpartition(":")[2]


@pytest.mark.parametrize(
    "setting",
    [
        "openai:http://127.0.0.1:1/v1",
        "model2vec:/nowhere",
        "fastembed:x",
        "sentence-transformers:x",
    ],
)
def test_a_model_that_is_not_there_is_one_error_that_says_so(setting: str) -> None:
    for _ in range(2):
        with pytest.raises(NoModelError, match=r"installed|answer|loaded"):
            model_of(setting)


def test_an_endpoint_that_fails_leaves_what_was_made(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW})
    made(shelf.home, heard.address)
    shelf.keep({"colors": COLORS})
    heard.status = 500
    with pytest.raises(NoModelError, match="does not answer with vectors"):
        made(shelf.home, heard.address)
    assert len(kept(shelf.home)) == 1


def test_verify_names_a_vector_that_cannot_be_right_and_rebuild_drops_it(shelf: Shelf, heard: Heard) -> None:
    shelf.keep({"thaw": THAW, "colors": COLORS})
    made(shelf.home, heard.address)
    with SqliteStore.open(shelf.home) as store:
        assert store.verify(strict=True) == ()
    with sqlite3.connect(f"{shelf.home}/honed.db") as connection:
        connection.execute("UPDATE skill_vectors SET text = x'00' WHERE n = 1")
        connection.execute("UPDATE skill_vectors SET vector = x'00' WHERE n = 2")
        connection.execute("INSERT INTO skill_vectors (n, model, text, vector) VALUES (99, 1, x'00', x'00')")
    with SqliteStore.open(shelf.home) as store:
        assert [fault.code for fault in store.verify(strict=True)] == ["index"] * 3
        store.rebuild()
        assert store.verify(strict=True) == ()
    assert kept(shelf.home) == []


def test_what_is_embedded_is_title_trigger_and_the_text_in_order() -> None:
    assert meaning_of(CART).startswith("Round cart totals half up the cart total is off by a cent In `src")
    assert mark_of("m") != "m"
