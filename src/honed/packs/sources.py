"""Where a pack comes from: a repository of GitHub's, a URL, a folder, a zip, a tar.

Each source becomes a list of entries whose bytes are read on demand.  Nothing is unpacked to a disk: a
repository is fetched bare, without a work tree, so no hook, filter, submodule or link of it ever runs.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import IO
from urllib.parse import unquote, urlsplit

from honed.errors import NotFoundError, RefusedError, UnavailableError, UsageError
from honed.packs.files import MOST_ENTRIES, RATIO, SMALL, TOTAL, Entry, Kind, unsound
from honed.packs.git import Repository, commit_of, fetched
from honed.packs.nested import unpacking

_GITHUB = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))/([A-Za-z0-9._-]{1,100})")
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_SCP = re.compile(r"[\w.-]+@[\w.-]+:[\w./~-]+")
ARCHIVES = (".zip", ".skill", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_UNREADABLE = (
    gzip.BadGzipFile,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    ValueError,
    RuntimeError,
)
"""What the readers of archives raise for one that is damaged."""
_SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv"})
ARCHIVE = 64 * 1024 * 1024
"""Bytes of an archive as it is packed."""


@dataclass(frozen=True, slots=True)
class Source:
    """A pack at hand: its ``entries``, the ``commit`` they are of (empty where there is none)."""

    entries: list[Entry]
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: ``kind`` of source, its ``address`` in the one spelling that is kept, and its
    ``name``."""

    kind: str
    address: str
    name: str


def asked(spec: str) -> Asked:
    """Understand OWNER/REPO, URL or PATH.  A path that is there goes before anything it might mean else.

    Raises ``UsageError`` for what is none of them, and for a way of fetching that is not allowed.
    """
    if not spec.strip() or spec.startswith("-"):
        raise UsageError("packs add needs OWNER/REPO, a URL, a folder, a zip or a tar")
    path = os.path.abspath(os.path.expanduser(spec))
    if os.path.lexists(path):
        if os.path.isfile(path) and path.lower().endswith(".md"):
            raise UsageError(
                f"{path}: is one file of a skill; name its folder: honed packs add {os.path.dirname(path)}"
            )
        kind = "folder" if os.path.isdir(path) else "archive"
        return Asked(kind, path, _name(os.path.basename(path)))
    address = _ADDRESS.match(spec)
    if address or _SCP.fullmatch(spec):
        scheme = address[1].lower() if address else "ssh"
        if scheme not in ("https", "ssh", "file"):
            raise UsageError(f"{scheme}: packs come over https or ssh, or from this disk, nothing else")
        if "@" in spec.partition("://")[2].partition("/")[0] and scheme == "https":
            raise UsageError("a URL with a user or password in it is not kept; leave that out")
        if scheme == "file":
            _look_at(spec)
        return Asked("git", spec, _name(spec.rstrip("/").rpartition("/")[2].rpartition(":")[2]))
    found = _GITHUB.fullmatch(spec)
    if found:
        return Asked("git", f"https://github.com/{spec.removesuffix('.git')}.git", _name(found[2]))
    raise NotFoundError(f"{spec}: no such folder or archive, and neither OWNER/REPO nor a URL")


def _look_at(address: str) -> None:
    """Make sure that a ``file://`` address is a repository of this disk."""
    path = unquote(urlsplit(address).path)
    if not os.path.isdir(path):
        raise NotFoundError(f"{address}: no such folder on this disk")
    if not any(os.path.exists(os.path.join(path, name)) for name in (".git", "HEAD")):
        raise UsageError(
            f"{address}: is no repository of git; name the folder itself: honed packs add {path}"
        )


def _name(last: str) -> str:
    low = last.lower()
    suffix = next((end for end in (*ARCHIVES, ".git") if low.endswith(end)), "")
    return last[: len(last) - len(suffix)]


@contextmanager
def opened(want: Asked, ref: str = "") -> Iterator[Source]:
    """The pack at hand, for as long as its entries are read.

    ``ref`` is a branch, tag or commit of a repository.  Raises ``RefusedError``, ``UnavailableError``,
    ``UsageError``.
    """
    if ref and want.kind != "git":
        raise UsageError("--ref is of a repository; a folder or an archive is taken as it is")
    if want.kind == "git":
        with fetched(want.address, ref) as repository:
            yield Source(_of_repository(repository), repository.commit)
    elif want.kind == "folder":
        yield Source(_below(want.address), commit_of(want.address))
    else:
        with _archive(want.address) as entries:
            yield Source(_without_top(entries))


def _of_repository(repository: Repository) -> list[Entry]:
    kinds: dict[str, Kind] = {"100644": "file", "100755": "file", "100664": "file", "120000": "link"}

    def reader(digest: str) -> AbstractContextManager[IO[bytes]]:
        return io.BytesIO(repository.blob(digest))

    return [
        Entry(item.path, kinds.get(item.mode, "other"), item.size, lambda d=item.digest: reader(d))  # type: ignore[misc]
        for item in repository.items
    ]


# A folder


