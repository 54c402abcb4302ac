"""Several processes on one home, and processes that die.  Real ones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from honed.errors import UnavailableError
from honed.store import files
from honed.store.backups import backups
from honed.store.heads import read_heads
from honed.store.scripts import migrations
from honed.store.sqlite import SqliteStore
from tests.store.making import draft, hand, keep, learned, look, start
from tests.store.past import build, fixtures

PATIENCE = 120
"""Seconds after which a hanging process is a failure."""


def finish(process: subprocess.Popen[str]) -> list[str]:
    """The lines a process said; its standard input ends."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert (process.returncode, err) == (0, "")
    return out.splitlines()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_four_writers_and_a_reader_lose_nothing_and_never_see_a_lock(home: str) -> None:
    with SqliteStore.open(home) as store:
        reader = start("watch", home)
        assert line(reader) == "ready"
        writers = [start("write", home, f"writer {number}", "30") for number in range(4)]
        said = [words for writer in writers for words in finish(writer)]
        assert finish(reader) == ["saw 120 in True"]
        assert [words.split()[0] for words in said] == ["written"] * 120
        assert {skill.id for skill in store.skills()} == {words.split()[1] for words in said}
        assert store.verify(strict=True) == ()
        chain = look(home, "SELECT count(*), max(seq), count(DISTINCT replica) FROM events")
        assert chain == [(120, 120, 1)]
        heads = read_heads(home)
        assert heads is not None
        assert [seq for seq, _ in heads.values()] == [120]


@pytest.mark.parametrize("acknowledged", [1, 7, 20])
def test_what_was_acknowledged_survives_a_kill(home: str, acknowledged: int) -> None:
    with SqliteStore.open(home):
        pass
    writer, other = start("write", home, "killed", "2000"), start("write", home, "other", "25")
    said = [line(writer) for _ in range(acknowledged)]
    writer.kill()
    rest, _ = writer.communicate(timeout=PATIENCE)
    said += [words for words in rest.splitlines() if len(words.split()) == 2]
    spoken = finish(other)
    with SqliteStore.open(home) as store:
        kept = {skill.id for skill in store.skills()}
        assert {words.split()[1] for words in said + spoken} <= kept
        assert len(spoken) == 25
        assert store.verify(strict=True) == ()
        keep(store, learned(draft("after the kill")))
        assert store.verify(strict=True) == ()


def open_at_once(home: str) -> set[str]:
    """What six processes say that open a home in the same moment."""
    openers = [start("open", home) for _ in range(6)]
    assert [line(opener) for opener in openers] == ["ready"] * 6
    for opener in openers:
        assert opener.stdin is not None
        opener.stdin.write("go\n")
        opener.stdin.flush()
    return {words for opener in openers for words in finish(opener)}


def test_six_first_opens_at_once_migrate_once(home: str) -> None:
    assert open_at_once(home) == {"open 0"}
    assert look(home, "SELECT count(*) FROM migrations") == look(home, "PRAGMA user_version")
    assert len(look(home, "SELECT value FROM meta WHERE key = 'replica'")) == 1
    with SqliteStore.open(home) as store:
        assert store.verify(strict=True) == ()
    assert not os.path.exists(os.path.join(home, files.BACKUPS))


def test_six_that_open_the_oldest_home_at_once_migrate_it_once(home: str) -> None:
    build(home, fixtures()[1])
    events = look(home, "SELECT count(*) FROM events")[0][0]
    assert open_at_once(home) == {f"open {events}"}
    assert look(home, "SELECT version FROM migrations") == [(version,) for version, _ in migrations()]
    assert len(backups(home)) == 1
    with SqliteStore.open(home) as store:
        assert store.verify(strict=True) == ()


def test_a_project_that_several_processes_see_first_at_once_is_one(home: str, tmp_path: Path) -> None:
    with SqliteStore.open(home) as store:
        seers = [start("see", home, str(tmp_path)) for _ in range(4)]
        assert [line(seer) for seer in seers] == ["ready"] * 4
        for seer in seers:
            assert seer.stdin is not None
            seer.stdin.write("go\n")
            seer.stdin.flush()
        answers = {words for seer in seers for words in finish(seer)}
        assert answers == {project.id for project in store.projects()}
        assert (len(answers), store.stats().events) == (1, 1)


def test_a_lock_that_is_held_is_waited_for_and_then_named(home: str) -> None:
    with SqliteStore.open(home, wait=0.2) as store:
        keep(store, learned())
        holder = start("hold", home)
        assert line(holder) == "held"
        with pytest.raises(UnavailableError) as caught:
            store.append([learned(draft("waiting"))])
        assert "busy" in str(caught.value)
        if os.path.exists("/proc/locks"):
            assert f"process {holder.pid} (" in str(caught.value)
            assert "tests.store.worker hold" in str(caught.value)
        assert len(store.skills()) == 1  # reading goes on
        finish(holder)
        keep(store, learned(draft("waiting")))


def test_a_home_can_be_opened_and_read_while_the_lock_is_held(home: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, learned())
    holder = start("hold", home)
    assert line(holder) == "held"
    with SqliteStore.open(home, wait=0.1) as store:
        assert len(store.skills()) == 1
    with SqliteStore.open(home, readonly=True, wait=0.1) as store:
        assert len(store.skills()) == 1
    finish(holder)


def test_answers_of_one_moment_do_not_see_what_comes_in_between(home: str) -> None:
    with SqliteStore.open(home) as store, SqliteStore.open(home) as other:
        (result,) = keep(store, learned())
        with store.moment():
            before = store.skill(result.subject)
            keep(other, hand("pinned", result.subject))
            assert store.skill(result.subject) == before
            assert len(store.skill_events(result.subject)) == 1
        assert len(store.skill_events(result.subject)) == 2


def test_two_that_learn_and_forget_at_once_leave_a_sound_store(home: str) -> None:
    with SqliteStore.open(home) as store:
        keep(store, *(learned(draft(f"first {number}"), slug="first") for number in range(20)))
        forgetter, writer = start("forget", home), start("write", home, "late", "20")
        assert len(finish(writer)) == 20
        assert len(finish(forgetter)) >= 20
        assert store.verify(strict=True) == ()
        assert {skill.slug.split("-")[0] for skill in store.skills()} <= {"late"}


def test_a_full_disk_is_said_so_and_what_was_acknowledged_stays(home: str) -> None:
    with SqliteStore.open(home):
        pass
    said = finish(start("fill", home, str(2_000_000)))
    assert said[0].startswith("UnavailableError 5 ")
    kept = int(said[-1].split()[1])
    with SqliteStore.open(home) as store:
        assert len(store.skills()) == kept > 0
        assert store.verify(strict=True) == ()
