"""Everything that a home has goes out and comes in: every state, every text, all evidence."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from honed.exchange.vault import LEFT_OUT, MANIFEST
from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.model import Evidence, NewEvent
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from honed.skills.model import Skill
from honed.transcripts import given_paths, in_order
from tests.doors.telling import a_shop, claude, codex, files_below, fixes, write


def passed(skill: str, session: str, what: Evidence = "test_passed") -> NewEvent:
    """A session that applied the skill, and how its check went."""
    occasion = events.Occasion("codex", session, f"r-{session}", "2099-05-06T10:00:00Z")
    return events.evidence(occasion, skill, what, applied=True, authority="exit")


def with_everything(home: str, base: Path) -> None:
    """Skills that are new, proven, suspended, pinned, archived, approved, revised, withdrawn, forgotten,
    imported, an agent's and another project's."""
    shop, other = str(a_shop(base)), str(a_shop(base, "spare"))
    with Memory.open(home) as memory:
        told = [write(base / "t" / "a.jsonl", fixes(claude(Path(shop))))]
        told.append(write(base / "t" / "b.jsonl", fixes(codex(Path(shop)))))
        for _ in memory.absorb(in_order(given_paths(map(str, told)))):
            pass
        made: dict[str, Skill] = {}
        for (
            name
        ) in "new proven suspended pinned archived approved revised withdrawn forgotten agents".split():
            draft = draft_from_manual(
                "lesson", f"About what is {name}", body=f"{name} [[links]] in #{name}.\n"
            )
            actor = "agent:codex" if name == "agents" else "owner"
            kept = memory.write(name, draft, cwd=other if name == "new" else shop, force=True, actor=actor)
            made[name] = memory.find(kept.subject, shop)
        new = [passed(made["proven"].id, one) for one in ("s1", "s2")]
        new += [passed(made["suspended"].id, "s3", "test_failed")]
        shown = content_hash(made["approved"].draft)
        new += [events.approved(made["approved"].id, shown, "lesson", os.urandom(16))]
        for text in ("second", "third"):
            draft = draft_from_manual("lesson", f"About what is {text}", body=text, tags=[text], ttl_days=9)
            new += [events.revised(made["revised"].id, draft, os.urandom(16), reason=text)]
        new += [
            events.withdrawn(events.Occasion("codex", "s9", "r9"), made["withdrawn"].id, "", "its proof went")
        ]
        memory._store.append(new)
        memory.pin("pinned", shop, pinned=True)
        memory.archive("archived", shop, archived=True)
        memory.forget("forgotten", shop)
        notes = base / "notes"
        notes.mkdir()
        (notes / "foreign.md").write_text(
            "---\naliases: [far]\nmood: good\n---\n# Foreign\ntext", encoding="utf-8"
        )
        memory.take_in(str(notes), cwd=shop)
        memory.link(shop, other)


@pytest.fixture
def full(tmp_path: Path) -> str:
    with_everything(str(tmp_path / "first"), tmp_path)
    return str(tmp_path / "first")


def exported(home: str, folder: Path) -> dict[str, bytes]:
    with Memory.open(home) as memory:
        memory.export(str(folder))
    return {str(path.relative_to(folder)): data for path, data in files_below(folder)}


def rows(home: str) -> Counter[tuple[object, ...]]:
    """What each skill of a home is, but for what only its own evidence says."""
    with Memory.open(home) as memory:
        return Counter(
            (skill.id, skill.project, skill.slug, skill.pinned, skill.archived, skill.content_hash)
            for skill in memory.every_skill()
            if skill.state != "withdrawn"
        )


def test_a_home_that_is_taken_in_elsewhere_goes_out_the_same(full: str, tmp_path: Path) -> None:
    with Memory.open(full) as memory:
        states = {skill.state for skill in memory.every_skill()}
    assert states == {"candidate", "proven", "suspended", "withdrawn"}
    first = exported(full, tmp_path / "v1")
    second = str(tmp_path / "second")
    with Memory.open(second) as memory:
        done = memory.take_in(str(tmp_path / "v1"), cwd=str(tmp_path))
        assert (done.new, done.changed, done.refused) == (len(first) - 1, 0, [])
        assert memory.verify(strict=True) == ()
    assert exported(second, tmp_path / "v2") == first
    assert rows(second) == rows(full)


def test_what_is_taken_in_where_it_came_from_is_no_news(full: str, tmp_path: Path) -> None:
    first = exported(full, tmp_path / "v1")
    with Memory.open(full) as memory:
        before = memory.stats().events
        done = memory.take_in(str(tmp_path / "v1"), cwd=str(tmp_path))
        assert (done.new, done.changed, done.same) == (0, 0, len(first) - 1)
        assert memory.stats().events == before
    assert exported(full, tmp_path / "v1") == first


def test_every_old_text_and_every_piece_of_evidence_is_in_the_file(full: str, tmp_path: Path) -> None:
    files = {path: data.decode("utf-8") for path, data in exported(full, tmp_path / "v1").items()}
    revised = files["shop/revised.md"]
    for text in ("About what is revised", "About what is second", "About what is third", "ttl_days: 9"):
        assert text in revised
    assert files["shop/proven.md"].count("kind: test_passed") == 2
    assert "kind: test_failed" in files["shop/suspended.md"]
    assert "pinned: true" in files["shop/pinned.md"]
    assert "archived: true" in files["shop/archived.md"]
    assert "mood: good" in files["shop/foreign.md"]
    assert not [path for path in files if "forgotten" in path or "withdrawn" in path]


def test_what_an_export_leaves_out_is_said_in_it_by_name(full: str, tmp_path: Path) -> None:
    said = json.loads(exported(full, tmp_path / "v1")[MANIFEST])["left_out"]
    assert said == list(LEFT_OUT)
    for word in (
        "approvals",
        "chain",
        "times of recording",
        "withdrawn",
        "forgotten",
        "verdicts",
        "settings",
    ):
        assert any(word in line for line in said), word


@pytest.mark.parametrize("after", [0, 3, 60, 200])
def test_an_import_that_is_stopped_is_whole_as_far_as_it_went(after: int, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(120):
        (notes / f"{number:03d}.md").write_text(f"# About {number}\nword{number}", encoding="utf-8")
    left = iter(range(after))

    def stops(count: int) -> bytes:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return os.urandom(count)

    home = str(tmp_path / "home")
    Memory.open(home).close()
    with pytest.raises(KeyboardInterrupt), Memory.open(home, entropy=stops) as memory:
        memory.take_in(str(notes), cwd=str(tmp_path))
    with Memory.open(home) as memory:
        assert memory.verify(strict=True) == ()
        some = len(memory.every_skill())
        done = memory.take_in(str(notes), cwd=str(tmp_path))
        assert (done.new, done.same) == (120 - some, some)
        assert some in (0, 48)
