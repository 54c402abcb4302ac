"""skillmem through its own storage room: ``upsert_skill`` as its ``learn`` calls it, its search by BM25.

Its vectors need a model from a hub and are off (``MEM_SEMANTIC=0``).  Where a set has groups they are its
projects and ``search`` is asked, as only that one takes a project; elsewhere ``recall_skills``.
"""

from __future__ import annotations

import importlib
from typing import Any

from bench.peers.workers.serving import Library, serve


class Storage:
    """A database of its own."""

    def __init__(self) -> None:
        self._room = importlib.import_module("skillmem.storage")
        self._db = self._room.connect()
        self._room.init_schema(self._db)
        self._claims = 0

    def keep(self, document: dict[str, Any]) -> None:
        """Learn one skill."""
        self._learn(
            document["key"], document["title"], document["description"], document["text"], document["group"]
        )

    def search(self, text: str, group: str, limit: int) -> list[str]:
        """Slugs, the best first."""
        if group:
            found = self._room.search(self._db, text, kind="skill", project=group, limit=limit)
        else:
            found = self._room.recall_skills(self._db, text, limit=limit, auto_reinforce=False)
        return [str(row["slug"]) for row in found]

    def claims(self, request: dict[str, Any]) -> list[str]:
        """What it books for each of ``claims``: an agent's evidence of "passed", "failed" or "" (none)."""
        return [self._claim(claim) for claim in request["claims"]]

    def _claim(self, claim: str) -> str:
        evidence = {"passed": "test_passed", "failed": "failure"}.get(claim)
        if evidence is None:
            return ""
        self._claims += 1
        slug = f"claimed-{self._claims}"
        self._learn(slug, slug, "", "a skill", "")
        booked = self._room.reinforce(self._db, slug, evidence=evidence)
        return "passed" if booked["confirmed_count"] else "failed" if booked["failure_count"] else ""

    def _learn(self, slug: str, title: str, trigger: str, steps: str, project: str) -> None:
        item = self._room.MemoryItem(
            slug=slug,
            kind="skill",
            title=title,
            body=self._room.skill_body(trigger, steps, "success"),
            origin="agent",
            project=project or None,
            visibility="public",
        )
        self._room.upsert_skill(self._db, item, surface="cli", explicit={"project"} if project else ())


if __name__ == "__main__":
    storage = Storage()
    version = importlib.import_module("importlib.metadata").version("skillmem")
    serve(Library(storage.keep, storage.search).answers() | {"claims": storage.claims}, {"version": version})
