"""Tools that find: ``memory_recall`` and ``memory_search``, by the one recall that hooks use."""

from __future__ import annotations

import os
import time

from honed import asking
from honed.counted import several
from honed.errors import NotFoundError, UnavailableError
from honed.mcp.answers import Call, nothing_yet
from honed.recall.note import framed, how_sure
from honed.recall.safe import one_line, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from honed.mcp.answers import Answer
    from honed.recall.recall import Recalled

NOTHING = "Nothing fits well enough to be said. Go on without it."


PATIENCE = 1.5
"""Seconds that a call waits for the embedding model, which the first one loads: until then words alone
decide."""


def _found(call: Call, find: Callable[[], Recalled]) -> Recalled | None:
    """What ``find`` gives; ``None`` where nothing was ever kept.

    A memory that was lost is no new one: raises ``UnavailableError``.
    """
    try:
        return find()
    except NotFoundError as error:
        from honed.store.files import HEAD

        if os.path.lexists(os.path.join(call.home, HEAD)):
            raise UnavailableError(
                f"the database of {call.home} is gone; `honed doctor` says more"
            ) from error
        return None


def _legible(request: str) -> str:
    """``request`` with what is no text (NUL, half a surrogate pair) written otherwise."""
    return request.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _recall(call: Call) -> Answer:
    query, limit = _legible(call.given["query"]), call.given.get("limit", 5)
    found = _found(
        call, lambda: asking.recall(call.home, query, cwd=call.cwd, limit=limit, patience=PATIENCE)
    )
    if found is None:
        return nothing_yet(call)
    text = found.note or NOTHING
    if found.note:
        _leave_receipt(call, found)
    if found.withheld:
        reasons = "; ".join(dict.fromkeys(reason for _, reason in found.withheld))
        more = several(len(found.withheld), "skill")
        text += f"\n{more} more would fit and {_be(found.withheld)} not given: {reasons}."
    return {"text": text, "found": len(found.hits)}


def _leave_receipt(call: Call, found: Recalled) -> None:
    """A line in the spool, as a hook leaves it: who reads takes no lock.  Where it cannot be written the
    recall goes on without."""
    from honed.hooks import spool
    from honed.hooks.giving import how_chosen

    line = {
        "t": int(time.time()),
        "e": "mcp",
        "a": call.client,
        "r": "gave",
        "n": found.tokens,
        "ids": {hit.id: hit.facts.version for hit in found.hits},
        "how": {hit.id: how_chosen(hit.grade, hit.score) for hit in found.hits},
        "c": os.urandom(4).hex(),
    }
    spool.append(call.home, call.session, line)


def _be(withheld: tuple[object, ...]) -> str:
    return "is" if len(withheld) == 1 else "are"


def _search(call: Call) -> Answer:
    query, limit = _legible(call.given["query"]), call.given.get("limit", 10)
    recaps = call.given.get("recaps", False)
    found = _found(
        call,
        lambda: asking.search(call.home, query, cwd=call.cwd, limit=limit, recaps=recaps, patience=PATIENCE),
    )
    if found is None:
        return nothing_yet(call)
    lines = [
        f"- {one_line(hit.slug)} [{hit.kind}, {hit.state}, {hit.grade}] {quoted(hit.title)} "
        f"({hit.score:.2f}{', weak' if hit.weak else ''}; {how_sure(hit.facts)})"
        for hit in found.hits
    ]
    texts = [found.note, framed(lines, "", "data") if lines else None]
    text = "\n".join(one for one in texts if one) or "Nothing in memory matches."
    return {"text": text, "found": len(lines)}


ANSWERS: Mapping[str, Callable[[Call], Answer]] = {"memory_recall": _recall, "memory_search": _search}
