"""Where the clients leave their transcripts, and in which order to read them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from honed.errors import NotFoundError, UsageError
from honed.sessions.source import Opener

HEAD = 64 * 1024
"""Bytes of a transcript that are looked at for its first time stamp."""


@dataclass(frozen=True, slots=True)
class Folder:
    """One client's folder: an environment variable that moves it, its default, and what lies in it."""

    client: str
    variable: str
    default: str
    patterns: tuple[str, ...]


FOLDERS: tuple[Folder, ...] = (
    Folder("claude_code", "CLAUDE_CONFIG_DIR", "~/.claude", ("projects/*/*.jsonl",)),
    Folder("codex", "CODEX_HOME", "~/.codex", ("sessions/**/*.jsonl", "archived_sessions/**/*.jsonl")),
    Folder("gemini", "", "~/.gemini", ("tmp/*/chats/*.json", "tmp/*/chats/*.jsonl")),
    Folder("copilot", "COPILOT_HOME", "~/.copilot", ("session-state/*/events.jsonl",)),
    Folder("pi", "", "~/.pi", ("agent/sessions/**/*.jsonl",)),
    Folder("cursor", "", "~/.cursor", ("projects/*/agent-transcripts/**/*.jsonl",)),
)
"""Sources: docs/clients.md."""

CLIENTS = tuple(folder.client for folder in FOLDERS)
SUFFIXES = frozenset({".jsonl", ".json"})
_LAST = "9999"
"""Sorts after every time."""
_STAMP = re.compile(rb'"(?:timestamp|startTime|created|time)"\s*:\s*"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)')


@dataclass(frozen=True, slots=True)
class Found:
    """A transcript on disk: when its session began (ISO-8601 UTC), size in bytes, mtime in ns."""

    path: Path
    began: str
    size: int
    mtime_ns: int


def default_paths(environ: Mapping[str, str], client: str | None = None) -> Iterator[Path]:
    """The transcripts in the clients' own folders (of one client only, if named)."""
    for folder in FOLDERS:
        if client not in (None, folder.client):
            continue
        base = Path(environ.get(folder.variable) or folder.default).expanduser()
        for pattern in folder.patterns:
            yield from sorted(base.glob(pattern))


def given_paths(paths: Iterable[str]) -> Iterator[Path]:
    """The transcripts that ``paths`` name: files as they are, folders with everything below.

    Sub-agent files lie beside their parent and are read with it.  Raises ``NotFoundError``.
    """
    for name in paths:
        path = Path(name).expanduser()
        if path.is_dir():
            for folder, folders, files in os.walk(path):
                folders[:] = sorted(d for d in folders if d not in ("subagents", "tool-results", ".git"))
                yield from (Path(folder, f) for f in sorted(files) if Path(f).suffix in SUFFIXES)
        elif path.exists():
            yield path
        else:
            raise NotFoundError(f"{path}: no such file or folder; name a transcript or a folder of them")


def passed_over(paths: Iterable[str]) -> int:
    """How many Markdown files lie in the folders among ``paths``: transcripts for people, as SpecStory writes
    them, which say nothing of what a command returned."""
    folders = [path for path in map(os.path.expanduser, paths) if os.path.isdir(path)]
    return sum(file.endswith(".md") for path in folders for _, _, files in os.walk(path) for file in files)


def in_order(paths: Iterable[Path], since: str = "") -> list[Found]:
    """The transcripts, the oldest session first; those untouched since ``since`` left out, and each file
    once, however many names it has.

    Order matters: the session that came first teaches, the later one confirms.  What cannot be read comes
    last: reading it will say what is wrong.
    """
    found: dict[Path, Found] = {}
    for path in paths:
        item = _found(path)
        if item is not None and (not item.size or _iso(item.mtime_ns) >= since):
            found.setdefault(path.resolve(), item)
    return sorted(found.values(), key=lambda item: (item.began, str(item.path)))


def existing(path: str) -> Path | None:
    """The regular file of that name, if it is still there."""
    found = Path(path)
    return found if found.is_file() else None


def beside(path: Path) -> Opener:
    """An opener for files beside ``path``: names are relative to its folder and never leave it."""
    folder = path.parent.resolve()

    def open_related(name: str) -> BinaryIO | None:
        try:
            candidate = (folder / name).resolve()
            inside = candidate.is_relative_to(folder) and os.path.isfile(candidate)
            return candidate.open("rb") if inside else None
        except (OSError, ValueError):
            return None

    return open_related


def _found(path: Path) -> Found | None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return Found(path, _LAST, 0, 0)  # a pipe would hang whoever opens it
        with path.open("rb") as stream:
            stamp = _STAMP.search(stream.read(HEAD))
    except FileNotFoundError:
        return None
    except OSError:
        return Found(path, _LAST, 0, 0)
    began = stamp[1].decode() + "Z" if stamp else _iso(status.st_mtime_ns)
    return Found(path, began, status.st_size, status.st_mtime_ns)


def _iso(mtime_ns: int) -> str:
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def since_date(text: str) -> str:
    """``--since``: a date or time as ISO-8601 UTC.  Raises ``UsageError``."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--since {text!r}: give a date such as 2026-05-04") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
