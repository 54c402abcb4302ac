"""What the owner decides about skills; the half of ``Memory`` that changes what is known already."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from honed import byhand, identity
from honed.counted import several
from honed.errors import NotFoundError, RefusedError, UsageError
from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.fold import WaitingText, fold_skill
from honed.ledger.history import Version, last_approved, undone_by
from honed.ledger.model import EventKind, Evidence, NewEvent, Recorded
from honed.packs.record import quarantine_told
from honed.skills.manual import redacted
from honed.skills.model import Draft, Origin, Skill
from honed.skills.redact import Redactor
from honed.store.base import Appended
from honed.store.erasing import Erased
from honed.store.place import Place, absolute, locate
from honed.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from honed.verdict.runners import Rules

OWNER: Origin = "owner"
Where: TypeAlias = str | Place
"""Where somebody stands: a folder, or a place that ``Memory.named`` found."""

_MERGED = "merged with "


class Deciding:
    """Finds a skill, and does to it what the owner decides; ``Memory`` is one."""

    _store: SqliteStore
    _entropy: Callable[[int], bytes]
    _take_back: Callable[[Skill], None]
    redactor: Redactor

    def place(self, cwd: Where) -> Place:
        """Where ``cwd`` is."""
        return locate(absolute(cwd)) if isinstance(cwd, str) else cwd

    def find(self, slug: str, cwd: Where) -> Skill:
        """The skill called ``slug`` where ``cwd`` is; ``project/slug`` and ids work from anywhere.

        Raises ``NotFoundError``, and ``AmbiguousSlugError`` with the choices (see ``identity.find_skill``).
        """
        return identity.find_skill(self._store, slug, self.place(cwd))

    def pin(self, slug: str, cwd: Where, *, pinned: bool) -> Skill:
        """Pinned skills never fade.  One that is as wanted stays as it is."""
        skill = self.find(slug, cwd)
        return skill if skill.pinned == pinned else self._decide(skill, "pinned" if pinned else "unpinned")

    def unmute(self, slug: str, cwd: Where) -> Skill:
        """Have a skill given again that agents muted.  One that is not muted stays as it is."""
        skill = self.find(slug, cwd)
        return self._decide(skill, "unmuted") if skill.muted else skill

    def confirm(self, slug: str, cwd: Where, *, kept: bool, occasion: str = "") -> tuple[Skill, bool]:
        """The owner's word that a skill worked (``kept``) or did not; whether it is news.

        ``occasion`` names what it was about, so that telling it twice counts once; else it is the day.  Only
        for a door at which the owner is known to be.
        """
        skill = self.find(slug, cwd)
        kind: Evidence = "owner_confirmed" if kept else "owner_rejected"
        now = self._store.now()
        told = events.evidence(
            events.Occasion("", "", f"{kind}:{occasion or now[:10]}", now, OWNER), skill.id, kind
        )
        return self._told(skill, told)

    def claim(self, slug: str, cwd: Where, kind: str, run: str, rules: Rules) -> tuple[Skill, bool]:
        """What somebody says that ``run`` (``SESSION:STEP``) proved of a skill, if the judge finds it so in
        the transcript; whether it is news.  Raises what ``given.confirmed`` does."""
        from honed.given import confirmed

        session, _, step = run.rpartition(":")
        skill = self.find(slug, cwd)
        return self._told(skill, confirmed(self._store, skill, kind, session, step, rules))

    def _told(self, skill: Skill, told: NewEvent) -> tuple[Skill, bool]:
        outcome = self._store.append([told])[0]
        self._refuse_refused(skill, outcome)
        return self._store.skill(skill.id) or skill, outcome.status == "written"

    def archive(self, slug: str, cwd: Where, *, archived: bool) -> Skill:
        """Archived skills are kept and not recalled; bringing one back brings back a withdrawn one too, and
        one that has faded.

        One that is as wanted stays as it is.  Raises ``RefusedError`` for a time to live that is over.
        """
        skill = self.find(slug, cwd)
        faded = not archived and skill.archives_at != "" and skill.fades_at <= self._store.now()
        if not archived:
            self._refuse_quarantined(skill)
        if faded and not skill.archived and skill.draft.ttl_days is not None:
            raise RefusedError(
                f"{skill.slug}: its time to live of {several(skill.draft.ttl_days, 'day')} ends on"
                f" {skill.archives_at[:10]}; `honed pin {skill.slug}` keeps it for good"
            )
        if skill.archived == archived and (archived or not (faded or skill.state == "withdrawn")):
            return skill
        return self._decide(skill, "archived" if archived else "restored")

    def forget(self, slug: str, cwd: Where) -> Skill:
        """Delete a skill: it is in no search any more and is not learned again."""
        skill = self.find(slug, cwd)
        self._decide(skill, "forgotten")
        return replace(skill, state="deleted")

    def purge(self, slug: str, cwd: Where) -> tuple[Skill, Erased]:
        """Delete a skill and take its bytes out of every file of honed's, also of one that was forgotten
        before.  Raises ``NotFoundError``, ``UnavailableError`` (see ``Store.erase``)."""
        place = self.place(cwd)
        try:
            skill = self.find(slug, place)
        except NotFoundError:
            scopes = self._store.scopes(identity.known_project(self._store, place) or "")
            before = [one for one in self._store.forgotten(slug) if one.project in scopes or one.id == slug]
            if not before:
                raise
            skill = before[0]
        return replace(skill, state="deleted"), self._store.erase(skill.id)

    def scrub(self, pattern: re.Pattern[str], *, dry_run: bool) -> Erased:
        """Take every match out of all that is kept, or say what that would do (see ``Store.scrub``)."""
        return self._store.scrub(pattern, dry_run=dry_run)

    def restore_version(self, slug: str, cwd: Where, number: int) -> tuple[Skill, bool]:
        """Make an older version the text again; says whether it was another one.  Raises ``NotFoundError``
        for a version that never was, ``RefusedError`` for a text that was forgotten or scrubbed."""
        skill = self.find(slug, cwd)
        outcome = self._store.restore_version(skill.id, number)
        self._refuse_refused(skill, outcome)
        return self._store.skill(skill.id) or skill, outcome is not None

    def undo(self, slug: str, cwd: Where) -> tuple[Skill, Recorded]:
        """Take the last change of a skill back; returns it, and the event that was taken back.  Undone twice,
        it is as it was.  Raises ``RefusedError`` where there is no way back."""
        skill = self.find(slug, cwd)
        self._refuse_quarantined(skill)
        outcome = self._store.undo(skill.id)
        self._refuse_refused(skill, outcome)
        told = {event.entry.id: event for event in self._store.skill_events(skill.id)}
        now = self._store.skill(skill.id) or skill
        if skill.approved_hash and not now.approved_hash:
            self._take_back(skill)
        return now, told[undone_by(told[outcome.id])]

    def merged_by(self, event: Recorded, cwd: Where) -> Skill | None:
        """The skill whose words ``event`` gave to another one (see ``merge``), if it was of that kind."""
        reason = (event.body or {}).get("reason")
        if not (isinstance(reason, str) and reason.startswith(_MERGED)):
            return None
        try:
            return self.find(reason[len(_MERGED) :], cwd)
        except (NotFoundError, UsageError):
            return None  # forgotten since, or its name means several here

    def merge(self, keep: str, other: str, cwd: Where) -> tuple[Skill, Skill]:
        """Make one of two that say nearly the same: ``keep`` is found by the words of ``other`` too, which is
        archived.  Both changes can be undone; what proved ``other`` stays with it.

        Raises ``UsageError`` where ``keep`` does not hold where ``other`` does.
        """
        kept, gone = self.find(keep, cwd), self.find(other, cwd)
        if kept.id == gone.id:
            raise UsageError(f"{keep} and {other} are one skill")
        if kept.project not in self._store.scopes(gone.project):
            raise UsageError(f"{kept.slug} does not hold where {gone.slug} does: that is another project's")
        words = dict.fromkeys(
            (*kept.draft.aliases, gone.draft.title, gone.draft.trigger, *gone.draft.aliases)
        )
        aliases = tuple(word for word in words if word and word not in (kept.draft.title, kept.draft.trigger))
        # An approval is of the text as it stands, so an approved one takes no words from another.
        if not kept.approved_hash and aliases != kept.draft.aliases:
            draft = replace(kept.draft, aliases=aliases)
            told = events.revised(kept.id, draft, self._entropy(16), reason=f"{_MERGED}{gone.slug}")
            self._refuse_refused(kept, self._store.append([told])[0])
        if not gone.archived:
            self._decide(gone, "archived", f"merged into {kept.slug}")
        return self._store.skill(kept.id) or kept, self._store.skill(gone.id) or gone

    def edit(self, shown: Skill, draft: Draft, reason: str = "") -> tuple[Skill, bool]:
        """Give a skill the owner's own text in place of the one that was ``shown``; whether it is another.

        The text is the owner's from then on, whoever wrote it before; it stays in its scope.  Raises
        ``RefusedError`` for a text that changed meanwhile, and for one that was forgotten.
        """
        whole = replace(
            byhand.storable(draft),
            scope=shown.draft.scope,
            origin=OWNER,
            source_task="",
            fail_to_pass=False,
            authority="",
            taint="",
        )
        clean = redacted(whole, self.redactor)
        now = self._store.skill(shown.id)
        if now is None or now.content_hash != shown.content_hash:
            raise RefusedError(f"{shown.slug}: its text changed meanwhile; look at it again")
        if content_hash(clean) == now.content_hash:
            return now, False
        event = events.revised(now.id, clean, self._entropy(16), reason=self.redactor(reason))
        self._refuse_refused(now, self._store.append([event])[0])
        return self._store.skill(now.id) or now, True

    def approve(self, shown: Skill) -> Skill:
        """Approve a skill as it was ``shown``; what is approved already stays so.  A text that waited (see
        ``candidates``) comes into use by it.

        Only for a door at which the owner is known to be (``honed.presence``).  Raises ``RefusedError`` for
        a text that is no longer the one that was shown.
        """
        if self._store.approvals().signed:
            raise RefusedError("approvals are signed here; nothing was approved")
        self._approve(shown)
        return self._store.skill(shown.id) or shown

    def _approve(self, shown: Skill, key: str = "") -> None:
        now = self._store.skill(shown.id)
        if now is None or not now.approved_hash or now.approved_hash != shown.content_hash:
            told = events.approved(shown.id, shown.content_hash, shown.draft.kind, self._entropy(16), key=key)
            self._refuse_refused(shown, self._store.append([told])[0])

    def reject(self, shown: Skill) -> Skill:
        """Say that a text which waits, as it was ``shown`` (see ``candidates``), is not to come into use.

        Raises ``RefusedError`` for one that does not wait any more.
        """
        told = events.rejected(shown.id, shown.content_hash, shown.draft.kind, self._entropy(16))
        self._refuse_refused(shown, self._store.append([told])[0])
        return self._store.skill(shown.id) or shown

    def candidates(self, skill: Skill) -> list[Skill]:
        """What the owner may approve of ``skill``: itself as it stands unless it is approved, then each text
        that waits beside it, as the skill would be with it."""
        found = [] if skill.approved_hash else [skill]
        if skill.waiting:
            found += [
                replace(
                    skill,
                    draft=text.draft,
                    content_hash=text.content_hash,
                    version=text.number,
                    approved_hash="",
                    updated_at=text.at,
                )
                for text in self.waiting_texts(skill)
            ]
        return found

    def waiting_texts(self, skill: Skill) -> tuple[WaitingText, ...]:
        """The texts that wait beside the one in use (see ``ledger.in_use``)."""
        row = fold_skill(self._store.skill_events(skill.id)) if skill.waiting else None
        return row.waiting if row is not None else ()

    def disapprove(self, slug: str, cwd: Where) -> Skill:
        """Take an approval back.  What is not approved stays so."""
        skill = self.find(slug, cwd)
        if not skill.approved_hash:
            return skill
        self._take_back(skill)
        return self._decide(skill, "unapproved")

    def approved_before(self, skill: Skill) -> Version | None:
        """The text of ``skill`` that was approved last, if it is another one than now."""
        before = last_approved(self._store.skill_events(skill.id))
        bound = before is not None and content_hash(before.draft) == skill.content_hash
        return None if bound else before

    def waiting(self, skills: Iterable[Skill], *, learned: bool = False) -> list[Skill]:
        """Those of ``skills`` that wait for the owner: first what agents muted, then those beside which
        another text waits, and what was approved and changed since, then the owner's own rules, their other
        texts, what others wrote.

        What honed learned from sessions is given as a reference anyway, and waits only with ``learned``;
        recaps never do.
        """
        ranked = []
        for skill in skills:
            if skill.muted and not skill.archived:
                ranked.append((-1, skill.slug, skill))
                continue
            if skill.archived or (not skill.waiting and (skill.approved_hash or skill.draft.kind == "recap")):
                continue
            changed = skill.waiting or (skill.version > 1 and self.approved_before(skill) is not None)
            if changed or learned or skill.draft.origin != "derived":
                mine = skill.draft.origin == OWNER
                rank = 0 if changed else 1 if mine and skill.draft.kind == "rule" else 2 if mine else 3
                ranked.append((rank, skill.slug, skill))
        return [skill for _, _, skill in sorted(ranked, key=lambda one: one[:2])]

    def _refuse_quarantined(self, skill: Skill) -> None:
        why = quarantine_told(self._store, skill)
        if why:
            raise RefusedError(
                f"{skill.slug} is in quarantine: it {why}. Read it and release it by `honed packs release "
                f"{skill.slug}` on a terminal, or forget it"
            )

    @staticmethod
    def _refuse_refused(skill: Skill, outcome: Appended | None) -> None:
        if outcome is not None and outcome.status == "refused":
            raise RefusedError(f"{skill.slug}: {outcome.reason}; nothing was changed")

    def _decide(self, skill: Skill, kind: EventKind, reason: str = "") -> Skill:
        body = {"reason": reason} if reason else None
        told = events.by_hand(kind, skill.id, self._entropy(16), body)
        self._refuse_refused(skill, self._store.append([told])[0])
        return self._store.skill(skill.id) or skill
