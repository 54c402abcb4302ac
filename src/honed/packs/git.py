"""A repository, fetched bare and read by git's plumbing: nothing of it is checked out, so nothing of it runs.

Every call is an argument list with a time limit.  Configuration of the machine and the user is left out: no
hook, no template, no credential helper, no prompt, no rewriting of addresses; private repositories are cloned
by their owner and added as a folder.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from honed.errors import RefusedError, UnavailableError, UsageError
from honed.packs.files import FILE, MOST_ENTRIES

FETCH_SECONDS = 120
CALL_SECONDS = 30
REPOSITORY = 512 * 1024 * 1024
"""Bytes of one file that git may write: a repository that packs to more is not fetched."""
_OWN_FILE = 4 * 1024 * 1024
"""Characters that are read of a file of a repository's own: ``packed-refs`` has a line for each branch."""
_POINTER = re.compile(r"ref: (refs/[A-Za-z0-9._/+@-]{1,250})")
_REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+-]{0,200}")
_DIGEST = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")

_SAFE = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "core.symlinks=false",
    "-c", "credential.helper=",
    "-c", "protocol.allow=never",
    "-c", "protocol.https.allow=always",
    "-c", "protocol.ssh.allow=always",
    "-c", "protocol.file.allow=always",
    "-c", "submodule.recurse=false",
    "-c", "fetch.recurseSubmodules=false",
    "-c", "http.followRedirects=initial",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "uploadpack.packObjectsHook=",
)  # fmt: skip
"""Options of every call, above whatever a configuration says."""
_OVER = b"died of signal 25"
"""What git says of a program of its own that wrote more than it may (SIGXFSZ)."""
_TRUSTED = ("GIT_SSL_CAINFO", "GIT_SSL_CAPATH")
"""What is kept of the user's git beside the proxy: whose certificates count, where a network has its own."""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a commit's tree: its mode as git writes it, the digest of its bytes, and their number."""

    path: str
    mode: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Repository:
    """A commit at hand: its full id, and what is in it."""

    folder: str
    commit: str
    items: tuple[Item, ...]

    def blob(self, digest: str) -> bytes:
        """The bytes of a file.  Raises ``UnavailableError``."""
        if not _DIGEST.fullmatch(digest):
            raise UsageError(f"{digest!r} is no digest")
        return _git(self.folder, "cat-file", "blob", digest)


@contextmanager
def fetched(address: str, ref: str) -> Iterator[Repository]:
    """The newest state of ``ref`` (empty: the default branch) at ``address``, without its past.

    Raises ``UsageError`` for a ref that is none, ``UnavailableError`` for what git cannot fetch,
    ``RefusedError`` for a repository that is too large.
    """
    if ref and (not _REF.fullmatch(ref) or ".." in ref):
        raise UsageError(f"{ref!r} is no branch, tag or commit")
    with tempfile.TemporaryDirectory(prefix="honed-pack-") as folder:
        _git(folder, "init", "-q", "--bare", "--template=", folder)
        _git(
            folder,
            "fetch", "-q", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
            "--", address, f"{ref or 'HEAD'}:refs/honed/pack",
            seconds=FETCH_SECONDS,
            what=address,
        )  # fmt: skip
        commit = (
            _git(folder, "rev-parse", "--verify", "-q", "refs/honed/pack^{commit}").decode("ascii").strip()
        )
        yield Repository(folder, commit, _items(folder, commit))


def _items(folder: str, commit: str) -> tuple[Item, ...]:
    found = []
    for line in _git(folder, "ls-tree", "-r", "-z", "-l", "--full-tree", commit).split(b"\x00"):
        head, tab, name = line.partition(b"\t")
        if not tab:
            continue
        mode, kind, digest, size = head.decode("ascii").split()
        number = int(size) if size.isdigit() else 0
        path = name.decode("utf-8", "surrogateescape")
        found.append(Item(path, mode if kind == "blob" else "160000", digest, number))
        if len(found) > MOST_ENTRIES:
            break
    return tuple(found)


def commit_of(folder: str) -> str:
    """The commit that is checked out in a folder, where it is the top of a repository; else nothing.

    What was changed since is not known.
    """
    # A repository's own configuration may name programs, and any question about an object that is missing
    # starts them (a partial clone's `uploadpack`): git is not asked, its files are read.  The commit is told
    # only together with the hash of what was really read.
    base = os.path.join(folder, ".git")
    head = _small(os.path.join(base, "HEAD")).strip()
    found = _POINTER.fullmatch(head)
    if found and ".." not in head:
        head = _small(os.path.join(base, *found[1].split("/"))).strip() or _packed(base, found[1])
    return head if _DIGEST.fullmatch(head) else ""


def _small(path: str) -> str:
    """A small file of git's own; "" for none, and for a link or anything else that is no plain file."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return ""
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read(_OWN_FILE)
    except OSError:
        return ""


def _packed(base: str, name: str) -> str:
    """The commit of a branch as ``packed-refs`` has it (gitrepository-layout(5))."""
    lines = (line.split(" ") for line in _small(os.path.join(base, "packed-refs")).splitlines())
    return next((words[0] for words in lines if words[1:] == [name]), "")


def _git(
    folder: str,
    *words: str,
    seconds: int = CALL_SECONDS,
    what: str = "",
    environ: Mapping[str, str] = os.environ,
) -> bytes:
    argv: Sequence[str] = ("git", *_SAFE, "-C", folder, *words)
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env=_environment(environ),
            check=False,
            preexec_fn=_bounded if os.name == "posix" else None,
        )
    except FileNotFoundError as error:
        raise UnavailableError("git is not there; install it, or add a folder, a zip or a tar") from error
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(
            f"{what or 'git'}: nothing within {seconds} seconds; nothing was taken"
        ) from error
    if what and (done.returncode < 0 or _OVER in done.stderr):
        raise RefusedError(f"{what}: more than {REPOSITORY} bytes; nothing was taken")
    if done.returncode:
        raise UnavailableError(f"{what or folder}: git could not read it: {_reason(done.stderr)}")
    if len(done.stdout) > 4 * FILE:
        raise RefusedError(f"{what or folder}: too much in one file; nothing was taken")
    return done.stdout


def _reason(told: bytes) -> str:
    """The first thing that git says went wrong, without the address, which is said before it."""
    lines = [line.strip() for line in told.decode("utf-8", "replace").splitlines()]
    lines = [line.partition(": ")[2] if line.startswith(("fatal: ", "error: ")) else line for line in lines]
    lines = [re.sub(r"unable to access '[^']*': ", "", line) for line in lines if line]
    return lines[0][:300] if lines else "no reason told"


def _bounded() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (REPOSITORY, REPOSITORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What git is told: nothing of the user's git but the proxy, and that nobody is there to be asked."""
    kept = {
        name: value
        for name, value in environ.items()
        if name in _TRUSTED or not name.startswith(("GIT_", "SSH_ASKPASS"))
    }
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oConnectTimeout=20",
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "GIT_LFS_SKIP_SMUDGE": "1",
        # What is missing is not fetched on the way: that would start what the remote's set-up names.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
