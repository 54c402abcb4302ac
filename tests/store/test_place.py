"""Where is this, and whose project is it?  Over real git repositories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from honed.ledger import events
from honed.store.place import Place, is_home, locate, normalise_remote
from honed.store.sqlite import SqliteStore

WHEN = "2026-01-01T00:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.open(str(tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def git(folder: Path, *words: str) -> None:
    quiet = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, env=quiet, timeout=60)


def repository(folder: Path, remote: str = "") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "src").mkdir()
    (folder / "src" / "a.py").write_text("a = 1\n", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "begin")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


REMOTE = "git@forge.example:shop/cart.git"


def test_a_folder_inside_a_repository_is_that_repository(work: Path) -> None:
    top = repository(work / "cart", REMOTE)
    place = locate(str(top / "src"))
    assert (place.root, place.subpath, place.branch) == (str(top), "src", "main")
    assert (place.git_dir, place.common_dir) == (str(top / ".git"), str(top / ".git"))
    assert (place.remote, place.worktree, place.present) == ("forge.example/shop/cart", "", True)
    assert [kind for kind, _ in place.aliases] == ["git", "path", "remote"]


def test_a_worktree_shares_its_project_and_has_its_own_branch(work: Path, store: SqliteStore) -> None:
    top = repository(work / "cart")
    git(top, "worktree", "add", "-q", "-b", "feature/x", str(work / "cart-x"))
    place = locate(str(work / "cart-x" / "src"))
    assert (place.worktree, place.branch, place.root) == ("cart-x", "feature/x", str(work / "cart-x"))
    assert place.common_dir == str(top / ".git")
    assert store.ensure_project(locate(str(top))) == store.ensure_project(place)


def test_a_deleted_worktree_is_still_the_same_project(work: Path, store: SqliteStore) -> None:
    top = repository(work / "cart")
    git(top, "worktree", "add", "-q", str(work / "cart-x"))
    project = store.ensure_project(locate(str(work / "cart-x")))
    git(top, "worktree", "remove", "--force", str(work / "cart-x"))
    gone = locate(str(work / "cart-x"))
    assert not gone.present
    assert store.resolve_project(gone) == project
    assert store.resolve_project(locate(str(work / "cart-x" / "src"))) == project


def test_a_detached_head_has_no_branch(work: Path) -> None:
    top = repository(work / "cart")
    git(top, "checkout", "-q", "--detach")
    assert locate(str(top)).branch == ""


def test_a_submodule_is_its_own_project(work: Path, store: SqliteStore) -> None:
    library = repository(work / "library")
    top = repository(work / "cart")
    git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "vendor/library")
    inner = locate(str(top / "vendor" / "library"))
    assert inner.root == str(top / "vendor" / "library")
    assert inner.common_dir == str(top / ".git" / "modules" / "vendor" / "library")
    assert inner.worktree == ""
    assert store.ensure_project(inner) != store.ensure_project(locate(str(top)))


def test_a_clone_of_a_known_remote_is_the_same_project(work: Path, store: SqliteStore) -> None:
    one = store.ensure_project(locate(str(repository(work / "cart", REMOTE))))
    two = locate(str(repository(work / "again", "https://someone:secret@forge.example:443/shop/cart")))
    assert store.ensure_project(two) == one
    assert len(store.projects()) == 1


def test_a_fork_with_another_remote_is_another_project(work: Path, store: SqliteStore) -> None:
    one = store.ensure_project(locate(str(repository(work / "cart", REMOTE))))
    fork = repository(work / "fork", "git@forge.example:me/cart.git")
    git(fork, "remote", "add", "upstream", REMOTE)
    assert store.ensure_project(locate(str(fork))) != one


def test_a_repository_that_moves_its_remote_stays_itself(work: Path, store: SqliteStore) -> None:
    top = repository(work / "cart", REMOTE)
    project = store.ensure_project(locate(str(top)))
    git(top, "remote", "set-url", "origin", "git@forge.example:newhome/cart.git")
    assert store.ensure_project(locate(str(top))) == project


def test_a_folder_that_another_clone_took_over_is_another_project(work: Path, store: SqliteStore) -> None:
    gone = locate("/workspace/app", remote=REMOTE)
    other = locate("/workspace/app", remote="git@forge.example:shop/stock.git")
    assert store.ensure_project(gone) != store.ensure_project(other)
    assert store.ensure_project(locate("/workspace/app", remote=REMOTE)) == store.ensure_project(gone)
    assert work.exists()


def test_asking_again_writes_nothing(work: Path, store: SqliteStore) -> None:
    place = locate(str(repository(work / "cart", REMOTE)))
    store.ensure_project(place)
    before = store.stats().events
    store.ensure_project(place)
    store.ensure_project(locate(str(work / "cart" / "src")))
    assert store.stats().events == before == 1


def test_resolving_writes_nothing(work: Path, store: SqliteStore) -> None:
    assert store.resolve_project(locate(str(work))) is None
    assert store.stats().events == 0


def test_a_plain_folder_is_a_project_and_so_are_its_folders(work: Path, store: SqliteStore) -> None:
    (work / "notes" / "deep").mkdir(parents=True)
    project = store.ensure_project(locate(str(work / "notes")))
    assert store.ensure_project(locate(str(work / "notes" / "deep"))) == project
    assert store.ensure_project(locate(str(work / "notes" / "gone" / "deeper"))) == project
    assert store.ensure_project(locate(str(work / "other"))) != project


def test_a_repository_inside_a_known_plain_folder_is_its_own(work: Path, store: SqliteStore) -> None:
    outer = store.ensure_project(locate(str(work)))
    assert store.ensure_project(locate(str(repository(work / "cart")))) != outer


def test_a_clone_that_is_gone_is_not_the_work_tree_it_lay_in(work: Path) -> None:
    top = repository(work / "cart", REMOTE)
    inside = locate(str(top / "vendor" / "stock"), remote="git@forge.example:shop/stock.git")
    assert (inside.git_dir, inside.root) == ("", str(top / "vendor" / "stock"))
    assert locate(str(top / "vendor" / "stock")).root == str(top)


def test_an_alias_that_the_owner_split_off_stays_off(work: Path, store: SqliteStore) -> None:
    top = repository(work / "cart", REMOTE)
    place = locate(str(top))
    project = store.ensure_project(place)
    for kind, value in place.aliases[:2]:
        store.append([events.project_split(project, kind, value, os.urandom(16))])
    assert store.ensure_project(place) == project  # by its remote
    before = store.stats().events
    store.ensure_project(place)
    assert store.stats().events == before
    store.append([events.project_split(project, "remote", place.remote, os.urandom(16))])
    other = store.ensure_project(place)
    assert other not in ("", project)
    store.append([events.project_linked(project, "git", place.common_dir, os.urandom(16))])
    assert store.ensure_project(place) == project


HOMES = [
    "/",
    "/root",
    "/home/ann",
    "/Users/ann",
    "/home/ann/",
    "C:\\Users\\ann",
    "C:\\",
    os.path.expanduser("~"),
]


@pytest.mark.parametrize("folder", HOMES)
def test_a_home_folder_is_never_a_project(folder: str, store: SqliteStore) -> None:
    place = locate(folder)
    assert is_home(folder)
    assert place.aliases == ()
    assert store.ensure_project(place) == ""
    assert store.stats().events == 0


def test_dotfiles_under_version_control_do_not_make_the_home_a_project(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = repository(work / "ann")
    monkeypatch.setenv("HOME", str(home))
    (home / "code").mkdir()
    assert locate(str(home)).root == ""
    assert (locate(str(home / "code")).root, locate(str(home / "code")).git_dir) == (str(home / "code"), "")


@pytest.mark.parametrize("shared", ["/tmp", "/home", "/mnt", "/srv"])
def test_what_lies_in_a_shared_folder_is_not_that_folder_s_project(shared: str, store: SqliteStore) -> None:
    outer = store.ensure_project(locate(shared))
    inner = store.ensure_project(locate(f"{shared}/no-such-folder/of/ours"))
    assert inner != outer


def test_a_path_of_another_system_is_kept_as_it_is(store: SqliteStore) -> None:
    place = locate("C:\\Users\\ann\\code\\cart")
    assert (place.root, place.present) == ("C:\\Users\\ann\\code\\cart", False)
    project = store.ensure_project(place)
    assert store.projects()[0].name == "cart"
    assert store.resolve_project(locate("C:\\Users\\ann\\code\\cart\\src")) == project


@pytest.mark.parametrize(
    "folder",
    ["", ".", "relative/folder", "/nul\0byte", "/x" * 3000, "/\ud800", "/\n", "~/code", "\\\\server\\share"],
)
def test_no_path_makes_it_raise(folder: str, store: SqliteStore) -> None:
    place = locate(folder)
    assert isinstance(place, Place)
    project = store.ensure_project(place)
    assert store.resolve_project(place) == (project or None)


@pytest.mark.parametrize(
    "text", [b"", b"gitdir: /nowhere/at/all", b"gitdir:", b"\xff\xfe garbage", b"gitdir: .", b"x" * 100_000]
)
def test_a_broken_git_file_is_no_repository(text: bytes, work: Path) -> None:
    (work / "cart").mkdir()
    (work / "cart" / ".git").write_bytes(text)
    place = locate(str(work / "cart"))
    assert place.root == str(work / "cart")


def test_an_empty_git_folder_is_no_repository(work: Path) -> None:
    (work / "cart" / ".git").mkdir(parents=True)
    assert locate(str(work / "cart")).git_dir == ""


def test_a_pipe_in_place_of_the_git_file_does_not_hang(work: Path) -> None:
    os.mkfifo(work / ".git")
    assert locate(str(work)).git_dir == ""


@pytest.mark.parametrize(
    "raw", ["[remote", '[remote "origin"]\nurl', "=\n=\n", '[remote "origin"]\n\turl =', "\0"]
)
def test_a_broken_config_names_no_remote(raw: str, work: Path) -> None:
    top = repository(work / "cart")
    (top / ".git" / "config").write_text(raw, encoding="utf-8")
    assert locate(str(top)).remote == ""


def test_without_an_origin_the_remote_that_the_branch_follows_is_meant(work: Path) -> None:
    top = repository(work / "cart")
    git(top, "remote", "add", "backup", "https://backup.example/cart")
    git(top, "remote", "add", "forge", REMOTE)
    assert locate(str(top)).remote == "backup.example/cart"
    git(top, "config", "branch.main.remote", "forge")
    assert locate(str(top)).remote == "forge.example/shop/cart"


def test_a_link_to_a_folder_is_that_folder(work: Path) -> None:
    top = repository(work / "cart")
    os.symlink(top, work / "link")
    assert locate(str(work / "link" / "src")).root == str(top)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@GitHub.example:Shop/Cart.git", "github.example/Shop/Cart"),
        ("ssh://git@github.example:22/Shop/Cart.git/", "github.example/Shop/Cart"),
        ("https://github.example/Shop/Cart", "github.example/Shop/Cart"),
        ("https://user:token@github.example/Shop/Cart.git", "github.example/Shop/Cart"),
        ("https://github.example:8443/Shop/Cart.git?x=1#y", "github.example/Shop/Cart"),
        ("git://github.example/Shop/Cart", "github.example/Shop/Cart"),
        ("git+ssh://git@github.example/Shop/Cart", "github.example/Shop/Cart"),
        ("github.example:Shop/Cart", "github.example/Shop/Cart"),
        ("git@[2001:db8::1]:cart.git", "[2001:db8::1]/cart"),
        ("ssh://git@[2001:db8::1]:2222/cart.git", "[2001:db8::1]/cart"),
        ("file:///srv/git/cart.git", "/srv/git/cart"),
        ("/srv/git/cart.git", "/srv/git/cart"),
        ("../cart.git", "../cart"),
        ("C:\\git\\cart", "C:\\git\\cart"),
        ("C:/git/cart.git", "C:/git/cart"),
        ("  https://github.example/a/b  ", "github.example/a/b"),
        ("", ""),
    ],
)
def test_every_spelling_of_a_remote_has_one_form(url: str, expected: str) -> None:
    assert normalise_remote(url) == expected
    assert normalise_remote(expected) == expected


def test_no_credential_survives_in_a_remote() -> None:
    for url in (
        "https://tok3n@h.example/a/b",
        "ssh://u:tok3n@h.example/a/b",
        "https://u:p@tok3n@h.example/a",
    ):
        assert "tok3n" not in normalise_remote(url)


def test_what_the_transcript_says_is_used_where_the_disk_knows_nothing(work: Path) -> None:
    place = locate(str(work / "gone"), remote=REMOTE, branch="topic")
    assert (place.remote, place.branch) == ("forge.example/shop/cart", "topic")
    assert place.aliases[0] == ("remote", "forge.example/shop/cart")
    top = repository(work / "cart", REMOTE)
    assert locate(str(top), remote="https://else.example/x", branch="old").remote == "forge.example/shop/cart"
    assert locate(str(top), branch="old").branch == "main"


@pytest.mark.parametrize(
    "gone",
    [
        "/home/dev/.herdr/worktrees/shop/feature",
        "/home/dev/.codex/worktrees/3f2a/shop",
        "/home/dev/conductor/workspaces/shop/lisbon",
        "C:\\Users\\dev\\.cursor\\worktrees\\shop\\x1",
    ],
)
def test_a_work_tree_that_an_agent_removed_again_is_found_by_its_layout(
    gone: str, store: SqliteStore
) -> None:
    shop = store.ensure_project(locate("/home/dev/code/shop"), WHEN)
    assert store.resolve_project(locate(gone)) == shop
    assert store.ensure_project(locate(gone), WHEN) == shop


def test_a_layout_that_two_projects_could_mean_is_not_taken(store: SqliteStore) -> None:
    store.ensure_project(locate("/home/dev/code/shop"), WHEN)
    store.ensure_project(locate("/home/dev/old/shop"), WHEN)
    assert store.resolve_project(locate("/home/dev/.herdr/worktrees/shop/feature")) is None
