"""What was kept once is not kept twice, whoever says it again and however it is counted or quoted."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from honed.caller import Author
from honed.errors import DuplicateError
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from tests.doors.conftest import Honed
from tests.doors.telling import claude, fixes, process, write
from tests.mcp.speaking import Talk

COUNTED = "Going back is possible from the menu; {} earlier states are kept at the moment."
NOTES = (
    "Look through files with the built-in finder tool, not with grep in a shell.",
    "To look through files, prefer the built-in finder tool over shell grep.",
)
NO_SECRETS = """\
Merged as 1f0e9d8c (full id 1f0e9d8c7b6a5948372615049382716f5e4d3c2b); the build is green again.
content: sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0
session 123e4567-e89b-42d3-a456-556642440000 went on from 10:15:42 to 11:01:07
a cost-based plan and the batch-runner; see page-cache-eviction-rules-v3
def reset_password(user: str, token: str) -> bool: ...
run `pytest tests/test_secrets.py::test_token_is_rotated_daily -q`
seed=0xC0FFEE1234567890, took 20270311T081502Z, p99 = 3.250 ms
"""


def test_the_same_text_in_other_white_space_and_case_is_one_record_and_said_to_exist(
    honed: Honed, home: Path
) -> None:
    told = [
        honed(
            "write", slug, "--kind", "lesson", "--title", title, "--body", "Use frozen_time.", "--json"
        ).json
        for slug, title in (
            ("frozen", "Freeze the clock in login tests"),
            ("frozen", "Freeze the clock in login tests"),
            ("other", "  freeze  the Clock\tin LOGIN tests"),
        )
    ]
    assert [one["existed"] for one in told] == [False, True, True]
    assert len({one["id"] for one in told}) == 1
    with Memory.open(str(home)) as memory:
        (skill,) = memory.every_skill()
    assert (skill.slug, skill.confirmed) == ("frozen", 0)


def test_texts_that_differ_in_a_count_are_one_and_the_same_advice_at_most_two(home: Path, shop: Path) -> None:
    texts = [COUNTED.format(count) for count in (31, 12, 9, 7, 54)] + list(NOTES)
    with Memory.open(str(home)) as memory:
        for number, text in enumerate(texts):
            caller = memory.caller(Author("codex", f"session-{number}"), str(shop))
            kept = "" if number < 6 else "note-5"
            draft = draft_from_manual("lesson", text)
            with pytest.raises(DuplicateError) if kept else contextlib.nullcontext() as refused:
                assert caller.write(f"note-{number}", draft).slug in ("note-0", "note-5")
            assert kept == (refused.value.slug if refused else "")
        assert {skill.slug for skill in memory.every_skill()} == {"note-0", "note-5"}


def test_a_note_that_was_given_and_quoted_is_not_learned_again(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    honed("backfill", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    (known,) = honed("list", "--json").json
    note = honed("recall", "the total of the order is off by one cent", "--json").json["note"]
    assert note
    later = "5b0e1c1e-0002-4d0e-8a11-000000000002"
    told = fixes(claude(shop, later, "2026-05-06"))
    told.says(f"As the note says:\n{note}\nSo I rounded half up.")
    lines = told.text().splitlines(keepends=True)
    attached = {"type": "hook_additional_context", "hookEvent": "UserPromptSubmit", "content": [note]}
    lines.insert(1, json.dumps({"type": "attachment", "sessionId": later, "attachment": attached}) + "\n")
    path = tmp_path / "b.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    figures = honed("backfill", str(path), "--json").json
    assert (figures["learned"], figures["confirmed"]) == (0, 1)
    shown = honed("show", known["slug"], "--json").json
    assert (shown["confirmed"], sum(row["counts"] for row in shown["evidence"])) == (1, 1)
    assert {row["kind"] for row in shown["evidence"]} == {"test_passed"}


@pytest.mark.parametrize("line", NO_SECRETS.splitlines())
def test_ids_digests_times_and_words_are_no_secrets(line: str, honed: Honed, home: Path, shop: Path) -> None:
    assert honed("write", "one", "--kind", "lesson", "--title", "One", "--body", line).code == 0
    assert honed("show", "one", "--json").json["body"] == line
    Talk(home, shop).calls("memory_write", slug="two", title="Two things", body=f"{line} twice", force=True)
    assert honed("show", "two", "--json").json["body"] == f"{line} twice"


def test_no_extension_of_sqlite_is_needed_and_doctor_says_whether_one_could_be_loaded(
    honed: Honed, shop: Path, home: Path
) -> None:
    loadable = hasattr(sqlite3.Connection, "enable_load_extension")
    sources = (Path(__file__).parents[2] / "src").rglob("*.py")
    used = [path.name for path in sources if ".enable_load_extension(" in path.read_text(encoding="utf-8")]
    assert used == []
    words = (
        "--kind",
        "rule",
        "--title",
        "Round half up",
        "--body",
        "Use Decimal, never floats.",
        "--home",
        str(home),
    )
    assert process("write", "round", *words, cwd=shop).returncode == 0
    found = process(
        "recall",
        "round half up, use decimal and never floats",
        "--lexical",
        "--json",
        "--home",
        str(home),
        cwd=shop,
    )
    assert json.loads(found.stdout)["hits"]
    (program,) = [row for row in honed("doctor", "--json").json["checks"] if row["name"] == "program"]
    assert program["status"] == "ok"
    assert f"(extensions {'can' if loadable else 'cannot'} be loaded; none is needed)" in program["detail"]


def test_agents_are_told_that_what_is_known_is_out_of_use(honed: Honed, home: Path, shop: Path) -> None:
    agent = Talk(home, shop)
    note = {"slug": "one", "title": "Round half up", "body": "Use Decimal."}
    agent.calls("memory_write", **note)
    assert agent.calls("memory_write", **note)["text"] == "Known already as one; nothing was written."
    honed("archive", "one")
    assert "It is archived, so nobody is given it." in agent.calls("memory_write", **note)["text"]
