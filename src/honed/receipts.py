"""From the spool's lines to receipts: what was given to which session, each thing once.

Hooks and the MCP server write lines (``hooks.spool``); the next absorb, or command that shows counters, folds
them into the store.  A line's key is made of what it says, so reading a file twice, or one that was cut, adds
nothing.  Only the bytes that came since the last time are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping
from time import sleep

from honed.hooks import spool
from honed.ledger.canonical import canonical_bytes, from_epoch
from honed.store.base import Store
from honed.store.receiving import Folded, Receipt, Trial

GRADES = {"g": "guidance", "r": "reference", "d": "data"}
"""As a line abbreviates them (``spool``, key ``how``)."""
CHUNK = 64 * 1024
"""Bytes of one file that are folded in one transaction: a line of at most 4 KB is whole in it, and the write
lock is held for moments."""
PAUSE = 0.002
"""Seconds between two transactions, in which somebody who waits for the write lock gets it."""
_TELLING = (b'"gave"', b'"held"')


def fold_file(path: str, name: str, folded_to: int) -> Iterator[Folded]:
    """What a session's spool file says beyond ``folded_to`` bytes, in pieces.

    ``name`` is the session's as the spool spells it.  A file shorter than that was cut: it is read again.
    """
    with contextlib.suppress(OSError), open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        at = folded_to if folded_to <= size else 0
        while at < size:
            file.seek(at)
            data = file.read(CHUNK)
            whole = data.rfind(b"\n") + 1
            if not whole and at + len(data) >= size:
                return  # a line that is still being written
            whole = whole or len(data)  # garbage without an end: no line is as long
            at += whole
            yield _folded(spool.read_lines(data[:whole], _TELLING), name, at)


def _folded(lines: list[dict[str, object]], name: str, size: int) -> Folded:
    receipts: list[Receipt] = []
    trials: list[Trial] = []
    for line in lines:
        if line.get("r") not in ("gave", "held"):
            continue
        at = from_epoch(_number(line.get("t")))
        client, held = str(line.get("a") or ""), line["r"] == "held"
        receipts += _receipts(line, name, at, client, held=held)
        if line.get("x") in (0, 1):
            trials.append(Trial(name, client, line["x"] == 1, at))
    return Folded(name, size, tuple(receipts), tuple(trials))


def _receipts(
    line: Mapping[str, object], name: str, at: str, client: str, *, held: bool
) -> Iterator[Receipt]:
    """One for each skill of a line; the tokens are shared among them, the first takes what is left over."""
    marked = line.get("ids")
    versions: dict[str, int] = {}
    for mark, version in marked.items() if isinstance(marked, dict) else ():
        skill = mark.partition("#")[0]
        if skill.startswith("sk_"):  # other marks are of what a session was told besides
            versions[skill] = _number(version)
    how = line.get("how")
    told = how if isinstance(how, dict) else {}
    key = key_of(name, line)
    tokens = _number(line.get("n"))
    each, over = divmod(tokens, max(1, len(versions)))
    for skill, version in (versions or {"": 0}).items():
        grade, score = _how(told.get(skill))
        yield Receipt(
            key=key,
            skill=skill,
            session=name,
            client=client,
            event=str(line.get("e") or ""),
            at=at,
            version=version,
            grade=grade,
            score=score,
            tokens=each + over,
            held=held,
        )
        over = 0


def key_of(name: str, line: Mapping[str, object]) -> str:
    """What makes a line of a session the one that it is, however its bytes lie in a file."""
    said = [name, *(line.get(part) for part in ("t", "e", "a", "g", "r", "n", "sum", "ids", "c"))]
    return hashlib.blake2b(canonical_bytes(said), digest_size=12).hexdigest()


def _how(value: object) -> tuple[str, float | None]:
    """Grade and score of ``r0.81``, or of ``r`` for an exact match."""
    text = value if isinstance(value, str) else ""
    score: float | None = None
    with contextlib.suppress(ValueError):
        score = float(text[1:])
    return GRADES.get(text[:1], ""), score


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def waiting(home: str, known: Mapping[str, int]) -> list[tuple[str, str]]:
    """``(path, name)`` of the spool files that say more than is folded: ``known`` bytes of each."""
    found = []
    with contextlib.suppress(OSError), os.scandir(os.path.join(home, spool.FOLDER)) as entries:
        for entry in entries:
            name, end = os.path.splitext(entry.name)
            if end == ".jsonl" and entry.is_file() and entry.stat().st_size != known.get(name, 0):
                found.append((entry.path, name))
    return sorted(found)


def fold(home: str, store: Store) -> None:
    """Fold what the spool of ``home`` says and the store does not know yet.

    Raises ``UnavailableError``; what was folded until then stays.
    """
    known = store.spools()
    for path, name in waiting(home, known):
        for piece in fold_file(path, name, known.get(name, 0)):
            store.receive(piece)
            sleep(PAUSE)
