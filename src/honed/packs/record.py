"""What is kept of a pack beside its texts: where it came from, what it was, which skills are of it.

One event of the ledger per change, told as a setting under ``pack:NAME``; paths, digests and kinds of
findings only, never a text.  Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from honed.ledger.model import Recorded
from honed.packs.scan import KINDS, Finding
from honed.skills.model import Skill
from honed.store.base import Store

PREFIX = "pack:"
HELD = "in quarantine: "
"""How the reason begins for which a text was put out of use; the kinds of what was found follow."""


@dataclass(frozen=True, slots=True)
class Member:
    """A skill of a pack: its ``id``, the sha256 of its files, the ids of its further texts by path.

    ``found`` are the findings without their text; while it is ``held`` nobody is given it.  ``gone`` says
    that the pack does not hold it any more.
    """

    id: str
    hash: str
    references: Mapping[str, str] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()
    found: tuple[Finding, ...] = ()
    held: bool = False
    gone: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The skill's id and those of its further texts."""
        return (self.id, *self.references.values())


@dataclass(frozen=True, slots=True)
class Record:
    """A pack: ``kind`` of source and ``address``; the ``ref`` that was asked for and the ``commit`` it was;
    ``hash`` a sha256 over its skills' files; ``project`` the id of the project it was added to ("" for
    all)."""

    name: str
    kind: str
    address: str
    ref: str = ""
    commit: str = ""
    licence: str = ""
    hash: str = ""
    project: str = ""
    at: str = ""
    members: Mapping[str, Member] = field(default_factory=dict)

    def body(self) -> dict[str, object]:
        """As JSON-able values."""
        return {
            "kind": self.kind,
            "address": self.address,
            "ref": self.ref,
            "commit": self.commit,
            "licence": self.licence,
            "hash": self.hash,
            "project": self.project,
            "at": self.at,
            "skills": {folder: _member_body(member) for folder, member in self.members.items()},
        }


def _member_body(member: Member) -> dict[str, object]:
    return {
        "id": member.id,
        "hash": member.hash,
        "references": dict(member.references),
        "scripts": list(member.scripts),
        "found": [[one.kind, one.file, one.line, one.how] for one in member.found],
        "held": member.held,
        "gone": member.gone,
    }


def record_of(name: str, body: object) -> Record:
    """The record that ``Record.body`` made JSON of; what is missing or of another type is empty."""
    given = body if isinstance(body, Mapping) else {}
    told = {
        key: str(given.get(key) or "")
        for key in ("kind", "address", "ref", "commit", "licence", "hash", "project", "at")
    }
    skills = given.get("skills")
    members = {
        str(folder): _member_of(value)
        for folder, value in (skills.items() if isinstance(skills, Mapping) else ())
        if isinstance(value, Mapping)
    }
    return Record(name, members=members, **told)


def _member_of(value: Mapping[str, object]) -> Member:
    references, scripts, found = value.get("references"), value.get("scripts"), value.get("found")
    return Member(
        id=str(value.get("id") or ""),
        hash=str(value.get("hash") or ""),
        references={str(k): str(v) for k, v in references.items()} if isinstance(references, Mapping) else {},
        scripts=tuple(str(one) for one in scripts) if isinstance(scripts, list) else (),
        found=tuple(_findings(found)),
        held=value.get("held") is True,
        gone=value.get("gone") is True,
    )


def _findings(value: object) -> Iterator[Finding]:
    for row in value if isinstance(value, list) else ():
        if isinstance(row, list) and len(row) == 4 and row[0] in KINDS and isinstance(row[2], int):
            yield Finding(str(row[0]), str(row[1]), row[2], str(row[3]), "")


def records(settings: Mapping[str, object]) -> list[Record]:
    """Every pack by name, from all that is kept as settings."""
    return [
        record_of(key[len(PREFIX) :], settings[key]) for key in sorted(settings) if key.startswith(PREFIX)
    ]


def held(settings: Mapping[str, object], skill: str) -> tuple[Record, Member] | None:
    """The pack by which a skill is in quarantine, with what it is there; ``None`` where it is in none."""
    for record in records(settings):
        for member in record.members.values():
            if member.held and skill in member.ids:
                return record, member
    return None


def quarantine_told(store: Store, skill: Skill) -> str:
    """Why a skill is in quarantine, in words; "" where it is in none.

    A text stays in it when its pack goes, and when its owner edits it: its own history says so then.
    """
    if not skill.archived:
        return ""
    found = held(store.settings(), skill.id)
    if found is not None:
        return "; ".join(one.told for one in found[1].found)
    return put_away_for(store.skill_events(skill.id))


def put_away_for(history: Iterable[Recorded]) -> str:
    """What was found in a text that was put into quarantine and never released, by its own events; "" for
    any other one."""
    last = ""
    for event in history:
        if event.entry.kind in ("archived", "restored"):
            last = str((event.body or {}).get("reason") or "") if event.entry.kind == "archived" else ""
    kinds = last.removeprefix(HELD).split("; ") if last.startswith(HELD) else []
    return "; ".join(KINDS[kind] for kind in kinds if kind in KINDS)
