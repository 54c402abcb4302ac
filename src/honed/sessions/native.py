"""honed's own transcript, for clients that write none: Cursor's hooks, Windsurf, the SDK.

An append-only file of JSON lines, one event each, in the order in which things finished; the format is
described in docs/native-transcript.md.  ``encode`` makes a line of an event, ``read`` makes the events again.
Ordinals, lines and offsets are not written: they are what reading counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import count
from typing import TYPE_CHECKING, Any, get_args

from honed.sessions.calls import session_end
from honed.sessions.fields import array, maybe, obj, string, whole
from honed.sessions.model import (
    Actor,
    Boundary,
    ChangeAction,
    Event,
    FileChange,
    Hunk,
    NoteGiven,
    Request,
    SessionEnd,
    SessionKind,
    SessionStart,
    Step,
    StepKind,
    StepStatus,
)
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context

VERSION = 1
"""Of the format; a reader takes files of its own version and older ones."""

OUTPUT_LIMIT = 256 * 1024
"""Characters of a step's output in one line; more is cut out of the middle, so that a line stays far below
the limit of a transcript line."""

_COUNTED = frozenset({"started", "finished", "ordinal", "line", "offset"})


def encode(event: Event) -> bytes:
    """The line (with its end) that says ``event``; a ``SessionEnd`` is said by nothing: ``b""``.

    A step that is still ``running`` becomes a ``started`` line, to be followed by the ``step`` line of the
    same id; any other step needs no ``started`` line before it.
    """
    match event:
        case SessionStart():
            header = _plain(event)
            return _line({"honed": VERSION, "session": header.pop("id"), **header})
        case Request():
            return _line({"request": _plain(event)})
        case Step():
            return _line({"started" if event.status == "running" else "step": _plain(_clipped(event))})
        case NoteGiven():
            return _line({"note": _plain(event)})
        case Boundary():
            return _line({"boundary": event.what})
        case SessionEnd():
            return b""


def _line(value: Json) -> bytes:
    # ASCII escapes keep lone surrogates, which UTF-8 could not write, and line separators out of the file.
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def _plain(value: Any) -> Json:
    """The fields of an event that are neither counted nor at their default."""
    said: Json = {}
    for spec in fields(value):
        content = getattr(value, spec.name)
        if spec.name not in _COUNTED and content != spec.default:
            said[spec.name] = _json(content)
    return said


def _json(content: Any) -> Any:
    if isinstance(content, tuple):
        return [_json(item) for item in content]
    return _plain(content) if isinstance(content, FileChange | Hunk) else content


def _clipped(step: Step) -> Step:
    if len(step.output) <= OUTPUT_LIMIT:
        return step
    half = OUTPUT_LIMIT // 2
    return replace(step, output=step.output[:half] + "\n[...]\n" + step.output[-half:], truncated=True)


def recognises(head: Sequence[Json]) -> bool:
    """Whether the first line is honed's own header: ``{honed: 1, session, client}``."""
    if not head:
        return False
    version = whole(head[0].get("honed"))
    return version is not None and 1 <= version <= VERSION and maybe(head[0].get("session")) is not None


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the file.  Lines that say nothing known are passed over."""
    yield _start(context.head[0] if context.head else {})
    ordinals = count(context.first_ordinal)
    running: dict[str, Step] = {}
    for record in records:
        value, line = record.value, record.line
        request, step = value.get("request"), value.get("step", value.get("started"))
        if isinstance(request, dict):
            yield _request(request, next(ordinals), record)
        elif isinstance(step, dict):
            identity = string(step.get("id")) or f"{line}"
            begun = running.pop(identity, None)
            started = begun.started if begun else next(ordinals)
            place = begun.line if begun else line
            if "step" in value:
                yield _step(step, identity, started, next(ordinals), place)
            else:
                running[identity] = _step({**step, "status": "running"}, identity, started, started, place)
        elif isinstance(value.get("note"), dict):
            ids = _strings(value["note"].get("skill_ids"))
            yield NoteGiven(ids, next(ordinals), line)
        elif value.get("boundary") in ("compaction", "interrupt", "turn_end"):
            yield Boundary(value["boundary"], next(ordinals), line)
    for step in running.values():
        yield replace(step, finished=next(ordinals))
    yield session_end(context.tally)


def _start(header: Json) -> SessionStart:
    return SessionStart(
        id=string(header.get("session")),
        client=maybe(header.get("client")) or "native",
        kind=_one_of(SessionKind, header.get("kind"), "main"),
        version=maybe(header.get("version")),
        cwd=maybe(header.get("cwd")),
        branch=maybe(header.get("branch")),
        remote=maybe(header.get("remote")),
        parent=maybe(header.get("parent")),
        at=maybe(header.get("at")),
    )


def _request(said: Json, ordinal: int, record: Record) -> Request:
    return Request(
        id=string(said.get("id")) or f"{record.line}",
        text=string(said.get("text")),
        ordinal=ordinal,
        line=record.line,
        offset=record.offset,
        at=maybe(said.get("at")),
        command=maybe(said.get("command")),
        images=whole(said.get("images")) or 0,
    )


def _step(said: Json, identity: str, started: int, finished: int, line: int) -> Step:
    command = said.get("command")
    return Step(
        id=identity,
        kind=_one_of(StepKind, said.get("kind"), "other"),
        tool=string(said.get("tool")),
        status=_one_of(StepStatus, said.get("status"), "unknown"),
        started=started,
        finished=finished,
        line=line,
        actor=_one_of(Actor, said.get("actor"), "agent"),
        command=command if isinstance(command, str) else None,
        cwd=maybe(said.get("cwd")),
        output=string(said.get("output")),
        exit_code=whole(said.get("exit_code")),
        truncated=said.get("truncated") is True,
        background=said.get("background") is True,
        changes=tuple(_change(obj(change)) for change in array(said.get("changes"))),
        reads=_strings(said.get("reads")),
        query=string(said.get("query")),
        agent_id=maybe(said.get("agent_id")),
        at=maybe(said.get("at")),
    )


def _change(said: Json) -> FileChange:
    hunks = (obj(hunk) for hunk in array(said.get("hunks")))
    return FileChange(
        path=string(said.get("path")),
        action=_one_of(ChangeAction, said.get("action"), "update"),
        hunks=tuple(
            Hunk(string(h.get("old")), string(h.get("new")), string(h.get("heading"))) for h in hunks
        ),
        old_path=maybe(said.get("old_path")),
    )


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(item for item in array(value) if isinstance(item, str))


def _one_of(words: Any, value: Any, otherwise: Any) -> Any:
    """``value`` if it is one of the words of a ``Literal``, else ``otherwise``."""
    return value if isinstance(value, str) and value in get_args(words) else otherwise
