"""The benchmark beside the peers: what is counted, what happens when, and how workers are asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.peers import environments, recognise, retrieve
from bench.peers.asked import Found, ask
from bench.peers.environments import MissingError, Package
from bench.peers.kept import Kept
from bench.peers.measures import hit_share, interval, percentile, rank_of, sample
from bench.peers.page import table, with_section
from bench.peers.recognise import Run, tally
from bench.peers.sets import LAST, Document, Labelled, Query, load, timeline
from bench.peers.worker import Worker, WorkerError
from bench.peers.workers.serving import Library

TEXTS = {
    "brew": "Boil water and pour it over the coffee",
    "bake": "Knead the dough, then bake the bread",
    "sail": "Hoist the sail against the wind",
}


def document(key: str, text: str, group: str = "", order: int = 0) -> Document:
    return Document(key, group, order, key, "", text, ())


def query(name: str, text: str, relevant: str, group: str = "", order: int = LAST) -> Query:
    return Query(name, "toy", group, order, text, (relevant,))


def toys() -> Labelled:
    documents = tuple(document(key, text) for key, text in TEXTS.items())
    queries = (query("one", "bake some bread", "bake"), query("two", "which sail in this wind", "sail"))
    return Labelled("toys", documents, queries)


# -- counting --------------------------------------------------------------------------------------


def test_a_rank_is_that_of_the_first_right_hit_among_ten() -> None:
    assert rank_of(["a", "b", "c"], ["c", "b"]) == 2
    assert rank_of([*"abcdefghij", "right"], ["right"]) is None
    assert rank_of([], ["right"]) is None


def test_a_hit_counts_from_its_rank_on() -> None:
    ranks = [1, 5, 6, None]
    assert [hit_share(ranks, first) for first in (1, 5, 10)] == [0.25, 0.5, 0.75]


@pytest.mark.parametrize(("part", "value"), [(0.5, 2), (0.95, 4), (0.0, 1), (1.0, 4), (0.25, 1), (0.26, 2)])
def test_a_percentile_is_a_value_that_was_measured(part: float, value: int) -> None:
    assert percentile([4, 1, 3, 2], part) == value


def test_an_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    differences = [0.1, 0.4, -0.2, 0.3, 0.0, 0.6]
    low, high = interval(differences)
    assert low < sum(differences) / len(differences) < high
    assert interval(differences) == (low, high)


def test_a_sample_does_not_depend_on_the_order_and_keeps_it() -> None:
    names = [f"q{number}" for number in range(50)]
    chosen = sample(names, 10, str)
    assert len(chosen) == 10
    assert chosen == [name for name in names if name in chosen]
    assert set(sample(names[::-1], 10, str)) == set(chosen)
    assert sample(names, None, str) == names


# -- what happens when -----------------------------------------------------------------------------


def test_a_query_is_asked_before_what_is_as_old_as_itself_is_kept() -> None:
    documents = tuple(document(f"d{order}", "text", order=order) for order in (2, 0, 1))
    queries = (query("late", "x", "d0", order=3), query("early", "x", "d0", order=1))
    told = [
        ([item.key for item in kept], [item.name for item in asked])
        for kept, asked in timeline(Labelled("toys", documents, queries))
    ]
    assert told == [(["d0"], ["early"]), (["d1", "d2"], ["late"])]


def test_without_an_order_everything_is_kept_first() -> None:
    ((kept, asked),) = timeline(toys())
    assert (len(kept), len(asked)) == (3, 2)


def test_sets_of_one_corpus_are_asked_of_one_memory(tmp_path: Path) -> None:
    rows: dict[str, list[dict[str, Any]]] = {
        "skills/corpus.jsonl": [{"id": "x:1", "title": "one", "text": "text"}],
        "skills/queries.jsonl": [
            {"id": "a", "text": "t", "relevant_ids": ["x:1"], "split": "test"},
            {"id": "b", "text": "t", "relevant_ids": ["x:1"], "split": "dev"},
            {"id": "c", "text": "t", "relevant_ids": ["x:1"], "split": "test", "category": "adversarial"},
        ],
        "crosslingual/queries_pack.jsonl": [
            {"id": "d", "text": "t", "relevant_ids": ["x:1"], "split": "test", "lang": "ru"}
        ],
    }
    for name, lines in rows.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (found,) = load(tmp_path, ["skills", "crosslingual/pack"], "test", None)
    assert [(item.name, item.part) for item in found.queries] == [
        ("a", "skills"),
        ("d", "crosslingual/pack ru"),
    ]
    assert found.queries[0].relevant == (found.documents[0].key,)


# -- recognition -----------------------------------------------------------------------------------


def test_a_false_pass_is_whatever_did_not_pass_and_is_taken_for_a_pass() -> None:
    labels = ("pass", "weak", "fail", "nothing", "not_a_test", "unknown")
    runs = [Run("pytest", 0, "", label) for label in labels]
    always = ["passed"] * len(runs)
    assert tally(runs, always) == ("2/6 (33 %)", "4/4 (100 %)", "2/2 (100 %)", "0/1 (0 %)")
    right = ["passed", "passed", "failed", "", "", ""]
    assert tally(runs, right) == ("6/6 (100 %)", "0/4 (0 %)", "2/2 (100 %)", "1/1 (100 %)")


def test_labelled_cases_are_read_beside_our_own_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / recognise.COMMANDS).write_text('{"command": "ls", "is_test": false}\n', encoding="utf-8")
    case = {"command": "pytest", "exit_code": 1, "output": "1 failed", "verdict": "fail"}
    (folder / recognise.RUNS).write_text(json.dumps(case), encoding="utf-8")
    told = recognise.labels(tmp_path)
    assert told.commands == (("ls", False),)
    assert told.runs[recognise.RUNS] == (Run("pytest", 1, "1 failed", "fail"),)
    assert len(told.runs) == 3
    assert recognise.RUNS not in recognise.labels(None).runs


# -- retrieval -------------------------------------------------------------------------------------


def test_where_honed_is_behind_in_any_figure_is_said() -> None:
    ours, theirs = Found(ranks={"one": 1, "two": 2}), Found(ranks={"one": 1, "two": 1})
    lines = retrieve.behind(toys(), {"honed": ours, "fts5": theirs})
    assert lines == ["toy: FTS5, porter, BM25 by hit@1 0.500, MRR 0.250"]
    assert retrieve.behind(toys(), {"honed": theirs, "fts5": ours}) == []


def test_a_row_of_quality_holds_shares_and_the_lead() -> None:
    results = {"honed": Found(ranks={"one": 1, "two": 2}), "fts5": Found(ranks={"one": 10, "two": None})}
    ours, theirs = retrieve.quality(toys(), results)
    assert ours == ("toy (2)", "honed", "0.500", "1.000", "0.750", "", "")
    assert theirs[:5] == ("toy (2)", "FTS5, porter, BM25", "0.000", "0.000", "0.050")
    assert theirs[5].startswith("+0.700 (")


def test_figures_above_honed_stand_out_and_those_above_it_with_the_model_are_marked() -> None:
    results = {
        "honed": Found(ranks={"one": 1, "two": None}),
        "honed_model": Found(ranks={"one": 1, "two": 2}),
        "fts5": Found(ranks={"one": 2, "two": 1}),
        "dense": Found(ranks={"one": 1, "two": 1}),
    }
    told = [row[2:5] for row in retrieve.quality(toys(), results)]
    assert told[:3] == [
        ("0.500", "0.500", "0.500"),
        ("0.500", "1.000", "0.750"),
        ("0.500", "**1.000**", "**0.750**"),
    ]
    assert told[3] == ("**1.000 ^**", "**1.000**", "**1.000 ^**")
    lines = [line for line in retrieve.tables([(toys(), results)]).splitlines() if line.startswith("Behind")]
    assert lines == [
        "Behind by words: **toy: FTS5, porter, BM25 by hit@5 0.500, MRR 0.250**; "
        "**toy: the model alone by hit@1 0.500, hit@5 0.500, MRR 0.500**.",
        "Behind with the model: **toy: the model alone by hit@1 0.500, MRR 0.250**.",
    ]


def test_what_a_peer_came_to_is_kept_for_the_same_set_and_environment(tmp_path: Path) -> None:
    found = Found(ranks={"one": 1, "two": None}, wall=[1.0], keeping=0.5, measured="2026-11-30, a machine")
    kept = Kept("skillmem", "skillmem-1-py3.11", tmp_path)
    assert kept.read(toys()) is None
    kept.write(toys(), found)
    assert kept.read(toys()) == found
    assert Kept("skillmem", "skillmem-2-py3.11", tmp_path).read(toys()) is None
    assert Kept("musclememory", "skillmem-1-py3.11", tmp_path).read(toys()) is None
    assert kept.read(replace(toys(), queries=toys().queries[:1])) is None
    kept.place(toys()).write_text("{", encoding="utf-8")
    assert kept.read(toys()) is None
    cells = retrieve.cost(toys(), {"skillmem": found})[0]
    assert cells[-1] == "2026-11-30, a machine"


# -- the page --------------------------------------------------------------------------------------


def test_a_section_is_replaced_where_it_stands_and_others_stay() -> None:
    page = with_section("# Benchmarks\n", "Recognition", "old")
    page = with_section(page, "Retrieval", "second")
    page = with_section(page, "Recognition", "new\n")
    assert page == "# Benchmarks\n\n## Recognition\n\nnew\n\n## Retrieval\n\nsecond\n"
    assert with_section(page, "Retrieval", "second") == page


def test_columns_of_a_table_are_as_wide_as_their_widest_cell() -> None:
    lines = table(("system", "hits"), [("a", "1/2"), ("longer name", "10/20")]).splitlines()
    assert lines == [
        "| system      |  hits |",
        "|-------------|------:|",
        "| a           |   1/2 |",
        "| longer name | 10/20 |",
    ]


# -- environments and workers ----------------------------------------------------------------------


def test_what_no_python_here_can_run_is_said_with_the_command_that_brings_one() -> None:
    with pytest.raises(MissingError, match=r"(?s)toy==1 needs Python 9\.9.*pyenv install 9\.9"):
        environments.interpreter(Package("toy", "1", "toy", ("9.9",)))


def test_an_environment_that_is_ready_is_not_made_again(tmp_path: Path) -> None:
    package = Package("toy", "1", "toy", ("9.9", "9.8"))
    folder = tmp_path / "toy-1-py9.8"
    python = environments.python_in(folder)
    python.parent.mkdir(parents=True)
    python.touch()
    with pytest.raises(MissingError):
        environments.prepared(package, tmp_path)  # begun, never finished
    (folder / environments.READY).touch()
    assert environments.prepared(package, tmp_path) == str(python)


def test_a_python_says_its_own_version_and_other_programs_none() -> None:
    assert environments.answers(sys.executable) == f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert environments.answers("/nowhere/python") == ""


def test_every_home_of_a_worker_is_below_its_folder(tmp_path: Path) -> None:
    told = environments.walls(tmp_path)
    homes = {name for name in told if "HOME" in name or name.endswith("_DIR") or name.startswith("XDG_")}
    assert {"HOME", "MM_HOME", "SKILLMEM_HOME", "HONED_HOME", "XDG_DATA_HOME"} <= homes
    assert all(Path(told[name]).is_relative_to(tmp_path) for name in homes)


@pytest.mark.parametrize("name", ["honed", "fts5"])
def test_a_worker_finds_what_it_kept(name: str, tmp_path: Path) -> None:
    with Worker(name, tmp_path) as worker:
        found = ask(worker, toys())
        refused = worker.ask("refused")
    assert found.ranks == {"one": 1, "two": 1}
    assert len(found.wall) == len(found.processor) == 2
    assert refused == 0


@pytest.mark.parametrize("name", ["honed", "fts5"])
def test_a_group_sees_only_its_own(name: str, tmp_path: Path) -> None:
    documents = (document("here", "bake the bread", "a"), document("there", "bake the bread now", "b"))
    asked = (query("one", "bake the bread", "there", "b"), query("two", "bake the bread", "there", "a"))
    with Worker(name, tmp_path) as worker:
        found = ask(worker, Labelled("toys", documents, asked))
    assert found.ranks == {"one": 1, "two": None}


def test_honed_says_of_commands_and_runs_what_its_reader_says(tmp_path: Path) -> None:
    runs = (
        Run("pytest -q | tail", 0, "2 passed in 0.1s", "weak"),
        Run("pytest || true", 0, "1 failed", "fail"),
    )
    with Worker("honed", tmp_path) as worker:
        taken = recognise.found(worker, [("pytest -q", True), ("pytest --version", False)])
        said = recognise.proofs(worker, runs)
    assert taken == [True, False]
    assert said == {"honed": ["passed", "failed"]}


def test_a_worker_that_cannot_answer_says_why(tmp_path: Path) -> None:
    with Worker("fts5", tmp_path) as worker, pytest.raises(WorkerError, match="KeyError"):
        worker.ask("something else")


def test_a_worker_opens_no_connection(tmp_path: Path) -> None:
    script = (
        "import socket\n"
        "from bench.peers.workers.serving import Offline\n"
        "offline = Offline()\n"
        "try:\n"
        "    socket.create_connection(('127.0.0.1', 9))\n"
        "except OSError as error:\n"
        "    print(error, offline.refused)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environments.walls(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "without a network" in told.stdout
    assert int(told.stdout.split()[-1]) > 0


def test_the_first_search_of_a_group_is_done_twice_and_timed_once() -> None:
    asked: list[str] = []

    def search(text: str, group: str, limit: int) -> list[str]:
        asked.append(f"{group}:{text}")
        return ["a", "b"][:limit]

    library = Library(lambda _: None, search)
    library.keep({"documents": [{}]})
    queries = [{"text": "x", "group": "g"}, {"text": "y", "group": "g"}]
    answers = library.find({"queries": queries, "limit": 1})
    assert asked == ["g:x", "g:x", "g:y"]
    assert [answer["keys"] for answer in answers] == [["a"], ["a"]]
