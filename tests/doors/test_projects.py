"""``--project`` and ``honed projects``: one meaning on every door, and splinters that can be mended."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from honed.caller import Author
from honed.memory import Memory
from tests.doors.conftest import Honed
from tests.doors.telling import a_shop, claude, codex, fixes, write

RULE = ("--kind", "rule", "--title", "Round cart totals half up", "--body", "Use Decimal, never floats.")
QUESTION = "round the cart totals half up"
TAKING = (
    ("recall", QUESTION),
    ("search", QUESTION),
    ("show", "round"),
    ("list",),
    ("pin", "round"),
    ("archive", "round"),
    ("restore", "round"),
)
"""Commands that take ``--project``; each finds something of the shop's."""


def kept(honed: Honed, shop: Path, slug: str = "round") -> str:
    """A rule of the shop's; returns the project's id."""
    assert honed("write", slug, *RULE, cwd=shop).code == 0
    return next(str(row["id"]) for row in honed("projects", "list", "--json").json if row["skills"])


def a_clone(base: Path, name: str, remote: str) -> Path:
    """A work tree that follows a remote."""
    there = a_shop(base, name)
    config = f'[remote "origin"]\n\turl = https://git.invalid/{remote}.git\n'
    (there / ".git" / "config").write_text(config, encoding="utf-8")
    return there


def recalled(honed: Honed, folder: Path) -> list[str]:
    return [hit["slug"] for hit in honed("recall", QUESTION, "--json", cwd=folder).json["hits"]]


@pytest.mark.parametrize("words", TAKING, ids=lambda words: words[0])
def test_a_project_is_named_by_folder_name_or_id_on_every_door(
    words: tuple[str, ...], honed: Honed, shop: Path, tmp_path: Path
) -> None:
    project = kept(honed, shop)
    elsewhere = a_shop(tmp_path, "elsewhere")
    for named in (str(shop), "../shop", "shop", project):
        answer = honed(*words, "--project", named, "--json", cwd=elsewhere)
        assert answer.code == 0, (named, answer.err)
        assert "round" in answer.out, named


@pytest.mark.parametrize("words", TAKING, ids=lambda words: words[0])
def test_a_project_that_nobody_knows_is_an_error_that_names_the_known_ones(
    words: tuple[str, ...], honed: Honed, shop: Path
) -> None:
    kept(honed, shop)
    answer = honed(*words, "--project", "shpo", "--json")
    assert answer.code == 4
    assert "no such folder, and no project of that name or id; known are shop" in answer.json["error"]


@pytest.mark.parametrize("words", TAKING, ids=lambda words: words[0])
def test_a_name_that_several_projects_have_is_refused_with_the_choices(
    words: tuple[str, ...], honed: Honed, shop: Path, tmp_path: Path
) -> None:
    first = kept(honed, shop)
    second = a_shop(tmp_path / "other", "shop")
    honed("write", "round", *RULE, cwd=second)
    ids = {row["id"] for row in honed("projects", "list", "--json").json}
    answer = honed(*words, "--project", "shop", "--json", cwd=a_shop(tmp_path, "third"))
    assert answer.code == 2
    assert set(answer.json["choices"]) == ids
    # A folder of that name stands here too: then it is one of the choices.
    answer = honed(*words, "--project", "shop", "--json", cwd=tmp_path)
    assert set(answer.json["choices"]) == {"./shop", *ids - {first}}
    assert honed(*words, "--project", "./shop", "--json", cwd=tmp_path).code == 0


