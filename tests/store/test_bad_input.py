"""Texts, clocks, folders and disks as nobody would wish them: a clear answer, and nothing half-written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from honed.errors import DamagedError, HonedError, NotFoundError, UnavailableError, UsageError
from honed.ledger import events
from honed.ledger.model import NewEvent
from honed.skills.model import Anchor, Draft, FileRef, Pitfall
from honed.store.backups import check_backup
from honed.store.base import Appended, Source
from honed.store.connection import database_path
from honed.store.place import locate
from honed.store.reading import open_readonly
from honed.store.sqlite import SqliteStore, restore_backup
from tests.store.making import (
    CART,
    PROJECT,
    Clock,
    draft,
    evidence,
    found_by_word,
    hand,
    keep,
    learned,
    look,
    occasion,
    start,
)
from tests.store.test_processes import finish, line

# Texts

NASTY = {
    "lone surrogates": "a \ud800 b \udfff c",
    "half an emoji": "\ud83d",
    "NUL": "a\0b",
    "controls": "a\x01\x1b[2J\x7f\x85b",
    "line ends": "a\r\nb\rc\u2028d\x0be",
    "quotes": "'; DROP TABLE events; -- \" \\ % _ * ( ) NEAR OR NOT ^ :",
    "scripts": "корзина 购物车 カート سلة 🛒 ẞ İ ŉ \u0345",
    "marks": "a" + "\u0301" * 3000,
    "directions": "\u202e\u2066\u200f\ufeff\u00ad",
    "one long word": "x" * 20_000,
    "json": '{"draft": {"title": "\\ud800"}, "replaces":"ev_x"}',
    "blank": " \t\n ",
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_any_text_is_kept_as_it_is_and_breaks_nothing(text: str, store: SqliteStore, home: str) -> None:
    everywhere = Draft(
        "procedure",
        text,
        text,
        steps=(text, text),
        files=(FileRef(text, (Anchor(text, text),)),),
        check=text,
        pitfalls=(Pitfall(text, text, text),),
        outcome=text,
        body=text,
        aliases=(text,),
        symbols=(text,),
        tags=(text,),
        agent=text,
        fingerprint="everywhere",
    )
    told = events.Occasion("codex", f"s{text}", text, "2026-03-01T10:00:00Z")
    new = learned(everywhere, slug=text)
    new = replace(new, body={**new.body, "session": text, "extra": {text: [text]}})
    (result,) = keep(store, new)
    keep(
        store,
        evidence(result.subject, f"later {text}"),
        events.judged(told, "tk_a", PROJECT, "verified", text, seen_to=1, check=text, step=text),
        events.project_seen(PROJECT, text, [("path", text)], os.urandom(16)),
        events.configured("excludes", [text], os.urandom(16)),
        events.revised(result.subject, replace(everywhere, outcome="other"), os.urandom(16), reason=text),
    )
    store.save_source(Source(f"/t/{text}", "codex", text, 1, 1, 0, 1, 0, "p", "1"))
    skill = store.skill(result.subject)
    assert skill is not None
    assert skill.draft == replace(everywhere, outcome="other")
    assert [version.draft for version in store.versions(skill.id)] == [everywhere, skill.draft]
    assert store.settings() == {"excludes": [text]}
    assert store.find_slug(result.slug, PROJECT).id == skill.id
    assert store.source(f"/t/{text}") is not None
    assert store.verify(strict=True) == ()
    store.rebuild(anew=True)
    assert store.skill(result.subject) == skill
    with open_readonly(home) as reader:
        (n,) = look(home, "SELECT n FROM skills")[0]
        assert json.loads(reader.facts([int(str(n))])[int(str(n))].draft)["steps"] == [text, text]
    store.erase(result.subject)
    assert store.verify(strict=True) == ()


def test_a_text_of_a_hundred_megabytes_is_refused_before_anything_is_done(store: SqliteStore) -> None:
    for big in ("x" * 100_000_000, "ж\n" * 30_000_000):
        with pytest.raises(UsageError, match="at most 1048576 are kept"):
            store.append([learned(), learned(draft("big", body=big))])
    assert store.stats().events == 0
    keep(store, learned())


def test_the_largest_text_that_is_kept_is_kept(store: SqliteStore) -> None:
    body = "word " * 200_000
    (result,) = keep(store, learned(draft("large", body=body)))
    skill = store.skill(result.subject)
    assert skill is not None
    assert skill.draft.body == body
    assert store.verify(strict=True) == ()


HEADERS = [
    {"id": "ev_secret text"},
    {"id": "x" * 1000},
    {"actor": "Ann O'Nymous <ann@example.org>"},
    {"actor": ""},
    {"subject": "sk_my password is hunter2"},
    {"subject": "sk_"},
    {"subject": "pr_\n"},
]


@pytest.mark.parametrize("change", HEADERS, ids=range(len(HEADERS)))
def test_nothing_comes_into_a_header_that_could_never_be_erased(
    change: dict[str, str], store: SqliteStore
) -> None:
    with pytest.raises(UsageError):
        store.append([replace(learned(), **change)])  # type: ignore[arg-type]
    assert store.stats().events == 0


@pytest.mark.parametrize("at", ["", "2026", "-1", "2026-13-01", "9" * 40, "2026-01-01T00:00:00+99:99"])
def test_a_time_that_is_none_is_refused(at: str, store: SqliteStore) -> None:
    event = replace(learned(), at=at)
    if not at:
        keep(store, event)
        return
    with pytest.raises(UsageError, match="not a time"):
        store.append([event])


# Clocks


def test_a_clock_that_jumps_back_does_not_turn_the_ledger_round(
    store: SqliteStore, home: str, clock: Clock
) -> None:
    (result,) = keep(store, learned())
    clock.at -= 10 * 365 * 86_400
    keep(store, hand("pinned", result.subject))
    clock.at += 3600
    keep(store, hand("unpinned", result.subject))
    skill = store.skill(result.subject)
    assert skill is not None
    assert not skill.pinned
    stamps = [str(at) for (at,) in look(home, "SELECT recorded_at FROM events ORDER BY seq")]
    assert stamps == sorted(stamps)
    assert store.now() == stamps[-1]
    assert store.verify(strict=True) == ()
    store.backup()


@pytest.mark.parametrize("at", [1e12, -1e12, float("nan"), float("inf")])
def test_a_clock_that_says_no_time_is_refused(at: float, store: SqliteStore, clock: Clock) -> None:
    clock.at = at
    with pytest.raises(HonedError, match="clock"):
        store.append([learned()])
    clock.at = 1_780_000_000.0
    keep(store, learned())


# Folders and files


@pytest.mark.parametrize(
    "name",
    ["a b", "100%", "what?", "#1", "ünï-код-🛒", "it's", 'say "hi"', "a\nb", "-rf", "%41", "a;b", "~", "..."],
)
def test_a_home_may_have_any_name(name: str, tmp_path: Path) -> None:
    home = str(tmp_path / name / "home")
    with SqliteStore.open(home) as store:
        (result,) = keep(store, learned())
        copy = store.backup()
        keep(store, learned(draft("later"), slug="later"))
        store.erase(result.subject)
        store.rebuild()
        assert store.verify(strict=True) == ()
    restore_backup(home, copy)
    with SqliteStore.open(home, readonly=True) as store:
        assert store.skills() == ()
    with open_readonly(home) as reader:
        assert reader.size(reader.scopes(PROJECT)) == 0
    assert list(tmp_path.iterdir()) == [tmp_path / name]


def test_a_journal_whose_database_is_gone_is_not_thrown_away(home: str) -> None:
    store = SqliteStore.open(home)
    keep(store, learned())
    journal = Path(f"{database_path(home)}-wal").read_bytes()
    store.close()
    for name in os.listdir(home):
        os.unlink(os.path.join(home, name))
    Path(f"{database_path(home)}-wal").write_bytes(journal)
    for readonly in (False, True):
        with pytest.raises(DamagedError, match="journal"):
            SqliteStore.open(home, readonly=readonly)
    assert Path(f"{database_path(home)}-wal").read_bytes() == journal


def test_a_link_to_a_database_elsewhere_is_followed(home: str, tmp_path: Path) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
    shutil.move(database_path(home), tmp_path / "elsewhere.db")
    os.symlink(tmp_path / "elsewhere.db", database_path(home))
    with SqliteStore.open(home) as store:
        keep(store, learned(draft("later"), slug="later"))
        store.backup()
        assert store.verify(strict=True) == ()
    assert os.path.islink(database_path(home))


@pytest.mark.parametrize("name", ["backups", "replaced", "backups.lock", "ledger.head", "tombstone.key"])
def test_a_folder_or_file_in_the_place_of_one_of_ours_is_said(name: str, home: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
    path = os.path.join(home, name)
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)
    Path(path).mkdir() if "." in name else Path(path).write_text("a file", encoding="utf-8")
    with SqliteStore.open(home) as store:
        keep(store, learned(draft("later"), slug="later"))
        if name in ("backups", "backups.lock"):
            with pytest.raises(UnavailableError):
                store.backup()
        assert len(store.skills()) == 2


# Rights: as a user who may read and not write.  Root may do everything, so it becomes nobody.

NOBODY = 65534


@pytest.fixture
def readable() -> Iterator[str]:
    """A home that another user may read and not write; needs root."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    folder = Path("/tmp") / f"honed-readable-{os.getpid()}"
    home = str(folder / "home")
    with SqliteStore.open(home) as store:
        keep(store, learned(), learned(draft("second"), slug="second"))
    for path in (folder, folder / "home"):
        path.chmod(0o755)
    for path in (folder / "home").iterdir():
        path.chmod(0o644)
    try:
        yield home
    finally:
        shutil.rmtree(folder)


