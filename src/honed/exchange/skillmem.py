"""Notes as ``skillmem export-all`` (0.12, 0.13) writes them, known by what stands in them.

There ``description`` is the title, the kind stands in ``metadata.type``, times are Unix seconds, and a
learned skill is a text of four marked parts.  The same front matter without ``exported_at`` is what Claude
Code itself keeps, and means something else.  Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from honed.ledger.canonical import format_instant
from honed.skills.manual import LINE_LIMIT, MOST_STEPS
from honed.skills.model import TITLE_LIMIT

SIGNS = frozenset({"metadata", "exported_at", "created_at"})
"""Keys that every such file has."""
USED = frozenset({"agent", "project"})
"""Keys that mean something else here: they are given on under other names, and not kept beside."""

_KINDS = {"feedback": "rule", "session": "recap"}
"""Every other kind (``user``, ``project``, ``reference``, ``document``, ``note``) is a lesson."""
_PACK = "pack:"
"""What the project of a skill out of a pack begins with."""
_LEARNED = re.compile(
    r"\A\*\*trigger:\*\*(?P<trigger>.*?)^(?P<steps_on>\*\*steps:\*\*(?P<steps>.*?)"
    r"(?:^\*\*outcome:\*\*(?P<outcome>.*?))?(?:^\*\*lessons:\*\*(?P<lessons>.*))?)\Z",
    re.DOTALL | re.MULTILINE,
)
_FAILED = re.compile(r"fail", re.IGNORECASE)
_MARK = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<number>(?:step[ \t]+)?\d{1,3}[.):])|[-*\u2022])[ \t]+"
    r"(?:\[[ x]\][ \t]+)?(?=\S)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_INLINE = re.compile(r"(?:(?<=\s)|\A)\(?(\d{1,2})[.)][ \t]+(?=\S)")
_CODE = re.compile(r"[`\"]|(?:\s|=)'|;\s*(?:do|then|done|else|fi)\b")
"""With these in it a semicolon may be one of a command's."""


@dataclass(frozen=True, slots=True)
class Reshaped:
    """What a note says, in the keys of a vault's file; ``body`` is what had no field."""

    values: Mapping[str, object]
    body: str


def is_one(front: Mapping[str, object]) -> bool:
    """Whether a front matter, as plain values, is one of an export of skillmem's."""
    kept = front.get("metadata")
    return (
        isinstance(kept, dict)
        and kept.get("node_type") == "memory"
        and isinstance(kept.get("type"), str)
        and isinstance(front.get("exported_at"), str)
        and isinstance(front.get("created_at"), int)
        and "honed-id" not in front
    )


def reshaped(front: Mapping[str, object], body: str, redactor: Callable[[str], str] = str) -> Reshaped:
    """The note with ``front`` (``is_one``) and ``body``; ``redactor`` is run over both before they are cut.

    What it says of its own success is kept as ``outcome`` or beside the text, and proves nothing.  The steps
    of a skill that calls itself failed stay text: they are what not to do.
    """
    body = redactor(body.replace("\r\n", "\n").removesuffix("\n"))
    kept = front["metadata"]
    kept = kept if isinstance(kept, dict) else {}
    kind, origin, project = str(kept.get("type")), str(kept.get("origin", "")), _text(front, "project")
    # A note that skillmem derived is its summary of a session.
    found = "recap" if (kind, origin) == ("note", "derived") else _KINDS.get(kind, "lesson")
    values: dict[str, object] = {
        "kind": found,
        "description": "",
        "learned": _moment(front["created_at"]),
        "origin": origin,
        "client": _text(front, "agent"),
        "project": "" if project.startswith(_PACK) else project,
        "archived": front.get("lifecycle") == "archived",
    }
    if project.startswith(_PACK):
        values["tags"] = list(dict.fromkeys([*_texts(front.get("tags")), project]))
    learned = _LEARNED.match(body) if kind == "skill" else None
    if learned:
        parts, body = _parts(learned)
        values |= parts
    title = " ".join(redactor(_text(front, "description")).split())
    values["title"] = title if len(title) <= TITLE_LIMIT else f"{title[: TITLE_LIMIT - 1]}\u2026"
    if len(title) > TITLE_LIMIT:
        body = f"# {title}\n\n{body}"
    return Reshaped({key: value for key, value in values.items() if value or key == "description"}, body)