def test_a_work_tree_that_was_removed_still_names_its_project(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    gone = tmp_path / "feature"
    git = shop / ".git" / "worktrees" / "feature"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/feature\n", encoding="utf-8")
    (git / "commondir").write_text("../..\n", encoding="utf-8")
    gone.mkdir()
    (gone / ".git").write_text(f"gitdir: {git}\n", encoding="utf-8")
    kept(honed, gone)
    shutil.rmtree(gone)
    shutil.rmtree(git)
    elsewhere = a_shop(tmp_path, "elsewhere")
    for named in (str(gone), str(gone / "src"), "../feature"):
        answer = honed("list", "--project", named, "--json", cwd=elsewhere)
        assert [row["slug"] for row in answer.json] == ["round"], named
    assert recalled(honed, shop) == ["round"]
    assert honed("list", "--project", str(tmp_path / "never")).code == 4


def test_a_part_of_a_work_tree_that_is_not_there_is_no_project(honed: Honed, shop: Path) -> None:
    kept(honed, shop)
    for named in ("typo", "src/typo", str(shop / "typo")):
        assert honed("recall", QUESTION, "--project", named).code == 4, named


def test_a_text_is_written_to_a_project_that_is_named(honed: Honed, shop: Path, tmp_path: Path) -> None:
    project = kept(honed, shop)
    elsewhere = a_shop(tmp_path, "elsewhere")
    words = ("--kind", "rule", "--title", "Never ship on Fridays", "--body", "x", "--project", "shop")
    assert honed("write", "no-fridays", *words, cwd=elsewhere).code == 0
    assert honed("show", "no-fridays", "--json").json["project_id"] == project
    note = tmp_path / "n.md"
    note.write_text("# Tag releases\nalways", encoding="utf-8")
    assert honed("import", str(note), "--project", "shop", cwd=elsewhere).code == 0
    assert (
        honed("import", str(note), "--project", "shop", "--dry-run", "--json", cwd=elsewhere).json["same"]
        == 1
    )
    assert {row["slug"] for row in honed("list", "--json").json} == {"round", "no-fridays", "n"}


def test_two_folders_of_one_repository_are_linked_and_taken_apart(
    honed: Honed, shop: Path, tmp_path: Path, home: Path
) -> None:
    project = kept(honed, shop)
    other = a_shop(tmp_path, "spare")
    honed("write", "tags", "--kind", "rule", "--title", "Tag every release", "--body", "x", cwd=other)
    assert recalled(honed, other) == []
    linked = honed("projects", "link", "shop", str(other), "--json")
    assert (linked.code, linked.json["project"], linked.json["existed"]) == (0, project, False)
    assert recalled(honed, other) == ["round"]
    for folder in (shop, other):
        assert {row["slug"] for row in honed("list", "--json", cwd=folder).json} == {"round", "tags"}
        assert honed("show", "tags", cwd=folder).code == 0
    # What is written from now on is the one project's, and the same text is known in both.
    assert honed("write", "again", *RULE, "--json", cwd=other).json["existed"] is True
    assert honed("projects", "link", "shop", str(other), "--json").json["existed"] is True
    rows = {row["name"]: row for row in honed("projects", "list", "--json").json}
    assert rows["spare"]["linked_to"] == project
    assert rows["shop"]["linked"] == [rows["spare"]["id"]]
    assert honed("projects", "split", "spare", "--json").json["project"] == rows["spare"]["id"]
    assert recalled(honed, other) == []
    assert [row["slug"] for row in honed("list", "--json", cwd=other).json] == ["tags"]
    with Memory.open(str(home)) as memory:
        assert memory.verify(strict=True) == ()


def test_a_linked_project_is_split_by_its_folder_too(honed: Honed, shop: Path, tmp_path: Path) -> None:
    kept(honed, shop)
    other = a_shop(tmp_path, "spare")
    honed("write", "tags", "--kind", "rule", "--title", "Tag every release", "--body", "x", cwd=other)
    honed("projects", "link", str(shop), "spare")
    assert honed("projects", "split", str(other)).code == 0
    assert recalled(honed, other) == []


def test_links_of_links_hold(honed: Honed, shop: Path, tmp_path: Path) -> None:
    folders = [shop, a_shop(tmp_path, "second"), a_shop(tmp_path, "third")]
    for number, folder in enumerate(folders):
        title = f"Rule {'abc'[number] * 9} of the house"
        honed("write", f"rule-{number}", "--kind", "rule", "--title", title, "--body", title, cwd=folder)
    assert honed("projects", "link", "second", "third").code == 0
    assert honed("projects", "link", "shop", "second").code == 0
    assert honed("projects", "link", "third", "shop", "--json").json["existed"] is True
    for folder in folders:
        assert len(honed("list", "--json", cwd=folder).json) == 3


def test_a_folder_that_honed_has_not_seen_is_linked_by_what_it_is(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    kept(honed, shop)
    fresh = a_shop(tmp_path, "fresh")
    assert honed("projects", "link", "shop", str(fresh)).code == 0
    assert recalled(honed, fresh) == ["round"]
    assert len(honed("projects", "list", "--json").json) == 1


def test_a_clone_that_is_its_own_project_is_split_off(honed: Honed, tmp_path: Path) -> None:
    first, second = a_clone(tmp_path, "one", "me/shop"), a_clone(tmp_path, "two", "me/shop")
    kept(honed, first)
    assert recalled(honed, second) == ["round"]
    assert honed("projects", "split", str(second)).code == 0
    assert recalled(honed, second) == []
    assert recalled(honed, first) == ["round"]
    honed("write", "mine", "--kind", "rule", "--title", "Only in the second", "--body", "x", cwd=second)
    assert [row["slug"] for row in honed("list", "--json", cwd=second).json] == ["mine"]


def test_what_cannot_be_parted_or_linked_says_why(honed: Honed, shop: Path, tmp_path: Path) -> None:
    kept(honed, shop)
    (shop / "src").mkdir()
    for words, code, why in (
        (("split", str(shop)), 3, "nothing to part"),
        (("split", str(shop / "src")), 2, "lies in the work tree"),
        (("split", "shop"), 2, "no part of another project"),
        (("split", "nobody"), 4, "no project of that name"),
        (("split", str(a_shop(tmp_path, "unseen"))), 4, "part of no project"),
        (("link", "shop"), 2, "honed projects link PROJECT OTHER"),
        (("link", "nobody", "shop"), 4, "known are shop"),
        (("link", str(a_shop(tmp_path, "new")), "shop"), 4, "knows no project"),
        (("list", "shop"), 2, "honed projects list"),
    ):
        answer = honed("projects", *words, "--json")
        assert (answer.code, why in answer.json["error"]) == (code, True), (words, answer.json)


def test_agents_see_what_is_linked_too(honed: Honed, shop: Path, tmp_path: Path, home: Path) -> None:
    kept(honed, shop)
    other = a_shop(tmp_path, "spare")
    honed("write", "tags", "--kind", "rule", "--title", "Tag every release", "--body", "x", cwd=other)
    honed("projects", "link", "shop", "spare")
    with Memory.open(str(home)) as memory:
        caller = memory.caller(Author("codex", "s1"), str(other))
        assert caller.find("round").slug == "round"
        assert caller.find("tags").slug == "tags"


def test_a_backfill_of_a_linked_folder_confirms_what_the_other_learned(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    honed("backfill", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    other = a_shop(tmp_path, "spare")
    honed("projects", "link", "shop", str(other))
    told = honed("backfill", str(write(tmp_path / "b.jsonl", fixes(codex(other)))), "--json").json
    assert (told["learned"], told["confirmed"]) == (0, 1)


def test_how_tests_are_run_is_known_in_what_is_linked(honed: Honed, shop: Path, tmp_path: Path) -> None:
    honed("backfill", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    other = a_shop(tmp_path, "spare")
    assert honed("recall", "how do I run the tests?", "--json", cwd=other).json["note"] is None
    honed("projects", "link", "shop", str(other))
    here = honed("recall", "how do I run the tests?", "--json", cwd=shop).json["note"]
    assert "`pytest`" in here
    assert honed("recall", "how do I run the tests?", "--json", cwd=other).json["note"] == here
    # Seen before it was linked, it is a project that is linked and not a folder.
    third = a_shop(tmp_path, "third")
    kept(honed, third)
    honed("projects", "link", "third", "shop")
    assert honed("recall", "how do I run the tests?", "--json", cwd=third).json["note"] == here


def test_projects_that_may_be_one_are_named_once(honed: Honed, shop: Path, tmp_path: Path) -> None:
    first = kept(honed, shop)
    second = a_shop(tmp_path / "container", "shop")
    honed("write", "round", *RULE, cwd=second)
    forked = a_clone(tmp_path / "fork", "shop", "you/shop")
    own = a_clone(tmp_path / "own", "shop", "me/shop")
    for folder in (forked, own):
        honed("write", "round", *RULE, cwd=folder)
    rows = {row["id"]: row for row in honed("projects", "list", "--json").json}
    assert len(rows) == 4
    assert len(rows[first]["maybe"]) == 3
    assert all(first not in row["maybe"] for key, row in rows.items() if key == first)
    told = proposed(honed)
    others = [other for _, other in told]
    assert len(others) == len(set(others)) >= 2
    assert all(other in rows[keep]["maybe"] for keep, other in told)  # never the fork and its origin
    other = next(key for key in rows[first]["maybe"])
    assert honed("projects", "link", first, other).code == 0
    assert other not in {row["id"]: row for row in honed("projects", "list", "--json").json}[first]["maybe"]
    assert other not in {one for pair in proposed(honed) for one in pair}
    honed("projects", "split", other)
    assert {first, other} not in [set(pair) for pair in proposed(honed)]  # what was split stays apart


def proposed(honed: Honed) -> list[tuple[str, str]]:
    """The links that `projects list` proposes: which to keep, and which is to be part of it."""
    found = honed("projects", "list").out.split("    honed projects link ")[1:]
    return [(words.split()[0], words.split()[1]) for words in found]


GONE = (
    ("work/shop", "work/shop/.claude/worktrees/fix-total"),
    ("work/shop", "work/shop/.worktrees/fix-total"),
    ("work/shop", "work/shop-worktrees/fix-total"),
    ("work/shop", "work/shop__worktrees/fix-total"),
    ("work/shop", ".herdr/worktrees/shop/fix-total"),
    (".herdr/worktrees/shop/one", ".herdr/worktrees/shop/two"),
)
"""A folder, and one that lies as a work tree of the same repository does."""


@pytest.mark.parametrize(("first", "second"), GONE)
def test_a_work_tree_that_is_gone_is_proposed_as_part_of_its_repository_and_never_linked(
    honed: Honed, tmp_path: Path, first: str, second: str
) -> None:
    for at, folder in enumerate((first, second)):
        made = a_shop(tmp_path / "some" / Path(folder).parent, Path(folder).name)
        honed("write", f"rule-{at}", *RULE, "--force", cwd=made)
        shutil.rmtree(made / ".git")
    rows = honed("projects", "list", "--json").json
    assert [len(row["maybe"]) for row in rows] == [1, 1]
    assert [row["linked"] for row in rows] == [[], []]
    said = honed("projects", "list").out
    assert said.count("One project?") == 1
    assert all(
        str(tmp_path / "some" / folder) in said.partition("One project?")[2] for folder in (first, second)
    )
    command = said.partition("    honed projects link ")[2].split()[:2]
    by_path = {
        alias["value"]: row["id"] for row in rows for alias in row["aliases"] if alias["kind"] == "path"
    }
    if "worktrees" not in first:
        assert command == [by_path[str(tmp_path / "some" / folder)] for folder in (first, second)]
    assert honed("projects", "link", *command).code == 0
    assert "One project?" not in honed("projects", "list").out


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("work/shop", "work/shop-tools"),
        ("work/worktrees/shop/a", "work/worktrees/blog/a2"),
        ("a/one", "b/two"),
    ],
)
def test_folders_that_no_layout_ties_are_not_proposed(
    honed: Honed, tmp_path: Path, first: str, second: str
) -> None:
    for folder in (first, second):
        made = a_shop(tmp_path / "some" / Path(folder).parent, Path(folder).name)
        honed("write", "rule", *RULE, "--force", cwd=made)
    assert [row["maybe"] for row in honed("projects", "list", "--json").json] == [[], []]


def test_a_name_that_several_projects_have_is_told_with_their_folders(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    kept(honed, shop)
    other = a_shop(tmp_path / "container", "shop")
    honed("write", "round", *RULE, cwd=other)
    told = honed("list", "--project", "shop", "--json", cwd=a_shop(tmp_path, "elsewhere"))
    assert told.code == 2
    assert all(f"({folder})" in told.json["error"] for folder in (shop, other))
    assert all(choice.startswith("pr_") for choice in told.json["choices"])
