"""One skill as one Markdown file, and back.  Pure: text in, values out.

The file is YAML front matter and a body (docs/contract.md, "Vault files").  ``name`` is the slug, ``title``
the title (else the first heading, else the name), ``description`` the trigger.  What a file says of
evidence, times and origin is *declared*: it is kept, shown and written out again, and weighs nothing
here.  Keys that honed does not know are kept as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import yaml

from honed.errors import UsageError
from honed.ledger import ids
from honed.ledger.drafts import draft_body, draft_of
from honed.skills.model import SLUG_LIMIT, Draft, Skill

DRAFT_KEYS = (
    "scope",
    "tags",
    "agent",
    "ttl_days",
    "aliases",
    "steps",
    "files",
    "check",
    "symbols",
    "pitfalls",
    "outcome",
    "fingerprint",
)
"""Fields of a draft that stand in the front matter under their own names, in this order."""
DECLARED_KEYS = ("origin", "fail_to_pass", "authority", "source_task", "learned", "verified", "evidence")
"""What a file says of where it comes from."""
FLAGS = ("pinned", "archived")
KNOWN = frozenset(
    ("id", "name", "title", "description", "kind", "project", *DRAFT_KEYS, *DECLARED_KEYS, *FLAGS)
)
KINDS = frozenset({"procedure", "rule", "lesson", "recipe", "recap"})
FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"^([^\s:#\-][^:]*):(?=\s|$)", re.MULTILINE)


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
    declared: Mapping[str, object] | None = None
    unknown: Mapping[str, str] | None = None

    @property
    def extra(self) -> dict[str, object]:
        """What the ledger keeps beside the draft so that the file can be written again."""
        kept: dict[str, object] = {}
        if self.declared:
            kept["declared"] = dict(self.declared)
        if self.unknown:
            kept["front"] = dict(self.unknown)
        return kept


def parse_note(text: str, name: str) -> Note:
    """Read a file; ``name`` (the file's name without suffix) stands in for a missing ``name``.

    Raises ``UsageError`` that says what is wrong with the front matter.
    """
    text = text.removeprefix("\ufeff")
    match = FRONT.match(text)
    front, body = (match[1], text[match.end() :]) if match else ("", text)
    body = body.removeprefix("\r\n").removeprefix("\n") if match else body
    values = _values(front)
    heading = _HEADING.search(body)
    slug = _slug(values, name)
    title = _line(values.get("title")) or (heading[1] if heading and "title" not in values else "") or slug
    kind = _line(values.get("kind")) or "lesson"
    if kind not in KINDS:
        raise UsageError(f"kind {kind!r} is none of {', '.join(sorted(KINDS))}")
    fields: dict[str, object] = {key: values[key] for key in DRAFT_KEYS if key in values}
    fields |= {"kind": kind, "title": title[:200], "trigger": _line(values.get("description")), "body": body}
    fields["files"] = _files(fields.get("files"))
    fields["tags"] = _listed(fields.get("tags"))
    return Note(
        slug=slug,
        draft=replace(draft_of(fields), origin="imported"),
        id=_line(values.get("id")),
        project=_line(values.get("project")),
        pinned=values.get("pinned") is True,
        archived=values.get("archived") is True,
        declared={key: values[key] for key in DECLARED_KEYS if key in values},
        unknown=_unknown(front),
    )


class _Loader(yaml.SafeLoader):
    """Safe YAML in which times stay text: they are written again as they were."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rows if tag != "tag:yaml.org,2002:timestamp"]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _values(front: str) -> dict[str, Any]:
    try:
        values = yaml.load(front, _Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        line = f", line {where.line + 2}" if where is not None else ""
        raise UsageError(
            f"the front matter is not YAML{line}: {getattr(error, 'problem', None) or error}"
        ) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise UsageError("the front matter must hold `key: value` lines")
    return {str(key): value for key, value in values.items()}


def _slug(values: Mapping[str, Any], name: str) -> str:
    given = _line(values.get("name")) or name
    return ids.slugify(given)[:SLUG_LIMIT]


def _line(value: object) -> str:
    """A scalar as one line of text."""
    if value is None or isinstance(value, list | dict):
        return ""
    return " ".join(str(value).split())


def _listed(value: object) -> list[str]:
    """A list of texts; one text is a list with commas."""
    if isinstance(value, str):
        return [item.strip() for item in value.split(",") if item.strip()]
    return [_line(item) for item in value if _line(item)] if isinstance(value, list) else []


def _files(value: object) -> list[object]:
    """Files are mappings with a path, or just paths."""
    items = value if isinstance(value, list) else []
    return [{"path": item} if isinstance(item, str) else item for item in items]


def _unknown(front: str) -> dict[str, str]:
    """The blocks of top-level keys that honed does not know, each with its text as it stands."""
    starts = [(match.start(), match[1].strip().strip("\"'")) for match in _KEY.finditer(front)]
    blocks = {}
    for number, (start, key) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(front)
        if key not in KNOWN:
            blocks[key] = front[start:end].rstrip("\r\n")
    return blocks


def note_text(skill: Skill, project: str, evidence: list[dict[str, object]]) -> str:
    """A skill as a file.  ``project`` is the project's name, ``evidence`` what this home has seen."""
    draft = skill.draft
    body = draft_body(draft)
    declared = skill.extra.get("declared")
    said: dict[str, object] = dict(declared) if isinstance(declared, dict) else {}
    front: dict[str, object] = {
        "id": skill.id,
        "name": skill.slug,
        "title": draft.title,
        "description": draft.trigger,
        "kind": draft.kind,
        "project": project,
    }
    front |= {key: body[key] for key in DRAFT_KEYS if key in body}
    front |= {key: True for key in FLAGS if getattr(skill, key)}
    local: dict[str, object] = {
        "origin": draft.origin,
        "fail_to_pass": draft.fail_to_pass or None,
        "authority": draft.authority,
        "source_task": draft.source_task,
        "learned": skill.learned_at,
        "verified": skill.last_verified_at,
        "evidence": evidence,
    }
    for key in DECLARED_KEYS:
        value = said.get(key, None if said and key != "evidence" else local[key])
        if key == "evidence":
            told = said.get("evidence")
            value = [*(told if isinstance(told, list) else []), *evidence]
        if value:
            front[key] = value
    blocks = skill.extra.get("front")
    lines = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1_000_000)
    unknown = "".join(f"{block}\n" for block in blocks.values()) if isinstance(blocks, dict) else ""
    return f"---\n{lines}{unknown}---\n\n{draft.body}"
