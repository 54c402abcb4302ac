"""One text for one value: the JSON that commitments and hashes are made over.

Keys sorted, no spaces, no NaN, UTF-8, the text verbatim (no Unicode normalisation: what was said is
what is kept).  Lone surrogates, which UTF-8 cannot hold, stay JSON escapes.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

from honed.errors import UsageError

_SURROGATE = re.compile("[\ud800-\udfff]")


def canonical(value: object) -> str:
    """The canonical JSON text of a value; raises ``UsageError`` if it has none."""
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"this value cannot be kept as JSON: {error}") from error
    return text if text.isascii() else _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def canonical_bytes(value: object) -> bytes:
    """``canonical`` in UTF-8."""
    return canonical(value).encode("utf-8")


def instant(text: str) -> str:
    """A time in the one form in which times compare as texts: ``2026-01-02T03:04:05.678Z``.

    Takes any ISO-8601 form with a date; without an offset it is UTC.  Raises ``UsageError``.
    """
    try:
        return format_instant(parse_instant(text))
    except (ValueError, OverflowError) as error:
        raise UsageError(f"not a time: {text!r} (expected ISO-8601, like 2026-01-02T03:04:05Z)") from error


def parse_instant(text: str) -> datetime:
    """The time that ``instant`` wrote."""
    when = datetime.fromisoformat(text)
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)


def format_instant(when: datetime) -> str:
    """A time as ``instant`` writes it, cut to milliseconds."""
    return when.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def from_epoch(seconds: float) -> str:
    """Seconds since 1970 (as ``time.time`` gives them) as ``instant`` writes times; raises ``UsageError``."""
    try:
        return format_instant(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds))
    except (ValueError, OverflowError) as error:
        raise UsageError(f"the clock says {seconds!r} seconds since 1970, which is no time") from error