def as_nobody(act: Callable[[], str]) -> str:
    """What a function answers in a process that has no rights here."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            answer = act()
        except HonedError as error:
            answer = f"{type(error).__name__} {error.exit_code} {error}"
        except BaseException as error:
            answer = repr(error)
        os.write(write, answer.encode("utf-8"))
        os._exit(0)
    os.close(write)
    with open(read, encoding="utf-8") as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    return answer


def reads(home: str) -> str:
    with SqliteStore.open(home, readonly=True) as store, open_readonly(home) as reader:
        return f"{len(store.skills())} {store.verify(strict=True)} {len(reader.facts([1, 2]))}"


def writes(home: str) -> str:
    with SqliteStore.open(home) as store:
        return store.append([learned(draft("more"))])[0].status


def test_a_read_only_home_can_be_read_and_verified(readable: str) -> None:
    assert as_nobody(lambda: reads(readable)) == "2 () 2"


def test_a_read_only_home_says_why_it_cannot_be_written(readable: str) -> None:
    before = sorted(os.listdir(readable))
    said = as_nobody(lambda: writes(readable))
    assert said.startswith("UnavailableError 5 memory at"), said
    assert "read-only" in said
    assert "folder in its place" not in said
    assert sorted(os.listdir(readable)) == before


def test_a_read_only_home_is_backed_up_to_where_one_may_write(readable: str) -> None:
    elsewhere = os.path.join(os.path.dirname(readable), "elsewhere")
    os.mkdir(elsewhere)
    os.chown(elsewhere, NOBODY, NOBODY)
    copy, before = os.path.join(elsewhere, "copy.db"), sorted(os.listdir(readable))

    def backs_up(path: str | None) -> str:
        with SqliteStore.open(readable, readonly=True) as store:
            return store.backup(path)

    assert as_nobody(lambda: backs_up(copy)) == copy
    assert check_backup(copy) == ""
    assert as_nobody(lambda: backs_up(None)).startswith("UnavailableError 5 cannot make a backup in")
    assert sorted(os.listdir(readable)) == before


@pytest.mark.parametrize("act", [reads, writes])
def test_a_home_that_may_not_be_read_says_so(act: Callable[[str], str], readable: str) -> None:
    os.chmod(readable, 0o700)
    said = as_nobody(lambda: act(readable))
    assert said.startswith("UnavailableError 5"), said
    assert "permission denied" in said or "cannot be" in said


@pytest.mark.parametrize("act", [reads, writes])
def test_a_file_that_may_not_be_read_says_so(act: Callable[[str], str], readable: str) -> None:
    os.chmod(database_path(readable), 0o600)
    said = as_nobody(lambda: act(readable))
    assert said.startswith("UnavailableError 5"), said
    assert "permission denied" in said or "cannot be" in said


# Disks


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[str]:
    """A file system with room for a few megabytes; needs root."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], check=False, capture_output=True
        ).returncode
    )
    if not mounted:
        pytest.skip("no file system of our own can be mounted here")
    try:
        yield str(place)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(store: SqliteStore, kept: list[Appended]) -> None:
    """Learn until it cannot be done any more."""
    for number in range(5000):
        kept += keep(store, learned(draft(f"n{number}", body="word " * 500), slug="n"))


