"""The heads of the chains, outside the database: where `verify` starts from.

    <home>/ledger.head    two slots of one line each: crc32 {"n": 7, "heads": {"rp_..": [12, "hash"]}}

It is written after every commit and not synced (a head that stayed behind is in order), so it must bear that
the power goes at any moment.  Therefore its length never changes, writers take turns between two slots, and
each line says whether it is whole: one of them always is.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from typing import TypeAlias

from honed.store.files import HEAD, locked, sync_folder

Heads: TypeAlias = dict[str, tuple[int, str]]
"""Of each replica: ``seq`` and hash of its last entry."""

SLOT = 16 * 1024
"""Bytes of a slot, unless the file is longer."""


def read_heads(home: str) -> Heads | None:
    """The kept heads by replica, ``None`` if the file is missing or says nothing."""
    try:
        with open(os.path.join(home, HEAD), "rb") as file:
            return _newest(file.read())[1]
    except OSError:
        return None


def advance_head(home: str, replica: str, seq: int, digest: str) -> None:
    """Move one replica's head forward; never back, whatever order writers come in.

    A head that cannot be written stays behind, which is in order: the next writer moves it on.
    """
    with contextlib.suppress(OSError):
        handle = os.open(os.path.join(home, HEAD), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            with locked(handle) as held:
                data = _all_of(handle)
                number, heads = _newest(data)
                heads = heads or {}
                if held and heads.get(replica, (0, ""))[0] < seq:
                    heads[replica] = (seq, digest)
                    _write(handle, len(data) // 2, number + 1, heads)
        finally:
            os.close(handle)


def replace_heads(home: str, heads: Heads) -> None:
    """Set the heads anew, also backwards, and on disk: for a new home, and after a backup was put back."""
    handle = os.open(os.path.join(home, HEAD), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        with locked(handle):
            number, _ = _newest(_all_of(handle))
            _write_both(handle, number + 1, heads)
    finally:
        os.close(handle)
    sync_folder(home)


def _all_of(handle: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _newest(data: bytes) -> tuple[int, Heads | None]:
    """The number and the heads of the newest whole slot; ``(0, None)`` if there is none."""
    size = len(data) // 2
    found = [slot for slot in (_slot(data[:size]), _slot(data[size:])) if slot]
    return max(found, key=lambda slot: slot[0]) if found else (0, None)


def _slot(raw: bytes) -> tuple[int, Heads] | None:
    check, _, text = raw.partition(b"\n")[0].partition(b" ")
    try:
        if int(check, 16) != zlib.crc32(text):
            return None
        value = json.loads(text)
        heads = {str(name): (int(seq), str(digest)) for name, (seq, digest) in value["heads"].items()}
        return int(value["n"]), heads
    except (ValueError, TypeError, AttributeError, KeyError):
        return None


def _line(number: int, heads: Heads) -> bytes:
    text = json.dumps({"n": number, "heads": heads}, sort_keys=True).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _write(handle: int, size: int, number: int, heads: Heads) -> None:
    line = _line(number, heads)
    if len(line) > size:
        _write_both(handle, number, heads)
        return
    os.lseek(handle, size * (number % 2), os.SEEK_SET)
    os.write(handle, line)


def _write_both(handle: int, number: int, heads: Heads) -> None:
    line = _line(number, heads)
    size = SLOT
    while size < len(line):
        size *= 2
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, line.ljust(size, b" ") + line.ljust(size, b" "))
    os.ftruncate(handle, 2 * size)
    os.fsync(handle)
