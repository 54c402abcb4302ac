"""Which thread is this rollout, and where do its own lines begin?

The first ``session_meta`` names the thread; resuming repeats it, forking puts the parent's behind it.  Its
``source`` says whether a person worked here: "cli", "exec", "vscode", or a sub-agent of some kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from honed.sessions.codex_prompts import digest
from honed.sessions.fields import maybe, obj, string, texts, whole
from honed.sessions.model import SessionKind, SessionStart
from honed.sessions.reading import Context
from honed.sessions.source import Json

MACHINE_THREADS = frozenset({"guardian", "compact", "memory_consolidation"})
"""Sub-agents that only assess or condense what others did."""

COPY_BURST_MS = 500
"""A fork's copy is written at once: where lines name no turn, those so soon after the first are of it."""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_CWD = re.compile(r"<cwd>([^<]+)</cwd>")


def is_bare(first: Json) -> bool:
    """Whether this is the first line of a rollout of Codex's first versions: an id without an envelope."""
    return "type" not in first and "instructions" in first and isinstance(first.get("id"), str)


def session_start(context: Context) -> SessionStart:
    """Who and where this session is, by the file's first records.

    A fork's file holds two ``session_meta``: its own comes first.
    """
    meta: Json = {}
    for value in context.head:
        if value.get("type") == "session_meta":
            meta = obj(value.get("payload"))
            break
    if not meta and context.head and is_bare(context.head[0]):
        meta = context.head[0]
    git = obj(meta.get("git"))
    kind, parent = _kind(meta)
    named = _UUID.findall(context.name)
    return SessionStart(
        id=string(meta.get("id")) or (named[-1] if named else digest(context.name)),
        client="codex",
        kind=kind,
        version=maybe(meta.get("cli_version")),
        cwd=maybe(meta.get("cwd")) or _first_cwd(context.head),
        branch=maybe(git.get("branch")),
        remote=maybe(git.get("repository_url")),
        parent=parent,
        at=maybe(meta.get("timestamp")),
    )


def _kind(meta: Json) -> tuple[SessionKind, str | None]:
    parent = maybe(meta.get("parent_thread_id")) or maybe(meta.get("forked_from_id"))
    source = meta.get("source")
    found = obj(source).get("subagent", obj(source).get("internal"))
    if isinstance(found, dict):
        spawned = obj(found.get("thread_spawn"))
        parent = maybe(spawned.get("parent_thread_id")) or parent
        name = string(found.get("other")) or next(iter(found), "")
    else:
        name = string(found)
    if name in MACHINE_THREADS or meta.get("thread_source") in ("guardian", "memory_consolidation"):
        return "machine", parent
    if name == "review":
        return "review", parent
    return ("subagent" if name else "main"), parent


def _first_cwd(head: Sequence[Json]) -> str | None:
    for value in head:
        item = obj(value.get("payload")) or value
        if item.get("type") == "message" and (match := _CWD.search(texts(item.get("content")))):
            return match[1].strip()
        if value.get("type") == "turn_context" and (cwd := maybe(item.get("cwd"))):
            return cwd
    return None


class Copy:
    """The lines at the beginning of a fork that are its parent's.

    They are told from the thread's own by the ordinal that the client gives; else by the turn they belong
    to (turn and thread ids are UUIDs of version 7, which sort by time: a turn older than the thread is
    the parent's); else by the moment in which they were written, all at once.
    """

    __slots__ = ("_first", "_own", "_start", "_turns")

    def __init__(self, own_id: str, start: int | None) -> None:
        self._own = own_id
        self._start = start
        self._first: str | None = None
        self._turns = False

    def holds(self, value: Json, payload: Json) -> bool:
        """Whether this line still belongs to the copy."""
        if self._start is not None:
            ordinal = whole(value.get("ordinal"))
            return ordinal is None or ordinal < self._start
        at = string(value.get("timestamp"))
        self._first = self._first or at
        turn = _turn_of(payload)
        if turn:
            self._turns = True
            return turn < self._own if _is_v7(turn) and _is_v7(self._own) else False
        return self._turns or value.get("type") == "session_meta" or _within_burst(self._first, at)


def parents_copy(start: SessionStart, head: Sequence[Json]) -> Copy | None:
    """The copy at the beginning of this file, if it is a fork."""
    metas = [obj(value.get("payload")) for value in head if value.get("type") == "session_meta"]
    if not metas:
        return None
    begins = whole(metas[0].get("subagent_history_start_ordinal"))
    foreign = any(meta.get("id") not in (None, start.id) for meta in metas[1:])
    if begins is None and not foreign and not maybe(metas[0].get("forked_from_id")):
        return None
    return Copy(start.id, begins)


def _turn_of(payload: Json) -> str:
    passed = obj(payload.get("internal_chat_message_metadata_passthrough"))
    return string(payload.get("turn_id")) or string(passed.get("turn_id"))


def _is_v7(text: str) -> bool:
    return len(text) == 36 and text[14] == "7"


_CLOCK = re.compile(r"\A(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?")


def _within_burst(first: str, at: str) -> bool:
    begin, now = _CLOCK.match(first), _CLOCK.match(at)
    if not begin or not now or begin[1] != now[1]:
        return first == at
    return _milliseconds(now) - _milliseconds(begin) <= COPY_BURST_MS


def _milliseconds(match: re.Match[str]) -> int:
    seconds = int(match[2]) * 3600 + int(match[3]) * 60 + int(match[4])
    return seconds * 1000 + int((match[5] or "0").ljust(3, "0"))
