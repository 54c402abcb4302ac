"""What is erased is in no file below the home, and the ledger says that something was erased."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from honed.errors import NotFoundError, RefusedError, UnavailableError, UsageError
from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.masking import MASK
from honed.skills.model import Anchor, Draft, FileRef, Pitfall
from honed.store.backups import backups, check_backup
from honed.store.base import SkillFilter, Source
from honed.store.sqlite import SqliteStore, restore_backup
from honed.store.wiping import files_below
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
)

WORD = "zorblequux"
"""In no other text, in no schema and in no id."""
EVERYWHERE = Draft(
    "procedure",
    f"Mend the {WORD}",
    f"the {WORD} is off by one",
    steps=(f"Edit `src/{WORD}/part.py`", "run the tests"),
    files=(FileRef(f"src/{WORD}/part.py", (Anchor(f"Part.{WORD}", f"return {WORD}"),)),),
    check=f"pytest tests/test_{WORD}.py",
    pitfalls=(Pitfall(f"ValueError: {WORD}", f"look at {WORD}", f"pytest -k {WORD}"),),
    outcome=f"{WORD} works",
    body=f"All about {WORD}.\n" * 40,
    aliases=(f"fix {WORD}",),
    symbols=(f"Part.{WORD}",),
    tags=(WORD,),
    fingerprint="everywhere",
    source_task="tk_a",
)


def holding(home: str, word: str = WORD) -> list[str]:
    """The files below a home in which a word is, in any case, also inside databases and journals."""
    wanted = word.lower().encode()
    paths = (path for path in sorted(Path(home).rglob("*")) if path.is_file())
    return [str(path.relative_to(home)) for path in paths if wanted in path.read_bytes().lower()]


def filled(store: SqliteStore) -> str:
    """A skill that names the word everywhere, among others that do not; its id."""
    keep(store, *(learned(draft(f"before {number}", body="plain words " * 50)) for number in range(20)))
    (result,) = keep(store, learned(EVERYWHERE, slug=f"mend-{WORD}"))
    keep(
        store,
        events.revised(result.subject, replace(EVERYWHERE, title=f"Mend {WORD} well"), os.urandom(16)),
        events.judged(occasion("s0", "j1"), "tk_a", PROJECT, "verified", f"{WORD} passed", seen_to=3),
        evidence(result.subject, "s1"),
    )
    keep(store, *(learned(draft(f"after {number}", body="other words " * 50)) for number in range(20)))
    return result.subject


def test_a_purged_skill_is_in_no_file_below_the_home(store: SqliteStore, home: str) -> None:
    skill = filled(store)
    copy = store.backup()
    spool = Path(home, "spool", "s0.jsonl")
    spool.parent.mkdir()
    line = json.dumps({"t": 1, "w": EVERYWHERE.trigger})
    spool.write_text(f"{line}\n{json.dumps({'t': 2})}\n", encoding="utf-8")
    assert {"honed.db-wal", "backups/" + os.path.basename(copy), "spool/s0.jsonl"} <= set(holding(home))
    done = store.erase(skill)
    assert holding(home) == []
    assert (done.skills, done.rewritten, done.removed, done.left) == ((skill,), (copy,), (), ())
    assert done.wiped == (str(spool),)
    assert done.texts == 4
    lines = spool.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["t"] for line in lines] == [1, 2]
    assert len(spool.read_bytes()) == len(line) + 1 + len('{"t": 2}\n')
    assert store.verify(strict=True) == ()


def test_the_ledger_says_what_was_erased_and_the_tombstone_holds(store: SqliteStore, home: str) -> None:
    skill = filled(store)
    store.erase(skill)
    history = store.skill_events(skill)
    assert {event.entry.kind for event in history if event.body is None} == {"learned", "revised", "evidence"}
    assert [event.entry.kind for event in history][-2:] == ["forgotten", "erased"]
    assert store.append([learned(EVERYWHERE, session="s9")], same_text=True)[0].status == "refused"
    assert store.skill(skill) is not None
    assert found_by_word(home, WORD) == []
    assert store.task("tk_a") is None
    assert len(store.skills()) == 40


def test_erasing_twice_changes_nothing_more(store: SqliteStore) -> None:
    skill = filled(store)
    store.erase(skill)
    before = store.stats().events
    assert store.erase(skill).texts == 0
    assert store.stats().events == before


def test_a_skill_that_was_forgotten_before_can_be_purged(store: SqliteStore, home: str) -> None:
    skill = filled(store)
    keep(store, hand("forgotten", skill))
    assert holding(home)
    store.erase(skill)
    assert holding(home) == []
    assert store.append([learned(EVERYWHERE, session="s9")])[0].status == "refused"


def test_what_never_was_cannot_be_purged(store: SqliteStore) -> None:
    with pytest.raises(NotFoundError):
        store.erase("sk_zzzzzzzzzzzzzzzz")
    assert store.stats().events == 0


def test_a_rewritten_backup_is_sound_and_has_all_the_rest(
    store: SqliteStore, home: str, tmp_path: Path
) -> None:
    skill = filled(store)
    keep(store, learned(draft("kept"), slug="kept"))
    copy = store.backup()
    keep(store, learned(draft("later"), slug="later"))
    store.erase(skill)
    assert check_backup(copy) == ""
    other = str(tmp_path / "other")
    os.makedirs(other)
    shutil.copy(Path(home, "tombstone.key"), other)
    restore_backup(other, copy)
    with SqliteStore.open(other) as restored:
        assert restored.verify(strict=True) == ()
        assert len(restored.skills()) == 41
        tombstone = restored.skill(skill)
        assert tombstone is not None
        assert tombstone.state == "deleted"
    assert os.listdir(os.path.dirname(copy)) == [os.path.basename(copy)]


def test_an_older_copy_from_elsewhere_does_not_bring_it_back(
    store: SqliteStore, home: str, tmp_path: Path
) -> None:
    skill = filled(store)
    elsewhere = store.backup(str(tmp_path / "elsewhere.db"))
    store.erase(skill)
    store.restore_backup(elsewhere)
    assert holding(home) == []
    assert store.verify(strict=True) == ()
    assert len(store.skills()) == 40


def test_a_copy_that_cannot_be_read_is_removed_and_said(store: SqliteStore, home: str) -> None:
    skill = filled(store)
    good, bad = store.backup(), store.backup()
    data = bytearray(Path(bad).read_bytes())
    data[4096 : 4096 * 9] = b"\xa5" * 4096 * 8
    Path(bad).write_bytes(data)
    done = store.erase(skill)
    assert (done.rewritten, [path for path, _ in done.removed]) == ((good,), [bad])
    assert backups(home) == [good]
    assert holding(home) == []


def test_a_replaced_database_is_rewritten_with_its_journal(home: str, clock: Clock, tmp_path: Path) -> None:
    with SqliteStore.open(home, clock=clock) as store:
        skill = filled(store)
        copy = store.backup(str(tmp_path / "copy.db"))
        shutil.copy(Path(home, "honed.db"), tmp_path / "old.db")
        shutil.copy(Path(home, "honed.db-wal"), tmp_path / "old.db-wal")
    Path(home, "replaced").mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(tmp_path / f"old.db{suffix}", Path(home, "replaced", f"honed-20260501T000000.db{suffix}"))
    with SqliteStore.open(home, clock=clock) as store:
        assert "replaced/honed-20260501T000000.db-wal" in holding(home)
        done = store.erase(skill)
        assert [os.path.basename(path) for path in done.rewritten] == ["honed-20260501T000000.db"]
        assert holding(home) == []
    assert check_backup(copy) == ""


def test_a_reader_that_keeps_the_journal_is_said_and_the_next_open_goes_on(home: str) -> None:
    with SqliteStore.open(home, wait=0.05) as store:
        skill = filled(store)
        reader = SqliteStore.open(home, readonly=True)
        with reader._reading():
            reader._connection.execute("SELECT count(*) FROM events").fetchone()
            done = store.erase(skill)
            assert [os.path.basename(path) for path, _ in done.left] == ["honed.db-wal"]
            assert "erase-unfinished" in {fault.code for fault in store.verify()}
        reader.close()
        with SqliteStore.open(home) as later:
            assert holding(home) == []
            assert later.verify(strict=True) == ()


def test_what_hinders_the_taking_out_is_said_and_the_next_open_goes_on(home: str) -> None:
    with SqliteStore.open(home, wait=0.05) as store:
        skill = filled(store)
        copy = store.backup()
        Path(home, "backups.lock").unlink()
        Path(home, "backups.lock").mkdir()
        with pytest.raises(UnavailableError, match="still to be taken out"):
            store.erase(skill)
        assert found_by_word(home, WORD) == []
        assert [fault.code for fault in store.verify()] == ["erase-unfinished"]
    Path(home, "backups.lock").rmdir()
    assert holding(home) == [os.path.relpath(copy, home)]
    with SqliteStore.open(home) as store:
        assert holding(home) == []
        assert store.verify(strict=True) == ()


# Scrubbing


SECRET = "hunter2-Zorblequux"


def with_secret(store: SqliteStore) -> str:
    """A skill, evidence, verdict, project and source in which the secret stands; the skill's id."""
    told = replace(
        CART,
        title=f"Log in with {SECRET}",
        body=f'{{"password": "{SECRET}"}}\nand more',
        steps=(f"export TOKEN={SECRET}", "run the tests"),
    )
    (result,) = keep(store, learned(told, slug=f"log in with {SECRET}"))
    keep(
        store,
        events.approved(result.subject, content_hash(told), "procedure", os.urandom(16)),
        events.revised(
            result.subject, replace(told, outcome="works"), os.urandom(16), reason=f"not {SECRET}"
        ),
        evidence(result.subject, "s1", 2),
        evidence(result.subject, "s2", 3, request=f"log in with {SECRET} once more"),
        events.judged(occasion("s0", "j1"), "tk_a", PROJECT, "verified", f"saw {SECRET}", seen_to=3),
        events.project_seen(PROJECT, f"shop {SECRET}", [("path", f"/w/{SECRET}")], os.urandom(16)),
    )
    keep(store, learned(draft("other"), slug="other"))
    store.save_source(Source(f"/t/{SECRET}.jsonl", "codex", "s0", 1, 1, 0, 1, 0, "p", "1"))
    return result.subject


