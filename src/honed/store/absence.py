"""What faded while nobody worked with a memory.

On the hot path (docs/decisions/0004), at a session's start: one look at the last event, and only after a long
absence one count over the skills of the project.
"""

from __future__ import annotations

import json

from honed.ledger.curve import julian

TYPE_CHECKING = False
if TYPE_CHECKING:
    from honed.store.reading import Reader

AWAY_DAYS = 30
"""So long without anything recorded is an absence."""

_LAST = "SELECT recorded_at FROM events ORDER BY n DESC LIMIT 1"
_ARCHIVED = """
SELECT count(*) FROM skills
WHERE project IN (SELECT value FROM json_each(?)) AND archives_at > ? AND archives_at <= ?
  AND archived = 0 AND state IN ('candidate', 'proven')
"""


def archived_meanwhile(reader: Reader, project: str, now: str) -> tuple[str, int]:
    """When something was recorded last, and how many skills of ``project`` faded into the archive since.

    None where that is less than ``AWAY_DAYS`` ago.  Raises ``UnavailableError``.
    """
    rows = reader.rows(_LAST, ())
    last = str(rows[0][0]) if rows else ""
    if not last or julian(now) - julian(last) < AWAY_DAYS:
        return last, 0
    names = json.dumps(reader.linked(project))
    ((count,),) = reader.rows(_ARCHIVED, (names, last, now))
    return last, int(str(count))