def decide(store: SqliteStore, skill: str) -> None:
    """Small acts until there is no room for one more."""
    for _ in range(500):
        store.append([hand("pinned", skill)])


def test_on_a_full_disk_what_was_acknowledged_is_there_and_nothing_else(small_disk: str) -> None:
    home = os.path.join(small_disk, "home")
    store = SqliteStore.open(home)
    kept: list[Appended] = []
    with pytest.raises(UnavailableError, match="full"):
        fill(store, kept)
    assert kept
    with pytest.raises(UnavailableError, match="full"):
        decide(store, kept[0].subject)
    for act in (
        lambda: store.append([learned(draft("more", body="word " * 500))]),
        store.backup,
        store.rebuild,
        lambda: store.erase(kept[0].subject),
    ):
        with pytest.raises(UnavailableError):
            act()
    assert {skill.id for skill in store.skills()} == {result.subject for result in kept}
    store.close()
    with SqliteStore.open(home, readonly=True) as reader:
        assert len(reader.skills()) == len(kept)
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    with SqliteStore.open(home) as store:
        assert {skill.id for skill in store.skills()} == {result.subject for result in kept}
        assert store.verify(strict=True) == ()
        keep(store, learned(draft("after"), slug="after"))
        store.erase(kept[0].subject)
        assert store.verify(strict=True) == ()


