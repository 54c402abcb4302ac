"""Vectors as an owner meets them: `index embed`, `doctor`, and a process behind every write."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from honed.cli.run import run
from honed.meaning import main
from tests.doors.telling import Answer, a_shop
from tests.embedding.speaking import Heard

LESSON = ("--kind", "lesson", "--title", "Thaw icebound conduits", "--body", "Warm water first.")
Honed = Callable[..., Answer]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def honed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Honed:
    monkeypatch.setenv("HONED_HOME", str(home))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.chdir(a_shop(tmp_path))

    def call(*words: str) -> Answer:
        capsys.readouterr()
        code = run(words)
        told = capsys.readouterr()
        return Answer(code, told.out, told.err)

    return call


def vectors(home: Path) -> int:
    with sqlite3.connect(home / "honed.db") as connection:
        return int(connection.execute("SELECT count(*) FROM skill_vectors").fetchone()[0])


def meaning(honed: Honed) -> dict[str, str]:
    return next(check for check in honed("doctor", "--json").json["checks"] if check["name"] == "meaning")


def test_a_write_has_its_vector_made_behind_it(honed: Honed, home: Path, heard: Heard) -> None:
    honed("config", "set", "semantic.model", heard.address)
    assert honed("write", "thaw", *LESSON).code == 0
    deadline = time.monotonic() + 30
    while not vectors(home):
        assert time.monotonic() < deadline, "no process made it"
    found = honed("search", "unfreeze tubes", "--json").json
    assert (found["mode"], [hit["slug"] for hit in found["hits"]]) == ("hybrid", ["thaw"])
    assert honed("search", "unfreeze tubes", "--lexical", "--json").json["hits"] == []
    assert honed("recall", "unfreeze tubes", "--lexical", "--json").json["mode"] == "lexical"
    assert meaning(honed)["status"] == "ok"


def test_embedding_by_hand_says_what_it_did(honed: Honed, home: Path, heard: Heard) -> None:
    honed("config", "set", "semantic.model", "none")
    honed("write", "thaw", *LESSON)
    assert honed("index", "embed", "--json").json == {"model": None, "made": 0, "dropped": 0, "skills": 1}
    assert main(str(home)) == 0
    honed("config", "set", "semantic.model", heard.address)
    told = honed("index", "embed", "--json").json
    assert (told["model"], told["skills"]) == (heard.address, 1)
    assert vectors(home) == 1
    honed("config", "set", "semantic.model", "none")
    assert honed("index", "embed", "--json").json["dropped"] == 1
    assert vectors(home) == 0


def test_a_home_that_was_taken_away_is_not_made_again(home: Path) -> None:
    assert main(str(home)) == 0
    assert not home.exists()


def test_a_model_that_is_not_there_is_said_by_doctor_and_stops_no_search(honed: Honed) -> None:
    honed("write", "thaw", *LESSON)
    honed("config", "set", "semantic.model", "model2vec:/nowhere")
    found = honed("search", "thaw conduits", "--json")
    assert (found.code, found.err, found.json["mode"]) == (0, "", "lexical")
    assert len(found.json["hits"]) == 1
    told = meaning(honed)
    assert told["status"] == "warning"
    assert "by words only" in told["detail"]
    assert honed("index", "embed").code == 1


def test_only_a_setting_that_is_one_is_taken(honed: Honed) -> None:
    for wrong in ("bert", "openai:", "openai:ftp://x", "model2vec:"):
        assert honed("config", "set", "semantic.model", wrong).code == 2


@pytest.mark.parametrize(("key", "begins"), [("semantic.model", "openai:"), ("models.url", "")])
@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/v1",
        "http://localhost.example.org/v1",
        "http://localhost:1@example.org/v1",
        "https://name:word@example.org/v1",
        "http://127.0.0.1.example.org/v1",
        "http://[::1",
        "https://",
        "file:///etc/passwd",
    ],
)
def test_texts_go_in_plain_to_this_machine_only(honed: Honed, key: str, begins: str, address: str) -> None:
    told = honed("config", "set", key, begins + address)
    assert (told.code, "https://" in told.err) == (2, True)


@pytest.mark.parametrize(("key", "begins"), [("semantic.model", "openai:"), ("models.url", "")])
@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1/v1#m", "http://[::1]:1/v1", "https://example.org/v1"]
)
def test_an_address_that_nobody_can_listen_to_is_taken(
    honed: Honed, key: str, begins: str, address: str
) -> None:
    assert honed("config", "set", key, begins + address).code == 0


def test_the_settings_file_cannot_send_texts_anywhere(honed: Honed, home: Path) -> None:
    honed("write", "thaw", *LESSON)
    (home / "config.json").write_text('{"semantic.model": "openai:http://example.org"}', encoding="utf-8")
    told = honed("search", "thaw")
    assert told.code == 5
    assert "the owner's" in told.err
