"""The experiment's lot: whether a session is one from which recall is held back.

Decided by a digest of the session's id under the home's secret key: the same for every hook of a session,
with nothing to be written, and known to nobody before.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os

from honed.config import Config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from honed.hooks.spool import Past

SETTING = "experiment.share"
KEY = "tombstone.key"
"""As ``store.files.KEY``, which no hook loads."""
GIVEN, HELD, NEITHER = 0, 1, 2
"""What a line says (``x``): the arm of its session, or that nothing was chosen that could be held back."""


def arm_of(home: str, session: str, past: Past) -> int | None:
    """``GIVEN`` or ``HELD``; ``None`` for a session that is in no experiment.

    What a session's lines say holds until it ends, whatever is switched meanwhile; one that was given
    something before the experiment began is in none.
    """
    if past.arm is not None:
        return past.arm if past.arm in (GIVEN, HELD) else None
    if not session:
        return None
    share = Config.load(home, {}).number(SETTING)
    return None if share <= 0 else lot(session, _key(home), share)


def lot(session: str, key: bytes, share: float) -> int | None:
    """The arm that falls to ``session`` where a ``share`` (0 to 1) is held back; ``None`` without a key."""
    if not key:
        return None
    from _blake2 import blake2b  # `hashlib` around it costs a hook more than all of this

    drawn = blake2b(session.encode("utf-8", "surrogatepass"), key=key, digest_size=7).digest()
    return HELD if int.from_bytes(drawn, "big") < share * 2.0**56 else GIVEN


def _key(home: str) -> bytes:
    try:
        with open(os.path.join(home, KEY), "rb", 0) as file:
            return file.read(32)
    except OSError:
        return b""
