"""What is wrong with a chain: pure checks over entries and payloads that somebody read.

Each check yields ``Fault``s; an empty answer means that nothing was changed, dropped, inserted,
reordered, truncated or re-chained, as far as the head outside the database reaches back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from honed.counted import several
from honed.ledger.chain import GENESIS, Payload, commitment, header_hash
from honed.ledger.model import Entry, Fault

Tips = Mapping[str, tuple[int, str]]
"""Of each replica: the ``seq`` and ``hash`` of its last entry."""


def check_chain(links: Iterable[tuple[Entry, Payload | None]], erased: AbstractSet[str]) -> Iterator[Fault]:
    """Walk the chains; ``links`` come ordered by (replica, seq), with the payload that lies there.

    ``erased`` are the ids that ``erased`` events name: only those may lack their payload, and they
    must.
    """
    previous: Entry | None = None
    sealed = GENESIS
    for entry, payload in links:
        if previous is not None and previous.replica != entry.replica:
            previous, sealed = None, GENESIS
        yield from _check_order(previous, entry)
        follows = previous.seq + 1 == entry.seq if previous else entry.seq == 1
        own = header_hash(entry, previous.hash if previous else GENESIS)
        if follows and entry.hash != own and entry.hash != header_hash(entry, sealed):
            detail = "its header, or that of the event before it, is not the one that was sealed"
            yield Fault("header-changed", where(entry), detail)
        yield from _check_payload(entry, payload, erased)
        # Where only the hash was changed, what follows it still rests on the true one.
        previous, sealed = entry, own


def where(entry: Entry) -> str:
    """How a fault names an entry."""
    return f"event {entry.seq} of {entry.replica} ({entry.kind} {entry.subject})"


def _check_order(previous: Entry | None, entry: Entry) -> Iterator[Fault]:
    expected = previous.seq + 1 if previous else 1
    if entry.seq != expected:
        detail = f"expected event {expected} here: events are missing or were renumbered"
        yield Fault("chain-gap", where(entry), detail)
    if previous is not None and entry.recorded_at < previous.recorded_at:
        yield Fault(
            "clock-back", where(entry), f"recorded at {entry.recorded_at}, before the event before it"
        )


def _check_payload(entry: Entry, payload: Payload | None, erased: AbstractSet[str]) -> Iterator[Fault]:
    if payload is None:
        if entry.id not in erased:
            yield Fault("payload-missing", where(entry), "its text is gone and nobody erased it")
    elif entry.id in erased:
        yield Fault("erased-present", where(entry), "was erased, and its text is still there")
    elif commitment(payload.salt, payload.body) != entry.commitment:
        yield Fault("payload-changed", where(entry), "its text is not the one that was sealed")


def check_heads(kept: Tips, hashes: Mapping[tuple[str, int], str]) -> Iterator[Fault]:
    """Compare the heads kept outside the database with what the chains hold.

    ``hashes`` has the hash of the entry at each kept ``(replica, seq)``, where there is one.  A chain
    that is longer than its kept head is in order: a crash came between the commit and the head.
    """
    for replica, (seq, expected) in sorted(kept.items()):
        found = hashes.get((replica, seq)) if seq else expected
        if found is None:
            detail = (
                f"the ledger once had {several(seq, 'event')} of this replica; the last ones were cut off"
            )
            yield Fault("truncated", f"chain of {replica}", detail)
        elif found != expected:
            detail = f"event {seq} is not the one that was written: the chain was made anew"
            yield Fault("rechained", f"chain of {replica}", detail)
