"""What Codex without hooks tells: its ``notify`` program, called after every turn with one JSON argument.

It names the thread, not its transcript: that is found in Codex's own folder by the name it gives its files,
``sessions/YYYY/MM/DD/rollout-<local time>-<thread>.jsonl``, within a bound.  On the hot path
(docs/decisions/0004).
"""

from __future__ import annotations

import os

from honed.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FOLDERS = 1000
"""Folders that are looked into, one per day, the newest first."""
NAMES = 20_000
"""Files whose names are looked at."""
THREAD_LENGTH = 80
_FIRST_MILLISECOND = 1_400_000_000_000
"""No thread is older: what says so is no time."""


def payload(words: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
    """What a hook at the end of a turn would be told, from the last of ``words`` that looks like an object.

    Empty where it is not about the end of a turn.  Raises ``ValueError`` for what is no JSON object.
    """
    told = loads(next((word for word in reversed(words) if word.lstrip().startswith("{")), ""))
    if not isinstance(told, dict):
        raise ValueError("no object")
    if told.get("type") != "agent-turn-complete":
        return {}
    thread, cwd = told.get("thread-id"), told.get("cwd")
    name = thread if isinstance(thread, str) else ""
    folder = environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")
    found = of_thread(os.path.join(folder, "sessions"), name) if name else newest(folder)
    return {"session_id": name, "cwd": cwd, "transcript_path": found}


def of_thread(sessions: str, thread: str) -> str:
    """The transcript of a thread below ``sessions``; empty where it is not found.

    Most threads are named by UUIDs of version 7, which begin with their time: their day is looked at first.
    """
    if not 0 < len(thread) <= THREAD_LENGTH or not thread.replace("-", "").isalnum():
        return ""
    ending = f"-{thread}.jsonl"
    for name, path in _rollouts(sessions, _days_of(thread)):
        if name.endswith(ending):
            return path
    return ""


def newest(folder: str) -> str:
    """The transcript that was written last among those of the last day on which one began.

    Versions before 0.47 do not name the thread.
    """
    sessions = os.path.join(folder, "sessions")
    best, when, day = "", -1.0, ""
    for _, path in _rollouts(sessions, ()):
        if day and os.path.dirname(path) != day:
            break
        day = os.path.dirname(path)
        try:
            written = os.stat(path).st_mtime
        except OSError:
            continue
        if written > when:
            best, when = path, written
    return best


def _rollouts(sessions: str, first: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names and paths of the transcripts, those of the days ``first`` before all others, then the newest."""
    left = NAMES
    seen = set()
    for number, day in enumerate(_days(sessions, first)):
        if number >= FOLDERS or left <= 0:
            return
        if day in seen:
            continue
        seen.add(day)
        folder = os.path.join(sessions, day)
        for name in _names(folder)[:left]:
            left -= 1
            if name.startswith("rollout-"):
                yield name, os.path.join(folder, name)


def _days(sessions: str, first: Sequence[str]) -> Iterator[str]:
    yield from first
    for year in _numbers(sessions):
        for month in _numbers(os.path.join(sessions, year)):
            for day in _numbers(os.path.join(sessions, year, month)):
                yield os.path.join(year, month, day)


def _numbers(folder: str) -> list[str]:
    return [name for name in _names(folder) if name.isdecimal()]


def _names(folder: str) -> list[str]:
    """What is in a folder, the last first; nothing if it cannot be read."""
    try:
        return sorted(os.listdir(folder), reverse=True)
    except OSError:
        return []


def _days_of(thread: str) -> list[str]:
    """The folders of the day in which a thread began, and of those beside it (names are in local time)."""
    import time

    digits = thread.replace("-", "")
    try:
        milliseconds = int(digits[:12], 16)
    except ValueError:
        return []
    if digits[12:13] != "7" or not _FIRST_MILLISECOND < milliseconds < 4 * _FIRST_MILLISECOND:
        return []
    days = (time.gmtime(milliseconds / 1000 + shift * 86400) for shift in (0, 1, -1))
    return [os.path.join(f"{day.tm_year:04}", f"{day.tm_mon:02}", f"{day.tm_mday:02}") for day in days]
