"""The fold: what a subject's events come to.

One pure function per kind of subject.  Each takes the events of one subject in any order, with
duplicates, and gives the same answer for the same set: events are ordered by (at, replica, seq).
``rebuild`` is these functions over all subjects, an append is one of them over one.

Change ``FOLD_VERSION`` with any change of what they return: the store then refolds, and ``verify``
compares like with like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from honed.ledger.drafts import draft_of
from honed.ledger.fold_others import fold_project, fold_settings, fold_task
from honed.ledger.in_use import InUse, Text, in_use
from honed.ledger.model import TEXTS, Recorded
from honed.ledger.order import in_order, mapping_in, text_in
from honed.ledger.rows import Alias, EvidenceRow, ProjectRow, SettingRow, SkillRow, TaskRow, WaitingText
from honed.ledger.strength import fading
from honed.ledger.weights import NO_VOTES, PROOFS, WEIGHTS, Weight, worked_at
from honed.skills.model import Draft, Skill, State
from honed.skills.uses import kept_uses

__all__ = [
    "FOLD_VERSION",
    "Alias",
    "EvidenceRow",
    "ProjectRow",
    "SettingRow",
    "SkillRow",
    "TaskRow",
    "WaitingText",
    "fold_project",
    "fold_settings",
    "fold_skill",
    "fold_task",
    "in_order",
]

FOLD_VERSION = 11


LOST = "its task lost its proof"
"""Why evidence of a task counts for nothing once a ``withdrawn`` event names that task."""
OTHER_TEXT = "of another text of it than the one in use"
"""Why evidence that names a text counts for nothing while that text is not in use."""
NOWHERE = "-"
"""For a project, where the agent that muted a skill stood in none."""
_FLAGS: Mapping[str, tuple[str, bool]] = {
    "pinned": ("pinned", True),
    "unpinned": ("pinned", False),
    "archived": ("archived", True),
    "restored": ("archived", False),
}


def fold_skill(events: Iterable[Recorded]) -> SkillRow | None:
    """The skill that these events make, or ``None`` if none of them gives it a text.

    A forgotten skill is a row of state ``deleted`` without any text, whatever else came before or
    after.
    """
    ordered = in_order(events)
    forgotten = [event for event in ordered if event.entry.kind == "forgotten"]
    if forgotten:
        return _tombstone(ordered, forgotten)
    versions = [e for e in ordered if e.entry.kind in TEXTS and e.body is not None]
    if not versions:
        return None
    origin = next((e for e in versions if e.entry.kind == "learned"), versions[0])
    session = text_in(origin.body, "session")
    source_task = text_in(mapping_in(origin.body, "draft"), "source_task")
    texts = _texts(ordered, origin, source_task)
    draft = texts.used.draft
    evidence, used = _weigh(ordered, origin, source_task, texts.used)
    skill = Skill(
        id=origin.entry.subject,
        project=text_in(origin.body, "project"),
        slug=text_in(origin.body, "slug"),
        draft=draft,
        learned_at=origin.entry.at,
        updated_at=max(e.entry.at for e in ordered if _changes(e, texts)),
        version=texts.used.number,
        client=text_in(origin.body, "client"),
        session=session,
        content_hash=texts.used.bound[0],
        approved_hash=f"{texts.used.bound[0]} {texts.key}".rstrip() if texts.approved else "",
        waiting=len(texts.waiting),
        uses=_requests(ordered, used),
        extra=mapping_in(origin.body, "extra"),
    )
    skill = _with_decisions(skill, ordered)
    changes = [event for event in ordered if _changes(event, texts)]
    row = _with_evidence(skill, session, evidence, changes, source_task)
    standing = {piece.event_id for piece in evidence if piece.why != LOST}
    worked = worked_at(draft, (event for event in ordered if event.entry.id in standing))
    row = _with_times(row, _known_since(changes), [use.at for use in used], worked)
    waiting = tuple(_waiting(text) for text in texts.waiting)
    return SkillRow(
        row,
        session,
        evidence,
        texts.used.event.n,
        _keyed_fingerprints(versions),
        waiting,
        tuple(sorted(texts.rejected)),
        texts.used.id,
    )


def _texts(ordered: list[Recorded], origin: Recorded, source_task: str) -> InUse:
    """The text in use and those that wait; there is one, for an event of the skill has a text."""

    def proven(at: int, text: Text | None) -> bool:
        rows, _ = _weigh(ordered[: at + 1], origin, source_task, text, only=text is not None)
        return _state([row for row in rows if row.counts], support_lost=False) == "proven"

    found = in_use(ordered, source_task, proven)
    if found is None:
        raise ValueError(f"{origin.entry.subject} has no text")
    return found


def _changes(event: Recorded, texts: InUse) -> bool:
    """Whether an event is a change of the skill: evidence is none, and a text that was never in use."""
    if event.entry.kind in TEXTS and event.body is not None:
        return event.entry.id in texts.taken
    return event.entry.kind not in ("evidence", "erased", "rejected", "muted")


def _waiting(text: Text) -> WaitingText:
    entry = text.event.entry
    return WaitingText(entry.id, text.number, text.draft, text.bound[0], entry.actor, entry.at, text.why)


def _tombstone(ordered: list[Recorded], forgotten: list[Recorded]) -> SkillRow:
    known = next((e for e in ordered if e.entry.kind == "learned" and e.body is not None), None)
    draft = draft_of((known.body or {}).get("draft")) if known else None
    skill = Skill(
        id=forgotten[0].entry.subject,
        project=text_in(known.body, "project") if known else "",
        slug=text_in(known.body, "slug") if known else "",
        draft=Draft(draft.kind if draft else "lesson", "", ""),
        state="deleted",
        learned_at=known.entry.at if known else "",
        updated_at=forgotten[0].entry.at,
    )
    return SkillRow(skill, "", (), tombstones=_keyed_fingerprints(ordered))


def _keyed_fingerprints(events: list[Recorded]) -> tuple[tuple[str, str], ...]:
    """What must not be learned again: texts that were forgotten, or scrubbed to what they are now."""
    keyed: dict[str, str] = {}
    for event in events:
        values = (event.body or {}).get("fingerprints")
        for value in values if isinstance(values, list) else []:
            keyed.setdefault(str(value), event.entry.at)
    return tuple(sorted(keyed.items()))


def _with_decisions(skill: Skill, ordered: list[Recorded]) -> Skill:
    """Pins and archive: the last word of each holds."""
    flags = {"pinned": False, "archived": False}
    for event in ordered:
        if event.entry.kind in _FLAGS:
            name, value = _FLAGS[event.entry.kind]
            flags[name] = value
    muted = () if skill.approved_hash else _muted(ordered)
    return replace(skill, pinned=flags["pinned"], archived=flags["archived"], muted=muted)


def _muted(ordered: list[Recorded]) -> tuple[str, ...]:
    """Where agents asked not to be given it since the owner last looked: lifting it, approving the text and
    pinning it are looks."""
    found: dict[str, None] = {}
    for event in ordered:
        if event.entry.kind == "muted" and event.body is not None:
            found[text_in(event.body, "project") or NOWHERE] = None
        elif event.entry.kind in ("unmuted", "approved", "pinned"):
            found.clear()
    return tuple(sorted(found))


def _weigh(
    ordered: list[Recorded], origin: Recorded, source_task: str, text: Text | None, *, only: bool = False
) -> tuple[tuple[EvidenceRow, ...], list[EvidenceRow]]:
    """Every piece of evidence with what it counts for, and those that are of verified uses.

    A session has one vote, its last; where that says no more than that its diff was accepted, and its tests
    had passed before, they have it.  A task that resumed or forked sessions carry along is one task: the
    last to tell of it has the vote.  A pass that a later pass took the vote of was a use all the same.
    Evidence that names a text counts for ``text`` alone, where it is that one; with ``only`` no other counts.
    """
    lost = {text_in(e.body, "task"): at for at, e in enumerate(ordered) if e.entry.kind == "withdrawn"}
    rows = [
        replace(row, counts=0, why=LOST) if row.task and at < lost.get(row.task, -1) else row
        for at, row in (
            (at, _weighed(e, origin, source_task, text, only))
            for at, e in enumerate(ordered)
            if e.entry.kind == "evidence"
        )
    ]
    return _one_vote_each(rows)


def _one_vote_each(rows: list[EvidenceRow]) -> tuple[tuple[EvidenceRow, ...], list[EvidenceRow]]:
    """The rows, in order, with one vote a session and task, and those that are of verified uses."""
    sessions: dict[str, int] = {}
    tasks: dict[str, int] = {}
    accepted: dict[str, int] = {}
    uses: list[EvidenceRow] = []
    for place, row in reversed(list(enumerate(rows))):
        if not row.counts:
            continue
        vote, why = row.counts, ""
        if row.session in sessions:
            vote, why = sessions[row.session], "its session spoke again later"
            held = accepted.pop(row.session, None)
            if held is not None and row.counts > 0 and WEIGHTS[row.kind].proves:
                rows[held] = replace(rows[held], counts=0, why="its session's tests say so already")
                why = ""
        elif row.task in tasks:
            vote, why = tasks[row.task], "the same task, told of again later"
            sessions |= {row.session: vote} if row.session else {}
        else:
            sessions |= {row.session: vote} if row.session else {}
            tasks |= {row.task: vote} if row.task else {}
            if row.kind == "diff_accepted":
                accepted[row.session] = place
        if row.counts > 0 and vote > 0 and WEIGHTS[row.kind].use:
            uses.append(row)
        rows[place] = replace(row, counts=0, why=why) if why else row
    return tuple(rows), uses[::-1]


def _weighed(
    event: Recorded, origin: Recorded, source_task: str, text: Text | None, only: bool
) -> EvidenceRow:
    entry, body = event.entry, event.body
    kind, session = text_in(body, "evidence"), text_in(body, "session")
    weight = WEIGHTS.get(kind, Weight(0))
    why = ""
    if body is None:
        why = "erased"
    elif not weight.vote:
        why = NO_VOTES.get(kind, "unknown kind of evidence")
    elif weight.applied:
        why = _not_counted(event, origin, source_task)
    named = text_in(body, "text")
    if not why and text is not None and (named or only):
        why = _not_of(text, event) if named == text.id else OTHER_TEXT
    elif not why and named:
        why = OTHER_TEXT
    return EvidenceRow(
        event_id=entry.id,
        skill=entry.subject,
        kind=kind,
        session=session,
        task=text_in(body, "task"),
        at=entry.at,
        counts=0 if why else weight.vote,
        authority=text_in(body, "authority"),
        why=why,
    )


def _not_of(text: Text, event: Recorded) -> str:
    """Why a session says nothing of the text that it brought itself."""
    brought = text.event.body
    for name in ("session", "task"):
        if text_in(event.body, name) and text_in(event.body, name) == text_in(brought, name):
            return "the session that taught it"
    return "" if event.entry.at > text.event.entry.at else "before it was learned"


def _not_counted(event: Recorded, origin: Recorded, source_task: str) -> str:
    session, task = text_in(event.body, "session"), text_in(event.body, "task")
    if not session:
        return "of no session"
    if session == text_in(origin.body, "session") or (task and task == source_task):
        return "the session that taught it"
    if event.entry.at <= origin.entry.at:
        return "before it was learned"
    return "" if (event.body or {}).get("applied") is True else "the session did not apply it"


def _requests(ordered: list[Recorded], used: list[EvidenceRow]) -> tuple[str, ...]:
    """What was asked in the verified uses: evidence that is taken back takes its request along."""
    counted = {use.event_id for use in used}
    told = [text_in(e.body, "request") for e in reversed(ordered) if e.entry.id in counted]
    return kept_uses([request for request in told if request])


def _with_evidence(
    skill: Skill,
    session: str,
    evidence: tuple[EvidenceRow, ...],
    ordered: list[Recorded],
    source_task: str,
) -> Skill:
    votes = [row for row in evidence if row.counts]
    passes = [row for row in votes if row.counts > 0]
    failed = len(votes) - len(passes)
    sessions = dict.fromkeys(name for name in (session, *(row.session for row in votes)) if name)
    return replace(
        skill,
        state=_state(votes, _support_lost(ordered, source_task, skill.draft.origin)),
        confirmed=len(passes),
        failed=failed,
        exit_proofs=sum(row.authority in ("exit", "both") for row in passes),
        last_verified_at=passes[-1].at if passes else "",
        sessions=tuple(sessions),
    )


def _known_since(ordered: list[Recorded]) -> str:
    """When this home learned of a skill, or the owner brought it back: what an old transcript taught is new
    here and fades from then on, or a first backfill would learn what has faded already."""
    recorded = min((e.entry.recorded_at for e in ordered if e.entry.kind == "learned"), default="")
    return max(recorded, *(e.entry.at for e in ordered if e.entry.kind == "restored"), "")


def _with_times(skill: Skill, known: str, uses: list[str], worked: tuple[str, ...]) -> Skill:
    """When it fades.  Pinned skills and the owner's rules never do; a time to live still ends a rule."""
    stays = skill.pinned or (skill.draft.kind == "rule" and skill.draft.origin == "owner")
    ttl = skill.draft.ttl_days
    if stays and (skill.pinned or ttl is None):
        return replace(skill, fades_at="", archives_at="")
    fades, archives = fading(
        skill.learned_at,
        uses,
        ttl,
        failures=skill.failed,
        passes=skill.confirmed,
        worked=worked,
        known_since=known if ttl is None else "",
    )
    return replace(skill, fades_at=fades, archives_at=archives)


def _support_lost(ordered: list[Recorded], source_task: str, origin: str) -> bool:
    """Whether the last word about the skill's own task is that it did not hold.

    A task that only confirmed it takes its own evidence back, no more: no task taught what somebody wrote.
    """
    words = [
        e.entry.kind
        for e in ordered
        if e.entry.kind in (*TEXTS, "restored")
        or (
            e.entry.kind == "withdrawn"
            and (text_in(e.body, "task") in ("", source_task) or (not source_task and origin == "derived"))
        )
    ]
    return bool(words) and words[-1] == "withdrawn"


def _state(votes: list[EvidenceRow], support_lost: bool) -> State:
    """design.md, "The words": state.  Confirmations since the last failure are what counts."""
    if votes and votes[-1].counts < 0:
        return "suspended"
    streak: list[EvidenceRow] = []
    for row in votes:
        streak = [*streak, row] if row.counts > 0 else []
    proofs = [row for row in streak if WEIGHTS[row.kind].proves]
    if len(proofs) >= PROOFS and any(row.authority in ("exit", "both") for row in proofs):
        return "proven"
    return "withdrawn" if support_lost and not streak else "candidate"
