"""Ids: digests of what happened, or random bytes that are passed in.

Digests are BLAKE2b over an unambiguous encoding (a JSON array), so no two lists of parts give the
same text by running together.  See docs/decisions/0001-ledger.md and 0002-identity.md.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata

from honed.ledger.canonical import canonical_bytes
from honed.skills.model import SLUG_LIMIT

SUBJECTS = {"sk_": "skill", "tk_": "task", "pr_": "project"}
"""The subject an id names, by its first letters; the settings are the word itself."""


def _digest(prefix: str, parts: list[str], size: int) -> str:
    digest = hashlib.blake2b(canonical_bytes(parts), digest_size=size).digest()
    return prefix + _base32(digest)


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").rstrip("=").lower()


def event_id(kind: str, session: str, record: str, subject: str) -> str:
    """The id of an event: never of text, path, time of recording or replica."""
    return _digest("ev_", [kind, session, record, subject], 15)


def skill_id(session: str, record: str, kind: str) -> str:
    """The id of a skill derived from a session: two machines that read it learn the same skill."""
    return _digest("sk_", ["skill", session, record, kind], 10)


def random_id(prefix: str, entropy: bytes) -> str:
    """An id from random bytes: ``sk_`` or ``pr_`` take 10, ``ev_`` and ``rp_`` 15 of them."""
    size = 15 if prefix in ("ev_", "rp_") else 10
    if len(entropy) < size:
        raise ValueError(f"{prefix} needs {size} random bytes, got {len(entropy)}")
    return prefix + _base32(entropy[:size])


def subject_kind(subject: str) -> str:
    """What a subject id names: ``skill``, ``task``, ``project`` or ``settings``; else ``unknown``."""
    if subject == "settings":
        return "settings"
    return SUBJECTS.get(subject[:3], "unknown")


_BLANK = "[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]"
"""Letters and marks that show as nothing."""


def slugify(text: str, fallback: str = "skill") -> str:
    """A slug from a title: letters and digits of any script in lower case, joined by hyphens.

    At most ``SLUG_LIMIT`` characters, cut at a word; ``fallback`` when nothing is left.
    """
    plain = unicodedata.normalize("NFKC", text).lower()
    slug = re.sub(rf"(?:[\W_]|{_BLANK})+", "-", plain).strip("-")
    if len(slug) > SLUG_LIMIT:
        cut = slug[: SLUG_LIMIT + 1]
        slug = cut.rpartition("-")[0] or cut[:SLUG_LIMIT]
    return slug.strip("-") or fallback
