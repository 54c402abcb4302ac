"""One skill as one Markdown file, and back.  Pure: text in, values out.

The file is YAML front matter and a body (docs/contract.md, "Vault files").  ``name`` is the slug, ``title``
the title (else the first heading, else the name), ``description`` the trigger.  What a file says of
evidence, times and origin is *declared*: it is kept, shown and written out again, and weighs nothing
here.  Keys that honed does not know are kept as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from honed.errors import UsageError
from honed.exchange import frontmatter, skillmem
from honed.exchange.frontmatter import Entry
from honed.ledger import ids
from honed.ledger.drafts import draft_body, draft_of
from honed.sessions.private import without_private
from honed.skills.model import BODY_LIMIT, KINDS, SLUG_LIMIT, TITLE_LIMIT, Draft, Skill

ID = "honed-id"
"""The key under which a file names the skill it is a text of."""
DRAFT_KEYS = ("scope tags agent ttl_days aliases steps files check symbols pitfalls outcome").split()
"""Fields of a draft that stand in the front matter under their own names, in this order."""
DECLARED_KEYS = (
    "origin client fingerprint fail_to_pass authority source_task state learned verified evidence history"
).split()
"""What a file says of where its text comes from."""
FLAGS = ("pinned", "archived")
TEXTS_TOTAL = 512 * 1024
"""Bytes of all that a file may give besides its body."""

_FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_UNCLOSED = re.compile(r"\A---[ \t]*\r?\n[\w-]+:(?:[ \t]|\r?$)", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*\r?")
_FENCE = re.compile(r"[ ]{0,3}(?:```|~~~)")
_SKILL_ID = re.compile(r"sk_[a-z2-7]{16}")
_UNTOLD = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Note:
    """What one file holds.

    ``id`` and ``project`` (its name) are empty where the file does not say.  ``declared`` are the
    ``DECLARED_KEYS`` it has, ``unknown`` the other keys with their text as it stands.
    """

    slug: str
    draft: Draft
    id: str = ""
    project: str = ""
    pinned: bool = False
    archived: bool = False
    declared: Mapping[str, object] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)

    def extra(self, file: str) -> dict[str, object]:
        """What the ledger keeps beside the draft so that the file can be written, and known, again."""
        kept: dict[str, object] = {"file": file}
        if self.declared:
            kept["declared"] = dict(self.declared)
        if self.unknown:
            kept["front"] = dict(self.unknown)
        return kept


# Reading


def parse_note(text: str, name: str, redactor: Callable[[str], str] = str) -> Note:
    """Read a file; ``name`` (the file's name without suffix) stands in for a missing ``name``.

    ``redactor`` is run over what is kept beside the draft, and over what is cut or made a name of: what is
    left of a secret then shows as none.  The rest of the draft is the caller's to redact.  Raises
    ``UsageError`` that says what is wrong and in which line.
    """
    text = text.removeprefix("\ufeff")
    match = _FRONT.match(text)
    if match is None and _UNCLOSED.match(text):
        raise UsageError("line 1: the front matter does not end; close it with a line of three dashes")
    entries = {entry.key: entry for entry in frontmatter.parse(match[1])} if match else {}
    body = text[match.end() :] if match else text
    if match:
        body = body[2:] if body.startswith("\r\n") else body.removeprefix("\n")
    body = without_private(body)
    values, unknown = _known(entries)
    if entries.keys() >= skillmem.SIGNS:
        values, body = _reshaped(entries, values, body, redactor)
    size = sum(len(entry.block.encode("utf-8")) for entry in entries.values())
    if len(body.encode("utf-8")) > BODY_LIMIT or size > TEXTS_TOTAL:
        raise UsageError(
            f"over {BODY_LIMIT} bytes of text, or {TEXTS_TOTAL} of front matter; cut it into several notes"
        )
    fields = {key: values[key] for key in DRAFT_KEYS if key in values}
    called = redactor(_one_line(values.get("name")) or name)
    fields |= {
        "kind": values.get("kind") or "lesson",
        "title": _title(values, redactor(_heading(body)) or called),
        "trigger": _one_line(values.get("description")),
        "body": body,
    }
    return Note(
        slug=ids.slugify(called)[:SLUG_LIMIT],
        draft=replace(draft_of(fields), origin="imported"),
        id=str(values.get(ID, "")),
        project=redactor(_one_line(values.get("project"))),
        pinned=values.get("pinned") is True,
        archived=values.get("archived") is True,
        declared={key: _redacted(values[key], redactor) for key in DECLARED_KEYS if key in values},
        unknown={redactor(key): _redacted_block(entries[key], redactor) for key in unknown},
    )


def _known(entries: Mapping[str, Entry]) -> tuple[dict[str, Any], list[str]]:
    """What the keys that honed knows say, and the names of the others: unknown, or of no use as they are."""
    values: dict[str, Any] = {}
    unknown = []
    for key, entry in entries.items():
        reader = _READERS.get(key)
        value = reader(entry) if reader else None
        if value is None:
            unknown.append(key)
        else:
            values[key] = value
    return values, unknown


def _reshaped(
    entries: Mapping[str, Entry], values: dict[str, Any], body: str, redactor: Callable[[str], str]
) -> tuple[dict[str, Any], str]:
    """``values`` and ``body`` as they are meant, where another memory wrote the file."""
    front = {key: frontmatter.plain(entry.node) for key, entry in entries.items()}
    if not skillmem.is_one(front):
        return values, body
    found = skillmem.reshaped(front, body, redactor)
    kept = {key: value for key, value in values.items() if key not in skillmem.USED}
    return {**kept, **found.values}, found.body


def _must_be_text(entry: Entry) -> str:
    """For the keys that every file written has: they must be usable, for they cannot stand there twice."""
    value = frontmatter.text(entry.node)
    if value is None:
        raise UsageError(f"line {entry.line}: {entry.key} must be one text")
    if entry.key == "title" and len(value) > TITLE_LIMIT:
        raise UsageError(f"line {entry.line}: title has {len(value)} characters; at most {TITLE_LIMIT}")
    if entry.key == "kind" and value and value not in KINDS:
        raise UsageError(f"line {entry.line}: kind {value!r} is none of {', '.join(KINDS)}")
    return value


def _tags(entry: Entry) -> list[str] | None:
    single = frontmatter.text(entry.node)
    if single is not None:
        return [tag.strip() for tag in single.split(",") if tag.strip()]
    return frontmatter.texts(entry.node)


def _files(entry: Entry) -> list[object] | None:
    """Files are mappings with a path, or just paths."""
    value = frontmatter.plain(entry.node)
    items = value if isinstance(value, list) else [value]
    files = [{"path": item} if isinstance(item, str) else item for item in items if item is not None]
    return files if all(isinstance(f, dict) and isinstance(f.get("path"), str) for f in files) else None


def _pitfalls(entry: Entry) -> list[object] | None:
    value = frontmatter.plain(entry.node)
    sound = isinstance(value, list) and all(
        isinstance(item, dict) and isinstance(item.get("signature"), str) for item in value
    )
    return value if sound and isinstance(value, list) else None


def _days(entry: Entry) -> int | None:
    value = frontmatter.plain(entry.node)
    return value if isinstance(value, int) and value > 0 else None


def _flag(entry: Entry) -> bool | None:
    value = frontmatter.plain(entry.node)
    return value if isinstance(value, bool) else None


def _id(entry: Entry) -> str:
    value = frontmatter.text(entry.node) or ""
    if not _SKILL_ID.fullmatch(value):
        raise UsageError(f"line {entry.line}: {ID} is not the id of a skill; take the line out")
    return value


def _scope(entry: Entry) -> str | None:
    value = frontmatter.text(entry.node)
    return value if value in ("project", "global") else None


def _texts(entry: Entry) -> list[str] | None:
    return frontmatter.texts(entry.node)


def _text(entry: Entry) -> str | None:
    return frontmatter.text(entry.node)


def _declared(entry: Entry) -> object:
    return frontmatter.plain(entry.node)


def _rows(entry: Entry) -> list[object] | None:
    value = frontmatter.plain(entry.node)
    return value if isinstance(value, list) else None


_READERS: dict[str, Callable[[Entry], Any]] = {
    **dict.fromkeys(DECLARED_KEYS, _declared),
    **dict.fromkeys(("evidence", "history"), _rows),
    **dict.fromkeys(("name", "title", "description", "kind", "project"), _must_be_text),
    **dict.fromkeys(("agent", "check", "outcome"), _text),
    **dict.fromkeys(("aliases", "steps", "symbols"), _texts),
    **dict.fromkeys(FLAGS, _flag),
    "files": _files,
    "pitfalls": _pitfalls,
    "scope": _scope,
    "tags": _tags,
    "ttl_days": _days,
    ID: _id,
}
"""What is read of each key: ``None`` says that it is of no use here, and is kept as it stands."""


def _one_line(value: object) -> str:
    text = value if isinstance(value, str) else ""
    return " ".join(text.split()) if "\n" in text else text


def _title(values: Mapping[str, Any], called: str) -> str:
    """The title, else what it is ``called`` (cut where it is too long: a heading stands below)."""
    given = _one_line(values.get("title"))
    return given if given.strip() else called[:TITLE_LIMIT]


def _heading(body: str) -> str:
    fenced = False
    for line in body.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (found := _HEADING.fullmatch(line)):
            return found[1]
    return ""


def _redacted(value: object, redactor: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return redactor(value)
    if isinstance(value, dict):
        return {redactor(key): _redacted(item, redactor) for key, item in value.items()}
    return [_redacted(item, redactor) for item in value] if isinstance(value, list) else value


def _redacted_block(entry: Entry, redactor: Callable[[str], str]) -> str:
    """A key's text as it stands; written anew where a secret was in it, for the mask may be no YAML."""
    if redactor(entry.block) == entry.block:
        return entry.block
    told = {redactor(entry.key): _redacted(frontmatter.plain(entry.node), redactor)}
    return frontmatter.emit(told).rstrip("\n")


# Writing


def note_text(
    skill: Skill,
    project: str,
    evidence: Sequence[Mapping[str, object]],
    history: Sequence[Mapping[str, object]],
) -> str:
    """A skill as a file.

    ``project`` is the project's name; ``evidence`` and ``history`` are what this home has seen itself.
    What the file that it came from declared goes before them.
    """
    draft = skill.draft
    body = draft_body(draft)
    front: dict[str, object] = {
        ID: skill.id,
        "name": skill.slug,
        "title": draft.title,
        "description": draft.trigger,
        "kind": draft.kind,
        "project": project,
    }
    front = {key: value for key, value in front.items() if value or key == "title"}
    front |= {key: body[key] for key in DRAFT_KEYS if key in body}
    front |= {key: True for key in FLAGS if getattr(skill, key)}
    front |= _provenance(skill, evidence, history)
    found = skill.extra.get("front")
    blocks = found if isinstance(found, dict) else {}
    # A key of ours that the file used for something else stays the file's.
    front = {key: value for key, value in front.items() if key not in blocks}
    unknown = "".join(f"{block}\n" for block in blocks.values())
    return f"---\n{frontmatter.emit(front)}{unknown}---\n\n{_UNTOLD.sub(chr(0xFFFD), draft.body)}"


def _provenance(
    skill: Skill, evidence: Sequence[Mapping[str, object]], history: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    draft = skill.draft
    declared = skill.extra.get("declared")
    said: dict[str, object] = dict(declared) if isinstance(declared, dict) else {}
    own: dict[str, object] = {
        "origin": draft.origin,
        "client": skill.client,
        "fingerprint": draft.fingerprint,
        "fail_to_pass": draft.fail_to_pass,
        "authority": draft.authority,
        "source_task": draft.source_task,
        "state": "" if skill.state == "candidate" else skill.state,
        "learned": skill.learned_at,
        "verified": skill.last_verified_at,
    }
    told = said or own
    for key, seen in (("evidence", evidence), ("history", history)):
        before = said.get(key)
        told = told | {key: [*(before if isinstance(before, list) else []), *seen]}
    return {key: _in_order(told[key]) for key in DECLARED_KEYS if told.get(key) not in (None, "", False, [])}


def _in_order(value: object) -> object:
    """What the ledger has held comes back with its keys sorted; so they are from the beginning."""
    if isinstance(value, Mapping):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(item) for item in value] if isinstance(value, list | tuple) else value
