"""A draft as JSON, and back: what the bodies of ``learned`` and ``revised`` hold.

Fields at their default are left out, so a later version may add fields without changing a hash.
Unknown fields are passed over, wrong types read as the default: a ledger written by a newer honed
still folds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from honed.ledger.canonical import canonical_bytes
from honed.skills.model import Anchor, Draft, FileRef, Pitfall

PROVENANCE = ("origin", "fingerprint", "source_task", "fail_to_pass", "authority", "taint")
"""Where a draft comes from: no part of what is approved."""


def draft_body(draft: Draft) -> dict[str, object]:
    """The draft as JSON-able values, without the fields that have their default."""
    return _plain(draft)


_FIELDS = {
    record: tuple((field.name, field.default) for field in fields(record))
    for record in (Draft, FileRef, Anchor, Pitfall)
}
"""Names and defaults of each record; no value equals the default of a field that has none."""


def _plain(record: Any) -> dict[str, object]:
    body: dict[str, object] = {}
    for name, default in _FIELDS[type(record)]:
        value = getattr(record, name)
        if value != default:
            body[name] = _value(value)
    return body


def _value(value: Any) -> object:
    if type(value) is tuple:
        return [_value(item) for item in value]
    return _plain(value) if type(value) in _FIELDS else value


def draft_of(body: object) -> Draft:
    """The draft that ``draft_body`` made JSON of; ``Draft("lesson", "", "")`` for what is none."""
    given = body if isinstance(body, Mapping) else {}
    kept: dict[str, Any] = {}
    for name, reader in _READERS.items():
        value = given.get(name)
        if value is not None:
            kept[name] = reader(value)
    for name in ("kind", "title", "trigger"):
        kept[name] = kept.get(name) or ("lesson" if name == "kind" else "")
    return Draft(**kept)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _days(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _records(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _files(value: object) -> tuple[FileRef, ...]:
    return tuple(
        FileRef(
            _text(item.get("path")),
            tuple(
                Anchor(_text(anchor.get("symbol")), _text(anchor.get("context")))
                for anchor in _records(item.get("anchors"))
            ),
            _text(item.get("role")) or "changed",  # type: ignore[arg-type]
        )
        for item in _records(value)
    )


def _pitfalls(value: object) -> tuple[Pitfall, ...]:
    return tuple(
        Pitfall(_text(item.get("signature")), _text(item.get("resolution")), _text(item.get("command")))
        for item in _records(value)
    )


_READERS: dict[str, Any] = {
    "kind": _text,
    "title": _text,
    "trigger": _text,
    "steps": _texts,
    "files": _files,
    "check": _text,
    "pitfalls": _pitfalls,
    "outcome": _text,
    "body": _text,
    "aliases": _texts,
    "symbols": _texts,
    "tags": _texts,
    "scope": _text,
    "agent": _text,
    "ttl_days": _days,
    "origin": _text,
    "fingerprint": _text,
    "source_task": _text,
    "fail_to_pass": bool,
    "authority": _text,
    "taint": _text,
}


def content_hash(draft: Draft) -> str:
    """What an approval is bound to: a digest of every field but where the draft comes from."""
    body = draft_body(draft)
    for name in PROVENANCE:
        body.pop(name, None)
    return hashlib.blake2b(canonical_bytes(body), digest_size=16).hexdigest()