def steps_of(text: str) -> tuple[str, ...]:
    """The steps that a text lists, without their numbers and dashes: by a list of one level, else by lines,
    else by numbers or semicolons within its only line.  What stands between belongs to the step before it."""
    lines = [line.rstrip() for line in text.strip().split("\n")]
    if len(lines) == 1 and len(_INLINE.findall(lines[0])) < 2:
        single = lines[0]
        parts = [single] if _CODE.search(single) else single.split("; ")
        return tuple(step for part in parts if (step := _unmarked(part.strip())))
    if len(lines) == 1:
        return _numbered(lines[0])
    fences = _fenced(lines)
    marks = [
        mark if not fenced else None for mark, fenced in zip(map(_MARK.match, lines), fences, strict=True)
    ]
    first = next((mark for mark in marks if mark), None)
    steps: list[list[str]] = []
    listed = False
    for line, mark, fenced in zip(lines, marks, fences, strict=True):
        begins = _begins(line, mark, first, listed=listed) and not fenced
        listed = listed or (mark is not None and mark is first)
        if begins or not steps:
            steps.append([line[mark.end() :] if mark and begins else line.strip()])
        else:
            steps[-1].append(line)
    return tuple(step for part in steps if (step := "\n".join(part).strip()))


def _begins(line: str, mark: re.Match[str] | None, first: re.Match[str] | None, *, listed: bool) -> bool:
    """Whether a line begins a step: in a list an item of its level, before it and without one any line."""
    if first is None or (not listed and mark is None):
        return bool(line) and not line[0].isspace()
    if mark is None:
        return False
    return bool(mark["number"]) == bool(first["number"]) and len(mark["indent"]) <= len(first["indent"])


def _fenced(lines: Sequence[str]) -> list[bool]:
    """Of each line whether it belongs to a block of code."""
    told, inside = [], False
    for line in lines:
        fence = _FENCE.match(line) is not None
        told.append(inside or fence)
        inside = inside != fence
    return told


def _numbered(line: str) -> tuple[str, ...]:
    """The parts of ``1) this 2) that``; the whole line where its numbers do not count from one."""
    found = list(_INLINE.finditer(line))
    counted = [mark for number, mark in enumerate(found, 1) if int(mark[1]) == number]
    if len(counted) != len(found) or line[: found[0].start()].strip():
        return (_unmarked(line),)
    ends = [*(mark.start() for mark in found[1:]), len(line)]
    parts = (line[mark.end() : end].strip(" \t;,") for mark, end in zip(found, ends, strict=True))
    return tuple(part for part in parts if part)


def _unmarked(step: str) -> str:
    mark = _MARK.match(step)
    return step[mark.end() :] if mark else step


def _parts(learned: re.Match[str]) -> tuple[dict[str, object], str]:
    """The fields of a learned skill, and the text of what has no field or is too long for it."""
    trigger = " ".join(learned["trigger"].split())
    steps = steps_of(learned["steps"])
    outcome, _, more = (learned["outcome"] or "").strip().partition("\n")
    lessons = (learned["lessons"] or "").strip()
    values: dict[str, object] = {}
    rest = []
    if len(trigger) <= LINE_LIMIT:
        values["description"] = trigger
    else:
        rest.append(f"**trigger:**{learned['trigger'].rstrip()}")
    fits = 0 < len(steps) <= MOST_STEPS and all(len(step) <= LINE_LIMIT for step in steps)
    if not fits or len(outcome) > LINE_LIMIT or _FAILED.match(outcome):
        return values, "\n".join([*rest, learned["steps_on"].rstrip()])
    values |= {"kind": "procedure", "steps": list(steps), "outcome": outcome.strip()}
    single = lessons and "\n" not in lessons and not _MARK.match(lessons)
    return values, "\n\n".join(
        part for part in (*rest, more.strip(), f"- {lessons}" if single else lessons) if part
    )


def _moment(seconds: object) -> str:
    """Unix seconds as ISO-8601 UTC, empty for what no calendar holds."""
    try:
        return format_instant(datetime.fromtimestamp(seconds if isinstance(seconds, int) else 0, UTC))
    except (OverflowError, OSError, ValueError):
        return ""


def _text(front: Mapping[str, object], key: str) -> str:
    """A key's text; a bare number or flag is its text, as the exporter writes no quotes around a slug."""
    value = front.get(key)
    return "" if value is None or isinstance(value, list | dict) else str(value)


def _texts(value: object) -> list[str]:
    return [str(item) for item in value if isinstance(item, str | int)] if isinstance(value, list) else []