def test_a_first_open_on_a_full_disk_leaves_nothing_that_hinders_the_next(small_disk: str) -> None:
    home, ballast = os.path.join(small_disk, "home"), Path(small_disk, "ballast")
    os.mkdir(home)
    size = 3 * 1024 * 1024 - 16 * 1024
    ballast.write_bytes(b"x" * size)
    with pytest.raises(UnavailableError):
        SqliteStore.open(home)
    ballast.unlink()
    with SqliteStore.open(home) as store:
        keep(store, learned())
        assert store.verify(strict=True) == ()


def test_six_first_opens_that_write_at_once_lose_nothing(home: str) -> None:
    openers = [start("first", home, f"opener {number}") for number in range(6)]
    assert [line(opener) for opener in openers] == ["ready"] * 6
    for opener in openers:
        assert opener.stdin is not None
        opener.stdin.write("go\n")
        opener.stdin.flush()
    assert [words.split()[0] for opener in openers for words in finish(opener)] == ["written"] * 6
    with SqliteStore.open(home) as store:
        assert len(store.skills()) == 6
        assert store.verify(strict=True) == ()


def test_no_place_and_no_words_make_the_store_raise_what_is_not_ours(store: SqliteStore, home: str) -> None:
    keep(store, learned())
    for text in NASTY.values():
        with pytest.raises(NotFoundError):
            store.find_slug(text, text)
        assert store.by_fingerprint(text, text) is None
        assert store.skill(text) is None
        assert store.tasks(session=text) == ()
        store.resolve_project(locate(text))
    assert found_by_word(home, "cart") == ["round-the-cart"]
    with pytest.raises(UsageError):
        store.append([NewEvent("ev_x", "nonsense", "sk_a", {}, "")])  # type: ignore[arg-type]
    assert CART.title
    assert occasion().client == "claude_code"
