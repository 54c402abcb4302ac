"""The chain: each entry's hash covers the one before it, its own header and a commitment.

    commitment = BLAKE2b-256(salt || body)
    hash       = BLAKE2b-256(canonical JSON of [prev, header..., commitment])

The body and the salt are no part of the hash, so they can be erased and nobody can test a guess of
them against what is left.  See docs/decisions/0001-ledger.md.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from honed.ledger.canonical import canonical, canonical_bytes
from honed.ledger.model import Entry, NewEvent

SALT_BYTES = 16
GENESIS = ""
"""What stands before the first entry of a replica."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What lies beside an entry: the body as canonical JSON, and its salt."""

    event_id: str
    salt: bytes
    body: str


def commitment(salt: bytes, body: str) -> str:
    """The salted digest of a body (64 hexadecimal digits)."""
    return hashlib.blake2b(salt + body.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()


def header_hash(entry: Entry, previous: str) -> str:
    """What ``entry.hash`` must be: a digest of the hash before it and of everything else in it."""
    parts = [
        previous,
        entry.id,
        entry.kind,
        entry.subject,
        entry.at,
        entry.actor,
        entry.replica,
        entry.seq,
        entry.recorded_at,
        entry.commitment,
    ]
    return hashlib.blake2b(canonical_bytes(parts), digest_size=32).hexdigest()


def link(
    previous: Entry | None, event: NewEvent, *, replica: str, recorded_at: str, salt: bytes
) -> tuple[Entry, Payload]:
    """The next entry of a replica's chain, and the payload that belongs beside it.

    ``previous`` is the replica's last entry, ``None`` for the first.  ``salt`` is ``SALT_BYTES``
    random bytes; ``recorded_at`` and ``event.at`` are as ``canonical.instant`` writes times.  Raises
    ``UsageError`` if the body is not JSON-able.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    payload = Payload(event.id, salt, canonical(dict(event.body)))
    unsealed = Entry(
        id=event.id,
        kind=event.kind,
        subject=event.subject,
        at=event.at,
        actor=event.actor,
        replica=replica,
        seq=previous.seq + 1 if previous else 1,
        recorded_at=recorded_at,
        commitment=commitment(salt, payload.body),
        hash="",
    )
    return replace(unsealed, hash=header_hash(unsealed, previous.hash if previous else GENESIS)), payload