def _below(folder: str) -> list[Entry]:
    """Every entry below a folder, links as links; what git, npm and Python put there is passed over."""
    found: list[Entry] = []
    waiting = [""]
    while waiting:
        within = waiting.pop()
        try:
            with os.scandir(os.path.join(folder, within)) as listed:
                items = sorted(listed, key=lambda item: item.name)
        except OSError as error:
            raise UnavailableError(f"{error.filename}: cannot be read: {error.strerror}") from error
        for item in items:
            path = f"{within}/{item.name}" if within else item.name
            if item.is_dir(follow_symlinks=False):
                if item.name not in _SKIPPED:
                    waiting.append(path)
                continue
            found.append(_file(item, path))
            if len(found) > MOST_ENTRIES:
                return found
    return sorted(found, key=lambda entry: entry.path)


def _file(item: os.DirEntry[str], path: str) -> Entry:
    told = item.stat(follow_symlinks=False)
    kind: Kind = "link" if stat.S_ISLNK(told.st_mode) else "file" if stat.S_ISREG(told.st_mode) else "other"
    name = item.path

    def reader() -> AbstractContextManager[IO[bytes]]:
        # What became a link since it was looked at is not followed either.
        try:
            handle = os.open(name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise UnavailableError(f"{path}: cannot be read: {error.strerror}") from error
        return os.fdopen(handle, "rb")

    return Entry(path, kind, told.st_size, reader)


# Archives


@contextmanager
def _archive(path: str) -> Iterator[list[Entry]]:
    try:
        size = os.stat(path).st_size
        if not os.path.isfile(path):
            raise UsageError(f"{path}: neither a folder nor a file")
        if size > ARCHIVE:
            raise RefusedError(f"{path}: over {ARCHIVE} bytes; nothing was taken")
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield _of_zip(archive)
        else:
            with _Counted(path, size) as raw, tarfile.open(fileobj=raw, mode="r:") as tar:
                yield _of_tar(tar)
    except _UNREADABLE as error:
        raise UsageError(f"{path}: no zip and no tar that can be read ({error})") from error
    except OSError as error:
        if error.errno is None:  # what bz2 raises for a damaged stream; the disk's own errors have a number
            raise UsageError(f"{path}: no zip and no tar that can be read ({error})") from error
        raise UnavailableError(f"{path}: cannot be read: {error.strerror or error}") from error


def _of_zip(archive: zipfile.ZipFile) -> list[Entry]:
    found = []
    for item in archive.infolist()[: MOST_ENTRIES + 1]:
        mode = item.external_attr >> 16
        # ``orig_filename`` is the name as it stands there: ZipFile cuts at NUL and turns separators.
        name = item.orig_filename
        if name.endswith("/") and not stat.S_ISLNK(mode):
            continue
        if item.flag_bits & 1:
            raise RefusedError(f"{name}: is encrypted; nothing was taken")
        odd = mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG)
        kind: Kind = "link" if stat.S_ISLNK(mode) else "other" if odd else "file"
        found.append(
            Entry(name, kind, item.file_size, lambda i=item: archive.open(i), max(1, item.compress_size))  # type: ignore[misc]
        )
    return found


def _of_tar(tar: tarfile.TarFile) -> list[Entry]:
    found = []
    for item in tar:
        if item.isdir():
            continue
        kind: Kind = "file" if item.isreg() else "link" if item.issym() or item.islnk() else "other"
        found.append(Entry(item.name, kind, item.size, lambda i=item: _member(tar, i)))  # type: ignore[misc]
        if len(found) > MOST_ENTRIES:
            break
    return found


def _member(tar: tarfile.TarFile, item: tarfile.TarInfo) -> AbstractContextManager[IO[bytes]]:
    file = tar.extractfile(item)
    return file if file is not None else io.BytesIO()


class _Counted(io.BytesIO):
    """A tar, unpacked into memory as far as it may go.  Raises ``RefusedError`` past that."""

    def __init__(self, path: str, size: int) -> None:
        super().__init__(_unpacked(path, size))


def _unpacked(path: str, size: int) -> bytes:
    with open(path, "rb") as raw:
        head = raw.read(6)
        raw.seek(0)
        packed = unpacking(raw, head)
        data = (packed or raw).read(2 * TOTAL + 1)
    if len(data) > 2 * TOTAL or (packed and len(data) > 16 * SMALL and len(data) > RATIO * size):
        raise RefusedError(
            f"{os.path.basename(path)}: unpacks to far more than it is, as bombs do; nothing was taken"
        )
    return data


def _without_top(entries: list[Entry]) -> list[Entry]:
    """What GitHub and ``tar`` put around everything, one folder, is no part of the paths, unless it is a
    skill's own."""
    top = entries[0].path.partition("/")[0] + "/" if entries else "/"
    if unsound(top[:-1]) or any(
        not entry.path.startswith(top) or entry.path == f"{top}SKILL.md" for entry in entries
    ):
        return entries
    return [replace(entry, path=entry.path[len(top) :]) for entry in entries]