def test_a_scrubbed_text_is_in_no_file_and_what_happened_stays(store: SqliteStore, home: str) -> None:
    skill = with_secret(store)
    copy = store.backup()
    before = store.skill(skill)
    done = store.scrub(re.compile(re.escape(SECRET)))
    assert holding(home, SECRET) == []
    assert holding(home, WORD) == []
    assert (done.skills, done.projects, done.rewritten, done.left) == ((skill,), (PROJECT,), (copy,), ())
    after = store.skill(skill)
    assert before is not None
    assert after is not None
    assert (after.draft.title, after.slug) == (f"Log in with {MASK}", "log-in-with-scrubbed")
    for name in ("state", "confirmed", "sessions", "version", "learned_at", "fades_at", "client"):
        assert getattr(after, name) == getattr(before, name), name
    assert (before.state, after.state) == ("proven", "proven")
    assert [version.draft.outcome for version in store.versions(skill)] == ["", "works"]
    assert after.uses == (f"log in with {MASK} once more",)
    task = store.task("tk_a")
    assert task is not None
    assert (task.verdict, task.reason) == ("verified", f"saw {MASK}")
    assert store.source(f"/t/{SECRET}.jsonl") is None
    assert store.verify(strict=True) == ()
    assert store.skill_events(skill)[0].body is None


