"""Where is this?  A directory becomes a place.

On the hot path (docs/decisions/0004): plain classes, no git process, a few bounded reads of
``.git``, ``HEAD``, ``commondir`` and ``config``.  The formats are those of gitrepository-layout(5)
and git-config(5).  ``locate`` never raises: what cannot be read is simply not known.

Which project a place belongs to is told by ``aliases``.
"""

from __future__ import annotations

import os

from honed.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LEVELS = 64
"""How many folders a search goes up."""
CONFIG_LIMIT = 256 * 1024
"""Bytes of a git config that are read."""
FILE_LIMIT = 4096
"""Bytes of ``.git`` files, ``HEAD`` and ``commondir`` that are read."""

_WINDOWS_PATH = r"[A-Za-z]:[\\/]"
_SCHEME = r"([A-Za-z][A-Za-z0-9+.-]*)://"
_SCP = r"(?s)(?:[^@/\\]+@)?(\[[^\]]+\]|[^\[:/\\][^:/\\]+):(?!//)(.*)"
_SECTION = r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]'
_HOMES = r"(?:/root|/(?:home|Users)/[^/]+|/var/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)[\\/]?"


class Place:
    """A directory, and what is known of the work tree it lies in.

    ``root`` is the top of the work tree (the directory itself outside git; empty for a home
    directory or ``/``, which are never projects).  ``git_dir`` and ``common_dir`` are empty outside
    git; ``branch`` is empty for a detached head; ``remote`` is normalised; ``worktree`` names a
    linked work tree; ``subpath`` is the directory below ``root``, '/'-separated.  ``present`` says
    whether the directory exists.  ``aliases`` are ``(kind, value)``, the strongest first.  ``project`` is
    the id of the project where somebody has named it; then no alias is asked.
    """

    __slots__ = (
        "aliases",
        "branch",
        "common_dir",
        "cwd",
        "git_dir",
        "present",
        "project",
        "remote",
        "root",
        "subpath",
        "worktree",
    )

    def __init__(
        self,
        cwd: str,
        root: str,
        *,
        git_dir: str = "",
        common_dir: str = "",
        branch: str = "",
        remote: str = "",
        worktree: str = "",
        subpath: str = "",
        present: bool = True,
        project: str = "",
    ) -> None:
        self.cwd = cwd
        self.root = root
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.branch = branch
        self.remote = remote
        self.worktree = worktree
        self.subpath = subpath
        self.present = present
        self.project = project
        named: tuple[tuple[str, str], ...] = (("git", common_dir), ("path", root), ("remote", remote))
        if not git_dir:
            # A path that no git folder vouches for says less than the remote the transcript names:
            # every container has a /workspace.
            named = (("remote", remote), ("path", root))
        self.aliases = tuple(alias for alias in named if alias[1])

    def __repr__(self) -> str:
        return f"Place({self.root or self.cwd!r}, branch={self.branch!r}, remote={self.remote!r})"


def absolute(folder: str) -> str:
    """``folder`` from the root; a path of the other system is one already."""
    return folder if compiled(_WINDOWS_PATH).match(folder) else os.path.abspath(folder)


def locate(cwd: str, *, remote: str = "", branch: str = "") -> Place:
    """The place of a directory, whether or not it still exists.

    ``remote`` (a URL) and ``branch`` are what a transcript said of them: used where the disk does not
    know better.  Never raises.
    """
    try:
        return _locate(cwd, remote, branch)
    except (OSError, ValueError, RuntimeError):
        # ValueError: a NUL in the path.  The text itself is then all that is known.
        return Place(cwd, "", remote=normalise_remote(remote), branch=branch, present=False)


def _locate(cwd: str, remote: str, branch: str) -> Place:
    said = normalise_remote(remote)
    if not os.path.isabs(cwd):
        root = cwd.rstrip("\\/") if compiled(_WINDOWS_PATH).match(cwd) and not is_home(cwd) else ""
        return Place(cwd, root, remote=said, branch=branch, present=False)
    real = os.path.realpath(cwd)
    present = os.path.isdir(real)
    for folder in (real, *folders_above(real)):
        if is_home(folder):
            break
        git_dir = _git_dir(folder)
        if git_dir:
            place = _in_git(real, folder, git_dir, said, branch, present)
            if present or said in ("", place.remote):
                return place
            # What stood there was a clone of something else inside this work tree.
            break
    root = "" if is_home(real) else real
    return Place(real, root, remote=said, branch=branch, present=present)


def _in_git(cwd: str, root: str, git_dir: str, said: str, branch: str, present: bool) -> Place:
    common = _read(os.path.join(git_dir, "commondir")).strip()
    common_dir = os.path.realpath(os.path.join(git_dir, common)) if common else git_dir
    head = _read(os.path.join(git_dir, "HEAD")).strip()
    here = head[len("ref: refs/heads/") :] if head.startswith("ref: refs/heads/") else ""
    sections = _config(_read(os.path.join(common_dir, "config"), CONFIG_LIMIT))
    url = _remote_url(sections, here)
    if url and not compiled(_SCHEME).match(url) and url.startswith("."):
        url = os.path.normpath(os.path.join(root, url))
    return Place(
        cwd,
        root,
        git_dir=git_dir,
        common_dir=common_dir,
        branch=here or branch,
        remote=normalise_remote(url) or said,
        worktree=os.path.basename(git_dir) if common else "",
        subpath="" if cwd == root else os.path.relpath(cwd, root).replace(os.sep, "/"),
        present=present,
    )


