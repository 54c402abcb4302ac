"""Whether the places that a skill speaks of are still there: its files, and in them its anchors.

A changed file is not stale; one that is gone is, and so is one in which neither the symbol nor the line
stands where the work was.  A file that is gone is looked for by the same anchors, under another name in
its folder or under its name elsewhere.  Bounded: ``Looks`` counts files read and names listed over a whole
recall; no link is followed, and nothing outside the project is looked at.  On the hot path
(docs/decisions/0004), so without ``re``.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILES_READ = 5
"""Files that one recall reads."""
READ_BYTES = 64 * 1024
"""Bytes of each; what is not in them may stand further down."""
ENTRIES_LISTED = 2000
"""Names in folders that one recall looks at in search of a file that is gone."""
_MOST_FILES = 12
_PLAINLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""How a file is opened: no link is followed, and a FIFO, which would wait for somebody to write, is empty."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_CHECKOUT = 3
"""Visible files and folders that a checkout has at least."""
_NAMED = 2
"""Places that a warning names."""
_SKIPPED = frozenset("node_modules target dist build vendor venv __pycache__".split())
"""Folders of things that were made or fetched; hidden ones are passed over too."""


class Looks:
    """What a recall may still read and list, and the ``texts`` that it read, by their paths."""

    __slots__ = ("entries", "files", "texts")

    def __init__(self) -> None:
        self.files = FILES_READ
        self.entries = ENTRIES_LISTED
        self.texts: dict[str, str | None] = {}


class Ground:
    """What became of the places: ``gone`` says in words that none of them is left, ``warning`` what changed.

    Both are empty where all is there, as far as can be told.
    """

    __slots__ = ("gone", "warning")

    def __init__(self, gone: str = "", warning: str = "") -> None:
        self.gone = gone
        self.warning = warning


def ground_of(root: str, draft: Mapping[str, object], looks: Looks) -> Ground:
    """What became of the files that a ``draft`` changed, or tested with, in the project at ``root``."""
    told: list[str] = []
    left = False
    known: list[tuple[str, Sequence[Mapping[str, object]]]] = []
    for role in ("changed", "test"):
        known = known or list(_files(draft, role))[:_MOST_FILES]
    for path, anchors in known:
        what = _standing(root, path, anchors, looks)
        left = left or what is None or what[1]
        if what is not None:
            told.append(what[0])
    if not told:
        return Ground()
    said = "; ".join(told[:_NAMED]) + (f"; and {len(told) - _NAMED} more" if len(told) > _NAMED else "")
    return Ground(warning=said) if left else Ground(gone=said)


def _files(draft: Mapping[str, object], role: str) -> Iterator[tuple[str, Sequence[Mapping[str, object]]]]:
    """The files of a role with their anchors.  What the work made or deleted may be absent."""
    files = draft.get("files")
    for file in files if isinstance(files, list) else ():
        if isinstance(file, dict) and (file.get("role") or "changed") == role:
            path, anchors = file.get("path"), file.get("anchors")
            if isinstance(path, str) and _is_inside(path):
                yield (
                    path,
                    [one for one in anchors if isinstance(one, dict)] if isinstance(anchors, list) else [],
                )


def _is_inside(path: str) -> bool:
    return bool(path) and not os.path.isabs(path) and "\\" not in path and ".." not in path.split("/")


def _standing(
    root: str, path: str, anchors: Sequence[Mapping[str, object]], looks: Looks
) -> tuple[str, bool] | None:
    """What became of one file in words, and whether the skill is of use there; ``None`` for nothing."""
    there = _is_there(root, path)
    if there is None:
        return None  # behind a link, or not to be looked at
    if not there:
        new = _elsewhere(root, path, anchors, looks) if anchors else ""
        if new:
            return f"`{path}` is now `{new}`", True
        return (f"`{path}` is gone", False) if _is_missed(root, path, looks) else None
    text = _read(root, path, looks) if anchors else None
    if text is None:
        return None
    states = [_alive(text, one, path) for one in anchors]
    if True not in states and "" not in states:
        names = [_name_in(one) for one in anchors]
        return f"`{names[0] or 'the place'}` is no longer in `{path}`", False
    changed = [_name_in(one) for one, state in zip(anchors, states, strict=True) if state == ""]
    return (f"`{changed[0]}` in `{path}` reads otherwise now", True) if changed else None


def _is_there(root: str, path: str) -> bool | None:
    """Whether a regular file is there; ``None`` where a link stands in the way, or nobody may look."""
    whole = root
    try:
        for part in path.split("/"):
            whole = os.path.join(whole, part)
            mode = os.lstat(whole).st_mode
            if stat.S_ISLNK(mode):
                return None
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return None
    return stat.S_ISREG(mode)


def text_in(root: str, path: str, looks: Looks) -> str | None:
    """The text of a regular file of the project at ``root``, each line between line feeds; ``None`` where
    there is none, it is behind a link, longer than what is read or cannot be read."""
    return _read(root, path, looks) if _is_inside(path) and _is_there(root, path) else None


def _is_missed(root: str, path: str, looks: Looks) -> bool:
    """Whether this is a checkout that should have the file: it has its topmost folder, or several others
    (one, where git is).  A folder with next to nothing in it may be another's, or still to be filled."""
    if _is_left_out(root, path):
        return False
    top, _, below = path.partition("/")
    if below and os.path.isdir(os.path.join(root, top)):
        return True
    folders: list[str] = []
    files = _names(root, "", looks, folders)
    shown = len([name for name in files if not name.startswith(".")]) + len(folders)
    return shown >= (1 if os.path.lexists(os.path.join(root, ".git")) else _CHECKOUT)


