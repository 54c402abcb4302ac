"""``honed backfill``: what it learns, what it never learns, and how it goes on."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from honed.absorb import Absorbed
from honed.cli.command import Output
from honed.cli.progress import Progress
from honed.memory import Memory
from honed.transcripts import given_paths, in_order
from tests.doors.conftest import Honed
from tests.doors.telling import GREEN, RED, SESSION, claude, codex, environment, files_below, fixes, write


def state_of(honed: Honed, kind: str = "procedure", state: str = "") -> list[str]:
    words = ["list", "--json", "--kind", kind, *(["--state", state] if state else [])]
    return [row["state"] for row in honed(*words).json]


def test_what_the_tests_proved_is_learned_and_recalled(honed: Honed, shop: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    told = honed("backfill", str(path), "--json").json
    assert told["verdicts"] == {"verified": 1}
    assert (told["sessions"], told["tasks"], told["learned"], told["skipped"]) == (1, 1, 1, [])
    assert told["bytes"] == path.stat().st_size
    note = honed("recall", "the total is wrong by a cent", "--json").json["note"]
    assert "shop/total.py" in note
    assert "pytest" in note


def test_a_second_run_learns_nothing_and_says_so(honed: Honed, shop: Path, tmp_path: Path) -> None:
    write(tmp_path / "t" / "a.jsonl", fixes(claude(shop)))
    honed("backfill", str(tmp_path / "t"))
    again = honed("backfill", str(tmp_path / "t"))
    assert "1 were read before and have not changed" in again.out
    assert "Nothing new was learned." in again.out
    told = honed("backfill", str(tmp_path / "t"), "--json").json
    assert (told["sessions"], told["learned"], told["unchanged"]) == (0, 0, 1)


def test_a_backfill_makes_the_copy_of_the_day(honed: Honed, shop: Path, home: Path, tmp_path: Path) -> None:
    write(tmp_path / "t" / "a.jsonl", fixes(claude(shop)))
    honed("backfill", str(tmp_path / "t"))
    (copy,) = (home / "backups").iterdir()
    assert honed("backfill", str(tmp_path / "t")).code == 0
    assert list((home / "backups").iterdir()) == [copy]


def test_a_backfill_that_can_make_no_copy_says_so_and_is_done(
    honed: Honed, shop: Path, home: Path, tmp_path: Path
) -> None:
    write(tmp_path / "t" / "a.jsonl", fixes(claude(shop)))
    home.mkdir()
    (home / "backups").write_text("in the way", encoding="ascii")
    answer = honed("backfill", str(tmp_path / "t"))
    assert answer.code == 0
    assert "no backup was made" in answer.err
    assert len(honed("list", "--json").json) == 1


def test_nothing_is_learned_where_nothing_was_proved(honed: Honed, shop: Path, tmp_path: Path) -> None:
    told = claude(shop)
    fixes(told, test=False)
    told.says("All tests pass, everything is verified!")
    write(tmp_path / "a.jsonl", told)
    figures = honed("backfill", str(tmp_path / "a.jsonl"), "--json").json
    assert (figures["verdicts"], figures["learned"]) == ({"none": 1}, 0)
    assert honed("list", "--json", "--all").json == []


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("empty.jsonl", b"", "the file is empty"),
        ("binary.jsonl", bytes(range(256)) * 8, "not a transcript"),
        ("other.json", b'{"a": 1, "b": [2]}', "of no client that honed reads"),
        ("aider.md", b"# aider chat started at 2026-01-01\n", "an Aider chat history"),
    ],
)
def test_what_is_no_transcript_is_skipped_with_the_reason(
    honed: Honed, tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(data)
    answer = honed("backfill", str(tmp_path / name), "--json")
    assert answer.code == 0
    (skipped,) = answer.json["skipped"]
    assert skipped["path"] == str(tmp_path / name)
    assert reason in skipped["reason"]


def test_skipped_files_are_told_by_reason_and_by_name_where_it_is_asked_for(
    honed: Honed, tmp_path: Path
) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text('{"a": 1}', encoding="ascii")
    (tmp_path / "empty.jsonl").touch()
    told = honed("backfill", str(tmp_path)).out
    assert "Skipped 2 files: " in told
    assert "--verbose names each" in told
    assert "a.json" not in told
    assert f"Skipped {tmp_path / 'empty.jsonl'}: the file is empty" in told
    told = honed("backfill", str(tmp_path), "--verbose").out
    assert "a.json" in told
    assert "b.json" in told
    assert "files: " not in told


def test_a_folder_or_a_pipe_in_a_transcripts_place_is_skipped(
    honed: Honed, tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "claude" / "projects" / "-shop"
    (folder / "folder.jsonl").mkdir(parents=True)
    os.mkfifo(folder / "pipe.jsonl")
    write(folder / "good.jsonl", fixes(claude(shop)))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    told = honed("backfill", "--agent", "claude-code", "--json").json
    assert told["learned"] == 1
    assert {Path(s["path"]).name: s["reason"] for s in told["skipped"]} == {
        "folder.jsonl": "a folder",
        "pipe.jsonl": "not a regular file",
    }


def test_an_unreadable_file_is_skipped(honed: Honed, tmp_path: Path, shop: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("this user may read everything")
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    path.chmod(0)
    assert honed("backfill", str(path), "--json").json["skipped"][0]["reason"] == "permission denied"


def test_where_nothing_is_found_it_is_said_and_no_home_is_made(
    honed: Honed, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "t").mkdir()
    answer = honed("backfill", str(tmp_path / "t"))
    assert (answer.code, "No transcripts found" in answer.out) == (0, True)
    assert honed("backfill", str(tmp_path / "t"), "--json").json["sessions"] == 0
    assert not home.exists()


def test_a_path_that_is_not_there_is_not_found(honed: Honed, tmp_path: Path) -> None:
    answer = honed("backfill", str(tmp_path / "none"), "--json")
    assert answer.code == 4
    assert answer.json["code"] == 4


def test_lines_that_cannot_be_read_are_counted(honed: Honed, tmp_path: Path, shop: Path) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    path.write_bytes(path.read_bytes() + b"{broken\n\xff\xfe\n")
    told = honed("backfill", str(path), "--json").json
    assert (told["learned"], told["skipped_lines"]) == (1, 2)


# A transcript that grew


def test_a_transcript_that_grew_is_read_on_from_its_open_task(
    honed: Honed, tmp_path: Path, shop: Path
) -> None:
    told = claude(shop)
    path = write(tmp_path / "a.jsonl", fixes(told))
    honed("backfill", str(path))
    write(path, fixes(told, "shipping"))
    figures = honed("backfill", str(path), "--json").json
    assert (figures["sessions"], figures["learned"], figures["confirmed"]) == (1, 1, 0)
    assert len(honed("list", "--json").json) == 2


def test_a_skill_goes_when_its_proof_goes_and_comes_back_with_it(
    honed: Honed, tmp_path: Path, shop: Path
) -> None:
    told = claude(shop)
    path = write(tmp_path / "a.jsonl", fixes(told))
    honed("backfill", str(path))
    assert state_of(honed) == ["candidate"]
    told.edits("shop/total.py", "half_up(x)", "half_up(x) + 1")
    write(path, told)
    figures = honed("backfill", str(path), "--json").json
    assert (figures["verdicts"], figures["withdrawn"]) == ({"stale": 1}, 1)
    assert state_of(honed) == []
    assert state_of(honed, state="withdrawn") == ["withdrawn"]
    assert honed("recall", "the total is wrong by a cent", "--json").json["note"] is None
    told.runs("pytest -q", RED, 1)
    told.edits("shop/total.py", "half_up(x) + 1", "half_up(x)")
    told.runs("pytest -q", GREEN)
    write(path, told)
    figures = honed("backfill", str(path), "--json").json
    assert (figures["verdicts"], figures["learned"]) == ({"verified": 1}, 1)
    assert state_of(honed) == ["candidate"]
    assert honed("verify", "--strict").code == 0


def test_a_transcript_that_was_rewritten_is_read_from_its_beginning(
    honed: Honed, tmp_path: Path, shop: Path
) -> None:
    told = claude(shop)
    path = write(tmp_path / "a.jsonl", fixes(fixes(told), "shipping"))
    honed("backfill", str(path))
    other = claude(shop, "5b0e1c1e-0009-4d0e-8a11-000000000009")
    write(path, fixes(other, "discount"))
    figures = honed("backfill", str(path), "--json").json
    assert figures["learned"] == 1


def test_a_copy_of_a_session_teaches_nothing_twice(honed: Honed, tmp_path: Path, shop: Path) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    honed("backfill", str(path))
    copied = path.read_text(encoding="utf-8").replace(f'"sessionId": "{SESSION}"', '"sessionId": "forked"')
    (tmp_path / "b.jsonl").write_text(copied, encoding="utf-8")
    figures = honed("backfill", str(tmp_path / "b.jsonl"), "--json").json
    assert (figures["tasks"], figures["learned"], figures["confirmed"], figures["revised"]) == (1, 0, 0, 0)


def test_the_same_work_in_two_sessions_is_one_skill_with_evidence(
    honed: Honed, tmp_path: Path, shop: Path
) -> None:
    write(tmp_path / "t" / "a.jsonl", fixes(claude(shop)))
    write(tmp_path / "t" / "b.jsonl", fixes(codex(shop)))
    figures = honed("backfill", str(tmp_path / "t"), "--json").json
    assert (figures["learned"], figures["confirmed"]) == (1, 1)
    (row,) = honed("list", "--json").json
    shown = honed("show", row["slug"], "--json").json
    assert (shown["confirmed"], len(shown["evidence"]), shown["evidence"][0]["counts"]) == (1, 1, 1)


def test_the_session_that_came_first_teaches_whatever_its_file_is_called(
    honed: Honed, tmp_path: Path, shop: Path
) -> None:
    write(tmp_path / "t" / "a.jsonl", fixes(codex(shop, day="2026-05-09")))
    write(tmp_path / "t" / "z.jsonl", fixes(claude(shop, day="2026-05-01")))
    honed("backfill", str(tmp_path / "t"))
    (row,) = honed("list", "--json").json
    assert honed("show", row["slug"], "--json").json["client"] == "claude_code"


def test_a_forgotten_skill_is_not_learned_again(honed: Honed, tmp_path: Path, shop: Path) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    honed("backfill", str(path))
    slug = honed("list", "--json").json[0]["slug"]
    assert honed("forget", slug).code == 0
    other = write(tmp_path / "b.jsonl", fixes(codex(shop)))
    figures = honed("backfill", str(path), str(other), "--json").json
    assert (figures["learned"], figures["confirmed"]) == (0, 0)
    assert honed("list", "--json").json == []
    assert honed("search", "total off by one cent", "--json").json["hits"] == []


# What is kept out


def test_nothing_of_an_excluded_folder_is_stored(
    honed: Honed, home: Path, tmp_path: Path, shop: Path
) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop), "surcharge"))
    assert honed("config", "set", "exclude", str(shop)).code == 0
    figures = honed("backfill", str(path), "--json").json
    assert (figures["excluded"], figures["tasks"], figures["learned"]) == (1, 0, 0)
    with Memory.open(str(home)) as memory:
        assert memory.projects() == ()
    for file, data in files_below(home):
        assert b"surcharge" not in data, file


def test_a_task_that_changed_an_excluded_folder_is_not_stored(
    honed: Honed, tmp_path: Path, shop: Path
) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    honed("config", "set", "exclude", str(shop / "shop"))
    figures = honed("backfill", str(path), "--json").json
    assert (figures["learned"], figures["verdicts"]) == (0, {"verified": 1})
    assert honed("stats", "--json").json["verdicts"] == {}


def test_no_secret_reaches_any_file_of_the_home_or_an_export(
    honed: Honed, home: Path, tmp_path: Path, shop: Path
) -> None:
    key, password = "ghp_" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2", "hV7-kQ9_tR4wZ2pL"
    told = claude(shop)
    told.asks(f"The upload fails, the token is {key}; fix it. <private>my pin is 8675309</private>")
    told.runs(
        f"PGPASSWORD={password} pytest -q",
        f"E   AuthError: postgres://app:{password}@db.example.com/x\n{RED}",
        1,
    )
    told.edits("shop/upload.py", "def upload(x):\n    pass", f"def upload(x):\n    send(x, token='{key}')")
    told.runs(f"PGPASSWORD={password} pytest -q", GREEN)
    told.runs(f'git commit -am "Upload with token {key}"', "[main 3f2a1b0] Upload\n 1 file changed")
    path = write(tmp_path / "a.jsonl", told)
    Memory.open(str(home)).close()
    with contextlib.closing(sqlite3.connect(home / "honed.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")  # keeps the journal from being written back
        reader.execute("SELECT count(*) FROM events").fetchone()
        assert honed("backfill", str(path), "--json").json["verdicts"] == {"verified": 1}
        honed("export", str(tmp_path / "vault"))
        honed("backup")
        seen = [*files_below(home), *files_below(tmp_path / "vault")]
    assert any(file.name.endswith("-wal") and data for file, data in seen)
    assert any(b"upload" in data for _, data in seen)
    for file, data in seen:
        for secret in (key, password, "8675309"):
            assert secret.encode() not in data, (file, secret)


# Stopping


def test_ctrl_c_stops_cleanly_and_the_next_run_goes_on(tmp_path: Path, shop: Path, home: Path) -> None:
    count = 150
    for number in range(count):
        told = claude(shop, f"5b0e1c1e-{number:04d}-4d0e-8a11-000000000001")
        write(tmp_path / "t" / f"{number:03d}.jsonl", fixes(told, f"part_{number}"))
    argv = [sys.executable, "-m", "honed", "backfill", str(tmp_path / "t"), "--home", str(home), "--json"]
    # Where the tests run in the background of a shell, Ctrl-C is ignored, and so it would be here.
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    program += " from honed.cli.run import run; print('here', file=sys.stderr, flush=True);"
    program += " sys.exit(run(sys.argv[1:]))"
    argv[1:3] = ["-c", program]
    with subprocess.Popen(
        argv, cwd=tmp_path, env=environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stderr is not None
        running.stderr.readline()
        while not _learned(home):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    first = json.loads(out)
    assert (running.returncode, first["stopped"]) == (130, True)
    assert b"the next backfill goes on" in err
    assert b"Traceback" not in err
    done = subprocess.run(argv, cwd=tmp_path, env=environment({}), capture_output=True, check=True)
    second = json.loads(done.stdout)
    assert 0 < first["learned"] < count
    # Between the commit of a task and the count of it there is a moment in which Ctrl-C may come.
    assert first["learned"] + second["learned"] in (count - 1, count)
    assert second["unchanged"] >= first["learned"] - 1
    with Memory.open(str(home)) as memory:
        assert memory.verify(strict=True) == ()
        assert len(memory.every_skill()) == count


def _learned(home: Path) -> bool:
    """Whether the other process has kept something already."""
    try:
        with Memory.open(str(home), readonly=True) as memory:
            return memory.stats().sources > 3
    except Exception:
        return False


def test_whoever_watches_a_terminal_sees_how_far_it_is(tmp_path: Path, shop: Path, home: Path) -> None:
    for number in range(40):
        told = claude(shop, f"5b0e1c1e-{number:04d}-4d0e-8a11-000000000001")
        write(tmp_path / "t" / f"{number:03d}.jsonl", fixes(told, f"part_{number}"))
    ours, theirs = pty.openpty()
    argv = [sys.executable, "-m", "honed", "backfill", str(tmp_path / "t"), "--home", str(home)]
    with subprocess.Popen(
        argv, cwd=tmp_path, env=environment({}), stdout=subprocess.PIPE, stderr=theirs
    ) as running:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # the end of a terminal is an error on Linux
            while piece := os.read(ours, 4096):
                seen += piece
        assert running.stdout is not None
        out = running.stdout.read()
    os.close(ours)
    assert running.returncode == 0
    assert b"/40 transcripts, " in seen
    assert b" MB/s: " in seen
    assert b"tasks verified, " in seen
    assert seen.endswith(b"\r\x1b[K")
    assert b"\x1b" not in out
    assert b"Skills: 40 learned." in out


def test_nobody_who_does_not_watch_is_told_of_progress(honed: Honed, tmp_path: Path, shop: Path) -> None:
    answer = honed("backfill", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    assert answer.err == ""
    assert answer.out.splitlines()[1:] == ["Tasks: 1 (1 verified).", "Skills: 1 learned."]


def test_a_pipe_is_told_how_far_it_is_now_and_then(
    tmp_path: Path, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(3):
        write(tmp_path / "t" / f"{number}.jsonl", fixes(claude(shop)))
    found = in_order(given_paths([str(tmp_path / "t")]))
    seconds = iter((0.0, 4.0, 9.0, 11.0, 12.0, 21.5))
    told = Progress(Output(as_json=True), found, Absorbed(), clock=lambda: next(seconds))
    for item in found[:2]:
        told.done(item)
    told.inside(1)
    told.inside(found[2].size // 2)
    told.done(found[2])
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" MB/s")[0].rsplit(",", 1)[0] for line in lines] == [
        "honed: 2/3 transcripts, 66 %",
        "honed: 3/3 transcripts, 100 %",
    ]


def test_what_is_read_adds_up_to_what_is_counted(honed: Honed, shop: Path, tmp_path: Path) -> None:
    told = fixes(claude(shop))
    told.asks("Thanks! What is a cart, by the way?")
    told.says("It is a list of things to buy.")
    told.asks("Look around please")
    told.says("I did.")
    path = str(write(tmp_path / "a.jsonl", told))
    first = honed("backfill", path, "--json").json
    stats = honed("stats", "--json").json
    assert first["kept"] == sum(stats["verdicts"].values()) == 1
    assert first["tasks"] == first["kept"] + first["idle"] + first["known"] + first["private"]
    assert first["idle"] > 0
    copied = write(tmp_path / "b.jsonl", told)
    again = honed("backfill", str(copied), "--json").json
    assert (again["tasks"], again["known"], again["kept"]) == (first["tasks"], 1, 0)
    assert sum(honed("stats", "--json").json["verdicts"].values()) == 1
    said = honed("backfill", str(write(tmp_path / "c" / "a.jsonl", told))).out
    assert "in which nothing was changed or run" in said
    assert "1 known from before" in said
    assert "1 in which something was changed or run: 1 verified" in honed("stats").out


def test_markdown_in_a_folder_is_counted_and_said_to_be_no_transcript(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "sessions"
    write(folder / "a.jsonl", fixes(claude(shop)))
    for name in ("2026-05-04_first.md", "2026-05-05_second.md"):
        (folder / ".specstory" / "history" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / ".specstory" / "history" / name).write_text("# a chat", encoding="utf-8")
    answer = honed("backfill", str(folder))
    assert "Passed over 2 Markdown files: not a transcript honed reads" in answer.out
    assert honed("backfill", str(folder / ".specstory"), "--json").json["passed_over"] == 2
    assert honed("backfill", str(folder / "a.jsonl"), "--json").json["passed_over"] == 0


def test_doctor_names_transcripts_that_another_version_read_until_they_are_read_again(
    honed: Honed, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def older() -> list[tuple[str, str]]:
        checks = honed("doctor", "--json").json["checks"]
        return [(one["detail"], one["fix"]) for one in checks if one["name"] == "rules of reading"]

    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    usual = write(tmp_path / "claude" / "projects" / "shop" / "u.jsonl", fixes(claude(shop, "usual")))
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    gone = write(tmp_path / "b.jsonl", fixes(codex(shop)))
    with monkeypatch.context() as before:
        before.setattr("honed.absorb.RULES", "0")
        honed("backfill", str(usual), str(path), str(gone))
    gone.unlink()
    again = "`honed backfill` reads them again"
    assert older() == [
        (
            "2 transcripts read by other rules than those of now",
            f"{again}; those outside the clients' folders by name, such as {path}",
        )
    ]
    honed("backfill", str(path))
    assert older() == [("1 transcript read by other rules than those of now", again)]
    honed("backfill")
    assert older() == []
