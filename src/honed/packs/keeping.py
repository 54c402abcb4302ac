"""Packs come in, change, go: what becomes of their texts in the ledger.

All that one call writes is one transaction.  Every text of a pack has the origin ``imported`` and is data
until its owner approves it; one with findings is put out of use in the same moment in which it is written.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from honed.errors import NotFoundError, RefusedError, UsageError
from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.history import full_text
from honed.ledger.model import EventKind, NewEvent
from honed.packs.files import Budget, Refused, digest, sound
from honed.packs.record import HELD, PREFIX, Member, Record, records
from honed.packs.scan import Finding
from honed.packs.skills import PackSkill, in_scope, licence_of, taken
from honed.packs.sources import Asked, asked, opened
from honed.recall.safe import visible
from honed.skills.manual import redacted
from honed.skills.model import Draft, Skill
from honed.store.base import Appended, Store

ACTOR = "pack"
GONE = "the pack does not hold it any more"
MINE = "you changed it; it is your own text now"


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one text: ``folder`` is its skill's, or the path of a reference; ``what`` is new, same,
    changed, gone, left, forgotten (here, by its owner) or refused.

    ``diff`` is what changed, every character shown; ``waits`` says that the text before it is approved and
    stays in use until the owner takes this one; ``held`` that the pack's text is kept out of use.
    """

    slug: str
    folder: str
    what: str
    findings: tuple[Finding, ...] = ()
    diff: str = ""
    waits: bool = False
    why: str = ""
    held: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a pack: its record as it is now, a row a skill, and what was not taken."""

    record: Record
    rows: tuple[Row, ...] = ()
    refused: tuple[Refused, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pack:
    """A pack as its source has it now."""

    skills: list[PackSkill]
    refused: list[Refused]
    commit: str
    licence: str


@dataclass(frozen=True, slots=True)
class _Text:
    """What is to become of one text: its ``row``, and the event that ``brings`` it, if it is not known."""

    row: Row
    brings: NewEvent | None = None


@dataclass(frozen=True, slots=True)
class _Change:
    """What one part of a pack comes to: ``events`` in their order, and a text a row."""

    events: tuple[NewEvent, ...] = ()
    texts: tuple[_Text, ...] = ()

    def __add__(self, other: _Change) -> _Change:
        return _Change(self.events + other.events, self.texts + other.texts)


class Packs:
    """The packs of one memory.  ``entropy`` gives so many random bytes."""

    def __init__(self, store: Store, redactor: Callable[[str], str], entropy: Callable[[int], bytes]) -> None:
        self._store = store
        self._redactor = redactor
        self._entropy = entropy

    def known(self) -> list[Record]:
        """Every pack, by name."""
        return records(self._store.settings())

    def named(self, name: str) -> Record:
        """The pack ``name``.  Raises ``NotFoundError`` that names those there are."""
        known = self.known()
        found = next((record for record in known if record.name == name), None)
        if found is None:
            names = ", ".join(record.name for record in known) or "none"
            raise NotFoundError(f"there is no pack {name}; there are: {names}")
        return found

    def add(
        self,
        spec: str,
        *,
        project: str,
        name: str = "",
        ref: str = "",
        again: bool = False,
        dry_run: bool = False,
    ) -> Done:
        """Take a pack in, for the project of that id ("": everywhere); one that is known already is updated.

        ``again`` takes texts that were forgotten here.  Raises ``NotFoundError``, ``UsageError``,
        ``RefusedError``, ``UnavailableError``; then nothing was written.
        """
        want = asked(spec)
        called = ids.slugify(name or want.name, fallback="pack")
        before = next((record for record in self.known() if record.name == called), None)
        if before is not None and before.address != want.address:
            raise UsageError(f"there is a pack {called} of {before.address} already; give another --name")
        record = before or Record(called, want.kind, want.address, ref, project=project)
        return self._take(replace(record, ref=ref or record.ref), again=again, dry_run=dry_run)

    def update(self, record: Record, *, dry_run: bool = False) -> Done:
        """Bring a pack up to what its source holds now.  Raises like ``add``."""
        return self._take(record, again=False, dry_run=dry_run)

    def remove(self, record: Record) -> list[Row]:
        """Forget every text of a pack but those that its owner made their own; of these, what was in
        quarantine stays in it."""
        rows, told = list[Row](), list[NewEvent]()
        for folder, member in record.members.items():
            for skill in self._texts(member):
                if skill.draft.origin == "imported":
                    told.append(events.by_hand("forgotten", skill.id, self._entropy(16)))
                    rows.append(Row(skill.slug, folder, "gone"))
                else:
                    held = member.held and skill.archived
                    why = f"{MINE}; it stays in quarantine" if held else MINE
                    rows.append(Row(skill.slug, folder, "left", why=why, held=held))
        told.append(events.configured(PREFIX + record.name, None, self._entropy(16)))
        self._store.append(told)
        return rows

    def release(self, record: Record, folder: str) -> None:
        """End the quarantine of one skill: it is given as data from now on.

        Only for a door at which the owner is known to be (``honed.presence``).
        """
        member = record.members[folder]
        told = [
            events.by_hand("restored", skill.id, self._entropy(16), {"reason": "released from quarantine"})
            for skill in self._texts(member)
            if skill.archived
        ]
        members = {**record.members, folder: replace(member, held=False)}
        told.append(self._configured(replace(record, members=members)))
        self._store.append(told)

    def release_text(self, skill: Skill) -> None:
        """End the quarantine of a text whose pack is gone; like ``release`` for the owner's door alone."""
        why = {"reason": "released from quarantine"}
        self._store.append([events.by_hand("restored", skill.id, self._entropy(16), why)])

    def _live(self, skill_id: str) -> Skill | None:
        skill = self._store.skill(skill_id)
        return skill if skill is not None and skill.state != "deleted" else None

    def _texts(self, member: Member) -> Iterator[Skill]:
        return (skill for one in member.ids if (skill := self._live(one)) is not None)

    def _approved(self, member: Member) -> Skill | None:
        """The first text of a member that its owner approved."""
        return next((skill for skill in self._texts(member) if skill.approved_hash), None)

    def _configured(self, record: Record) -> NewEvent:
        return events.configured(PREFIX + record.name, record.body(), self._entropy(16))

    # Taking in

    def _take(self, record: Record, *, again: bool, dry_run: bool) -> Done:
        pack = _read(record, self._redactor)
        if not pack.skills:
            why = "; ".join(f"{one.path}: {one.reason}" for one in pack.refused[:5])
            if why:
                raise RefusedError(f"{record.address}: no skill of it can be taken: {why}")
            raise NotFoundError(f"{record.address}: there is no SKILL.md in it")
        scope = "project" if record.project else "global"
        members, whole = dict(record.members), _Change()
        for skill in pack.skills:
            known = members.get(skill.folder)
            members[skill.folder], change = self._member(in_scope(skill, scope), known, record, again=again)
            whole += change
        here = {skill.folder for skill in pack.skills}
        unread = [one.path.removesuffix("/SKILL.md") for one in pack.refused]
        for folder, member in record.members.items():
            if folder not in here and folder not in unread and not member.gone:
                members[folder], change = self._put_away(folder, member)
                whole += change
        hashes = {folder: member.hash for folder, member in members.items() if not member.gone}
        changed = replace(
            record, commit=pack.commit, licence=pack.licence, hash=digest(hashes), members=members, at=""
        )
        rows, refused = tuple(text.row for text in whole.texts), tuple(pack.refused)
        if replace(record, at="") == changed:
            return Done(record, rows, refused)
        changed = replace(changed, at=self._store.now())
        if dry_run:
            return Done(changed, rows, refused)
        return self._keep(Done(changed, rows, refused), whole, again=again)

    def _member(
        self, skill: PackSkill, known: Member | None, record: Record, *, again: bool
    ) -> tuple[Member, _Change]:
        """One skill as it is from now on, and what that takes."""
        if known is not None and not again and self._live(known.id) is None:
            why = "you forgot it; `honed packs add --again` takes it in again"
            return known, _row(Row(skill.slug, skill.folder, "forgotten", why=why))
        if known is not None and known.hash == skill.hash and not known.gone:
            main = self._store.skill(known.id)
            slug = main.slug if main else skill.slug
            unchanged = _row(Row(slug, skill.folder, "same", known.found, held=known.held))
            for path, reference in known.references.items():
                if (further := self._live(reference)) is not None:
                    unchanged += _row(Row(further.slug, path, "same"))
            return known, unchanged
        held = bool(skill.findings)
        if held and known is not None and (approved := self._approved(known)):
            why = "its new text would be held, so it was not taken; the one that you approved stays in use"
            return known, _row(Row(approved.slug, skill.folder, "left", skill.findings, why=why, held=True))
        findings = tuple(replace(one, excerpt=self._redactor(one.excerpt)) for one in skill.findings)
        before = known or Member("", "")
        told = Row(skill.slug, skill.folder, "new", findings, held=held)
        own, whole = self._text(before.id, skill.draft, record, told)
        references = dict[str, str]()
        for one in skill.references:
            row = Row(f"{skill.slug}-{self._redactor(_stem(one.path))}", one.path, "new")
            known_id = before.references.get(one.path, "")
            references[one.path], change = self._text(known_id, one.draft, record, row)
            whole += change
        for path, gone in before.references.items():
            if path not in references:
                whole += self._flag("archived", gone, GONE)
        reason = HELD + "; ".join(sorted({one.kind for one in findings}))
        for text in (own, *references.values()):
            if held:
                whole += self._flag("archived", text, reason)
            elif known is not None and (known.held or known.gone):
                whole += self._flag("restored", text, "nothing is found in it any more")
        found = tuple(replace(one, excerpt="") for one in findings)
        return Member(own, skill.hash, references, skill.scripts, found, held), whole

    def _text(self, known_id: str, draft: Draft, record: Record, row: Row) -> tuple[str, _Change]:
        """What makes ``draft`` a text of the pack, and the id of its skill; ``row`` is of a new one."""
        clean = redacted(draft, self._redactor)
        known = self._store.skill(known_id) if known_id else None
        if known is None or known.state == "deleted":
            new_id = ids.random_id("sk_", self._entropy(10))
            extra = {"pack": record.name}
            brings = events.written(
                new_id, record.project, row.slug, clean, self._entropy(16), actor=ACTOR, extra=extra
            )
            return new_id, _Change((brings,), (_Text(row, brings),))
        row = replace(row, slug=known.slug)
        if known.draft.origin != "imported":
            return known.id, _row(replace(row, what="left", why=MINE))
        if known.content_hash == content_hash(clean):
            return known.id, _row(replace(row, what="same"))
        reason = f"update of the pack {record.name}"
        event = events.revised(known.id, clean, self._entropy(16), reason=reason, actor=ACTOR)
        diff = _diff(known.draft, clean)
        row = replace(row, what="changed", diff=diff, waits=bool(known.approved_hash))
        return known.id, _Change((event,), (_Text(row),))

    def _put_away(self, folder: str, member: Member) -> tuple[Member, _Change]:
        whole = _Change()
        for skill in self._texts(member):
            if skill.draft.origin == "imported":
                whole += self._flag("archived", skill.id, GONE)
                whole += _row(Row(skill.slug, folder, "gone", waits=bool(skill.approved_hash)))
        return replace(member, gone=True), whole

    def _flag(self, kind: EventKind, skill: str, reason: str) -> _Change:
        """Put a text of the pack out of use, or back; what its owner made their own stays as it is."""
        known = self._store.skill(skill)
        wanted = kind == "archived"
        mine = known is not None and known.archived != wanted and known.draft.origin == "imported"
        if not (mine or (wanted and known is None)):
            return _Change()
        return _Change((events.by_hand(kind, skill, self._entropy(16), {"reason": reason}, actor=ACTOR),))

    def _keep(self, done: Done, whole: _Change, *, again: bool) -> Done:
        """Write it all at once; what the ledger refuses (a text that was forgotten here) is told."""
        told = [*whole.events, self._configured(done.record)]
        outcomes = {
            event.id: outcome
            for event, outcome in zip(
                told, self._store.append(told, same_text=True, again=again), strict=True
            )
        }
        lost = {
            text.brings.subject
            for text in whole.texts
            if text.brings is not None and outcomes[text.brings.id].status == "refused"
        }
        record = done.record
        if lost:
            record = replace(
                record, members={folder: m for folder, m in record.members.items() if m.id not in lost}
            )
            self._store.append([self._configured(record)])
        rows = tuple(
            text.row if text.brings is None else _kept(text.row, outcomes[text.brings.id])
            for text in whole.texts
        )
        refused = tuple(Refused(row.folder or row.slug, row.why) for row in rows if row.what == "refused")
        return Done(record, rows, done.refused + refused)


def _row(row: Row) -> _Change:
    return _Change(texts=(_Text(row),))


def _kept(row: Row, outcome: Appended) -> Row:
    """The row of a new text by the slug that the store gave it, or as one that it refused."""
    if outcome.status == "refused":
        return replace(row, what="refused", why=f"{outcome.reason}; `--again` takes it in again", held=False)
    return replace(row, slug=outcome.slug)


def _read(record: Record, redactor: Callable[[str], str]) -> _Pack:
    want = Asked(record.kind, record.address, record.name)
    with opened(want, record.ref) as source:
        budget = Budget()
        found = sound(source.entries)
        skills, bad = taken(found.files, found.refused, record.name, budget, redactor)
        licence = licence_of(found.files, budget) or next((one.licence for one in skills if one.licence), "")
        return _Pack(skills, [*found.refused, *bad], source.commit, licence)


def _diff(before: Draft, now: Draft) -> str:
    # What the text is a digest of changes with it, and says nothing more.
    plain = (full_text(replace(draft, fingerprint="")) for draft in (before, now))
    old, new = (visible(text)[0].splitlines() for text in plain)
    return "\n".join(difflib.unified_diff(old, new, "as it was", "as it is", lineterm="", n=2))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0] or path.rpartition("/")[2]