def _is_left_out(root: str, path: str) -> bool:
    """Whether git has the file and was told not to put it here: a sparse checkout, or a submodule that is not
    filled (https://git-scm.com/docs/gitmodules)."""
    for name in (".git/config", ".git/config.worktree"):
        if "sparsecheckout = true" in (_text(root, name) or "").lower():
            return True
    for line in (_text(root, ".gitmodules") or "").splitlines():
        key, _, folder = line.partition("=")
        inside = key.strip() == "path" and path.startswith(f"{folder.strip()}/")
        if inside and not os.path.lexists(os.path.join(root, folder.strip(), ".git")):
            return True
    return False


def _read(root: str, path: str, looks: Looks) -> str | None:
    """The text of a file, each line between line feeds; ``None`` where it is longer than what is read, or
    cannot be read."""
    if path in looks.texts:
        return looks.texts[path]
    if looks.files < 1:
        return None
    looks.files -= 1
    looks.texts[path] = text = _text(root, path)
    return text


def _text(root: str, path: str) -> str | None:
    try:
        handle = os.open(os.path.join(root, path), _PLAINLY)
        try:
            data = os.read(handle, READ_BYTES + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError):
        return None
    return _decoded(data) if len(data) <= READ_BYTES else None


def _decoded(data: bytes) -> str:
    """Text in UTF-8, in UTF-16 with its mark, or else byte by byte."""
    try:
        text = data.decode("utf-16" if data[:2] in _UTF16 else "utf-8-sig")
    except ValueError:
        text = data.decode("latin-1")
    return "\n" + text.replace("\r\n", "\n").replace("\r", "\n") + "\n"


def _name_in(anchor: Mapping[str, object]) -> str:
    symbol, context = anchor.get("symbol"), anchor.get("context")
    return str(symbol or context or "").replace("`", "'")[:80]


def _alive(text: str, anchor: Mapping[str, object], path: str) -> bool | str:
    """Whether an anchor stands in ``text``; empty where its symbol does, on a line that reads otherwise."""
    symbol, context = str(anchor.get("symbol") or ""), str(anchor.get("context") or "")
    if not symbol and not context:
        return True
    at = text.find(f"{context}\n") if context and symbol in context else -1
    if at >= 0 and not text[text.rfind("\n", 0, at) + 1 : at].strip():
        return True
    from honed.recall.anchored import alive  # most files are as they were

    return alive(text, symbol, context, folded=path.endswith(".sql"))


def _elsewhere(root: str, path: str, anchors: Sequence[Mapping[str, object]], looks: Looks) -> str:
    """Where a file that is gone is now: where all its anchors stand; empty where it is not found."""
    folder, _, name = path.rpartition("/")
    ending = os.path.splitext(name)[1]
    same_folder = (one for one in _names(root, folder, looks) if one.endswith(ending) and ending)
    for one in (*_named(root, name, looks), *same_folder):
        text = _read(root, one, looks) if one != path else None
        if text is not None and all(_alive(text, anchor, one) is True for anchor in anchors):
            return one
    return ""


def _names(root: str, folder: str, looks: Looks, folders: list[str] | None = None) -> list[str]:
    """The regular files of a folder by their paths in the project; its folders are added to ``folders``."""
    found = []
    try:
        with os.scandir(os.path.join(root, folder)) as entries:
            for entry in entries:
                if looks.entries < 1:
                    break
                looks.entries -= 1
                below = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_file(follow_symlinks=False):
                    found.append(below)
                elif folders is not None and entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in _SKIPPED:
                        folders.append(below)
    except (OSError, ValueError):
        return []
    return sorted(found)


def _named(root: str, name: str, looks: Looks) -> list[str]:
    """Files of this name anywhere in the project, the nearest to its top first."""
    found: list[str] = []
    folders = [""]
    for folder in folders:
        below: list[str] = []
        found += [one for one in _names(root, folder, looks, below) if one.rpartition("/")[2] == name]
        folders += sorted(below)
        if looks.entries < 1:
            break
    return found