def _git_dir(folder: str) -> str:
    """The git directory that ``folder/.git`` is or names, or the empty text."""
    marker = os.path.join(folder, ".git")
    if os.path.isdir(marker):
        # An empty .git folder (a sandbox's mount point) is no repository.
        return os.path.realpath(marker) if os.path.exists(os.path.join(marker, "HEAD")) else ""
    text = _read(marker)
    if not text.startswith("gitdir:"):
        return ""
    target = os.path.realpath(os.path.join(folder, text[len("gitdir:") :].strip()))
    return target if os.path.isdir(target) else ""


def _read(path: str, limit: int = FILE_LIMIT) -> str:
    """The beginning of a small regular file as text; empty when there is none."""
    try:
        # A FIFO of that name would hang the open.
        if not os.path.isfile(path):
            return ""
        with open(path, "rb") as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return ""


def _config(text: str) -> dict[str, dict[str, str]]:
    """git-config(5) without includes: ``{"remote origin": {"url": ...}}``; the first value stays."""
    sections: dict[str, dict[str, str]] = {}
    values: dict[str, str] = {}
    for raw in text.splitlines():
        line = raw.strip()
        found = compiled(_SECTION).match(line)
        if found:
            name, sub = found.group(1).lower(), found.group(2)
            values = sections.setdefault(name if sub is None else f"{name} {_unescape(sub)}", {})
        elif "=" in line and line[0] not in "#;":
            key, _, value = line.partition("=")
            values.setdefault(key.strip().lower(), _unquote(value.strip()))
    return sections


def _unescape(text: str) -> str:
    return compiled(r"\\(.)").sub(r"\1", text)


def _unquote(value: str) -> str:
    if value.startswith('"'):
        found = compiled(r'"((?:[^"\\]|\\.)*)"').match(value)
        return _unescape(found.group(1)) if found else value
    return compiled(r"\s[#;]").split(value, maxsplit=1)[0].strip()


def _remote_url(sections: dict[str, dict[str, str]], branch: str) -> str:
    """``origin``, else the remote the branch follows, else the first one named."""
    upstream = sections.get(f"branch {branch}", {}).get("remote", "")
    others = [name[len("remote ") :] for name in sections if name.startswith("remote ")]
    for name in ("origin", upstream, *others):
        url = sections.get(f"remote {name}", {}).get("url", "")
        if url:
            return url
    return ""


def normalise_remote(url: str) -> str:
    """One form for all spellings of a remote: ``host/path``, without scheme, user, port, ``.git``.

    The host is lower-cased, the path is not.  A path on this disk stays a path.  Empty in, empty out.
    """
    text = url.strip()
    scheme = compiled(_SCHEME).match(text)
    if scheme and scheme.group(1).lower() == "file":
        text, scheme = text[scheme.end() :], None
    if scheme:
        host, _, path = text[scheme.end() :].partition("/")
        host = host.rpartition("@")[2]
        path = compiled(r"[?#]").split(path, maxsplit=1)[0]
    elif (
        text
        and text[0] not in "/.~"
        and not compiled(_WINDOWS_PATH).match(text)
        and compiled(_SCP).fullmatch(text)
    ):
        found = compiled(_SCP).fullmatch(text)
        host, path = (found.group(1), found.group(2)) if found else ("", text)
    else:
        return _trim(text)
    if not host.endswith("]"):
        host = compiled(r":\d*$").sub("", host)
    path = _trim(path.lstrip("/"))
    return f"{host.lower()}/{path}" if path else host.lower()


def _trim(path: str) -> str:
    path = path.rstrip("/")
    return path[: -len(".git")].rstrip("/") if path.endswith(".git") else path


def is_home(folder: str) -> bool:
    """Whether a folder is somebody's home or the top of a disk: never a project."""
    if folder in ("/", os.path.expanduser("~")) or compiled(_HOMES).fullmatch(folder):
        return True
    return os.path.dirname(folder) == folder or bool(compiled(_WINDOWS_PATH).fullmatch(folder))


def folders_above(path: str) -> Iterator[str]:
    """The folders above a path, the nearest first; for paths of either system."""
    for _ in range(LEVELS):
        cut = (
            max(path.rfind("/"), path.rfind("\\")) if compiled(_WINDOWS_PATH).match(path) else path.rfind("/")
        )
        if cut <= 0:
            return
        path = path[:cut]
        yield path


def name_of(place: Place) -> str:
    """What people call the project of a place: its folder's name, else its remote's."""
    return compiled(r"[\\/]").split((place.root or place.remote).rstrip("\\/"))[-1]


def storable(text: str) -> str:
    """A text that a database column can hold: no lone surrogates, no NUL."""
    return compiled("[\x00\ud800-\udfff]").sub("\ufffd", text)
