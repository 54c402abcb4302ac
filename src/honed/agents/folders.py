"""The folders that honed made for a client's files, so that uninstalling takes those away again and no other.

They are kept in ``<home>/folders``, one path a line.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence

from honed.agents.clients import Client, path_of
from honed.store import files

FILE = "folders"


def missing(client: Client, environ: Mapping[str, str], project: str = "") -> list[str]:
    """The folders of a client's files that are not there, the outer ones first."""
    found = set[str]()
    for file in client.files:
        folder = os.path.dirname(path_of(client, file, environ, project))
        while folder and not os.path.lexists(folder) and folder not in found:
            found.add(folder)
            folder = os.path.dirname(folder)
    return sorted(found)


def note(home: str, folders: Sequence[str]) -> None:
    """Remember those of ``folders`` that are there now.  Raises ``OSError``."""
    made = [folder for folder in folders if os.path.isdir(folder) and "\n" not in folder]
    known = _noted(home)
    if not set(made) <= set(known):
        _keep(home, list(dict.fromkeys([*known, *made])))


def take_away(home: str) -> None:
    """Remove the folders that honed made and in which nothing is; the others stay noted."""
    known = _noted(home)
    for folder in sorted(known, reverse=True):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
    left = [folder for folder in known if os.path.isdir(folder)]
    if left != known:
        with contextlib.suppress(OSError):
            _keep(home, left)


def _noted(home: str) -> list[str]:
    try:
        with open(os.path.join(home, FILE), encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            return [line for line in file.read().split("\n") if os.path.isabs(line)]
    except OSError:
        return []


def _keep(home: str, folders: Sequence[str]) -> None:
    path = os.path.join(home, FILE)
    if folders:
        files.write_whole(path, "".join(f"{one}\n" for one in folders).encode("utf-8", "surrogateescape"))
    else:
        os.unlink(path)
