"""What became of a change: the commit that holds it, and whether it was taken back."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from honed import commits
from honed.applied import digest_of
from honed.demo.scribe import ClaudeScribe
from honed.memory import Memory
from honed.skills.model import Skill
from tests.doors.telling import GREEN, claude, fixes, write
from tests.test_evidence import LATER, absorbed

WRITTEN = "return round_half_up(x, 2)"
MADE = {"GIT_AUTHOR_DATE": "2026-05-07T10:00:00Z", "GIT_COMMITTER_DATE": "2026-05-07T10:00:00Z"}


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


@pytest.fixture
def memory(home: str) -> Iterator[Memory]:
    now = 1778500000.0  # 2026-05-11
    with Memory.open(home, clock=lambda: now) as opened:
        yield opened


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "shop").mkdir(parents=True)
    git(folder, "init", "-q")
    put(folder, "    return x\n", "begin")
    return folder


def git(folder: Path, *words: str, at: str = "") -> str:
    identity = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    made = {name: at or value for name, value in MADE.items()}
    who = ("-c", "user.name=A", "-c", "user.email=a@shop.example", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *words],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, **identity, **made},
        timeout=60,
    )
    return done.stdout.strip()


def put(shop: Path, text: str, message: str, at: str = "2026-05-01T10:00:00Z") -> str:
    (shop / "shop" / "total.py").write_text(f"def total(x):\n{text}", encoding="utf-8")
    git(shop, "add", ".")
    git(shop, "commit", "-qm", message, at=at)
    return git(shop, "rev-parse", "HEAD")


def use(told: ClaudeScribe, skill: Skill, *, check: str = "pytest -q") -> ClaudeScribe:
    """A session that is given the note of ``skill`` and changes its file."""
    told.asks("The total of the order is wrong again, by a cent")
    note = f'<honed-note ids="{skill.id}" trust="reference">Change `shop/total.py`</honed-note>'
    told._record("user", {"role": "user", "content": note}, isMeta=True)
    told.edits("shop/total.py", "return round_half_up(x)", WRITTEN)
    if check:
        told.runs(check, GREEN)
    return told


def used(memory: Memory, shop: Path, folder: Path, check: str = "pytest -q") -> Skill:
    (skill,) = absorbed(memory, write(folder / "a.jsonl", fixes(claude(shop))))
    absorbed(memory, write(folder / "b.jsonl", use(claude(shop, LATER, "2026-05-06"), skill, check=check)))
    return skill


def known(memory: Memory, skill: Skill) -> Skill:
    return next(one for one in memory.every_skill() if one.id == skill.id)


def told_of(memory: Memory, skill: Skill) -> list[tuple[str, int]]:
    return [(row.kind, row.counts) for row in memory.evidence(skill.id)]


def test_a_change_whose_commit_is_found_later_is_accepted_once(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    skill = used(memory, shop, tmp_path, check="")
    assert commits.look(memory._store) == 0
    put(shop, f"    {WRITTEN}\n", "Round to cents", "2026-05-07T10:00:00Z")
    assert commits.look(memory._store) == 1
    assert commits.look(memory._store) == 0
    assert told_of(memory, skill) == [("diff_accepted", 1)]


def test_a_commit_says_nothing_that_the_session_s_own_tests_did_not_say(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    skill = used(memory, shop, tmp_path)
    before = known(memory, skill)
    put(shop, f"    {WRITTEN}\n", "Round to cents", "2026-05-07T10:00:00Z")
    assert commits.look(memory._store) == 1
    after = known(memory, skill)
    assert told_of(memory, skill) == [("test_passed", 1), ("diff_accepted", 0)]
    assert (after.confirmed, after.exit_proofs, after.fades_at) == (
        before.confirmed,
        before.exit_proofs,
        before.fades_at,
    )


def test_a_change_that_is_reverted_speaks_against_the_skill(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    skill = used(memory, shop, tmp_path)
    put(shop, f"    {WRITTEN}\n", "Round to cents", "2026-05-07T10:00:00Z")
    git(shop, "revert", "--no-edit", "HEAD", at="2026-05-08T10:00:00Z")
    commits.look(memory._store)
    assert told_of(memory, skill) == [("test_passed", 0), ("diff_accepted", 0), ("diff_reverted", -1)]
    assert known(memory, skill).state == "suspended"


def test_a_commit_of_the_file_with_other_lines_is_no_word_about_the_change(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    skill = used(memory, shop, tmp_path)
    put(shop, "    return nothing_of_the_kind(x)\n", "Something else", "2026-05-07T10:00:00Z")
    assert commits.look(memory._store) == 0
    assert told_of(memory, skill) == [("test_passed", 1)]


def test_a_folder_without_git_and_a_look_without_time_say_nothing(
    memory: Memory, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used(memory, shop, tmp_path)
    put(shop, f"    {WRITTEN}\n", "Round to cents", "2026-05-07T10:00:00Z")
    assert commits.look(memory._store, seconds=0) == 0
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commits.look(memory._store) == 0


def test_a_path_that_looks_like_an_option_is_a_path(shop: Path) -> None:
    found = commits.Repository(str(shop), float("inf")).holding(
        ["--output=/tmp/x"], ["aa"], "2026-01-01T00:00:00Z"
    )
    assert found is None


def test_a_repository_s_own_set_up_starts_no_program(tmp_path: Path, shop: Path) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0" >> {ran}\n', encoding="utf-8")
    program.chmod(0o755)
    put(shop, f"    {WRITTEN}\n", "round", at="2026-05-07T10:00:00Z")
    signed = git(shop, "cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n", 1
    )
    (tmp_path / "commit").write_text(f"{signed}\n", encoding="utf-8")
    name = git(shop, "hash-object", "-t", "commit", "-w", str(tmp_path / "commit"))
    git(shop, "update-ref", "HEAD", name)
    before = git(shop, "rev-parse", "HEAD~1:shop/total.py")
    for key, value in {
        "log.showSignature": "true",
        "gpg.program": str(program),
        "diff.external": str(program),
        "core.pager": str(program),
        "core.fsmonitor": str(program),
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": str(shop),
        "remote.origin.uploadpack": str(program),
        "core.repositoryFormatVersion": "1",
    }.items():
        git(shop, "config", key, value)
    repository = commits.Repository(str(shop), time.monotonic() + 20)
    lines = [digest_of(f"    {WRITTEN}")]
    found = repository.holding(["shop/total.py"], lines, "2026-05-02T00:00:00Z")
    assert found is not None
    assert found.name == name
    assert repository.reverting(name) is None
    (shop / ".git" / "objects" / before[:2] / before[2:]).unlink()
    assert repository.holding(["shop/total.py"], lines, "2026-05-02T00:00:00Z") is None
    assert not ran.exists()


def test_a_path_that_looks_like_a_pattern_is_a_path(shop: Path) -> None:
    put(shop, f"    {WRITTEN}\n", "round", at="2026-05-07T10:00:00Z")
    lines = [digest_of(f"    {WRITTEN}")]
    repository = commits.Repository(str(shop), time.monotonic() + 20)
    assert repository.holding([":(glob)**/*.py"], lines, "2026-05-02T00:00:00Z") is None
