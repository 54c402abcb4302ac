"""What an approval is bound to: the very text that is given, its kind, and what the row says of both.

One function for every door, the hot path too: ``store.reading`` asks it of what a recall reads,
``store.projections`` of what all others are told.  Whether the owner's signature covers it as well is for
``approvals``.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

from honed.signing.digests import blake2b

try:
    from _json import encode_basestring, make_encoder

    _encode = make_encoder(None, str, encode_basestring, None, ":", ",", True, False, True)
except (ImportError, AttributeError, TypeError):
    from json import JSONEncoder

    _encode = JSONEncoder(  # type: ignore[assignment]
        ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).iterencode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PROVENANCE = frozenset(("origin", "fingerprint", "source_task", "fail_to_pass", "authority", "taint"))
"""Fields that say where a text comes from: no part of what is approved (as ``ledger.drafts``)."""


def bound(claim: str, kind: str, content_hash: str, body: object) -> tuple[str, str]:
    """The digest that an approval is bound to and the key that signed it, two times nothing for none.

    ``claim`` is what a row of ``skills`` says of its approval, ``kind`` and ``content_hash`` are its columns,
    ``body`` the text that it leads to: where one of them is another than what was approved, none holds.
    """
    digest, _, key = claim.partition(" ")
    if not digest or digest != content_hash or not isinstance(body, dict) or body.get("kind") != kind:
        return "", ""
    return (digest, key) if digest_of(body) == digest else ("", "")


def digest_of(body: Mapping[str, object]) -> str:
    """``ledger.drafts.content_hash`` of a draft that is kept as ``body``, without what that has to load."""
    plain = {name: value for name, value in body.items() if name not in PROVENANCE}
    # Only halves of surrogate pairs are no UTF-8, and these become the escapes that they are in JSON.
    text = "".join(_encode(plain, 0)).encode("utf-8", "backslashreplace")
    return blake2b(text, digest_size=16).hexdigest()
