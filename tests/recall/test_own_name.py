"""The name of a project in a request says nothing in that project."""

from __future__ import annotations

import pytest

from honed.recall.own_name import names_of, only_the_name
from honed.recall.recall import recall
from honed.skills.model import Draft, FileRef
from honed.store.place import Place
from tests.recall.making import FORGE, LATER, Shelf

SYNC = Place("/work/git-sync", "/work/git-sync", remote="forge.example/team/git-sync.git")
FLAGS = Draft(
    "procedure",
    "Parse the flags of git-sync with cobra",
    "every command of git-sync shall have its own help",
    steps=("In `cmd/git-sync/main.go`: change `run`",),
    files=(FileRef("cmd/git-sync/main.go"), FileRef("cmd/git-sync/flags.go")),
    check="go test ./cmd/git-sync/...",
    fingerprint="flags",
    source_task="t",
)


def told(shelf: Shelf, request: str, place: Place) -> list[str]:
    shelf.keep({"flags": FLAGS}, place)
    with shelf.reader() as reader:
        return [hit.slug for hit in recall(reader, request, place, now=LATER).hits]


@pytest.mark.parametrize(
    "request_text",
    [
        "ok, we need to change /pkg/gitsync to /sync",
        "write a post about git-sync",
        "run git-sync in the background",
    ],
)
def test_a_request_that_has_but_the_name_in_common_is_told_nothing(shelf: Shelf, request_text: str) -> None:
    assert told(shelf, request_text, SYNC) == []


def test_in_another_project_the_name_is_a_word_like_any_other(shelf: Shelf) -> None:
    assert told(shelf, "write a command of git-sync with gitsync in mind", FORGE) == ["flags"]


@pytest.mark.parametrize(
    "request_text", ["git-sync shall parse flags with cobra", "look at cmd/git-sync/flags.go"]
)
def test_who_says_more_than_the_name_is_told(shelf: Shelf, request_text: str) -> None:
    assert told(shelf, request_text, SYNC) == ["flags"]


def test_the_names_are_those_of_the_folder_the_repository_and_the_work_tree_it_was_linked_from() -> None:
    assert names_of(SYNC) == {"gitsync", "git", "sync"}
    linked = Place("/w/three", "/w/three", git_dir="/w/shop/.git/worktrees/three", common_dir="/w/shop/.git")
    assert names_of(linked) == {"three", "shop"}
    assert names_of(None) == frozenset()


def test_words_that_any_request_holds_add_nothing_to_the_name() -> None:
    names = frozenset({"gitsync", "git", "sync"})
    assert only_the_name(["gitsync", "change", "e"], names)
    assert only_the_name(["sync", "fetch"], names)
    assert not only_the_name(["gitsync", "fetch", "mirror"], names)
    assert not only_the_name(["fetch"], names)
