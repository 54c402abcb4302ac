"""honed through its own doors: ``Memory.write`` keeps, ``Memory.search``, as the command line, finds."""

from __future__ import annotations

import os
import re
from typing import Any

from bench.peers.workers.serving import Library, serve
from honed import __version__
from honed.memory import Memory
from honed.skills.manual import LINE_LIMIT, MOST_FILES, draft_from_manual
from honed.skills.model import TITLE_LIMIT
from honed.verdict.interpret import interpret, is_test_command

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Skills:
    """Every document is a skill of the project of its group; a project is a folder with a repository."""

    def __init__(self) -> None:
        self._memory = Memory.open(os.environ["HONED_HOME"])
        self._memory.configure("semantic.model", "none")  # what finds by meaning is `workers.honed_model`

    def keep(self, document: dict[str, Any]) -> None:
        """Write one by hand, in its session where it has one, as an agent does.  ``force``: sets hold near
        copies, and every system gets them all."""
        draft = draft_from_manual(
            "procedure",
            _clean(document["title"])[:TITLE_LIMIT],
            trigger=_clean(document["description"])[:LINE_LIMIT],
            body=_clean(document["text"]),
            files=document["files"][:MOST_FILES],
        )
        group, session = document["group"], document["session"]
        known = f"{group}/{session}" if session else ""
        self._memory.write(document["key"], draft, cwd=folder_of(group), force=True, session=known)

    def search(self, text: str, group: str, limit: int) -> list[str]:
        """Slugs, the best first."""
        return [hit.slug for hit in self._memory.search(text, cwd=folder_of(group), limit=limit).hits]


def folder_of(group: str) -> str:
    """The project's folder of a group, made when it is new."""
    folder = os.path.join(os.environ["HOME"], "work", re.sub(r"\W", "-", group) or "all")
    if not os.path.isdir(folder):
        os.makedirs(os.path.join(folder, ".git"))
        with open(os.path.join(folder, ".git", "HEAD"), "w", encoding="utf-8") as head:
            head.write("ref: refs/heads/main\n")
    return folder


def outcomes(request: dict[str, Any]) -> list[str]:
    """For each run what honed's reader of a single step says, in its own words."""
    return [interpret(row["command"], row["exit"], row["output"]).outcome for row in request["rows"]]


def _clean(text: str) -> str:
    return _CONTROL.sub(" ", text)


if __name__ == "__main__":
    skills = Skills()
    library = Library(skills.keep, skills.search).answers()
    recognise = {
        "recognise": lambda request: [is_test_command(command) for command in request["commands"]],
        "outcomes": outcomes,
    }
    serve(library | recognise, {"version": __version__})