def test_an_approval_ends_with_the_text_it_was_for(store: SqliteStore) -> None:
    (result,) = keep(store, learned(replace(CART, body=SECRET)))
    shown = content_hash(replace(CART, body=SECRET))
    keep(store, events.approved(result.subject, shown, "procedure", os.urandom(16)))
    store.scrub(re.compile(SECRET))
    skill = store.skill(result.subject)
    assert skill is not None
    assert skill.approved_hash == ""
    assert not any(shown in str(row) for row in look(store.home, "SELECT body FROM payloads"))


def test_a_scrubbed_text_is_not_learned_again(store: SqliteStore) -> None:
    told = replace(CART, body=SECRET)
    (result,) = keep(store, learned(told))
    store.scrub(re.compile(SECRET))
    (again,) = store.append([learned(told, session="s9")], same_text=True)
    assert (again.status, again.collides_with) == ("refused", result.subject)
    assert "scrubbed" in again.reason
    assert store.append([learned(told)])[0].status == "existed"
    store.erase(result.subject)
    assert store.append([learned(told, session="s9")])[0].status == "refused"


def test_a_forgotten_text_comes_back_as_no_version_of_another_skill(store: SqliteStore) -> None:
    forgotten, other = keep(store, learned(), learned(draft("basket"), slug="mend-the-basket"))
    keep(store, hand("forgotten", forgotten.subject))
    again = events.revised(other.subject, CART, os.urandom(16), actor="agent:codex")
    (refused,) = store.append([again])
    assert (refused.status, refused.collides_with) == ("refused", forgotten.subject)
    assert "forgotten" in refused.reason
    skill = store.skill(other.subject)
    assert skill is not None
    assert skill.draft == draft("basket")


