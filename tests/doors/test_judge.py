"""``honed judge``: verdicts as JSON lines, and nothing stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.doors.conftest import Honed
from tests.doors.telling import GREEN, claude, fixes, process, write


def test_each_task_is_a_line_with_its_verdict_and_reason(honed: Honed, shop: Path, tmp_path: Path) -> None:
    told = fixes(fixes(claude(shop)), "shipping", test=False)
    answer = honed("judge", str(write(tmp_path / "a.jsonl", told)))
    first, second = answer.lines
    assert answer.code == 0
    assert (first["verdict"], second["verdict"]) == ("verified", "none")
    assert first["prompt"].startswith("The total of the order")
    assert (first["command"], first["fail_to_pass"]) == ("pytest -q", True)
    assert [run["outcome"] for run in first["runs"]] == ["fail", "pass"]
    assert (first["runs"][1]["passed"], first["runs"][1]["failed"]) == (12, None)
    assert [file.endswith("shop/total.py") for file in first["files"]] == [True]
    assert second["reason"]


def test_a_whole_session_is_one_line(honed: Honed, shop: Path, tmp_path: Path) -> None:
    told = fixes(fixes(claude(shop)), "shipping")
    (line,) = honed("judge", "--session", str(write(tmp_path / "a.jsonl", told))).lines
    assert (line["requests"], line["verdict"]) == (2, "verified")


def test_judging_stores_nothing(honed: Honed, shop: Path, tmp_path: Path, home: Path) -> None:
    honed("judge", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    assert not home.exists()


def test_runs_are_read_from_standard_input(tmp_path: Path) -> None:
    lines = [
        {"command": "pytest -q", "exit_code": 0, "output": GREEN, "mine": "kept"},
        {"command": "pytest -q | tail -1", "exit_code": 0, "output": "1 failed, 2 passed in 0.1s"},
        {"command": "ls", "exit_code": 0, "output": "a"},
        {"command": "pytest", "exit_code": None},
    ]
    given = "\n\n".join(json.dumps(line) for line in lines).encode()
    done = process("judge", "--runs", "-", cwd=tmp_path, given=given)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [line["outcome"] for line in told] == ["pass", "fail", "not_a_test", "unknown"]
    assert told[0]["mine"] == "kept"
    assert all(line["reason"] for line in told)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{broken", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "needs an object"),
        ('{"exit_code": 0}', "needs an object"),
        ('{"command": 3}', "needs an object"),
        ('{"command": "x", "exit_code": "0"}', '"exit_code" must be a whole number or null'),
        ('{"command": "x", "exit_code": true}', '"exit_code" must be a whole number or null'),
        ('{"command": "x", "output": ["a"]}', '"output" must be text'),
    ],
)
def test_a_line_that_is_no_run_is_named(honed: Honed, tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text('{"command": "ls", "exit_code": 0, "output": ""}\n' + line + "\n", encoding="utf-8")
    answer = honed("judge", "--runs", str(path))
    assert answer.code == 2
    assert f"{path}, line 2: " in answer.err
    assert said in answer.err
    assert json.loads(answer.out.splitlines()[0])["outcome"] == "not_a_test"


def test_bytes_that_are_no_text_are_a_wrong_line(tmp_path: Path) -> None:
    done = process("judge", "--runs", "-", cwd=tmp_path, given=b'{"command": "\xff"}')
    assert done.returncode == 2
    assert b"standard input, line 1: not JSON" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "either a transcript or --runs"),
        (("a", "--runs", "-"), 2, "either a transcript or --runs"),
        (("none.jsonl",), 4, "no such file"),
        ((".",), 2, "is a folder"),
        (("--runs", "none.jsonl"), 4, "no such file"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(honed: Honed, words: tuple[str, ...], code: int, said: str) -> None:
    answer = honed("judge", *words)
    assert (answer.code, said in answer.err) == (code, True)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x00\x01\x02", "it is no text"),
        (b"\x7fELF\x02\x01\x01" + bytes(99), "it is no text"),
        (b"\x9c\xff\xfe" * 50, "it is no text"),
        ("жж日本 text of somebody".encode() * 300, "begins with"),
        (b"just words", 'begins with "just words"'),
        (b"", "empty"),
    ],
)
def test_what_is_no_transcript_fails_with_the_reason(
    data: bytes, said: str, honed: Honed, tmp_path: Path
) -> None:
    (tmp_path / "x.jsonl").write_bytes(data)
    answer = honed("judge", str(tmp_path / "x.jsonl"), "--json")
    assert answer.code == 1
    assert said in answer.json["error"]
    assert "\\u0000" not in answer.err
    assert "\\ufffd" not in answer.err


ROWS = '[{"name": "mytest", "command": "mytest run", "passed": "(?P<p>\\\\d+) good, (?P<f>\\\\d+) bad"}]'


def test_a_users_own_runner_counts_from_the_moment_it_is_in_the_settings(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    told = claude(shop)
    told.asks("Round the total")
    told.edits("shop/total.py", "return x", "return round(x)")
    told.runs("mytest run", "7 good, 0 bad")
    path = str(write(tmp_path / "a.jsonl", told))
    assert honed("judge", path).lines[0]["verdict"] == "none"
    assert honed("backfill", path, "--json").json["learned"] == 0
    assert honed("config", "set", "runners", ROWS).code == 0
    assert honed("judge", path).lines[0]["verdict"] == "verified"
    assert honed("backfill", path, "--json").json["learned"] == 1


def test_a_row_that_is_no_runner_is_refused_with_the_reason(honed: Honed) -> None:
    for rows, said in (('[{"name": "x"}]', "a name and a command"), ("{", "JSON list"), ("[1]", "JSON list")):
        answer = honed("config", "set", "runners", rows)
        assert (answer.code, said in answer.err) == (2, True)


def test_an_explanation_tells_the_task_as_a_story(honed: Honed, shop: Path, tmp_path: Path) -> None:
    answer = honed("judge", "--explain", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    assert answer.code == 0
    assert answer.out.startswith("VERIFIED: ")
    assert [word in answer.out for word in ("asked", "changed", "ran FAIL", "ran PASS", "<- decided")] == [
        True
    ] * 5
    assert honed("judge", "--explain", "--runs", "-").code == 2


def test_signs_beyond_tests_are_told_and_prove_nothing(honed: Honed, shop: Path, tmp_path: Path) -> None:
    told = claude(shop)
    told.asks("Round the total")
    told.edits("shop/total.py", "return x", "return round(x)")
    told.runs("mypy shop", "Success: no issues found")
    (line,) = honed("judge", str(write(tmp_path / "a.jsonl", told))).lines
    assert line["verdict"] == "none"
    assert [(sign["kind"], sign["outcome"]) for sign in line["signs"]] == [("types", "pass")]
