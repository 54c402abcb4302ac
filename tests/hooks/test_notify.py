"""Codex without hooks: a program that it starts after each turn, with the thread in one argument of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honed.agents.shim import is_own_notifier, notifier
from honed.hooks import rollouts
from tests.hooks.conftest import ENVIRONMENT, Shop, wait_for_absorber

THREAD = "01a22c33-871a-78d0-85d4-60ea16daa42e"
"""Of version 7: it began on 30 November 2026."""
OLD = "5f0c1d3e-93b4-4d0f-9a53-0d7f6b1c2a11"
"""Of version 4: it says no time."""


def rollout(codex: Path, day: str, thread: str, text: str = "") -> Path:
    """A transcript where Codex keeps it."""
    path = codex / "sessions" / day / f"rollout-2026-11-30T10-00-00-{thread}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def told(**more: object) -> str:
    """What Codex says at the end of a turn."""
    plain = {"type": "agent-turn-complete", "thread-id": THREAD, "turn-id": "1", "input-messages": ["hi"]}
    return json.dumps({**plain, "last-assistant-message": "done", **more})


def notified(shop: Shop, *words: str, codex: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """Codex starts the program, without a shell."""
    more = {"HOME": str(shop.base)} | ({"CODEX_HOME": str(codex)} if codex else {})
    return subprocess.run(
        [*notifier(str(shop.home), "codex"), *words],
        capture_output=True,
        cwd=shop.project,
        env=ENVIRONMENT | more,
        timeout=60,
        check=False,
    )


def line_of(shop: Shop, session: str) -> dict[str, object]:
    """The one line that the program left, behind which it works."""
    for _ in range(600):
        if found := shop.lines(session):
            return found[0]
        time.sleep(0.05)
    raise AssertionError("it left no line")


@pytest.mark.parametrize("moved", [False, True])
def test_the_transcript_of_the_thread_is_learned_from_behind_the_client(shop: Shop, moved: bool) -> None:
    codex = shop.base / ("elsewhere" if moved else ".codex")
    path = rollout(codex, "2026/11/30", THREAD, "{}\n")
    done = notified(shop, told(cwd=str(shop.project)), codex=codex if moved else None)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    line = line_of(shop, THREAD)
    assert (line["e"], line["r"], line["w"]) == ("notify", "quiet", "queued; the absorber was started")
    wait_for_absorber(shop.home)
    assert path.read_text(encoding="utf-8") == "{}\n"


@pytest.mark.parametrize(
    "words",
    [
        [],
        [""],
        ["{"],
        ["[]"],
        ['{"type": 1}'],
        ["[" * 9000],
        ["{" + '"a":{' * 9000],
        ['{"type": "approval-requested"}'],
        [told(**{"thread-id": "../../etc/passwd"})],
        [told(**{"thread-id": 7, "cwd": 7})],
        [told(**{"thread-id": "x" * 5000, "cwd": "\0"})],
    ],
)
def test_whatever_it_is_told_it_ends_well_and_says_nothing(shop: Shop, words: list[str]) -> None:
    done = notified(shop, *words)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_without_its_launcher_it_ends_well(shop: Shop) -> None:
    (shop.home / "bin" / "hook.py").unlink()
    done = notified(shop, told())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_honed_on_the_path_stands_in_for_a_launcher_that_is_gone(shop: Shop) -> None:
    """The shim's last resort puts the home behind the client's words; nothing of those is kept."""
    path = rollout(shop.base / ".codex", "2026/11/30", THREAD)
    words = ["hook", *notifier("", "codex")[1:], told(**{"input-messages": ["secret plan"]})]
    done = subprocess.run(
        [sys.executable, "-m", "honed", *words, "--home", str(shop.home)],
        capture_output=True,
        env=ENVIRONMENT | {"HOME": str(shop.base), "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert line_of(shop, THREAD)["r"] == "quiet"
    wait_for_absorber(shop.home)
    kept = [file.read_bytes() for file in shop.home.rglob("*") if file.is_file() and file != path]
    assert not [data for data in kept if b"secret plan" in data]


def test_a_session_in_honed_s_own_folder_teaches_nothing(shop: Shop) -> None:
    rollout(shop.base / ".codex", "2026/11/30", THREAD)
    notified(shop, told(cwd=str(shop.home)))
    assert line_of(shop, THREAD)["r"] == "skipped"


def test_a_thread_is_found_on_its_day_or_on_any_other(tmp_path: Path) -> None:
    sessions = str(tmp_path / "sessions")
    there = rollout(tmp_path, "2026/12/01", THREAD)
    rollout(tmp_path, "2026/12/01", OLD[:-1] + "2")
    assert rollouts.of_thread(sessions, THREAD) == str(there)
    assert rollouts.of_thread(sessions, OLD) == ""
    other = rollout(tmp_path, "2024/02/29", OLD)
    assert rollouts.of_thread(sessions, OLD) == str(other)
    for hostile in ("", "*", "../x", "x" * 81, OLD[1:] + "é/"):
        assert rollouts.of_thread(sessions, hostile) == ""


def test_only_so_many_folders_are_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rollout(tmp_path, "2025/01/02", OLD)
    rollout(tmp_path, "2025/01/03", THREAD)
    monkeypatch.setattr(rollouts, "FOLDERS", 1)
    assert rollouts.of_thread(str(tmp_path / "sessions"), OLD) == ""
    monkeypatch.setattr(rollouts, "FOLDERS", 2)
    assert rollouts.of_thread(str(tmp_path / "sessions"), OLD)


def test_a_version_that_names_no_thread_means_the_transcript_that_was_written_last(tmp_path: Path) -> None:
    first, last = rollout(tmp_path, "2025/09/30", THREAD), rollout(tmp_path, "2025/09/30", OLD)
    rollout(tmp_path, "2025/09/29", "0" * 36)
    os.utime(first, (2000, 2000))
    os.utime(last, (1000, 1000))
    environ = {"CODEX_HOME": str(tmp_path)}
    words = ["notify", json.dumps({"type": "agent-turn-complete", "turn-id": "1"})]
    assert rollouts.payload(words, environ)["transcript_path"] == str(first)
    assert rollouts.payload(words, {"CODEX_HOME": str(tmp_path / "none")})["transcript_path"] == ""


def test_its_program_is_known_by_its_words_on_both_systems() -> None:
    for home, windows in (("/home/a b/honed", False), ("C:\\Users\\a\\honed", True)):
        words = notifier(home, "codex", windows=windows)
        assert is_own_notifier(words)
        assert words[-3:] == ["notify", "--agent", "codex"]
    assert notifier("C:\\h", "codex", windows=True)[-4] == "C:\\h\\bin\\hook.py"
    for other in (None, "honed-hook notify", ["notify-send", "Codex"], ["/x/honed-hook", "stop"], [1, {}]):
        assert not is_own_notifier(other)