def test_a_scrubbed_text_comes_back_as_no_version_of_its_own_skill(store: SqliteStore) -> None:
    told = replace(CART, body=SECRET)
    (result,) = keep(store, learned(told))
    store.scrub(re.compile(SECRET))
    (refused,) = store.append([events.revised(result.subject, told, os.urandom(16))])
    assert (refused.status, "scrubbed" in refused.reason) == ("refused", True)
    assert holding(store.home, SECRET) == []


def test_scrubbing_twice_finds_nothing_the_second_time(store: SqliteStore) -> None:
    with_secret(store)
    store.scrub(re.compile(SECRET))
    before = store.stats().events
    assert store.scrub(re.compile(SECRET)).texts == 0
    assert store.stats().events == before


def test_a_dry_run_says_what_would_go_and_changes_nothing(store: SqliteStore, home: str) -> None:
    skill = with_secret(store)
    before = store.stats().events
    would = store.scrub(re.compile(SECRET), dry_run=True)
    assert (would.skills, would.projects) == ((skill,), (PROJECT,))
    assert store.stats().events == before
    assert holding(home, SECRET)
    done = store.scrub(re.compile(SECRET))
    assert (done.texts, done.again) == (would.texts, would.again)


def test_a_forgotten_skill_s_text_is_scrubbed_too(store: SqliteStore, home: str) -> None:
    skill = with_secret(store)
    keep(store, hand("forgotten", skill))
    store.scrub(re.compile(SECRET, re.IGNORECASE))
    assert holding(home, SECRET) == []
    found = store.skill(skill)
    assert found is not None
    assert found.state == "deleted"
    assert store.verify(strict=True) == ()


def test_new_slugs_of_scrubbed_skills_stay_unique(store: SqliteStore) -> None:
    keep(
        store,
        *(
            learned(replace(draft(str(number)), title=f"Use {SECRET}"), slug=f"use {SECRET} {number}")
            for number in range(3)
        ),
    )
    store.scrub(re.compile(SECRET))
    slugs = [skill.slug for skill in store.skills(SkillFilter(archived=None))]
    assert sorted(slugs) == ["use-scrubbed", "use-scrubbed-2", "use-scrubbed-3"]


@pytest.mark.parametrize("pattern", ["", "x*", "scrub", r"\b"])
def test_a_pattern_that_matches_anything_is_refused(pattern: str, store: SqliteStore) -> None:
    with_secret(store)
    with pytest.raises(UsageError):
        store.scrub(re.compile(pattern))


def test_a_setting_in_force_is_not_masked_behind_the_owner_s_back(store: SqliteStore, home: str) -> None:
    keep(store, events.configured("excludes", [f"/w/{SECRET}"], os.urandom(16)))
    with pytest.raises(RefusedError, match="excludes"):
        store.scrub(re.compile(SECRET))
    keep(store, events.configured("excludes", ["/w/other"], os.urandom(16)))
    store.scrub(re.compile(SECRET))
    assert holding(home, SECRET) == []
    assert store.settings() == {"excludes": ["/w/other"]}
    assert store.verify(strict=True) == ()


def test_a_file_of_the_owner_s_is_left_and_named(store: SqliteStore, home: str) -> None:
    with_secret(store)
    own = Path(home, "notes.txt")
    own.write_text(f"mine: {SECRET}", encoding="utf-8")
    done = store.scrub(re.compile(SECRET))
    assert done.left == ((str(own), "it is not honed's to change"),)
    assert own.read_text(encoding="utf-8") == f"mine: {SECRET}"


def test_what_two_copies_of_a_ledger_scrub_is_the_same_event(
    store: SqliteStore, home: str, tmp_path: Path
) -> None:
    skill = with_secret(store)
    other = str(tmp_path / "other")
    shutil.copytree(home, other)
    store.scrub(re.compile(SECRET))
    with SqliteStore.open(other) as twin:
        twin.scrub(re.compile(SECRET))
        ours = [event.entry.id for event in store.skill_events(skill)]
        assert [event.entry.id for event in twin.skill_events(skill)] == ours


def test_a_folder_that_cannot_be_looked_into_is_named(home: str, tmp_path: Path) -> None:
    os.makedirs(Path(home, "spool"))
    unseen: list[str] = []
    assert list(files_below(str(tmp_path / "gone"), unseen)) == []
    assert unseen == [str(tmp_path / "gone")]
    assert list(files_below(home, unseen)) == []
    assert len(unseen) == 1
