"""Which files are read, in which order, and what lies beside them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from honed.errors import NotFoundError, UsageError
from honed.transcripts import FOLDERS, beside, default_paths, given_paths, in_order, since_date


def a_file(path: Path, at: str = "2026-05-04T09:00:00.000Z") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{"timestamp": "{at}"}}\n', encoding="utf-8")
    return path


def test_every_client_has_its_folder_and_a_variable_may_move_it(tmp_path: Path) -> None:
    places = {
        "claude_code": "projects/-shop/a.jsonl",
        "codex": "sessions/2026/05/04/rollout-a.jsonl",
        "gemini": "tmp/hash/chats/session-a.json",
        "copilot": "session-state/one/events.jsonl",
        "pi": "agent/sessions/--shop--/a.jsonl",
        "cursor": "projects/shop/agent-transcripts/a/a.jsonl",
    }
    environ = {folder.variable: str(tmp_path / folder.client) for folder in FOLDERS if folder.variable}
    for folder in FOLDERS:
        if folder.variable:
            file = a_file(tmp_path / folder.client / places[folder.client])
            assert list(default_paths(environ, folder.client)) == [file]
    assert {folder.client for folder in FOLDERS} == set(places)


def test_a_folder_is_walked_without_the_files_of_sub_agents(tmp_path: Path) -> None:
    own = a_file(tmp_path / "x" / "a.jsonl")
    a_file(tmp_path / "x" / "a" / "subagents" / "agent-1.jsonl")
    (tmp_path / "x" / "notes.txt").write_text("x", encoding="utf-8")
    assert list(given_paths([str(tmp_path)])) == [own]


def test_a_file_that_is_named_is_taken_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("x", encoding="utf-8")
    assert list(given_paths([str(path)])) == [path]
    with pytest.raises(NotFoundError):
        list(given_paths([str(tmp_path / "none")]))


def test_the_oldest_session_comes_first_and_what_cannot_be_read_last(tmp_path: Path) -> None:
    late = a_file(tmp_path / "a.jsonl", "2026-05-06T09:00:00Z")
    early = a_file(tmp_path / "b.jsonl", "2026-05-04T09:00:00Z")
    (tmp_path / "c.jsonl").mkdir()
    found = in_order([late, tmp_path / "c.jsonl", early, tmp_path / "gone.jsonl"])
    assert [item.path.name for item in found] == ["b.jsonl", "a.jsonl", "c.jsonl"]
    assert (found[0].began, found[0].size) == ("2026-05-04T09:00:00Z", early.stat().st_size)


def test_a_file_of_two_names_is_read_once(tmp_path: Path) -> None:
    path = a_file(tmp_path / "a.jsonl")
    (tmp_path / "link.jsonl").symlink_to(path)
    assert len(in_order([path, tmp_path / "link.jsonl", path])) == 1


def test_what_nobody_touched_since_a_date_is_left_out(tmp_path: Path) -> None:
    old, new = a_file(tmp_path / "a.jsonl"), a_file(tmp_path / "b.jsonl")
    os.utime(old, (1_700_000_000, 1_700_000_000))
    os.utime(new, (1_800_000_000, 1_800_000_000))
    assert [item.path for item in in_order([old, new], since_date("2025-01-01"))] == [new]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-04", "2026-05-04T00:00:00Z"),
        ("2026-05-04T10:00:00+02:00", "2026-05-04T08:00:00Z"),
        ("2026-05-04T10:00", "2026-05-04T10:00:00Z"),
    ],
)
def test_a_date_is_read_as_utc(text: str, expected: str) -> None:
    assert since_date(text) == expected


@pytest.mark.parametrize("text", ["yesterday", "", "2026-13-01"])
def test_a_date_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        since_date(text)


def test_what_lies_beside_a_transcript_is_opened_and_nothing_else(tmp_path: Path) -> None:
    path = a_file(tmp_path / "x" / "a.jsonl")
    a_file(tmp_path / "x" / "a" / "agent.jsonl")
    a_file(tmp_path / "secret.jsonl")
    (tmp_path / "x" / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    opener = beside(path)
    with opener("a/agent.jsonl") or pytest.fail("not opened") as stream:
        assert stream.read()
    for name in ("../secret.jsonl", "link.jsonl", str(tmp_path / "secret.jsonl"), "none", "a", "\x00"):
        assert opener(name) is None, name
