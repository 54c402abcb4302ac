"""Reading values out of records whose shape nobody promises.

Transcripts are other programs' files: any field may be missing, null or of another type.  Each
function takes whatever was found and gives a value of the type the reader needs, never an error.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from honed.sessions.source import Json


def obj(value: Any) -> Json:
    """``value`` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def array(value: Any) -> list[Any]:
    """``value`` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def string(value: Any) -> str:
    """``value`` if it is a string, else ``""``."""
    return value if isinstance(value, str) else ""


def maybe(value: Any) -> str | None:
    """``value`` if it is a string with something in it, else ``None``."""
    return value if isinstance(value, str) and value else None


def whole(value: Any) -> int | None:
    """``value`` if it is a whole number (no truth value), else ``None``."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def clock(milliseconds: Any) -> str | None:
    """ISO-8601 UTC of a count of milliseconds since 1970, as opencode writes times."""
    count = whole(milliseconds)
    if count is None or not 0 <= count < 253_402_300_800_000:
        return None
    moment = datetime.fromtimestamp(count / 1000, tz=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def texts(content: Any) -> str:
    """The text of a message content: a string, or the ``text`` fields of its parts, joined by newlines."""
    if isinstance(content, str):
        return content
    found = (part if isinstance(part, str) else string(obj(part).get("text")) for part in array(content))
    return "\n".join(text for text in found if text)
