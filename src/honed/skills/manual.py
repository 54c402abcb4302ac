"""Skills that the owner or an agent writes by hand: what is asked of them, and the draft they become.

The limits are those of docs/design.md.  Every refusal says what, where and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast, get_args

from honed.errors import UsageError
from honed.skills.model import (
    BODY_LIMIT,
    SLUG_LIMIT,
    TITLE_LIMIT,
    Draft,
    FileRef,
    Kind,
    Origin,
    Pitfall,
    Scope,
)
from honed.skills.normal import fingerprint
from honed.skills.places import is_absolute, is_test, slashed

MOST_STEPS = 50
MOST_FILES = 50
MOST_TAGS = 20
LINE_LIMIT = 2000
"""Characters of a step, lesson, trigger, outcome or check."""

_LISTED = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*\u2022])[ \t]+(?=\S)")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def draft_from_manual(
    kind: str,
    title: str,
    *,
    trigger: str = "",
    steps: Sequence[str] = (),
    outcome: str = "",
    lessons: Sequence[str] = (),
    check: str = "",
    files: Sequence[str] = (),
    body: str = "",
    scope: str = "project",
    tags: Sequence[str] = (),
    agent: str = "",
    ttl_days: int | None = None,
    origin: Origin = "owner",
    redactor: Callable[[str], str] = str,
) -> Draft:
    """The draft of a text written by hand; ``redactor`` has run over all of it.

    ``lessons`` are appended to the body as a list.  ``files`` are paths relative to the project's root.
    Raises ``UsageError`` when a kind or scope is unknown, a text is missing, too long or holds control
    characters, a file is absolute or leads out of the project, or a procedure has nothing to do in it.
    """
    _choice("kind", kind, get_args(Kind))
    _choice("scope", scope, get_args(Scope))
    title = _line("title", title, TITLE_LIMIT, needed=True)
    whole = "\n\n".join(
        part for part in (body.strip(), "\n".join(f"- {_line('lesson', x)}" for x in lessons)) if part
    )
    _body(whole)
    if ttl_days is not None and ttl_days < 1:
        raise UsageError(f"ttl: {ttl_days} days is no time to live; give at least 1, or leave it out")
    draft = Draft(
        kind=cast(Kind, kind),
        title=title,
        trigger=_line("trigger", trigger),
        steps=tuple(_step(step) for step in _few("steps", steps, MOST_STEPS)),
        files=tuple(_file(path) for path in _few("files", files, MOST_FILES)),
        check=_line("check", check),
        outcome=_line("outcome", outcome),
        body=whole,
        tags=tuple(
            dict.fromkeys(_line("tag", tag, 60, needed=True) for tag in _few("tags", tags, MOST_TAGS))
        ),
        scope=cast(Scope, scope),
        agent=_line("agent", agent, SLUG_LIMIT),
        ttl_days=ttl_days,
        origin=origin,
    )
    if kind == "procedure" and not (draft.steps or draft.body):
        raise UsageError("steps: a procedure says what to do; give at least one --steps, or a body")
    return redacted(draft, redactor)


def _step(text: str) -> str:
    """A step without the number or dash that it was written with: those who show it number it themselves."""
    return _line("step", _LISTED.sub("", text, count=1), needed=True)


def redacted(draft: Draft, redactor: Callable[[str], str]) -> Draft:
    """``draft`` with ``redactor`` run over every text in it; a hand-written one is fingerprinted anew."""
    clean = replace(
        draft,
        title=redactor(draft.title),
        trigger=redactor(draft.trigger),
        steps=tuple(redactor(step) for step in draft.steps),
        files=tuple(_redacted_file(ref, redactor) for ref in draft.files),
        check=redactor(draft.check),
        pitfalls=tuple(
            Pitfall(redactor(p.signature), redactor(p.resolution), redactor(p.command))
            for p in draft.pitfalls
        ),
        outcome=redactor(draft.outcome),
        body=redactor(draft.body),
        aliases=tuple(redactor(alias) for alias in draft.aliases),
        symbols=tuple(redactor(symbol) for symbol in draft.symbols),
        tags=tuple(redactor(tag) for tag in draft.tags),
    )
    return clean if clean.source_task else completed(clean)


def _redacted_file(ref: FileRef, redactor: Callable[[str], str]) -> FileRef:
    places = tuple(replace(a, symbol=redactor(a.symbol), context=redactor(a.context)) for a in ref.anchors)
    return replace(ref, path=redactor(ref.path), anchors=places)


def completed(draft: Draft) -> Draft:
    """``draft`` with the fingerprint of its text, by which the same text is known again."""
    pitfalls = (f"{pitfall.signature} {pitfall.resolution}" for pitfall in draft.pitfalls)
    parts = (
        draft.kind,
        draft.agent,
        draft.title,
        draft.trigger,
        *draft.steps,
        draft.check,
        draft.body,
        *pitfalls,
    )
    return replace(draft, fingerprint=fingerprint(parts))


def _choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise UsageError(f"{name}: {value!r} is unknown; one of {', '.join(choices)}")


def _few(name: str, values: Sequence[str], most: int) -> Sequence[str]:
    if len(values) > most:
        raise UsageError(f"{name}: {len(values)} given; at most {most}")
    return values


def _line(name: str, text: str, limit: int = LINE_LIMIT, *, needed: bool = False) -> str:
    text = re.sub(r"[ \t]*\n[ \t]*", " ", text.strip()) if name != "step" else text.strip()
    if needed and not text:
        raise UsageError(f"{name}: empty; say it in a few words")
    if len(text) > limit:
        raise UsageError(f"{name}: {len(text)} characters; at most {limit}, put the rest into the body")
    if _CONTROL.search(text):
        raise UsageError(f"{name}: holds control characters; take them out")
    return text


def _body(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > BODY_LIMIT:
        raise UsageError(f"body: {size} bytes; at most {BODY_LIMIT}, keep the rest in a file and name it")
    if _CONTROL.search(text):
        raise UsageError("body: holds control characters; take them out")


def _file(path: str) -> FileRef:
    path = slashed(_line("file", path, 400, needed=True))
    while path.startswith("./"):
        path = path[2:]
    if is_absolute(path) or ".." in path.split("/"):
        raise UsageError(f"file: {path!r} is not inside the project; give it relative to the project's root")
    return FileRef(path, role="test" if is_test(path) else "changed")
