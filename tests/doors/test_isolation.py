"""Who sees what: a repository is one project from wherever one looks, and another sees nothing of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.doors.conftest import Honed
from tests.doors.telling import a_shop, files_below
from tests.mcp.speaking import Talk

WORD = "zorblequux"
GIT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "HOME": "/nonexistent",
}


def git(folder: Path, *words: str) -> None:
    """A git command, with nobody's settings."""
    who = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    subprocess.run(
        ["git", *who, *words],
        cwd=folder,
        env=GIT,
        check=True,
        capture_output=True,
    )


def here(honed: Honed, folder: Path) -> str:
    """The project that honed takes a folder for, by what is listed there."""
    (row,) = [row for row in honed("projects", "list", "--json", cwd=folder).json if row["here"]]
    return str(row["id"])


def test_a_repository_is_one_project_from_every_work_tree_folder_and_clone(
    honed: Honed, tmp_path: Path
) -> None:
    repo, clone = tmp_path / "repo", tmp_path / "clone"
    (repo / "sub").mkdir(parents=True)
    git(repo, "init", "-q", "-b", "main")
    git(repo, "remote", "add", "origin", "https://git.invalid/me/shop.git")
    git(repo, "commit", "-q", "--allow-empty", "-m", "first")
    git(repo, "worktree", "add", "-q", "../wt", "-b", "feature")
    (tmp_path / "wt" / "a" / "b").mkdir(parents=True)
    git(tmp_path, "clone", "-q", str(repo), "clone")
    git(clone, "remote", "set-url", "origin", "git@git.invalid:me/shop")
    assert honed("write", "late", "--kind", "rule", "--title", WORD, "--body", "x", cwd=repo).code == 0
    places = (repo, repo / "sub", tmp_path / "wt", tmp_path / "wt" / "a" / "b", clone)
    assert len({here(honed, folder) for folder in places}) == 1
    for folder in places:
        assert [hit["slug"] for hit in honed("search", WORD, "--json", cwd=folder).json["hits"]] == ["late"]


def test_nothing_of_another_project_is_told_through_any_door(
    honed: Honed, home: Path, tmp_path: Path
) -> None:
    for number in range(50):
        title = f"{WORD} number {'abcdefghij'[number % 10] * (3 + number // 10)}"
        words = ("--title", title, "--body", f"{title} is {WORD}", "--force")
        kind = ("rule", "lesson", "recipe", "recap")[number % 4]
        assert honed("write", f"secret-{number}", "--kind", kind, *words).code == 0
    other = a_shop(tmp_path, "other")
    honed("write", "mine", "--kind", "rule", "--title", "Mine alone", "--body", "x", cwd=other)
    told = [
        honed(*words, cwd=other)
        for words in (
            ("recall", WORD),
            ("search", WORD),
            ("search", WORD, "--recaps"),
            ("list",),
            ("duplicates", "list"),
            ("show", "mine", "--history"),
        )
    ]
    assert WORD not in "".join(answer.out for answer in told)
    for command in ("show", "pin", "undo", "restore", "archive", "forget"):
        assert honed(command, "secret-0", cwd=other).code == 4, command
    vault = tmp_path / "v"
    assert honed("export", str(vault), "--project", str(other)).code == 0
    assert all(WORD.encode() not in data for _, data in files_below(vault))
    agent = Talk(home, other)
    for tool in ("memory_recall", "memory_search"):
        assert WORD not in agent.calls(tool, query=f"what is {WORD}?")["text"].replace(f"what is {WORD}?", "")
    assert WORD not in agent.calls("memory_list")["text"]
    assert WORD not in agent.fails("memory_get", slug="secret-0")
